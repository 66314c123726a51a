//! Objects that meet, as processes: paper 001's shape.
//!
//! - A state of an object is a process, whose parameters are the object's attributes. What it takes and sends is an event;
//!   what it does by itself is `silent`, and hidden.
//! - The objects are put in parallel, each with its alphabet: the messages to and from it. So sender and receiver of a message
//!   move together, and whoever is outside of the system takes and offers everything.
//! - An object that has come to its end stops, as in the paper: nothing is said of successful termination.
//!
//! What an object does must be its own affair: where objects look at each other's data, send several messages in one step, or
//! may come to a fault that ends everything, the system is written [step by step](super::steps::Stepwise).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::system::{ComponentId, EventId, System, TermId, VariableId};

use super::super::names::Names;
use super::alphabet::{Alphabet, Seen};
use super::bodies::{Body, own};
use super::branches::{Branch, Line, lines};
use super::steps::capital;
use super::terms::Writer;
use super::{Legend, Subject, Unwritten, comment};

/// Objects that meet, ready to be written.
pub struct Meeting<'a> {
    subject: Subject<'a>,
    /// With what the conditions of its states need.
    system: System,
    bodies: Vec<Body>,
}

impl<'a> Meeting<'a> {
    /// Finds out what each object does by itself.
    pub fn new(subject: &Subject<'a>) -> Result<Self, Unwritten> {
        let mut system = subject.system.clone();
        let own = own(&mut system)?;
        let mut bodies = Vec::new();
        for (component, rules) in &own {
            bodies.push(Body::new(&mut system, subject.legend, *component, rules)?);
        }
        Ok(Meeting { subject: *subject, system, bodies })
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        self.subject.title
    }

    /// What is seen of it.
    pub fn seen(&self) -> Vec<Seen> {
        let events: BTreeSet<EventId> =
            self.bodies.iter().flat_map(|body| &body.moves).filter_map(|one| one.event).collect();
        events.iter().map(|event| Seen::new(&self.system, &self.system.events[*event])).collect()
    }

    /// Whether an object does something of which nothing is seen.
    pub fn is_silent(&self) -> bool {
        self.bodies.iter().any(is_silent)
    }

    /// The processes; the last is the whole, which has a name already.
    pub fn write(&self, alphabet: &Alphabet, names: &mut Names, whole: &str) -> Result<String, Unwritten> {
        let (system, bodies) = (&self.system, &self.bodies);
        let wanted: Vec<TermId> = bodies.iter().flat_map(Body::terms).collect();
        let located: BTreeSet<VariableId> = bodies.iter().flat_map(|body| body.locating.clone()).collect();
        let legend: Legend = self
            .subject
            .legend
            .iter()
            .filter(|(variable, _)| {
                !located.contains(variable) && bodies.iter().any(|body| body.has(**variable))
            })
            .map(|(variable, values)| (*variable, values.clone()))
            .collect();
        let writer = Writer::new(system, &legend, &wanted, names)?;
        let meetings = system.meetings.iter().map(|((_, from, to), event)| (*event, (*from, *to))).collect();
        let words = ["Alphabet", "Part"].map(|word| names.give(word));
        let author = Author {
            subject: &self.subject,
            writer: &writer,
            alphabet,
            bodies,
            meetings: &meetings,
            words: &words,
        };
        Ok(author.write(names, whole))
    }
}

fn is_silent(body: &Body) -> bool {
    body.moves.iter().any(|one| one.event.is_none())
}

struct Author<'a> {
    subject: &'a Subject<'a>,
    writer: &'a Writer<'a>,
    alphabet: &'a Alphabet,
    bodies: &'a [Body],
    /// Who meets in which event.
    meetings: &'a BTreeMap<EventId, (ComponentId, ComponentId)>,
    /// What alphabets and parts are called.
    words: &'a [String; 2],
}

impl Author<'_> {
    fn write(&self, names: &mut Names, whole: &str) -> String {
        let system = self.writer.system;
        let mut text = self.writer.declarations.clone();
        let mut first = Vec::new();
        for body in self.bodies {
            let name = &system.components[body.component];
            let own: Vec<String> = (0..body.places.len())
                .map(|place| names.give(&format!("{}_{}", capital(name), self.place(body, place))))
                .collect();
            for place in 0..body.places.len() {
                text += &self.state(body, &own, place);
            }
            let values: Vec<String> =
                body.others.iter().map(|variable| self.writer.first(*variable)).collect();
            let begin = call(&own[0], &values);
            first.push(if is_silent(body) { format!("{begin} \\ {{ silent }}") } else { begin });
        }
        text += &self.composition(&first, whole);
        text
    }

    /// What a place of an object is called.
    fn place(&self, body: &Body, place: usize) -> String {
        let system = self.writer.system;
        let mut parts = Vec::new();
        for (variable, value) in body.locating.iter().zip(&body.places[place]) {
            let named = self.subject.legend.get(variable).and_then(|values| values.get(value));
            let is_step = system.variables[*variable].name.ends_with(".at");
            match (named, is_step, value) {
                (Some(name), ..) => parts.push(name.clone()),
                (None, _, 0) => {}
                (None, true, value) => parts.push(format!("step{value}")),
                (None, false, value) => parts.push(value.to_string()),
            }
        }
        if parts.is_empty() { "rest".to_owned() } else { parts.join("_") }
    }

    fn state(&self, body: &Body, own: &[String], place: usize) -> String {
        let parameters: Vec<String> =
            body.others.iter().map(|variable| self.writer.variables[*variable].clone()).collect();
        let branches: Vec<Branch> = body
            .moves
            .iter()
            .filter(|one| one.from == place)
            .map(|one| {
                let given = body.others.iter().map(|variable| match one.updates.get(variable) {
                    Some(term) => self.writer.given(*variable, *term),
                    None => self.writer.variables[*variable].clone(),
                });
                let shown = one.event.map(|event| &self.writer.system.events[event].text);
                Branch {
                    guard: self.writer.truth(one.guard),
                    event: shown.map(|text| text.to_owned()),
                    target: own[one.to].clone(),
                    values: given.collect(),
                    is_taken: one
                        .event
                        .is_some_and(|event| self.writer.system.events[event].to == Some(body.component)),
                    rule: one.rule.index(),
                }
            })
            .collect();
        let title = self.place(body, place);
        let mut text = format!(
            "-- {} in {}.\n{} =\n",
            comment(&self.writer.system.components[body.component]),
            comment(&title),
            call(&own[place], &parameters)
        );
        let lines = lines(branches, self.alphabet);
        if lines.is_empty() {
            text += "  STOP\n";
        }
        for (at, Line { guard, event, after }) in lines.into_iter().enumerate() {
            let sign = if at == 0 { "   " } else { "[] " };
            let guard = if guard == "true" { String::new() } else { format!("{guard} & ") };
            let _ = writeln!(text, "  {sign}{guard}{event} -> {after}");
        }
        text + "\n"
    }

    fn composition(&self, first: &[String], whole: &str) -> String {
        let system = self.writer.system;
        let [names, part] = self.words;
        // The clauses of a function stand together.
        let (mut alphabets, mut processes) = (String::new(), String::new());
        let mut list = Vec::new();
        for (body, begin) in self.bodies.iter().zip(first) {
            let name = &system.components[body.component];
            let Some(object) = self.alphabet.objects.get(name) else {
                list.push((format!("({begin})"), None));
                continue;
            };
            let own = body.moves.iter().filter_map(|one| one.event);
            let all = self.bodies.iter().flat_map(|body| &body.moves).filter_map(|one| one.event);
            let met = all.filter(|event| {
                let ends = self.meetings.get(event);
                ends.is_some_and(|(from, to)| [from, to].contains(&&body.component))
            });
            let links: BTreeSet<&str> =
                own.chain(met).map(|event| self.alphabet.link(&system.events[event].text)).collect();
            let links: Vec<&str> = links.into_iter().collect();
            let _ = writeln!(alphabets, "{names}({object}) = {{| {} |}}", links.join(", "));
            let _ = writeln!(processes, "{part}({object}) = {begin}");
            list.push((object.clone(), Some(())));
        }
        let mut text = format!(
            "-- The messages to and from each object.\n{alphabets}\n-- What each object does.\n{processes}\n"
        );
        let linked: Vec<&str> =
            list.iter().filter(|(_, link)| link.is_some()).map(|(name, _)| name.as_str()).collect();
        let mut parts: Vec<String> =
            list.iter().filter(|(_, link)| link.is_none()).map(|(begin, _)| begin.clone()).collect();
        if !linked.is_empty() {
            parts.push(format!("(|| e : {{{}}} @ [{names}(e)] {part}(e))", linked.join(", ")));
        }
        let parts = if parts.is_empty() { "STOP".to_owned() } else { parts.join(" ||| ") };
        let _ = writeln!(
            text,
            "-- The structure: all objects, joined by what they send each other.\n{whole} = {parts}"
        );
        text
    }
}

fn call(name: &str, values: &[String]) -> String {
    if values.is_empty() { name.to_owned() } else { format!("{name}({})", values.join(", ")) }
}
