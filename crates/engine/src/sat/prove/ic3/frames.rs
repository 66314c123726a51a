//! Frames: over-approximations of the states that are reachable in at most k steps.
//!
//! Each frame has a solver with one step from a position to the next. A cube that is kept out of a frame is kept out of all
//! before it, so it is listed once, with the last frame it is kept out of. All frames but the first also know that their
//! states are no goals: a frame is opened only when no step leads from the one before to a goal.

use std::collections::BTreeSet;

use super::Ic3Work;
use super::gates::gates;
use super::space::{Halt, Ic3Space, StateCube, there_is};
use crate::sat::encode::encoding::Encoding;
use crate::sat::lean::LeanSolver;
use crate::sat::solver::{Literal, Patience};

/// The frames, and the states they are made of.
pub struct Frames<'e, 's, 'p> {
    /// The states.
    pub space: Ic3Space<'p>,
    encoding: &'e Encoding<'s>,
    goal: Literal,
    patience: Patience<'p>,
    /// What must be known of the state after a step.
    after: Vec<Vec<Literal>>,
    solvers: Vec<LeanSolver<'p>>,
    /// For each frame the cubes that are kept out of it and of no later one.
    excluded: Vec<Vec<Excluded>>,
}

/// A cube that is kept out.
#[derive(Clone, PartialEq, Eq)]
struct Excluded {
    cube: StateCube,
    /// All literals that hold in it.
    closure: StateCube,
}

impl<'e, 's, 'p> Frames<'e, 's, 'p> {
    /// The frame of the first states.
    pub fn new(encoding: &'e Encoding<'s>, goal: Literal, patience: Patience<'p>) -> Self {
        let space = Ic3Space::new(encoding, patience);
        let after = after(encoding, goal);
        let (solvers, excluded) = (Vec::new(), Vec::new());
        let mut frames = Frames { space, encoding, goal, patience, after, solvers, excluded };
        frames.open();
        for literal in encoding.initial() {
            frames.solvers[0].add([literal]);
        }
        frames
    }

    /// The number of the last frame.
    pub fn last(&self) -> usize {
        self.solvers.len() - 1
    }

    /// What it has taken so far.
    pub fn work(&self) -> Ic3Work {
        Ic3Work {
            frames: self.last(),
            clauses: self.excluded.iter().map(Vec::len).sum(),
            calls: self.solvers.iter().map(|solver| solver.effort().calls).sum(),
        }
    }

    /// Opens a frame of which nothing is known but that its states are no goals.
    pub fn open(&mut self) {
        let mut solver = LeanSolver::new(self.patience);
        let period = self.encoding.period;
        solver.variables(2 * period as usize);
        for clause in self.encoding.definitions.iter().chain(&self.encoding.steps) {
            solver.add(clause.iter().copied());
        }
        for clause in &self.after {
            solver.add(clause.iter().map(|literal| literal.moved(period)));
        }
        solver.add([!self.goal]);
        self.solvers.push(solver);
        self.excluded.push(Vec::new());
    }

    /// The solver of a frame.
    pub fn solver(&mut self, frame: usize) -> &mut LeanSolver<'p> {
        &mut self.solvers[frame]
    }

    /// Whether a step leads from a frame to where some literals hold, perhaps from outside of a cube only.
    pub(crate) fn has_step(
        &mut self,
        frame: usize,
        target: &[Literal],
        outside: Option<&StateCube>,
    ) -> Result<bool, Halt> {
        let target: Vec<Literal> = target.iter().map(|literal| literal.moved(self.encoding.period)).collect();
        let outside: Option<Vec<Literal>> = outside.map(|cube| cube.iter().map(|one| !*one).collect());
        there_is(self.solvers[frame].solve(&target, outside.as_deref()))
    }

    /// The state that a frame's solver has just found a step from.
    pub fn state(&mut self, frame: usize) -> StateCube {
        let solver = &self.solvers[frame];
        self.space.cube(&mut |literal| solver.value(literal))
    }

    /// The part of a cube that no step leads to, as a frame's solver has just found out; no first state is in it.
    pub fn core(&mut self, frame: usize, cube: &StateCube) -> Result<StateCube, Halt> {
        let period = self.encoding.period;
        let solver = &self.solvers[frame];
        let (mut core, others): (StateCube, StateCube) =
            cube.iter().partition(|literal| solver.is_needed(literal.moved(period)));
        for literal in others {
            if !self.space.is_initial(&core)? {
                break;
            }
            core.push(literal);
        }
        core.sort_unstable();
        Ok(core)
    }

    /// Whether a cube is known to lie outside of a frame.
    pub(crate) fn is_excluded(&self, cube: &StateCube, frame: usize) -> bool {
        let closure = self.space.closure(cube);
        self.excluded[frame..].iter().flatten().any(|one| is_part(&one.cube, &closure))
    }

    /// Keeps a cube out of all frames up to one.
    pub fn exclude(&mut self, cube: StateCube, frame: usize) {
        for cubes in &mut self.excluded[1..=frame] {
            cubes.retain(|one| !is_part(&cube, &one.closure));
        }
        for solver in &mut self.solvers[1..=frame] {
            solver.add(cube.iter().map(|literal| !*literal));
        }
        let closure = self.space.closure(&cube);
        self.excluded[frame].push(Excluded { cube, closure });
    }

    /// Moves cubes on to later frames; those that make an invariant, once two frames are equal.
    pub(crate) fn propagate(&mut self) -> Result<Option<Vec<StateCube>>, Halt> {
        for frame in 1..self.last() {
            for one in self.excluded[frame].clone() {
                // One that was excluded meanwhile may have taken its place.
                if self.excluded[frame].contains(&one) && !self.has_step(frame, &one.cube, None)? {
                    let core = self.core(frame, &one.cube)?;
                    self.exclude(core, frame + 1);
                }
            }
            if self.excluded[frame].is_empty() {
                let rest = self.excluded[frame + 1..].iter().flatten();
                return Ok(Some(rest.map(|one| one.cube.clone()).collect()));
            }
        }
        Ok(None)
    }
}

/// The definitions that the state after a step needs: those that may fail, what the goal is, and what steps say of it.
fn after(encoding: &Encoding<'_>, goal: Literal) -> Vec<Vec<Literal>> {
    let clauses: Vec<&Vec<Literal>> = encoding.definitions.iter().collect();
    let gates = gates(&clauses, encoding.state.width, encoding.period);
    let own = clauses.iter().zip(&gates.is_definition).filter(|(_, is_definition)| !**is_definition);
    let period = encoding.period;
    let next = encoding.steps.iter().flatten().filter(|literal| literal.variable().0 > period);
    let said = next.map(|literal| literal.variable().moved(-period));
    let mut open: Vec<Literal> =
        own.flat_map(|(clause, _)| clause.iter().copied()).chain([goal]).chain(said).collect();
    let mut needed: BTreeSet<Literal> = BTreeSet::new();
    while let Some(literal) = open.pop() {
        if needed.insert(literal.variable()) {
            open.extend(gates.parts.get(&literal.variable()).into_iter().flatten());
        }
    }
    let is_needed = |clause: &&&Vec<Literal>| clause.iter().all(|one| needed.contains(&one.variable()));
    clauses.iter().filter(is_needed).map(|clause| (*clause).clone()).collect()
}

/// Whether all literals of one cube are in another; both ascend.
fn is_part(part: &StateCube, whole: &StateCube) -> bool {
    let mut rest = whole.iter();
    part.len() <= whole.len() && part.iter().all(|literal| rest.by_ref().any(|one| one == literal))
}
