//! What only a search finds out about the interactions of a model, each searched once, when somebody wants to know.
//!
//! Questions come first: what nobody asked for is looked for in the time that is left, of which each interaction has an equal part.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{Check, InteractionId, Model, Question, Subject};
use sequent_kernel::semantics::Switches;

use crate::behaviour::{self, Effort, Inspection};

/// Inspections of interactions that can be searched.
pub struct Inspections<'a> {
    model: &'a Model,
    switches: &'a Switches,
    effort: &'a Effort<'a>,
    done: BTreeMap<InteractionId, OnceCell<Inspection>>,
    /// Those that somebody asks not to get stuck.
    asked: BTreeSet<InteractionId>,
    /// How many of those were not searched yet, and how many others.
    open: Cell<(usize, usize)>,
}

impl<'a> Inspections<'a> {
    /// Nothing is searched yet.
    pub fn new(
        model: &'a Model,
        searchable: BTreeSet<InteractionId>,
        switches: &'a Switches,
        effort: &'a Effort<'a>,
    ) -> Self {
        let asked = model.checks.iter().filter_map(asks_for_deadlock);
        let asked: BTreeSet<InteractionId> = asked.filter(|id| searchable.contains(id)).collect();
        let open = Cell::new((asked.len(), searchable.len() - asked.len()));
        let done = searchable.into_iter().map(|id| (id, OnceCell::new())).collect();
        Inspections { model, switches, effort, done, asked, open }
    }

    /// Whether an interaction can be searched.
    pub fn are_of(&self, id: InteractionId) -> bool {
        self.done.contains_key(&id)
    }

    /// Whether somebody asks it not to get stuck.
    pub fn are_asked(&self, id: InteractionId) -> bool {
        self.asked.contains(&id)
    }

    /// What is found out about an interaction; `None` if it cannot be searched.
    pub fn of(&self, id: InteractionId) -> Option<&Inspection> {
        self.done.get(&id).map(|done| done.get_or_init(|| self.inspect(id)))
    }

    /// What is found out about all of them.
    pub fn all(&self) -> impl Iterator<Item = (InteractionId, &Inspection)> {
        self.done.keys().filter_map(|id| Some((*id, self.of(*id)?)))
    }

    fn inspect(&self, id: InteractionId) -> Inspection {
        let (asked, others) = self.open.get();
        let parts = match self.are_asked(id) {
            true => {
                self.open.set((asked.saturating_sub(1), others));
                asked + others.min(1)
            }
            false => {
                self.open.set((asked, others.saturating_sub(1)));
                asked + others
            }
        };
        let end = self.effort.share(parts);
        self.effort.until(end, |effort| behaviour::inspect(self.model, id, self.switches, effort))
    }
}

/// The interaction that a check asks not to get stuck.
pub fn asks_for_deadlock(check: &Check) -> Option<InteractionId> {
    match (&check.question, check.subject) {
        (Question::Deadlock, Some(Subject::Interaction(id))) => Some(id),
        _ => None,
    }
}
