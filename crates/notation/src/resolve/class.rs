//! Resolves class diagrams.
