//! A part of a system, copied with the variables, components and events that its rules need.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::system::{
    ComponentId, Event, EventId, Rule, RuleId, System, TermId, Terms, Variable, VariableId,
};

/// What a run is worth, as far as every part says something about it.
#[derive(Clone, Copy)]
pub(crate) enum Worth {
    /// Some conjuncts of `complete`.
    Complete,
    /// Some disjuncts of `void`.
    Void,
    /// Some disjuncts of `strained`.
    Strained,
}

/// A part while it is copied.
pub(crate) struct Subsystem<'a> {
    from: &'a System,
    to: System,
    variables: BTreeMap<VariableId, VariableId>,
    components: BTreeMap<ComponentId, ComponentId>,
    events: BTreeMap<EventId, EventId>,
    terms: HashMap<TermId, TermId>,
    complete: Vec<TermId>,
    void: Vec<TermId>,
    strained: Vec<TermId>,
}

impl<'a> Subsystem<'a> {
    /// Some rules of a system, all of which fire alone.
    pub(crate) fn new(from: &'a System, rules: &[RuleId]) -> Self {
        let mut part = Subsystem {
            from,
            to: System::bare(Terms::default()),
            variables: BTreeMap::new(),
            components: BTreeMap::new(),
            events: BTreeMap::new(),
            terms: HashMap::new(),
            complete: Vec::new(),
            void: Vec::new(),
            strained: Vec::new(),
        };
        let rules = || rules.iter().map(|rule| &from.rules[*rule]);
        // Before any term is copied it is clear which variables are written.
        for (variable, _) in rules().flat_map(|rule| &rule.updates) {
            if !part.variables.contains_key(variable) {
                let own = part.variable(&from.variables[*variable]);
                part.variables.insert(*variable, own);
            }
        }
        for rule in rules() {
            let rule = part.rule(rule);
            part.to.rules.push(rule);
        }
        part
    }

    /// Adds an operand of a predicate.
    pub(crate) fn add(&mut self, worth: Worth, term: TermId) {
        let term = self.term(term);
        match worth {
            Worth::Complete => self.complete.push(term),
            Worth::Void => self.void.push(term),
            Worth::Strained => self.strained.push(term),
        }
    }

    /// Lets the part say which runs are invalid or inconclusive.
    pub(crate) fn judge(&mut self) {
        self.to.invalid = self.term(self.from.invalid);
        self.to.inconclusive = self.term(self.from.inconclusive);
    }

    /// The part as a system.
    pub(crate) fn finish(mut self) -> System {
        self.to.complete = self.to.terms.and(self.complete);
        self.to.void = self.to.terms.or(self.void);
        self.to.strained = self.to.terms.or(self.strained);
        self.to
    }

    fn variable(&mut self, variable: &Variable) -> VariableId {
        let owner = variable.owner.map(|owner| self.component(owner));
        self.to.variables.push(Variable { owner, ..variable.clone() })
    }

    fn component(&mut self, id: ComponentId) -> ComponentId {
        let (from, to) = (self.from, &mut self.to);
        let copied = || to.components.push(from.components[id].clone());
        *self.components.entry(id).or_insert_with(copied)
    }

    fn event(&mut self, id: EventId) -> EventId {
        if let Some(own) = self.events.get(&id) {
            return *own;
        }
        let event = &self.from.events[id];
        let [from, to] = [event.from, event.to].map(|end| end.map(|end| self.component(end)));
        let own = self.to.events.push(Event { from, to, ..event.clone() });
        self.events.insert(id, own);
        own
    }

    fn rule(&mut self, rule: &Rule) -> Rule {
        let component = self.component(rule.component);
        let event = rule.event.map(|event| self.event(event));
        let guard = self.term(rule.guard);
        let mut updates = Vec::with_capacity(rule.updates.len());
        for (variable, value) in &rule.updates {
            updates.push((self.variables[variable], self.term(*value)));
        }
        Rule { component, guard, event, updates, ..rule.clone() }
    }

    /// A term of the whole. What no rule writes is a constant.
    fn term(&mut self, term: TermId) -> TermId {
        let (from, variables) = (self.from, &self.variables);
        let mut variable = |terms: &mut Terms, id| match variables.get(&id) {
            Some(own) => terms.variable(*own),
            None => terms.constant(from.variables[id].initial),
        };
        self.to.terms.take_over(&from.terms, term, &mut variable, &mut self.terms)
    }
}
