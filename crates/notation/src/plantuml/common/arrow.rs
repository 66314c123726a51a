//! What arrows of state and class diagrams have in common: where they lead, and what their labels say.

use sequent_kernel::model::LineWay;

use super::scan::{Scan, is_space};

/// A word for a way, as far as it is written out.
pub(crate) fn take_way(scan: &mut Scan) -> Option<LineWay> {
    let words = ["left", "right", "up", "down", "le", "ri", "do", "l", "r", "u", "d"];
    let word = words.iter().find(|word| scan.literal(word))?;
    Some(match word.as_bytes()[0] {
        b'l' => LineWay::Left,
        b'r' => LineWay::Right,
        b'u' => LineWay::Up,
        _ => LineWay::Down,
    })
}

/// The label without a sign that PlantUML takes for a visibility: one of these, not doubled, with text behind it.
pub(crate) fn without_visibility(text: &str) -> &str {
    match text.chars().next() {
        Some(sign @ ('-' | '#' | '+' | '~' | '*'))
            if text.chars().count() > 2 && !text[1..].starts_with(sign) =>
        {
            text[1..].trim_start_matches(is_space)
        }
        _ => text,
    }
}
