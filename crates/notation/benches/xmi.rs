//! How long reading a large UML model takes, and how much memory: `cargo bench -p sequent-notation --bench xmi`.
//!
//! A model of at least 10 MB, half interactions and half state machines, as our writer writes it. The memory is what the process holds at most,
//! as Linux tells it, less what it held before.

use std::time::Instant;

use sequent_kernel::source::Sources;
use sequent_notation::{Context, xmi};

const BYTES: usize = 10 << 20;

fn main() {
    let text = model();
    let megabytes = text.len() as f64 / 1e6;
    let before = peak();
    for _ in 0..5 {
        let start = Instant::now();
        let mut sources = Sources::new();
        let file = sources.add("large.uml", text.as_str());
        let mut diagnostics = Vec::new();
        let mut context = Context::without_files(&mut sources, &mut diagnostics);
        let contents = xmi::read_file(file, &mut context);
        let took = start.elapsed();
        assert!(diagnostics.is_empty(), "{:?}", diagnostics.first());
        let messages: usize = contents.model.interactions.iter().map(|one| one.messages.len()).sum();
        let transitions: usize = contents.model.machines.iter().map(|one| one.transitions.len()).sum();
        println!(
            "{megabytes:.1} MB, {messages} messages, {transitions} transitions: {} ms",
            took.as_millis()
        );
    }
    if let (Some(before), Some(after)) = (before, peak()) {
        println!("memory: {:.1} times the file", (after - before) as f64 / text.len() as f64);
    }
}

/// The most memory so far, in bytes.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Interactions of 1,000 messages in fragments, machines of 1,000 states.
fn model() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<uml:Model xmi:version=\"20131001\" xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
         xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" xmi:id=\"_model\" name=\"Large\">\n",
    );
    let mut number = 0;
    while text.len() < BYTES {
        interaction(number, &mut text);
        machine(number, &mut text);
        number += 1;
    }
    text + "</uml:Model>\n"
}

fn interaction(number: usize, text: &mut String) {
    let own = format!("_i{number}");
    *text += &format!(
        "  <packagedElement xmi:type=\"uml:Interaction\" xmi:id=\"{own}\" name=\"Interaction {number}\">\n"
    );
    for line in 0..10 {
        *text += &format!(
            "    <lifeline xmi:type=\"uml:Lifeline\" xmi:id=\"{own}l{line}\" name=\"line{line}\"/>\n"
        );
    }
    for message in 0..1000 {
        let id = format!("{own}m{message}");
        for (end, line) in [("s", message % 10), ("r", (message + 1) % 10)] {
            *text += &format!(
                "    <fragment xmi:type=\"uml:MessageOccurrenceSpecification\" xmi:id=\"{id}{end}\" name=\"end\" covered=\"{own}l{line}\" message=\"{id}\"/>\n"
            );
        }
    }
    for message in 0..1000 {
        let id = format!("{own}m{message}");
        *text += &format!(
            "    <message xmi:type=\"uml:Message\" xmi:id=\"{id}\" name=\"message{message}\" messageSort=\"asynchSignal\" receiveEvent=\"{id}r\" sendEvent=\"{id}s\"/>\n"
        );
    }
    *text += "  </packagedElement>\n";
}

fn machine(number: usize, text: &mut String) {
    let own = format!("_s{number}");
    *text += &format!(
        "  <packagedElement xmi:type=\"uml:StateMachine\" xmi:id=\"{own}\" name=\"Machine {number}\">\n    <region xmi:type=\"uml:Region\" xmi:id=\"{own}r\">\n"
    );
    *text += &format!(
        "      <subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"{own}p\"/>\n      <transition xmi:type=\"uml:Transition\" xmi:id=\"{own}t\" source=\"{own}p\" target=\"{own}v0\"/>\n"
    );
    for state in 0..1000 {
        let next = (state + 1) % 1000;
        *text += &format!(
            "      <subvertex xmi:type=\"uml:State\" xmi:id=\"{own}v{state}\" name=\"State{state}\"/>\n"
        );
        *text += &format!(
            "      <transition xmi:type=\"uml:Transition\" xmi:id=\"{own}t{state}\" source=\"{own}v{state}\" target=\"{own}v{next}\">\n        \
             <trigger xmi:type=\"uml:Trigger\" xmi:id=\"{own}g{state}\" name=\"go{state}\"/>\n      </transition>\n"
        );
    }
    *text += "    </region>\n  </packagedElement>\n";
}
