//! Certificates: what a SAT engine has proved, as data that can be written out and checked elsewhere.
//!
//! The engine knows literals, the report numbers and names: here variables get their names. A value is
//! written as its number, unless `ValueNames` has a name for it.

use std::fmt::Write;

use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::encode::question::EncodedQuestion;
use sequent_engine::sat::prove::certificate::{Fact, fact};
use sequent_engine::sat::solver::{FALSE, Literal, TRUE};
use sequent_engine::sat::unroll::refutation::{self, RefutationFormula};
use sequent_kernel::id::Id;
use sequent_kernel::system::{Join, VariableId};
use sequent_report::export::{ExportedInvariant, apart};

/// What a value of a variable is called; `None` for its number.
pub(crate) type ValueNames<'n> = &'n dyn Fn(VariableId, i32) -> Option<String>;

/// An inductive invariant that keeps all runs away from a goal, ready to be written out. `None` if the goal is no literal of
/// a state, so that there is nothing to prove.
pub fn invariant(
    encoding: &Encoding<'_>,
    goal: Literal,
    clauses: &[Vec<Literal>],
    names: ValueNames<'_>,
) -> Option<ExportedInvariant> {
    if [TRUE, FALSE].contains(&goal) {
        return None;
    }
    let variables = apart(encoding.system);
    let facts = (1..=encoding.state.width).map(|number| {
        let [yes, no] = [Literal(number), !Literal(number)]
            .map(|literal| words(&variables, fact(encoding, literal), names));
        (yes, no)
    });
    Some(ExportedInvariant {
        facts: facts.collect(),
        period: encoding.period,
        initial: encoding.initial().iter().map(|literal| literal.0).collect(),
        definitions: numbers(&encoding.definitions),
        steps: numbers(&encoding.steps),
        goal: goal.0,
        clauses: numbers(clauses),
    })
}

/// A bounded question as a DIMACS file.
pub fn dimacs(comment: &str, formula: &RefutationFormula) -> String {
    sequent_report::export::dimacs(comment, formula.variables, &numbers(&formula.clauses))
}

fn numbers(clauses: &[Vec<Literal>]) -> Vec<Vec<i32>> {
    clauses.iter().map(|clause| clause.iter().map(|literal| literal.0).collect()).collect()
}

/// What is known of a state, in words; variables have these names.
fn words(variables: &[String], fact: Option<Fact>, names: ValueNames<'_>) -> String {
    let variable = |variable: VariableId| &variables[variable.index()];
    match fact {
        Some(Fact::Value(id, value, is)) => {
            let value = names(id, value).unwrap_or_else(|| value.to_string());
            format!("{} {} {value}", variable(id), if is { "=" } else { "!=" })
        }
        Some(Fact::Bit(id, bit, is)) => format!("bit {bit} of {} = {}", variable(id), u8::from(is)),
        Some(Fact::Other(number, is)) => {
            format!("{}the observer remembers {number}", if is { "" } else { "not " })
        }
        None => "nothing".to_owned(),
    }
}

/// Formulas with more clauses than this are not written.
const MOST_CLAUSES: usize = 20_000_000;

/// Whether there is a run of at most `most` steps, in DIMACS. The first lines say what is asked and what the
/// variables mean, after a title if there is one.
pub fn formula(
    title: &str,
    question: &EncodedQuestion<'_>,
    most: usize,
    names: ValueNames<'_>,
) -> Option<String> {
    let encoding = &question.encoding;
    let positions = most + encoding.idle();
    let clauses = encoding.definitions.len() + encoding.steps.len();
    if clauses.saturating_mul(positions + 1) > MOST_CLAUSES {
        return None;
    }
    let (formula, here) = refutation::told(encoding, question.wanted, positions);
    let title = if title.is_empty() { String::new() } else { format!("{title}\n") };
    let mut meaning = map(encoding, positions, names);
    for (position, literal) in here.iter().enumerate() {
        let _ =
            writeln!(meaning, "{} at {position}: what is looked for is here, and the run ends", literal.0);
    }
    let comment = format!("{title}a run of at most {most} steps to what is looked for\n{meaning}");
    Some(dimacs(&comment, &formula))
}

/// What the variables mean: what is true at each position, and which rules fire there.
fn map(encoding: &Encoding<'_>, positions: usize, names: ValueNames<'_>) -> String {
    let system = encoding.system;
    let variables = apart(system);
    let mut text = String::new();
    for position in 0..=positions {
        let by = encoding.period * position as i32;
        for number in 1..=encoding.state.width {
            let meaning = words(&variables, fact(encoding, Literal(number)), names);
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
