//! What a solver has proved, as something that can be written out and checked elsewhere.

use sequent_engine::sat::certificate::{Flaw, check};
use sequent_engine::sat::encoding::Encoding;
use sequent_engine::sat::solver::{Literal, Patience};
use sequent_engine::sat::unbounded::Argument;
use sequent_kernel::verdict::Proof;
use sequent_report::export::{invariant_lines, invariant_smt};

use crate::certificate::{Names, invariant};

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
