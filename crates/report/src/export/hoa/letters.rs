//! Letters: what is true at a position of a run, and names for what labels say of it.
//!
//! First come the events, of which at most one is true. Events that the automaton does not distinguish have
//! no proposition of their own: at such an event none is true. Then come moments at which nothing happens,
//! then predicates of the state. Aliases say that one event is true and nothing else happens, so labels are
//! short, and those of different events exclude each other.

use super::super::names::Identifiers;

/// A moment at which nothing happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IdleMoment {
    /// Everything is over, as it should be.
    End,
    /// Nothing can happen any more, but not everything is over.
    Stuck,
    /// Something changed, and nothing was seen.
    Silent,
}

impl IdleMoment {
    fn word(self) -> &'static str {
        match self {
            IdleMoment::End => "end",
            IdleMoment::Stuck => "stuck",
            IdleMoment::Silent => "silent",
        }
    }
}

/// The propositions, and the aliases.
pub(crate) struct Letters {
    /// The propositions in their order, each once.
    pub propositions: Vec<String>,
    /// Names with what they stand for, in their order.
    pub aliases: Vec<(String, String)>,
    events: usize,
    moments: Vec<IdleMoment>,
}

impl Letters {
    /// Some events, moments and predicates.
    pub(crate) fn new(events: &[&str], moments: &[IdleMoment], predicates: &[String]) -> Self {
        let mut propositions: Vec<String> = Vec::new();
        let words = moments.iter().map(|moment| moment.word());
        // Moments keep their names, whatever an event is called.
        for text in events.iter().copied().chain(predicates.iter().map(String::as_str)) {
            let mut name = line(text);
            while propositions.contains(&name) || moments.iter().any(|moment| moment.word() == name) {
                name.push('\'');
            }
            propositions.push(name);
        }
        propositions.splice(events.len()..events.len(), words.map(str::to_owned));
        let mut letters =
            Letters { propositions, aliases: Vec::new(), events: events.len(), moments: moments.to_vec() };
        letters.name();
        letters
    }

    /// Names for all that may happen.
    fn name(&mut self) {
        let mut names = Identifiers::without("other event end stuck silent");
        for event in 0..self.events {
            let name = format!("@{}", names.give(&self.propositions[event]));
            self.aliases.push((name, self.only(Some(event))));
        }
        for at in 0..self.moments.len() {
            let name = format!("@{}", self.moments[at].word());
            self.aliases.push((name, self.only(Some(self.events + at))));
        }
    }

    /// That one of what happens is true and no other, or none.
    fn only(&self, one: Option<usize>) -> String {
        let all = 0..self.events + self.moments.len();
        let literal = |other: usize| if Some(other) == one { other.to_string() } else { format!("!{other}") };
        let all: Vec<String> = all.map(literal).collect();
        if all.is_empty() { "t".to_owned() } else { all.join("&") }
    }

    /// Adds names for an event without a proposition, if there are some, and for any event whatsoever.
    pub(crate) fn with_others(mut self, has_others: bool) -> Self {
        let events: Vec<String> = self.aliases[..self.events].iter().map(|(name, _)| name.clone()).collect();
        let other = ("@other".to_owned(), self.only(None));
        let mut any: Vec<String> = events;
        if has_others {
            self.aliases.push(other);
            any.push("@other".to_owned());
        }
        if !any.is_empty() {
            self.aliases.push(("@event".to_owned(), any.join("|")));
        }
        self
    }

    /// That an event happens.
    pub(crate) fn event(&self, event: usize) -> &str {
        &self.aliases[event].0
    }

    /// That a moment is there.
    pub(crate) fn moment(&self, moment: IdleMoment) -> String {
        format!("@{}", moment.word())
    }

    /// That a predicate has a value.
    pub(crate) fn predicate(&self, predicate: usize, value: bool) -> String {
        let number = self.events + self.moments.len() + predicate;
        if value { number.to_string() } else { format!("!{number}") }
    }
}

/// A text in one line.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
