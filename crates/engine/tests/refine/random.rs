//! Random small processes: the engine and the definitions say the same, and counterexamples are shortest ones.

use std::collections::BTreeSet;

use sequent_engine::packed::Program;
use sequent_engine::refine::{
    Counterexample, Excess, Party, Refinement, RefinementAnswer, RefinementModel, check, text,
};
use sequent_engine::search::{Limits, unwatched};
use sequent_kernel::random::Random;
use sequent_kernel::replay::replay;
use sequent_kernel::system::System;
use sequent_testing::seeds::seeds;

use super::naive::{Behaviour, END};
use super::process::{Process, name};

const LETTERS: usize = 2;
const LONGEST: usize = 6;

pub(crate) fn refine(specification: &System, implementation: &System, model: RefinementModel) -> Refinement {
    let [specification, implementation] = [specification, implementation].map(Program::new);
    let party = |program| Party { program, name: &text, has_ends: true };
    check(party(&specification), party(&implementation), model, &Limits::default(), &unwatched)
}

/// How many events has a shortest behaviour that only the implementation has?
fn shortest(specification: &Behaviour, implementation: &Behaviour, model: RefinementModel) -> Option<usize> {
    let is_allowed =
        |trace: &Vec<usize>| model == RefinementModel::FailuresDivergences && specification.is_chaotic(trace);
    let traces = implementation.traces.iter().filter(|trace| !specification.traces.contains(*trace));
    let failures = implementation.failures.iter();
    let failures = failures
        .filter(|failure| model != RefinementModel::Traces && !specification.failures.contains(*failure));
    let divergences =
        implementation.divergences.iter().filter(|_| model == RefinementModel::FailuresDivergences);
    let wrong = traces.chain(failures.map(|(trace, _)| trace)).chain(divergences);
    let events = |trace: &Vec<usize>| trace.iter().filter(|letter| **letter != END).count();
    wrong.filter(|trace| !is_allowed(trace)).map(events).min()
}

fn letters(trace: &[String]) -> Vec<usize> {
    trace.iter().map(|text| (0..LETTERS).find(|letter| name(*letter) == *text).expect("a letter")).collect()
}

/// How long a counterexample is, after a look at whether it is one.
fn length(found: &Counterexample, parties: [&Process; 2], implementation: &System) -> usize {
    let configs = replay(implementation, &found.run).expect("a run replays");
    let events = found.run.events(implementation).map(|event| implementation.events[event].text.clone());
    assert_eq!(events.collect::<Vec<_>>(), found.trace);
    let trace = letters(&found.trace);
    let [specification, process] = parties.map(|party| party.behaviour(LETTERS, trace.len()));
    assert!(process.traces.contains(&trace));
    match &found.excess {
        Excess::Trace => {
            assert!(!specification.traces.contains(&trace));
            trace.len()
        }
        Excess::End => {
            let ended: Vec<usize> = trace.iter().copied().chain([END]).collect();
            assert!(!specification.traces.contains(&ended) && process.traces.contains(&ended));
            trace.len()
        }
        Excess::Refusal { offered, refused } => {
            let events: Vec<String> = refused.events.iter().cloned().collect();
            let refused: BTreeSet<usize> =
                letters(&events).into_iter().chain(refused.end.then_some(END)).collect();
            let failure = (trace.clone(), refused);
            assert!(process.failures.contains(&failure) && !specification.failures.contains(&failure));
            let last = configs.last().expect("the first at least");
            let offers: BTreeSet<String> = (implementation.steps(last).iter())
                .flat_map(|step| implementation.events(step))
                .map(|event| implementation.events[event].text.clone())
                .collect();
            assert_eq!(offers, offered.events);
            for least in &failure.1 {
                let mut less = failure.1.clone();
                less.remove(least);
                assert!(specification.failures.contains(&(trace.clone(), less)), "it is a least set");
            }
            trace.len()
        }
        Excess::Divergence => {
            let start = found.run.cycle.expect("a divergence goes on forever");
            let round = &found.run.steps[start..];
            assert!(
                !round.is_empty() && round.iter().all(|step| implementation.events(step).next().is_none())
            );
            assert!(process.divergences.contains(&trace) && !specification.is_chaotic(&trace));
            trace.len()
        }
    }
}

#[test]
fn random_processes_refine_as_defined() {
    let mut answers = [[0; 2]; 3];
    for seed in seeds(1_500) {
        let mut dice = Random::new(seed);
        let specification = Process::random(&mut dice, LETTERS, 35, 20);
        // Without some of its steps an implementation may well be one.
        let mut implementation = specification.clone();
        match dice.below(3) {
            0 => implementation = Process::random(&mut dice, LETTERS, 35, 20),
            1 => implementation.edges.retain(|_| !dice.percent(20)),
            _ => {
                let extra = Process::random(&mut dice, LETTERS, 35, 20);
                let states = specification.ends.len();
                implementation
                    .edges
                    .extend(extra.edges.iter().map(|(a, e, b)| (a % states, *e, b % states)).take(1));
            }
        }
        let parties = [&specification, &implementation];
        let systems = parties.map(|party| party.system(LETTERS));
        let behaviours = parties.map(|party| party.behaviour(LETTERS, LONGEST));
        for (number, model) in
            [RefinementModel::Traces, RefinementModel::Failures, RefinementModel::FailuresDivergences]
                .into_iter()
                .enumerate()
        {
            let expected = shortest(&behaviours[0], &behaviours[1], model);
            let found = match refine(&systems[0], &systems[1], model).answer {
                RefinementAnswer::Holds => None,
                RefinementAnswer::Fails(found) => Some(length(&found, parties, &systems[1])),
                RefinementAnswer::Stopped(stop) => panic!("{stop:?}"),
            };
            answers[number][usize::from(found.is_some())] += 1;
            // Longer ones are not seen by the definitions.
            let found = found.filter(|length| *length <= LONGEST || expected.is_some());
            assert_eq!(found, expected, "seed {seed}, {model:?}: {specification:?} {implementation:?}");
        }
    }
    assert!(answers.iter().flatten().all(|times| *times > 100), "{answers:?}");
}
