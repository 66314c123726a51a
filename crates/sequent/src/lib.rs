//! Sequent as a library: the pipeline from text to report, without I/O.
//!
//! [`pipeline`] shows the steps on one page. [`company`] finds the files that belong together, [`reading`]
//! makes one model of files; [`ask`] makes queries of its checks, about the objects of an [`ensemble`] or the
//! diagrams of a [`scope`]; [`pose`] makes cases of queries; [`answer`] lets an engine decide them within
//! some [`effort`] and writes a [`record`] of it; [`tell`] makes stories of runs; [`survey`] searches for
//! defects without a check; [`outcome`] keeps what is reported of all that, [`finding`] compares it with the
//! expectations and [`suppression`] with the comments that allow findings. [`tools`] asks other programs,
//! [`export`] writes for them, and [`certificate`] writes out what a solver has proved. Beside the pipeline:
//! [`settings`] reads `sequent.toml`, [`classify`] classifies a given trace, [`refinement`] compares two
//! diagrams, [`templates`] compares a diagram with its formulas, [`simulate`] steps through a run, [`merge`]
//! merges two revisions, [`fix`] turns the remedies of findings into edits of the text.

#![warn(clippy::print_stdout)]

pub mod answer;
pub mod ask;
pub mod certificate;
pub mod classify;
mod company;
pub mod effort;
pub mod ensemble;
pub mod export;
mod finding;
pub mod fix;
pub mod merge;
mod outcome;
pub mod pipeline;
pub mod pose;
mod reading;
mod record;
pub mod refinement;
mod scope;
pub mod settings;
pub mod simulate;
mod suppression;
pub mod survey;
pub mod tell;
pub mod templates;
pub mod tools;
