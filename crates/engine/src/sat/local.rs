//! Local facts: what one component by itself rules out.
//!
//! A variable that tells how far an object has come in a transition and one that tells its state belong together, but no clause
//! of a single step says so: a solver finds it out again for every position. So each component is run alone, as if everything
//! that it needs from others came whenever it likes. What it never has at once, it never has in company either. These facts
//! are true in all runs; as they need not be inductive they are of use only where runs are looked for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::system::{ComponentId, Node, Rule, System, TermId, Variable, VariableId};

use super::clauses::Clauses;
use super::state::State;

/// Components with more states of their own are left alone.
const MOST_STATES: usize = 2_000;
/// A fact that leaves more values open than this is not worth a clause.
const MOST_VALUES: usize = 12;

/// Writes what components by themselves rule out.
pub fn facts(system: &System, state: &State, clauses: &mut Clauses) {
    let owners = owners(system);
    for component in system.components.ids() {
        let own: Vec<VariableId> =
            owners.iter().filter(|(_, owner)| **owner == component).map(|(variable, _)| *variable).collect();
        if own.len() < 2 {
            continue;
        }
        if let Some(reached) = (Solo { system, own: &own, component }).states() {
            write(&own, &reached, system, state, clauses);
        }
    }
}

/// The variables that only one component writes.
fn owners(system: &System) -> BTreeMap<VariableId, ComponentId> {
    let mut owners: BTreeMap<VariableId, BTreeSet<ComponentId>> = BTreeMap::new();
    for rule in system.rules.iter() {
        for (variable, _) in &rule.updates {
            owners.entry(*variable).or_default().insert(rule.component);
        }
    }
    let only = |(variable, owners): (VariableId, BTreeSet<ComponentId>)| match owners.len() {
        1 => Some((variable, *owners.first()?)),
        _ => None,
    };
    owners.into_iter().filter_map(only).collect()
}

/// A component alone.
struct Solo<'s> {
    system: &'s System,
    own: &'s [VariableId],
    component: ComponentId,
}

type Values = Vec<i32>;

impl Solo<'_> {
    /// All values that its variables have together; `None` if they are too many.
    fn states(&self) -> Option<BTreeSet<Values>> {
        let first: Values =
            self.own.iter().map(|variable| self.system.variables[*variable].initial).collect();
        let rules: Vec<&Rule> =
            self.system.rules.iter().filter(|rule| rule.component == self.component).collect();
        let mut reached = BTreeSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some(values) = open.pop() {
            let mut known = HashMap::new();
            for rule in &rules {
                if self.value(rule.guard, &values, &mut known) == Some(0) {
                    continue;
                }
                for next in self.after(rule, &values, &mut known)? {
                    if reached.insert(next.clone()) {
                        open.push(next);
                    }
                }
                if reached.len() > MOST_STATES {
                    return None;
                }
            }
        }
        Some(reached)
    }

    /// What may come of a rule: where others have a say, every value.
    fn after(
        &self,
        rule: &Rule,
        values: &Values,
        known: &mut HashMap<TermId, Option<i32>>,
    ) -> Option<Vec<Values>> {
        let mut all = vec![values.clone()];
        for (variable, term) in &rule.updates {
            let Some(place) = self.own.iter().position(|own| own == variable) else { continue };
            let domain = &self.system.variables[*variable];
            let possible: Vec<i32> = match self.value(*term, values, known) {
                Some(value) if (domain.min..=domain.max).contains(&value) => vec![value],
                Some(_) => return Some(Vec::new()),
                None => (domain.min..=domain.max).collect(),
            };
            let with = |values: &Values, value: &i32| {
                let mut values = values.clone();
                values[place] = *value;
                values
            };
            all =
                all.iter().flat_map(|values| possible.iter().map(move |value| with(values, value))).collect();
            if all.len() > MOST_STATES {
                return None;
            }
        }
        Some(all)
    }

    /// The value of a term, if it depends on nothing but the component's own variables, or is the same anyhow.
    fn value(&self, term: TermId, values: &Values, known: &mut HashMap<TermId, Option<i32>>) -> Option<i32> {
        let mut open = vec![term];
        while let Some(id) = open.last().copied() {
            if known.contains_key(&id) {
                open.pop();
                continue;
            }
            let missing: Vec<TermId> =
                self.system.terms.parts(id).into_iter().filter(|part| !known.contains_key(part)).collect();
            if missing.is_empty() {
                let value = self.node(id, values, known);
                known.insert(id, value);
                open.pop();
            } else {
                open.extend(missing);
            }
        }
        known[&term]
    }

    fn node(&self, id: TermId, values: &Values, known: &HashMap<TermId, Option<i32>>) -> Option<i32> {
        let part = |id: &TermId| known[id];
        match self.system.terms.node(id) {
            Node::Constant(value) => Some(*value),
            Node::Variable(variable) => {
                self.own.iter().position(|own| own == variable).map(|place| values[place])
            }
            Node::Not(inner) => part(inner).map(|value| i32::from(value == 0)),
            Node::And(parts) => junction(parts.iter().map(part), false),
            Node::Or(parts) => junction(parts.iter().map(part), true),
            Node::Equal(a, b) => Some(i32::from(part(a)? == part(b)?)),
            Node::Less(a, b) => Some(i32::from(part(a)? < part(b)?)),
            Node::Number(operation, a, b) => Some(operation.apply(part(a)?, part(b)?)),
            Node::If(condition, yes, no) => match part(condition) {
                Some(0) => part(no),
                Some(_) => part(yes),
                None => part(yes).filter(|yes| part(no) == Some(*yes)),
            },
        }
    }
}

/// All or any of them, as far as known: one that decides is enough.
fn junction(parts: impl Iterator<Item = Option<i32>>, decides: bool) -> Option<i32> {
    let mut is_known = true;
    for part in parts {
        match part {
            Some(value) if (value != 0) == decides => return Some(i32::from(decides)),
            Some(_) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(i32::from(!decides))
}

/// For each value of a variable, which values another may have with it.
fn write(
    own: &[VariableId],
    reached: &BTreeSet<Values>,
    system: &System,
    state: &State,
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
