//! Frames in their place: opened, divided and closed as the rows go down.

use sequent_kernel::model::{Combination, Combined};

use crate::draw::caption;
use crate::draw::label::MeasuredLabel;
use crate::draw::layout::columns::column;
use crate::draw::layout::place::Placer;
use crate::draw::layout::{Align, FrameKind, FrameShape, PlacedLabel};
use crate::draw::outline::FrameId;

impl Placer<'_, '_> {
    /// The upper edge of a frame, its tab and its first guard.
    pub(super) fn open(&mut self, id: FrameId) {
        let m = self.m;
        let source = self.outline.frames[id];
        let kind = self.kind(source);
        self.y += if kind == FrameKind::Tabbed { m.row_gap } else { m.row_gap / 2 };
        let content = &self.measured.frames[id];
        let rect = self.span(content.extent, self.y, 0);
        let (tab, guard) = (content.tab.clone(), content.guards[0].clone());
        let tab_height = tab.height.max(m.stroke) + if tab.is_empty() { 0 } else { m.header_pad };
        let guard_x = rect.x + if tab.is_empty() { m.pad_x } else { tab.width + m.tab_pad };
        let text_y = rect.y + m.header_pad / 2;
        let tab_x = rect.x + m.stroke + m.pad_x.max(m.stroke);
        let tab = PlacedLabel { label: tab, x: tab_x, y: text_y, align: Align::Left };
        let height = tab_height.max(guard.height + m.header_pad);
        let guards = self.guard(guard, guard_x, text_y).into_iter().collect();
        self.frames.push(self.layout.frames.len());
        self.layout.frames.push(FrameShape {
            source,
            kind,
            rect,
            tab,
            tab_height,
            guards,
            dividers: Vec::new(),
        });
        self.y += height;
    }

    fn kind(&self, source: &Combined) -> FrameKind {
        if caption::is_background(source) {
            return FrameKind::Background;
        }
        match source.operator.combination() {
            Combination::Unordered(lifeline) => FrameKind::Brackets(self.xs[column(lifeline)]),
            Combination::Sequence
            | Combination::StrictSequence
            | Combination::Parallel
            | Combination::Choice { .. }
            | Combination::Break
            | Combination::Repetition(_)
            | Combination::Negation
            | Combination::Complement => FrameKind::Tabbed,
        }
    }

    /// A guard, which covers the lifelines behind it.
    fn guard(&mut self, label: MeasuredLabel, x: i32, y: i32) -> Option<PlacedLabel> {
        if label.is_empty() {
            return None;
        }
        self.cut(x, x + label.width, y, y + label.height);
        Some(PlacedLabel { label, x, y, align: Align::Left })
    }

    /// The line above a further operand, and its guard.
    pub(super) fn operand(&mut self, id: FrameId, operand: usize) {
        let m = self.m;
        self.y += m.frame_bottom;
        let at = *self.frames.last().expect("operands stand in frames");
        let label = self.measured.frames[id].guards[operand].clone();
        let x = self.guard_position(&self.layout.frames[at], label.width);
        let height = label.height + if label.is_empty() { 0 } else { m.header_pad };
        let guard = self.guard(label, x, self.y + m.header_pad / 2);
        let frame = &mut self.layout.frames[at];
        frame.dividers.push(self.y);
        frame.guards.extend(guard);
        self.y += height.max(m.stroke);
    }

    /// Below the first guard, which seldom lies on a lifeline; at the left side if only that leaves enough room.
    fn guard_position(&self, frame: &FrameShape<'_>, width: i32) -> i32 {
        let m = self.m;
        let (rect, tab) = (frame.rect, &frame.tab.label);
        let below = rect.x + if tab.is_empty() { m.pad_x } else { tab.width + m.tab_pad };
        let fits = below + width + m.pad_x + m.stroke <= rect.right();
        if fits { below } else { rect.x + m.stroke + m.pad_x.max(m.stroke) }
    }

    /// The lower edge.
    pub(super) fn close(&mut self) {
        let m = self.m;
        let at = self.frames.pop().expect("frames close after they open");
        let frame = &mut self.layout.frames[at];
        self.y += if frame.kind == FrameKind::Tabbed { m.frame_bottom } else { m.frame_bottom / 2 };
        frame.rect.height = self.y + m.stroke - frame.rect.y;
        self.y += (m.row_after / 2).max(m.stroke);
    }
}
