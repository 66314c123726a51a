//! Texts with an outline, in their place.

use sequent_kernel::model::Side;

use crate::draw::layout::measure::{PlateContent, PlatePosition, SideNote};
use crate::draw::layout::place::Placer;
use crate::draw::layout::{Align, PlacedLabel, Plate, PlateKind, Rect};

impl<'a> Placer<'_, 'a> {
    /// How much a plate needs above and below the line of its row.
    pub(super) fn plate_heights(&self, plate: &PlateContent<'_>) -> (i32, i32) {
        let m = self.m;
        let above = plate.height / 2;
        (above + m.row_gap, plate.height - above + m.row_after - m.stroke)
    }

    /// Places a plate of its own row, its middle at the line.
    pub(super) fn plate(&mut self, plate: PlateContent<'a>, line: i32) {
        let mut rect = self.span(plate.extent, line - plate.height / 2, plate.height);
        match plate.spot {
            PlatePosition::Over => {}
            PlatePosition::Left => rect.width = plate.width,
            PlatePosition::Right => {
                rect.x = rect.right() - plate.width;
                rect.width = plate.width;
            }
        }
        self.push_plate(plate, rect);
    }

    /// A note beside a message.
    pub(super) fn beside(&self, note: &SideNote<'_>, y: i32) -> Rect {
        let plate = &note.plate;
        let x = match note.side {
            Side::Left => self.xs[plate.extent.left] - note.offset - plate.width,
            Side::Right => self.xs[plate.extent.right] + note.offset + self.m.stroke,
        };
        Rect { x, y, width: plate.width, height: plate.height }
    }

    /// Writes a plate down, with its text.
    pub(super) fn push_plate(&mut self, plate: PlateContent<'a>, rect: Rect) {
        let m = self.m;
        let PlateContent { kind, label, width, colour, .. } = plate;
        let rect = match kind {
            PlateKind::Divider | PlateKind::Page => Rect { x: 0, width: self.layout.width, ..rect },
            PlateKind::Note(_)
            | PlateKind::Reference
            | PlateKind::Invariant
            | PlateKind::Action
            | PlateKind::Delay => rect,
        };
        let x = rect.x + (rect.width - label.width) / 2;
        let pad = m.pad_y + m.stroke;
        let y = match kind {
            PlateKind::Reference => rect.bottom() - pad - label.height,
            PlateKind::Divider | PlateKind::Page | PlateKind::Delay => rect.y + m.pad_y,
            PlateKind::Note(_) | PlateKind::Invariant | PlateKind::Action => rect.y + pad,
        };
        if kind == PlateKind::Delay {
            self.delays.push((rect.y, rect.bottom()));
        }
        if kind == PlateKind::Delay || kind == PlateKind::Page {
            self.cut(x, x + label.width, y, y + label.height);
        }
        let is_snug = rect.width <= width + m.pad_x;
        let is_note = matches!(kind, PlateKind::Note(_));
        let align = if is_note && is_snug { Align::Left } else { Align::Centre };
        self.layout.plates.push(Plate { kind, rect, text: PlacedLabel { label, x, y, align }, colour });
    }
}
