//! Bodies: where the state of an object lies, and how its machine is laid out.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{self, Enumerations, ValueType};
use super::process::{Binding, EffectSite, Processes};
use super::structure::{InstanceId, Structure};
use crate::id::IdVec;
use crate::model::{
    Attribute, Class, Effect, Expression, Machine, Model, RegionId, StateBody, TransitionId, TransitionKind,
    Trigger, VertexId, VertexKind,
};
use crate::system::{ComponentId, QueueOrder, Variable, VariableId, VariableRole};

/// An object with a machine.
pub(super) struct ObjectBody<'a> {
    pub machine: &'a Machine,
    pub component: ComponentId,
    /// The active vertex of each region; 0 for none.
    pub regions: IdVec<RegionId, VariableId>,
    /// The value of a state or final vertex in its region's variable; 0 for others.
    pub values: IdVec<VertexId, i32>,
    /// The vertex that was active when the region was left, for regions that are entered so.
    pub histories: BTreeMap<RegionId, VariableId>,
    /// How far a `do` behaviour has come: 0 not begun, then the number of the next effect from 1.
    pub activities: BTreeMap<VertexId, VariableId>,
    /// What is left to do; 0 at rest. Other values are positions in `places` from 1.
    pub at: VariableId,
    /// Completion events that wait, the oldest first; 0 for none.
    pub pool: Vec<VariableId>,
    /// The states that have transitions without trigger, by their value in the pool.
    pub(crate) completing: BTreeMap<VertexId, i32>,
    /// The value of a region that waits at a join, by the transition that led there.
    pub(crate) parked: BTreeMap<TransitionId, i32>,
    pub attributes: BTreeMap<String, AttributeSlot>,
    /// Where messages wait for it; `None` if none ever does.
    pub inbox: Option<QueueOrder>,
    pub processes: Processes,
    pub bindings: Vec<Binding>,
    /// Transitions from each vertex.
    pub outgoing: IdVec<VertexId, Vec<TransitionId>>,
    triggers: BTreeMap<&'a str, Vec<&'a [String]>>,
    listeners: MessageListeners<'a>,
    /// Whether the machine depends on the sender of a message.
    pub(crate) asks_for_sender: bool,
}

/// Where an attribute lies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AttributeSlot {
    /// Its variable.
    pub variable: VariableId,
    /// Its type.
    pub kind: ValueType,
}

/// The regions around a vertex, innermost first.
pub(super) fn regions_around(machine: &Machine, vertex: VertexId) -> Vec<RegionId> {
    let mut all = vec![machine.vertices[vertex].region];
    while let Some(owner) = machine.regions[all[all.len() - 1]].owner {
        // Stops at a cycle, in case a region lies inside of its own content.
        let region = machine.vertices[owner].region;
        if all.contains(&region) {
            break;
        }
        all.push(region);
    }
    all
}

/// The vertex in a region in which, or which, another is.
pub(super) fn child_in(machine: &Machine, region: RegionId, vertex: VertexId) -> Option<VertexId> {
    let mut at = vertex;
    for around in regions_around(machine, vertex) {
        if around == region {
            return Some(at);
        }
        at = machine.regions[around].owner?;
    }
    None
}

/// What a state contains, if a vertex is one.
pub(super) fn state(machine: &Machine, vertex: VertexId) -> Option<&StateBody> {
    machine.vertices[vertex].kind.body()
}

impl<'a> ObjectBody<'a> {
    /// Lays out the machine of an object.
    pub(crate) fn new(
        machine: &'a Machine,
        component: ComponentId,
        name: &str,
        has_pool: bool,
        variables: &mut IdVec<VariableId, Variable>,
    ) -> Self {
        let mut values: IdVec<VertexId, i32> = machine.vertices.iter().map(|_| 0).collect();
        let mut regions = IdVec::new();
        for (id, region) in machine.regions.enumerate() {
            let mut count = 0;
            for vertex in &region.vertices {
                let is_active =
                    state(machine, *vertex).is_some() || machine.vertices[*vertex].kind == VertexKind::Final;
                if is_active && values[*vertex] == 0 {
                    count += 1;
                    values[*vertex] = count;
                }
            }
            let what = region_name(machine, id);
            let variable = Variable::new(format!("{name}{what}"), 0, count, 0);
            regions.push(variables.push(variable.owned_by(component)));
        }
        let mut outgoing: IdVec<VertexId, Vec<TransitionId>> =
            machine.vertices.iter().map(|_| Vec::new()).collect();
        for (id, transition) in machine.transitions.enumerate() {
            outgoing[transition.source].push(id);
        }
        let at = Variable::new(format!("{name}.at"), 0, 0, 0)
            .owned_by(component)
            .with_role(VariableRole::Progress);
        let mut body = ObjectBody {
            machine,
            component,
            regions,
            values,
            histories: BTreeMap::new(),
            activities: BTreeMap::new(),
            at: variables.push(at),
            pool: Vec::new(),
            completing: BTreeMap::new(),
            parked: BTreeMap::new(),
            attributes: BTreeMap::new(),
            inbox: None,
            processes: Processes::new(),
            bindings: vec![Binding::default()],
            outgoing,
            triggers: triggers(machine),
            listeners: MessageListeners::new(machine),
            asks_for_sender: asks_for_sender(machine),
        };
        if has_pool {
            body.wait_at_joins(variables);
        }
        body.remember(name, variables);
        body.begin_activities(name, variables);
        if has_pool {
            body.await_completion(name, variables);
        }
        body
    }

    /// Variables for the regions that are entered as they were left.
    fn remember(&mut self, name: &str, variables: &mut IdVec<VariableId, Variable>) {
        let machine = self.machine;
        let mut wanted: BTreeSet<RegionId> = BTreeSet::new();
        for vertex in machine.vertices.iter() {
            match vertex.kind {
                VertexKind::ShallowHistory => {
                    wanted.insert(vertex.region);
                }
                VertexKind::DeepHistory => wanted.extend(self.regions_within(vertex.region)),
                _ => {}
            }
        }
        for region in wanted {
            let what = region_name(machine, region);
            let max = variables[self.regions[region]].max;
            let variable = Variable::new(format!("{name}{what}.history"), 0, max, 0);
            self.histories.insert(region, variables.push(variable.owned_by(self.component)));
        }
    }

    fn begin_activities(&mut self, name: &str, variables: &mut IdVec<VariableId, Variable>) {
        for (id, vertex) in self.machine.vertices.enumerate() {
            let length = state(self.machine, id).map_or(0, |body| body.activity.len());
            if length > 0 {
                let variable = Variable::new(format!("{name}.{}.do", vertex.name), 0, length as i32 + 1, 0);
                self.activities.insert(id, variables.push(variable.owned_by(self.component)));
            }
        }
    }

    fn await_completion(&mut self, name: &str, variables: &mut IdVec<VariableId, Variable>) {
        for (id, _) in self.machine.vertices.enumerate() {
            if state(self.machine, id).is_some() && self.completions(id).next().is_some() {
                self.completing.insert(id, self.completing.len() as i32 + 1);
            }
        }
        let width: usize = self.machine.top_regions().map(|region| self.width(region, 0)).sum();
        let max = self.completing.len() as i32;
        let row = format!("{name}.completed");
        let slot = |at: usize| {
            Variable::in_row(row.clone(), at, max)
                .owned_by(self.component)
                .with_role(VariableRole::Completion)
        };
        self.pool = (0..width).map(|at| variables.push(slot(at))).collect();
    }

    /// Values for regions that wait at a join until the others have come.
    fn wait_at_joins(&mut self, variables: &mut IdVec<VariableId, Variable>) {
        let machine = self.machine;
        for (join, vertex) in machine.vertices.enumerate() {
            if !matches!(vertex.kind, VertexKind::Join | VertexKind::Exit) {
                continue;
            }
            let into = |id: &TransitionId| {
                let one = &machine.transitions[*id];
                one.target == join && state(machine, one.source).is_some()
            };
            let incoming: Vec<TransitionId> = machine.transitions.ids().filter(into).collect();
            let regions: BTreeSet<RegionId> = incoming.iter().map(|id| self.region_of_source(*id)).collect();
            // An exit point is a join for the regions of its own state.
            let owner = machine.parent(join);
            let is_own = |region: &RegionId| machine.regions[*region].owner == owner;
            let is_plain = vertex.kind == VertexKind::Exit && !regions.iter().all(is_own);
            if regions.len() < 2 || is_plain {
                continue;
            }
            for id in incoming {
                let variable = &mut variables[self.regions[self.region_of_source(id)]];
                variable.max += 1;
                self.parked.insert(id, variable.max);
            }
        }
    }

    /// The greatest value that stands for a vertex of a region; greater ones say that it waits at a join.
    pub(crate) fn vertices_in(&self, region: RegionId) -> i32 {
        self.machine.regions[region].vertices.iter().map(|vertex| self.values[*vertex]).max().unwrap_or(0)
    }

    /// The region in which a transition begins.
    pub(crate) fn region_of_source(&self, transition: TransitionId) -> RegionId {
        self.machine.vertices[self.machine.transitions[transition].source].region
    }

    /// How many completion events of a region may wait at a time.
    fn width(&self, region: RegionId, depth: usize) -> usize {
        if depth > MOST_DEPTH {
            return 0;
        }
        let of_state = |vertex: &VertexId| {
            let inner: usize = state(self.machine, *vertex)
                .map_or(0, |body| body.regions.iter().map(|region| self.width(*region, depth + 1)).sum());
            inner + usize::from(self.completing.contains_key(vertex))
        };
        self.machine.regions[region].vertices.iter().map(of_state).max().unwrap_or(0)
    }

    /// The transitions of a state that fire when it completes, those to joins included.
    pub(crate) fn completions(&self, vertex: VertexId) -> impl Iterator<Item = TransitionId> + '_ {
        self.outgoing[vertex].iter().copied().filter(|id| {
            let transition = &self.machine.transitions[*id];
            transition.triggers.is_empty() && transition.kind != TransitionKind::Internal
        })
    }

    /// A region and all inside of it.
    pub(crate) fn regions_within(&self, region: RegionId) -> Vec<RegionId> {
        let mut all = vec![region];
        let mut at = 0;
        while at < all.len() {
            for vertex in &self.machine.regions[all[at]].vertices {
                for inner in
                    state(self.machine, *vertex).map(|body| body.regions.as_slice()).unwrap_or_default()
                {
                    if !all.contains(inner) {
                        all.push(*inner);
                    }
                }
            }
            at += 1;
        }
        all
    }

    /// The effects that stand somewhere.
    pub(crate) fn effects(&self, site: EffectSite) -> &'a [Effect] {
        let machine = self.machine;
        let of = |vertex: VertexId| state(machine, vertex);
        match site {
            EffectSite::Entry(vertex) => of(vertex).map_or(&[], |body| &body.entry),
            EffectSite::Exit(vertex) => of(vertex).map_or(&[], |body| &body.exit),
            EffectSite::Activity(vertex) => of(vertex).map_or(&[], |body| &body.activity),
            EffectSite::Transition(transition) => &machine.transitions[transition].effects,
        }
    }

    /// Everywhere effects may stand.
    pub(crate) fn sites(&self) -> Vec<EffectSite> {
        let of_vertex =
            |vertex| [EffectSite::Entry(vertex), EffectSite::Exit(vertex), EffectSite::Activity(vertex)];
        let of_vertices = self.machine.vertices.ids().flat_map(of_vertex);
        of_vertices.chain(self.machine.transitions.ids().map(EffectSite::Transition)).collect()
    }

    /// The names of the messages that the machine waits for, each with the names of its parameters.
    pub(crate) fn triggers(&self) -> &BTreeMap<&'a str, Vec<&'a [String]>> {
        &self.triggers
    }

    /// The vertices with a transition that a message may trigger, and the states that may defer it.
    pub(crate) fn listeners(&self, message: &str) -> impl Iterator<Item = VertexId> + '_ {
        let named = self.listeners.named.get(message).map(Vec::as_slice).unwrap_or_default();
        named.iter().chain(&self.listeners.to_any).copied()
    }
}

/// Where messages are waited for, so that only the vertices that a message concerns are looked at.
struct MessageListeners<'a> {
    /// By the name of the message.
    named: BTreeMap<&'a str, Vec<VertexId>>,
    /// Those that take any message.
    to_any: Vec<VertexId>,
}

impl<'a> MessageListeners<'a> {
    fn new(machine: &'a Machine) -> MessageListeners<'a> {
        let mut listeners = MessageListeners { named: BTreeMap::new(), to_any: Vec::new() };
        for transition in machine.transitions.iter() {
            transition.triggers.iter().for_each(|trigger| listeners.add(transition.source, trigger));
        }
        for vertex in machine.vertices.ids() {
            let deferred = state(machine, vertex).map(|body| body.deferred.as_slice()).unwrap_or_default();
            deferred.iter().for_each(|trigger| listeners.add(vertex, trigger));
        }
        listeners
    }

    fn add(&mut self, vertex: VertexId, trigger: &'a Trigger) {
        match trigger {
            Trigger::Event { name, .. } => self.named.entry(name).or_default().push(vertex),
            Trigger::Any => self.to_any.push(vertex),
            Trigger::After(_) | Trigger::When(_) => {}
        }
    }
}

/// The names of the messages that a machine waits for, each with the names of its parameters wherever it stands.
pub fn triggers(machine: &Machine) -> BTreeMap<&str, Vec<&[String]>> {
    let mut all: BTreeMap<&str, Vec<&[String]>> = BTreeMap::new();
    let of_transitions = machine.transitions.iter().flat_map(|transition| &transition.triggers);
    let deferred =
        machine.vertices.ids().filter_map(|vertex| state(machine, vertex)).flat_map(|body| &body.deferred);
    for trigger in of_transitions.chain(deferred) {
        if let Trigger::Event { name, parameters } = trigger {
            all.entry(name).or_default().push(parameters);
        }
    }
    all
}

/// Deeper machines than this are not looked into.
pub(super) const MOST_DEPTH: usize = 200;

/// A region's name in a variable: that of its state, with a number where there are several.
fn region_name(machine: &Machine, region: RegionId) -> String {
    let (siblings, around): (Vec<RegionId>, String) = match machine.regions[region].owner {
        None => (machine.top_regions().collect(), String::new()),
        Some(owner) => {
            let regions = state(machine, owner).map(|body| body.regions.clone()).unwrap_or_default();
            (regions, format!(".{}", machine.vertices[owner].name))
        }
    };
    match siblings.iter().position(|one| *one == region) {
        Some(at) if siblings.len() > 1 => format!("{around}#{}", at + 1),
        _ => around,
    }
}

/// The attributes of an object, each with its type and first value: those of its class, and those of its machine. One whose first value is written
/// and not understood (E611) is none of them, so what speaks of it is decided freely.
pub fn attributes(
    model: &Model,
    structure: &Structure,
    object: InstanceId,
    enumerations: &Enumerations,
) -> BTreeMap<String, (ValueType, i32)> {
    let instance = &structure.objects[object];
    let machine = instance.machine.map(|machine| &model.machines[machine]);
    let class_name = machine.and_then(|machine| machine.class.as_deref());
    let names = [instance.class.as_deref(), class_name, machine.map(|machine| machine.name.as_str())];
    // What a class says itself wins over what those above it say, so it comes later.
    let is_own = |class: &Class| names.iter().flatten().any(|name| class.name == **name);
    let is_above = |class: &Class| instance.kinds.contains(&class.name.to_lowercase()) && !is_own(class);
    let above = model.classes.iter().filter(|class| is_above(class));
    let own = model.classes.iter().filter(|class| is_own(class));
    let of_classes = above.chain(own).flat_map(|class| &class.attributes).filter(|one| !one.is_port());
    let of_machine = machine.map(|machine| machine.attributes.as_slice()).unwrap_or_default();
    let mut all = BTreeMap::new();
    for attribute in of_classes.chain(of_machine) {
        let Some(kind) = attribute_type(model, structure, attribute, enumerations) else { continue };
        let written =
            instance.values.iter().find(|(name, value)| *name == attribute.name && !value.is_empty());
        let written = written.map(|(_, value)| value);
        let initial = written.or(attribute.initial.as_ref());
        let value = match initial {
            Some(text) => kind.constant(text, enumerations, structure),
            None => Some(kind.first(enumerations, structure.objects.len())),
        };
        match value {
            Some(value) => all.insert(attribute.name.clone(), (kind, value)),
            None => all.remove(&attribute.name),
        };
    }
    all
}

/// The type of an attribute; without one, that of its first value.
pub fn attribute_type(
    model: &Model,
    structure: &Structure,
    attribute: &Attribute,
    enumerations: &Enumerations,
) -> Option<ValueType> {
    let is_class = |name: &str| {
        model.classes.iter().any(|class| class.name == name)
            || structure.objects.iter().any(|object| object.class.as_deref() == Some(name))
    };
    match (&attribute.type_name, attribute.initial.as_deref().map(str::trim)) {
        (Some(name), _) => ValueType::named(name, enumerations, is_class),
        (None, Some("true" | "false")) => Some(ValueType::Bool),
        (None, Some(text)) if text.parse::<i32>().is_ok() => {
            Some(ValueType::Range(data::PLAIN_INT.0, data::PLAIN_INT.1))
        }
        (None, Some(_) | None) => None,
    }
}

/// Whether a machine uses the sender of a message.
fn asks_for_sender(machine: &Machine) -> bool {
    let is_sender = |word: &String| word == "sender";
    let effects = |effects: &[Effect]| {
        effects.iter().any(|effect| match effect {
            Effect::Send(send) => send.target.iter().any(is_sender),
            Effect::Assign(assign) => {
                matches!(&assign.value, Expression::Name(path) if path.iter().any(is_sender))
            }
            Effect::Opaque { .. } => false,
        })
    };
    machine.transitions.iter().any(|transition| effects(&transition.effects))
        || machine
            .vertices
            .ids()
            .filter_map(|vertex| state(machine, vertex))
            .any(|state| effects(&state.entry) || effects(&state.exit) || effects(&state.activity))
}

/// Whether a vertex is passed within a step: it is neither a state nor an end, nor does a region begin there.
pub(crate) fn is_passed(machine: &Machine, vertex: VertexId) -> bool {
    match machine.vertices[vertex].kind {
        VertexKind::State(_) | VertexKind::Initial | VertexKind::Final | VertexKind::Terminate => false,
        VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Exit => true,
    }
}
