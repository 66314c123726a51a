//! Presence: which triples are in the result, and which lines are attached to others.
//!
//! What one side deleted and the other left alone is deleted. A statement that the other side edited or moved (past more than its neighbour) stays, and so
//! does one to which it added a note or a bar; a block of which nothing is left and that the other side changed is a [conflict](TreeConflict).

use std::collections::BTreeMap;

use super::conflict::TreeConflict;
use crate::merge::matching::{TripleId, Triples};
use crate::merge::read::{Attachment, NodeKind, PieceKind, SectionKind};
use crate::merge::side::RevisionSide;

/// Which triples are in the result.
pub(super) struct Presence {
    /// Whether a triple is in the result.
    pub(super) is_present: Vec<bool>,
    /// Lines that a side added to a triple, [before](FRONT) and [after](BACK) it; they have no place of their own.
    attached: [BTreeMap<TripleId, Vec<TripleId>>; 2],
    /// Whether a triple is such a line.
    is_attached: Vec<bool>,
}

/// Before the triple that a line is attached to.
pub(super) const FRONT: usize = 0;
/// After it.
pub(super) const BACK: usize = 1;

impl Presence {
    /// Decides which triples are in the result.
    pub(super) fn of(triples: &Triples<'_, '_>) -> Result<Presence, TreeConflict> {
        let mut is_present = Vec::new();
        for id in triples.ids() {
            is_present.push(match (triples[id].nodes, triples[id].deleter()) {
                ([None, None, None] | [Some(_), None, None], _) => false,
                (_, None) => true,
                (_, Some(side)) => outlives(triples, id, side)? || is_needed(triples, id, side),
            });
        }
        let is_attached = vec![false; is_present.len()];
        let mut presence = Presence { is_present, attached: Default::default(), is_attached };
        presence.attach(triples);
        presence.reject_emptied(triples)?;
        Ok(presence)
    }

    /// Whether a triple is in the result and has a place of its own.
    pub(super) fn is_placed(&self, id: TripleId) -> bool {
        self.is_present[id] && !self.is_attached[id]
    }

    /// Returns the lines that are attached to a triple.
    pub(super) fn attached(&self, id: TripleId, place: usize) -> &[TripleId] {
        self.attached[place].get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the triple that a line is attached to.
    pub(super) fn target(&self, id: TripleId) -> Option<TripleId> {
        if !self.is_attached[id] {
            return None;
        }
        let mut all = self.attached.iter().flatten();
        all.find(|(_, lines)| lines.contains(&id)).map(|(target, _)| *target)
    }

    /// Attaches new comments to the triple after them, new notes and bars to the one before them.
    fn attach(&mut self, triples: &Triples<'_, '_>) {
        for version in [1, 2] {
            for parent in triples.versions.trees[version].below(0) {
                let children = triples.children(triples.at(version, parent), version);
                self.attach_back(triples, &children);
                self.attach_front(triples, &children);
            }
        }
    }

    fn attach_back(&mut self, triples: &Triples<'_, '_>, children: &[TripleId]) {
        let mut target: Option<TripleId> = None;
        for id in children {
            let triple = &triples[*id];
            let is_note =
                triple.kind == NodeKind::Leaf && triple.piece_kind.attachment() == Attachment::Preceding;
            if triple.is_new() && is_note {
                if let Some(target) = target {
                    // An addition to a deleted statement keeps it.
                    self.is_present[target] = true;
                    self.attached[BACK].entry(target).or_default().push(*id);
                    self.is_attached[*id] = true;
                }
            } else if triple.is_new() || (triple.kind == NodeKind::Block && !self.is_present[*id]) {
                target = None;
            } else if self.is_present[*id] || triple.piece_kind.is_event() {
                target = Some(*id);
            }
        }
    }

    fn attach_front(&mut self, triples: &Triples<'_, '_>, children: &[TripleId]) {
        let mut target: Option<TripleId> = None;
        for id in children.iter().rev() {
            let triple = &triples[*id];
            let is_remark = triple.is_new() && triple.kind == NodeKind::Leaf && is_remark(triple.piece_kind);
            match target {
                Some(target) if is_remark && self.is_present[target] => {
                    self.attached[FRONT].entry(target).or_default().insert(0, *id);
                    self.is_attached[*id] = true;
                }
                // It came here with what it is about, and that is deleted.
                Some(target) if is_remark && had_remark(triples, target, *id) => self.is_present[*id] = false,
                Some(_) | None if is_remark => {}
                Some(_) | None => target = Some(*id).filter(|_| !triple.is_new()),
            }
        }
    }

    /// Fails if a side drew a block around statements that the other side deleted.
    fn reject_emptied(&self, triples: &Triples<'_, '_>) -> Result<(), TreeConflict> {
        for id in triples.ids().filter(|id| triples[*id].is_holder()) {
            let Some(side) = triples[id].adder() else { continue };
            let mut inside = triples.below(id, side.version());
            inside.retain(|id| triples[*id].kind == NodeKind::Leaf && !is_light(triples[*id].piece_kind));
            if !inside.is_empty() && inside.iter().all(|id| !self.is_present[*id]) {
                let why = "one side drew a block around this, the other deleted it";
                return Err(TreeConflict::Region(inside, why));
            }
        }
        Ok(())
    }
}

/// Whether a side deleted a participant and no longer names it, and the other side names it in something that it added.
fn is_needed(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> bool {
    let (Some(declared), PieceKind::Participant) = (triples.piece(id, 0), triples[id].piece_kind) else {
        return false;
    };
    let (own, other) = (side.version(), side.other().version());
    let named = |version: usize| {
        let tree = &triples.versions.trees[version];
        let is_named = move |node: &usize| {
            let piece = tree.piece(*node).filter(|piece| piece.kind.is_event());
            piece.is_some_and(|piece| piece.mentions(declared.topic.words()))
        };
        tree.below(0).into_iter().filter(is_named)
    };
    named(own).next().is_none() && named(other).any(|node| triples[triples.at(other, node)].is_new())
}

/// Whether something stays that a side deleted.
fn outlives(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> Result<bool, TreeConflict> {
    let other = side.other();
    let is_edited = triples.is_edited(id, other);
    match triples[id].kind {
        NodeKind::Root => Ok(true),
        NodeKind::Region => Ok(is_edited),
        NodeKind::Leaf => {
            Ok(is_edited || (is_moved_statement(triples, id, other) && is_move_meant(triples, id, other)))
        }
        NodeKind::Block | NodeKind::Operand => {
            let outer = triples.parent(id, 0);
            let is_operand = triples[id].kind == NodeKind::Operand;
            if is_operand && outer.is_some_and(|outer| triples[outer].deleter() == Some(side)) {
                return Ok(false);
            }
            let is_first = triples[id].nodes[0].is_some() && triples.piece(id, 0).is_none();
            let is_changed = is_edited || is_changed_inside(triples, id, other);
            match (is_unwrapped(triples, id, side), is_changed) {
                (false, true) if is_first => Err(TreeConflict::Region(
                    vec![outer.unwrap_or(id)],
                    "one side deleted a part of this block, the other changed it",
                )),
                (false, true) => Err(match moved_into(triples, id, other) {
                    moved if moved.is_empty() => TreeConflict::Deleted(id),
                    moved => TreeConflict::Region(
                        [vec![id], moved].concat(),
                        "one side deleted a block, the other moved this into it",
                    ),
                }),
                (true, _) if is_edited => {
                    Err(TreeConflict::Region(vec![id], "one side took this block away, the other changed it"))
                }
                (_, _) => Ok(false),
            }
        }
    }
}

/// Whether a side moved a statement past others.
pub(super) fn is_moved_statement(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> bool {
    triples.is_moved(id, side) && !triples[id].piece_kind.is_minor()
}

/// Whether it matters that a side moved a statement past others: where the order of statements says nothing only a move to another block does.
fn is_move_meant(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> bool {
    match triples.versions.section {
        SectionKind::Sequence | SectionKind::Prose => !is_swapped(triples, id, side),
        SectionKind::Unordered => triples.parent(id, 0) != triples.parent(id, side.version()),
    }
}

/// Whether a side only swapped a statement with its neighbour: then it may as well be the neighbour that was moved.
fn is_swapped(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> bool {
    let parents = [0, side.version()].map(|version| triples.parent(id, version));
    let [Some(parent), Some(now)] = parents else { return false };
    let is_passed = |other: &TripleId| {
        let is_before = |version: usize| {
            triples.place(id, version).zip(triples.place(*other, version)).map(|(one, other)| one < other)
        };
        is_before(side.version()).is_some() && is_before(side.version()) != is_before(0)
    };
    let mut passed = triples.children(parent, 0);
    passed.retain(|other| triples[*other].piece_kind.is_event() && is_passed(other));
    parent == now && passed.len() == 1 && triples[passed[0]].kind == NodeKind::Leaf
}

/// Whether a side kept some of the content of a block.
fn is_unwrapped(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> bool {
    triples.below(id, 0).into_iter().any(|id| {
        let triple = &triples[id];
        let counts = triple.kind == NodeKind::Region
            || (triple.kind == NodeKind::Leaf && !is_light(triple.piece_kind));
        counts && triple.nodes[side.version()].is_some()
    })
}

/// Whether a side added something to a block, or changed something in it.
fn is_changed_inside(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> bool {
    triples.below(id, side.version()).into_iter().skip(1).any(|inner| {
        let is_elsewhere = triples.parent(inner, 0) != triples.parent(inner, side.version());
        triples[inner].piece_kind != PieceKind::Blank && (is_elsewhere || triples.is_edited(inner, side))
    })
}

/// Returns what a side moved into a block from outside of it.
fn moved_into(triples: &Triples<'_, '_>, id: TripleId, side: RevisionSide) -> Vec<TripleId> {
    let mut inside = triples.below(id, side.version());
    inside.retain(|inner| triples[*inner].is_everywhere() && !triples.below(id, 0).contains(inner));
    inside
}

/// Whether a line is too common to identify the content of a block.
fn is_light(kind: PieceKind) -> bool {
    kind.is_minor() || matches!(kind, PieceKind::Create | PieceKind::Together)
}

/// Whether the base has a comment like this new one right before a triple.
fn had_remark(triples: &Triples<'_, '_>, id: TripleId, remark: TripleId) -> bool {
    let key = triples.key(remark, 1).or(triples.key(remark, 2));
    let siblings = triples.parent(id, 0).map(|parent| triples.children(parent, 0)).unwrap_or_default();
    let before = siblings.iter().rev().skip_while(|other| **other != id).skip(1);
    let mut remarks = before.take_while(|other| is_remark(triples[**other].piece_kind));
    triples[remark].piece_kind == PieceKind::Comment && remarks.any(|other| triples.key(*other, 0) == key)
}

/// Whether a line is about the line after it.
fn is_remark(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Blank | PieceKind::Comment | PieceKind::Create | PieceKind::Together)
}
