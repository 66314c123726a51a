//! The models that SPIN is asked about can be kept, with the question as a claim.

use std::path::PathBuf;
use std::process::Command;

use super::at_hand;

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
    if super::program::find("tcc").is_some() {
        command.env("CC", "tcc");
    }
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let first = std::fs::read_to_string(folder.join("question-1.pml")).expect("it was kept");
    assert!(first.contains("never {") && first.contains("active proctype a()"), "{first}");
}
