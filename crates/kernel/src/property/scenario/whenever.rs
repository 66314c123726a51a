//! The observer of runs that break a conditional scenario (P1, its outlook): whenever what stands above the `assert` has happened, the
//! `assert` follows.
//!
//! One attempt is chosen. Once everything above the `assert` is over on all lifelines of the diagram, the attempt is due: from there on the events that
//! matter must go on to the end of the `assert`. The observer accepts a run if something else comes, if the run ends before, or if it goes on
//! forever without. Of several ways to read the same events any will do; ways on which the `assert` is not due yet are followed by themselves.

use super::SoughtScenario;
use super::follow::SetId;
use crate::model::Anchor;
use crate::property::pattern::Configs;
use crate::property::{AssertGoal, Marks, Moment, Observer};
use crate::system::{Config, TermId};

/// Accepts runs in which an attempt is due and comes to nothing; or in which one is due at all.
#[derive(Clone, Copy, Debug)]
pub struct Whenever<'s> {
    /// What is looked for.
    pub scenario: &'s SoughtScenario,
    /// Whether it is broken, or due at all.
    pub quest: AssertGoal,
}

/// What is remembered of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WheneverMemory {
    /// The run has not begun.
    Unborn,
    /// No attempt was chosen; this is one that begins now.
    Open(SetId),
    /// One attempt was chosen, which is not due yet.
    Trying(SetId),
    /// It is due, and has come so far.
    Due(SetId),
    /// The run is as it is looked for.
    Found,
}

impl SoughtScenario {
    /// Whether the `assert` is due in a configuration: everything above it is over, on all lifelines of the diagram.
    pub(super) fn is_due(&self, config: &Config) -> bool {
        let property = &self.pattern.property;
        property.due.is_some_and(|due| property.system.holds(due, config))
    }

    /// Whether it has an `assert` with something above it, which must follow.
    pub fn is_conditional(&self) -> bool {
        let first = self.pattern.first(None);
        self.pattern.property.due.is_some() && !first.iter().any(|config| self.is_due(config))
    }
}

impl Whenever<'_> {
    /// Goes on with an attempt: the ways on which it is due, and the others.
    fn part(&self, set: SetId, moment: Moment, ways: &mut Vec<(WheneverMemory, Marks)>) {
        let scenario = self.scenario;
        if scenario.is_amid(moment) {
            return ways.push((WheneverMemory::Trying(set), 0));
        }
        let configs = scenario.configs(set);
        let (due, early): (Configs, Configs) =
            configs.iter().cloned().partition(|config| scenario.is_due(config));
        let depth = scenario.depth(set);
        if !early.is_empty() {
            ways.push((WheneverMemory::Trying(scenario.number(early, depth)), 0));
        }
        if !due.is_empty() {
            match self.quest {
                AssertGoal::Trigger => ways.push((WheneverMemory::Found, 1)),
                AssertGoal::Violation => self.follow(scenario.number(due, depth), moment, ways),
            }
        }
    }

    /// Goes on with an attempt that is due, unless it has come to its end.
    fn follow(&self, set: SetId, moment: Moment, ways: &mut Vec<(WheneverMemory, Marks)>) {
        if !self.scenario.is_matched(set, moment) {
            ways.push((WheneverMemory::Due(set), 1));
        }
    }
}

impl Observer for Whenever<'_> {
    type State = WheneverMemory;

    fn marks(&self) -> u32 {
        1
    }

    fn first(&self) -> WheneverMemory {
        WheneverMemory::Unborn
    }

    fn read(
        &self,
        state: &WheneverMemory,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(WheneverMemory, Marks)>,
    ) {
        let scenario = self.scenario;
        match (*state, moment) {
            (WheneverMemory::Found, _) => ways.push((WheneverMemory::Found, 1)),
            (WheneverMemory::Due(set), Moment::End | Moment::Stuck) => {
                ways.push((WheneverMemory::Due(set), 1))
            }
            (_, Moment::End | Moment::Stuck) => {}
            (WheneverMemory::Unborn, _) => {
                let set = scenario.fresh(scenario.bits(holds));
                match scenario.anchor {
                    Anchor::Anywhere => ways.push((WheneverMemory::Open(set), 0)),
                    Anchor::Start => ways.push((WheneverMemory::Trying(set), 0)),
                }
            }
            (WheneverMemory::Open(set), _) => {
                let bits = scenario.bits(holds);
                let fresh = scenario.begun(moment, bits);
                ways.push((WheneverMemory::Open(fresh), 0));
                // An attempt in which nothing has happened is no better than one that begins now.
                if let Some(next) = scenario.next(set, moment, bits)
                    && !scenario.is_within(next, fresh)
                {
                    self.part(next, moment, ways);
                }
            }
            (WheneverMemory::Trying(set), _) => {
                if let Some(next) = scenario.next(set, moment, scenario.bits(holds)) {
                    self.part(next, moment, ways);
                }
            }
            (WheneverMemory::Due(set), _) => match scenario.next(set, moment, scenario.bits(holds)) {
                Some(next) => self.follow(next, moment, ways),
                None => ways.push((WheneverMemory::Found, 1)),
            },
        }
    }

    fn watched(&self) -> &[TermId] {
        &self.scenario.inputs
    }

    fn accepts_all(&self, state: &WheneverMemory) -> bool {
        *state == WheneverMemory::Found
    }
}
