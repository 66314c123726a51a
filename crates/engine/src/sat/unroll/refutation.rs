//! Refutations: a bounded question as one formula that any solver can decide, with a proof if it is
//! unsatisfiable.
//!
//! Assumptions are not part of a proof, so all that is asked is in the clauses: a run goes on as long as it likes, and at one
//! of its positions the goal holds. Several goals are asked for in the same formula, each by a literal of its own.

use sequent_kernel::replay::Run;

use crate::sat::encode::encoding::Encoding;
use crate::sat::solver::{FALSE, Literal, TRUE};

/// A formula that has a model if and only if the answer is yes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RefutationFormula {
    /// How many variables there are.
    pub variables: usize,
    /// The clauses, none of which holds a constant.
    pub clauses: Vec<Vec<Literal>>,
}

/// The runs of bounded length as a formula, and the goals that are asked of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ladder {
    /// The runs.
    pub formula: RefutationFormula,
    /// For each goal what says that it holds at some position of the run.
    pub asked: Vec<Literal>,
    /// For each goal and position what says that it is this one.
    here: Vec<Vec<Literal>>,
    period: i32,
}

/// Whether a literal holds after at most `most` positions, as a formula.
pub fn formula(encoding: &Encoding<'_>, goal: Literal, most: usize) -> RefutationFormula {
    told(encoding, goal, most).0
}

/// The same, and for each position what says that it is the one where the literal holds.
pub fn told(encoding: &Encoding<'_>, goal: Literal, most: usize) -> (RefutationFormula, Vec<Literal>) {
    let Ladder { mut formula, mut here, .. } = Ladder::new(encoding, &[goal], most, &|_| None);
    formula.clauses.pop();
    formula.variables -= 1;
    let here = here.pop().unwrap_or_default();
    formula.add(here.iter().copied());
    (formula, here)
}

impl Ladder {
    /// Runs of at most `most` positions. `reason` may give a clause between two positions a selector,
    /// numbered from 1 and the same at all positions, without which the clause need not hold.
    pub(crate) fn new(
        encoding: &Encoding<'_>,
        goals: &[Literal],
        most: usize,
        reason: &dyn Fn(&[Literal]) -> Option<i32>,
    ) -> Ladder {
        let period = encoding.period;
        let mut formula = RefutationFormula { variables: (most + 1) * period as usize, clauses: Vec::new() };
        let reasons: Vec<Option<i32>> = encoding.steps.iter().map(|clause| reason(clause)).collect();
        let count = reasons.iter().flatten().copied().max().unwrap_or(0);
        let first = formula.variables as i32;
        formula.variables += count as usize;
        encoding.initial().into_iter().for_each(|literal| formula.add([literal]));
        // Whether the run goes on to a position, and whether the goals hold there.
        let mut goes_on: Option<Literal> = None;
        let mut here: Vec<Vec<Literal>> = vec![Vec::new(); goals.len()];
        for position in 0..=most {
            if position > 0 {
                let (before, now) = (goes_on, formula.variable());
                if let Some(before) = before {
                    formula.add([!now, before]);
                }
                let by = offset(period, position - 1);
                for (clause, reason) in encoding.steps.iter().zip(&reasons) {
                    let reason = reason.map(|number| !Literal(first + number));
                    formula.add(clause.iter().map(|one| one.moved(by)).chain([!now]).chain(reason));
                }
                goes_on = Some(now);
            }
            let by = offset(period, position);
            for clause in &encoding.definitions {
                // A position that is not reached need not be a state.
                formula.add(clause.iter().map(|literal| literal.moved(by)).chain(goes_on.map(|now| !now)));
            }
            for (goal, here) in goals.iter().zip(&mut here) {
                let is_here = formula.variable();
                formula.add([!is_here, goal.moved(by)]);
                if let Some(now) = goes_on {
                    formula.add([!is_here, now]);
                }
                here.push(is_here);
            }
        }
        let mut asked = Vec::new();
        for ways in &here {
            let somewhere = formula.variable();
            formula.add(ways.iter().copied().chain([!somewhere]));
            asked.push(somewhere);
        }
        Ladder { formula, asked, here, period }
    }

    /// The literal that stands for a reason.
    pub(crate) fn reason(&self, number: i32) -> Literal {
        let positions = self.here.first().map_or(0, Vec::len);
        Literal(offset(self.period, positions) + number)
    }

    /// The run of a model to the first position where a goal holds.
    pub(crate) fn run(
        &self,
        encoding: &Encoding<'_>,
        goal: usize,
        is_true: &mut dyn FnMut(Literal) -> bool,
    ) -> Option<Run> {
        let last = self.here[goal].iter().position(|here| is_true(*here))?;
        let mut steps = Vec::new();
        for position in 0..last {
            let by = offset(self.period, position);
            steps.extend(encoding.steps_in(&mut |literal| is_true(literal.moved(by))));
        }
        Some(Run { steps, cycle: None })
    }
}

fn offset(period: i32, position: usize) -> i32 {
    i32::try_from(position * period as usize).expect("fewer than 2^31 variables")
}

impl RefutationFormula {
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
