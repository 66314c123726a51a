//! The builder: variables, rules in the making, and the context in which a fragment is lowered.

use std::collections::{BTreeMap, BTreeSet};

use super::block::Happenings;
use super::{Assumptions, Unsupported};
use crate::id::IdVec;
use crate::model::{Interaction, InteractionId, LifelineId, Model};
use crate::source::Place;
use crate::system::{
    ComponentId, Event, EventId, Join, Rule, RuleId, System, TermId, Terms, Variable, VariableId,
};

/// Where a fragment stands: what must have happened, and what must have been decided.
#[derive(Clone)]
pub(super) struct Context {
    /// Every choice around it fell its way.
    pub alive: TermId,
    /// Some choice around it fell otherwise.
    pub dead: TermId,
    /// What must be over on each lifeline before anything here.
    pub before: BTreeMap<ComponentId, TermId>,
    /// What must be over before anything here on any lifeline.
    pub barrier: TermId,
    /// The loop iteration it stands in: propositions are shared inside one.
    pub scope: usize,
    /// The coregion's lifeline, whose occurrences wait only for what precedes the coregion.
    pub free: Option<ComponentId>,
    /// It stands directly in the body of a loop, which a break ends (rule I3).
    pub in_loop: bool,
    /// Lifelines that a choice here does not touch may wait for it, so it is made without waiting for those it does.
    pub at_once: bool,
}

/// What a lowered fragment leaves behind.
#[derive(Clone, Default)]
pub(super) struct Piece {
    /// For each lifeline it touches: everything in it there is over, given that it is alive.
    pub ends: BTreeMap<ComponentId, TermId>,
    /// Lifelines where its end implies that everything before it is over too.
    pub solid: BTreeSet<ComponentId>,
    /// Its visible occurrences: lifeline, done bit, rule.
    pub occurrences: Vec<(ComponentId, TermId, RuleId)>,
    /// Regions that keep others away from a lifeline while the term holds (rules I5, I6).
    pub regions: Vec<(ComponentId, TermId)>,
}

/// A message as it was lowered, for orderings and calls.
#[derive(Clone, Copy)]
pub(super) struct Happening {
    pub done: TermId,
    pub dead: TermId,
    pub rule: RuleId,
}

pub(super) struct Builder<'a> {
    pub model: &'a Model,
    pub assumptions: &'a Assumptions,
    pub terms: Terms,
    pub variables: IdVec<VariableId, Variable>,
    components: IdVec<ComponentId, String>,
    events: IdVec<EventId, Event>,
    event_ids: BTreeMap<String, EventId>,
    rules: IdVec<RuleId, Rule>,
    /// Conditions that a rule must satisfy besides its guard.
    extra: BTreeMap<RuleId, Vec<TermId>>,
    /// Guard propositions by scope and text: 0 unknown, 1 false, 2 true.
    pub propositions: BTreeMap<(usize, String), VariableId>,
    pub scopes: usize,
    /// The messages of the current interaction as they were lowered.
    pub happenings: Happenings,
    /// For each loop around: the choices whose first alternative breaks it off, and whose second does not.
    pub broken: Vec<Vec<VariableId>>,
    /// What must be decided in a complete run although nothing may wait for it.
    pub settled: Vec<TermId>,
    /// Interactions being inlined, outermost first.
    pub inlining: Vec<InteractionId>,
}

impl<'a> Builder<'a> {
    pub fn new(model: &'a Model, assumptions: &'a Assumptions) -> Self {
        Builder {
            model,
            assumptions,
            terms: Terms::default(),
            variables: IdVec::new(),
            components: IdVec::new(),
            events: IdVec::new(),
            event_ids: BTreeMap::new(),
            rules: IdVec::new(),
            extra: BTreeMap::new(),
            propositions: BTreeMap::new(),
            scopes: 1,
            happenings: Happenings::new(),
            broken: Vec::new(),
            settled: Vec::new(),
            inlining: Vec::new(),
        }
    }

    pub fn lower(mut self, id: InteractionId) -> Result<System, Unsupported> {
        for lifeline in self.model.interactions[id].lifelines.iter() {
            self.component(&lifeline.name);
        }
        let (yes, no) = (self.terms.truth(true), self.terms.truth(false));
        let context = Context {
            alive: yes,
            dead: no,
            before: BTreeMap::new(),
            barrier: yes,
            scope: 0,
            free: None,
            in_loop: false,
            at_once: self.assumptions.switches.strict_joints,
        };
        let piece = self.interaction(id, &context)?;
        let settled = std::mem::take(&mut self.settled);
        let complete = self.terms.and(piece.ends.values().copied().chain(settled));
        for (rule, conditions) in std::mem::take(&mut self.extra) {
            let guard = self.rules[rule].guard;
            self.rules[rule].guard = self.terms.and(conditions.into_iter().chain([guard]));
        }
        Ok(System {
            variables: self.variables,
            components: self.components,
            events: self.events,
            labels: IdVec::new(),
            rules: self.rules,
            terms: self.terms,
            complete,
            void: no,
            invalid: no,
            inconclusive: no,
            recurrent: Vec::new(),
            strained: no,
            mandatory: Vec::new(),
            reasons: Vec::new(),
        })
    }

    /// The interaction that is being lowered: the one asked for, or one that it uses.
    pub fn current(&self) -> &'a Interaction {
        let id = self.inlining.last().expect("something is being lowered");
        &self.model.interactions[*id]
    }

    /// The component of this name, made if there is none.
    pub fn component(&mut self, name: &str) -> ComponentId {
        match self.components.find(|known| known == name) {
            Some(known) => known,
            None => self.components.push(name.to_owned()),
        }
    }

    /// The component of a lifeline: lifelines of used interactions are matched by name (rule I9).
    pub fn line(&mut self, lifeline: LifelineId) -> ComponentId {
        self.component(&self.current().lifelines[lifeline].name)
    }

    /// A variable with values from 0 to `max`, first 0.
    pub fn counter(&mut self, name: String, max: i32) -> VariableId {
        self.variables.push(Variable { name, min: 0, max, initial: 0 })
    }

    /// What precedes anything in this context on a lifeline.
    pub fn before(&mut self, context: &Context, component: ComponentId) -> TermId {
        context.before.get(&component).copied().unwrap_or_else(|| self.terms.truth(true))
    }

    /// Adds an occurrence on a lifeline; `event` is `None` for one that is not seen.
    pub fn occurrence(
        &mut self,
        context: &Context,
        component: ComponentId,
        event: Option<Event>,
        needs: &[TermId],
        place: Place,
    ) -> Happening {
        let name = event.as_ref().map_or("tau", |event| event.text.as_str()).to_owned();
        let variable = self.counter(name, 1);
        let done = self.terms.is(variable, 1);
        let pending = self.terms.not(done);
        let before = self.before(context, component);
        let guard =
            [pending, context.alive, before, context.barrier].into_iter().chain(needs.iter().copied());
        let guard = self.terms.and(guard);
        let one = self.terms.constant(1);
        let event = event.map(|event| self.event(event));
        let updates = vec![(variable, one)];
        let rule = self.rules.push(Rule {
            component,
            guard,
            event,
            updates,
            join: Join::Alone,
            urgent: false,
            place,
        });
        Happening { done, dead: context.dead, rule }
    }

    fn event(&mut self, event: Event) -> EventId {
        let events = &mut self.events;
        *self.event_ids.entry(event.text.clone()).or_insert_with(|| events.push(event))
    }

    /// Adds an invisible rule that may be taken as soon as it is enabled.
    pub fn decision(
        &mut self,
        component: ComponentId,
        guard: TermId,
        updates: Vec<(VariableId, TermId)>,
        place: Place,
    ) {
        self.rules.push(Rule {
            component,
            guard,
            event: None,
            updates,
            join: Join::Alone,
            urgent: true,
            place,
        });
    }

    /// A component of its own for each choice, so that its rules are rivals of nobody else.
    pub fn chooser(&mut self) -> ComponentId {
        let name = format!("choice {}", self.components.len());
        self.components.push(name)
    }

    /// Adds an update to a rule.
    pub fn also(&mut self, rule: RuleId, update: Option<(VariableId, TermId)>) {
        self.rules[rule].updates.extend(update);
    }

    /// Lets a rule fire only while a condition holds.
    pub fn demand(&mut self, rule: RuleId, condition: TermId) {
        self.extra.entry(rule).or_default().push(condition);
    }

    /// Whether one of these lifelines has reached a fragment; one that touches none is reached at once.
    pub fn reached(&mut self, context: &Context, components: &BTreeSet<ComponentId>) -> TermId {
        let arrived: Vec<TermId> =
            components.iter().map(|component| self.before(context, *component)).collect();
        if arrived.is_empty() || context.at_once { self.terms.truth(true) } else { self.terms.or(arrived) }
    }

    pub fn unsupported<T>(what: &str, place: Place) -> Result<T, Unsupported> {
        Err(Unsupported { what: what.to_owned(), place })
    }
}
