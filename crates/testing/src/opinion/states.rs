//! The states that the plain interpreter reaches, which are those that a tool should reach.

use std::collections::BTreeSet;

use sequent_engine::search::SearchAnswer;
use sequent_kernel::replay::replay;
use sequent_kernel::system::{Config, Step, System, TermId};
use sequent_report::export::WantedGoal;

use crate::samples::{self, Omitted, SampleTally};
use crate::seeds::seeds;

/// What the plain interpreter finds.
pub struct NaiveStates {
    /// How many states there are.
    pub configs: usize,
    /// The states, each with the step that led to it; none at the start, and where nothing is left to do.
    pub moments: BTreeSet<(Config, Option<Step>)>,
    /// Whether what is looked for is there.
    is_found: bool,
}

/// All reachable states, with at most `most` pairs of a state and the step to it: whether a state satisfies
/// the goal, or is a deadlock. Urgent steps come before all others; void states have no successors.
pub fn naive(system: &System, goal: Option<TermId>, most: usize) -> Option<NaiveStates> {
    let first = system.initial();
    let mut seen: BTreeSet<Config> = BTreeSet::from([first.clone()]);
    let mut moments: BTreeSet<(Config, Option<Step>)> = BTreeSet::from([(first.clone(), None)]);
    let mut open = vec![first];
    let mut is_found = false;
    while let Some(config) = open.pop() {
        let is_void = system.holds(system.void, &config);
        let mut steps = system.successors(&config);
        steps.retain(|_| !is_void);
        is_found |= !is_void
            && match goal {
                Some(goal) => system.holds(goal, &config),
                None => steps.is_empty() && !system.holds(system.complete, &config),
            };
        if steps.iter().any(|(step, _)| system.rules[step.0[0]].urgent) {
            steps.retain(|(step, _)| system.rules[step.0[0]].urgent);
        }
        if steps.is_empty() {
            moments.insert((config, None));
        }
        for (step, next) in steps {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
            moments.insert((next, Some(step)));
        }
        if moments.len() > most {
            return None;
        }
    }
    Some(NaiveStates { configs: seen.len(), moments, is_found })
}

impl NaiveStates {
    /// That a tool's answer is right: a run that replays and leads to what was looked for, or that there is none.
    pub fn confirms(&self, system: &System, goal: Option<TermId>, answer: &SearchAnswer, name: &str) {
        match answer {
            SearchAnswer::Found(run) => {
                assert!(self.is_found, "{name}: it found what is not there");
                let configs = replay(system, run).unwrap_or_else(|slip| panic!("{name}: {slip:?}"));
                let last = configs.last().expect("there is a first one");
                match goal {
                    Some(goal) => assert!(system.holds(goal, last), "{name}: it does not reach the goal"),
                    None => {
                        assert!(system.steps(last).is_empty(), "{name}: it does not end where it is stuck")
                    }
                }
            }
            SearchAnswer::Exhausted => assert!(!self.is_found, "{name}: it found nothing"),
            SearchAnswer::Stopped(_) => panic!("{name}: no answer"),
        }
    }
}

/// What is looked for.
pub fn wanted(goal: Option<TermId>) -> WantedGoal<'static> {
    goal.map_or(WantedGoal::Stuck, WantedGoal::Goal)
}

/// Compares what a tool says about a question, by name; why it could not be asked.
pub(crate) type StateComparer<'c> = &'c dyn Fn(&System, Option<TermId>, &str) -> Result<(), Omitted>;

/// Compares random diagrams, more than one in `share` of them.
pub fn diagrams(compare: StateComparer<'_>, share: u64) {
    let seeds = seeds(40);
    let (mut tally, wanted) = (SampleTally::default(), seeds.count_left());
    for seed in seeds {
        let Some(system) = samples::diagram(seed, false) else { continue };
        tally.add(compare(&system, None, &format!("diagram {seed}")));
    }
    tally.exceeds(wanted / share);
}

/// Compares random machines, more than one in `share` of them, and their goals.
pub fn machines(compare: StateComparer<'_>, share: u64) {
    let seeds = seeds(16);
    let (mut tally, wanted) = (SampleTally::default(), seeds.count_left());
    for seed in seeds {
        // Two or three of them: most of the larger systems have more states than are counted naively.
        let Some(lowered) = samples::machines(seed, 2 + seed as usize % 2) else { continue };
        let system = &lowered.objects.system;
        tally.add(compare(system, None, &format!("machines {seed}")));
        // The goal is compared under the same conditions, so it is not counted again.
        let _ = compare(system, lowered.goal, &format!("goal {seed}"));
    }
    tally.exceeds(wanted / share);
}
