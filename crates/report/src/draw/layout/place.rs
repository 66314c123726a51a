//! Last step of the layout: rows are stacked, and everything gets its position.
//!
//! Each row has a line (where its arrow runs) and some height above and below it. Rows at one height share the line; the
//! next row begins below the lowest of them.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{End, LifelineId, Operator, Outside, SeparatorKind, Side};

use crate::draw::caption;
use crate::draw::label::Label;
use crate::draw::layout::columns::{ColumnId, Extent, column};
use crate::draw::layout::lifelines;
use crate::draw::layout::measure::{Content, Measured, PlateContent, SideNote, Spot};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{
    Align, ArrowShape, BoxShape, Footer, FrameKind, FrameShape, Layout, Plate, Point, Rect, Text,
};
use crate::draw::outline::{Anchor, FrameId, MessageRow, Outline, RowId, RowKind};

/// Stacks all rows.
pub fn place<'a>(
    outline: &Outline<'a>,
    mut measured: Measured<'a>,
    m: &Measures,
    footer: Footer,
) -> Layout<'a> {
    let (xs, width) = positions(&mut measured, m);
    let mut placer = Placer {
        outline,
        m,
        xs,
        y: m.margin,
        spots: IdVec::new(),
        frames: Vec::new(),
        cuts: outline.interaction.lifelines.iter().map(|_| Vec::new()).collect(),
        delays: Vec::new(),
        layout: empty(width),
        head_bottom: 0,
        measured,
    };
    placer.top();
    placer.rows();
    placer.bottom(footer);
    placer.layout
}

fn empty<'a>(width: i32) -> Layout<'a> {
    Layout {
        width,
        height: 0,
        title: None,
        boxes: Vec::new(),
        lifelines: Vec::new(),
        bars: Vec::new(),
        frames: Vec::new(),
        arrows: Vec::new(),
        plates: Vec::new(),
        crosses: Vec::new(),
    }
}

/// The width of the drawing.
pub fn width(measured: &mut Measured<'_>, m: &Measures) -> i32 {
    positions(measured, m).1
}

/// The columns, moved right such that nothing sticks out on the left, and the width of the drawing.
fn positions(measured: &mut Measured<'_>, m: &Measures) -> (IdVec<ColumnId, i32>, i32) {
    let xs = measured.spacing.solve();
    let (left, right) = measured.extent.map_or((0, 0), |extent| {
        (xs[extent.left] - extent.before, xs[extent.right] + extent.after + m.stroke)
    });
    let wanted = measured.title.width;
    let spare = (wanted - (right - left)).max(0);
    let shift = m.margin - left + spare / 2;
    (xs.iter().map(|x| x + shift).collect(), right - left + spare + 2 * m.margin)
}

/// The height of a row, once it has one.
#[derive(Clone, Copy)]
pub struct RowSpot {
    /// Where its arrow begins.
    pub line: i32,
    /// Where its arrow ends: lower for a message to oneself.
    pub end: i32,
    /// Where the next row begins.
    pub bottom: i32,
}

pub struct Placer<'p, 'a> {
    pub outline: &'p Outline<'a>,
    pub m: &'p Measures,
    pub measured: Measured<'a>,
    pub xs: IdVec<ColumnId, i32>,
    pub y: i32,
    pub spots: IdVec<RowId, RowSpot>,
    /// Open frames, by index into `layout.frames`.
    frames: Vec<usize>,
    /// Stretches of each lifeline that are covered by text, from top to bottom.
    pub cuts: IdVec<LifelineId, Vec<(i32, i32)>>,
    /// Stretches in which lifelines are dotted.
    pub delays: Vec<(i32, i32)>,
    pub layout: Layout<'a>,
    pub head_bottom: i32,
}

impl<'a> Placer<'_, 'a> {
    /// Title, captions of boxes, heads.
    fn top(&mut self) {
        let m = self.m;
        let title = self.measured.title.clone();
        if !title.is_empty() {
            let x = (self.layout.width - title.width) / 2;
            let height = title.height;
            self.layout.title = Some(Text { label: title, x, y: self.y, align: Align::Centre });
            self.y += height + m.row_gap.max(m.stroke);
        }
        self.open_boxes();
        self.head_bottom = self.y + self.measured.heads.iter().map(|head| head.height).max().unwrap_or(0);
        self.y = self.head_bottom + m.body_gap;
    }

    fn open_boxes(&mut self) {
        let m = self.m;
        let top = self.y;
        let mut height = 0;
        for content in &self.measured.boxes {
            let rect = self.span(content.extent, top, 0);
            let caption = content.caption.clone();
            height = height.max(caption.height + 2 * m.pad_y.max(m.stroke) - m.stroke);
            let x = rect.x + (rect.width - caption.width) / 2;
            let caption = Text { label: caption, x, y: top + m.pad_y, align: Align::Centre };
            self.layout.boxes.push(BoxShape { source: content.source, rect, caption });
        }
        self.y += height;
    }

    fn rows(&mut self) {
        let ids: Vec<RowId> = self.outline.rows.ids().collect();
        let mut rest = ids.as_slice();
        while let [first, others @ ..] = rest {
            let joined = others.iter().take_while(|id| self.outline.rows[**id].joined).count();
            let (group, after) = rest.split_at(joined + 1);
            rest = after;
            match &self.outline.rows[*first].kind {
                RowKind::Open(frame) => self.open(*frame),
                RowKind::Operand(frame, operand) => self.operand(*frame, *operand),
                RowKind::Close(_) => self.close(),
                RowKind::Separator(at) if matches!(at.kind, SeparatorKind::Space(_)) => self.space(at.kind),
                RowKind::Room => self.y += self.m.row_after + self.m.row_gap / 2,
                RowKind::Message(_)
                | RowKind::Stop(_)
                | RowKind::Action(_)
                | RowKind::Invariant(_)
                | RowKind::Use(_)
                | RowKind::Note(_)
                | RowKind::Separator(_) => {
                    self.group(group);
                    continue;
                }
            }
            let here = RowSpot { line: self.y, end: self.y, bottom: self.y };
            self.spots.push(here);
        }
    }

    fn space(&mut self, kind: SeparatorKind) {
        let SeparatorKind::Space(Some(height)) = kind else {
            self.y += self.m.space;
            return;
        };
        self.y += (height.min(MOST_SPACE) as i32 / self.m.pixels).max(1);
    }

    /// Rows at one height.
    fn group(&mut self, rows: &[RowId]) {
        let heights: Vec<(i32, i32)> = rows.iter().map(|row| self.heights(*row)).collect();
        let line = self.y + heights.iter().map(|(above, _)| *above).max().unwrap_or(0);
        let bottom = line + heights.iter().map(|(_, below)| *below).max().unwrap_or(0);
        for row in rows {
            let end = self.row(*row, line);
            self.spots.push(RowSpot { line, end, bottom });
        }
        self.y = bottom;
    }

    /// How much a row needs above and below its line.
    fn heights(&self, row: RowId) -> (i32, i32) {
        let m = self.m;
        match &self.measured.rows[row] {
            Content::Message { label, notes } => {
                let RowKind::Message(row) = &self.outline.rows[row].kind else {
                    unreachable!("messages are measured as messages")
                };
                let (mut above, mut below) = self.arrow_heights(row, label);
                for note in notes {
                    let (over, under) = self.plate_heights(&note.plate);
                    (above, below) = (above.max(over), below.max(under));
                }
                (above, below)
            }
            Content::Plate(plate) => self.plate_heights(plate),
            Content::Bare => (m.row_gap, m.row_after.max(m.stroke)),
        }
    }

    fn arrow_heights(&self, row: &MessageRow<'_>, label: &Label) -> (i32, i32) {
        let m = self.m;
        let is_loop = row.message.from.lifeline().is_some() && row.message.from == row.message.to;
        let above = m.row_gap + label.height + m.label_gap;
        let below = m.row_after;
        if is_loop && m.loop_label_beside {
            return (m.row_gap, (m.loop_height + below).max(label.height));
        }
        let below = if is_loop { below + m.loop_height } else { below };
        let head = row.creates.map_or(0, |created| self.measured.heads[created].height);
        (above.max(head / 2 + m.row_gap), below.max((head + 1) / 2 + m.row_after - m.stroke))
    }

    fn plate_heights(&self, plate: &PlateContent<'_>) -> (i32, i32) {
        let m = self.m;
        let above = plate.height / 2;
        (above + m.row_gap, plate.height - above + m.row_after - m.stroke)
    }

    /// Writes down what stands in a row; returns the height at which its arrow ends.
    fn row(&mut self, id: RowId, line: i32) -> i32 {
        let content = std::mem::replace(&mut self.measured.rows[id], Content::Bare);
        match (&self.outline.rows[id].kind, content) {
            (RowKind::Message(row), Content::Message { label, notes }) => {
                self.message(row, label, notes, line)
            }
            (_, Content::Plate(plate)) => {
                self.plate(plate, line);
                line
            }
            (_, _) => line,
        }
    }

    fn message(&mut self, row: &MessageRow<'a>, label: Label, notes: Vec<SideNote<'a>>, line: i32) -> i32 {
        let ends = (row.message.from, row.message.to);
        let is_loop = ends.0.lifeline().is_some() && ends.0 == ends.1;
        let arrow = if is_loop { self.looped(row, label, line) } else { self.straight(row, label, line) };
        for note in notes {
            let rect = self.beside(&note, arrow.from.y, line);
            self.push_plate(note.plate, rect);
        }
        let end = arrow.to.y;
        self.layout.arrows.push(arrow);
        end
    }

    fn looped(&self, row: &MessageRow<'a>, label: Label, line: i32) -> ArrowShape<'a> {
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
        let text = Text { label, x, y, align: Align::Left };
        ArrowShape { id: row.id, message: row.message, from, to, turn: Some(turn), text }
    }

    fn straight(&mut self, row: &MessageRow<'a>, label: Label, line: i32) -> ArrowShape<'a> {
        let (from, to) = self.ends(row, label.width);
        let top = line - self.m.label_gap - label.height;
        let x = self.label_position(row, from, to, label.width);
        self.cut(x, x + label.width, top, top + label.height);
        let text = Text { label, x, y: top, align: Align::Centre };
        let at = |x| Point { x, y: line };
        ArrowShape { id: row.id, message: row.message, from: at(from), to: at(to), turn: None, text }
    }

    /// Where the line of a message begins and ends.
    fn ends(&self, row: &MessageRow<'_>, label: i32) -> (i32, i32) {
        let m = self.m;
        let message = row.message;
        let middle = |end: End| match end {
            End::Lifeline(lifeline) => self.xs[column(lifeline)],
            End::Outside(Outside { side: Side::Left, .. }) => self.xs[self.measured.spacing.left_border()],
            End::Outside(Outside { side: Side::Right, .. }) => self.xs[self.measured.spacing.right_border()],
        };
        let goes_right = match (message.from, message.to) {
            (End::Lifeline(from), End::Lifeline(to)) => from < to,
            (End::Outside(outside), _) => outside.side == Side::Left,
            (_, End::Outside(outside)) => outside.side == Side::Right,
        };
        let touch = |end: End, level: usize, on_right: bool| {
            let created = end.lifeline().filter(|lifeline| row.creates == Some(*lifeline));
            let head = created.map_or(0, |lifeline| self.measured.heads[lifeline].half + m.stroke);
            let is_border = end.lifeline().is_none();
            match (is_border, on_right) {
                (true, _) => middle(end),
                (false, true) => middle(end) + m.right_of(level).max(head),
                (false, false) => middle(end) - m.left_of(level).max(head),
            }
        };
        let mut from = touch(message.from, row.from_level, goes_right);
        let mut to = touch(message.to, row.to_level, !goes_right);
        let length = m.arrow_length(label);
        let length = if goes_right { length } else { -length };
        if matches!(message.from, End::Outside(outside) if outside.short) {
            from = to - length;
        }
        if matches!(message.to, End::Outside(outside) if outside.short) {
            to = from + length;
        }
        (from, to)
    }

    /// Left edge of a label: the middle of the arrow, unless that lies on a lifeline and a gap beside has room.
    fn label_position(&self, row: &MessageRow<'_>, from: i32, to: i32, width: i32) -> i32 {
        let (left, right) = (from.min(to), from.max(to));
        // The arrow head takes room at its end.
        let lean = if from < to { -self.m.tip / 2 } else { self.m.tip / 2 };
        let centred = |left: i32, right: i32| (left + right - width) / 2;
        let middle = centred(left, right) + if self.m.stroke == 0 { lean } else { 0 };
        let Some(crossed) = self.crossed(left, right).filter(|_| row.message.from != row.message.to) else {
            return middle;
        };
        let stops: Vec<i32> =
            std::iter::once(left).chain(crossed.map(|column| self.xs[column])).chain([right]).collect();
        let gaps = stops.windows(2).filter(|gap| gap[1] - gap[0] >= width + 2 * self.m.label_pad);
        let nearest =
            gaps.map(|gap| centred(gap[0], gap[1])).min_by_key(|x| ((x - middle).abs(), (x - from).abs()));
        nearest.unwrap_or(middle)
    }

    /// The lifelines strictly between two positions.
    fn crossed(&self, left: i32, right: i32) -> Option<impl Iterator<Item = ColumnId> + use<>> {
        use sequent_kernel::id::Id;
        let xs: &[i32] = self.xs.iter().as_slice();
        let (first, last) = (1, xs.len().saturating_sub(1));
        let lifelines = &xs[first..last.max(first)];
        let start = first + lifelines.partition_point(|x| *x <= left + self.m.bar_half);
        let end = first + lifelines.partition_point(|x| *x < right - self.m.bar_half);
        (start < end).then(|| (start..end).map(ColumnId::from_index))
    }

    /// A text covers the lifelines behind it.
    fn cut(&mut self, left: i32, right: i32, top: i32, bottom: i32) {
        use sequent_kernel::id::Id;
        if top == bottom {
            return;
        }
        let pad = self.m.label_pad / 3 + self.m.bar_half;
        for column in self.crossed(left - pad, right + pad).into_iter().flatten() {
            self.cuts[LifelineId::from_index(column.index() - 1)].push((top, bottom));
        }
    }

    fn plate(&mut self, plate: PlateContent<'a>, line: i32) {
        let top = line - plate.height / 2;
        let mut rect = self.span(plate.extent, top, plate.height);
        match plate.spot {
            Spot::Over => {}
            Spot::Left => rect.width = plate.width,
            Spot::Right => {
                rect.x = rect.right() - plate.width;
                rect.width = plate.width;
            }
        }
        self.push_plate(plate, rect);
    }

    fn push_plate(&mut self, plate: PlateContent<'a>, rect: Rect) {
        use crate::draw::layout::PlateKind;
        let m = self.m;
        let mut rect = rect;
        match plate.kind {
            PlateKind::Divider | PlateKind::Page => (rect.x, rect.width) = (0, self.layout.width),
            PlateKind::Delay => self.delays.push((rect.y, rect.bottom())),
            PlateKind::Note(_) | PlateKind::Reference | PlateKind::Invariant | PlateKind::Action => {}
        }
        let label = plate.label;
        let x = rect.x + (rect.width - label.width) / 2;
        let pad = m.pad_y + m.stroke;
        let y = match plate.kind {
            PlateKind::Reference => rect.bottom() - pad - label.height,
            PlateKind::Divider | PlateKind::Page | PlateKind::Delay => rect.y + m.pad_y,
            PlateKind::Note(_) | PlateKind::Invariant | PlateKind::Action => rect.y + pad,
        };
        if plate.kind == PlateKind::Delay {
            self.cut(x, x + label.width, y, y + label.height);
        }
        let is_snug = rect.width <= plate.width + m.pad_x;
        let is_note = matches!(plate.kind, PlateKind::Note(_));
        let align = if is_note && is_snug { Align::Left } else { Align::Centre };
        let text = Text { label, x, y, align };
        self.layout.plates.push(Plate { kind: plate.kind, rect, text, colour: plate.colour });
    }

    /// A note beside a message: its middle at the height of the line.
    fn beside(&self, note: &SideNote<'_>, _from: i32, line: i32) -> Rect {
        let plate = &note.plate;
        let (left, right) = (self.xs[plate.extent.left], self.xs[plate.extent.right]);
        let x = match note.side {
            Side::Left => left - note.offset - plate.width,
            Side::Right => right + note.offset + self.m.stroke,
        };
        Rect { x, y: line - plate.height / 2, width: plate.width, height: plate.height }
    }

    /// The columns of an extent as a rectangle.
    pub fn span(&self, extent: Extent, y: i32, height: i32) -> Rect {
        let x = self.xs[extent.left] - extent.before;
        let width = self.xs[extent.right] + extent.after + self.m.stroke - x;
        Rect { x, y, width, height }
    }

    fn open(&mut self, id: FrameId) {
        let m = self.m;
        let source = self.outline.frames[id];
        let kind = match &source.operator {
            Operator::Coregion(lifeline) => FrameKind::Brackets(self.xs[column(*lifeline)]),
            _ if caption::is_background(source) => FrameKind::Background,
            _ => FrameKind::Tabbed,
        };
        self.y += if kind == FrameKind::Tabbed { m.row_gap } else { m.row_gap / 2 };
        let content = &self.measured.frames[id];
        let rect = self.span(content.extent, self.y, 0);
        let tab = content.tab.clone();
        let guard = content.guards[0].clone();
        let header = tab.height.max(m.stroke) + if tab.is_empty() { 0 } else { m.header_pad };
        let guard_x = rect.x + if tab.is_empty() { m.pad_x } else { tab.width + m.tab_pad };
        let text_y = rect.y + m.header_pad / 2;
        let tab = Text {
            label: tab,
            x: rect.x + m.pad_x.clamp(m.stroke, 10) + m.stroke,
            y: text_y,
            align: Align::Left,
        };
        self.frames.push(self.layout.frames.len());
        let guard_height = guard.height;
        let guards = self.guard(guard, guard_x, text_y).into_iter().collect();
        let tab_height = header;
        self.layout.frames.push(FrameShape {
            source,
            kind,
            rect,
            tab,
            tab_height,
            guards,
            dividers: Vec::new(),
        });
        self.y += header.max(guard_height + m.header_pad);
    }

    fn guard(&mut self, label: Label, x: i32, y: i32) -> Option<Text> {
        if label.is_empty() {
            return None;
        }
        self.cut(x, x + label.width, y, y + label.height);
        Some(Text { label, x, y, align: Align::Left })
    }

    fn operand(&mut self, id: FrameId, operand: usize) {
        let m = self.m;
        self.y += m.frame_bottom;
        let at = *self.frames.last().expect("operands stand in frames");
        let label = self.measured.frames[id].guards[operand].clone();
        let x = self.layout.frames[at].rect.x + m.pad_x.max(m.stroke) + m.stroke;
        let height = label.height + if label.is_empty() { 0 } else { m.header_pad };
        let guard = self.guard(label, x, self.y + m.header_pad / 2);
        let frame = &mut self.layout.frames[at];
        frame.dividers.push(self.y);
        frame.guards.extend(guard);
        self.y += height.max(m.stroke);
    }

    fn close(&mut self) {
        let m = self.m;
        let at = self.frames.pop().expect("frames close after they open");
        let frame = &mut self.layout.frames[at];
        self.y += if frame.kind == FrameKind::Tabbed { m.frame_bottom } else { m.frame_bottom / 2 };
        frame.rect.height = self.y + m.stroke - frame.rect.y;
        self.y += (m.row_after / 2).max(m.stroke);
    }

    /// Bars, lifelines, lower heads, the size of everything.
    fn bottom(&mut self, footer: Footer) {
        let m = self.m;
        self.y += m.body_gap.max(m.stroke);
        lifelines::place(self, footer);
        let bottom = self.y;
        for shape in &mut self.layout.boxes {
            shape.rect.height = bottom + m.pad_y.max(m.stroke) - shape.rect.y;
        }
        if !self.layout.boxes.is_empty() {
            self.y += m.pad_y.max(m.stroke);
        }
        self.layout.height = self.y + m.margin;
    }

    /// The height an anchor stands for.
    pub fn height(&self, anchor: Anchor) -> i32 {
        match anchor {
            Anchor::Top => self.head_bottom,
            Anchor::Line(row) => self.spots[row].end,
            Anchor::Below(row) => self.spots[row].bottom,
        }
    }
}

/// Users may ask for space, but not for kilometres.
const MOST_SPACE: u32 = 2000;
