//! Runs that an observer accepts: random observers on random interactions, against a product that is written out naively.

mod endless;
mod formulas;
mod naive;

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::graph::StateGraph;
use sequent_engine::origins::Origins;
use sequent_engine::packed::Program;
use sequent_engine::property::{PropertyFinding, find, find_on_the_fly};
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_engine::traces::{self, Traces};
use sequent_evaluation::generate::interaction as random;
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::property::{Marks, Moment, Observer};
use sequent_kernel::random::Random;
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::{Assumptions, lasting_guards, lower};
use sequent_kernel::system::{Endless, Fairness, RuleId, Strength, System, TermId};
use sequent_testing::seeds::{is_more, seeds};
use sequent_testing::systems::{Taste, system};

/// An automaton drawn by lot; its last state accepts everything.
pub struct Lot {
    states: u32,
    marks: u32,
    events: usize,
    seed: u64,
}

impl Lot {
    fn new(system: &System, seed: u64) -> Self {
        let number = mix(seed);
        Lot {
            states: 1 + (number % 4) as u32,
            marks: (number >> 8) as u32 % 3,
            events: system.events.len(),
            seed,
        }
    }
}

impl Observer for Lot {
    type State = u32;

    fn marks(&self) -> u32 {
        self.marks
    }

    fn first(&self) -> u32 {
        0
    }

    fn read(
        &self,
        state: &u32,
        moment: Moment,
        _: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(u32, Marks)>,
    ) {
        if self.accepts_all(state) {
            return ways.push((*state, (1 << self.marks) - 1));
        }
        let slot = match moment {
            Moment::Event(event) => event.index(),
            Moment::End => self.events,
            Moment::Start => self.events + 1,
            Moment::Stuck => self.events + 2,
            Moment::Silent => self.events + 3,
        };
        let number = mix(self.seed ^ mix(u64::from(*state) << 32 | slot as u64));
        for way in 0..[1, 1, 0, 2, 1, 0, 1, 2][(number % 8) as usize] {
            let number = mix(number + way);
            // Everything is accepted only now and then.
            let to = number as u32 % (self.states + u32::from(number >> 40 & 7 == 0));
            ways.push((to, number >> 20 & ((1 << self.marks) - 1)));
        }
    }

    fn accepts_all(&self, state: &u32) -> bool {
        *state == self.states
    }
}

/// A number that looks random, of another one.
fn mix(seed: u64) -> u64 {
    Random::new(seed).number()
}

/// Whether a run is found; it must be one, and one that is accepted.
fn search(system: &System, observer: &Lot) -> bool {
    let program = Program::new(system);
    let mut graph = StateGraph::new(&program);
    let by_levels = is_found(system, observer, find(&mut graph, observer, &Limits::default(), &unwatched));
    let origins = Origins::first(&graph);
    let on_the_fly = find_on_the_fly(&mut graph, &origins, observer, &Limits::default(), &unwatched);
    if let Some(finding) = on_the_fly {
        assert_eq!(is_found(system, observer, finding), by_levels, "on the fly");
    }
    by_levels
}

/// Whether a run was found; it must be one, and one that is accepted.
fn is_found(system: &System, observer: &Lot, finding: PropertyFinding) -> bool {
    match finding.answer {
        SearchAnswer::Found(run) => {
            let configs = replay(system, &run).expect("what is found is a run");
            let last = configs.last().expect("a run passes its first configuration");
            let may_end = system.holds(system.complete, last) || system.steps(last).is_empty();
            assert!(run.cycle.is_some() || may_end, "the run stops on its way");
            assert!(naive::accepts(system, &run, observer), "the run is not accepted");
            true
        }
        SearchAnswer::Exhausted => false,
        SearchAnswer::Stopped(stop) => panic!("it is small: {stop:?}"),
    }
}

#[test]
fn a_run_is_found_where_there_is_one() {
    let (mut found, mut nothing, mut endless) = (0, 0, 0);
    for seed in 0..2_000 {
        let model = random::model(seed);
        let assumptions = Assumptions { window: 1, ..random::assumptions(seed) };
        let Ok(system) = lower(&model, InteractionId::from_index(0), &assumptions) else { continue };
        let observer = Lot::new(&system, seed);
        let Some(expected) = naive::finds(&system, &observer) else { continue };
        assert_eq!(search(&system, &observer), expected, "seed {seed}");
        if expected {
            found += 1
        } else {
            nothing += 1
        }
        endless += usize::from(system.endless.is_some());
    }
    assert!(found > 100 && nothing > 100 && endless > 50, "{found} {nothing} {endless}");
}

/// Random constraints: the rules of a component, or one rule and another that pays for it.
fn constraints(system: &System, seed: u64) -> Vec<Fairness> {
    let mut dice = Random::new(seed + 17);
    let rules: Vec<RuleId> = system.rules.ids().collect();
    let mut all = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let strength = if dice.below(2) == 0 { Strength::Weak } else { Strength::Strong };
        let rule = rules[dice.below(rules.len())];
        let component = system.rules[rule].component;
        let of_component = || rules.iter().copied().filter(|one| system.rules[*one].component == component);
        let when: BTreeSet<RuleId> =
            if dice.below(2) == 0 { [rule].into() } else { of_component().collect() };
        let payers = when.iter().copied().chain([rules[dice.below(rules.len())]]).collect();
        all.push(Fairness { when, payers, strength });
    }
    all
}

#[test]
fn fair_runs_are_found_where_there_are_some() {
    let (mut found, mut nothing, mut only_unfair) = (0, 0, 0);
    for seed in seeds(3_000) {
        let mut system = system(seed, Taste { joins: false, urgent: false, void: false, odd: 20 });
        if system.rules.is_empty() {
            continue;
        }
        let observer = Lot::new(&system, seed);
        system.endless = Some(Endless { is_seen: true, ..Endless::default() });
        let unfair = naive::finds(&system, &observer);
        let owed = constraints(&system, seed);
        system.endless = Some(Endless { owed, is_seen: true, ..Endless::default() });
        let Some(expected) = naive::finds(&system, &observer) else { continue };
        assert_eq!(search(&system, &observer), expected, "seed {seed}");
        only_unfair += usize::from(unfair == Some(true) && !expected);
        if expected { found += 1 } else { nothing += 1 }
    }
    let enough = found > 100 && nothing > 100 && only_unfair > 20;
    assert!(enough || is_more(), "{found} found, {nothing} not, {only_unfair} but for fairness");
}

#[test]
fn questions_that_share_a_graph_get_the_same_answers() {
    for seed in 0..200 {
        let model = random::model(seed);
        let assumptions = Assumptions { window: 1, ..random::assumptions(seed) };
        let Ok(system) = lower(&model, InteractionId::from_index(0), &assumptions) else { continue };
        let program = Program::new(&system);
        let mut shared = StateGraph::new(&program);
        for number in 0..4 {
            let observer = Lot::new(&system, seed * 10 + number);
            let limits = Limits { states: 20_000, ..Limits::default() };
            let alone = find(&mut StateGraph::new(&program), &observer, &limits, &unwatched);
            let together = find(&mut shared, &observer, &limits, &unwatched);
            assert_eq!(
                (together.answer, together.progress.states),
                (alone.answer, alone.progress.states),
                "seed {seed}"
            );
        }
    }
}

/// The valid traces, if they are few.
fn traces(model: &Model, assumptions: &Assumptions) -> Option<BTreeSet<Vec<String>>> {
    let system = lower(model, InteractionId::from_index(0), assumptions).ok()?;
    let limits = traces::TraceLimits { sets: 3_000, ..traces::TraceLimits::default() };
    let traces = Traces::explore(&system, limits).ok()?;
    let (listed, is_all) = traces.list(3_000);
    let owned = |trace: &Vec<&str>| trace.iter().map(|event| (*event).to_owned()).collect();
    (is_all && !traces.is_strained()).then(|| listed.iter().map(owned).collect())
}

#[test]
fn the_ways_in_which_guards_fall_share_out_the_traces() {
    let mut compared = 0;
    for seed in 0..600 {
        let model = random::model(seed);
        let switches = random::assumptions(seed).switches;
        let assumptions = Assumptions { switches, without_negatives: true, ..Assumptions::default() };
        let guards: Vec<String> =
            lasting_guards(&model, InteractionId::from_index(0), &assumptions.switches).into_iter().collect();
        let Some(whole) = traces(&model, &assumptions).filter(|_| !guards.is_empty()) else { continue };
        let mut shared = BTreeSet::new();
        for number in 0..1 << guards.len() {
            let values =
                guards.iter().enumerate().map(|(place, guard)| (guard.clone(), number >> place & 1 == 1));
            let chosen: BTreeMap<String, bool> = values.collect();
            let assumptions = Assumptions { chosen, ..assumptions.clone() };
            let part = traces(&model, &assumptions).expect("a part is no larger than the whole");
            shared.extend(part);
        }
        assert_eq!(shared, whole, "seed {seed}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
