//! Lines between cells: where they end at boxes, and in which order their horizontal pieces lie between two layers.
//!
//! Between two layers every line that is not straight gets a track of its own as far as it shares columns with others.
//! Lines to the right lie the higher the further right they begin, lines to the left the other way round: two lines in
//! the same direction then never cross without need. A line that begins above the end of another turns before that one does,
//! lest they run beside each other.

use std::collections::BTreeSet;

use super::LayerSpacing;
use super::cell::Layers;
use crate::draw::layout::Point;

/// A piece of a line between two neighbouring layers.
#[derive(Clone, Debug)]
pub(crate) struct RoutePiece {
    /// The layer above.
    pub row: usize,
    /// Where it begins, and where it ends.
    pub xs: [i32; 2],
    /// Its track, if it is not straight.
    pub track: usize,
}

/// Moves a bend of one of two lines of which each begins right above the end of the other: no order of their turns would keep them apart.
/// For each piece, `bends` tells whether its line goes on below it with a label beside it, or without, or ends there.
pub(crate) fn part_circles(pieces: &mut [RoutePiece], bends: &[Option<bool>], rows: usize, beside: i32) {
    let mut by_row: Vec<Vec<usize>> = vec![Vec::new(); rows];
    for (number, piece) in pieces.iter().enumerate() {
        by_row[piece.row].push(number);
    }
    for numbers in by_row {
        let mut ends: Vec<(i32, usize)> =
            numbers.iter().map(|number| (pieces[*number].xs[1], *number)).collect();
        ends.sort_unstable();
        for one in numbers {
            let from = pieces[one].xs[0];
            let first = ends.partition_point(|(end, _)| *end <= from - beside);
            let below = ends[first..].iter().take_while(|(end, _)| *end < from + beside);
            let circle = below.map(|(_, other)| *other).find(|other| {
                let [own, far] = [pieces[one].xs, pieces[*other].xs];
                let both_turn = own[0] != own[1] && far[0] != far[1];
                *other != one
                    && both_turn
                    && (far[0] - own[1]).abs() < beside
                    && (far[1] - own[0]).abs() < beside
            });
            let Some(other) = circle else { continue };
            // The end of one of them, else the beginning of the first, which is the end of the piece above.
            let choices = [
                (Some(one), pieces[other].xs[0]),
                (Some(other), from),
                (one.checked_sub(1), pieces[other].xs[1]),
            ];
            let bend = choices.into_iter().find_map(|(at, away)| {
                let at = at.filter(|at| bends[*at].is_some())?;
                Some((at, away, bends[at] == Some(true)))
            });
            if let Some((at, away, is_label)) = bend {
                let x = if away >= beside { away - beside } else { away + beside };
                if x < away || !is_label {
                    (pieces[at].xs[1], pieces[at + 1].xs[0]) = (x, x);
                }
            }
        }
    }
}

/// Gives every piece its track; how many there are below each layer. Lines that lie less than `beside` from each other in one direction
/// are kept out of each other's way.
pub(crate) fn tracks(pieces: &mut [RoutePiece], rows: usize, apart: i32, beside: i32) -> Vec<usize> {
    let mut by_row: Vec<Vec<usize>> = vec![Vec::new(); rows];
    for (number, piece) in pieces.iter().enumerate() {
        if piece.xs[0] != piece.xs[1] {
            by_row[piece.row].push(number);
        }
    }
    by_row.into_iter().map(|numbers| assign(pieces, numbers, apart, beside)).collect()
}

/// Lines that end closer to each other than `apart` have tracks of their own as well, lest one seems to go on as the other.
fn assign(pieces: &mut [RoutePiece], mut numbers: Vec<usize>, apart: i32, beside: i32) -> usize {
    // Lines to the left come first: their order among those to the right does not matter.
    numbers.sort_by_key(|number| {
        let [from, to] = pieces[*number].xs;
        if to < from { (0, from, to) } else { (1, -from, -to) }
    });
    let numbers = in_turn(pieces, &numbers, beside);
    let mut count = 0;
    for (at, number) in numbers.iter().enumerate() {
        let own = span(&pieces[*number]);
        let is_near = |other: &&usize| {
            let other = span(&pieces[**other]);
            own.0 < other.1 + apart && other.0 < own.1 + apart
        };
        let track =
            numbers[..at].iter().filter(is_near).map(|other| pieces[*other].track + 1).max().unwrap_or(0);
        pieces[*number].track = track;
        count = count.max(track + 1);
    }
    count
}

/// The lines in an order in which each turns before those that end right below its beginning; otherwise as they are. Two that each
/// begin above the end of the other stay as they are.
fn in_turn(pieces: &[RoutePiece], numbers: &[usize], beside: i32) -> Vec<usize> {
    let mut ends: Vec<(i32, usize)> =
        numbers.iter().enumerate().map(|(at, number)| (pieces[*number].xs[1], at)).collect();
    ends.sort_unstable();
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
    let mut waiting = vec![0; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let from = pieces[*number].xs[0];
        let first = ends.partition_point(|(end, _)| *end <= from - beside);
        let below = ends[first..].iter().take_while(|(end, _)| *end < from + beside);
        for (_, other) in below.filter(|(_, other)| *other != at) {
            behind[at].push(*other);
            waiting[*other] += 1;
        }
    }
    let mut left: BTreeSet<usize> = (0..numbers.len()).collect();
    let mut ready: BTreeSet<usize> = left.iter().copied().filter(|at| waiting[*at] == 0).collect();
    let mut order = Vec::new();
    while let Some(next) = ready.pop_first().or_else(|| left.first().copied()) {
        left.remove(&next);
        order.push(numbers[next]);
        for other in &behind[next] {
            waiting[*other] -= 1;
            if waiting[*other] == 0 && left.contains(other) {
                ready.insert(*other);
            }
        }
    }
    order
}

fn span(piece: &RoutePiece) -> (i32, i32) {
    let [from, to] = piece.xs;
    (from.min(to), from.max(to))
}

/// What texts at the ends of lines need below each layer, and above the next one.
pub(crate) struct RowGaps {
    pub upper: Vec<i32>,
    pub lower: Vec<i32>,
}

/// The upper edge of every layer and of what follows the last, and the lower edge of every layer.
pub(crate) fn heights(
    layers: &Layers,
    tracks: &[usize],
    first: i32,
    gaps: &RowGaps,
    spacing: &LayerSpacing,
) -> (Vec<i32>, Vec<i32>) {
    let (mut tops, mut bottoms, mut y) = (Vec::new(), Vec::new(), 0);
    for (row, cells) in layers.rows.iter().enumerate() {
        let tallest = cells.iter().map(|cell| layers.cells[*cell].height).max().unwrap_or(0);
        let tallest = if row == 0 { tallest.max(first) } else { tallest };
        tops.push(y);
        y += tallest;
        bottoms.push(y);
        let is_last = row + 1 == layers.rows.len();
        let bends = tracks[row] as i32;
        y += match (is_last, bends) {
            (true, _) => 0,
            (false, 0) => spacing.layer.max(gaps.upper[row] + gaps.lower[row]),
            (false, _) => {
                let (lead, tip) = (spacing.lead.max(gaps.upper[row]), spacing.tip.max(gaps.lower[row]));
                spacing.layer.max(lead + (bends - 1) * spacing.track + tip)
            }
        };
    }
    (tops, bottoms)
}

/// The corners of a piece, without those in line with what comes before.
pub(crate) fn corners(
    piece: &RoutePiece,
    bottoms: &[i32],
    gaps: &RowGaps,
    spacing: &LayerSpacing,
    points: &mut Vec<Point>,
) {
    let [from, to] = piece.xs;
    if from != to {
        let lead = spacing.lead.max(gaps.upper[piece.row]);
        let y = bottoms[piece.row] + lead + piece.track as i32 * spacing.track;
        points.push(Point { x: from, y });
        points.push(Point { x: to, y });
    }
}

/// Where lines end along a side: as near as they can to where they come from, in their order, within the bounds, and apart
/// from what is taken, if there is room.
pub(crate) fn spread(wished: &[i32], [low, high]: [i32; 2], line: i32, taken: &[i32]) -> Vec<i32> {
    let near = evenly(wished, low, high, line);
    let is_apart = |place: &i32| taken.iter().all(|other| (place - other).abs() >= line);
    if near.iter().all(is_apart) {
        return near;
    }
    // The next place in a direction that is apart from all that is taken.
    let free = |mut place: i32, way: i32| {
        while let Some(other) = taken.iter().find(|other| (place - **other).abs() < line) {
            place = other + way * line;
        }
        place
    };
    let mut places: Vec<i32> = Vec::new();
    for wish in wished {
        let least = places.last().map_or(low, |last| last + line);
        let wish = (*wish).clamp(low, high).max(least);
        let (left, right) = (free(wish, -1), free(wish, 1));
        places.push(if left >= least && wish - left <= right - wish { left } else { right });
    }
    let mut bound = high;
    for place in places.iter_mut().rev() {
        *place = if *place > bound { free(bound, -1) } else { *place };
        bound = *place - line;
    }
    if places.iter().all(|place| *place >= low) { places } else { near }
}

/// The same for ends of lines that have texts to their right, each with the room that it takes.
pub(crate) fn spread_wide(wished: &[i32], widths: &[i32], [low, high]: [i32; 2]) -> Vec<i32> {
    let mut places: Vec<i32> = Vec::new();
    let mut least = low;
    for (wish, width) in wished.iter().zip(widths) {
        places.push((*wish).max(least));
        least = places.last().copied().unwrap_or(low) + width;
    }
    // The text of the last line may pass the end of the box.
    let line = widths.iter().copied().min().unwrap_or(0);
    let mut most = high + line;
    for (place, width) in places.iter_mut().zip(widths).rev() {
        most -= width;
        *place = (*place).min(most).max(low);
        most = *place;
    }
    places
}

fn evenly(wished: &[i32], low: i32, high: i32, line: i32) -> Vec<i32> {
    let last = wished.len() as i32 - 1;
    let step = if last > 0 { line.min((high - low) / last) } else { 0 };
    let mut at = i32::MIN / 2;
    let mut places: Vec<i32> = Vec::new();
    for wish in wished {
        at = (*wish).clamp(low, high).max(at + step);
        places.push(at);
    }
    for (number, place) in places.iter_mut().enumerate() {
        *place = (*place).min(high - (last - number as i32) * step);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_keep_their_order_and_their_distance() {
        assert_eq!(spread(&[0, 0, 50, 99], [10, 60], 10, &[]), [10, 20, 50, 60]);
        assert_eq!(spread(&[30], [10, 60], 10, &[]), [30]);
        assert_eq!(spread(&[0, 0, 0], [10, 12], 10, &[]), [10, 11, 12]);
        // Others pass there already.
        assert_eq!(spread(&[30], [10, 60], 10, &[31]), [21]);
        assert_eq!(spread(&[30, 35], [10, 60], 10, &[29, 70]), [39, 49]);
        assert_eq!(spread(&[30], [25, 35], 10, &[31]), [30], "there is no room");
    }

    #[test]
    fn ends_with_texts_have_room_for_them() {
        assert_eq!(spread_wide(&[0, 0], &[30, 14], [10, 90]), [10, 40]);
        assert_eq!(spread_wide(&[80, 85], &[30, 40], [10, 90]), [50, 80]);
        assert_eq!(spread_wide(&[50], &[40], [10, 60]), [50], "its text may pass the end");
    }

    #[test]
    fn pieces_that_share_columns_have_tracks_of_their_own() {
        let piece = |from, to| RoutePiece { row: 0, xs: [from, to], track: 0 };
        let mut pieces = [piece(0, 10), piece(5, 15), piece(20, 30), piece(7, 7)];
        assert_eq!(tracks(&mut pieces, 1, 1, 0), [2]);
        assert_eq!(pieces.clone().map(|piece| piece.track), [1, 0, 0, 0]);
        assert_eq!(
            tracks(&mut pieces, 1, 8, 0),
            [3],
            "what ends close to another line is kept apart from it"
        );
    }

    #[test]
    fn lines_turn_before_those_that_end_below_their_beginning() {
        let piece = |from, to| RoutePiece { row: 0, xs: [from, to], track: 0 };
        let turns = |mut pieces: Vec<RoutePiece>| {
            tracks(&mut pieces, 1, 10, 7);
            pieces.into_iter().map(|piece| piece.track).collect::<Vec<_>>()
        };
        // From the right to just below where the other begins, and the same from the left.
        assert_eq!(turns(vec![piece(100, 200), piece(300, 102)]), [0, 1]);
        assert_eq!(turns(vec![piece(300, 102), piece(100, 20)]), [1, 0]);
        assert_eq!(turns(vec![piece(100, 200), piece(202, 98)]).len(), 2, "a circle has an end");
        let below = |at: i32| RoutePiece { row: 1, xs: [at, at], track: 0 };
        let mut circle = vec![piece(100, 200), below(200), piece(202, 98), below(98)];
        part_circles(&mut circle, &[Some(true), None, Some(false), None], 2, 7);
        assert_eq!(
            circle.iter().map(|one| one.xs).collect::<Vec<_>>(),
            [[100, 195], [195, 200], [202, 98], [98, 98]]
        );
    }
}
