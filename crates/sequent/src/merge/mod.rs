//! Merging: two revisions of a file with diagrams become one (P4, section 4.2, and beyond).
//!
//! ```text
//! bytes -> pieces -> units -> trees -> kins -> nest, rows -> draft: text, choices, conflicts -> order -> merges
//! ```
//!
//! A file is cut into [pieces](piece) and these into [units](mod@unit), lines of prose and diagrams. Lines are merged [as git does](lines). A diagram
//! is a [tree]; its nodes are [paired](pair) with those of the revisions into [kins](kin), and for these is found
//! what they [stand in](nest) and in which [order](row); what has no place becomes a [knot](region), a conflict. The result is [woven](weave)
//! into a [draft]: lines that have their place, conflicts, and choices, where both sides added something at the same place
//! of a sequence diagram. What is left is a problem of [order], which the [level](Level) of consistency limits: none,
//! what each [lifeline](trigger) can receive, or what the machines can do [together](full); where that cannot be told from lifelines alone
//! there is a search.

mod again;
mod align;
mod arrange;
mod compare;
mod compose;
pub mod diff;
pub mod draft;
pub mod explain;
mod fewest;
pub mod form;
pub mod full;
mod gap;
mod indent;
mod kin;
mod lines;
mod making;
mod narrow;
mod nest;
mod nested;
mod net;
pub mod order;
mod pair;
pub mod picture;
pub mod piece;
mod proposal;
mod region;
mod rename;
mod repair;
mod row;
mod said;
mod search;
mod shortest;
pub mod slot;
pub mod stage;
mod stay;
mod tree;
pub mod trigger;
mod unit;
pub mod weave;

use sequent_notation::Loader;

pub use self::making::{Found, Merge, Task};
use self::order::Side;
use self::stage::Companions;
use crate::behaviour::Effort;
use crate::settings::Settings;

/// What merged diagrams must agree with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Only the order of messages on both sides.
    Order,
    /// What the machine of each lifeline can receive (D15).
    Trigger,
    /// What the machines can do together (D24).
    Full,
}

/// What a merge shall be like.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// What it must agree with.
    pub level: Level,
    /// Whose additions come first where both may.
    pub first: Side,
    /// Whether what one side added at one place stays together.
    pub is_whole: bool,
    /// Whether additions that are the same on both sides are two nevertheless, as in P4.
    pub is_distinct: bool,
}

impl Default for Wishes {
    fn default() -> Self {
        Wishes { level: Level::Trigger, first: Side::Ours, is_whole: false, is_distinct: false }
    }
}

/// What there is besides the three versions.
pub struct Around<'a> {
    /// Files that are read beside.
    pub companions: &'a Companions,
    /// The settings.
    pub settings: &'a Settings,
    /// How much a search may cost.
    pub effort: &'a Effort<'a>,
    /// Makes whoever finds included files.
    pub loader: &'a dyn Fn() -> Box<dyn Loader>,
}
