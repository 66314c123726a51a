//! `!include` and `!includesub`.
//!
//! Only local files are read, through the [`Loader`](crate::Loader), which refuses files outside of its
//! roots. Of a file with diagrams in it the content of the first is taken, or of the one named after `!`. The
//! standard library and addresses on the network are named in a warning; what they would define is missing,
//! which makes the diagram incomplete.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::source::FileId;

use super::command::{PreprocessorCommand, parse};
use super::comment::{SourcePiece, separate};
use super::machine::{LineOrigin, PreprocessorState};
use crate::Refusal;
use crate::line::{self, Line};
use crate::plantuml::blocks;
use crate::plantuml::common::scan::{is_quote, trim};

/// Includes nested deeper than this are taken for a cycle.
const DEEPEST: usize = 32;

impl PreprocessorState<'_, '_> {
    /// `!include what`
    pub(super) fn include(&mut self, what: &str, line: &Line) -> Result<(), String> {
        let what = self.substitute(what)?.unwrap_or_default();
        let what = trim(&what).trim_matches(is_quote);
        if what.starts_with('<') || what.contains("://") {
            self.included.missing = true;
            self.foreign(what);
            return Ok(());
        }
        let (path, part) = match what.rsplit_once('!') {
            Some((path, part)) => (path, Some(part)),
            None => (what, None),
        };
        let Some(file) = self.load(path, line) else { return Ok(()) };
        let many = trim(&line.text).to_ascii_lowercase().starts_with("!include_many");
        if !self.included.done.insert((file, part.map(str::to_owned))) && !many {
            return Ok(());
        }
        let lines = self.content(file, part)?;
        self.run_included(&separate(lines), line)
    }

    /// Tells that something is not read. One finding tells it of a whole diagram.
    fn foreign(&mut self, what: &str) {
        let first = self.included.foreign.and_then(|at| self.context.diagnostics.get_mut(at));
        if let Some(first) = first {
            if first.span != self.here && first.labels.iter().all(|label| label.span != self.here) {
                *first = first.clone().label(self.here, "nor is this");
            }
            return;
        }
        let message = format!("`!include {what}` is not read: only local files are");
        self.included.foreign = Some(self.context.diagnostics.len());
        self.context.diagnostics.push(Diagnostic::new(Code::Unsupported, self.here, message));
    }

    /// `!includesub file!name`, `!includesub name`
    pub(super) fn include_sub(&mut self, what: &str, line: &Line) -> Result<(), String> {
        let what = self.substitute(what)?.unwrap_or_default();
        let what = trim(&what);
        let (path, name) = match what.rsplit_once('!') {
            Some((path, name)) => (Some(path), name),
            None => (None, what),
        };
        let file = match path {
            Some(path) => match self.load(path, line) {
                Some(file) => file,
                None => return Ok(()),
            },
            None => line.whole.file,
        };
        let source = self.context.sources.get(file);
        let pieces = separate(line::cut(file, source, 0..source.text.len()));
        self.count_work(source.text.len());
        let part = sub(&pieces, name);
        if part.is_empty() {
            return Err(format!("there is no `!startsub {name}`"));
        }
        self.run_included(&part, line)
    }

    fn run_included(&mut self, pieces: &[SourcePiece], line: &Line) -> Result<(), String> {
        if self.included.depth >= DEEPEST {
            return Err("files include each other without end".to_owned());
        }
        self.included.depth += 1;
        self.run_at(pieces, LineOrigin { whole: line.whole, span: None });
        self.included.depth -= 1;
        Ok(())
    }

    fn load(&mut self, path: &str, line: &Line) -> Option<FileId> {
        let from = line.span.file;
        let refusal = match self.context.loader.load(self.context.sources, from, path) {
            Ok(file) => return Some(file),
            Err(refusal) => refusal,
        };
        self.included.missing = true;
        self.report(match refusal {
            Refusal::Missing => {
                let message = format!("the included file `{path}` is not there");
                let hint =
                    "paths start at the folder of the including file; nothing is fetched from the network";
                Diagnostic::new(Code::IncludeNotFound, self.here, message).hint(hint)
            }
            Refusal::Outside => {
                let message = format!("the included file `{path}` is not read: {refusal}");
                let hint = "`--include-root DIR` allows files below another folder";
                Diagnostic::new(Code::IncludeRefused, self.here, message).hint(hint)
            }
            Refusal::NotRegular | Refusal::TooLarge | Refusal::NotText | Refusal::Unreadable(_) => {
                let message = format!("the included file `{path}` is not read: {refusal}");
                Diagnostic::new(Code::IncludeRefused, self.here, message)
            }
        });
        None
    }

    /// The lines of a file: of the diagram named or numbered `part`, of the first one, or all.
    fn content(&mut self, file: FileId, part: Option<&str>) -> Result<Vec<Line>, String> {
        let source = self.context.sources.get(file);
        let lines = line::cut(file, source, 0..source.text.len());
        self.count_work(source.text.len());
        let cuts = blocks::cut(lines, &mut Vec::new());
        let number = part.map_or(Some(0), |part| part.parse::<usize>().ok());
        let mut chosen = cuts
            .into_iter()
            .enumerate()
            .filter(|(index, cut)| number == Some(*index) || (part.is_some() && cut.name.as_deref() == part));
        chosen.next().map(|(_, cut)| cut.lines).ok_or_else(|| match part {
            Some(part) => format!("the file has no diagram `{part}`"),
            None => "the file holds nothing".to_owned(),
        })
    }
}

/// The pieces between `!startsub name` and `!endsub`.
fn sub(pieces: &[SourcePiece], name: &str) -> Vec<SourcePiece> {
    let mut inside = false;
    let mut found = Vec::new();
    for piece in pieces {
        if let SourcePiece::Line(line) = piece {
            match parse(&line.text) {
                PreprocessorCommand::StartSub(other) => {
                    inside = trim(other) == name;
                    continue;
                }
                PreprocessorCommand::EndSub => inside = false,
                _ => {}
            }
        }
        if inside {
            found.push(piece.clone());
        }
    }
    found
}
