//! The result of `sequent check` as JSON (DESIGN section 9).

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::Expectation;
use sequent_kernel::source::{Sources, Span};
use sequent_kernel::verdict::{Answer, Verdict};
use serde_json::{Value, json};

/// Checks and diagnostics as one JSON object.
pub fn check(answers: &[Answer], diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    json!({
        "checks": answers.iter().map(answer).collect::<Vec<_>>(),
        "diagnostics": diagnostics.iter().map(|diagnostic| finding(diagnostic, sources)).collect::<Vec<_>>(),
    })
}

fn answer(answer: &Answer) -> Value {
    let reason = match &answer.verdict {
        Verdict::Unknown(reason) => Some(reason),
        Verdict::Holds | Verdict::Fails => None,
    };
    json!({
        "name": answer.name,
        "kind": answer.kind,
        "target": answer.target,
        "verdict": answer.verdict.name(),
        "expected": answer.expected.map(expectation),
        "reason": reason,
    })
}

fn expectation(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::Holds => "holds",
        Expectation::Fails => "fails",
        Expectation::Unknown => "unknown",
    }
}

fn finding(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let (file, line, column) = place(diagnostic.span, sources);
    let labels = diagnostic.labels.iter().map(|label| {
        let (file, line, column) = place(label.span, sources);
        json!({ "file": file, "line": line, "column": column, "message": label.text })
    });
    json!({
        "code": diagnostic.code.name(),
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
