//! Bounded model checking: is there a run of at most `most` positions to a goal?
//!
//! The run grows by a position at a time, in one solver that keeps what it learned. So the first answer has the fewest
//! positions: steps if one happens at a time, transactions if they happen together.

use std::ops::RangeInclusive;

use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{System, TermId};

use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::{NotEncodable, Pace};
use crate::sat::outcome::{Bounded, ExclusionReason};
use crate::sat::schedule::automata::ComponentAutomata;
use crate::sat::schedule::plan;
use crate::sat::solver::{FALSE, Literal, Patience, Solver, SolverEffort, SolverOutcome};
use crate::sat::unroll::unrolling::Unrolling;

/// Runs of this many positions are short.
pub const NEAR: usize = 20;

/// Searches a run of at most `most` positions after which a literal holds.
pub fn reach(encoding: &Encoding<'_>, goal: Literal, most: usize, patience: Patience<'_>) -> Bounded {
    let mut unrolling = Unrolling::from_start(encoding, Solver::new(patience));
    reach_in(&mut unrolling, goal, 0..=most)
}

/// The same where some positions may be there already, and it is known that shorter runs do not lead there.
pub fn reach_in(
    unrolling: &mut Unrolling<'_, '_, '_>,
    goal: Literal,
    lengths: RangeInclusive<usize>,
) -> Bounded {
    let (idle, most) = (unrolling.encoding.idle(), *lengths.end());
    let first = if *lengths.start() == 0 { 0 } else { lengths.start() + idle };
    for position in first..=most.saturating_add(idle) {
        while position > unrolling.last {
            unrolling.extend();
        }
        let length = position.saturating_sub(idle);
        let here = unrolling.at(goal, position);
        match unrolling.solver.solve(&[here], None) {
            SolverOutcome::Satisfiable => return Bounded::Found(found(unrolling, position), length),
            SolverOutcome::Unsatisfiable if !unrolling.solver.is_needed(here) => {
                return Bounded::Proved(ExclusionReason::Exhausted(length));
            }
            SolverOutcome::Unsatisfiable => unrolling.solver.add([!here]),
            SolverOutcome::Stopped => return Bounded::Stopped(length),
        }
        if unrolling.solver.is_over() {
            return Bounded::Stopped(length);
        }
    }
    Bounded::Nothing(most)
}

/// The run of the model up to a position, replayed.
fn found(unrolling: &mut Unrolling<'_, '_, '_>, position: usize) -> Run {
    let run = unrolling.run(position);
    assert!(replay(unrolling.encoding.system, &run).is_ok(), "what is read from a model is a run");
    run
}

/// Whether a goal is reached within `most` transactions. A run in which no label is used by two meetings of
/// one transaction is searched first: that is easier, and mostly exists if any run does.
pub fn within(
    system: &System,
    goal: TermId,
    most: usize,
    patience: Patience<'_>,
) -> Result<(Bounded, SolverEffort), NotEncodable> {
    if let Some(automata) = ComponentAutomata::new(system)
        && let Some(spots) = automata.spots(goal)
    {
        return Ok(plan::within(&automata, &spots, most, patience));
    }
    let mut effort = SolverEffort::default();
    for pace in [Pace::Sparse, Pace::Together] {
        let encoding = Encoding::resting(system, pace, &[goal], None)?;
        let wanted = encoding.truth(goal).expect("it was named");
        let mut unrolling = Unrolling::from_start(&encoding, Solver::seeking(patience));
        (0..most).for_each(|_| unrolling.extend());
        let here = unrolling.at(wanted, most);
        unrolling.solver.add([here]);
        let outcome = unrolling.solver.solve(&[], None);
        effort = unrolling.solver.effort();
        match outcome {
            SolverOutcome::Satisfiable => {
                let length = (0..most).filter(|position| unrolling.is_busy(*position)).count();
                return Ok((Bounded::Found(found(&mut unrolling, most), length), effort));
            }
            SolverOutcome::Unsatisfiable => {}
            SolverOutcome::Stopped => return Ok((Bounded::Stopped(0), effort)),
        }
    }
    Ok((Bounded::Nothing(most), effort))
}

/// A run of the fewest positions to a goal, at most `most`: steps, or transactions where steps may happen
/// together.
pub fn fewest(
    system: &System,
    (goal, pace): (TermId, Pace),
    most: usize,
    patience: Patience<'_>,
) -> Result<Bounded, NotEncodable> {
    let automata = (pace == Pace::Together).then(|| ComponentAutomata::new(system)).flatten();
    let spots = automata.as_ref().and_then(|automata| automata.spots(goal));
    let near = automata.as_ref().zip(spots.as_ref()).map(|(automata, spots)| {
        let near = plan::within(automata, spots, most.min(NEAR), patience).0;
        plan::fewest(automata, spots, near, patience)
    });
    let encoding = || Encoding::new(system, pace, &[goal]);
    let wanted = |encoding: &Encoding<'_>| encoding.truth(goal).expect("it was named");
    match near {
        Some(Bounded::Nothing(near)) if near < most => {
            let encoding = encoding()?;
            let mut unrolling = Unrolling::from_start(&encoding, Solver::new(patience));
            unrolling.avoid(wanted(&encoding), near);
            Ok(reach_in(&mut unrolling, wanted(&encoding), near + 1..=most))
        }
        Some(answer) => Ok(answer),
        None => {
            let encoding = encoding()?;
            Ok(reach(&encoding, wanted(&encoding), most, patience))
        }
    }
}

/// A match that begins after at most `begins` positions and then takes at most `gap` positions per event:
/// P4's k-consistency, where transactions lead to the beginning of a scenario and its messages follow one
/// after the other.
pub struct MatchWindow<'e, 's, 'p> {
    unrolling: Unrolling<'e, 's, 'p>,
    begins: usize,
    gap: usize,
    /// For each position and depth whether the observer came so far up to there.
    deep: Vec<Vec<Literal>>,
    depths: Vec<usize>,
}

impl<'e, 's, 'p> MatchWindow<'e, 's, 'p> {
    /// A match begins after at most `begins` positions, and takes at most `gap` more for each event. The
    /// encoding has an observer whose memories have these depths, and allows idle positions.
    pub fn new(
        encoding: &'e Encoding<'s>,
        depths: &[usize],
        (begins, gap): (usize, usize),
        solver: Solver<'p>,
    ) -> Self {
        let unrolling = Unrolling::from_start(encoding, solver);
        let mut scene = MatchWindow { unrolling, begins, gap, deep: Vec::new(), depths: depths.to_vec() };
        scene.look();
        scene
    }

    /// How much the solver has done.
    pub fn effort(&self) -> SolverEffort {
        self.unrolling.solver.effort()
    }

    /// Whether some run gets so far.
    pub fn ask(&mut self, depth: usize) -> SolverOutcome {
        let last = self.begins + self.gap * depth;
        while self.unrolling.last < last {
            self.extend();
        }
        match self.deep[last].get(depth).copied() {
            Some(goal) => self.unrolling.solver.solve(&[goal], None),
            None => SolverOutcome::Unsatisfiable,
        }
    }

    /// How far runs get, at most so far: the model is one of a run that does. Step by step, as a run that gets a little further is
    /// soon found from one that does not, and what cannot be is seen where it is, before anything comes after it. `None` if
    /// broken off.
    pub fn climb(&mut self, most: usize) -> Option<usize> {
        for depth in 1..=most {
            match self.ask(depth) {
                SolverOutcome::Satisfiable => {}
                SolverOutcome::Unsatisfiable => return Some(depth - 1),
                SolverOutcome::Stopped => return None,
            }
        }
        Some(most)
    }

    /// The run of the model, up to the position where this depth is reached first.
    pub fn run(&mut self, depth: usize) -> Run {
        let mut position = 0;
        while position < self.unrolling.last {
            let deep = self.deep[position].get(depth).copied().unwrap_or(FALSE);
            if self.unrolling.solver.value(deep) {
                break;
            }
            position += 1;
        }
        found(&mut self.unrolling, position)
    }

    fn extend(&mut self) {
        self.unrolling.extend();
        let step = self.unrolling.last - 1;
        let encoding = self.unrolling.encoding;
        if let Some(watch) = encoding.watch.as_ref().filter(|_| step >= self.begins) {
            let is_read = self.unrolling.at(watch.is_read, step);
            for never in watch.strange.iter().chain([&watch.waits]) {
                let never = self.unrolling.at(*never, step);
                self.unrolling.solver.add([!never]);
            }
            for patient in &watch.patient {
                let patient = self.unrolling.at(*patient, step + 1);
                self.unrolling.solver.add([!is_read, !patient]);
            }
        }
        self.look();
    }

    /// Notes how deep the observer has come up to the last position.
    fn look(&mut self) {
        let position = self.unrolling.last;
        let encoding = self.unrolling.encoding;
        let Some(watch) = &encoding.watch else { return };
        let most = self.depths.iter().copied().max().unwrap_or(0);
        let before = self.deep.last().cloned();
        let mut deep = Vec::new();
        for depth in 0..=most {
            let so_deep = self.unrolling.solver.variable();
            let memories = watch.memories.iter().zip(&self.depths).filter(|(_, own)| **own >= depth);
            let memories: Vec<Literal> =
                memories.map(|(memory, _)| self.unrolling.at(*memory, position)).collect();
            let before = before.as_ref().map(|before| before[depth]);
            self.unrolling.solver.add(memories.into_iter().chain(before).chain([!so_deep]));
            deep.push(so_deep);
        }
        self.deep.push(deep);
    }
}
