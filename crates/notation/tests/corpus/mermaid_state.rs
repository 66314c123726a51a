//! Differential test of mermaid state.
