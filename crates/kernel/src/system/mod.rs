//! System: the narrow waist between diagrams and engines.
//!
//! A [`System`] is a set of variables with finite domains, and rules. A rule belongs to a component, has a guard, an event
//! or none, and simultaneous updates. Everything that can be asked about a diagram is asked about a System: interactions,
//! state machines, observers and property automata are all lowered to one, and engines know nothing else.
//!
//! Guards and updates are terms of one shared graph ([`Terms`]): equal terms have equal ids, so a System stays linear in
//! the size of the diagram however often a condition is used, for an interpreter, a search and a SAT encoding alike.

mod term;

pub use term::{Node, TermId, Terms};

use crate::id;
use crate::id::{Id, IdVec};
use crate::source::Place;

id! {
    /// A variable of a system.
    VariableId
}
id! {
    /// A component: a lifeline, an object, an observer.
    ComponentId
}
id! {
    /// An event as it is told and compared.
    EventId
}
id! {
    /// A rule.
    RuleId
}

/// Variables, rules, and what counts as a proper end.
#[derive(Clone, Debug)]
pub struct System {
    /// Variables; a configuration gives each a value.
    pub variables: IdVec<VariableId, Variable>,
    /// Owners of rules.
    pub components: IdVec<ComponentId, String>,
    /// Event texts (DESIGN section 9), each once.
    pub events: IdVec<EventId, String>,
    /// Rules in order of the diagram.
    pub rules: IdVec<RuleId, Rule>,
    /// Guards, updates and predicates.
    pub terms: Terms,
    /// Holds in configurations that are proper ends: a run that stops elsewhere is stuck.
    pub complete: TermId,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// A name for people.
    pub name: String,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// First value.
    pub initial: i32,
}

/// Something a component may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Whose rule it is.
    pub component: ComponentId,
    /// When it may fire.
    pub guard: TermId,
    /// What is seen when it fires; `None` for an invisible step.
    pub event: Option<EventId>,
    /// New values, all computed before the step.
    pub updates: Vec<(VariableId, TermId)>,
    /// An invisible step that commutes with everything else: once it may be taken, nothing is lost by taking it (or one
    /// of its rivals, the enabled urgent rules of the same component) before anything else.
    pub urgent: bool,
    /// Where it comes from.
    pub place: Place,
}

/// One global state: a value for each variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Config(pub Vec<i32>);

impl System {
    /// The configuration in which every run begins.
    pub fn initial(&self) -> Config {
        Config(self.variables.iter().map(|variable| variable.initial).collect())
    }

    /// The rules that may fire in a configuration, in order.
    pub fn enabled(&self, config: &Config) -> Vec<RuleId> {
        let values = self.terms.values(config);
        self.rules.enumerate().filter(|(_, rule)| values[rule.guard] != 0).map(|(id, _)| id).collect()
    }

    /// The configuration after a rule; `None` if a value would leave its variable's domain.
    pub fn fire(&self, rule: RuleId, config: &Config) -> Option<Config> {
        let values = self.terms.values(config);
        let mut next = config.clone();
        for (variable, term) in &self.rules[rule].updates {
            let domain = &self.variables[*variable];
            let value = values[*term];
            if value < domain.min || value > domain.max {
                return None;
            }
            next.0[variable.index()] = value;
        }
        Some(next)
    }

    /// Whether a configuration is a proper end.
    pub fn is_complete(&self, config: &Config) -> bool {
        self.terms.values(config)[self.complete] != 0
    }
}
