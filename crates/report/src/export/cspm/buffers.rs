//! Queues as processes: the messages that wait for an object are a sequence of events that are still to be
//! received.
//!
//! In a System a queue is a variable for each place, 0 where nothing waits, and rules move all of them. Here
//! the rules become operations: append, take the first, or take one from behind others that are deferred
//! ([`waiting`](super::waiting)).

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{
    ComponentId, EventId, EventKind, QueueId, RuleId, System, TermId, TermNode, VariableId,
};

use super::super::promela::{conjuncts, literal, read};
use super::Unwritten;
use super::parties::{OwnRule, PartyDeed, Shares};

/// A queue.
pub(crate) struct Buffer {
    /// The component that takes the messages.
    pub owner: ComponentId,
    pub(super) places: Vec<VariableId>,
    /// What else it knows.
    pub(super) others: Vec<VariableId>,
    pub(super) deals: Vec<Deal>,
    /// The messages, as the events in which they are received.
    pub(super) items: BTreeMap<i32, EventId>,
}

/// What becomes of those that wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BufferChange {
    Nothing,
    Put(i32),
    Take(usize),
    Clear,
}

/// Something that is done with a queue.
#[derive(Clone)]
pub(super) struct Deal {
    pub(super) rule: RuleId,
    pub(super) deed: PartyDeed,
    pub(super) change: BufferChange,
    /// How many wait: at least, at most.
    pub(super) least: usize,
    pub(super) most: usize,
    /// What waits where.
    pub(super) found: BTreeMap<usize, i32>,
    /// What else must hold.
    pub(super) asks: Vec<TermId>,
    /// What becomes of the others.
    pub(super) updates: BTreeMap<VariableId, TermId>,
}

impl Buffer {
    /// Tells what rules do with a queue.
    pub(crate) fn new(
        system: &System,
        queue: QueueId,
        rules: &[OwnRule],
        shares: &Shares,
    ) -> Result<Self, Unwritten> {
        let queue = &system.queues[queue];
        let places = queue.order.slots();
        let mut deals = Vec::new();
        for own in rules {
            deals.extend(deal(system, places, own)?);
        }
        let mut others: BTreeSet<VariableId> = BTreeSet::new();
        for own in rules {
            others.extend(own.updates.iter().map(|(variable, _)| *variable));
            others.extend(read(system, own.guard));
        }
        others.retain(|variable| !places.contains(variable));
        let mut items: BTreeMap<i32, EventId> = BTreeMap::new();
        for kind in [EventKind::Receive, EventKind::Send] {
            for deal in &deals {
                let code = match deal.change {
                    BufferChange::Put(code) => Some(code),
                    BufferChange::Take(place) => deal.found.get(&place).copied(),
                    BufferChange::Nothing | BufferChange::Clear => None,
                };
                let event = shares.shows(deal.deed).filter(|event| system.events[*event].kind == kind);
                if let (Some(code), Some(event)) = (code, event) {
                    items.entry(code).or_insert(event);
                }
            }
        }
        let is_known = |deal: &Deal| match deal.change {
            BufferChange::Put(code) => items.contains_key(&code),
            BufferChange::Nothing | BufferChange::Take(_) | BufferChange::Clear => {
                deal.found.values().all(|code| items.contains_key(code))
            }
        };
        // A message that is never sent is never taken.
        deals.retain(is_known);
        let distinct: BTreeSet<&str> =
            items.values().map(|event| system.events[*event].text.as_str()).collect();
        if distinct.len() < items.len() {
            return Err(Unwritten("messages that wait look alike".to_owned()));
        }
        Ok(Buffer {
            owner: queue.owner,
            places: places.to_vec(),
            others: others.into_iter().collect(),
            deals,
            items,
        })
    }

    /// Terms about what it knows besides its messages.
    pub(crate) fn terms(&self, system: &System) -> Vec<TermId> {
        let mut all: Vec<TermId> =
            self.deals.iter().flat_map(|deal| deal.updates.values().copied()).collect();
        let mut open: Vec<TermId> = self.deals.iter().flat_map(|deal| deal.asks.clone()).collect();
        while let Some(term) = open.pop() {
            match read(system, term).iter().any(|variable| self.places.contains(variable)) {
                true => open.extend(system.terms.parts(term)),
                false => all.push(term),
            }
        }
        all
    }

    /// The events that may wait.
    pub(crate) fn events(&self) -> impl Iterator<Item = EventId> {
        self.items.values().copied()
    }
}

/// What a rule does with a queue, for each thing that it may be; nothing if it is never possible.
fn deal(system: &System, places: &[VariableId], own: &OwnRule) -> Result<Vec<Deal>, Unwritten> {
    let no = || Unwritten("a queue is used otherwise than a queue".to_owned());
    let (mut least, mut most) = (0, places.len());
    let mut found = BTreeMap::new();
    let mut asks = Vec::new();
    for term in conjuncts(system, own.guard) {
        let known = literal(system, term).and_then(|(variable, value, is)| {
            Some((places.iter().position(|one| *one == variable)?, value, is))
        });
        let is_bit = |place: usize| system.variables[places[place]].max <= 1;
        match known {
            Some((place, 0, true)) => most = most.min(place),
            Some((place, 0, false)) => least = least.max(place + 1),
            Some((place, code, true)) => {
                least = least.max(place + 1);
                if found.insert(place, code).is_some_and(|other| other != code) {
                    return Ok(Vec::new());
                }
            }
            Some((place, _, false)) if is_bit(place) => most = most.min(place),
            Some((_, _, false)) | None => asks.push(term),
        }
    }
    if least > most {
        return Ok(Vec::new());
    }
    let (slots, others): (Vec<_>, Vec<_>) =
        own.updates.iter().copied().partition(|(variable, _)| places.contains(variable));
    let slots: BTreeMap<usize, TermId> = slots
        .into_iter()
        .filter_map(|(variable, term)| Some((places.iter().position(|one| *one == variable)?, term)))
        .collect();
    let is_moved = |place: usize| match (slots.get(&place), places.get(place + 1)) {
        (Some(term), Some(next)) => *system.terms.node(*term) == TermNode::Variable(*next),
        (Some(term), None) => system.terms.as_constant(*term) == Some(0),
        (None, _) => false,
    };
    let constants: Option<Vec<i32>> = slots.values().map(|term| system.terms.as_constant(*term)).collect();
    let first = slots.keys().next().copied();
    let change = match (first, constants.as_deref(), slots.len()) {
        (None, ..) => BufferChange::Nothing,
        (Some(place), ..) if least > place && (place..places.len()).all(is_moved) => {
            BufferChange::Take(place)
        }
        (Some(0), Some(values), count) if count == places.len() && values.iter().all(|value| *value == 0) => {
            BufferChange::Clear
        }
        (Some(place), Some([code]), 1) if *code > 0 && least == place && most == place => {
            BufferChange::Put(*code)
        }
        (Some(_), ..) => return Err(no()),
    };
    let updates: BTreeMap<VariableId, TermId> = others.into_iter().collect();
    if !asks.iter().all(|term| is_told(system, places, *term)) {
        return Err(no());
    }
    let deal = |deed: &Option<PartyDeed>| {
        let deed = deed.ok_or_else(no)?;
        let (found, asks, updates) = (found.clone(), asks.clone(), updates.clone());
        Ok(Deal { rule: own.rule, deed, change, least, most, found, asks, updates })
    };
    own.deeds.iter().map(deal).collect()
}

/// Whether a condition compares places with messages and says nothing else about them.
fn is_told(system: &System, places: &[VariableId], term: TermId) -> bool {
    if !read(system, term).iter().any(|variable| places.contains(variable)) || literal(system, term).is_some()
    {
        return true;
    }
    match system.terms.node(term) {
        TermNode::And(parts) | TermNode::Or(parts) => parts.iter().all(|part| is_told(system, places, *part)),
        TermNode::Not(inner) => is_told(system, places, *inner),
        TermNode::Constant(_)
        | TermNode::Variable(_)
        | TermNode::Equal(..)
        | TermNode::Less(..)
        | TermNode::Number(..)
        | TermNode::If(..) => false,
    }
}
