//! The states that NuSMV reaches are the ones that the interpreter reaches; it gets stuck where we do.

use std::collections::BTreeSet;

use sequent::outside::nusmv::{model, read};
use sequent_engine::search::Answer;
use sequent_kernel::generate::{Asked, Chance, Instance, Random, Shape, Size, goal};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::lower;
use sequent_kernel::system::{Config, Step, System, TermId};
use sequent_report::export::Wanted;

use super::nusmv::Checker;
use super::{at_hand, count, random};

/// More states than this are not counted naively.
const MOST: usize = 1_000;

/// What the plain interpreter finds: how many states, each with the step that led to it; whether one is stuck, whether one
/// is as wanted.
struct Naive {
    states: usize,
    is_stuck: bool,
    is_reached: bool,
}

/// All states, one after the other. Urgent steps come before all others; what is void leads nowhere, and what leads nowhere
/// is repeated.
fn naive(system: &System, goal: Option<TermId>) -> Option<Naive> {
    let mut seen: BTreeSet<(Config, Option<Step>)> = BTreeSet::from([(system.initial(), None)]);
    let mut open = vec![system.initial()];
    let (mut is_stuck, mut is_reached) = (false, false);
    while let Some(config) = open.pop() {
        let is_void = system.holds(system.void, &config);
        is_reached |= !is_void && goal.is_some_and(|goal| system.holds(goal, &config));
        let mut steps = system.successors(&config);
        steps.retain(|_| !is_void);
        is_stuck |= steps.is_empty() && !is_void && !system.holds(system.complete, &config);
        if steps.iter().any(|(step, _)| system.rules[step.0[0]].urgent) {
            steps.retain(|(step, _)| system.rules[step.0[0]].urgent);
        }
        if steps.is_empty() {
            seen.insert((config, None));
            continue;
        }
        for (step, next) in steps {
            if seen.insert((next.clone(), Some(step))) {
                open.push(next);
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(Naive { states: seen.len(), is_stuck, is_reached })
}

/// Compares what NuSMV says about a question; whether it could be asked.
fn compare(tool: &Checker, system: &System, goal: Option<TermId>, name: &str) -> bool {
    let Some(naive) = naive(system, goal) else { return false };
    let wanted = goal.map_or(Wanted::Stuck, Wanted::Goal);
    let Ok(model) = model(system, &wanted) else { return false };
    let printed = tool.run(&model.text, &["-r"]).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let opinion = read(&model, &printed)
        .unwrap_or_else(|problem| panic!("{name}: {problem:?}\n{printed}\n{}", model.text));
    let is_found = if goal.is_some() { naive.is_reached } else { naive.is_stuck };
    assert_eq!(opinion.states, Some(naive.states), "{name}\n{}", model.text);
    match opinion.answer {
        Answer::Found(run) => {
            assert!(is_found, "{name}: NuSMV found what is not there");
            let configs = replay(system, &run).unwrap_or_else(|slip| panic!("{name}: {slip:?}\n{printed}"));
            let last = configs.last().expect("there is a first one");
            match goal {
                Some(goal) => assert!(system.holds(goal, last), "{name}: it does not reach the goal"),
                None => assert!(system.steps(last).is_empty(), "{name}: it does not end where it is stuck"),
            }
        }
        Answer::Exhausted => assert!(!is_found, "{name}: NuSMV found nothing\n{}", model.text),
        Answer::Stopped(_) => panic!("{name}: no answer"),
    }
    true
}

#[test]
fn random_diagrams_have_the_same_states() {
    let Some(tool) = at_hand() else { return };
    let (mut compared, wanted) = (0, count(40));
    for seed in 0..wanted {
        let (model, assumptions) = (random::model(seed), random::assumptions(seed));
        let Ok(system) = lower(&model, InteractionId::from_index(0), &assumptions) else { continue };
        compared += u64::from(compare(&tool, &system, None, &format!("diagram {seed}")));
    }
    assert!(compared > wanted / 3, "{compared}");
}

#[test]
fn random_machines_have_the_same_states_and_reach_the_same_goals() {
    let Some(tool) = at_hand() else { return };
    let (mut compared, wanted) = (0, count(16));
    for seed in 0..wanted {
        let mut random = Random::new(seed);
        let shape = Shape { machines: 3, ..Size::Small.shape() };
        let ensemble = shape.machines(&mut random);
        let spots = goal(&ensemble, Chance::millionths(500_000), &mut random);
        let instance = Instance { ensemble, asked: Asked::Goal(spots), within: None };
        let Ok(lowered) = instance.lower() else { continue };
        let system = &lowered.objects.system;
        compared += u64::from(compare(&tool, system, None, &format!("machines {seed}")));
        compare(&tool, system, lowered.goal, &format!("goal {seed}"));
    }
    assert!(compared > wanted / 3, "{compared}");
}
