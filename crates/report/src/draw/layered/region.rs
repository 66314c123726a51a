//! The layout of one region: elements in layers, and the lines between them.

use super::cell::{CellKind, LayerCell, Layers};
use super::coordinate::coordinates;
use super::order::order;
use super::route::{RoutePiece, RowGaps, corners, heights, part_circles, spread, spread_wide, tracks};
use super::row::{self, SideLink};
use super::{LayerSpacing, Size};
use crate::draw::layout::{Point, Rect};

/// What stands in a region: a box, a port on its edge, the text of the frame around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionElement {
    /// Which layer; neighbouring elements have a layer for labels between them.
    pub row: usize,
    pub size: Size,
    /// Room to the right of it, and to the left.
    pub beside: Size,
    pub before: Size,
    /// Lines end in its middle.
    pub is_point: bool,
    /// It may be made wider for the lines that end at it.
    pub grows: bool,
    /// It stands before all others of its layer.
    pub is_first: bool,
    /// It stands at the upper edge of its layer rather than in the middle.
    pub hangs: bool,
    /// Where lines end at it from inside, from its left edge: at its lower and at its upper side.
    pub inner: [Vec<i32>; 2],
}

/// A line from an element to one in a lower layer.
#[derive(Clone, Debug)]
pub(crate) struct LayerLink {
    pub upper: usize,
    pub lower: usize,
    /// Where it must end at the upper and at the lower element, from their left edge.
    pub fixed: [Option<i32>; 2],
    /// Texts near the upper end, in the middle, near the lower end.
    pub labels: [Size; 3],
    /// Texts right at the upper and at the lower end.
    pub ends: [Size; 2],
}

/// What a region holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionParts {
    pub elements: Vec<RegionElement>,
    pub links: Vec<LayerLink>,
    /// Elements that stand side by side.
    pub rows: Vec<Vec<usize>>,
    /// The lines between them.
    pub sides: Vec<SideLink>,
}

/// Where everything stands, from the upper left corner.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionPlan {
    pub size: Size,
    pub boxes: Vec<Rect>,
    /// The lines from their upper to their lower end; then those of rows, from left to right.
    pub routes: Vec<Vec<Point>>,
    pub labels: Vec<[Point; 3]>,
    pub ends: Vec<[Point; 2]>,
}

/// Lays out a region; its first layer is at least `first` high.
pub(crate) fn place(parts: &RegionParts, first: i32, spacing: &LayerSpacing) -> RegionPlan {
    let mut work = RegionWork {
        elements: parts.elements.clone(),
        links: &parts.links,
        sides: &parts.sides,
        spacing,
        layers: Layers::default(),
        cells: vec![(0, 0); parts.elements.len()],
        chains: Vec::new(),
    };
    work.widen();
    work.heighten();
    work.fill(&parts.rows);
    order(&mut work.layers);
    let axes = coordinates(&work.layers, spacing.node);
    work.finish(&axes, first)
}

struct RegionWork<'a> {
    elements: Vec<RegionElement>,
    links: &'a [LayerLink],
    sides: &'a [SideLink],
    spacing: &'a LayerSpacing,
    layers: Layers,
    /// The cell of each element, and how far its left edge is from the axis of that.
    cells: Vec<(usize, i32)>,
    /// The cells of each line from above.
    chains: Vec<Vec<usize>>,
}

impl<'a> RegionWork<'a> {
    /// Gives the ends of lines room on the sides of their boxes.
    fn widen(&mut self) {
        let mut needed = vec![[0; 2]; self.elements.len()];
        for link in self.links {
            needed[link.upper][1] += self.end_width(link.ends[0]);
            needed[link.lower][0] += self.end_width(link.ends[1]);
        }
        for (element, [above, below]) in self.elements.iter_mut().zip(needed) {
            let most: i32 = above.max(below);
            if element.grows && !element.is_point {
                let needed = most - self.spacing.line + 2 * self.spacing.corner;
                element.size.width = element.size.width.max(needed);
            }
        }
        self.widen_frames();
    }

    /// A frame that lines from inside pass needs room for other lines between them.
    fn widen_frames(&mut self) {
        let mut counts = vec![[[0; 2]; 2]; self.elements.len()];
        for link in self.links {
            for (end, element) in [link.upper, link.lower].into_iter().enumerate() {
                counts[element][end][usize::from(link.fixed[end].is_some())] += 1;
            }
        }
        for (element, sides) in self.elements.iter().zip(&mut counts) {
            for (inner, count) in element.inner.iter().zip(sides) {
                count[1] += inner.len() as i32;
            }
        }
        for (element, sides) in self.elements.iter_mut().zip(counts) {
            for [free, fixed] in sides.into_iter().filter(|[free, fixed]| *free > 0 && *fixed > 0) {
                let needed = (free + 2 * fixed) * self.spacing.line + 2 * self.spacing.corner;
                element.size.width = element.size.width.max(needed);
            }
        }
    }

    /// Gives boxes of rows the height that several lines between them need.
    fn heighten(&mut self) {
        for link in self.sides {
            let same = self.same_sides(link);
            if same.len() > 1 {
                let needed = row::height(&same, self.spacing);
                for at in [link.left, link.right] {
                    let size = &mut self.elements[at].size;
                    size.height = size.height.max(needed);
                }
            }
        }
    }

    /// All lines between the same two neighbours.
    fn same_sides(&self, link: &SideLink) -> Vec<&'a SideLink> {
        let ends = (link.left, link.right);
        self.sides.iter().filter(|other| (other.left, other.right) == ends).collect()
    }

    /// The room that the end of a line takes along its box.
    fn end_width(&self, text: Size) -> i32 {
        self.spacing.line.max(if text.width > 0 { text.width + 2 * self.gap() } else { 0 })
    }

    /// Makes cells of elements, those of a row in one, and of lines.
    fn fill(&mut self, rows: &[Vec<usize>]) {
        let mut is_inside = vec![false; self.elements.len()];
        rows.iter().flatten().for_each(|at| is_inside[*at] = true);
        let alone = (0..self.elements.len()).filter(|at| !is_inside[*at]).map(|at| vec![at]);
        for members in alone.chain(rows.iter().cloned()).collect::<Vec<_>>() {
            self.add_row(&members);
        }
        for link in self.links {
            let (upper, lower) = (self.elements[link.upper].row, self.elements[link.lower].row);
            let mut chain = vec![self.cells[link.upper].0];
            for row in upper + 1..lower {
                let size = self.labels_in(link, row);
                chain.push(self.layers.add_bend(row, size, self.spacing.line));
            }
            chain.push(self.cells[link.lower].0);
            chain.windows(2).for_each(|pair| self.layers.join(pair[0], pair[1]));
            self.chains.push(chain);
        }
    }

    /// One cell for elements that stand side by side. Its axis is that of the element at which most lines end.
    fn add_row(&mut self, members: &[usize]) {
        let ends = |at: usize| self.links.iter().filter(|link| link.upper == at || link.lower == at).count();
        let main =
            members.iter().copied().rev().max_by_key(|at| if members.len() > 1 { ends(*at) } else { 0 });
        let (mut x, mut axis, mut height) = (0, 0, 0);
        let mut lefts = Vec::new();
        for (number, at) in members.iter().enumerate() {
            let RegionElement { size, beside, before, .. } = &self.elements[*at];
            x += before.width;
            lefts.push(x);
            if Some(*at) == main {
                axis = x + size.width / 2;
            }
            x += size.width + beside.width;
            height = height.max(size.height).max(beside.height).max(before.height);
            if let Some(next) = members.get(number + 1) {
                let joined: Vec<&SideLink> =
                    self.sides.iter().filter(|side| (side.left, side.right) == (*at, *next)).collect();
                x += row::distance(&joined, self.spacing);
                height = height.max(row::height(&joined, self.spacing));
            }
        }
        let first = &self.elements[members[0]];
        let cell = self.layers.add(LayerCell {
            row: first.row,
            kind: CellKind::Element(members[0]),
            left: axis,
            right: x - axis,
            height,
            is_first: first.is_first,
        });
        for (at, left) in members.iter().zip(lefts) {
            self.cells[*at] = (cell, left - axis);
        }
    }

    /// The left edge of an element.
    fn left(&self, element: usize, axes: &[i32]) -> i32 {
        let (cell, offset) = self.cells[element];
        axes[cell] + offset
    }

    /// Between two layers, what texts at the ends of lines need.
    fn gaps(&self) -> RowGaps {
        let count = self.layers.rows.len();
        let mut gaps = RowGaps { upper: vec![0; count], lower: vec![0; count] };
        let pad = self.end_pad();
        for link in self.links {
            let [above, below] = link.ends.map(|size| if size.width > 0 { size.height + 2 * pad } else { 0 });
            let upper = &mut gaps.upper[self.elements[link.upper].row];
            *upper = above.max(*upper);
            let lower = &mut gaps.lower[self.elements[link.lower].row - 1];
            *lower = below.max(*lower);
        }
        gaps
    }

    /// Between a box and the text at the end of a line.
    fn end_pad(&self) -> i32 {
        self.spacing.line / 5
    }

    /// The layers in which the labels of a line stand.
    fn label_rows(&self, link: &LayerLink) -> [usize; 3] {
        let (upper, lower) = (self.elements[link.upper].row, self.elements[link.lower].row);
        let middle = (upper + lower) / 2;
        let middle = if middle % 2 == 1 { middle } else { middle - 1 };
        [upper + 1, middle.max(upper + 1), lower - 1]
    }

    /// The room that the labels of a line need in a layer.
    fn labels_in(&self, link: &LayerLink, row: usize) -> Size {
        let here = self
            .label_rows(link)
            .into_iter()
            .zip(link.labels)
            .filter(|(own, size)| *own == row && size.width > 0);
        here.fold(Size::default(), |all, (_, size)| Size {
            width: all.width.max(size.width + self.gap()),
            height: all.height + size.height,
        })
    }

    /// Between a line and its label.
    fn gap(&self) -> i32 {
        (self.spacing.line + 1) / 2
    }

    fn finish(self, axes: &[i32], first: i32) -> RegionPlan {
        let attached = self.attach(axes);
        let (mut pieces, mut bends): (Vec<RoutePiece>, Vec<Option<bool>>) = (Vec::new(), Vec::new());
        for (chain, ends) in self.chains.iter().zip(&attached) {
            let last = chain.len() - 2;
            for (at, pair) in chain.windows(2).enumerate() {
                let from = if at == 0 { ends[0] } else { axes[pair[0]] };
                let to = if at == last { ends[1] } else { axes[pair[1]] };
                pieces.push(RoutePiece { row: self.layers.cells[pair[0]].row, xs: [from, to], track: 0 });
                bends.push((at < last).then(|| self.layers.cells[pair[1]].kind == CellKind::Label));
            }
        }
        let beside = self.gap();
        part_circles(&mut pieces, &bends, self.layers.rows.len(), beside);
        let tracks = tracks(&mut pieces, self.layers.rows.len(), self.spacing.track, beside);
        let gaps = self.gaps();
        let (tops, bottoms) = heights(&self.layers, &tracks, first, &gaps, self.spacing);
        let boxes: Vec<Rect> =
            (0..self.elements.len()).map(|at| self.rect(at, axes, &tops, &bottoms)).collect();
        let right = self.layers.cells.iter().zip(axes).map(|(cell, x)| x + cell.right).max().unwrap_or(0);
        let size = Size { width: right, height: bottoms.last().copied().unwrap_or(0) };
        let mut routes = Vec::new();
        let mut from = 0;
        for (link, (chain, ends)) in self.links.iter().zip(self.chains.iter().zip(&attached)) {
            let mut points = vec![Point { x: ends[0], y: boxes[link.upper].bottom() }];
            for piece in &pieces[from..from + chain.len() - 1] {
                corners(piece, &bottoms, &gaps, self.spacing, &mut points);
            }
            points.push(Point { x: ends[1], y: boxes[link.lower].y });
            routes.push(points);
            from += chain.len() - 1;
        }
        let labels = self
            .links
            .iter()
            .zip(&self.chains)
            .map(|(link, chain)| self.labels(link, chain, axes, &tops, &bottoms));
        let labels = labels.collect();
        let texts = self.links.iter().zip(&attached).map(|(link, ends)| self.end_texts(link, *ends, &boxes));
        let ends = texts.collect();
        let mut plan = RegionPlan { size, labels, boxes, routes, ends };
        self.draw_sides(&mut plan);
        plan
    }

    /// Where the texts at the ends of a line begin: to its right.
    fn end_texts(&self, link: &LayerLink, xs: [i32; 2], boxes: &[Rect]) -> [Point; 2] {
        let upper = boxes[link.upper].bottom() + self.end_pad();
        let lower = boxes[link.lower].y - link.ends[1].height - self.end_pad();
        [Point { x: xs[0] + self.gap(), y: upper }, Point { x: xs[1] + self.gap(), y: lower }]
    }

    /// Adds the lines of rows.
    fn draw_sides(&self, plan: &mut RegionPlan) {
        for (number, side) in self.sides.iter().enumerate() {
            let same = self.same_sides(side);
            let before = &self.sides[..number];
            let at = before.iter().filter(|one| (one.left, one.right) == (side.left, side.right)).count();
            let rects = [plan.boxes[side.left], plan.boxes[side.right]];
            let Some(placed) = row::draw(&same, rects, self.spacing).into_iter().nth(at) else { continue };
            plan.routes.push(placed.points);
            plan.labels.push(placed.labels);
            plan.ends.push(placed.ends);
        }
    }

    /// The box of an element, in the middle of its layer.
    fn rect(&self, number: usize, axes: &[i32], tops: &[i32], bottoms: &[i32]) -> Rect {
        let RegionElement { row, size, hangs, .. } = &self.elements[number];
        let x = self.left(number, axes);
        let slack = bottoms[*row] - tops[*row] - size.height;
        let y = tops[*row] + if *hangs { 0 } else { slack / 2 };
        Rect { x, y, width: size.width, height: size.height }
    }

    fn labels(
        &self,
        link: &LayerLink,
        chain: &[usize],
        axes: &[i32],
        tops: &[i32],
        bottoms: &[i32],
    ) -> [Point; 3] {
        let rows = self.label_rows(link);
        let start = self.elements[link.upper].row;
        let mut used: Vec<(usize, i32)> = Vec::new();
        [0, 1, 2].map(|number| {
            let row = rows[number];
            let cell = chain[row - start];
            let slack = bottoms[row] - tops[row] - self.layers.cells[cell].height;
            let before: i32 = used.iter().filter(|(other, _)| *other == row).map(|(_, height)| height).sum();
            used.push((row, if link.labels[number].width > 0 { link.labels[number].height } else { 0 }));
            Point { x: axes[cell] + self.gap(), y: tops[row] + slack / 2 + before }
        })
    }

    /// Where each line ends above and below.
    fn attach(&self, axes: &[i32]) -> Vec<[i32; 2]> {
        let mut ends = vec![[0; 2]; self.links.len()];
        let mut free: Vec<[Vec<usize>; 2]> = vec![Default::default(); self.elements.len()];
        for (number, link) in self.links.iter().enumerate() {
            for (end, element) in [link.upper, link.lower].into_iter().enumerate() {
                let (left, size) = (self.left(element, axes), self.elements[element].size);
                match link.fixed[end] {
                    Some(offset) => ends[number][end] = left + offset,
                    None if self.elements[element].is_point => ends[number][end] = left + size.width / 2,
                    None => free[element][end].push(number),
                }
            }
        }
        // Lines that pass the frame of a box at a port, and those that end at it from inside.
        let inner = |element: usize| {
            let left = self.left(element, axes);
            self.elements[element].inner.each_ref().map(|all| all.iter().map(|at| left + at).collect())
        };
        let mut taken: Vec<[Vec<i32>; 2]> = (0..self.elements.len()).map(inner).collect();
        for (number, link) in self.links.iter().enumerate() {
            for (end, element) in [link.upper, link.lower].into_iter().enumerate() {
                taken[element][end].extend(link.fixed[end].map(|_| ends[number][end]));
            }
        }
        for (element, sides) in free.into_iter().enumerate() {
            for (end, mut lines) in sides.into_iter().enumerate() {
                let next = |line: usize| {
                    let chain = &self.chains[line];
                    axes[if end == 0 { chain[1] } else { chain[chain.len() - 2] }]
                };
                lines.sort_by_key(|line| next(*line));
                let wished: Vec<i32> = lines.iter().map(|line| next(*line)).collect();
                let width = self.elements[element].size.width;
                let left = self.left(element, axes);
                let corner = self.spacing.corner.min((width - 1) / 2);
                let bounds = [left + corner, left + width - corner - 1];
                let widths: Vec<i32> =
                    lines.iter().map(|line| self.end_width(self.links[*line].ends[end])).collect();
                let places = match widths.iter().all(|width| *width == self.spacing.line) {
                    true => spread(&wished, bounds, self.spacing.line, &taken[element][end]),
                    false => spread_wide(&wished, &widths, bounds),
                };
                lines.iter().zip(places).for_each(|(line, place)| ends[*line][end] = place);
            }
        }
        ends
    }
}
