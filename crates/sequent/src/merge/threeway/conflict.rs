//! What prevents a merge node by node.

use crate::merge::matching::TripleId;

/// A conflict in the structure of the trees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TreeConflict {
    /// These have no place that both sides agree about: the smallest region around them is a conflict, for this reason.
    Region(Vec<TripleId>, &'static str),
    /// One side deleted this block or operand with its content, the other changed it.
    Deleted(TripleId),
    /// Both sides moved this, to different places.
    Moved(TripleId),
}
