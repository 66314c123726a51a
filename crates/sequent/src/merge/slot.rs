//! Slots: a merged file before the last choices are made.

use super::order::Side;
use super::piece::Word;

/// A part of a merged file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Lines that have their place.
    Text(Element),
    /// What both sides have added at the same place of a sequence diagram; its order is open.
    Choice(Choice),
    /// What the sides do not agree about.
    Conflict(Conflict),
}

/// Lines that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// The lines, without the last line break.
    pub text: String,
    /// What they are.
    pub word: Word,
}

impl Element {
    /// A line of text.
    pub fn line(text: &str) -> Self {
        Element { text: text.to_owned(), word: Word::Line }
    }
}

/// Elements that stay together: something that happens, with its comments, notes and bars.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Atom(pub Vec<Element>);

/// Two additions at the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What we added, in our order.
    pub ours: Vec<Atom>,
    /// What they added, in their order.
    pub theirs: Vec<Atom>,
}

impl Choice {
    /// How many atoms both sides added.
    pub fn len(&self) -> usize {
        self.ours.len() + self.theirs.len()
    }

    /// Never: both sides added something.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The atoms in the order in which the sides take turns.
    pub fn arranged<'c>(&'c self, order: &'c [Side]) -> impl Iterator<Item = (Side, &'c Atom)> {
        let mut own = [self.ours.iter(), self.theirs.iter()];
        order.iter().filter_map(move |side| own[*side as usize].next().map(|atom| (*side, atom)))
    }
}

/// Versions that exclude each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Our lines.
    pub ours: Vec<String>,
    /// The lines before either change.
    pub base: Vec<String>,
    /// Their lines.
    pub theirs: Vec<String>,
    /// What is wrong, in a few words.
    pub why: String,
}

/// Conflicts one after the other, of which the same side has nothing for the same reason, are one.
pub fn joined(slots: Vec<Slot>) -> Vec<Slot> {
    let mut joined: Vec<Slot> = Vec::new();
    for slot in slots {
        match (joined.last_mut(), slot) {
            (Some(Slot::Conflict(last)), Slot::Conflict(next)) if last.goes_on(&next) => {
                last.ours.extend(next.ours);
                last.base.extend(next.base);
                last.theirs.extend(next.theirs);
            }
            (_, slot) => joined.push(slot),
        }
    }
    joined
}

impl Conflict {
    fn goes_on(&self, next: &Conflict) -> bool {
        let is_ours = self.theirs.is_empty() && next.theirs.is_empty();
        let is_theirs = self.ours.is_empty() && next.ours.is_empty();
        (is_ours || is_theirs) && self.why == next.why
    }
}
