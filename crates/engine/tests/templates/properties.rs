//! Diagrams as properties (section VI of P0): figures 34 and 35, checked by their formulas.

use std::collections::BTreeMap;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::find;
use sequent_engine::sat::encode::table::written;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Mode};
use sequent_kernel::property::ltl::{LtlAutomaton, bind};
use sequent_kernel::property::{AssertGoal, Assertion, Negative};
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::templates::{ForbiddenRuns, from_start};

use crate::diagram::model;
use crate::figures::{FIGURE_1A, FIGURE_1B, assume};

/// Whether what a diagram forbids, or demands, as a formula holds in every run of another.
fn holds(subject: &str, property: &str, assumptions: &Assumptions, mode: Option<Mode>) -> bool {
    let text = format!("@startuml model\n{subject}@enduml\n@startuml property\n{property}@enduml\n");
    let model = model(&text);
    let [subject, property] = [0, 1].map(InteractionId::from_index);
    let system = lower(&model, subject, assumptions).expect("it is lowered");
    let table = match mode {
        Some(mode) => {
            let negative =
                Negative::new(&model, property, &system, assumptions, mode).expect("it is lowered");
            written(&system, &negative)
        }
        None => {
            let quest = AssertGoal::Violation;
            let assertion =
                Assertion::new(&model, property, &system, assumptions, quest).expect("it is lowered");
            written(&system, &assertion)
        }
    };
    let table = table.expect("it is small");
    let events = system.events.iter().map(|event| event.text.clone()).collect();
    let observed = ForbiddenRuns { table, events, guards: BTreeMap::new() };
    let formula = observed.formula(model.interactions[property].place).expect("a formula says it");
    let bound = bind(&from_start(&formula), &system, &BTreeMap::new()).expect("it is about the model");
    let violation = LtlAutomaton::violation(&bound).expect("it is small");
    let program = Program::new(&system);
    let mut graph = StateGraph::new(&program);
    match find(&mut graph, &violation, &Limits::default(), &unwatched).answer {
        SearchAnswer::Found(run) => {
            replay(&system, &run).expect("the run is one");
            false
        }
        SearchAnswer::Exhausted => true,
        SearchAnswer::Stopped(stop) => panic!("{stop:?}"),
    }
}

/// Strongly, and weakly safe.
fn safe(subject: &str, property: &str) -> [bool; 2] {
    [Mode::Strong, Mode::Weak].map(|mode| holds(subject, property, &Assumptions::default(), Some(mode)))
}

#[test]
fn figure_34_is_strongly_unsafe_and_weakly_safe() {
    let wrong = "group neg\nL1 ->> L2 : m1\nL3 ->> L2 : m3\nend\n";
    assert_eq!(safe(FIGURE_1A, wrong), [false, true]);
    let neighbours = "group neg\nL3 ->> L2 : m2\nL3 ->> L2 : m3\nend\n";
    assert_eq!(safe(FIGURE_1A, neighbours), [false, false]);
    let backwards = "group neg\nL3 ->> L2 : m3\nL3 ->> L2 : m2\nend\n";
    assert_eq!(safe(FIGURE_1A, backwards), [true, true]);
}

#[test]
fn repeated_messages_are_forbidden_wherever_they_are() {
    let twice = "L1 ->> L2 : m\nL1 ->> L2 : m\nL1 ->> L2 : n\n";
    assert_eq!(safe(twice, "group neg\nL1 ->> L2 : m\nL1 ->> L2 : n\nend\n"), [false, false]);
    assert_eq!(safe(twice, "group neg\nL1 ->> L2 : m\nL1 ->> L2 : m\nend\n"), [false, false]);
    assert_eq!(safe(twice, "group neg\nL1 ->> L2 : n\nL1 ->> L2 : m\nend\n"), [true, true]);
    let demand = "L1 ->> L2 : m\ngroup assert\nL1 ->> L2 : n\nend\n";
    assert!(!holds(twice, demand, &Assumptions::default(), None));
    assert!(holds("L1 ->> L2 : m\nL1 ->> L2 : n\n", demand, &Assumptions::default(), None));
}

#[test]
fn figure_35_figure_1b_is_inconsistent() {
    let assertion = "L1 ->> L2 : m1\ngroup assert\nL2 ->> L1 : m2\nend\n";
    let all = [("cond1", true), ("cond2", true), ("cond3", true)];
    let alone = [("cond1", true), ("cond2", false), ("cond3", true)];
    for switches in [&[][..], &["first=on"]] {
        assert!(!holds(FIGURE_1B, assertion, &assume(&all, switches), None));
    }
    // Without the second operand nothing comes in between.
    assert!(holds(FIGURE_1B, assertion, &assume(&alone, &[]), None));
    let other = "L1 ->> L2 : m1\ngroup assert\nL3 ->> L2 : m2\nend\n";
    assert!(holds(FIGURE_1A, other, &Assumptions::default(), None));
}
