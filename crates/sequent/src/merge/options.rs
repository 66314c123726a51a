//! What a merge is given: three versions of a file, options, and the files around them.

use sequent_notation::Loader;

use crate::effort::Effort;
use crate::merge::side::RevisionSide;
use crate::settings::Settings;

/// Three versions of a file.
#[derive(Clone, Copy, Debug)]
pub struct VersionFiles<'f> {
    /// The name of the file; its extension tells the notation.
    pub name: &'f str,
    /// The common ancestor.
    pub base: &'f [u8],
    /// The version that is merged into.
    pub ours: &'f [u8],
    /// The version that is merged.
    pub theirs: &'f [u8],
}

/// What merged diagrams must be consistent with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConsistencyLevel {
    /// Only the order of messages on both sides.
    Order,
    /// What the machine of each lifeline can receive (D15).
    Trigger,
    /// What the machines can do together (D24).
    Full,
}

/// The options of a merge.
#[derive(Clone, Debug)]
pub struct MergeOptions {
    /// What the result must be consistent with.
    pub level: ConsistencyLevel,
    /// The side whose additions come first where both orders are possible.
    pub first: RevisionSide,
    /// Whether all additions of one side at one place stay together.
    pub is_whole: bool,
    /// Whether equal additions of both sides are kept twice, as in P4.
    pub is_distinct: bool,
}

impl Default for MergeOptions {
    fn default() -> Self {
        MergeOptions {
            level: ConsistencyLevel::Trigger,
            first: RevisionSide::Ours,
            is_whole: false,
            is_distinct: false,
        }
    }
}

/// Files that are read beside the merged one, as name and text: state machines, classes, objects.
pub type Companions = Vec<(String, String)>;

/// What a merge uses besides the three versions.
pub struct Environment<'a> {
    /// Files that are read beside the merged one.
    pub companions: &'a Companions,
    /// The settings.
    pub settings: &'a Settings,
    /// How much a search may cost.
    pub effort: &'a Effort<'a>,
    /// Makes a loader of included files.
    pub loader: &'a dyn Fn() -> Box<dyn Loader>,
}
