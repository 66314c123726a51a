//! History: what formulas about the past need to know of it, one bit each.
//!
//! `Y a` needs the value of `a` at the position before, `a S b` its own. Both are known at the start: nothing was before.
//! So the values of all formulas about the past follow from the moment, the state, the guesses and the bits.

use std::collections::BTreeSet;

use super::TooLarge;
use super::bits::Bits;
use super::classes::START;
use super::core::{Core, CoreId, Cores, GuessId};
use super::expand::{Variable, VariableId, reachable};
use super::hashing::Table;
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
    steps: IdVec<StepId, Step>,
    /// Steps whose values are remembered, by the number of their bit.
    remembered: Vec<StepId>,
    /// Which step gives a variable its value, and the bits on which that depends, now and later.
    variables: Table<VariableId, (StepId, u64)>,
}

#[derive(Clone, Debug)]
enum Step {
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
pub(super) type Values = IdVec<StepId, bool>;

/// What must be known of a position.
pub(super) struct Position<'a> {
    pub class: usize,
    pub guesses: u64,
    pub holds: &'a mut dyn FnMut(TermId) -> bool,
}

impl History {
    /// For those variables that are asked for.
    pub fn new(
        cores: &Cores,
        variables: &IdVec<VariableId, Variable>,
        asked: &BTreeSet<VariableId>,
    ) -> Result<Self, TooLarge> {
        let mut maker = Maker { cores, history: History::default(), known: Table::default() };
        let mut bits: Table<StepId, u32> = Table::default();
        for variable in asked {
            let Variable::Past(whole) = variables[*variable] else { continue };
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
    pub fn mask(&self, variable: VariableId) -> u64 {
        self.variables.get(&variable).map_or(0, |(_, mask)| *mask)
    }

    /// How many bits are remembered.
    pub fn len(&self) -> usize {
        self.remembered.len()
    }

    /// What is true at a position, given what is remembered of those before.
    pub fn values(&self, before: u64, position: &mut Position) -> Values {
        let is_start = position.class == START;
        let mut values: Values = IdVec::new();
        for step in &self.steps {
            let was = |bit: u32| !is_start && before >> bit & 1 == 1;
            let value = match step {
                Step::Constant(value) => *value,
                Step::Moment(classes) => classes.contains(position.class),
                Step::Term(term, value) => (position.holds)(*term) == *value,
                Step::Guess(guess, value) => (position.guesses & guess.bit() != 0) == *value,
                Step::And(parts) => parts.iter().all(|part| values[*part]),
                Step::Or(parts) => parts.iter().any(|part| values[*part]),
                Step::Before(bit, first) => {
                    if is_start {
                        *first
                    } else {
                        was(*bit)
                    }
                }
                Step::Since(a, b, bit) => values[*b] || (values[*a] && was(*bit)),
                Step::Trigger(a, b, bit) => values[*b] && (values[*a] || is_start || was(*bit)),
            };
            values.push(value);
        }
        values
    }

    /// The value of a variable about the past.
    pub fn value(&self, variable: VariableId, values: &Values) -> bool {
        self.variables.get(&variable).is_some_and(|(step, _)| values[*step])
    }

    /// What is remembered of a position.
    pub fn after(&self, values: &Values) -> u64 {
        let bits = self.remembered.iter().enumerate();
        bits.fold(0, |all, (bit, step)| all | u64::from(values[*step]) << bit)
    }
}

struct Maker<'a> {
    cores: &'a Cores,
    history: History,
    known: Table<CoreId, StepId>,
}

impl Maker<'_> {
    fn step(&mut self, id: CoreId, bits: &mut Table<StepId, u32>) -> Result<(), TooLarge> {
        if self.known.contains_key(&id) {
            return Ok(());
        }
        let of = |part: &CoreId| self.known[part];
        let step = match self.cores.node(id) {
            Core::Constant(value) => Step::Constant(*value),
            Core::Moment(classes) => Step::Moment(classes.clone()),
            Core::Term(term, value) => Step::Term(*term, *value),
            Core::Guess(guess, value) => Step::Guess(*guess, *value),
            Core::And(parts) => Step::And(parts.iter().map(of).collect()),
            Core::Or(parts) => Step::Or(parts.iter().map(of).collect()),
            Core::Previous(part) => Step::Before(self.bit(of(part), bits)?, false),
            Core::WeakPrevious(part) => Step::Before(self.bit(of(part), bits)?, true),
            Core::Since(a, b) => {
                let (a, b) = (of(a), of(b));
                Step::Since(a, b, self.bit(self.history.steps.next_id(), bits)?)
            }
            Core::Trigger(a, b) => {
                let (a, b) = (of(a), of(b));
                Step::Trigger(a, b, self.bit(self.history.steps.next_id(), bits)?)
            }
            // What is about the future was guessed before it came here.
            Core::Next(_) | Core::Until(..) | Core::Release(..) | Core::Postponed(_) => Step::Constant(false),
        };
        self.known.insert(id, self.history.steps.push(step));
        Ok(())
    }

    /// The bit that remembers a step.
    fn bit(&mut self, step: StepId, bits: &mut Table<StepId, u32>) -> Result<u32, TooLarge> {
        if let Some(bit) = bits.get(&step) {
            return Ok(*bit);
        }
        let bit = u32::try_from(self.history.remembered.len()).unwrap_or(u32::MAX);
        if bit >= u64::BITS {
            return Err(TooLarge::Memory);
        }
        self.history.remembered.push(step);
        bits.insert(step, bit);
        Ok(bit)
    }

    /// The bits of a formula and of everything in it.
    fn mask(&self, whole: CoreId) -> u64 {
        let steps = reachable(self.cores, whole).into_iter().map(|id| &self.history.steps[self.known[&id]]);
        steps.fold(0, |mask, step| match step {
            Step::Before(bit, _) | Step::Since(_, _, bit) | Step::Trigger(_, _, bit) => mask | 1 << bit,
            Step::Constant(_)
            | Step::Moment(_)
            | Step::Term(..)
            | Step::Guess(..)
            | Step::And(_)
            | Step::Or(_) => mask,
        })
    }
}
