//! The two sides of a three-way merge, named as git names them.

/// One of the two revisions that are merged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The revision that is merged into.
    Ours,
    /// The revision that is merged.
    Theirs,
}

impl Side {
    /// Both sides, ours first; `side as usize` is the index into such a pair.
    pub const BOTH: [Side; 2] = [Side::Ours, Side::Theirs];

    /// Returns the other side.
    pub fn other(self) -> Side {
        match self {
            Side::Ours => Side::Theirs,
            Side::Theirs => Side::Ours,
        }
    }

    /// Returns the index of this side's version among base, ours, theirs.
    pub(super) fn version(self) -> usize {
        self as usize + 1
    }

    /// Returns the name of the side in messages.
    pub(super) fn word(self) -> &'static str {
        match self {
            Side::Ours => "ours",
            Side::Theirs => "theirs",
        }
    }
}

/// One order of the additions of both sides: which side comes next.
pub type Interleaving = Vec<Side>;
