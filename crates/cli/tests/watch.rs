//! `check --watch`: a change of a file is followed by another report.

mod runner;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use runner::folder;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended cannot be ended again.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The next line with this in it.
fn wait(lines: &Receiver<String>, part: &str) -> String {
    loop {
        let line = lines.recv_timeout(Duration::from_secs(120)).expect("a line comes");
        if line.contains(part) {
            return line;
        }
    }
}

/// Starts watching; the process, and the lines that it prints.
fn watch(arguments: &[&Path]) -> (Running, Receiver<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sequent"))
        .args(["check", "--watch", "--format", "text"])
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let (sender, lines) = channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
    (Running(child), lines)
}

#[test]
fn what_is_read_from_elsewhere_is_watched_too() {
    let folder = folder("watch-elsewhere");
    std::fs::create_dir_all(folder.join(".git")).expect("writable");
    std::fs::create_dir_all(folder.join("docs")).expect("writable");
    let (included, settings) = (folder.join("common.iuml"), folder.join("other.toml"));
    std::fs::write(&included, "a -> b : x\n").expect("writable");
    std::fs::write(&settings, "").expect("writable");
    std::fs::write(folder.join("docs/a.puml"), "@startuml\n!include ../common.iuml\n@enduml\n")
        .expect("writable");
    let (_running, lines) = watch(&[&folder.join("docs"), Path::new("--config"), &settings]);
    assert!(wait(&lines, "in 1 file").contains("no problems found"));
    std::fs::write(&included, "a -> b : x\nend\n").expect("writable");
    assert!(wait(&lines, "in 1 file").contains("1 error"));
    std::fs::write(&settings, "[lint]\nallow = [\"E103\"]\n").expect("writable");
    assert!(wait(&lines, "in 1 file").contains("no problems found"));
}

#[test]
fn a_change_is_followed_by_a_report() {
    let folder = folder("watch");
    let file = folder.join("a.mmd");
    std::fs::write(&file, "sequenceDiagram\n  A->>B: x\n").expect("writable");
    let (_running, lines) = watch(&[&file]);
    assert!(wait(&lines, "in 1 file").contains("no problems found"));
    std::fs::write(&file, "sequenceDiagram\n  A->>B: x\n  end\n").expect("writable");
    assert!(wait(&lines, "in 1 file").contains("1 error"));
    // Settings that appear above it are noticed too.
    std::fs::write(folder.join("sequent.toml"), "[lint]\nallow = [\"E103\"]\n").expect("writable");
    assert!(wait(&lines, "in 1 file").contains("no problems found"));
}
