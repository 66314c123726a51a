//! Notes while a diagram is read: notes, state invariants, and what directives make of notes.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{
    Action, Condition, Fragment, Invariant, LifelineId, Note, NotePosition, NoteShape, Use,
};
use sequent_kernel::source::{Place, Span};

use super::InteractionBuilder;
use crate::resolve::{condition, directive};
use crate::tree::Text;
use crate::tree::sequence as tree;

/// What a note can stand for where its notation has no statement of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NoteRole {
    /// A local action.
    Action,
    /// An interaction use.
    Use,
}

impl InteractionBuilder<'_> {
    pub(super) fn note(&mut self, note: &tree::SequenceNote, span: Span) {
        let lifelines = self.lifelines(&note.names);
        if let Some((role, at)) = self.pending_note.take() {
            if let Some(fragment) = self.instead_of_note(role, at, &lifelines, &note.text, span) {
                self.current.push(fragment);
                return;
            }
        }
        if let Some(condition) = invariant(note) {
            self.current.push(Fragment::Invariant(Invariant { lifelines, condition, place: Place(span) }));
            return;
        }
        let beside = lifelines.is_empty() && note.position != NotePosition::Across;
        if beside && self.last_message.is_none() {
            self.report(
                Diagnostic::new(
                    Code::NoteWithoutTarget,
                    span,
                    "the note is left out: there is no message beside it",
                )
                .severity(Severity::Warning)
                .hint("write `note over a : text`, or put the note after a message"),
            );
        }
        let last = self.last_message.and_then(|last| self.messages[last].number.clone());
        self.current.push(Fragment::Note(Note {
            position: note.position,
            lifelines,
            message: if beside { self.last_message } else { None },
            shape: note.shape,
            text: self.numbered(&note.text.text, last.as_deref()),
            colour: note.colour.clone(),
            place: Place(span),
        }));
    }

    /// The fragment that a directive makes of a note over some lifelines.
    fn instead_of_note(
        &mut self,
        role: NoteRole,
        directive: Span,
        lifelines: &[LifelineId],
        text: &Text,
        span: Span,
    ) -> Option<Fragment> {
        let (name, place) = (text.text.trim().to_owned(), Place(span));
        match (role, lifelines) {
            (NoteRole::Action, [lifeline]) => {
                Some(Fragment::Action(Action { lifeline: *lifeline, name, place }))
            }
            (NoteRole::Use, [_, ..]) => {
                Some(Fragment::Use(Use { name, target: None, lifelines: lifelines.to_vec(), place }))
            }
            (NoteRole::Action, _) | (NoteRole::Use, []) => {
                let (word, wanted) = match role {
                    NoteRole::Action => ("action", "a note over exactly one lifeline"),
                    NoteRole::Use => ("ref", "a note over the lifelines it covers"),
                };
                self.report(
                    Diagnostic::new(Code::BadDirective, directive, format!("`@{word}` needs {wanted}"))
                        .hint(directive::form(word)),
                );
                None
            }
        }
    }
}

/// The condition of a note that is a state invariant: `hnote over a : x`, or `note over a : {x}` (DESIGN section 7).
fn invariant(note: &tree::SequenceNote) -> Option<Condition> {
    if note.position != NotePosition::Over || note.names.is_empty() {
        return None;
    }
    let text = note.text.text.trim();
    let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match (note.shape, inside) {
        (_, Some(inside)) => Some(condition(inside.trim(), note.text.span)),
        (NoteShape::Hexagon, None) => Some(condition(text, note.text.span)),
        (NoteShape::Folded | NoteShape::Rectangle, None) => None,
    }
}
