//! Scenarios: the assertions of what is written are true where checks hold, and false where they fail.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent::effort::Effort;
use sequent::export::{CastTester, Staged, Tester};
use sequent::pipeline::{self, Reading as Read};
use sequent::settings::{self, Settings};
use sequent_kernel::model::Quantifier;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::source::Sources;
use sequent_kernel::system::EventId;
use sequent_kernel::verdict::Verdict;
use sequent_notation::NoFiles;
use sequent_report::export::Legend;
use sequent_report::export::cspm::{self, Cspm, ScriptDraft, TesterQuestion, WrittenSubject, ask, script};
use sequent_testing::seeds::seeds;

use super::cases;
use super::samples;
use super::space::Reading;

fn question(about: usize, objects: &Objects, tester: &Tester) -> TesterQuestion {
    let key = |event: &EventId| {
        let event = &objects.system.events[*event];
        (event.text.clone(), event.goes_on)
    };
    let named = |moves: &BTreeMap<EventId, _>| moves.iter().map(|(event, to)| (key(event), *to)).collect();
    let choice = |choice: &CastTester| cspm::CastScenario {
        words: choice.words.clone(),
        states: choice.states.iter().map(named).collect(),
    };
    TesterQuestion {
        about,
        title: format!("{}: {}", tester.target, tester.name),
        quantifier: tester.quantifier,
        choices: tester.choices.iter().map(choice).collect(),
    }
}

/// A question and what `check` says.
type Asked<'a> = (TesterQuestion, &'a Verdict);

/// Compares the verdicts about scenarios in both shapes, all in one script and each by itself; those that were compared.
fn compare(reading: &Read, settings: &Settings, name: &str) -> Vec<&'static str> {
    let answers = pipeline::check(reading, settings, &Effort::default()).answers;
    let agenda = pipeline::agenda(reading, settings);
    let mut verdicts: BTreeMap<usize, &Verdict> = BTreeMap::new();
    let mut compared = Vec::new();
    for (number, answer) in answers.iter().enumerate().filter(|(_, answer)| answer.kind == "scenario") {
        let (staged, reasons) = sequent::export::staged(&agenda, Some(number));
        assert_eq!(staged.len() + reasons.len(), 1, "{name}: {}", answer.name);
        for (question, _) in staged.iter().flat_map(|stage| &stage.testers) {
            verdicts.insert(*question, &answer.verdict);
        }
        if number % 5 == 0 {
            compared.extend(written(reading, &staged, &verdicts, name));
        }
    }
    compared.extend(written(reading, &sequent::export::staged(&agenda, None).0, &verdicts, name));
    compared
}

/// The same for objects that stand in one script.
fn written(
    reading: &Read,
    staged: &[Staged],
    verdicts: &BTreeMap<usize, &Verdict>,
    name: &str,
) -> Vec<&'static str> {
    if staged.is_empty() {
        return Vec::new();
    }
    let mut asked: Vec<Asked<'_>> = Vec::new();
    for (about, stage) in staged.iter().enumerate() {
        for (number, tester) in &stage.testers {
            let Ok(tester) = tester else { continue };
            if !matches!(verdicts[number], Verdict::Unknown(_)) {
                asked.push((question(about, &stage.objects, tester), verdicts[number]));
            }
        }
    }
    let legends: Vec<Legend> = staged.iter().map(|stage| stage.objects.legend(&reading.model)).collect();
    let note = |_: &_| String::new();
    let subjects = staged.iter().zip(&legends).map(|(stage, legend)| WrittenSubject {
        system: &stage.objects.system,
        title: name,
        legend,
        note: &note,
    });
    let subjects: Vec<WrittenSubject<'_>> = subjects.collect();
    let states = subjects.iter().map(ScriptDraft::states);
    let steps = subjects.iter().map(ScriptDraft::steps);
    let drafts = [states.collect::<Result<Vec<_>, _>>(), steps.collect()];
    let scripts = drafts.into_iter().flatten().map(|drafts| script(&drafts, &[]).expect("it can be written"));
    scripts.flat_map(|made| claimed(name, made, &asked)).collect()
}

/// The first claims are about deadlock; a required scenario makes two, any other one.
fn claimed(name: &str, mut made: Cspm, asked: &[Asked<'_>]) -> Vec<&'static str> {
    let questions: Vec<TesterQuestion> = asked.iter().map(|(question, _)| question.clone()).collect();
    let systems = made.processes.len();
    ask(&mut made, systems, &questions);
    let reading = Reading::new(&made);
    if !reading.is_small() {
        return Vec::new();
    }
    let claims = reading.claims();
    let mut at = systems;
    for (question, verdict) in asked {
        let mut truths = Vec::new();
        for choice in &question.choices {
            let count = match question.quantifier {
                _ if choice.states.is_empty() => 0,
                Quantifier::Required => 2,
                Quantifier::Whenever => 0,
                Quantifier::Possible | Quantifier::Forbidden => 1,
            };
            truths.extend((count > 0).then(|| claims[at..at + count].iter().all(|claim| *claim)));
            at += count;
        }
        let is_asked = truths.len() == question.choices.len();
        let is_true = match question.quantifier {
            Quantifier::Possible => truths.contains(&true),
            Quantifier::Forbidden | Quantifier::Required | Quantifier::Whenever => !truths.contains(&false),
        };
        let expected = if is_true { "holds" } else { "fails" };
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
    // Where a lifeline stands for either machine, all choices together have the verdict.
    for name in ["refused-card", "refused-card-mutant", "refused-card-two", "bank-capsules"] {
        let all = cases::all();
        let case = all.iter().find(|case| case.name == format!("projects/{name}")).expect("it is there");
        let session = cases::read(case);
        let compared = compare(&session.reading, &session.settings, name);
        let fewest = if name == "bank-capsules" { 1 } else { 6 };
        assert!(compared.len() >= fewest, "{name}: {compared:?}");
    }
}

#[test]
fn examples_get_the_same_verdicts() {
    let mut compared = 0;
    for case in samples::examples(|name| name.starts_with("projects/coffee")) {
        let session = cases::read(&case);
        compared += compare(&session.reading, &session.settings, &case.name).len();
    }
    assert!(compared > 0, "{compared}");
}

/// Machines that communicate, and what is asked about them; some lifelines have the names of machines, some are written otherwise.
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
        let mut drawn = String::from("participant A\nparticipant B\nparticipant C\n");
        let mut message = |text: &mut String| {
            *text += ["A ->> B : x\n", "A ->> B : y\n", "B ->> A : z\n", "A ->> C : w\n"][random.below(4)];
        };
        message(&mut drawn);
        if number == 1 {
            drawn += "alt\n";
            message(&mut drawn);
            drawn += "else\n";
            message(&mut drawn);
            drawn += "end\n";
        } else {
            message(&mut drawn);
        }
        // Machines are found without regard to case.
        text += &if number == 1 { drawn.replace('B', "b") } else { drawn };
        text += "@enduml\n\n";
    }
    text
}

#[test]
fn random_machines_and_scenarios() {
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds(12) {
        let text = project(&mut Random::new(seed));
        let mut known = Settings::default();
        // Every third has queues.
        let medium = match seed % 3 {
            2 => ["system.communication=queue", "system.capacity=1"],
            _ => ["system.communication=rendezvous", "system.steps=direct"],
        };
        // CSPm knows no fairness: what is required of fair runs only is not written.
        let fair = (seed % 4 != 0).then_some("system.fairness=none");
        for one in medium.into_iter().chain(fair) {
            settings::set(&mut known, one).expect("it is a setting");
        }
        let mut sources = Sources::new();
        let file = sources.add("project.puml", text.as_str());
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &known);
        for verdict in compare(&reading, &known, &format!("seed {seed}\n{text}")) {
            *answers.entry(verdict).or_default() += 1;
        }
    }
    assert!(answers.len() == 2 && answers.values().all(|times| *times > 20), "{answers:?}");
}
