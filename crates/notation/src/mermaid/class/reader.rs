//! The state of reading a class diagram: names, texts, and what happens when something is wrong.

use std::ops::Range;

use sequent_kernel::diagnostic::{Code, Diagnostic};

use super::cursor::{Cursor, Taken};
use crate::mermaid::script::MermaidScript;
use crate::mermaid::text::{decode_escapes, is_space, trim};
use crate::tree::class::ClassStatement;
use crate::tree::{Name, Statement, StatementKind, Text};

/// The state of reading.
pub(super) struct ClassReader<'a> {
    pub(super) script: &'a MermaidScript<'a>,
    pub(super) cursor: Cursor<'a>,
    pub(super) statements: Vec<Statement<ClassStatement>>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// How many namespaces are open.
    pub(super) namespaces: usize,
    /// How many findings there were before.
    pub(super) said: usize,
    /// Where a declaration without `{` stands below which only what cannot be read has come, and how many findings there were.
    pub(super) bare: Option<(Range<usize>, usize)>,
}

/// How many lines a block has at most whose first line cannot be read, so that reading takes linear time.
const LONGEST_BLOCK: usize = 2_000;

/// Why a statement cannot be read.
pub(super) type ClassProblem = Diagnostic;

impl ClassReader<'_> {
    pub(super) fn taken(&mut self, what: &str) -> Result<Taken, ClassProblem> {
        self.cursor.skip_blanks();
        let at = self.cursor.at;
        self.cursor.take_name().ok_or_else(|| self.problem(at, format!("the name of {what} is wanted here")))
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name, ClassProblem> {
        let taken = self.taken(what)?;
        Ok(self.named_by(&taken))
    }

    pub(super) fn named_by(&self, taken: &Taken) -> Name {
        let span = self.script.span(taken.start..taken.end);
        Name { text: decode_escapes(&taken.text), label: None, span }
    }

    /// A name with its label in square brackets.
    pub(super) fn labelled(&mut self, name: Name) -> Name {
        let before = self.cursor.at;
        self.cursor.skip_blanks();
        if self.cursor.take("[")
            && let Some(inside) = self.cursor.take_quoted()
            && self.cursor.take("]")
        {
            return Name { label: Some(self.text(inside).text), ..name };
        }
        self.cursor.at = before;
        name
    }

    pub(super) fn at_end(&self) -> bool {
        let rest = self.cursor.rest();
        rest.is_empty() || rest.starts_with('\n') || rest.starts_with("%%")
    }

    /// The end of a statement: of its line, or a brace that closes what is around it.
    pub(super) fn end(&mut self) -> Result<(), ClassProblem> {
        self.cursor.skip_blanks();
        let after_brace = self.script.text[..self.cursor.at].trim_end_matches(is_space).ends_with('{');
        if self.at_end() || after_brace || (self.namespaces > 0 && self.cursor.rest().starts_with('}')) {
            return Ok(());
        }
        Err(self.problem(self.cursor.at, "the statement should end here"))
    }

    pub(super) fn problem(&self, at: usize, message: impl Into<String>) -> ClassProblem {
        let rest = &self.script.text[at..];
        let length = rest.find(is_space).unwrap_or(rest.len());
        Diagnostic::new(Code::Syntax, self.script.span(at..at + length), message)
    }

    /// Reports why a statement cannot be read and goes on with the next line.
    pub(super) fn give_up(&mut self, start: usize, problem: ClassProblem) {
        self.diagnostics.push(problem);
        let line = self.cursor.take_line();
        if line.trim_end().ends_with('{') {
            self.skip_block();
        }
        let end = start + self.script.text[start..self.cursor.at].trim_end().len();
        self.push(start..end, StatementKind::Unknown);
    }

    /// Goes to the end of a block whose first line could not be read, behind its `}`; nowhere if that is missing.
    fn skip_block(&mut self) {
        let before = self.cursor.at;
        let mut depth = 1;
        for _ in 0..LONGEST_BLOCK {
            if !self.cursor.take("\n") {
                break;
            }
            let line = trim(self.cursor.take_line());
            depth -= usize::from(line.starts_with('}'));
            if depth == 0 {
                return;
            }
            depth += usize::from(line.ends_with('{'));
        }
        self.cursor.at = before;
    }

    /// Whether a line or a block of this diagram could not be read, by the findings up to a number.
    pub(super) fn is_unread(&self, end: usize) -> bool {
        let codes = [Code::Syntax, Code::BadArrow, Code::UnclosedBlock, Code::StrayEnd];
        self.diagnostics[self.said..end].iter().any(|one| codes.contains(&one.code))
    }

    pub(super) fn push(&mut self, range: Range<usize>, kind: StatementKind<ClassStatement>) {
        let span = self.script.span(range.clone());
        let lines = self.script.whole_lines(range);
        self.statements.push(Statement { span, lines, kind });
    }

    /// A text without blanks around it.
    pub(super) fn text(&self, range: Range<usize>) -> Text {
        let whole = &self.script.text[range.clone()];
        let text = trim(whole);
        let start = range.start + (text.as_ptr() as usize - whole.as_ptr() as usize);
        Text { text: decode_escapes(text), span: self.script.span(start..start + text.len()) }
    }
}
