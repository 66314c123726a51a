//! Resolves class diagrams.

use sequent_kernel::model::Attribute;
use sequent_kernel::source::Span;

/// An attribute from its text.
pub(super) fn attribute(_: &str, _: Span) -> Option<Attribute> {
    None
}
