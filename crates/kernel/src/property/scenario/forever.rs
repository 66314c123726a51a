//! The observer of runs along which an interaction goes on forever (P3: recurrent rather than accepting).
//!
//! One attempt is chosen and one way through the interaction is followed, configuration by configuration. It must come again
//! and again to where everything that may rest rests, and each time by an event of its own.

use std::rc::Rc;

use super::SoughtScenario;
use super::follow::ConditionBits;
use crate::model::Anchor;
use crate::property::pattern::Configs;
use crate::property::{Marks, Moment, Observer};
use crate::system::{Config, TermId};

/// Accepts runs along which the interaction never ends.
#[derive(Clone, Copy, Debug)]
pub struct Forever<'s> {
    /// What is looked for.
    pub scenario: &'s SoughtScenario,
}

/// What is remembered of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Thread {
    /// No attempt was chosen.
    Waiting,
    /// One was, and has come here.
    At(Rc<Config>),
}

impl Forever<'_> {
    fn begin(&self, bits: ConditionBits, ways: &mut Vec<(Thread, Marks)>) {
        let first = self.scenario.configs(self.scenario.fresh(bits));
        ways.extend(first.iter().map(|config| (Thread::At(Rc::new(config.clone())), 0)));
    }

    /// The marks of a configuration that an event led to.
    fn marks_at(&self, config: &Config) -> Marks {
        let system = &self.scenario.pattern.property.system;
        let recurrent = system.recurrent.iter().enumerate();
        recurrent.fold(0, |marks, (bit, term)| marks | Marks::from(system.holds(*term, config)) << bit)
    }
}

impl Observer for Forever<'_> {
    type State = Thread;

    fn marks(&self) -> u32 {
        // An interaction that must end accepts nothing: there is no way to see this mark.
        u32::try_from(self.scenario.pattern.property.system.recurrent.len()).unwrap_or(1).max(1)
    }

    fn first(&self) -> Thread {
        Thread::Waiting
    }

    fn read(
        &self,
        state: &Thread,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(Thread, Marks)>,
    ) {
        let scenario = self.scenario;
        let at = |config: Config, marks: Marks| (Thread::At(Rc::new(config)), marks);
        match (state, moment) {
            (_, Moment::End | Moment::Stuck) => {}
            (Thread::Waiting, _) => {
                if moment == Moment::Start || scenario.anchor == Anchor::Anywhere && !scenario.is_amid(moment)
                {
                    self.begin(scenario.bits(holds), ways);
                }
                if scenario.anchor == Anchor::Anywhere {
                    ways.push((Thread::Waiting, 0));
                }
            }
            (Thread::At(config), Moment::Event(event)) => {
                let bits = scenario.bits(holds);
                let configs = Configs::from([(**config).clone()]);
                for next in scenario.taken(&configs, event, bits) {
                    let marks = self.marks_at(&next);
                    ways.push(at(next, marks));
                }
                ways.extend(scenario.passed(&configs, event, bits).into_iter().map(|next| at(next, 0)));
            }
            (Thread::At(config), Moment::Start | Moment::Silent) => {
                let next = scenario.settle([(**config).clone()], scenario.bits(holds));
                ways.extend(next.into_iter().map(|next| at(next, 0)));
            }
        }
    }

    fn watched(&self) -> &[TermId] {
        &self.scenario.inputs
    }

    fn accepts_all(&self, _: &Thread) -> bool {
        false
    }
}
