//! The layout of one region: elements in layers, and the lines between them.

use super::cell::{CellKind, LayerCell, Layers};
use super::coordinate::coordinates;
use super::order::order;
use super::route::{RoutePiece, corners, heights, spread, tracks};
use super::{LayerSpacing, Size};
use crate::draw::layout::{Point, Rect};

/// What stands in a region: a box, a port on its edge, the text of the frame around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionElement {
    /// Which layer; neighbouring elements have a layer for labels between them.
    pub row: usize,
    pub size: Size,
    /// Room to the right of it.
    pub beside: Size,
    /// Lines end in its middle.
    pub is_point: bool,
    /// It may be made wider for the lines that end at it.
    pub grows: bool,
    /// It stands before all others of its layer.
    pub is_first: bool,
    /// It stands at the upper edge of its layer rather than in the middle.
    pub hangs: bool,
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
}

/// Where everything stands, from the upper left corner.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionPlan {
    pub size: Size,
    pub boxes: Vec<Rect>,
    /// The lines from their upper to their lower end.
    pub routes: Vec<Vec<Point>>,
    pub labels: Vec<[Point; 3]>,
}

/// Lays out a region; its first layer is at least `first` high.
pub(crate) fn place(
    elements: &[RegionElement],
    links: &[LayerLink],
    first: i32,
    spacing: &LayerSpacing,
) -> RegionPlan {
    let mut work = RegionWork {
        elements: elements.to_vec(),
        links,
        spacing,
        layers: Layers::default(),
        chains: Vec::new(),
    };
    work.widen();
    work.fill();
    order(&mut work.layers);
    let axes = coordinates(&work.layers, spacing.node);
    work.finish(&axes, first)
}

struct RegionWork<'a> {
    elements: Vec<RegionElement>,
    links: &'a [LayerLink],
    spacing: &'a LayerSpacing,
    layers: Layers,
    /// The cells of each line from above.
    chains: Vec<Vec<usize>>,
}

impl RegionWork<'_> {
    /// Gives the ends of lines room on the sides of their boxes.
    fn widen(&mut self) {
        let mut counts = vec![[0; 2]; self.elements.len()];
        for link in self.links {
            counts[link.upper][1] += 1;
            counts[link.lower][0] += 1;
        }
        for (element, [above, below]) in self.elements.iter_mut().zip(counts) {
            let most: i32 = above.max(below);
            if element.grows && !element.is_point {
                let needed = (most - 1) * self.spacing.line + 2 * self.spacing.corner;
                element.size.width = element.size.width.max(needed);
            }
        }
    }

    /// Makes cells of elements and lines. The cells of elements come first and have their numbers.
    fn fill(&mut self) {
        for (number, element) in self.elements.iter().enumerate() {
            let Size { width, height } = element.size;
            self.layers.add(LayerCell {
                row: element.row,
                kind: CellKind::Element(number),
                left: width / 2,
                right: width - width / 2 + element.beside.width,
                height: height.max(element.beside.height),
                is_first: element.is_first,
            });
        }
        for link in self.links {
            let (upper, lower) = (self.elements[link.upper].row, self.elements[link.lower].row);
            let mut chain = vec![link.upper];
            for row in upper + 1..lower {
                let size = self.labels_in(link, row);
                chain.push(self.layers.add_bend(row, size, self.spacing.line));
            }
            chain.push(link.lower);
            chain.windows(2).for_each(|pair| self.layers.join(pair[0], pair[1]));
            self.chains.push(chain);
        }
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
        let mut pieces: Vec<RoutePiece> = Vec::new();
        for (chain, ends) in self.chains.iter().zip(&attached) {
            let last = chain.len() - 2;
            for (at, pair) in chain.windows(2).enumerate() {
                let from = if at == 0 { ends[0] } else { axes[pair[0]] };
                let to = if at == last { ends[1] } else { axes[pair[1]] };
                pieces.push(RoutePiece { row: self.layers.cells[pair[0]].row, xs: [from, to], track: 0 });
            }
        }
        let tracks = tracks(&mut pieces, self.layers.rows.len());
        let (tops, bottoms) = heights(&self.layers, &tracks, first, self.spacing);
        let boxes: Vec<Rect> =
            (0..self.elements.len()).map(|at| self.rect(at, axes, &tops, &bottoms)).collect();
        let right = self.layers.cells.iter().zip(axes).map(|(cell, x)| x + cell.right).max().unwrap_or(0);
        let size = Size { width: right, height: bottoms.last().copied().unwrap_or(0) };
        let mut routes = Vec::new();
        let mut from = 0;
        for (link, (chain, ends)) in self.links.iter().zip(self.chains.iter().zip(&attached)) {
            let mut points = vec![Point { x: ends[0], y: boxes[link.upper].bottom() }];
            for piece in &pieces[from..from + chain.len() - 1] {
                corners(piece, &bottoms, self.spacing, &mut points);
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
        RegionPlan { size, labels: labels.collect(), boxes, routes }
    }

    /// The box of an element, in the middle of its layer.
    fn rect(&self, number: usize, axes: &[i32], tops: &[i32], bottoms: &[i32]) -> Rect {
        let RegionElement { row, size, hangs, .. } = &self.elements[number];
        let x = axes[number] - size.width / 2;
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
                let left = axes[element] - self.elements[element].size.width / 2;
                match link.fixed[end] {
                    Some(offset) => ends[number][end] = left + offset,
                    None if self.elements[element].is_point => ends[number][end] = axes[element],
                    None => free[element][end].push(number),
                }
            }
        }
        // Lines that pass the frame of a box at a port.
        let mut taken: Vec<[Vec<i32>; 2]> = vec![Default::default(); self.elements.len()];
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
                let left = axes[element] - width / 2;
                let corner = self.spacing.corner.min((width - 1) / 2);
                let bounds = [left + corner, left + width - corner - 1];
                let places = spread(&wished, bounds, self.spacing.line, &taken[element][end]);
                lines.iter().zip(places).for_each(|(line, place)| ends[*line][end] = place);
            }
        }
        ends
    }
}
