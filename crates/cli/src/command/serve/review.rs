//! A change reviewed: what differs between two texts of a file, drawn, and which verdicts and findings are gained and lost.

use sequent::effort::Wants;
use sequent::pipeline::Outcome;
use sequent_kernel::verdict::Answer;
use sequent_notation::Loader;
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
    let checked = |read: &Systems| checked(read, job, Wants::default());
    let (old, new) = (checked(&before.read(service)?), checked(&after.read(service)?));
    told["verdicts"] = verdicts(&old.answers, &new.answers);
    let findings = |outcome: &Outcome| -> Vec<String> {
        outcome.diagnostics.iter().map(|one| format!("{} {}", one.code.name(), one.message)).collect()
    };
    let (old, new) = (findings(&old), findings(&new));
    told["gone"] = json!(without(&old, &new));
    told["new"] = json!(without(&new, &old));
    Ok(told)
}

/// Every question of either text with both verdicts; those of one name are taken in their order.
fn verdicts(old: &[Answer], new: &[Answer]) -> Value {
    let told = |answer: &Answer| json!({ "verdict": answer.verdict.name(), "good": answer.is_welcome() });
    let mut left: Vec<&Answer> = old.iter().collect();
    let mut all = Vec::new();
    for answer in new {
        let at = left.iter().position(|one| (&one.name, one.kind) == (&answer.name, answer.kind));
        let before = at.map(|at| told(left.remove(at)));
        all.push(json!({ "name": answer.name, "before": before, "after": told(answer) }));
    }
    all.extend(left.into_iter().map(|one| json!({ "name": one.name, "before": told(one), "after": null })));
    json!(all)
}

/// What the first list has more often than the second.
fn without(all: &[String], others: &[String]) -> Vec<String> {
    let mut left: Vec<&String> = others.iter().collect();
    let mut more = Vec::new();
    for one in all {
        match left.iter().position(|other| *other == one) {
            Some(at) => {
                left.remove(at);
            }
            None => more.push(one.clone()),
        }
    }
    more
}
