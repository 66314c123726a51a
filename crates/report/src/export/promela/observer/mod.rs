//! A system of objects as Promela in the shape of paper 003: machines as processes with queues, and a process that observes them.
//!
//! Each object is a process that takes its steps forever. Its queue is a channel; under rendezvous a message
//! is a channel of capacity 0 ([`machines`], [`meetings`]). States and attributes are global, so that
//! conditions can read them. Every visible step is sent to the observer through a channel of capacity 0, and
//! read in the same step ([`watch`]): the observer is the scenario, with bits and counters if it is a basic
//! one ([`bits`]), else with a state for each memory. A run that it accepts is an acceptance cycle for SPIN.
//!
//! Whether something gets stuck, or a state is reached, is asked as in the other shape.

mod bits;
mod machines;
mod meetings;
mod states;
mod watch;

use std::fmt::Write;

use sequent_kernel::system::System;

use super::super::question::{self, Unwritten, WantedGoal, WrittenSubject, steps};
use super::channels::{channels, conjuncts};
use super::claim::PromelaClaim;
use super::lexicon::comment;
use super::names::{VariableLayout, fresh};
use super::system::{declarations, kind};
use super::terms::PromelaTermWriter;

pub use bits::Basic;
use machines::ObserverMachines;

/// A system of objects and what is looked for in it. `basic` is the scenario that is looked for, if bits and counters tell it.
pub fn observer(
    subject: &WrittenSubject<'_>,
    wanted: &WantedGoal<'_>,
    basic: Option<&Basic>,
) -> Result<String, Unwritten> {
    let system = subject.system;
    if !system.is_free() || system.rules.iter().any(|rule| rule.urgent) {
        return Err(Unwritten(
            "machines that are observed are state machines; --shape steps writes a diagram".to_owned(),
        ));
    }
    let steps = steps(system)?;
    let mut names = fresh();
    for taken in ["busy", "hold", "deaf", "shown", "who", "observer", "tell", "Observer"] {
        names.give(taken);
    }
    let mut terms = question::terms(system, wanted);
    let channels = channels(system, &terms);
    let layout = VariableLayout::new(system, subject.legend, &channels, &mut names);
    for rule in system.rules.iter() {
        terms.extend(conjuncts(system, rule.guard));
        let updates = rule.updates.iter().filter(|(variable, _)| !layout.places.contains_key(variable));
        terms.extend(updates.map(|(_, term)| *term));
    }
    let (writer, macros) = PromelaTermWriter::new(system, &layout, &terms, &mut names)?;
    let mut machines = ObserverMachines::new(subject, &writer, &steps, &mut names);
    let asked = match wanted {
        WantedGoal::Stuck => ObserverRequest::plain(PromelaClaim::new(&writer, &steps, wanted, &mut names)?),
        // Between two that meet nothing is as it should be.
        WantedGoal::Goal(goal) => {
            let counts = machines.meets().then_some("!busy");
            ObserverRequest::plain(PromelaClaim::reached(&writer, &steps, *goal, counts))
        }
        WantedGoal::Observed(table) => {
            let mut watch = watch::ObserverProcess::new(&writer, &steps, table)?;
            machines.observed(&watch);
            let text = match basic {
                Some(basic) => watch.basic(basic)?,
                None => watch.process()?,
            };
            let declarations = watch.declarations(&mut names);
            ObserverRequest { question: watch.question(basic.is_some()), declarations, text }
        }
    };
    let mut text = heading(subject, &asked.question);
    text += &declarations(&writer, &macros);
    text += &waiting(system, &layout);
    text += &asked.declarations;
    text += &machines.text(&mut names);
    Ok(text + &asked.text)
}

/// What is asked: in words, what it needs, and what stands behind the machines.
struct ObserverRequest {
    question: Vec<String>,
    declarations: String,
    text: String,
}

impl ObserverRequest {
    fn plain(claim: PromelaClaim) -> Self {
        let PromelaClaim { question, declarations, ending, never, .. } = claim;
        ObserverRequest { question, declarations, text: ending + &never }
    }
}

fn heading(subject: &WrittenSubject<'_>, question: &[String]) -> String {
    let mut text = format!("/* {}\n *\n", comment(subject.title));
    for line in question {
        let _ = writeln!(text, " * {}", comment(line));
    }
    text + " */\n\n"
}

/// The channels in which messages wait.
fn waiting(system: &System, layout: &VariableLayout) -> String {
    let mut text = String::new();
    for (name, places) in &layout.channels {
        let kind = match kind(&system.variables[places[0]]) {
            "bool" => "byte",
            kind => kind,
        };
        let _ = writeln!(text, "chan {name} = [{}] of {{ {kind} }};", places.len());
    }
    text
}
