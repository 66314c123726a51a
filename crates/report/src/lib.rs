//! Reports: models and verdicts as text, drawings and files for other tools.
//!
//! Every report is a function from data to a string or bytes; nothing here reads files, looks at the clock or prints.
//!
//! - [`answers`]: verdicts as text, with their runs.
//! - [`ast`]: the model as JSON for other programs.
//! - [`checked`]: the result of a check, as input of all reports.
//! - [`draw`]: diagrams as SVG, PNG and terminal text.
//! - [`escape`]: what diagrams say, made safe to print.
//! - [`explanation`]: what a finding means, with examples.
//! - [`export`]: automata for other tools.
//! - [`findings`]: diagnostics with their source excerpt.
//! - [`html`]: the result of a check as a page to look at and to step through.
//! - [`json`]: the result of a check for other programs.
//! - [`junit`]: the same for build servers.
//! - [`lines`]: the result of a check, one line for each finding.
//! - [`markdown`]: the same as a comment on a pull request.
//! - [`reason`]: why a question is not decided.
//! - [`run`]: a run as a sequence diagram.
//! - [`sarif`]: the result of a check for code hosts and editors.
//! - [`table`]: a run as a table.

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used))]

pub mod answers;
pub mod ast;
pub mod checked;
pub mod draw;
pub mod escape;
pub mod explanation;
pub mod export;
pub mod findings;
pub mod html;
pub mod json;
pub mod junit;
pub mod lines;
pub mod markdown;
pub mod reason;
pub mod run;
pub mod sarif;
pub mod table;
