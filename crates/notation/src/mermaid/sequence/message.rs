//! Messages: `sender arrow receiver : text`, with `+` and `-` for activation and `()` for central connections.

use sequent_kernel::diagnostic::{Code, nearest};
use sequent_kernel::model::{Outside, Side};

use super::kind::SequenceTokenKind;
use super::reader::{SequenceProblem, SequenceReader};
use super::token::SequenceToken;
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

impl SequenceReader<'_> {
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
        if !ends {
            let shown = self.shown(token);
            let message = format!("{shown} after `{}` is not an arrow", name.text);
            return self
                .problem(token, message)
                .code(Code::BadArrow)
                .hint("arrows are `->>`, `-->>`, `-)`, `-x` ..");
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
