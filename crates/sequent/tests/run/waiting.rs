//! Who waits for whom, in diagrams as people write them.

use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::system::{Config, System};
use sequent_kernel::waiting::{Waits, explain};

use super::lowered;

/// Figure 37 of P0: calls in a circle.
const FIGURE_37: &str = "\
L1 -> L2 : m1
L2 -> L3 : m2
L3 -> L1 : m3
L2 --> L1 : rep1
L3 --> L2 : rep2
L1 --> L3 : rep3
";

fn blocking() -> Assumptions {
    Assumptions {
        switches: Switches { blocking_calls: true, ..Switches::default() },
        ..Assumptions::default()
    }
}

/// Takes the first possible step until there is none; the events, and the last configuration.
fn run_out(system: &System) -> (Vec<String>, Config) {
    let (mut events, mut config) = (Vec::new(), system.initial());
    while let Some(step) = system.steps(&config).into_iter().next() {
        events.extend(system.events(&step).map(|event| system.events[event].text.clone()));
        config = system.take(&step, &config).expect("a step that is offered can be taken");
    }
    (events, config)
}

fn lifelines(system: &System, waits: &Waits) -> Vec<String> {
    waits.lifelines.values().flatten().map(|wait| wait.text(system)).collect()
}

#[test]
fn figure_37_is_a_circle_of_three() {
    let system = lowered(FIGURE_37, &blocking());
    let (events, config) = run_out(&system);
    assert_eq!(events, ["!L1->L2:m1", "?L1->L2:m1", "!L2->L3:m2", "?L2->L3:m2", "!L3->L1:m3"]);
    assert!(!system.holds(system.complete, &config));
    let waits = explain(&system, &config);
    let circle = "L1 waits for L2 to send rep1, L2 waits for L3 to send rep2, L3 waits for L1 to send rep3";
    assert_eq!(waits.circle_text(&system).as_deref(), Some(circle));
    assert_eq!(waits.lifelines.len(), 3);
}

#[test]
fn figure_37_completes_where_calls_do_not_block() {
    let system = lowered(FIGURE_37, &Assumptions::default());
    assert_eq!(explain(&system, &system.initial()).circle, None);
    let (events, config) = run_out(&system);
    assert_eq!(events.len(), 12);
    assert!(system.holds(system.complete, &config));
    assert_eq!(explain(&system, &config), Waits::default());
}

#[test]
fn a_receiver_waits_for_its_sender() {
    let system = lowered("a ->> b : x\nb ->> c : y\n", &Assumptions::default());
    let waits = explain(&system, &system.initial());
    assert_eq!(lifelines(&system, &waits), ["b waits for a to send x", "c waits for b to send y"]);
    assert_eq!((waits.ready.len(), waits.circle), (1, None));
}

#[test]
fn what_was_not_chosen_waits_for_nothing() {
    let text = "alt paid\na ->> b : x\nelse refused\na ->> c : y\nend\n";
    let guards = [("paid".to_owned(), true), ("refused".to_owned(), false)].into();
    let system = lowered(text, &Assumptions { guards, ..Assumptions::default() });
    let step = system.steps(&system.initial()).into_iter().next().expect("the choice is free");
    let config = system.take(&step, &system.initial()).expect("a step that is offered can be taken");
    let waits = explain(&system, &config);
    assert_eq!(lifelines(&system, &waits), ["b waits for a to send x"]);
}

#[test]
fn orderings_that_contradict_the_drawing_are_a_circle() {
    let text = "a ->> b : x\nb ->> a : y\n' @order ?y < !x\n";
    let system = lowered(text, &Assumptions::default());
    let waits = explain(&system, &system.initial());
    let circle = waits.circle_text(&system).expect("nothing can happen");
    assert_eq!(circle, "a waits for b to send y, b waits for a to send x");
}
