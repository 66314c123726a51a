//! Drawings of parts that no line joins: where they would be too wide side by side, they stand in several rows.
//!
//! Layers are shared by all that is laid out together, so ten small trees would be one wide strip. Each part is laid out for itself then, and
//! they fill shelves from left to right in the order of their first boxes. Boxes without any line are one part: they have rows already.

use super::{LayerSpacing, LayoutEdge, LayoutFlow, LayoutGraph, LayoutNode, Placed, Size, nest};
use crate::draw::layout::{Point, Rect};

/// Finds a place for everything in a drawing that flows down, or that was turned to do so.
pub(crate) fn place(graph: &LayoutGraph, spacing: &LayerSpacing, flow: LayoutFlow) -> Placed {
    let whole = nest::place(graph, spacing, flow);
    if whole.size.width <= spacing.row {
        return whole;
    }
    let parts = parts(graph);
    if parts.len() < 2 {
        return whole;
    }
    let placed: Vec<Placed> =
        parts.iter().map(|part| nest::place(&part.graph(graph), spacing, flow)).collect();
    let sizes: Vec<Size> = placed.iter().map(|one| one.size).collect();
    let (corners, size) = shelves(&sizes, spacing);
    if size.width >= whole.size.width {
        return whole;
    }
    joined(graph, parts.iter().zip(placed).zip(corners), size)
}

/// Boxes and lines that belong together, by their numbers.
#[derive(Default)]
struct DrawingPart {
    nodes: Vec<usize>,
    edges: Vec<usize>,
}

impl DrawingPart {
    /// The part as a graph of its own.
    fn graph(&self, whole: &LayoutGraph) -> LayoutGraph {
        let own = |node: usize| self.nodes.binary_search(&node).unwrap_or(0);
        let node = |number: &usize| {
            let node = whole.nodes[*number].clone();
            LayoutNode { parent: node.parent.map(|(parent, region)| (own(parent), region)), ..node }
        };
        let edge = |number: &usize| {
            let edge = whole.edges[*number].clone();
            LayoutEdge { from: own(edge.from), to: own(edge.to), ..edge }
        };
        LayoutGraph {
            nodes: self.nodes.iter().map(node).collect(),
            edges: self.edges.iter().map(edge).collect(),
        }
    }
}

/// The parts of a graph that no line joins, by their first boxes; boxes without lines are one.
fn parts(graph: &LayoutGraph) -> Vec<DrawingPart> {
    // The box at the outside of each, then the first box of its part.
    let mut root: Vec<usize> = Vec::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        root.push(node.parent.map_or(number, |(parent, _)| root[parent]));
    }
    let mut first: Vec<usize> = (0..graph.nodes.len()).collect();
    let mut is_joined = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        let [one, other] = [edge.from, edge.to].map(|end| found(&mut first, root[end]));
        first[one.max(other)] = one.min(other);
        (is_joined[root[edge.from]], is_joined[root[edge.to]]) = (true, true);
    }
    let alone = (0..root.len()).find(|node| root[*node] == *node && !is_joined[*node]);
    let mut parts: Vec<DrawingPart> = Vec::new();
    let mut number_of = vec![None; graph.nodes.len()];
    let mut part_of: Vec<usize> = Vec::new();
    for (node, root) in root.iter().copied().enumerate() {
        let key = match (is_joined[root], alone) {
            (false, Some(alone)) => alone,
            (true, _) | (false, None) => found(&mut first, root),
        };
        let number = *number_of[key].get_or_insert(parts.len());
        if number == parts.len() {
            parts.push(DrawingPart::default());
        }
        parts[number].nodes.push(node);
        part_of.push(number);
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        parts[part_of[edge.from]].edges.push(number);
    }
    parts
}

/// The first box of the part of a box.
fn found(first: &mut [usize], node: usize) -> usize {
    let mut at = node;
    while first[at] != at {
        first[at] = first[first[at]];
        at = first[at];
    }
    at
}

/// The corner of each part in shelves, and the size of all.
fn shelves(sizes: &[Size], spacing: &LayerSpacing) -> (Vec<Point>, Size) {
    let area: i64 = sizes.iter().map(|size| i64::from(size.width) * i64::from(size.height)).sum();
    let widest = sizes.iter().map(|size| size.width).max().unwrap_or(0);
    // A drawing of much is about twice as wide as high.
    let limit = i32::try_from((2 * area).max(0).isqrt()).unwrap_or(i32::MAX).max(widest).max(spacing.row);
    let (mut corners, mut all) = (Vec::new(), Size::default());
    let (mut x, mut y, mut height) = (0, 0, 0);
    for size in sizes {
        if x > 0 && x + size.width > limit {
            (x, y, height) = (0, y + height + spacing.node, 0);
        }
        corners.push(Point { x, y });
        all = Size { width: all.width.max(x + size.width), height: all.height.max(y + size.height) };
        (x, height) = (x + size.width + spacing.node, height.max(size.height));
    }
    (corners, all)
}

/// All parts in one drawing.
fn joined<'p>(
    graph: &LayoutGraph,
    parts: impl Iterator<Item = ((&'p DrawingPart, Placed), Point)>,
    size: Size,
) -> Placed {
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    let nowhere = Point { x: 0, y: 0 };
    let mut all = Placed {
        size,
        boxes: vec![Rect { x: 0, y: 0, width: 0, height: 0 }; nodes],
        names: vec![None; nodes],
        headers: vec![nowhere; nodes],
        dividers: Vec::new(),
        routes: vec![Vec::new(); edges],
        labels: vec![[nowhere; 3]; edges],
        ends: vec![[nowhere; 2]; edges],
    };
    for ((part, own), corner) in parts {
        let moved = |at: Point| Point { x: at.x + corner.x, y: at.y + corner.y };
        for (at, node) in part.nodes.iter().copied().enumerate() {
            let rect = own.boxes[at];
            all.boxes[node] = Rect { x: rect.x + corner.x, y: rect.y + corner.y, ..rect };
            all.names[node] = own.names[at].map(moved);
            all.headers[node] = moved(own.headers[at]);
        }
        all.dividers.extend(own.dividers.iter().map(|ends| ends.map(moved)));
        for (at, edge) in part.edges.iter().copied().enumerate() {
            all.routes[edge] = own.routes[at].iter().copied().map(moved).collect();
            all.labels[edge] = own.labels[at].map(moved);
            all.ends[edge] = own.ends[at].map(moved);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::chart::scene::spacing;
    use crate::draw::layout::measures::Measures;

    #[test]
    fn parts_that_no_line_joins_fill_several_rows() {
        let size = Size { width: 200, height: 40 };
        let nodes = vec![LayoutNode { size, ..LayoutNode::default() }; 30];
        // Ten pairs, and ten boxes without lines.
        let edges = (0..10).map(|at| LayoutEdge { from: 2 * at, to: 2 * at + 1, ..LayoutEdge::default() });
        let graph = LayoutGraph { nodes, edges: edges.collect() };
        assert_eq!(parts(&graph).len(), 11);
        let spacing = spacing(&Measures::pixels(40));
        let placed = place(&graph, &spacing, LayoutFlow::Down);
        assert!(placed.size.width <= spacing.row, "{:?}", placed.size);
        assert!(placed.routes.iter().all(|route| route.len() == 2));
    }
}
