//! An instance as clauses for any solver: what each machine does at which position, all positions at once.

use std::fmt::Write;

use sequent_engine::sat::bounded::suffix::Suffix;
use sequent_engine::sat::schedule::automata::ComponentAutomata;
use sequent_engine::sat::schedule::plan::Schedule;
use sequent_engine::sat::schedule::timetable::Timetable;
use sequent_engine::sat::solver::Literal;

use super::sat::events;
use crate::generate::{EnsembleInstance, EnsembleQuestion};

/// A formula that is satisfiable if and only if the goal is reached within the bound, or the scenario begins within it.
pub struct ThesisClauses {
    /// How many variables it has.
    pub variables: usize,
    list: Vec<Vec<Literal>>,
}

/// The clauses of an instance with a bound; `None` for others.
pub fn clauses(instance: &EnsembleInstance) -> Option<ThesisClauses> {
    let lowered = instance.lower().ok()?;
    let system = &lowered.objects.system;
    let automata = ComponentAutomata::new(system)?;
    let spots = match (&instance.asked, lowered.goal) {
        (EnsembleQuestion::Goal(_), Some(goal)) => Some(automata.spots(goal)?),
        (EnsembleQuestion::Goal(_), None) => return None,
        (EnsembleQuestion::Scenario(_), _) => {
            let tail = Suffix::new(&automata, &events(instance, system))?;
            tail.spots(tail.len())?.pop()
        }
    };
    let within = instance.within? as usize;
    let Some(table) = spots.and_then(|spots| Timetable::new(&automata, &spots, within)) else {
        // Some solvers do not read an empty clause.
        return Some(ThesisClauses { variables: 1, list: vec![vec![Literal(1)], vec![Literal(-1)]] });
    };
    let schedule = Schedule::new(&table);
    let clauses = schedule.clauses();
    Some(ThesisClauses { variables: clauses.variables as usize, list: clauses.list.clone() })
}

impl ThesisClauses {
    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The formula in DIMACS.
    pub fn dimacs(&self) -> String {
        let most = self.list.iter().flatten().map(|literal| literal.0.unsigned_abs() as usize).max();
        let variables = self.variables.max(most.unwrap_or(0));
        let mut text = format!("p cnf {variables} {}\n", self.list.len());
        for clause in &self.list {
            for literal in clause {
                let _ = write!(text, "{} ", literal.0);
            }
            text += "0\n";
        }
        text
    }
}
