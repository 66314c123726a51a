//! Messages and the notes beside them.

use sequent_kernel::id::Id;
use sequent_kernel::model::{End, LifelineId, Message, Note, NotePosition, Outside, Side};

use crate::draw::label::{FIXED_SPACE, MeasuredLabel};
use crate::draw::layout::PlateKind;
use crate::draw::layout::columns::{Extent, column};
use crate::draw::layout::measure::{PlateContent, PlatePosition, RowContent, RowPass};
use crate::draw::layout::measures::Measures;
use crate::draw::markup;
use crate::draw::markup::StyledText;
use crate::draw::metrics::{Face, TextRole};
use crate::draw::outline::MessageRow;

/// A note beside a message.
pub(crate) struct SideNote<'a> {
    pub side: Side,
    /// From the middle of the outer lifeline to the note.
    pub offset: i32,
    pub(crate) plate: PlateContent<'a>,
}

impl<'a> RowPass<'_, 'a> {
    /// A message with its notes.
    pub(super) fn message(&mut self, row: &MessageRow<'a>) -> RowContent<'a> {
        let label = if row.via.is_some() {
            self.m.label("", TextRole::Message, 1)
        } else {
            label(row.message, self.m)
        };
        let arrow = self.arrow(row, label.width);
        let notes: Vec<SideNote<'a>> = row.notes.iter().map(|note| self.side_note(note, arrow)).collect();
        let extent = notes.iter().fold(arrow, |extent, note| extent.join(note.plate.extent));
        self.spacing.clear(extent, self.m.clearance);
        self.contain(extent, self.m.frame_pad);
        RowContent::Message { label, notes, extent }
    }

    /// Asks for the room of an arrow and its label, and says how far they reach.
    fn arrow(&mut self, row: &MessageRow<'_>, label: i32) -> Extent {
        let head = row.creates.map_or(0, |created| self.heads[created].half);
        let length = self.m.arrow_length(label);
        match (row.start(), row.message.to) {
            (End::Lifeline(from), End::Lifeline(to)) if from == to => self.looped(row, from, label),
            (End::Lifeline(from), End::Lifeline(to)) => self.straight(row, from, to, length),
            (End::Lifeline(at), End::Outside(outside)) => self.stub(at, row.from_level, outside, length),
            (End::Outside(outside), End::Lifeline(at)) => self.stub(at, row.to_level, outside, length + head),
            (End::Outside(_), End::Outside(_)) => {
                let (left, right) = (self.spacing.left_border(), self.spacing.right_border());
                self.spacing.request(left, right, length);
                Extent::between(left, right)
            }
        }
    }

    fn looped(&mut self, row: &MessageRow<'_>, at: LifelineId, label: i32) -> Extent {
        let m = self.m;
        let at = column(at);
        let start = if m.loop_label_beside { m.loop_width + m.label_pad } else { m.label_pad / 2 };
        let reach = m.loop_width.max(start + label);
        Extent { after: m.right_of(row.from_level.max(row.to_level)) + reach, ..Extent::between(at, at) }
    }

    fn straight(&mut self, row: &MessageRow<'_>, from: LifelineId, to: LifelineId, length: i32) -> Extent {
        let m = self.m;
        let (left, right) = (from.min(to), from.max(to));
        let (left_level, right_level) =
            if from < to { (row.from_level, row.to_level) } else { (row.to_level, row.from_level) };
        let head_at =
            |end: LifelineId| row.creates.filter(|made| *made == end).map_or(0, |made| self.heads[made].half);
        let inner =
            m.right_of(left_level).max(head_at(left)) + length + m.left_of(right_level).max(head_at(right));
        let before = m.left_of(left_level).max(head_at(left));
        let after = m.right_of(right_level).max(head_at(right));
        self.spacing.request(column(left), column(right), inner);
        Extent { before, after, ..Extent::between(column(left), column(right)) }
    }

    /// A message with one end outside.
    fn stub(&mut self, at: LifelineId, level: usize, outside: Outside, length: i32) -> Extent {
        let at = column(at);
        let here = Extent::between(at, at);
        match (outside.side, outside.short) {
            (Side::Left, true) => Extent { before: self.m.left_of(level) + length, ..here },
            (Side::Right, true) => Extent { after: self.m.right_of(level) + length, ..here },
            (Side::Left, false) => {
                let border = self.spacing.left_border();
                self.spacing.request(border, at, self.m.left_of(level) + length);
                Extent::between(border, at)
            }
            (Side::Right, false) => {
                let border = self.spacing.right_border();
                self.spacing.request(at, border, self.m.right_of(level) + length);
                Extent::between(at, border)
            }
        }
    }

    fn side_note(&self, note: &'a Note, arrow: Extent) -> SideNote<'a> {
        let label = self.m.label(&note.text, TextRole::Note, 1);
        let (width, height) = self.m.boxed(&label);
        let reach = self.m.note_gap + width;
        let (side, spot, offset, extent) = match note.position {
            NotePosition::Left => {
                let extent = Extent { before: arrow.before + reach, ..arrow };
                (Side::Left, PlatePosition::Left, arrow.before + self.m.note_gap, extent)
            }
            NotePosition::Right | NotePosition::Over | NotePosition::Across => {
                let extent = Extent { after: arrow.after + reach, ..arrow };
                (Side::Right, PlatePosition::Right, arrow.after + self.m.note_gap, extent)
            }
        };
        let (kind, colour) = (PlateKind::Note(note.shape), note.colour.as_deref());
        SideNote { side, offset, plate: PlateContent { kind, label, width, height, spot, extent, colour } }
    }
}

/// A message's label, as wide as the columns between its ends allow. A number stands before the first word and leaves
/// the text the room it has without.
fn label(message: &Message, m: &Measures) -> MeasuredLabel {
    let columns = match (message.from, message.to) {
        (End::Lifeline(from), End::Lifeline(to)) => from.index().abs_diff(to.index()),
        (End::Lifeline(_), End::Outside(_)) | (End::Outside(_), _) => 1,
    };
    let number = number(message);
    let width: i32 = number.chars().map(|c| m.ruler.advance(c, Face::Bold, TextRole::Message)).sum();
    let lines = lines(message, number);
    let limit = m.respected(&lines, m.limit(columns)).saturating_add((width + 999) / 1000);
    MeasuredLabel::from_spans(lines, TextRole::Message, limit, m.ruler)
}

/// The number of a message as it stands before its text.
fn number(message: &Message) -> String {
    let mut number = message.number.as_deref().map(markup::plain).unwrap_or_default();
    if !number.is_empty() && !message.text.is_empty() {
        number.push(FIXED_SPACE);
    }
    number
}

fn lines(message: &Message, number: String) -> Vec<Vec<StyledText>> {
    let mut lines = markup::parse(&message.text);
    if !number.is_empty() {
        lines[0].insert(0, StyledText { text: number, bold: true, ..StyledText::default() });
    }
    lines
}

/// The label of a message that had to be wrapped, with all the room between its lifelines, which are `gap` apart.
pub(crate) fn relaxed(row: &MessageRow<'_>, gap: i32, m: &Measures) -> MeasuredLabel {
    let goes_right = row.message.from < row.message.to;
    let (left, right) =
        if goes_right { (row.from_level, row.to_level) } else { (row.to_level, row.from_level) };
    let room = gap - m.right_of(left) - m.left_of(right) - 2 * m.label_pad - m.tip;
    let lines = lines(row.message, number(row.message));
    MeasuredLabel::from_spans(lines, TextRole::Message, room.min(m.widest), m.ruler)
}
