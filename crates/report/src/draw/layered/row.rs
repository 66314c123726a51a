//! Boxes side by side: what a line across the drawing joins (`A -right-> B`) stands in one layer and is moved as one.
//!
//! A row is a chain of boxes with fixed distances, in which the lines between neighbours are straight. A box that a line could
//! not reach so, because notes stand there or other lines lead past it, is left out of the row; its line then goes from
//! layer to layer like others.

use sequent_kernel::model::LineWay;

use super::{LayerSpacing, Size};
use crate::draw::layout::{Point, Rect};

/// A line between neighbours of a row.
#[derive(Clone, Debug)]
pub(crate) struct SideLink {
    pub left: usize,
    pub right: usize,
    /// Texts near the left end, in the middle, near the right end.
    pub labels: [Size; 3],
    /// Texts right at the ends.
    pub ends: [Size; 2],
}

/// A line that may join two boxes of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowWish {
    pub from: usize,
    pub to: usize,
    pub way: Option<LineWay>,
    /// Whether both boxes are its own ends, rather than boxes around them.
    pub is_direct: bool,
    /// The width of the texts along it.
    pub width: i32,
}

impl RowWish {
    /// The box at the left and the one at the right, if it lies across.
    pub(crate) fn sides(&self) -> Option<[usize; 2]> {
        match self.way? {
            LineWay::Right => Some([self.from, self.to]),
            LineWay::Left => Some([self.to, self.from]),
            LineWay::Up | LineWay::Down => None,
        }
    }

    fn joins(&self, one: usize, other: usize) -> bool {
        (self.from, self.to) == (one, other) || (self.to, self.from) == (one, other)
    }
}

/// What a box allows beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowBox {
    pub width: i32,
    /// Whether a line may end at its left and at its right side.
    pub is_free: [bool; 2],
    /// Whether it has room for several lines on one side.
    pub grows: bool,
}

/// The rows of a region, each of at least two boxes from left to right.
pub(crate) fn rows(boxes: &[RowBox], wishes: &[RowWish], widest: i32) -> Vec<Vec<usize>> {
    let mut row_of: Vec<usize> = (0..boxes.len()).collect();
    let mut rows: Vec<Vec<usize>> = (0..boxes.len()).map(|at| vec![at]).collect();
    for wish in wishes.iter().filter(|wish| wish.is_direct) {
        let Some([left, right]) = wish.sides() else { continue };
        let (first, second) = (row_of[left], row_of[right]);
        let meets =
            first != second && rows[first].last() == Some(&left) && rows[second].first() == Some(&right);
        let between: Vec<&RowWish> = wishes.iter().filter(|other| other.joins(left, right)).collect();
        let is_single = between.len() == 1 || (boxes[left].grows && boxes[right].grows);
        let fits = boxes[left].is_free[1] && boxes[right].is_free[0] && is_single;
        if !meets || !fits || between.iter().any(|other| !other.is_direct) {
            continue;
        }
        let leads_past = wishes.iter().any(|other| {
            let is_in = |row: usize, at: usize| rows[row].contains(&at);
            let crosses = is_in(first, other.from) && is_in(second, other.to)
                || is_in(second, other.from) && is_in(first, other.to);
            crosses && !other.joins(left, right)
        });
        let width: i32 = rows[first].iter().chain(&rows[second]).map(|at| boxes[*at].width).sum();
        let count = (rows[first].len() + rows[second].len()) as i32 - 1;
        if leads_past || width + count * (wish.width + widest / 24) > widest {
            continue;
        }
        let moved = std::mem::take(&mut rows[second]);
        moved.iter().for_each(|at| row_of[*at] = first);
        rows[first].extend(moved);
    }
    rows.retain(|row| row.len() > 1);
    rows
}

/// The room of all texts of a line above it, and of those at its ends below it.
fn room(link: &SideLink) -> (Size, Size) {
    let above = link.labels.iter().fold(Size::default(), |all, size| Size {
        width: all.width.max(size.width),
        height: all.height + size.height,
    });
    let [left, right] = link.ends;
    let below = Size { width: left.width + right.width, height: left.height.max(right.height) };
    (above, below)
}

/// How far apart the boxes stand that these lines join.
pub(crate) fn distance(links: &[&SideLink], spacing: &LayerSpacing) -> i32 {
    let needed = links.iter().map(|link| {
        let (above, below) = room(link);
        above.width.max(below.width + if below.width > 0 { spacing.line } else { 0 }) + 2 * spacing.tip
    });
    needed.max().unwrap_or(0).max(spacing.node + spacing.tip / 2)
}

/// How high boxes are that these lines join.
pub(crate) fn height(links: &[&SideLink], spacing: &LayerSpacing) -> i32 {
    let pad = spacing.line / 5;
    match links {
        [only] => {
            let (above, below) = room(only);
            2 * (above.height.max(below.height) + if above.height + below.height > 0 { pad } else { 0 }) + 1
        }
        several => several.iter().map(|link| slot(link, spacing)).sum::<i32>() + spacing.corner,
    }
}

/// The room of one of several lines.
fn slot(link: &SideLink, spacing: &LayerSpacing) -> i32 {
    let (above, below) = room(link);
    (above.height + below.height + spacing.line / 2).max(spacing.line)
}

/// A line of a row in its place: its two points, where its texts begin, and those at its ends.
pub(crate) struct PlacedSide {
    pub points: Vec<Point>,
    pub labels: [Point; 3],
    pub ends: [Point; 2],
}

/// Draws all lines between two neighbours.
pub(crate) fn draw(links: &[&SideLink], [left, right]: [Rect; 2], spacing: &LayerSpacing) -> Vec<PlacedSide> {
    let pad = spacing.line / 5;
    let centre = (left.y + left.height / 2).clamp(right.y, right.bottom() - 1);
    let all: i32 = links.iter().map(|link| slot(link, spacing)).sum();
    let mut top = centre - all / 2;
    let one = |link: &&SideLink| {
        let (above, _) = room(link);
        let y = if links.len() == 1 { centre } else { top + above.height + spacing.line / 4 };
        top += slot(link, spacing);
        let mut at = y - above.height - if above.height > 0 { pad } else { 0 };
        let middle = (left.right() + right.x) / 2;
        let labels = link.labels.map(|size| {
            let place = Point { x: middle - size.width / 2, y: at };
            at += size.height;
            place
        });
        let below = y + pad + 1;
        let ends = [left.right() + pad + 1, right.x - link.ends[1].width - pad - 1];
        PlacedSide {
            points: vec![Point { x: left.right(), y }, Point { x: right.x, y }],
            labels,
            ends: ends.map(|x| Point { x, y: below }),
        }
    };
    links.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_stand_side_by_side_as_far_as_lines_between_them_allow() {
        let plain = RowBox { width: 50, is_free: [true; 2], grows: true };
        let wish = |from, to, way| RowWish { from, to, way: Some(way), is_direct: true, width: 10 };
        let right = LineWay::Right;
        assert_eq!(rows(&[plain; 3], &[wish(0, 1, right), wish(1, 2, right)], 1000), [[0, 1, 2]]);
        assert_eq!(rows(&[plain; 2], &[wish(0, 1, LineWay::Left)], 1000), [[1, 0]]);
        let down = RowWish { way: None, ..wish(0, 2, right) };
        assert_eq!(
            rows(&[plain; 3], &[wish(0, 1, right), wish(1, 2, right), down], 1000),
            [[0, 1]],
            "leads past"
        );
        assert_eq!(
            rows(&[plain; 3], &[wish(0, 1, right), wish(0, 2, right)], 1000),
            [[0, 1]],
            "one neighbour"
        );
        let noted = RowBox { is_free: [true, false], ..plain };
        assert!(rows(&[noted, plain], &[wish(0, 1, right)], 1000).is_empty());
        assert!(rows(&[plain; 2], &[wish(0, 1, right)], 100).is_empty(), "too wide");
        assert!(rows(&[plain; 2], &[wish(0, 1, right), wish(1, 0, right)], 1000) == [[0, 1]], "both ways");
    }
}
