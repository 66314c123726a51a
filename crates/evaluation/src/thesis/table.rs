//! The tables of P4's evaluation that can be computed again.

use crate::generate::crafted::Crafted;

/// A table of chapter 5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ThesisTable {
    /// Goals of a crafted model (5.4.1 to 5.4.3).
    Goals(Crafted),
    /// Goals of random models (5.4.5).
    RandomGoals,
    /// Scenarios of a crafted model (5.5.1 to 5.5.3).
    Scenarios(Crafted),
    /// Scenarios of random models (5.5.5).
    RandomScenarios,
}

impl ThesisTable {
    /// All of them, as the paper has them.
    pub const ALL: [ThesisTable; 8] = [
        ThesisTable::Goals(Crafted::Coffee),
        ThesisTable::Goals(Crafted::Mail),
        ThesisTable::Goals(Crafted::Philosophers),
        ThesisTable::RandomGoals,
        ThesisTable::Scenarios(Crafted::Coffee),
        ThesisTable::Scenarios(Crafted::Mail),
        ThesisTable::Scenarios(Crafted::Philosophers),
        ThesisTable::RandomScenarios,
    ];

    /// Its number.
    pub fn number(self) -> &'static str {
        match self {
            ThesisTable::Goals(Crafted::Coffee) => "5.4.1",
            ThesisTable::Goals(Crafted::Mail) => "5.4.2",
            ThesisTable::Goals(Crafted::Philosophers) => "5.4.3",
            ThesisTable::RandomGoals => "5.4.5",
            ThesisTable::Scenarios(Crafted::Coffee) => "5.5.1",
            ThesisTable::Scenarios(Crafted::Mail) => "5.5.2",
            ThesisTable::Scenarios(Crafted::Philosophers) => "5.5.3",
            ThesisTable::RandomScenarios => "5.5.5",
        }
    }

    /// The table of a number.
    pub fn of(number: &str) -> Option<ThesisTable> {
        ThesisTable::ALL.into_iter().find(|table| table.number() == number)
    }

    /// What it is about.
    pub fn title(self) -> String {
        match self {
            ThesisTable::Goals(model) => format!("goals of {}", model.word()),
            ThesisTable::RandomGoals => "goals of random models".to_owned(),
            ThesisTable::Scenarios(model) => format!("scenarios of {}", model.word()),
            ThesisTable::RandomScenarios => "scenarios of random models".to_owned(),
        }
    }
}
