//! Composition: the chunks of a merged diagram, from the triples of its three versions.

use super::chunk::{Chunk, ChunkLines, Conflict, join_conflicts, settled};
use super::conflict::TreeConflict;
use super::diff3;
use super::gap::{self, Addition};
use super::indent::{merged_line, shift, shifted};
use super::nesting::MergedTree;
use super::presence::{BACK, FRONT};
use super::region;
use super::siblings::{Placement, rows};
use crate::merge::matching::{ThreeWay, TripleId, Triples};
use crate::merge::read::{NodeKind, Piece, PieceKind, SectionKind};
use crate::merge::side::RevisionSide;

/// The most conflict regions of a diagram; beyond that the whole diagram is one.
const MOST_ROUNDS: usize = 60;

/// Returns the chunks of a merged diagram and notes about it; `None` if it cannot be merged node by node.
pub(super) fn compose(mut versions: ThreeWay<'_>) -> Option<(Vec<Chunk>, Vec<String>)> {
    for _ in 0..MOST_ROUNDS {
        let triples = Triples::of(&versions);
        let change = match merge_trees(&triples) {
            Ok(found) => return Some(found),
            Err(conflict) => region::resolve(&triples, &conflict)?,
        };
        change.apply(&mut versions);
    }
    None
}

fn merge_trees(triples: &Triples<'_, '_>) -> Result<(Vec<Chunk>, Vec<String>), TreeConflict> {
    let tree = MergedTree::of(triples)?;
    let rows = rows(&tree)?;
    let composer = ChunkComposer { triples, tree: &tree, rows: &rows };
    let chunks = join_conflicts(composer.row(0)?);
    Ok((chunks, [composer.undeleted(), composer.bared()].concat()))
}

struct ChunkComposer<'c, 't, 'v> {
    triples: &'c Triples<'t, 'v>,
    tree: &'c MergedTree<'c, 't, 'v>,
    rows: &'c [Vec<Placement>],
}

impl<'v> ChunkComposer<'_, '_, 'v> {
    fn row(&self, id: TripleId) -> Result<Vec<Chunk>, TreeConflict> {
        let versions = self.triples.versions;
        let mut chunks = Vec::new();
        let is_block = self.triples[id].kind == NodeKind::Block;
        for (number, placement) in self.rows[id].iter().enumerate() {
            match placement {
                Placement::Fixed(inner) => chunks.extend(self.whole(*inner)?),
                Placement::Gap(sides) if is_block || versions.section == SectionKind::Unordered => {
                    chunks.extend(self.unordered(sides)?);
                }
                Placement::Gap([ours, theirs]) => {
                    let [ours, theirs] = [self.additions(ours)?, self.additions(theirs)?];
                    chunks.extend(gap::fill(ours, theirs, versions.is_distinct));
                }
            }
            if is_block && number == 0 {
                self.check_operands(id)?;
            }
        }
        Ok(chunks)
    }

    /// Additions whose order has no meaning: ours, then theirs that are not the same.
    fn unordered(&self, [ours, theirs]: &[Vec<TripleId>; 2]) -> Result<Vec<Chunk>, TreeConflict> {
        let mut all: Vec<Vec<Chunk>> = ours.iter().map(|id| self.whole(*id)).collect::<Result<_, _>>()?;
        for id in theirs {
            let chunks = self.whole(*id)?;
            let is_empty = self.triples[*id].piece_kind == PieceKind::Blank;
            if self.triples.versions.is_distinct || is_empty || !all[..ours.len()].contains(&chunks) {
                all.push(chunks);
            }
        }
        Ok(all.concat())
    }

    /// Fails unless the first operand of a block, and no other, is without a line of its own.
    fn check_operands(&self, block: TripleId) -> Result<(), TreeConflict> {
        let mut operands = self.rows[block].iter().flat_map(Placement::ids);
        let is_first = |id: TripleId| {
            self.triples[id].kind == NodeKind::Operand && self.line(id).is_some_and(|line| line.is_none())
        };
        match operands.next().is_some_and(is_first) && !operands.any(is_first) {
            true => Ok(()),
            false => Err(TreeConflict::Region(vec![block], "both sides changed the operands of this block")),
        }
    }

    /// Returns the line of an operand as the side that changed it has it; `None` if both did.
    fn line(&self, id: TripleId) -> Option<Option<&'v Piece>> {
        let nodes = self.triples[id].nodes;
        let [base, ours, theirs] =
            [0, 1, 2].map(|version| nodes[version].map(|_| self.triples.piece(id, version)));
        let is_same = |one: Option<&Piece>, other: Option<&Piece>| match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => one.is_same(other),
            (_, _) => false,
        };
        match (base, ours, theirs) {
            (Some(base), Some(ours), Some(theirs)) if is_same(base, ours) => Some(theirs),
            (Some(base), Some(ours), Some(theirs)) => {
                let is_taken = is_same(base, theirs) || (ours.is_some() && theirs.is_some());
                is_taken.then_some(ours)
            }
            (_, ours, theirs) => ours.or(theirs),
        }
    }

    fn additions(&self, ids: &[TripleId]) -> Result<Vec<Addition>, TreeConflict> {
        let addition = |id: &TripleId| {
            let triple = &self.triples[*id];
            let version = (0..3).rev().find(|version| triple.nodes[*version].is_some());
            let piece = version.and_then(|version| self.triples.piece(*id, version));
            let inner = version.map(|version| self.triples.below(*id, version)).unwrap_or_default();
            let is_old = inner.into_iter().any(|inner| !self.triples[inner].is_new());
            let chunks = self.whole(*id)?;
            Ok(Addition {
                // What is new as a whole is one addition.
                chunks: if is_old { chunks } else { settled(chunks) },
                kind: triple.piece_kind,
                is_new: triple.is_new(),
                is_old,
                is_shared: triple.is_new() && triple.nodes.iter().flatten().count() == 2,
                is_answer: piece.is_some_and(|piece| piece.is_answer),
                topic: piece.map(|piece| piece.topic.clone()).unwrap_or_default(),
            })
        };
        ids.iter().map(addition).collect()
    }

    /// Returns a triple with all that is attached to it and stands in it.
    fn whole(&self, id: TripleId) -> Result<Vec<Chunk>, TreeConflict> {
        let triple = &self.triples[id];
        if let Some(side) = triple.deleter().filter(|side| self.is_kept_by_change(id, *side)) {
            return Ok(self.deleted_and_changed(id, side));
        }
        let mut chunks = self.attached(id, FRONT);
        match triple.kind {
            NodeKind::Leaf => chunks.extend(self.statement(id)),
            NodeKind::Region => chunks.extend(self.region(id)),
            NodeKind::Root => chunks.extend(self.row(id)?),
            NodeKind::Operand => {
                if self.line(id) != Some(None) {
                    chunks.extend(self.statement(id));
                }
                chunks.extend(self.row(id)?);
            }
            NodeKind::Block => {
                chunks.extend(self.statement(id));
                chunks.extend(self.row(id)?);
                chunks.push(self.end(id));
            }
        }
        chunks.extend(self.attached(id, BACK));
        Ok(chunks)
    }

    /// Whether a side deleted a statement that the other changed, or to which it added something.
    fn is_kept_by_change(&self, id: TripleId, side: RevisionSide) -> bool {
        self.triples[id].kind == NodeKind::Leaf
            && (self.triples.is_edited(id, side.other()) || !self.tree.presence.attached(id, BACK).is_empty())
    }

    /// Returns the lines that the sides attached to a triple, equal ones once.
    fn attached(&self, id: TripleId, place: usize) -> Vec<Chunk> {
        let all = self.tree.presence.attached(id, place).iter().copied();
        let (ours, theirs): (Vec<TripleId>, Vec<TripleId>) =
            all.partition(|id| self.triples[*id].adder() == Some(RevisionSide::Ours));
        let is_known = |other: &TripleId| {
            let mut ours = ours.iter();
            !self.triples.versions.is_distinct
                && ours.any(|one| self.triples.key(*one, 1) == self.triples.key(*other, 2))
        };
        let others = theirs.iter().filter(|id| !is_known(id));
        ours.iter().chain(others).flat_map(|id| self.statement(*id)).collect()
    }

    /// Returns a line that both sides may have changed.
    fn statement(&self, id: TripleId) -> Vec<Chunk> {
        let pieces = self.triples.pieces(id);
        let kind = self.triples[id].piece_kind;
        let text = |text: String| vec![Chunk::Text(ChunkLines { text, kind })];
        let conflict = |why: String| {
            let [base, ours, theirs] =
                pieces.map(|piece| piece.map(|piece| piece.text.clone()).into_iter().collect());
            vec![Chunk::Conflict(Conflict { sides: [ours, theirs], base, why })]
        };
        match pieces {
            [Some(base), Some(ours), Some(theirs)] => match is_apart(base, ours, theirs) {
                true if base.text.contains('\n') => line_by_line(kind, [base, ours, theirs]),
                true => conflict("both sides changed this".to_owned()),
                false => text(merged_line(base, ours, theirs)),
            },
            [None, Some(ours), Some(theirs)] if !ours.is_same(theirs) => {
                conflict(match kind == PieceKind::Participant {
                    true => format!("both sides declare `{}`, differently", ours.topic.words()),
                    false => "both sides added this, differently".to_owned(),
                })
            }
            [None, Some(_), None] if self.triples.is_contested(id, RevisionSide::Ours) => {
                conflict("both sides moved this, theirs to another place".to_owned())
            }
            [None, None, Some(_)] if self.triples.is_contested(id, RevisionSide::Theirs) => {
                conflict("both sides moved this, ours to another place".to_owned())
            }
            [Some(_), Some(one), None] | [Some(_), None, Some(one)] => text(one.text.clone()),
            [None, Some(ours), _] => text(self.shifted(id, RevisionSide::Ours, ours)),
            [None, None, Some(theirs)] => text(self.shifted(id, RevisionSide::Theirs, theirs)),
            [_, None, None] => Vec::new(),
        }
    }

    /// Returns a conflict about a statement that one side deleted and the other changed, or to which it added something.
    fn deleted_and_changed(&self, id: TripleId, side: RevisionSide) -> Vec<Chunk> {
        let other = side.other().version();
        let attached = |place: usize| {
            let all = self.tree.presence.attached(id, place).iter();
            all.filter_map(|id| self.triples.piece(*id, other)).map(|piece| piece.text.as_str())
        };
        let own = self.triples.lines(id, other);
        let changed = attached(FRONT).chain(own).chain(attached(BACK)).map(str::to_owned).collect();
        let (sides, why) = match side {
            RevisionSide::Ours => ([Vec::new(), changed], "our side deleted this, theirs changed it"),
            RevisionSide::Theirs => ([changed, Vec::new()], "our side changed this, theirs deleted it"),
        };
        let base = self.triples.piece(id, 0).map(|piece| piece.text.clone()).into_iter().collect();
        vec![Chunk::Conflict(Conflict { sides, base, why: why.to_owned() })]
    }

    fn region(&self, id: TripleId) -> Vec<Chunk> {
        let triple = &self.triples[id];
        let texts = [0, 1, 2].map(|version| self.triples.lines(id, version));
        let reason = triple.nodes[0].and_then(|node| self.triples.versions.reasons.get(&node).copied());
        let why = reason.unwrap_or(match triple.deleter() {
            Some(RevisionSide::Ours) => "our side deleted this block, theirs changed it",
            Some(RevisionSide::Theirs) => "our side changed this block, theirs deleted it",
            None => "both sides changed this",
        });
        diff3::conflict(texts.each_ref().map(Vec::as_slice), why)
    }

    /// Returns the last line of a block.
    fn end(&self, id: TripleId) -> Chunk {
        let pieces = self.triples.last_pieces(id);
        let text = match pieces {
            [Some(base), Some(ours), Some(theirs)] if is_apart(base, ours, theirs) => {
                let [base, ours, theirs] = pieces
                    .map(|piece| piece.map(|piece| piece.text.clone()).into_iter().collect::<Vec<String>>());
                let why = "both sides changed this".to_owned();
                return Chunk::Conflict(Conflict { sides: [ours, theirs], base, why });
            }
            [Some(base), Some(ours), Some(theirs)] => merged_line(base, ours, theirs),
            [_, Some(ours), _] => self.shifted(id, RevisionSide::Ours, ours),
            [_, None, Some(theirs)] => self.shifted(id, RevisionSide::Theirs, theirs),
            [_, None, None] => String::new(),
        };
        Chunk::Text(ChunkLines { text, kind: PieceKind::Close })
    }

    fn shifted(&self, id: TripleId, side: RevisionSide, piece: &Piece) -> String {
        shifted(&piece.text, shift(self.tree, id, side))
    }

    /// Returns notes about what one side added to a block that the other took away: it stays without the block.
    fn bared(&self) -> Vec<String> {
        let triples = self.triples;
        let mut notes = Vec::new();
        for id in triples.ids().filter(|id| triples[*id].piece_kind.is_event()) {
            let Some(side) = triples[id].adder() else { continue };
            let version = side.version();
            let is_gone =
                |outer: &TripleId| !triples[*outer].is_new() && !self.tree.presence.is_present[*outer];
            let outer = triples.parent(id, version).filter(is_gone);
            let block = outer.and_then(|outer| triples.parent(outer, version));
            let block = block.and_then(|block| triples.piece(block, version));
            if let (Some(block), Some(piece)) = (block, triples.piece(id, version)) {
                let who = match side {
                    RevisionSide::Ours => "our side added it there, theirs took the block away",
                    RevisionSide::Theirs => "their side added it there, ours took the block away",
                };
                let (piece, block) = (piece.text.trim(), block.text.trim());
                notes.push(format!("`{piece}` stands outside of `{block}`: {who}"));
            }
        }
        notes
    }

    /// Returns notes about what one side moved or named and the other deleted: it stays.
    fn undeleted(&self) -> Vec<String> {
        let triples = self.triples;
        let mut notes = Vec::new();
        for id in triples.ids().filter(|id| self.tree.presence.is_present[*id]) {
            let (Some(side), NodeKind::Leaf) = (triples[id].deleter(), triples[id].kind) else { continue };
            let piece = triples.piece(id, 0).filter(|_| !self.is_kept_by_change(id, side));
            if let Some(piece) = piece {
                let who = match (side, triples[id].piece_kind == PieceKind::Participant) {
                    (RevisionSide::Theirs, true) => "their side deleted it, ours speaks of it",
                    (RevisionSide::Ours, true) => "our side deleted it, theirs speaks of it",
                    (RevisionSide::Theirs, false) => "their side deleted it, ours moved it",
                    (RevisionSide::Ours, false) => "our side deleted it, theirs moved it",
                };
                notes.push(format!("`{}` stays: {who}", piece.text.trim()));
            }
        }
        notes
    }
}

/// Whether both sides changed a line, in different ways.
fn is_apart(base: &Piece, ours: &Piece, theirs: &Piece) -> bool {
    !ours.is_same(base) && !theirs.is_same(base) && !ours.is_same(theirs)
}

/// Merges a statement of several lines that both sides changed as prose is merged.
fn line_by_line(kind: PieceKind, pieces: [&Piece; 3]) -> Vec<Chunk> {
    let texts = pieces.map(|piece| piece.text.split('\n').collect::<Vec<&str>>());
    let chunks = diff3::merge_lines(texts.each_ref().map(Vec::as_slice));
    let mut text: Vec<&str> = Vec::new();
    for chunk in &chunks {
        match chunk {
            Chunk::Text(lines) => text.push(&lines.text),
            Chunk::Choice(_) | Chunk::Conflict(_) => return chunks,
        }
    }
    vec![Chunk::Text(ChunkLines { text: text.join("\n"), kind })]
}
