//! Properties: observers that read a run and accept it if it is a counterexample.
//!
//! An [`Observer`] is a nondeterministic automaton that reads the positions of a run one after the other: the
//! start, each event with the state after it, and once the run is over the end, forever. Steps that show
//! nothing are no positions, unless they change something that the observer evaluates. It accepts a run if
//! some reading sees every mark infinitely often. Engines search a run that an observer accepts; so the
//! observer of a question accepts the runs that answer it with "no": runs that violate a formula, that
//! contain what a `neg` forbids, that leave an `assert`.

pub mod assertion;
pub mod diagram;
pub mod ltl;
pub mod negative;
mod pattern;
pub mod scenario;
pub mod table;

pub use assertion::{AssertGoal, Assertion, Breach, Since};
pub use negative::Negative;

use std::hash::Hash;

use crate::replay::Run;
use crate::system::{Config, EventId, System, TermId};

/// What happens at a position of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Moment {
    /// Nothing has happened yet.
    Start,
    /// An event.
    Event(EventId),
    /// Something changed, and nothing was seen.
    Silent,
    /// Everything is over, as it should be.
    End,
    /// Nothing can happen any more, but not everything is over.
    Stuck,
}

/// Marks of a step, one bit each: in an accepted run every mark of the observer is seen infinitely often.
pub type Marks = u64;

/// An automaton that reads runs.
pub trait Observer {
    /// What it remembers of the run so far.
    type State: Clone + Eq + Hash;

    /// How many marks there are, at most 64. Without any every run is accepted that can be read to its end.
    fn marks(&self) -> u32;

    /// Before anything was read, the start included.
    fn first(&self) -> Self::State;

    /// Reads a position, and tells in which ways: what it remembers then, and the marks seen. `holds` says what is true in
    /// the state of this position. If there is no way, the run is not accepted like this.
    fn read(
        &self,
        state: &Self::State,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(Self::State, Marks)>,
    );

    /// The predicates that it looks at. A step that shows nothing is a position where it changes one of them, and none
    /// elsewhere.
    fn watched(&self) -> &[TermId] {
        &[]
    }

    /// Whether every step that shows nothing is a position.
    fn counts_steps(&self) -> bool {
        false
    }

    /// Whether everything is accepted from here on, whatever comes. May say no where it is not easily seen.
    fn accepts_all(&self, state: &Self::State) -> bool;

    /// Whether every accepted run is recognised after finitely many positions, where
    /// [`accepts_all`](Self::accepts_all) says so: then cycles need not be searched where that never holds.
    /// May return false where it is not easily decided.
    fn is_safety(&self) -> bool {
        false
    }

    /// Whether it accepts every run that it should, as far as it was read.
    fn is_exact(&self) -> bool {
        true
    }
}

/// Accepts every run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Anything;

impl Observer for Anything {
    type State = ();

    fn marks(&self) -> u32 {
        0
    }

    fn first(&self) {}

    fn read(
        &self,
        _state: &(),
        _moment: Moment,
        _holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<((), Marks)>,
    ) {
        ways.push(((), 0));
    }

    fn accepts_all(&self, _state: &()) -> bool {
        true
    }
}

/// All marks of an observer with `count` marks.
pub fn all_marks(count: u32) -> Marks {
    match count {
        0 => 0,
        count => Marks::MAX >> (Marks::BITS - count),
    }
}

/// The positions of a run after the start, each with its step: events, and steps that show nothing but change something that
/// is watched.
pub fn positions(system: &System, run: &Run, configs: &[Config], watched: &[TermId]) -> Vec<(usize, Moment)> {
    let mut positions = Vec::new();
    for (number, step) in run.steps.iter().enumerate() {
        let before = positions.len();
        positions.extend(system.events(step).map(|event| (number, Moment::Event(event))));
        let changes = |term: &TermId| {
            let [one, other] =
                [number, number + 1].map(|at| configs.get(at).map(|config| system.holds(*term, config)));
            one != other
        };
        if positions.len() == before && watched.iter().any(changes) {
            positions.push((number, Moment::Silent));
        }
    }
    positions
}
