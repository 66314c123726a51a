//! ReductionBudget: uses partial-order reduction only where it saves something.
//!
//! To find a stubborn set costs several times as much as to take all steps, and where all actions depend on
//! each other, as in machines that pass messages in a ring, the set holds all actions. So the search counts
//! the actions that were left out. If these are too few, all steps are taken during a pause, which is always
//! sound, and then reduction is tried again; the pause doubles after each failure. Whole levels of the search
//! are counted, so that the result depends neither on threads nor on processes.

use std::ops::AddAssign;

/// What was left out, of the actions of states in which there was a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OmissionTally {
    /// States with more than one action.
    pub states: usize,
    /// Their actions.
    pub actions: usize,
    /// Those that were left out.
    pub left_out: usize,
}

impl OmissionTally {
    /// A state in which `taken` of `actions` actions were taken.
    pub fn of(taken: usize, actions: usize) -> Self {
        match actions {
            0 | 1 => OmissionTally::default(),
            _ => OmissionTally { states: 1, actions, left_out: actions - taken },
        }
    }
}

impl AddAssign for OmissionTally {
    fn add_assign(&mut self, other: OmissionTally) {
        self.states += other.states;
        self.actions += other.actions;
        self.left_out += other.left_out;
    }
}

/// After this many states with a choice it is decided whether reduction pays.
const ENOUGH: usize = 1_024;

/// The first pause, in states.
const FIRST_PAUSE: usize = 16_384;

/// Reduction pays if at least one action in this many is left out.
const WORTH_IT: usize = 20;

/// When to look for stubborn sets.
#[derive(Clone, Debug)]
pub struct ReductionBudget {
    tally: OmissionTally,
    /// States that are still to be expanded without.
    pause: usize,
    /// How long the next pause is.
    next: usize,
}

impl Default for ReductionBudget {
    fn default() -> Self {
        ReductionBudget { tally: OmissionTally::default(), pause: 0, next: FIRST_PAUSE }
    }
}

impl ReductionBudget {
    /// Whether stubborn sets are looked for.
    pub fn is_on(&self) -> bool {
        self.pause == 0
    }

    /// Learns what came of expanding some states.
    pub fn learn(&mut self, states: usize, tally: OmissionTally) {
        if !self.is_on() {
            self.pause = self.pause.saturating_sub(states);
            return;
        }
        self.tally += tally;
        if self.tally.states < ENOUGH {
            return;
        }
        if self.tally.left_out * WORTH_IT < self.tally.actions {
            (self.pause, self.next) = (self.next, self.next.saturating_mul(2));
        } else {
            self.next = FIRST_PAUSE;
        }
        self.tally = OmissionTally::default();
    }
}

#[cfg(test)]
mod tests {
    use super::{ENOUGH, FIRST_PAUSE, OmissionTally, ReductionBudget};

    fn told(taken: usize, actions: usize) -> OmissionTally {
        let mut sum = OmissionTally::default();
        (0..ENOUGH).for_each(|_| sum += OmissionTally::of(taken, actions));
        sum
    }

    #[test]
    fn what_saves_nothing_rests_twice_as_long_each_time() {
        let mut budget = ReductionBudget::default();
        for pause in [FIRST_PAUSE, 2 * FIRST_PAUSE] {
            budget.learn(ENOUGH, told(5, 5));
            assert!(!budget.is_on());
            budget.learn(pause - 1, OmissionTally::default());
            assert!(!budget.is_on());
            budget.learn(1, OmissionTally::default());
            assert!(budget.is_on());
        }
    }

    #[test]
    fn what_saves_something_goes_on() {
        let mut budget = ReductionBudget::default();
        budget.learn(ENOUGH, told(9, 10));
        assert!(budget.is_on());
    }

    #[test]
    fn states_without_a_choice_tell_nothing() {
        let mut budget = ReductionBudget::default();
        budget.learn(1_000_000, told(1, 1));
        assert!(budget.is_on());
    }
}
