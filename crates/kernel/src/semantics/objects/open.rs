//! Arguments whose values are not known, and what depends on them ([`domain`](super::domain) finds them).

use super::structure::InstanceId;
use crate::model::TransitionId;
use crate::source::Place;

/// Why the values of an argument are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// No object sends it, and nothing declares it.
    Unsent,
    /// One send passes something of which no value is known.
    Unknown(Place),
    /// Two sends pass values of different types.
    Mixed(Place),
    /// The values that are sent are too many to be distinguished.
    Wide,
}

/// A transition that depends on an argument whose value is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenUse {
    /// The object of the transition.
    pub object: InstanceId,
    /// The transition.
    pub transition: TransitionId,
    /// The message.
    pub message: String,
    /// The parameter, as the trigger calls it.
    pub parameter: String,
    /// Why its value is not known.
    pub doubt: Doubt,
}
