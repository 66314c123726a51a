//! IC3: an inductive invariant grown clause by clause, or a run to a goal.
//!
//! Frame k is a set of clauses that hold in all states reachable in at most k steps. A state that leads into
//! a goal is an obligation: it must be shown unreachable in the steps of its frame. Either it has a
//! predecessor in the frame before, which becomes an obligation itself, or a clause blocks it, generalised as
//! far as possible. Clauses are propagated to later frames while they are inductive relative to their frame;
//! two equal frames are an invariant. No run is ever unrolled, so the number of reachable states hardly
//! matters.
//!
//! After A. Bradley, "SAT-based model checking without unrolling" (VMCAI 2011), and N. Een, A. Mishchenko, R. Brayton,
//! "Efficient implementation of property directed reachability" (FMCAD 2011).
//!
//! - [`space`]: the states, cubes of them, and those in which runs begin.
//! - [`frames`]: the frames, each in a solver of its own, and the one question they are asked.
//! - [`lift`]: predecessors as large cubes.
//! - [`gates`]: which clauses of an encoding only define something.
//! - [`generalise`]: clauses as strong as a step keeps them.
//! - [`obligations`]: what must be kept out, the earliest first.

pub mod frames;
pub mod gates;
pub mod generalise;
pub mod lift;
pub mod obligations;
pub mod space;

use sequent_kernel::replay::{Run, replay};

use crate::sat::encode::encoding::Encoding;
use crate::sat::outcome::{ExclusionReason, UnboundedOutcome};
use crate::sat::solver::{Literal, Patience, Solver, SolverOutcome};
use crate::sat::unroll::unrolling::Unrolling;
use frames::Frames;
use generalise::Generaliser;
use lift::Lifter;
use obligations::{Blocked, Obligations};
use space::{Halt, StateCube};

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ic3Work {
    /// The last frame.
    pub frames: usize,
    /// Clauses in all frames.
    pub clauses: usize,
    /// Calls of a solver.
    pub calls: usize,
}

/// Looks for a run to a state where a literal holds, or for an invariant that keeps all runs away from there.
pub fn prove(encoding: &Encoding<'_>, goal: Literal, patience: Patience<'_>) -> (UnboundedOutcome, Ic3Work) {
    let mut search = Ic3::new(encoding, goal, patience);
    let answer = search.work(usize::MAX);
    (answer, search.frames.work())
}

/// A search that goes on for as long as it is let.
pub struct Ic3<'e, 's, 'p> {
    encoding: &'e Encoding<'s>,
    goal: Literal,
    patience: Patience<'p>,
    frames: Frames<'e, 's, 'p>,
    lifter: Lifter<'p>,
    generaliser: Generaliser,
    /// The number of solver calls at which `work` pauses.
    rests_at: usize,
}

impl<'e, 's, 'p> Ic3<'e, 's, 'p> {
    /// Nothing is known yet.
    pub fn new(encoding: &'e Encoding<'s>, goal: Literal, patience: Patience<'p>) -> Self {
        Ic3 {
            encoding,
            goal,
            patience,
            frames: Frames::new(encoding, goal, patience),
            lifter: Lifter::new(encoding, patience),
            generaliser: Generaliser::default(),
            rests_at: 0,
        }
    }

    /// Continues for about `calls` calls of a solver. What was learned is kept for the next call.
    pub fn work(&mut self, calls: usize) -> UnboundedOutcome {
        self.rests_at = self.frames.work().calls.saturating_add(calls);
        self.run().unwrap_or(UnboundedOutcome::Stopped)
    }

    fn run(&mut self) -> Result<UnboundedOutcome, Halt> {
        if self.frames.space.is_initial(&[self.goal])? {
            let run = self.along(&[])?.expect("a goal among the first states is a run");
            return Ok(UnboundedOutcome::Found(run, 0));
        }
        loop {
            if let Some((run, length)) = self.last_frame()? {
                return Ok(UnboundedOutcome::Found(run, length));
            }
            self.frames.open();
            if let Some(invariant) = self.frames.propagate()? {
                let clauses = invariant.into_iter().map(|cube| cube.into_iter().map(|one| !one).collect());
                let clauses: Vec<Vec<Literal>> = clauses.chain([vec![!self.goal]]).collect();
                return Ok(UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)));
            }
        }
    }

    /// Keeps out of the last frame whatever is one step before a goal; a run, if that cannot be done.
    fn last_frame(&mut self) -> Result<Option<(Run, usize)>, Halt> {
        let last = self.frames.last();
        while self.frames.has_step(last, &[self.goal], None)? {
            let state = self.predecessor(last, &[self.goal])?;
            let mut obligations = Obligations::new(state, last);
            let mut trace = None;
            while trace.is_none() {
                match obligations.pop() {
                    Some(next) => trace = self.work_off(next, &mut obligations)?,
                    None => break,
                }
            }
            let Some(trace) = trace else { continue };
            if let Some(run) = self.along(&trace)? {
                return Ok(Some((run, trace.len())));
            }
            // Steps of a cube that are not possible in all of its states: from now on states are taken one by one.
            self.lifter.stop();
        }
        Ok(None)
    }

    /// Keeps one cube out of its frame, or finds what comes before it; the cubes of a run, if it begins in one.
    fn work_off(
        &mut self,
        next: obligations::NextCube,
        obligations: &mut Obligations,
    ) -> Result<Option<Vec<StateCube>>, Halt> {
        if self.frames.solver(next.frame).is_over() || self.frames.work().calls >= self.rests_at {
            return Err(Halt);
        }
        let cube = obligations.cube(next).clone();
        if next.frame == 0 || self.frames.space.is_initial(&cube)? {
            return Ok(Some(obligations.trace(next)));
        }
        if self.frames.is_excluded(&cube, next.frame) {
            obligations.put_off(next, next.frame, self.frames.last());
            return Ok(None);
        }
        match self.block(&cube, next.frame)? {
            Blocked::Until(frame) => obligations.put_off(next, frame, self.frames.last()),
            Blocked::Not(before) => obligations.push(before, next),
        }
        Ok(None)
    }

    fn block(&mut self, cube: &StateCube, frame: usize) -> Result<Blocked, Halt> {
        if self.frames.has_step(frame - 1, cube, Some(cube))? {
            return Ok(Blocked::Not(self.predecessor(frame - 1, cube)?));
        }
        let core = self.frames.core(frame - 1, cube)?;
        let until = self.generaliser.exclude(&mut self.frames, core, frame)?;
        Ok(Blocked::Until(until))
    }

    /// The state of a frame's model as a cube from which the same step leads to the same target.
    fn predecessor(&mut self, frame: usize, target: &[Literal]) -> Result<StateCube, Halt> {
        let state = self.frames.state(frame);
        self.lifter.lift(state, target, self.frames.solver(frame))
    }

    /// A run along cubes and then to the goal.
    fn along(&self, cubes: &[StateCube]) -> Result<Option<Run>, Halt> {
        let mut unrolling = Unrolling::from_start(self.encoding, Solver::new(self.patience));
        let mut assumptions = Vec::new();
        for (position, cube) in cubes.iter().enumerate() {
            unrolling.extend();
            assumptions.extend(cube.iter().map(|literal| unrolling.at(*literal, position)));
        }
        assumptions.push(unrolling.at(self.goal, cubes.len()));
        match unrolling.solver.solve(&assumptions, None) {
            SolverOutcome::Satisfiable => {
                let run = unrolling.run(cubes.len());
                assert!(replay(self.encoding.system, &run).is_ok(), "what is read from a model is a run");
                Ok(Some(run))
            }
            SolverOutcome::Unsatisfiable => Ok(None),
            SolverOutcome::Stopped => Err(Halt),
        }
    }
}
