//! The state of reading a state diagram: tokens, names, texts, and what happens when something is wrong.

use std::ops::Range;

use sequent_kernel::diagnostic::{Code, Diagnostic};

use super::kind::StateTokenKind;
use super::token::{StateLexer, StateToken};
use crate::mermaid::script::MermaidScript;
use crate::mermaid::text::{decode_escapes, trim};
use crate::mermaid::trivia;
use crate::tree::state::{StateStatement, VertexDeclaration};
use crate::tree::{Name, Statement, StatementKind, Text};

/// The state of reading.
pub(super) struct StateReader<'a> {
    pub(super) script: &'a MermaidScript<'a>,
    lexer: StateLexer<'a>,
    peeked: Option<StateToken>,
    /// Where the last token that was taken ends.
    pub(super) previous_end: usize,
    pub(super) statements: Vec<Statement<StateStatement>>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// How many composite states are open.
    pub(super) open: usize,
}

/// Why a statement cannot be read: the offending token's place, and what to say.
pub(super) type StateProblem = (usize, Diagnostic);

impl<'a> StateReader<'a> {
    /// A reader at the start of a diagram.
    pub(super) fn new(script: &'a MermaidScript<'a>, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        StateReader {
            script,
            lexer: StateLexer::new(&script.text),
            peeked: None,
            previous_end: 0,
            statements: Vec::new(),
            diagnostics,
            open: 0,
        }
    }

    /// Reports why a statement cannot be read and goes on with the next line.
    pub(super) fn give_up(&mut self, start: usize, (at, diagnostic): StateProblem) {
        self.diagnostics.push(diagnostic);
        self.peeked = None;
        self.lexer.skip_line(at.max(start));
        let end = start + self.script.text[start..self.lexer.offset()].trim_end().len();
        self.push(start..end, StatementKind::Unknown);
        self.previous_end = self.lexer.offset();
    }

    /// The next token, comments aside.
    pub(super) fn peek(&mut self) -> StateToken {
        loop {
            if let Some(token) = self.peeked {
                return token;
            }
            let token = self.lexer.next();
            if token.kind == StateTokenKind::Comment {
                self.push(token.start..token.end, trivia::comment(self.script, token.start..token.end));
            } else {
                self.peeked = Some(token);
            }
        }
    }

    /// Whether the next token stands on the line of the last one.
    pub(super) fn is_same_line(&mut self) -> bool {
        let next = self.peek().start;
        !self.script.text[self.previous_end..next].contains('\n')
    }

    /// Takes the next token.
    pub(super) fn advance(&mut self) -> StateToken {
        let token = self.peek();
        self.peeked = None;
        if !matches!(token.kind, StateTokenKind::Newline | StateTokenKind::End) {
            self.previous_end = token.end;
        }
        token
    }

    pub(super) fn push(&mut self, range: Range<usize>, kind: StatementKind<StateStatement>) {
        let span = self.script.span(range.clone());
        let lines = self.script.whole_lines(range);
        self.statements.push(Statement { span, lines, kind });
    }

    pub(super) fn report(
        &mut self,
        code: Code,
        range: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let span = self.script.span(range);
        self.diagnostics.push(Diagnostic::new(code, span, message).hint(hint));
    }

    pub(super) fn problem(&self, token: StateToken, message: impl Into<String>) -> StateProblem {
        let end = token.start + self.script.text[token.start..token.end].trim_end().len();
        (token.start, Diagnostic::new(Code::Syntax, self.script.span(token.start..end), message))
    }

    pub(super) fn name(&self, range: Range<usize>) -> Name {
        let text = self.text(range);
        Name { text: text.text, label: None, span: text.span }
    }

    /// A text without blanks around it.
    pub(super) fn text(&self, range: Range<usize>) -> Text {
        let whole = &self.script.text[range.clone()];
        let text = trim(whole);
        let start = range.start + (text.as_ptr() as usize - whole.as_ptr() as usize);
        Text { text: decode_escapes(text), span: self.script.span(start..start + text.len()) }
    }

    pub(super) fn shown(&self, token: StateToken) -> String {
        match token.kind {
            StateTokenKind::Newline => "the end of the line".to_owned(),
            StateTokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", decode_escapes(trim(&self.script.text[token.start..token.end]))),
        }
    }
}

/// The declaration of a state.
pub(super) fn state(
    name: Name,
    stereotypes: Vec<String>,
    description: Option<Text>,
    opens: bool,
) -> StateStatement {
    StateStatement::State(VertexDeclaration { name, stereotypes, colour: None, description, opens })
}
