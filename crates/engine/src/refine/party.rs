//! One of the two parties of a comparison: a System whose events have names, or are invisible. Events of one step are one
//! event, which is called by all their names.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use sequent_kernel::id::IdVec;
use sequent_kernel::property::Moment;
use sequent_kernel::system::{Event, EventId};

use crate::graph::{NodeId, Shows, StateGraph};
use crate::packed::Program;

/// A system, and what its events are called.
#[derive(Clone, Copy)]
pub struct Party<'a> {
    /// The system.
    pub program: &'a Program<'a>,
    /// The name by which an event is compared; `None` if it is hidden.
    pub name: &'a dyn Fn(&Event) -> Option<String>,
    /// Whether a proper end is distinguished from a deadlock.
    pub has_ends: bool,
}

/// Every event is called by its text.
pub fn text(event: &Event) -> Option<String> {
    Some(event.text.clone())
}

/// An event by the number of its name, the same for both parties; the first is the proper end.
pub(crate) type EventLetter = u32;

/// The proper end.
pub(crate) const END: EventLetter = 0;

/// The names of both parties.
pub(crate) struct PartyNames {
    texts: Vec<String>,
    letters: BTreeMap<String, EventLetter>,
}

impl PartyNames {
    pub(crate) fn new() -> Self {
        // The end has a number, and no name that an event could have.
        PartyNames { texts: vec![String::new()], letters: BTreeMap::new() }
    }

    fn letter(&mut self, name: String) -> EventLetter {
        let texts = &mut self.texts;
        *self.letters.entry(name).or_insert_with_key(|name| {
            texts.push(name.clone());
            texts.len() as EventLetter - 1
        })
    }

    /// The name behind a letter.
    pub(crate) fn text(&self, letter: EventLetter) -> &str {
        &self.texts[letter as usize]
    }
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PartyStep {
    /// What is seen.
    pub letter: Option<EventLetter>,
    /// Where it leads.
    pub to: NodeId,
    /// Its number among the steps of the state.
    pub number: u32,
}

/// The states of a party.
pub(crate) struct PartyStates<'a> {
    /// Where their steps lead.
    pub graph: StateGraph<'a>,
    /// The names of single events; `None` if they are hidden.
    single: IdVec<EventId, Option<String>>,
    letters: IdVec<EventId, Option<EventLetter>>,
    names: Rc<RefCell<PartyNames>>,
    /// Whether every run is a valid one.
    are_all_valid: bool,
    /// Whether none is void.
    are_all_runs: bool,
    /// For some states whether everything after them is void.
    dead: HashMap<NodeId, bool>,
    has_ends: bool,
}

impl<'a> PartyStates<'a> {
    pub(crate) fn new(party: Party<'a>, names: &Rc<RefCell<PartyNames>>) -> Self {
        let system = party.program.system;
        let single: IdVec<EventId, Option<String>> = system.events.iter().map(party.name).collect();
        let letter = |name: &Option<String>| name.clone().map(|name| names.borrow_mut().letter(name));
        let is_never = |term| party.program.constant(term) == Some(0);
        PartyStates {
            graph: StateGraph::new(party.program),
            letters: single.iter().map(letter).collect(),
            single,
            names: names.clone(),
            are_all_valid: is_never(system.invalid) && is_never(system.inconclusive),
            are_all_runs: is_never(system.void),
            dead: HashMap::new(),
            has_ends: party.has_ends,
        }
    }

    /// The state in which every run begins, if any run counts.
    pub(crate) fn first(&mut self) -> Option<NodeId> {
        let first = self.graph.first().map(|(node, _)| node);
        first.filter(|node| self.counts(*node))
    }

    /// The steps of a state, but for those after which a run is no valid one, or none at all.
    pub(crate) fn moves(&mut self, node: NodeId) -> Vec<PartyStep> {
        let edges = self.graph.edges(node).to_vec();
        let letters: Vec<Option<EventLetter>> = edges.iter().map(|edge| self.letter(edge.shows)).collect();
        let moves = edges.iter().zip(letters).zip(0..);
        let moves: Vec<PartyStep> =
            moves.map(|((edge, letter), number)| PartyStep { letter, to: edge.to, number }).collect();
        moves.into_iter().filter(|step| self.counts(step.to)).collect()
    }

    /// What is seen of a step.
    fn letter(&self, shows: Shows) -> Option<EventLetter> {
        match self.graph.events(shows) {
            [event] => self.letters[*event],
            several => {
                let names: Vec<&str> =
                    several.iter().filter_map(|event| self.single[*event].as_deref()).collect();
                (!names.is_empty()).then(|| self.names.borrow_mut().letter(names.join(" + ")))
            }
        }
    }

    /// The events that a state accepts, in order, if it is stable. One that may end does so at any time, and
    /// offers only its end.
    pub(crate) fn offer(&mut self, node: NodeId, moves: &[PartyStep]) -> Option<Vec<EventLetter>> {
        if self.may_end(node) {
            return Some(vec![END]);
        }
        let mut letters: Vec<EventLetter> = moves.iter().map(|step| step.letter).collect::<Option<_>>()?;
        letters.sort_unstable();
        letters.dedup();
        Some(letters)
    }

    /// Whether a run may properly end in a state.
    pub(crate) fn may_end(&mut self, node: NodeId) -> bool {
        self.has_ends && self.graph.end(node) == Some(Moment::End)
    }

    fn counts(&mut self, node: NodeId) -> bool {
        let system = self.graph.system();
        let is_valid = self.are_all_valid
            || !self.graph.holds(system.invalid, node) && !self.graph.holds(system.inconclusive, node);
        is_valid && !self.is_dead(node)
    }

    /// Whether no run goes through a state: all its continuations are void, and left out of the graph. A
    /// state from which a cycle or a deadlock can be reached is not dead.
    fn is_dead(&mut self, node: NodeId) -> bool {
        if self.are_all_runs {
            return false;
        }
        let mut path = vec![(node, 0)];
        while let Some((node, tried)) = path.pop() {
            // A node on the path again closes a cycle.
            if tried == 0 && self.dead.contains_key(&node) {
                continue;
            }
            self.dead.entry(node).or_insert(false);
            let edges = self.graph.edges(node);
            let (count, next) = (edges.len(), edges.get(tried).map(|edge| edge.to));
            // The one that was tried last, if any, is known by now.
            let last = tried.checked_sub(1).and_then(|last| edges.get(last)).map(|edge| edge.to);
            if last.is_some_and(|last| self.dead.get(&last) == Some(&false)) {
                continue;
            }
            match next {
                Some(next) => path.extend([(node, tried + 1), (next, 0)]),
                None => {
                    let is_dead = count > 0 || self.graph.end(node).is_none();
                    self.dead.insert(node, is_dead);
                }
            }
        }
        self.dead.get(&node) == Some(&true)
    }
}
