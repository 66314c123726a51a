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
//! elements that at most one lifeline reads, once. Its purpose is to agree with [`MergeGraph`](super::MergeGraph).

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_engine::sat::solver::{Literal, Solver, SolverOutcome};
use sequent_kernel::id::Id;

use super::allow::{ElementName, allow};
use super::problem::{AcceptorId, Added, OrderElement, OrderProblem, Segment};
use crate::merge::side::{Interleaving, RevisionSide};

/// Returns the merges of a problem, at most `most`; `None` if the encoding cannot express an element.
pub fn merges(problem: &OrderProblem, most: usize) -> Option<BTreeSet<Interleaving>> {
    let mut encoder = Encoder::new(problem)?;
    encoder.positions();
    encoder.later();
    encoder.states();
    encoder.paths();
    encoder.readings();
    let mut found = BTreeSet::new();
    while found.len() < most && encoder.solver.solve(&[], None) == SolverOutcome::Satisfiable {
        let order = encoder.order();
        encoder.exclude();
        found.insert(order);
    }
    Some(found)
}

/// An element with its positions.
struct PlacedElement {
    name: ElementName,
    element: OrderElement,
    /// The positions that it may take, each with its literal.
    at: Vec<(usize, Literal)>,
}

struct Encoder<'p> {
    problem: &'p OrderProblem,
    solver: Solver<'static>,
    elements: Vec<PlacedElement>,
    length: usize,
    /// For each position and lifeline, a literal per state.
    sources: Vec<Vec<Vec<Literal>>>,
    targets: Vec<Vec<Vec<Literal>>>,
}

/// The solver is never interrupted: problems are as small as their lists of merges.
const PATIENT: &dyn Fn(sequent_engine::sat::solver::SolverEffort) -> ControlFlow<()> =
    &|_| ControlFlow::Continue(());

impl<'p> Encoder<'p> {
    fn new(problem: &'p OrderProblem) -> Option<Self> {
        let mut solver = Solver::new(PATIENT);
        let element = |name: &ElementName| match name {
            ElementName::Fixed(segment) => match &problem.segments[*segment] {
                Segment::Fixed(element) => element.clone(),
                Segment::Gap(_) => OrderElement::new(),
            },
            ElementName::Added(added) => problem.element(*added).clone(),
        };
        let allowed = allow(problem);
        let length = allowed.len();
        let mut elements = Vec::new();
        for (name, places) in allowed {
            let element = element(&name);
            if element.len() > 1 {
                return None;
            }
            let at = places.map(|place| (place, solver.variable())).collect();
            elements.push(PlacedElement { name, element, at });
        }
        let states = |solver: &mut Solver<'static>| -> Vec<Vec<Literal>> {
            let count = |id: AcceptorId| problem.acceptors[id].moves.iter().next().map_or(0, Vec::len);
            let row = |id: AcceptorId| (0..count(id)).map(|_| solver.variable()).collect();
            problem.acceptors.ids().map(row).collect()
        };
        let sources = (0..length).map(|_| states(&mut solver)).collect();
        let targets = (0..length).map(|_| states(&mut solver)).collect();
        Some(Encoder { problem, solver, elements, length, sources, targets })
    }

    /// M1 and M1'.
    fn positions(&mut self) {
        let mut held: Vec<Vec<Literal>> = vec![Vec::new(); self.length];
        for element in &self.elements {
            let literals: Vec<Literal> = element.at.iter().map(|(_, literal)| *literal).collect();
            self.solver.add(literals.iter().copied());
            at_most_one(&mut self.solver, &literals);
            element.at.iter().for_each(|(place, literal)| held[*place].push(*literal));
        }
        held.iter().for_each(|literals| at_most_one(&mut self.solver, literals));
    }

    /// M2.
    fn later(&mut self) {
        for one in &self.elements {
            for other in self.elements.iter().filter(|other| is_before(&one.name, &other.name)) {
                for (place, literal) in &one.at {
                    let after = other.at.iter().filter(|(later, _)| later > place);
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
        for id in self.problem.acceptors.ids() {
            let number = id.index();
            for to in 0..self.length {
                for (state, source) in self.sources[to][number].iter().enumerate() {
                    let between = |from: usize| {
                        (from..to).flat_map(|place| self.sources[place][number].iter().copied())
                    };
                    if !self.problem.acceptors[id].start.contains(state) {
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
            for (place, literal) in &element.at {
                let (sources, targets) = (&self.sources[*place], &self.targets[*place]);
                let Some((id, symbol)) = element.element.first() else {
                    for state in sources.iter().chain(targets).flatten() {
                        self.solver.add([!*literal, !*state]);
                    }
                    continue;
                };
                let own = id.index();
                let mut clause = vec![!*literal];
                for (from, states) in self.problem.acceptors[*id].moves[*symbol].iter().enumerate() {
                    for to in states.iter() {
                        let taken = self.solver.variable();
                        self.solver.add([!taken, sources[own][from]]);
                        self.solver.add([!taken, targets[own][to]]);
                        clause.push(taken);
                    }
                }
                self.solver.add(clause);
            }
        }
    }

    /// Returns the order of the sides in the model that was found.
    fn order(&mut self) -> Interleaving {
        let mut sides: Vec<Option<RevisionSide>> = vec![None; self.length];
        for element in &self.elements {
            let ElementName::Added(added) = element.name else { continue };
            for (place, literal) in &element.at {
                if self.solver.value(*literal) {
                    sides[*place] = Some(added.side);
                }
            }
        }
        sides.into_iter().flatten().collect()
    }

    fn exclude(&mut self) {
        let literals = self.elements.iter().flat_map(|element| &element.at).map(|(_, literal)| *literal);
        let taken: Vec<Literal> = literals.filter(|literal| self.solver.value(*literal)).collect();
        self.solver.add(taken.into_iter().map(|literal| !literal));
    }
}

/// Whether one element must come before another: both are of one side, or one of them is fixed.
fn is_before(one: &ElementName, other: &ElementName) -> bool {
    let segment = |name: &ElementName| match name {
        ElementName::Fixed(segment) | ElementName::Added(Added { segment, .. }) => *segment,
    };
    let is_earlier = match (one, other) {
        (ElementName::Added(one), ElementName::Added(other)) => {
            one.segment == other.segment && one.side == other.side && one.number < other.number
        }
        (_, _) => false,
    };
    is_earlier || segment(one) < segment(other)
}

/// Pairwise: the sets are small.
fn at_most_one(solver: &mut Solver<'static>, literals: &[Literal]) {
    for (number, one) in literals.iter().enumerate() {
        for other in &literals[number + 1..] {
            solver.add([!*one, !*other]);
        }
    }
}
