//! The states that SPIN stores are the ones that the interpreter reaches; it gets stuck where we do.

use sequent::tools::spin::{model, read};
use sequent_engine::search::SearchAnswer;
use sequent_kernel::system::{System, TermId};

use super::at_hand;
use super::opinion::states::{self, naive, wanted};
use super::patience::ToolPatience;
use super::samples::Omitted;
use super::spin::SpinPrograms;

/// More states, each with the step that led to it, are not counted naively.
const MOST: usize = 8_000;

/// Compares what SPIN says about a question; why it could not be asked.
fn compare(
    (tool, patience): (&SpinPrograms, &ToolPatience),
    system: &System,
    goal: Option<TermId>,
    name: &str,
) -> Result<(), Omitted> {
    let naive = naive(system, goal, MOST).ok_or("too many states")?;
    let model = model(system, &wanted(goal)).map_err(|unwritten| unwritten.0)?;
    let report = patience.ask(name, |until| tool.search(&model, until))?;
    let opinion =
        read(&model, &report).unwrap_or_else(|problem| panic!("{name}: {problem:?}\n{}", report.search));
    naive.confirms(system, goal, &opinion.answer, name);
    if opinion.answer == SearchAnswer::Exhausted {
        // The claim of a goal is one more process, and it has one state.
        assert_eq!(opinion.states, Some(naive.configs), "{name}\n{}", model.text);
    }
    Ok(())
}

#[test]
fn random_diagrams_have_the_same_states() {
    let Some(tool) = at_hand() else { return };
    let asked = (&tool, &ToolPatience::default());
    states::diagrams(&|system, goal, name| compare(asked, system, goal, name), 2);
}

#[test]
fn random_machines_have_the_same_states_and_reach_the_same_goals() {
    let Some(tool) = at_hand() else { return };
    let asked = (&tool, &ToolPatience::default());
    states::machines(&|system, goal, name| compare(asked, system, goal, name), 2);
}
