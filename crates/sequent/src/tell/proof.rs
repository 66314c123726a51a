//! The proof of a solver, as data that can be written out and checked elsewhere.

use sequent_engine::decision::{Decision, Ground};
use sequent_engine::sat::outcome::ExclusionReason;
use sequent_kernel::question::Names;
use sequent_kernel::verdict::Proof;
use sequent_report::export::{invariant_lines, invariant_smt};

use crate::certificate::{formula, invariant};

/// The argument of a decision in words, and its invariant if it has one.
pub fn proof(decision: &Decision<'_>, argument: &ExclusionReason, names: &Names) -> Proof {
    let plain = |words: String| Proof { words, ..Proof::default() };
    match argument {
        ExclusionReason::Invariant(clauses) => {
            let words = match clauses.len() {
                0 => "nothing that can be is what is looked for".to_owned(),
                1 => "an invariant of 1 clause".to_owned(),
                count => format!("an invariant of {count} clauses"),
            };
            let question = decision.clauses.as_ref();
            let name = |id, value| names.value(id, value);
            let written = question.and_then(|asked| invariant(&asked.encoding, asked.wanted, clauses, &name));
            match written {
                None => plain(words),
                Some(written) => {
                    let (invariant, smt) = (invariant_lines(&written), invariant_smt(&written));
                    Proof { words, invariant, smt, attempt: None }
                }
            }
        }
        ExclusionReason::Induction(positions) => plain(format!("induction over {positions} steps")),
        ExclusionReason::Exhausted(positions) => plain(format!("no run has more than {positions} steps")),
    }
}

/// A bounded question that has no model, in DIMACS; `None` if it was answered without a bound.
pub fn refuted(decision: &Decision<'_>, names: &Names) -> Option<String> {
    let most = match decision.ground.as_ref()? {
        Ground::Bounded(most) | Ground::Enough(most) => *most,
        Ground::Argument(ExclusionReason::Exhausted(most)) => *most,
        Ground::Begins(_)
        | Ground::Argument(ExclusionReason::Invariant(_) | ExclusionReason::Induction(_)) => return None,
    };
    formula("", decision.clauses.as_ref()?, most, &|id, value| names.value(id, value))
}
