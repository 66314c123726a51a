//! Diagrams by their lifelines: what is read back has the traces and refusals of the diagram.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::refine::RefinementModel as By;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::templates::{cut, plain, unfold};
use sequent_report::export::cspm::{UnfoldedDiagram, joint, lifelines};
use sequent_testing::diagram;

use super::opinion::traces;
use super::samples::{Omitted, random};
use super::space::{Reading, Space, refines};

/// Compares a diagram; why it could not be.
fn compare(model: &Model, id: InteractionId, assumptions: &Assumptions, name: &str) -> Result<(), Omitted> {
    let (model, _) = cut(model, id, 1);
    let diagram = UnfoldedDiagram { model: &model, id, assumptions, at: &|_| "here".to_owned() };
    let exported = lifelines(&[diagram], &[]);
    let exported = exported.map_err(|unwritten| unwritten.0)?;
    let assumptions = Assumptions { without_negatives: true, ..plain(assumptions) };
    let system = lower(&model, id, &assumptions).map_err(|unsupported| unsupported.what)?;
    if unfold(&model, id, &assumptions).is_ok_and(|tree| tree.is_contradictory()) {
        // A script has no word for a process that has not even an empty run.
        assert!(traces::listed(&model, id, &assumptions, 1)?.is_empty(), "{name}: there is a run");
        return Err("its guards contradict each other".into());
    }
    let space = Reading::new(&exported).space().ok_or("too many states")?;
    let other = space.system();
    for (one, two, which) in [(&system, &other, "more"), (&other, &system, "less")] {
        if let Some(found) = refines(one, two, By::Failures, true) {
            panic!("{name}: what is written does {which}: {found}\n{}", exported.text);
        }
    }
    Ok(())
}

#[test]
fn random_diagrams_do_the_same() {
    // Every other with switches and fixed guards.
    let assume = |seed: u64| match seed % 2 {
        0 => Assumptions::default(),
        _ => random::assumptions(seed),
    };
    traces::random(&compare, &assume, 2);
}

#[test]
fn examples_do_the_same() {
    traces::examples(&compare, 5);
}

/// The words of a space without cycles, each to where it may end; `None` if there are more than so many.
fn words(space: &Space, most: usize) -> Option<BTreeSet<Vec<String>>> {
    let mut leads: BTreeMap<usize, Vec<(&Option<String>, usize)>> = BTreeMap::new();
    for (from, event, to) in &space.edges {
        leads.entry(*from).or_default().push((event, *to));
    }
    let (mut found, mut known) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec![(0, Vec::new())];
    while let Some((state, word)) = open.pop() {
        if !known.insert((state, word.clone())) {
            continue;
        }
        if known.len() > most {
            return None;
        }
        if space.ends[state] || space.over.contains(&state) {
            found.insert(word.clone());
        }
        for (event, to) in leads.get(&state).into_iter().flatten() {
            open.push((*to, word.iter().cloned().chain((*event).clone()).collect()));
        }
    }
    Some(found)
}

/// A trace in which every message is received right when it is sent, as a word of messages.
fn met(trace: &[String]) -> Option<Vec<String>> {
    let mut word = Vec::new();
    let mut rest = trace.iter().peekable();
    while let Some(event) = rest.next() {
        let (from, to) = match event.strip_prefix(['!', '?']).and_then(|text| text.split_once("->")) {
            Some((from, to)) => (from, to),
            None => ("", ""),
        };
        let is_between = !from.is_empty() && !to.starts_with(':');
        let own = event.strip_prefix(['!', '?']).unwrap_or(event);
        if is_between {
            let next = rest.next()?;
            if !event.starts_with('!') || !next.starts_with('?') || &next[1..] != own {
                return None;
            }
        }
        word.push(own.to_owned());
    }
    Some(word)
}

/// One event for each message: the words are the traces in which sending and receiving come together.
fn compare_joint(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    name: &str,
) -> Result<(), Omitted> {
    let (model, _) = cut(model, id, 1);
    let diagram = UnfoldedDiagram { model: &model, id, assumptions, at: &|_| "here".to_owned() };
    let exported = joint(&[diagram], &[]).map_err(|unwritten| unwritten.0)?;
    let listed = traces::listed(&model, id, assumptions, 2_000)?;
    let expected: BTreeSet<Vec<String>> = listed.iter().filter_map(|trace| met(trace)).collect();
    let space = Reading::new(&exported).space().ok_or("too many states")?;
    let words = words(&space, 20_000).ok_or("too many words")?;
    assert_eq!(words, expected, "{name}\n{}", exported.text);
    Ok(())
}

#[test]
fn messages_of_random_diagrams_are_one_event() {
    let assume = |seed: u64| match seed % 2 {
        0 => Assumptions::default(),
        _ => random::assumptions(seed),
    };
    traces::random(&compare_joint, &assume, 1);
}

#[test]
fn messages_of_examples_are_one_event() {
    traces::examples(&compare_joint, 5);
}

/// A number beside words, alone, and beside another: what is declared covers what is written.
#[test]
fn arguments_are_written_as_their_channels_declare_them() {
    let messages = ["m(1)", "m(x)", "m(1,2)", "n(-3)"];
    let line = |(number, message): (usize, &&str)| match number % 2 {
        0 => format!("A -> B : {message}\n"),
        _ => format!("B -> A : {message}\n"),
    };
    let lines: String = messages.iter().enumerate().map(line).collect();
    let model = diagram::model(&format!("@startuml\n{lines}@enduml\n"));
    let id = model.interactions.ids().next().expect("there is a diagram");
    let assumptions = Assumptions::default();
    assert!(compare(&model, id, &assumptions, "arguments").is_ok(), "it is compared");
    assert!(compare_joint(&model, id, &assumptions, "arguments").is_ok(), "it is compared");
}
