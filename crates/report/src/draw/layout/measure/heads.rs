//! Heads of lifelines and the boxes around them.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{Lifeline, LifelineBox, LifelineId, LifelineKind};

use crate::draw::label::MeasuredLabel;
use crate::draw::layout::columns::{Extent, column};
use crate::draw::layout::measure::{GapSpread, RowPass};
use crate::draw::layout::measures::Measures;
use crate::draw::metrics::TextRole;
use crate::draw::outline::Outline;

/// The head of a lifeline.
pub(crate) struct HeadContent {
    pub label: MeasuredLabel,
    /// Half its width.
    pub half: i32,
    pub height: i32,
}

/// A box around lifelines.
pub(crate) struct BoxContent<'a> {
    pub source: &'a LifelineBox,
    pub caption: MeasuredLabel,
    pub extent: Extent,
}

/// Measures all heads.
pub(crate) fn heads(outline: &Outline<'_>, m: &Measures) -> IdVec<LifelineId, HeadContent> {
    outline.interaction.lifelines.iter().map(|lifeline| head(lifeline, m)).collect()
}

fn head(lifeline: &Lifeline, m: &Measures) -> HeadContent {
    let label = m.label(&text(lifeline, m), TextRole::Head, 1);
    let (width, height) = m.boxed(&label);
    let height = height.max(height - label.height + label.line_height);
    let (wider, higher) = if m.symbol == 0 { (0, 0) } else { symbol(lifeline.kind, m) };
    HeadContent { label, half: m.half((width + wider).max(m.head_width)), height: height + higher }
}

/// Stereotypes above the name; on a terminal also the kind, which has no symbol there.
fn text(lifeline: &Lifeline, m: &Measures) -> String {
    let kind = keyword(lifeline.kind).filter(|_| m.names_kinds);
    let words = kind.into_iter().chain(lifeline.stereotypes.iter().map(String::as_str));
    let mut lines: Vec<String> = words.map(|word| format!("«{word}»")).collect();
    lines.push(lifeline.label.clone());
    lines.join("\n")
}

/// What the outline of a head takes beyond that of a plain box.
fn symbol(kind: LifelineKind, m: &Measures) -> (i32, i32) {
    match kind {
        LifelineKind::Participant => (0, 0),
        LifelineKind::Actor | LifelineKind::Boundary | LifelineKind::Control | LifelineKind::Entity => {
            (0, m.symbol)
        }
        LifelineKind::Database => (0, m.pad_x),
        LifelineKind::Queue => (m.pad_x, 0),
        LifelineKind::Collections => (m.pad_x / 2, m.pad_x / 2),
    }
}

fn keyword(kind: LifelineKind) -> Option<&'static str> {
    match kind {
        LifelineKind::Participant => None,
        LifelineKind::Actor => Some("actor"),
        LifelineKind::Boundary => Some("boundary"),
        LifelineKind::Control => Some("control"),
        LifelineKind::Entity => Some("entity"),
        LifelineKind::Database => Some("database"),
        LifelineKind::Collections => Some("collections"),
        LifelineKind::Queue => Some("queue"),
    }
}

impl<'a> RowPass<'_, 'a> {
    /// Asks for room between neighbouring heads.
    pub(super) fn request_heads(&mut self) {
        let ids: Vec<LifelineId> = self.outline.interaction.lifelines.ids().collect();
        for pair in ids.windows(2) {
            let halves = self.heads[pair[0]].half + self.heads[pair[1]].half;
            self.spacing.request(column(pair[0]), column(pair[1]), halves + self.m.head_gap + self.m.stroke);
        }
        for id in ids {
            let half = self.heads[id].half;
            self.contain(Extent::between(column(id), column(id)).grown(half), 0);
        }
    }

    /// Measures all boxes that hold something, after everything that stands inside.
    pub(super) fn boxes(&mut self) -> Vec<BoxContent<'a>> {
        let sources = &self.outline.interaction.boxes;
        let boxes: Vec<BoxContent<'a>> =
            sources.iter().filter_map(|source| self.lifeline_box(source)).collect();
        for pair in boxes.windows(2) {
            let (left, right) = (pair[0].extent, pair[1].extent);
            if left.right < right.left {
                let gap = self.m.head_gap / 2 + self.m.stroke;
                self.spacing.request(left.right, right.left, left.after + gap + right.before);
            }
        }
        boxes
    }

    fn lifeline_box(&mut self, source: &'a LifelineBox) -> Option<BoxContent<'a>> {
        let (first, last) = (*source.lifelines.iter().min()?, *source.lifelines.iter().max()?);
        let mut extent = Extent::between(column(first), column(last));
        let columns = super::gaps(extent) + 1;
        let caption = self.m.bold(&source.label, TextRole::Frame, self.m.limit(columns));
        if self.m.boxes_enclose {
            extent.before = self.spacing.reach(column(first)).0;
            extent.after = self.spacing.reach(column(last)).1;
            extent = extent.grown(self.m.pad_x);
        } else {
            (extent.before, extent.after) = (self.heads[first].half, self.heads[last].half);
        }
        let width = caption.width + 2 * self.m.pad_x + 2 * self.m.stroke;
        if first == last {
            let missing = width - extent.before - extent.after;
            extent = extent.grown((missing.max(0) + 1) / 2);
        } else {
            self.fit(&mut extent, width, GapSpread::Even);
        }
        self.keep_apart(first, last, extent);
        self.contain(extent, 0);
        Some(BoxContent { source, caption, extent })
    }

    /// Heads beside a box stay outside; two boxes side by side leave a gap.
    fn keep_apart(&mut self, first: LifelineId, last: LifelineId, extent: Extent) {
        let gap = self.m.head_gap / 2 + self.m.stroke + if self.m.boxes_enclose { self.m.pad_x } else { 0 };
        let ids = &self.outline.interaction.lifelines;
        let before = ids.ids().take_while(|id| *id < first).last();
        let after = ids.ids().find(|id| *id > last);
        if let Some(before) = before {
            self.spacing.request(
                column(before),
                column(first),
                self.heads[before].half + gap + extent.before,
            );
        }
        if let Some(after) = after {
            self.spacing.request(column(last), column(after), self.heads[after].half + gap + extent.after);
        }
    }
}
