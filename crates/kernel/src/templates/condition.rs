//! Conditions: which rigid propositions must have which values for something to run.
//!
//! Constraints of operands and choices do not change along a run (appendix B of P0), so everything that decides whether an
//! occurrence happens at all is a conjunction of such propositions and their negations.

use std::collections::BTreeSet;

use crate::id;

id! {
    /// A rigid proposition: the constraint of an operand, or a choice.
    RigidId
}

/// A conjunction of rigid propositions, some of them negated; or what can never be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RigidCondition(Option<BTreeSet<(RigidId, bool)>>);

impl RigidCondition {
    /// True in every run.
    pub const ALWAYS: RigidCondition = RigidCondition(Some(BTreeSet::new()));
    /// True in no run.
    pub const NEVER: RigidCondition = RigidCondition(None);

    /// One proposition has this value.
    pub fn of(rigid: RigidId, value: bool) -> RigidCondition {
        RigidCondition(Some([(rigid, value)].into()))
    }

    /// The opposite of what is no more than one proposition.
    pub fn negated(&self) -> RigidCondition {
        match &self.0 {
            None => RigidCondition::ALWAYS,
            Some(literals) => match literals.first() {
                Some((rigid, value)) => RigidCondition::of(*rigid, !value),
                None => RigidCondition::NEVER,
            },
        }
    }

    /// Both.
    pub fn and(&self, other: &RigidCondition) -> RigidCondition {
        if self.excludes(other) {
            return RigidCondition::NEVER;
        }
        let (Some(one), Some(other)) = (&self.0, &other.0) else { return RigidCondition::NEVER };
        RigidCondition(Some(one.union(other).copied().collect()))
    }

    /// Whether it is true in every run.
    pub fn is_always(&self) -> bool {
        self.0.as_ref().is_some_and(BTreeSet::is_empty)
    }

    /// Whether it is true in no run.
    pub fn is_never(&self) -> bool {
        self.0.is_none()
    }

    /// Its propositions with their values; `None` if it can never be.
    pub fn literals(&self) -> Option<&BTreeSet<(RigidId, bool)>> {
        self.0.as_ref()
    }

    /// Whether both cannot be.
    pub fn excludes(&self, other: &RigidCondition) -> bool {
        let (Some(one), Some(other)) = (&self.0, &other.0) else { return true };
        one.iter().any(|(rigid, value)| other.contains(&(*rigid, !value)))
    }

    /// Whether another is true wherever this is.
    pub fn implies(&self, other: &RigidCondition) -> bool {
        match (&self.0, &other.0) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => other.is_subset(own),
        }
    }

    /// What is left to ask where another is known to be true.
    pub fn without(&self, known: &RigidCondition) -> RigidCondition {
        let (Some(one), Some(known)) = (&self.0, &known.0) else { return self.clone() };
        RigidCondition(Some(one.difference(known).copied().collect()))
    }

    /// What all of them have in common; `None` without any.
    pub fn common<'c>(mut conditions: impl Iterator<Item = &'c RigidCondition>) -> Option<RigidCondition> {
        let first = conditions.next()?.0.clone()?;
        let common = conditions.fold(first, |common, condition| match &condition.0 {
            Some(literals) => common.intersection(literals).copied().collect(),
            None => common,
        });
        Some(RigidCondition(Some(common)))
    }
}
