//! Regions: the smallest stretch of three trees around something that cannot be merged node by node.
//!
//! It is a row of neighbours in the base, and in both sides a row of neighbours that holds the same things and nothing else that was there before. The stretch
//! becomes one node, a knot, in all three, and everything around it is merged as ever.

use std::collections::HashSet;
use std::ops::Range;

use super::gap::Hold;
use super::kin::{Family, KinId, Trio, version};
use super::nest::Trouble;
use super::order::Side;
use super::tree::{Kind, NodeId};

/// Changes the trees so that the trouble is gone; tells whether anything was left to change.
pub fn settle(trio: &mut Trio<'_>, family: &Family, trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Tie(kins, why) => tie(trio, family, kins, why),
        Trouble::Lose(kin) => lose(trio, family, *kin),
        Trouble::Split(kin) => split(trio, family, *kin),
    }
}

/// On both sides it becomes an addition that is a conflict, with its new notes and bars.
fn split(trio: &mut Trio<'_>, family: &Family, kin: KinId) -> bool {
    let [Some(old), Some(ours), Some(theirs)] = family.kins[kin].nodes else { return false };
    for (side, node) in [(Side::Ours, ours), (Side::Theirs, theirs)] {
        let pairs = &mut trio.pairs[side as usize];
        pairs.to[old] = None;
        pairs.from[node] = None;
        let tree = &trio.trees[version(side)];
        let siblings = &tree.nodes[tree.nodes[node].parent].children;
        let after = siblings.iter().skip_while(|sibling| **sibling != node).skip(1);
        let is_held = |sibling: &&NodeId| {
            let word = tree.nodes[**sibling].first.map(|first| trio.pieces[version(side)][first].word);
            let is_leaf = tree.nodes[**sibling].kind == Kind::Leaf && pairs.from[**sibling].is_none();
            is_leaf && word.is_some_and(|word| word.hold() == Hold::Before)
        };
        trio.contested[side as usize].extend([node].iter().chain(after.take_while(is_held)));
    }
    true
}

/// A block or operand that one side deleted becomes one node in the others.
fn lose(trio: &mut Trio<'_>, family: &Family, kin: KinId) -> bool {
    let nodes = family.kins[kin].nodes;
    let mut tied = [None, None, None];
    for version in 0..3 {
        if let Some(node) = nodes[version] {
            let parent = trio.trees[version].nodes[node].parent;
            let at = trio.trees[version].nodes[parent].children.iter().position(|child| *child == node);
            tied[version] = at.map(|at| trio.trees[version].tie(parent, at..at + 1));
        }
    }
    join(trio, tied);
    true
}

/// Makes one kin of new nodes.
fn join(trio: &mut Trio<'_>, tied: [Option<NodeId>; 3]) {
    for side in Side::BOTH {
        let other = tied[version(side)];
        let (olds, news) = (trio.trees[0].nodes.len(), trio.trees[version(side)].nodes.len());
        let pairs = &mut trio.pairs[side as usize];
        pairs.to.resize(olds, None);
        pairs.is_moved.resize(olds, false);
        pairs.from.resize(news, None);
        if let (Some(old), Some(new)) = (tied[0], other) {
            pairs.to[old] = Some(new);
            pairs.from[new] = Some(old);
        }
    }
}

fn tie(trio: &mut Trio<'_>, family: &Family, kins: &[KinId], why: &'static str) -> bool {
    let base = &trio.trees[0];
    let mut inside: Vec<NodeId> = Vec::new();
    for kin in kins {
        inside.extend(family.kins[*kin].nodes[0]);
        inside.extend(family.holds[*kin].iter().filter_map(|kin| family.kins[*kin].nodes[0]));
    }
    let Some(mut parent) = inside.first().map(|node| base.nodes[*node].parent) else { return false };
    loop {
        match stretch(trio, family, parent, &inside) {
            Some(ranges) if base.nodes[parent].kind != Kind::Block => {
                return knot(trio, family, parent, &ranges, why);
            }
            Some(_) | None if parent == 0 => return false,
            Some(_) | None => parent = base.nodes[parent].parent,
        }
    }
}

/// The children of a node, in all versions, that hold some nodes of the base and no others; `None` if there are none.
fn stretch(trio: &Trio<'_>, family: &Family, parent: NodeId, inside: &[NodeId]) -> Option<[Range<usize>; 3]> {
    let kin = family.of[0][parent];
    let mut range = cover(trio, 0, parent, inside)?;
    loop {
        let within: Vec<NodeId> = trio.trees[0].nodes[parent].children[range.clone()]
            .iter()
            .flat_map(|child| trio.trees[0].below(*child))
            .collect();
        let mut wider = range.clone();
        let mut ranges = [range.clone(), 0..0, 0..0];
        for side in Side::BOTH {
            let own = version(side);
            let there = family.kins[kin].nodes[own]?;
            let images: Vec<NodeId> =
                within.iter().filter_map(|node| trio.pairs[side as usize].to[*node]).collect();
            let covered = match images.is_empty() {
                true => gap(trio, family, parent, there, side, range.start),
                false => cover(trio, own, there, &images)?,
            };
            let below = trio.trees[own].nodes[there].children[covered.clone()].iter();
            let back: Vec<NodeId> = below
                .flat_map(|child| trio.trees[own].below(*child))
                .filter_map(|node| trio.pairs[side as usize].from[node])
                .collect();
            if !back.is_empty() {
                let more = cover(trio, 0, parent, &back)?;
                wider = wider.start.min(more.start)..wider.end.max(more.end);
            }
            ranges[own] = covered;
        }
        if wider == range {
            return Some(ranges);
        }
        range = wider;
    }
}

/// The children of a node that hold some others; `None` if one is elsewhere.
fn cover(trio: &Trio<'_>, version: usize, parent: NodeId, inside: &[NodeId]) -> Option<Range<usize>> {
    let tree = &trio.trees[version];
    let mut found: Option<Range<usize>> = None;
    for node in inside {
        let mut child = *node;
        while tree.nodes[child].parent != parent {
            if child == 0 {
                return None;
            }
            child = tree.nodes[child].parent;
        }
        let at = tree.nodes[parent].children.iter().position(|known| *known == child)?;
        found = Some(found.map_or(at..at + 1, |range| range.start.min(at)..range.end.max(at + 1)));
    }
    found
}

/// Where a side would have what it deleted.
fn gap(
    trio: &Trio<'_>,
    family: &Family,
    parent: NodeId,
    there: NodeId,
    side: Side,
    start: usize,
) -> Range<usize> {
    let before = trio.trees[0].nodes[parent].children[..start].iter().rev();
    let own = version(side);
    let children = &trio.trees[own].nodes[there].children;
    let places = before.filter_map(|node| {
        let image = family.kins[family.of[0][*node]].nodes[own]?;
        children.iter().position(|child| *child == image)
    });
    let at = places.into_iter().next().map_or(0, |at| at + 1);
    at..at
}

/// Ties all that stands between two children of a node of the base, and between the same two on both sides; `false` if they are not there, or if
/// something was moved across them.
pub fn enclose(trio: &mut Trio<'_>, parent: NodeId, children: &Range<usize>, why: &'static str) -> bool {
    let Some(found) = enclosed(trio, parent, children) else { return false };
    let tied = [0, 1, 2].map(|version| {
        let (there, range) = found[version].clone();
        Some(trio.trees[version].tie(there, range))
    });
    tied[0].into_iter().for_each(|node| {
        trio.reasons.insert(node, why);
    });
    join(trio, tied);
    true
}

/// In each version the node, and its children, between the same two.
fn enclosed(trio: &Trio<'_>, parent: NodeId, children: &Range<usize>) -> Option<[(NodeId, Range<usize>); 3]> {
    let own = &trio.trees[0].nodes[parent].children;
    let below = |version: usize, parent: NodeId, range: &Range<usize>| -> Vec<NodeId> {
        let tree = &trio.trees[version];
        tree.nodes[parent].children[range.clone()].iter().flat_map(|child| tree.below(*child)).collect()
    };
    let within = below(0, parent, children);
    let mut found = [(parent, children.clone()), (0, 0..0), (0, 0..0)];
    for side in Side::BOTH {
        let (tree, pairs) = (&trio.trees[version(side)], &trio.pairs[side as usize]);
        let there = pairs.to[parent]?;
        let others = &tree.nodes[there].children;
        let place = |node: NodeId| others.iter().position(|other| Some(*other) == pairs.to[node]);
        let start = match children.start.checked_sub(1) {
            Some(before) => place(own[before])? + 1,
            None => 0,
        };
        let end = own.get(children.end).map_or(Some(others.len()), |after| place(*after))?;
        let range = (start <= end).then_some(start..end)?;
        let inside: HashSet<NodeId> = below(version(side), there, &range).into_iter().collect();
        let images = within.iter().filter_map(|node| pairs.to[*node]);
        let is_same = images.clone().all(|node| inside.contains(&node))
            && inside.iter().filter(|node| pairs.from[**node].is_some()).count() == images.count();
        found[version(side)] = is_same.then_some((there, range))?;
    }
    Some(found)
}

/// Ties the stretches; whether that changed anything.
fn knot(
    trio: &mut Trio<'_>,
    family: &Family,
    parent: NodeId,
    ranges: &[Range<usize>; 3],
    why: &'static str,
) -> bool {
    let kin = family.of[0][parent];
    let is_known = |version: usize| {
        let there = family.kins[kin].nodes[version];
        let children = there.map(|there| &trio.trees[version].nodes[there].children[ranges[version].clone()]);
        let is_knot = |node: &NodeId| trio.trees[version].nodes[*node].kind == Kind::Knot;
        children.is_none_or(|children| {
            children.is_empty() || (children.len() == 1 && children.iter().all(is_knot))
        })
    };
    if (0..3).all(is_known) {
        return false;
    }
    let mut tied = [None, None, None];
    for version in 0..3 {
        if let Some(there) = family.kins[kin].nodes[version] {
            let range = ranges[version].clone();
            tied[version] = (!range.is_empty()).then(|| trio.trees[version].tie(there, range));
        }
    }
    tied[0].into_iter().for_each(|node| {
        trio.reasons.insert(node, why);
    });
    join(trio, tied);
    true
}
