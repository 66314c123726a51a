//! The observer of runs that do not match a scenario: all attempts are followed at once (P1's testers S_div and S_not, as one
//! subset construction).
//!
//! A run is accepted if it ends, or goes on forever, and no attempt is completed. Where the interaction may
//! go on forever, no attempt may do that either: see [`super::Never`].

use std::collections::BTreeSet;

use super::SoughtScenario;
use super::follow::{ConditionBits, SetId};
use crate::model::Anchor;
use crate::property::{Marks, Moment, Observer};
use crate::system::TermId;

/// Accepts runs without a match that is finite.
#[derive(Clone, Copy, Debug)]
pub struct Missed<'s> {
    /// What is looked for.
    pub scenario: &'s SoughtScenario,
    /// Attempts begin after at most this many steps.
    pub within: Option<u32>,
}

/// What is remembered of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MissedMemory {
    /// The run has not begun.
    Unborn,
    /// Attempts that have come so far, and whether more may begin.
    Open(BTreeSet<SetId>, Begins),
}

/// Whether attempts may begin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Begins {
    /// From now on everywhere.
    Always,
    /// Now, and after each of the next steps, of this number.
    For(u32),
    /// No more.
    Never,
}

impl Begins {
    fn after_step(self) -> Self {
        match self {
            Begins::Always => Begins::Always,
            Begins::For(0) | Begins::Never => Begins::Never,
            Begins::For(left) => Begins::For(left - 1),
        }
    }
}

impl MissedMemory {
    /// Whether an attempt begins at this position.
    pub(super) fn begins(&self) -> bool {
        matches!(self, MissedMemory::Open(_, Begins::Always | Begins::For(_)))
    }
}

impl Missed<'_> {
    /// The attempts after a moment; nothing if one has come to its end.
    fn open(
        &self,
        attempts: Vec<SetId>,
        begins: Begins,
        moment: Moment,
        bits: ConditionBits,
    ) -> Option<MissedMemory> {
        let scenario = self.scenario;
        let is_between = !scenario.is_amid(moment);
        let fresh = (begins != Begins::Never && is_between).then(|| scenario.fresh(bits));
        let mut attempts: BTreeSet<SetId> = attempts.into_iter().chain(fresh).collect();
        if attempts.iter().any(|set| scenario.is_matched(*set, moment)) {
            return None;
        }
        // Without `neg` a trace is as good as any other with the same events.
        if !scenario.has_negative {
            attempts =
                attempts.into_iter().reduce(|one, other| scenario.union(one, other)).into_iter().collect();
        }
        Some(MissedMemory::Open(attempts, begins))
    }
}

impl Observer for Missed<'_> {
    type State = MissedMemory;

    fn marks(&self) -> u32 {
        0
    }

    fn first(&self) -> MissedMemory {
        MissedMemory::Unborn
    }

    fn read(
        &self,
        state: &MissedMemory,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(MissedMemory, Marks)>,
    ) {
        let scenario = self.scenario;
        match (state, moment) {
            (_, Moment::End | Moment::Stuck) => ways.push((state.clone(), 0)),
            (MissedMemory::Unborn, _) => {
                let begins = match (scenario.anchor, self.within) {
                    (Anchor::Anywhere, None) => Begins::Always,
                    (Anchor::Anywhere, Some(steps)) => Begins::For(steps),
                    (Anchor::Start, _) => Begins::For(0),
                };
                let open = self.open(Vec::new(), begins, moment, scenario.bits(holds));
                ways.extend(open.map(|state| (state, 0)));
            }
            (MissedMemory::Open(attempts, begins), _) => {
                let bits = scenario.bits(holds);
                let next = attempts.iter().filter_map(|set| scenario.next(*set, moment, bits)).collect();
                // Several messages of one step are one position, where they are kept apart.
                let begins = if scenario.is_amid(moment) { *begins } else { begins.after_step() };
                ways.extend(self.open(next, begins, moment, bits).map(|state| (state, 0)));
            }
        }
    }

    fn watched(&self) -> &[TermId] {
        &self.scenario.inputs
    }

    fn counts_steps(&self) -> bool {
        self.within.is_some() && self.scenario.anchor == Anchor::Anywhere
    }

    fn accepts_all(&self, state: &MissedMemory) -> bool {
        match state {
            MissedMemory::Unborn => false,
            MissedMemory::Open(attempts, begins) => attempts.is_empty() && *begins == Begins::Never,
        }
    }
}
