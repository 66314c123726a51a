//! Letters: how an event of a run matches the events of a diagram that is followed along it.
//!
//! An event of the run is matched by one of the diagram if both are of one kind, on lifelines of the same names, with the same
//! message type and the same arguments as far as the diagram gives any (rule M4). What is sent and received at once is read
//! as a sending directly followed by the receipt. The reply of an object to a call is a message of the operation's name with the result;
//! a drawn reply matches it whatever its label is, unless that is another result.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Argument, Expression, Message, MessageType, Model};
use crate::semantics::{PropertyDiagram, event_text, is_of, replies as answered};
use crate::system::{ComponentId, Event, EventId, EventKind, System};

/// An event of the run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in crate::property) struct Letter {
    /// The events of the pattern that it matches.
    pub matches: BTreeSet<EventId>,
    /// Pairs of events of the pattern that it stands for, one after the other.
    pub pairs: Vec<[EventId; 2]>,
    /// The lifelines of the pattern on which it happens.
    pub actors: Vec<ComponentId>,
    /// Whether its message is drawn, with any arguments.
    pub is_drawn: bool,
    /// Whether it may lie in between.
    pub is_ignored: bool,
    /// The name of its message.
    pub name: String,
    /// The lifelines of the pattern at the ends of its message; empty where there is none.
    pub ends: [String; 2],
}

impl Letter {
    /// Whether its message is of one of some types.
    pub(crate) fn is_of(&self, types: &BTreeSet<MessageType>) -> bool {
        is_of(types, &self.name, self.ends.each_ref().map(String::as_str))
    }
}

/// A message as it happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::property) struct Given {
    pub name: String,
    arguments: Vec<Argument>,
}

/// The context of letters: the messages of the diagrams, and which object plays which lifeline.
pub(in crate::property) struct Reader<'r> {
    /// The pattern.
    pub property: &'r PropertyDiagram,
    /// The messages of diagrams by the texts of their events, without sign.
    pub drawn: &'r BTreeMap<String, &'r Message>,
    /// The object of the run that plays a lifeline of the pattern.
    pub plays: &'r dyn Fn(&str) -> Option<String>,
    /// What drawn replies answer.
    pub replies: &'r Replies,
}

/// The calls that drawn replies answer, and the results that there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::property) struct Replies {
    /// The names of the calls, by the texts of the replies' events without sign.
    calls: BTreeMap<String, BTreeSet<String>>,
    /// By the name of a call, what it may be answered with.
    results: BTreeMap<String, BTreeSet<String>>,
}

impl Replies {
    /// The replies of all diagrams, in a run with these messages.
    pub(crate) fn of(model: &Model, given: &[Option<Given>]) -> Self {
        let mut replies = Replies::default();
        for interaction in model.interactions.iter() {
            for (call, reply) in answered(interaction) {
                let text = event_text(interaction, &interaction.messages[reply]);
                let name = interaction.messages[call].name.clone();
                replies.calls.entry(text).or_default().insert(name);
            }
        }
        for given in given.iter().flatten() {
            let results = replies.results.entry(given.name.clone()).or_default();
            results.extend(given.arguments.first().map(|argument| argument.text.clone()));
        }
        replies
    }

    /// Whether a drawn reply answers a call of this name.
    fn answers(&self, reply: &Event, name: &str) -> bool {
        self.calls.get(reply.unsigned()).is_some_and(|calls| calls.contains(name))
    }

    /// Whether a drawn reply says, or leaves open, that this is the result. What is no result of the call is a name for any.
    fn fits(&self, reply: &Message, given: &Given) -> bool {
        let result = given.arguments.first().map(|argument| argument.text.as_str());
        let label = reply.text.trim();
        let is_result = self.results.get(&given.name).is_some_and(|results| results.contains(label));
        !is_result || result == Some(label)
    }
}

/// The messages of all diagrams by the texts of their events, without sign.
pub(in crate::property) fn messages(model: &Model) -> BTreeMap<String, &Message> {
    let drawn = model.interactions.iter().flat_map(|interaction| {
        interaction.messages.iter().map(move |message| (event_text(interaction, message), message))
    });
    drawn.collect()
}

/// The message of an event.
pub(in crate::property) fn message<'m>(
    messages: &BTreeMap<String, &'m Message>,
    event: &Event,
) -> Option<&'m Message> {
    messages.get(event.unsigned()).copied()
}

impl Given {
    /// A message as it is drawn.
    pub(crate) fn drawn(message: &Message) -> Self {
        Given { name: message.name.clone(), arguments: message.arguments.clone().unwrap_or_default() }
    }

    /// A message of an object, with the names of its parameters; the values of those that it is sent without are not known.
    pub(crate) fn sent(event: &Event, parameters: &[String]) -> Self {
        let told = event.arguments.as_deref().unwrap_or_default();
        let argument = |at: usize| {
            let text = told.get(at).map_or(UNKNOWN, String::as_str);
            Argument { name: parameters.get(at).cloned(), text: text.to_owned(), value: Some(value(text)) }
        };
        let arguments = (0..told.len().max(parameters.len())).map(argument).collect();
        Given { name: event.name.clone(), arguments }
    }

    /// Whether it is what a diagram asks for: its type, and the arguments that the diagram gives (rule M4).
    pub(crate) fn fits(&self, asked: &Message) -> bool {
        self.is_asked(asked, is_same)
    }

    /// The parameter on whose value it depends whether it is what a diagram asks for, if that is not known.
    pub(crate) fn doubt(&self, asked: &Message) -> Option<String> {
        let may_be = |asked: &Argument, given: &Argument| given.text == UNKNOWN || is_same(asked, given);
        if self.fits(asked) || !self.is_asked(asked, may_be) {
            return None;
        }
        asked.arguments.iter().flatten().enumerate().find_map(|(at, argument)| {
            let given = self.counterpart(at, argument)?;
            let is_open = given.text == UNKNOWN && !is_same(argument, given);
            is_open.then(|| given.name.clone().unwrap_or_else(|| argument.text.clone()))
        })
    }

    fn is_asked(&self, asked: &Message, fits: impl Fn(&Argument, &Argument) -> bool) -> bool {
        let is_given = |(at, argument): (usize, &Argument)| {
            self.counterpart(at, argument).is_some_and(|given| fits(argument, given))
        };
        asked.name == self.name && asked.arguments.iter().flatten().enumerate().all(is_given)
    }

    /// The argument that one of a diagram is compared with: that of its name, else the one at its place.
    fn counterpart(&self, at: usize, asked: &Argument) -> Option<&Argument> {
        match &asked.name {
            Some(name) => self.arguments.iter().find(|given| given.name.as_ref() == Some(name)),
            None => self.arguments.get(at),
        }
    }
}

/// How events write a value that is not known.
const UNKNOWN: &str = "_";

/// A value of an object, as an expression would write it.
fn value(text: &str) -> Expression {
    match text {
        "true" => Expression::Bool(true),
        "false" => Expression::Bool(false),
        text => match text.parse() {
            Ok(number) => Expression::Int(number),
            Err(_) => Expression::Name(vec![text.to_owned()]),
        },
    }
}

/// Whether an argument is the one asked for; `?`, `_` and `*`, or the parameter's own name, ask for any.
fn is_same(asked: &Argument, given: &Argument) -> bool {
    let is_any = matches!(asked.text.as_str(), "" | "?" | "_" | "*")
        || asked.name.is_none() && given.name.as_deref() == Some(asked.text.as_str());
    is_any || asked.text == given.text || (asked.value.is_some() && last(asked) == last(given))
}

/// The value of an argument; of an enumeration literal with its type only the literal.
fn last(argument: &Argument) -> Option<Expression> {
    match &argument.value {
        Some(Expression::Name(parts)) => parts.last().map(|name| Expression::Name(vec![name.clone()])),
        value => value.clone(),
    }
}

impl Reader<'_> {
    /// What an event of a run is to the pattern; `given` is its message, if it has one.
    pub(crate) fn letter(&self, system: &System, event: &Event, given: Option<&Given>) -> Letter {
        let own = &self.property.system;
        let fitting = |kind: EventKind| {
            let fits = move |(_, asked): &(EventId, &Event)| {
                asked.kind == kind
                    && self.is_message(asked, event, given)
                    && self.has_ends(system, asked, event)
            };
            own.events.enumerate().filter(fits).map(|(id, _)| id).collect::<BTreeSet<EventId>>()
        };
        let is_near = |(_, asked): &(EventId, &Event)| {
            let is_kind = asked.kind == event.kind
                || event.kind == EventKind::Rendezvous
                    && matches!(asked.kind, EventKind::Send | EventKind::Receive);
            is_kind && self.is_named(asked, given) && self.has_ends(system, asked, event)
        };
        let is_drawn = own.events.enumerate().any(|asked| is_near(&asked));
        let (mut matches, mut pairs) = (fitting(event.kind), Vec::new());
        if event.kind == EventKind::Rendezvous {
            let [sends, receipts] = [EventKind::Send, EventKind::Receive].map(fitting);
            for send in &sends {
                let is_receipt = |one: &&EventId| own.events[**one].is_same_message(&own.events[*send]);
                pairs.extend(receipts.iter().filter(is_receipt).map(|one| [*send, *one]));
            }
            // Of what is found or lost only one end is drawn.
            let is_lone = |id: &EventId| pairs.iter().all(|pair| !pair.contains(id));
            matches.extend(sends.iter().chain(&receipts).copied().filter(is_lone));
        }
        let name = given.map(|given| given.name.clone()).unwrap_or_default();
        let ends = [event.from, event.to].map(|end| self.lifeline(system, end));
        let actors = self.actors(system, event);
        let mut letter = Letter { matches, pairs, actors, is_drawn, is_ignored: false, name, ends };
        let is_other =
            self.property.considered.iter().any(|one| one.allows_others && !letter.is_of(&one.types));
        letter.is_ignored = given.is_some() && (letter.is_of(&self.property.ignored) || is_other);
        letter
    }

    /// The parameter, and its message, on whose value it depends whether an event of a run is one of the pattern, if that is not known.
    pub(crate) fn doubt(&self, system: &System, event: &Event, given: &Given) -> Option<(String, String)> {
        let own = &self.property.system;
        own.events.iter().find_map(|asked| {
            let parameter = given.doubt(message(self.drawn, asked)?)?;
            let is_kind = asked.kind == event.kind || event.kind == EventKind::Rendezvous;
            (is_kind && self.has_ends(system, asked, event)).then(|| (parameter, given.name.clone()))
        })
    }

    /// The lifeline of the pattern that a component of the run plays.
    fn lifeline(&self, system: &System, component: Option<ComponentId>) -> String {
        let Some(component) = component.map(|component| &system.components[component]) else {
            return String::new();
        };
        let own = self.property.system.components.iter();
        let mut own = own.filter(|name| (self.plays)(name).as_ref() == Some(component));
        own.next().cloned().unwrap_or_default()
    }

    /// Whether an event has a message of the name that is drawn, or is the reply to such a call.
    fn is_named(&self, asked: &Event, given: Option<&Given>) -> bool {
        match (message(self.drawn, asked), given) {
            (Some(drawn), Some(given)) => {
                drawn.name == given.name || self.replies.answers(asked, &given.name)
            }
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    fn is_message(&self, asked: &Event, event: &Event, given: Option<&Given>) -> bool {
        match (message(self.drawn, asked), given) {
            (Some(drawn), Some(given)) => {
                given.fits(drawn)
                    || drawn.name != given.name
                        && self.replies.answers(asked, &given.name)
                        && self.replies.fits(drawn, given)
            }
            (None, _) => asked.message == event.message,
            (Some(_), None) => false,
        }
    }

    /// Whether an event has the ends that the pattern draws. An end outside of the pattern matches any
    /// object.
    fn has_ends(&self, system: &System, asked: &Event, event: &Event) -> bool {
        let is_end = |asked: Option<ComponentId>, known: Option<ComponentId>| {
            asked.is_none_or(|asked| {
                let player = (self.plays)(&self.property.system.components[asked]);
                player.is_some() && player == known.map(|known| system.components[known].clone())
            })
        };
        is_end(asked.from, event.from) && is_end(asked.to, event.to)
    }

    /// The lifelines on which an event happens.
    fn actors(&self, system: &System, event: &Event) -> Vec<ComponentId> {
        let actors = match event.kind {
            EventKind::Send | EventKind::Termination => vec![event.from],
            EventKind::Receive => vec![event.to],
            EventKind::Rendezvous => vec![event.from, event.to],
        };
        let names: Vec<&String> =
            actors.into_iter().flatten().map(|actor| &system.components[actor]).collect();
        let own = self.property.system.components.enumerate();
        let acts = |name: &str| (self.plays)(name).is_some_and(|player| names.contains(&&player));
        own.filter(|(_, name)| acts(name)).map(|(id, _)| id).collect()
    }
}
