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
use sequent_report::export::nusmv::NuSmv;

use super::nusmv::Checker;
use super::reader::{self, Value};
use super::{at_hand, count, random};

/// More states than this are not counted naively.
const MOST: usize = 1_000;

/// Models in which states times steps are more than this are not read without NuSMV.
const SMALL: usize = 3_000;

/// What the plain interpreter finds: the states, each with the step that led to it; whether one is stuck, whether one is as
/// wanted.
struct Naive {
    states: BTreeSet<(Config, Option<Step>)>,
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
    Some(Naive { states: seen, is_stuck, is_reached })
}

/// The states of a model, read without NuSMV. The variables of the system come first, then the number of the step.
fn reached(made: &NuSmv, system: &System) -> BTreeSet<(Config, Option<Step>)> {
    let model = reader::Model::read(&made.text);
    let mut seen: BTreeSet<reader::State> = model.initial().into_iter().collect();
    let mut open: Vec<reader::State> = seen.iter().cloned().collect();
    while let Some(state) = open.pop() {
        open.extend(model.next(&state).into_iter().filter(|next| seen.insert(next.clone())));
    }
    let number = |value: &Value| match value {
        Value::Truth(value) => i32::from(*value),
        Value::Number(value) => i32::try_from(*value).expect("a small number"),
        Value::Word(_) => panic!("a word for a number"),
    };
    let told = |state: &reader::State| {
        let values: Vec<i32> = state.iter().map(number).collect();
        let step = values[system.variables.len()] as usize;
        let config = Config(values[..system.variables.len()].to_vec());
        (config, step.checked_sub(1).map(|step| made.steps[step].clone()))
    };
    seen.iter().map(told).collect()
}

/// Compares what NuSMV says about a question, if it is there, and what the model means; whether it could be asked.
fn compare(tool: Option<&Checker>, system: &System, goal: Option<TermId>, name: &str) -> bool {
    let Some(naive) = naive(system, goal) else { return false };
    let wanted = goal.map_or(Wanted::Stuck, Wanted::Goal);
    let Ok(model) = model(system, &wanted) else { return false };
    let is_small = naive.states.len() * model.steps.len() < SMALL;
    if is_small {
        assert_eq!(reached(&model, system), naive.states, "{name}\n{}", model.text);
    }
    let Some(tool) = tool else { return is_small };
    let printed = tool.run(&model.text, &["-r"]).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let opinion = read(&model, &printed)
        .unwrap_or_else(|problem| panic!("{name}: {problem:?}\n{printed}\n{}", model.text));
    let is_found = if goal.is_some() { naive.is_reached } else { naive.is_stuck };
    assert_eq!(opinion.states, Some(naive.states.len()), "{name}\n{}", model.text);
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
    let tool = at_hand();
    let (mut compared, wanted) = (0, count(40));
    for seed in 0..wanted {
        let (model, assumptions) = (random::model(seed), random::assumptions(seed));
        let Ok(system) = lower(&model, InteractionId::from_index(0), &assumptions) else { continue };
        compared += u64::from(compare(tool.as_ref(), &system, None, &format!("diagram {seed}")));
    }
    assert!(compared > wanted / 4, "{compared}");
}

#[test]
fn random_machines_have_the_same_states_and_reach_the_same_goals() {
    let tool = at_hand();
    let (mut compared, wanted) = (0, count(16));
    for seed in 0..wanted {
        let mut random = Random::new(seed);
        let shape = Shape { machines: 3, ..Size::Small.shape() };
        let ensemble = shape.machines(&mut random);
        let spots = goal(&ensemble, Chance::millionths(500_000), &mut random);
        let instance = Instance { ensemble, asked: Asked::Goal(spots), within: None };
        let Ok(lowered) = instance.lower() else { continue };
        let system = &lowered.objects.system;
        compared += u64::from(compare(tool.as_ref(), system, None, &format!("machines {seed}")));
        compare(tool.as_ref(), system, lowered.goal, &format!("goal {seed}"));
    }
    assert!(compared > wanted / 4, "{compared}");
}
