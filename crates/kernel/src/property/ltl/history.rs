//! History: what formulas about the past need to know of it, one bit each.
//!
//! `Y a` needs the value of `a` at the position before, `a S b` its own. Both are known at the start: nothing was before.
//! So the values of all formulas about the past follow from the moment, the state, the guesses and the bits.

use std::collections::BTreeSet;

use super::AutomatonTooLarge;
use super::bits::Bits;
use super::classes::START;
use super::core::{CoreFormula, CoreId, Cores, GuessId};
use super::expand::{DecisionVariable, VariableId, reachable};
use super::hashing::KeyTable;
use crate::id;
use crate::id::IdVec;
use crate::system::TermId;

id! {
    /// A step of the computation of what is true about the past.
    StepId
}

/// How to find out what is true about the past, step by step, and what to remember of it.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    steps: IdVec<StepId, HistoryStep>,
    /// Steps whose values are remembered, by the number of their bit.
    remembered: Vec<StepId>,
    /// Which step gives a variable its value, and the bits on which that depends, now and later.
    variables: KeyTable<VariableId, (StepId, u64)>,
}

#[derive(Clone, Debug)]
enum HistoryStep {
    Constant(bool),
    Moment(Bits),
    Term(TermId, bool),
    Guess(GuessId, bool),
    And(Vec<StepId>),
    Or(Vec<StepId>),
    /// What a remembered step was before; at the start this constant.
    Before(u32, bool),
    /// `a S b`: the operands and the bit.
    Since(StepId, StepId, u32),
    /// `a T b`.
    Trigger(StepId, StepId, u32),
}

/// What is true at a position about the past.
pub(super) type PastValues = IdVec<StepId, bool>;

/// What must be known of a position.
pub(super) struct HistoryPosition<'a> {
    pub class: usize,
    pub guesses: u64,
    pub holds: &'a mut dyn FnMut(TermId) -> bool,
}

impl History {
    /// For those variables that are asked for.
    pub(crate) fn new(
        cores: &Cores,
        variables: &IdVec<VariableId, DecisionVariable>,
        asked: &BTreeSet<VariableId>,
    ) -> Result<Self, AutomatonTooLarge> {
        let mut maker = HistoryMaker { cores, history: History::default(), known: KeyTable::default() };
        let mut bits: KeyTable<StepId, u32> = KeyTable::default();
        for variable in asked {
            let DecisionVariable::Past(whole) = variables[*variable] else { continue };
            // Ids ascend from parts to wholes.
            for id in reachable(cores, whole) {
                maker.step(id, &mut bits)?;
            }
            let mask = maker.mask(whole);
            maker.history.variables.insert(*variable, (maker.known[&whole], mask));
        }
        Ok(maker.history)
    }

    /// The bits on which a variable depends.
    pub(crate) fn mask(&self, variable: VariableId) -> u64 {
        self.variables.get(&variable).map_or(0, |(_, mask)| *mask)
    }

    /// How many bits are remembered.
    pub(crate) fn len(&self) -> usize {
        self.remembered.len()
    }

    /// What is true at a position, given what is remembered of those before.
    pub(crate) fn values(&self, before: u64, position: &mut HistoryPosition) -> PastValues {
        let is_start = position.class == START;
        let mut values: PastValues = IdVec::new();
        for step in &self.steps {
            let was = |bit: u32| !is_start && before >> bit & 1 == 1;
            let value = match step {
                HistoryStep::Constant(value) => *value,
                HistoryStep::Moment(classes) => classes.contains(position.class),
                HistoryStep::Term(term, value) => (position.holds)(*term) == *value,
                HistoryStep::Guess(guess, value) => (position.guesses & guess.bit() != 0) == *value,
                HistoryStep::And(parts) => parts.iter().all(|part| values[*part]),
                HistoryStep::Or(parts) => parts.iter().any(|part| values[*part]),
                HistoryStep::Before(bit, first) => {
                    if is_start {
                        *first
                    } else {
                        was(*bit)
                    }
                }
                HistoryStep::Since(a, b, bit) => values[*b] || (values[*a] && was(*bit)),
                HistoryStep::Trigger(a, b, bit) => values[*b] && (values[*a] || is_start || was(*bit)),
            };
            values.push(value);
        }
        values
    }

    /// The value of a variable about the past.
    pub(crate) fn value(&self, variable: VariableId, values: &PastValues) -> bool {
        self.variables.get(&variable).is_some_and(|(step, _)| values[*step])
    }

    /// What is remembered of a position.
    pub(crate) fn after(&self, values: &PastValues) -> u64 {
        let bits = self.remembered.iter().enumerate();
        bits.fold(0, |all, (bit, step)| all | u64::from(values[*step]) << bit)
    }
}

struct HistoryMaker<'a> {
    cores: &'a Cores,
    history: History,
    known: KeyTable<CoreId, StepId>,
}

impl HistoryMaker<'_> {
    fn step(&mut self, id: CoreId, bits: &mut KeyTable<StepId, u32>) -> Result<(), AutomatonTooLarge> {
        if self.known.contains_key(&id) {
            return Ok(());
        }
        let of = |part: &CoreId| self.known[part];
        let step = match self.cores.node(id) {
            CoreFormula::Constant(value) => HistoryStep::Constant(*value),
            CoreFormula::Moment(classes) => HistoryStep::Moment(classes.clone()),
            CoreFormula::Term(term, value) => HistoryStep::Term(*term, *value),
            CoreFormula::Guess(guess, value) => HistoryStep::Guess(*guess, *value),
            CoreFormula::And(parts) => HistoryStep::And(parts.iter().map(of).collect()),
            CoreFormula::Or(parts) => HistoryStep::Or(parts.iter().map(of).collect()),
            CoreFormula::Previous(part) => HistoryStep::Before(self.bit(of(part), bits)?, false),
            CoreFormula::WeakPrevious(part) => HistoryStep::Before(self.bit(of(part), bits)?, true),
            CoreFormula::Since(a, b) => {
                let (a, b) = (of(a), of(b));
                HistoryStep::Since(a, b, self.bit(self.history.steps.next_id(), bits)?)
            }
            CoreFormula::Trigger(a, b) => {
                let (a, b) = (of(a), of(b));
                HistoryStep::Trigger(a, b, self.bit(self.history.steps.next_id(), bits)?)
            }
            // What is about the future was guessed before it came here.
            CoreFormula::Next(_)
            | CoreFormula::Until(..)
            | CoreFormula::Release(..)
            | CoreFormula::Postponed(_) => HistoryStep::Constant(false),
        };
        self.known.insert(id, self.history.steps.push(step));
        Ok(())
    }

    /// The bit that remembers a step.
    fn bit(&mut self, step: StepId, bits: &mut KeyTable<StepId, u32>) -> Result<u32, AutomatonTooLarge> {
        if let Some(bit) = bits.get(&step) {
            return Ok(*bit);
        }
        let bit = u32::try_from(self.history.remembered.len()).unwrap_or(u32::MAX);
        if bit >= u64::BITS {
            return Err(AutomatonTooLarge::Memory);
        }
        self.history.remembered.push(step);
        bits.insert(step, bit);
        Ok(bit)
    }

    /// The bits of a formula and of everything in it.
    fn mask(&self, whole: CoreId) -> u64 {
        let steps = reachable(self.cores, whole).into_iter().map(|id| &self.history.steps[self.known[&id]]);
        steps.fold(0, |mask, step| match step {
            HistoryStep::Before(bit, _) | HistoryStep::Since(_, _, bit) | HistoryStep::Trigger(_, _, bit) => {
                mask | 1 << bit
            }
            HistoryStep::Constant(_)
            | HistoryStep::Moment(_)
            | HistoryStep::Term(..)
            | HistoryStep::Guess(..)
            | HistoryStep::And(_)
            | HistoryStep::Or(_) => mask,
        })
    }
}
