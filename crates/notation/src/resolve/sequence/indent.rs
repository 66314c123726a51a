//! Which blocks lack their `end`, as the indentation shows it.
//!
//! Blocks are closed from the inside, so that a missing `end` leaves the outermost block open, far from the
//! place of the mistake. Indentation shows which block it is: an `end`, or a divider, that stands under the
//! first line of an outer block belongs to that block, and those inside it have not been closed.

use sequent_kernel::source::Span;

use crate::tree::sequence::{BlockKeyword, SequenceStatement};
use crate::tree::{Statement, StatementKind};

/// The blocks that are not closed, in the order of the text.
pub(super) fn unclosed(statements: &[Statement<SequenceStatement>]) -> Vec<(BlockKeyword, Span)> {
    let mut open: Vec<(u32, BlockKeyword, Span)> = Vec::new();
    let mut unclosed: Vec<(BlockKeyword, Span)> = Vec::new();
    for statement in statements {
        let StatementKind::Item(item) = &statement.kind else { continue };
        let indent = statement.span.start.saturating_sub(statement.lines.start);
        match item {
            SequenceStatement::Open(opened) => open.push((indent, opened.keyword, statement.span)),
            SequenceStatement::Divide(_) | SequenceStatement::Close => {
                let belongs = open.iter().rposition(|(other, ..)| *other == indent);
                let inner = belongs.map_or(open.len(), |at| at + 1);
                unclosed.extend(open.drain(inner..).map(|(_, keyword, span)| (keyword, span)));
                if matches!(item, SequenceStatement::Close) {
                    open.pop();
                }
            }
            SequenceStatement::Participant(_)
            | SequenceStatement::Create(_)
            | SequenceStatement::HideUnlinked(_)
            | SequenceStatement::BoxStart { .. }
            | SequenceStatement::BoxEnd
            | SequenceStatement::Message(_)
            | SequenceStatement::Activate { .. }
            | SequenceStatement::Deactivate(_)
            | SequenceStatement::Destroy(_)
            | SequenceStatement::Return(_)
            | SequenceStatement::AutoActivate(_)
            | SequenceStatement::AutoNumber(_)
            | SequenceStatement::Note(_)
            | SequenceStatement::Reference(_)
            | SequenceStatement::Separator(..)
            | SequenceStatement::Duration(_) => {}
        }
    }
    unclosed.extend(open.into_iter().map(|(_, keyword, span)| (keyword, span)));
    unclosed.sort_by_key(|(_, span)| span.start);
    unclosed
}
