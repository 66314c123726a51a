//! The states that NuSMV reaches are the ones that the interpreter reaches; it gets stuck where we do.

use std::collections::BTreeSet;

use sequent::tools::nusmv::{model, read};
use sequent_kernel::system::{Config, Step, System, TermId};
use sequent_report::export::nusmv::NuSmv;

use super::at_hand;
use super::nusmv::NusmvProgram;
use super::opinion::states::{self, naive, wanted};
use super::patience::ToolPatience;
use super::reader::{self, Value};
use super::samples::Omitted;

/// Models with more states, each with the step that led to it, are not compared: the reader takes a second for this many.
const MOST: usize = 1_000;

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

/// Compares what the model means, and what NuSMV says about a question if it is there; why the model could not be compared.
fn compare(
    tool: Option<&NusmvProgram>,
    patience: &ToolPatience,
    system: &System,
    goal: Option<TermId>,
    name: &str,
) -> Result<(), Omitted> {
    let naive = naive(system, goal, MOST).ok_or("too many states")?;
    let model = model(system, &wanted(goal)).map_err(|unwritten| unwritten.0)?;
    assert_eq!(reached(&model, system), naive.moments, "{name}\n{}", model.text);
    let Some(tool) = tool else { return Ok(()) };
    // Without an answer in time the reader's comparison stands.
    let Ok(printed) = patience.ask(name, |until| tool.run(&model.text, &["-r"], until)) else {
        return Ok(());
    };
    let opinion = read(&model, &printed)
        .unwrap_or_else(|problem| panic!("{name}: {problem:?}\n{printed}\n{}", model.text));
    assert_eq!(opinion.states, Some(naive.moments.len()), "{name}\n{}", model.text);
    naive.confirms(system, goal, &opinion.answer, name);
    Ok(())
}

#[test]
fn random_diagrams_have_the_same_states() {
    let (tool, patience) = (at_hand(), ToolPatience::default());
    states::diagrams(&|system, goal, name| compare(tool.as_ref(), &patience, system, goal, name), 2);
}

#[test]
fn random_machines_have_the_same_states_and_reach_the_same_goals() {
    let (tool, patience) = (at_hand(), ToolPatience::default());
    states::machines(&|system, goal, name| compare(tool.as_ref(), &patience, system, goal, name), 2);
}
