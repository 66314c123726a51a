//! Mermaid.
