//! Classify: what a given trace is to an interaction (rule I12).
//!
//! The trace is followed twice: through the valid runs, which tells where it leaves them and what could have happened
//! there instead; and through all runs, which tells whether it runs through a `neg`. A trace that can only be explained by
//! leaving an `assert` is invalid too; whatever is neither valid nor invalid is inconclusive.

use sequent_engine::traces::{SetId, Sets};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, Unsupported, lower};
use sequent_kernel::source::Place;
use sequent_kernel::system::{Class, ComponentId, EventKind, System};

/// What a trace is, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classification {
    /// The class.
    pub class: Class,
    /// Why.
    pub reason: Reason,
    /// How many of its events belong to a valid trace: all, or those before the first that does not.
    pub fitting: usize,
    /// Events with which a valid trace goes on from there.
    pub instead: Vec<String>,
    /// Whether a valid trace may end there.
    pub may_end: bool,
    /// Whether iterations of a loop were too far apart to be looked at.
    pub is_strained: bool,
}

/// Why a trace has its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It is complete.
    Complete,
    /// It runs through a `neg`.
    Negative,
    /// It leaves an `assert`.
    Left(Place),
    /// It goes on otherwise than any valid trace.
    Astray,
    /// It ends before any valid trace does.
    Unfinished,
}

/// No more iterations of a loop are kept apart.
const WIDEST: usize = 256;

/// Classifies a trace, given as event texts.
pub fn classify(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    trace: &[String],
) -> Result<Classification, Unsupported> {
    let window = trace.len().clamp(1, WIDEST);
    let all = lower(model, id, &Assumptions { window, ..assumptions.clone() })?;
    let valid = lower(model, id, &Assumptions { window, without_negatives: true, ..assumptions.clone() })?;
    let all = Followed::new(&all, trace);
    let mut valid = Followed::new(&valid, trace);
    let class = if all.fitting == trace.len() { all.sets.class(all.last) } else { None };
    let (class, reason) = match class {
        Some(Class::Valid) => (Class::Valid, Reason::Complete),
        Some(Class::Invalid) => (Class::Invalid, Reason::Negative),
        Some(Class::Inconclusive) => (Class::Inconclusive, Reason::Negative),
        None if valid.fitting == trace.len() => (Class::Inconclusive, Reason::Unfinished),
        None => match valid.left_assertion(&trace[valid.fitting]) {
            Some(place) => (Class::Invalid, Reason::Left(place)),
            None => (Class::Inconclusive, Reason::Astray),
        },
    };
    let is_strained = class != Class::Valid && (all.sets.is_strained() || valid.sets.is_strained());
    Ok(Classification {
        class,
        reason,
        fitting: valid.fitting,
        instead: valid.instead(),
        may_end: valid.sets.class(valid.last) == Some(Class::Valid),
        is_strained,
    })
}

/// A trace as far as a system goes along with it.
struct Followed<'a> {
    system: &'a System,
    sets: Sets<'a>,
    fitting: usize,
    last: SetId,
}

impl<'a> Followed<'a> {
    fn new(system: &'a System, trace: &[String]) -> Self {
        let mut sets = Sets::new(system);
        let mut last = sets.first();
        let mut fitting = 0;
        while let Some(next) = trace.get(fitting).and_then(|event| sets.after(last, event)) {
            last = next;
            fitting += 1;
        }
        Followed { system, sets, fitting, last }
    }

    fn instead(&mut self) -> Vec<String> {
        let events = self.sets.next(self.last).map(|(event, _)| self.system.events[event].text.clone());
        let mut texts: Vec<String> = events.collect();
        texts.sort();
        texts
    }

    /// The assertion that an event leaves, if every explanation of what came before it has one open on its lifeline.
    fn left_assertion(&self, event: &str) -> Option<Place> {
        let actor = actor(self.system, event)?;
        let configs = self.sets.configs(self.last);
        let open = |config| {
            let mut mandatory = self.system.mandatory.iter();
            mandatory.find(|one| one.component == actor && self.system.holds(one.open, config))
        };
        let left: Option<Vec<_>> = configs.iter().map(open).collect();
        left?.first().map(|mandatory| mandatory.place)
    }
}

/// The lifeline on which an event happens, known or not.
fn actor(system: &System, text: &str) -> Option<ComponentId> {
    if let Some(event) = system.events.iter().find(|event| event.text == text) {
        return match event.kind {
            EventKind::Send | EventKind::Rendezvous | EventKind::Termination => event.from,
            EventKind::Receive => event.to,
        };
    }
    let named = |name: &str| system.components.find(|known| known == name);
    let (from, rest) = text.split_once("->")?;
    match (from.strip_prefix('!'), text.starts_with('?')) {
        (Some(sender), _) => named(sender),
        (None, true) => rest.split_once(':').and_then(|(receiver, _)| named(receiver)),
        (None, false) => None,
    }
}

/// Reads a trace: a JSON array, or events one after the other, parted by space, commas or line ends. Event texts may hold
/// spaces themselves, so known ones are recognised first; `!m` and `?m` stand for the only event of that kind and message.
pub fn read_trace(system: &System, text: &str) -> Result<Vec<String>, String> {
    if text.trim_start().starts_with('[') {
        let events: Result<Vec<String>, _> = serde_json::from_str(text);
        return events.map_err(|problem| format!("the trace is no JSON array of texts: {problem}"));
    }
    let mut known: Vec<&str> = system.events.iter().map(|event| event.text.as_str()).collect();
    known.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let mut trace = Vec::new();
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let mut rest = text.trim_start_matches(is_gap);
    while !rest.is_empty() {
        let ends = |at: usize| rest[at..].chars().next().is_none_or(is_gap);
        let whole = known.iter().find(|known| rest.starts_with(**known) && ends(known.len()));
        let length = whole.map_or_else(|| rest.find(is_gap).unwrap_or(rest.len()), |known| known.len());
        trace.push(spelt_out(system, &rest[..length])?);
        rest = rest[length..].trim_start_matches(is_gap);
    }
    Ok(trace)
}

/// `!m` as the only event that sends m; anything else as it stands.
fn spelt_out(system: &System, text: &str) -> Result<String, String> {
    let kind = match text.chars().next() {
        Some('!') => EventKind::Send,
        Some('?') => EventKind::Receive,
        Some(_) | None => return Ok(text.to_owned()),
    };
    let message = &text[1..];
    if text.contains("->") {
        return Ok(text.to_owned());
    }
    let fitting = system.events.iter().filter(|event| event.kind == kind && event.message == message);
    let fitting: Vec<&str> = fitting.map(|event| event.text.as_str()).collect();
    match fitting.as_slice() {
        [] => Ok(text.to_owned()),
        [only] => Ok((*only).to_owned()),
        several => Err(format!("`{text}` may be any of {}", several.join(", "))),
    }
}
