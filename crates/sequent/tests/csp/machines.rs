//! Objects that meet, with their states as processes: what is read back does the same.

use sequent_engine::refine::Model as By;
use sequent_kernel::model::Communication;
use sequent_kernel::semantics::objects::{Objects, lower_objects, structure};
use sequent_kernel::system::System;
use sequent_report::export::Legend;
use sequent_report::export::cspm::{Draft, Subject, script};

use super::cases;
use super::samples::{self, Tally, count};
use super::space::{Reading, refines};

/// Compares a system with what is written of it; why it could not be. Of its end nothing is said.
fn compare(system: &System, legend: &Legend, name: &str) -> Result<(), String> {
    let subject = Subject { system, title: name, legend, note: &|_| String::new() };
    let draft = Draft::states(&subject).and_then(|draft| script(&[draft]));
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
    let (mut tally, wanted) = (Tally::default(), count(40));
    for seed in 0..wanted {
        let Some(lowered) = samples::machines(seed, 2) else { continue };
        tally.add(compare(&lowered.objects.system, &Legend::new(), &format!("machines {seed}")));
    }
    tally.exceeds(wanted / 5);
}

/// The objects of an example, if it has machines in one folder.
fn objects(session: &cases::Session) -> Option<Objects> {
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
        if objects.communication == Communication::Rendezvous {
            match compare(&objects.system, &legend, &case.name) {
                Ok(()) => met += 1,
                Err(reason) => eprintln!("{}: {reason}", case.name),
            }
        }
        // Whatever it is, it can be written step by step, and read.
        let note = |_: &_| String::new();
        let subject = Subject { system: &objects.system, title: &case.name, legend: &legend, note: &note };
        if let Ok(exported) = Draft::steps(&subject).and_then(|draft| script(&[draft])) {
            Reading::new(&exported);
        }
    }
    assert!(met >= 3, "{met}");
}
