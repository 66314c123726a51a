//! The observer of runs that match a scenario which must begin within a bound.
//!
//! It reads as [`FoundObserver`] does. But an attempt in which nothing has happened yet is distinguished from one
//! that begins now, as later it may be too late to begin.

use super::{FoundObserver, SoughtScenario, Stance};
use crate::property::{Marks, Moment, Observer};
use crate::system::TermId;

/// Accepts runs with a match; the engine enforces the bound on where attempts may begin.
#[derive(Clone, Copy, Debug)]
pub struct Near<'s> {
    /// What is looked for.
    pub scenario: &'s SoughtScenario,
}

impl Near<'_> {
    /// How far an attempt has come: 0 if none has begun, and one more than the events that have happened; `None` where it is
    /// matched.
    pub fn depth(&self, stance: &Stance) -> Option<usize> {
        match stance {
            Stance::Unborn | Stance::Open(_) => Some(0),
            Stance::Trying(set) => Some(1 + self.scenario.depth(*set)),
            Stance::Matched => None,
        }
    }
}

impl Observer for Near<'_> {
    type State = Stance;

    fn marks(&self) -> u32 {
        1
    }

    fn first(&self) -> Stance {
        Stance::Unborn
    }

    fn read(
        &self,
        state: &Stance,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(Stance, Marks)>,
    ) {
        let (scenario, found) = (self.scenario, FoundObserver { scenario: self.scenario });
        match (*state, moment) {
            (_, Moment::End | Moment::Stuck) | (Stance::Trying(_) | Stance::Matched, _) => {
                found.read(state, moment, holds, ways);
            }
            (Stance::Open(set), _) if scenario.is_match(set) => ways.push((Stance::Matched, 1)),
            // A match in which nothing happens begins here, and may be too late.
            (Stance::Unborn, _) => ways.push((Stance::Open(scenario.fresh(scenario.bits(holds))), 0)),
            (Stance::Open(set), _) => {
                let bits = scenario.bits(holds);
                ways.push((Stance::Open(scenario.begun(moment, bits)), 0));
                if let Some(next) = scenario.next(set, moment, bits) {
                    found.push(Stance::Trying(next), moment, ways);
                }
            }
        }
    }

    fn watched(&self) -> &[TermId] {
        &self.scenario.inputs
    }

    fn is_safety(&self) -> bool {
        true
    }

    fn accepts_all(&self, state: &Stance) -> bool {
        match state {
            Stance::Unborn | Stance::Trying(_) => false,
            Stance::Open(set) => self.scenario.is_match(*set),
            Stance::Matched => true,
        }
    }
}
