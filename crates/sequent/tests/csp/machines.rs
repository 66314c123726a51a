//! Objects that meet, with their states as processes: what is read back does the same.

use std::fmt::Write;

use sequent_engine::refine::RefinementModel as By;
use sequent_kernel::model::Communication;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_report::export::Legend;
use sequent_report::export::cspm::{ScriptDraft, WrittenSubject, script};
use sequent_testing::seeds::seeds;

use super::cases;
use super::samples::{self, SampleTally, systems};
use super::space::{Reading, refines};

/// Compares a system with what is written of it; why it could not be. Of its end nothing is said.
fn compare(objects: &Objects, legend: &Legend, name: &str) -> Result<(), String> {
    let system = &objects.system;
    let subject = WrittenSubject { system, title: name, legend, note: &|_| String::new() };
    let draft = ScriptDraft::states(&subject).and_then(|draft| script(&[draft], &[]));
    let exported = draft.map_err(|unwritten| unwritten.0)?;
    let space = Reading::new(&exported).space().ok_or("too many states")?;
    let other = space.system();
    for (one, two, which) in [(system, &other, "more"), (&other, system, "less")] {
        for model in [By::Failures, By::FailuresDivergences] {
            if let Some(found) = refines(one, two, model, false) {
                panic!("{name}: what is written does {which} in {model:?}: {found}\n{}", exported.text);
            }
        }
    }
    Ok(())
}

#[test]
fn random_machines_do_the_same() {
    let seeds = seeds(20);
    let (mut tally, wanted) = (SampleTally::default(), seeds.count_left());
    for seed in seeds {
        let Some(lowered) = samples::machines(seed, 2) else { continue };
        tally.add(compare(&lowered.objects, &Legend::new(), &format!("machines {seed}")));
    }
    tally.exceeds(wanted / 5);
}

/// Machines that send each other messages with arguments, defer some, send to themselves, end, and hear from outside.
fn queues(random: &mut Random) -> String {
    let mut text = String::new();
    for (name, other) in [("A", "B"), ("B", "A")] {
        let _ = writeln!(text, "@startuml {name}\n' @attribute x : 0..1 = 0\n[*] --> s0");
        let triggers = ["m", "n(v)", "go", "", "after(1s)", "n(1)", "m [x == 0]"];
        let effects = ["", "x = 1", "m", "n(x)", "n(v)", "self", "o"];
        for _ in 0..2 + random.below(4) {
            let [from, to] = [(); 2].map(|()| random.below(2));
            let effect = match effects[random.below(7)] {
                "" => String::new(),
                "x = 1" => " / x = 1".to_owned(),
                "self" => " / ^self.m".to_owned(),
                sent => format!(" / ^{other}.{sent}"),
            };
            let _ = writeln!(text, "s{from} --> s{to} : {}{effect}", triggers[random.below(7)]);
        }
        if random.below(2) == 0 {
            let _ = writeln!(text, "s{} : {} / defer", random.below(2), ["m", "n", "go"][random.below(3)]);
        }
        if random.below(5) == 0 {
            let _ = writeln!(text, "state over <<end>>\ns0 --> over : go");
        }
        text += "@enduml\n\n";
    }
    text
}

#[test]
fn random_queues_do_the_same() {
    let seeds = seeds(20);
    let (mut tally, wanted) = (SampleTally::default(), seeds.count_left());
    for seed in seeds {
        let mut random = Random::new(seed);
        let text = queues(&mut random);
        let settings = format!(
            "[system]\ncommunication = \"queue\"\ncapacity = {}\ncompletion = \"{}\"\n",
            1 + seed % 2,
            ["queued", "free"][random.below(2)]
        );
        let (reading, _) = systems::read(&text, &settings);
        let folder = reading.folders.values().next().expect("there is one");
        let (structure, _) = structure(&reading.model, &reading.folders, folder, None);
        assert_eq!(structure.objects.len(), 2, "{text}");
        let objects = lower_objects(&reading.model, &structure, &reading.model.system).expect("it is run");
        let legend = objects.legend(&reading.model);
        tally.add(compare(&objects, &legend, &format!("seed {seed}\n{text}")));
    }
    tally.exceeds(wanted / 3);
}

/// The objects of an example, if it has machines in one folder.
fn objects(session: &cases::ReadCase) -> Option<Objects> {
    let model = &session.reading.model;
    let files = model.machines.iter().map(|machine| machine.place.0.file);
    let mut folders: Vec<&String> = files.filter_map(|file| session.reading.folders.get(&file)).collect();
    folders.dedup();
    let [folder] = folders.as_slice() else { return None };
    let (structure, _) = structure(model, &session.reading.folders, folder, None);
    lower_objects(model, &structure, &model.system).ok()
}

#[test]
fn examples_do_the_same() {
    let mut met = 0;
    for case in samples::examples(samples::is_project) {
        let session = cases::read(&case);
        let Some(objects) = objects(&session) else { continue };
        let legend = objects.legend(&session.reading.model);
        if objects.communication != Communication::Bag {
            match compare(&objects, &legend, &case.name) {
                Ok(()) => met += 1,
                Err(reason) => eprintln!("{}: {reason}", case.name),
            }
        }
        // Whatever it is, it can be written step by step, and read.
        let note = |_: &_| String::new();
        let subject =
            WrittenSubject { system: &objects.system, title: &case.name, legend: &legend, note: &note };
        if let Ok(exported) = ScriptDraft::steps(&subject).and_then(|draft| script(&[draft], &[])) {
            Reading::new(&exported);
        }
    }
    assert!(met >= 15, "{met}");
}
