//! Objects as processes: paper 001's shape.
//!
//! - A state of an object is a process, whose parameters are the object's attributes. What it takes and sends is an event;
//!   what it does by itself is `silent`, and hidden.
//! - Under rendezvous, sender and receiver of a message synchronise. With queues, the [queue](super::buffers)
//!   of an object is a process of its own: it synchronises with the sender, and the object receives from it.
//! - All are composed in parallel, each with its alphabet ([`composition`](super::composition)). The
//!   environment takes and offers everything.
//! - An object that has come to its end stops, as in the paper: successful termination is not modelled.
//!
//! This shape needs objects that depend on each other by messages only: where they read each other's data,
//! send several messages in one step, or may come to a fault that ends everything, the system is written
//! [step by step](super::steps::Stepwise).

use std::collections::BTreeSet;
use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::system::{EventId, System, TermId, VariableId, VariableRole};

use super::super::names::Identifiers;
use super::alphabet::{ScriptAlphabet, SeenEvent};
use super::bodies::{ProcessBody, own, still, values};
use super::branches::{ProcessBranch, call, lines};
use super::buffers::Buffer;
use super::composition::{Composition, ProcessMember, deed_text};
use super::parties::{PartyDeed, Shares, StepParty};
use super::sharing::shares;
use super::steps::capital;
use super::terms::CspmTermWriter;
use super::{Legend, Unwritten, WrittenSubject, comment};

/// Objects, ready to be written.
pub(crate) struct MachineProcesses<'a> {
    subject: WrittenSubject<'a>,
    /// With what the conditions of its states need.
    system: System,
    shares: Shares,
    bodies: Vec<ProcessBody>,
    buffers: Vec<(StepParty, Buffer)>,
    /// For each place of the only object when a run may end there; empty if ends are not modelled.
    ends: Vec<TermId>,
}

impl<'a> MachineProcesses<'a> {
    /// Finds out what each object does by itself.
    pub(crate) fn new(subject: &WrittenSubject<'a>) -> Result<Self, Unwritten> {
        let mut system = subject.system.clone();
        if !system.is_free() {
            return Err(Unwritten("not all of its runs count".to_owned()));
        }
        let has_queues = system.fifos().next().is_some();
        let shares = if has_queues { shares(&mut system)? } else { own(&mut system)? };
        let (mut bodies, mut buffers) = (Vec::new(), Vec::new());
        for (party, rules) in &shares.own {
            match party {
                StepParty::Queue(queue) => {
                    let buffer = Buffer::new(&system, *queue, rules, &shares)?;
                    buffers.push((*party, buffer));
                }
                StepParty::Object(_) | StepParty::Desk(_) => {
                    bodies.push(ProcessBody::new(&mut system, subject.legend, *party, rules)?);
                }
            }
        }
        Ok(MachineProcesses { subject: *subject, system, shares, bodies, buffers, ends: Vec::new() })
    }

    /// The same with or without telling where a run may end: where the only object can do nothing more and is complete.
    pub(crate) fn ending(mut self, tells: bool) -> Result<Self, Unwritten> {
        self.ends = Vec::new();
        if !tells {
            return Ok(self);
        }
        let [body] = self.bodies.as_slice() else {
            return Err(Unwritten("where it ends several objects decide".to_owned()));
        };
        let system = &mut self.system;
        let rules = self.shares.own.values().flatten().filter(|own| !own.deeds.is_empty());
        let more = system.terms.or(rules.map(|own| own.guard));
        let [rest, sound] = [more, system.strained].map(|term| system.terms.not(term));
        let known = still(system);
        let known = values(system, &known);
        let end = system.terms.and([system.complete, rest, sound]);
        let end = system.terms.replace(end, &known);
        for place in &body.places {
            let here = body.locating.iter().copied().zip(place.iter().copied()).collect();
            let here = values(system, &here);
            self.ends.push(system.terms.replace(end, &here));
        }
        Ok(self)
    }

    /// What it is called.
    pub(crate) fn title(&self) -> &str {
        self.subject.title
    }

    /// Whether messages wait in queues.
    pub(crate) fn has_queues(&self) -> bool {
        !self.buffers.is_empty()
    }

    /// What is seen of it.
    pub(crate) fn seen(&self) -> Vec<SeenEvent> {
        let deeds = self.bodies.iter().flat_map(|body| &body.moves).filter_map(|one| one.deed);
        let mut events: BTreeSet<EventId> = deeds.filter_map(|deed| self.shares.shows(deed)).collect();
        events.extend(self.buffers.iter().flat_map(|(_, buffer)| buffer.events()));
        for party in self.shares.own.keys() {
            events
                .extend(self.shares.alphabet(*party).into_iter().filter_map(|deed| self.shares.shows(deed)));
        }
        events.iter().map(|event| SeenEvent::new(&self.system, &self.system.events[*event])).collect()
    }

    /// Whether an object does something of which nothing is seen.
    pub(crate) fn is_silent(&self) -> bool {
        self.bodies.iter().any(is_silent)
    }

    /// The processes; the last is the whole, which has a name already.
    pub(crate) fn write(
        &self,
        alphabet: &ScriptAlphabet,
        names: &mut Identifiers,
        whole: &str,
    ) -> Result<String, Unwritten> {
        let (system, bodies) = (&self.system, &self.bodies);
        let mut wanted: Vec<TermId> = bodies.iter().flat_map(ProcessBody::terms).collect();
        wanted.extend(&self.ends);
        wanted.extend(self.buffers.iter().flat_map(|(_, buffer)| buffer.terms(system)));
        let located: BTreeSet<VariableId> = bodies.iter().flat_map(|body| body.locating.clone()).collect();
        let is_told = |variable: &VariableId| {
            !located.contains(variable) && bodies.iter().any(|body| body.has(*variable))
        };
        let legend = self.subject.legend.iter().filter(|(variable, _)| is_told(variable));
        let legend: Legend = legend.map(|(variable, values)| (*variable, values.clone())).collect();
        let inside = ["deed", "fault"].map(|word| names.give(word));
        let writer = CspmTermWriter::new(system, &legend, &wanted, names)?;
        let author = MachineProcessWriter { meeting: self, writer: &writer, alphabet, inside };
        author.write(names, whole)
    }
}

fn is_silent(body: &ProcessBody) -> bool {
    body.moves.iter().any(|one| one.deed.is_none())
}

struct MachineProcessWriter<'a> {
    meeting: &'a MachineProcesses<'a>,
    writer: &'a CspmTermWriter<'a>,
    alphabet: &'a ScriptAlphabet,
    /// The channels of what is known by another name inside, and of faults.
    inside: [String; 2],
}

impl MachineProcessWriter<'_> {
    fn write(&self, names: &mut Identifiers, whole: &str) -> Result<String, Unwritten> {
        let system = self.writer.system;
        let mut text = self.writer.declarations.clone();
        if !text.is_empty() && !text.ends_with("\n\n") {
            text += "\n";
        }
        let mut members = Vec::new();
        for body in &self.meeting.bodies {
            let name = match body.party {
                StepParty::Object(component) => &system.components[component],
                StepParty::Desk(variable) => &system.variables[variable].name,
                StepParty::Queue(_) => continue,
            };
            let own: Vec<String> = (0..body.places.len())
                .map(|place| match body.locating.is_empty() {
                    true => names.give(&capital(name)),
                    false => names.give(&format!("{}_{}", capital(name), self.place(body, place))),
                })
                .collect();
            for place in 0..body.places.len() {
                text += &self.state(body, name, &own, place);
            }
            let values: Vec<String> =
                body.others.iter().map(|variable| self.writer.first(*variable)).collect();
            let begin = call(&own[0], &values);
            let begin = if is_silent(body) { format!("{begin} \\ {{ silent }}") } else { begin };
            members.push(ProcessMember { party: body.party, begin });
        }
        let written = |deed: PartyDeed| deed_text(system, self.alphabet, &self.inside, deed);
        for (party, buffer) in &self.meeting.buffers {
            let name = names.give(&format!("{}_queue", capital(&system.components[buffer.owner])));
            text += &buffer.write(&name, self.writer, self.alphabet, &written)?;
            members.push(ProcessMember { party: *party, begin: buffer.first(&name, self.writer) });
        }
        let composition = Composition {
            system,
            shares: &self.meeting.shares,
            bodies: &self.meeting.bodies,
            buffers: &self.meeting.buffers,
            alphabet: self.alphabet,
            inside: &self.inside,
            members: &members,
        };
        Ok(text + &composition.write(names, whole))
    }

    /// What a place of an object is called.
    fn place(&self, body: &ProcessBody, place: usize) -> String {
        let system = self.writer.system;
        let mut parts = Vec::new();
        for (variable, value) in body.locating.iter().zip(&body.places[place]) {
            let named = self.meeting.subject.legend.get(variable).and_then(|values| values.get(value));
            let is_step = system.variables[*variable].role == VariableRole::Progress;
            match (named, is_step, value) {
                (Some(name), ..) => parts.push(name.clone()),
                (None, _, 0) => {}
                (None, true, value) => parts.push(format!("step{value}")),
                (None, false, value) => parts.push(value.to_string()),
            }
        }
        if parts.is_empty() { "rest".to_owned() } else { parts.join("_") }
    }

    fn state(&self, body: &ProcessBody, name: &str, own: &[String], place: usize) -> String {
        let parameters: Vec<String> =
            body.others.iter().map(|variable| self.writer.variables[*variable].clone()).collect();
        let branches: Vec<ProcessBranch> = body
            .moves
            .iter()
            .filter(|one| one.from == place)
            .map(|one| {
                let is_fault = matches!(one.deed, Some(PartyDeed::Fault(_)));
                let given = body.others.iter().map(|variable| match one.updates.get(variable) {
                    Some(term) => self.writer.given(*variable, *term),
                    None => self.writer.variables[*variable].clone(),
                });
                let event = match one.deed {
                    Some(PartyDeed::Event(event)) => Some(event),
                    Some(PartyDeed::Way(_) | PartyDeed::Fault(_)) | None => None,
                };
                let is_hidden = one.deed.is_some() && event.is_none();
                let inside = one.deed.filter(|_| is_hidden);
                ProcessBranch {
                    guard: self.writer.truth(one.guard),
                    event: event.map(|event| self.writer.system.events[event].text.clone()),
                    inside: inside
                        .map(|deed| deed_text(self.writer.system, self.alphabet, &self.inside, deed)),
                    target: if is_fault { "STOP".to_owned() } else { own[one.to].clone() },
                    values: if is_fault { Vec::new() } else { given.collect() },
                    is_taken: event.is_some_and(|event| {
                        self.writer.system.events[event].to.map(StepParty::Object) == Some(body.party)
                    }),
                    rule: one.rule.index(),
                }
            })
            .collect();
        let title = self.place(body, place);
        let mut text =
            format!("-- {} in {}.\n{} =\n", comment(name), comment(&title), call(&own[place], &parameters));
        let mut lines: Vec<String> = lines(branches, self.alphabet).iter().map(|line| line.text()).collect();
        match self.meeting.ends.get(place).map(|end| self.writer.truth(*end)).as_deref() {
            None | Some("false") => {}
            Some("true") => lines.push("SKIP".to_owned()),
            Some(end) => lines.push(format!("{end} & SKIP")),
        }
        if lines.is_empty() {
            text += "  STOP\n";
        }
        for (at, line) in lines.iter().enumerate() {
            let sign = if at == 0 { "   " } else { "[] " };
            let _ = writeln!(text, "  {sign}{line}");
        }
        text + "\n"
    }
}
