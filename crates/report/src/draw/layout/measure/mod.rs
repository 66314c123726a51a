//! First step of the layout: the texts of every row, and the room they ask for.
//!
//! A row reaches from one column to another and somewhat beyond ([`Extent`]). A frame reaches as far as what it contains
//! and a little further, which is why one pass with a stack of open frames is enough. Texts that span several columns may
//! be wider before they wrap.

mod arrows;
mod heads;
mod plates;
mod relax;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{Combination, Combined, LifelineId, NotePosition, SeparatorKind};

use crate::draw::caption;
use crate::draw::label::MeasuredLabel;
use crate::draw::layout::PlateKind;
use crate::draw::layout::columns::{ColumnId, ColumnSpacing, Extent, column};
use crate::draw::layout::measures::Measures;
use crate::draw::metrics::TextRole;
use crate::draw::outline::{FrameId, Outline, RowId, RowKind};

pub(crate) use arrows::SideNote;
pub(crate) use heads::{BoxContent, HeadContent};
pub(crate) use plates::{PlateContent, PlatePosition};
pub(crate) use relax::relax;

/// Everything that has a size, and the distances asked for.
pub(crate) struct Measured<'a> {
    pub rows: IdVec<RowId, RowContent<'a>>,
    pub frames: IdVec<FrameId, FrameContent>,
    pub heads: IdVec<LifelineId, HeadContent>,
    pub boxes: Vec<BoxContent<'a>>,
    pub spacing: ColumnSpacing,
    /// What everything together covers.
    pub extent: Option<Extent>,
}

/// The content of a row, measured.
pub(crate) enum RowContent<'a> {
    Message {
        label: MeasuredLabel,
        notes: Vec<SideNote<'a>>,
        extent: Extent,
    },
    Plate(PlateContent<'a>),
    /// Rows that have no text of their own.
    Bare,
}

/// The texts of a frame.
pub(crate) struct FrameContent {
    pub tab: MeasuredLabel,
    /// One per operand, perhaps empty.
    pub guards: Vec<MeasuredLabel>,
    pub extent: Extent,
}

/// Measures all rows.
pub(crate) fn measure<'a>(outline: &Outline<'a>, measures: &Measures) -> Measured<'a> {
    let mut pass = RowPass {
        outline,
        m: measures,
        spacing: ColumnSpacing::new(outline.interaction.lifelines.len()),
        levels: levels(outline),
        heads: heads::heads(outline, measures),
        open: vec![OpenFrame { extent: None, has_sides: false }],
        frames: outline.frames.iter().map(|combined| tab(combined, measures)).collect(),
    };
    pass.request_heads();
    let rows: IdVec<RowId, RowContent<'a>> = outline.rows.iter().map(|row| pass.row(&row.kind)).collect();
    pass.part_neighbours(&rows);
    let boxes = pass.boxes();
    let extent = pass.open.pop().and_then(|diagram| diagram.extent);
    Measured { rows, frames: pass.frames, heads: pass.heads, boxes, spacing: pass.spacing, extent }
}

/// The highest stack of bars on each lifeline.
fn levels(outline: &Outline<'_>) -> IdVec<LifelineId, usize> {
    let mut levels: IdVec<LifelineId, usize> = outline.interaction.lifelines.iter().map(|_| 0).collect();
    for bar in &outline.bars {
        levels[bar.lifeline] = levels[bar.lifeline].max(bar.level + 1);
    }
    levels
}

/// A frame before its extent is known.
fn tab(combined: &Combined, m: &Measures) -> FrameContent {
    let is_plain = caption::is_background(combined) || is_coregion(combined);
    let tab = if is_plain { String::new() } else { caption::tab(combined) };
    let nowhere = Extent::between(ColumnId::LEFT, ColumnId::LEFT);
    FrameContent { tab: m.bold(&tab, TextRole::Frame, m.limit(2)), guards: Vec::new(), extent: nowhere }
}

/// A coregion has brackets instead of sides.
fn is_coregion(combined: &Combined) -> bool {
    matches!(combined.operator.combination(), Combination::Unordered(_))
}

/// One pass over the rows.
struct RowPass<'p, 'a> {
    outline: &'p Outline<'a>,
    m: &'p Measures,
    spacing: ColumnSpacing,
    levels: IdVec<LifelineId, usize>,
    heads: IdVec<LifelineId, HeadContent>,
    /// Frames whose end has not come yet; the diagram itself at the bottom.
    open: Vec<OpenFrame>,
    frames: IdVec<FrameId, FrameContent>,
}

/// A frame on the way to its end.
struct OpenFrame {
    /// What has been seen inside.
    extent: Option<Extent>,
    /// Whether its content keeps a distance from its sides.
    has_sides: bool,
}

impl<'a> RowPass<'_, 'a> {
    fn row(&mut self, kind: &RowKind<'a>) -> RowContent<'a> {
        let over = NotePosition::Over;
        match kind {
            RowKind::Message(row) => self.message(row),
            RowKind::Action(at) => self.plate(PlateKind::Action, &at.name, &[at.lifeline], over, None),
            RowKind::Invariant(at) => {
                self.plate(PlateKind::Invariant, &at.condition.text, &at.lifelines, over, None)
            }
            RowKind::Use(at) => self.plate(PlateKind::Reference, &at.name, &at.lifelines, over, None),
            RowKind::Note(note) => {
                let kind = PlateKind::Note(note.shape);
                self.plate(kind, &note.text, &note.lifelines, note.position, note.colour.as_deref())
            }
            RowKind::Separator(at) => match at.kind {
                SeparatorKind::Divider => self.separator(PlateKind::Divider, &at.text),
                SeparatorKind::Delay => self.separator(PlateKind::Delay, &at.text),
                SeparatorKind::Page => self.separator(PlateKind::Page, &at.text),
                SeparatorKind::Space(_) => RowContent::Bare,
            },
            RowKind::Stop(lifeline) => {
                let here = column(*lifeline);
                self.contain(Extent::between(here, here).grown(self.m.bar_half), self.m.frame_pad);
                RowContent::Bare
            }
            RowKind::Open(frame) => {
                self.open(*frame);
                RowContent::Bare
            }
            RowKind::Close(frame) => {
                self.close(*frame);
                RowContent::Bare
            }
            RowKind::Operand(..) | RowKind::Room => RowContent::Bare,
        }
    }

    /// Keeps states of neighbours apart that stand at one height.
    fn part_neighbours(&mut self, rows: &IdVec<RowId, RowContent<'a>>) {
        let ids: Vec<RowId> = rows.ids().collect();
        for pair in ids.windows(2).filter(|pair| self.outline.rows[pair[1]].joined) {
            let (RowContent::Plate(one), RowContent::Plate(other)) = (&rows[pair[0]], &rows[pair[1]]) else {
                continue;
            };
            let (left, right) = if one.extent.left < other.extent.left { (one, other) } else { (other, one) };
            if left.extent.right < right.extent.left {
                let distance = left.extent.after + right.extent.before + self.m.stroke + self.m.clearance;
                self.spacing.request(left.extent.right, right.extent.left, distance);
            }
        }
    }

    /// Something reaches this far inside the innermost open frame; `pad` from there to the frame's side.
    fn contain(&mut self, extent: Extent, pad: i32) {
        let around = self.open.last_mut().expect("the diagram itself is always open");
        let extent = if around.has_sides { extent.grown(pad) } else { extent };
        around.extent = Some(around.extent.map_or(extent, |inside| inside.join(extent)));
        self.spacing.cover(extent);
    }

    fn open(&mut self, frame: FrameId) {
        let combined = self.outline.frames[frame];
        self.open.push(OpenFrame { extent: None, has_sides: !is_coregion(combined) });
        for lifeline in &combined.covers {
            let covered = Extent::between(column(*lifeline), column(*lifeline));
            self.contain(covered, self.m.frame_pad);
        }
    }

    fn close(&mut self, frame: FrameId) {
        let m = self.m;
        let whole = || Extent::between(self.spacing.first(), self.spacing.last()).grown(m.frame_pad);
        let inside = self.open.pop().expect("frames close after they open");
        let mut extent = inside.extent.unwrap_or_else(whole);
        let combined = self.outline.frames[frame];
        let columns = gaps(extent);
        let guard = |operand| m.label(&caption::guard(combined, operand), TextRole::Frame, columns);
        let guards: Vec<MeasuredLabel> = (0..combined.operands.len()).map(guard).collect();
        let tab = self.frames[frame].tab.width + m.tab_pad;
        let widths = guards.iter().enumerate().map(|(operand, guard)| {
            let start = if operand == 0 { tab } else { m.pad_x };
            start + guard.width + m.pad_x + 2 * m.stroke
        });
        let width = widths.max().unwrap_or(0);
        self.fit(&mut extent, width, GapSpread::Right);
        self.spacing.clear(extent, m.clearance);
        self.frames[frame].guards = guards;
        self.frames[frame].extent = extent;
        self.contain(extent, if inside.has_sides { m.frame_inset } else { m.frame_pad });
    }

    /// Makes room for something `width` wide: between the columns, or around the only one.
    fn fit(&mut self, extent: &mut Extent, width: i32, spread: GapSpread) {
        let missing = width - extent.before - extent.after - self.m.stroke;
        if extent.left < extent.right {
            self.spacing.request(extent.left, extent.right, missing.max(0));
            return;
        }
        match spread {
            GapSpread::Even => {
                let reach = self.m.half(width).max(extent.before).max(extent.after);
                (extent.before, extent.after) = (reach, reach);
            }
            GapSpread::Right => extent.after += missing.max(0),
        }
    }
}

/// Where room goes that is missing around a single column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GapSpread {
    Even,
    Right,
}

/// How many gaps between columns lie inside an extent.
fn gaps(extent: Extent) -> usize {
    extent.right.index() - extent.left.index()
}
