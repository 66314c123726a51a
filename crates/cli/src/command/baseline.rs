//! Baselines: findings that a project has already, so that only new ones are reported.
//!
//! A finding is known by its file, its code and its message, not by its line: what moves stays known. Each entry says how many
//! findings it stands for.

use std::collections::BTreeMap;
use std::path::Path;

use sequent::pipeline::Outcome;
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::source::Sources;
use serde_json::{Value, json};

use crate::output;
use crate::roots::{self, LONGEST};

/// File, code and message.
type BaselineKey = (String, String, String);

/// Leaves out what the baseline holds. If there is none yet, or it is to be renewed, it is written first.
pub(crate) fn compare(
    file: &Path,
    is_renewed: bool,
    outcome: &mut Outcome,
    sources: &Sources,
) -> Result<(), String> {
    if is_renewed || !file.exists() {
        let findings = count(&outcome.diagnostics, sources);
        output::write(file, format!("{:#}\n", to_json(&findings)).as_bytes())?;
        let number: usize = findings.values().sum();
        output::complain(&format!("baseline `{}` written with {number} findings", file.display()));
    }
    let mut known = read(file)?;
    let found = std::mem::take(&mut outcome.diagnostics);
    for finding in found {
        match known.get_mut(&key(&finding, sources)).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                outcome.suppressed.push(finding);
            }
            None => outcome.diagnostics.push(finding),
        }
    }
    let gone: usize = known.values().sum();
    if gone > 0 {
        let words = if gone == 1 { "finding is" } else { "findings are" };
        let message = format!("{gone} {words} in the baseline only; --update-baseline writes it anew");
        output::complain(&message);
    }
    Ok(())
}

fn key(finding: &Diagnostic, sources: &Sources) -> BaselineKey {
    let file = sources.get(finding.span.file).name.clone();
    (file, finding.name(), finding.message.clone())
}

/// How many findings there are of each key. A file that cannot be read is never taken for granted.
fn count(findings: &[Diagnostic], sources: &Sources) -> BTreeMap<BaselineKey, usize> {
    let mut counted = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.code != Code::UnreadableFile) {
        *counted.entry(key(finding, sources)).or_default() += 1;
    }
    counted
}

fn to_json(counted: &BTreeMap<BaselineKey, usize>) -> Value {
    let one = |((file, code, message), count): (&BaselineKey, &usize)| json!({ "file": file, "code": code, "message": message, "count": count });
    json!({ "version": 1, "findings": counted.iter().map(one).collect::<Vec<_>>() })
}

fn read(file: &Path) -> Result<BTreeMap<BaselineKey, usize>, String> {
    let problem = |problem: String| format!("baseline `{}`: {problem}", file.display());
    let text = roots::read_text(file, LONGEST).map_err(|refusal| problem(refusal.to_string()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| problem(error.to_string()))?;
    let entries =
        value["findings"].as_array().ok_or_else(|| problem("it has no list of findings".to_owned()))?;
    let one = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().map(str::to_owned);
        let count = usize::try_from(entry["count"].as_u64()?).ok()?;
        Some(((text("file")?, text("code")?, text("message")?), count))
    };
    let read: Option<BTreeMap<BaselineKey, usize>> = entries.iter().map(one).collect();
    read.ok_or_else(|| problem("an entry lacks file, code, message or count".to_owned()))
}
