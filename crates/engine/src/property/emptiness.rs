//! Emptiness on the fly: whether some run is accepted, decided as soon as one is found.
//!
//! The states of the product are visited depth first, and the strongly connected components are computed
//! meanwhile: a stack holds the components on the path to the current state, each with the marks, fairness
//! constraints and predicates that its states and transitions meet. A transition back into one of them merges
//! all that lie above it. As soon as a merged component meets all obligations, a run can stay there forever
//! and is accepted (J.-M. Couvreur, "On-the-fly verification of linear temporal logic", FM 1999; the stack of
//! components is H. N. Gabow's). Where no component does, all states were visited and the language is empty.
//!
//! Weak fairness is one more obligation for each constraint: a transition that fires one of its rules, or a
//! state where none is enabled. A strong constraint may also be met by avoiding states, so a component that
//! meets all else is decomposed further once it is complete ([`circle`]).

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_kernel::property::{Marks, Observer};
use sequent_kernel::replay::Run;
use sequent_kernel::system::{Endless, Strength};

use super::circle;
use super::completion::completion;
use super::product::{Product, ProductEdge};
use crate::explore::{Exploration, Progress};

/// What the states and ways of a part meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct MetNeeds {
    /// Marks of the observer.
    marks: Marks,
    /// Fairness constraints that are paid for, and weak ones whose rules may not fire somewhere.
    fair: u64,
    /// Predicates that hold, and after them that something is read.
    rests: u64,
    /// Fairness constraints whose rules may fire somewhere.
    due: u64,
}

impl MetNeeds {
    fn join(&mut self, other: MetNeeds) {
        self.marks |= other.marks;
        self.fair |= other.fair;
        self.rests |= other.rests;
        self.due |= other.due;
    }
}

/// The obligations that an infinite run must meet.
struct CycleNeeds {
    marks: Marks,
    weak: u64,
    strong: u64,
    rests: u64,
    /// That something is read.
    position: u64,
}

impl CycleNeeds {
    /// `None` if there are more of them than bits.
    fn new(endless: &Endless, marks: Marks) -> Option<Self> {
        let (owed, rests) = (endless.owed.len(), endless.rests.len());
        if owed > u64::BITS as usize || rests >= u64::BITS as usize {
            return None;
        }
        let of = |strength| {
            let all = endless.owed.iter().enumerate();
            all.filter(|(_, fairness)| fairness.strength == strength)
                .fold(0, |bits, (bit, _)| bits | 1 << bit)
        };
        let position = 1 << rests;
        let rests = position | (position - 1);
        Some(CycleNeeds { marks, weak: of(Strength::Weak), strong: of(Strength::Strong), rests, position })
    }

    /// Whether all are met, but for strong fairness.
    fn are_met(&self, met: &MetNeeds) -> bool {
        met.marks & self.marks == self.marks
            && met.fair & self.weak == self.weak
            && met.rests & self.rests == self.rests
    }

    /// Whether strong fairness is met as well: what may fire is paid for.
    fn is_fair(&self, met: &MetNeeds) -> bool {
        met.due & self.strong & !met.fair == 0
    }
}

/// A strongly connected part on the way to the current state.
struct OpenComponent {
    /// Where its states begin among those that are open.
    start: usize,
    met: MetNeeds,
    /// What the way that leads to it meets.
    entry: MetNeeds,
    is_round: bool,
}

/// The states of a product, depth first.
pub(crate) struct Emptiness<'p, 'g, 'a, O: Observer> {
    product: &'p mut Product<'g, 'a, O>,
    needs: CycleNeeds,
    /// How many states runs begin with, and how many of these were entered.
    first: usize,
    begun: usize,
    /// For each state 0 before it was entered, [`CLOSED`] once its part is whole, else its number among the open ones.
    numbers: Vec<u32>,
    /// States that belong to no part that is whole.
    open: Vec<u32>,
    /// The states on the way to the current one, each with where its ways begin in the pool.
    path: Vec<(usize, usize)>,
    pool: Vec<ProductEdge>,
    parts: Vec<OpenComponent>,
    seeks_end: bool,
}

/// The number of a state whose part is whole.
const CLOSED: u32 = u32::MAX;

impl<'p, 'g, 'a, O: Observer> Emptiness<'p, 'g, 'a, O> {
    /// Nothing was entered yet; the product holds the states that runs begin with. `None` if too much is demanded of infinite
    /// runs, or none counts.
    pub(crate) fn new(product: &'p mut Product<'g, 'a, O>) -> Option<Self> {
        let endless = product.graph.system().endless.as_ref()?;
        let needs = CycleNeeds::new(endless, product.readings.marks())?;
        let is_noted = endless.owed.is_empty() || product.graph.note_fairness();
        is_noted.then(|| Emptiness {
            first: product.len(),
            product,
            needs,
            begun: 0,
            numbers: Vec::new(),
            open: Vec::new(),
            path: Vec::new(),
            pool: Vec::new(),
            parts: Vec::new(),
            seeks_end: true,
        })
    }

    fn number(&self, state: usize) -> u32 {
        self.numbers.get(state).copied().unwrap_or(0)
    }

    /// Enters a state that was not entered before.
    fn enter(&mut self, state: usize, entry: MetNeeds) -> ControlFlow<Run> {
        let Emptiness { product, needs, numbers, open, path, pool, parts, .. } = self;
        numbers.resize(product.len().max(numbers.len()), 0);
        let start = open.len();
        open.push(state as u32);
        numbers[state] = open.len() as u32;
        path.push((state, pool.len()));
        product.branch(state, pool);
        let node = product.node(state);
        let due = product.graph.due(node);
        let mut rests = 0;
        if let Some(endless) = &product.graph.system().endless {
            for (bit, rest) in endless.rests.iter().enumerate() {
                rests |= u64::from(product.graph.holds(*rest, node)) << bit;
            }
        }
        let met = MetNeeds { marks: 0, fair: needs.weak & !due, rests, due };
        parts.push(OpenComponent { start, met, entry, is_round: false });
        match self.ended(state) {
            Some(run) => ControlFlow::Break(run),
            None => ControlFlow::Continue(()),
        }
    }

    /// A run that is accepted and ends in a state or goes on to an end from there.
    fn ended(&mut self, state: usize) -> Option<Run> {
        let is_end = self.product.ends(state);
        let is_sure = !is_end && self.product.accepts_all(state);
        let is_free = self.product.graph.system().is_free();
        let rest = match (is_end || is_sure && is_free, is_sure && self.seeks_end) {
            (true, _) => Vec::new(),
            (false, false) => return None,
            (false, true) => {
                let node = self.product.node(state);
                let rest = completion(self.product.graph, node);
                if rest.is_none() {
                    self.seeks_end = self.product.has_ends();
                }
                rest?
            }
        };
        self.straighten();
        let mut steps = self.product.steps_to(state);
        steps.extend(rest);
        Some(Run { steps, cycle: None })
    }

    fn straighten(&mut self) {
        let numbers = &self.numbers;
        self.product.straighten(|state| numbers.get(state).is_some_and(|number| *number != 0));
    }

    /// Follows a way from a state.
    fn follow(&mut self, from: usize, way: ProductEdge) -> ControlFlow<Run> {
        let place = self.product.graph.places(self.product.node(from)).start + way.edge;
        let fair = self.product.graph.paid(place);
        let rests = if way.is_read { self.needs.position } else { 0 };
        let mut met = MetNeeds { marks: way.marks, fair, rests, due: 0 };
        match self.number(way.to) {
            0 => return self.enter(way.to, met),
            CLOSED => return ControlFlow::Continue(()),
            number => {
                while let Some(part) = self.parts.pop_if(|part| part.start >= number as usize) {
                    met.join(part.met);
                    met.join(part.entry);
                }
            }
        }
        let Some(part) = self.parts.last_mut() else { return ControlFlow::Continue(()) };
        part.met.join(met);
        part.is_round = true;
        let (met, start) = (part.met, part.start);
        if self.needs.are_met(&met) && self.needs.is_fair(&met) {
            let members = self.open[start..].iter().map(|state| *state as usize).collect();
            return self.accepted(members);
        }
        ControlFlow::Continue(())
    }

    /// Breaks with a run that repeats a cycle in a component, if that is accepted.
    fn accepted(&mut self, members: BTreeSet<usize>) -> ControlFlow<Run> {
        let is_known = |state: usize| self.numbers.get(state).is_some_and(|number| *number != 0);
        match circle::find_in(self.product, members, |product| product.straighten(is_known)) {
            Some(run) => ControlFlow::Break(run),
            None => ControlFlow::Continue(()),
        }
    }

    /// Leaves the last state of the path; its part is whole if no other state of it was entered before.
    fn leave(&mut self, state: usize) -> ControlFlow<Run> {
        self.path.pop();
        let is_whole = |part: &mut OpenComponent| part.start + 1 == self.numbers[state] as usize;
        let Some(part) = self.parts.pop_if(is_whole) else { return ControlFlow::Continue(()) };
        let members = self.open.split_off(part.start);
        members.iter().for_each(|member| self.numbers[*member as usize] = CLOSED);
        if part.is_round && self.needs.are_met(&part.met) {
            return self.accepted(members.into_iter().map(|state| state as usize).collect());
        }
        ControlFlow::Continue(())
    }
}

impl<O: Observer> Exploration for Emptiness<'_, '_, '_, O> {
    type Found = Run;

    const VISITS: usize = 16_384;

    fn is_over(&self) -> bool {
        self.path.is_empty() && self.begun == self.first
    }

    fn visit(&mut self) -> ControlFlow<Run> {
        match self.path.last().copied() {
            Some((state, start)) if self.pool.len() > start => match self.pool.pop() {
                Some(way) => self.follow(state, way),
                None => ControlFlow::Continue(()),
            },
            Some((state, _)) => self.leave(state),
            None => {
                self.begun += 1;
                match self.number(self.begun - 1) {
                    0 => self.enter(self.begun - 1, MetNeeds::default()),
                    _ => ControlFlow::Continue(()),
                }
            }
        }
    }

    fn progress(&self) -> Progress {
        let own =
            self.numbers.capacity() * size_of::<u32>() + self.pool.capacity() * size_of::<ProductEdge>();
        Progress { states: self.product.len(), bytes: self.product.bytes() + own, ..Progress::default() }
    }
}
