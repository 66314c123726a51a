//! Sequent as a library: the pipeline from text to report, without I/O.
//!
//! [`Diagrams`] and what it returns ([`api`]) is the stable part, for other programs:
//!
//! ```
//! let report = sequent::Diagrams::read([("a.mmd", "sequenceDiagram\n  a->>b: x\n  end\n")]).check();
//! assert_eq!(report.findings[0].code, "E103");
//! assert_eq!((report.findings[0].line, report.findings[0].column), (3, 3));
//! ```
//!
//! Everything else serves the command and changes with it.
//!
//! [`pipeline`] shows the steps on one page. [`company`] finds the files that belong together, [`page`] caches what
//! each file says by itself, [`reading`] makes one model of files; [`ask`] makes queries of its checks, about the objects of an [`ensemble`] or the
//! diagrams of a [`scope`]; [`pose`] makes cases of queries; [`answer`] lets an engine decide them within
//! some [`effort`] and writes a [`record`] of it; [`tell`] makes stories of runs; [`survey`] searches for
//! defects without a check; [`examples`] finds runs to look at where nothing shows one; [`outcome`] keeps what is reported of all that, [`finding`] compares it with the
//! expectations and [`suppression`] with the comments that allow findings. [`tools`] asks other programs,
//! [`export`] writes for them, and [`certificate`] writes out what a solver has proved. Beside the pipeline:
//! [`settings`] reads `sequent.toml`, [`classify`] classifies a given trace, [`refinement`] compares two
//! diagrams, [`templates`] compares a diagram with its formulas, [`triggers`] what it shows with what machines receive, [`simulate`] steps through a run, [`traces`] counts traces, [`merge`]
//! merges two revisions, [`fix`] turns the remedies of findings into edits of the text, [`picture`] words drawings.

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used))]

pub mod answer;
pub mod api;
pub mod ask;
pub mod certificate;
pub mod classify;
mod company;
pub mod effort;
pub mod ensemble;
mod examples;
pub mod export;
mod finding;
pub mod fix;
pub mod merge;
mod outcome;
mod page;
pub mod picture;
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
pub mod traces;
mod triggers;

pub use api::{Answer, Diagrams, Finding, Level, Number, Problem, Report, Verdict};
