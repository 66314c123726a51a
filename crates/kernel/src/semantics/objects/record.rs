//! Records: the actions and states of objects along a run, in the names of the diagrams.

use std::collections::BTreeSet;

use super::body;
use super::structure::InstanceId;
use super::view::Objects;
use crate::id::Id;
use crate::log::{Column, Log, LogRow, ObjectStatus};
use crate::model::{Machine, Model, TransitionId, TransitionKind, Trigger, VertexId, VertexKind};
use crate::replay::Run;
use crate::source::Place;
use crate::system::{ComponentId, Config, EventId, Join, LabelId, RuleId, Step};

/// Something that is worth a word beside a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Remark {
    /// How many steps were taken before.
    pub moment: usize,
    /// The object that the record is about.
    pub object: InstanceId,
    /// What is new: `Busy`, `x = 2`, `pay is lost`; a line each.
    pub text: String,
    /// Whether it says what the object is like, rather than what happened to it.
    pub is_state: bool,
}

impl Objects {
    /// The component of an object.
    pub fn component(&self, object: InstanceId) -> ComponentId {
        ComponentId::from_index(object.index())
    }

    /// What an object is like.
    pub fn standing(&self, model: &Model, config: &Config, object: InstanceId) -> ObjectStatus {
        let attribute =
            |(name, slot): (&str, &super::AttributeSlot)| (name.to_owned(), self.value_text(config, slot));
        let waiting = self.waiting(config, object).into_iter().map(|(from, message)| match from {
            Some(from) => format!("{message} from {}", self.structure.objects[from].name),
            None => message,
        });
        ObjectStatus {
            states: self.states(model, config, object),
            active: self.active_with_outer(model, config, object),
            attributes: self.attributes(object).map(attribute).collect(),
            waiting: waiting.collect(),
            is_busy: self.is_busy(config, object),
        }
    }

    /// What there is to say beside the events of a run: first states, then what changes, and messages that are lost.
    /// `configs` are those that the run passes, the first and the last included.
    pub fn remarks(&self, model: &Model, run: &Run, configs: &[Config]) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let machines: Vec<InstanceId> = self.machines().collect();
        let mut shown: Vec<ObjectStatus> = vec![ObjectStatus::default(); machines.len()];
        for (moment, config) in configs.iter().enumerate() {
            let step = moment.checked_sub(1).and_then(|before| run.steps.get(before));
            let lost = step.into_iter().flat_map(|step| &step.0).filter_map(|rule| self.lost.get(rule));
            remarks.extend(lost.map(|lost| Remark {
                moment,
                object: lost.object,
                text: format!("{} is lost", lost.message),
                is_state: false,
            }));
            for (object, shown) in machines.iter().zip(&mut shown) {
                let mut now = self.standing(model, config, *object);
                let news = now.news((moment > 0).then_some(shown));
                if now.states.is_empty() {
                    now.states.clone_from(&shown.states);
                }
                *shown = now;
                if !news.is_empty() {
                    remarks.push(Remark { moment, object: *object, text: news.join("\n"), is_state: true });
                }
            }
        }
        remarks
    }

    /// A run step by step.
    pub fn log(&self, model: &Model, run: &Run, configs: &[Config]) -> Log {
        let machines: Vec<InstanceId> = self.machines().collect();
        let standings = |config: &Config| {
            machines.iter().map(|object| self.standing(model, config, *object)).collect::<Vec<ObjectStatus>>()
        };
        let first =
            configs.first().map(|config| LogRow { standings: standings(config), ..LogRow::default() });
        let column = |object: &InstanceId| machines.iter().position(|one| one == object);
        let steps = run.steps.iter().zip(configs.iter().skip(1)).map(|(step, config)| LogRow {
            deed: self.deed(model, step),
            is_seen: self.system.events(step).next().is_some(),
            standings: standings(config),
            fired: self.fires(step).filter_map(|(object, one)| Some((column(&object)?, one))).collect(),
            place: step.0.first().map(|rule| self.system.rules[*rule].place),
            places: self.places(model, step),
            choices: None,
        });
        let columns = machines.iter().map(|object| Column {
            name: self.structure.objects[*object].name.clone(),
            machine: self.machine(model, *object).map(|machine| machine.place),
        });
        Log {
            columns: columns.collect(),
            rows: first.into_iter().chain(steps).collect(),
            cycle: run.cycle,
            claims: Vec::new(),
        }
    }

    /// Where a step is written: the transitions that fire, and what else its rules come from.
    fn places(&self, model: &Model, step: &Step) -> Vec<Place> {
        let of = |rule: &RuleId| {
            let fired = self.fired.get(rule).into_iter().flatten();
            let place = |(object, one): &(InstanceId, TransitionId)| {
                Some(self.machine(model, *object)?.transitions[*one].place)
            };
            [self.system.rules[*rule].place].into_iter().chain(fired.filter_map(place)).collect::<Vec<_>>()
        };
        let mut known = BTreeSet::new();
        step.0.iter().flat_map(of).filter(|place| known.insert(place.0)).collect()
    }

    /// The active vertices of an object, and the states around them.
    fn active_with_outer(&self, model: &Model, config: &Config, object: InstanceId) -> Vec<VertexId> {
        let Some(machine) = self.machine(model, object) else { return Vec::new() };
        let inner = self.active(model, config, object);
        let all: BTreeSet<VertexId> = inner.into_iter().flat_map(|vertex| around(machine, vertex)).collect();
        all.into_iter().collect()
    }

    /// The transitions that a step fires, each with its object.
    pub(super) fn fires<'a>(
        &'a self,
        step: &'a Step,
    ) -> impl Iterator<Item = (InstanceId, TransitionId)> + 'a {
        step.0.iter().filter_map(|rule| self.fired.get(rule)).flatten().copied()
    }

    /// The sendings and receipts of calls: what is answered by a reply.
    pub fn calls(&self) -> BTreeSet<EventId> {
        let ends = |id: EventId| (self.system.events[id].from, self.system.events[id].to);
        let name = |id: EventId| self.system.events[id].name.as_str();
        let answered: BTreeSet<_> = self.replies.iter().map(|id| (ends(*id), name(*id))).collect();
        let is_call = |id: &EventId| {
            let (from, to) = ends(*id);
            !self.replies.contains(id) && answered.contains(&((to, from), name(*id)))
        };
        self.system.events.ids().filter(is_call).collect()
    }

    /// The objects that have a machine.
    pub fn machines(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.structure.objects.enumerate().filter(|(_, object)| object.machine.is_some()).map(|(id, _)| id)
    }

    /// What is done in a step: its events, and which of them are lost; or else the transitions that fire.
    pub fn deed(&self, model: &Model, step: &Step) -> String {
        let events: Vec<&str> =
            self.system.events(step).map(|event| self.system.events[event].text.as_str()).collect();
        let is_lost = step.0.iter().any(|rule| self.lost.contains_key(rule));
        match (events.is_empty(), is_lost) {
            (false, true) => format!("{} (lost)", events.join(" ")),
            (false, false) => events.join(" "),
            (true, _) => self
                .firing(model, step)
                .unwrap_or_else(|| format!("{} goes on", self.system.components[self.system.actor(step)])),
        }
    }

    /// The transitions that a step fires: `atm: Idle -> Busy`; `None` if it fires none.
    pub fn firing(&self, model: &Model, step: &Step) -> Option<String> {
        let mut told: Vec<String> = Vec::new();
        for (object, transition) in self.fires(step) {
            let Some(machine) = self.machine(model, object) else { continue };
            told.push(format!(
                "{}: {}",
                self.structure.objects[object].name,
                transition_text(machine, transition)
            ));
        }
        (!told.is_empty()).then(|| told.join(", "))
    }

    /// The messages that an object offers in a configuration and no object takes, under rendezvous, each
    /// once.
    pub fn unmet(&self, config: &Config, object: InstanceId) -> Vec<String> {
        let system = &self.system;
        let (steps, values) = (system.steps(config), system.terms.values(config));
        let owner = self.component(object);
        let is_met = |id: RuleId| steps.iter().any(|step| step.0.first() == Some(&id));
        let mut unmet: Vec<String> = Vec::new();
        for (id, rule) in system.rules.enumerate().filter(|(_, rule)| rule.component == owner) {
            let Join::Offer(labels) = &rule.join else { continue };
            if values[rule.guard] == 0 || is_met(id) {
                continue;
            }
            let offers: Vec<String> = labels.iter().map(|label| self.offer_text(owner, *label)).collect();
            let text = offers.join(" and ");
            if !unmet.contains(&text) {
                unmet.push(text);
            }
        }
        unmet
    }

    /// What is offered, and the receiver if only one can take it: `take to fork`.
    fn offer_text(&self, from: ComponentId, label: LabelId) -> String {
        let takers =
            self.system.meetings.keys().filter(|(known, owner, _)| (*known, *owner) == (label, from));
        let takers: Vec<ComponentId> = takers.map(|(.., taker)| *taker).collect();
        let name = &self.system.labels[label];
        match takers.as_slice() {
            [only] => format!("{name} to {}", self.system.components[*only]),
            _ => name.clone(),
        }
    }

    /// The triggers that an object takes in its active states, the innermost first, each once; none if it is busy.
    pub fn awaited(&self, model: &Model, config: &Config, object: InstanceId) -> Vec<String> {
        let mut awaited: Vec<String> = Vec::new();
        let Some(machine) = self.machine(model, object).filter(|_| !self.is_busy(config, object)) else {
            return awaited;
        };
        for vertex in self.active(model, config, object) {
            for around in around(machine, vertex) {
                let own = machine.transitions.iter().filter(|transition| transition.source == around);
                for trigger in own.flat_map(|transition| &transition.triggers).map(trigger_text) {
                    if !awaited.contains(&trigger) {
                        awaited.push(trigger);
                    }
                }
            }
        }
        awaited
    }
}

/// A vertex and the states around it, the innermost first.
pub(super) fn around(machine: &Machine, vertex: VertexId) -> Vec<VertexId> {
    let mut all = vec![vertex];
    for region in body::regions_around(machine, vertex) {
        all.extend(machine.regions[region].owner);
    }
    all
}

/// A transition in short: `Idle -> Busy on pay [x > 1]`.
pub fn transition_text(machine: &Machine, transition: TransitionId) -> String {
    let transition = &machine.transitions[transition];
    let name = |vertex: VertexId| vertex_text(machine, vertex);
    let ends = match transition.kind {
        TransitionKind::Internal => format!("in {}", name(transition.source)),
        TransitionKind::External | TransitionKind::Local => {
            format!("{} -> {}", name(transition.source), name(transition.target))
        }
    };
    let triggers: Vec<String> = transition.triggers.iter().map(trigger_text).collect();
    let guard = transition.guard.as_ref().map(|guard| format!("[{}]", guard.text));
    let label: Vec<String> =
        [triggers.join(", ")].into_iter().chain(guard).filter(|part| !part.is_empty()).collect();
    if label.is_empty() { ends } else { format!("{ends} on {}", label.join(" ")) }
}

fn vertex_text(machine: &Machine, vertex: VertexId) -> &str {
    let vertex = &machine.vertices[vertex];
    match vertex.kind {
        VertexKind::State(_)
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::Entry
        | VertexKind::Exit => &vertex.name,
        VertexKind::Initial => "start",
        VertexKind::Final => "end",
        VertexKind::ShallowHistory | VertexKind::DeepHistory => "history",
        VertexKind::Terminate => "terminate",
    }
}

fn trigger_text(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Event { name, .. } => name.clone(),
        Trigger::Any => "anything else".to_owned(),
        Trigger::After(time) => format!("after({time})"),
        Trigger::When(condition) => format!("when({})", condition.text),
    }
}
