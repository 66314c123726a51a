//! What every layout promises.
