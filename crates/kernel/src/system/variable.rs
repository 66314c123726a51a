//! Variables of a System: their domains, and what they are for.

use super::{ComponentId, System, VariableId};

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// A name, for reports.
    pub name: String,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// First value.
    pub initial: i32,
    /// What it is for.
    pub role: VariableRole,
    /// The component that it belongs to, if it is part of one.
    pub owner: Option<ComponentId>,
    /// The row of like variables in which it stands.
    pub row: Option<Row>,
}

/// The purpose of a variable, as far as exporters need it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum VariableRole {
    /// Data, decisions, and everything else.
    #[default]
    Plain,
    /// How far its owner has come in what it has begun; 0 at rest.
    Progress,
    /// A completion event that waits.
    Completion,
    /// The fault that has ended the run, as a number from 1; 0 as long as there is none.
    Fault,
}

/// A place in a row of like variables: `a.queue 2`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Row {
    /// The name of the row.
    pub name: String,
    /// The place, from 0.
    pub place: usize,
}

impl Variable {
    /// A variable of which no more is known.
    pub fn new(name: impl Into<String>, min: i32, max: i32, initial: i32) -> Self {
        Variable { name: name.into(), min, max, initial, role: VariableRole::Plain, owner: None, row: None }
    }

    /// A place in a row of variables.
    pub(crate) fn in_row(row: impl Into<String>, place: usize, max: i32) -> Self {
        let name = row.into();
        let whole = format!("{name} {place}");
        Variable { row: Some(Row { name, place }), ..Variable::new(whole, 0, max, 0) }
    }

    /// The same for a purpose.
    pub(crate) fn with_role(self, role: VariableRole) -> Self {
        Variable { role, ..self }
    }

    /// The same as part of a component.
    pub(crate) fn owned_by(self, owner: ComponentId) -> Self {
        Variable { owner: Some(owner), ..self }
    }
}

impl System {
    /// The variables for a purpose.
    pub fn variables_for(&self, role: VariableRole) -> impl Iterator<Item = VariableId> + '_ {
        self.variables.enumerate().filter(move |(_, variable)| variable.role == role).map(|(id, _)| id)
    }
}
