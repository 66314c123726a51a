//! `check --watch`: a change of a file is followed by another report.

mod runner;

use std::io::{BufRead, BufReader};
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

#[test]
fn a_change_is_followed_by_a_report() {
    let folder = folder("watch");
    let file = folder.join("a.mmd");
    std::fs::write(&file, "sequenceDiagram\n  A->>B: x\n").expect("writable");
    let mut child = Command::new(env!("CARGO_BIN_EXE_sequent"))
        .args(["check", "--watch", "--format", "text"])
        .arg(&file)
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let _running = Running(child);
    let (sender, lines) = channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
    assert!(wait(&lines, "in 1 file").contains("no problems found"));
    std::fs::write(&file, "sequenceDiagram\n  A->>B: x\n  end\n").expect("writable");
    assert!(wait(&lines, "in 1 file").contains("1 error"));
    // Settings that appear above it are noticed too.
    std::fs::write(folder.join("sequent.toml"), "[lint]\nallow = [\"E103\"]\n").expect("writable");
    assert!(wait(&lines, "in 1 file").contains("no problems found"));
}
