//! What a solver has proved, as something that can be written out and checked elsewhere.

use std::fmt::Write;

use sequent_engine::sat::certificate::{Flaw, check, fact};
use sequent_engine::sat::encoding::Encoding;
use sequent_engine::sat::question::Question;
use sequent_engine::sat::refutation;
use sequent_engine::sat::solver::{Literal, Patience};
use sequent_engine::sat::unbounded::Argument;
use sequent_kernel::id::Id;
use sequent_kernel::system::Join;
use sequent_kernel::verdict::Proof;
use sequent_report::export::{invariant_lines, invariant_smt};

use crate::certificate::{Names, dimacs, invariant, words};

/// An argument in words. An invariant is checked again before anyone sees it, by solvers that know nothing of the engine.
/// `None` if there was no time for that.
pub fn proof(
    encoding: &Encoding<'_>,
    wanted: Literal,
    argument: &Argument,
    names: Names<'_>,
    patience: Patience<'_>,
) -> Option<Proof> {
    let plain = |words: String| Proof { words, ..Proof::default() };
    match argument {
        Argument::Invariant(clauses) => {
            match check(encoding, wanted, clauses, patience) {
                Err(Flaw::Stopped) => return None,
                checked => assert_eq!(checked, Ok(()), "what an engine gives as an invariant is one"),
            }
            let words = match clauses.len() {
                0 => "nothing that can be is what is looked for".to_owned(),
                1 => "an invariant of 1 clause".to_owned(),
                count => format!("an invariant of {count} clauses"),
            };
            let Some(written) = invariant(encoding, wanted, clauses, names) else {
                return Some(plain(words));
            };
            let (invariant, smt) = (invariant_lines(&written), invariant_smt(&written));
            Some(Proof { words, invariant, smt, attempt: None })
        }
        Argument::Induction(positions) => Some(plain(format!("induction over {positions} steps"))),
        Argument::Exhausted(positions) => Some(plain(format!("no run has more than {positions} steps"))),
    }
}

/// Formulas with more clauses than this are not written.
const MOST_CLAUSES: usize = 20_000_000;

/// Whether a run of at most so many steps is there, in DIMACS. What its variables mean stands in the first lines.
pub fn formula(question: &Question<'_>, most: usize, names: Names<'_>) -> Option<String> {
    let encoding = &question.encoding;
    let positions = most + encoding.idle();
    let clauses = encoding.definitions.len() + encoding.steps.len();
    if clauses.saturating_mul(positions + 1) > MOST_CLAUSES {
        return None;
    }
    let formula = refutation::formula(encoding, question.wanted, positions);
    let comment =
        format!("a run of at most {most} steps to what is looked for\n{}", map(encoding, positions, names));
    Some(dimacs(&comment, &formula))
}

/// What the variables mean: what is true at each position, and which rules fire there.
fn map(encoding: &Encoding<'_>, positions: usize, names: Names<'_>) -> String {
    let system = encoding.system;
    let mut text = String::new();
    for position in 0..=positions {
        let by = encoding.period * position as i32;
        for number in 1..=encoding.state.width {
            let meaning = words(encoding, fact(encoding, Literal(number)), names);
            let _ = writeln!(text, "{} at {position}: {meaning}", number + by);
        }
        for (id, rule) in system.rules.enumerate().filter(|_| position < positions) {
            let fires = encoding.fires[id];
            if fires.variable().0 > encoding.period {
                continue;
            }
            let owner = &system.components[rule.component];
            let what = match (&rule.join, rule.event) {
                (_, Some(event)) => format!(" shows {}", system.events[event].text),
                (Join::Offer(labels), None) => {
                    let labels: Vec<&str> =
                        labels.iter().map(|label| system.labels[*label].as_str()).collect();
                    format!(" offers {}", labels.join(", "))
                }
                (Join::Take(label), None) => format!(" takes {}", system.labels[*label]),
                (Join::Alone | Join::Listen(_), None) => String::new(),
            };
            let _ = writeln!(text, "{} at {position}: {owner} fires rule {}{what}", fires.0 + by, id.index());
        }
    }
    text
}
