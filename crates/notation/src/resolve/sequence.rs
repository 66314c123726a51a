//! Resolves sequence diagrams.
