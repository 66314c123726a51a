//! Patterns: a property diagram that is followed along a run of another system.
//!
//! A pattern is the System of the property. The memory is the set of its configurations that the events
//! matched so far lead to. How an event of the run matches the pattern is its [letter].

pub(super) mod letter;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use crate::id::IdVec;
use crate::model::{InteractionId, Model};
use crate::semantics::{Assumptions, PropertyDiagram, Unsupported, lower_property};
use crate::system::{
    ComponentId, Config, ConfigurationCursor, EventId, EventKind, Hidden, Step, System, TermId, TraceClass,
};
use letter::{Given, Letter, Reader, Replies, message, messages};

/// Configurations of a pattern.
pub(super) type Configs = BTreeSet<Config>;

/// A property diagram, ready to be followed.
#[derive(Debug)]
pub(super) struct PropertyPattern {
    pub property: PropertyDiagram,
    /// For each event of the run what it is to the pattern.
    letters: IdVec<EventId, Letter>,
    /// Events of the pattern that the run does not show: they happen at any time.
    unseen: BTreeSet<EventId>,
    /// Whether hidden steps take nothing away from each other.
    is_monotone: bool,
    is_strained: Cell<bool>,
    /// Where its system was looked at last.
    cursor: RefCell<ConfigurationCursor>,
}

impl PropertyPattern {
    /// Prepares a property diagram for runs of a system. `is_monotone` says that the property has nothing in it by which
    /// an occurrence keeps another one off.
    pub(crate) fn new(
        model: &Model,
        property: InteractionId,
        system: &System,
        assumptions: &Assumptions,
        is_monotone: bool,
    ) -> Result<Self, Unsupported> {
        let property = lower_property(model, property, assumptions)?;
        let drawn = messages(model);
        let reader = Reader {
            property: &property,
            drawn: &drawn,
            plays: &|lifeline| Some(lifeline.to_owned()),
            replies: &Replies::default(),
        };
        let letters = system.events.iter().map(|event| {
            let given = message(&drawn, event).map(Given::drawn);
            reader.letter(system, event, given.as_ref())
        });
        let letters = letters.collect();
        let unseen = BTreeSet::new();
        let cursor = RefCell::new(ConfigurationCursor::new(&property.system));
        Ok(PropertyPattern { property, letters, unseen, is_monotone, is_strained: Cell::new(false), cursor })
    }

    /// A pattern that is lowered already, with what the events of a run are to it, and its own events that are not seen.
    pub(crate) fn of_letters(
        property: PropertyDiagram,
        letters: IdVec<EventId, Letter>,
        unseen: BTreeSet<EventId>,
    ) -> Self {
        let cursor = RefCell::new(ConfigurationCursor::new(&property.system));
        let is_strained = Cell::new(false);
        PropertyPattern { property, letters, unseen, is_monotone: false, is_strained, cursor }
    }

    /// The steps that are possible in a configuration.
    fn steps(&self, config: &Config) -> Vec<Step> {
        self.cursor.borrow_mut().steps(&self.property.system, config)
    }

    /// Whether a predicate holds in a configuration.
    pub(crate) fn holds(&self, term: TermId, config: &Config) -> bool {
        self.cursor.borrow_mut().holds(&self.property.system, term, config)
    }

    /// What a run that ends in a configuration is worth.
    pub(crate) fn class(&self, config: &Config) -> Option<TraceClass> {
        self.cursor.borrow_mut().class(&self.property.system, config)
    }

    /// Whether everything that happens in the pattern is seen.
    pub(crate) fn is_seen(&self) -> bool {
        self.unseen.is_empty()
    }

    /// Where the pattern begins, seen from one lifeline or from all.
    pub(crate) fn first(&self, view: Option<ComponentId>) -> Configs {
        self.settle([self.property.system.initial()], view)
    }

    /// What an event of the run leads to where it is one of the pattern, seen from one lifeline or from all.
    pub(crate) fn take(&self, configs: &Configs, event: EventId, view: Option<ComponentId>) -> Configs {
        self.settle(self.advance(configs, event, view), view)
    }

    /// The same before anything else happens.
    pub(crate) fn advance(&self, configs: &Configs, event: EventId, view: Option<ComponentId>) -> Configs {
        let Letter { matches, pairs, .. } = &self.letters[event];
        let mut next = self.step(configs, view, |event| matches.contains(&event));
        for [first, second] in pairs {
            let between = self.settle(self.step(configs, view, |event| event == *first), view);
            next.extend(self.step(&between, view, |event| event == *second));
        }
        next
    }

    /// What steps with some events of the pattern lead to.
    fn step(
        &self,
        configs: &Configs,
        view: Option<ComponentId>,
        is_wanted: impl Fn(EventId) -> bool,
    ) -> Configs {
        let system = &self.property.system;
        let mut next = Configs::new();
        for config in configs {
            let steps = self.steps(config);
            let taken =
                steps.iter().filter(|step| system.events(step).any(&is_wanted) && !self.hides(view, step));
            next.extend(taken.filter_map(|step| self.cursor.borrow_mut().take(system, step, config)));
        }
        next
    }

    /// The configurations in which an event of the run need not be one of the pattern: none in which a `consider` is going
    /// on that considers it.
    pub(crate) fn skip(&self, configs: &Configs, event: EventId) -> Configs {
        let letter = &self.letters[event];
        let considered = self.property.considered.iter().filter(|one| letter.is_of(&one.types));
        let open: Vec<_> = considered.map(|considered| considered.open).collect();
        let may_lie = |config: &&Config| open.iter().all(|open| !self.holds(*open, config));
        configs.iter().filter(may_lie).cloned().collect()
    }

    /// What an event of the run is.
    pub(crate) fn letter(&self, event: EventId) -> &Letter {
        &self.letters[event]
    }

    /// Whether messages of an event's type may lie in between.
    pub(crate) fn is_ignored(&self, event: EventId) -> bool {
        self.letters[event].is_ignored
    }

    /// Whether an event of the run happens on a lifeline of the pattern.
    pub(crate) fn is_on(&self, event: EventId, component: ComponentId) -> bool {
        self.letters[event].actors.contains(&component)
    }

    /// Whether an event can come next, seen from a lifeline.
    pub(crate) fn goes_on(&self, configs: &Configs, view: ComponentId) -> bool {
        let system = &self.property.system;
        let is_seen = |step: &Step| system.events(step).next().is_some() && !self.hides(Some(view), step);
        configs.iter().any(|config| self.steps(config).iter().any(is_seen))
    }

    /// The events that can come next, as the property writes them, seen from one lifeline or from all.
    pub(crate) fn expected(&self, configs: &Configs, view: Option<ComponentId>) -> BTreeSet<String> {
        let system = &self.property.system;
        let mut expected = BTreeSet::new();
        for config in configs {
            let steps = self.steps(config);
            let seen = steps.iter().filter(|step| !self.hides(view, step));
            expected.extend(seen.flat_map(|step| system.events(step)));
        }
        expected.into_iter().map(|event| system.events[event].text.clone()).collect()
    }

    /// The events that can come next, in the order of the diagram, each once.
    pub(crate) fn next_events(&self, configs: &Configs) -> Vec<String> {
        let events = &self.property.system.events;
        self.coming(configs).into_iter().map(|event| events[event].text.clone()).collect()
    }

    fn coming(&self, configs: &Configs) -> Vec<EventId> {
        let system = &self.property.system;
        let steps = configs.iter().flat_map(|config| self.steps(config));
        let seen: BTreeSet<Step> = steps.filter(|step| !self.hides(None, step)).collect();
        let mut next: Vec<EventId> = Vec::new();
        for event in seen.iter().flat_map(|step| system.events(step)) {
            if !next.contains(&event) {
                next.push(event);
            }
        }
        next
    }

    /// The messages that can be sent and received next, in the order of the diagram, each once.
    pub(crate) fn next_meetings(&self, configs: &Configs) -> Vec<String> {
        let events = &self.property.system.events;
        let is_met = |send: &EventId| {
            let sent = &events[*send];
            if sent.kind != EventKind::Send {
                return true;
            }
            let is_receipt = |event: EventId| {
                events[event].kind == EventKind::Receive && events[event].is_same_message(sent)
            };
            let has_receipt = events.ids().any(is_receipt);
            let between = self.settle(self.step(configs, None, |event| event == *send), None);
            !has_receipt || !self.step(&between, None, is_receipt).is_empty()
        };
        let next = self.coming(configs).into_iter().filter(is_met);
        next.map(|event| events[event].unsigned().to_owned()).collect()
    }

    /// The events of the property that no event of the system matches.
    pub(crate) fn strangers(&self) -> Vec<String> {
        let matched =
            self.letters.iter().flat_map(|letter| letter.matches.iter().chain(letter.pairs.iter().flatten()));
        let known: BTreeSet<EventId> = matched.chain(&self.unseen).copied().collect();
        let events = self.property.system.events.enumerate();
        events.filter(|(id, _)| !known.contains(id)).map(|(_, event)| event.text.clone()).collect()
    }

    /// Whether something had to wait for a loop's window: the property has more traces than were looked for.
    pub(crate) fn is_strained(&self) -> bool {
        self.is_strained.get()
    }

    /// Whether a lifeline waits for a loop's window.
    fn waits(&self, component: ComponentId, configs: &Configs) -> bool {
        let own = self.property.strained.iter().filter(|(owner, _)| *owner == component);
        own.into_iter().any(|(_, strained)| configs.iter().any(|config| self.holds(*strained, config)))
    }

    /// All that happens unseen after some configurations.
    pub(crate) fn settle(
        &self,
        configs: impl IntoIterator<Item = Config>,
        view: Option<ComponentId>,
    ) -> Configs {
        let system = &self.property.system;
        let hides = |step: &Step| self.hides(view, step);
        let hidden = match view {
            None if self.unseen.is_empty() => Hidden::None,
            None => Hidden::Any(&hides),
            Some(_) if self.is_monotone => Hidden::Monotone(&hides),
            Some(_) => Hidden::Any(&hides),
        };
        let settled = system.settle(&mut self.cursor.borrow_mut(), configs, &hidden);
        let is_strained = match view {
            // The others have gone as far as they can: if they wait for the window, it is for this one to go on.
            Some(view) if self.is_monotone => self.waits(view, &settled.configs),
            Some(_) | None => settled.is_strained,
        };
        self.is_strained.set(self.is_strained.get() || is_strained);
        settled.configs
    }

    /// Whether a step is hidden: for all lifelines, or for `view`.
    fn hides(&self, view: Option<ComponentId>, step: &Step) -> bool {
        let system: &System = &self.property.system;
        view.is_some_and(|view| system.actor(step) != view)
            || system.events(step).any(|event| self.unseen.contains(&event))
    }
}
