//! Semantics: from a diagram to a [`System`]. The only place that knows what UML means.
//!
//! An interaction is lowered without ever writing out its traces: one `done` bit per occurrence, one variable per choice.
//! An occurrence may happen when it has not happened, every choice around it fell its way, what precedes it on its
//! lifeline is over, and nothing blocks it (rules I1 to I12 of docs/semantics.md).
//!
//! Two things keep the number of configurations small. A fragment that holds choices is *framed*: once it is over on every
//! lifeline, an invisible step forgets what happened inside, so that the ways through it lead to one configuration. A loop
//! without bound keeps a *window* of iterations: when the oldest is over, the others move up.

mod block;
mod builder;
mod calls;
mod choice;
mod combined;
mod complement;
mod exchange;
mod frame;
mod guards;
mod negative;
mod notes;
pub mod objects;
mod property;
pub(crate) mod proposition;
mod repeat;
mod ring;
mod text;

pub use builder::Other;
pub use calls::may_circle;
pub use exchange::{Exchange, extras};
pub(crate) use guards::fresh_guards;
pub use guards::lasting_guards;
pub use notes::is_of;
pub(crate) use property::{PropertyDiagram, PropertyExtent, lower_property, lower_scenario};
pub use proposition::{is_compound, name as proposition_name, names as propositions};
pub use text::event_text;

pub(crate) use calls::replies;

use std::collections::BTreeMap;

use crate::model::{InteractionId, Model};
use crate::system::{System, TraceClass};

/// The points of dispute that users may decide, each with its default first (DESIGN section 4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switches {
    /// A call blocks its lifeline until the reply (`calls=blocking`).
    pub blocking_calls: bool,
    /// Guards of one `alt` are independent propositions (`guards=independent`).
    pub independent_guards: bool,
    /// The occurrence right below a guard is the first of its operand (rule mu of P0, `first=on`).
    pub guarded_first: bool,
    /// Fragments are joined to their neighbours strictly (rule nu of P0, `joined=strictly`).
    pub strict_joints: bool,
    /// To run an operand whose guard is false is invalid (`false-guard=invalid`).
    pub invalid_if_false: bool,
    /// To run a `neg` whose guard is false is invalid (`false-neg=invalid`).
    pub invalid_if_neg_false: bool,
    /// What encloses an invalid part is inconclusive (`enclosing=inconclusive`).
    pub doubtful_around: bool,
    /// What a `neg` around an invalid part is (`double-neg=invalid|valid|inconclusive`).
    pub double_negation: TraceClass,
    /// A guard is decided when its fragment is entered, and kept there only (`guard-values=entry`), rather than for the run.
    pub guards_on_entry: bool,
    /// How many messages of each ignored kind may happen at most (`ignored=1`); `None` means any number.
    pub ignored: Option<u32>,
}

impl Default for Switches {
    fn default() -> Self {
        Switches {
            blocking_calls: false,
            independent_guards: false,
            guarded_first: false,
            strict_joints: false,
            invalid_if_false: false,
            invalid_if_neg_false: false,
            doubtful_around: false,
            double_negation: TraceClass::Invalid,
            guards_on_entry: false,
            ignored: None,
        }
    }
}

impl Switches {
    /// Every switch with its values, the default first; [`Self::NUMBER`] stands for any number.
    pub const TABLE: &'static [(&'static str, &'static [&'static str])] = &[
        ("calls", &["ordered", "blocking"]),
        ("guards", &["exclusive", "independent"]),
        ("first", &["off", "on"]),
        ("joined", &["weakly", "strictly"]),
        ("false-guard", &["inconclusive", "invalid"]),
        ("false-neg", &["inconclusive", "invalid"]),
        ("enclosing", &["invalid", "inconclusive"]),
        ("double-neg", &["invalid", "valid", "inconclusive"]),
        ("guard-values", &["fixed", "entry"]),
        ("ignored", &["any", Self::NUMBER]),
    ];

    /// The value of a switch that takes a number.
    pub const NUMBER: &'static str = "N";

    /// Sets a switch; the error says what would be right.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some((_, values)) = Self::TABLE.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = Self::TABLE.iter().map(|(name, _)| *name).collect();
            return Err(format!("`{name}` is not a switch; there are {}", known.join(", ")));
        };
        let number: Option<u32> = value.parse().ok();
        let is_value = |known: &&str| *known == value || *known == Self::NUMBER && number.is_some();
        let Some(position) = values.iter().position(is_value).filter(|_| value != Self::NUMBER) else {
            return Err(format!("`{name}` is {}, not `{value}`", values.join(" or ")));
        };
        let is_on = position == 1;
        match name {
            "calls" => self.blocking_calls = is_on,
            "guards" => self.independent_guards = is_on,
            "first" => self.guarded_first = is_on,
            "joined" => self.strict_joints = is_on,
            "false-guard" => self.invalid_if_false = is_on,
            "false-neg" => self.invalid_if_neg_false = is_on,
            "enclosing" => self.doubtful_around = is_on,
            "guard-values" => self.guards_on_entry = is_on,
            "ignored" => self.ignored = number,
            _ => {
                self.double_negation =
                    [TraceClass::Invalid, TraceClass::Valid, TraceClass::Inconclusive][position]
            }
        }
        Ok(())
    }
}

/// What a lowering depends on besides the diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// Decisions on points of dispute.
    pub switches: Switches,
    /// Values of guard propositions that are fixed from the start.
    pub guards: BTreeMap<String, bool>,
    /// How guard propositions happen to fall: as if they had been chosen at the start. Unlike those that are given, they
    /// do not win over what excludes them; runs that would need another value do not count.
    pub chosen: BTreeMap<String, bool>,
    /// How many iterations of a loop without bound may be open at a time.
    pub window: usize,
    /// Every `neg` is skipped: there are no invalid runs.
    pub without_negatives: bool,
}

impl Default for Assumptions {
    fn default() -> Self {
        Assumptions {
            switches: Switches::default(),
            guards: BTreeMap::new(),
            chosen: BTreeMap::new(),
            window: 2,
            without_negatives: false,
        }
    }
}

/// Something that cannot be lowered, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub place: crate::source::Place,
}

/// The guard propositions of an interaction and of those it uses, each once, in order.
pub fn guards(model: &Model, interaction: InteractionId) -> Vec<String> {
    guards::uses(model, interaction).into_keys().collect()
}

/// Lowers an interaction to the system of its runs, valid and invalid ones.
pub fn lower(
    model: &Model,
    interaction: InteractionId,
    assumptions: &Assumptions,
) -> Result<System, Unsupported> {
    builder::LoweringBuilder::new(model, assumptions).lower(interaction)
}
