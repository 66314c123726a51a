//! Which blocks lack their `end`, as the indentation shows it.
//!
//! Blocks are closed from the inside, so that a missing `end` leaves the outermost block open, far from the
//! place of the mistake. Indentation shows which block it is: an `end`, or a divider, that stands under the
//! first line of an outer block belongs to that block, and those inside it have not been closed.

use sequent_kernel::source::Span;

use crate::tree::sequence::{Item, Keyword};
use crate::tree::{Kind, Statement};

/// The blocks that are not closed, in the order of the text.
pub(super) fn unclosed(statements: &[Statement<Item>]) -> Vec<(Keyword, Span)> {
    let mut open: Vec<(u32, Keyword, Span)> = Vec::new();
    let mut unclosed: Vec<(Keyword, Span)> = Vec::new();
    for statement in statements {
        let Kind::Item(item) = &statement.kind else { continue };
        let indent = statement.span.start.saturating_sub(statement.lines.start);
        match item {
            Item::Open(opened) => open.push((indent, opened.keyword, statement.span)),
            Item::Divide(_) | Item::Close => {
                let belongs = open.iter().rposition(|(other, ..)| *other == indent);
                let inner = belongs.map_or(open.len(), |at| at + 1);
                unclosed.extend(open.drain(inner..).map(|(_, keyword, span)| (keyword, span)));
                if matches!(item, Item::Close) {
                    open.pop();
                }
            }
            Item::Participant(_)
            | Item::Create(_)
            | Item::HideUnlinked(_)
            | Item::BoxStart { .. }
            | Item::BoxEnd
            | Item::Message(_)
            | Item::Activate { .. }
            | Item::Deactivate(_)
            | Item::Destroy(_)
            | Item::Return(_)
            | Item::AutoActivate(_)
            | Item::AutoNumber(_)
            | Item::Note(_)
            | Item::Reference(_)
            | Item::Separator(..) => {}
        }
    }
    unclosed.extend(open.into_iter().map(|(_, keyword, span)| (keyword, span)));
    unclosed.sort_by_key(|(_, span)| span.start);
    unclosed
}
