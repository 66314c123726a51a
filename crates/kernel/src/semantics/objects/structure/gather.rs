//! The objects of a system: listed ones, else those that sequence diagrams show, and machines of which no object is shown.
//!
//! Object diagrams and `[system] objects` count in a folder only if one of their objects behaves as a machine there: many object
//! diagrams are pictures of data, and a settings file may stand above several folders.

use std::collections::{BTreeMap, BTreeSet};

use super::bind::{LifelineRole, role};
use super::kinds::Kinds;
use super::{Instance, InstanceId, Structure};
use crate::diagnostic::{Code, Diagnostic, Severity, slip_of};
use crate::model::{
    AssociationKind, ClassKind, End, Fragment, InteractionId, Lifeline, Machine, MachineId, ObjectId,
};
use crate::source::Place;

/// A structure under construction.
pub(super) struct StructureDraft<'a> {
    pub kinds: Kinds<'a>,
    pub structure: Structure,
    /// The objects of object diagrams, those that are drawn twice as one.
    pub drawn: BTreeMap<ObjectId, InstanceId>,
    /// Objects that stand for the whole system: their ports are its border.
    pub borders: BTreeMap<ObjectId, String>,
    /// Objects that only a scenario names.
    pub guests: BTreeSet<InstanceId>,
    pub problems: Vec<Diagnostic>,
    by_name: BTreeMap<String, InstanceId>,
}

impl<'a> StructureDraft<'a> {
    pub(crate) fn new(kinds: Kinds<'a>) -> Self {
        StructureDraft {
            kinds,
            structure: Structure::default(),
            drawn: BTreeMap::new(),
            borders: BTreeMap::new(),
            guests: BTreeSet::new(),
            problems: Vec::new(),
            by_name: BTreeMap::new(),
        }
    }

    fn push(&mut self, instance: Instance) -> InstanceId {
        let name = instance.name.clone();
        let id = self.structure.objects.push(instance);
        self.by_name.entry(name).or_insert(id);
        id
    }

    pub(crate) fn listed(&mut self) {
        let model = self.kinds.model;
        let is_here = |id: &ObjectId| self.kinds.is_here(model.objects[*id].place);
        let here: Vec<ObjectId> = model.objects.ids().filter(is_here).collect();
        let behaves = |name: &str, class: Option<&str>| {
            !self.kinds.candidates(name, class).is_empty()
                || class.is_some_and(|class| self.is_misspelt(class))
        };
        let objects = here.iter().map(|id| &model.objects[*id]);
        let is_listed = objects.into_iter().any(|one| behaves(&one.name, one.class.as_deref()))
            || model.system.objects.iter().any(|(name, class, _)| behaves(name, Some(class)));
        if !is_listed {
            return;
        }
        self.structure.is_listed = true;
        for id in here {
            self.object(id);
        }
        for (name, class, place) in &model.system.objects {
            self.add(name, Some(class), *place);
        }
    }

    /// Whether a class is declared nowhere and differs by one letter from a class with a machine.
    fn is_misspelt(&self, class: &str) -> bool {
        let machines = self.kinds.machines.iter().map(|id| &self.kinds.model.machines[*id]);
        let names = machines.map(|one| one.class.as_ref().unwrap_or(&one.name).as_str());
        !self.kinds.class(class).is_some_and(|class| class.declared) && slip_of(class, names).is_some()
    }

    fn object(&mut self, id: ObjectId) {
        let object = &self.kinds.model.objects[id];
        if self.is_border(id) {
            self.borders.insert(id, object.name.clone());
            return;
        }
        let at = self.add(&object.name, object.class.as_deref(), object.place);
        self.drawn.insert(id, at);
        for (name, value) in &object.values {
            let known = &mut self.structure.objects[at].values;
            match known.iter().find(|(known, _)| known == name) {
                None => known.push((name.clone(), value.clone())),
                Some((_, first)) if first == value => {}
                Some((_, first)) => {
                    let text = format!("`{}.{name}` is `{first}` in another declaration", object.name);
                    let finding = Diagnostic::new(Code::ContradictingObject, object.place.0, text);
                    // Two diagrams may well show an object at two times.
                    let finding = finding.severity(Severity::Warning);
                    let first = self.structure.objects[at].place.0;
                    self.problems.push(finding.label(first, "the first declaration counts"));
                }
            }
        }
    }

    /// Whether an object stands for the system itself: a capsule without machine, made of the classes of the others.
    fn is_border(&self, id: ObjectId) -> bool {
        let model = self.kinds.model;
        let object = &model.objects[id];
        let Some(class) = object.class.as_deref().and_then(|name| self.kinds.class(name)) else {
            return false;
        };
        if class.kind != ClassKind::Capsule
            || !self.kinds.candidates(&object.name, Some(&class.name)).is_empty()
        {
            return false;
        }
        model.associations.iter().any(|one| match one.kind {
            AssociationKind::Aggregation | AssociationKind::Composition => {
                let [whole, part] = [0, 1].map(|end| &model.classes[one.ends[end].class].name);
                let is_part = |other: &ObjectId| {
                    *other != id
                        && self.kinds.is_here(model.objects[*other].place)
                        && model.objects[*other].class.as_ref() == Some(part)
                };
                *whole == class.name && model.objects.ids().any(|other| is_part(&other))
            }
            AssociationKind::Association
            | AssociationKind::Generalization
            | AssociationKind::Realization
            | AssociationKind::Dependency => false,
        })
    }

    /// Adds an object, or finds it and compares what is said of it.
    fn add(&mut self, name: &str, class: Option<&str>, place: Place) -> InstanceId {
        if let Some(known) = self.by_name.get(name).copied() {
            self.compare(known, class, place, Severity::Error);
            return known;
        }
        let candidates = self.kinds.candidates(name, class);
        let machine = candidates.first().copied();
        self.doubles(&candidates);
        let own_class = || machine.map(|id| self.class_of(id));
        let class = class.map(str::to_owned).or_else(own_class);
        let kinds = self.kinds.words(name, class.as_deref(), machine);
        let values = Vec::new();
        self.push(Instance { name: name.to_owned(), class, kinds, machine, values, place })
    }

    fn class_of(&self, machine: MachineId) -> String {
        let machine = &self.kinds.model.machines[machine];
        machine.class.clone().unwrap_or_else(|| machine.name.clone())
    }

    fn compare(&mut self, known: InstanceId, class: Option<&str>, place: Place, severity: Severity) {
        let object = &self.structure.objects[known];
        let (Some(class), Some(first)) = (class, object.class.as_deref()) else { return };
        if class == first || object.kinds.contains(&class.to_lowercase()) {
            return;
        }
        let text = format!("`{}` is of class `{class}` here and `{first}` elsewhere", object.name);
        let finding = Diagnostic::new(Code::ContradictingObject, place.0, text).severity(severity);
        let finding = finding.label(object.place.0, "the first declaration counts");
        self.problems.push(finding.hint("let both say the same, or give one of them another name"));
    }

    /// Several machines of one name or class: the first counts.
    fn doubles(&mut self, candidates: &[MachineId]) {
        let Some((first, others)) = candidates.split_first() else { return };
        let machines = &self.kinds.model.machines;
        self.problems.extend(others.iter().map(|other| double(&machines[*first], &machines[*other])));
    }

    /// The lifelines of a diagram that are none of the listed objects: environment.
    pub(crate) fn partners(&mut self, diagram: InteractionId) {
        for lifeline in self.kinds.model.interactions[diagram].lifelines.iter() {
            let class = lifeline.class.as_deref();
            match self.structure.players(lifeline).as_slice() {
                // Another diagram may call another thing by the same name.
                [known] => self.compare(*known, class, lifeline.place, Severity::Warning),
                [_, _, ..] => {}
                [] => {
                    if class.is_some_and(|class| !self.kinds.behaviours(class).is_empty()) {
                        self.problems.push(unlisted(lifeline));
                    }
                    let mut kinds = self.kinds.words(&lifeline.name, class, None);
                    kinds.extend(label_word(lifeline));
                    let (name, class) = (own_name(lifeline).to_owned(), lifeline.class.clone());
                    let values = Vec::new();
                    let guest = Instance { name, class, kinds, machine: None, values, place: lifeline.place };
                    let guest = self.push(guest);
                    self.guests.insert(guest);
                }
            }
        }
    }

    /// The objects that sequence diagrams show: those of the scenario and of what it uses, with its environment, then those with a machine
    /// that other diagrams of the folder show. So all questions about a folder are about the same objects, unless diagrams
    /// contradict each other.
    pub(crate) fn shown(&mut self, about: Option<InteractionId>) {
        let model = self.kinds.model;
        let own = about.map(|about| model.family(about)).unwrap_or_default();
        let is_other =
            |id: &InteractionId| !own.contains(id) && self.kinds.is_here(model.interactions[*id].place);
        let others: Vec<InteractionId> = model.interactions.ids().filter(is_other).collect();
        let mut known: BTreeMap<MachineId, BTreeSet<&str>> = BTreeMap::new();
        for id in own.iter().chain(&others) {
            for lifeline in model.interactions[*id].lifelines.iter() {
                if let (LifelineRole::Object(name), Some(machine)) =
                    (role(lifeline), self.machine_of(lifeline))
                {
                    known.entry(machine).or_default().insert(name);
                }
            }
        }
        own.into_iter().for_each(|id| self.diagram(id, true, &mut known));
        others.into_iter().for_each(|id| self.diagram(id, false, &mut known));
    }

    fn machine_of(&self, lifeline: &Lifeline) -> Option<MachineId> {
        self.kinds.of_lifeline(lifeline).first().copied()
    }

    /// The objects that a diagram shows, with its environment or without. A lifeline that names a class alone stands for one that is `known` by its
    /// name, as far as there are enough of them.
    fn diagram(
        &mut self,
        diagram: InteractionId,
        with_environment: bool,
        known: &mut BTreeMap<MachineId, BTreeSet<&'a str>>,
    ) {
        let lifelines = &self.kinds.model.interactions[diagram].lifelines;
        for lifeline in lifelines.iter() {
            let machine = self.machine_of(lifeline);
            let is_shown = match (role(lifeline), machine) {
                // Another diagram may say of which class it is, by its name or by its label.
                (LifelineRole::Class(name), None) if lifeline.class.is_none() => {
                    let is_known = |name: &str| known.values().any(|names| names.contains(name));
                    with_environment
                        && !is_known(name)
                        && !lifeline.own_label().is_some_and(|label| is_known(label))
                }
                (_, None) => with_environment,
                (LifelineRole::Object(name), Some(_)) => with_environment || !self.by_name.contains_key(name),
                (LifelineRole::Class(_), Some(machine)) => {
                    let wanted = lifelines.iter().filter(|other| self.machine_of(other) == Some(machine));
                    let known = known.entry(machine).or_default();
                    known.len() < wanted.count() && known.insert(&lifeline.name)
                }
            };
            if is_shown {
                let labelled = self.kinds.labelled(lifeline).map(|machine| self.class_of(machine));
                let class = lifeline.class.as_deref().or(labelled.as_deref());
                let at = self.add(own_name(lifeline), class, lifeline.place);
                let object = &mut self.structure.objects[at];
                if object.machine.is_none() {
                    object.kinds.extend(label_word(lifeline));
                    self.guests.insert(at);
                }
            }
        }
    }

    /// A machine without objects gets an object of its own name.
    pub(crate) fn machines(&mut self) {
        let behaving: BTreeSet<MachineId> =
            self.structure.objects.iter().filter_map(|object| object.machine).collect();
        let idle: Vec<MachineId> =
            self.kinds.machines.iter().copied().filter(|id| !behaving.contains(id)).collect();
        for id in idle {
            let machine = &self.kinds.model.machines[id];
            match self.by_name.get(&machine.name).copied() {
                Some(known) => {
                    let first = self.structure.objects[known].machine;
                    self.doubles(&first.into_iter().chain([id]).collect::<Vec<_>>());
                }
                None => {
                    let class = self.class_of(id);
                    let kinds = self.kinds.words(&machine.name, Some(&class), Some(id));
                    let undrawn = self.push(Instance {
                        name: machine.name.clone(),
                        class: Some(class),
                        kinds,
                        machine: Some(id),
                        values: Vec::new(),
                        place: machine.place,
                    });
                    self.structure.undrawn.insert(undrawn);
                }
            }
        }
    }

    /// What the folder knows by name and the system does not contain.
    pub(crate) fn outside(&mut self) {
        let model = self.kinds.model;
        let interactions = model.interactions.iter().filter(|one| self.kinds.is_here(one.place));
        let lifelines = interactions.flat_map(|one| one.lifelines.iter());
        let named = lifelines.flat_map(|one| [Some(&one.name), one.class.as_ref(), one.own_label()]);
        let classes = model.classes.iter().map(|class| &class.name);
        let ends = model.associations.iter().flat_map(|one| one.ends.iter());
        let roles = ends.filter_map(|end| end.role.as_ref());
        let names = named.flatten().chain(classes).chain(roles).chain(self.borders.values());
        // Where objects are listed, a class with a machine and without object is empty, not elsewhere.
        let is_elsewhere =
            |name: &&String| !self.structure.is_listed || self.kinds.namesakes(name).is_empty();
        self.structure.outside = names.filter(is_elsewhere).map(|name| name.to_lowercase()).collect();
    }

    /// Collects the sends and terminations that the diagrams of the folder draw.
    pub(crate) fn drawn(&mut self, is_survey: bool) {
        let (mut drawn, mut arriving, mut stopped) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let model = self.kinds.model;
        // Diagrams name the same lifelines again and again.
        let mut known: BTreeMap<(&str, &str), Vec<InstanceId>> = BTreeMap::new();
        for interaction in model.interactions.iter().filter(|one| self.kinds.is_here(one.place)) {
            for lifeline in interaction.lifelines.iter() {
                let find = || self.structure.players(lifeline);
                known.entry((&lifeline.name, &lifeline.label)).or_insert_with(find);
            }
            let players = |end: End| {
                let lifeline = end.lifeline().map(|id| &interaction.lifelines[id]);
                lifeline
                    .and_then(|one| known.get(&(one.name.as_str(), one.label.as_str())))
                    .into_iter()
                    .flatten()
            };
            interaction.walk(&mut |fragment, _| {
                if let Fragment::Stop(stop) = fragment {
                    stopped.extend(players(End::Lifeline(stop.lifeline)));
                }
            });
            for message in interaction.messages.iter() {
                for to in players(message.to) {
                    let from = players(message.from);
                    drawn.extend(from.map(|from| (*from, *to, message.name.clone())));
                    if is_survey
                        && message.from.lifeline().is_some()
                        && players(message.from).next().is_none()
                    {
                        arriving.insert((*to, message.name.clone()));
                    }
                }
            }
        }
        (self.structure.drawn, self.structure.arriving, self.structure.stopped) = (drawn, arriving, stopped);
    }
}

/// The name of the object that a lifeline shows.
fn own_name(lifeline: &Lifeline) -> &str {
    match role(lifeline) {
        LifelineRole::Object(name) => name,
        LifelineRole::Class(_) => &lifeline.name,
    }
}

/// What a lifeline is called by its label, in lower case, where that is another word than its name.
fn label_word(lifeline: &Lifeline) -> Option<String> {
    lifeline.own_label().map(|label| label.to_lowercase())
}

/// What is said of a second machine for one class.
pub(crate) fn double(first: &Machine, other: &Machine) -> Diagnostic {
    let name = other.class.as_ref().unwrap_or(&other.name);
    let text = format!("objects of `{name}` behave as another state machine already");
    Diagnostic::new(Code::DoubleMachine, other.place.0.at_start(), text)
        .label(first.place.0.at_start(), "this one counts")
        .hint("give one of them another name with `@name` or `@class`")
}

fn unlisted(lifeline: &Lifeline) -> Diagnostic {
    let text = format!("`{}` is not among the objects that are listed, so it is environment", lifeline.name);
    Diagnostic::new(Code::UnlistedObject, lifeline.place.0, text)
        .hint("list it too, or name the lifeline as one of the objects")
}
