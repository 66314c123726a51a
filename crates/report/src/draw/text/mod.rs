//! Sequence diagrams as text, for terminals, commit messages and tests.
//!
//! The layout is that of SVG with its sizes in cells. If it is wider than allowed, texts are wrapped more tightly until
//! it fits; if there are simply too many lifelines, the rows become a list instead, which always fits.

mod grid;
mod list;
mod paint;

use sequent_kernel::model::{GeneralOrdering, Interaction, Occurrence};

use crate::draw::TextStyle;
use crate::draw::layout::fit;
use crate::draw::layout::measures::Measures;

/// Widths at which texts may wrap.
const WIDTHS: [i32; 12] = [60, 48, 40, 32, 26, 22, 18, 15, 12, 10, 9, 8];

/// Draws a sequence diagram for a terminal.
pub fn text(interaction: &Interaction, style: &TextStyle) -> String {
    let limit = i32::try_from(style.width).unwrap_or(i32::MAX);
    let choices = WIDTHS.map(Measures::cells);
    let drawing = match fit(interaction, &choices, limit) {
        Some(layout) => paint::paint(&layout, style),
        None => list::list(interaction, style),
    };
    drawing + &orderings(interaction)
}

/// General orderings have no line on a terminal; they follow in words.
fn orderings(interaction: &Interaction) -> String {
    let occurrence = |occurrence| {
        let (mark, message) = match occurrence {
            Occurrence::Send(message) => ('!', message),
            Occurrence::Receive(message) => ('?', message),
        };
        format!("{mark}{}", interaction.messages[message].name)
    };
    let line = |order: &GeneralOrdering| {
        format!("order: {} before {}\n", occurrence(order.before), occurrence(order.after))
    };
    interaction.orderings.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
