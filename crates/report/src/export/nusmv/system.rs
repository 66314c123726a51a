//! A System as NuSMV: its step relation, step by step.
//!
//! A state has the values of all variables and `step`, the number of the step that led there; 0 if none did. A transition of
//! NuSMV is a step of ours: for each there is a constraint that says when it may be taken and what it changes, and for each
//! variable one that says which steps leave it alone. Where nothing goes on the state is repeated, with `step` 0.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::system::{Step, System, TermId, TermNode, VariableId};

use super::super::question::{self, Unwritten, WantedGoal, WrittenSubject, steps};
use super::claim::NusmvClaim;
use super::lexicon::{comment, fresh, set};
use super::terms::{NusmvTermWriter, VariableDomain};

/// A model for NuSMV, and how to read what NuSMV says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NuSmv {
    /// The model.
    pub text: String,
    /// The steps; `step` is their number from 1 on.
    pub steps: Vec<Step>,
    /// Whether an invariant is asked for.
    pub seeks_states: bool,
    /// Whether a formula is asked for.
    pub seeks_cycles: bool,
}

/// A system, and a question about it.
pub fn nusmv(subject: &WrittenSubject<'_>, wanted: &WantedGoal<'_>) -> Result<NuSmv, Unwritten> {
    let system = subject.system;
    let steps = steps(system)?;
    let mut names = fresh();
    let mut terms = question::terms(system, wanted);
    for rule in system.rules.iter() {
        terms.push(rule.guard);
        terms.extend(rule.updates.iter().map(|(_, term)| *term));
    }
    let (writer, defined) = NusmvTermWriter::new(system, subject.legend, &terms, &mut names)?;
    let model = NusmvModel { subject, writer: &writer, steps: &steps };
    let claim = NusmvClaim::new(&writer, &steps, wanted)?;
    let mut text = format!("-- {}\n--\n", comment(subject.title));
    for line in &claim.question {
        let _ = writeln!(text, "-- {line}");
    }
    text += "-- `step` is the number of the step that led to a state.\n\nMODULE main\n";
    text += &model.declarations();
    text += &claim.declarations;
    text += "\nDEFINE\n";
    for (name, value) in &defined {
        let _ = writeln!(text, "  {name} := {value};");
    }
    text += &model.conditions(&claim);
    text += &claim.definitions;
    text += &model.first();
    text += &claim.first;
    text += &model.steps();
    text += &model.frames();
    text += &claim.transitions;
    text += &claim.specification;
    Ok(NuSmv { text, steps, seeks_states: claim.seeks_states, seeks_cycles: claim.seeks_cycles })
}

struct NusmvModel<'m> {
    subject: &'m WrittenSubject<'m>,
    writer: &'m NusmvTermWriter<'m>,
    steps: &'m [Step],
}

impl NusmvModel<'_> {
    fn system(&self) -> &System {
        self.subject.system
    }

    fn declarations(&self) -> String {
        let mut text = String::from("\nVAR\n");
        for (id, variable) in self.system().variables.enumerate() {
            let written = &self.writer.variables[id];
            let domain = match &written.domain {
                VariableDomain::Truth => "boolean".to_owned(),
                VariableDomain::Range => format!("{}..{}", variable.min, variable.max),
                VariableDomain::Symbols(symbols) => {
                    format!("{{{}}}", symbols.values().cloned().collect::<Vec<_>>().join(", "))
                }
            };
            let _ = writeln!(text, "  {} : {domain}; -- {}", written.name, comment(&variable.name));
        }
        let _ = writeln!(text, "  step : 0..{};", self.steps.len());
        text
    }

    /// When steps may be taken.
    fn conditions(&self, claim: &NusmvClaim) -> String {
        let is_urgent = |step: &Step| self.system().rules[step.0[0]].urgent;
        let has_urgent = self.steps.iter().any(is_urgent);
        let mut text = String::new();
        let list = |which: &dyn Fn(&Step) -> bool| -> String {
            let all: Vec<String> = (1..)
                .zip(self.steps)
                .filter(|(_, step)| which(step))
                .map(|(number, _)| format!("can_{number}"))
                .collect();
            if all.is_empty() { "FALSE".to_owned() } else { all.join(" | ") }
        };
        for (number, step) in (1..).zip(self.steps) {
            let mut parts = claim.always.clone();
            if has_urgent && !is_urgent(step) {
                parts.push("!urgent".to_owned());
            }
            parts.extend(self.guard(step));
            let parts = if parts.is_empty() { "TRUE".to_owned() } else { parts.join(" & ") };
            let _ = writeln!(text, "  can_{number} := {parts};");
        }
        if has_urgent {
            let _ = writeln!(text, "  -- What is decided at once, before anything else happens.");
            let _ = writeln!(text, "  urgent := {};", list(&is_urgent));
        }
        let _ = writeln!(text, "  can := {};", list(&|_| true));
        text
    }

    /// When all rules of a step may fire together.
    fn guard(&self, step: &Step) -> Vec<String> {
        let (system, writer) = (self.system(), self.writer);
        let mut parts: Vec<String> = Vec::new();
        for rule in &step.0 {
            if *system.terms.node(system.rules[*rule].guard) != TermNode::Constant(1) {
                let text = writer.truth(system.rules[*rule].guard);
                parts.extend((!parts.contains(&text)).then_some(text));
            }
        }
        let mut written: BTreeMap<VariableId, TermId> = BTreeMap::new();
        for (variable, term) in step.0.iter().flat_map(|rule| &system.rules[*rule].updates) {
            let domain = &system.variables[*variable];
            let (low, high) = writer.range(*term);
            if low < i64::from(domain.min) {
                parts.push(format!("{} >= {}", writer.number(*term), domain.min));
            }
            if high > i64::from(domain.max) {
                parts.push(format!("{} <= {}", writer.number(*term), domain.max));
            }
            match written.insert(*variable, *term) {
                Some(other) if other != *term => {
                    parts.push(format!("{} = {}", writer.number(other), writer.number(*term)));
                }
                Some(_) | None => {}
            }
        }
        parts
    }

    fn first(&self) -> String {
        let each = self.system().variables.enumerate();
        let each = each.map(|(id, variable)| self.writer.is(id, variable.initial));
        let all: Vec<String> = each.chain(["step = 0".to_owned()]).collect();
        format!("\nINIT {}\n", all.join(" & "))
    }

    fn steps(&self) -> String {
        let mut text = String::new();
        let mut last = String::new();
        for (number, step) in (1..).zip(self.steps) {
            let note = (self.subject.note)(step);
            if note != last && !note.is_empty() {
                let _ = writeln!(text, "\n-- {}", comment(&note));
            }
            let updates = self.updates(step);
            let changes = updates.iter().map(|(variable, term)| self.writer.becomes(*variable, *term));
            let all: Vec<String> = [format!("can_{number}")].into_iter().chain(changes).collect();
            let _ = writeln!(text, "TRANS next(step) = {number} -> {}", all.join(" & "));
            last = note;
        }
        text
    }

    /// What a step changes.
    fn updates(&self, step: &Step) -> BTreeMap<VariableId, TermId> {
        let system = self.system();
        let all = step.0.iter().flat_map(|rule| &system.rules[*rule].updates);
        all.copied()
            .filter(|(variable, term)| *system.terms.node(*term) != TermNode::Variable(*variable))
            .collect()
    }

    /// Frame conditions: which steps leave which variables unchanged.
    fn frames(&self) -> String {
        let mut writers: BTreeMap<VariableId, BTreeSet<usize>> = BTreeMap::new();
        for (number, step) in (1..).zip(self.steps) {
            for variable in self.updates(step).into_keys() {
                writers.entry(variable).or_default().insert(number);
            }
        }
        let mut text = String::from("\n-- What a step does not change stays.\n");
        for (id, _) in self.system().variables.enumerate() {
            let name = &self.writer.variables[id].name;
            let stays = match self.writer.variables[id].domain {
                VariableDomain::Truth => format!("(next({name}) <-> {name})"),
                VariableDomain::Range | VariableDomain::Symbols(_) => format!("next({name}) = {name}"),
            };
            let _ = match writers.get(&id) {
                None => writeln!(text, "TRANS {stays}"),
                Some(writers) => writeln!(text, "TRANS next(step) in {} | {stays}", set(writers)),
            };
        }
        text
    }
}
