//! What stands beside a box and belongs to it: transitions to itself, notes, the name of a point.
//!
//! In a drawing that flows down it stands to the right of its box, in one that flows to the right below it; so it is
//! never in the way of lines that come from before or lead on.

use super::scene::{BoxKind, ChartScene, LineTip, SceneBox, SceneLine};
use crate::draw::label::MeasuredLabel;
use crate::draw::layered::{LayoutFlow, Size};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{Align, PlacedLabel, Point, Rect};

/// What stands beside one box.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    pub loops: Vec<SelfLine>,
    pub notes: Vec<MeasuredLabel>,
    pub name: Option<MeasuredLabel>,
}

/// A line from a box to itself.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub(crate) struct SelfLine {
    pub key: Option<usize>,
    pub label: MeasuredLabel,
    pub(crate) tips: [LineTip; 2],
    pub(crate) is_dashed: bool,
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
        let boxes: Vec<(i32, i32)> = self.notes.iter().map(|note| measures.boxed(note)).collect();
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
        self.paint_notes(owner, rect, flow, measures, scene);
    }

    fn paint_notes(
        &self,
        owner: usize,
        rect: Rect,
        flow: LayoutFlow,
        measures: &Measures,
        scene: &mut ChartScene,
    ) {
        let sizes = loops(measures);
        let out = self.reach(flow, &sizes) + sizes.note;
        let boxes: Vec<(i32, i32)> = self.notes.iter().map(|note| measures.boxed(note)).collect();
        let all: i32 = boxes.iter().map(|(_, height)| height + sizes.gap).sum::<i32>() - sizes.gap;
        let mut y = match flow {
            LayoutFlow::Down => rect.y + (rect.height - all) / 2,
            LayoutFlow::Right => rect.bottom() + out,
        };
        let mut before = (owner, rect);
        for (label, (width, height)) in self.notes.iter().zip(boxes) {
            let x = match flow {
                LayoutFlow::Down => rect.right() + out,
                LayoutFlow::Right => rect.x + (rect.width - width) / 2,
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
                colour: None,
                key: None,
                is_marked: false,
                parent: scene.shapes[owner].parent,
            });
            if self.loops.is_empty() {
                scene.wires.push(SceneLine {
                    points: tether(before.1, outline, flow),
                    tips: [LineTip::None; 2],
                    is_dashed: true,
                    texts: Vec::new(),
                    notes: Vec::new(),
                    key: None,
                    is_marked: false,
                    change: None,
                    ends: [before.0, number],
                    names: Default::default(),
                });
            }
            y += height + sizes.gap;
            // Below each other, a note hangs on the one above it.
            before = if flow == LayoutFlow::Down { (owner, rect) } else { (number, outline) };
        }
    }
}

/// The line from a box to a note beside it.
fn tether(rect: Rect, note: Rect, flow: LayoutFlow) -> Vec<Point> {
    match flow {
        LayoutFlow::Down => {
            let y = (note.y + note.height / 2).clamp(rect.y, rect.bottom() - 1);
            let y = y.clamp(note.y, note.bottom() - 1);
            vec![Point { x: rect.right(), y }, Point { x: note.x, y }]
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
        key: one.key,
        is_marked: false,
        change: None,
        ends: [owner, owner],
        names: [one.name.clone(), one.name.clone()],
    }
}
