//! What stands beside a box and belongs to it: transitions to itself, notes, the name of a point.
//!
//! In a drawing that flows down it stands to the right of its box, in one that flows to the right below it; notes that are
//! to stand in front of it, to the left or above. So it is never in the way of lines that come from before or lead on.

use sequent_kernel::model::{NoteLook, NoteSide};

use super::scene::{BoxKind, ChartScene, LineTip, SceneBox, SceneLine};
use crate::draw::label::MeasuredLabel;
use crate::draw::layered::{LayoutFlow, Size};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{Align, PlacedLabel, Point, Rect};

/// What stands beside one box.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    pub loops: Vec<SelfLine>,
    pub notes: Vec<BesideNote>,
    pub name: Option<MeasuredLabel>,
}

/// A note beside a box.
#[derive(Clone, Debug)]
pub(crate) struct BesideNote {
    pub label: MeasuredLabel,
    /// Whether it stands in front of the box rather than behind it.
    pub(crate) is_before: bool,
    /// Its colour as written.
    pub colour: Option<String>,
}

impl BesideNote {
    /// A note as it is wished.
    pub(crate) fn new(label: MeasuredLabel, look: &NoteLook) -> Self {
        let is_before = matches!(look.side, Some(NoteSide::Left | NoteSide::Top));
        Self { label, is_before, colour: look.colour.clone() }
    }
}

/// A line from a box to itself.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub(crate) struct SelfLine {
    pub key: Option<usize>,
    pub label: MeasuredLabel,
    pub(crate) tips: [LineTip; 2],
    pub(crate) is_dashed: bool,
    pub colour: Option<String>,
    pub name: String,
}

/// The sizes of loops.
struct Loops {
    /// How far a loop reaches out, and how long it is along its box.
    reach: i32,
    length: i32,
    /// Between a loop and its label, and between two loops.
    gap: i32,
    /// Between a box and a note.
    note: i32,
}

fn loops(measures: &Measures) -> Loops {
    match measures.stroke {
        0 => Loops { reach: 24, length: 18, gap: 6, note: 20 },
        _ => Loops { reach: 3, length: 2, gap: 1, note: 3 },
    }
}

impl Beside {
    /// How long the side of the box is on which the loops begin.
    fn along(&self, flow: LayoutFlow, sizes: &Loops) -> i32 {
        let slots = self.loops.iter().map(|one| slot(&one.label, flow, sizes));
        slots.sum::<i32>()
    }

    /// A box that is large enough for its loops.
    pub(crate) fn grown(&self, size: Size, flow: LayoutFlow, measures: &Measures) -> Size {
        let along = self.along(flow, &loops(measures)) + 2 * measures.stroke;
        match flow {
            LayoutFlow::Down => Size { height: size.height.max(along), ..size },
            LayoutFlow::Right => Size { width: size.width.max(along), ..size },
        }
    }

    /// The room beside the box.
    pub(crate) fn size(&self, flow: LayoutFlow, measures: &Measures) -> Size {
        let sizes = loops(measures);
        let out = self.reach(flow, &sizes);
        let boxes = self.boxes(false, measures);
        let name = self
            .name
            .as_ref()
            .map_or(Size::default(), |name| Size { width: name.width + sizes.gap, height: name.height });
        match flow {
            LayoutFlow::Down => {
                let widest = boxes.iter().map(|(width, _)| width + sizes.note).max().unwrap_or(0);
                let high: i32 = boxes.iter().map(|(_, height)| height + sizes.gap).sum();
                let along = self.along(flow, &sizes);
                Size { width: (out + widest).max(name.width), height: high.max(along).max(name.height) }
            }
            LayoutFlow::Right => {
                let high: i32 = boxes.iter().map(|(_, height)| height + sizes.gap).sum();
                let widest = boxes.iter().map(|(width, _)| *width).max().unwrap_or(0);
                let lead = if boxes.is_empty() { 0 } else { sizes.note };
                Size { width: widest.max(name.width), height: (out + lead + high).max(name.height) }
            }
        }
    }

    /// The sizes of the notes on one side.
    fn boxes(&self, is_before: bool, measures: &Measures) -> Vec<(i32, i32)> {
        let notes = self.notes.iter().filter(|note| note.is_before == is_before);
        notes.map(|note| measures.boxed(&note.label)).collect()
    }

    /// The room in front of the box.
    pub(crate) fn before(&self, flow: LayoutFlow, measures: &Measures) -> Size {
        let (sizes, boxes) = (loops(measures), self.boxes(true, measures));
        if boxes.is_empty() {
            return Size::default();
        }
        let widest = boxes.iter().map(|(width, _)| *width).max().unwrap_or(0);
        let high: i32 = boxes.iter().map(|(_, height)| height + sizes.gap).sum();
        match flow {
            LayoutFlow::Down => Size { width: widest + sizes.note, height: high },
            LayoutFlow::Right => Size { width: widest, height: high + sizes.note },
        }
    }

    /// How far the loops with their labels reach out.
    fn reach(&self, flow: LayoutFlow, sizes: &Loops) -> i32 {
        let one = |one: &SelfLine| match flow {
            LayoutFlow::Down => sizes.reach + sizes.gap + one.label.width,
            LayoutFlow::Right => sizes.reach.max(one.label.height + sizes.gap),
        };
        self.loops.iter().map(one).max().unwrap_or(0)
    }

    /// The size of the name, if nothing else stands beside: then the point may lie on the frame around it.
    pub(crate) fn border(&self) -> Option<Size> {
        let name = self.name.as_ref().filter(|_| self.loops.is_empty() && self.notes.is_empty())?;
        Some(Size { width: name.width, height: name.height })
    }

    /// Adds everything to a scene. `owner` is the box that it stands beside; the name of a point on a frame has a place.
    pub(crate) fn paint(
        &self,
        owner: usize,
        (rect, named): (Rect, Option<Point>),
        flow: LayoutFlow,
        measures: &Measures,
        scene: &mut ChartScene,
    ) {
        let sizes = loops(measures);
        let along = self.along(flow, &sizes);
        let mut at = match flow {
            LayoutFlow::Down => rect.y + (rect.height - along) / 2,
            LayoutFlow::Right => rect.x + (rect.width - along) / 2,
        };
        for one in &self.loops {
            scene.wires.push(wire(one, owner, rect, flow, at, &sizes));
            at += slot(&one.label, flow, &sizes);
        }
        if let Some(label) = &self.name {
            let (x, y) = match (named, flow) {
                (Some(Point { x, y }), _) => (x, y),
                (None, LayoutFlow::Down) => {
                    (rect.right() + sizes.gap, rect.y + (rect.height - label.height) / 2)
                }
                (None, LayoutFlow::Right) => (rect.x + (rect.width - label.width) / 2, rect.bottom()),
            };
            scene.shapes[owner].texts.push(PlacedLabel { label: label.clone(), x, y, align: Align::Left });
        }
        for is_before in [false, true] {
            self.paint_notes((owner, rect), is_before, flow, measures, scene);
        }
    }

    fn paint_notes(
        &self,
        (owner, rect): (usize, Rect),
        is_before: bool,
        flow: LayoutFlow,
        measures: &Measures,
        scene: &mut ChartScene,
    ) {
        let sizes = loops(measures);
        let out = if is_before { sizes.note } else { self.reach(flow, &sizes) + sizes.note };
        let boxes = self.boxes(is_before, measures);
        let all: i32 = boxes.iter().map(|(_, height)| height + sizes.gap).sum::<i32>() - sizes.gap;
        let mut y = match (flow, is_before) {
            (LayoutFlow::Down, _) => rect.y + (rect.height - all) / 2,
            (LayoutFlow::Right, false) => rect.bottom() + out,
            (LayoutFlow::Right, true) => rect.y - out - all,
        };
        let mut before = (owner, rect);
        let mut notes: Vec<(&BesideNote, (i32, i32))> =
            self.notes.iter().filter(|note| note.is_before == is_before).zip(boxes).collect();
        let is_upwards = is_before && flow == LayoutFlow::Right;
        if is_upwards {
            // The first one stands next to the box.
            notes.reverse();
        }
        let count = notes.len();
        for (at, (note, (width, height))) in notes.into_iter().enumerate() {
            let label = &note.label;
            let x = match (flow, is_before) {
                (LayoutFlow::Down, false) => rect.right() + out,
                (LayoutFlow::Down, true) => rect.x - out - width,
                (LayoutFlow::Right, _) => rect.x + (rect.width - width) / 2,
            };
            let outline = Rect { x, y, width, height };
            let inside = PlacedLabel {
                label: label.clone(),
                x: x + (width - label.width) / 2,
                y: y + (height - label.height) / 2,
                align: Align::Left,
            };
            let number = scene.shapes.len();
            scene.shapes.push(SceneBox {
                kind: BoxKind::Note,
                rect: outline,
                texts: vec![inside],
                rules: Vec::new(),
                colour: note.colour.clone(),
                key: None,
                is_marked: false,
                parent: scene.shapes[owner].parent,
            });
            if is_upwards {
                // The box of the next note below, or the owner.
                let below = if at + 1 == count {
                    (owner, rect.y)
                } else {
                    (number + 1, outline.bottom() + sizes.gap)
                };
                let x = outline.x + outline.width / 2;
                let points = vec![Point { x, y: below.1 }, Point { x, y: outline.bottom() }];
                scene.wires.push(tie(points, [below.0, number]));
            } else if self.loops.is_empty() || is_before {
                scene.wires.push(tie(tether(before.1, outline, flow), [before.0, number]));
            }
            y += height + sizes.gap;
            // Below each other, a note hangs on the one above it.
            before = if flow == LayoutFlow::Down { (owner, rect) } else { (number, outline) };
        }
    }
}

/// A line between a note and what it belongs to.
pub(crate) fn tie(points: Vec<Point>, ends: [usize; 2]) -> SceneLine {
    SceneLine {
        points,
        tips: [LineTip::None; 2],
        is_dashed: true,
        texts: Vec::new(),
        notes: Vec::new(),
        colour: None,
        key: None,
        is_marked: false,
        change: None,
        ends,
        names: Default::default(),
    }
}

/// The line from a box to a note beside it.
fn tether(rect: Rect, note: Rect, flow: LayoutFlow) -> Vec<Point> {
    match flow {
        LayoutFlow::Down => {
            let y = (note.y + note.height / 2).clamp(rect.y, rect.bottom() - 1);
            let y = y.clamp(note.y, note.bottom() - 1);
            match note.x < rect.x {
                true => vec![Point { x: rect.x, y }, Point { x: note.right(), y }],
                false => vec![Point { x: rect.right(), y }, Point { x: note.x, y }],
            }
        }
        LayoutFlow::Right => {
            let x = rect.x + rect.width / 2;
            vec![Point { x, y: rect.bottom() }, Point { x, y: note.y }]
        }
    }
}

/// The room that a loop takes along its box.
fn slot(label: &MeasuredLabel, flow: LayoutFlow, sizes: &Loops) -> i32 {
    match flow {
        LayoutFlow::Down => label.height.max(sizes.length) + sizes.gap,
        LayoutFlow::Right => sizes.length + 2 * sizes.gap + label.width,
    }
}

fn wire(one: &SelfLine, owner: usize, rect: Rect, flow: LayoutFlow, at: i32, sizes: &Loops) -> SceneLine {
    let label = &one.label;
    let height = slot(label, flow, sizes) - sizes.gap;
    let (points, place) = match flow {
        LayoutFlow::Down => {
            let start = at + (height - sizes.length) / 2 + sizes.gap / 2;
            let (upper, lower) = (
                start.clamp(rect.y, rect.bottom() - 1),
                (start + sizes.length - 1).clamp(rect.y, rect.bottom() - 1),
            );
            let (near, far) = (rect.right(), rect.right() + sizes.reach);
            let points = [(near, upper), (far, upper), (far, lower), (near, lower)];
            (points, Point { x: far + sizes.gap, y: at + (height - label.height) / 2 + sizes.gap / 2 })
        }
        LayoutFlow::Right => {
            let (left, right) = (at + sizes.gap / 2, at + sizes.gap / 2 + sizes.length);
            let (near, far) = (rect.bottom(), rect.bottom() + sizes.reach);
            let points = [(left, near), (left, far), (right, far), (right, near)];
            (points, Point { x: right + sizes.gap, y: near + sizes.gap })
        }
    };
    SceneLine {
        points: points.into_iter().map(|(x, y)| Point { x, y }).collect(),
        tips: one.tips,
        is_dashed: one.is_dashed,
        texts: (!label.is_empty())
            .then(|| PlacedLabel { label: label.clone(), x: place.x, y: place.y, align: Align::Left })
            .into_iter()
            .collect(),
        notes: Vec::new(),
        colour: one.colour.clone(),
        key: one.key,
        is_marked: false,
        change: None,
        ends: [owner, owner],
        names: [one.name.clone(), one.name.clone()],
    }
}
