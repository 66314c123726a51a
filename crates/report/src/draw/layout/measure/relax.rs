//! Rewraps texts once the columns are fixed.
//!
//! The width of a text is limited before the width of the drawing is known. Where something else has made
//! room in the meantime, lines need not be broken: a wrapped text is set again, as wide as its frame. Nothing
//! moves sideways by that, so the columns stay.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{Combined, End};

use crate::draw::caption;
use crate::draw::label::{self, MeasuredLabel};
use crate::draw::layout::columns::{ColumnId, Extent, column};
use crate::draw::layout::measure::plates::{self, PlateContent, PlatePosition};
use crate::draw::layout::measure::{FrameContent, Measured, RowContent, arrows};
use crate::draw::layout::measures::Measures;
use crate::draw::metrics::TextRole;
use crate::draw::outline::{MessageRow, Outline, RowKind};

/// Sets every wrapped text again.
pub(crate) fn relax(
    measured: &mut Measured<'_>,
    outline: &Outline<'_>,
    xs: &IdVec<ColumnId, i32>,
    m: &Measures,
) {
    let width = |extent: Extent| xs[extent.right] - xs[extent.left] + extent.before + extent.after + m.stroke;
    for (content, row) in measured.rows.iter_mut().zip(&outline.rows) {
        match (content, &row.kind) {
            (RowContent::Message { label, .. }, RowKind::Message(row)) if label.wrapped => {
                message(label, row, xs, m);
            }
            (RowContent::Plate(content), kind)
                if content.label.wrapped && content.spot == PlatePosition::Over =>
            {
                let width = width(content.extent);
                plate(content, kind, width, m);
            }
            (RowContent::Message { .. } | RowContent::Plate(_) | RowContent::Bare, _) => {}
        }
    }
    for (content, combined) in measured.frames.iter_mut().zip(&outline.frames) {
        let width = width(content.extent);
        guards(content, combined, width, m);
    }
}

fn message(label: &mut MeasuredLabel, row: &MessageRow<'_>, xs: &IdVec<ColumnId, i32>, m: &Measures) {
    let (End::Lifeline(from), End::Lifeline(to)) = (row.message.from, row.message.to) else { return };
    if from != to && row.creates.is_none() {
        let gap = (xs[column(to)] - xs[column(from)]).abs();
        replace(label, arrows::relaxed(row, gap, m));
    }
}

fn plate(content: &mut PlateContent<'_>, kind: &RowKind<'_>, width: i32, m: &Measures) {
    let text = match kind {
        RowKind::Note(note) => &note.text,
        RowKind::Use(at) => &at.name,
        RowKind::Invariant(at) => &at.condition.text,
        RowKind::Action(_)
        | RowKind::Separator(_)
        | RowKind::Message(_)
        | RowKind::Stop(_)
        | RowKind::Open(_)
        | RowKind::Operand(..)
        | RowKind::Close(_)
        | RowKind::Room => return,
    };
    let room = width - (content.width - content.label.width);
    replace(&mut content.label, set(text, TextRole::Note, room.min(2 * m.widest), m));
    (content.width, content.height) = plates::outline_size(content.kind, &content.label, m);
}

fn guards(content: &mut FrameContent, combined: &Combined, width: i32, m: &Measures) {
    for (operand, guard) in content.guards.iter_mut().enumerate().filter(|(_, guard)| guard.wrapped) {
        let start = if operand == 0 { content.tab.width + m.tab_pad } else { m.pad_x };
        let room = width - start - m.pad_x - 2 * m.stroke;
        replace(guard, set(&caption::guard(combined, operand), TextRole::Frame, room, m));
    }
}

fn set(text: &str, role: TextRole, room: i32, m: &Measures) -> MeasuredLabel {
    MeasuredLabel::from_spans(label::lines(text, role), role, room, m.ruler)
}

/// Takes the new label if it is lower.
fn replace(label: &mut MeasuredLabel, relaxed: MeasuredLabel) {
    if relaxed.lines.len() < label.lines.len() {
        *label = relaxed;
    }
}
