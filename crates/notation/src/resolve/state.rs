//! Resolves state diagrams.
