//! An interpreter of the lines of a diagram, one after the other.
//!
//! The machine is an interpreter over lines. Lines of the diagram come out with variables and calls replaced. Where they
//! stand in their file they keep their place; what a procedure, a loop or an included file adds belongs to the line that
//! caused it ([`LineOrigin`]). Everything else the machine passes over becomes an aside, so that no line gets lost.
//!
//! PlantUML stops at the first mistake; here it is reported and the line left as it is.

use std::collections::HashSet;

use sequent_kernel::diagnostic::{Code, Diagnostic, nearest};
use sequent_kernel::meter;
use sequent_kernel::source::{FileId, Span};

use super::PreparedDiagram;
use super::command::{self, PreprocessorCommand, WORDS};
use super::comment::SourcePiece;
use super::memory::PreprocessorMemory;
use super::value::{CallArguments, PreprocessorValue};
use crate::Context;
use crate::line::Line;
use crate::plantuml::common::scan::trim;

/// Functions within functions beyond this are taken for a recursion without end.
pub(crate) const DEEPEST_CALL: usize = 64;

/// Blocks, calls and expressions within each other beyond this are refused, so that the stack holds.
const DEEPEST: usize = 200;

/// After this many steps in one diagram the preprocessor is taken to loop forever. A step is a line, or some dozens of characters of a text.
const LONGEST: usize = 100_000;

/// What has been included.
#[derive(Default)]
pub(crate) struct IncludedTexts {
    /// Files, or diagrams in them, that are done.
    pub done: HashSet<(FileId, Option<String>)>,
    /// How many files deep.
    pub depth: usize,
    /// An included file could not be read.
    pub missing: bool,
    /// Which finding tells what is not read because it is not local.
    pub foreign: Option<usize>,
}

/// Where lines belong that do not stand in the diagram themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineOrigin {
    /// The lines of the diagram that caused them.
    pub whole: Span,
    /// The place for diagnostics; their own if there is none.
    pub span: Option<Span>,
}

/// The state of the preprocessor.
pub(crate) struct PreprocessorState<'c, 'x> {
    pub(super) context: &'c mut Context<'x>,
    pub(super) memory: PreprocessorMemory,
    pub(super) included: IncludedTexts,
    /// Text that goes in front of the next line.
    pub(super) prefix: String,
    /// The line being carried out.
    pub(super) here: Span,
    /// The lines of the diagram it belongs to.
    whole: Span,
    pub(super) out: PreparedDiagram,
    pub(super) origin: Option<LineOrigin>,
    steps: usize,
    /// How many steps it may take.
    most_steps: usize,
    nesting: usize,
    exited: bool,
    exhausted: bool,
}

/// Why carrying out lines ended.
pub(super) enum Ended {
    /// They were all done.
    Normally,
    /// A `!return` gave a value.
    With(PreprocessorValue),
}

impl<'c, 'x> PreprocessorState<'c, 'x> {
    /// A machine that knows nothing yet and works on the diagram at `here`.
    pub(crate) fn new(context: &'c mut Context<'x>, here: Span) -> Self {
        let most_steps = context.steps_left.min(LONGEST);
        PreprocessorState {
            context,
            memory: PreprocessorMemory::default(),
            included: IncludedTexts::default(),
            prefix: String::new(),
            here,
            whole: here,
            out: PreparedDiagram::default(),
            origin: None,
            steps: 0,
            most_steps,
            nesting: 0,
            exited: false,
            exhausted: false,
        }
    }

    /// Carries out a whole diagram.
    pub(crate) fn finish(mut self, pieces: Vec<SourcePiece>) -> PreparedDiagram {
        self.run(&pieces);
        self.context.steps_left = self.context.steps_left.saturating_sub(self.steps);
        self.out.incomplete |= self.included.missing;
        self.out.defines = !self.memory.is_empty();
        self.out
    }

    /// Adds a finding, unless a loop has just said the same.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        let recent = self.context.diagnostics.iter().rev().take(8);
        if !recent.into_iter().any(|other| *other == diagnostic) {
            self.context.diagnostics.push(diagnostic);
        }
    }

    /// Counts work on a text, so that long texts in long loops come to an end too.
    pub(crate) fn count_work(&mut self, length: usize) {
        self.steps += length / 64;
    }

    pub(super) fn problem(&mut self, message: String) {
        self.report(Diagnostic::new(Code::Preprocessor, self.here, message));
    }

    /// Reports the problem, if there is one.
    pub(super) fn check<T>(&mut self, result: Result<T, String>) -> Option<T> {
        result.map_err(|message| self.problem(message)).ok()
    }

    /// Carries out `pieces` with everything they add belonging to `origin`.
    pub(super) fn run_at(&mut self, pieces: &[SourcePiece], origin: LineOrigin) {
        let before = self.origin;
        self.origin = Some(before.map_or(origin, |outer| LineOrigin { whole: outer.whole, ..origin }));
        self.run(pieces);
        self.origin = before;
    }

    /// Carries out the body of a function and gives what it returns.
    pub(super) fn run_function(&mut self, body: &[Line]) -> Result<Option<PreprocessorValue>, String> {
        let pieces = as_pieces(body);
        let (lines, asides) = (self.out.lines.len(), self.out.asides.len());
        let here = self.here;
        let ended = self.run(&pieces);
        self.here = here;
        self.out.lines.truncate(lines);
        self.out.asides.truncate(asides);
        Ok(match ended {
            Ended::With(value) => Some(value),
            Ended::Normally => None,
        })
    }

    /// Carries out the body of a procedure; its lines belong to the line being carried out.
    pub(super) fn run_procedure(&mut self, body: &[Line]) -> Result<(), String> {
        let here = self.here;
        self.run_at(&as_pieces(body), LineOrigin { whole: self.whole, span: Some(here) });
        self.here = here;
        if trim(&self.prefix).is_empty() {
            self.prefix.clear();
        }
        Ok(())
    }

    /// The lines of a procedure as one text.
    pub(super) fn retrieve(
        &mut self,
        name: &str,
        values: Vec<PreprocessorValue>,
    ) -> Result<PreprocessorValue, String> {
        let function = self.find(name, values.len(), &[])?;
        let start = self.out.lines.len();
        self.carry_out(&function, CallArguments { values, named: Vec::new() })?;
        let lines: Vec<String> = self.out.lines.drain(start..).map(|line| line.text).collect();
        let separator = crate::plantuml::common::text::LINE_BREAK.to_string();
        Ok(PreprocessorValue::Text(lines.join(&separator)))
    }

    /// Does something one level deeper, unless that is too deep.
    pub(super) fn deeper<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, String>,
    ) -> Result<T, String> {
        if self.nesting >= DEEPEST {
            return Err("the preprocessor lines are nested too deeply".to_owned());
        }
        self.nesting += 1;
        let result = work(self);
        self.nesting -= 1;
        result
    }

    pub(super) fn run(&mut self, pieces: &[SourcePiece]) -> Ended {
        let result = self.deeper(|machine| Ok(machine.run_pieces(pieces)));
        match result {
            Ok(ended) => ended,
            Err(message) => {
                self.pass(pieces);
                self.problem(message);
                Ended::Normally
            }
        }
    }

    fn run_pieces(&mut self, pieces: &[SourcePiece]) -> Ended {
        let mut at = 0;
        while at < pieces.len() {
            let line = match &pieces[at] {
                SourcePiece::Line(line) => line,
                SourcePiece::Aside(aside) => {
                    self.pass_aside(aside);
                    at += 1;
                    continue;
                }
            };
            if self.is_too_long() {
                return Ended::Normally;
            }
            self.here = self.origin.and_then(|origin| origin.span).unwrap_or(line.span);
            self.whole = self.origin.map_or(line.whole, |origin| origin.whole);
            match self.one(pieces, at, line) {
                Ok(next) => at = next,
                Err(value) => return Ended::With(value),
            }
        }
        Ended::Normally
    }

    /// Whether the limit of steps is reached; reported once.
    pub(super) fn is_too_long(&mut self) -> bool {
        self.steps += 1;
        if self.steps >= self.most_steps && !self.exhausted {
            self.exhausted = true;
            self.problem(match self.most_steps {
                LONGEST => format!("the preprocessor does not come to an end in {LONGEST} steps"),
                _ => "the files together take more steps of the preprocessor than are allowed; the rest of the diagram is not read".to_owned(),
            });
        }
        self.steps >= self.most_steps || meter::is_over()
    }

    /// Carries out the statement at `pieces[at]` and says where the next begins; `Err` is a value returned.
    fn one(&mut self, pieces: &[SourcePiece], at: usize, line: &Line) -> Result<usize, PreprocessorValue> {
        if self.exited {
            self.pass(&pieces[at..at + 1]);
            return Ok(at + 1);
        }
        match command::parse(&line.text) {
            PreprocessorCommand::Plain => self.plain(line),
            PreprocessorCommand::If(_) | PreprocessorCommand::IfDef(_) | PreprocessorCommand::IfNotDef(_) => {
                return self.branches(pieces, at);
            }
            PreprocessorCommand::While(condition) => return self.repeat(pieces, at, condition),
            PreprocessorCommand::Foreach(header) => return self.for_each(pieces, at, header),
            PreprocessorCommand::Function(..)
            | PreprocessorCommand::Procedure(..)
            | PreprocessorCommand::DefineLong(_) => {
                return Ok(self.declare(pieces, at));
            }
            PreprocessorCommand::Return(expression) => {
                self.pass(&pieces[at..at + 1]);
                let value = self.evaluate(expression);
                return Err(self.check(value).unwrap_or(PreprocessorValue::text("")));
            }
            PreprocessorCommand::StartSub(_) | PreprocessorCommand::EndSub | PreprocessorCommand::Silent => {
                self.pass(&pieces[at..at + 1])
            }
            simple => {
                self.pass(&pieces[at..at + 1]);
                let result = self.simple(simple, line);
                self.check(result);
            }
        }
        Ok(at + 1)
    }

    /// Commands that take one line and add none.
    fn simple(&mut self, command: PreprocessorCommand, line: &Line) -> Result<(), String> {
        match command {
            PreprocessorCommand::Define(rest) => self.define(rest),
            PreprocessorCommand::Assign(rest) => self.assign(rest),
            PreprocessorCommand::Include(what) => self.include(what, line),
            PreprocessorCommand::IncludeSub(what) => self.include_sub(what, line),
            PreprocessorCommand::Undefine(name) => {
                self.memory.remove(trim(name));
                Ok(())
            }
            PreprocessorCommand::Assert(text) => self.assertion(text),
            PreprocessorCommand::Exit => {
                self.exited = true;
                Ok(())
            }
            PreprocessorCommand::Unsupported(name) => {
                let message = format!("`{name}` is not carried out");
                self.report(Diagnostic::new(Code::Unsupported, self.here, message));
                Ok(())
            }
            PreprocessorCommand::Unknown => {
                self.unknown(line);
                Ok(())
            }
            PreprocessorCommand::ElseIf(_) | PreprocessorCommand::Else | PreprocessorCommand::EndIf => {
                Err("there is no `!if` before it".to_owned())
            }
            PreprocessorCommand::EndWhile | PreprocessorCommand::EndFor => {
                Err("there is no loop before it".to_owned())
            }
            PreprocessorCommand::EndFunction => Err("there is no function or procedure before it".to_owned()),
            PreprocessorCommand::Plain
            | PreprocessorCommand::If(_)
            | PreprocessorCommand::IfDef(_)
            | PreprocessorCommand::IfNotDef(_)
            | PreprocessorCommand::While(_)
            | PreprocessorCommand::Foreach(_)
            | PreprocessorCommand::Function(..)
            | PreprocessorCommand::Procedure(..)
            | PreprocessorCommand::DefineLong(_)
            | PreprocessorCommand::Return(_)
            | PreprocessorCommand::StartSub(_)
            | PreprocessorCommand::EndSub
            | PreprocessorCommand::Silent => Ok(()),
        }
    }

    fn unknown(&mut self, line: &Line) {
        let text = trim(&line.text);
        let word = text[1..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let complaint = Diagnostic::new(
            Code::Preprocessor,
            self.here,
            format!("`!{word}` is not a preprocessor command"),
        );
        self.report(match nearest(word, WORDS.iter().copied()) {
            Some(meant) => complaint.meant(word, meant).hint(format!("did you mean `!{meant}`?")),
            None => complaint,
        });
    }
}

fn as_pieces(body: &[Line]) -> Vec<SourcePiece> {
    body.iter().cloned().map(SourcePiece::Line).collect()
}
