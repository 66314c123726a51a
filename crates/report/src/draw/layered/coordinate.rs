//! Where cells stand in their layers: the algorithm of Brandes and Koepf ("Fast and simple horizontal coordinate
//! assignment"), with cells that have a width. Four extreme placements, each of which makes most lines straight, are
//! computed and averaged: the mean of the two middle ones keeps all distances.

use std::collections::BTreeSet;

use super::cell::{CellKind, Layers};

/// The axis of every cell, with at least `gap` between neighbours.
pub(crate) fn coordinates(layers: &Layers, gap: i32) -> Vec<i32> {
    let conflicts = conflicts(layers);
    let mut all: Vec<Vec<i32>> = Vec::new();
    for from_below in [false, true] {
        for from_right in [false, true] {
            all.push(CoordinatePlacement { layers, from_below, from_right, gap }.place(&conflicts));
        }
    }
    let extent = |xs: &[i32]| {
        let cells = || layers.cells.iter().zip(xs);
        let low = cells().map(|(cell, x)| x - cell.left).min().unwrap_or(0);
        let high = cells().map(|(cell, x)| x + cell.right).max().unwrap_or(0);
        (low, high)
    };
    let narrowest = all.iter().map(|xs| extent(xs)).min_by_key(|(low, high)| high - low).unwrap_or((0, 0));
    for (number, xs) in all.iter_mut().enumerate() {
        let (low, high) = extent(xs);
        let shift = if number % 2 == 0 { narrowest.0 - low } else { narrowest.1 - high };
        xs.iter_mut().for_each(|x| *x += shift);
    }
    let middle = |cell: usize| {
        let mut four: Vec<i32> = all.iter().map(|xs| xs[cell]).collect();
        four.sort_unstable();
        (four[1] + four[2]).div_euclid(2)
    };
    let xs: Vec<i32> = (0..layers.cells.len()).map(middle).collect();
    let (low, _) = extent(&xs);
    xs.into_iter().map(|x| x - low).collect()
}

/// Lines that cross the inner part of a long line, which is to stay straight.
fn conflicts(layers: &Layers) -> BTreeSet<(usize, usize)> {
    let is_bend = |cell: usize| !matches!(layers.cells[cell].kind, CellKind::Element(_));
    let inner = |cell: usize| {
        let above = layers.above[cell].first().copied();
        above.filter(|above| is_bend(cell) && is_bend(*above))
    };
    let mut found = BTreeSet::new();
    for (number, row) in layers.rows.iter().enumerate().skip(1) {
        let (mut low, mut scanned) = (0, 0);
        for (at, cell) in row.iter().enumerate() {
            let inside = inner(*cell);
            let is_last = at + 1 == row.len();
            if inside.is_none() && !is_last {
                continue;
            }
            let high = inside.map_or(layers.rows[number - 1].len(), |above| layers.place[above]);
            for other in &row[scanned..=at] {
                for above in &layers.above[*other] {
                    let place = layers.place[*above];
                    let is_inner = is_bend(*other) && is_bend(*above);
                    if (place < low || place > high) && !is_inner {
                        found.insert((*above, *other));
                    }
                }
            }
            (low, scanned) = (high, at + 1);
        }
    }
    found
}

/// One of the four placements.
struct CoordinatePlacement<'a> {
    layers: &'a Layers,
    from_below: bool,
    from_right: bool,
    gap: i32,
}

impl CoordinatePlacement<'_> {
    fn place(&self, conflicts: &BTreeSet<(usize, usize)>) -> Vec<i32> {
        let rows = self.rows();
        let mut place = vec![0; self.layers.cells.len()];
        for row in &rows {
            row.iter().enumerate().for_each(|(at, cell)| place[*cell] = at);
        }
        let root = self.align(&rows, &place, conflicts);
        let xs = self.compact(&rows, &root);
        let sign = if self.from_right { -1 } else { 1 };
        root.iter().map(|root| sign * xs[*root]).collect()
    }

    /// The layers as they are seen from this side.
    fn rows(&self) -> Vec<Vec<usize>> {
        let mut rows = self.layers.rows.clone();
        if self.from_below {
            rows.reverse();
        }
        if self.from_right {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        rows
    }

    /// Which cells stand on one axis, each by the first of them.
    fn align(
        &self,
        rows: &[Vec<usize>],
        place: &[usize],
        conflicts: &BTreeSet<(usize, usize)>,
    ) -> Vec<usize> {
        let mut root: Vec<usize> = (0..place.len()).collect();
        let near = if self.from_below { &self.layers.below } else { &self.layers.above };
        let mut others: Vec<usize> = Vec::new();
        for row in rows {
            let mut last: Option<usize> = None;
            for cell in row {
                others.clone_from(&near[*cell]);
                others.sort_by_key(|other| place[*other]);
                if others.is_empty() {
                    continue;
                }
                let middles = (others.len() - 1) / 2..=others.len() / 2;
                for other in middles.map(|at| others[at]) {
                    let line = if self.from_below { (*cell, other) } else { (other, *cell) };
                    let is_free = root[*cell] == *cell && last.is_none_or(|last| last < place[other]);
                    if is_free && !conflicts.contains(&line) {
                        root[*cell] = root[other];
                        last = Some(place[other]);
                    }
                }
            }
        }
        root
    }

    /// The axis of each group, as far to the left as it can be, then to the right where that brings it nearer.
    fn compact(&self, rows: &[Vec<usize>], root: &[usize]) -> Vec<i32> {
        let mut behind: Vec<Vec<(usize, i32)>> = vec![Vec::new(); root.len()];
        let mut waiting = vec![0; root.len()];
        for row in rows {
            for pair in row.windows(2) {
                let (left, right) = (root[pair[0]], root[pair[1]]);
                behind[left].push((right, self.distance(pair[0], pair[1])));
                waiting[right] += 1;
            }
        }
        let mut order: Vec<usize> =
            (0..root.len()).filter(|cell| root[*cell] == *cell && waiting[*cell] == 0).collect();
        let mut xs = vec![0; root.len()];
        let mut at = 0;
        while let Some(cell) = order.get(at).copied() {
            at += 1;
            for (next, distance) in &behind[cell] {
                xs[*next] = xs[*next].max(xs[cell] + distance);
                waiting[*next] -= 1;
                if waiting[*next] == 0 {
                    order.push(*next);
                }
            }
        }
        for cell in order.iter().rev() {
            let furthest = behind[*cell].iter().map(|(next, distance)| xs[*next] - distance).min();
            if let Some(furthest) = furthest {
                xs[*cell] = xs[*cell].max(furthest);
            }
        }
        xs
    }

    fn distance(&self, near: usize, far: usize) -> i32 {
        let (near, far) = (&self.layers.cells[near], &self.layers.cells[far]);
        let are_elements = matches!((near.kind, far.kind), (CellKind::Element(_), CellKind::Element(_)));
        let gap = if are_elements { self.gap } else { self.gap / 2 };
        match self.from_right {
            false => near.right + far.left + gap,
            true => near.left + far.right + gap,
        }
    }
}
