//! Merges by a SAT solver: P4's encoding (4.2.1) to (4.2.5), corrected.
//!
//! A variable N_i says that element N is at position i, c_i^s and v_i^s that the lifeline which reads the element at i
//! goes there from state s, to state s.
//!
//! - M1: every element has exactly one of the positions that [`allow`] gives it; M1': no two share one (missing in the paper).
//! - M2: what comes after an element on its side, or is fixed behind it, has a later position (the paper asks for some element
//!   instead of every one, which the last element can never have).
//! - M3: at most one source and one target per position; elements that no lifeline reads have none.
//! - M4: a lifeline goes on from where it was: a target at i and no source of this lifeline until j exclude every other source at j (the
//!   paper's index ranges are wrong).
//! - M5: an element at i is read by one of the transitions that take it. A transition may end in any state that steps
//!   without trigger lead to.
//!
//! All merges: each model's positions are excluded and the solver asked again. This is the second engine; it answers for
//! elements that at most one lifeline reads, once. Its purpose is to agree with [`Graph`](super::Graph).

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_engine::sat::solver::{Literal, Outcome, Solver};
use sequent_kernel::id::Id;

use super::allow::{Name, allow};
use super::{Item, Order, Problem, Side, Slot, ThreadId};

/// All merges of a problem, at most `most`; `None` if the encoding cannot say what an element does.
pub fn merges(problem: &Problem, most: usize) -> Option<BTreeSet<Order>> {
    let mut encoder = Encoder::new(problem)?;
    encoder.positions();
    encoder.later();
    encoder.states();
    encoder.paths();
    encoder.readings();
    let mut found = BTreeSet::new();
    while found.len() < most && encoder.solver.solve(&[], None) == Outcome::Satisfiable {
        let order = encoder.order();
        encoder.exclude();
        found.insert(order);
    }
    Some(found)
}

/// An element with its positions.
struct Element {
    name: Name,
    item: Item,
    /// The first position, and a literal for each from there on.
    first: usize,
    at: Vec<Literal>,
}

struct Encoder<'p> {
    problem: &'p Problem,
    solver: Solver<'static>,
    elements: Vec<Element>,
    length: usize,
    /// For each position and lifeline, a literal per state.
    sources: Vec<Vec<Vec<Literal>>>,
    targets: Vec<Vec<Vec<Literal>>>,
}

/// Nothing breaks the solver off: problems are as small as their lists of merges.
const PATIENT: &dyn Fn(sequent_engine::sat::solver::Effort) -> ControlFlow<()> =
    &|_| ControlFlow::Continue(());

impl<'p> Encoder<'p> {
    fn new(problem: &'p Problem) -> Option<Self> {
        let mut solver = Solver::new(PATIENT);
        let item = |name: &Name| match (name, &problem.slots[slot_of(name)]) {
            (Name::Fixed { .. }, Slot::Fixed(item)) => item.clone(),
            (Name::Added { side: Side::Ours, number, .. }, Slot::Gap { ours, .. }) => ours[*number].clone(),
            (Name::Added { number, .. }, Slot::Gap { theirs, .. }) => theirs[*number].clone(),
            (Name::Fixed { .. }, Slot::Gap { .. }) | (Name::Added { .. }, Slot::Fixed(_)) => Item::new(),
        };
        let allowed = allow(problem);
        let length = allowed.len();
        let mut elements = Vec::new();
        for (name, places) in allowed {
            let (first, item) = (*places.start(), item(&name));
            if item.len() > 1 {
                return None;
            }
            elements.push(Element { name, item, first, at: places.map(|_| solver.variable()).collect() });
        }
        let states = |solver: &mut Solver<'static>| -> Vec<Vec<Literal>> {
            let count = |thread: ThreadId| problem.threads[thread].moves.iter().next().map_or(0, Vec::len);
            let row = |thread: ThreadId| (0..count(thread)).map(|_| solver.variable()).collect();
            problem.threads.ids().map(row).collect()
        };
        let sources = (0..length).map(|_| states(&mut solver)).collect();
        let targets = (0..length).map(|_| states(&mut solver)).collect();
        Some(Encoder { problem, solver, elements, length, sources, targets })
    }

    /// M1 and M1'.
    fn positions(&mut self) {
        let mut held: Vec<Vec<Literal>> = vec![Vec::new(); self.length];
        for element in &self.elements {
            self.solver.add(element.at.iter().copied());
            at_most_one(&mut self.solver, &element.at);
            for (number, literal) in element.at.iter().enumerate() {
                held[element.first + number].push(*literal);
            }
        }
        held.iter().for_each(|literals| at_most_one(&mut self.solver, literals));
    }

    /// M2.
    fn later(&mut self) {
        for one in &self.elements {
            for other in self.elements.iter().filter(|other| is_before(&one.name, &other.name)) {
                for (number, literal) in one.at.iter().enumerate() {
                    let place = one.first + number;
                    let after =
                        other.at.iter().enumerate().filter(|(number, _)| other.first + number > place);
                    self.solver.add(std::iter::once(!*literal).chain(after.map(|(_, literal)| *literal)));
                }
            }
        }
    }

    /// M3.
    fn states(&mut self) {
        for place in 0..self.length {
            for all in [&self.sources[place], &self.targets[place]] {
                let literals: Vec<Literal> = all.iter().flatten().copied().collect();
                at_most_one(&mut self.solver, &literals);
            }
        }
    }

    /// M4, and where a lifeline may begin.
    fn paths(&mut self) {
        for thread in self.problem.threads.ids() {
            let number = thread.index();
            for to in 0..self.length {
                for (state, source) in self.sources[to][number].iter().enumerate() {
                    let between = |from: usize| {
                        (from..to).flat_map(|place| self.sources[place][number].iter().copied())
                    };
                    if !self.problem.threads[thread].start.contains(state) {
                        let clause: Vec<Literal> = between(0).chain([!*source]).collect();
                        self.solver.add(clause);
                    }
                    for from in 0..to {
                        for (other, target) in self.targets[from][number].iter().enumerate() {
                            if other != state {
                                let clause: Vec<Literal> =
                                    between(from + 1).chain([!*target, !*source]).collect();
                                self.solver.add(clause);
                            }
                        }
                    }
                }
            }
        }
    }

    /// M5.
    fn readings(&mut self) {
        for element in &self.elements {
            for (number, literal) in element.at.iter().enumerate() {
                let place = element.first + number;
                let Some((thread, symbol)) = element.item.first() else {
                    for state in self.sources[place].iter().chain(&self.targets[place]).flatten() {
                        self.solver.add([!*literal, !*state]);
                    }
                    continue;
                };
                let own = thread.index();
                let mut clause = vec![!*literal];
                for (from, targets) in self.problem.threads[*thread].moves[*symbol].iter().enumerate() {
                    for to in targets.iter() {
                        let taken = self.solver.variable();
                        self.solver.add([!taken, self.sources[place][own][from]]);
                        self.solver.add([!taken, self.targets[place][own][to]]);
                        clause.push(taken);
                    }
                }
                self.solver.add(clause);
            }
        }
    }

    /// The places in a model, as the sides take turns.
    fn order(&mut self) -> Order {
        let mut sides: Vec<Option<Side>> = vec![None; self.length];
        for element in &self.elements {
            for (number, literal) in element.at.iter().enumerate() {
                if self.solver.value(*literal) {
                    sides[element.first + number] = match element.name {
                        Name::Fixed { .. } => None,
                        Name::Added { side, .. } => Some(side),
                    };
                }
            }
        }
        sides.into_iter().flatten().collect()
    }

    fn exclude(&mut self) {
        let literals: Vec<Literal> =
            self.elements.iter().flat_map(|element| element.at.iter().copied()).collect();
        let taken: Vec<Literal> =
            literals.into_iter().filter(|literal| self.solver.value(*literal)).collect();
        self.solver.add(taken.into_iter().map(|literal| !literal));
    }
}

fn slot_of(name: &Name) -> usize {
    match name {
        Name::Fixed { slot } | Name::Added { slot, .. } => *slot,
    }
}

/// Whether one element must come before another: both are of one side, or one of them is fixed.
fn is_before(one: &Name, other: &Name) -> bool {
    match (one, other) {
        (
            Name::Added { slot, side, number },
            Name::Added { slot: other_slot, side: other_side, number: other_number },
        ) => slot < other_slot || (slot == other_slot && side == other_side && number < other_number),
        (_, _) => slot_of(one) < slot_of(other),
    }
}

/// Pairwise: the sets are small.
fn at_most_one(solver: &mut Solver<'static>, literals: &[Literal]) {
    for (number, one) in literals.iter().enumerate() {
        for other in &literals[number + 1..] {
            solver.add([!*one, !*other]);
        }
    }
}
