//! Messages in their place, and general orderings and times between their ends.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{End, MessageId, Occurrence, Outside, Side, Timing};

use crate::draw::label::MeasuredLabel;
use crate::draw::layout::columns::column;
use crate::draw::layout::measure::SideNote;
use crate::draw::layout::place::Placer;
use crate::draw::layout::{Align, ArrowShape, OrderingShape, PlacedLabel, Point, TimingShape};
use crate::draw::metrics::TextRole;
use crate::draw::outline::MessageRow;

impl<'a> Placer<'_, 'a> {
    /// How much a message and its notes need above and below the line.
    pub(super) fn message_heights(
        &self,
        row: &MessageRow<'_>,
        label: &MeasuredLabel,
        notes: &[SideNote<'_>],
    ) -> (i32, i32) {
        let (above, below) = self.arrow_heights(row, label);
        let below = if self.timed.contains(&row.id) { below + self.m.timing_height } else { below };
        let stacks = [Side::Left, Side::Right].map(|side| self.stack(notes, side));
        let height = stacks.into_iter().max().unwrap_or(0);
        if height == 0 {
            return (above, below);
        }
        let m = self.m;
        (above.max(height / 2 + m.row_gap), below.max(height - height / 2 + m.row_after - m.stroke))
    }

    /// The height of the notes on one side, one below the other.
    fn stack(&self, notes: &[SideNote<'_>], side: Side) -> i32 {
        let heights =
            notes.iter().filter(|note| note.side == side).map(|note| note.plate.height + self.m.note_skip);
        heights.reduce(|sum, height| sum + height).map_or(0, |sum| sum - self.m.note_skip)
    }

    fn arrow_heights(&self, row: &MessageRow<'_>, label: &MeasuredLabel) -> (i32, i32) {
        let m = self.m;
        let above = m.row_gap + label.height + m.label_gap;
        let below = m.row_after;
        match (is_loop(row), m.loop_label_beside) {
            (true, true) => (m.row_gap, (m.loop_height + below).max(label.height)),
            (true, false) => (above, below + m.loop_height),
            (false, _) => {
                let head = row.creates.map_or(0, |created| self.measured.heads[created].height);
                (above.max(head / 2 + m.row_gap), below.max((head + 1) / 2 + m.row_after - m.stroke))
            }
        }
    }

    /// Places a message and its notes; returns the height at which the arrow ends.
    pub(super) fn message(
        &mut self,
        row: &MessageRow<'a>,
        label: MeasuredLabel,
        notes: Vec<SideNote<'a>>,
        line: i32,
    ) -> i32 {
        let arrow =
            if is_loop(row) { self.looped(row, label, line) } else { self.straight(row, label, line) };
        let top = |side| line - self.stack(&notes, side) / 2;
        let (mut left, mut right) = (top(Side::Left), top(Side::Right));
        for note in notes {
            let y = if note.side == Side::Left { &mut left } else { &mut right };
            let rect = self.beside(&note, *y);
            *y = rect.bottom() + self.m.note_skip;
            self.push_plate(note.plate, rect);
        }
        let end = arrow.to.y;
        self.layout.arrows.push(arrow);
        end
    }

    fn looped(&self, row: &MessageRow<'a>, label: MeasuredLabel, line: i32) -> ArrowShape<'a> {
        let m = self.m;
        let lifeline = row.message.to.lifeline().expect("a loop has a lifeline");
        let x = self.xs[column(lifeline)];
        let from = Point { x: x + m.right_of(row.from_level), y: line };
        let to = Point { x: x + m.right_of(row.to_level), y: line + m.loop_height };
        let outer = from.x.max(to.x);
        let turn = outer + m.loop_width - m.stroke;
        let (x, y) = if m.loop_label_beside {
            (turn + m.label_pad + m.stroke, line)
        } else {
            (outer + m.label_pad / 2, line - m.label_gap - label.height)
        };
        let text = PlacedLabel { label, x, y, align: Align::Left };
        ArrowShape { id: row.id, message: row.message, from, to, turn: Some(turn), passes: false, text }
    }

    fn straight(&mut self, row: &MessageRow<'a>, label: MeasuredLabel, line: i32) -> ArrowShape<'a> {
        let (from, to) = self.ends(row, label.width);
        let top = line - self.m.label_gap - label.height;
        let x = self.label_position(from, to, label.width);
        self.cut(x, x + label.width, top, top + label.height);
        let align = if label.is_code() { Align::Left } else { Align::Centre };
        let text = PlacedLabel { label, x, y: top, align };
        let at = |x| Point { x, y: line };
        let (from, to, passes) = (at(from), at(to), row.via.is_some());
        ArrowShape { id: row.id, message: row.message, from, to, turn: None, passes, text }
    }

    /// Where the line of a message begins and ends.
    fn ends(&self, row: &MessageRow<'_>, label: i32) -> (i32, i32) {
        let message = row.message;
        let goes_right = match (row.start(), message.to) {
            (End::Lifeline(from), End::Lifeline(to)) => from < to,
            (End::Outside(outside), _) => outside.side == Side::Left,
            (End::Lifeline(_), End::Outside(outside)) => outside.side == Side::Right,
        };
        let from = self.touch(row, row.start(), row.from_level, goes_right);
        let to = self.touch(row, message.to, row.to_level, !goes_right);
        let length = self.m.arrow_length(label);
        let length = if goes_right { length } else { -length };
        match (is_near(message.from), is_near(message.to)) {
            (true, _) => (to - length, to),
            (false, true) => (from, from + length),
            (false, false) => (from, to),
        }
    }

    /// Where an arrow meets one of its ends.
    fn touch(&self, row: &MessageRow<'_>, end: End, level: usize, on_right: bool) -> i32 {
        let m = self.m;
        let lifeline = match end {
            End::Lifeline(lifeline) => lifeline,
            End::Outside(Outside { side: Side::Left, .. }) => {
                return self.xs[self.measured.spacing.left_border()];
            }
            End::Outside(Outside { side: Side::Right, .. }) => {
                return self.xs[self.measured.spacing.right_border()];
            }
        };
        let is_created = row.creates == Some(lifeline);
        let head = if is_created { self.measured.heads[lifeline].half + m.stroke } else { 0 };
        let x = self.xs[column(lifeline)];
        if on_right { x + m.right_of(level).max(head) } else { x - m.left_of(level).max(head) }
    }

    /// Left edge of a label: the middle of the arrow, unless that lies on a lifeline and a gap nearby has room.
    fn label_position(&self, from: i32, to: i32, width: i32) -> i32 {
        let m = self.m;
        let (left, right) = (from.min(to), from.max(to));
        // The arrow head takes room at its end; in cells there is no half of it.
        let lean = if m.stroke > 0 { 0 } else { (from - to).signum() * m.tip / 2 };
        let middle = (left + right - width) / 2 + lean;
        let inner = self.crossed(left + m.bar_half, right - m.bar_half).map(|column| self.xs[column]);
        let stops: Vec<i32> = std::iter::once(left).chain(inner).chain([right]).collect();
        if stops.len() == 2 {
            return middle;
        }
        let roomy = stops.windows(2).filter(|gap| gap[1] - gap[0] >= width + 2 * m.label_pad);
        let places = roomy.map(|gap| (gap[0] + gap[1] - width) / 2);
        places.min_by_key(|x| ((x - middle).abs(), (x - from).abs())).unwrap_or(middle)
    }

    /// General orderings and times, from one end of a message to another.
    pub(super) fn orderings(&mut self) {
        let interaction = self.outline.interaction;
        if interaction.orderings.is_empty() && interaction.timings.is_empty() {
            return;
        }
        let mut ends: IdVec<MessageId, Option<(Point, Point)>> =
            interaction.messages.iter().map(|_| None).collect();
        let mut from = Point { x: 0, y: 0 };
        for arrow in &self.layout.arrows {
            from = if arrow.passes { from } else { arrow.from };
            ends[arrow.id] = Some((from, arrow.to));
        }
        let point = |occurrence: Occurrence| match occurrence {
            Occurrence::Send(message) => ends[message].map(|(from, _)| from),
            Occurrence::Receive(message) => ends[message].map(|(_, to)| to),
        };
        let shapes = interaction.orderings.iter().filter_map(|source| {
            Some(OrderingShape { source, before: point(source.before)?, after: point(source.after)? })
        });
        self.layout.orderings = shapes.collect();
        let timings = interaction.timings.iter().filter_map(|timing| {
            let from = point(timing.from)?;
            let to = timing.to.map_or(Some(from), point)?;
            Some(self.timing(timing, from, to))
        });
        self.layout.timings = timings.collect();
    }

    /// A text below its message, or beside a line between two messages.
    fn timing(&self, timing: &Timing, from: Point, to: Point) -> TimingShape {
        let label = self.m.label(&timing.label(), TextRole::Message, 1);
        let is_level = (from.y - to.y).abs() < label.height;
        let (x, y) = ((from.x + to.x) / 2, (from.y + to.y) / 2);
        let (x, y) = match (is_level, from == to) {
            (true, true) => (x + self.m.label_pad, y + self.m.label_pad / 2),
            (true, false) => (x - label.width / 2, y + self.m.label_pad / 2),
            (false, _) => (x + self.m.label_pad, y - label.height / 2),
        };
        // It stays in the drawing, whose width is that of the rows.
        let x = x.min(self.layout.width - self.m.margin - label.width).max(self.m.margin);
        let text = PlacedLabel { label, x, y, align: Align::Left };
        TimingShape { line: (!is_level).then_some((from, to)), text }
    }
}

fn is_loop(row: &MessageRow<'_>) -> bool {
    row.message.from.lifeline().is_some() && row.message.from == row.message.to
}

/// Whether an end lies outside, close to the lifeline at the other end.
fn is_near(end: End) -> bool {
    match end {
        End::Lifeline(_) => false,
        End::Outside(outside) => outside.short,
    }
}
