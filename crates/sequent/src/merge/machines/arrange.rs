//! The body of a merged diagram with its choices decided, or decided up to a point.
//!
//! A draft is read once, our additions first; every other merge has the same fragments in another order. Choices that are not decided yet become a `par`
//! of the remaining additions of both sides: every merge with this beginning is one of its interleavings, so if the machines cannot do the `par` they
//! can do none of these merges.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use sequent_kernel::model::{Block, Combined, Fragment, Frame, Interaction, LifelineId, Operand, Operator};
use sequent_kernel::source::FileId;

use super::model::{event_name, place};
use crate::merge::draft::PlacedChunk;
use crate::merge::side::RevisionSide;

/// An atom of a choice: its chunk, the side that added it, and its index there.
pub(in crate::merge) type AtomKey = (usize, RevisionSide, usize);

/// Where the atoms of the choices of a diagram stand in the text that was read.
pub(super) struct AtomSpans {
    file: FileId,
    /// Sorted by their first bytes.
    ranges: Vec<(Range<usize>, AtomKey)>,
}

/// The number of atoms of each side in a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChoiceSize {
    /// The chunk of the draft.
    pub(super) chunk: usize,
    /// The number of our and of their atoms.
    pub(super) sides: [usize; 2],
}

impl ChoiceSize {
    /// Returns the number of atoms of both sides.
    pub(super) fn total(&self) -> usize {
        self.sides[0] + self.sides[1]
    }
}

/// Whether an atom is part of the diagram that is asked about.
pub(super) type AtomFilter<'c> = &'c dyn Fn(AtomKey) -> bool;

impl AtomSpans {
    /// Finds the atoms of the choices of one diagram.
    pub(super) fn new(file: FileId, placed: &[PlacedChunk], choices: &[usize]) -> Self {
        let own = placed.iter().filter(|one| choices.contains(&one.chunk));
        let atom =
            |one: &PlacedChunk| one.atom.map(|(side, number)| (one.range.clone(), (one.chunk, side, number)));
        let mut ranges: Vec<(Range<usize>, AtomKey)> = own.filter_map(atom).collect();
        ranges.sort_by_key(|(range, _)| range.start);
        AtomSpans { file, ranges }
    }

    /// Returns all atoms.
    pub(super) fn keys(&self) -> impl Iterator<Item = AtomKey> {
        self.ranges.iter().map(|(_, key)| *key)
    }

    /// Returns the sizes of the choices, in order, if only some atoms count.
    pub(super) fn sizes(&self, counts: AtomFilter<'_>) -> Vec<ChoiceSize> {
        let chunks: BTreeSet<usize> = self.keys().map(|(chunk, ..)| chunk).collect();
        let size = |chunk: usize| {
            let of = |side: RevisionSide| {
                self.keys().filter(|key| (key.0, key.1) == (chunk, side) && counts(*key)).count()
            };
            ChoiceSize { chunk, sides: RevisionSide::BOTH.map(of) }
        };
        chunks.into_iter().map(size).collect()
    }

    fn of(&self, interaction: &Interaction, fragment: &Fragment) -> Option<AtomKey> {
        let span = place(interaction, fragment).filter(|span| span.file == self.file)?;
        let at = span.start as usize;
        let before = self.ranges.partition_point(|(range, _)| range.start <= at).checked_sub(1)?;
        let (range, key) = &self.ranges[before];
        (at <= range.end).then_some(*key)
    }

    /// Returns the names of the events of an atom; of a block its kind, and what lifelines with machines send and receive there.
    pub(super) fn name(
        &self,
        interaction: &Interaction,
        key: AtomKey,
        asked: &BTreeSet<LifelineId>,
    ) -> String {
        let mut names: Vec<String> = Vec::new();
        let mut block: Option<Range<u32>> = None;
        visit(&interaction.body, &mut |fragment| {
            let span = place(interaction, fragment);
            let is_inside = block.as_ref().zip(span).is_some_and(|(block, span)| block.contains(&span.start));
            if is_inside || self.of(interaction, fragment) != Some(key) {
                return;
            }
            names.extend(event_name(interaction, fragment, asked));
            if let Fragment::Combined(_) = fragment {
                block = span.map(|span| span.start + 1..span.end);
            }
        });
        names.join(" ")
    }

    /// Returns the lifelines of an atom, or those that receive something in it; `None` for one that may concern any.
    pub(super) fn lifelines(
        &self,
        interaction: &Interaction,
        key: AtomKey,
        is_receipt: bool,
    ) -> Option<BTreeSet<LifelineId>> {
        let mut found = BTreeSet::new();
        let mut is_any = false;
        visit(&interaction.body, &mut |fragment| {
            if self.of(interaction, fragment) != Some(key) {
                return;
            }
            match fragment {
                Fragment::Message(id) => {
                    let message = &interaction.messages[*id];
                    found.extend(message.from.lifeline().filter(|_| !is_receipt));
                    found.extend(message.to.lifeline());
                }
                Fragment::Stop(stop) => found.extend([stop.lifeline]),
                Fragment::Action(action) => found.extend([action.lifeline]),
                Fragment::Invariant(invariant) => found.extend(&invariant.lifelines),
                Fragment::Use(_) | Fragment::Combined(_) => is_any = true,
                Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        });
        (!is_any).then_some(found)
    }

    /// Returns the body of an interaction in which choices are decided as far as `order` goes, choice after choice; atoms that do not count are
    /// left out.
    pub(super) fn arranged(
        &self,
        interaction: &Interaction,
        counts: AtomFilter<'_>,
        order: &[RevisionSide],
    ) -> Block {
        let mut rest = order;
        let mut decided: Vec<(usize, &[RevisionSide])> = Vec::new();
        for size in self.sizes(counts) {
            let (own, later) = rest.split_at(size.total().min(rest.len()));
            decided.push((size.chunk, own));
            rest = later;
        }
        let mut body = Arranger { atoms: self, interaction, counts, decided }.block(&interaction.body);
        body.number_fragments();
        body
    }
}

fn visit<'b>(block: &'b Block, see: &mut dyn FnMut(&'b Fragment)) {
    for fragment in &block.0 {
        see(fragment);
        if let Fragment::Combined(combined) = fragment {
            combined.operands.iter().for_each(|operand| visit(&operand.block, see));
        }
    }
}

/// A choice whose atoms are being collected: its chunk, and the fragments of each atom.
type OpenChoice = (usize, Vec<(AtomKey, Vec<Fragment>)>);

struct Arranger<'a> {
    atoms: &'a AtomSpans,
    interaction: &'a Interaction,
    counts: AtomFilter<'a>,
    /// For each choice the sides in their order, as far as they are known.
    decided: Vec<(usize, &'a [RevisionSide])>,
}

impl Arranger<'_> {
    fn block(&self, block: &Block) -> Block {
        let mut done: Vec<Fragment> = Vec::new();
        let mut open: Option<OpenChoice> = None;
        for fragment in &block.0 {
            match (self.atoms.of(self.interaction, fragment), &mut open) {
                (Some(key), Some((chunk, atoms))) if *chunk == key.0 => match atoms.last_mut() {
                    Some((last, fragments)) if *last == key => fragments.push(fragment.clone()),
                    Some(_) | None => atoms.push((key, vec![fragment.clone()])),
                },
                (Some(key), _) => {
                    self.close(open.take(), &mut done);
                    open = Some((key.0, vec![(key, vec![fragment.clone()])]));
                }
                // Bars and notes have no place of their own: they go with the fragment before them.
                (None, Some((_, atoms))) if fragment.is_drawn_only() => {
                    if let Some((_, fragments)) = atoms.last_mut() {
                        fragments.push(fragment.clone());
                    }
                }
                (None, _) => {
                    self.close(open.take(), &mut done);
                    done.push(self.inside(fragment));
                }
            }
        }
        self.close(open, &mut done);
        Block(done)
    }

    fn inside(&self, fragment: &Fragment) -> Fragment {
        let mut fragment = fragment.clone();
        if let Fragment::Combined(combined) = &mut fragment {
            for operand in &mut combined.operands {
                operand.block = self.block(&operand.block);
            }
        }
        fragment
    }

    /// Puts the atoms of a choice in their order.
    fn close(&self, open: Option<OpenChoice>, done: &mut Vec<Fragment>) {
        let Some((chunk, atoms)) = open else { return };
        let decided = self.decided.iter().find(|(known, _)| *known == chunk);
        let mut own: [VecDeque<Vec<Fragment>>; 2] = Default::default();
        for (key, fragments) in atoms {
            if (self.counts)(key) {
                own[key.1 as usize].push_back(fragments);
            }
        }
        for side in decided.into_iter().flat_map(|(_, sides)| *sides) {
            done.extend(own[*side as usize].pop_front().into_iter().flatten());
        }
        let [ours, theirs] = own.map(|rest| rest.into_iter().flatten().collect::<Vec<Fragment>>());
        match ours.is_empty() || theirs.is_empty() {
            true => done.extend(ours.into_iter().chain(theirs)),
            false => done.push(self.par([ours, theirs])),
        }
    }

    fn par(&self, sides: [Vec<Fragment>; 2]) -> Fragment {
        let place = self.interaction.place;
        let operand = |fragments| Operand::plain(Block(fragments), place);
        let frame = Frame { keyword: "par".to_owned(), title: None, subtitle: None, colour: None };
        let operands = sides.map(operand).into();
        Fragment::Combined(Combined::new(Operator::Par, operands, frame, place))
    }
}
