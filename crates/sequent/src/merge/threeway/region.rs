//! Conflict regions: the smallest part of three trees around something that cannot be merged node by node.
//!
//! A region is a range of siblings in the base, and in both sides a range of siblings with the same old content and no other. It
//! becomes one node in all three trees, and everything around it is merged as before.

use std::collections::HashSet;
use std::ops::Range;

use super::conflict::TreeConflict;
use crate::merge::matching::{ThreeWay, TripleId, Triples};
use crate::merge::read::{Attachment, NodeId, NodeKind};
use crate::merge::side::RevisionSide;

/// A change of the three trees that removes a conflict.
pub(super) enum TreeChange {
    /// In each version, these children of a node become one region, for this reason.
    Region([Option<(NodeId, Range<usize>)>; 3], Option<&'static str>),
    /// A statement becomes an addition on both sides, each a conflict, together with the notes and bars attached to it.
    Split(NodeId, [Vec<NodeId>; 2]),
}

/// Returns the change that removes a conflict; `None` if nothing is left to change.
pub(super) fn resolve(triples: &Triples<'_, '_>, conflict: &TreeConflict) -> Option<TreeChange> {
    match conflict {
        TreeConflict::Region(ids, why) => Some(TreeChange::Region(
            smallest(triples, ids)?.map(|part| part.filter(|part| !part.1.is_empty())),
            Some(why),
        )),
        TreeConflict::Deleted(id) => Some(TreeChange::Region(
            [0, 1, 2].map(|version| {
                let tree = &triples.versions.trees[version];
                let node = triples[*id].nodes[version]?;
                let at = tree.position(node);
                Some((tree.parent(node), at..at + 1))
            }),
            None,
        )),
        TreeConflict::Moved(id) => {
            let [Some(old), Some(ours), Some(theirs)] = triples[*id].nodes else { return None };
            let contested = |side: RevisionSide, node: NodeId| {
                let (tree, matching) =
                    (&triples.versions.trees[side.version()], &triples.versions.matchings[side as usize]);
                let is_attached = |sibling: &&NodeId| {
                    let is_new = tree.kind(**sibling) == NodeKind::Leaf && matching.from[**sibling].is_none();
                    let kind = tree.piece_kind(**sibling);
                    is_new && kind.is_some_and(|kind| kind.attachment() == Attachment::Preceding)
                };
                let after = tree.children(tree.parent(node)).iter().skip(tree.position(node) + 1);
                [node].iter().chain(after.take_while(is_attached)).copied().collect()
            };
            Some(TreeChange::Split(
                old,
                [contested(RevisionSide::Ours, ours), contested(RevisionSide::Theirs, theirs)],
            ))
        }
    }
}

/// Returns the change that makes a region of all between two children of a node of the base, and between the same two on both sides; `None`
/// if they are not there, or if something was moved across them.
pub(super) fn between(
    versions: &ThreeWay<'_>,
    parent: NodeId,
    children: &Range<usize>,
    why: &'static str,
) -> Option<TreeChange> {
    let own = versions.trees[0].children(parent);
    let within = below(versions, 0, parent, children);
    let mut found = [Some((parent, children.clone())), None, None];
    for side in RevisionSide::BOTH {
        let (tree, matching) = (&versions.trees[side.version()], &versions.matchings[side as usize]);
        let there = matching.to[parent]?;
        let others = tree.children(there);
        let place = |node: NodeId| others.iter().position(|other| Some(*other) == matching.to[node]);
        let start = match children.start.checked_sub(1) {
            Some(before) => place(own[before])? + 1,
            None => 0,
        };
        let end = own.get(children.end).map_or(Some(others.len()), |after| place(*after))?;
        let range = (start <= end).then_some(start..end)?;
        let inside: HashSet<NodeId> = below(versions, side.version(), there, &range).into_iter().collect();
        let images = within.iter().filter_map(|node| matching.to[*node]);
        let is_same = images.clone().all(|node| inside.contains(&node))
            && inside.iter().filter(|node| matching.from[**node].is_some()).count() == images.count();
        found[side.version()] = is_same.then_some(Some((there, range)))?;
    }
    Some(TreeChange::Region(found, Some(why)))
}

impl TreeChange {
    /// Applies the change to the three trees.
    pub(super) fn apply(self, versions: &mut ThreeWay<'_>) {
        match self {
            TreeChange::Region(parts, why) => {
                let mut tied = [None, None, None];
                for (version, part) in parts.into_iter().enumerate() {
                    tied[version] =
                        part.map(|(parent, range)| versions.trees[version].replace_by_region(parent, range));
                }
                if let (Some(node), Some(why)) = (tied[0], why) {
                    versions.reasons.insert(node, why);
                }
                match_regions(versions, tied);
            }
            TreeChange::Split(old, contested) => {
                for (side, nodes) in contested.into_iter().enumerate() {
                    let matching = &mut versions.matchings[side];
                    matching.to[old] = None;
                    matching.from[nodes[0]] = None;
                    versions.contested[side].extend(nodes);
                }
            }
        }
    }
}

/// Matches new regions of the three trees.
fn match_regions(versions: &mut ThreeWay<'_>, tied: [Option<NodeId>; 3]) {
    for side in RevisionSide::BOTH {
        let (olds, news) = (versions.trees[0].nodes.len(), versions.trees[side.version()].nodes.len());
        let matching = &mut versions.matchings[side as usize];
        matching.to.resize(olds, None);
        matching.is_moved.resize(olds, false);
        matching.from.resize(news, None);
        if let (Some(old), Some(new)) = (tied[0], tied[side.version()]) {
            matching.join(old, new);
        }
    }
}

/// The children of a node in each version that has it.
type VersionParts = [Option<(NodeId, Range<usize>)>; 3];

/// Returns the smallest region around some triples; `None` if there is none, or if it is a region already.
fn smallest(triples: &Triples<'_, '_>, ids: &[TripleId]) -> Option<VersionParts> {
    let base = &triples.versions.trees[0];
    let all = ids.iter().flat_map(|id| old_content(triples, *id));
    let inside: Vec<NodeId> = all.filter_map(|id| triples[id].nodes[0]).collect();
    let mut parent = base.parent(*inside.first()?);
    loop {
        match around(triples, parent, &inside).filter(|_| base.kind(parent) != NodeKind::Block) {
            Some(parts) => return (!is_region(triples, &parts)).then_some(parts),
            None if parent == 0 => return None,
            None => parent = base.parent(parent),
        }
    }
}

/// Returns a triple with the old ones in it; for an addition that holds none the nearest old ones in its version, so that a region around them
/// covers it.
fn old_content(triples: &Triples<'_, '_>, id: TripleId) -> Vec<TripleId> {
    let with_held = |id: TripleId| [id].into_iter().chain(triples.holds[id].iter().copied());
    let is_old = |id: &TripleId| !triples[*id].is_new();
    let mut at = id;
    while !with_held(at).any(|id| is_old(&id)) {
        let side = triples[at].adder().unwrap_or(RevisionSide::Ours);
        let Some(parent) = triples.parent(at, side.version()) else { break };
        let siblings = triples.children(parent, side.version());
        let place = siblings.iter().position(|sibling| *sibling == at).unwrap_or(0);
        let before = siblings[..place].iter().rev().find_map(|id| with_held(*id).find(is_old));
        let after = siblings[place..].iter().find_map(|id| with_held(*id).find(is_old));
        if before.or(after).is_some() {
            return before.into_iter().chain(after).collect();
        }
        if parent == 0 {
            break;
        }
        at = parent;
    }
    with_held(at).collect()
}

/// Returns the children of a node, in all versions, that hold some nodes of the base and no others; `None` if there are none.
fn around(triples: &Triples<'_, '_>, parent: NodeId, inside: &[NodeId]) -> Option<VersionParts> {
    let versions = triples.versions;
    let nodes = triples[triples.at(0, parent)].nodes;
    let mut range = cover(versions, 0, parent, inside)?;
    loop {
        let within = below(versions, 0, parent, &range);
        let mut wider = range.clone();
        let mut parts = [Some((parent, range.clone())), None, None];
        for side in RevisionSide::BOTH {
            let (own, matching) = (side.version(), &versions.matchings[side as usize]);
            let there = nodes[own]?;
            let images: Vec<NodeId> = within.iter().filter_map(|node| matching.to[*node]).collect();
            let covered = match images.is_empty() {
                true => place_of_deleted(triples, parent, there, own, range.start),
                false => cover(versions, own, there, &images)?,
            };
            let content = below(versions, own, there, &covered);
            let back: Vec<NodeId> = content.into_iter().filter_map(|node| matching.from[node]).collect();
            if !back.is_empty() {
                let more = cover(versions, 0, parent, &back)?;
                wider = wider.start.min(more.start)..wider.end.max(more.end);
            }
            parts[own] = Some((there, covered));
        }
        if wider == range {
            return Some(parts);
        }
        range = wider;
    }
}

fn below(versions: &ThreeWay<'_>, version: usize, parent: NodeId, children: &Range<usize>) -> Vec<NodeId> {
    let tree = &versions.trees[version];
    tree.children(parent)[children.clone()].iter().flat_map(|child| tree.below(*child)).collect()
}

/// Returns the children of a node that hold some nodes; `None` if one is elsewhere.
fn cover(versions: &ThreeWay<'_>, version: usize, parent: NodeId, inside: &[NodeId]) -> Option<Range<usize>> {
    let tree = &versions.trees[version];
    let mut found: Option<Range<usize>> = None;
    for node in inside {
        let mut child = *node;
        while tree.parent(child) != parent {
            if child == 0 {
                return None;
            }
            child = tree.parent(child);
        }
        let at = tree.children(parent).iter().position(|known| *known == child)?;
        found = Some(found.map_or(at..at + 1, |range| range.start.min(at)..range.end.max(at + 1)));
    }
    found
}

/// Returns the empty range at which a version would have what it deleted: after the nearest sibling before it.
fn place_of_deleted(
    triples: &Triples<'_, '_>,
    parent: NodeId,
    there: NodeId,
    version: usize,
    start: usize,
) -> Range<usize> {
    let before = triples.versions.trees[0].children(parent)[..start].iter().rev();
    let children = triples.versions.trees[version].children(there);
    let mut places = before.filter_map(|node| {
        let image = triples[triples.at(0, *node)].nodes[version]?;
        children.iter().position(|child| *child == image)
    });
    let at = places.next().map_or(0, |at| at + 1);
    at..at
}

/// Whether there is nothing but one region in each version.
fn is_region(triples: &Triples<'_, '_>, parts: &VersionParts) -> bool {
    parts.iter().enumerate().all(|(version, part)| {
        let Some((parent, range)) = part else { return true };
        let tree = &triples.versions.trees[version];
        let children = &tree.children(*parent)[range.clone()];
        children.len() <= 1 && children.iter().all(|node| tree.kind(*node) == NodeKind::Region)
    })
}
