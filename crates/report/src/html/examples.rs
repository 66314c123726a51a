//! Examples: some runs to look at, and what they pass of the diagrams.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::source::{Place, Span};
use serde_json::{Value, json};

use super::place;
use super::runs::Runs;
use super::words::{plural, text};
use crate::checked::{Checked, Examples};

/// All examples.
pub(crate) fn all(checked: &Checked<'_>, runs: &mut Runs<'_>) -> String {
    if checked.examples.is_empty() {
        return "<p>Questions and findings show all runs that there are to see.</p>\n".to_owned();
    }
    checked.examples.iter().map(|one| examples(checked, one, runs)).collect()
}

fn examples(checked: &Checked<'_>, examples: &Examples, runs: &mut Runs<'_>) -> String {
    let Examples { name, place: at, stories, passed, other, never } = examples;
    let all = passed.len() + other.len() + never.len();
    let number = plural(stories.len(), "run passes", "runs pass");
    let elements = plural(all, "message or transition", "messages and transitions");
    let never = list(checked, "No run ever comes to", never);
    let other = list(checked, "These runs do not pass", other);
    let shown: String = stories
        .iter()
        .zip(1..)
        .map(|(story, number)| runs.add(story, &format!("{name}, example {number}")))
        .collect();
    format!(
        "<article class=\"note\" data-key=\"{4}\" data-name=\"{0}\">\n<h3>{0}: {number} {1} of {elements}</h3>\n{2}{3}</article>\n",
        text(name),
        passed.len(),
        place(checked, at.0),
        never + &other + &shown,
        text(&json!(["example", name]).to_string()),
    )
}

fn list(checked: &Checked<'_>, heading: &str, spans: &BTreeSet<Span>) -> String {
    let items: String = spans.iter().map(|span| item(checked, *span)).collect();
    match items.is_empty() {
        true => items,
        false => format!("<details><summary>{heading}</summary><ul>{items}</ul></details>\n"),
    }
}

/// Where an element is written.
fn item(checked: &Checked<'_>, span: Span) -> String {
    let (file, line, _) = checked.place(span);
    let written = checked.sources.get(span.file).line(line).trim();
    format!("<li><code>{}:{line}</code> <code>{}</code></li>\n", text(file), text(written))
}

/// For each file the lines that the examples pass, and those that no run comes to.
pub(crate) fn lines(checked: &Checked<'_>) -> Value {
    let mut files: BTreeMap<&str, [BTreeSet<u32>; 2]> = BTreeMap::new();
    for one in checked.examples {
        for (kind, spans) in [&one.passed, &one.never].into_iter().enumerate() {
            for (file, line, _) in spans.iter().map(|span| checked.place(*span)) {
                files.entry(file).or_default()[kind].insert(line);
            }
        }
    }
    let told = files
        .into_iter()
        .map(|(file, [passed, never])| (file.to_owned(), json!({ "passed": passed, "never": never })));
    Value::Object(told.collect())
}

/// A letter for each element: passed by an example, passed by none, never, or not looked at; nothing if none was looked at.
pub(crate) fn letters(checked: &Checked<'_>, places: impl Iterator<Item = Place>) -> String {
    let letter = |place: Place| {
        let holds = |of: fn(&Examples) -> &BTreeSet<Span>| {
            checked.examples.iter().any(|one| of(one).contains(&place.0))
        };
        match (holds(|one| &one.passed), holds(|one| &one.other), holds(|one| &one.never)) {
            (true, _, _) => 'p',
            (false, true, _) => 'o',
            (false, false, true) => 'n',
            (false, false, false) => '-',
        }
    };
    let letters: String = places.map(letter).collect();
    if letters.chars().all(|letter| letter == '-') { String::new() } else { letters }
}
