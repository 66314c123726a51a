//! What is exported is taken by SPIN, and the verifier by a C compiler: names that mean something to them, machines of all kinds.

use std::path::{Path, PathBuf};
use std::process::Command;

use sequent_evaluation::generate::wide;
use sequent_kernel::model::Communication;
use sequent_testing::samples::words::{diagrams, machines};
use sequent_testing::seeds::seeds;

use super::at_hand;
use super::patience::ToolPatience;
use super::program::{find, run};
use super::samples::SampleTally;
use super::spin::SpinPrograms;

/// What is exported from a file, or why it is refused.
fn exported(file: &Path) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    let output = command.arg("export").arg(file).args(["--to", "promela"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            assert!(output.stdout.is_empty() && !said.is_empty(), "{}: {said}", file.display());
            Err(said.lines().last().unwrap_or_default().to_owned())
        }
    }
}

/// Whether SPIN and a C compiler take the model of a file.
fn compiles(
    tool: &SpinPrograms,
    patience: &ToolPatience,
    folder: &Path,
    file: &Path,
    tally: &mut SampleTally,
) {
    let text = match exported(file) {
        Ok(text) => text,
        Err(reason) => return tally.add(Err(reason)),
    };
    std::fs::write(folder.join("model.pml"), &text).expect("a file can be written");
    let _ = std::fs::remove_file(folder.join("pan"));
    let spin = find("spin").expect("it was there before");
    let made = patience.ask("names", |until| {
        let said = run(folder, &spin, &["-a", "model.pml"], until)?;
        Ok(said + &run(folder, &tool.compiler, &["-w", "-o", "pan", "pan.c"], until)?)
    });
    tally.add(made.map(|said| assert!(folder.join("pan").is_file(), "{said}\n{text}")));
}

#[test]
fn keywords_and_macros_are_no_names() {
    let Some(tool) = at_hand() else { return };
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("names");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let drawn = diagrams().into_iter().map(|text| ("diagram".to_owned(), text));
    for (name, text) in drawn.chain(machines()) {
        let file = folder.join(format!("{name}.puml"));
        std::fs::write(&file, text).expect("a file can be written");
        compiles(&tool, &patience, &folder, &file, &mut tally);
        std::fs::remove_file(&file).expect("it was written");
    }
    tally.exceeds(30);
}

/// P3's figures 6(b) and 6(c): composite states whose regions are completed.
const ATM: &str = "@startuml atm\n[*] --> CardEntry\nCardEntry --> PINEntry\nPINEntry --> Verification : / ^bank.verifyPIN\n\
    Verification --> PINEntry : reenterPIN\nVerification --> AmountEntry : PINVerified\nVerification --> ReturningCard : abort\n\
    AmountEntry --> GivingMoney\nstate GivingMoney {\n[*] --> Counting\nCounting --> [*]\n--\n[*] --> Dispensing\n\
    Dispensing --> [*]\n}\nGivingMoney --> ReturningCard\nReturningCard --> CardEntry : / ^bank.done\n@enduml\n\
    @startuml bank\n[*] --> Idle\nIdle --> Verifying : verifyPIN\nIdle --> Idle : done\nstate Verifying {\n\
    [*] --> VerifyingCard\nVerifyingCard --> CardValid\nCardValid --> [*]\n--\n[*] --> VerifyingPIN\n\
    VerifyingPIN --> PINCorrect\nVerifyingPIN --> PINIncorrect\nPINCorrect --> [*]\n\
    PINIncorrect --> Idle : / ^atm.reenterPIN\n}\nVerifying --> Idle : / ^atm.PINVerified\n@enduml\n";

#[test]
fn machines_of_all_kinds_are_taken() {
    let Some(tool) = at_hand() else { return };
    let (mut tally, patience) = (SampleTally::default(), ToolPatience::default());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("taken");
    let project = folder.join("project");
    std::fs::create_dir_all(&project).expect("a folder can be made");
    let media = [Communication::Queue, Communication::Bag, Communication::Rendezvous];
    let seeds = seeds(12);
    let wanted = seeds.count_left();
    let random = seeds.map(|seed| {
        let case = wide::case(seed, media[seed as usize % 3], true);
        (case.text.clone(), case.settings("random"))
    });
    for (text, settings) in [(ATM.to_owned(), String::new())].into_iter().chain(random) {
        std::fs::write(project.join("machines.puml"), &text).expect("a file can be written");
        std::fs::write(project.join("sequent.toml"), settings).expect("a file can be written");
        compiles(&tool, &patience, &folder, &project, &mut tally);
    }
    tally.exceeds(wanted / 2);
}
