//! Following an attempt: the configurations of the interaction after the events that were read.
//!
//! Sets of configurations are numbered, and the successors of a set are computed once per moment, so that a
//! search of millions of states pays only for the few different sets. A set also stores how many of the
//! interaction's events have happened, which measures how far an attempt got.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::SoughtScenario;
use super::kept::{BlockStore, KeptSet};
use super::order::in_any_order;
use crate::id;
use crate::id::{Id, IdVec};
use crate::property::Moment;
use crate::property::pattern::Configs;
use crate::system::{Config, EventId, TermId, TraceClass};

id! {
    /// A set of configurations of the interaction.
    SetId
}

/// What the conditions about objects are at a moment, one bit each.
pub(super) type ConditionBits = u64;

/// A set of configurations.
#[derive(Clone, Debug)]
struct ConfigurationSet {
    configs: KeptSet,
    /// How many events led here.
    depth: usize,
    is_complete: bool,
    /// Events of the present step, sorted, that are read in any order once the step is over.
    unread: Rc<[EventId]>,
}

/// What comes of reading some events of a step.
#[derive(Clone, Debug)]
struct StepReading {
    configs: Configs,
    /// How many events were taken.
    depth: usize,
    /// Where a complete trace led amid the step.
    found: Option<Configs>,
}

impl StepReading {
    /// The same events in either of two orders.
    fn joined(mut one: StepReading, other: StepReading) -> StepReading {
        one.configs.extend(other.configs);
        StepReading {
            configs: one.configs,
            depth: one.depth.max(other.depth),
            found: one.found.or(other.found),
        }
    }
}

/// The sets that were met so far.
#[derive(Debug, Default)]
pub(super) struct SetMemo {
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    blocks: BlockStore,
    sets: IdVec<SetId, ConfigurationSet>,
    ids: HashMap<(KeptSet, Rc<[EventId]>), SetId>,
    firsts: HashMap<ConditionBits, SetId>,
    nexts: HashMap<(SetId, Moment, ConditionBits), Option<SetId>>,
}

impl SoughtScenario {
    /// What its conditions are in a state.
    pub(super) fn bits(&self, holds: &mut dyn FnMut(TermId) -> bool) -> ConditionBits {
        let values = self.inputs.iter().enumerate();
        values.fold(0, |bits, (place, term)| bits | ConditionBits::from(holds(*term)) << place)
    }

    /// An attempt that begins now.
    pub(super) fn fresh(&self, bits: ConditionBits) -> SetId {
        if let Some(known) = self.memo.inner.borrow().firsts.get(&bits) {
            return *known;
        }
        let set = self.settle([self.pattern.property.system.initial()], bits);
        let set = self.number(set, 0);
        self.memo.inner.borrow_mut().firsts.insert(bits, set);
        set
    }

    /// An attempt that begins after a moment: none does amid a step.
    pub(super) fn begun(&self, moment: Moment, bits: ConditionBits) -> SetId {
        match self.is_amid(moment) {
            true => self.number(Configs::new(), 0),
            false => self.fresh(bits),
        }
    }

    /// The successor of an attempt at a moment; `None` if the attempt is over.
    pub(super) fn next(&self, set: SetId, moment: Moment, bits: ConditionBits) -> Option<SetId> {
        if let Some(known) = self.memo.inner.borrow().nexts.get(&(set, moment, bits)) {
            return *known;
        }
        let ConfigurationSet { depth, unread, .. } = self.known(set);
        let configs = self.configs(set);
        let next = match moment {
            Moment::Event(event) => {
                let mut shown: Vec<EventId> = unread.iter().copied().chain([event]).collect();
                if self.reads_sets && self.is_amid(moment) {
                    // Their order does not matter, and no step shows one of them twice.
                    shown.sort_unstable();
                    let is_step = !unread.contains(&event);
                    return is_step.then(|| self.number_amid((*configs).clone(), depth, shown));
                }
                let first = StepReading { configs: (*configs).clone(), depth, found: None };
                let read = |at: StepReading, one: usize| self.read(at, shown[one], bits, shown.len() > 1);
                let StepReading { configs, depth, found } =
                    in_any_order(shown.len(), first, read, StepReading::joined);
                (found.unwrap_or(configs), depth)
            }
            Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => {
                (self.settle(configs.iter().cloned(), bits), depth)
            }
        };
        let next = (!next.0.is_empty()).then(|| self.number(next.0, next.1));
        self.memo.inner.borrow_mut().nexts.insert((set, moment, bits), next);
        next
    }

    /// Where an event leads, taken or passed over, in a step with others or alone.
    fn read(
        &self,
        StepReading { mut configs, depth, found }: StepReading,
        event: EventId,
        bits: ConditionBits,
        is_among: bool,
    ) -> StepReading {
        let by_parts = self.reads_parts && is_among;
        if is_among && self.begins_amid {
            configs.extend(self.configs(self.fresh(bits)).iter().cloned());
        }
        let taken = self.taken(&configs, event, bits);
        let depth = depth + usize::from(!taken.is_empty());
        let mut next = self.passed(&configs, event, bits);
        next.extend(taken);
        let found = found.or_else(|| (by_parts && self.is_complete(&next)).then(|| next.clone()));
        StepReading { configs: next, depth, found }
    }

    fn known(&self, set: SetId) -> ConfigurationSet {
        self.memo.inner.borrow().sets[set].clone()
    }

    /// The configurations of a set.
    pub(super) fn configs(&self, set: SetId) -> Rc<Configs> {
        let inner = self.memo.inner.borrow();
        inner.blocks.written_out(&inner.sets[set].configs)
    }

    /// How many events of the interaction led to a set.
    pub(super) fn depth(&self, set: SetId) -> usize {
        self.memo.inner.borrow().sets[set].depth
    }

    /// Whether a complete valid trace led to a set after a moment, and the step is over.
    pub(super) fn is_matched(&self, set: SetId, moment: Moment) -> bool {
        !self.is_amid(moment) && self.is_match(set)
    }

    /// Whether a complete valid trace led to a set.
    pub(super) fn is_match(&self, set: SetId) -> bool {
        self.memo.inner.borrow().sets[set].is_complete
    }

    /// Whether one set is part of another.
    pub(super) fn is_within(&self, one: SetId, other: SetId) -> bool {
        let [part, whole] = [one, other].map(|set| self.known(set).unread);
        one == other || part == whole && self.configs(one).is_subset(&self.configs(other))
    }

    /// Several attempts as one, where it does not matter which of them comes to its end.
    pub(super) fn union(&self, one: SetId, other: SetId) -> SetId {
        if one == other {
            return one;
        }
        let [own, more] = [one, other].map(|set| self.known(set));
        let configs = self.configs(one).union(&self.configs(other)).cloned().collect();
        // Both have come to the same position of the run.
        self.number_amid(configs, own.depth.max(more.depth), own.unread.to_vec())
    }

    /// The number of a set.
    pub(super) fn number(&self, configs: Configs, depth: usize) -> SetId {
        self.number_amid(configs, depth, Vec::new())
    }

    /// The number of a set with events of the present step that are still to be read.
    fn number_amid(&self, configs: Configs, depth: usize, unread: Vec<EventId>) -> SetId {
        let configs = Rc::new(configs);
        let mut inner = self.memo.inner.borrow_mut();
        let key: (KeptSet, Rc<[EventId]>) = (inner.blocks.keep(&configs), Rc::from(unread));
        if let Some(known) = inner.ids.get(&key) {
            return *known;
        }
        let is_complete = self.is_complete(&configs);
        let (configs, unread) = key.clone();
        let set = inner.sets.push(ConfigurationSet { configs, depth, is_complete, unread });
        inner.ids.insert(key, set);
        set
    }

    /// Where an event leads as one of the interaction. Between the sending and the receipt of what meets there is no state, so
    /// nothing is known there of the objects.
    pub(super) fn taken(&self, configs: &Configs, event: EventId, bits: ConditionBits) -> Configs {
        let taken = self.pattern.advance(configs, event, None);
        if taken.is_empty() { taken } else { self.settle(taken, bits) }
    }

    /// What is left where an event does not matter.
    pub(super) fn passed(&self, configs: &Configs, event: EventId, bits: ConditionBits) -> Configs {
        self.settle(configs.iter().filter(|config| !self.matters(event, config)).cloned(), bits)
    }

    /// Whether an event matters: inside a `consider` only its types do, and what is ignored never does.
    fn matters(&self, event: EventId, config: &Config) -> bool {
        let property = &self.pattern.property;
        let letter = self.pattern.letter(event);
        let active = |is_consider: bool| {
            let scopes = property.scopes.iter().filter(move |scope| scope.is_consider == is_consider);
            scopes.filter(|scope| self.pattern.holds(scope.active, config))
        };
        let is_considered = active(true).all(|scope| letter.is_of(&scope.types));
        self.alphabet[event.index()]
            && is_considered
            && !active(false).any(|scope| letter.is_of(&scope.types))
    }

    /// Whether the events so far are a complete trace: some run through them is valid, and none invalid (rule I12).
    pub(super) fn is_complete(&self, configs: &Configs) -> bool {
        let classes: Vec<TraceClass> =
            configs.iter().filter_map(|config| self.pattern.class(config)).collect();
        classes.contains(&TraceClass::Valid) && !classes.contains(&TraceClass::Invalid)
    }

    pub(super) fn settle(&self, configs: impl IntoIterator<Item = Config>, bits: ConditionBits) -> Configs {
        let settled = self.pattern.settle(self.informed(configs, bits), None);
        self.forgetful(settled)
    }

    /// Configurations that know what the conditions are now.
    fn informed(&self, configs: impl IntoIterator<Item = Config>, bits: ConditionBits) -> Configs {
        const FALSE: i32 = 1;
        const TRUE: i32 = 2;
        let inputs = &self.pattern.property.inputs;
        let inform = |mut config: Config| {
            for (place, input) in inputs.iter().enumerate() {
                config.0[input.index()] = if bits >> place & 1 == 1 { TRUE } else { FALSE };
            }
            config
        };
        configs.into_iter().map(inform).collect()
    }

    /// Configurations that have forgotten what the conditions were.
    fn forgetful(&self, configs: Configs) -> Configs {
        let inputs = &self.pattern.property.inputs;
        if inputs.is_empty() {
            return configs;
        }
        let forget = |mut config: Config| {
            inputs.iter().for_each(|input| config.0[input.index()] = 0);
            config
        };
        configs.into_iter().map(forget).collect()
    }
}
