//! SPIN takes every model of the examples, in every shape: it writes a verifier without complaint.

use std::path::{Path, PathBuf};
use std::process::Command;

use sequent::tools::spin::model;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::Step;
use sequent_kernel::templates::cut;
use sequent_report::export::promela::{UnfoldedDiagram, lifelines, observer};
use sequent_report::export::{WantedGoal, WrittenSubject};

use super::patience::ToolPatience;
use super::program::{find, run};
use super::samples::{self, Omitted, SampleTally};
use super::{at_hand, cases};

/// Lets SPIN write a verifier.
fn takes(folder: &Path, text: &str, name: &str, patience: &ToolPatience) -> Result<(), Omitted> {
    std::fs::write(folder.join("model.pml"), text).expect("a file can be written");
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let spin = find("spin").expect("it was there before");
    let said = patience.ask(name, |until| run(folder, &spin, &["-a", "model.pml"], until))?;
    assert!(folder.join("pan.c").is_file() && !said.contains("rror:"), "{name}: {said}\n{text}");
    Ok(())
}

#[test]
fn every_model_of_the_examples() {
    if at_hand().is_none() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("accepted");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    // A third of the projects where nobody wants more: the other tests let SPIN take some of the others.
    let projects: Vec<String> =
        cases::all().into_iter().map(|case| case.name).filter(|name| samples::is_project(name)).collect();
    let quick: Vec<&String> = projects.iter().step_by(3).collect();
    for case in samples::examples(|name| quick.iter().any(|quick| *quick == name)) {
        let session = cases::read(&case);
        let drawn = &session.reading.model;
        let mut take = |text: &str, what: &str| {
            tally.add(takes(&folder, text, &format!("{} {what}", case.name), &patience));
        };
        for id in drawn.interactions.ids() {
            let assumptions = Assumptions::default();
            let (cut, _) = cut(drawn, id, 2);
            let at = |_| "line 1".to_owned();
            let diagram = UnfoldedDiagram { model: &cut, id, assumptions: &assumptions, at: &at };
            if let Ok(made) = lifelines(&diagram, &[]) {
                take(&made.text, "lifelines");
            }
            if let Ok(made) = lower(drawn, id, &assumptions).map(|system| model(&system, &WantedGoal::Stuck))
            {
                take(&made.expect("a diagram has no more steps than SPIN takes").text, "steps");
            }
        }
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for number in 0..agenda.queries.len() {
            let Ok(parts) = sequent::export::parts(&agenda, number) else { continue };
            let basic = sequent::export::basic(&agenda, number).ok();
            for part in parts.iter().filter(|part| part.unbounded().is_ok()) {
                let note = |_: &Step| String::new();
                let told = WrittenSubject {
                    system: &part.case.system,
                    title: "x",
                    legend: &part.case.names.values,
                    note: &note,
                };
                let shapes = [
                    model(&part.case.system, &part.target.wanted()).map(|made| made.text),
                    observer(&told, &part.target.wanted(), None),
                    observer(&told, &part.target.wanted(), basic.as_ref()),
                    observer(&told, &WantedGoal::Stuck, None),
                ];
                shapes.iter().flatten().for_each(|text| take(text, &format!("question {}", number + 1)));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    tally.exceeds(40);
}

/// What the command writes, or what it says.
fn exported(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sequent")).arg("export").args(arguments).output();
    let output = output.expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn the_command_writes_machines_that_are_observed() {
    let observed = |project: &str, more: &[&str]| {
        let project = format!("../../examples/projects/{project}");
        exported(&[&[project.as_str(), "--to", "promela", "--shape", "observer"], more].concat())
    };
    let session = observed("pin-check", &["--question", "7"]);
    assert!(session.contains("proctype Observer()") && session.contains("iterations of bank"), "{session}");
    assert!(session.contains("chan bank_queue = [4] of { byte };"), "{session}");
    let card = observed("refused-card", &["--question", "1"]);
    assert!(card.contains("= [0] of { byte }") && card.contains("accept_found"), "{card}");
    let stuck = observed("pin-check", &[]);
    assert!(stuck.contains("Does it get stuck?") && !stuck.contains("Observer"), "{stuck}");
    let diagram = observed("cash-machine", &[]);
    assert!(diagram.contains("--shape observer is for state machines"), "{diagram}");
    let nusmv = exported(&["../../examples/projects/pin-check", "--to", "nusmv", "--shape", "observer"]);
    assert!(nusmv.contains("--shape observer is for state machines"), "{nusmv}");
}
