//! Breaches: formulas that say of some states that they are never reached.
//!
//! `G p`, `!F p` and conjunctions of these, where `p` looks at the state alone, are violated where a state is reached in which a
//! predicate holds. That is a simpler question: nothing must be remembered of the run.

use super::bind::{BoundFormula, PartId, Says};
use crate::formula::{Binary, Unary};
use crate::id::IdVec;
use crate::system::{TermId, Terms};

impl BoundFormula {
    /// The parts about a state, each with the value that it has in no state if the formula is true at the start of a run; `None`
    /// if the formula says anything else.
    pub(super) fn breaches(&self) -> Option<Vec<(PartId, bool)>> {
        let is_about_state = self.about_state();
        let mut all = Vec::new();
        let mut open = vec![self.whole()];
        while let Some(part) = open.pop() {
            let (about, value) = match &self.parts()[part].says {
                Says::Unary(Unary::Globally, always) => (*always, false),
                Says::Unary(Unary::Not, never) => match &self.parts()[*never].says {
                    Says::Unary(Unary::Finally, reached) => (*reached, true),
                    _ => return None,
                },
                Says::Binary(Binary::And, left, right) => {
                    open.extend([*left, *right]);
                    continue;
                }
                _ => return None,
            };
            is_about_state[about].then(|| all.push((about, value)))?;
        }
        Some(all)
    }

    /// For each part whether it looks at the state alone.
    fn about_state(&self) -> IdVec<PartId, bool> {
        let mut known: IdVec<PartId, bool> = IdVec::new();
        for part in self.parts().iter() {
            let is_about_state = match &part.says {
                Says::Constant(_) | Says::Holds(_) => true,
                Says::Unary(operator, part) => *operator == Unary::Not && known[*part],
                Says::Binary(operator, left, right) => is_boolean(*operator) && known[*left] && known[*right],
                Says::Moments(_) => false,
            };
            known.push(is_about_state);
        }
        known
    }

    /// A predicate that holds in some state of a run if and only if the formula is false at its start; `None` if it says more.
    pub(super) fn breach(&self, terms: &mut Terms) -> Option<TermId> {
        let breaches = self.breaches()?;
        let mut known: IdVec<PartId, TermId> = IdVec::new();
        for part in self.parts().iter() {
            let term = match &part.says {
                Says::Constant(value) => terms.truth(*value),
                Says::Holds(term) => *term,
                Says::Unary(_, part) => terms.not(known[*part]),
                Says::Binary(operator, left, right) => joined(*operator, known[*left], known[*right], terms),
                Says::Moments(_) => terms.truth(false),
            };
            known.push(term);
        }
        let broken = breaches.into_iter().map(|(part, value)| match value {
            true => known[part],
            false => terms.not(known[part]),
        });
        let broken: Vec<TermId> = broken.collect();
        Some(terms.or(broken))
    }
}

fn is_boolean(operator: Binary) -> bool {
    match operator {
        Binary::And | Binary::Or | Binary::Implies | Binary::Iff => true,
        Binary::Until
        | Binary::Release
        | Binary::WeakUntil
        | Binary::StrongRelease
        | Binary::Since
        | Binary::Trigger => false,
    }
}

/// Two predicates joined; those of operators that look along a run are not used.
fn joined(operator: Binary, left: TermId, right: TermId, terms: &mut Terms) -> TermId {
    match operator {
        Binary::And => terms.and([left, right]),
        Binary::Implies => {
            let not = terms.not(left);
            terms.or([not, right])
        }
        Binary::Iff => {
            let [no, other_no] = [terms.not(left), terms.not(right)];
            let [both, neither] = [terms.and([left, right]), terms.and([no, other_no])];
            terms.or([both, neither])
        }
        Binary::Or
        | Binary::Until
        | Binary::Release
        | Binary::WeakUntil
        | Binary::StrongRelease
        | Binary::Since
        | Binary::Trigger => terms.or([left, right]),
    }
}
