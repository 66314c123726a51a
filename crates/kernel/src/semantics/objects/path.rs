//! A path: what an object has done so far between two visible actions, on terms instead of values.

use std::collections::{BTreeMap, BTreeSet};

use super::process::ProcessId;
use crate::model::TransitionId;
use crate::source::Place;
use crate::system::{TermId, VariableId};

/// What has been done so far, invisibly.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct InvisiblePath {
    /// What must hold before.
    pub condition: TermId,
    /// Variables whose value is known before.
    pub facts: BTreeMap<VariableId, i32>,
    /// What variables are now, in terms of what they were.
    pub store: BTreeMap<VariableId, TermId>,
    /// What is left to do.
    pub rest: ProcessId,
    /// The fault that ended it.
    pub fault: Option<usize>,
    /// The ways out of choices that it took.
    pub chosen: BTreeSet<TransitionId>,
    /// Where the visible action is written that ends it.
    pub seen: Option<Place>,
}

impl InvisiblePath {
    pub(crate) fn new(condition: TermId, facts: BTreeMap<VariableId, i32>, rest: ProcessId) -> Self {
        let (store, chosen) = (BTreeMap::new(), BTreeSet::new());
        InvisiblePath { condition, facts, store, rest, fault: None, chosen, seen: None }
    }
}
