//! Where one engine has an answer, `auto` and `all` have it, whatever stops the search of the states.

use std::rc::Rc;

use sequent_engine::decision::{Engine, EngineOptions};
use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;
use sequent_testing::systems::system;

use crate::systems::{TASTES, any_config, goal};

/// Whether there is a run, as an engine says; `None` if it says nothing.
fn answer(case: &Case, engine: EngineChoice, limits: Limits) -> Option<bool> {
    let program = Program::new(&case.system);
    let options =
        EngineOptions { limits, threads: 1, within: None, is_patient: true, watch: &unwatched, time: None };
    match engine.decide(case, &mut StateGraph::new(&program), &options).answer {
        SearchAnswer::Found(_) => Some(true),
        SearchAnswer::Exhausted => Some(false),
        SearchAnswer::Stopped(_) => None,
    }
}

#[test]
fn what_one_engine_answers_the_portfolio_answers() {
    let few = Limits { states: 2, ..Limits::default() };
    let little = Limits { bytes: 1, ..Limits::default() };
    let (mut found, mut none) = (0, 0);
    for seed in seeds(40) {
        let mut dice = Random::new(seed + 9);
        let mut system = system(seed, TASTES[seed as usize % TASTES.len()]);
        let config = any_config(&system, &mut dice);
        let state = Goal::State(goal(&mut system, &config));
        let system = Rc::new(system);
        for goal in [state, Goal::Stuck, Goal::Accepted(Watcher::Anything)] {
            let case = Case::new(&system, goal);
            for limits in [few, little] {
                let hint = format!("seed {seed}, {:?}, {limits:?}", case.goal);
                // Runs of growing length alone have no end where nothing is found.
                let engines = [EngineChoice::Explicit, EngineChoice::Induction, EngineChoice::Ic3];
                let alone = engines.into_iter().find_map(|engine| answer(&case, engine, limits));
                for engine in [EngineChoice::Auto, EngineChoice::All] {
                    let together = answer(&case, engine, limits);
                    assert!(
                        alone.is_none() || together == alone,
                        "{hint}: {alone:?}, {} {together:?}",
                        engine.name()
                    );
                }
                match alone {
                    Some(true) => found += 1,
                    Some(false) => none += 1,
                    None => {}
                }
            }
        }
    }
    assert!(found > 30 && none > 30, "{found} found, {none} none");
}
