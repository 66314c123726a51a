//! How long reading and linting take, and how the time grows: `cargo bench --bench read`.
//!
//! Diagrams of 10,000 and 20,000 messages in nested fragments, in both notations and inside Markdown; then the start of
//! the command itself. Each figure is the best of several runs, which is what the machine can do when it is left alone.

use std::process::Command;
use std::time::{Duration, Instant};

use sequent::effort::Effort;
use sequent::pipeline;
use sequent::settings::Settings;
use sequent_kernel::source::Sources;
use sequent_notation::NoFiles;

const MESSAGES: usize = 10_000;
const RUNS: usize = 15;

fn main() {
    println!("{:<22} {:>12} {:>12} {:>8}", "read and lint", "10,000", "20,000", "growth");
    for (name, file, make) in INPUTS {
        let [once, twice] = [MESSAGES, 2 * MESSAGES].map(|messages| best(|| read(file, &make(messages))));
        let growth = twice.as_secs_f64() / once.as_secs_f64();
        println!("{name:<22} {:>12} {:>12} {growth:>8.2}", millis(once), millis(twice));
    }
    let start = best(|| {
        let output = Command::new(env!("CARGO_BIN_EXE_sequent")).arg("--version").output();
        assert!(output.is_ok_and(|output| output.status.success()), "the command starts");
    });
    println!("{:<22} {:>12}", "start of the command", millis(start));
}

/// A notation: its name, a file name, and a diagram of a given number of messages.
type Input = (&'static str, &'static str, fn(usize) -> String);

const INPUTS: [Input; 4] = [
    ("PlantUML", "a.puml", plantuml),
    ("Mermaid", "a.mmd", mermaid),
    ("PlantUML in Markdown", "a.md", |messages| format!("# A\n\n```plantuml\n{}```\n", plantuml(messages))),
    ("Mermaid in Markdown", "b.md", |messages| format!("# A\n\n```mermaid\n{}```\n", mermaid(messages))),
];

fn read(name: &str, text: &str) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let settings = Settings::default();
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
    let outcome = pipeline::check(&reading, &settings, &Effort::default());
    assert_eq!(reading.model.interactions.len(), 1);
    assert!(
        reading.diagnostics.is_empty() && outcome.answers.is_empty(),
        "{:?}",
        reading.diagnostics.first()
    );
}

fn best(mut work: impl FnMut()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..RUNS).map(one).min().expect("there is at least one run")
}

fn millis(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1000.0)
}

fn plantuml(messages: usize) -> String {
    format!("@startuml\n{}@enduml\n", body(messages, "->", "-->"))
}

fn mermaid(messages: usize) -> String {
    format!("sequenceDiagram\n{}", body(messages, "->>", "-->>"))
}

/// Messages in blocks of ten, four blocks deep, with guards and a note.
fn body(messages: usize, call: &str, reply: &str) -> String {
    let mut text = String::new();
    let mut count = 0;
    while count < messages {
        text += "alt paid\nloop retry\nopt cached\npar\n";
        for index in 0..5 {
            let (a, b) = (index % 7, (index + 1) % 7);
            text +=
                &format!("p{a} {call} p{b} : request({count}, \"x\")\np{b} {reply} p{a} : answer {count}\n");
            count += 2;
        }
        text += "end\nend\nend\nelse refused\np1 ";
        text += call;
        text += " p2 : cancel\nnote over p1 : refused\nend\n";
        count += 1;
    }
    text
}
