//! What mermaid checks after parsing, in the order of the statements and without regard to branches.
//!
//! - A participant may be deactivated only while it is active: `+` and `activate` count up, `-` and `deactivate` down.
//! - `create` names a participant that was not named before.
//! - A participant may be declared in one box only.
//! - A participant that is activated must exist: mermaid parses the line and fails to draw it.
//!
//! That a created participant receives the next message and a destroyed one takes part in it is checked where those
//! messages are found, in [`resolve`](crate::resolve).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, slip_of};
use sequent_kernel::source::Span;

use crate::tree::sequence::{ArrowEnd, MessageStatement, Participant, SequenceStatement};
use crate::tree::{Name, Statement, StatementKind};

/// Checks the statements of a diagram.
pub fn check(statements: &[Statement<SequenceStatement>], diagnostics: &mut Vec<Diagnostic>) {
    let mut state = RuleState::default();
    for statement in statements {
        if let StatementKind::Item(item) = &statement.kind {
            state.item(item, statement.span);
        }
    }
    state.strangers();
    state.swallowed();
    diagnostics.append(&mut state.diagnostics);
}

/// What mermaid remembers while it walks through the statements.
#[derive(Default)]
struct RuleState<'a> {
    diagnostics: Vec<Diagnostic>,
    known: BTreeSet<&'a str>,
    declared: BTreeSet<&'a str>,
    /// Names of several words that messages give.
    spaced: BTreeMap<&'a str, &'a Name>,
    active: HashMap<&'a str, u32>,
    /// Every `activate`.
    activated: Vec<&'a Name>,
    /// The box being declared.
    current_box: Option<Span>,
    /// The box each participant is in.
    boxes: HashMap<&'a str, Span>,
}

impl<'a> RuleState<'a> {
    fn item(&mut self, item: &'a SequenceStatement, span: Span) {
        match item {
            SequenceStatement::Participant(participant) => self.declare(participant),
            SequenceStatement::BoxStart { .. } => self.current_box = Some(span),
            SequenceStatement::BoxEnd => self.current_box = None,
            SequenceStatement::Message(message) => self.message(message),
            SequenceStatement::Activate { name, .. } => {
                self.activated.push(name);
                *self.active.entry(&name.text).or_default() += 1;
            }
            SequenceStatement::Deactivate(Some(name)) => self.deactivate(name),
            SequenceStatement::Note(note) => {
                self.known.extend(note.names.iter().map(|name| name.text.as_str()))
            }
            SequenceStatement::Deactivate(None)
            | SequenceStatement::Create(_)
            | SequenceStatement::Destroy(_)
            | SequenceStatement::HideUnlinked(_)
            | SequenceStatement::Return(_)
            | SequenceStatement::AutoActivate(_)
            | SequenceStatement::AutoNumber(_)
            | SequenceStatement::Open(_)
            | SequenceStatement::Divide(_)
            | SequenceStatement::Close
            | SequenceStatement::Reference(_)
            | SequenceStatement::Separator(..)
            | SequenceStatement::Duration(_) => {}
        }
    }

    fn declare(&mut self, participant: &'a Participant) {
        let name = &participant.name;
        let is_new = self.known.insert(&name.text);
        self.declared.insert(&name.text);
        if participant.create && !is_new {
            let message = format!("`{}` cannot be created: it is in the diagram already", name.text);
            let hint = "give the created participant a name of its own, and show the same text with `as`";
            self.report(Code::DuplicateName, name, message, hint);
        }
        let Some(current) = self.current_box else { return };
        let first = *self.boxes.entry(&name.text).or_insert(current);
        if first != current {
            let message = format!("`{}` is in another box already", name.text);
            let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
            self.diagnostics.push(diagnostic.label(first, "in this box"));
        }
    }

    fn message(&mut self, message: &'a MessageStatement) {
        let name = |end: &'a ArrowEnd| match end {
            ArrowEnd::Name(name) => Some(name),
            ArrowEnd::Outside(_) => None,
        };
        let (from, to) = (name(&message.from), name(&message.to));
        self.known.extend(from.into_iter().chain(to).map(|name| name.text.as_str()));
        for name in from.into_iter().chain(to).filter(|name| name.text.contains(' ')) {
            self.spaced.entry(&name.text).or_insert(name);
        }
        if let (true, Some(to)) = (message.life.activate, to) {
            *self.active.entry(&to.text).or_default() += 1;
        }
        if let (true, Some(from)) = (message.life.deactivate, from) {
            self.deactivate(from);
        }
    }

    fn deactivate(&mut self, name: &'a Name) {
        let count = self.active.entry(&name.text).or_default();
        if *count > 0 {
            *count -= 1;
            return;
        }
        let message = format!("`{}` is not active here and cannot be deactivated", name.text);
        if self.misspelt(Code::InactiveDeactivation, name, &message) {
            return;
        }
        let hint = format!(
            "activate `{0}` before; Mermaid counts down the page whatever the branch, so deactivate once, after an `alt`",
            name.text
        );
        self.report(Code::InactiveDeactivation, name, message, hint);
    }

    /// Reports names that begin with a participant: the rest may be a text whose colon is missing, or stands further on.
    fn swallowed(&mut self) {
        for (text, name) in std::mem::take(&mut self.spaced) {
            let Some((first, rest)) = text.split_once(' ') else { continue };
            if self.declared.contains(first) && !self.declared.contains(text) {
                let message = format!("`{text}` is another participant than `{first}`");
                let hint =
                    format!("if `{}` belongs to the text, write `{first}: {}`", rest.trim(), rest.trim());
                self.report(Code::LikelySlip, name, message, hint);
            }
        }
    }

    /// Reports names that are activated but are no participants.
    fn strangers(&mut self) {
        for name in std::mem::take(&mut self.activated) {
            if !self.known.contains(name.text.as_str()) {
                let message =
                    format!("`{}` is not a participant: mermaid cannot draw its activation", name.text);
                if !self.misspelt(Code::Tolerated, name, &message) {
                    self.report(Code::Tolerated, name, message, "declare it with `participant`");
                }
            }
        }
    }

    /// Reports a name that is no participant and a slip away from one; whether it is.
    fn misspelt(&mut self, code: Code, name: &Name, message: &str) -> bool {
        let is_known = self.known.contains(name.text.as_str());
        let known = || self.known.iter().copied();
        let near = known().find(|known| known.to_lowercase() == name.text.to_lowercase());
        let near = near.or_else(|| slip_of(&name.text, known())).filter(|_| !is_known);
        self.diagnostics.extend(near.map(|near| {
            Diagnostic::new(code, name.span, message)
                .hint(format!("did you mean `{near}`?"))
                .remedy(Remedy::Respell(name.text.clone(), near.to_owned()))
        }));
        near.is_some()
    }

    fn report(&mut self, code: Code, name: &Name, message: String, hint: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, name.span, message).hint(hint));
    }
}
