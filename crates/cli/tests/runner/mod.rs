//! Runs the command as a user does: its exit code, and what it says.

// Each test binary uses a part of this.
#![allow(dead_code)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn sequent(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    command.args(arguments).env("COLUMNS", "100").env("NO_COLOR", "1");
    command
}

/// Runs it without input.
pub(crate) fn run(arguments: &[&str]) -> (i32, String, String) {
    parts(sequent(arguments).output().expect("the command starts"))
}

fn parts(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("it exits by itself"), text(output.stdout), text(output.stderr))
}

/// Runs it with this on its standard input.
pub(crate) fn with_input(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = sequent(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    child
        .stdin
        .take()
        .expect("standard input is piped")
        .write_all(input.as_bytes())
        .expect("it reads its input");
    parts(child.wait_with_output().expect("it ends"))
}

/// A folder of this test's own, emptied first.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a writable folder");
    path
}
