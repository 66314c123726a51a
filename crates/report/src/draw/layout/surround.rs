//! What stands around a diagram: its title, header and footer, its caption, its legend.
//!
//! From above: header, title, an upper legend, the diagram, a legend, the caption, the footer, as in PlantUML. Every kind of
//! drawing takes them from here, in pixels and in cells.

use sequent_kernel::model::{Caption, CaptionKind, CaptionSide};

use crate::draw::label::MeasuredLabel;
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{Align, PlacedLabel, Rect};
use crate::draw::metrics::TextRole;

/// A text around a diagram in its place.
#[derive(Clone, Debug)]
pub struct CaptionShape {
    /// The text.
    pub text: PlacedLabel,
    /// Its outline, if it is a legend.
    pub outline: Option<Rect>,
    /// It is small and stands back: a header or a footer.
    pub is_faint: bool,
}

/// The texts around a diagram, measured.
pub(crate) struct Surroundings {
    above: Vec<MeasuredCaption>,
    below: Vec<MeasuredCaption>,
}

struct MeasuredCaption {
    label: MeasuredLabel,
    side: CaptionSide,
    is_boxed: bool,
    is_faint: bool,
}

impl Surroundings {
    /// Measures the texts around a diagram that leaves them so much room.
    pub(crate) fn new(title: Option<&str>, captions: &[Caption], room: i32, m: &Measures) -> Self {
        let room = room.max(m.title_width);
        // PlantUML's headings: a title is one already.
        let title = title.unwrap_or_default().trim().trim_start_matches('=').trim_start();
        let title = MeasuredCaption {
            label: m.bold(title, TextRole::Title, room),
            side: CaptionSide::Centre,
            is_boxed: false,
            is_faint: false,
        };
        let of = |kind: CaptionKind| {
            let all = captions.iter().filter(move |caption| caption.kind == kind);
            all.map(|caption| measured(caption, room, m))
        };
        let above = of(CaptionKind::Header).chain([title]).chain(of(CaptionKind::UpperLegend)).collect();
        let below = [CaptionKind::Legend, CaptionKind::Caption, CaptionKind::Footer].into_iter().flat_map(of);
        let mut all = Self { above, below: below.collect() };
        all.above.retain(|caption| !caption.label.is_empty());
        all.below.retain(|caption| !caption.label.is_empty());
        all
    }

    /// How wide the widest is.
    pub(crate) fn width(&self, m: &Measures) -> i32 {
        self.above.iter().chain(&self.below).map(|caption| caption.size(m).0).max().unwrap_or(0)
    }

    /// Those above the diagram, from `y` on; and where the diagram begins.
    pub(crate) fn above(&self, left: i32, y: i32, width: i32, m: &Measures) -> (Vec<CaptionShape>, i32) {
        let mut at = y;
        let place = |caption: &MeasuredCaption| {
            let shape = caption.place(left, at, width, m);
            at += caption.size(m).1 + m.row_gap.max(m.stroke);
            shape
        };
        (self.above.iter().map(place).collect(), at)
    }

    /// Those below a diagram that ends at `y`; and where they end.
    pub(crate) fn below(&self, left: i32, y: i32, width: i32, m: &Measures) -> (Vec<CaptionShape>, i32) {
        let mut at = y;
        let place = |caption: &MeasuredCaption| {
            at += m.row_gap.max(m.stroke);
            let shape = caption.place(left, at, width, m);
            at += caption.size(m).1;
            shape
        };
        (self.below.iter().map(place).collect(), at)
    }
}

/// A text as it is drawn, without a place; a drawing is one page.
fn measured(caption: &Caption, room: i32, m: &Measures) -> MeasuredCaption {
    let is_boxed = matches!(caption.kind, CaptionKind::Legend | CaptionKind::UpperLegend);
    let is_faint = matches!(caption.kind, CaptionKind::Header | CaptionKind::Footer);
    let role = if is_faint { TextRole::Frame } else { TextRole::Note };
    let text = caption.text.replace("%page%", "1").replace("%lastpage%", "1");
    MeasuredCaption { label: m.within(&text, role, room), side: caption.side, is_boxed, is_faint }
}

impl MeasuredCaption {
    fn size(&self, m: &Measures) -> (i32, i32) {
        match self.is_boxed {
            true => m.boxed(&self.label),
            false => (self.label.width, self.label.height),
        }
    }

    fn place(&self, left: i32, y: i32, width: i32, m: &Measures) -> CaptionShape {
        let (own, height) = self.size(m);
        let x = left
            + match self.side {
                CaptionSide::Left => 0,
                CaptionSide::Centre => (width - own) / 2,
                CaptionSide::Right => width - own,
            };
        let align = if self.is_boxed || self.side == CaptionSide::Left { Align::Left } else { Align::Centre };
        let outline = self.is_boxed.then_some(Rect { x, y, width: own, height });
        let (inset, down) = ((own - self.label.width) / 2, (height - self.label.height) / 2);
        let text = PlacedLabel { label: self.label.clone(), x: x + inset, y: y + down, align };
        CaptionShape { text, outline, is_faint: self.is_faint }
    }
}
