//! Binding: resolves the atoms of a formula in a System.
//!
//! An event pattern becomes the set of moments it matches, a guard its value, anything about a state a term.
//! The tree is stored flat, operands before operators, so that later passes need no recursion.

use std::collections::{BTreeMap, BTreeSet};

use super::bits::Bits;
use super::pattern;
use crate::formula::{Atom, Binary, Formula, FormulaNode, Unary};
use crate::id;
use crate::id::{Id, IdVec};
use crate::property::Moment;
use crate::source::Place;
use crate::system::{EventId, System, TermId};

id! {
    /// A part of a bound formula.
    PartId
}

/// A formula whose atoms are known: its parts in the order of writing, operands before operators, the whole last.
#[derive(Clone, Debug)]
pub struct BoundFormula {
    parts: IdVec<PartId, BoundPart>,
    events: usize,
}

/// A part of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundPart {
    /// What it says.
    pub says: Says,
    /// Where it stands.
    pub place: Place,
}

/// What a part of a formula says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Says {
    /// True or false.
    Constant(bool),
    /// What happens is one of these.
    Moments(Moments),
    /// This holds in the state.
    Holds(TermId),
    /// An operator with one operand.
    Unary(Unary, PartId),
    /// An operator with two operands.
    Binary(Binary, PartId, PartId),
}

/// A set of moments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moments(pub(super) Bits);

/// What an atom is in a System.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomMeaning {
    /// The same throughout every run.
    Constant(bool),
    /// A predicate.
    Holds(TermId),
    /// One of these events happens.
    Events(BTreeSet<EventId>),
}

/// An atom that is nothing in this System.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unbound {
    /// The atom.
    pub atom: Atom,
    /// Where it stands.
    pub place: Place,
}

/// Binds a formula to a System in which guards have the given values. Every other name, state or comparison is unbound;
/// patterns that match no event are false.
pub fn bind(
    formula: &Formula,
    system: &System,
    guards: &BTreeMap<String, bool>,
) -> Result<BoundFormula, Vec<Unbound>> {
    bind_with(formula, system, &mut |atom| match atom {
        Atom::Name(word) => guards.get(&word.text).copied().map(AtomMeaning::Constant),
        Atom::Event(_) | Atom::Exactly(_) | Atom::In(..) | Atom::Data(_) | Atom::Start | Atom::End => None,
    })
}

/// Binds a formula; `meaning` tells what names, states and comparisons are, and which events are meant where the text of the
/// events does not tell.
pub fn bind_with(
    formula: &Formula,
    system: &System,
    meaning: &mut dyn FnMut(&Atom) -> Option<AtomMeaning>,
) -> Result<BoundFormula, Vec<Unbound>> {
    let mut parts: IdVec<PartId, BoundPart> = IdVec::new();
    let mut unbound = Vec::new();
    let mut done: Vec<PartId> = Vec::new();
    // A formula is met twice: before its operands and, with `true`, after them.
    let mut open = vec![(formula, false)];
    while let Some((formula, is_ready)) = open.pop() {
        if !is_ready {
            open.push((formula, true));
            open.extend(formula.parts().into_iter().rev().map(|part| (part, false)));
            continue;
        }
        let mut operand = || done.pop().expect("operands come before their operator");
        let says = match &formula.node {
            FormulaNode::Constant(value) => Says::Constant(*value),
            FormulaNode::Atom(atom) => says(atom, system, meaning).unwrap_or_else(|| {
                unbound.push(Unbound { atom: atom.clone(), place: formula.place });
                Says::Constant(false)
            }),
            FormulaNode::Unary(operator, _) => Says::Unary(*operator, operand()),
            FormulaNode::Binary(operator, ..) => {
                let right = operand();
                Says::Binary(*operator, operand(), right)
            }
        };
        done.push(parts.push(BoundPart { says, place: formula.place }));
    }
    match unbound.is_empty() {
        true => Ok(BoundFormula { parts, events: system.events.len() }),
        false => Err(unbound),
    }
}

fn says(atom: &Atom, system: &System, meaning: &mut dyn FnMut(&Atom) -> Option<AtomMeaning>) -> Option<Says> {
    let moments = |wanted: &dyn Fn(Moment) -> bool| {
        let bits = Bits::of(system.events.len() + SPECIAL, |index| wanted(moment(index)));
        Some(Says::Moments(Moments(bits)))
    };
    if let Some(meant) = meaning(atom) {
        return match meant {
            AtomMeaning::Constant(value) => Some(Says::Constant(value)),
            AtomMeaning::Holds(term) => Some(Says::Holds(term)),
            AtomMeaning::Events(events) => moments(&|moment| match moment {
                Moment::Event(event) => events.contains(&event),
                Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => false,
            }),
        };
    }
    match atom {
        Atom::Event(pattern) => moments(&|moment| match moment {
            Moment::Event(event) => pattern::matches(pattern, &system.events[event], system),
            Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => false,
        }),
        Atom::Exactly(word) => moments(&|moment| match moment {
            Moment::Event(event) => system.events[event].text == word.text,
            Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => false,
        }),
        Atom::Start => moments(&|moment| moment == Moment::Start),
        Atom::End => moments(&|moment| moment == Moment::End),
        Atom::Name(_) | Atom::In(..) | Atom::Data(_) => None,
    }
}

/// How many moments are no events.
pub(super) const SPECIAL: usize = 4;

/// Moments as small numbers: the start, the end, being stuck, a silent change, then the events.
pub(super) fn number(moment: Moment) -> usize {
    match moment {
        Moment::Start => 0,
        Moment::End => 1,
        Moment::Stuck => 2,
        Moment::Silent => 3,
        Moment::Event(event) => event.index() + SPECIAL,
    }
}

fn moment(number: usize) -> Moment {
    match number {
        0 => Moment::Start,
        1 => Moment::End,
        2 => Moment::Stuck,
        3 => Moment::Silent,
        number => Moment::Event(Id::from_index(number - SPECIAL)),
    }
}

impl Moments {
    /// Moments by number, of a System with this number of events; `None` if it has no such moment.
    pub fn of_numbers(numbers: &[usize], events: usize) -> Option<Self> {
        let count = events + SPECIAL;
        let mut bits = Bits::none(count);
        for number in numbers {
            (*number < count).then(|| bits.insert(*number))?;
        }
        Some(Moments(bits))
    }

    /// Their numbers.
    pub fn numbers(&self, events: usize) -> Vec<usize> {
        (0..events + SPECIAL).filter(|number| self.0.contains(*number)).collect()
    }

    /// Whether a moment is one of them.
    pub fn contains(&self, moment: Moment) -> bool {
        self.0.contains(number(moment))
    }

    /// Whether nothing is: the pattern matches no event of the System.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl BoundFormula {
    /// A formula of these parts about a System with this number of events; `None` if an operand does not come before its operator.
    pub fn of_parts(parts: IdVec<PartId, BoundPart>, events: usize) -> Option<Self> {
        let is_before =
            |id: PartId, part: &BoundPart| part.says.operands().iter().all(|operand| *operand < id);
        let is_ordered = parts.enumerate().all(|(id, part)| is_before(id, part));
        (is_ordered && !parts.is_empty()).then_some(BoundFormula { parts, events })
    }

    /// The parts, operands before operators.
    pub fn parts(&self) -> &IdVec<PartId, BoundPart> {
        &self.parts
    }

    /// The whole formula.
    pub fn whole(&self) -> PartId {
        Id::from_index(self.parts.len() - 1)
    }

    /// How many moments there are.
    pub(super) fn moments(&self) -> usize {
        self.events + SPECIAL
    }

    /// The terms it speaks about.
    pub fn terms(&self) -> Vec<TermId> {
        let mut terms: Vec<TermId> = self.parts.iter().filter_map(|part| part.says.term()).collect();
        terms.sort();
        terms.dedup();
        terms
    }
}

impl Says {
    fn term(&self) -> Option<TermId> {
        match self {
            Says::Holds(term) => Some(*term),
            Says::Constant(_) | Says::Moments(_) | Says::Unary(..) | Says::Binary(..) => None,
        }
    }

    /// The parts it is made of.
    pub fn operands(&self) -> Vec<PartId> {
        match self {
            Says::Constant(_) | Says::Moments(_) | Says::Holds(_) => Vec::new(),
            Says::Unary(_, part) => vec![*part],
            Says::Binary(_, left, right) => vec![*left, *right],
        }
    }
}
