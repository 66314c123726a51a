//! The tables of P4's evaluation that can be computed again.

use crate::generate::crafted::Crafted;

/// A table of chapter 5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Table {
    /// Goals of a crafted model (5.4.1 to 5.4.3).
    Goals(Crafted),
    /// Goals of random models (5.4.5).
    RandomGoals,
    /// Scenarios of a crafted model (5.5.1 to 5.5.3).
    Scenarios(Crafted),
    /// Scenarios of random models (5.5.5).
    RandomScenarios,
}

impl Table {
    /// All of them, as the paper has them.
    pub const ALL: [Table; 8] = [
        Table::Goals(Crafted::Coffee),
        Table::Goals(Crafted::Mail),
        Table::Goals(Crafted::Philosophers),
        Table::RandomGoals,
        Table::Scenarios(Crafted::Coffee),
        Table::Scenarios(Crafted::Mail),
        Table::Scenarios(Crafted::Philosophers),
        Table::RandomScenarios,
    ];

    /// Its number.
    pub fn number(self) -> &'static str {
        match self {
            Table::Goals(Crafted::Coffee) => "5.4.1",
            Table::Goals(Crafted::Mail) => "5.4.2",
            Table::Goals(Crafted::Philosophers) => "5.4.3",
            Table::RandomGoals => "5.4.5",
            Table::Scenarios(Crafted::Coffee) => "5.5.1",
            Table::Scenarios(Crafted::Mail) => "5.5.2",
            Table::Scenarios(Crafted::Philosophers) => "5.5.3",
            Table::RandomScenarios => "5.5.5",
        }
    }

    /// The table of a number.
    pub fn of(number: &str) -> Option<Table> {
        Table::ALL.into_iter().find(|table| table.number() == number)
    }

    /// What it is about.
    pub fn title(self) -> String {
        match self {
            Table::Goals(model) => format!("goals of {}", model.word()),
            Table::RandomGoals => "goals of random models".to_owned(),
            Table::Scenarios(model) => format!("scenarios of {}", model.word()),
            Table::RandomScenarios => "scenarios of random models".to_owned(),
        }
    }
}
