//! Questions: a run is looked for that reaches a goal, or that an observer accepts. For the engines both are one: a literal
//! that holds at the last position of such a run.

use sequent_kernel::property::Observer;
use sequent_kernel::system::{System, TermId};

use super::encoding::{Encoding, Pace, Unwritten};
use super::liveness::Liveness;
use super::solver::{FALSE, Literal};
use super::table::{Table, written};

/// What is looked for in a system.
pub struct Question<'s> {
    /// The system, with whoever watches it.
    pub encoding: Encoding<'s>,
    /// What holds at the last position of a run that is looked for.
    pub wanted: Literal,
}

impl<'s> Question<'s> {
    /// A state in which a predicate holds.
    pub fn goal(system: &'s System, pace: Pace, goal: TermId) -> Result<Self, Unwritten> {
        let encoding = Encoding::new(system, pace, &[goal])?;
        let wanted = encoding.truth(goal).expect("it was named");
        Ok(Question { encoding, wanted })
    }

    /// A state without any step that is no proper end.
    pub fn stuck(system: &'s System) -> Result<Self, Unwritten> {
        let (encoding, wanted) = Encoding::stuck(system)?;
        Ok(Question { encoding, wanted })
    }

    /// A run that an observer accepts, finite or not.
    pub fn observed<O: Observer>(system: &'s System, pace: Pace, observer: &O) -> Result<Self, Unwritten> {
        Self::of(system, pace, &written(system, observer)?)
    }

    /// The same for an observer that is written out.
    pub fn of(system: &'s System, pace: Pace, table: &Table) -> Result<Self, Unwritten> {
        let encoding = Encoding::watched(system, pace, &[], table)?;
        let watch = encoding.watch.as_ref().expect("somebody watches");
        let (wanted, is_ended) = (watch.accepted, watch.accepts_stuck == FALSE);
        // Where everything counts that goes on, what is accepted is accepted at once.
        let is_safe = table.is_safety && system.is_free() && is_ended;
        match system.endless.as_ref().filter(|_| !is_safe) {
            None => Ok(Question { encoding, wanted }),
            Some(endless) => {
                let Liveness { encoding, accepted } = Liveness::new(&encoding, endless)?;
                Ok(Question { encoding, wanted: accepted })
            }
        }
    }
}
