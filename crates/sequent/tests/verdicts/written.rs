//! What is written of diagrams as a UML model has their verdicts.

use std::collections::BTreeMap;

use sequent::pipeline;
use sequent::settings;
use sequent_kernel::source::Sources;
use sequent_notation::xmi;
use sequent_testing::cases::{self, ExampleCase, ExampleIncludes, ReadCase};

/// The case, read from what is written of it. Settings stay as they are.
fn written(case: &ExampleCase, original: &ReadCase) -> ReadCase {
    let text = xmi::print::model(&original.reading.model, "model");
    let mut sources = Sources::new();
    let file = sources.add(format!("{}/model.uml", case.name), text);
    let settings = case.settings.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).expect("readable settings");
        let file = sources.add(format!("{}/sequent.toml", case.name), text);
        settings::read(file, sources.get(file)).0
    });
    let settings = settings.unwrap_or_default();
    let reading = pipeline::read(&[file], &mut sources, &mut ExampleIncludes, &settings);
    ReadCase { sources, settings, reading }
}

/// The verdicts by what is asked about what.
fn verdicts(case: &ReadCase) -> BTreeMap<String, Vec<String>> {
    let mut verdicts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for answer in case.check().answers {
        let question = format!("{} of {:?}", answer.name, answer.target);
        verdicts.entry(question).or_default().push(answer.verdict.name().to_owned());
    }
    verdicts.values_mut().for_each(|all| all.sort());
    verdicts
}

#[test]
fn written_models_have_the_same_verdicts() {
    let mut compared = 0;
    for case in cases::all().into_iter().filter(|case| case.name.starts_with("projects/")) {
        let original = cases::read(&case);
        if original.reading.model.checks.is_empty() {
            continue;
        }
        let own = verdicts(&original);
        compared += own.len();
        assert_eq!(own, verdicts(&written(&case, &original)), "{}", case.name);
    }
    assert!(compared > 100, "{compared} compared");
}
