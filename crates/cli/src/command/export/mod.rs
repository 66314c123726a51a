//! `sequent export`: diagrams and questions in the formats of other tools.
//!
//! Each format is a module here that asks for what it needs, and one in the reports that prints it:
//!
//! | needs | formats |
//! |---|---|
//! | the model of sequence diagrams | `ltl`, `hoa` |
//! | something that runs ([`subject`]): one diagram, or communicating state machines | `aut`, `dot`, `promela`, `nusmv`, `cspm` |
//! | a question about it ([`question`]) | `hoa`, `promela`, `nusmv`, `aiger`, `btor2`, `smt`, `dimacs`, `qdimacs` |

mod all;
mod claims;
mod cspm;
mod flat;
mod hoa;
mod ltl;
mod nusmv;
mod observer;
mod promela;
mod question;
mod space;
mod steps;
mod subject;

use sequent_report::escape;

use crate::cli::Common;
use crate::cli::{Export, ExportFormat};
use crate::command::Session;
use crate::output;

/// What came of an export.
enum ExportResult {
    /// The text.
    Text(String),
    /// What is no text.
    Bytes(Vec<u8>),
    /// Nothing was written and the reason was printed; the exit code.
    Nothing(u8),
}

impl ExportResult {
    /// What stands in the file; an error is the exit code where nothing was written.
    fn bytes(self) -> Result<Vec<u8>, u8> {
        match self {
            ExportResult::Text(text) => Ok(escape::code(&text).into_owned().into_bytes()),
            ExportResult::Bytes(bytes) => Ok(bytes),
            ExportResult::Nothing(code) => Err(code),
        }
    }
}

pub(crate) fn run(options: &Export, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    if session.complain_of_errors() {
        // What was misread is no model of anything.
        return Ok(2);
    }
    if options.question.as_deref() == Some("all") {
        return all::write(&session, options);
    }
    match (written(&session, options)?.bytes(), &options.output) {
        (Ok(bytes), Some(path)) => output::write(path, &bytes).map(|()| 0),
        (Ok(bytes), None) => {
            output::print_bytes(&bytes);
            Ok(0)
        }
        (Err(code), _) => Ok(code),
    }
}

/// One export.
fn written(session: &Session, options: &Export) -> Result<ExportResult, String> {
    match (&options.question, options.to) {
        (Some(wished), _) if wished == "list" => {
            question::with_agenda(session, options, |agenda| Ok(ExportResult::Text(question::list(agenda))))
        }
        (_, None) => Err("--to says what to write; `--question list` lists the questions".to_owned()),
        (Some(_), Some(ExportFormat::Ltl | ExportFormat::Aut | ExportFormat::Dot)) => {
            Err("this format is of what runs, and not of a question about it".to_owned())
        }
        (_, Some(ExportFormat::Ltl)) => ltl::write(session, options),
        (_, Some(format @ (ExportFormat::Aut | ExportFormat::Dot))) => space::write(session, options, format),
        (_, Some(ExportFormat::Hoa)) => hoa::write(session, options),
        (_, Some(ExportFormat::Promela)) => promela::write(session, options),
        (_, Some(ExportFormat::Cspm)) => cspm::write(session, options),
        (_, Some(ExportFormat::Nusmv)) => nusmv::write(session, options),
        (
            _,
            Some(
                format @ (ExportFormat::Aiger
                | ExportFormat::Btor2
                | ExportFormat::Smt
                | ExportFormat::Dimacs
                | ExportFormat::Qdimacs),
            ),
        ) => flat::write(session, options, format),
    }
}
