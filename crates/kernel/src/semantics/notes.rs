//! What is written down while a diagram that is a property is lowered (rules I6 to I8).

use std::collections::BTreeSet;

use crate::model::{FragmentId, InteractionId, MessageType};
use crate::system::{ComponentId, TermId};

/// Which combined fragment of the model it is; copies of one are the same.
pub(super) type FragmentKey = (InteractionId, FragmentId);

/// An `ignore` or a `consider` while it is in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FilterScope {
    /// The types it names.
    pub types: BTreeSet<MessageType>,
    /// Whether these are the ones that matter, rather than those that do not.
    pub(crate) is_consider: bool,
    /// Holds while some lifeline has come to it and is not through.
    pub active: TermId,
}

/// A `consider` in a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Considered {
    /// The types that matter in it.
    pub types: BTreeSet<MessageType>,
    /// Holds from the first to the last occurrence in it: meanwhile these types happen only as drawn.
    pub open: TermId,
    /// Whether other types may lie in between.
    pub(crate) allows_others: bool,
}

/// A lifeline of an `assert`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Asserted {
    /// The lifeline.
    pub component: ComponentId,
    /// Everything above the `assert` is over on it.
    pub ready: TermId,
}

/// What is written down while a property is lowered.
#[derive(Clone, Default)]
pub(super) struct Notes {
    /// The `assert` at the top of the diagram.
    pub assertion: Option<FragmentKey>,
    pub ignored: BTreeSet<MessageType>,
    pub considered: Vec<Considered>,
    pub asserted: Vec<Asserted>,
    pub due: Option<TermId>,
    pub strained: Vec<(ComponentId, TermId)>,
    pub scopes: Vec<FilterScope>,
}

/// Whether a message is of one of some types: its name, and the lifelines at its ends.
pub fn is_of(types: &BTreeSet<MessageType>, name: &str, ends: [&str; 2]) -> bool {
    types.iter().any(|one| one.fits(name, ends))
}
