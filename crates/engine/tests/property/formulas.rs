//! Random formulas on random interactions: a violation is found exactly where some trace violates the formula by its
//! definition.

use std::collections::BTreeMap;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::{find, find_by_order, observed};
use sequent_engine::search::{Limits, SearchAnswer, SearchOptions, unwatched};
use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord, Unary};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::property::Moment;
use sequent_kernel::property::ltl::{AtomMeaning, BoundFormula, LtlAutomaton, bind, bind_with, truth};
use sequent_kernel::random::Random;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::{Endless, System, TermId};
use sequent_testing::seeds::{is_more, seeds};
use sequent_testing::systems::{Taste, system};

use super::{random, traces};

fn formula(numbers: &mut Random, system: &System, depth: usize) -> Formula {
    use Binary::*;
    use Unary::*;
    const UNARY: [Unary; 8] = [Not, Next, Finally, Globally, Previous, WeakPrevious, Once, Historically];
    const BINARY: [Binary; 10] =
        [And, Or, Implies, Iff, Until, Release, WeakUntil, StrongRelease, Since, Trigger];
    let node = match numbers.below(if depth == 0 { 1 } else { 4 }) {
        0 => match numbers.below(system.events.len() + 2) {
            0 => FormulaNode::Atom(Atom::Start),
            1 => FormulaNode::Atom(Atom::End),
            number => {
                let text = system.events[Id::from_index(number - 2)].text.clone();
                FormulaNode::Atom(Atom::Exactly(FormulaWord { text, place: random::place() }))
            }
        },
        1 => FormulaNode::Unary(UNARY[numbers.below(8)], Box::new(formula(numbers, system, depth - 1))),
        _ => {
            let operator = BINARY[numbers.below(10)];
            let left = formula(numbers, system, depth - 1);
            FormulaNode::Binary(operator, Box::new(left), Box::new(formula(numbers, system, depth - 1)))
        }
    };
    Formula { node, place: random::place() }
}

fn is_true(bound: &BoundFormula, system: &System, trace: &[String], last: Moment) -> bool {
    let event = |text: &String| {
        Moment::Event(system.events.find(|event| event.text == *text).expect("an event of the system"))
    };
    let moments: Vec<Moment> = [Moment::Start].into_iter().chain(trace.iter().map(event)).collect();
    truth(bound, &moments, &[last], |_, _| false).holds()
}

/// The events of a run, and how it ends: it may get stuck; then it is no trace, but it counts.
fn ended(system: &System, run: &Run) -> (Vec<String>, Moment) {
    let trace = run.events(system).map(|event| system.events[event].text.clone()).collect();
    let configs = replay(system, run).expect("it is a run");
    let is_stuck = configs.last().is_some_and(|last| !system.holds(system.complete, last));
    (trace, if is_stuck { Moment::Stuck } else { Moment::End })
}

#[test]
fn a_formula_fails_where_a_trace_violates_it() {
    let (mut holds, mut fails, mut reduced) = (0, 0, 0);
    for seed in 0..1_000 {
        let model = random::model(seed);
        let mut assumptions = Assumptions { without_negatives: true, ..random::assumptions(seed) };
        // A trace that one run makes valid and another invalid is invalid, but the valid run counts.
        assumptions.switches.invalid_if_false = false;
        let Some(traces) = traces(&model, &assumptions) else { continue };
        let system = lower(&model, InteractionId::from_index(0), &assumptions).expect("it has traces");
        let program = Program::new(&system);
        let mut graph = StateGraph::new(&program);
        let mut numbers = Random::new(seed);
        for _ in 0..3 {
            let depth = 1 + numbers.below(4);
            let formula = formula(&mut numbers, &system, depth);
            let bound = bind(&formula, &system, &BTreeMap::new()).expect("its atoms are events");
            let Ok(observer) = LtlAutomaton::violation(&bound) else { continue };
            let found = find(&mut graph, &observer, &Limits::default(), &unwatched).answer;
            if let Some(by_order) = find_by_order(&program, &observer, &Limits::default(), &unwatched) {
                reduced += 1;
                match (&found, &by_order.answer) {
                    (SearchAnswer::Found(run), SearchAnswer::Found(other)) => {
                        // Which of several violations comes first may differ.
                        for run in [run, other] {
                            let (trace, last) = ended(&system, run);
                            assert!(!is_true(&bound, &system, &trace, last), "seed {seed}: {formula:?}");
                        }
                    }
                    (found, other) => assert_eq!(found, other, "seed {seed}: {formula:?}"),
                }
            }
            let expected = traces.iter().any(|trace| !is_true(&bound, &system, trace, Moment::End));
            match found {
                SearchAnswer::Found(run) => {
                    let (trace, last) = ended(&system, &run);
                    let is_stuck = last == Moment::Stuck;
                    assert!(is_stuck || traces.contains(&trace), "seed {seed}: {trace:?}");
                    assert!(!is_true(&bound, &system, &trace, last), "seed {seed}: {formula:?}");
                    fails += 1;
                }
                SearchAnswer::Exhausted => {
                    assert!(!expected, "seed {seed}: {formula:?}");
                    holds += 1;
                }
                SearchAnswer::Stopped(stop) => panic!("it is small: {stop:?}"),
            }
        }
    }
    assert!(holds > 300 && fails > 300 && reduced > 300, "{holds} {fails} {reduced}");
}

/// A formula about events and predicates of a system, and what its names mean.
fn bound(numbers: &mut Random, system: &System) -> BoundFormula {
    let depth = 1 + numbers.below(3);
    let mut formula = formula(numbers, system, depth);
    if numbers.below(2) == 0 {
        formula =
            Formula { node: FormulaNode::Unary(Unary::Globally, Box::new(formula)), place: random::place() };
    }
    let terms: Vec<TermId> = system.terms.ids().collect();
    let mut lots = BTreeMap::new();
    let meaning = &mut |atom: &Atom| {
        let is_predicate = *lots.entry(atom.clone()).or_insert_with(|| numbers.below(2) == 0);
        is_predicate.then(|| AtomMeaning::Holds(terms[lots.len() % terms.len()]))
    };
    bind_with(&formula, system, meaning).expect("its atoms are events or predicates")
}

#[test]
fn all_cores_find_what_is_found_state_by_state() {
    let (mut holds, mut fails, mut endless) = (0, 0, 0);
    for seed in seeds(600) {
        let mut numbers = Random::new(seed);
        let is_free = numbers.below(2) == 0;
        let mut system = system(seed, Taste { joins: true, urgent: seed % 3 == 0, void: !is_free, odd: 20 });
        if is_free {
            system.endless = Some(Endless::default());
        }
        let program = Program::new(&system);
        for _ in 0..3 {
            let bound = bound(&mut numbers, &system);
            let Ok(observer) = LtlAutomaton::violation(&bound) else { continue };
            let mut graph = StateGraph::new(&program);
            let one = find(&mut graph, &observer, &Limits::default(), &unwatched);
            let options = |threads| SearchOptions { threads, ..SearchOptions::default() };
            let Some(all) = observed::find(&mut graph, &observer, &options(1), &unwatched) else { continue };
            let same = observed::find(&mut graph, &observer, &options(3), &unwatched);
            assert_eq!(same.as_ref(), Some(&all), "seed {seed}");
            match (&one.answer, &all.answer) {
                (SearchAnswer::Found(one), SearchAnswer::Found(all)) => {
                    replay(&system, all).expect("what is found is a run");
                    assert_eq!(one.cycle, None, "seed {seed}");
                    fails += 1;
                }
                (one, all) => {
                    assert_eq!(one, all, "seed {seed}");
                    holds += 1;
                }
            }
            endless += usize::from(is_free);
            let is_exhausted = all.answer == SearchAnswer::Exhausted;
            assert!(!is_exhausted || all.progress.states == one.progress.states, "seed {seed}");
        }
    }
    let enough = holds > 100 && fails > 100 && endless > 100;
    assert!(enough || is_more(), "{holds} {fails} {endless}");
}
