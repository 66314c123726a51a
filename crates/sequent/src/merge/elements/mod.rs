//! The elements of UML models in XMI: which of them are one in several versions, and which fragments are ends of messages.

mod occurrence;
mod unit;

pub(super) use self::occurrence::{groups, is_event, messages, place_messages};
pub(super) use self::unit::{UnitId, Units, is_leaf, leaf_text};

use sequent_notation::xmi::{has_ending, looks_like_a_model};

/// Whether a file is a UML model as text, by its name and its beginning.
pub(super) fn is_model(name: &str, text: &str) -> bool {
    has_ending(name) && looks_like_a_model(text)
}
