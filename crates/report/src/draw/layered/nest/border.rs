//! Points on frames: entries and exits of a state lie on its outline, with their names outside of it.
//!
//! A frame with such points is laid out with some room around its outline on the side where they lie: half of a point, and the
//! names. Inside, points on the upper side stand in the layer in which lines enter the frame, points on the lower side in the
//! one in which they leave it; a line from outside ends at the point and has no part inside. In the end the outline is
//! drawn where the points have their middle.

use super::{FrameSide, LinePiece, Nest, NestRole};
use crate::draw::layered::{Placed, Size};
use crate::draw::layout::{Point, Rect};

/// How far the outline of a frame stands inside of its room: above, and below.
#[derive(Clone, Copy, Default)]
pub(crate) struct FrameInset {
    pub upper: i32,
    pub lower: i32,
}

impl FrameInset {
    /// The outline in a room.
    pub(crate) fn outline(self, room: Rect) -> Rect {
        Rect { y: room.y + self.upper, height: room.height - self.upper - self.lower, ..room }
    }
}

/// How much of a point lies outside of the outline.
fn outside(size: Size) -> i32 {
    size.height / 2
}

impl Nest<'_> {
    /// Decides for the points of a region on which side of the frame they lie, if they can lie on it.
    pub(crate) fn border(&mut self, region: usize) {
        let Some(owner) = self.regions[region].owner else { return };
        for node in self.regions[region].nodes.clone() {
            let Some(name) = self.graph.nodes[node].border else { continue };
            let Some(side) = self.side_of(region, owner, node) else { continue };
            self.borders[node] = Some(side);
            let room = name.height + self.name_gap() + outside(self.sizes[node]);
            let inset = &mut self.insets[owner];
            match side {
                FrameSide::Upper => inset.upper = inset.upper.max(room),
                FrameSide::Lower => inset.lower = inset.lower.max(room),
            }
        }
    }

    /// The side on which most lines come from outside; without any, where the lines inside lead away from.
    fn side_of(&self, region: usize, owner: usize, node: usize) -> Option<FrameSide> {
        let parts = || self.regions[region].parts.iter();
        let (mut upper, mut lower, mut leads_in) = (0, 0, false);
        for part in parts() {
            let (way, edge) = (&self.ways[part.edge], &self.graph.edges[part.edge]);
            let passed = match part.role {
                NestRole::Exit(own) if own == node => way.sides[0],
                NestRole::Entry(own) if own == node => way.sides[1],
                NestRole::Whole(from, to) if from == node || to == node => {
                    leads_in |= from == node;
                    continue;
                }
                NestRole::Exit(_) | NestRole::Entry(_) | NestRole::Whole(..) => continue,
            };
            if way.gutter == Some(owner) || edge.from == owner || edge.to == owner {
                return None;
            }
            match passed {
                Some(FrameSide::Lower) => lower += 1,
                Some(FrameSide::Upper) | None => upper += 1,
            }
        }
        let side = match (upper, lower) {
            (0, 0) if leads_in => FrameSide::Upper,
            (0, 0) => FrameSide::Lower,
            _ if upper >= lower => FrameSide::Upper,
            _ => FrameSide::Lower,
        };
        // Two points that stand in one layer cannot be joined.
        let is_joined = parts().any(|part| match part.role {
            NestRole::Whole(from, to) => {
                (from == node && self.borders[to] == Some(side))
                    || (to == node && self.borders[from] == Some(side))
            }
            NestRole::Exit(_) | NestRole::Entry(_) => false,
        });
        (!is_joined).then_some(side)
    }

    /// Whether a line between two boxes of a region points up because of a point on the frame; `None` if there is none at its ends.
    pub(crate) fn turned(&self, from: usize, to: usize) -> Option<bool> {
        match (self.borders[from], self.borders[to]) {
            (None, None) => None,
            (Some(FrameSide::Upper), _) | (None, Some(FrameSide::Lower)) => Some(false),
            (Some(FrameSide::Lower), _) | (None, Some(FrameSide::Upper)) => Some(true),
        }
    }

    /// Puts the points into the first and the last layer of a region, and everything else in between.
    pub(crate) fn part_layers(&self, region: usize, ranks: &mut [i32]) {
        let sides: Vec<Option<FrameSide>> =
            self.regions[region].nodes.iter().map(|node| self.borders[*node]).collect();
        if sides.iter().all(Option::is_none) {
            return;
        }
        let first = i32::from(sides.contains(&Some(FrameSide::Upper)));
        let inner = || ranks.iter().zip(&sides).filter(|(_, side)| side.is_none()).map(|(rank, _)| *rank);
        let (low, high) = (inner().min(), inner().max());
        let shift = first - low.unwrap_or(0);
        let last = high.map_or(first, |high| high + shift + 1);
        for (rank, side) in ranks.iter_mut().zip(sides) {
            *rank = match side {
                None => *rank + shift,
                Some(FrameSide::Upper) => 0,
                Some(FrameSide::Lower) => last,
            };
        }
    }

    /// Where lines between a frame and what lies in it end at the frame, from its left edge: at its lower and at its upper side.
    pub(crate) fn inner_ends(&self, node: usize) -> [Vec<i32>; 2] {
        let mut ends = [Vec::new(), Vec::new()];
        for region in self.first[node]..self.first[node] + self.graph.nodes[node].regions {
            for part in &self.regions[region].parts {
                let edge = &self.graph.edges[part.edge];
                match part.role {
                    NestRole::Exit(_) if edge.to == node => ends[0].push(self.port(region, part.edge, true)),
                    NestRole::Entry(_) if edge.from == node => {
                        ends[1].push(self.port(region, part.edge, false));
                    }
                    NestRole::Whole(..) | NestRole::Exit(_) | NestRole::Entry(_) => {}
                }
            }
        }
        ends
    }

    /// Between the outline and the name of a point.
    fn name_gap(&self) -> i32 {
        self.spacing.line / 5
    }

    /// Whether a region has points on this side of its frame.
    pub(crate) fn has_border(&self, region: usize, side: FrameSide) -> bool {
        self.regions[region].nodes.iter().any(|node| self.borders[*node] == Some(side))
    }

    /// The size of a box inside its region, and the room beside it: a point on the frame has room outside of it, and its
    /// name stands beside.
    pub(crate) fn room(&self, node: usize) -> (Size, Size) {
        let (size, source) = (self.sizes[node], &self.graph.nodes[node]);
        let (Some(side), Some(name), Some((owner, _))) = (self.borders[node], source.border, source.parent)
        else {
            return (size, source.beside);
        };
        let inset = match side {
            FrameSide::Upper => self.insets[owner].upper,
            FrameSide::Lower => self.insets[owner].lower,
        };
        let height = inset + size.height - outside(size);
        (Size { height, ..size }, Size { width: name.width + self.spacing.line / 2, height: 0 })
    }

    /// The point on the frame at which a part ends that needs no way inside.
    pub(crate) fn ends_at_border(&self, part: &LinePiece) -> Option<usize> {
        let (node, passed) = match part.role {
            NestRole::Whole(..) => return None,
            NestRole::Exit(node) => (node, self.ways[part.edge].sides[0]),
            NestRole::Entry(node) => (node, self.ways[part.edge].sides[1]),
        };
        let is_end = self.graph.edges[part.edge].from == node || self.graph.edges[part.edge].to == node;
        let is_there = self.borders[node].is_some_and(|side| passed == Some(side));
        (is_end && is_there).then_some(node)
    }

    /// Draws outlines and points where they are seen, and lets lines end there. Before, boxes are rooms.
    pub(crate) fn draw_borders(&self, placed: &mut Placed) {
        let rooms = placed.boxes.clone();
        placed.names = vec![None; rooms.len()];
        for (node, room) in rooms.iter().enumerate() {
            placed.boxes[node] = match self.borders[node].zip(self.graph.nodes[node].parent) {
                None => self.insets[node].outline(*room),
                Some((side, (owner, _))) => {
                    let frame = self.insets[owner].outline(rooms[owner]);
                    let (size, name) = (self.sizes[node], self.graph.nodes[node].border.unwrap_or_default());
                    let x = room.x + room.width + self.spacing.line / 2;
                    let (y, top) = match side {
                        FrameSide::Upper => {
                            (frame.y - outside(size), frame.y - name.height - self.name_gap())
                        }
                        FrameSide::Lower => {
                            (frame.bottom() - size.height + outside(size), frame.bottom() + self.name_gap())
                        }
                    };
                    placed.names[node] = Some(Point { x, y: top });
                    Rect { y, height: size.height, ..*room }
                }
            };
        }
        for (edge, route) in self.graph.edges.iter().zip(&mut placed.routes) {
            if let Some(end) = route.first_mut() {
                end.y = self.end(edge.from, end.y, &rooms, &placed.boxes);
            }
            if let Some(end) = route.last_mut() {
                end.y = self.end(edge.to, end.y, &rooms, &placed.boxes);
            }
        }
    }

    /// Where a line ends at a box that reaches less far than its room.
    fn end(&self, node: usize, y: i32, rooms: &[Rect], boxes: &[Rect]) -> i32 {
        let (room, shown) = (rooms[node], boxes[node]);
        match self.borders[node].zip(self.graph.nodes[node].parent) {
            None if y == room.y => shown.y,
            None if y == room.bottom() => shown.bottom(),
            None => y,
            Some((FrameSide::Upper, (owner, _))) if y == rooms[owner].y => shown.y,
            Some((FrameSide::Upper, _)) => shown.bottom(),
            Some((FrameSide::Lower, (owner, _))) if y == rooms[owner].bottom() => shown.bottom(),
            Some((FrameSide::Lower, _)) => shown.y,
        }
    }
}
