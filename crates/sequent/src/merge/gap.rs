//! Gaps: what the sides put at the same place of a sequence diagram.
//!
//! An addition is cut into atoms, each something that happens (a message, a whole block, a `ref`) with
//! what belongs to it: comments go with what follows, notes and bars with what precedes. The atoms of both sides may be put
//! in any order that keeps each side's own. What says nothing about order (a participant, a comment alone) takes its place without a choice.
//! What follows a directive `@together` up to an empty line is one atom, and so is everything up to a `return`, which answers whatever is open.

use super::piece::Word;
use super::slot::{Atom, Choice, Element, Slot};

/// A part of an addition.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its lines.
    pub slots: Vec<Slot>,
    /// What it is.
    pub word: Word,
    /// Whether it was nowhere before.
    pub is_new: bool,
    /// Whether both sides added it.
    pub is_shared: bool,
    /// Whether it answers an earlier message.
    pub is_answer: bool,
    /// Whom it is about.
    pub subject: String,
}

impl Part {
    /// Whether both sides added the same.
    fn is_twin(&self, other: &Part) -> bool {
        let is_same = |(one, other): (&Slot, &Slot)| match (one, other) {
            (Slot::Text(one), Slot::Text(other)) => trimmed(&one.text) == trimmed(&other.text),
            (_, _) => false,
        };
        self.is_new
            && other.is_new
            && self.word == other.word
            && self.slots.len() == other.slots.len()
            && self.slots.iter().zip(&other.slots).all(is_same)
    }

    /// Whether it may be what precedes it to which it belongs.
    fn is_bound(&self, rest: &[Part]) -> bool {
        if matches!(self.word.hold(), Hold::Before) {
            return true;
        }
        let back = self.subject.split_once("->").map(|(from, to)| format!("{to}->{from}"));
        let is_call = |part: &Part| part.word == Word::Message && Some(&part.subject) == back.as_ref();
        match self.word {
            Word::Return => !rest.is_empty(),
            _ => self.is_answer && rest.iter().any(is_call),
        }
    }
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// The slots of what both sides put at one place; what is the same at the beginning and at the end was added once, unless
/// it is to be two.
pub fn fill(mut ours: Vec<Part>, mut theirs: Vec<Part>, is_distinct: bool) -> Vec<Slot> {
    // What both declare is there before either speaks of it.
    let (shared, rest): (Vec<Part>, Vec<Part>) =
        ours.into_iter().partition(|part| part.is_shared && !theirs.is_empty());
    ours = rest;
    let mut slots: Vec<Slot> = shared.into_iter().flat_map(|part| part.slots).collect();
    if is_distinct || ours.is_empty() || theirs.is_empty() {
        slots.extend(choose(ours, theirs));
        return slots;
    }
    let mut first = ours.iter().zip(&theirs).take_while(|(one, other)| one.is_twin(other)).count();
    // A directive stays with what it is about.
    while first > 0 && ours[first - 1].word == Word::Together {
        first -= 1;
    }
    let common: Vec<Part> = ours.drain(..first).collect();
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
    slots.extend(common.into_iter().flat_map(|part| part.slots));
    slots.extend(choose(ours, theirs));
    slots.extend(last.into_iter().rev().flat_map(|part| part.slots));
    slots
}

fn choose(ours: Vec<Part>, theirs: Vec<Part>) -> Vec<Slot> {
    let is_text = |part: &Part| part.slots.iter().all(|slot| matches!(slot, Slot::Text(_)));
    // What is open inside has no place in an order.
    let is_open = !ours.iter().chain(&theirs).all(is_text);
    if is_open || ours.is_empty() || theirs.is_empty() {
        return ours.into_iter().chain(theirs).flat_map(|part| part.slots).collect();
    }
    let [ours, theirs] = [ours, theirs].map(Atoms::of);
    let mut slots: Vec<Slot> = ours.front.into_iter().chain(theirs.front).map(Slot::Text).collect();
    match ours.atoms.is_empty() || theirs.atoms.is_empty() {
        false => slots.push(Slot::Choice(Choice { ours: ours.atoms, theirs: theirs.atoms })),
        true => {
            let elements = ours.atoms.into_iter().chain(theirs.atoms).flat_map(|atom| atom.0);
            slots.extend(elements.map(Slot::Text));
        }
    }
    // A comment or empty line that both sides have before what follows is there once.
    let is_same = ours.back == theirs.back;
    slots.extend(ours.back.into_iter().map(Slot::Text));
    slots.extend(theirs.back.into_iter().filter(|_| !is_same).map(Slot::Text));
    slots
}

/// To what a line holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// It is something that happens itself.
    Event,
    /// To what precedes.
    Before,
    /// To what follows.
    After,
}

impl Word {
    /// To what a line of this kind holds.
    pub fn hold(self) -> Hold {
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
            | Word::Create
            | Word::Separator
            | Word::Statement
            | Word::Divide => Hold::After,
        }
    }
}

/// An addition, sorted by what may be done with it.
#[derive(Default)]
struct Atoms {
    /// Notes and bars of what precedes.
    front: Vec<Element>,
    /// What happens.
    atoms: Vec<Atom>,
    /// Comments and the like of what follows.
    back: Vec<Element>,
}

impl Atoms {
    fn of(parts: Vec<Part>) -> Self {
        let mut sorted = Atoms::default();
        // From which atom on they stay together.
        let mut bond: Option<usize> = None;
        for part in parts {
            let elements = part.slots.into_iter().filter_map(|slot| match slot {
                Slot::Text(element) => Some(element),
                Slot::Choice(_) | Slot::Conflict(_) => None,
            });
            if part.word == Word::Together {
                sorted.bind(bond.take());
                bond = Some(sorted.atoms.len());
            }
            if part.word == Word::Blank {
                sorted.bind(bond.take());
            }
            match part.word.hold() {
                Hold::Event => {
                    let mut atom = std::mem::take(&mut sorted.back);
                    atom.extend(elements);
                    sorted.atoms.push(Atom(atom));
                    // Whoever it answers was called before, and nobody may be called in between.
                    sorted.bind((part.word == Word::Return).then_some(0));
                }
                Hold::Before if sorted.back.is_empty() => match sorted.atoms.last_mut() {
                    Some(atom) => atom.0.extend(elements),
                    None => sorted.front.extend(elements),
                },
                Hold::Before | Hold::After => sorted.back.extend(elements),
            }
        }
        sorted.bind(bond);
        sorted
    }

    /// Makes one atom of all from this one on.
    fn bind(&mut self, from: Option<usize>) {
        let Some(from) = from.filter(|from| *from < self.atoms.len()) else { return };
        let bound = self.atoms.drain(from..).flat_map(|atom| atom.0).collect();
        self.atoms.push(Atom(bound));
    }
}
