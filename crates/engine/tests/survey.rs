//! The survey of random systems against the plain interpreter: the same states, ends, steps that are not seen, and runs that
//! replay.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::packed::Program;
use sequent_engine::search::{Limits, unwatched};
use sequent_engine::survey::Survey;
use sequent_kernel::property::Moment;
use sequent_kernel::replay::replay;
use sequent_kernel::system::{Config, System};
use sequent_testing::systems;

/// Where steps lead from each state, and whether anything is seen.
type Steps = BTreeMap<Config, Vec<(Config, bool)>>;

fn explored(system: &System) -> Steps {
    let mut steps: Steps = BTreeMap::new();
    let mut open = vec![system.initial()];
    while let Some(config) = open.pop() {
        if steps.contains_key(&config) {
            continue;
        }
        let all = system.steps(&config);
        let taken = all
            .iter()
            .filter_map(|step| Some((system.take(step, &config)?, system.events(step).next().is_some())));
        let taken: Vec<(Config, bool)> = taken.collect();
        open.extend(taken.iter().map(|(next, _)| next.clone()));
        steps.insert(config, taken);
    }
    steps
}

/// Whether unseen steps lead in a circle.
fn circles(steps: &Steps) -> bool {
    let mut left: BTreeSet<&Config> = steps.keys().collect();
    loop {
        let unseen =
            |config: &&Config| steps[*config].iter().any(|(next, is_seen)| !is_seen && left.contains(next));
        let kept: BTreeSet<&Config> = left.iter().copied().filter(unseen).collect();
        if kept.len() == left.len() {
            return !left.is_empty();
        }
        left = kept;
    }
}

#[test]
fn random_systems() {
    let taste = systems::Taste { joins: true, urgent: false, void: false, odd: 30 };
    let mut circling = 0;
    for seed in 0..400 {
        let system = systems::system(seed, taste);
        let steps = explored(&system);
        let program = Program::new(&system);
        let survey = Survey::explore(&program, &|_| false, &Limits::default(), &unwatched);
        assert!(survey.is_whole());
        let states: BTreeSet<Config> = survey.spots().map(|spot| survey.config(spot)).collect();
        assert_eq!(states, steps.keys().cloned().collect(), "seed {seed}");
        for spot in survey.spots() {
            let config = survey.config(spot);
            let is_stuck = steps[&config].is_empty() && !system.holds(system.complete, &config);
            assert_eq!(survey.end(spot) == Some(Moment::Stuck), is_stuck, "seed {seed}");
            let configs = replay(&system, &survey.run_to(spot)).expect("a run");
            assert_eq!(configs.last(), Some(&config));
        }
        for rule in system.rules.ids() {
            if let Some(hop) = survey.fired(rule) {
                let run = survey.run_through(hop);
                replay(&system, &run).expect("a run");
                assert!(run.steps.last().is_some_and(|step| step.0.contains(&rule)), "seed {seed}");
            }
        }
        let circle = survey.unseen_circle();
        assert_eq!(circle.is_some(), circles(&steps), "seed {seed}");
        if let Some(run) = circle {
            replay(&system, &run).expect("a run");
            let start = run.cycle.expect("it goes on forever");
            assert!(run.steps[start..].iter().all(|step| system.events(step).next().is_none()));
            circling += 1;
        }
    }
    assert!(circling > 20, "{circling}");
}
