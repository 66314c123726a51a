//! Who waits for whom, in diagrams as people write them.

use std::collections::BTreeMap;

use sequent::simulate::Random;
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::system::{Config, RuleId, System};
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

/// Configurations in the order in which they are found, each with its steps: the rules and where they lead.
type Graph = Vec<(Config, Vec<(Vec<RuleId>, usize)>)>;

/// All configurations, unless there are too many.
fn explore(system: &System) -> Option<Graph> {
    let mut graph: Graph = vec![(system.initial(), Vec::new())];
    let mut known: BTreeMap<Config, usize> = BTreeMap::from([(system.initial(), 0)]);
    let mut at = 0;
    while at < graph.len() {
        for step in system.steps(&graph[at].0) {
            let next = system.take(&step, &graph[at].0).expect("a step that is offered can be taken");
            let to = *known.entry(next.clone()).or_insert(graph.len());
            if to == graph.len() {
                graph.push((next, Vec::new()));
            }
            graph[at].1.push((step.0, to));
        }
        at += 1;
        if graph.len() > 300 {
            return None;
        }
    }
    Some(graph)
}

/// Whether a rule fires somewhere after a configuration.
fn happens(graph: &Graph, start: usize, rule: RuleId) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if graph[at].1.iter().any(|(rules, _)| rules.contains(&rule)) {
            return true;
        }
        open.extend(graph[at].1.iter().map(|(_, to)| *to));
    }
    false
}

/// Calls among three lifelines and the replies to them, in any order; sometimes some of them are optional.
fn random_calls(random: &mut Random) -> String {
    let mut calls: Vec<(usize, usize)> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for number in 0..2 + random.below(2) {
        let from = random.below(3);
        let to = (from + 1 + random.below(2)) % 3;
        calls.push((from, to));
        lines.push(format!("L{from} -> L{to} : m{number}\n"));
    }
    while !calls.is_empty() {
        let (from, to) = calls.remove(random.below(calls.len()));
        lines.push(format!("L{to} --> L{from} : rep{}\n", calls.len()));
    }
    let at = random.below(lines.len());
    if random.below(2) == 0 {
        lines[at] = format!("opt\nL0 ->> L1 : x\nend\n{}", lines[at]);
    }
    lines.concat()
}

#[test]
fn what_is_said_to_wait_forever_does() {
    let mut random = Random::new(2);
    let (mut deadlocks, mut circles, mut forever) = (0, 0, 0);
    for _ in 0..150 {
        let text = random_calls(&mut random);
        let system = lowered(&text, &blocking());
        let Some(graph) = explore(&system) else { continue };
        for (number, (config, steps)) in graph.iter().enumerate() {
            let waits = explain(&system, config);
            for wait in waits.lifelines.values().flatten().filter(|wait| wait.forever) {
                forever += 1;
                assert!(!happens(&graph, number, wait.rule), "{}\n{text}", wait.text(&system));
            }
            let is_end = [system.complete, system.void].iter().any(|term| system.holds(*term, config));
            if steps.is_empty() && !is_end {
                deadlocks += 1;
                circles += usize::from(waits.circle.is_some());
                assert!(!waits.lifelines.is_empty() && waits.ready.is_empty(), "{text}");
                assert!(waits.lifelines.values().flatten().all(|wait| wait.forever), "{text}");
            }
        }
    }
    assert!(deadlocks > 20 && circles == deadlocks && forever > 100, "{deadlocks} {circles} {forever}");
}
