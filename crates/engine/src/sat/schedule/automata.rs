//! Automata: a System as a product of automata that synchronise on labels, one for each component.
//!
//! Where every component reads and writes its own variables only, components share nothing but labels. Then
//! each component is a small automaton (computed by [`crate::sat::encode::projection`]), and a configuration
//! is a state of each. P4's machines are of this kind.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{ComponentId, Join, RuleId, System, TermId, TermNode, Terms, VariableId};

use crate::sat::encode::projection::{ComponentValues, Projection, owners};

/// A component as an automaton.
#[derive(Clone, Debug, Default)]
pub struct ComponentAutomaton {
    /// Its variables.
    pub own: Vec<VariableId>,
    /// Their values in each state; the first state is the one it begins in.
    pub states: Vec<ComponentValues>,
    /// What it does.
    pub moves: Vec<AutomatonMove>,
}

/// A rule that fires in one state and leads to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AutomatonMove {
    /// The rule.
    pub rule: RuleId,
    /// Where it fires.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
}

/// For each component the states in which it may be.
pub(crate) type Spots = IdVec<ComponentId, Vec<bool>>;

/// A System as automata that meet.
pub struct ComponentAutomata<'s> {
    /// The system.
    pub system: &'s System,
    /// Its components.
    pub list: IdVec<ComponentId, ComponentAutomaton>,
}

impl<'s> ComponentAutomata<'s> {
    /// The automata of a system; `None` if they share more than labels, or are too large.
    pub fn new(system: &'s System) -> Option<Self> {
        let is_plain = |join: &Join| match join {
            Join::Alone | Join::Offer(_) | Join::Take(_) => true,
            Join::Listen(_) => false,
        };
        let is_never_void = system.is_never(system.void);
        if !is_never_void || system.rules.iter().any(|rule| rule.urgent || !is_plain(&rule.join)) {
            return None;
        }
        let mut own: BTreeMap<ComponentId, Vec<VariableId>> = BTreeMap::new();
        for (variable, owner) in owners(system) {
            own.entry(owner).or_default().push(variable);
        }
        let mut list = IdVec::new();
        for component in system.components.ids() {
            let own = own.remove(&component).unwrap_or_default();
            let walk = (Projection { system, own: &own, component }).walk().filter(|walk| walk.is_exact)?;
            let moves =
                walk.moves.into_iter().map(|(from, rule, to)| AutomatonMove { rule, from, to }).collect();
            list.push(ComponentAutomaton { own, states: walk.states, moves });
        }
        Some(ComponentAutomata { system, list })
    }

    /// Where a predicate holds, if it says something about each component by itself and nothing else.
    pub fn spots(&self, predicate: TermId) -> Option<Spots> {
        let mut spots: Spots = self.list.iter().map(|part| vec![true; part.states.len()]).collect();
        let mut open = vec![predicate];
        while let Some(term) = open.pop() {
            if let TermNode::And(parts) = self.system.terms.node(term) {
                open.extend(parts);
                continue;
            }
            let (component, holds) = self.list.ids().find_map(|id| Some((id, self.holds(id, term)?)))?;
            spots[component].iter_mut().zip(holds).for_each(|(spot, holds)| *spot &= holds);
        }
        Some(spots)
    }

    /// That all components are at a spot, as a predicate.
    pub fn predicate(&self, spots: &Spots, terms: &mut Terms) -> TermId {
        let mut parts = Vec::new();
        for (part, spots) in self.list.iter().zip(spots.iter()).filter(|(_, spots)| spots.contains(&false)) {
            let mut any = Vec::new();
            for (values, _) in part.states.iter().zip(spots).filter(|(_, spot)| **spot) {
                let pairs = part.own.iter().zip(values);
                let state: Vec<TermId> = pairs.map(|(variable, value)| terms.is(*variable, *value)).collect();
                any.push(terms.and(state));
            }
            parts.push(terms.or(any));
        }
        terms.and(parts)
    }

    /// In which states of a component a predicate holds; `None` if that depends on others.
    fn holds(&self, component: ComponentId, term: TermId) -> Option<Vec<bool>> {
        let ComponentAutomaton { own, states, .. } = &self.list[component];
        let projection = Projection { system: self.system, own, component };
        let value = |values: &ComponentValues| projection.value(term, values, &mut HashMap::new());
        states.iter().map(|values| Some(value(values)? != 0)).collect()
    }
}
