//! What became of something between two versions of a diagram, as drawings of differences show it.

/// Added, deleted or edited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Deleted,
    /// Both have it, and it says something else.
    Edited,
}

impl Change {
    /// What stands before its text.
    pub fn sign(self) -> &'static str {
        match self {
            Change::Added => "+ ",
            Change::Deleted => "- ",
            Change::Edited => "~ ",
        }
    }

    /// The colour of its line and text.
    pub fn colour(self) -> &'static str {
        match self {
            Change::Added => "#2e7d32",
            Change::Deleted => "#c62828",
            Change::Edited => "#b26a00",
        }
    }

    /// The colour of its inside.
    pub fn fill(self) -> &'static str {
        match self {
            Change::Added => "#c8e6c9",
            Change::Deleted => "#ffcdd2",
            Change::Edited => "#ffe0b2",
        }
    }
}
