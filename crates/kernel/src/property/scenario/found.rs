//! The observer of runs that match a scenario (P1's tester S_match, with sets of active attempts instead of a failure
//! function on letters).

use super::SoughtScenario;
use super::follow::SetId;
use crate::model::Anchor;
use crate::property::{Marks, Moment, Observer};
use crate::system::TermId;

/// Accepts runs with a match.
#[derive(Clone, Copy, Debug)]
pub struct FoundObserver<'s> {
    /// What is looked for.
    pub scenario: &'s SoughtScenario,
}

/// What is remembered of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stance {
    /// The run has not begun.
    Unborn,
    /// No attempt was chosen; this is one that begins now.
    Open(SetId),
    /// One attempt was chosen, and has come so far.
    Trying(SetId),
    /// The scenario has happened.
    Matched,
}

impl FoundObserver<'_> {
    /// Whether one more event of the scenario has happened between two stances; `None` where no attempt goes on.
    pub fn gain(&self, before: &Stance, after: &Stance) -> Option<bool> {
        match (before, after) {
            (_, Stance::Unborn | Stance::Open(_)) => None,
            (Stance::Open(before) | Stance::Trying(before), Stance::Trying(after)) => {
                Some(self.scenario.depth(*before) != self.scenario.depth(*after))
            }
            (_, Stance::Trying(_)) => Some(false),
            (_, Stance::Matched) => Some(true),
        }
    }

    /// How many events of the scenario have happened in a stance; `None` where it is matched.
    pub fn depth(&self, stance: &Stance) -> Option<usize> {
        match stance {
            Stance::Unborn | Stance::Open(_) => Some(0),
            Stance::Trying(set) => Some(self.scenario.depth(*set)),
            Stance::Matched => None,
        }
    }

    /// The events that would have had to come next in an attempt, as the scenario writes them, in drawn order.
    pub fn expected(&self, stance: &Stance) -> Vec<String> {
        match stance {
            Stance::Unborn | Stance::Matched => Vec::new(),
            Stance::Open(set) | Stance::Trying(set) => self.scenario.next_texts(&self.scenario.configs(*set)),
        }
    }

    pub(super) fn push(&self, stance: Stance, moment: Moment, ways: &mut Vec<(Stance, Marks)>) {
        match stance {
            Stance::Open(set) | Stance::Trying(set) if self.scenario.is_matched(set, moment) => {
                ways.push((Stance::Matched, 1));
            }
            Stance::Unborn | Stance::Open(_) | Stance::Trying(_) | Stance::Matched => ways.push((stance, 0)),
        }
    }
}

impl Observer for FoundObserver<'_> {
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
        let scenario = self.scenario;
        match (*state, moment) {
            (Stance::Matched, _) => ways.push((Stance::Matched, 1)),
            (_, Moment::End | Moment::Stuck) => {}
            (Stance::Unborn, _) => {
                let set = scenario.fresh(scenario.bits(holds));
                let stance = match scenario.anchor {
                    Anchor::Anywhere => Stance::Open(set),
                    Anchor::Start => Stance::Trying(set),
                };
                self.push(stance, moment, ways);
            }
            (Stance::Open(set), _) => {
                let bits = scenario.bits(holds);
                let fresh = scenario.begun(moment, bits);
                self.push(Stance::Open(fresh), moment, ways);
                let next = scenario.next(set, moment, bits);
                // An attempt in which nothing has happened is no better than one that begins now.
                if let Some(next) = next.filter(|next| !scenario.is_within(*next, fresh)) {
                    self.push(Stance::Trying(next), moment, ways);
                }
            }
            (Stance::Trying(set), _) => {
                if let Some(next) = scenario.next(set, moment, scenario.bits(holds)) {
                    self.push(Stance::Trying(next), moment, ways);
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
        *state == Stance::Matched
    }
}
