//! Engines: whatever searches a state space.
//!
//! The crate stands here so that the direction of its edges is fixed from the start: engines see the kernel and nothing of
//! notations or reports. It holds nothing yet; today's findings need no search.
