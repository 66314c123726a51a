//! Differential test of plantuml state.
