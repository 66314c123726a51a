//! Inductive invariants: a proof that no run reaches a goal, as text and for SMT solvers.
//!
//! The text lists what holds in every state of a run, a line for each clause. The SMT-LIB file says the same together with all
//! that is needed to check it: states and steps as clauses, and three questions. A solver must answer `unsat` to each of them:
//! the invariant holds at the beginning, every step keeps it, and no goal satisfies it.
//!
//! Everything is handed over as plain numbers, as in DIMACS: a literal is a variable from 1, negative if it is false. Those of
//! the next position are higher by the period.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A system as clauses, a goal, and an invariant that keeps its runs away from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportedInvariant {
    /// For each literal of a state, from 1: what it says if it is true, and if it is false.
    pub facts: Vec<(String, String)>,
    /// How much higher the literals of the next position are.
    pub period: i32,
    /// What is true at the beginning.
    pub initial: Vec<i32>,
    /// What holds at every position.
    pub definitions: Vec<Vec<i32>>,
    /// What holds between a position and the next.
    pub steps: Vec<Vec<i32>>,
    /// The goal.
    pub goal: i32,
    /// Clauses over the literals of a state and the goal.
    pub clauses: Vec<Vec<i32>>,
}

/// What holds in every state of a run, one thing after the other.
pub fn invariant_lines(invariant: &ExportedInvariant) -> Vec<String> {
    let line = |clause: &Vec<i32>| match clause.as_slice() {
        [] => "false".to_owned(),
        literals => {
            let facts: Vec<String> = literals.iter().map(|literal| invariant.fact(*literal)).collect();
            facts.join(" or ")
        }
    };
    invariant.clauses.iter().map(line).collect()
}

/// An invariant as text, a line for each clause.
pub fn invariant_text(invariant: &ExportedInvariant) -> String {
    let mut text = "no run reaches the goal, since in every state of a run:\n".to_owned();
    for line in invariant_lines(invariant) {
        let _ = writeln!(text, "  {line}");
    }
    text + "this holds at the beginning, every step keeps it, and no goal is among such states\n"
}

/// An invariant as an SMT-LIB 2 script with three questions, all of which are `unsat` if it is one.
pub fn invariant_smt(invariant: &ExportedInvariant) -> String {
    let mut text = "; no run reaches a goal: all three answers are unsat\n(set-logic QF_UF)\n".to_owned();
    let own = [&invariant.initial, &vec![invariant.goal]];
    let mut used: BTreeSet<i32> = own.into_iter().flatten().map(|literal| literal.abs()).collect();
    used.extend(invariant.steps.iter().flatten().map(|literal| literal.abs()));
    let stated =
        invariant.definitions.iter().chain(&invariant.clauses).flatten().map(|literal| literal.abs());
    used.extend(stated.flat_map(|variable| [variable, variable + invariant.period]));
    used.insert(invariant.goal.abs() + invariant.period);
    for variable in used {
        let _ = writeln!(text, "(declare-const {} Bool)", invariant.symbol(variable));
    }
    invariant.assert(&mut text, &invariant.definitions, 0);

    text += "; the invariant holds at the beginning\n(push 1)\n";
    let beginning: Vec<Vec<i32>> = invariant.initial.iter().map(|literal| vec![*literal]).collect();
    invariant.assert(&mut text, &beginning, 0);
    invariant.refute(&mut text, 0);

    text += "; every step keeps it\n(push 1)\n";
    invariant.assert(&mut text, &invariant.clauses, 0);
    invariant.assert(&mut text, &invariant.steps, 0);
    invariant.assert(&mut text, &invariant.definitions, invariant.period);
    invariant.refute(&mut text, invariant.period);

    text += "; no goal satisfies it\n(push 1)\n";
    invariant.assert(&mut text, &invariant.clauses, 0);
    invariant.assert(&mut text, &[vec![invariant.goal]], 0);
    text + "(check-sat)\n(pop 1)\n"
}

impl ExportedInvariant {
    /// What a literal says.
    fn fact(&self, literal: i32) -> String {
        let named = usize::try_from(literal.abs() - 1).ok().and_then(|index| self.facts.get(index));
        match named {
            Some((yes, no)) => if literal > 0 { yes } else { no }.clone(),
            None if literal == self.goal => "the goal is reached".to_owned(),
            None if literal == -self.goal => "the goal is not reached".to_owned(),
            None => format!("g{literal}"),
        }
    }

    /// A variable's name: its number and what it says, with a dash at the next position.
    fn symbol(&self, variable: i32) -> String {
        let (number, dash) =
            if variable > self.period { (variable - self.period, "'") } else { (variable, "") };
        let named = usize::try_from(number - 1).ok().and_then(|index| self.facts.get(index));
        let says = named.map(|fact| format!(" {}", fact.0)).unwrap_or_default();
        // Neither may be part of a quoted symbol.
        format!("|{number}{dash}{}|", says.replace(['|', '\\'], "/"))
    }

    fn literal(&self, literal: i32) -> String {
        let symbol = self.symbol(literal.abs());
        if literal > 0 { symbol } else { format!("(not {symbol})") }
    }

    fn clause(&self, clause: &[i32], by: i32) -> String {
        let literals: Vec<String> =
            clause.iter().map(|literal| self.literal(literal + by * literal.signum())).collect();
        match literals.as_slice() {
            [] => "false".to_owned(),
            [only] => only.clone(),
            [_, _, ..] => format!("(or {})", literals.join(" ")),
        }
    }

    fn assert(&self, text: &mut String, clauses: &[Vec<i32>], by: i32) {
        for clause in clauses {
            let _ = writeln!(text, "(assert {})", self.clause(clause, by));
        }
    }

    /// Asks for a state in which a clause of the invariant fails.
    fn refute(&self, text: &mut String, by: i32) {
        let fails = |clause: &Vec<i32>| format!("(not {})", self.clause(clause, by));
        let ways: Vec<String> = self.clauses.iter().map(fails).collect();
        let _ = writeln!(text, "(assert (or false {}))\n(check-sat)\n(pop 1)", ways.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A switch that is off and stays so.
    fn switch() -> ExportedInvariant {
        ExportedInvariant {
            facts: vec![("light = on".to_owned(), "light = off".to_owned())],
            period: 2,
            initial: vec![-1],
            definitions: vec![vec![-2, 1], vec![2, -1]],
            steps: vec![vec![-1, 3], vec![1, -3]],
            goal: 2,
            clauses: vec![vec![-1], vec![-2]],
        }
    }

    #[test]
    fn text_says_what_holds() {
        assert_eq!(
            invariant_text(&switch()),
            "no run reaches the goal, since in every state of a run:\n  light = off\n  the goal is not reached\n\
             this holds at the beginning, every step keeps it, and no goal is among such states\n"
        );
    }

    #[test]
    fn smt_asks_three_questions() {
        let text = invariant_smt(&switch());
        assert_eq!(text.matches("(check-sat)").count(), 3);
        assert_eq!(text.matches('(').count(), text.matches(')').count());
        assert!(text.contains("(declare-const |1' light = on| Bool)"), "{text}");
        assert!(text.contains("(assert (or (not |1 light = on|) |1' light = on|))"), "{text}");
    }
}
