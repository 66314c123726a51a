//! The tests of the OMG's PSSM suite, rebuilt in `examples/pssm`: each machine has exactly the traces its file names.
//!
//! A file says `trace:` for each trace that the suite admits; where Sequent differs, it says in `differs:` why, and names
//! admitted traces that do not happen (`missing:`) and others that do (`extra:`). docs/agreement.md lists those files.

use std::collections::BTreeSet;

use sequent_kernel::diagnostic::Severity;

use crate::cases::{self, ExampleCase};
use crate::runs::{self, Word};

/// What a file says about its machine.
#[derive(Default)]
struct Said {
    traces: BTreeSet<Word>,
    extra: BTreeSet<Word>,
    missing: BTreeSet<Word>,
    differs: bool,
}

impl Said {
    fn read(text: &str) -> Said {
        let mut said = Said::default();
        for line in text.lines().filter_map(|line| line.strip_prefix("' ")) {
            let Some((key, rest)) = line.split_once(':') else { continue };
            let word: Word = rest.split_whitespace().map(str::to_owned).collect();
            match key {
                "trace" => assert!(said.traces.insert(word), "{line}"),
                "extra" => assert!(said.extra.insert(word), "{line}"),
                "missing" => assert!(said.missing.insert(word), "{line}"),
                "differs" => said.differs = true,
                _ => {}
            }
        }
        said
    }
}

/// The text of a test.
fn text(case: &ExampleCase) -> String {
    std::fs::read_to_string(&case.files[0]).expect("readable test")
}

#[test]
fn machines_have_the_traces_that_the_suite_admits() {
    let mut wrong = String::new();
    for case in cases::pssm() {
        let said = Said::read(&text(&case));
        assert_eq!(said.differs, !(said.extra.is_empty() && said.missing.is_empty()), "{}", case.name);
        let expected: BTreeSet<Word> = said.traces.union(&said.extra).cloned().collect();
        let found = complaint(&expected, traces(&case));
        if !found.is_empty() {
            wrong += &format!("{}:{found}\n", case.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// What is wrong with the traces of a machine.
fn complaint(expected: &BTreeSet<Word>, found: Result<BTreeSet<Word>, String>) -> String {
    match found {
        Err(problem) => format!(" {problem}"),
        Ok(found) => {
            let missing = expected.difference(&found).map(|word| format!("\n  missing: {}", word.join(" ")));
            let extra = found.difference(expected).map(|word| format!("\n  extra: {}", word.join(" ")));
            missing.chain(extra).collect()
        }
    }
}

/// What the target and the tester log: sends that leave the system.
fn traces(case: &ExampleCase) -> Result<BTreeSet<Word>, String> {
    let session = cases::read(case);
    let errors = session.reading.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    if let Some(error) = errors.into_iter().next() {
        return Err(error.message.clone());
    }
    let objects = crate::lowered(&session)?;
    let logged = |event: &str| {
        let (_, message) = event.strip_prefix('!')?.split_once("->:")?;
        Some(message.to_owned())
    };
    runs::words(&objects.system, &logged)
}

#[test]
fn what_is_found_in_a_test_is_announced() {
    for case in cases::pssm() {
        let found = cases::read(&case).check().diagnostics;
        let told: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
        assert!(told.is_empty(), "{}: {told:?}", case.name);
    }
}

#[test]
fn the_page_names_every_test_that_differs() {
    let page = std::fs::read_to_string(cases::root().join("docs/agreement.md")).expect("the page is there");
    let section = page.split("\n## ").find(|section| section.starts_with("PSSM")).expect("it has a section");
    for case in cases::pssm() {
        let folder = case.name.trim_start_matches("pssm/");
        let is_named = section.contains(&format!("| `{folder}` |"));
        assert_eq!(Said::read(&text(&case)).differs, is_named, "{folder}");
    }
}
