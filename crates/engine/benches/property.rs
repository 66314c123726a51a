//! How quick properties are checked: `cargo bench -p sequent-engine --bench property`.
//!
//! Each row is a diagram and a formula with the time it may take. Figures are the best of several runs, on one core.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::{find, find_by_order};
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::formula::Formula;
use sequent_kernel::id::Id;
use sequent_kernel::property::ltl::{LtlAutomaton, bind};
use sequent_kernel::source::{FileId, Span};
use sequent_notation::formula::parse;
use sequent_testing::diagram::system;

const RUNS: usize = 3;

fn main() {
    println!("{:<52} {:>10} {:>10} {:>10} {:>9}", "property", "states", "time", "at most", "verdict");
    search("response, 13 messages in par, holds", &beside(13), "G (sent(m0) -> F received(m0))", 10_000);
    search("response, 13 messages in par, fails", &beside(13), "G (received(m0) -> F received(m1))", 10_000);
    search("precedence, 13 messages in par, holds", &beside(13), "!received(m0) W sent(m0)", 10_000);
    search("absence, 20 messages in par, fails", &beside(20), "G !sent(m7)", 10_000);
    by_order(
        "response, 40 messages in par, by order, holds",
        &beside(40),
        "G (sent(m0) -> F received(m0))",
        100,
    );
    let six: Vec<String> = (1..=6).map(|n| format!("G (sent(m{n}) -> F received(m{n}))")).collect();
    build("automaton of six responses", &six.join(" & "), 1_000);
    build("automaton of the violation of six responses", &format!("!({})", six.join(" & ")), 1_000);
}

fn search(name: &str, diagram: &str, formula: &str, most: u64) {
    let (system, formula) = (system(diagram), formula_of(formula));
    let mut seen = (0, "");
    let time = best(|| {
        let bound = bind(&formula, &system, &BTreeMap::new()).expect("the diagram knows it");
        let observer = LtlAutomaton::violation(&bound).expect("it is small");
        let program = Program::new(&system);
        let finding = find(&mut StateGraph::new(&program), &observer, &Limits::default(), &unwatched);
        let verdict = match finding.answer {
            SearchAnswer::Found(_) => "fails",
            SearchAnswer::Exhausted => "holds",
            SearchAnswer::Stopped(_) => "unknown",
        };
        seen = (finding.progress.states, verdict);
    });
    row(name, seen.0, time, most, seen.1);
}

/// The same, where the order of events that the formula does not speak of is left out.
fn by_order(name: &str, diagram: &str, formula: &str, most: u64) {
    let (system, formula) = (system(diagram), formula_of(formula));
    let bound = bind(&formula, &system, &BTreeMap::new()).expect("the diagram knows it");
    let mut states = 0;
    let time = best(|| {
        let observer = LtlAutomaton::violation(&bound).expect("it is small");
        let program = Program::new(&system);
        let finding = find_by_order(&program, &observer, &Limits::default(), &unwatched);
        let finding = finding.expect("all runs end, and most events are not spoken of");
        assert_eq!(finding.answer, SearchAnswer::Exhausted);
        states = finding.progress.states;
    });
    row(name, states, time, most, "holds");
}

/// The automaton that accepts the runs on which a formula is true.
fn build(name: &str, formula: &str, most: u64) {
    let (system, formula) = (system(&beside(7)), formula_of(formula));
    let bound = bind(&formula, &system, &BTreeMap::new()).expect("the diagram knows it");
    let mut states = 0;
    let time = best(|| states = LtlAutomaton::of(&bound).expect("it is small enough").size().states);
    row(name, states, time, most, "");
}

fn row(name: &str, states: usize, time: Duration, most: u64, verdict: &str) {
    let millis = format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    println!("{name:<52} {states:>10} {millis:>10} {:>10} {verdict:>9}", format!("{most} ms"));
}

fn best(mut work: impl FnMut()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..RUNS).map(one).min().expect("there is at least one run")
}

fn formula_of(text: &str) -> Formula {
    parse(text, Span::new(FileId::from_index(0), 0, text.len())).expect("a formula")
}

/// Messages between lifelines of their own, all beside each other.
fn beside(messages: usize) -> String {
    let operand = |number| format!("a{number} ->> b{number} : m{number}\n");
    let operands: Vec<String> = (0..messages).map(operand).collect();
    format!("par\n{}end\n", operands.join("else\n"))
}
