//! Our reading of real diagrams against what the original tools made of them.
//!
//! The corpus is third-party data and no part of the project: the tests run where `SEQUENT_CORPUS` or the folder
//! `../shared/corpus` beside the project is there, and say so when it is not.

mod harness;
mod mermaid_seq;
mod mermaid_state;
mod plantuml_seq;
mod plantuml_state;
mod rates;
