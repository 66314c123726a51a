//! The result of `sequent check` in the Static Analysis Results Interchange Format, version 2.1.0, as code hosts and editors read it.
//!
//! Findings are results of the rule with their code. A check that is not as it should be is the result of a rule named after what it
//! asks; its run is a flow, step by step. A fingerprint knows a result again after lines above it have changed: it is made of the
//! file, the rule and the message, and of how many like it come before. Diagrams of other kinds, which are not checked, are no results
//! but notifications of the run.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::verdict::{Answer, Story, Verdict};
use serde_json::{Value, json};

use crate::checked::Checked;
use crate::{answers, explanation};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Where the project's files can be read, if the build says so: releases set `SEQUENT_HOME_URL`. Without it rules have no
/// `helpUri`, because an address that leads nowhere is of no use; their help is in the log itself.
const HOME: Option<&str> = option_env!("SEQUENT_HOME_URL");

/// One log with one run of the program, in this version.
pub fn check(checked: &Checked<'_>, version: &str) -> Value {
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    let mut results = Vec::new();
    let mut notices = Vec::new();
    for (number, diagnostic) in checked.diagnostics.iter().enumerate() {
        if diagnostic.code == Code::SkippedDiagram && diagnostic.severity == Severity::Hint {
            notices.push(notice(checked, diagnostic));
            continue;
        }
        rules.entry(diagnostic.name()).or_insert_with(|| rule(diagnostic));
        let mut result = finding(checked, diagnostic);
        if let Some(Some(fix)) = checked.fixes.get(number) {
            result["fixes"] = json!([mended(checked, fix)]);
        }
        results.push(result);
    }
    for answer in checked.answers.iter().filter(|answer| checked.is_bad(answer)) {
        let id = format!("check/{}", answer.kind);
        let words = format!("A check of kind `{}` that failed", answer.kind);
        rules.entry(id.clone()).or_insert_with(|| json!({ "id": id, "shortDescription": { "text": words } }));
        results.push(asked(checked, answer, &id));
    }
    let ids: Vec<String> = rules.keys().cloned().collect();
    let rules: Vec<Value> = rules.into_values().collect();
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    for result in &mut results {
        identify(result, &ids, &mut seen);
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "sequent", "version": version, "rules": rules } },
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notices }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// What was not looked at: no result, as code hosts would show one for every drawing of a kind that is not checked.
fn notice(checked: &Checked<'_>, diagnostic: &Diagnostic) -> Value {
    json!({
        "level": "note",
        "message": { "text": diagnostic.message },
        "locations": [location(checked, diagnostic.span)],
    })
}

fn rule(diagnostic: &Diagnostic) -> Value {
    let code = diagnostic.code;
    let text = format!("{}\n\n`sequent explain {}` shows examples.", code.explanation(), code.name());
    let mut rule = json!({
        "id": diagnostic.name(),
        "shortDescription": { "text": code.title() },
        "fullDescription": { "text": code.explanation() },
        "help": { "text": text, "markdown": explanation::help(code) },
        "defaultConfiguration": { "level": level(diagnostic.own) },
    });
    if let Some(home) = HOME {
        rule["helpUri"] = json!(format!("{home}/docs/findings.md#{}", code.name().to_lowercase()));
    }
    rule
}

/// Says which of the rules a result is of, and gives it its fingerprint.
fn identify(result: &mut Value, ids: &[String], seen: &mut BTreeMap<u64, usize>) {
    let rule = result["ruleId"].as_str().unwrap_or_default();
    let file = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
    let parts = [rule, file.unwrap_or_default(), result["message"]["text"].as_str().unwrap_or_default()];
    let index = ids.iter().position(|id| id == rule);
    let hash = fingerprint(&parts);
    let count = seen.entry(hash).or_default();
    *count += 1;
    result["partialFingerprints"] = json!({ "sequent/v1": format!("{hash:016x}:{count}") });
    result["ruleIndex"] = json!(index);
}

/// A number for some texts that is the same everywhere (FNV-1a, 64 bits).
fn fingerprint(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

fn finding(checked: &Checked<'_>, diagnostic: &Diagnostic) -> Value {
    let hint = diagnostic.hint.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
    let related = diagnostic.labels.iter().enumerate().map(|(number, label)| {
        let mut location = location(checked, label.span);
        location["id"] = json!(number + 1);
        location["message"] = json!({ "text": label.text });
        location
    });
    let mut result = json!({
        "ruleId": diagnostic.name(),
        "level": level(diagnostic.severity),
        "message": { "text": format!("{}{hint}", diagnostic.message) },
        "locations": [location(checked, diagnostic.span)],
        "relatedLocations": related.collect::<Vec<_>>(),
    });
    if let Some(story) = checked.stories.get(&diagnostic.identity()) {
        let place = result["locations"][0].clone();
        show(checked, &mut result, story, &place);
    }
    result
}

/// A fix, file by file.
fn mended(checked: &Checked<'_>, fix: &Fix) -> Value {
    let mut files: BTreeMap<FileId, Vec<Value>> = BTreeMap::new();
    for Edit { span, text } in &fix.edits {
        let region = location(checked, *span)["physicalLocation"]["region"].take();
        let replacement = json!({ "deletedRegion": region, "insertedContent": { "text": text } });
        files.entry(span.file).or_default().push(replacement);
    }
    let changes = files.into_iter().map(|(file, replacements)| {
        let name = &checked.sources.get(file).name;
        json!({ "artifactLocation": { "uri": uri(name) }, "replacements": replacements })
    });
    json!({ "description": { "text": fix.title }, "artifactChanges": changes.collect::<Vec<_>>() })
}

fn asked(checked: &Checked<'_>, answer: &Answer, rule: &str) -> Value {
    let level = match &answer.verdict {
        Verdict::Unknown(_) => "warning",
        Verdict::Holds(_) | Verdict::Fails(_) => "error",
    };
    let because = answer.verdict.story().map(|story| story.because.as_slice()).unwrap_or_default();
    let text = answers::line(answer);
    let lines: Vec<&str> = [text.trim_end()].into_iter().chain(because.iter().map(String::as_str)).collect();
    let locations: Vec<Value> = answer.place.iter().map(|place| location(checked, place.0)).collect();
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": lines.join("\n") },
        "locations": locations,
    });
    if let (Some(story), Some(place)) = (answer.verdict.story(), locations.first()) {
        show(checked, &mut result, story, place);
    }
    result
}

/// Adds a run: each step at the transition that fires in it, or at the message that is drawn; at the place that is asked about where a step is
/// drawn nowhere. A flow without steps is none.
fn show(checked: &Checked<'_>, result: &mut Value, story: &Story, asked: &Value) {
    let again = story.log.cycle.map_or(usize::MAX, |row| row + 1);
    let rows = story.log.rows.iter().enumerate().filter(|(_, row)| !row.deed.is_empty());
    let steps = rows.map(|(number, row)| {
        let place = row.place.filter(|place| place.0.start < place.0.end);
        let mut location = place.map_or_else(|| asked.clone(), |place| location(checked, place.0));
        let text = if number >= again { format!("{} (again and again)", row.deed) } else { row.deed.clone() };
        location["message"] = json!({ "text": text });
        json!({ "location": location })
    });
    let steps: Vec<Value> = steps.collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
}

fn location(checked: &Checked<'_>, span: Span) -> Value {
    let (file, line, column) = checked.place(span);
    let end = checked.sources.get(span.file).position(span.end.max(span.start));
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        },
    })
}

/// A path as a reference: all but letters, digits and a few signs are bytes in hexadecimal.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use sequent_kernel::diagnostic::Code;
    use sequent_kernel::source::Sources;

    use super::*;

    #[test]
    fn results_have_an_end_a_rule_and_a_fingerprint() {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", "x\nactivate b\nactivate b\n");
        let one = |start: usize| {
            Diagnostic::new(
                Code::UnbalancedActivation,
                Span::new(file, start, start + 10),
                "`b` stays active",
            )
        };
        let other = Diagnostic::new(Code::SingleAlternative, Span::new(file, 0, 1), "one operand");
        let log = |shift: usize| {
            let diagnostics = [one(2 + shift), one(13), other.clone()];
            let stories = BTreeMap::new();
            let checked = Checked {
                answers: &[],
                diagnostics: &diagnostics,
                fixes: &[],
                stories: &stories,
                examples: &[],
                sources: &sources,
                denies_vacuous: false,
            };
            check(&checked, "1")["runs"][0].clone()
        };
        let run = log(0);
        let [first, second, third] = [0, 1, 2].map(|number| run["results"][number].clone());
        let region = &first["locations"][0]["physicalLocation"]["region"];
        assert_eq!(*region, json!({ "startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 11 }));
        for result in [&first, &second, &third] {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        }
        assert_ne!(first["partialFingerprints"], second["partialFingerprints"]);
        // A line above that grows changes no fingerprint.
        assert_eq!(first["partialFingerprints"], log(1)["results"][0]["partialFingerprints"]);
    }
}
