//! Layered layout of nested graphs: boxes in boxes, with lines and labels between them.
//!
//! ```text
//! Graph --pack--> parts --nest--> regions --rank, cell--> layers --order--> order --coordinate--> axes --route--> lines --nest--> Placed
//! ```
//! Each region is laid out for itself, inner ones first, in layers (Sugiyama's method). Which way lines point is decided
//! before that from the outside in: a line that crosses the frame of a box passes through a port on its upper or lower
//! side, and inside that port is an element like others. Labels stand in layers of their own, beside their line, and
//! count with their full size; so nothing lies on anything else by construction. Lines are made of horizontal and
//! vertical pieces, which terminals can show too.
//!
//! Parts that no line joins are laid out for themselves where they would be too wide side by side ([`pack`]).
//!
//! Everything here is computed for drawings that flow down; one that flows to the right is turned at the beginning and at
//! the end. What crates there are for this, and why none of them is used, stands in decision 18.

mod cell;
mod coordinate;
mod nest;
mod order;
mod pack;
mod rank;
mod region;
mod route;
mod row;

use sequent_kernel::model::LineWay;

use crate::draw::layout::{Point, Rect};

/// Boxes and lines that want a place.
#[derive(Clone, Debug, Default)]
pub struct LayoutGraph {
    /// Boxes; one that contains others stands before them.
    pub nodes: Vec<LayoutNode>,
    /// Lines between different boxes.
    pub edges: Vec<LayoutEdge>,
}

/// A box.
#[derive(Clone, Debug, Default)]
pub struct LayoutNode {
    /// The box around it, and in which of its regions it lies.
    pub parent: Option<(usize, usize)>,
    /// Its size; of a box that contains others, the size of the text at its top.
    pub size: Size,
    /// How many regions it has; none if it contains nothing.
    pub regions: usize,
    /// Room that it needs behind it, for what belongs to it; to the right in a drawing that flows down.
    pub beside: Size,
    /// The same in front of it.
    pub before: Size,
    /// Lines end in the middle of its sides.
    pub is_point: bool,
    /// It lies on the frame around it if it can: the size of its name, which stands outside.
    pub border: Option<Size>,
    /// The drawing begins here.
    pub is_initial: bool,
}

/// A line.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct LayoutEdge {
    pub from: usize,
    pub to: usize,
    /// Texts along it: near its beginning, in the middle, near its end.
    pub labels: [Size; 3],
    /// Texts right at its ends.
    pub ends: [Size; 2],
    /// Where its author wants its end.
    pub way: Option<LineWay>,
}

/// Width and height.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Size {
    pub width: i32,
    pub height: i32,
}

/// Which way a drawing flows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LayoutFlow {
    /// From the top to the bottom.
    #[default]
    Down,
    /// From left to right.
    Right,
}

/// Distances.
#[derive(Clone, Copy, Debug)]
pub struct LayerSpacing {
    /// Between neighbouring boxes.
    pub node: i32,
    /// Between parallel lines in the direction of the flow.
    pub line: i32,
    /// Between parallel lines across it.
    pub track: i32,
    /// Between a line that bends and the box above.
    pub lead: i32,
    /// Between a line that bends and the box below: room for an arrow head.
    pub tip: i32,
    /// Between two layers, at least.
    pub layer: i32,
    /// Between a frame and what it contains.
    pub(crate) pad: i32,
    /// From the corner of a box to the first line.
    pub corner: i32,
    /// How wide boxes side by side may be together.
    pub(crate) row: i32,
}

/// Where everything stands.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Placed {
    pub size: Size,
    /// The boxes, without what is beside them.
    pub boxes: Vec<Rect>,
    /// Where the names of points on frames begin.
    pub names: Vec<Option<Point>>,
    /// Where the text of a box that contains others begins.
    pub headers: Vec<Point>,
    /// The lines between neighbouring regions of a box.
    pub dividers: Vec<[Point; 2]>,
    /// The lines from their beginning to their end.
    pub routes: Vec<Vec<Point>>,
    /// Where the texts of each line begin.
    pub labels: Vec<[Point; 3]>,
    /// Where the texts at its ends begin.
    pub ends: Vec<[Point; 2]>,
}

/// Finds a place for everything.
pub fn place(graph: &LayoutGraph, spacing: &LayerSpacing, flow: LayoutFlow) -> Placed {
    let mut own = match flow {
        LayoutFlow::Down => graph.clone(),
        LayoutFlow::Right => turn(graph),
    };
    let moved = move_ends(&mut own);
    let mut placed = pack::place(&own, spacing, flow);
    for (number, moved) in moved.into_iter().enumerate() {
        for (end, label) in [(0, 0), (1, 2)] {
            if moved[end] {
                placed.ends[number][end] = placed.labels[number][label];
            }
        }
    }
    match flow {
        LayoutFlow::Down => placed,
        LayoutFlow::Right => turned(placed),
    }
}

/// Texts at the end of a line have no room beside points and frames: they become texts along the line.
fn move_ends(graph: &mut LayoutGraph) -> Vec<[bool; 2]> {
    let is_tight = |node: &LayoutNode| node.regions > 0 || node.is_point;
    let tight: Vec<bool> = graph.nodes.iter().map(is_tight).collect();
    let move_one = |edge: &mut LayoutEdge| {
        [(edge.from, 0, 0), (edge.to, 1, 2)].map(|(node, end, label)| {
            let moves = tight[node] && edge.ends[end].width > 0;
            if moves {
                edge.labels[label] = std::mem::take(&mut edge.ends[end]);
            }
            moves
        })
    };
    graph.edges.iter_mut().map(move_one).collect()
}

fn turn(graph: &LayoutGraph) -> LayoutGraph {
    let mut graph = graph.clone();
    for node in &mut graph.nodes {
        (node.size, node.beside) = (node.size.turned(), node.beside.turned());
        node.before = node.before.turned();
        node.border = node.border.map(Size::turned);
    }
    for edge in &mut graph.edges {
        edge.labels = edge.labels.map(Size::turned);
        edge.ends = edge.ends.map(Size::turned);
    }
    graph
}

fn turned(placed: Placed) -> Placed {
    let point = |at: Point| Point { x: at.y, y: at.x };
    let rect = |at: Rect| Rect { x: at.y, y: at.x, width: at.height, height: at.width };
    Placed {
        size: placed.size.turned(),
        boxes: placed.boxes.into_iter().map(rect).collect(),
        names: placed.names.into_iter().map(|name| name.map(point)).collect(),
        headers: placed.headers.into_iter().map(point).collect(),
        dividers: placed.dividers.into_iter().map(|ends| ends.map(point)).collect(),
        routes: placed.routes.into_iter().map(|route| route.into_iter().map(point).collect()).collect(),
        labels: placed.labels.into_iter().map(|labels| labels.map(point)).collect(),
        ends: placed.ends.into_iter().map(|ends| ends.map(point)).collect(),
    }
}

impl Size {
    fn turned(self) -> Self {
        Self { width: self.height, height: self.width }
    }
}
