//! Projection: a component alone, as if everything that it needs from other components were always available.
//!
//! It over-approximates what the component does in the system. Where no other component reads or writes its
//! variables it is exact: the component is a small automaton, and the system is a product of such automata
//! that synchronise on labels.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::system::{ComponentId, Rule, RuleId, System, TermId, TermNode, VariableId};

/// Components with more states of their own are left alone.
pub(crate) const MOST_STATES: usize = 2_000;

/// The values of a component's variables, in their order.
pub(crate) type ComponentValues = Vec<i32>;

/// The variables that only one component writes.
pub(crate) fn owners(system: &System) -> BTreeMap<VariableId, ComponentId> {
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
pub(crate) struct Projection<'s> {
    /// The system.
    pub system: &'s System,
    /// The variables that only this component writes.
    pub own: &'s [VariableId],
    /// The component.
    pub component: ComponentId,
}

/// Where a component comes by itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComponentWalk {
    /// Its states; the first is the one it begins in.
    pub states: Vec<ComponentValues>,
    /// What it does: from a state, by a rule, to a state.
    pub moves: Vec<(usize, RuleId, usize)>,
    /// Whether no other component reads or writes the variables.
    pub is_exact: bool,
}

impl Projection<'_> {
    /// All states and moves; `None` if they are too many.
    pub(crate) fn walk(&self) -> Option<ComponentWalk> {
        let first: ComponentValues =
            self.own.iter().map(|variable| self.system.variables[*variable].initial).collect();
        let own = self.system.rules.enumerate().filter(|(_, rule)| rule.component == self.component);
        let rules: Vec<_> = own.map(|(id, rule)| (id, rule, self.asked(rule.guard))).collect();
        let mut numbers: HashMap<ComponentValues, usize> = HashMap::from([(first.clone(), 0)]);
        let mut walk = ComponentWalk { states: vec![first], moves: Vec::new(), is_exact: true };
        let mut at = 0;
        while at < walk.states.len() {
            let values = walk.states[at].clone();
            let mut known = HashMap::new();
            for (id, rule, asked) in &rules {
                // Most rules ask for another state, which is seen without computing anything.
                if asked.iter().any(|(place, value)| values[*place] != *value) {
                    continue;
                }
                let guard = self.value(rule.guard, &values, &mut known);
                walk.is_exact &= guard.is_some();
                if guard == Some(0) {
                    continue;
                }
                for next in self.after(rule, &values, &mut known, &mut walk.is_exact)? {
                    let number = *numbers.entry(next.clone()).or_insert(walk.states.len());
                    if number == walk.states.len() {
                        walk.states.push(next);
                    }
                    walk.moves.push((at, *id, number));
                }
                if walk.states.len() > MOST_STATES {
                    return None;
                }
            }
            at += 1;
        }
        Some(walk)
    }

    /// Values of its own variables that a guard asks for; it may ask for more.
    fn asked(&self, guard: TermId) -> Vec<(usize, i32)> {
        let terms = &self.system.terms;
        let (mut asked, mut open) = (Vec::new(), vec![guard]);
        while let Some(term) = open.pop() {
            if let TermNode::And(parts) = terms.node(term) {
                open.extend(parts);
            } else if let Some((variable, value)) = terms.as_literal(term)
                && let Some(place) = self.own.iter().position(|own| *own == variable)
            {
                asked.push((place, value));
            }
        }
        asked
    }

    /// What may come of a rule: where others have a say, every value.
    fn after(
        &self,
        rule: &Rule,
        values: &ComponentValues,
        known: &mut HashMap<TermId, Option<i32>>,
        is_exact: &mut bool,
    ) -> Option<Vec<ComponentValues>> {
        let mut all = vec![values.clone()];
        for (variable, term) in &rule.updates {
            let Some(place) = self.own.iter().position(|own| own == variable) else {
                *is_exact = false;
                continue;
            };
            let domain = &self.system.variables[*variable];
            let value = self.value(*term, values, known);
            *is_exact &= value.is_some();
            let possible: Vec<i32> = match value {
                Some(value) if (domain.min..=domain.max).contains(&value) => vec![value],
                Some(_) => return Some(Vec::new()),
                None => (domain.min..=domain.max).collect(),
            };
            let with = |values: &ComponentValues, value: &i32| {
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
    pub(crate) fn value(
        &self,
        term: TermId,
        values: &ComponentValues,
        known: &mut HashMap<TermId, Option<i32>>,
    ) -> Option<i32> {
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

    fn node(
        &self,
        id: TermId,
        values: &ComponentValues,
        known: &HashMap<TermId, Option<i32>>,
    ) -> Option<i32> {
        let part = |id: &TermId| known[id];
        match self.system.terms.node(id) {
            TermNode::Constant(value) => Some(*value),
            TermNode::Variable(variable) => {
                let domain = &self.system.variables[*variable];
                let only = (domain.min == domain.max).then_some(domain.min);
                self.own.iter().position(|own| own == variable).map(|place| values[place]).or(only)
            }
            TermNode::Not(inner) => part(inner).map(|value| i32::from(value == 0)),
            TermNode::And(parts) => junction(parts.iter().map(part), false),
            TermNode::Or(parts) => junction(parts.iter().map(part), true),
            TermNode::Equal(a, b) => Some(i32::from(part(a)? == part(b)?)),
            TermNode::Less(a, b) => Some(i32::from(part(a)? < part(b)?)),
            TermNode::Number(operation, a, b) => Some(operation.apply(part(a)?, part(b)?)),
            TermNode::If(condition, yes, no) => match part(condition) {
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
