//! Sequence diagrams as text, for terminals, commit messages and tests.
//!
//! The layout is that of SVG with its sizes in cells. If it is wider than allowed, texts are wrapped more tightly until
//! it fits; if there are simply too many lifelines, the rows become a list instead, which always fits.

pub(crate) mod grid;
mod list;
mod paint;

use std::collections::BTreeMap;

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{End, GeneralOrdering, Interaction, Message, MessageId, Occurrence, Timing};

use crate::draw::TextStyle;
use crate::draw::layout::fit;
use crate::draw::layout::measures::Measures;
use crate::escape;

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
    escape::lines(&(drawing + &remarks(interaction))).into_owned()
}

/// General orderings and times have no line on a terminal; they follow in words.
fn remarks(interaction: &Interaction) -> String {
    if interaction.orderings.is_empty() && interaction.timings.is_empty() {
        return String::new();
    }
    let names = names(interaction);
    let occurrence = |occurrence| match occurrence {
        Occurrence::Send(message) => format!("!{}", names[message]),
        Occurrence::Receive(message) => format!("?{}", names[message]),
    };
    let line = |order: &GeneralOrdering| {
        format!("order: {} before {}\n", occurrence(order.before), occurrence(order.after))
    };
    let timing = |timing: &Timing| match timing.to {
        None => format!("time: {} at {}\n", timing.label(), occurrence(timing.from)),
        Some(to) => {
            format!("time: {} from {} to {}\n", timing.label(), occurrence(timing.from), occurrence(to))
        }
    };
    interaction.orderings.iter().map(line).chain(interaction.timings.iter().map(timing)).collect()
}

/// What `@order` calls each message: its name, with its ends (`a->b:m`) where others share it, and with its number
/// among its like (`a->b:m#2`) where that is not enough.
fn names(interaction: &Interaction) -> IdVec<MessageId, String> {
    let end = |end: End| end.lifeline().map_or("", |id| interaction.lifelines[id].name.as_str());
    let long = |message: &Message| format!("{}->{}:{}", end(message.from), end(message.to), message.name);
    let mut namesakes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut like: BTreeMap<String, usize> = BTreeMap::new();
    for message in &interaction.messages {
        *namesakes.entry(&message.name).or_default() += 1;
        *like.entry(long(message)).or_default() += 1;
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let name = |message: &Message| {
        if namesakes[message.name.as_str()] == 1 {
            return message.name.clone();
        }
        let long = long(message);
        let number = seen.entry(long.clone()).or_default();
        *number += 1;
        if like[&long] == 1 { long } else { format!("{long}#{number}") }
    };
    interaction.messages.iter().map(name).collect()
}

#[cfg(test)]
mod tests;
