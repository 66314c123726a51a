//! The two sides of a three-way merge, named as git names them.

/// One of the two revisions that are merged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RevisionSide {
    /// The revision that is merged into.
    Ours,
    /// The revision that is merged.
    Theirs,
}

impl RevisionSide {
    /// Both sides, ours first; `side as usize` is the index into such a pair.
    pub(crate) const BOTH: [RevisionSide; 2] = [RevisionSide::Ours, RevisionSide::Theirs];

    /// Returns the other side.
    pub fn other(self) -> RevisionSide {
        match self {
            RevisionSide::Ours => RevisionSide::Theirs,
            RevisionSide::Theirs => RevisionSide::Ours,
        }
    }

    /// Returns the index of this side's version among base, ours, theirs.
    pub(super) fn version(self) -> usize {
        self as usize + 1
    }

    /// Returns the name of the side in messages.
    pub(super) fn word(self) -> &'static str {
        match self {
            RevisionSide::Ours => "ours",
            RevisionSide::Theirs => "theirs",
        }
    }
}

/// One order of the additions of both sides: which side comes next.
pub type Interleaving = Vec<RevisionSide>;
