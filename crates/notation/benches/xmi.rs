//! How long reading a large UML model takes, and how much memory: `cargo bench -p sequent-notation --bench xmi`.
//!
//! Models of at least 10 MB of several shapes, as tools write them. Each is read in a process of its own: the memory is what that process holds
//! at most, as Linux tells it, less what it held before.

use std::process::Command;
use std::time::{Duration, Instant};

use sequent_kernel::source::Sources;
use sequent_notation::{Context, xmi};

const BYTES: usize = 10 << 20;

/// A shape of models: its name, and what writes a model with an ending for its file.
type Shape = (&'static str, &'static str, fn() -> String);

const SHAPES: &[Shape] = &[
    ("interactions and machines of 1,000", "large.uml", || eclipse(|at, text| pair(at, 1_000, text))),
    ("many small machines", "large.uml", || eclipse(|at, text| machine(at, 20, text))),
    ("many small interactions", "large.uml", || eclipse(|at, text| interaction(at, (20, 5), text))),
    ("many classes", "large.uml", || eclipse(class)),
    ("one machine", "large.uml", || whole(ECLIPSE, &one(|text| machine(0, 24_000, text)))),
    ("one interaction", "large.uml", || whole(ECLIPSE, &one(|text| interaction(0, (24_000, 10), text)))),
    ("one interaction, 2,000 lifelines", "large.uml", || {
        whole(ECLIPSE, &one(|text| interaction(0, (24_000, 2_000), text)))
    }),
    ("MagicDraw", "large.mdxml", || whole(MAGIC_DRAW, &filled(mixed))),
    ("Enterprise Architect", "large.xmi", enterprise_architect),
];

fn main() {
    // `cargo bench` passes options of its own.
    let wanted = std::env::args().nth(1).and_then(|word| word.parse::<usize>().ok());
    if let Some(shape) = wanted.and_then(|at| SHAPES.get(at)) {
        return measure(shape);
    }
    for (at, (name, ..)) in SHAPES.iter().enumerate() {
        let own = std::env::current_exe().expect("a program");
        let status = Command::new(own).arg(at.to_string()).status().expect("the same program");
        assert!(status.success(), "{name}");
    }
}

fn measure((name, file, write): &Shape) {
    let text = write();
    let before = peak();
    let mut best = Duration::MAX;
    let mut found = String::new();
    for _ in 0..5 {
        let start = Instant::now();
        let mut sources = Sources::new();
        let file = sources.add(*file, text.as_str());
        let mut diagnostics = Vec::new();
        let mut context = Context::without_files(&mut sources, &mut diagnostics);
        let contents = xmi::read_file(file, &mut context);
        best = best.min(start.elapsed());
        assert!(contents.refused.is_empty(), "{:?}", diagnostics.first());
        let model = contents.model;
        let messages: usize = model.interactions.iter().map(|one| one.messages.len()).sum();
        let transitions: usize = model.machines.iter().map(|one| one.transitions.len()).sum();
        let classes = model.classes.len();
        found = format!("{messages} messages, {transitions} transitions, {classes} classes");
    }
    let megabytes = text.len() as f64 / 1e6;
    let memory = before.zip(peak()).map(|(before, after)| (after - before) as f64 / text.len() as f64);
    let memory = memory.map(|times| format!(", memory {times:.1} times the file")).unwrap_or_default();
    println!("{name}: {megabytes:.1} MB, {found}: {} ms{memory}", best.as_millis());
}

/// The most memory so far, in bytes.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kilobytes| kilobytes * 1024)
}

/// What stands before and behind the elements of a model.
type Frame = (&'static str, &'static str);

const ECLIPSE: Frame = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<uml:Model xmi:version=\"20131001\" xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
     xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" xmi:id=\"_model\" name=\"Large\">\n",
    "</uml:Model>\n",
);

const MAGIC_DRAW: Frame = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xmi:XMI xmi:version=\"2.1\" xmlns:uml=\"http://schema.omg.org/spec/UML/2.1.2\" \
     xmlns:xmi=\"http://schema.omg.org/spec/XMI/2.1\">\n<xmi:Documentation xmi:Exporter=\"MagicDraw UML\" xmi:ExporterVersion=\"16.8\"/>\n\
     <uml:Model xmi:id=\"_model\" name=\"Large\">\n",
    "</uml:Model>\n</xmi:XMI>\n",
);

const ENTERPRISE_ARCHITECT: Frame = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xmi:XMI xmi:version=\"2.1\" xmlns:uml=\"http://schema.omg.org/spec/UML/2.1\" \
     xmlns:xmi=\"http://schema.omg.org/spec/XMI/2.1\">\n<xmi:Documentation exporter=\"Enterprise Architect\" exporterVersion=\"6.5\"/>\n\
     <uml:Model xmi:type=\"uml:Model\" xmi:id=\"_model\" name=\"EA_Model\">\n",
    "</connectors>\n</xmi:Extension>\n</xmi:XMI>\n",
);

fn whole((head, tail): Frame, elements: &str) -> String {
    format!("{head}{elements}{tail}")
}

/// Elements until there are enough.
fn filled(add: impl Fn(usize, &mut String)) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < BYTES {
        add(number, &mut text);
        number += 1;
    }
    text
}

fn eclipse(add: impl Fn(usize, &mut String)) -> String {
    whole(ECLIPSE, &filled(add))
}

fn one(add: impl Fn(&mut String)) -> String {
    let mut text = String::new();
    add(&mut text);
    text
}

fn pair(number: usize, size: usize, text: &mut String) {
    interaction(number, (size, 10), text);
    machine(number, size, text);
}

fn mixed(number: usize, text: &mut String) {
    interaction(number, (30, 5), text);
    machine(number, 10, text);
    (0..5).for_each(|at| class(5 * number + at, text));
}

/// An interaction of so many messages between so many lifelines.
fn interaction(number: usize, (messages, lifelines): (usize, usize), text: &mut String) {
    let own = format!("_i{number}");
    *text += &format!(
        "<packagedElement xmi:type=\"uml:Interaction\" xmi:id=\"{own}\" name=\"Interaction {number}\">\n"
    );
    for line in 0..lifelines {
        *text +=
            &format!("  <lifeline xmi:type=\"uml:Lifeline\" xmi:id=\"{own}l{line}\" name=\"line{line}\"/>\n");
    }
    for message in 0..messages {
        let id = format!("{own}m{message}");
        for (end, line) in [("s", message % lifelines), ("r", (message + 1) % lifelines)] {
            *text += &format!(
                "  <fragment xmi:type=\"uml:MessageOccurrenceSpecification\" xmi:id=\"{id}{end}\" name=\"end\" covered=\"{own}l{line}\" message=\"{id}\"/>\n"
            );
        }
    }
    for message in 0..messages {
        let id = format!("{own}m{message}");
        *text += &format!(
            "  <message xmi:type=\"uml:Message\" xmi:id=\"{id}\" name=\"message{message}\" messageSort=\"asynchSignal\" receiveEvent=\"{id}r\" sendEvent=\"{id}s\"/>\n"
        );
    }
    *text += "</packagedElement>\n";
}

/// A machine of so many states with entry actions, guards, and signals that 30 events stand for.
fn machine(number: usize, states: usize, text: &mut String) {
    let own = format!("_s{number}");
    *text += &format!(
        "<packagedElement xmi:type=\"uml:StateMachine\" xmi:id=\"{own}\" name=\"Machine {number}\">\n  <region xmi:type=\"uml:Region\" xmi:id=\"{own}r\">\n    \
         <subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"{own}p\"/>\n    <transition xmi:type=\"uml:Transition\" xmi:id=\"{own}t\" source=\"{own}p\" target=\"{own}v0\"/>\n"
    );
    for state in 0..states {
        let (next, event) = ((state + 1) % states, state % 30);
        *text += &format!(
            "    <subvertex xmi:type=\"uml:State\" xmi:id=\"{own}v{state}\" name=\"State{state}\">\n      \
             <entry xmi:type=\"uml:OpaqueBehavior\" xmi:id=\"{own}e{state}\" name=\"act{state}\"/>\n    </subvertex>\n"
        );
        *text += &format!(
            "    <transition xmi:type=\"uml:Transition\" xmi:id=\"{own}t{state}\" source=\"{own}v{state}\" target=\"{own}v{next}\">\n      \
             <guard xmi:type=\"uml:Constraint\" xmi:id=\"{own}c{state}\">\n        <specification xmi:type=\"uml:OpaqueExpression\" xmi:id=\"{own}d{state}\">\n          \
             <language>OCL</language>\n          <body>x &lt; {state}</body>\n        </specification>\n      </guard>\n      \
             <trigger xmi:type=\"uml:Trigger\" xmi:id=\"{own}g{state}\" name=\"go{event}\" event=\"{own}w{event}\"/>\n    </transition>\n"
        );
    }
    *text += "  </region>\n</packagedElement>\n";
    for event in 0..30 {
        *text += &format!(
            "<packagedElement xmi:type=\"uml:SignalEvent\" xmi:id=\"{own}w{event}\" name=\"when{event}\" signal=\"{own}s{event}\"/>\n\
             <packagedElement xmi:type=\"uml:Signal\" xmi:id=\"{own}s{event}\" name=\"go{event}\"/>\n"
        );
    }
}

/// A class with attributes, operations, a generalization and an association.
fn class(number: usize, text: &mut String) {
    let own = format!("_c{number}");
    *text += &format!(
        "<packagedElement xmi:type=\"uml:Class\" xmi:id=\"{own}\" name=\"Class{number}\">\n  \
         <generalization xmi:type=\"uml:Generalization\" xmi:id=\"{own}g\" general=\"_c{}\"/>\n",
        number / 2
    );
    for at in 0..4 {
        let kind = number / 3;
        *text += &format!(
            "  <ownedAttribute xmi:type=\"uml:Property\" xmi:id=\"{own}a{at}\" name=\"attribute{at}\" type=\"_c{kind}\"/>\n  \
             <ownedOperation xmi:type=\"uml:Operation\" xmi:id=\"{own}o{at}\" name=\"operation{at}\">\n    \
             <ownedParameter xmi:type=\"uml:Parameter\" xmi:id=\"{own}p{at}\" name=\"x\" type=\"_c{kind}\"/>\n  </ownedOperation>\n"
        );
    }
    *text += &format!(
        "</packagedElement>\n<packagedElement xmi:type=\"uml:Association\" xmi:id=\"{own}n\" memberEnd=\"{own}x {own}y\">\n  \
         <ownedEnd xmi:type=\"uml:Property\" xmi:id=\"{own}x\" type=\"_c{}\" association=\"{own}n\"/>\n  \
         <ownedEnd xmi:type=\"uml:Property\" xmi:id=\"{own}y\" type=\"{own}\" association=\"{own}n\"/>\n</packagedElement>\n",
        number / 3
    );
}

/// Interactions and machines, and where the messages are drawn.
fn enterprise_architect() -> String {
    let (mut model, mut drawn) = (String::new(), String::new());
    let mut number = 0;
    while model.len() + drawn.len() < BYTES {
        interaction(number, (30, 5), &mut model);
        machine(number, 10, &mut model);
        for message in 0..30 {
            let height = 100 + 20 * message;
            drawn += &format!(
                "<connector xmi:idref=\"_i{number}m{message}\">\n  <appearance linemode=\"1\" linecolor=\"-1\" linewidth=\"0\" seqno=\"{message}\" headStyle=\"0\"/>\n  \
                 <extendedProperties virtualInheritance=\"0\" diagram=\"EAID_{number}\" sequence_points=\"PtStartX=100;PtStartY=-{height};PtEndX=200;PtEndY=-{height};\"/>\n</connector>\n"
            );
        }
        number += 1;
    }
    let between =
        "</uml:Model>\n<xmi:Extension extender=\"Enterprise Architect\" extenderID=\"6.5\">\n<connectors>\n";
    whole(ENTERPRISE_ARCHITECT, &format!("{model}{between}{drawn}"))
}
