//! Promela in the shape that P2 prints: names for messages, a channel for each pair of lifelines, loops that are counted, and guards that
//! leave every simulation something to do.

use std::path::{Path, PathBuf};
use std::process::Command;

use sequent_kernel::semantics::Assumptions;
use sequent_kernel::templates::{compact, cut, plain};
use sequent_report::export::promela::{UnfoldedDiagram, lifelines};
use sequent_testing::seeds::seeds;

use super::at_hand;
use super::patience::ToolPatience;
use super::program::{find, run};
use super::samples::{self, Omitted, SampleTally, random};

/// The Promela of a diagram in a file, and a folder of its own.
fn exported(name: &str, source: &str) -> (String, PathBuf) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("printed-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("diagram.puml");
    std::fs::write(&file, source).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    let output = command.arg("export").arg(&file).args(["--to", "promela"]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    std::fs::write(folder.join("model.pml"), &text).expect("a file can be written");
    (text, folder)
}

#[test]
fn two_messages_are_written_as_printed() {
    let (text, _) = exported("two", "@startuml\na ->> b : p\na ->> b : q\n@enduml\n");
    for line in [
        "mtype = { p, q };",
        "#define msg_p (msg == p)",
        "chan a_b = [2] of { mtype }; /* from a to b */",
        "  d_step { a_b!p; send = 1; receive = 0; proc1 = 1; msg = p; proc2 = 2 }; /* !a->b:p */",
        "  d_step { a_b?q; send = 0; receive = 1; proc1 = 2; msg = q; proc2 = 1 }; /* ?a->b:q */",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
}

#[test]
fn messages_beside_each_other_are_taken_from_anywhere() {
    let source = "@startuml\npar\na ->> b : p\na ->> b : q\nelse\na ->> b : p\nend\n@enduml\n";
    let (text, _) = exported("beside", source);
    assert!(text.contains("chan a_b = [3] of { mtype, byte };"), "{text}");
    assert!(text.contains("a_b??p,1") && text.contains("a_b!p,3"), "{text}");
}

/// A message whose name looks like a label, and a formula that is a claim with labels.
const LABELLED: &str = "\
@startuml
' @ltl G (received(m0) -> O sent(m0))
a -> b : m0(1)
a -> b : m0_0
@enduml
";

#[test]
fn labels_are_told_from_messages() {
    let (text, folder) = exported("labelled", LABELLED);
    assert!(text.contains("never p1 {"), "{text}");
    if at_hand().is_none() {
        return;
    }
    let spin = find("spin").expect("it was there before");
    let said =
        ToolPatience::default().ask("labels", |until| run(&folder, &spin, &["-a", "model.pml"], until));
    said.iter().for_each(|said| assert!(!said.contains("rror"), "{said}\n{text}"));
}

/// A loop that is too long to be written out, and what is asked: the second holds, as the others do, in every iteration.
const LONG: &str = "\
@startuml
' @ltl F received(pong)
' @ltl G (sent(ping) -> F received(pong))
' @ltl G (received(pong) -> F sent(ping))
loop (150)
a -> b : ping
b -> a : pong
end
@enduml
";

#[test]
fn loops_are_counted() {
    let (text, folder) = exported("long", LONG);
    assert!(text.contains("byte loop1 = 150; /* iterations of loop 1 */"), "{text}");
    assert!(text.contains(":: i_loop1 < loop1 ->"), "{text}");
    assert!(text.lines().count() < 120, "{text}");
    let Some(tool) = at_hand() else { return };
    let spin = find("spin").expect("it was there before");
    let found = ToolPatience::default().ask("a long loop", |until| {
        run(&folder, &spin, &["-a", "-o2", "model.pml"], until)?;
        run(&folder, &tool.compiler, &["-w", "-DVECTORSZ=8192", "-o", "pan", "pan.c"], until)?;
        let ask = |name: &str| run(&folder, &folder.join("pan"), &["-a", "-m200000", "-N", name], until);
        Ok([ask("p1")?, ask("p1_2")?, ask("p1_3")?])
    });
    let Ok(found) = found else { return };
    for (out, errors) in found.iter().zip(["errors: 0", "errors: 0", "errors: 1"]) {
        assert!(out.contains(errors), "{out}\n{text}");
    }
}

#[test]
fn choices_in_loops_are_arrays() {
    let source = "@startuml\nloop (2,3)\nalt known\nb -> a : pong\nelse\nb -> a : who\nend\nend\n@enduml\n";
    let (text, _) = exported("choices", source);
    for line in
        ["bool known[3]; /* known[] */", "byte loop1; /* iterations of loop 1 */", "    :: known[i_loop1] ->"]
    {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
}

/// What a simulation does, by the changes of global variables.
fn simulated(folder: &Path, seed: u64) -> Result<String, Omitted> {
    let spin = find("spin").expect("it was there before");
    let number = format!("-n{seed}");
    ToolPatience::default().ask("a simulation", |until| {
        run(folder, &spin, &["-p", "-g", "-u20000", &number, "model.pml"], until)
    })
}

#[test]
fn every_simulation_of_the_cash_machine_does_something() {
    if at_hand().is_none() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("printed-cash");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    let output = command
        .args(["export", "../../examples/projects/cash-machine", "--to", "promela"])
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(":: cardOK ->"), "{text}");
    std::fs::write(folder.join("model.pml"), &text).expect("a file can be written");
    for seed in 1..=40 {
        let Ok(out) = simulated(&folder, seed) else { continue };
        assert!(out.contains("phase = 2"), "seed {seed}: {out}\n{text}");
    }
}

#[test]
fn every_simulation_of_random_diagrams_does_something() {
    if at_hand().is_none() {
        return;
    }
    let seeds = seeds(20);
    let (mut tally, wanted) = (SampleTally::default(), seeds.count_left());
    for seed in seeds {
        let id = samples::first();
        let (model, _) = cut(&random::model(seed), id, 1);
        let assumptions = Assumptions::default();
        let diagram =
            UnfoldedDiagram { model: &model, id, assumptions: &assumptions, at: &|_| String::new() };
        let Ok(made) = lifelines(&diagram, &[]) else { continue };
        let read = Assumptions { without_negatives: true, ..plain(&assumptions) };
        if compact(&model, id, &read).is_ok_and(|tree| tree.is_contradictory()) {
            continue;
        }
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("simulated-{seed}"));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        std::fs::write(folder.join("model.pml"), &made.text).expect("a file can be written");
        for number in 1..=3 {
            tally.add(simulated(&folder, number).map(|out| {
                assert!(out.contains("phase = "), "seed {seed}, {number}: {out}\n{}", made.text);
            }));
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
    tally.exceeds(wanted);
}
