//! Depth: how far runs get that an observer does not accept.
//!
//! Within a bound there is one formula for all depths, in one solver: each depth is an assumption, and the greatest that has a
//! model is found by halving (P4, section 4.4, asks for the first message that fails). Without a bound each depth is a question
//! of its own to an engine that proves things.

use sequent_kernel::replay::{Run, replay};

use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::question::EncodedQuestion;
use crate::sat::encode::wide::WideEncoding;
use crate::sat::outcome::UnboundedOutcome;
use crate::sat::solver::{Literal, Patience, Solver, SolverOutcome};
use crate::sat::unroll::refutation::Ladder;

/// A run that gets as far as any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deepest {
    /// The run.
    pub run: Run,
    /// How far it gets.
    pub depth: usize,
}

/// Formulas with more clauses than this are not written; they would take gigabytes.
const MOST_CLAUSES: usize = 50_000_000;

/// The encoding of a question with literals for its depths, from 1 on: whether an attempt has come so far. `depths` are those of
/// the memories of its observer.
fn levels<'s>(encoding: &Encoding<'s>, depths: &[usize]) -> (Encoding<'s>, Vec<Literal>) {
    let mut wide = WideEncoding::new(encoding, 0);
    let memories = encoding.watch.as_ref().map(|watch| watch.memories.clone()).unwrap_or_default();
    let most = depths.iter().copied().max().unwrap_or(0);
    let mut levels = Vec::new();
    for level in 1..=most {
        let deep = memories.iter().zip(depths).filter(|(_, depth)| **depth >= level);
        let deep: Vec<Literal> = deep.map(|(memory, _)| *memory).collect();
        levels.push(wide.definitions.or(deep));
    }
    (wide.finish(None), levels)
}

/// Whether some run gets further than this.
pub fn beyond<'s>(question: &EncodedQuestion<'s>, depth: usize) -> Option<EncodedQuestion<'s>> {
    let (encoding, levels) = levels(&question.encoding, &question.depths);
    let wanted = *levels.get(depth)?;
    Some(EncodedQuestion { encoding, wanted, ..question.clone() })
}

/// How far runs of at most `most` positions get. `None` if interrupted, or if there are too many clauses.
pub fn within(
    question: &EncodedQuestion<'_>,
    depths: &[usize],
    most: usize,
    patience: Patience<'_>,
) -> Option<Deepest> {
    let (encoding, levels) = levels(&question.encoding, depths);
    let most = most + encoding.idle();
    let clauses = (encoding.steps.len() + encoding.definitions.len()).saturating_mul(most + 1);
    if clauses > MOST_CLAUSES {
        return None;
    }
    let ladder = Ladder::new(&encoding, &levels, most, &|_| None);
    let mut solver = Solver::new(patience);
    solver.variables(ladder.formula.variables);
    ladder.formula.clauses.iter().for_each(|clause| solver.add(clause.iter().copied()));
    let mut deepest = Deepest { run: Run::default(), depth: 0 };
    // What is beyond has no model.
    let mut beyond = levels.len() + 1;
    while deepest.depth + 1 < beyond {
        let depth = (deepest.depth + beyond) / 2;
        match solver.solve(&[ladder.asked[depth - 1]], None) {
            SolverOutcome::Satisfiable => {
                let run = ladder.run(&encoding, depth - 1, &mut |literal| solver.value(literal))?;
                assert!(replay(encoding.system, &run).is_ok(), "what is read from a model is a run");
                deepest = Deepest { run, depth };
            }
            SolverOutcome::Unsatisfiable => beyond = depth,
            SolverOutcome::Stopped => return None,
        }
    }
    Some(deepest)
}

/// How far runs of any length get; `ask` answers whether a literal is ever true. `None` if it cannot tell.
pub fn ever(
    question: &EncodedQuestion<'_>,
    depths: &[usize],
    ask: &mut dyn FnMut(&Encoding<'_>, Literal) -> UnboundedOutcome,
) -> Option<Deepest> {
    let (encoding, levels) = levels(&question.encoding, depths);
    let mut deepest = Deepest { run: Run::default(), depth: 0 };
    let mut beyond = levels.len() + 1;
    while deepest.depth + 1 < beyond {
        let depth = (deepest.depth + beyond) / 2;
        match ask(&encoding, levels[depth - 1]) {
            UnboundedOutcome::Found(run, _) => deepest = Deepest { run, depth },
            UnboundedOutcome::Proved(_) => beyond = depth,
            UnboundedOutcome::Stopped => return None,
        }
    }
    Some(deepest)
}
