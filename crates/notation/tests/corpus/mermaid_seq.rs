//! Differential test of mermaid seq.
