//! The table of merges as text and as JSON, beside the figures that P4 prints.

use serde_json::{Value, json};

use super::{Done, MOST, number};
use crate::generate::crafted::Crafted;

/// The merges of a model as a table.
pub fn text(model: Crafted, all: &[Done]) -> String {
    let lines: String = all.iter().map(line).collect();
    format!(
        "Table {}: merges of {}; times in ms, P4's in s, listed are at most {MOST}\n\n{}{lines}",
        number(model),
        model.word(),
        head()
    )
}

/// The same as JSON.
pub fn json(model: Crafted, all: &[Done]) -> Value {
    json!({
        "number": number(model),
        "title": format!("merges of {}", model.word()),
        "merges": all.iter().map(to_json).collect::<Vec<Value>>(),
    })
}

fn head() -> String {
    format!(
        "{:>2} {:>9} {:>8} {:>9} {:>6} {:>9} {:>9} {:>9} {:>9} {:>5}\n",
        "", "added", "machines", "merges", "P4", "existence", "counted", "listed", "by SAT", "P4"
    )
}

fn line(done: &Done) -> String {
    let millis = |micros: u64| format!("{:.2}", micros as f64 / 1_000.0);
    format!(
        "{:>2} {:>9} {:>8} {:>9} {:>6} {:>9} {:>9} {:>9} {:>9} {:>5}{}\n",
        done.number,
        done.added,
        done.specified.word(),
        done.count.to_string(),
        done.printed,
        millis(done.existence),
        millis(done.counting),
        millis(done.listing),
        millis(done.solving),
        done.seconds,
        if done.is_agreed { "" } else { "  the engines disagree" }
    )
}

fn to_json(done: &Done) -> Value {
    json!({
        "instance": done.number,
        "added": done.added,
        "machines": done.specified.word(),
        "count": { "here": done.count.to_string(), "published": done.printed },
        "existence, ms": done.existence as f64 / 1_000.0,
        "counted, ms": done.counting as f64 / 1_000.0,
        "listed, ms": done.listing as f64 / 1_000.0,
        "by SAT, ms": done.solving as f64 / 1_000.0,
        "published, s": done.seconds,
        "agreed": done.is_agreed,
    })
}
