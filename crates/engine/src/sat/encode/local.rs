//! Local invariants: combinations of values that a component never has.
//!
//! A variable that tells how far an object has come in a transition and one that tells its state are related,
//! but no clause of a single step says so: a solver learns it again for every position. So each component is
//! run alone ([`crate::sat::encode::projection`]): values that it never has together there, it never has
//! together in the system. These facts hold in all runs; as they need not be inductive they are used only
//! where runs are searched.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{System, Variable, VariableId};

use crate::sat::encode::clauses::Clauses;
use crate::sat::encode::projection::{ComponentValues, MOST_STATES, Projection, owners};
use crate::sat::encode::state::PositionLiterals;

/// A fact that leaves more values open than this is not worth a clause.
const MOST_VALUES: usize = 12;

/// Writes what components by themselves rule out.
pub(crate) fn facts(system: &System, state: &PositionLiterals, clauses: &mut Clauses) {
    let owners = owners(system);
    for component in system.components.ids() {
        let own: Vec<VariableId> =
            owners.iter().filter(|(_, owner)| **owner == component).map(|(variable, _)| *variable).collect();
        if own.len() < 2 {
            continue;
        }
        if let Some(walk) = (Projection { system, own: &own, component }).walk() {
            write(&own, &walk.states, system, state, clauses);
        }
    }
}

/// For each value of a variable, which values another may have with it.
fn write(
    own: &[VariableId],
    reached: &[ComponentValues],
    system: &System,
    state: &PositionLiterals,
    clauses: &mut Clauses,
) {
    let size = |variable: VariableId| {
        let Variable { min, max, .. } = system.variables[variable];
        (i64::from(max) - i64::from(min) + 1) as usize
    };
    for (place, variable) in own.iter().enumerate().filter(|(_, variable)| size(**variable) <= MOST_STATES) {
        let domain = &system.variables[*variable];
        let mut with: BTreeMap<i32, Vec<BTreeSet<i32>>> = BTreeMap::new();
        for values in reached {
            let sets = with.entry(values[place]).or_insert_with(|| vec![BTreeSet::new(); own.len()]);
            for (set, value) in sets.iter_mut().zip(values) {
                set.insert(*value);
            }
        }
        for value in domain.min..=domain.max {
            let is = state.variables[*variable].is(value, clauses);
            let Some(sets) = with.get(&value) else {
                clauses.add([!is]);
                continue;
            };
            for (other, set) in own.iter().zip(sets).filter(|(other, _)| *other != variable) {
                if set.len() < size(*other) && set.len() <= MOST_VALUES {
                    let values: Vec<_> =
                        set.iter().map(|value| state.variables[*other].is(*value, clauses)).collect();
                    clauses.add(values.into_iter().chain([!is]));
                }
            }
        }
    }
}
