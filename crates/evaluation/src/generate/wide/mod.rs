//! Random systems of objects, as text: two to four machines, mostly flat, that send each other a few messages. The same seed
//! gives the same system on every machine.
//!
//! A system is PlantUML, so a failing one can be read, and made smaller line by line.

mod writer;

use std::fmt::Write;

use sequent_kernel::model::{Communication, Completion, Steps};

use super::numbers::ChoiceSource;
use writer::MachineWriter;

/// A system as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WideCase {
    /// The medium.
    pub communication: Communication,
    /// How a step is taken under rendezvous.
    pub steps: Steps,
    /// Whether completion events wait in line.
    pub completion: Completion,
    /// Whether nothing comes from outside, and nothing goes there.
    pub closed: bool,
    /// How much a queue holds.
    pub capacity: u32,
    /// Objects by name and class; a class without machine is environment.
    pub objects: Vec<(String, String)>,
    /// The pairs of linked objects.
    pub links: Vec<(String, String)>,
    /// The machines.
    pub text: String,
}

impl WideCase {
    /// The case as text, for failing tests.
    pub fn dump(&self) -> String {
        let WideCase { communication, steps, completion, closed, capacity, objects, links, text } = self;
        format!(
            "{communication:?} {steps:?} {completion:?} closed {closed} capacity {capacity}\nobjects {objects:?}\nlinks {links:?}\n{text}"
        )
    }
}

impl WideCase {
    /// The settings of the case, as a settings file has them; `note` says where it comes from.
    pub fn settings(&self, note: &str) -> String {
        let communication = match self.communication {
            Communication::Queue => "queue",
            Communication::Bag => "bag",
            Communication::Rendezvous => "rendezvous",
        };
        let steps = match self.steps {
            Steps::Intermediate => "intermediate",
            Steps::Direct => "direct",
        };
        let completion = match self.completion {
            Completion::Queued => "queued",
            Completion::Free => "free",
        };
        let objects: Vec<String> =
            self.objects.iter().map(|(name, class)| format!("{name} = \"{class}\"")).collect();
        let links: Vec<String> =
            self.links.iter().map(|(one, other)| format!("[\"{one}\", \"{other}\"]")).collect();
        let WideCase { capacity, closed, .. } = self;
        format!(
            "# {note}\n[system]\ncommunication = \"{communication}\"\ncapacity = {capacity}\nsteps = \"{steps}\"\n\
             completion = \"{completion}\"\nclosed = {closed}\nobjects = {{ {} }}\nlinks = [{}]\n",
            objects.join(", "),
            links.join(", ")
        )
    }
}

/// Messages without arguments.
pub const MESSAGES: [&str; 4] = ["m", "n", "k", "l"];
/// Messages that carry a number.
pub(crate) const WITH_NUMBER: [&str; 2] = ["p", "q"];
/// Objects.
pub const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// The system of a seed; one that has to be quick has seldom more than two machines.
pub fn case(seed: u64, communication: Communication, is_quick: bool) -> WideCase {
    let mut numbers = ChoiceSource::new(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let is_rendezvous = communication == Communication::Rendezvous;
    let steps = if numbers.once_in(2) { Steps::Direct } else { Steps::Intermediate };
    let completion = if numbers.once_in(4) { Completion::Free } else { Completion::Queued };
    let more = if is_rendezvous { 2 } else { 4 } * if is_quick { 3 } else { 1 };
    let count = 2 + usize::from(numbers.once_in(more)) + usize::from(numbers.once_in(3 * more));
    let capacity = if numbers.once_in(3) { 2 } else { 1 };
    let mut objects: Vec<(String, String)> =
        (0..count).map(|at| (NAMES[at].to_owned(), format!("M{at}"))).collect();
    if count > 2 && numbers.once_in(4) {
        // Two objects of one machine.
        objects[count - 1].1 = "M0".to_owned();
    }
    let machines = if objects[count - 1].1 == "M0" { count - 1 } else { count };
    if numbers.once_in(3) {
        objects.push(("e".to_owned(), "Environment".to_owned()));
    }
    let mut links = Vec::new();
    if numbers.once_in(8) {
        for one in 0..objects.len() {
            for other in 0..one {
                if !numbers.once_in(3) {
                    links.push((objects[other].0.clone(), objects[one].0.clone()));
                }
            }
        }
    }
    let has_environment = objects.len() > count;
    let names = NAMES[..count].iter().copied().chain(has_environment.then_some("e")).collect();
    let mut text = String::new();
    let has_enumeration = numbers.once_in(4);
    writeln!(text, "@startuml classes").expect("a string takes all");
    for at in 0..machines {
        let operations = WITH_NUMBER.map(|name| format!("  {name}(v : 0..1)\n")).concat();
        writeln!(text, "class M{at} {{\n{operations}}}").expect("a string takes all");
    }
    if has_enumeration {
        writeln!(text, "enum Colour {{\n  red\n  green\n}}").expect("a string takes all");
    }
    writeln!(text, "@enduml").expect("a string takes all");
    for at in 0..machines {
        let medium = communication;
        let twins = if at == 0 && machines < count { vec![NAMES[0], NAMES[count - 1]] } else { Vec::new() };
        let mut writer = MachineWriter {
            numbers: &mut numbers,
            text: &mut text,
            names: &names,
            twins,
            medium,
            at,
            states: 0,
            has_enumeration,
            is_plain: false,
            composites: Vec::new(),
            is_free: is_rendezvous || completion == Completion::Free,
            has_joins: false,
            points: Vec::new(),
            around: Vec::new(),
        };
        writer.machine();
    }
    // The numbers stay as they are, so that a seed is the same system as before.
    let closed = seed % 3 == 1;
    WideCase { communication, steps, completion, closed, capacity, objects, links, text }
}
