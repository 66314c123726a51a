//! A change reviewed: what differs between two texts of a file, drawn, and which verdicts and findings are gained and lost.

use sequent::effort::Wants;
use sequent::pipeline::Outcome;
use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::verdict::Answer;
use sequent_notation::Loader;
use sequent_report::{answers, html};
use serde_json::{Value, json};

use super::Service;
use super::jobs::ServeJob;
use super::join;
use super::look::EditedText;
use super::question::checked;
use super::reply::RequestProblem;
use crate::command::Systems;
use crate::files::IncludedFiles;
use crate::roots::Roots;

/// A text of a file, and the one before.
pub(crate) struct Revision {
    before: EditedText,
    after: EditedText,
}

impl Revision {
    /// What a request names: the text of the page, and another file, or else the file as it is on the disk.
    pub(crate) fn of(service: &Service, asked: &Value) -> Result<Self, RequestProblem> {
        let after = EditedText::of(service, asked)?;
        let name = asked["base"].as_str().filter(|name| !name.is_empty()).unwrap_or(&after.name);
        let text = EditedText::of(service, &json!({ "file": name }))?.text;
        // Both are read under one name, so that what lies beside belongs to both.
        Ok(Revision { before: EditedText { name: after.name.clone(), text }, after })
    }
}

/// Compares the two.
pub(crate) fn review(service: &Service, revision: &Revision, job: &ServeJob) -> Result<Value, String> {
    let Revision { before, after } = revision;
    let roots = Roots::new(std::slice::from_ref(&after.name), &service.common.include_root)?;
    let mut loader = Box::new(IncludedFiles(roots)) as Box<dyn Loader>;
    let mut told = join::changed(before, after, &mut *loader);
    let (old_read, new_read) = (before.read(service)?, after.read(service)?);
    let checked = |read: &Systems| checked(read, job, Wants::default());
    let (old, new) = (checked(&old_read), checked(&new_read));
    told["verdicts"] = verdicts(&old.answers, &new.answers);
    let (gone, added) = differences(findings(&old_read, &old), findings(&new_read, &new));
    told["gone"] = json!(gone);
    told["new"] = json!(added);
    // What cannot be read has no findings of its own: then none is known to be gone.
    told["broken"] = json!([old_read.is_broken(&before.name), new_read.is_broken(&after.name)]);
    Ok(told)
}

/// Every question of either text with both verdicts; those of one name about one diagram are taken in their order.
fn verdicts(old: &[Answer], new: &[Answer]) -> Value {
    let told = |answer: &Answer| json!({ "verdict": answer.verdict.name(), "good": answer.is_welcome() });
    let mut left: Vec<&Answer> = old.iter().collect();
    let mut all = Vec::new();
    for answer in new {
        let at = left.iter().position(|one| identity(one) == identity(answer));
        let before = at.map(|at| told(left.remove(at)));
        all.push(json!({ "name": answers::title(answer), "before": before, "after": told(answer) }));
    }
    all.extend(
        left.into_iter()
            .map(|one| json!({ "name": answers::title(one), "before": told(one), "after": null })),
    );
    json!(all)
}

/// What tells a question from others.
fn identity(answer: &Answer) -> (&Option<String>, &str, &str) {
    (&answer.target, &answer.name, answer.kind)
}

/// A finding of a text.
struct ReviewedFinding {
    /// Its code and the diagram in which it stands.
    subject: (&'static str, Option<String>),
    /// The line on which it stands.
    written: String,
    message: String,
}

fn findings(read: &Systems, outcome: &Outcome) -> Vec<ReviewedFinding> {
    let parts = read.parts();
    let one = |finding: &Diagnostic| {
        let line = read.sources.position(finding.span).line;
        ReviewedFinding {
            subject: (finding.code.name(), html::diagram_at(&parts, finding.span).map(str::to_owned)),
            written: read.sources.get(finding.span.file).line(line).trim().to_owned(),
            message: finding.message.clone(),
        }
    };
    outcome.diagnostics.iter().map(one).collect()
}

/// The findings of the first list that the second does not have, and the other way round. Messages hold numbers that any edit
/// changes, and lines are edited: a finding is the same if its subject is, and its line or its message.
fn differences(mut old: Vec<ReviewedFinding>, mut new: Vec<ReviewedFinding>) -> (Vec<String>, Vec<String>) {
    let is_same: [fn(&ReviewedFinding, &ReviewedFinding) -> bool; 3] = [
        |one, other| one.written == other.written && one.message == other.message,
        |one, other| one.written == other.written,
        |one, other| one.message == other.message,
    ];
    for is_same in is_same {
        old.retain(|one| {
            let same = new.iter().position(|other| one.subject == other.subject && is_same(one, other));
            same.map(|at| new.remove(at)).is_none()
        });
    }
    let told = |all: Vec<ReviewedFinding>| {
        all.into_iter().map(|one| format!("{} {}", one.subject.0, one.message)).collect()
    };
    (told(old), told(new))
}
