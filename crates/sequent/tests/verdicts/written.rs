//! What is written of diagrams as a UML model has their verdicts and traces: of examples, of random systems, of random interactions
//! (`SEQUENT_RANDOM=2000` for more).

use std::collections::BTreeMap;

use sequent::pipeline;
use sequent::settings;
use sequent_evaluation::generate::interaction;
use sequent_evaluation::generate::wide::{self, WideCase};
use sequent_kernel::model::{Communication, MessageSort, Model};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::source::Sources;
use sequent_notation::xmi;
use sequent_testing::cases::{self, ExampleCase, ExampleIncludes, ReadCase};
use sequent_testing::interaction::{ListingBounds, traces};
use sequent_testing::seeds::seeds;

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

/// A text under a name, read with the settings of a system.
fn read(name: &str, text: String, case: &WideCase) -> ReadCase {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let toml = sources.add("sequent.toml", case.settings("random"));
    let (settings, _) = settings::read(toml, sources.get(toml));
    let reading = pipeline::read(&[file], &mut sources, &mut ExampleIncludes, &settings);
    ReadCase { sources, settings, reading }
}

/// The system with questions about the states of its machines.
fn with_questions(case: &WideCase, model: &Model) -> String {
    let mut questions = String::new();
    for (object, class) in &case.objects {
        let machine = model.machines.iter().find(|machine| machine.name == *class);
        let vertices = machine.iter().flat_map(|machine| machine.vertices.iter());
        let states = vertices.filter(|vertex| vertex.kind.body().is_some());
        for state in states.take(4) {
            questions += &format!("' @reachable in({object}, {0})\n' @ltl F in({object}, {0})\n", state.name);
        }
    }
    case.text.replacen("@startuml classes\n", &format!("@startuml classes\n{questions}"), 1)
}

#[test]
fn written_random_systems_have_the_same_verdicts() {
    let mut compared = 0;
    for seed in seeds(40) {
        let media = [Communication::Queue, Communication::Bag, Communication::Rendezvous];
        let case = wide::case(seed, media[seed as usize % 3], true);
        let plain = read("system.puml", case.text.clone(), &case);
        let original = read("system.puml", with_questions(&case, &plain.reading.model), &case);
        let text = xmi::print::model(&original.reading.model, "model");
        let own = verdicts(&original);
        compared += own.len();
        assert_eq!(own, verdicts(&read("model.uml", text, &case)), "seed {seed}\n{}", case.dump());
    }
    assert!(compared > 100, "{compared} compared");
}

const BOUNDS: ListingBounds = ListingBounds { choices: 300, steps: 2_000, length: 12 };

#[test]
fn written_random_interactions_have_the_same_traces() {
    let (mut compared, mut differing) = (0, Vec::new());
    for seed in seeds(250) {
        let mut model = interaction::model(seed);
        for one in model.interactions.iter_mut() {
            // What other diagrams know is not written, and in UML a lifeline ends where it is told to.
            one.known.clear();
            let deletions = one.messages.iter_mut().filter(|message| message.sort == MessageSort::Delete);
            deletions.for_each(|message| message.sort = MessageSort::Signal);
            for message in one.messages.iter_mut().filter(|message| message.arguments == Some(Vec::new())) {
                message.text = format!("{}()", message.name);
            }
        }
        let text = xmi::print::model(&model, "model");
        let mut sources = Sources::new();
        let file = sources.add("model.uml", text.clone());
        let settings = settings::Settings::default();
        let again = pipeline::read(&[file], &mut sources, &mut ExampleIncludes, &settings).model;
        let own = traces(&model, &Assumptions::default(), BOUNDS);
        compared += usize::from(own.is_some());
        let is_read = again.interactions.len() == model.interactions.len();
        if !is_read || traces(&again, &Assumptions::default(), BOUNDS) != own {
            differing.push(format!("seed {seed}, read {is_read}\n{text}"));
        }
    }
    assert!(differing.is_empty(), "{} differ: {}", differing.len(), differing.join("\n"));
    assert!(compared > 100, "{compared} compared");
}
