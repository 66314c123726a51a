//! A System as one process: its parameters are the variables, and it goes on with one of the steps that are possible.
//!
//! - A step is an event: what is seen of it, or `silent`, which is hidden in the whole.
//! - What is decided at once is decided before anything else.
//! - Where a run may end, the process may `SKIP`.
//! - A step into a state in which the run does not count is left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{ComponentId, Node, Step, System, TermId, VariableId};

use super::super::names::Names;
use super::super::question::steps as joint_steps;
use super::alphabet::{Alphabet, Seen};
use super::names::names;
use super::terms::Writer;
use super::{Cspm, Subject, Unwritten, comment};

/// Writes a system.
pub fn steps(subject: &Subject<'_>) -> Result<Cspm, Unwritten> {
    let steps = joint_steps(subject.system)?;
    // Conditions on what comes after a step are new terms.
    let mut system = subject.system.clone();
    let conditions: Vec<Conditions> = steps.iter().map(|step| Conditions::new(&mut system, step)).collect();
    let urgent = urgent(&mut system, &steps, &conditions);
    let ending = ending(&mut system, &conditions);
    let mut wanted: Vec<TermId> = vec![ending];
    wanted.extend(urgent);
    for one in &conditions {
        wanted.push(one.guard);
        wanted.extend(one.updates.values());
    }
    let mut names = names();
    let whole = names.give("System");
    let state = names.give("State");
    let shown: Vec<Vec<String>> = steps
        .iter()
        .map(|step| system.events(step).map(|event| system.events[event].text.clone()).collect())
        .collect();
    let texts: BTreeSet<&String> = shown.iter().flatten().collect();
    let seen: Vec<Seen> = system
        .events
        .iter()
        .filter(|event| texts.contains(&event.text))
        .map(|event| Seen::new(&system, event))
        .collect();
    let alphabet = Alphabet::new(&seen, &shown.iter().cloned().collect(), &mut names);
    let writer = Writer::new(&system, subject.legend, &wanted, &mut names)?;
    let author = Author {
        subject,
        writer: &writer,
        alphabet: &alphabet,
        steps: &steps,
        shown: &shown,
        conditions: &conditions,
    };
    let text = author.write(&mut names, [&whole, &state], urgent, ending);
    Ok(Cspm { text, process: whole, events: alphabet.all() })
}

/// When a step is possible, and what it changes.
struct Conditions {
    guard: TermId,
    updates: BTreeMap<VariableId, TermId>,
}

impl Conditions {
    fn new(system: &mut System, step: &Step) -> Self {
        let rules: Vec<_> = step.0.iter().map(|rule| system.rules[*rule].clone()).collect();
        let mut parts: Vec<TermId> = rules.iter().map(|rule| rule.guard).collect();
        let mut updates: BTreeMap<VariableId, TermId> = BTreeMap::new();
        for (variable, term) in rules.iter().flat_map(|rule| &rule.updates) {
            parts.extend(within(system, *variable, *term));
            if let Some(other) = updates.insert(*variable, *term) {
                parts.push(system.terms.equal(other, *term));
            }
        }
        let lost = [system.void, system.invalid, system.inconclusive];
        let lost = system.terms.or(lost);
        if system.terms.as_constant(lost) != Some(0) {
            let after: HashMap<TermId, TermId> =
                updates.iter().map(|(variable, term)| (system.terms.variable(*variable), *term)).collect();
            let after = system.terms.replace(lost, &after);
            parts.push(system.terms.not(after));
        }
        updates.retain(|variable, term| *system.terms.node(*term) != Node::Variable(*variable));
        Conditions { guard: system.terms.and(parts), updates }
    }
}

/// That a value lies in the domain of its variable.
pub fn within(system: &mut System, variable: VariableId, term: TermId) -> Vec<TermId> {
    let (min, max) = (system.variables[variable].min, system.variables[variable].max);
    match system.terms.node(term) {
        Node::Constant(value) if (min..=max).contains(value) => Vec::new(),
        Node::Variable(other) if *other == variable => Vec::new(),
        Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Equal(..) | Node::Less(..)
            if min <= 0 && max >= 1 =>
        {
            Vec::new()
        }
        _ => {
            let [low, high] = [min, max].map(|bound| system.terms.constant(bound));
            [system.terms.less(term, low), system.terms.less(high, term)]
                .map(|outside| system.terms.not(outside))
                .to_vec()
        }
    }
}

/// When a run may end: where machines communicate, only where nothing can happen any more.
fn ending(system: &mut System, conditions: &[Conditions]) -> TermId {
    if !system.is_free() {
        return system.complete;
    }
    let more = system.terms.or(conditions.iter().map(|one| one.guard));
    let [rest, sound] = [more, system.strained].map(|term| system.terms.not(term));
    system.terms.and([system.complete, rest, sound])
}

/// When something is decided before anything else.
fn urgent(system: &mut System, steps: &[Step], conditions: &[Conditions]) -> Option<TermId> {
    let is_urgent = |step: &Step| system.rules[step.0[0]].urgent;
    let any: Vec<TermId> =
        steps.iter().zip(conditions).filter(|(step, _)| is_urgent(step)).map(|(_, one)| one.guard).collect();
    (!any.is_empty()).then(|| system.terms.or(any))
}

struct Author<'a> {
    subject: &'a Subject<'a>,
    writer: &'a Writer<'a>,
    alphabet: &'a Alphabet,
    steps: &'a [Step],
    shown: &'a [Vec<String>],
    conditions: &'a [Conditions],
}

impl Author<'_> {
    fn write(
        &self,
        names: &mut Names,
        [whole, state]: [&str; 2],
        urgent: Option<TermId>,
        ending: TermId,
    ) -> String {
        let system = self.writer.system;
        let mut text = format!(
            "-- {}\n--\n-- Step by step: the parameters of the processes are the variables of the system, and\n-- {state} goes on with one of the steps that are possible.\n\n",
            comment(self.subject.title)
        );
        text += &self.alphabet.declarations;
        text += "-- A step of which nothing is seen.\nchannel silent\n\n";
        text += &self.writer.declarations;
        let is_urgent = |number: &usize| system.rules[self.steps[*number].0[0]].urgent;
        let decisions: Vec<usize> = (0..self.steps.len()).filter(is_urgent).collect();
        let mut own: IdVec<ComponentId, Vec<usize>> = system.components.iter().map(|_| Vec::new()).collect();
        for number in (0..self.steps.len()).filter(|number| !is_urgent(number)) {
            own[system.actor(&self.steps[number])].push(number);
        }
        let all = self.writer.all();
        let call = |name: &str| if all.is_empty() { name.to_owned() } else { format!("{name}({all})") };
        let mut processes: Vec<String> = Vec::new();
        for (component, numbers) in own.enumerate().filter(|(_, numbers)| !numbers.is_empty()) {
            let name = &system.components[component];
            let process = call(&names.give(&capital(name)));
            let _ = writeln!(text, "\n-- What {} does.\n{process} =", comment(or_outside(name)));
            text += &self.choices(&numbers.clone(), state);
            processes.push(process);
        }
        let complete = self.writer.truth(ending);
        processes.push(match complete.as_str() {
            "true" => "SKIP".to_owned(),
            complete => format!("{complete} & SKIP"),
        });
        if complete == "false" {
            processes.pop();
        }
        let ways = if processes.is_empty() { "STOP".to_owned() } else { processes.join("\n  [] ") };
        let goes_on = call(state);
        match urgent {
            None => {
                let _ = writeln!(
                    text,
                    "\n-- A state; where a run may end it may be over.\n{goes_on} =\n  {ways}"
                );
            }
            Some(urgent) => {
                let process = call(&names.give("Decisions"));
                let _ = writeln!(text, "\n-- What is decided at once.\n{process} =");
                text += &self.choices(&decisions, state);
                let _ = writeln!(
                    text,
                    "\n-- A state; what is due is decided first, and where a run may end it may be over.\n{goes_on} =\n  if {} then {process} else (\n  {ways})",
                    self.writer.truth(urgent)
                );
            }
        }
        let first: Vec<String> = (0..self.writer.variables.len())
            .map(|at| self.writer.first(VariableId::from_index(at)))
            .collect();
        let first =
            if first.is_empty() { state.to_owned() } else { format!("{state}({})", first.join(", ")) };
        let _ = writeln!(text, "\n-- The whole.\n{whole} = {first} \\ {{ silent }}");
        text
    }

    /// Some steps, one of which is taken.
    fn choices(&self, numbers: &[usize], state: &str) -> String {
        let mut lines = Vec::new();
        for number in numbers {
            let Conditions { guard, updates } = &self.conditions[*number];
            let guard = match self.writer.truth(*guard).as_str() {
                "true" => String::new(),
                guard => format!("{guard} & "),
            };
            let event = self.alphabet.events(&self.shown[*number]);
            let after = self.writer.changed(updates);
            let after = if after.is_empty() { state.to_owned() } else { format!("{state}({after})") };
            let note = comment(&(self.subject.note)(&self.steps[*number]));
            lines.push((note, format!("{guard}{event} -> {after}")));
        }
        let mut text = String::new();
        let mut last = String::new();
        for (at, (note, line)) in lines.into_iter().enumerate() {
            if note != last {
                let _ = writeln!(text, "  -- {note}");
            }
            let _ = writeln!(text, "  {}{line}", if at == 0 { "   " } else { "[] " });
            last = note;
        }
        text
    }
}

/// A name that begins with a capital letter, as processes do.
pub fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_else(|| "Outside".to_owned())
}

fn or_outside(name: &str) -> &str {
    if name.is_empty() { "the outside" } else { name }
}
