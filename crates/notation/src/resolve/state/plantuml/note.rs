//! Notes: each kind is attached in a pass of its own.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::source::Span;

use super::{NamedThing, PlantumlReading, ReadPass};
use crate::resolve::state::draft::{DraftNote, DraftShape};
use crate::tree::Name;
use crate::tree::state::{StateNote, StateNoteTarget};

impl PlantumlReading<'_> {
    pub(super) fn note(&mut self, note: &StateNote, span: Span) {
        let (node, edge) = match (&note.target, self.pass) {
            (StateNoteTarget::Floating(name), ReadPass::Declare) => {
                if let Some(name) = name {
                    self.floating(name, span);
                }
                (None, None)
            }
            (StateNoteTarget::LastTransition, ReadPass::Connect) => {
                match self.draft.edges.len().checked_sub(1) {
                    Some(edge) => (None, Some(edge)),
                    None => {
                        let message = "there is no transition this note could be attached to";
                        return self.complain(ReadPass::Connect, Code::NoteWithoutTarget, span, message);
                    }
                }
            }
            (StateNoteTarget::Name(name), ReadPass::Annotate) => {
                let found = self.look_up(&name.text);
                let Some(NamedThing::Node(node)) = self.names.get(found) else {
                    let message = format!("there is no state `{}` this note could be attached to", name.text);
                    return self.complain(ReadPass::Annotate, Code::NoteWithoutTarget, name.span, message);
                };
                (Some(node), None)
            }
            (StateNoteTarget::Last, ReadPass::Annotate) => match self.last {
                Some(node) => (Some(node), None),
                None => {
                    let message = "no state is declared above that this note could be attached to";
                    return self.complain(ReadPass::Annotate, Code::NoteWithoutTarget, span, message);
                }
            },
            _ => return,
        };
        self.draft.notes.push(DraftNote {
            node,
            edge,
            look: note.look.clone(),
            text: note.text.text.clone(),
            span,
        });
    }

    /// The name of a floating note, which no state may have then.
    fn floating(&mut self, name: &Name, span: Span) {
        let current = self.current();
        let found = self.names.in_scope(current, &name.text);
        if self.names.get(found).is_some() {
            let message = format!("there is already something called `{}`", name.text);
            self.complain(ReadPass::Declare, Code::DuplicateName, name.span, message);
            return;
        }
        self.node(found, DraftShape::Note, span);
    }
}
