//! Traces of the examples: their automata accept them, and no word that differs in one place unless it is a trace as well.

use std::collections::BTreeSet;

use sequent_engine::automaton::{automaton, minimal, prune};
use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::random::Random;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::TraceClass;
use sequent_report::export::hoa;

use crate::cases;
use crate::reader::read;
use crate::words::Word;

/// Diagrams with more traces are not listed.
const MOST: usize = 300;

/// A trace that ends.
fn word(trace: &[String]) -> Word {
    Word {
        prefix: trace.iter().map(|event| vec![event.clone()]).collect(),
        cycle: vec![vec!["end".to_owned()]],
    }
}

/// A trace with one change.
fn changed(trace: &[String], numbers: &mut Random) -> Vec<String> {
    let mut other = trace.to_vec();
    let at = numbers.below(trace.len());
    match numbers.below(3) {
        0 => drop(other.remove(at)),
        1 => other.swap(at, (at + 1) % trace.len()),
        _ => other.insert(at, trace[numbers.below(trace.len())].clone()),
    }
    other
}

#[test]
fn traces_and_nothing_else_are_accepted() {
    let (mut accepted, mut refused) = (0, 0);
    for case in cases::all() {
        let model = cases::read(&case).reading.model;
        for id in model.interactions.ids() {
            let Ok(system) = lower(&model, id, &Assumptions::default()) else { continue };
            let limits = TraceLimits { sets: 2_000, ..TraceLimits::default() };
            let Ok(traces) = Traces::explore(&system, limits) else { continue };
            let (listed, is_complete) = traces.list_of(TraceClass::Valid, MOST);
            let listed: BTreeSet<Vec<String>> =
                listed.iter().map(|trace| trace.iter().map(|event| (*event).to_owned()).collect()).collect();
            let name = &model.interactions[id].name;
            let events = system.events.iter().map(|event| event.text.as_str());
            let file = hoa(&minimal(&prune(&automaton(traces, TraceClass::Valid))), name, events);
            let [read] = read(&file).try_into().expect("one automaton");
            read.keeps_its_word();
            assert!(read.properties.contains("deterministic"), "{}: {name}", case.name);
            let mut numbers = Random::new(listed.len() as u64);
            for trace in &listed {
                assert!(read.accepts(&word(trace)), "{}: {name}: {trace:?}\n{file}", case.name);
                accepted += 1;
                if trace.is_empty() || !is_complete {
                    continue;
                }
                let other = changed(trace, &mut numbers);
                let expected = listed.contains(&other);
                assert_eq!(read.accepts(&word(&other)), expected, "{}: {name}: {other:?}\n{file}", case.name);
                refused += usize::from(!expected);
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 1_000 && refused > 500, "{accepted} accepted, {refused} refused");
}
