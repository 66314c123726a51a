//! Normal form: a specification in which every trace leads to one set of states.
//!
//! A set holds whatever a trace leads to, invisible steps included (the subset construction). Of a set it is known where
//! events lead, whether one of its states may go on invisibly forever, and what its states at rest take: of these offers
//! only the least count, as a larger one refuses less.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::party::{EventLetter, PartyStates};
use crate::graph::NodeId;
use crate::scc::components;

/// The number of a set.
pub(crate) type SetNumber = u32;

/// What is known of a set.
#[derive(Clone, Default)]
pub(crate) struct SetFacts {
    /// Where events lead.
    pub next: BTreeMap<EventLetter, SetNumber>,
    /// Whether a run may properly end here.
    pub may_end: bool,
    /// Whether invisible steps may go on forever.
    pub is_divergent: bool,
    /// What states at rest take, without those that take more than another.
    pub offers: Vec<Vec<EventLetter>>,
}

/// The specification as far as it is known.
pub(crate) struct Normal<'a> {
    pub states: PartyStates<'a>,
    /// For each set its states, in order.
    sets: Vec<Vec<NodeId>>,
    numbers: HashMap<Vec<NodeId>, SetNumber>,
    facts: Vec<Option<SetFacts>>,
    /// How many states all sets hold.
    members: usize,
    /// More states are not looked at; whether there were.
    most_states: usize,
    is_full: bool,
}

impl<'a> Normal<'a> {
    pub(crate) fn new(states: PartyStates<'a>, most_states: usize) -> Self {
        Normal {
            states,
            sets: Vec::new(),
            numbers: HashMap::new(),
            facts: Vec::new(),
            members: 0,
            most_states,
            is_full: false,
        }
    }

    /// Whether there was no room for all states; then sets may lack some, and nothing may be concluded from them.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The set of the empty trace. Without any run it is empty, as if there were no other trace.
    pub(crate) fn first(&mut self) -> SetNumber {
        let first = self.states.first();
        self.set(first.into_iter().collect())
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.states.graph.bytes() + 2 * self.members * size_of::<NodeId>() + self.sets.len() * 256
    }

    /// What is known of a set.
    pub(crate) fn facts(&mut self, set: SetNumber) -> &SetFacts {
        if self.facts[set as usize].is_none() {
            self.facts[set as usize] = Some(self.find_out(set));
        }
        self.facts[set as usize].as_ref().expect("it was just found out")
    }

    fn find_out(&mut self, set: SetNumber) -> SetFacts {
        let members = self.sets[set as usize].clone();
        let mut facts = SetFacts::default();
        let mut seen: BTreeMap<EventLetter, Vec<NodeId>> = BTreeMap::new();
        let mut invisible: Vec<Vec<u32>> = Vec::with_capacity(members.len());
        let mut offers: BTreeSet<Vec<EventLetter>> = BTreeSet::new();
        for member in &members {
            let moves = self.states.moves(*member);
            facts.may_end |= self.states.may_end(*member);
            offers.extend(self.states.offer(*member, &moves));
            for step in &moves {
                if let Some(letter) = step.letter {
                    seen.entry(letter).or_default().push(step.to);
                }
            }
            let steps = moves.iter().filter(|step| step.letter.is_none());
            let place = |node: &NodeId| members.binary_search(node).ok().map(|place| place as u32);
            invisible.push(steps.filter_map(|step| place(&step.to)).collect());
        }
        facts.is_divergent = has_circle(&invisible);
        facts.offers = least(offers);
        facts.next = seen.into_iter().map(|(letter, nodes)| (letter, self.set(nodes))).collect();
        facts
    }

    /// The number of the set of some states and whatever invisible steps lead to.
    fn set(&mut self, from: Vec<NodeId>) -> SetNumber {
        let mut closed: BTreeSet<NodeId> = from.iter().copied().collect();
        let mut open: Vec<NodeId> = closed.iter().copied().collect();
        while let Some(node) = open.pop() {
            if self.states.graph.len() > self.most_states {
                self.is_full = true;
                break;
            }
            let moves = self.states.moves(node);
            let steps = moves.iter().filter(|step| step.letter.is_none());
            open.extend(steps.filter(|step| closed.insert(step.to)).map(|step| step.to));
        }
        let members: Vec<NodeId> = closed.into_iter().collect();
        if let Some(set) = self.numbers.get(&members) {
            return *set;
        }
        let set = self.sets.len() as SetNumber;
        self.members += members.len();
        self.numbers.insert(members.clone(), set);
        self.sets.push(members);
        self.facts.push(None);
        set
    }
}

/// Whether a graph has a cycle.
pub(crate) fn has_circle(next: &[Vec<u32>]) -> bool {
    let mut found = false;
    let is_own = |state: u32| next[state as usize].contains(&state);
    components(
        next.len(),
        |state, pool| pool.extend(&next[state]),
        |part| found |= part.len() > 1 || is_own(part[0]),
    );
    found
}

/// The offers that hold no other.
fn least(offers: BTreeSet<Vec<EventLetter>>) -> Vec<Vec<EventLetter>> {
    let mut offers: Vec<Vec<EventLetter>> = offers.into_iter().collect();
    offers.sort_by_key(Vec::len);
    let mut least: Vec<Vec<EventLetter>> = Vec::new();
    for offer in offers {
        if !least.iter().any(|less| holds_all(&offer, less)) {
            least.push(offer);
        }
    }
    least
}

/// Whether an ordered list holds all of another.
pub(crate) fn holds_all(more: &[EventLetter], less: &[EventLetter]) -> bool {
    less.iter().all(|letter| more.binary_search(letter).is_ok())
}
