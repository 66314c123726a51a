//! Gaps: the additions of both sides at the same place of a sequence diagram.
//!
//! An addition is cut into atoms, each an event (a message, a whole block, a `ref`) with
//! the lines attached to it: comments to the event after them, notes and bars to the event before them. The atoms of both sides may be put
//! in any order that keeps each side's own. Lines whose order has no meaning (a participant, a comment alone) are placed without a choice.
//! Additions of one side alone are atoms too, so that the state machines judge them together with those at other places.
//! The events after a directive `@together` up to an empty line are one atom, and so is everything up to a `return`, which answers the open call.

use super::chunk::{Chunk, ChunkAtom, ChunkLines, MergeChoice, settled};
use crate::merge::read::{Attachment, PieceKind, Topic, unindented};
use crate::merge::side::RevisionSide;

/// A node that a side added.
#[derive(Clone, Debug)]
pub(super) struct Addition {
    /// Its lines.
    pub(super) chunks: Vec<Chunk>,
    /// What it is.
    pub(super) kind: PieceKind,
    /// Whether the base does not have it.
    pub(super) is_new: bool,
    /// Whether it holds something that the base has.
    pub(super) is_old: bool,
    /// Whether both sides added it.
    pub(super) is_shared: bool,
    /// Whether it answers an earlier message.
    pub(super) is_answer: bool,
    /// What it is about.
    pub(super) topic: Topic,
}

impl Addition {
    /// Whether both sides added the same.
    fn is_twin(&self, other: &Addition) -> bool {
        let is_same = |(one, other): (&Chunk, &Chunk)| match (one, other) {
            (Chunk::Text(one), Chunk::Text(other)) => unindented(&one.text) == unindented(&other.text),
            (_, _) => false,
        };
        self.is_new
            && other.is_new
            && self.kind == other.kind
            && self.chunks.len() == other.chunks.len()
            && self.chunks.iter().zip(&other.chunks).all(is_same)
    }

    /// Whether it holds open choices or conflicts: then it has no part in an order.
    fn is_open(&self) -> bool {
        self.chunks.iter().any(|chunk| match chunk {
            Chunk::Text(_) => false,
            Chunk::Choice(choice) => choice.is_open(),
            Chunk::Conflict(_) => true,
        })
    }

    /// Whether it may belong to one of the additions before it.
    fn is_bound(&self, before: &[Addition]) -> bool {
        if self.kind.attachment() == Attachment::Preceding {
            return true;
        }
        if self.kind == PieceKind::Return {
            return !before.is_empty();
        }
        let back = self.topic.back();
        let is_call = |one: &Addition| one.kind == PieceKind::Message && Some(&one.topic) == back.as_ref();
        self.is_answer && before.iter().any(is_call)
    }
}

/// Returns the chunks of the additions of both sides at one place. Equal additions at the beginning and at the end are made once, unless
/// they are to be kept twice.
pub(super) fn fill(ours: Vec<Addition>, mut theirs: Vec<Addition>, is_distinct: bool) -> Vec<Chunk> {
    // Declarations of both sides come before all uses.
    let (shared, mut ours): (Vec<Addition>, Vec<Addition>) =
        ours.into_iter().partition(|one| one.is_shared && !theirs.is_empty());
    let mut chunks = chunks_of(shared);
    if is_distinct || ours.is_empty() || theirs.is_empty() {
        chunks.extend(choose(ours, theirs));
        return chunks;
    }
    let mut first = ours.iter().zip(&theirs).take_while(|(one, other)| one.is_twin(other)).count();
    // A directive stays with the messages that it is about.
    while first > 0 && ours[first - 1].kind == PieceKind::Together {
        first -= 1;
    }
    let common: Vec<Addition> = ours.drain(..first).collect();
    theirs.drain(..first);
    let mut last = Vec::new();
    while let (Some(one), Some(other)) = (ours.last(), theirs.last()) {
        let rest = [&ours[..ours.len() - 1], &theirs[..theirs.len() - 1]];
        if !one.is_twin(other) || rest.iter().any(|rest| one.is_bound(rest)) {
            break;
        }
        last.extend(ours.pop());
        theirs.pop();
    }
    chunks.extend(chunks_of(common));
    chunks.extend(choose(ours, theirs));
    chunks.extend(chunks_of(last.into_iter().rev()));
    chunks
}

fn chunks_of(additions: impl IntoIterator<Item = Addition>) -> Vec<Chunk> {
    additions.into_iter().flat_map(|one| one.chunks).collect()
}

fn choose(ours: Vec<Addition>, theirs: Vec<Addition>) -> Vec<Chunk> {
    if ours.is_empty() || theirs.is_empty() || ours.iter().chain(&theirs).any(Addition::is_open) {
        let [ours, theirs] =
            [(ours, RevisionSide::Ours), (theirs, RevisionSide::Theirs)].map(|(all, side)| apart(all, side));
        return ours.into_iter().chain(theirs).collect();
    }
    let [ours, theirs] = [ours, theirs].map(Atoms::of);
    let mut chunks: Vec<Chunk> = ours.front.into_iter().chain(theirs.front).map(Chunk::Text).collect();
    let choice = MergeChoice { sides: [ours.atoms, theirs.atoms] };
    chunks.extend((choice.count() > 0).then_some(Chunk::Choice(choice)));
    // A comment or empty line that both sides have before the next event is there once.
    let is_same = ours.back == theirs.back;
    chunks.extend(ours.back.into_iter().map(Chunk::Text));
    chunks.extend(theirs.back.into_iter().filter(|_| !is_same).map(Chunk::Text));
    chunks
}

/// Returns the additions of one side, in its order. What holds something of the base, or a conflict, has its place; the rest are atoms.
fn apart(additions: Vec<Addition>, side: RevisionSide) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut new: Vec<Addition> = Vec::new();
    for one in additions {
        if one.is_old || one.is_open() {
            chunks.extend(Atoms::of(std::mem::take(&mut new)).into_chunks(side));
            chunks.extend(one.chunks);
        } else {
            new.push(one);
        }
    }
    chunks.extend(Atoms::of(new).into_chunks(side));
    chunks
}

/// An addition of one side, cut into atoms.
#[derive(Default)]
struct Atoms {
    /// Notes and bars of the event before the gap.
    front: Vec<ChunkLines>,
    /// The events.
    atoms: Vec<ChunkAtom>,
    /// Comments and the like of the event after the gap.
    back: Vec<ChunkLines>,
}

impl Atoms {
    fn of(additions: Vec<Addition>) -> Self {
        let mut cut = Atoms::default();
        // The first of the atoms that stay together.
        let mut bond: Option<usize> = None;
        for one in additions {
            let lines = settled(one.chunks).into_iter().filter_map(|chunk| match chunk {
                Chunk::Text(lines) => Some(lines),
                Chunk::Choice(_) | Chunk::Conflict(_) => None,
            });
            if matches!(one.kind, PieceKind::Together | PieceKind::Blank) {
                cut.join(bond.take());
            }
            if one.kind == PieceKind::Together {
                bond = Some(cut.atoms.len());
            }
            match one.kind.attachment() {
                Attachment::Event => {
                    let mut own = std::mem::take(&mut cut.back);
                    own.extend(lines);
                    cut.atoms.push(ChunkAtom { lines: own, is_old: one.is_old });
                    // The call that it answers comes before it, and no other call comes in between.
                    cut.join((one.kind == PieceKind::Return).then_some(0));
                }
                Attachment::Preceding if cut.back.is_empty() => match cut.atoms.last_mut() {
                    Some(atom) => atom.lines.extend(lines),
                    None => cut.front.extend(lines),
                },
                Attachment::Preceding | Attachment::Following => cut.back.extend(lines),
            }
        }
        cut.join(bond);
        cut
    }

    /// Joins all atoms from this one on.
    fn join(&mut self, from: Option<usize>) {
        let Some(from) = from.filter(|from| *from < self.atoms.len()) else { return };
        let mut joined = ChunkAtom::default();
        for atom in self.atoms.drain(from..) {
            joined.lines.extend(atom.lines);
            joined.is_old |= atom.is_old;
        }
        self.atoms.push(joined);
    }

    /// Returns the chunks if the other side has no additions here.
    fn into_chunks(self, side: RevisionSide) -> impl Iterator<Item = Chunk> {
        let mut sides: [Vec<ChunkAtom>; 2] = Default::default();
        sides[side as usize] = self.atoms;
        let choice = MergeChoice { sides };
        let choice = (choice.count() > 0).then_some(Chunk::Choice(choice));
        let [front, back] = [self.front, self.back].map(|lines| lines.into_iter().map(Chunk::Text));
        front.chain(choice).chain(back)
    }
}
