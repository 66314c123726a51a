//! Code lenses: above each diagram what can be done with it and how many traces it has, beside each question its verdict.

use std::path::Path;

use sequent_kernel::source::{Source, Sources, Span};
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_report::answers;
use serde_json::{Value, json};

use crate::navigate::FolderView;
use crate::publish::{CheckedFile, LensVerdict};
use crate::text;

/// The command of the server that checks a file again.
pub(crate) const CHECK: &str = "sequent.check";

/// The command of editors that steps through the run of a verdict, or opens a diagram to be stepped through.
pub(crate) const STEP: &str = "sequent.stepThrough";

/// The lenses of a file; what was found out about an older text says so.
pub(crate) fn lenses(view: &FolderView, file: &Path, checked: Option<&CheckedFile>, can_step: bool) -> Value {
    let told: Vec<Value> = checked.iter().flat_map(|checked| verdicts(checked, can_step)).collect();
    let Some(leaf) = view.id(file).and_then(|id| view.leaf(id)) else { return json!(told) };
    let source = view.sources.get(leaf.page.document.file);
    let uri = text::uri(file);
    let mut all = Vec::new();
    let mut add = |place: Span, title: &str, command: &str, arguments: Value| {
        let command = json!({ "title": title, "command": command, "arguments": arguments });
        all.push(json!({ "range": first_line(source, place), "command": command }));
    };
    for one in leaf.page.model.interactions.iter() {
        add(one.place.0, "check", CHECK, json!([uri]));
        if can_step {
            add(one.place.0, "step through", STEP, json!([{ "uri": uri, "diagram": one.name }]));
        }
        let traces = checked.iter().flat_map(|checked| &checked.traces);
        for counted in traces.filter(|counted| counted.diagram == one.name) {
            let stale = if counted.is_stale { STALE } else { "" };
            add(one.place.0, &format!("{}{stale}", counted.words()), "", json!([]));
        }
    }
    for one in leaf.page.model.machines.iter() {
        add(one.place.0, "check", CHECK, json!([uri]));
        if can_step {
            add(one.place.0, "step through", STEP, json!([{ "uri": uri, "diagram": null }]));
        }
    }
    all.extend(told);
    json!(all)
}

/// What stands behind what was found out before the last edit.
const STALE: &str = " (before the last edit)";

fn verdicts(checked: &CheckedFile, can_step: bool) -> Vec<Value> {
    let lens = |one: &LensVerdict| {
        let stale = if checked.is_stale { STALE } else { "" };
        let is_run = can_step && one.step.is_some();
        let arguments: Vec<&Value> = one.step.iter().collect();
        let command = json!({
            "title": format!("{}{stale}", one.title),
            "command": if is_run { STEP } else { "" },
            "arguments": arguments,
        });
        json!({ "range": one.range, "command": command })
    };
    checked.verdicts.iter().map(lens).collect()
}

/// The verdict of the question of this number, beside it; none if it stands in another file. What is not known may be so because the
/// user broke the check off.
pub(crate) fn verdict(
    (number, answer): (usize, &Answer),
    sources: &Sources,
    file: &Path,
    is_broken_off: bool,
) -> Option<LensVerdict> {
    let span = answer.place?.0;
    let source = sources.get(span.file);
    if Path::new(&source.name) != file {
        return None;
    }
    let line = answers::line(answer);
    let title = match answer.verdict {
        Verdict::Unknown(_) if is_broken_off => format!("unknown: {} (the check was cancelled)", answer.name),
        Verdict::Holds(_) | Verdict::Fails(_) | Verdict::Unknown(_) => {
            line.lines().next().unwrap_or_default().trim().to_owned()
        }
    };
    let step = json!({ "uri": text::uri(file), "question": number });
    let has_run = answer.verdict.story().is_some();
    Some(LensVerdict { range: text::range(source, span), title, step: has_run.then_some(step) })
}

/// The first line of a diagram.
fn first_line(source: &Source, place: Span) -> Value {
    let line = source.position(place.start).line;
    let start = source.line_start(line);
    text::range(source, Span { start, end: start + source.line(line).len() as u32, ..place })
}
