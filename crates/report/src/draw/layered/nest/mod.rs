//! Boxes in boxes: regions are laid out from the inside out, and their parts moved to where they stand in the whole.

mod border;

use sequent_kernel::model::LineWay;

use self::border::FrameInset;
use super::rank::{broken, ranks};
use super::region::{self, LayerLink, RegionElement, RegionParts, RegionPlan};
use super::row::{RowBox, RowWish, SideLink, rows};
use super::{LayerSpacing, LayoutFlow, LayoutGraph, Placed, Size};
use crate::draw::layout::{Point, Rect};

/// Finds a place for everything in a drawing that flows down, or that was turned to do so.
pub(crate) fn place(graph: &LayoutGraph, spacing: &LayerSpacing, flow: LayoutFlow) -> Placed {
    let mut nest = Nest::new(graph, spacing, flow);
    (0..nest.regions.len()).for_each(|region| nest.rank(region));
    for region in (0..nest.regions.len()).rev() {
        nest.lay_out(region);
    }
    nest.assemble()
}

/// Which side of a frame a line passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FrameSide {
    Upper,
    Lower,
}

/// A line or a part of one, in one region.
#[derive(Clone, Copy, Debug)]
struct LinePiece {
    edge: usize,
    role: NestRole,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NestRole {
    /// Between two boxes of the region.
    Whole(usize, usize),
    /// From a box out of the region.
    Exit(usize),
    /// Into the region to a box.
    Entry(usize),
}

#[derive(Default)]
struct NestRegion {
    owner: Option<usize>,
    /// The boxes in it.
    nodes: Vec<usize>,
    parts: Vec<LinePiece>,
    /// The layer of each box, from 0.
    ranks: Vec<i32>,
    /// Boxes that stand side by side, from left to right.
    rows: Vec<Vec<usize>>,
    /// Whether the text of the frame stands beside ports.
    holds_header: bool,
    has_upper: bool,
    has_lower: bool,
    plan: RegionPlan,
    /// Where it begins in the frame around it.
    origin: (i32, i32),
    /// The numbers of its parts' elements that are ports.
    ports: Vec<Option<usize>>,
    /// The numbers of its parts' links; none if a part ends at a point on the frame.
    link_of: Vec<Option<usize>>,
    /// Whether each part points up.
    reversed: Vec<bool>,
}

/// A line through the nested boxes.
#[derive(Clone, Debug, Default)]
struct NestedLine {
    /// Regions that are left, from the inside out; then the common one; then those that are entered.
    exits: Vec<usize>,
    whole: Option<usize>,
    entries: Vec<usize>,
    sides: [Option<FrameSide>; 2],
    /// The frame below whose regions both ends are joined.
    gutter: Option<usize>,
}

struct Nest<'a> {
    graph: &'a LayoutGraph,
    spacing: &'a LayerSpacing,
    flow: LayoutFlow,
    regions: Vec<NestRegion>,
    /// The number of a box's first region.
    first: Vec<usize>,
    /// The place of a box in its region.
    index: Vec<usize>,
    /// The sizes of boxes.
    sizes: Vec<Size>,
    headers: Vec<(i32, i32)>,
    ways: Vec<NestedLine>,
    /// On which side of the frame around it a point lies.
    borders: Vec<Option<FrameSide>>,
    /// How far the outlines of frames stand inside of their rooms.
    insets: Vec<FrameInset>,
}

impl<'a> Nest<'a> {
    fn new(graph: &'a LayoutGraph, spacing: &'a LayerSpacing, flow: LayoutFlow) -> Self {
        let count = graph.nodes.len();
        let mut regions = vec![NestRegion::default()];
        let (mut first, mut index) = (vec![0; count], vec![0; count]);
        for (number, node) in graph.nodes.iter().enumerate() {
            first[number] = regions.len();
            regions.extend(
                (0..node.regions).map(|_| NestRegion { owner: Some(number), ..NestRegion::default() }),
            );
            let region = node.parent.map_or(0, |(parent, region)| first[parent] + region);
            index[number] = regions[region].nodes.len();
            regions[region].nodes.push(number);
        }
        let sizes = graph.nodes.iter().map(|node| node.size).collect();
        let headers = vec![(0, 0); count];
        let (borders, insets) = (vec![None; count], vec![FrameInset::default(); count]);
        let ways = Vec::new();
        let mut nest =
            Self { graph, spacing, flow, regions, first, index, sizes, headers, ways, borders, insets };
        for number in 0..graph.edges.len() {
            nest.divide(number);
        }
        nest
    }

    /// The regions around a box from the outside in, each with the box in it that it is or lies in.
    fn chain(&self, node: usize) -> Vec<(usize, usize)> {
        let mut chain = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let parent = self.graph.nodes[node].parent;
            chain.push((parent.map_or(0, |(parent, region)| self.first[parent] + region), node));
            at = parent.map(|(parent, _)| parent);
        }
        chain.reverse();
        chain
    }

    /// Divides a line into its parts.
    fn divide(&mut self, edge: usize) {
        let (from, to) = (self.chain(self.graph.edges[edge].from), self.chain(self.graph.edges[edge].to));
        let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
        let mut way = NestedLine::default();
        let (mut exits, mut entries) = (&from[common..], &to[common..]);
        match (exits.first(), entries.first()) {
            (Some(one), Some(other)) if one.0 == other.0 => {
                way.whole = Some(one.0);
                self.regions[one.0].parts.push(LinePiece { edge, role: NestRole::Whole(one.1, other.1) });
                (exits, entries) = (&exits[1..], &entries[1..]);
            }
            // Between two regions of one box, below both.
            (Some(one), Some(_)) => {
                way.sides = [Some(FrameSide::Lower); 2];
                way.gutter = self.regions[one.0].owner;
            }
            // From a box to one inside it enters at the top, out of it leaves below.
            (None, _) | (_, None) => way.sides = [Some(FrameSide::Lower), Some(FrameSide::Upper)],
        }
        for (region, node) in exits.iter().rev() {
            self.regions[*region].parts.push(LinePiece { edge, role: NestRole::Exit(*node) });
            way.exits.push(*region);
        }
        for (region, node) in entries {
            self.regions[*region].parts.push(LinePiece { edge, role: NestRole::Entry(*node) });
            way.entries.push(*region);
        }
        self.ways.push(way);
    }

    /// Decides which boxes of a region stand above which, and on which sides lines leave and enter those inside.
    fn rank(&mut self, region: usize) {
        self.border(region);
        let (row_of, rows) = self.rows(region);
        let own = &self.regions[region];
        let wholes: Vec<(usize, usize)> = own
            .parts
            .iter()
            .filter_map(|part| match part.role {
                NestRole::Whole(from, to) => Some((from, to)),
                NestRole::Exit(_) | NestRole::Entry(_) => None,
            })
            .collect();
        let is_up: Vec<bool> = own
            .parts
            .iter()
            .filter(|part| matches!(part.role, NestRole::Whole(..)))
            .map(|part| self.graph.edges[part.edge].way == Some(LineWay::Up))
            .collect();
        // A row has one layer: it stands for its boxes.
        let arc = |(from, to): &(usize, usize)| (row_of[self.index[*from]], row_of[self.index[*to]]);
        let arcs: Vec<(usize, usize)> = wholes.iter().map(arc).collect();
        let is_entered = |node: &usize| own.parts.iter().any(|part| part.role == NestRole::Entry(*node));
        let initial = own.nodes.iter().filter(|node| self.graph.nodes[**node].is_initial);
        let entered = own.nodes.iter().filter(|node| own.parts.len() < 50 && is_entered(node));
        let roots: Vec<usize> = initial.chain(entered).map(|node| row_of[self.index[*node]]).collect();
        // Points on the frame have their layers already.
        let fixed: Vec<Option<bool>> = wholes.iter().map(|(from, to)| self.turned(*from, *to)).collect();
        let free =
            arcs.iter().zip(&is_up).zip(&fixed).filter(|((arc, _), fixed)| fixed.is_none() && arc.0 != arc.1);
        let free = free.map(|((arc, is_up), _)| if *is_up { (arc.1, arc.0) } else { *arc });
        let mut free = broken(own.nodes.len(), &free.collect::<Vec<_>>(), &roots).into_iter();
        let turned: Vec<bool> = fixed
            .into_iter()
            .zip(arcs.iter().zip(&is_up))
            .map(|(fixed, (arc, is_up))| {
                let is_free = arc.0 != arc.1;
                fixed.unwrap_or_else(|| is_free && free.next().unwrap_or(false) != *is_up)
            })
            .collect();
        let oriented: Vec<(usize, usize)> = arcs
            .iter()
            .zip(&turned)
            .filter(|((from, to), _)| from != to)
            .map(|((from, to), turn)| if *turn { (*to, *from) } else { (*from, *to) })
            .collect();
        let mut ranks = ranks(own.nodes.len(), &oriented);
        for (at, row) in row_of.iter().enumerate() {
            ranks[at] = ranks[*row];
        }
        self.wrap(region, &mut ranks, &oriented, &rows);
        self.part_layers(region, &mut ranks);
        let mut turned = turned.into_iter();
        let mut reversed = Vec::new();
        let mut has_upper = self.has_border(region, FrameSide::Upper);
        let mut has_lower = self.has_border(region, FrameSide::Lower);
        for part in &self.regions[region].parts {
            let is_reversed = match part.role {
                NestRole::Whole(..) => {
                    let turn = turned.next().unwrap_or(false);
                    let sides = [Some(FrameSide::Lower), Some(FrameSide::Upper)];
                    self.ways[part.edge].sides = if turn { [sides[1], sides[0]] } else { sides };
                    turn
                }
                NestRole::Exit(_) => self.ways[part.edge].sides[0] == Some(FrameSide::Upper),
                NestRole::Entry(_) => self.ways[part.edge].sides[1] == Some(FrameSide::Lower),
            };
            let passes = match part.role {
                NestRole::Whole(..) => None,
                NestRole::Exit(_) => self.ways[part.edge].sides[0],
                NestRole::Entry(_) => self.ways[part.edge].sides[1],
            };
            has_upper |= passes == Some(FrameSide::Upper);
            has_lower |= passes == Some(FrameSide::Lower);
            reversed.push(is_reversed);
        }
        let own = &mut self.regions[region];
        (own.ranks, own.reversed, own.has_upper, own.has_lower) = (ranks, reversed, has_upper, has_lower);
        own.rows = rows;
    }

    /// The rows of a region, and the box that stands for the row of each box, which is itself if it has none.
    fn rows(&self, region: usize) -> (Vec<usize>, Vec<Vec<usize>>) {
        let own = &self.regions[region];
        let wish = |part: &LinePiece| match part.role {
            NestRole::Whole(from, to) => {
                let edge = &self.graph.edges[part.edge];
                let widest = edge.labels.iter().map(|size| size.width).max().unwrap_or(0);
                Some(RowWish {
                    from: self.index[from],
                    to: self.index[to],
                    way: edge.way,
                    is_direct: (from, to) == (edge.from, edge.to),
                    width: widest.max(edge.ends[0].width + edge.ends[1].width),
                })
            }
            NestRole::Exit(_) | NestRole::Entry(_) => None,
        };
        let wishes: Vec<RowWish> = own.parts.iter().filter_map(wish).collect();
        let mut row_of: Vec<usize> = (0..own.nodes.len()).collect();
        if wishes.iter().all(|wish| wish.sides().is_none()) {
            return (row_of, Vec::new());
        }
        let boxes: Vec<RowBox> = own
            .nodes
            .iter()
            .map(|node| {
                let source = &self.graph.nodes[*node];
                let is_inner = self.borders[*node].is_none();
                RowBox {
                    width: source.size.width,
                    is_free: [source.before, source.beside].map(|room| is_inner && room.width == 0),
                    grows: source.regions == 0 && !source.is_point,
                }
            })
            .collect();
        let rows = rows(&boxes, &wishes, self.spacing.row);
        for row in &rows {
            row.iter().for_each(|at| row_of[*at] = row[0]);
        }
        (row_of, rows)
    }

    /// Boxes without lines stand in several rows rather than in a long one.
    fn wrap(&self, region: usize, ranks: &mut [i32], arcs: &[(usize, usize)], rows: &[Vec<usize>]) {
        let mut is_joined = vec![false; ranks.len()];
        arcs.iter().for_each(|(from, to)| (is_joined[*from], is_joined[*to]) = (true, true));
        rows.iter().flatten().for_each(|at| is_joined[*at] = true);
        for part in &self.regions[region].parts {
            if let NestRole::Exit(node) | NestRole::Entry(node) = part.role {
                is_joined[self.index[node]] = true;
            }
        }
        for node in self.regions[region].nodes.iter().filter(|node| self.borders[**node].is_some()) {
            is_joined[self.index[*node]] = true;
        }
        let alone: Vec<usize> = (0..ranks.len()).filter(|at| !is_joined[*at]).collect();
        let columns = (1..).find(|columns| columns * columns >= alone.len()).unwrap_or(1).max(3);
        let begin = match alone.len() < ranks.len() {
            true => 0,
            false => alone.first().map_or(0, |first| ranks[*first]),
        };
        for (number, element) in alone.into_iter().enumerate() {
            ranks[element] = begin + (number / columns) as i32;
        }
    }

    /// Lays out a region whose boxes have their sizes, and gives the frame around it its size with the last one.
    fn lay_out(&mut self, region: usize) {
        let owner = self.regions[region].owner;
        let siblings = owner
            .map_or(0..1, |owner| self.first[owner]..self.first[owner] + self.graph.nodes[owner].regions);
        let is_beside = owner.is_some()
            && self.flow == LayoutFlow::Down
            && siblings.clone().any(|sibling| self.regions[sibling].has_upper);
        let header = owner.map_or(Size::default(), |owner| self.graph.nodes[owner].size);
        let inset = owner.map_or(0, |owner| self.insets[owner].upper);
        let own = &self.regions[region];
        let holds_header = is_beside && region == siblings.start;
        // Points on the upper side of the frame stand in the layer of the ports.
        let has_border = self.has_border(region, FrameSide::Upper);
        let shift = usize::from((own.has_upper || holds_header) && !has_border) * 2;
        let mut elements: Vec<RegionElement> = own
            .nodes
            .iter()
            .zip(&own.ranks)
            .map(|(node, rank)| {
                let source = &self.graph.nodes[*node];
                let (size, beside) = self.room(*node);
                RegionElement {
                    row: *rank as usize * 2 + shift,
                    size,
                    beside,
                    before: source.before,
                    is_point: source.is_point,
                    grows: source.regions == 0,
                    is_first: false,
                    hangs: self.borders[*node] == Some(FrameSide::Upper),
                    inner: self.inner_ends(*node),
                }
            })
            .collect();
        let below = if self.has_border(region, FrameSide::Lower) { 0 } else { 2 };
        let last = elements.iter().map(|element| element.row).max().unwrap_or(shift) + below;
        let (mut links, mut ports, mut link_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut sides: Vec<SideLink> = Vec::new();
        let mut across: Vec<(usize, bool)> = Vec::new();
        for (number, (part, is_reversed)) in own.parts.iter().zip(&own.reversed).enumerate() {
            if let Some((side, is_back)) = self.side(region, part) {
                across.push((number, is_back));
                sides.push(side);
                ports.push(None);
                link_of.push(None);
                continue;
            }
            if let Some(node) = self.ends_at_border(part) {
                ports.push(Some(self.index[node]));
                link_of.push(None);
                continue;
            }
            link_of.push(Some(links.len()));
            let (from, to, port) = match part.role {
                NestRole::Whole(from, to) => (self.index[from], self.index[to], None),
                NestRole::Exit(node) => (self.index[node], elements.len(), Some(elements.len())),
                NestRole::Entry(node) => (elements.len(), self.index[node], Some(elements.len())),
            };
            if port.is_some() {
                let is_upper = matches!(part.role, NestRole::Entry(_)) != *is_reversed;
                let row = if is_upper { 0 } else { last };
                elements.push(RegionElement {
                    row,
                    is_point: true,
                    hangs: is_upper,
                    ..RegionElement::default()
                });
            }
            let fixed = [self.fixed(part, true), self.fixed(part, false)];
            let (labels, ends) = (self.labels_of(part), self.ends_of(part));
            links.push(match is_reversed {
                false => LayerLink { upper: from, lower: to, fixed, labels, ends },
                true => LayerLink {
                    upper: to,
                    lower: from,
                    fixed: [fixed[1], fixed[0]],
                    labels: [labels[2], labels[1], labels[0]],
                    ends: [ends[1], ends[0]],
                },
            });
            ports.push(port);
        }
        if holds_header {
            elements.push(RegionElement {
                size: Size { width: header.width + self.spacing.node, height: header.height + inset },
                is_first: true,
                hangs: true,
                ..RegionElement::default()
            });
        }
        let first = if is_beside && own.has_upper { inset + header.height + self.spacing.pad } else { 0 };
        let parts = RegionParts { elements, links, rows: own.rows.clone(), sides };
        let plan = region::place(&parts, first, self.spacing);
        let own = &mut self.regions[region];
        for (number, (part, is_back)) in across.into_iter().enumerate() {
            link_of[part] = Some(parts.links.len() + number);
            own.reversed[part] = is_back;
        }
        (own.plan, own.ports, own.link_of, own.holds_header) = (plan, ports, link_of, holds_header);
        if let Some(owner) = owner.filter(|_| region == siblings.start) {
            self.frame(owner, header, is_beside);
        }
    }

    /// The labels of a line stand in its whole part, else in its first one.
    fn labels_of(&self, part: &LinePiece) -> [Size; 3] {
        let way = &self.ways[part.edge];
        let holds = match part.role {
            NestRole::Whole(..) => true,
            NestRole::Exit(node) => way.whole.is_none() && self.graph.edges[part.edge].from == node,
            NestRole::Entry(node) => {
                let first = way.entries.first().copied();
                way.whole.is_none() && way.exits.is_empty() && first == Some(self.region_of(node))
            }
        };
        if holds { self.graph.edges[part.edge].labels } else { [Size::default(); 3] }
    }

    /// The texts at the ends of a line that are ends of this part of it.
    fn ends_of(&self, part: &LinePiece) -> [Size; 2] {
        let edge = &self.graph.edges[part.edge];
        let [begin, end] = edge.ends;
        let (from, to) = match part.role {
            NestRole::Whole(from, to) => (from == edge.from, to == edge.to),
            NestRole::Exit(node) => (node == edge.from, false),
            NestRole::Entry(node) => (false, node == edge.to),
        };
        [if from { begin } else { Size::default() }, if to { end } else { Size::default() }]
    }

    /// A part between neighbours of a row, and whether it points to the left.
    fn side(&self, region: usize, part: &LinePiece) -> Option<(SideLink, bool)> {
        let NestRole::Whole(from, to) = part.role else { return None };
        let (from, to) = (self.index[from], self.index[to]);
        let are_neighbours = |left: usize, right: usize| {
            self.regions[region].rows.iter().any(|row| row.windows(2).any(|pair| pair == [left, right]))
        };
        let (labels, ends) = (self.labels_of(part), self.ends_of(part));
        let [first, middle, last] = labels;
        match (are_neighbours(from, to), are_neighbours(to, from)) {
            (true, _) => Some((SideLink { left: from, right: to, labels, ends }, false)),
            (false, true) => {
                let (labels, ends) = ([last, middle, first], [ends[1], ends[0]]);
                Some((SideLink { left: to, right: from, labels, ends }, true))
            }
            (false, false) => None,
        }
    }

    fn region_of(&self, node: usize) -> usize {
        self.graph.nodes[node].parent.map_or(0, |(parent, region)| self.first[parent] + region)
    }

    /// Where a line passes the frame of the box at its beginning or end, if it comes from inside.
    fn fixed(&self, part: &LinePiece, is_from: bool) -> Option<i32> {
        let node = match (part.role, is_from) {
            (NestRole::Whole(from, _) | NestRole::Exit(from), true) => from,
            (NestRole::Whole(_, to) | NestRole::Entry(to), false) => to,
            (NestRole::Entry(_), true) | (NestRole::Exit(_), false) => return None,
        };
        let way = &self.ways[part.edge];
        let near = if is_from { &way.exits } else { &way.entries };
        let inside = near.iter().find(|region| self.regions[**region].owner == Some(node))?;
        Some(self.port(*inside, part.edge, is_from))
    }

    /// Where a line passes the edge of a region, seen from the frame around it.
    fn port(&self, region: usize, edge: usize, is_exit: bool) -> i32 {
        let own = &self.regions[region];
        let is_it = |part: &LinePiece| {
            part.edge == edge
                && (is_exit == matches!(part.role, NestRole::Exit(_)))
                && !matches!(part.role, NestRole::Whole(..))
        };
        let number = own.parts.iter().position(is_it).expect("a line that crosses a frame has a part inside");
        let element = own.ports[number].expect("such a part ends at a port");
        let place = own.plan.boxes[element];
        own.origin.0 + place.x + place.width / 2
    }

    /// Puts the regions of a box beside each other.
    fn frame(&mut self, owner: usize, header: Size, is_beside: bool) {
        let (pad, inset) = (self.spacing.pad, self.insets[owner]);
        let all = self.first[owner]..self.first[owner] + self.graph.nodes[owner].regions;
        let is_down = self.flow == LayoutFlow::Down;
        let lanes = self.ways.iter().filter(|way| way.gutter == Some(owner)).count() as i32;
        let content: i32 = all.clone().map(|region| self.regions[region].plan.size.width + 2 * pad).sum();
        let (before, top) = match (is_down, is_beside) {
            (true, true) => (0, 0),
            (true, false) => (0, inset.upper + header.height + pad),
            (false, _) => (header.width, inset.upper + pad),
        };
        let width = if is_down { content.max(header.width + 2 * pad) } else { before + content };
        let mut x = before + (width - before - content) / 2;
        let mut lowest = 0;
        for region in all.clone() {
            let own = &mut self.regions[region];
            let y = match (own.has_upper || own.holds_header, is_down, is_beside) {
                (true, _, _) => 0,
                (false, true, true) => inset.upper + header.height + pad,
                (false, _, _) => top,
            };
            own.origin = (x + pad, y);
            let below = if own.has_lower && lanes == 0 { 0 } else { inset.lower + pad };
            lowest = lowest.max(y + own.plan.size.height + below);
            x += own.plan.size.width + 2 * pad;
        }
        let height = lowest + lanes * self.spacing.line;
        let height = if is_down { height } else { height.max(header.height + 2 * pad) };
        self.sizes[owner] = Size { width, height: height.max(2 * pad) };
        self.headers[owner] = match (is_down, is_beside) {
            (true, true) => (pad, inset.upper),
            (true, false) => ((width - header.width) / 2, inset.upper),
            (false, _) => (0, (height - header.height) / 2),
        };
    }

    fn assemble(self) -> Placed {
        let count = self.graph.nodes.len();
        let mut placed = Placed {
            size: self.regions[0].plan.size,
            boxes: vec![Rect { x: 0, y: 0, width: 0, height: 0 }; count],
            headers: vec![Point { x: 0, y: 0 }; count],
            ..Placed::default()
        };
        // A box stands before those inside it, and so do its regions before theirs.
        let mut corners = vec![Point { x: 0, y: 0 }; self.regions.len()];
        for (number, region) in self.regions.iter().enumerate() {
            if let Some(owner) = region.owner {
                let frame = placed.boxes[owner];
                corners[number] = Point { x: frame.x + region.origin.0, y: frame.y + region.origin.1 };
            }
            for (at, node) in region.nodes.iter().enumerate() {
                let own = region.plan.boxes[at];
                let rect = Rect { x: own.x + corners[number].x, y: own.y + corners[number].y, ..own };
                let (x, y) = self.headers[*node];
                placed.boxes[*node] = rect;
                placed.headers[*node] = Point { x: rect.x + x, y: rect.y + y };
            }
        }
        self.divide_regions(&mut placed, &corners);
        for edge in 0..self.graph.edges.len() {
            let (route, labels, ends) = self.line(edge, &corners, &placed);
            placed.routes.push(route);
            placed.labels.push(labels);
            placed.ends.push(ends);
        }
        self.draw_borders(&mut placed);
        placed
    }

    /// The lines between the regions of one box.
    fn divide_regions(&self, placed: &mut Placed, corners: &[Point]) {
        for (number, region) in self.regions.iter().enumerate().skip(1) {
            let next = self.regions.get(number + 1).filter(|next| next.owner == region.owner);
            if let (Some(_), Some(owner)) = (next, region.owner) {
                let frame = self.insets[owner].outline(placed.boxes[owner]);
                let x = corners[number + 1].x - self.spacing.pad;
                let header =
                    if self.flow == LayoutFlow::Down { self.graph.nodes[owner].size.height } else { 0 };
                let top = frame.y + header;
                placed.dividers.push([Point { x, y: top }, Point { x, y: frame.bottom() }]);
            }
        }
    }

    /// A line with all its parts, and where its labels stand.
    fn line(&self, edge: usize, corners: &[Point], placed: &Placed) -> (Vec<Point>, [Point; 3], [Point; 2]) {
        let way = &self.ways[edge];
        let mut points: Vec<Point> = Vec::new();
        let mut labels = [Point { x: 0, y: 0 }; 3];
        let mut texts = [Point { x: 0, y: 0 }; 2];
        let mut regions: Vec<(usize, Option<bool>)> =
            way.exits.iter().map(|region| (*region, Some(true))).collect();
        regions.extend(way.whole.map(|region| (region, None)));
        regions.extend(way.entries.iter().map(|region| (*region, Some(false))));
        for (region, is_exit) in regions {
            let own = &self.regions[region];
            let is_it = |part: &&LinePiece| {
                part.edge == edge
                    && match (part.role, is_exit) {
                        (NestRole::Whole(..), None)
                        | (NestRole::Exit(_), Some(true))
                        | (NestRole::Entry(_), Some(false)) => true,
                        (NestRole::Whole(..) | NestRole::Exit(_) | NestRole::Entry(_), _) => false,
                    }
            };
            let Some((number, part)) = own.parts.iter().enumerate().find(|(_, part)| is_it(part)) else {
                continue;
            };
            let Some(link) = own.link_of[number] else { continue };
            let corner = corners[region];
            let moved = |at: Point| Point { x: at.x + corner.x, y: at.y + corner.y };
            let mut own_points: Vec<Point> = own.plan.routes[link].iter().map(|at| moved(*at)).collect();
            self.reach(region, part, &mut own_points, placed);
            if own.reversed[number] {
                own_points.reverse();
            }
            points.extend(own_points);
            if self.labels_of(part) != [Size::default(); 3] {
                labels = own.plan.labels[link].map(moved);
                if own.reversed[number] {
                    labels.reverse();
                }
            }
            let mut own_texts = own.plan.ends[link].map(moved);
            if own.reversed[number] {
                own_texts.reverse();
            }
            let has_text = self.ends_of(part).map(|size| size.width > 0);
            (0..2).filter(|end| has_text[*end]).for_each(|end| texts[end] = own_texts[end]);
        }
        (straight(points), labels, texts)
    }

    /// Lets a part that passes the lower side of its frame reach that side, or the lane below the regions.
    fn reach(&self, region: usize, part: &LinePiece, points: &mut Vec<Point>, placed: &Placed) {
        let (Some(owner), way) = (self.regions[region].owner, &self.ways[part.edge]) else { return };
        let side = match part.role {
            NestRole::Whole(..) => return,
            NestRole::Exit(_) => way.sides[0],
            NestRole::Entry(_) => way.sides[1],
        };
        let frame = placed.boxes[owner];
        let lane =
            || self.ways[..part.edge].iter().filter(|other| other.gutter == Some(owner)).count() as i32;
        let y = match (side, way.gutter == Some(owner)) {
            (Some(FrameSide::Upper), _) | (None, _) => return,
            (Some(FrameSide::Lower), false) => frame.bottom(),
            (Some(FrameSide::Lower), true) => {
                frame.bottom() - self.spacing.pad / 2 - lane() * self.spacing.line
            }
        };
        if let Some(last) = points.last().copied() {
            points.push(Point { x: last.x, y });
        }
    }
}

/// A line without points that lie between their neighbours.
fn straight(points: Vec<Point>) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::new();
    for point in points {
        if out.last() == Some(&point) {
            continue;
        }
        if let [.., before, last] = out.as_slice() {
            let is_between =
                before.x == last.x && last.x == point.x || before.y == last.y && last.y == point.y;
            if is_between {
                out.pop();
            }
        }
        out.push(point);
    }
    out
}
