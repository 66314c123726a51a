//! One step of a formula: what it asks of this position, and what it leaves for the next.
//!
//! Every formula is equal to a combination of literals and of formulas behind a next: `a U b = b | (a & X (a U b))`. The
//! combination is taken apart literal by literal ([`FormulaExpander::assign`]); what is left then speaks of the next position
//! only. Formulas about the past are literals here: their value is known while a run is read.

use std::collections::BTreeSet;

use super::classes::{END, START, STUCK};
use super::core::{CoreFormula, CoreId, Cores, GuessId, parts};
use super::form::CoreForm;
use super::hashing::KeyTable;
use super::memo::Memo;
use crate::id;
use crate::id::{Id, IdVec};
use crate::system::TermId;

id! {
    /// A variable of a decision, in the order in which variables are asked.
    VariableId
}

/// What a decision asks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum DecisionVariable {
    /// Whether something is guessed.
    Guess(GuessId),
    /// Whether a term holds.
    Term(TermId),
    /// Whether a formula about the past holds.
    Past(CoreId),
}

/// How a position is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum When {
    /// It is the start: nothing was before.
    First,
    /// It is any other.
    Later,
    /// It is the end, and nothing changes any more: a formula without past is true later if and only if it is now.
    Last,
}

pub(super) struct FormulaExpander {
    pub cores: Cores,
    pub variables: IdVec<VariableId, DecisionVariable>,
    literals: KeyTable<CoreId, (VariableId, bool)>,
    expanded: [Memo<CoreId, CoreId>; 3],
    /// Most formulas meet few of many classes.
    at_class: KeyTable<(CoreId, usize), CoreId>,
    tops: Memo<CoreId, Option<VariableId>>,
    assigned: [Memo<CoreId, CoreId>; 2],
    has_past: Memo<CoreId, bool>,
}

impl FormulaExpander {
    pub(crate) fn new(form: CoreForm) -> Self {
        let (variables, literals) = variables(&form);
        FormulaExpander {
            cores: form.cores,
            variables,
            literals,
            expanded: [const { Memo::new() }; 3],
            at_class: KeyTable::default(),
            tops: Memo::new(),
            assigned: [const { Memo::new() }; 2],
            has_past: Memo::new(),
        }
    }

    /// What a formula says about a position of some class, in terms of variables and of what comes next.
    pub(crate) fn read(&mut self, formula: CoreId, class: usize) -> CoreId {
        let when = match class {
            START => When::First,
            END | STUCK if !self.has_past(formula) => When::Last,
            _ => When::Later,
        };
        let expanded = self.expand(formula, when);
        self.at(expanded, class)
    }

    pub(crate) fn expand(&mut self, id: CoreId, when: When) -> CoreId {
        if let Some(known) = self.expanded[when as usize].get(id) {
            return known;
        }
        let expanded = match self.cores.node(id).clone() {
            CoreFormula::Constant(_)
            | CoreFormula::Moment(_)
            | CoreFormula::Term(..)
            | CoreFormula::Guess(..)
            | CoreFormula::Postponed(_) => id,
            CoreFormula::And(parts) => {
                let parts: Vec<CoreId> = parts.iter().map(|part| self.expand(*part, when)).collect();
                self.cores.and(parts)
            }
            CoreFormula::Or(parts) => {
                let parts: Vec<CoreId> = parts.iter().map(|part| self.expand(*part, when)).collect();
                self.cores.or(parts)
            }
            CoreFormula::Next(part) if when == When::Last => self.expand(part, when),
            CoreFormula::Next(_) => id,
            CoreFormula::Until(_, b) | CoreFormula::Release(_, b) if when == When::Last => {
                self.expand(b, when)
            }
            CoreFormula::Until(a, b) => {
                let (a, b) = (self.expand(a, when), self.expand(b, when));
                let later = self.cores.add(CoreFormula::Postponed(id));
                let on = self.cores.and([a, later]);
                self.cores.or([b, on])
            }
            CoreFormula::Release(a, b) => {
                let (a, b) = (self.expand(a, when), self.expand(b, when));
                let later = self.cores.add(CoreFormula::Next(id));
                let off = self.cores.or([a, later]);
                self.cores.and([b, off])
            }
            CoreFormula::Previous(_) if when == When::First => self.cores.constant(false),
            CoreFormula::WeakPrevious(_) if when == When::First => self.cores.constant(true),
            CoreFormula::Since(_, b) | CoreFormula::Trigger(_, b) if when == When::First => {
                self.expand(b, when)
            }
            CoreFormula::Previous(_)
            | CoreFormula::WeakPrevious(_)
            | CoreFormula::Since(..)
            | CoreFormula::Trigger(..) => id,
        };
        self.expanded[when as usize].set(id, expanded);
        expanded
    }

    /// An expanded formula at a moment of some class.
    fn at(&mut self, id: CoreId, class: usize) -> CoreId {
        if !matches!(self.cores.node(id), CoreFormula::Moment(_) | CoreFormula::And(_) | CoreFormula::Or(_)) {
            return id;
        }
        if let Some(known) = self.at_class.get(&(id, class)) {
            return *known;
        }
        let made = match self.cores.node(id).clone() {
            CoreFormula::Moment(classes) => self.cores.constant(classes.contains(class)),
            CoreFormula::And(parts) => {
                let parts: Vec<CoreId> = parts.iter().map(|part| self.at(*part, class)).collect();
                self.cores.and(parts)
            }
            CoreFormula::Or(parts) => {
                let parts: Vec<CoreId> = parts.iter().map(|part| self.at(*part, class)).collect();
                self.cores.or(parts)
            }
            _ => id,
        };
        self.at_class.insert((id, class), made);
        made
    }

    /// The first variable of an expanded formula.
    pub(crate) fn top(&mut self, id: CoreId) -> Option<VariableId> {
        if let Some(known) = self.tops.get(id) {
            return known;
        }
        let top = match self.cores.node(id).clone() {
            CoreFormula::And(parts) | CoreFormula::Or(parts) => {
                parts.iter().filter_map(|part| self.top(*part)).min()
            }
            _ => self.literals.get(&id).map(|(variable, _)| *variable),
        };
        self.tops.set(id, top);
        top
    }

    /// An expanded formula once the value of its first variable is known; without that variable it stays what it is.
    pub(crate) fn assign(&mut self, id: CoreId, variable: VariableId, value: bool) -> CoreId {
        if self.top(id) != Some(variable) {
            return id;
        }
        if let Some(known) = self.assigned[usize::from(value)].get(id) {
            return known;
        }
        let made = match self.cores.node(id).clone() {
            CoreFormula::And(parts) => {
                let parts: Vec<CoreId> =
                    parts.iter().map(|part| self.assign(*part, variable, value)).collect();
                self.cores.and(parts)
            }
            CoreFormula::Or(parts) => {
                let parts: Vec<CoreId> =
                    parts.iter().map(|part| self.assign(*part, variable, value)).collect();
                self.cores.or(parts)
            }
            _ => {
                let (_, is_positive) = self.literals[&id];
                self.cores.constant(is_positive == value)
            }
        };
        self.assigned[usize::from(value)].set(id, made);
        made
    }

    /// Whether a formula depends on what was before it began.
    fn has_past(&mut self, id: CoreId) -> bool {
        if let Some(known) = self.has_past.get(id) {
            return known;
        }
        let has = match self.cores.node(id).clone() {
            CoreFormula::Previous(_)
            | CoreFormula::WeakPrevious(_)
            | CoreFormula::Since(..)
            | CoreFormula::Trigger(..)
            | CoreFormula::Guess(..) => true,
            node => parts(&node).into_iter().any(|part| self.has_past(part)),
        };
        self.has_past.set(id, has);
        has
    }
}

/// The variables of a formula: guesses first, since what is true about the past may depend on them, then terms and past in
/// the order in which they are written.
fn variables(form: &CoreForm) -> (IdVec<VariableId, DecisionVariable>, KeyTable<CoreId, (VariableId, bool)>) {
    let mut found: Vec<(CoreId, DecisionVariable, bool)> = Vec::new();
    for id in reachable(&form.cores, form.whole) {
        match form.cores.node(id) {
            CoreFormula::Guess(guess, value) => found.push((id, DecisionVariable::Guess(*guess), *value)),
            CoreFormula::Term(term, value) => found.push((id, DecisionVariable::Term(*term), *value)),
            CoreFormula::Previous(_)
            | CoreFormula::WeakPrevious(_)
            | CoreFormula::Since(..)
            | CoreFormula::Trigger(..) => match form.negations.get(&id) {
                Some(other) => found.push((id, DecisionVariable::Past(*other), false)),
                None => found.push((id, DecisionVariable::Past(id), true)),
            },
            CoreFormula::Constant(_)
            | CoreFormula::Moment(_)
            | CoreFormula::And(_)
            | CoreFormula::Or(_)
            | CoreFormula::Next(_)
            | CoreFormula::Until(..)
            | CoreFormula::Release(..)
            | CoreFormula::Postponed(_) => {}
        }
    }
    let is_guess = |variable: &DecisionVariable| matches!(variable, DecisionVariable::Guess(_));
    found.sort_by_key(|(id, variable, _)| (!is_guess(variable), *id));
    let mut variables: IdVec<VariableId, DecisionVariable> = IdVec::new();
    let mut known: KeyTable<DecisionVariable, VariableId> = KeyTable::default();
    let mut literals = KeyTable::default();
    for (id, variable, value) in found {
        let variable = *known.entry(variable).or_insert_with(|| variables.push(variable));
        literals.insert(id, (variable, value));
    }
    (variables, literals)
}

/// The formulas that a formula is made of, at any depth.
pub(super) fn reachable(cores: &Cores, id: CoreId) -> BTreeSet<CoreId> {
    let mut seen = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(parts(cores.node(id)));
        }
    }
    seen
}

/// How many variables a decision may ask one after the other: that much stack it takes to find out.
pub(super) const MOST_VARIABLES: usize = 500;

impl FormulaExpander {
    /// Whether there are more variables than a decision may ask.
    pub(crate) fn is_too_wide(&self) -> bool {
        self.variables.next_id().index() > MOST_VARIABLES
    }
}
