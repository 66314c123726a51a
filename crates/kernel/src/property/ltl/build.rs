//! Translation: from a core formula to an automaton (Couvreur 1999; Gastin and Oddoux 2001).
//!
//! A state is a set of formulas that must still hold. It is read position by position ([`super::expand`]);
//! the formulas under a next, in disjunctive form, are the successor states. An until that is postponed is a
//! promise; each promised formula has a mark, which is on every transition that does not postpone it. States
//! with equal sets are one.

use std::rc::Rc;

use super::AutomatonTooLarge;
use super::classes::START;
use super::core::{CoreFormula, CoreId, GuessId};
use super::decision::{DecisionId, Decisions, LtlSuccessor, StateId};
use super::expand::{FormulaExpander, When};
use super::form::{CoreForm, with_promises};
use super::hashing::KeyTable;
use super::memo::Memo;
use crate::id::{Id, IdVec};
use crate::property::{Marks, all_marks};

/// An automaton as states with a decision for each class of moments.
#[derive(Clone, Debug)]
pub(super) struct DecisionGraph {
    pub states: IdVec<StateId, Vec<DecisionId>>,
    pub decisions: Decisions,
    pub marks: u32,
}

/// The state in which nothing was read.
pub(super) fn first() -> StateId {
    StateId::from_index(0)
}

/// The state in which everything is accepted.
pub(super) fn everything() -> StateId {
    StateId::from_index(1)
}

/// How many states and decisions a translation may build.
const MOST_STATES: usize = 10_000;
const MOST_DECISIONS: usize = 400_000;
/// How many ways there may be at one position.
const MOST_WAYS: usize = 1_000;
const MOST_PAIRS: usize = 20_000;
/// How often ways may be compared with each other: about a second.
const MOST_COMPARISONS: usize = 20_000_000;

/// What is left for the next position, in one of several ways.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NextObligation {
    /// All of these must hold there, in ascending order.
    formulas: Vec<CoreId>,
    /// What is put off.
    promises: Marks,
}

struct LtlAutomatonBuilder {
    expander: FormulaExpander,
    guesses: IdVec<GuessId, CoreId>,
    decisions: Decisions,
    decided: Memo<CoreId, DecisionId>,
    rests: Memo<CoreId, Rc<[NextObligation]>>,
    /// Formulas that untils promise, with the numbers of their marks.
    promises: KeyTable<CoreId, u32>,
    /// States by what they ask for.
    states: KeyTable<CoreId, StateId>,
    formulas: IdVec<StateId, CoreId>,
    comparisons: usize,
}

/// Builds the automaton of a formula, as it comes.
pub(super) fn build(form: CoreForm) -> Result<(DecisionGraph, FormulaExpander), AutomatonTooLarge> {
    let (whole, guesses) = (form.whole, form.promises.clone());
    let expander = FormulaExpander::new(form);
    if expander.is_too_wide() {
        return Err(AutomatonTooLarge::Formula);
    }
    let truth = expander.cores.constant(true);
    let mut builder = LtlAutomatonBuilder {
        expander,
        guesses,
        decisions: Decisions::new(),
        decided: Memo::new(),
        rests: Memo::new(),
        promises: KeyTable::default(),
        states: KeyTable::from_iter([(truth, everything())]),
        formulas: [whole, truth].into_iter().collect(),
        comparisons: 0,
    };
    let graph = builder.graph()?;
    Ok((graph, builder.expander))
}

impl LtlAutomatonBuilder {
    fn graph(&mut self) -> Result<DecisionGraph, AutomatonTooLarge> {
        let classes = self.expander.cores.classes;
        let mut states: IdVec<StateId, Vec<DecisionId>> = IdVec::new();
        while states.len() < self.formulas.len() {
            let state = states.next_id();
            let formula = self.formulas[state];
            let mut decisions = vec![self.decisions.none(); classes];
            for (class, decision) in decisions.iter_mut().enumerate() {
                if (class == START) == (state == first()) {
                    let read = self.expander.read(formula, class);
                    *decision = self.decide(read)?;
                }
            }
            states.push(decisions);
            let is_large = self.formulas.len() > MOST_STATES || self.decisions.len() > MOST_DECISIONS;
            if is_large {
                return Err(AutomatonTooLarge::States);
            }
        }
        // Bits beyond those of the promises were set all the time.
        let marks = u32::try_from(self.promises.len()).unwrap_or(u32::MAX);
        let all = all_marks(marks);
        let (decisions, to) =
            self.decisions.map(|ways| ways.iter().map(|(state, marks)| (*state, all & marks)).collect());
        let states = states.iter().map(|roots| roots.iter().map(|root| to[*root]).collect()).collect();
        Ok(DecisionGraph { states, decisions, marks })
    }

    /// The decision that an expanded formula asks for.
    fn decide(&mut self, id: CoreId) -> Result<DecisionId, AutomatonTooLarge> {
        if let Some(known) = self.decided.get(id) {
            return Ok(known);
        }
        self.expander.cores.check()?;
        let decision = match self.expander.top(id) {
            None => {
                let ways = self.ways(id)?;
                self.decisions.ways(ways)
            }
            Some(variable) => {
                let no = self.expander.assign(id, variable, false);
                let yes = self.expander.assign(id, variable, true);
                let (no, yes) = (self.decide(no)?, self.decide(yes)?);
                self.decisions.test(variable, no, yes)
            }
        };
        self.decided.set(id, decision);
        Ok(decision)
    }

    /// The ways to go on once every variable is known.
    fn ways(&mut self, id: CoreId) -> Result<Vec<LtlSuccessor>, AutomatonTooLarge> {
        let mut ways = Vec::new();
        for rest in self.rests(id)?.iter() {
            let state = self.state(rest.formulas.clone());
            ways.extend(state.map(|state| (state, !rest.promises)));
        }
        Ok(ways)
    }

    /// The state in which some formulas must hold, if they can.
    fn state(&mut self, formulas: Vec<CoreId>) -> Option<StateId> {
        let formula = with_promises(&mut self.expander.cores, &self.guesses, formulas);
        let asked = self.expander.expand(formula, When::Later);
        if self.expander.cores.is(asked, false) {
            return None;
        }
        if let Some(known) = self.states.get(&asked) {
            return Some(*known);
        }
        let state = self.formulas.push(formula);
        self.states.insert(asked, state);
        Some(state)
    }

    /// What is left of a formula without variables, in disjunctive form.
    fn rests(&mut self, id: CoreId) -> Result<Rc<[NextObligation]>, AutomatonTooLarge> {
        if let Some(known) = self.rests.get(id) {
            return Ok(known);
        }
        let rests: Vec<NextObligation> = match self.expander.cores.node(id).clone() {
            CoreFormula::Constant(false) => Vec::new(),
            CoreFormula::Constant(true) => vec![NextObligation { formulas: Vec::new(), promises: 0 }],
            CoreFormula::Next(part) => {
                let formulas = match self.expander.cores.node(part) {
                    CoreFormula::And(parts) => parts.to_vec(),
                    _ => vec![part],
                };
                vec![NextObligation { formulas, promises: 0 }]
            }
            CoreFormula::Postponed(until) => {
                vec![NextObligation { formulas: vec![until], promises: self.promise(until)? }]
            }
            CoreFormula::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.rests(part)?.iter().cloned());
                }
                least(all, &mut self.comparisons)?
            }
            CoreFormula::And(parts) => {
                let mut all = vec![NextObligation { formulas: Vec::new(), promises: 0 }];
                for part in parts {
                    let rests = self.rests(part)?;
                    if all.len() * rests.len() > MOST_PAIRS {
                        return Err(AutomatonTooLarge::States);
                    }
                    let pairs = all.iter().flat_map(|one| rests.iter().map(|other| one.and(other))).collect();
                    all = least(pairs, &mut self.comparisons)?;
                }
                all
            }
            node => unreachable!("every literal was decided, {node:?} is left"),
        };
        let rests: Rc<[NextObligation]> = rests.into();
        self.rests.set(id, rests.clone());
        Ok(rests)
    }

    /// The mark of what an until promises. Untils that promise the same share it: when that comes true, it does for all.
    fn promise(&mut self, until: CoreId) -> Result<Marks, AutomatonTooLarge> {
        let CoreFormula::Until(_, promised) = *self.expander.cores.node(until) else { return Ok(0) };
        let next = u32::try_from(self.promises.len()).unwrap_or(u32::MAX);
        let number = *self.promises.entry(promised).or_insert(next);
        match number < Marks::BITS {
            true => Ok(1 << number),
            false => Err(AutomatonTooLarge::Marks),
        }
    }
}

impl NextObligation {
    fn and(&self, other: &NextObligation) -> NextObligation {
        let mut formulas: Vec<CoreId> = self.formulas.iter().chain(&other.formulas).copied().collect();
        formulas.sort();
        formulas.dedup();
        NextObligation { formulas, promises: self.promises | other.promises }
    }

    /// Whether it asks for no more than the other.
    fn is_within(&self, other: &NextObligation) -> bool {
        self.promises & !other.promises == 0
            && self.formulas.iter().all(|formula| other.formulas.binary_search(formula).is_ok())
    }
}

/// The minimal ones: a set that contains another is redundant. Counts the comparisons.
fn least(
    mut rests: Vec<NextObligation>,
    comparisons: &mut usize,
) -> Result<Vec<NextObligation>, AutomatonTooLarge> {
    rests.sort_by_key(|rest| (rest.formulas.len(), rest.promises.count_ones()));
    let mut kept: Vec<NextObligation> = Vec::new();
    for rest in rests {
        *comparisons += kept.len();
        if !kept.iter().any(|other| other.is_within(&rest)) {
            kept.push(rest);
        }
        if kept.len() > MOST_WAYS || *comparisons > MOST_COMPARISONS {
            return Err(AutomatonTooLarge::States);
        }
    }
    Ok(kept)
}
