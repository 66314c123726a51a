//! Explanations: why no order suits the machines, and what would help.
//!
//! The reason is looked for from the simplest on: one side's additions alone, two messages that exclude each other on a lifeline, a lifeline that accepts
//! no interleaving at all, and last lifelines that each want another order. Proposals are the fewest messages to leave out, one message to
//! move inside its addition, and one transition that a machine lacks; each is tried, not guessed. Where orders had to be searched for see `repair`.

use std::cell::Cell;

use sequent_kernel::id::Id;
use sequent_kernel::model::MachineId;

use super::order::{Graph, Item, Problem, Set, Side, Slot, ThreadId};
use super::stage::Stage;
use super::trigger::{Limit, Scene};

/// Why there is no merge, and what would help.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// What is wrong, in sentences.
    pub reasons: Vec<String>,
    /// What would help, in sentences.
    pub proposals: Vec<String>,
    /// The messages that exclude each other.
    pub messages: Vec<String>,
}

/// Problems with more configurations than this are not tried.
const MOST_NODES: usize = 100_000;

/// No more nodes than this are made in all trials for one explanation.
const MOST_WORK: usize = 400_000;

/// No more pairs of choices are tried.
const MOST_PAIRS: usize = 100;

/// Explains why a scene has no merge.
pub fn explain(scene: &Scene, stage: &Stage) -> Explanation {
    let explainer = Explainer { scene, stage, work: Cell::new(0) };
    let mut explanation = explainer.reasons();
    explanation.proposals = explainer.omissions();
    explanation.proposals.extend(explainer.moves());
    explanation.proposals.extend(explainer.transitions());
    explanation
}

/// Explains it without saying what would help.
pub fn reasons(scene: &Scene, stage: &Stage) -> Explanation {
    Explainer { scene, stage, work: Cell::new(0) }.reasons()
}

pub(super) struct Explainer<'e> {
    pub(super) scene: &'e Scene,
    pub(super) stage: &'e Stage,
    /// Nodes that trials have made.
    work: Cell<usize>,
}

/// An element of a gap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Added {
    pub slot: usize,
    pub side: Side,
    pub number: usize,
}

impl Explainer<'_> {
    fn reasons(&self) -> Explanation {
        let all = self.added();
        for side in Side::BOTH {
            let others: Vec<Added> = all.iter().copied().filter(|one| one.side != side).collect();
            if self.is_impossible(&self.without(&others)) {
                let reason =
                    format!("what {} added does not suit the state machines even alone", whose(side));
                return self
                    .reason(reason, &all.iter().copied().filter(|one| one.side == side).collect::<Vec<_>>());
            }
        }
        if let Some((ours, theirs, pair)) = self.pair(&all) {
            return self.exclusion(ours, theirs, &pair);
        }
        for thread in self.scene.problem.threads.ids() {
            if self.is_impossible(&self.alone(thread)) {
                let own: Vec<Added> = all.iter().copied().filter(|one| self.touches(*one, thread)).collect();
                let reason = format!(
                    "`{}` can receive what both sides send to it in no order",
                    self.limit(thread).lifeline
                );
                return self.reason(reason, &own);
            }
        }
        self.wishes(&all)
    }

    fn reason(&self, reason: String, about: &[Added]) -> Explanation {
        let messages = about.iter().map(|one| self.name(*one).to_owned()).collect();
        Explanation { reasons: vec![reason], messages, ..Explanation::default() }
    }

    /// Two elements, one of each side, that cannot both be there, and the problem of these two alone.
    fn pair(&self, all: &[Added]) -> Option<(Added, Added, Problem)> {
        for ours in all.iter().filter(|one| one.side == Side::Ours) {
            for theirs in all.iter().filter(|one| one.side == Side::Theirs) {
                if self.is_spent() {
                    return None;
                }
                let rest: Vec<Added> =
                    all.iter().copied().filter(|one| one != ours && one != theirs).collect();
                let pair = self.without(&rest);
                let [of_ours, of_theirs] = [*theirs, *ours].map(|left_out| {
                    let rest: Vec<Added> = rest.iter().copied().chain([left_out]).collect();
                    self.without(&rest)
                });
                if self.is_impossible(&pair) && self.is_possible(&of_ours) && self.is_possible(&of_theirs) {
                    return Some((*ours, *theirs, pair));
                }
            }
        }
        None
    }

    /// Why two elements exclude each other: where the lifeline is after each of them.
    fn exclusion(&self, ours: Added, theirs: Added, pair: &Problem) -> Explanation {
        let (first, second) = (self.name(ours).to_owned(), self.name(theirs).to_owned());
        let mut explanation = self
            .reason(format!("`{first}` (ours) and `{second}` (theirs) exclude each other"), &[ours, theirs]);
        let threads: Vec<ThreadId> = self.scene.problem.threads.ids().collect();
        for thread in threads {
            if !self.is_impossible(&self.alone_in(thread, pair)) {
                continue;
            }
            for (one, other) in [(ours, theirs), (theirs, ours)] {
                if let Some(states) = self.states_after(thread, one, &[other]) {
                    let limit = self.limit(thread);
                    explanation.reasons.push(format!(
                        "after `{}` `{}` is in {}, and so it cannot receive `{}` and what follows",
                        self.name(one),
                        limit.lifeline,
                        self.listed(limit, &states),
                        self.name(other)
                    ));
                }
            }
        }
        explanation
    }

    /// Lifelines that each have an order, but not the same.
    fn wishes(&self, all: &[Added]) -> Explanation {
        let about: Vec<Added> = all.to_vec();
        let mut explanation =
            self.reason("each lifeline has an order, but no order suits all of them".to_owned(), &about);
        let threads: Vec<ThreadId> = self.scene.problem.threads.ids().collect();
        for thread in threads {
            for ours in all.iter().filter(|one| one.side == Side::Ours && self.touches(**one, thread)) {
                let theirs = all.iter().filter(|one| one.slot == ours.slot && one.side == Side::Theirs);
                for theirs in theirs.filter(|one| self.touches(**one, thread)) {
                    for (one, other) in [(ours, theirs), (theirs, ours)] {
                        if explanation.reasons.len() < 6 && self.must_precede(thread, *one, *other) {
                            explanation.reasons.push(format!(
                                "`{}` needs `{}` before `{}`",
                                self.limit(thread).lifeline,
                                self.name(*one),
                                self.name(*other)
                            ));
                        }
                    }
                }
            }
        }
        explanation
    }

    /// Whether a lifeline accepts one element before another only.
    fn must_precede(&self, thread: ThreadId, one: Added, other: Added) -> bool {
        let mut swapped = self.alone(thread);
        let Slot::Gap { ours, theirs } = &mut swapped.slots[one.slot] else { return false };
        // The other one and all before it on its side come before this one and all after it.
        let (own, others) = if one.side == Side::Ours { (ours, theirs) } else { (theirs, ours) };
        let (early, late) = (own.drain(..one.number).collect::<Vec<_>>(), std::mem::take(own));
        let (before, after) = (others.drain(..=other.number).collect::<Vec<_>>(), std::mem::take(others));
        let gaps = [Slot::Gap { ours: early, theirs: before }, Slot::Gap { ours: late, theirs: after }];
        swapped.slots.splice(one.slot..=one.slot, gaps);
        self.is_impossible(&swapped)
    }

    pub(super) fn added(&self) -> Vec<Added> {
        let mut all = Vec::new();
        for (slot, content) in self.scene.problem.slots.iter().enumerate() {
            if let Slot::Gap { ours, theirs } = content {
                for (side, items) in [(Side::Ours, ours), (Side::Theirs, theirs)] {
                    all.extend((0..items.len()).map(|number| Added { slot, side, number }));
                }
            }
        }
        all
    }

    pub(super) fn item(&self, one: Added) -> &Item {
        match &self.scene.problem.slots[one.slot] {
            Slot::Fixed(item) => item,
            Slot::Gap { ours, theirs } => match one.side {
                Side::Ours => &ours[one.number],
                Side::Theirs => &theirs[one.number],
            },
        }
    }

    pub(super) fn name(&self, one: Added) -> &str {
        self.scene.names[one.slot][one.side as usize].get(one.number).map_or("", String::as_str)
    }

    pub(super) fn limit(&self, thread: ThreadId) -> &Limit {
        &self.scene.limits[thread]
    }

    fn touches(&self, one: Added, thread: ThreadId) -> bool {
        self.item(one).iter().any(|(own, _)| *own == thread)
    }

    /// The problem without some elements.
    pub(super) fn without(&self, left_out: &[Added]) -> Problem {
        let mut problem = self.scene.problem.clone();
        for (slot, content) in problem.slots.iter_mut().enumerate() {
            if let Slot::Gap { ours, theirs } = content {
                for (side, items) in [(Side::Ours, ours), (Side::Theirs, theirs)] {
                    let mut number = 0;
                    items.retain(|_| {
                        number += 1;
                        !left_out.contains(&Added { slot, side, number: number - 1 })
                    });
                }
            }
        }
        problem
    }

    /// The problem of one lifeline.
    fn alone(&self, thread: ThreadId) -> Problem {
        self.alone_in(thread, &self.scene.problem)
    }

    fn alone_in(&self, thread: ThreadId, problem: &Problem) -> Problem {
        let threads = [problem.threads[thread].clone()].into_iter().collect();
        let mut slots = problem.slots.clone();
        let only = |item: &mut Item| {
            item.retain(|(own, _)| *own == thread);
            item.iter_mut().for_each(|(own, _)| *own = ThreadId::from_index(0));
        };
        for slot in &mut slots {
            match slot {
                Slot::Fixed(item) => only(item),
                Slot::Gap { ours, theirs } => ours.iter_mut().chain(theirs).for_each(only),
            }
        }
        Problem { threads, slots }
    }

    /// Where a lifeline may be right after an element, if some others are left out too.
    fn states_after(&self, thread: ThreadId, one: Added, left_out: &[Added]) -> Option<Set> {
        let acceptor = &self.scene.problem.threads[thread];
        let mut states = acceptor.start.clone();
        let mut read = |item: &Item| {
            for (_, symbol) in item.iter().filter(|(own, _)| *own == thread) {
                states = acceptor.after(&states, *symbol);
            }
        };
        for content in &self.scene.problem.slots[..one.slot] {
            if let Slot::Fixed(item) = content {
                read(item);
            }
        }
        read(self.item(one));
        let is_known = !left_out.is_empty() && self.touches(one, thread);
        Some(states).filter(|states| is_known && !states.is_empty())
    }

    fn listed(&self, limit: &Limit, states: &Set) -> String {
        let names: Vec<String> =
            states.iter().map(|state| format!("`{}`", self.state(limit.machine, limit, state))).collect();
        names.join(" or ")
    }

    pub(super) fn state(&self, machine: MachineId, limit: &Limit, state: usize) -> String {
        self.stage.reading.model.machines[machine].vertices[limit.states[state]].name.clone()
    }

    pub(super) fn is_possible(&self, problem: &Problem) -> bool {
        self.tried(problem) == Some(true)
    }

    fn is_impossible(&self, problem: &Problem) -> bool {
        self.tried(problem) == Some(false)
    }

    /// Whether no more can be tried.
    pub(super) fn is_spent(&self) -> bool {
        self.work.get() >= MOST_WORK
    }

    /// Whether a problem has a merge; unknown if it is too large, or the work is spent.
    fn tried(&self, problem: &Problem) -> Option<bool> {
        let left = MOST_WORK.checked_sub(self.work.get())?;
        let bound = MOST_NODES.min(left);
        let graph = Graph::within(problem, bound);
        // What a graph costs besides its nodes: each lifeline reads everything once.
        let length: usize = problem.slots.iter().map(Slot::len).sum();
        let fixed = 10 + length * (problem.threads.len() + 1);
        self.work.set(self.work.get() + fixed + graph.as_ref().map_or(bound, Graph::len));
        graph.map(|graph| graph.is_possible())
    }
}

fn whose(side: Side) -> &'static str {
    match side {
        Side::Ours => "our side",
        Side::Theirs => "their side",
    }
}

/// Two additions to one gap that exclude each other, so that with either alone everything else has a merge.
pub struct Rivals {
    /// The slot of the problem.
    pub slot: usize,
    /// The number of our element.
    pub ours: usize,
    /// The number of theirs.
    pub theirs: usize,
    /// The problem with our element at its place and theirs left out; the gap is divided in two.
    pub rest: Problem,
}

/// The rivals of a scene, if two additions are all that is wrong.
pub fn rivals(scene: &Scene, stage: &Stage) -> Option<Rivals> {
    let explainer = Explainer { scene, stage, work: Cell::new(0) };
    let (ours, theirs, _) = explainer.pair(&explainer.added())?;
    let Slot::Gap { ours: own, theirs: others } = &scene.problem.slots[ours.slot] else { return None };
    let divided = |kept: &Item| {
        let mut problem = scene.problem.clone();
        let gap = |ours: &[Item], theirs: &[Item]| Slot::Gap { ours: ours.to_vec(), theirs: theirs.to_vec() };
        let parts = [
            gap(&own[..ours.number], &others[..theirs.number]),
            Slot::Fixed(kept.clone()),
            gap(&own[ours.number + 1..], &others[theirs.number + 1..]),
        ];
        problem.slots.splice(ours.slot..=ours.slot, parts);
        problem
    };
    let with_either = [&own[ours.number], others.get(theirs.number)?].map(divided);
    let is_good =
        ours.slot == theirs.slot && with_either.iter().all(|problem| explainer.is_possible(problem));
    let [rest, _] = with_either;
    is_good.then_some(Rivals { slot: ours.slot, ours: ours.number, theirs: theirs.number, rest })
}

/// The fewest choices of a scene, by number, without which the others have a merge.
pub fn smallest(scene: &Scene) -> Vec<usize> {
    let gaps: Vec<usize> = (0..scene.problem.slots.len())
        .filter(|slot| matches!(scene.problem.slots[*slot], Slot::Gap { .. }))
        .collect();
    let emptied = |numbers: &[usize]| {
        emptied(&scene.problem, &numbers.iter().map(|number| gaps[*number]).collect::<Vec<_>>())
    };
    let is_enough = |numbers: &[usize]| {
        Graph::within(&emptied(numbers), MOST_NODES).is_some_and(|graph| graph.is_possible())
    };
    let one = (0..gaps.len()).map(|number| vec![number]).find(|numbers| is_enough(numbers));
    let two = || {
        let pairs = (0..gaps.len()).flat_map(|one| (one + 1..gaps.len()).map(move |other| vec![one, other]));
        pairs.take(MOST_PAIRS).find(|numbers| is_enough(numbers))
    };
    one.or_else(two).unwrap_or_else(|| (0..gaps.len()).collect())
}

/// A problem in which some gaps are empty.
pub fn emptied(problem: &Problem, slots: &[usize]) -> Problem {
    let mut rest = problem.clone();
    for slot in slots {
        rest.slots[*slot] = Slot::Gap { ours: Vec::new(), theirs: Vec::new() };
    }
    rest
}
