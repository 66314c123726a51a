//! The order of the cells in each layer: sweeps by barycentres with exchanges of neighbours (Sugiyama, Tagawa and Toda;
//! Gansner et al., "A technique for drawing directed graphs"). The order with the fewest crossings seen is kept.

use super::cell::Layers;

/// Sweeps at most, and sweeps in a row that may bring nothing.
const SWEEPS: usize = 24;
const PATIENCE: usize = 6;

/// More cells than this are not exchanged one by one.
const MANY: usize = 4000;

/// The number of cells that all sweeps together look at, if that is more than a few sweeps.
const WORK: usize = 2_000_000;

/// Orders every layer.
pub(crate) fn order(layers: &mut Layers) {
    begin(layers);
    let mut best = layers.rows.clone();
    let mut fewest = crossings(layers);
    let mut idle = 0;
    for sweep in 0..(WORK / layers.cells.len().max(1)).clamp(4, SWEEPS) {
        if fewest == 0 || idle == PATIENCE {
            break;
        }
        match sweep % 2 {
            0 => (1..layers.rows.len()).for_each(|row| sort(layers, row, true)),
            _ => (0..layers.rows.len().saturating_sub(1)).rev().for_each(|row| sort(layers, row, false)),
        }
        if layers.cells.len() <= MANY {
            exchange(layers);
        }
        let now = crossings(layers);
        idle += 1;
        if now < fewest {
            (fewest, best, idle) = (now, layers.rows.clone(), 0);
        }
    }
    layers.rows = best;
    layers.number();
}

/// The first order: depth first from the top, so that what belongs together begins together.
fn begin(layers: &mut Layers) {
    let mut seen = vec![false; layers.cells.len()];
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers.rows.len()];
    let starts: Vec<usize> = layers.rows.iter().flatten().copied().collect();
    for start in starts {
        let mut path = vec![start];
        while let Some(cell) = path.pop() {
            if std::mem::replace(&mut seen[cell], true) {
                continue;
            }
            rows[layers.cells[cell].row].push(cell);
            path.extend(layers.below[cell].iter().rev().chain(layers.above[cell].iter().rev()));
        }
    }
    for row in &mut rows {
        row.sort_by_key(|cell| !layers.cells[*cell].is_first);
    }
    layers.rows = rows;
    layers.number();
}

/// Sorts a row by the mean place of the neighbours in the row before or behind; cells without neighbours stay.
fn sort(layers: &mut Layers, row: usize, from_above: bool) {
    let near = if from_above { &layers.above } else { &layers.below };
    let key = |cell: usize| {
        let places = near[cell].iter().map(|other| layers.place[*other] as f64);
        let is_movable = !near[cell].is_empty() && !layers.cells[cell].is_first;
        is_movable.then(|| places.sum::<f64>() / near[cell].len() as f64)
    };
    let cells = &layers.rows[row];
    let keys: Vec<Option<f64>> = cells.iter().map(|cell| key(*cell)).collect();
    let mut sorted: Vec<(f64, usize)> =
        keys.iter().zip(cells).filter_map(|(key, cell)| Some(((*key)?, *cell))).collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut sorted = sorted.into_iter().map(|(_, cell)| cell);
    let next = |(key, cell): (&Option<f64>, &usize)| key.and_then(|_| sorted.next()).unwrap_or(*cell);
    let new: Vec<usize> = keys.iter().zip(cells).map(next).collect();
    layers.rows[row] = new;
    layers.number_row(row);
}

/// Exchanges neighbours as long as that takes crossings away.
fn exchange(layers: &mut Layers) {
    for _ in 0..4 {
        let mut has_changed = false;
        for row in 0..layers.rows.len() {
            for at in 1..layers.rows[row].len() {
                let (left, right) = (layers.rows[row][at - 1], layers.rows[row][at]);
                if layers.cells[left].is_first {
                    continue;
                }
                let (now, then) = pair(layers, left, right);
                if then < now {
                    layers.rows[row].swap(at - 1, at);
                    (layers.place[left], layers.place[right]) = (at, at - 1);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
}

/// Crossings between the lines of two neighbours as they stand, and the other way round.
fn pair(layers: &Layers, left: usize, right: usize) -> (usize, usize) {
    let mut counts = (0, 0);
    for near in [&layers.above, &layers.below] {
        for one in &near[left] {
            for other in &near[right] {
                let (one, other) = (layers.place[*one], layers.place[*other]);
                counts.0 += usize::from(one > other);
                counts.1 += usize::from(other > one);
            }
        }
    }
    counts
}

/// All crossings between neighbouring rows.
pub(crate) fn crossings(layers: &Layers) -> usize {
    let between = |row: usize| {
        let mut ends = Vec::new();
        for cell in &layers.rows[row] {
            let from = ends.len();
            ends.extend(layers.below[*cell].iter().map(|other| layers.place[*other]));
            ends[from..].sort_unstable();
        }
        inversions(&ends, layers.rows[row + 1].len())
    };
    (0..layers.rows.len().saturating_sub(1)).map(between).sum()
}

/// How many pairs stand in the wrong order, by a Fenwick tree.
fn inversions(values: &[usize], limit: usize) -> usize {
    let mut tree = vec![0_usize; limit + 1];
    let mut found = 0;
    for (seen, value) in values.iter().enumerate() {
        let mut at = value + 1;
        let mut not_larger = 0;
        while at > 0 {
            not_larger += tree[at];
            at &= at - 1;
        }
        found += seen - not_larger;
        let mut at = value + 1;
        while at <= limit {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversions_are_counted() {
        assert_eq!(inversions(&[0, 1, 2], 3), 0);
        assert_eq!(inversions(&[2, 1, 0], 3), 3);
        assert_eq!(inversions(&[1, 1, 0, 2], 3), 2);
    }
}
