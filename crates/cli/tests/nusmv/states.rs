//! The states that NuSMV reaches are the ones that the interpreter reaches; it gets stuck where we do.

use std::collections::BTreeSet;

use sequent::outside::nusmv::{model, read};
use sequent_kernel::system::{Config, Step, System, TermId};
use sequent_report::export::nusmv::NuSmv;

use super::at_hand;
use super::nusmv::Checker;
use super::opinion::states::{self, naive, wanted};
use super::reader::{self, Value};

/// More states, each with the step that led to it, are not counted naively.
const MOST: usize = 1_000;

/// Models in which states times steps are more than this are not read without NuSMV.
const SMALL: usize = 3_000;

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

/// Compares what NuSMV says about a question, if it is there, and what the model means; why it could not be asked.
fn compare(tool: Option<&Checker>, system: &System, goal: Option<TermId>, name: &str) -> Result<(), String> {
    let naive = naive(system, goal, MOST).ok_or("too many states")?;
    let model = model(system, &wanted(goal)).map_err(|unwritten| unwritten.0)?;
    let is_small = naive.moments.len() * model.steps.len() < SMALL;
    if is_small {
        assert_eq!(reached(&model, system), naive.moments, "{name}\n{}", model.text);
    }
    let Some(tool) = tool else { return is_small.then_some(()).ok_or("too large without NuSMV".to_owned()) };
    let printed = tool.run(&model.text, &["-r"], None).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let opinion = read(&model, &printed)
        .unwrap_or_else(|problem| panic!("{name}: {problem:?}\n{printed}\n{}", model.text));
    assert_eq!(opinion.states, Some(naive.moments.len()), "{name}\n{}", model.text);
    naive.confirms(system, goal, &opinion.answer, name);
    Ok(())
}

#[test]
fn random_diagrams_have_the_same_states() {
    let tool = at_hand();
    states::diagrams(&|system, goal, name| compare(tool.as_ref(), system, goal, name), 4);
}

#[test]
fn random_machines_have_the_same_states_and_reach_the_same_goals() {
    let tool = at_hand();
    states::machines(&|system, goal, name| compare(tool.as_ref(), system, goal, name), 4);
}
