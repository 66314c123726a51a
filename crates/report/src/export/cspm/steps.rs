//! A System as one process: its parameters are the variables, and it goes on with one of the steps that are possible.
//!
//! - A step is an event: what is seen of it, or `silent`, which is hidden in the whole.
//! - Urgent steps come before all others.
//! - Where a run may end, the process may `SKIP`.
//! - A step into a state in which the run does not count is left out. Where no other step is left the process
//!   diverges instead of stopping: which runs the guards exclude is only known later, but none of these runs
//!   is a deadlock.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{ComponentId, Step, System, TermId, TermNode, VariableId};

use super::super::names::Identifiers;
use super::super::question::steps as joint_steps;
use super::alphabet::{ScriptAlphabet, SeenEvent};
use super::terms::CspmTermWriter;
use super::{Unwritten, WrittenSubject, comment};

/// A system step by step, ready to be written.
pub(crate) struct Stepwise<'a> {
    subject: WrittenSubject<'a>,
    /// With conditions on what comes after a step.
    system: System,
    steps: Vec<Step>,
    conditions: Vec<StepConditions>,
    /// What is seen of each step.
    shown: Vec<Vec<String>>,
    urgent: Option<TermId>,
    /// When a run may end, if ends are modelled.
    ending: Option<TermId>,
    /// Where guards rule out whatever could come, if they ever do.
    ruled_out: Option<TermId>,
}

impl<'a> Stepwise<'a> {
    /// Finds out which steps there are, and when.
    pub(crate) fn new(subject: &WrittenSubject<'a>) -> Result<Self, Unwritten> {
        let steps = joint_steps(subject.system)?;
        let mut system = subject.system.clone();
        let conditions: Vec<StepConditions> =
            steps.iter().map(|step| StepConditions::new(&mut system, step)).collect();
        let urgent = urgent(&mut system, &steps, &conditions);
        let ending = ending(&mut system, &conditions);
        let ruled_out = ruled_out(&mut system, &steps, &conditions, (urgent, ending));
        let ending = Some(ending);
        let text = |event| system.events[event].text.clone();
        let shown = steps.iter().map(|step| system.events(step).map(text).collect()).collect();
        Ok(Stepwise { subject: *subject, system, steps, conditions, shown, urgent, ending, ruled_out })
    }

    /// The same with or without telling where a run may end.
    pub(crate) fn ending(self, tells: bool) -> Self {
        Stepwise { ending: self.ending.filter(|_| tells), ..self }
    }

    /// What it is called.
    pub(crate) fn title(&self) -> &str {
        self.subject.title
    }

    /// What is seen of it.
    pub(crate) fn seen(&self) -> Vec<SeenEvent> {
        let texts: BTreeSet<&String> = self.shown.iter().flatten().collect();
        let events = self.system.events.iter().filter(|event| texts.contains(&event.text));
        events.map(|event| SeenEvent::new(&self.system, event)).collect()
    }

    /// What is seen at once.
    pub(crate) fn together(&self) -> impl Iterator<Item = Vec<String>> {
        self.shown.iter().cloned()
    }

    /// The processes; the last is the whole, which has a name already.
    pub(crate) fn write(
        &self,
        alphabet: &ScriptAlphabet,
        names: &mut Identifiers,
        whole: &str,
    ) -> Result<String, Unwritten> {
        let mut wanted: Vec<TermId> = self.ending.into_iter().collect();
        wanted.extend(self.urgent.into_iter().chain(self.ruled_out));
        for one in &self.conditions {
            wanted.push(one.guard);
            wanted.extend(one.updates.values());
        }
        let writer = CspmTermWriter::new(&self.system, self.subject.legend, &wanted, names)?;
        let state = names.give("State");
        Ok(StepWriter { draft: self, writer: &writer, alphabet }.write(names, [whole, &state]))
    }
}

/// When a step is possible, and what it changes.
struct StepConditions {
    guard: TermId,
    /// The same if it counts what comes then or not.
    raw: TermId,
    updates: BTreeMap<VariableId, TermId>,
}

impl StepConditions {
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
        let raw = system.terms.and(parts.iter().copied());
        let lost = [system.void, system.invalid, system.inconclusive];
        let lost = system.terms.or(lost);
        if system.terms.as_constant(lost) != Some(0) {
            let after: HashMap<TermId, TermId> =
                updates.iter().map(|(variable, term)| (system.terms.variable(*variable), *term)).collect();
            let after = system.terms.replace(lost, &after);
            parts.push(system.terms.not(after));
        }
        updates.retain(|variable, term| *system.terms.node(*term) != TermNode::Variable(*variable));
        StepConditions { guard: system.terms.and(parts), raw, updates }
    }
}

/// That a value lies in the domain of its variable.
pub(crate) fn within(system: &mut System, variable: VariableId, term: TermId) -> Vec<TermId> {
    let (min, max) = (system.variables[variable].min, system.variables[variable].max);
    match system.terms.node(term) {
        TermNode::Constant(value) if (min..=max).contains(value) => Vec::new(),
        TermNode::Variable(other)
            if system.variables[*other].min >= min && system.variables[*other].max <= max =>
        {
            Vec::new()
        }
        TermNode::Not(_) | TermNode::And(_) | TermNode::Or(_) | TermNode::Equal(..) | TermNode::Less(..)
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
fn ending(system: &mut System, conditions: &[StepConditions]) -> TermId {
    if !system.is_free() {
        return system.complete;
    }
    let more = system.terms.or(conditions.iter().map(|one| one.guard));
    let [rest, sound] = [more, system.strained].map(|term| system.terms.not(term));
    system.terms.and([system.complete, rest, sound])
}

/// When something is decided before anything else.
fn urgent(system: &mut System, steps: &[Step], conditions: &[StepConditions]) -> Option<TermId> {
    let is_urgent = |step: &Step| system.rules[step.0[0]].urgent;
    let any: Vec<TermId> =
        steps.iter().zip(conditions).filter(|(step, _)| is_urgent(step)).map(|(_, one)| one.raw).collect();
    (!any.is_empty()).then(|| system.terms.or(any))
}

/// Where something is possible and none of it counts, if guards or state invariants ever rule runs out.
fn ruled_out(
    system: &mut System,
    steps: &[Step],
    conditions: &[StepConditions],
    (urgent, ending): (Option<TermId>, TermId),
) -> Option<TermId> {
    if system.is_never(system.void) {
        return None;
    }
    let no = system.terms.truth(false);
    let due = urgent.unwrap_or(no);
    let is_urgent = |step: &Step| system.rules[step.0[0]].urgent;
    let own = steps.iter().zip(conditions).map(|(step, one)| (is_urgent(step), one.guard));
    let (decided, others): (Vec<_>, Vec<_>) = own.partition(|(is_urgent, _)| *is_urgent);
    let terms = &mut system.terms;
    let possible = terms.or(conditions.iter().map(|one| one.raw));
    let [decided, others] = [decided, others].map(|all| terms.or(all.into_iter().map(|(_, guard)| guard)));
    let [undecided, none, rest, goes_on] = [due, decided, others, ending].map(|term| terms.not(term));
    let late = terms.and([due, none]);
    let early = terms.and([undecided, rest, goes_on]);
    let nothing = terms.or([late, early]);
    let left_out = terms.and([possible, nothing]);
    // The first state is there even if it does not count.
    let void = system.void;
    Some(system.terms.or([void, left_out]))
}

struct StepWriter<'a> {
    draft: &'a Stepwise<'a>,
    writer: &'a CspmTermWriter<'a>,
    alphabet: &'a ScriptAlphabet,
}

impl StepWriter<'_> {
    fn write(&self, names: &mut Identifiers, [whole, state]: [&str; 2]) -> String {
        let Stepwise { system, steps, urgent, ending, .. } = self.draft;
        let mut text = self.writer.declarations.clone();
        let is_urgent = |number: &usize| system.rules[steps[*number].0[0]].urgent;
        let decisions: Vec<usize> = (0..steps.len()).filter(is_urgent).collect();
        let mut own: IdVec<ComponentId, Vec<usize>> = system.components.iter().map(|_| Vec::new()).collect();
        for number in (0..steps.len()).filter(|number| !is_urgent(number)) {
            own[system.actor(&steps[number])].push(number);
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
        let complete = ending.map_or_else(|| "false".to_owned(), |ending| self.writer.truth(ending));
        processes.push(match complete.as_str() {
            "true" => "SKIP".to_owned(),
            complete => format!("{complete} & SKIP"),
        });
        if complete == "false" {
            processes.pop();
        }
        let ways = if processes.is_empty() { "STOP".to_owned() } else { processes.join("\n  [] ") };
        let goes_on = call(state);
        let mut ruled_out = String::new();
        if let Some(term) = self.draft.ruled_out {
            let process = names.give("Ruled_out");
            let _ = writeln!(
                text,
                "\n-- Guards rule out whatever could come: no run, and none that is stuck.\n{process} = silent -> {process}"
            );
            ruled_out = format!("if {} then {process} else ", self.writer.truth(term));
        }
        match urgent {
            None => {
                let _ = writeln!(
                    text,
                    "\n-- A state; where a run may end it may be over.\n{goes_on} =\n  {ruled_out}(\n  {ways})"
                );
            }
            Some(urgent) => {
                let process = call(&names.give("Decisions"));
                let _ = writeln!(text, "\n-- What is decided at once.\n{process} =");
                text += &self.choices(&decisions, state);
                let _ = writeln!(
                    text,
                    "\n-- A state; what is due is decided first, and where a run may end it may be over.\n{goes_on} =\n  {ruled_out}if {} then {process} else (\n  {ways})",
                    self.writer.truth(*urgent)
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
            let StepConditions { guard, updates, .. } = &self.draft.conditions[*number];
            let guard = match self.writer.truth(*guard).as_str() {
                "true" => String::new(),
                guard => format!("{guard} & "),
            };
            let event = self.alphabet.events(&self.draft.shown[*number]);
            let after = self.writer.changed(updates);
            let after = if after.is_empty() { state.to_owned() } else { format!("{state}({after})") };
            let note = comment(&(self.draft.subject.note)(&self.draft.steps[*number]));
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
pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_else(|| "Outside".to_owned())
}

fn or_outside(name: &str) -> &str {
    if name.is_empty() { "the outside" } else { name }
}
