//! Texts with an outline: notes, states, references, dividers.

use sequent_kernel::model::{LifelineId, NotePosition, NoteShape};

use crate::draw::label::MeasuredLabel;
use crate::draw::layout::PlateKind;
use crate::draw::layout::columns::{ColumnId, Extent, column};
use crate::draw::layout::measure::{GapSpread, RowContent, RowPass, gaps};
use crate::draw::layout::measures::Measures;
use crate::draw::metrics::TextRole;

/// A text with an outline.
pub(crate) struct PlateContent<'a> {
    pub kind: PlateKind,
    pub label: MeasuredLabel,
    pub width: i32,
    pub height: i32,
    pub spot: PlatePosition,
    pub extent: Extent,
    pub colour: Option<&'a str>,
}

/// How a plate stands to the columns of its extent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlatePosition {
    /// It covers its extent.
    Over,
    /// At the left end of its extent.
    Left,
    /// At the right end of its extent.
    Right,
}

impl<'a> RowPass<'_, 'a> {
    /// A plate at some lifelines; at all of them if none is named.
    pub(super) fn plate(
        &mut self,
        kind: PlateKind,
        text: &str,
        lifelines: &[LifelineId],
        position: NotePosition,
        colour: Option<&'a str>,
    ) -> RowContent<'a> {
        let (first, last) = self.columns(lifelines, position);
        let mut extent = Extent::between(first, last);
        let label = self.m.label(text, TextRole::Note, gaps(extent));
        let (width, height) = outline_size(kind, &label, self.m);
        let spot = match position {
            NotePosition::Left => {
                extent.before = self.m.left_of(1) + self.m.note_gap + width;
                PlatePosition::Left
            }
            NotePosition::Right => {
                let level = lifelines.iter().max().map_or(0, |last| self.levels[*last]);
                extent.after = self.m.right_of(level) + self.m.note_gap + width;
                PlatePosition::Right
            }
            NotePosition::Over | NotePosition::Across => {
                let overhang = if first < last { self.m.overhang } else { 0 };
                extent = extent.grown(overhang);
                self.fit(&mut extent, width, GapSpread::Even);
                PlatePosition::Over
            }
        };
        self.spacing.clear(extent, self.m.clearance);
        self.contain(extent, self.m.frame_inset);
        RowContent::Plate(PlateContent { kind, label, width, height, spot, extent, colour })
    }

    /// The columns a plate stands at.
    fn columns(&self, lifelines: &[LifelineId], position: NotePosition) -> (ColumnId, ColumnId) {
        let first = lifelines.iter().min().map_or(self.spacing.first(), |first| column(*first));
        let last = lifelines.iter().max().map_or(self.spacing.last(), |last| column(*last));
        match position {
            NotePosition::Left => (first, first),
            NotePosition::Right => (last, last),
            NotePosition::Over => (first, last),
            NotePosition::Across => (self.spacing.first(), self.spacing.last()),
        }
    }

    /// A text across the whole diagram.
    pub(super) fn separator(&mut self, kind: PlateKind, text: &str) -> RowContent<'a> {
        let mut extent = Extent::between(self.spacing.first(), self.spacing.last());
        let label = self.m.bold(text, TextRole::Note, self.m.limit(gaps(extent)));
        let (width, _) = self.m.boxed(&label);
        let height = match (label.is_empty(), kind == PlateKind::Delay) {
            (false, _) => label.height + 2 * self.m.pad_y,
            (true, true) => self.m.space,
            (true, false) => self.m.stroke,
        };
        self.fit(&mut extent, width, GapSpread::Even);
        self.contain(extent, self.m.frame_inset);
        RowContent::Plate(PlateContent {
            kind,
            label,
            width,
            height,
            spot: PlatePosition::Over,
            extent,
            colour: None,
        })
    }
}

/// The size of the outline around a text.
pub(crate) fn outline_size(kind: PlateKind, label: &MeasuredLabel, m: &Measures) -> (i32, i32) {
    let (width, height) = m.boxed(label);
    match kind {
        PlateKind::Note(NoteShape::Folded | NoteShape::Rectangle) => (width, height),
        PlateKind::Note(NoteShape::Hexagon) | PlateKind::Invariant => (width + m.pad_x, height),
        PlateKind::Reference => (width.max(2 * m.tab_pad), height + m.reference_tab),
        PlateKind::Action | PlateKind::Divider | PlateKind::Delay | PlateKind::Page => (width, height),
    }
}
