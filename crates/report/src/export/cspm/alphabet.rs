//! Alphabet: what is seen, as channels with sender, receiver and arguments.
//!
//! A message that is taken as it is sent is an event of a channel of its own name, as in paper 001: `debit.a1.b.5`. Where
//! sending and receiving are two events, they are `send.a1.b.debit.5` and `receive.a1.b.debit.5`. Who is outside of the
//! diagram is `outside`, or has the name by which it is sent to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::system::{Event, EventKind, System};

use super::super::names::Identifiers;
use super::ScriptEvent;

/// Something that is seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SeenEvent {
    /// What happens.
    pub kind: EventKind,
    /// The sender, or the object that ends; empty outside.
    pub from: String,
    /// The receiver; empty outside.
    pub to: String,
    /// The message with its arguments.
    pub message: String,
    /// The message without its arguments.
    pub name: String,
    /// The arguments, if there is a list of them.
    pub arguments: Option<Vec<String>>,
    /// The text that identifies the event.
    pub text: String,
}

impl SeenEvent {
    /// An event of a system.
    pub(crate) fn new(system: &System, event: &Event) -> Self {
        let named = |id: Option<_>| id.map(|id| system.components[id].clone()).unwrap_or_default();
        SeenEvent {
            kind: event.kind,
            from: named(event.from),
            to: event.beyond.clone().unwrap_or_else(|| named(event.to)),
            message: event.message.clone(),
            name: event.name.clone(),
            arguments: event.arguments.clone(),
            text: event.text.clone(),
        }
    }
}

/// Channels, and how events are written.
#[derive(Default)]
pub(crate) struct ScriptAlphabet {
    /// Datatypes and channels.
    pub declarations: String,
    /// How an object is written.
    pub objects: BTreeMap<String, String>,
    written: BTreeMap<String, String>,
    /// Channel, sender and receiver of each event, and its arguments.
    parts: BTreeMap<String, EventParts>,
    /// The texts that each event of several is put together from.
    joint: BTreeMap<String, Vec<String>>,
    /// The values that the arguments of each event may have.
    columns: BTreeMap<String, Vec<Vec<String>>>,
}

/// What an event is made of.
struct EventParts {
    /// Channel, sender and receiver; the message too, where it is a constructor.
    link: String,
    arguments: Vec<String>,
    /// The message is a constructor, of which only the whole can be an input.
    is_whole: bool,
}

/// The name of a message and how many arguments it has.
type MessageSignature = (String, usize);

impl ScriptAlphabet {
    /// Channels for these events, and for steps that show several at once.
    pub(crate) fn new(seen: &[SeenEvent], together: &BTreeSet<Vec<String>>, names: &mut Identifiers) -> Self {
        let mut alphabet = ScriptAlphabet::default();
        alphabet.declare_objects(seen, names);
        // Two texts that would be written alike are distinguished by their full names.
        let mut plain: BTreeMap<Vec<String>, BTreeSet<&str>> = BTreeMap::new();
        for one in seen {
            let (name, arguments) = one.shape();
            plain.entry([vec![name], arguments].concat()).or_default().insert(&one.message);
        }
        let is_whole = plain.values().any(|texts| texts.len() > 1);
        let take = |one: &SeenEvent| match is_whole {
            true => one.whole(),
            false => one.shape(),
        };
        let mut values: BTreeMap<MessageSignature, Vec<BTreeSet<String>>> = BTreeMap::new();
        for one in seen.iter().filter(|one| one.kind != EventKind::Termination) {
            let (name, arguments) = take(one);
            let columns = values.entry((name, arguments.len())).or_default();
            columns.resize(arguments.len(), BTreeSet::new());
            columns.iter_mut().zip(arguments).for_each(|(column, value)| _ = column.insert(value));
        }
        let words = alphabet.declare_words(&values, names);
        // Channels and constructors of the same message have different names.
        let mut named = |is_met: bool| -> BTreeMap<MessageSignature, String> {
            let own =
                seen.iter().filter(|one| one.kind != EventKind::Termination && is_meeting(one) == is_met);
            let shapes: BTreeSet<MessageSignature> =
                own.map(&take).map(|(name, arguments)| (name, arguments.len())).collect();
            shapes.into_iter().map(|shape| (shape.clone(), names.give(&shape.0))).collect()
        };
        let shapes = [named(false), named(true)];
        alphabet.declare_channels(seen, &values, &shapes);
        for one in seen {
            let [from, to] = [&one.from, &one.to].map(|name| alphabet.objects[name].clone());
            let (name, arguments) = take(one);
            let shape = (name, arguments.len());
            let columns = values.get(&shape).map_or(&[][..], Vec::as_slice);
            let arguments: Vec<String> = arguments
                .iter()
                .zip(columns)
                .map(|(value, column)| written(value, kind(column), &words))
                .collect();
            let list: String = arguments.iter().map(|value| format!(".{value}")).collect();
            let name = shapes[usize::from(is_meeting(one))].get(&shape).cloned().unwrap_or_default();
            let link = match one.kind {
                EventKind::Rendezvous => format!("{name}.{from}.{to}"),
                EventKind::Send => format!("send.{from}.{to}.{name}"),
                EventKind::Receive => format!("receive.{from}.{to}.{name}"),
                EventKind::Termination => format!("ends.{from}"),
            };
            let event = format!("{link}{list}");
            let is_whole = matches!(one.kind, EventKind::Send | EventKind::Receive);
            alphabet.parts.insert(one.text.clone(), EventParts { link, arguments, is_whole });
            let all = columns.iter().map(|one| range(one, &words)).collect();
            alphabet.columns.insert(one.text.clone(), all);
            alphabet.written.insert(one.text.clone(), event);
        }
        alphabet.declare_together(together, names);
        alphabet
    }

    /// How an event is written.
    pub(crate) fn event(&self, text: &str) -> &str {
        self.written.get(text).map_or("silent", String::as_str)
    }

    /// How events are written that are seen at once.
    pub(crate) fn events(&self, texts: &[String]) -> &str {
        match texts {
            [] => "silent",
            [one] => self.event(one),
            several => self.event(&several.join(" + ")),
        }
    }

    /// Channel, sender and receiver of an event, and its arguments.
    pub(crate) fn parts(&self, text: &str) -> (&str, &[String]) {
        self.parts.get(text).map_or(("silent", &[]), |parts| (&parts.link, &parts.arguments))
    }

    /// Whether the message of an event is a constructor, of which only the whole can be an input.
    pub(crate) fn is_whole(&self, text: &str) -> bool {
        self.parts.get(text).is_some_and(|parts| parts.is_whole)
    }

    /// Channel, sender and receiver of an event.
    pub(crate) fn link(&self, text: &str) -> &str {
        self.parts(text).0
    }

    /// The values that the arguments of an event may have.
    pub(crate) fn columns(&self, text: &str) -> &[Vec<String>] {
        self.columns.get(text).map_or(&[], Vec::as_slice)
    }

    /// All events.
    pub(crate) fn all(&self) -> Vec<ScriptEvent> {
        let one = |(text, event): (&String, &String)| ScriptEvent {
            event: event.clone(),
            text: text.clone(),
            parts: self.joint.get(text).cloned().unwrap_or_else(|| vec![text.clone()]),
        };
        self.written.iter().map(one).collect()
    }

    fn declare_objects(&mut self, seen: &[SeenEvent], names: &mut Identifiers) {
        let mut order: Vec<&String> = Vec::new();
        for name in seen.iter().flat_map(|one| [&one.from, &one.to]) {
            if !order.contains(&name) {
                order.push(name);
            }
        }
        for name in &order {
            let given = if name.is_empty() { names.give("outside") } else { names.give(name) };
            self.objects.insert((*name).clone(), given);
        }
        if !order.is_empty() {
            let given: Vec<&str> = order.iter().map(|name| self.objects[*name].as_str()).collect();
            let _ = writeln!(
                self.declarations,
                "-- Who sends and receives.\ndatatype Object = {}\n",
                given.join(" | ")
            );
        }
    }

    /// Arguments that are neither numbers nor true or false.
    fn declare_words(
        &mut self,
        values: &BTreeMap<MessageSignature, Vec<BTreeSet<String>>>,
        names: &mut Identifiers,
    ) -> BTreeMap<String, String> {
        let columns = values.values().flatten().filter(|column| kind(column) == ArgumentValues::Words);
        let words: BTreeSet<&String> = columns.flatten().collect();
        let given: BTreeMap<String, String> =
            words.into_iter().map(|word| (word.clone(), names.give(word))).collect();
        if !given.is_empty() {
            let list: Vec<&str> = given.values().map(String::as_str).collect();
            let _ = writeln!(
                self.declarations,
                "-- Arguments that are words.\ndatatype Value = {}\n",
                list.join(" | ")
            );
        }
        given
    }

    fn declare_channels(
        &mut self,
        seen: &[SeenEvent],
        values: &BTreeMap<MessageSignature, Vec<BTreeSet<String>>>,
        [sent, met]: &[BTreeMap<MessageSignature, String>; 2],
    ) {
        let has = |kind: EventKind| seen.iter().any(|one| one.kind == kind);
        let fields = |shape: &MessageSignature, before: &str| -> String {
            values[shape].iter().map(|column| format!("{before}{}", domain(column))).collect()
        };
        let text = &mut self.declarations;
        if !met.is_empty() {
            *text += "-- A message is one event: sender, receiver, arguments.\n";
        }
        for (shape, name) in met {
            let _ = writeln!(text, "channel {name} : Object.Object{}", fields(shape, "."));
        }
        if !sent.is_empty() {
            let clauses: Vec<String> =
                sent.iter().map(|(shape, name)| format!("{name}{}", fields(shape, "."))).collect();
            let _ = writeln!(
                text,
                "-- Messages with their arguments; each is sent and received: sender, receiver, message.\ndatatype Message = {}\nchannel send, receive : Object.Object.Message",
                clauses.join(" | ")
            );
        }
        if has(EventKind::Termination) {
            *text += "-- The end of somebody.\nchannel ends : Object\n";
        }
    }

    fn declare_together(&mut self, together: &BTreeSet<Vec<String>>, names: &mut Identifiers) {
        let mut given = Vec::new();
        for texts in together.iter().filter(|texts| texts.len() > 1) {
            let text = texts.join(" + ");
            let name = names.give(&texts.join("_with_"));
            self.joint.insert(text.clone(), texts.clone());
            self.written.insert(text, format!("together.{name}"));
            given.push(name);
        }
        if !given.is_empty() {
            let _ = writeln!(
                self.declarations,
                "-- Messages that are sent in one step.\ndatatype Joint = {}\nchannel together : Joint",
                given.join(" | ")
            );
        }
    }
}

/// Whether sender and receiver meet.
fn is_meeting(seen: &SeenEvent) -> bool {
    seen.kind == EventKind::Rendezvous
}

/// What the values of an argument are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentValues {
    Numbers,
    Truths,
    Words,
}

fn kind(column: &BTreeSet<String>) -> ArgumentValues {
    if column.iter().all(|value| number(value).is_some()) {
        ArgumentValues::Numbers
    } else if column.iter().all(|value| value == "true" || value == "false") {
        ArgumentValues::Truths
    } else {
        ArgumentValues::Words
    }
}

/// A number as CSPm knows it; `007` is a word.
fn number(value: &str) -> Option<i32> {
    value.parse::<i32>().ok().filter(|number| number.to_string() == value)
}

fn domain(column: &BTreeSet<String>) -> String {
    match kind(column) {
        ArgumentValues::Numbers => {
            let numbers = column.iter().filter_map(|value| number(value));
            let (least, most) =
                numbers.fold((i32::MAX, i32::MIN), |(low, high), n| (low.min(n), high.max(n)));
            format!("{{{least}..{most}}}")
        }
        ArgumentValues::Truths => "Bool".to_owned(),
        ArgumentValues::Words => "Value".to_owned(),
    }
}

/// All values of an argument as they are written.
fn range(column: &BTreeSet<String>, words: &BTreeMap<String, String>) -> Vec<String> {
    match kind(column) {
        ArgumentValues::Numbers => {
            let numbers: Vec<i32> = column.iter().filter_map(|value| number(value)).collect();
            let [least, most] = [numbers.iter().min(), numbers.iter().max()].map(|n| n.copied().unwrap_or(0));
            let written = |value: i32| written(&value.to_string(), ArgumentValues::Numbers, words);
            (least..=most).map(written).collect()
        }
        ArgumentValues::Truths => vec!["false".to_owned(), "true".to_owned()],
        ArgumentValues::Words => words.values().cloned().collect(),
    }
}

/// A value where an argument has values of a kind: `1` is a word beside words, and a number beside numbers.
fn written(value: &str, kind: ArgumentValues, words: &BTreeMap<String, String>) -> String {
    match (kind, words.get(value)) {
        (ArgumentValues::Words, Some(word)) => word.clone(),
        (ArgumentValues::Numbers, _) if value.starts_with('-') => format!("({value})"),
        (ArgumentValues::Words | ArgumentValues::Numbers | ArgumentValues::Truths, _) => value.to_owned(),
    }
}

impl SeenEvent {
    /// The name of the message and its arguments, as far as values can be written.
    fn shape(&self) -> (String, Vec<String>) {
        let is_plain = |text: &String| !text.contains(['(', ')', '"', '\'']);
        match &self.arguments {
            Some(arguments) if !arguments.is_empty() && arguments.iter().all(is_plain) => {
                (self.name.clone(), arguments.clone())
            }
            Some(_) | None => self.whole(),
        }
    }

    /// The message as a name.
    fn whole(&self) -> (String, Vec<String>) {
        (self.message.clone(), Vec::new())
    }
}
