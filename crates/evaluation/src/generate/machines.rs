//! Random state machines (P4, section 5.3.1; the sizes of tables 5.4.4 and 5.5.4).
//!
//! "Connects the states by transitions randomly in a way such that no state is isolated" is read as: first a transition
//! between each state that has none yet and another one, then any. No transition is drawn twice, since D2 has a set of them.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::random::Random;

use super::ensemble::{Arc, FlatMachine, GeneratedEnsemble, StateId, SymbolId};

/// A probability, or a share, in millionths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Chance(u32);

impl Chance {
    /// A probability in millionths, at most 1.
    pub const fn millionths(number: u32) -> Self {
        Chance(if number > 1_000_000 { 1_000_000 } else { number })
    }

    /// This fraction of a number, rounded up.
    pub fn of(self, number: usize) -> usize {
        let product = number as u128 * u128::from(self.0);
        usize::try_from(product.div_ceil(1_000_000)).unwrap_or(number)
    }

    /// Whether it happens this time.
    pub fn happens(self, random: &mut Random) -> bool {
        random.below(1_000_000) < self.0 as usize
    }
}

/// The parameters of random machines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MachineShape {
    /// How many machines (`nrStatemachines`).
    pub machines: usize,
    /// The least and the greatest number of states of a machine.
    pub states: (usize, usize),
    /// The least and the greatest number of transitions of a machine.
    pub transitions: (usize, usize),
    /// The size of the alphabet (`nrSymbols`).
    pub symbols: usize,
    /// How probable a trigger is (`probTrigger`).
    pub trigger: Chance,
    /// How probable an effect is where there is a trigger (`probEff`).
    pub effect: Chance,
}

/// The sizes of P4's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum EvaluationSize {
    Small,
    Medium,
    Large,
}

impl EvaluationSize {
    /// All of them.
    pub const ALL: [EvaluationSize; 3] =
        [EvaluationSize::Small, EvaluationSize::Medium, EvaluationSize::Large];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            EvaluationSize::Small => "small",
            EvaluationSize::Medium => "medium",
            EvaluationSize::Large => "large",
        }
    }

    /// Machines for questions about goals (table 5.4.4).
    pub fn shape(self) -> MachineShape {
        let (half, third) = (Chance::millionths(500_000), Chance::millionths(300_000));
        match self {
            EvaluationSize::Small => MachineShape {
                machines: 4,
                states: (2, 3),
                transitions: (6, 9),
                symbols: 4,
                trigger: half,
                effect: half,
            },
            EvaluationSize::Medium => MachineShape {
                machines: 12,
                states: (4, 6),
                transitions: (16, 24),
                symbols: 8,
                trigger: third,
                effect: third,
            },
            EvaluationSize::Large => MachineShape {
                machines: 30,
                states: (8, 12),
                transitions: (40, 60),
                symbols: 16,
                trigger: third,
                effect: third,
            },
        }
    }

    /// How many transactions are allowed (`k`).
    pub fn within(self) -> u32 {
        match self {
            EvaluationSize::Small => 3,
            EvaluationSize::Medium => 6,
            EvaluationSize::Large => 12,
        }
    }
}

impl MachineShape {
    /// Random machines, each of which one object behaves as.
    pub fn machines(&self, random: &mut Random) -> GeneratedEnsemble {
        let mut ensemble = GeneratedEnsemble::default();
        for number in 1..=self.machines {
            let plain = self.machine(format!("M{number}"), &mut ensemble.symbols, random);
            ensemble.machines.push(plain);
        }
        ensemble.play_once();
        ensemble
    }

    fn machine(
        &self,
        name: String,
        symbols: &mut IdVec<SymbolId, String>,
        random: &mut Random,
    ) -> FlatMachine {
        let count = random.between(self.states).max(1);
        let wanted = random.between(self.transitions);
        let states: IdVec<StateId, String> = (0..count).map(|number| format!("s{number}")).collect();
        let ends = connect(count, wanted, random);
        let starts: Vec<usize> = (0..ends.len()).filter(|at| ends[*at].0.index() == 0).collect();
        let starter = random.pick(&starts).copied();
        let mut arcs: Vec<Arc> = Vec::new();
        for (at, ends) in ends.into_iter().enumerate() {
            let mut arc = self.arc(ends, Some(at) == starter, symbols, random);
            // With few states and symbols there are few different transitions.
            for _ in 0..TRIES {
                if !arcs.contains(&arc) {
                    break;
                }
                let ends = if Some(at) == starter { ends } else { any(count, random) };
                arc = self.arc(ends, Some(at) == starter, symbols, random);
            }
            arcs.push(arc);
        }
        FlatMachine { name, states, arcs }
    }

    fn arc(
        &self,
        (from, to): (StateId, StateId),
        is_starter: bool,
        symbols: &mut IdVec<SymbolId, String>,
        random: &mut Random,
    ) -> Arc {
        let takes = !is_starter && self.trigger.happens(random);
        let trigger = takes.then(|| self.symbol(symbols, random));
        let sends = !takes || self.effect.happens(random);
        let effects = sends.then(|| self.symbol(symbols, random)).into_iter().collect();
        Arc { from, trigger, effects, to }
    }

    /// A fresh symbol as long as there are too few, else any.
    fn symbol(&self, symbols: &mut IdVec<SymbolId, String>, random: &mut Random) -> SymbolId {
        match symbols.len() < self.symbols.max(1) {
            true => symbols.push(format!("m{}", symbols.len() + 1)),
            false => SymbolId::from_index(random.below(symbols.len())),
        }
    }
}

/// How often a transition that is there already is drawn again.
const TRIES: usize = 20;

/// Ends of transitions; no state is without, and some leave the first.
fn connect(count: usize, wanted: usize, random: &mut Random) -> Vec<(StateId, StateId)> {
    let first = StateId::from_index(0);
    let mut ends: Vec<(StateId, StateId)> = Vec::new();
    let mut lonely: Vec<StateId> = (0..count).map(StateId::from_index).collect();
    random.shuffle(&mut lonely);
    for state in lonely {
        if ends.iter().any(|(from, to)| *from == state || *to == state) {
            continue;
        }
        let mut other = StateId::from_index(random.below(count));
        while count > 1 && other == state {
            other = StateId::from_index(random.below(count));
        }
        ends.push(if random.below(2) == 0 { (state, other) } else { (other, state) });
    }
    while ends.len() < wanted {
        ends.push(any(count, random));
    }
    if !ends.iter().any(|(from, _)| *from == first) {
        let leaving = (first, StateId::from_index(random.below(count)));
        // One that comes to the first state keeps both its ends from being isolated if it is turned round.
        match ends.iter_mut().find(|(_, to)| *to == first) {
            Some((from, to)) => std::mem::swap(from, to),
            None => ends.push(leaving),
        }
    }
    ends
}

fn any(count: usize, random: &mut Random) -> (StateId, StateId) {
    (StateId::from_index(random.below(count)), StateId::from_index(random.below(count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Sizes, goal};

    #[test]
    fn sizes_are_those_of_the_tables() {
        // Table 5.4.5: averages over 1,000 instances.
        for (size, printed, tolerance) in [
            (EvaluationSize::Small, 270, 5),
            (EvaluationSize::Medium, 3_600, 60),
            (EvaluationSize::Large, 41_600, 700),
        ] {
            let count = if size == EvaluationSize::Large { 20 } else { 200 };
            let all: usize = (0..count)
                .map(|seed| {
                    let sizes: Sizes = size.shape().machines(&mut Random::new(seed)).sizes();
                    sizes.variables(size.within() as usize)
                })
                .sum();
            let average = all / count as usize;
            assert!(average.abs_diff(printed) < tolerance, "{size:?}: {average}, printed {printed}");
        }
    }

    #[test]
    fn machines_keep_their_rules() {
        for seed in 0..200 {
            let shape = EvaluationSize::Small.shape();
            let ensemble = shape.machines(&mut Random::new(seed));
            assert!(ensemble.machines.len() == 4 && ensemble.symbols.len() == 4, "{seed}");
            for plain in &ensemble.machines {
                assert!((2..=3).contains(&plain.states.len()) && (6..=9).contains(&plain.arcs.len()));
                let touches =
                    |state: StateId| plain.arcs.iter().any(|arc| arc.from == state || arc.to == state);
                assert!(plain.states.ids().all(touches), "{seed}: a state is isolated");
                let starts = |arc: &Arc| arc.from.index() == 0 && arc.trigger.is_none();
                assert!(plain.arcs.iter().any(starts), "{seed}: nothing can begin");
                let sends = |arc: &Arc| arc.trigger.is_some() || arc.effects.len() == 1;
                assert!(plain.arcs.iter().all(sends), "{seed}: an empty transition");
            }
            for (share, count) in [(250_000, 1), (500_000, 2), (750_000, 3), (1_000_000, 4), (0, 0)] {
                let goal = goal(&ensemble, Chance::millionths(share), &mut Random::new(seed));
                assert_eq!(goal.len(), count);
            }
        }
    }

    #[test]
    fn shares_are_rounded_up() {
        let share = Chance::millionths(250_000);
        assert_eq!([0, 1, 4, 5, 30].map(|number| share.of(number)), [0, 1, 1, 2, 8]);
    }
}
