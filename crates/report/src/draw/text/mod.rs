//! Sequence diagrams as text.

use sequent_kernel::model::Interaction;

use crate::draw::TextStyle;

/// Draws a sequence diagram for a terminal.
pub fn text(_interaction: &Interaction, _style: &TextStyle) -> String {
    String::new()
}
