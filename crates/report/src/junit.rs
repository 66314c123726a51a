//! The result of `sequent check` as JUnit writes tests, which every build server reads: a test for each check, and one for each file.
//!
//! A check fails if its result is not the expected one, and is an error if it is undecided; a file fails if
//! an error was found in it. Warnings and hints are the output of a file.

use std::fmt::Write;

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::source::FileId;
use sequent_kernel::verdict::{Answer, Verdict};

use crate::answers::{self, RunForm};
use crate::checked::Checked;
use crate::escape;

/// How wide drawings may be.
const WIDTH: usize = 100;

/// A test, and what became of it.
struct JunitTest {
    name: String,
    group: String,
    seconds: f64,
    outcome: TestOutcome,
    printed: String,
}

enum TestOutcome {
    Passed,
    Failed(String, String),
    /// It is undecided.
    Open(String, String),
}

/// The tests; `files` are all that were read.
pub fn check(checked: &Checked<'_>, files: impl IntoIterator<Item = FileId>) -> String {
    let answers: Vec<JunitTest> = checked.answers.iter().map(|answer| asked(checked, answer)).collect();
    let mut files: Vec<FileId> = files.into_iter().collect();
    files.extend(checked.diagnostics.iter().map(|diagnostic| diagnostic.span.file));
    files.sort_unstable();
    files.dedup();
    let files: Vec<JunitTest> = files.into_iter().map(|file| read(checked, file)).collect();
    let suites = [suite("checks", &answers), suite("files", &files)];
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sequent\">\n{}</testsuites>\n",
        suites.concat()
    )
}

fn asked(checked: &Checked<'_>, answer: &Answer) -> JunitTest {
    let group = answer.place.map_or("", |place| checked.place(place.0).0);
    let text = answers::text_in(answer, checked.sources, WIDTH, RunForm::Drawing);
    let message = answers::line(answer).trim_end().to_owned();
    let outcome = match (&answer.verdict, checked.is_bad(answer)) {
        (_, false) => TestOutcome::Passed,
        (Verdict::Unknown(_), true) => TestOutcome::Open(message, text.clone()),
        (Verdict::Holds(_) | Verdict::Fails(_), true) => TestOutcome::Failed(message, text.clone()),
    };
    let printed = if checked.is_bad(answer) { String::new() } else { text };
    let name = match &answer.target {
        Some(target) if !answer.name.contains(target.as_str()) => format!("{target}: {}", answer.name),
        Some(_) | None => answer.name.clone(),
    };
    JunitTest {
        name,
        group: group.to_owned(),
        seconds: answer.millis.unwrap_or(0) as f64 / 1e3,
        outcome,
        printed,
    }
}

fn read(checked: &Checked<'_>, file: FileId) -> JunitTest {
    let own = checked.diagnostics.iter().filter(|diagnostic| diagnostic.span.file == file);
    let (errors, others): (Vec<_>, Vec<_>) =
        own.partition(|diagnostic| diagnostic.severity == Severity::Error);
    let lines = |all: &[&Diagnostic]| all.iter().map(|one| line(checked, one)).collect::<String>();
    let outcome = match errors.as_slice() {
        [] => TestOutcome::Passed,
        [only] => TestOutcome::Failed(only.message.clone(), lines(&errors)),
        [..] => TestOutcome::Failed(format!("{} errors", errors.len()), lines(&errors)),
    };
    let name = checked.sources.get(file).name.clone();
    JunitTest { name, group: "findings".to_owned(), seconds: 0.0, outcome, printed: lines(&others) }
}

fn line(checked: &Checked<'_>, one: &Diagnostic) -> String {
    let (file, line, column) = checked.place(one.span);
    let hint = one.hint.as_ref().map(|hint| format!("  {}\n", escape::line(hint))).unwrap_or_default();
    let (severity, code) = (one.severity.name(), one.name());
    let told = format!("{file}:{line}:{column}: {severity}[{code}]: {}", one.message);
    format!("{}\n{hint}", escape::line(&told))
}

fn suite(name: &str, tests: &[JunitTest]) -> String {
    let count = |is: &dyn Fn(&TestOutcome) -> bool| tests.iter().filter(|test| is(&test.outcome)).count();
    let failures = count(&|outcome| matches!(outcome, TestOutcome::Failed(..)));
    let errors = count(&|outcome| matches!(outcome, TestOutcome::Open(..)));
    // An empty sum of numbers like these is less than nothing.
    let seconds = tests.iter().map(|test| test.seconds).fold(0.0, |sum: f64, one| sum + one);
    let mut out = format!(
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">\n",
        tests.len()
    );
    for test in tests {
        let (name, group) = (escaped(&escape::line(&test.name)), escaped(&escape::line(&test.group)));
        let _ = writeln!(
            out,
            "    <testcase name=\"{name}\" classname=\"{group}\" time=\"{:.3}\">",
            test.seconds
        );
        let told = match &test.outcome {
            TestOutcome::Passed => None,
            TestOutcome::Failed(message, text) => Some(("failure", message, text)),
            TestOutcome::Open(message, text) => Some(("error", message, text)),
        };
        if let Some((tag, message, text)) = told {
            let _ = writeln!(
                out,
                "      <{tag} message=\"{}\">{}</{tag}>",
                escaped(&escape::line(message)),
                escaped(text)
            );
        }
        if !test.printed.is_empty() {
            let _ = writeln!(out, "      <system-out>{}</system-out>", escaped(&test.printed));
        }
        out += "    </testcase>\n";
    }
    out + "  </testsuite>\n"
}

/// A text within XML; what may not stand there becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match (escape::entity(letter), letter) {
            (Some(entity), _) => out += entity,
            (None, '\n' | '\t') => out.push(letter),
            (None, hidden) if escape::is_hidden(hidden) || matches!(hidden, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}')
            }
            (None, letter) => out.push(letter),
        }
    }
    escape::without_hashes(&out, "&#35;")
}
