//! Parties: the participants in the steps of a system: each object, each queue, and variables that several
//! objects write.
//!
//! What several parties do together is one event for all of them. What breaks the system is an event, too ([`PartyDeed::Fault`]).

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{ComponentId, EventId, QueueId, RuleId, TermId, VariableId};

/// A participant in steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum StepParty {
    /// An object: its states and attributes.
    Object(ComponentId),
    /// A queue.
    Queue(QueueId),
    /// A variable to which several objects write.
    Desk(VariableId),
}

/// A step as seen by its participants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PartyDeed {
    /// It is known as it is seen.
    Event(EventId),
    /// One of several that look alike, or one of which nothing is seen.
    Way(usize),
    /// What breaks the system.
    Fault(usize),
}

/// What a party has to do with a rule: when, and what changes.
pub(crate) type Participation = (TermId, BTreeMap<VariableId, TermId>);

/// A rule of an object, without what never changes.
#[derive(Clone)]
pub(crate) struct OwnRule {
    pub rule: RuleId,
    pub guard: TermId,
    pub updates: Vec<(VariableId, TermId)>,
    /// What is done; several if it depends on others.
    pub deeds: Vec<Option<PartyDeed>>,
}

/// What all parties do.
#[derive(Default)]
pub(crate) struct Shares {
    /// The rules of each.
    pub own: BTreeMap<StepParty, Vec<OwnRule>>,
    /// What is seen of ways.
    pub ways: Vec<Option<EventId>>,
    /// What is seen of faults.
    pub faults: Vec<Option<EventId>>,
}

impl Shares {
    /// The alphabet of a party.
    pub(crate) fn alphabet(&self, party: StepParty) -> BTreeSet<PartyDeed> {
        let own = self.own.get(&party).into_iter().flatten();
        own.flat_map(|own| own.deeds.iter().flatten().copied()).collect()
    }

    /// What is seen of a deed.
    pub(crate) fn shows(&self, deed: PartyDeed) -> Option<EventId> {
        match deed {
            PartyDeed::Event(event) => Some(event),
            PartyDeed::Way(number) => self.ways[number],
            PartyDeed::Fault(number) => self.faults[number],
        }
    }
}
