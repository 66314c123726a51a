//! Scenarios that must begin within a bound, of machines that share nothing but messages (P4's k-SDCHECK).
//!
//! The scenario fixes which messages follow, so each machine is independent once it has begun: a solver is
//! asked only for a run to [a configuration from which it can be completed](Suffix). That decides the
//! question: if no such configuration is reached within the bound, there is no match.

use sequent_kernel::question::{Case, Goal, Pace, Watcher};
use sequent_kernel::verdict::{Cost, SearchStop};

use super::solve::reached;
use super::{EngineChoice, SLICES};
use crate::decision::{Decision, EngineOptions, Ground};
use crate::sat::bounded::depth::Deepest;
use crate::sat::bounded::suffix::Suffix;
use crate::sat::outcome::Bounded;
use crate::sat::schedule::automata::ComponentAutomata;
use crate::search::SearchAnswer;

/// Decides a case; `None` if it asks for something else, or its machines share more than messages.
pub(crate) fn decide<'c>(case: &'c Case, options: &EngineOptions<'_>) -> Option<Decision<'c>> {
    let (Goal::Accepted(Watcher::Found(scenario)), Some(begins)) = (&case.goal, case.begins) else {
        return None;
    };
    let system = &*case.system;
    let counts_all = system.rules.iter().all(|rule| case.names.machines.contains(&rule.component));
    if case.pace == Pace::Single || options.within.is_some() || !counts_all || !system.is_free() {
        return None;
    }
    let automata = ComponentAutomata::new(system)?;
    // A run that breaks off may be one that would have gone on to a match.
    let breaks = automata.spots(system.strained)?;
    if breaks.iter().all(|spots| spots.contains(&true)) {
        return None;
    }
    let suffix = Suffix::of(&automata, scenario)?;
    let patience = options.patience(if options.is_patient { usize::MAX } else { SLICES });
    let within = begins as usize;
    let name = EngineChoice::Bounded.name();
    let (found, effort) = suffix.after(suffix.len(), within, &patience);
    let decision = match found {
        Bounded::Found(run, _) => Decision::of(name, SearchAnswer::Found(run)),
        Bounded::Stopped(_) => Decision::of(name, SearchAnswer::Stopped(SearchStop::Watch)),
        Bounded::Nothing(_) | Bounded::Proved(_) => {
            let furthest = suffix.furthest(suffix.len().saturating_sub(1), within, &patience);
            let furthest = furthest.and_then(|furthest| {
                // A scenario that has begun has come one further than the messages that have happened.
                let depth = if furthest.count == 0 { 0 } else { furthest.count + 1 };
                reached(case, scenario, Deepest { run: furthest.run, depth })
            });
            let ground = Some(Ground::Begins(within));
            Decision { furthest, ground, ..Decision::of(name, SearchAnswer::Exhausted) }
        }
    };
    // Short runs are found without a formula.
    let formula = (effort.clauses > 0).then_some((effort.variables, effort.clauses));
    Some(Decision { cost: Cost { formula, ..Cost::default() }, ..decision })
}
