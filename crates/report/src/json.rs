//! The result of `sequent check` as JSON (DESIGN section 9).

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::log::{Log, LogRow, ObjectStatus};
use sequent_kernel::model::Expectation;
use sequent_kernel::source::{Place, Sources, Span};
use sequent_kernel::verdict::{Answer, Story, Verdict};
use serde_json::{Value, json};

use crate::checked::Checked;
use crate::reason;

/// Checks and diagnostics as one JSON object.
pub fn check(checked: &Checked<'_>) -> Value {
    let Checked { answers, diagnostics, stories, sources, .. } = *checked;
    let findings = diagnostics.iter().map(|diagnostic| {
        let mut value = finding(diagnostic, sources);
        if let Some(story) = stories.get(&diagnostic.identity()) {
            value["run"] = run(story);
        }
        value
    });
    json!({
        "checks": answers.iter().map(|one| answer(one, sources)).collect::<Vec<_>>(),
        "diagnostics": findings.collect::<Vec<_>>(),
    })
}

/// The same for answers alone.
pub fn answers(answers: &[Answer], sources: &Sources) -> Value {
    check(&Checked {
        answers,
        diagnostics: &[],
        fixes: &[],
        stories: &BTreeMap::new(),
        examples: &[],
        sources,
        denies_vacuous: false,
    })
}

fn answer(answer: &Answer, sources: &Sources) -> Value {
    let reason = match &answer.verdict {
        Verdict::Unknown(reason) => Some(reason::words(reason)),
        Verdict::Holds(_) | Verdict::Fails(_) => None,
    };
    let asked = answer.place.map(|asked| place(asked.0, sources));
    let mut value = json!({
        "name": answer.name,
        "kind": answer.kind,
        "target": answer.target,
        "verdict": answer.verdict.name(),
        "evidence": answer.verdict.evidence().map(|evidence| evidence.name()),
        "bound": answer.details.bound,
        "vacuous": answer.vacuous.is_some(),
        "trigger": answer.vacuous,
        "expected": answer.expected.map(Expectation::name),
        "welcome": answer.is_welcome(),
        "file": asked.as_ref().map(|(file, ..)| file),
        "line": asked.as_ref().map(|(_, line, _)| line),
        "column": asked.as_ref().map(|(.., column)| column),
        "engine": answer.engine,
        "states": answer.states,
        "transitions": answer.details.cost.transitions,
        "space": answer.details.space,
        "variables": answer.details.cost.formula.map(|(variables, _)| variables),
        "clauses": answer.details.cost.formula.map(|(_, clauses)| clauses),
        "memory": answer.millis.map(|_| answer.details.cost.bytes),
        "millis": answer.millis,
        "run": answer.verdict.story().map(run),
        "proof": answer.verdict.proof().map(|proof| json!({ "words": proof.words, "invariant": proof.invariant })),
        "failing_message": answer.details.failing_message,
        "reason": reason,
    });
    if let Some(reasons) = &answer.details.reasons {
        let condition = |(text, at): &(String, Place)| {
            let (file, line, column) = place(at.0, sources);
            json!({ "text": text, "file": file, "line": line, "column": column })
        };
        let conditions: Vec<Value> = reasons.conditions.iter().map(condition).collect();
        value["ruled_out"] = json!({ "within": reasons.within, "by": conditions });
    }
    if let Some(fairness) = answer.details.fairness {
        value["fairness"] = json!(fairness.word());
    }
    if answer.kind == "reachable" || answer.details.length.is_some() {
        value["length"] = json!(answer.details.length);
    }
    value
}

fn run(story: &Story) -> Value {
    let mut value = json!({ "prefix": story.prefix, "cycle": story.cycle, "because": story.because });
    if !story.log.columns.is_empty() {
        value["steps"] = story.log.rows.iter().map(|row| step(&story.log, row)).collect();
        value["repeats_after"] = json!(story.log.cycle);
    }
    value
}

/// A step of a run of objects, the beginning being the first: what happens, and how the objects stand then.
fn step(log: &Log, row: &LogRow) -> Value {
    let standing = |one: &ObjectStatus| {
        let attributes: BTreeMap<&String, &String> =
            one.attributes.iter().map(|(name, value)| (name, value)).collect();
        json!({ "states": one.states, "attributes": attributes, "waiting": one.waiting, "busy": one.is_busy })
    };
    let names = log.columns.iter().map(|column| &column.name);
    let objects: BTreeMap<&String, Value> = names.zip(row.standings.iter().map(standing)).collect();
    json!({ "step": row.deed, "seen": row.is_seen, "objects": objects })
}

fn finding(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let (file, line, column) = place(diagnostic.span, sources);
    let labels = diagnostic.labels.iter().map(|label| {
        let (file, line, column) = place(label.span, sources);
        json!({ "file": file, "line": line, "column": column, "message": label.text })
    });
    json!({
        "code": diagnostic.name(),
        "severity": diagnostic.severity.name(),
        "file": file,
        "line": line,
        "column": column,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "labels": labels.collect::<Vec<_>>(),
    })
}

fn place(span: Span, sources: &Sources) -> (&str, u32, u32) {
    let position = sources.position(span);
    (&sources.get(span.file).name, position.line, position.column)
}
