//! Patterns: a property diagram that is followed along a run of another system.
//!
//! A pattern is the System of the property. What is remembered of a run is the set of its configurations that the events
//! matched so far lead to. An event of the run is matched by one of the pattern if both are of one kind, on lifelines of
//! the same names, with the same message type and the same arguments as far as the property gives any (rule M4).

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::id::IdVec;
use crate::model::{Argument, InteractionId, Message, Model};
use crate::semantics::{Assumptions, Property, Unsupported, event_text, lower_property};
use crate::system::{ComponentId, Config, Event, EventId, EventKind, Hidden, Step, System};

/// Configurations of a pattern.
pub(super) type Configs = BTreeSet<Config>;

/// A property diagram, ready to be followed.
#[derive(Debug)]
pub(super) struct Pattern {
    pub property: Property,
    /// For each event of the run what it is to the pattern.
    letters: IdVec<EventId, Letter>,
    /// Whether hidden steps take nothing away from each other.
    is_monotone: bool,
    is_strained: Cell<bool>,
}

/// An event of the run.
#[derive(Clone, Debug)]
struct Letter {
    /// The events of the pattern that it matches.
    matches: BTreeSet<EventId>,
    /// The lifelines of the pattern on which it happens.
    actors: Vec<ComponentId>,
    /// Whether it may lie in between.
    is_ignored: bool,
    /// The type of its message.
    name: String,
}

impl Pattern {
    /// Prepares a property diagram for runs of a system. `is_monotone` says that the property has nothing in it by which
    /// an occurrence keeps another one off.
    pub fn new(
        model: &Model,
        property: InteractionId,
        system: &System,
        assumptions: &Assumptions,
        is_monotone: bool,
    ) -> Result<Self, Unsupported> {
        let property = lower_property(model, property, assumptions)?;
        let messages = messages(model);
        let letters = system.events.iter().map(|event| letter(&property, &messages, system, event)).collect();
        Ok(Pattern { property, letters, is_monotone, is_strained: Cell::new(false) })
    }

    /// Where the pattern begins, seen from one lifeline or from all.
    pub fn first(&self, view: Option<ComponentId>) -> Configs {
        self.settle([self.property.system.initial()], view)
    }

    /// What an event of the run leads to where it is one of the pattern, seen from one lifeline or from all.
    pub fn take(&self, configs: &Configs, event: EventId, view: Option<ComponentId>) -> Configs {
        let system = &self.property.system;
        let matches = &self.letters[event].matches;
        if matches.is_empty() {
            return Configs::new();
        }
        let mut next = Configs::new();
        for config in configs {
            let steps = system.steps(config);
            let taken = steps.iter().filter(|step| {
                system.events(step).any(|event| matches.contains(&event)) && !hides(system, view, step)
            });
            next.extend(taken.filter_map(|step| system.take(step, config)));
        }
        self.settle(next, view)
    }

    /// The configurations in which an event of the run need not be one of the pattern: none in which a `consider` is going
    /// on that considers it.
    pub fn skip(&self, configs: &Configs, event: EventId) -> Configs {
        let name = &self.letters[event].name;
        let considered = self.property.considered.iter().filter(|one| one.types.contains(name));
        let open: Vec<_> = considered.map(|considered| considered.open).collect();
        let system = &self.property.system;
        let may_lie = |config: &&Config| open.iter().all(|open| !system.holds(*open, config));
        configs.iter().filter(may_lie).cloned().collect()
    }

    /// Whether messages of an event's type may lie in between.
    pub fn is_ignored(&self, event: EventId) -> bool {
        self.letters[event].is_ignored
    }

    /// Whether an event of the run happens on a lifeline of the pattern.
    pub fn is_on(&self, event: EventId, component: ComponentId) -> bool {
        self.letters[event].actors.contains(&component)
    }

    /// Whether an event can come next, seen from a lifeline.
    pub fn goes_on(&self, configs: &Configs, view: ComponentId) -> bool {
        let system = &self.property.system;
        let is_seen = |step: &Step| system.events(step).next().is_some() && !hides(system, Some(view), step);
        configs.iter().any(|config| system.steps(config).iter().any(is_seen))
    }

    /// The events that can come next, as the property writes them, seen from one lifeline or from all.
    pub fn expected(&self, configs: &Configs, view: Option<ComponentId>) -> BTreeSet<String> {
        let system = &self.property.system;
        let mut expected = BTreeSet::new();
        for config in configs {
            let steps = system.steps(config);
            let seen = steps.iter().filter(|step| !hides(system, view, step));
            expected.extend(seen.flat_map(|step| system.events(step)));
        }
        expected.into_iter().map(|event| system.events[event].text.clone()).collect()
    }

    /// The events of the property that no event of the system matches.
    pub fn strangers(&self) -> Vec<String> {
        let known: BTreeSet<EventId> =
            self.letters.iter().flat_map(|letter| &letter.matches).copied().collect();
        let events = self.property.system.events.enumerate();
        events.filter(|(id, _)| !known.contains(id)).map(|(_, event)| event.text.clone()).collect()
    }

    /// Whether something had to wait for a loop's window: the property has more traces than were looked for.
    pub fn is_strained(&self) -> bool {
        self.is_strained.get()
    }

    /// Whether a lifeline waits for a loop's window.
    fn waits(&self, component: ComponentId, configs: &Configs) -> bool {
        let own = self.property.strained.iter().filter(|(owner, _)| *owner == component);
        own.into_iter()
            .any(|(_, strained)| configs.iter().any(|config| self.property.system.holds(*strained, config)))
    }

    fn settle(&self, configs: impl IntoIterator<Item = Config>, view: Option<ComponentId>) -> Configs {
        let system = &self.property.system;
        let hides = |step: &Step| hides(system, view, step);
        let hidden = match view {
            None => Hidden::None,
            Some(_) if self.is_monotone => Hidden::Monotone(&hides),
            Some(_) => Hidden::Any(&hides),
        };
        let settled = system.settle(configs, &hidden);
        let is_strained = match view {
            // The others have gone as far as they can: if they wait for the window, it is for this one to go on.
            Some(view) if self.is_monotone => self.waits(view, &settled.configs),
            Some(_) | None => settled.is_strained,
        };
        self.is_strained.set(self.is_strained.get() || is_strained);
        settled.configs
    }
}

/// Whether a step is not seen from a lifeline.
fn hides(system: &System, view: Option<ComponentId>, step: &Step) -> bool {
    view.is_some_and(|view| system.actor(step) != view)
}

/// The messages of all diagrams by the texts of their events, without sign.
fn messages(model: &Model) -> BTreeMap<String, &Message> {
    let drawn = model.interactions.iter().flat_map(|interaction| {
        interaction.messages.iter().map(move |message| (event_text(interaction, message), message))
    });
    drawn.collect()
}

/// The message of an event.
fn message<'m>(messages: &BTreeMap<String, &'m Message>, event: &Event) -> Option<&'m Message> {
    messages.get(event.text.get(1..)?).copied()
}

fn letter(
    property: &Property,
    messages: &BTreeMap<String, &Message>,
    system: &System,
    event: &Event,
) -> Letter {
    let own = &property.system;
    let drawn = message(messages, event);
    let name = drawn.map(|message| message.name.clone()).unwrap_or_default();
    let named = |system: &System, component: Option<ComponentId>| {
        component.map(|component| system.components[component].clone())
    };
    let [from, to] = [event.from, event.to].map(|component| named(system, component));
    // What comes from outside of the property may come from anybody.
    let is_end =
        |asked: Option<ComponentId>, known: &Option<String>| asked.is_none() || named(own, asked) == *known;
    let fits = |asked: &Event| {
        let is_message = match (message(messages, asked), drawn) {
            (Some(asked), Some(drawn)) => fits(asked, drawn),
            (None, None) => asked.message == event.message,
            (Some(_), None) | (None, Some(_)) => false,
        };
        asked.kind == event.kind && is_message && is_end(asked.from, &from) && is_end(asked.to, &to)
    };
    let actors = match event.kind {
        EventKind::Send | EventKind::Termination => vec![&from],
        EventKind::Receive => vec![&to],
        EventKind::Rendezvous => vec![&from, &to],
    };
    let is_actor = |name: &String| actors.iter().any(|actor| actor.as_ref() == Some(name));
    let is_other = property.considered.iter().any(|one| one.allows_others && !one.types.contains(&name));
    Letter {
        matches: own.events.enumerate().filter(|(_, asked)| fits(asked)).map(|(id, _)| id).collect(),
        actors: own.components.enumerate().filter(|(_, name)| is_actor(name)).map(|(id, _)| id).collect(),
        is_ignored: drawn.is_some() && (property.ignored.contains(&name) || is_other),
        name,
    }
}

/// Whether a drawn message is what a property asks for: its type, and the arguments that the property gives (rule M4).
fn fits(asked: &Message, drawn: &Message) -> bool {
    let none = Vec::new();
    let given = drawn.arguments.as_ref().unwrap_or(&none);
    let is_given = |(at, argument): (usize, &Argument)| match &argument.name {
        Some(name) => given.iter().any(|given| given.name.as_ref() == Some(name) && is_same(argument, given)),
        None => given.get(at).is_some_and(|given| is_same(argument, given)),
    };
    asked.name == drawn.name && asked.arguments.iter().flatten().enumerate().all(is_given)
}

fn is_same(one: &Argument, other: &Argument) -> bool {
    one.text == other.text || (one.value.is_some() && one.value == other.value)
}
