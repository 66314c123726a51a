//! Differential test of plantuml seq.
