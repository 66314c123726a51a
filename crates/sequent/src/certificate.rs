//! Certificates: what a SAT engine has proved, as data that can be written out and checked elsewhere.
//!
//! The engine speaks in literals, the report in numbers and words: here variables get their names. A value is told by its
//! number, unless whoever asks knows a name for it.

use sequent_engine::sat::certificate::{Fact, fact};
use sequent_engine::sat::encoding::Encoding;
use sequent_engine::sat::refutation::Formula;
use sequent_engine::sat::solver::{FALSE, Literal, TRUE};
use sequent_kernel::system::VariableId;
use sequent_report::export::Invariant;

/// What a value of a variable is called; `None` for its number.
pub type Names<'n> = &'n dyn Fn(VariableId, i32) -> Option<String>;

/// An inductive invariant that keeps all runs away from a goal, ready to be written out. `None` if the goal is no literal of
/// a state, so that there is nothing to prove.
pub fn invariant(
    encoding: &Encoding<'_>,
    goal: Literal,
    clauses: &[Vec<Literal>],
    names: Names<'_>,
) -> Option<Invariant> {
    if [TRUE, FALSE].contains(&goal) {
        return None;
    }
    let facts = (1..=encoding.state.width).map(|number| {
        let [yes, no] = [Literal(number), !Literal(number)]
            .map(|literal| words(encoding, fact(encoding, literal), names));
        (yes, no)
    });
    Some(Invariant {
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
pub fn dimacs(comment: &str, formula: &Formula) -> String {
    sequent_report::export::dimacs(comment, formula.variables, &numbers(&formula.clauses))
}

fn numbers(clauses: &[Vec<Literal>]) -> Vec<Vec<i32>> {
    clauses.iter().map(|clause| clause.iter().map(|literal| literal.0).collect()).collect()
}

/// What is known of a state, in words.
pub fn words(encoding: &Encoding<'_>, fact: Option<Fact>, names: Names<'_>) -> String {
    let variable = |variable: VariableId| &encoding.system.variables[variable].name;
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
