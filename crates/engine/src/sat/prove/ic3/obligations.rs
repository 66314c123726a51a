//! Obligations: cubes that must be blocked in frames, those of the earliest frames first.
//!
//! Each knows the one that it is a predecessor of, so that the cubes of a run can be read off once one of them holds a first
//! state. A cube that is kept out of its frame is put off to the next: it would come up again there anyway, and a run may be
//! found that is longer than there are frames.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::space::StateCube;

/// What came of a cube.
pub(crate) enum Blocked {
    /// It is out of all frames up to this one.
    Until(usize),
    /// A step leads to it from here.
    Not(StateCube),
}

/// A cube that is to be kept out of a frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NextCube {
    /// The frame.
    pub frame: usize,
    /// How many steps it is before a goal, at most.
    depth: usize,
    index: usize,
}

/// Those of one goal.
pub(crate) struct Obligations {
    open: BinaryHeap<Reverse<NextCube>>,
    /// Cubes, each with the one after it.
    cubes: Vec<(StateCube, Option<usize>)>,
}

impl Obligations {
    /// The cube one step before a goal, to be kept out of a frame.
    pub(crate) fn new(cube: StateCube, frame: usize) -> Self {
        let first = NextCube { frame, depth: 1, index: 0 };
        Obligations { open: BinaryHeap::from([Reverse(first)]), cubes: vec![(cube, None)] }
    }

    /// What is to be done next.
    pub(crate) fn pop(&mut self) -> Option<NextCube> {
        self.open.pop().map(|next| next.0)
    }

    /// Its cube.
    pub(crate) fn cube(&self, next: NextCube) -> &StateCube {
        &self.cubes[next.index].0
    }

    /// A cube comes before another, which has to wait.
    pub(crate) fn push(&mut self, before: StateCube, next: NextCube) {
        let index = self.cubes.len();
        self.cubes.push((before, Some(next.index)));
        self.open.push(Reverse(NextCube { frame: next.frame - 1, depth: next.depth + 1, index }));
        self.open.push(Reverse(next));
    }

    /// A cube that is kept out of a frame is to be kept out of the next, if there is one.
    pub(crate) fn put_off(&mut self, next: NextCube, frame: usize, last: usize) {
        if frame < last {
            self.open.push(Reverse(NextCube { frame: frame + 1, ..next }));
        }
    }

    /// The cubes from one to the goal.
    pub(crate) fn trace(&self, next: NextCube) -> Vec<StateCube> {
        let mut trace = Vec::new();
        let mut index = Some(next.index);
        while let Some(at) = index {
            trace.push(self.cubes[at].0.clone());
            index = self.cubes[at].1;
        }
        trace
    }
}
