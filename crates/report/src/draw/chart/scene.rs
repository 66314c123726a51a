//! A drawing of boxes and lines, ready to be painted.

use crate::draw::Change;
use crate::draw::layered::{LayerSpacing, Placed, Size};
use crate::draw::layout::measures::Measures;
use crate::draw::layout::surround::{CaptionShape, Surroundings};
use crate::draw::layout::{PlacedLabel, Point, Rect};

/// A drawing.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct ChartScene {
    pub size: Size,
    /// The accessible name of the drawing.
    pub name: String,
    pub description: String,
    /// Title, header, footer, legend, caption.
    pub captions: Vec<CaptionShape>,
    /// Boxes, outer before inner.
    pub shapes: Vec<SceneBox>,
    /// Lines between regions.
    pub dividers: Vec<[Point; 2]>,
    pub wires: Vec<SceneLine>,
}

/// A box with its texts.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct SceneBox {
    pub kind: BoxKind,
    pub rect: Rect,
    pub texts: Vec<PlacedLabel>,
    /// Heights of the lines between its compartments.
    pub rules: Vec<i32>,
    /// Its colour as written.
    pub colour: Option<String>,
    /// Its number among the vertices of a machine.
    pub key: Option<usize>,
    pub is_marked: bool,
    /// The box around it.
    pub parent: Option<usize>,
}

/// What a box is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BoxKind {
    State,
    /// A state that contains others.
    Composite,
    /// Regions of the machine itself; it has no outline.
    Top,
    Initial,
    Final,
    Choice,
    Junction,
    /// A fork or a join.
    Bar,
    History,
    Entry,
    Exit,
    Terminate,
    Note,
    /// A package or namespace.
    Package,
    Class,
    Object,
}

impl BoxKind {
    /// Whether others may lie inside.
    pub fn contains(self) -> bool {
        matches!(self, BoxKind::Composite | BoxKind::Top | BoxKind::Package)
    }
}

/// A line with its texts.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct SceneLine {
    pub points: Vec<Point>,
    /// What stands at its beginning and at its end.
    pub(crate) tips: [LineTip; 2],
    pub(crate) is_dashed: bool,
    pub texts: Vec<PlacedLabel>,
    /// Texts that are notes.
    pub notes: Vec<(Rect, PlacedLabel)>,
    /// Its colour as written.
    pub colour: Option<String>,
    /// Its number among the transitions of a machine.
    pub key: Option<usize>,
    pub is_marked: bool,
    /// What became of it between two versions.
    pub change: Option<Change>,
    /// The boxes that it joins; the same twice for one that returns.
    pub ends: [usize; 2],
    /// Both ends in words.
    pub names: [String; 2],
}

/// What stands at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum LineTip {
    None,
    Filled,
    Open,
    Triangle,
    Diamond,
    FilledDiamond,
    Circle,
    Cross,
    Square,
    Plus,
    /// A crow's foot, with what stands behind it: nothing, a circle, a bar.
    Crow(CrowSign),
    /// A bar, with what stands behind it.
    Once(CrowSign),
}

/// What stands behind a crow's foot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum CrowSign {
    None,
    Circle,
    Bar,
}

/// The distances of a drawing.
pub fn spacing(measures: &Measures) -> LayerSpacing {
    match measures.stroke {
        0 => {
            let (line, track, lead, tip) = (14, 10, 20, 20);
            LayerSpacing { node: 36, line, track, lead, tip, layer: 20, pad: 16, corner: 12, row: 1100 }
        }
        // The narrower texts are, the narrower rows.
        _ => {
            let (line, track, lead, tip) = (2, 1, 1, 2);
            let row = 2 * measures.text_width;
            LayerSpacing { node: 3, line, track, lead, tip, layer: 1, pad: 2, corner: 1, row }
        }
    }
}

impl ChartScene {
    /// Moves everything between what stands around it and into the margin.
    pub(crate) fn settle(&mut self, around: &Surroundings, measures: &Measures) {
        let margin = measures.margin;
        let width = around.width(measures).max(self.size.width);
        let (mut captions, top) = around.above(margin, margin, width, measures);
        self.shift(margin + (width - self.size.width) / 2, top);
        let (below, bottom) = around.below(margin, top + self.size.height, width, measures);
        captions.extend(below);
        self.captions = captions;
        self.size = Size { width: width + 2 * margin, height: bottom + margin };
    }

    fn shift(&mut self, x: i32, y: i32) {
        let point = |at: &mut Point| (at.x, at.y) = (at.x + x, at.y + y);
        let rect = |at: &mut Rect| (at.x, at.y) = (at.x + x, at.y + y);
        let text = |at: &mut PlacedLabel| (at.x, at.y) = (at.x + x, at.y + y);
        for shape in &mut self.shapes {
            rect(&mut shape.rect);
            shape.texts.iter_mut().for_each(text);
            shape.rules.iter_mut().for_each(|rule| *rule += y);
        }
        self.dividers.iter_mut().flatten().for_each(point);
        for wire in &mut self.wires {
            wire.points.iter_mut().for_each(point);
            wire.texts.iter_mut().for_each(text);
            wire.notes.iter_mut().for_each(|(outline, inside)| {
                rect(outline);
                text(inside);
            });
        }
    }

    /// Takes over the size and the dividers of a layout.
    pub fn of(placed: &Placed) -> Self {
        Self { size: placed.size, dividers: placed.dividers.clone(), ..Self::default() }
    }
}
