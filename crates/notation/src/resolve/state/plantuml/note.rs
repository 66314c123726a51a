//! Notes: each kind is attached in a pass of its own.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::source::Span;

use super::{Data, Pass, Reading};
use crate::resolve::state::draft::{DraftNote, Shape};
use crate::tree::Name;
use crate::tree::state::{Note, NoteTarget};

impl Reading<'_> {
    pub(super) fn note(&mut self, note: &Note, span: Span) {
        let (node, edge) = match (&note.target, self.pass) {
            (NoteTarget::Floating(name), Pass::Declare) => {
                if let Some(name) = name {
                    self.floating(name, span);
                }
                (None, None)
            }
            (NoteTarget::LastTransition, Pass::Connect) => match self.draft.edges.len().checked_sub(1) {
                Some(edge) => (None, Some(edge)),
                None => {
                    let message = "there is no transition this note could be attached to";
                    return self.complain(Pass::Connect, Code::NoteWithoutTarget, span, message);
                }
            },
            (NoteTarget::Name(name), Pass::Annotate) => {
                let found = self.look_up(&name.text);
                let Some(Data::Node(node)) = self.names.get(found) else {
                    let message = format!("there is no state `{}` this note could be attached to", name.text);
                    return self.complain(Pass::Annotate, Code::NoteWithoutTarget, name.span, message);
                };
                (Some(node), None)
            }
            (NoteTarget::Last, Pass::Annotate) => match self.last {
                Some(node) => (Some(node), None),
                None => {
                    let message = "no state is declared above that this note could be attached to";
                    return self.complain(Pass::Annotate, Code::NoteWithoutTarget, span, message);
                }
            },
            _ => return,
        };
        self.draft.notes.push(DraftNote { node, edge, text: note.text.text.clone(), span });
    }

    /// The name of a floating note, which no state may have then.
    fn floating(&mut self, name: &Name, span: Span) {
        let current = self.current();
        let found = self.names.in_scope(current, &name.text);
        if self.names.get(found).is_some() {
            let message = format!("there is already something called `{}`", name.text);
            self.complain(Pass::Declare, Code::DuplicateName, name.span, message);
            return;
        }
        self.node(found, Shape::Note, span);
    }
}
