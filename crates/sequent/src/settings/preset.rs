//! `preset`: what each of the papers fixes about the meaning of diagrams.
//!
//! P0: callers wait for the reply, the occurrence below a guard is the first of its operand, guards are taken at their word, each
//! ignored message comes at most once, and a fragment must not reach beyond the one around it. P1 and P4: objects meet. P1: a step
//! with its effects is one event, and nothing is fair. P3: they have
//! queues, and completed states are left at any time. P3 and P4: nothing comes from outside. P2 fixes nothing that is not so anyway.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::model::{Communication, Completion, Scenario, Scheduling, Steps};
use sequent_kernel::semantics::Switches;
use sequent_notation::resolve::directive::set_knob;

use super::Settings;

/// A paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Preset {
    P0,
    P1,
    P2,
    P3,
    P4,
}

impl Preset {
    const ALL: [Preset; 5] = [Preset::P0, Preset::P1, Preset::P2, Preset::P3, Preset::P4];

    /// The paper of a name.
    pub(crate) fn named(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The names, separated by commas.
    pub(crate) fn names() -> String {
        Preset::ALL.map(Preset::name).join(", ")
    }

    fn name(self) -> &'static str {
        match self {
            Preset::P0 => "P0",
            Preset::P1 => "P1",
            Preset::P2 => "P2",
            Preset::P3 => "P3",
            Preset::P4 => "P4",
        }
    }

    /// Sets what the paper fixes.
    pub(crate) fn apply(self, settings: &mut Settings) {
        let system = &mut settings.system;
        match self {
            Preset::P0 => {
                settings.switches = Switches {
                    blocking_calls: true,
                    guarded_first: true,
                    independent_guards: true,
                    ignored: Some(1),
                    ..settings.switches.clone()
                };
            }
            Preset::P1 => {
                system.communication = Some(Communication::Rendezvous);
                system.steps = Some(Steps::Direct);
                system.fairness = Some(Scheduling::Unfair);
            }
            Preset::P2 => {}
            Preset::P3 => {
                system.communication = Some(Communication::Queue);
                system.completion = Some(Completion::Free);
                system.closed = Some(true);
            }
            Preset::P4 => {
                system.communication = Some(Communication::Rendezvous);
                system.steps = Some(Steps::Intermediate);
                system.closed = Some(true);
            }
        }
    }

    /// What the paper calls an error.
    pub(crate) fn denied(self) -> Option<Code> {
        match self {
            Preset::P0 => Some(Code::WiderInside),
            Preset::P1 | Preset::P2 | Preset::P3 | Preset::P4 => None,
        }
    }

    /// Sets the knobs of a scenario as the paper does, if it has scenarios.
    pub(crate) fn turn(self, scenario: &mut Scenario) {
        set_knob(scenario, "preset", self.name());
    }
}
