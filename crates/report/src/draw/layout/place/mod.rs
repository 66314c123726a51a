//! Last step of the layout: rows are stacked, and everything gets its position.
//!
//! Each row has a line (where its arrow runs) and some height above and below it. Rows at one height share the line; the
//! next row begins below the lowest of them. Lifelines come last: by then it is known where text stands on them.

mod arrows;
mod frames;
mod lifelines;
mod plates;

use std::collections::BTreeSet;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{Interaction, LifelineId, MessageId, Occurrence, SeparatorKind};

use crate::draw::layout::columns::{ColumnId, Extent};
use crate::draw::layout::measure::{Measured, RowContent, relax};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::surround::Surroundings;
use crate::draw::layout::{Align, BoxShape, Footer, Layout, PlacedLabel, Rect};
use crate::draw::outline::{HeightAnchor, Outline, RowId, RowKind};

/// Users may ask for space, but not for kilometres.
const MOST_SPACE: u32 = 2000;

/// Stacks all rows.
pub(crate) fn place<'a>(
    outline: &Outline<'a>,
    mut measured: Measured<'a>,
    m: &Measures,
    footer: Footer,
) -> Layout<'a> {
    let (xs, width) = columns(&mut measured, m);
    relax(&mut measured, outline, &xs, m);
    let Interaction { title, captions, .. } = outline.interaction;
    let room = (width - 2 * m.margin).max(m.widest.min(width));
    let around = Surroundings::new(title.as_deref(), captions, room, m);
    let (xs, width) = centred(xs, width, around.width(m) + 2 * m.margin);
    let mut placer = Placer {
        outline,
        m,
        xs,
        y: m.margin,
        spots: IdVec::new(),
        frames: Vec::new(),
        cuts: outline.interaction.lifelines.iter().map(|_| Vec::new()).collect(),
        delays: Vec::new(),
        layout: Layout { width, ..Layout::default() },
        head_bottom: 0,
        timed: timed(outline.interaction),
        measured,
    };
    placer.top(&around);
    placer.rows();
    placer.bottom(footer, &around);
    placer.layout
}

/// The messages below which a time stands: their own, or that of one of their ends.
fn timed(interaction: &Interaction) -> BTreeSet<MessageId> {
    let message = |occurrence: Occurrence| match occurrence {
        Occurrence::Send(id) | Occurrence::Receive(id) => id,
    };
    let level = interaction
        .timings
        .iter()
        .filter(|timing| timing.to.is_none_or(|to| message(to) == message(timing.from)));
    level.map(|timing| message(timing.from)).collect()
}

/// The width of a drawing without the texts around it, which can be wrapped.
pub(crate) fn width(measured: &mut Measured<'_>, m: &Measures) -> i32 {
    columns(measured, m).1
}

/// The columns, moved right such that nothing sticks out on the left, and the width of the drawing.
fn columns(measured: &mut Measured<'_>, m: &Measures) -> (IdVec<ColumnId, i32>, i32) {
    let xs = measured.spacing.solve();
    let (left, right) = measured.extent.map_or((0, 0), |extent| {
        (xs[extent.left] - extent.before, xs[extent.right] + extent.after + m.stroke)
    });
    (xs.iter().map(|x| x - left + m.margin).collect(), right - left + 2 * m.margin)
}

/// The same columns in the middle of a drawing that must be wider.
fn centred(xs: IdVec<ColumnId, i32>, width: i32, wanted: i32) -> (IdVec<ColumnId, i32>, i32) {
    let spare = (wanted - width).max(0);
    (xs.iter().map(|x| x + spare / 2).collect(), width + spare)
}

/// The height of a row, once it has one.
#[derive(Clone, Copy)]
struct RowSpot {
    /// Where its arrow ends: lower than it begins for a message to oneself.
    end: i32,
    /// Where the next row begins.
    bottom: i32,
}

/// What is known on the way down.
struct Placer<'p, 'a> {
    outline: &'p Outline<'a>,
    m: &'p Measures,
    measured: Measured<'a>,
    xs: IdVec<ColumnId, i32>,
    y: i32,
    spots: IdVec<RowId, RowSpot>,
    /// Open frames, by index into `layout.frames`.
    frames: Vec<usize>,
    /// Stretches of each lifeline that are covered by text, from top to bottom.
    cuts: IdVec<LifelineId, Vec<(i32, i32)>>,
    /// Stretches in which lifelines are dotted.
    delays: Vec<(i32, i32)>,
    layout: Layout<'a>,
    /// Where lifelines begin.
    head_bottom: i32,
    /// Messages with a time below them.
    timed: BTreeSet<MessageId>,
}

impl<'a> Placer<'_, 'a> {
    /// What stands above the diagram, captions of boxes, heads.
    fn top(&mut self, around: &Surroundings) {
        let m = self.m;
        let inner = self.layout.width - 2 * m.margin;
        (self.layout.captions, self.y) = around.above(m.margin, self.y, inner, m);
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
            let label = content.caption.clone();
            height = height.max(label.height.max(m.stroke) + 2 * m.pad_y);
            // Above the heads, which need not stand in the middle of the box.
            let Extent { left, right, .. } = content.extent;
            let half = |at: ColumnId| self.measured.heads[LifelineId::from_index(at.index() - 1)].half;
            let heads = self.xs[left] - half(left) + self.xs[right] + half(right) + m.stroke;
            let (first, last) = (rect.x + m.pad_x, rect.right() - m.pad_x - label.width);
            let x = ((heads - label.width) / 2).min(last).max(first);
            let caption = PlacedLabel { label, x, y: top + m.pad_y, align: Align::Centre };
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
                    self.groups(group);
                    continue;
                }
            }
            self.spots.push(RowSpot { end: self.y, bottom: self.y });
        }
    }

    fn space(&mut self, kind: SeparatorKind) {
        self.y += match kind {
            SeparatorKind::Space(Some(height)) => (height.min(MOST_SPACE) as i32 / self.m.pixels).max(1),
            SeparatorKind::Space(None)
            | SeparatorKind::Divider
            | SeparatorKind::Delay
            | SeparatorKind::Page => self.m.space,
        };
    }

    /// Rows that want to stand at one height; those that would lie on others go below them.
    fn groups(&mut self, rows: &[RowId]) {
        let mut start = 0;
        let mut taken: Vec<(i32, i32)> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let range = self.range(*row);
            let passes = matches!(&self.outline.rows[*row].kind, RowKind::Message(at) if at.via.is_some());
            if !passes && taken.iter().any(|(left, right)| *left < range.1 && range.0 < *right) {
                self.group(&rows[start..at]);
                start = at;
                taken.clear();
            }
            taken.push(range);
        }
        self.group(&rows[start..]);
    }

    /// From where to where a row reaches; two messages that only meet at a lifeline do not overlap.
    fn range(&self, row: RowId) -> (i32, i32) {
        let m = self.m;
        match &self.measured.rows[row] {
            RowContent::Message { extent, .. } => {
                let rect = self.span(*extent, 0, 0);
                let (before, after) = (extent.before.min(m.clearance), extent.after.min(m.clearance));
                (rect.x + before, rect.right() - after - m.stroke)
            }
            RowContent::Plate(plate) => {
                let rect = self.span(plate.extent, 0, 0);
                (rect.x, rect.right())
            }
            RowContent::Bare => (0, 0),
        }
    }

    /// Rows at one height.
    fn group(&mut self, rows: &[RowId]) {
        let heights: Vec<(i32, i32)> = rows.iter().map(|row| self.heights(*row)).collect();
        let line = self.y + heights.iter().map(|(above, _)| *above).max().unwrap_or(0);
        let bottom = line + heights.iter().map(|(_, below)| *below).max().unwrap_or(0);
        for row in rows {
            let end = self.row(*row, line);
            self.spots.push(RowSpot { end, bottom });
        }
        self.y = bottom;
    }

    /// How much a row needs above and below its line.
    fn heights(&self, row: RowId) -> (i32, i32) {
        match (&self.measured.rows[row], &self.outline.rows[row].kind) {
            (RowContent::Message { label, notes, .. }, RowKind::Message(row)) => {
                self.message_heights(row, label, notes)
            }
            (RowContent::Plate(plate), _) => self.plate_heights(plate),
            (RowContent::Message { .. } | RowContent::Bare, _) => {
                (self.m.row_gap, self.m.row_after.max(self.m.stroke))
            }
        }
    }

    /// Writes down what stands in a row; returns the height at which its arrow ends.
    fn row(&mut self, id: RowId, line: i32) -> i32 {
        let content = std::mem::replace(&mut self.measured.rows[id], RowContent::Bare);
        match (content, &self.outline.rows[id].kind) {
            (RowContent::Message { label, notes, .. }, RowKind::Message(row)) => {
                self.message(row, label, notes, line)
            }
            (RowContent::Plate(plate), _) => {
                self.plate(plate, line);
                line
            }
            (RowContent::Message { .. } | RowContent::Bare, _) => line,
        }
    }

    /// Bars, lifelines, lower heads, what stands below the diagram, the size of everything.
    fn bottom(&mut self, footer: Footer, around: &Surroundings) {
        let m = self.m;
        self.y += m.body_gap.max(m.stroke);
        self.orderings();
        self.lifelines(footer);
        if !self.layout.boxes.is_empty() && m.boxes_enclose {
            self.y += m.pad_y;
        }
        for shape in &mut self.layout.boxes {
            shape.rect.height = if m.boxes_enclose { self.y - shape.rect.y } else { m.stroke };
        }
        let (captions, y) = around.below(m.margin, self.y, self.layout.width - 2 * m.margin, m);
        self.layout.captions.extend(captions);
        self.layout.height = y + m.margin;
    }

    /// The height an anchor stands for.
    fn height(&self, anchor: HeightAnchor) -> i32 {
        match anchor {
            HeightAnchor::Top => self.head_bottom,
            HeightAnchor::Line(row) => self.spots[row].end,
            HeightAnchor::Below(row) => self.spots[row].bottom,
        }
    }

    /// The columns of an extent as a rectangle.
    fn span(&self, extent: Extent, y: i32, height: i32) -> Rect {
        let x = self.xs[extent.left] - extent.before;
        let width = self.xs[extent.right] + extent.after + self.m.stroke - x;
        Rect { x, y, width, height }
    }

    /// The columns of lifelines strictly between two positions.
    fn crossed(&self, left: i32, right: i32) -> impl Iterator<Item = ColumnId> + use<> {
        let xs = self.xs.iter().as_slice();
        let lifelines = &xs[1..xs.len() - 1];
        let start = lifelines.partition_point(|x| *x <= left);
        let end = lifelines.partition_point(|x| *x < right);
        (start..end).map(|index| ColumnId::from_index(index + 1))
    }

    /// A text covers the lifelines behind it.
    fn cut(&mut self, left: i32, right: i32, top: i32, bottom: i32) {
        if top == bottom {
            return;
        }
        let pad = self.m.label_pad / 3;
        for column in self.crossed(left - pad, right + pad) {
            self.cuts[LifelineId::from_index(column.index() - 1)].push((top, bottom));
        }
    }
}
