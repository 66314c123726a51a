//! Messages: `sender arrow receiver : text`, with `+` and `-` for activation and `()` for central connections.

use sequent_kernel::diagnostic::{Code, nearest};
use sequent_kernel::model::{Outside, Side};

use super::kind::SequenceTokenKind;
use super::reader::{SequenceProblem, SequenceReader};
use super::token::SequenceToken;
use super::word::BLOCK_WORDS;
use crate::tree::Name;
use crate::tree::sequence::{ArrowEnd, LifeShorthand, MessageStatement, SequenceStatement};

/// Words a line may start with, for suggestions.
const STATEMENT_WORDS: &[&str] = &[
    "participant",
    "actor",
    "create",
    "destroy",
    "activate",
    "deactivate",
    "note",
    "loop",
    "alt",
    "else",
    "opt",
    "par",
    "and",
    "critical",
    "option",
    "break",
    "rect",
    "box",
    "end",
    "autonumber",
    "title",
    "sequenceDiagram",
];

/// Whether arrows may have the character in them.
fn is_sign(c: char) -> bool {
    matches!(c, '-' | '=' | '~' | '<' | '>' | '\\' | '/' | '–' | '—' | '→')
}

impl SequenceReader<'_> {
    /// The range of the line on which a place is.
    fn line_around(&self, at: usize) -> std::ops::Range<usize> {
        let text = &self.script.text;
        let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
        start..at + text[at..].find('\n').unwrap_or(text.len() - at)
    }

    pub(super) fn message(&mut self, start: usize) -> Result<(), SequenceProblem> {
        let from = self.name("a sender")?;
        let mut circles = [self.take_central(), false];
        let token = self.peek();
        let SequenceTokenKind::Arrow(kind) = token.kind else {
            return Err(self.no_arrow(&from, token));
        };
        self.advance();
        let mut life = LifeShorthand::default();
        match self.peek().kind {
            SequenceTokenKind::Plus if !circles[0] => life.activate = true,
            SequenceTokenKind::Minus if !circles[0] => life.deactivate = true,
            _ => circles[1] = self.take_central(),
        }
        if life.activate || life.deactivate {
            self.advance();
        }
        let to = self.name("a receiver")?;
        let text = self.label("the message", ": text").map_err(|problem| match to.text.split_once(' ') {
            Some((name, text)) => problem.hint(format!("if `{text}` is the text, write `{name}: {text}`")),
            None => problem,
        })?;
        self.count.count();
        self.mentioned(&from);
        self.mentioned(&to);
        let message = MessageStatement {
            from: end(from),
            to: end(to),
            others: Vec::new(),
            text,
            arrow: kind.drawn(circles),
            sort: kind.sort(),
            life,
            parallel: false,
            hidden: false,
            anchor: None,
        };
        self.end_item(start, SequenceStatement::Message(message))
    }

    fn take_central(&mut self) -> bool {
        let is_central = matches!(self.peek().kind, SequenceTokenKind::Central);
        if is_central {
            self.advance();
        }
        is_central
    }

    /// The problem of a line that starts with a name but is no message.
    fn no_arrow(&mut self, name: &Name, token: SequenceToken) -> SequenceProblem {
        let first = name.text.split_whitespace().next().unwrap_or_default();
        let ends = matches!(
            token.kind,
            SequenceTokenKind::Newline | SequenceTokenKind::End | SequenceTokenKind::Text
        );
        let line = self.line_around(token.start);
        let block = nearest(first, BLOCK_WORDS.iter().copied())
            .filter(|_| !self.script.text[line.clone()].contains(is_sign));
        if !ends && block.is_none() {
            let text = &self.script.text;
            let from = text[..token.start].trim_end().trim_end_matches(is_sign).len().max(line.start);
            let rest = text[token.start..line.end].trim_start_matches(is_sign);
            let signs = text[from..line.end - rest.len()].trim();
            let shown = if signs.is_empty() { self.shown(token) } else { format!("`{signs}`") };
            let message = format!("{shown} after `{}` is not an arrow", name.text.trim_end_matches(is_sign));
            let mut problem = self.problem(token, message).code(Code::BadArrow);
            if !signs.is_empty() {
                let start = line.end - rest.len() - signs.len();
                problem.diagnostic.span = self.script.span(start..start + signs.len());
            }
            return problem.hint("arrows are `->>`, `-->>`, `-)`, `-x` ..");
        }
        let mut problem =
            self.problem(token, format!("`{}` is not a valid statement in a sequence diagram", name.text));
        problem.diagnostic.span = name.span;
        match nearest(first, STATEMENT_WORDS.iter().copied()) {
            Some(word) if word != first => problem.meant(first, word),
            _ => problem.hint("a message is written `sender->>receiver: text`"),
        }
    }
}

/// A participant, or by convention one of the diagram's borders: `[->>a: found`, `a->>]: lost`.
fn end(name: Name) -> ArrowEnd {
    match name.text.as_str() {
        "[" => ArrowEnd::Outside(Outside { side: Side::Left, short: false }),
        "]" => ArrowEnd::Outside(Outside { side: Side::Right, short: false }),
        _ => ArrowEnd::Name(name),
    }
}
