//! The engine does what the interpreter does: on random systems it visits the same configurations, finds the same ends
//! with and without reduction, and every run it shows is one. Answers do not depend on the number of threads.

use std::collections::BTreeSet;

use sequent_engine::packed::Program;
use sequent_engine::search::{
    Limits, Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, SearchStop, probe, unwatched,
};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{Config, ConfigurationCursor, RuleId, Step, System};
use sequent_testing::systems::{self, Taste};
use sequent_testing::{diagram, space};

const SEEDS: u64 = 400;

const TASTES: [Taste; 4] = [
    Taste { joins: false, urgent: false, void: false, odd: 0 },
    Taste { joins: false, urgent: false, void: true, odd: 40 },
    Taste { joins: true, urgent: false, void: true, odd: 30 },
    Taste { joins: true, urgent: true, void: true, odd: 20 },
];

fn search<'a>(program: &'a Program<'a>, quest: SearchGoal, reduction: Reduction) -> Search<'a> {
    let options = SearchOptions { reduction, threads: 1, ..SearchOptions::default() };
    Search::run(program, quest, &options, &unwatched)
}

fn configs(search: &Search<'_>) -> BTreeSet<Config> {
    search.configs().collect()
}

/// The last configuration of a run that the replayer accepts.
fn last(system: &System, run: &Run) -> Config {
    replay(system, run).expect("a run that is one").pop().expect("it begins somewhere")
}

fn random_systems() -> impl Iterator<Item = (u64, Taste, System)> {
    let tastes = TASTES.into_iter();
    tastes.flat_map(|taste| (0..SEEDS).map(move |seed| (seed, taste, systems::system(seed, taste))))
}

#[test]
fn the_same_configurations_are_visited() {
    for (seed, taste, system) in random_systems() {
        let program = Program::new(&system);
        let (expected, found) =
            (space::explore(&system), search(&program, SearchGoal::Everything, Reduction::None));
        let all: BTreeSet<Config> = expected.steps.keys().cloned().collect();
        let found = configs(&found);
        if taste.urgent {
            assert!(found.is_subset(&all) && found.is_superset(&expected.kept(&system)), "seed {seed}");
        } else {
            assert_eq!(found, all, "seed {seed}");
        }
    }
}

/// It computes only what is new, and jumps between configurations that have little in common.
#[test]
fn a_cursor_says_what_the_interpreter_says() {
    let mut looked = 0;
    for (seed, _, system) in random_systems() {
        let mut cursor = ConfigurationCursor::new(&system);
        let all: Vec<Config> = space::explore(&system).steps.into_keys().take(200).collect();
        for config in all.iter().chain(all.iter().rev().step_by(3)) {
            let steps: Vec<Step> = system.steps(config);
            assert_eq!(cursor.steps(&system, config), steps, "seed {seed}");
            assert_eq!(cursor.class(&system, config), system.class(config), "seed {seed}");
            for step in &steps {
                let next = system.take(step, config);
                assert_eq!(cursor.take(&system, step, config), next, "seed {seed}");
                let is_void = |next: &Config| cursor.holds(&system, system.void, next);
                assert_eq!(
                    next.as_ref().map(is_void),
                    next.as_ref().map(|next| system.holds(system.void, next)),
                    "seed {seed}"
                );
            }
            looked += 1;
        }
    }
    assert!(looked > 5_000, "{looked}");
}

#[test]
fn reduction_loses_no_end() {
    let mut fewer = 0;
    for (seed, taste, mut system) in random_systems() {
        if taste.urgent {
            // Random urgent rules do not keep the promise that nothing is lost by taking them first.
            continue;
        }
        system.void = system.terms.truth(false);
        let expected = space::explore(&system);
        let program = Program::new(&system);
        let reduced = search(&program, SearchGoal::Everything, Reduction::Deadlocks);
        let visited = configs(&reduced);
        let ends: BTreeSet<Config> =
            visited.iter().filter(|config| system.steps(config).is_empty()).cloned().collect();
        assert_eq!(ends, expected.ends(), "seed {seed}");
        fewer += usize::from(visited.len() < expected.steps.len());

        let firing = reduced.firing();
        let firing: BTreeSet<RuleId> =
            firing.enumerate().filter(|(_, fires)| **fires).map(|(id, _)| id).collect();
        let complete = |config: &Config| system.holds(system.complete, config);
        let proper: BTreeSet<Config> =
            expected.ends().into_iter().filter(|config| complete(config)).collect();
        let all: BTreeSet<Config> =
            expected.steps.keys().filter(|config| complete(config)).cloned().collect();
        assert!(firing.is_superset(&expected.firing(&proper)), "seed {seed}");
        assert!(firing.is_subset(&expected.firing(&all)), "seed {seed}");
        let full = search(&program, SearchGoal::Everything, Reduction::None).firing();
        let full: BTreeSet<RuleId> =
            full.enumerate().filter(|(_, fires)| **fires).map(|(id, _)| id).collect();
        assert_eq!(full, expected.firing(&all), "seed {seed}");
    }
    assert!(fewer > 50, "reduction reduces: {fewer}");
}

/// A system is small, so the probe meets a deadlock if there is one.
#[test]
fn the_probe_meets_a_deadlock_where_there_is_one() {
    let (mut met, mut free) = (0, 0);
    for (seed, _, system) in random_systems() {
        let program = Program::new(&system);
        let expected = search(&program, SearchGoal::Stuck, Reduction::None).answer;
        match (probe(&program, &Limits::default()), expected) {
            (Some(deadlock), SearchAnswer::Found(shortest)) => {
                let last = last(&system, &deadlock.run);
                assert!(
                    system.steps(&last).is_empty() && !system.holds(system.complete, &last),
                    "seed {seed}"
                );
                assert!(deadlock.run.steps.len() >= shortest.steps.len(), "seed {seed}");
                met += 1;
            }
            (None, SearchAnswer::Exhausted) => free += 1,
            (deadlock, expected) => panic!("seed {seed}: {:?} but {expected:?}", deadlock.map(|met| met.run)),
        }
    }
    assert!(met > 100 && free > 100, "{met} {free}");
}

#[test]
fn every_run_is_one_and_none_is_shorter() {
    let mut found = 0;
    for (seed, taste, system) in random_systems() {
        let program = Program::new(&system);
        let expected = space::explore(&system);
        let goal = system.complete;
        let depth = expected
            .depth
            .iter()
            .filter(|(config, _)| system.holds(goal, config))
            .map(|(_, depth)| *depth)
            .min();
        match (search(&program, SearchGoal::Goal(goal), Reduction::None).answer, depth) {
            (SearchAnswer::Found(run), Some(depth)) => {
                assert!(system.holds(goal, &last(&system, &run)), "seed {seed}");
                assert!(taste.urgent || run.steps.len() == depth, "seed {seed}");
                found += 1;
            }
            (SearchAnswer::Exhausted, None) => {}
            (answer, depth) => panic!("seed {seed}: {answer:?} but {depth:?}"),
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn stuck_runs_are_found_with_and_without_reduction() {
    let mut found = 0;
    for (seed, taste, system) in random_systems() {
        let program = Program::new(&system);
        let ends = space::explore(&system).ends();
        let is_stuck =
            |config: &Config| !system.holds(system.complete, config) && system.steps(config).is_empty();
        let expected = ends.iter().any(is_stuck);
        for reduction in [Reduction::None, Reduction::Deadlocks] {
            if taste.urgent && reduction == Reduction::Deadlocks {
                continue;
            }
            // What does not count may come and go in a random system; a diagram's stays.
            if system.terms.node(system.void) != &sequent_kernel::system::TermNode::Constant(0) {
                continue;
            }
            match search(&program, SearchGoal::Stuck, reduction).answer {
                SearchAnswer::Found(run) => {
                    assert!(is_stuck(&last(&system, &run)), "seed {seed}");
                    found += 1;
                }
                SearchAnswer::Exhausted => assert!(!expected, "seed {seed} {reduction:?}"),
                SearchAnswer::Stopped(stop) => panic!("seed {seed}: {stop:?}"),
            }
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn threads_change_nothing() {
    let text = "par\na1 ->> b1 : m\nelse\na2 ->> b2 : m\nelse\na3 ->> b3 : m\nelse\na4 ->> b4 : m\nopt x\na4 ->> b4 : n\nend\n\
        else\na5 ->> b5 : m\nelse\na6 ->> b6 : m\nelse\na7 ->> b7 : m\nelse\na8 ->> b8 : m\nend\n";
    let system = diagram::system(text);
    let program = Program::new(&system);
    let run = |threads: usize| {
        let options = SearchOptions { threads, ..SearchOptions::default() };
        Search::run(&program, SearchGoal::Goal(system.complete), &options, &unwatched)
    };
    let one = run(1);
    assert!(
        matches!(&one.answer, SearchAnswer::Found(run) if system.holds(system.complete, &last(&system, run)))
    );
    for threads in [2, 4] {
        let other = run(threads);
        assert_eq!((&one.answer, one.progress), (&other.answer, other.progress));
        assert!(one.configs().eq(other.configs()));
    }
}

#[test]
fn limits_stop_a_search() {
    let text: String = (0..9).map(|number| format!("a{number} ->> b{number} : m\n")).collect();
    let system = diagram::system(&text);
    let program = Program::new(&system);
    let stopped = |limits: Limits| {
        let options = SearchOptions { limits, threads: 2, ..SearchOptions::default() };
        Search::run(&program, SearchGoal::Everything, &options, &unwatched).answer
    };
    let limits = Limits::default();
    assert_eq!(stopped(limits), SearchAnswer::Exhausted);
    assert_eq!(stopped(Limits { states: 1_000, ..limits }), SearchAnswer::Stopped(SearchStop::States));
    assert_eq!(stopped(Limits { bytes: 10_000, ..limits }), SearchAnswer::Stopped(SearchStop::Memory));
    assert_eq!(stopped(Limits { depth: 3, ..limits }), SearchAnswer::Stopped(SearchStop::Depth));
    let watch = |progress: &sequent_engine::search::Progress| match progress.states {
        0..=50 => std::ops::ControlFlow::Continue(()),
        _ => std::ops::ControlFlow::Break(()),
    };
    let watched = Search::run(&program, SearchGoal::Everything, &SearchOptions::default(), &watch).answer;
    assert_eq!(watched, SearchAnswer::Stopped(SearchStop::Watch));
}
