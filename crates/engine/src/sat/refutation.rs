//! Refutations: a bounded question as one formula that anyone may solve, and whose answer no can be proved.
//!
//! Assumptions are not part of a proof, so all that is asked is in the clauses: a run goes on as long as it likes, and at one
//! of its positions the goal holds.

use super::encoding::Encoding;
use super::solver::{FALSE, Literal, TRUE};

/// A formula that has a model if and only if the answer is yes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// How many variables there are.
    pub variables: usize,
    /// The clauses, none of which holds a constant.
    pub clauses: Vec<Vec<Literal>>,
}

/// Whether a literal holds after at most so many positions.
pub fn formula(encoding: &Encoding<'_>, goal: Literal, most: usize) -> Formula {
    let period = encoding.period as usize;
    let offset = |position: usize| i32::try_from(position * period).expect("fewer than 2^31 variables");
    let mut formula = Formula { variables: (most + 1) * period, clauses: Vec::new() };
    encoding.initial().into_iter().for_each(|literal| formula.add([literal]));
    // Whether the run goes on to a position, and whether the goal holds there.
    let mut goes_on: Option<Literal> = None;
    let mut ways = Vec::new();
    for position in 0..=most {
        if position > 0 {
            let (before, now) = (goes_on, formula.variable());
            if let Some(before) = before {
                formula.add([!now, before]);
            }
            let by = offset(position - 1);
            for clause in &encoding.steps {
                formula.add(clause.iter().map(|literal| literal.moved(by)).chain([!now]));
            }
            goes_on = Some(now);
        }
        let by = offset(position);
        for clause in &encoding.definitions {
            // A position that is not reached need not be a state.
            formula.add(clause.iter().map(|literal| literal.moved(by)).chain(goes_on.map(|now| !now)));
        }
        let is_here = formula.variable();
        formula.add([!is_here, goal.moved(by)]);
        if let Some(now) = goes_on {
            formula.add([!is_here, now]);
        }
        ways.push(is_here);
    }
    formula.add(ways);
    formula
}

impl Formula {
    fn variable(&mut self) -> Literal {
        self.variables += 1;
        Literal(i32::try_from(self.variables).expect("fewer than 2^31 variables"))
    }

    fn add(&mut self, clause: impl IntoIterator<Item = Literal>) {
        let clause: Vec<Literal> = clause.into_iter().collect();
        if !clause.contains(&TRUE) {
            self.clauses.push(clause.into_iter().filter(|one| *one != FALSE).collect());
        }
    }
}
