//! Where a run leaves an `assert`, for a report: the event that was due, since when, and the event that came
//! instead.
//!
//! All lifelines and all times at which the `assert` is due are followed at once, in their order, by the same
//! steps as the observer takes; the observer chooses one of them.

use std::rc::Rc;

use super::{AssertProgress, Assertion};
use crate::property::pattern::Configs;
use crate::system::EventId;

/// Where a run leaves an `assert`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The lifeline.
    pub lifeline: String,
    /// Since when the `assert` was due there.
    pub since: Since,
    /// The positions of its events that came.
    pub came: Vec<usize>,
    /// The position of the event that should not have come; `None` if nothing came that should have.
    pub wrong: Option<usize>,
    /// The events that could have come instead, as the property writes them.
    pub expected: Vec<String>,
}

/// Since when an `assert` is due on a lifeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Since {
    /// Since the run began: nothing stands above it on any lifeline.
    Start,
    /// It is not due, but nothing else may come before it: what stands above it, on other lifelines, has not happened.
    Early,
    /// Since the event at this position, on the same lifeline.
    Event(usize),
    /// Since the event at this position, on another lifeline.
    Elsewhere(usize, String),
}

impl Since {
    /// The position of the event after which the `assert` was due.
    pub fn position(&self) -> Option<usize> {
        match self {
            Since::Start | Since::Early => None,
            Since::Event(position) | Since::Elsewhere(position, _) => Some(*position),
        }
    }
}

/// An `assert` that is followed.
struct FollowedAssert {
    number: usize,
    configs: Rc<Configs>,
    since: Since,
    came: Vec<usize>,
}

impl FollowedAssert {
    /// The last position that brought it further.
    fn last(&self) -> Option<usize> {
        self.came.last().copied().max(self.since.position())
    }
}

impl Assertion {
    /// Where a run of these events first leaves the `assert`, if it does. Of a run that goes on forever its cycle is to be
    /// given a few times: what has waited for longest is what never comes.
    pub fn breach(&self, run: &[EventId]) -> Option<Breach> {
        let mut claims = self.early_claims();
        let mut waiting: Vec<_> = self.lifelines.iter().map(|line| Rc::clone(&line.above)).collect();
        for (at, event) in run.iter().enumerate() {
            claims = match self.follow_claims(claims, at, *event) {
                Ok(claims) => claims,
                Err(left) => return Some(self.breach_of(left, Some(at))),
            };
            for (number, configs) in waiting.iter_mut().enumerate() {
                let (next, begun) = self.waited(number, configs, *event);
                *configs = next;
                let Some(begun) = begun else { continue };
                self.demand(&mut claims, number, at);
                if !self.is_over(&begun) {
                    let since = Since::Event(at);
                    claims.push(FollowedAssert { number, configs: begun, since, came: Vec::new() });
                }
            }
        }
        let due = claims.into_iter().filter(|claim| claim.since != Since::Early);
        due.min_by_key(FollowedAssert::last).map(|claim| self.breach_of(claim, None))
    }

    /// What is followed from the start.
    fn early_claims(&self) -> Vec<FollowedAssert> {
        let since = if self.triggers().next().is_none() { Since::Start } else { Since::Early };
        let begun = self.lifelines.iter().enumerate().filter_map(|(number, line)| {
            let configs = Rc::clone(line.due.as_ref().filter(|due| !self.is_over(due))?);
            Some(FollowedAssert { number, configs, since: since.clone(), came: Vec::new() })
        });
        begun.collect()
    }

    /// What is still to come after an event; or what that event should have been.
    fn follow_claims(
        &self,
        claims: Vec<FollowedAssert>,
        at: usize,
        event: EventId,
    ) -> Result<Vec<FollowedAssert>, FollowedAssert> {
        let mut still = Vec::new();
        for mut claim in claims {
            match self.followed(claim.number, &claim.configs, event) {
                AssertProgress::Over => {}
                AssertProgress::Left => return Err(claim),
                AssertProgress::Open(next) => {
                    claim.came.extend((next != claim.configs).then_some(at));
                    still.push(FollowedAssert { configs: next, ..claim });
                }
            }
        }
        Ok(still)
    }

    /// What stands above the `assert` on one lifeline has happened: now it must come where nothing stands above it.
    fn demand(&self, claims: &mut [FollowedAssert], number: usize, at: usize) {
        for claim in claims.iter_mut().filter(|claim| claim.since == Since::Early) {
            claim.since = Since::Elsewhere(at, self.name(number));
        }
    }

    fn name(&self, number: usize) -> String {
        self.pattern.property.system.components[self.lifelines[number].component].clone()
    }

    fn breach_of(&self, claim: FollowedAssert, wrong: Option<usize>) -> Breach {
        let component = self.lifelines[claim.number].component;
        let expected = self.pattern.expected(&claim.configs, Some(component)).into_iter().collect();
        Breach { lifeline: self.name(claim.number), since: claim.since, came: claim.came, wrong, expected }
    }
}
