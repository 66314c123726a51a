//! Generalising: a clause that keeps out more than the cube it is made for.
//!
//! A literal is dropped from a cube if still no step leads to it from outside of it. Often a step does, but from a state that
//! cannot be reached either: such a state is kept out first, if that is easily done, and the literal is tried again. For the
//! clause of such a state, made aside, nothing of that kind is done: measured, deeper is slower by half. After
//! Z. Hassan, A. Bradley, F. Somenzi, "Better generalization in IC3" (FMCAD 2013).
//!
//! What is left are mostly values of variables, where often many would do: that a queue holds anything, not that it holds a
//! certain message. So a value is given up for a set of values, which grows while no step leads there.

use std::collections::BTreeMap;

use super::frames::Frames;
use super::space::{Halt, StateCube};
use crate::sat::solver::Literal;

/// How many states are kept out for one literal.
const MOST_STATES: usize = 3;
/// A variable with more values than this keeps its value.
const MOST_VALUES: usize = 12;

/// What was learned about literals.
#[derive(Default)]
pub(crate) struct Generaliser {
    /// How many clauses a literal is in: such a literal is rather kept.
    uses: BTreeMap<Literal, u32>,
}

impl Generaliser {
    /// Makes a cube that no step leads to more general, and keeps it out of a frame and of those after it as far as that
    /// goes; the last of them.
    pub(crate) fn exclude(
        &mut self,
        frames: &mut Frames<'_, '_, '_>,
        cube: StateCube,
        frame: usize,
    ) -> Result<usize, Halt> {
        let (cube, frame) = self.learn(frames, cube, frame, false)?;
        for literal in &cube {
            *self.uses.entry(*literal).or_default() += 1;
        }
        frames.exclude(cube, frame);
        Ok(frame)
    }

    fn learn(
        &self,
        frames: &mut Frames<'_, '_, '_>,
        cube: StateCube,
        frame: usize,
        is_aside: bool,
    ) -> Result<(StateCube, usize), Halt> {
        let cube = self.generalise(frames, cube, frame, is_aside)?;
        let mut cube = widen(frames, cube, frame)?;
        let mut frame = frame;
        while frame < frames.last() && !frames.has_step(frame, &cube, Some(&cube))? {
            cube = frames.core(frame, &cube)?;
            frame += 1;
        }
        Ok((cube, frame))
    }

    fn generalise(
        &self,
        frames: &mut Frames<'_, '_, '_>,
        cube: StateCube,
        frame: usize,
        is_aside: bool,
    ) -> Result<StateCube, Halt> {
        let mut order = cube.clone();
        order.sort_by_key(|literal| self.uses.get(literal).copied().unwrap_or_default());
        let mut cube = cube;
        let mut kept: StateCube = Vec::new();
        for literal in order {
            if cube.len() < 2 || !cube.contains(&literal) {
                continue;
            }
            let smaller: StateCube = cube.iter().copied().filter(|one| *one != literal).collect();
            match self.drop(frames, smaller, frame, &kept, is_aside)? {
                Some(smaller) => {
                    cube = smaller;
                    kept.retain(|one| cube.contains(one));
                }
                None => kept.push(literal),
            }
        }
        Ok(cube)
    }

    /// A cube that is at least as general, if no step leads to it from outside.
    fn drop(
        &self,
        frames: &mut Frames<'_, '_, '_>,
        cube: StateCube,
        frame: usize,
        kept: &[Literal],
        is_aside: bool,
    ) -> Result<Option<StateCube>, Halt> {
        let mut cube = cube;
        let mut states = 0;
        loop {
            if frames.space.is_initial(&cube)? {
                return Ok(None);
            }
            if !frames.has_step(frame - 1, &cube, Some(&cube))? {
                return Ok(Some(frames.core(frame - 1, &cube)?));
            }
            if is_aside {
                return Ok(None);
            }
            let state = frames.state(frame - 1);
            if states < MOST_STATES && self.keep_out(frames, &state, frame - 1)? {
                states += 1;
                continue;
            }
            states = 0;
            let state = frames.space.closure(&state);
            cube.retain(|literal| state.binary_search(literal).is_ok());
            if kept.iter().any(|literal| !cube.contains(literal)) {
                return Ok(None);
            }
        }
    }

    /// Keeps a state out of a frame, if no step leads to it from the one before.
    fn keep_out(
        &self,
        frames: &mut Frames<'_, '_, '_>,
        state: &StateCube,
        frame: usize,
    ) -> Result<bool, Halt> {
        if frame == 0 || frames.space.is_initial(state)? || frames.has_step(frame - 1, state, Some(state))? {
            return Ok(false);
        }
        let core = frames.core(frame - 1, state)?;
        let (cube, frame) = self.learn(frames, core, frame, true)?;
        frames.exclude(cube, frame);
        Ok(true)
    }
}

/// Replaces values by sets of values as large as they can be.
fn widen(frames: &mut Frames<'_, '_, '_>, cube: StateCube, frame: usize) -> Result<StateCube, Halt> {
    let mut wide = cube.clone();
    for literal in cube.iter().filter(|literal| literal.is_positive()) {
        let Some(choice) = frames.space.choice(*literal) else { continue };
        if choice.len() > MOST_VALUES || !wide.contains(literal) {
            continue;
        }
        let others: Vec<Literal> = choice.iter().copied().filter(|other| other != literal).collect();
        let mut rest: StateCube = wide.iter().copied().filter(|one| one != literal).collect();
        // All others are false to begin with; each may become possible.
        let mut closed = others.clone();
        let mut is_wider = false;
        for other in others {
            let mut tried: StateCube = rest.clone();
            tried.extend(closed.iter().filter(|one| **one != other).map(|one| !*one));
            tried.sort_unstable();
            if !frames.space.is_initial(&tried)? && !frames.has_step(frame - 1, &tried, Some(&tried))? {
                closed.retain(|one| *one != other);
                is_wider = true;
            }
        }
        if is_wider {
            rest.extend(closed.iter().map(|one| !*one));
            rest.sort_unstable();
            wide = rest;
        }
    }
    Ok(wide)
}
