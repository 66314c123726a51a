//! A System as Promela: paper 003's shape.
//!
//! Each component is a process that does one thing forever: it takes one of its steps. All variables are global, so a
//! process has no state of its own, and SPIN stores exactly the states of the System. Rules that fire together are one
//! `d_step` of the process that acts. Updates of a rule happen at once; written one after the other, each comes before what
//! it would overwrite, or goes through a variable that is 0 again after the step.
//!
//! - Urgent steps have a higher priority.
//! - Where a run may end, the process `ending` may go on without doing anything: so SPIN's own `invalid end state` is what
//!   we call stuck.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent_kernel::system::{ComponentId, Step, System, Variable};

use super::super::names::Identifiers;
use super::super::question::{self, Unwritten, WantedGoal, WrittenSubject, steps};
use super::claim::PromelaClaim;
use super::deeds::Deeds;
use super::lexicon::{comment, printed};
use super::names::{VariableLayout, fresh};
use super::terms::PromelaTermWriter;

/// A model for SPIN, and how to read what SPIN says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promela {
    /// The model.
    pub text: String,
    /// The steps, by the numbers that they print.
    pub steps: Vec<Step>,
    /// How many bytes SPIN needs for a state, about.
    pub bytes: usize,
    /// Whether cycles are looked for, and not only states.
    pub seeks_cycles: bool,
}

/// A system, and a question about it.
pub fn promela(subject: &WrittenSubject<'_>, wanted: &WantedGoal<'_>) -> Result<Promela, Unwritten> {
    let system = subject.system;
    let steps = steps(system)?;
    let mut names = fresh();
    let layout = VariableLayout::new(system, subject.legend, &[], &mut names);
    let mut terms = question::terms(system, wanted);
    for rule in system.rules.iter() {
        terms.push(rule.guard);
        terms.extend(rule.updates.iter().map(|(_, term)| *term));
    }
    let (writer, macros) = PromelaTermWriter::new(system, &layout, &terms, &mut names)?;
    let claim = PromelaClaim::new(&writer, &steps, wanted, &mut names)?;
    let mut text = heading(subject, &claim);
    text += &declarations(&writer, &macros);
    text += &claim.declarations;
    let model = PromelaModel { subject, writer: &writer, steps: &steps, claim: &claim };
    text += &model.processes(&mut names);
    text += &claim.ending;
    text += &claim.never;
    let bytes = layout.declared.iter().map(|(_, members)| 4 * members.len()).sum::<usize>();
    let processes = system.components.len() + 3;
    Ok(Promela { text, steps, bytes: bytes + 16 * processes + 64, seeks_cycles: claim.seeks_cycles })
}

fn heading(subject: &WrittenSubject<'_>, claim: &PromelaClaim) -> String {
    let mut text = format!("/* {}\n *\n", comment(subject.title));
    for line in &claim.question {
        let _ = writeln!(text, " * {}", comment(line));
    }
    text += " *\n * Each process takes its steps forever; a step prints its number when SPIN simulates it (`spin -t -T`).\n */\n\n";
    text
}

pub(super) fn declarations(writer: &PromelaTermWriter<'_>, macros: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, value) in &writer.layout.constants {
        let _ = writeln!(text, "#define {name} {value}");
    }
    for (name, members) in &writer.layout.declared {
        let domain = &writer.system.variables[members[0]];
        let kind = kind(domain);
        let size = if members.len() > 1 { format!("[{}]", members.len()) } else { String::new() };
        let first = if domain.initial == 0 { String::new() } else { format!(" = {}", domain.initial) };
        let named = comment(&domain.name);
        let _ = writeln!(text, "{kind} {name}{size}{first}; /* {named}: {}..{} */", domain.min, domain.max);
    }
    text += "\n";
    for (name, value) in macros {
        let _ = writeln!(text, "#define {name} {value}");
    }
    text
}

/// The smallest type that holds the values of a variable.
pub(super) fn kind(domain: &Variable) -> &'static str {
    match (domain.min, domain.max) {
        (0, 1) => "bool",
        (0..=255, 0..=255) => "byte",
        (-32_768..=32_767, -32_768..=32_767) => "short",
        _ => "int",
    }
}

struct PromelaModel<'m> {
    subject: &'m WrittenSubject<'m>,
    writer: &'m PromelaTermWriter<'m>,
    steps: &'m [Step],
    claim: &'m PromelaClaim,
}

impl PromelaModel<'_> {
    fn system(&self) -> &System {
        self.subject.system
    }

    /// The processes; components that do nothing but decide what is urgent are one.
    fn processes(&self, names: &mut Identifiers) -> String {
        let system = self.system();
        let mut own: BTreeMap<ComponentId, Vec<usize>> = BTreeMap::new();
        for (number, step) in self.steps.iter().enumerate() {
            own.entry(system.actor(step)).or_default().push(number);
        }
        let is_urgent = |number: &usize| system.rules[self.steps[*number].0[0]].urgent;
        let mut urgent: Vec<usize> = (0..self.steps.len()).filter(is_urgent).collect();
        let mut text = String::new();
        let mut widest = 0;
        if !urgent.is_empty() {
            urgent.sort_unstable();
            let title = "What is decided at once, before anything else happens.";
            text += &self.process(&names.give("decisions"), title, 10, &urgent, &mut widest);
        }
        for (component, mut numbers) in own {
            numbers.retain(|number| !is_urgent(number));
            if !numbers.is_empty() {
                let name = &system.components[component];
                text += &self.process(&names.give(name), name, 1, &numbers, &mut widest);
            }
        }
        let hidden: String =
            (0..widest).map(|number| format!("int new_{number}; /* 0 but within a step */\n")).collect();
        format!("{hidden}{text}")
    }

    fn process(
        &self,
        name: &str,
        title: &str,
        priority: u8,
        numbers: &[usize],
        widest: &mut usize,
    ) -> String {
        let has_urgent = self.system().rules.iter().any(|rule| rule.urgent);
        let priority = if has_urgent { format!(" priority {priority}") } else { String::new() };
        let mut text = format!("\n/* {} */\nactive proctype {name}(){priority} {{\n  do\n", comment(title));
        let mut last = String::new();
        for number in numbers {
            let note = (self.subject.note)(&self.steps[*number]);
            if note != last {
                let _ = writeln!(text, "  /* {} */", comment(&note));
            }
            text += &self.step(*number, &note, widest);
            last = note;
        }
        text + "  od\n}\n"
    }

    fn step(&self, number: usize, note: &str, widest: &mut usize) -> String {
        let step = &self.steps[number];
        let deeds = Deeds { writer: self.writer };
        let guard = [self.claim.always.clone(), deeds.guard(&step.0)].concat();
        let guard = if guard.is_empty() { "true".to_owned() } else { guard.join(" && ") };
        let mut text = format!("  :: d_step {{ {guard} ->\n");
        let (before, after) = &self.claim.shown[number];
        let mut lines: Vec<String> = before.clone();
        lines.extend(deeds.updates(&step.0, widest));
        lines.extend(after.clone());
        lines.push(format!("printf(\"@{number} {}\\n\")", printed(note)));
        let _ = writeln!(text, "       {} }}", lines.join("; "));
        text
    }
}
