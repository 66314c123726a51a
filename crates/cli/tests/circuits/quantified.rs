//! Quantified clauses: a small solver that writes out the universal variables finds what our own solver finds; DepQBF says the same, where it is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use sequent_engine::sat::solver::{Literal, Solver, SolverOutcome};
use sequent_report::export::circuit::{aiger, qdimacs};

use super::cases;
use super::files::{built, length};
use super::patience::{ToolPatience, is_there};

/// Larger circuits are left out.
const MOST_GATES: usize = 400;
/// Rounds of doubling: runs of up to 1, 2, 4, 8 steps.
const ROUNDS: std::ops::Range<u32> = 0..4;

/// A file as it was read.
struct Quantified {
    /// Whether each variable is universal, outermost first.
    order: Vec<(i32, bool)>,
    clauses: Vec<Vec<i32>>,
}

fn read(text: &str) -> Quantified {
    let mut file = Quantified { order: Vec::new(), clauses: Vec::new() };
    let (mut variables, mut announced, mut last) = (0, 0, ' ');
    for line in text.lines().filter(|line| !line.starts_with("c ")) {
        let mut words: Vec<&str> = line.split(' ').collect();
        if let ["p", "cnf", count, clauses] = words[..] {
            (variables, announced) = (count.parse().expect("a number"), clauses.parse().expect("a number"));
            continue;
        }
        assert_eq!(words.pop(), Some("0"), "{line}");
        let kind = words.first().and_then(|word| word.chars().next()).expect("a line is not empty");
        let is_prefix = matches!(kind, 'a' | 'e');
        let numbers: Vec<i32> =
            words.iter().skip(usize::from(is_prefix)).map(|word| word.parse().expect("a number")).collect();
        match is_prefix {
            true => {
                assert!(file.clauses.is_empty() && kind != last, "quantifiers alternate and come first");
                last = kind;
                file.order.extend(numbers.into_iter().map(|number| (number, kind == 'a')));
            }
            false => file.clauses.push(numbers),
        }
    }
    let known: BTreeSet<i32> = file.order.iter().map(|(number, _)| *number).collect();
    assert_eq!(
        known.into_iter().collect::<Vec<_>>(),
        (1..=variables).collect::<Vec<_>>(),
        "each has one quantifier"
    );
    assert_eq!(file.clauses.len(), announced);
    file
}

/// Whether it is true: each variable has a copy for all values of the universal ones outside of it.
fn is_true(file: &Quantified) -> bool {
    let universal: Vec<i32> = file.order.iter().filter(|(_, every)| *every).map(|(one, _)| *one).collect();
    let mut outside: BTreeMap<i32, usize> = BTreeMap::new();
    let mut count = 0;
    for (one, every) in &file.order {
        outside.insert(*one, count);
        count += usize::from(*every);
    }
    let patience = |_| ControlFlow::Continue(());
    let mut solver = Solver::new(&patience);
    let mut copies: BTreeMap<(i32, usize), Literal> = BTreeMap::new();
    for values in 0..1_usize << universal.len() {
        for clause in &file.clauses {
            let mut literals = Vec::new();
            let mut is_met = false;
            for number in clause {
                let one = number.abs();
                if let Some(place) = universal.iter().position(|other| *other == one) {
                    is_met |= (values >> place & 1 == 1) == (*number > 0);
                    continue;
                }
                let key = (one, values & ((1 << outside[&one]) - 1));
                let literal = *copies.entry(key).or_insert_with(|| solver.variable());
                literals.push(if *number > 0 { literal } else { !literal });
            }
            if !is_met {
                solver.add(literals);
            }
        }
    }
    match solver.solve(&[], None) {
        SolverOutcome::Satisfiable => true,
        SolverOutcome::Unsatisfiable => false,
        SolverOutcome::Stopped => panic!("nobody stops it"),
    }
}

#[test]
fn quantified_clauses_say_what_is_reached() {
    let patience = ToolPatience::default();
    let has_solver = is_there("depqbf");
    let mut seen: BTreeMap<bool, usize> = BTreeMap::new();
    for case in cases::all() {
        let session = cases::read(&case);
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for (number, words) in agenda.queries.iter().enumerate() {
            for part in sequent::export::parts(&agenda, number).unwrap_or_default() {
                let machine =
                    built(&part).filter(|made| part.case.begins.is_none() && made.justice.is_empty());
                let Some(made) = machine.and_then(|machine| aiger(&machine).ok()) else { continue };
                if made.gates() >= MOST_GATES {
                    continue;
                }
                let Ok(ours) = length(&part, 1 << (ROUNDS.end - 1)) else { continue };
                for rounds in ROUNDS {
                    let name = format!("{}: {} after {rounds} rounds", case.name, words.text());
                    let text = qdimacs(&made, rounds).expect("it can be written");
                    let expected = ours.is_some_and(|length| length <= 1 << rounds);
                    assert_eq!(is_true(&read(&text)), expected, "{name}");
                    if has_solver && let Ok(output) = patience.run("depqbf", &[], &text) {
                        let answer = if expected { "SAT" } else { "UNSAT" };
                        assert_eq!(output.stdout.trim(), answer, "{name}: DepQBF");
                    }
                    *seen.entry(expected).or_default() += 1;
                }
            }
        }
    }
    assert!(seen.len() == 2 && seen.values().all(|count| *count > 20), "{seen:?}");
}
