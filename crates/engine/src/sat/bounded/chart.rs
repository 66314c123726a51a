//! Chart: in which orders messages follow each other, as an automaton that reads what steps show.
//!
//! A drawn list of messages is a chain. A scenario that reads nothing but events has a node for each thing that its observer
//! remembers during an attempt; alternatives, parallel operands and loops are ways between them. A step in which one component
//! meets several others shows several messages, one after the other; an attempt may come to its end amid them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

use sequent_kernel::property::scenario::{FoundObserver, SoughtScenario, Stance};
use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::system::{ComponentId, EventId, Join, LabelId, System};

/// A step by which components meet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChartMeeting {
    /// The component that offers.
    pub from: ComponentId,
    /// The labels, each with the component that takes it.
    pub parts: Vec<(LabelId, ComponentId)>,
}

/// The orders of messages.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// The steps that show messages.
    pub meetings: Vec<ChartMeeting>,
    /// The first node is the one in which nothing has happened.
    pub nodes: Vec<ChartNode>,
    /// How many messages have happened when all have.
    pub whole: usize,
}

/// What may follow what has happened.
#[derive(Clone, Debug)]
pub(super) struct ChartNode {
    /// How many messages have happened.
    pub depth: usize,
    /// The steps that may be next.
    pub ways: Vec<ChartStep>,
}

/// A step from a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartStep {
    /// The number of the meeting.
    pub meeting: usize,
    /// Where it leads; `None` if the attempt is over amid the step.
    pub to: Option<usize>,
    /// How many messages have happened when it is over, or before what ends the attempt.
    pub depth: usize,
}

/// Charts with more nodes than this are not followed.
const MOST_NODES: usize = 5_000;

/// Nor steps that are more than this.
const MOST_MEETINGS: usize = 50_000;

impl Chart {
    /// Messages by what is seen of them, one after the other; `None` stands for one that is never seen.
    pub(crate) fn chain(system: &System, events: &[Option<EventId>]) -> Option<Self> {
        let wanted: BTreeSet<EventId> = events.iter().flatten().copied().collect();
        let read = |at: &usize, event: EventId| match events.get(*at) {
            None => Some(*at),
            Some(next) => (*next == Some(event)).then_some(at + 1),
        };
        Self::walk(system, 0, |event| wanted.contains(&event), read, |at| Some(*at), Some(events.len()))
    }

    /// The messages of a scenario from where an attempt begins; `None` if it looks at objects, or has too many orders.
    pub(crate) fn of(system: &System, scenario: &SoughtScenario) -> Option<Self> {
        let observer = FoundObserver { scenario };
        if !observer.watched().is_empty() {
            return None;
        }
        // An attempt that begins where it must goes on in one way, if it does.
        let read = |stance: &Stance, moment: Moment| {
            let mut ways = Vec::new();
            observer.read(stance, moment, &mut |_| false, &mut ways);
            ways.first().map(|(stance, _)| *stance)
        };
        let first = read(&observer.first(), Moment::Start)?;
        if matches!(first, Stance::Unborn | Stance::Open(_)) {
            return None;
        }
        let next = |stance: &Stance, event| read(stance, Moment::Event(event));
        let is_read = |event| scenario.may_read(event);
        Self::walk(system, first, is_read, next, |stance| observer.depth(stance), None)
    }

    /// All that is remembered from a beginning on. `depth` tells how many messages have happened; `None` if all have.
    fn walk<S: Copy + Eq + Hash>(
        system: &System,
        first: S,
        is_read: impl Fn(EventId) -> bool,
        read: impl Fn(&S, EventId) -> Option<S>,
        depth: impl Fn(&S) -> Option<usize>,
        whole: Option<usize>,
    ) -> Option<Self> {
        let meetings = meetings(system, &is_read)?;
        let shown: Vec<Vec<EventId>> =
            meetings.iter().map(|meeting| events(system, meeting).collect()).collect();
        let deep = |state: &S| depth(state).unwrap_or(usize::MAX);
        let (mut states, mut numbers) = (vec![first], HashMap::from([(first, 0)]));
        let mut nodes: Vec<ChartNode> = Vec::new();
        while let Some(state) = states.get(nodes.len()).copied() {
            let mut node = ChartNode { depth: deep(&state), ways: Vec::new() };
            for (meeting, shown) in shown.iter().enumerate().filter(|_| depth(&state).is_some()) {
                let (mut at, mut reached) = (Some(state), node.depth);
                for event in shown {
                    at = at.and_then(|at| read(&at, *event));
                    reached = reached.max(at.as_ref().map_or(0, &deep));
                }
                if at.is_none() && reached == node.depth {
                    continue;
                }
                let to = at.map(|at| {
                    *numbers.entry(at).or_insert_with(|| {
                        states.push(at);
                        states.len() - 1
                    })
                });
                node.ways.push(ChartStep { meeting, to, depth: reached });
            }
            nodes.push(node);
            if states.len() > MOST_NODES {
                return None;
            }
        }
        let depths = nodes.iter().flat_map(|node| node.ways.iter().map(|way| way.depth).chain([node.depth]));
        let open = depths.filter(|depth| *depth != usize::MAX).max();
        let whole = whole.unwrap_or(open.map_or(0, |depth| depth + 1));
        for node in &mut nodes {
            node.depth = node.depth.min(whole);
            node.ways.iter_mut().for_each(|way| way.depth = way.depth.min(whole));
        }
        Some(Chart { meetings, nodes, whole })
    }
}

/// The steps of components that meet, if the first message that they show is read; `None` if there are too many.
fn meetings(system: &System, is_read: &dyn Fn(EventId) -> bool) -> Option<Vec<ChartMeeting>> {
    let mut takers: BTreeMap<LabelId, BTreeSet<ComponentId>> = BTreeMap::new();
    let mut offers: BTreeSet<(ComponentId, &[LabelId])> = BTreeSet::new();
    for rule in system.rules.iter() {
        match &rule.join {
            Join::Alone | Join::Listen(_) => {}
            Join::Offer(labels) => {
                offers.insert((rule.component, labels));
            }
            Join::Take(label) => {
                takers.entry(*label).or_default().insert(rule.component);
            }
        }
    }
    let mut meetings = Vec::new();
    for (from, labels) in offers {
        let mut ways: Vec<Vec<(LabelId, ComponentId)>> = vec![Vec::new()];
        for label in labels {
            let takers = takers.get(label).into_iter().flatten();
            let with = |way: &Vec<(LabelId, ComponentId)>| {
                let is_free =
                    |taker: &ComponentId| *taker != from && way.iter().all(|(_, other)| other != taker);
                let is_wanted = |taker: &ComponentId| {
                    !way.is_empty()
                        || system.meetings.get(&(*label, from, *taker)).is_some_and(|event| is_read(*event))
                };
                let next = takers.clone().filter(|taker| is_free(taker) && is_wanted(taker));
                next.map(|taker| way.iter().copied().chain([(*label, *taker)]).collect()).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(with).collect();
            if meetings.len() + ways.len() > MOST_MEETINGS {
                return None;
            }
        }
        meetings.extend(ways.into_iter().map(|parts| ChartMeeting { from, parts }));
    }
    Some(meetings)
}

/// What a meeting shows.
fn events<'m>(system: &'m System, meeting: &'m ChartMeeting) -> impl Iterator<Item = EventId> + 'm {
    let event =
        |(label, to): &(LabelId, ComponentId)| system.meetings.get(&(*label, meeting.from, *to)).copied();
    meeting.parts.iter().filter_map(event)
}
