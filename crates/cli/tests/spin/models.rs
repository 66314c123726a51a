//! The models that SPIN is asked about can be kept, with the question as a claim.

use std::path::PathBuf;
use std::process::Command;

use super::at_hand;
use super::samples::{LIMIT, tell};

/// Adds the limit that SPIN has for all questions, and the compiler that is fast, where it is there.
fn quick(command: &mut Command) -> &mut Command {
    if super::program::find("tcc").is_some() {
        command.env("CC", "tcc");
    }
    command.args(["--time", &(2 * LIMIT.as_secs()).to_string()])
}

/// Whether SPIN did not answer in time; tells it.
fn is_late(text: &str) -> bool {
    let is_late = text.contains("time is over");
    if is_late {
        tell("nothing is compared: SPIN did not answer in time");
    }
    is_late
}

#[test]
fn models_are_kept() {
    if at_hand().is_none() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("models");
    let _ = std::fs::remove_dir_all(&folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    command
        .args(["check", "--engine", "spin", "../../examples/projects/two-messages", "--models"])
        .arg(&folder);
    let output = quick(&mut command).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if is_late(&text) {
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{text}");
    let first = std::fs::read_to_string(folder.join("question-1.pml")).expect("it was kept");
    assert!(first.contains("never {") && first.contains("active proctype a()"), "{first}");
}

/// Projects of the papers with what their drawn runs show, and how many questions are answered.
const DRAWN: &[(&str, &[&str], usize)] = &[
    ("cash-machine", &["insufficientFunds (received)", "│ bank"], 5),
    ("refused-card", &["auth(false)", "eject", "│ a1 : ATM"], 9),
    ("pin-check", &["verifyPIN", "Verifying(VerifyingCard, VerifyingPIN)", "abort (sent)"], 9),
];

#[test]
fn what_spin_finds_is_drawn() {
    if at_hand().is_none() {
        return;
    }
    for (project, shown, count) in DRAWN {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
        let project = format!("../../examples/projects/{project}");
        command.args(["check", &project, "--engine", "spin", "--draw", "--color", "never"]);
        // A claim cannot say which runs are fair.
        command.args(["--set", "system.fairness=none"]);
        let output = quick(&mut command).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if is_late(&text) {
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert_eq!(text.matches(", as expected: ").count(), *count, "{text}");
        shown.iter().for_each(|shown| assert!(text.contains(shown), "{project}: {shown}\n{text}"));
    }
}
