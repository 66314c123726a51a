//! Gaps: what the sides added at the same place.
//!
//! In a sequence diagram an addition is cut into atoms, each something that happens (a message, a whole block, a `ref`) with
//! what belongs to it: comments and dividers go with what follows, notes and bars with what precedes. The atoms of both sides may be put
//! in any order that keeps each side's own. What says nothing about order (a participant, a comment alone) takes its place without a choice.
//! What follows a directive `@together` up to an empty line is one atom, and so is everything up to a `return`, which answers whatever is open.
//! A block that one side drew around messages that were there stays close to them: the other side's addition goes outside.

use std::collections::{BTreeMap, BTreeSet};

use sequent_notation::tree::lossless::Role;

use super::order::Side;
use super::piece::{Piece, Word, Zone};
use super::slot::{Atom, Choice, Conflict, Element, Origin, Slot};
use super::weave::Weaver;

impl Weaver<'_> {
    /// Puts what the sides added into slots, and empties both lists.
    pub(super) fn gap(&mut self, added: &mut [Vec<usize>; 2]) {
        let [mut ours, mut theirs] = std::mem::take(added);
        if !self.is_distinct && !ours.is_empty() && !theirs.is_empty() {
            self.without_twins(&mut ours, &mut theirs);
        }
        let own: BTreeSet<usize> = ours.iter().copied().collect();
        // Both moved it here: once is enough.
        theirs.retain(|at| self.is_contested(*at, &own) != Some(false));
        let zones =
            ours.iter().map(|at| &self.sides[0][*at]).chain(theirs.iter().map(|at| &self.sides[1][*at]));
        let is_ordered = zones.into_iter().all(|piece| piece.zone == Zone::Sequence);
        let rivals = self.rivals(&ours, &theirs);
        theirs.retain(|at| !rivals.values().any(|rival| rival == at));
        let [mut ours, theirs] = [(Side::Ours, &ours), (Side::Theirs, &theirs)]
            .map(|(side, added)| added.iter().copied().zip(self.elements(side, added)).collect::<Vec<_>>());
        for (at, slot) in &mut ours {
            if let Some(rival) = rivals.get(at) {
                *slot = self.rivalry(*at, *rival);
            }
        }
        let [ours, theirs] =
            [ours, theirs].map(|all| all.into_iter().map(|(_, slot)| slot).collect::<Vec<_>>());
        if !is_ordered || ours.is_empty() || theirs.is_empty() {
            return self.slots.extend(ours.into_iter().chain(theirs));
        }
        self.choose(ours, theirs);
    }

    /// Participants that both sides declare, differently: ours and theirs.
    fn rivals(&self, ours: &[usize], theirs: &[usize]) -> BTreeMap<usize, usize> {
        let is_rival = |one: &Piece, other: &Piece| {
            let words = (one.word, other.word);
            words == (Word::Participant, Word::Participant)
                && one.subject == other.subject
                && !one.is_same(other)
        };
        let pairs = ours.iter().filter_map(|one| {
            let rival = theirs.iter().find(|other| is_rival(&self.sides[0][*one], &self.sides[1][**other]));
            rival.map(|rival| (*one, *rival))
        });
        pairs.collect()
    }

    fn rivalry(&self, ours: usize, theirs: usize) -> Slot {
        let (one, other) = (self.added(Side::Ours, ours), self.added(Side::Theirs, theirs));
        let why = format!("both sides declare `{}`, differently", self.sides[0][ours].subject);
        Slot::Conflict(Conflict { ours: vec![one.text], base: Vec::new(), theirs: vec![other.text], why })
    }

    /// The elements of an addition; what both sides moved, to different places, is a conflict at the second.
    fn elements(&self, side: Side, added: &[usize]) -> Vec<Slot> {
        let none = BTreeSet::new();
        let slot = |at: &usize| {
            let element = self.added(side, *at);
            match side == Side::Theirs && self.is_contested(*at, &none) == Some(true) {
                false => Slot::Text(element),
                true => Slot::Conflict(Conflict {
                    ours: Vec::new(),
                    base: Vec::new(),
                    theirs: vec![element.text],
                    why: "both sides moved this, ours to another place".to_owned(),
                }),
            }
        };
        added.iter().map(slot).collect()
    }

    /// What is the same on both sides at the beginning and the end of an addition was added once; so was a participant.
    fn without_twins(&mut self, ours: &mut Vec<usize>, theirs: &mut Vec<usize>) {
        let mut first = 0;
        while let (Some(one), Some(other)) = (ours.get(first), theirs.get(first)) {
            if !self.is_twin(*one, *other) {
                break;
            }
            if self.sides[0][*one].word == Word::Open {
                self.twins.insert(*other, *one);
            }
            first += 1;
        }
        // A directive stays with what it is about.
        while first > 0 && self.sides[0][ours[first - 1]].word == Word::Together {
            first -= 1;
        }
        let common: Vec<usize> = ours.drain(..first).collect();
        theirs.drain(..first);
        let elements = self.elements(Side::Ours, &common);
        self.slots.extend(elements.into_iter().map(shared));
        let is_own = |piece: &Piece| matches!(piece.word, Word::Participant | Word::Statement);
        let is_same = |one: usize, other: usize| self.is_same(one, other);
        theirs.retain(|at| {
            let is_known = |own: &usize| is_same(*own, *at);
            !(is_own(&self.sides[1][*at]) && ours.iter().any(is_known))
        });
        let pairs = ours.iter().rev().zip(theirs.iter().rev());
        let last = pairs.take_while(|(one, other)| is_same(**one, **other)).count();
        let last = self.whole(&ours[ours.len() - last..]);
        // What is common at the end waits until the gap before it is filled.
        if last > 0 {
            let common = ours.split_off(ours.len() - last);
            theirs.truncate(theirs.len() - last);
            let mut inner = [std::mem::take(ours), std::mem::take(theirs)];
            self.gap(&mut inner);
            let elements = self.elements(Side::Ours, &common);
            self.slots.extend(elements.into_iter().map(shared));
        }
    }

    /// Whether two additions say the same; one that was moved and edited elsewhere does not say what it seems to.
    fn is_same(&self, ours: usize, theirs: usize) -> bool {
        let is_plain = !self.is_rewritten(Side::Ours, ours) && !self.is_rewritten(Side::Theirs, theirs);
        is_plain && self.sides[0][ours].is_same(&self.sides[1][theirs])
    }

    /// Whether two additions are one; the end of a block only if the block is.
    fn is_twin(&self, ours: usize, theirs: usize) -> bool {
        let is_same = self.is_same(ours, theirs);
        let is_first = self.sides[0][ours].word == Word::Open;
        is_same && (is_first || self.added(Side::Ours, ours).block == self.added(Side::Theirs, theirs).block)
    }

    /// How many of our pieces, from the end, hold whole blocks only.
    fn whole(&self, chosen: &[usize]) -> usize {
        let pieces = self.sides[0];
        let is_inside = |at: &usize, range: &[usize]| match pieces[*at].mate {
            Some(mate) => range.contains(&mate),
            None => pieces[*at].word != Word::Open,
        };
        let is_whole = |count: &usize| {
            let range = &chosen[chosen.len() - count..];
            range.iter().all(|at| is_inside(at, range))
        };
        (0..=chosen.len()).rev().find(is_whole).unwrap_or(0)
    }

    fn choose(&mut self, ours: Vec<Slot>, theirs: Vec<Slot>) {
        let [ours, mut theirs] = [ours, theirs].map(Parts::of);
        // A block that both sides drew alike ends once.
        let is_known = |own: &[Slot], slot: &Slot| {
            block_of(slot).1.is_some() && own.iter().any(|one| block_of(one) == block_of(slot))
        };
        theirs.closing.retain(|slot| !is_known(&ours.closing, slot));
        let (mut early, mut late) = (ours.closing, ours.opening);
        early.extend(theirs.closing);
        early.extend(ours.front);
        early.extend(theirs.front);
        // A comment or empty line that both sides have before what follows is there once.
        let backs = if ours.back == theirs.back { ours.back } else { [ours.back, theirs.back].concat() };
        let mut backs = backs;
        backs.append(&mut late);
        backs.extend(theirs.opening);
        self.slots.extend(early);
        let (ours, theirs) = (ours.atoms, theirs.atoms);
        match ours.is_empty() || theirs.is_empty() {
            false => self.slots.push(Slot::Choice(Choice { ours, theirs })),
            true => {
                let elements = ours.into_iter().chain(theirs).flat_map(|atom| atom.0);
                self.slots.extend(elements.map(Slot::Text));
            }
        }
        self.slots.extend(backs);
    }
}

/// An element that both sides have added alike.
fn shared(slot: Slot) -> Slot {
    match slot {
        Slot::Text(element) => Slot::Text(Element { side: None, ..element }),
        Slot::Choice(_) | Slot::Conflict(_) => slot,
    }
}

/// To what a piece holds.
enum Hold {
    /// It is something that happens itself.
    Event,
    /// To what precedes.
    Before,
    /// To what follows.
    After,
}

impl Word {
    fn hold(self) -> Hold {
        match self {
            Word::Message | Word::Return | Word::Reference | Word::Open => Hold::Event,
            Word::Note | Word::Life | Word::Close => Hold::Before,
            Word::Line
            | Word::Blank
            | Word::Comment
            | Word::Together
            | Word::Preprocessor
            | Word::Presentation
            | Word::Title
            | Word::Unknown
            | Word::Participant
            | Word::Separator
            | Word::Statement
            | Word::Divide => Hold::After,
        }
    }
}

/// An addition, sorted by what may be done with it.
#[derive(Default)]
struct Parts {
    /// Up to the last end of a block that began before.
    closing: Vec<Slot>,
    /// Notes and bars of what precedes.
    front: Vec<Slot>,
    /// What happens.
    atoms: Vec<Atom>,
    /// Comments and the like of what follows.
    back: Vec<Slot>,
    /// From the first beginning of a block that ends later.
    opening: Vec<Slot>,
}

impl Parts {
    fn of(mut slots: Vec<Slot>) -> Self {
        let blocks: Vec<(Word, Option<Origin>)> = slots.iter().map(block_of).collect();
        let has = |word: Word, origin: Option<Origin>| blocks.contains(&(word, origin));
        let is_closing = |slot: &Slot| {
            let (word, origin) = block_of(slot);
            word == Word::Close && !has(Word::Open, origin)
        };
        let is_opening = |slot: &Slot| {
            let (word, origin) = block_of(slot);
            match word.role() {
                Role::Open => !has(Word::Close, origin),
                Role::Divide => !has(Word::Open, origin),
                Role::Plain | Role::Close => false,
            }
        };
        let closing_end = slots.iter().rposition(&is_closing).map_or(0, |at| at + 1);
        let opening = match slots[closing_end..].iter().position(is_opening) {
            Some(at) => slots.split_off(closing_end + at),
            None => Vec::new(),
        };
        let free = slots.split_off(closing_end);
        let mut parts = Parts { closing: slots, opening, ..Parts::default() };
        parts.sort(free);
        parts
    }

    fn sort(&mut self, free: Vec<Slot>) {
        let mut waiting: Vec<Element> = Vec::new();
        let mut open: Option<(Atom, Origin)> = None;
        // From which atom on they stay together.
        let mut bond: Option<usize> = None;
        for slot in free {
            let element = match slot {
                Slot::Text(element) => element,
                Slot::Choice(_) | Slot::Conflict(_) => {
                    self.front.push(slot);
                    continue;
                }
            };
            if let Some((atom, origin)) = &mut open {
                let is_end = element.word == Word::Close && element.block == Some(*origin);
                atom.0.push(element);
                if is_end {
                    self.atoms.extend(open.take().map(|(atom, _)| atom));
                }
                continue;
            }
            match element.word {
                Word::Together => {
                    self.bind(bond.take());
                    bond = Some(self.atoms.len());
                }
                Word::Blank => self.bind(bond.take()),
                Word::Return
                | Word::Line
                | Word::Comment
                | Word::Preprocessor
                | Word::Presentation
                | Word::Title
                | Word::Unknown
                | Word::Participant
                | Word::Message
                | Word::Reference
                | Word::Note
                | Word::Life
                | Word::Separator
                | Word::Statement
                | Word::Open
                | Word::Divide
                | Word::Close => {}
            }
            let is_answer = element.word == Word::Return;
            match element.word.hold() {
                Hold::Event => {
                    let origin = element.block.filter(|_| element.word == Word::Open);
                    waiting.push(element);
                    let atom = Atom(std::mem::take(&mut waiting));
                    match origin {
                        Some(origin) => open = Some((atom, origin)),
                        None => self.atoms.push(atom),
                    }
                    // Whoever it answers was called before, and nobody may be called in between.
                    self.bind(is_answer.then_some(0));
                }
                Hold::Before if waiting.is_empty() => match self.atoms.last_mut() {
                    Some(atom) => atom.0.push(element),
                    None => self.front.push(Slot::Text(element)),
                },
                Hold::Before | Hold::After => waiting.push(element),
            }
        }
        self.bind(bond);
        let rest = open.into_iter().flat_map(|(atom, _)| atom.0).chain(waiting);
        self.back.extend(rest.map(Slot::Text));
    }

    /// Makes one atom of all from this one on.
    fn bind(&mut self, from: Option<usize>) {
        let Some(from) = from.filter(|from| *from < self.atoms.len()) else { return };
        let bound = self.atoms.drain(from..).flat_map(|atom| atom.0).collect();
        self.atoms.push(Atom(bound));
    }
}

fn block_of(slot: &Slot) -> (Word, Option<Origin>) {
    match slot {
        Slot::Text(element) => (element.word, element.block),
        Slot::Choice(_) | Slot::Conflict(_) => (Word::Blank, None),
    }
}

/// The first block that does not end where it must, and the one that should have ended there, if there are any.
pub(super) fn crossing(slots: &[Slot]) -> Option<Vec<Origin>> {
    let mut open: Vec<Option<Origin>> = Vec::new();
    let mut read = |element: &Element| {
        let expected = match element.word.role() {
            Role::Open => {
                open.push(element.block);
                return None;
            }
            Role::Plain => return None,
            Role::Divide | Role::Close if element.block.is_none() => return None,
            Role::Divide => open.last().copied().flatten(),
            Role::Close => open.pop().flatten(),
        };
        (expected != element.block).then(|| element.block.into_iter().chain(expected).collect())
    };
    slots.iter().find_map(|slot| match slot {
        Slot::Text(element) => read(element),
        Slot::Choice(choice) => {
            choice.ours.iter().chain(&choice.theirs).flat_map(|atom| &atom.0).find_map(&mut read)
        }
        Slot::Conflict(_) => None,
    })
}
