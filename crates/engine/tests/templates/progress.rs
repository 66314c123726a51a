//! The truth of formulas along words of occurrences, by rewriting them at each position.
//!
//! What must hold now is rewritten to what must hold from the next position on; past operators have a bit each that says
//! whether they held at the position before. Nothing of the engines is used. Formulas are shared, so that equal ones are
//! one number.

use std::collections::HashMap;

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};

/// A formula in a table of formulas, in which equal ones are one.
pub(crate) type Id = usize;

/// A formula over ids.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Part {
    True,
    False,
    Event(String),
    Not(Id),
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    WeakUntil(Id, Id),
    Globally(Id),
    Previous(Id),
    Once(Id),
}

/// Formulas, and what becomes of them.
pub(crate) struct Table {
    parts: Vec<Part>,
    ids: HashMap<Part, Id>,
    /// The past operators inside each formula that was given.
    pasts: HashMap<Id, Vec<Id>>,
}

/// A formula on its way along a word: what must hold from here on, and what its past operators have seen.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Walker {
    origin: Id,
    now: Id,
    seen: Vec<bool>,
}

impl Table {
    pub(crate) fn new() -> Self {
        let mut table = Table { parts: Vec::new(), ids: HashMap::new(), pasts: HashMap::new() };
        table.add(Part::False);
        table.add(Part::True);
        table
    }

    fn add(&mut self, part: Part) -> Id {
        if let Some(id) = self.ids.get(&part) {
            return *id;
        }
        self.parts.push(part.clone());
        self.ids.insert(part, self.parts.len() - 1);
        self.parts.len() - 1
    }

    fn truth(value: bool) -> Id {
        usize::from(value)
    }

    fn not(&mut self, part: Id) -> Id {
        match self.parts[part] {
            Part::True => 0,
            Part::False => 1,
            Part::Not(inner) => inner,
            _ => self.add(Part::Not(part)),
        }
    }

    fn junction(&mut self, parts: Vec<Id>, is_and: bool) -> Id {
        let mut flat = Vec::new();
        for part in parts {
            match (&self.parts[part], is_and) {
                (Part::And(inner), true) | (Part::Or(inner), false) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|part| *part != Self::truth(is_and));
        if flat.contains(&Self::truth(!is_and)) {
            return Self::truth(!is_and);
        }
        match flat[..] {
            [] => Self::truth(is_and),
            [only] => only,
            _ if is_and => self.add(Part::And(flat)),
            _ => self.add(Part::Or(flat)),
        }
    }

    /// A formula that is about to be read.
    pub(crate) fn walker(&mut self, formula: &Formula) -> Walker {
        let origin = self.read(formula);
        let mut pasts = Vec::new();
        self.collect(origin, &mut pasts);
        let seen = vec![false; pasts.len()];
        self.pasts.insert(origin, pasts);
        Walker { origin, now: origin, seen }
    }

    fn read(&mut self, formula: &Formula) -> Id {
        match &formula.node {
            FormulaNode::Constant(value) => Self::truth(*value),
            FormulaNode::Atom(Atom::Exactly(word)) => self.add(Part::Event(word.text.clone())),
            FormulaNode::Atom(other) => panic!("templates have no {other:?}"),
            FormulaNode::Unary(operator, part) => {
                let part = self.read(part);
                match operator {
                    Unary::Not => self.not(part),
                    Unary::Next => self.add(Part::Next(part)),
                    Unary::Globally => self.add(Part::Globally(part)),
                    Unary::Previous => self.add(Part::Previous(part)),
                    Unary::Once => self.add(Part::Once(part)),
                    Unary::Finally | Unary::WeakPrevious | Unary::Historically => {
                        panic!("templates have no {operator:?}")
                    }
                }
            }
            FormulaNode::Binary(operator, left, right) => {
                let (left, right) = (self.read(left), self.read(right));
                match operator {
                    Binary::And => self.junction(vec![left, right], true),
                    Binary::Or => self.junction(vec![left, right], false),
                    Binary::Implies => {
                        let left = self.not(left);
                        self.junction(vec![left, right], false)
                    }
                    Binary::Until => self.add(Part::Until(left, right)),
                    Binary::WeakUntil => self.add(Part::WeakUntil(left, right)),
                    Binary::Iff
                    | Binary::Release
                    | Binary::StrongRelease
                    | Binary::Since
                    | Binary::Trigger => panic!("templates have no {operator:?}"),
                }
            }
        }
    }

    /// The past operators in a formula, inner ones first.
    fn collect(&self, id: Id, found: &mut Vec<Id>) {
        match &self.parts[id] {
            Part::True | Part::False | Part::Event(_) => {}
            Part::Not(part) | Part::Next(part) | Part::Globally(part) => self.collect(*part, found),
            Part::And(parts) | Part::Or(parts) => parts.iter().for_each(|part| self.collect(*part, found)),
            Part::Until(left, right) | Part::WeakUntil(left, right) => {
                self.collect(*left, found);
                self.collect(*right, found);
            }
            Part::Previous(part) | Part::Once(part) => {
                self.collect(*part, found);
                if !found.contains(&id) {
                    found.push(id);
                }
            }
        }
    }

    /// Reads a position: an event, or none.
    pub(crate) fn read_on(&mut self, walker: &Walker, event: Option<&str>) -> Walker {
        let pasts = self.pasts[&walker.origin].clone();
        // For `Once`: whether it held before; for `Previous`: whether its part did.
        let before: HashMap<Id, bool> = pasts.iter().copied().zip(walker.seen.iter().copied()).collect();
        let now = self.progress(walker.now, event, &before);
        let seen = pasts
            .iter()
            .map(|past| match self.parts[*past].clone() {
                Part::Once(part) => before[past] || self.state(part, event, &before),
                Part::Previous(part) => self.state(part, event, &before),
                _ => unreachable!("only past operators are kept"),
            })
            .collect::<Vec<bool>>();
        Walker { origin: walker.origin, now, seen }
    }

    /// The truth of a formula without future, now.
    fn state(&self, id: Id, event: Option<&str>, before: &HashMap<Id, bool>) -> bool {
        match &self.parts[id] {
            Part::True => true,
            Part::False => false,
            Part::Event(text) => event == Some(text),
            Part::Not(part) => !self.state(*part, event, before),
            Part::And(parts) => parts.iter().all(|part| self.state(*part, event, before)),
            Part::Or(parts) => parts.iter().any(|part| self.state(*part, event, before)),
            Part::Once(part) => before[&id] || self.state(*part, event, before),
            Part::Previous(_) => before[&id],
            other => panic!("{other:?} inside a past operator"),
        }
    }

    fn progress(&mut self, id: Id, event: Option<&str>, before: &HashMap<Id, bool>) -> Id {
        match self.parts[id].clone() {
            Part::True | Part::False => id,
            Part::Event(_) | Part::Once(_) | Part::Previous(_) => Self::truth(self.state(id, event, before)),
            Part::Not(part) => {
                let part = self.progress(part, event, before);
                self.not(part)
            }
            Part::And(parts) => {
                let parts = parts.into_iter().map(|part| self.progress(part, event, before)).collect();
                self.junction(parts, true)
            }
            Part::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.progress(part, event, before)).collect();
                self.junction(parts, false)
            }
            Part::Next(part) => part,
            Part::Globally(part) => {
                let now = self.progress(part, event, before);
                self.junction(vec![now, id], true)
            }
            Part::Until(left, right) | Part::WeakUntil(left, right) => {
                let left = self.progress(left, event, before);
                let right = self.progress(right, event, before);
                let on = self.junction(vec![left, id], true);
                self.junction(vec![right, on], false)
            }
        }
    }

    /// Whether nothing can make it true any more.
    pub(crate) fn is_false(&self, walker: &Walker) -> bool {
        walker.now == 0
    }

    /// Whether it is true if nothing happens from here on.
    pub(crate) fn holds_at_end(&mut self, walker: &Walker) -> bool {
        let mut walker = walker.clone();
        // Without events the bits of the past settle at once, and what is left to hold is evaluated in the settled state.
        for _ in 0..3 {
            walker = self.read_on(&walker, None);
        }
        let pasts = &self.pasts[&walker.origin];
        let before: HashMap<Id, bool> = pasts.iter().copied().zip(walker.seen.iter().copied()).collect();
        self.forever(walker.now, &before)
    }

    /// The truth of a formula where the same position without event repeats forever.
    fn forever(&self, id: Id, before: &HashMap<Id, bool>) -> bool {
        match &self.parts[id] {
            Part::True => true,
            Part::False | Part::Event(_) => false,
            Part::Not(part) => !self.forever(*part, before),
            Part::And(parts) => parts.iter().all(|part| self.forever(*part, before)),
            Part::Or(parts) => parts.iter().any(|part| self.forever(*part, before)),
            Part::Next(part) | Part::Globally(part) => self.forever(*part, before),
            Part::Until(_, right) => self.forever(*right, before),
            Part::WeakUntil(left, right) => self.forever(*right, before) || self.forever(*left, before),
            Part::Once(_) | Part::Previous(_) => self.state(id, None, before),
        }
    }
}
