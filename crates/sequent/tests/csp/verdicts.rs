//! Scenarios: the assertions of what is written are true where checks hold, and false where they fail.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent::behaviour::Effort;
use sequent::pipeline::{self, Reading as Read};
use sequent::scenario::{Ask, Asked, Tester, plan, testers};
use sequent::settings::{self, Settings};
use sequent_kernel::generate::Random;
use sequent_kernel::model::Quantifier;
use sequent_kernel::semantics::objects::{Objects, lower_objects};
use sequent_kernel::source::Sources;
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_notation::NoFiles;
use sequent_report::export::Legend;
use sequent_report::export::cspm::{Cspm, Question, Subject, ask, machines, steps};

use super::cases;
use super::samples::count;
use super::space::Reading;

fn question(objects: &Objects, tester: Tester) -> Question {
    let named = |moves: &BTreeMap<_, _>| {
        moves.iter().map(|(event, to)| (objects.system.events[*event].text.clone(), *to)).collect()
    };
    Question {
        title: format!("{}: {}", tester.target, tester.name),
        quantifier: tester.quantifier,
        states: tester.states.iter().map(named).collect(),
    }
}

/// Compares the verdicts about scenarios in both shapes; those that were compared.
fn compare(reading: &Read, settings: &Settings, name: &str) -> Vec<&'static str> {
    let (model, folders) = (&reading.model, &reading.folders);
    let plan = plan(model, folders, &[], &|_| false);
    let answers = pipeline::check(reading, settings, &Effort::default()).answers;
    let answers: Vec<&Answer> = answers.iter().filter(|answer| answer.kind == "scenario").collect();
    let scenarios: Vec<&Asked<'_>> =
        plan.asked.iter().filter(|asked| matches!(asked.ask, Ask::Scenario(..))).collect();
    assert_eq!(answers.len(), scenarios.len(), "{name}");
    let mut compared = Vec::new();
    let mut structures = Vec::new();
    for first in &scenarios {
        if structures.contains(&&first.structure) {
            continue;
        }
        structures.push(&first.structure);
        let objects = lower_objects(model, &first.structure, &model.system);
        let objects = objects.unwrap_or_else(|unsupported| panic!("{name}: {}", unsupported.what));
        let found = testers(model, folders, &plan, &objects, &settings.switches);
        let own = scenarios.iter().zip(&answers).filter(|(asked, _)| asked.structure == first.structure);
        let asked: Vec<(Question, &Verdict)> = own
            .zip(found)
            .filter_map(|((_, answer), tester)| Some((question(&objects, tester.ok()?), &answer.verdict)))
            .filter(|(_, verdict)| !matches!(verdict, Verdict::Unknown(_)))
            .collect();
        let legend: Legend = objects.legend(model);
        let note = |_: &_| String::new();
        let subject = Subject { system: &objects.system, title: name, legend: &legend, note: &note };
        for made in [machines(&subject), steps(&subject)].into_iter().flatten() {
            compared.extend(claimed(name, made, &asked));
        }
    }
    compared
}

/// The first claim is about deadlock; a required scenario makes two, any other one.
fn claimed(name: &str, mut made: Cspm, asked: &[(Question, &Verdict)]) -> Vec<&'static str> {
    let questions: Vec<Question> = asked.iter().map(|(question, _)| question.clone()).collect();
    ask(&mut made, &questions);
    let reading = Reading::new(&made);
    if !reading.is_small() {
        return Vec::new();
    }
    let claims = reading.claims();
    let mut at = 1;
    for (question, verdict) in asked {
        let count = match question.quantifier {
            _ if question.states.is_empty() => 0,
            Quantifier::Required => 2,
            Quantifier::Possible | Quantifier::Forbidden => 1,
        };
        let is_true = claims[at..at + count].iter().all(|claim| *claim);
        at += count;
        let expected = if is_true { "holds" } else { "fails" };
        let is_asked = count > 0;
        assert!(
            !is_asked || verdict.name() == expected,
            "{name}: {} is {} \n{}",
            question.title,
            verdict.name(),
            made.text
        );
    }
    assert_eq!(at, claims.len(), "{name}");
    asked.iter().map(|(_, verdict)| verdict.name()).collect()
}

#[test]
fn cash_machines_of_the_paper() {
    // One cash machine: nine questions, each in both shapes; a mutant pays although it was refused; with a second machine
    // the next card is no longer required.
    for name in ["refused-card", "refused-card-mutant", "refused-card-two"] {
        let all = cases::all();
        let case = all.iter().find(|case| case.name == format!("projects/{name}")).expect("it is there");
        let session = cases::read(case);
        let compared = compare(&session.reading, &session.settings, name);
        assert!(compared.len() >= 6, "{name}: {compared:?}");
    }
}

#[test]
fn examples_get_the_same_verdicts() {
    let mut compared = 0;
    for case in cases::all().iter().filter(|case| case.name.starts_with("projects/coffee")) {
        let session = cases::read(case);
        compared += compare(&session.reading, &session.settings, &case.name).len();
    }
    assert!(compared > 0, "{compared}");
}

/// Machines that meet, and what is asked about them.
fn project(random: &mut Random) -> String {
    let mut text = String::new();
    let labels = [
        ["/ ^B.x", "/ ^B.x; ^C.w", "z", "go / ^C.w; ^B.y"],
        ["x", "y", "/ ^A.z", "x"],
        ["w", "w", "w", "w / ^A.z"],
    ];
    for (name, labels) in ["A", "B", "C"].iter().zip(labels) {
        let states = 1 + random.below(3);
        let _ = writeln!(text, "@startuml {name}\n[*] --> {name}0");
        for from in 0..states {
            for _ in 0..1 + random.below(2) {
                let (label, to) = (labels[random.below(4)], random.below(states));
                let _ = writeln!(text, "{name}{from} --> {name}{to} : {label}");
            }
        }
        text += "@enduml\n\n";
    }
    for number in 0..2 {
        let _ = writeln!(text, "@startuml Scenario {number}");
        for word in ["possible", "forbidden", "required"] {
            let alphabet = ["all", "own", "channels"][random.below(3)];
            let anchor = ["anywhere", "start"][usize::from(random.below(4) == 0)];
            let _ = writeln!(text, "' @{word} alphabet={alphabet} anchor={anchor}");
        }
        text += "participant A\nparticipant B\nparticipant C\n";
        let mut message = |text: &mut String| {
            *text += ["A ->> B : x\n", "A ->> B : y\n", "B ->> A : z\n", "A ->> C : w\n"][random.below(4)];
        };
        message(&mut text);
        if number == 1 {
            text += "alt\n";
            message(&mut text);
            text += "else\n";
            message(&mut text);
            text += "end\n";
        } else {
            message(&mut text);
        }
        text += "@enduml\n\n";
    }
    text
}

#[test]
fn random_machines_and_scenarios() {
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..count(40) {
        let text = project(&mut Random::new(seed));
        let mut known = Settings::default();
        for one in ["system.communication=rendezvous", "system.steps=direct"] {
            settings::set(&mut known, one).expect("it is a setting");
        }
        let mut sources = Sources::new();
        let file = sources.add("project.puml", text.as_str());
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &known);
        for verdict in compare(&reading, &known, &format!("seed {seed}\n{text}")) {
            *answers.entry(verdict).or_default() += 1;
        }
    }
    assert!(answers.len() == 2 && answers.values().all(|times| *times > 50), "{answers:?}");
}
