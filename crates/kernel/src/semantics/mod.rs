//! Semantics: from a diagram to a [`System`]. The only place that knows what UML means.
//!
//! An interaction is lowered without ever writing out its traces: one `done` bit per occurrence, one variable per choice.
//! An occurrence may happen when it has not happened, every choice around it fell its way, what precedes it on its
//! lifeline is over, and nothing blocks it (rules I1 to I12 of docs/semantics.md).

mod block;
mod builder;
mod choice;
mod combined;
mod repeat;

use std::collections::BTreeMap;

use crate::model::{InteractionId, Model};
use crate::system::System;

/// The points of dispute that users may decide, each with its default first (DESIGN section 4).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Switches {
    /// A call blocks its lifeline until the reply (`calls=blocking`).
    pub blocking_calls: bool,
    /// Guards of one `alt` are independent propositions (`guards=independent`).
    pub independent_guards: bool,
    /// The occurrence right below a guard is the first of its operand (rule mu of P0, `first=on`).
    pub guarded_first: bool,
    /// Fragments are joined to their neighbours strictly (rule nu of P0, `joined=strictly`).
    pub strict_joints: bool,
}

impl Switches {
    /// Every switch with its values, the default first.
    pub const TABLE: &'static [(&'static str, [&'static str; 2])] = &[
        ("calls", ["ordered", "blocking"]),
        ("guards", ["exclusive", "independent"]),
        ("first", ["off", "on"]),
        ("joined", ["weakly", "strictly"]),
    ];

    /// Sets a switch; the error says what would be right.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some((_, values)) = Self::TABLE.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = Self::TABLE.iter().map(|(name, _)| *name).collect();
            return Err(format!("`{name}` is no switch; there are {}", known.join(", ")));
        };
        let Some(position) = values.iter().position(|known| *known == value) else {
            return Err(format!("`{name}` is {}, not `{value}`", values.join(" or ")));
        };
        let is_on = position == 1;
        match name {
            "calls" => self.blocking_calls = is_on,
            "guards" => self.independent_guards = is_on,
            "first" => self.guarded_first = is_on,
            _ => self.strict_joints = is_on,
        }
        Ok(())
    }
}

/// What a lowering depends on besides the diagram.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assumptions {
    /// Decisions on points of dispute.
    pub switches: Switches,
    /// Values of guard propositions that are fixed from the start.
    pub guards: BTreeMap<String, bool>,
}

/// Something that cannot be lowered, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub place: crate::source::Place,
}

/// Lowers an interaction to the system of its valid runs.
pub fn lower(
    model: &Model,
    interaction: InteractionId,
    assumptions: &Assumptions,
) -> Result<System, Unsupported> {
    builder::Builder::new(model, assumptions).lower(interaction)
}
