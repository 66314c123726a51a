//! The templates of P0 and the lowering have the same traces: figures, and random diagrams.
//!
//! Every word of occurrences that satisfies all templates under some valuation is a trace of the System, and every trace
//! satisfies them. Formulas are read by rewriting; the command `sequent check --templates` does the same with the automata
//! of the LTL engine.

mod compare;
mod figures;
mod functions;
mod printed;
mod progress;
mod properties;

use sequent_evaluation::generate::interaction as random;
use sequent_kernel::model::Model;
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::templates::Tense;
use sequent_notation::plantuml::print::sequence;
use sequent_testing::seeds::seeds;
use sequent_testing::{diagram, shrink};

use compare::{Outcome, compare};

/// Compares many random interactions.
fn agree(usual: u64, assumptions: impl Fn(u64) -> Assumptions) {
    let seeds = seeds(usual);
    let count = seeds.count_left();
    let mut compared = 0;
    let mut failures = Vec::new();
    for seed in seeds {
        let model = random::model(seed);
        let assumptions = assumptions(seed);
        let tense = if seed % 2 == 0 { Tense::Past } else { Tense::Future };
        match compare(&model, &assumptions, tense) {
            Outcome::Equal(_) => compared += 1,
            Outcome::TooBig => {}
            Outcome::Differs(_) => failures.push(explain(seed, model, &assumptions, tense)),
        }
        if failures.len() == 3 {
            break;
        }
    }
    eprintln!("{compared} of {count} seeds compared");
    assert!(failures.is_empty(), "{compared} compared\n{}", failures.join("\n"));
    assert!(compared * 5 > count * 2, "many seeds are small enough: {compared} of {count}");
}

/// The smallest interaction on which both sides still differ.
fn explain(seed: u64, model: Model, assumptions: &Assumptions, tense: Tense) -> String {
    let differs = |smaller: &Model| matches!(compare(smaller, assumptions, tense), Outcome::Differs(_));
    let smallest = shrink::shrink(model, differs);
    let shown: Vec<String> = smallest.interactions.iter().map(sequence).collect();
    let Outcome::Differs(how) = compare(&smallest, assumptions, tense) else { panic!("it still differs") };
    format!("seed {seed} under {assumptions:?}\n{}{how}", shown.join("used:\n"))
}

fn agree_under(seeds: u64, switches: &Switches) {
    agree(seeds, |_| Assumptions { switches: switches.clone(), ..Assumptions::default() });
}

#[test]
fn random_diagrams() {
    agree_under(120, &Switches::default());
}

#[test]
fn random_diagrams_with_every_switch() {
    agree(200, random::assumptions);
}
