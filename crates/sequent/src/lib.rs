//! Sequent as a library: the way from text to report, without I/O.
//!
//! [`pipeline`] shows the arrows on one page. [`company`] finds the files that belong to some, [`reading`] makes one model of files; [`ask`] makes queries of its checks, about
//! the objects of an [`ensemble`] or the diagrams of a [`scope`]; [`pose`] makes cases of queries; [`answer`] lets an engine
//! decide them within some [`effort`] and writes a [`record`] of it; [`tell`] makes stories of runs; [`survey`] looks for what
//! nobody asked for; [`outcome`] keeps what is reported of all that, [`finding`] settles what was expected and [`suppression`] what comments leave out. [`tools`] asks other programs, [`export`] writes for them, and
//! [`certificate`] writes out what a solver has proved. Beside that way: [`settings`] reads `sequent.toml`, [`classify`] tells
//! what a given trace is, [`refinement`] compares two diagrams, [`templates`] compares a diagram with its formulas,
//! [`simulate`] steps through a run, [`merge`] joins two revisions, [`fix`] makes changes of text of what findings know to be right.

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
