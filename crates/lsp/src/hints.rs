//! Inlay hints: how often loops run, and how many traces diagrams have.

use std::path::Path;

use sequent_kernel::model::{Fragment, Loop};
use sequent_kernel::source::{Source, Span};
use serde_json::{Value, json};

use crate::navigate::FolderView;
use crate::publish::TraceNumber;
use crate::text;

/// The hints of a file between two lines. Numbers of traces are those that were counted last.
pub(crate) fn hints(view: &FolderView, file: &Path, range: &Value, traces: &[TraceNumber]) -> Value {
    let Some(leaf) = view.id(file).and_then(|id| view.leaf(id)) else { return json!([]) };
    let id = leaf.page.document.file;
    let source = view.sources.get(id);
    let mut found: Vec<(u32, String)> = Vec::new();
    for interaction in leaf.page.model.interactions.iter() {
        interaction.walk(&mut |fragment, _| {
            if let Fragment::Combined(combined) = fragment
                && let Some(bounds) = combined.operator.bounds()
                && combined.place.0.file == id
            {
                found.push((combined.place.0.start, times(bounds)));
            }
        });
        let place = interaction.place.0;
        let counted = traces.iter().find(|one| one.diagram == interaction.name && !one.is_stale);
        found.extend(counted.map(|one| (place.start, one.words())));
    }
    let number = |end: &str| range[end]["line"].as_u64();
    let lines = number("start").unwrap_or(0)..=number("end").unwrap_or(u64::MAX);
    let shown = found.into_iter().map(|(at, label)| hint(source, line_end(source, id, at), &label));
    json!(
        shown
            .filter(|hint| hint["position"]["line"].as_u64().is_some_and(|line| lines.contains(&line)))
            .collect::<Vec<_>>()
    )
}

fn hint(source: &Source, place: Span, label: &str) -> Value {
    json!({ "position": text::position(source, place.start), "label": label, "paddingLeft": true })
}

/// The end of the line of an offset.
fn line_end(source: &Source, file: sequent_kernel::source::FileId, at: u32) -> Span {
    let line = source.position(at).line;
    let end = source.line_start(line) + source.line(line).len() as u32;
    Span { file, start: end, end }
}

/// How often a loop runs.
fn times(bounds: Loop) -> String {
    match (bounds.min, bounds.max) {
        (None, _) => "forever".to_owned(),
        (Some(0), None) => "any number of times".to_owned(),
        (Some(min), None) => format!("{min} times or more"),
        (Some(min), Some(max)) if min == max => format!("{min} times"),
        (Some(min), Some(max)) => format!("{min} to {max} times"),
    }
}
