//! Instances answered by the SAT engine, as for `--within`: short runs first, then longer ones, in turns with
//! IC3, which searches an invariant that proves a goal unreachable for any bound.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_engine::sat::bounded::far;
use sequent_engine::sat::bounded::reach::NEAR;
use sequent_engine::sat::bounded::reach::{self};
use sequent_engine::sat::bounded::suffix::Suffix;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::Bounded;
use sequent_engine::sat::schedule::automata::ComponentAutomata;
use sequent_engine::sat::solver::SolverEffort;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Alphabet, Anchor, InteractionId};
use sequent_kernel::property::scenario::data::ScenarioData;
use sequent_kernel::property::scenario::{SearchedSystem, SoughtScenario};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::{ComponentId, Event, EventId, System, TermId};

use super::{Clock, InstanceSolver, Solution};
use crate::generate::{DiagramExchange, EnsembleInstance, EnsembleQuestion, LoweredInstance, PlayerId};

/// The SAT engine with its own solver.
pub struct SatSolver<'c> {
    /// Tells the time.
    pub clock: Clock<'c>,
    /// The time after which it gives up, in microseconds.
    pub patience: u64,
}

/// The fewest transactions are counted where there are no more machines; else those of the run that was found are.
const FEW: usize = 12;

impl InstanceSolver for SatSolver<'_> {
    fn name(&self) -> String {
        "builtin (CaDiCaL)".to_owned()
    }

    fn solve(&self, instance: &EnsembleInstance) -> Solution {
        let start = (self.clock)();
        let Ok(lowered) = instance.lower() else { return Solution::default() };
        let within = instance.within.unwrap_or(u32::MAX) as usize;
        let solved = match (&instance.asked, lowered.goal) {
            (EnsembleQuestion::Goal(_), Some(goal)) => self.goal(&lowered, goal, within, start),
            (EnsembleQuestion::Scenario(_), _) => self.scenario(instance, &lowered, within, start),
            (EnsembleQuestion::Goal(_), None) => None,
        };
        solved.unwrap_or_default()
    }
}

impl SatSolver<'_> {
    fn goal(&self, lowered: &LoweredInstance, goal: TermId, within: usize, start: u64) -> Option<Solution> {
        let system = &lowered.objects.system;
        let patience = self.patience(start);
        let encoding = match within > NEAR {
            true => Some(Encoding::new(system, Pace::Together, &[goal]).ok()?),
            false => None,
        };
        let begun = (self.clock)();
        let (found, effort) = match &encoding {
            Some(encoding) => {
                let automata = ComponentAutomata::new(system);
                let spots = automata.as_ref().and_then(|automata| automata.spots(goal));
                let parts = automata.as_ref().zip(spots.as_ref());
                far::reach(encoding, encoding.truth(goal)?, parts, within, &patience)
            }
            None => reach::within(system, goal, within, &patience).ok()?,
        };
        let answered = (self.clock)();
        let (verdict, length) = match found {
            Bounded::Found(_, length) if system.components.len() > FEW => (Some(true), Some(length)),
            Bounded::Found(_, length) => {
                match reach::fewest(system, (goal, Pace::Together), length, &self.patience(answered)).ok()? {
                    Bounded::Found(_, least) => (Some(true), Some(least)),
                    Bounded::Nothing(_) | Bounded::Proved(_) | Bounded::Stopped(_) => (Some(true), None),
                }
            }
            Bounded::Nothing(_) | Bounded::Proved(_) => (Some(false), None),
            Bounded::Stopped(_) => (None, None),
        };
        let (clauses, variables) = sizes(effort);
        Some(Solution {
            verdict,
            length,
            clauses,
            variables,
            encoding: begun - start,
            solving: answered - begun,
            ..Solution::default()
        })
    }

    /// A scenario: where its messages can follow is a goal like any other.
    fn scenario(
        &self,
        instance: &EnsembleInstance,
        lowered: &LoweredInstance,
        within: usize,
        start: u64,
    ) -> Option<Solution> {
        let system = &lowered.objects.system;
        let automata = ComponentAutomata::new(system)?;
        let tail = Suffix::new(&automata, &events(instance, system))?;
        let patience = self.patience(start);
        let written = (self.clock)();
        let (found, effort) = tail.after(tail.len(), within, &patience);
        let answered = (self.clock)();
        let (clauses, variables) = sizes(effort);
        let mut solution = Solution {
            verdict: Some(true),
            clauses,
            variables,
            encoding: written - start,
            solving: answered - written,
            ..Solution::default()
        };
        match found {
            Bounded::Found(_, length) => solution.length = Some(length),
            Bounded::Stopped(_) => solution.verdict = None,
            Bounded::Nothing(_) | Bounded::Proved(_) => {
                let rest = tail.furthest(tail.len().saturating_sub(1), within, &patience);
                solution.verdict = rest.as_ref().map(|_| false);
                solution.removed = rest.map(|rest| tail.len() - rest.count);
                solution.finding = Some((self.clock)() - answered);
            }
        }
        Some(solution)
    }

    fn patience(&self, start: u64) -> impl Fn(SolverEffort) -> ControlFlow<()> + '_ {
        move |_| match (self.clock)() - start > self.patience {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// How many clauses and variables a solver had, where one was asked.
fn sizes(effort: SolverEffort) -> (Option<usize>, Option<usize>) {
    let is_asked = effort.calls > 0;
    (is_asked.then_some(effort.clauses), is_asked.then_some(effort.variables))
}

/// What is seen of the messages of an instance's diagram; `None` for what is never seen.
pub(super) fn events(instance: &EnsembleInstance, system: &System) -> Vec<Option<EventId>> {
    let EnsembleQuestion::Scenario(diagram) = &instance.asked else { return Vec::new() };
    let component = |player: PlayerId| Some(ComponentId::from_index(player.index()));
    let seen = |exchange: &DiagramExchange| {
        let (from, to) = (component(exchange.from), component(exchange.to));
        let name = &instance.ensemble.symbols[exchange.symbol];
        let is_it = |event: &Event| event.from == from && event.to == to && event.message == *name;
        system.events.iter().position(is_it).map(EventId::from_index)
    };
    diagram.messages.iter().map(seen).collect()
}

/// The scenario of an instance as something that reads runs.
pub(super) fn observed(
    instance: &EnsembleInstance,
    lowered: &LoweredInstance,
    anchor: Anchor,
) -> Option<SoughtScenario> {
    let LoweredInstance { model, objects, .. } = lowered;
    let plays = |name: &str| {
        let named = instance.ensemble.players.iter().position(|player| player.name == name);
        named.map(ComponentId::from_index)
    };
    let environment = BTreeSet::new();
    let stage = SearchedSystem {
        system: &objects.system,
        environment: &environment,
        plays: &plays,
        parameters: &|_| Vec::new(),
    };
    let knobs = (anchor, Alphabet::All);
    let about = InteractionId::from_index(0);
    SoughtScenario::new(model, about, &stage, knobs, &ScenarioData::default(), &Assumptions::default()).ok()
}
