//! State machines as JSON.
//!
//! Like messages, vertices and transitions stand in flat lists with ids (a transition's is
//! `source->target:label`), and the nesting is given by references: the machine and every composite state
//! list their regions, a region lists its vertices, and each vertex names the state around it.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Assign, Contract, Effect, Machine, MachineId, MachineNote, Region, Send, StateBody, Transition,
    TransitionId, TransitionKind, Trigger, Vertex, VertexId, VertexKind,
};
use serde_json::Value;

use super::AstScope;
use super::caption::caption;
use super::class::attribute;
use super::expression::{arguments, condition, expression};
use super::naming::ids;
use super::picture::{flow_way, line_look, note_look};
use super::record::JsonRecord;

/// One state machine.
pub(super) fn machine(scope: &AstScope, id: MachineId, machine: &Machine) -> Value {
    let Machine {
        name,
        title,
        captions,
        class,
        attributes,
        contracts,
        regions,
        vertices,
        transitions,
        notes,
        flow,
        place,
    } = machine;
    let names = MachinePartNames::new(scope, machine);
    let top_regions = machine.top_regions().map(|id| &regions[id]);
    JsonRecord::new()
        .put("id", scope.machines[id].as_str())
        .put("name", name.as_str())
        .put("title", title.as_deref())
        .list("captions", captions, caption)
        .put("class", class.as_deref())
        .list("attributes", attributes, |shown| attribute(scope, shown))
        .list("contracts", contracts, |shown| contract(scope, shown))
        .list("regions", top_regions, |shown| region(&names, shown))
        .list("vertices", vertices.enumerate(), |(id, shown)| vertex(&names, id, shown))
        .list("transitions", transitions.enumerate(), |(id, shown)| transition(&names, id, shown))
        .list("notes", notes, |shown| note(&names, shown))
        .put("flow", flow.map(flow_way))
        .put("place", scope.place(*place))
        .done()
}

fn contract(scope: &AstScope, contract: &Contract) -> Value {
    let Contract { name, is_post, condition: held } = contract;
    JsonRecord::new()
        .put("name", name.as_str())
        .put("when", if *is_post { "after" } else { "before" })
        .put("condition", condition(scope, held))
        .done()
}

/// What the parts of one machine are called.
struct MachinePartNames<'a> {
    scope: &'a AstScope<'a>,
    machine: &'a Machine,
    vertices: IdVec<VertexId, String>,
    transitions: IdVec<TransitionId, String>,
}

impl<'a> MachinePartNames<'a> {
    fn new(scope: &'a AstScope<'a>, machine: &'a Machine) -> Self {
        let vertices: IdVec<VertexId, String> =
            ids(machine.vertices.iter().map(|vertex| vertex.name.clone()));
        let transition = |transition: &Transition| {
            let ends = format!("{}->{}", vertices[transition.source], vertices[transition.target]);
            if transition.text.is_empty() { ends } else { format!("{ends}:{}", transition.text) }
        };
        let transitions = ids(machine.transitions.iter().map(transition));
        Self { scope, machine, vertices, transitions }
    }

    fn vertex(&self, vertex: VertexId) -> &str {
        &self.vertices[vertex]
    }
}

fn region(names: &MachinePartNames, region: &Region) -> Value {
    let Region { owner: _, vertices, place } = region;
    JsonRecord::new()
        .list("vertices", vertices, |id| names.vertex(*id))
        .put("place", names.scope.place(*place))
        .done()
}

fn vertex(names: &MachinePartNames, id: VertexId, vertex: &Vertex) -> Value {
    let Vertex { name, label, region: _, kind, stereotypes, colour, declared, place } = vertex;
    let record = JsonRecord::new()
        .put("id", names.vertex(id))
        .put("name", name.as_str())
        .put("label", label.as_str())
        .put("kind", vertex_kind(kind))
        .put("parent", names.machine.parent(id).map(|parent| names.vertex(parent)))
        .texts("stereotypes", stereotypes)
        .put("colour", colour.as_deref())
        .put("declared", *declared);
    let record = match kind {
        VertexKind::State(body) => state(record, names, body),
        VertexKind::Initial
        | VertexKind::Final
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Exit
        | VertexKind::Terminate => record,
    };
    record.put("place", names.scope.place(*place)).done()
}

fn vertex_kind(kind: &VertexKind) -> &'static str {
    match kind {
        VertexKind::State(_) => "state",
        VertexKind::Initial => "initial",
        VertexKind::Final => "final",
        VertexKind::Choice => "choice",
        VertexKind::Junction => "junction",
        VertexKind::Fork => "fork",
        VertexKind::Join => "join",
        VertexKind::ShallowHistory => "shallow-history",
        VertexKind::DeepHistory => "deep-history",
        VertexKind::Entry => "entry",
        VertexKind::Exit => "exit",
        VertexKind::Terminate => "terminate",
    }
}

/// The keys that only states have.
fn state(record: JsonRecord, names: &MachinePartNames, body: &StateBody) -> JsonRecord {
    let StateBody { regions, entry, exit, activity, deferred, description } = body;
    let effect = |shown| effect(names, shown);
    record
        .list("entry", entry, effect)
        .list("exit", exit, effect)
        .list("activity", activity, effect)
        .list("deferred", deferred, |shown| trigger(names, shown))
        .texts("description", description)
        .list("regions", regions, |id| region(names, &names.machine.regions[*id]))
}

fn transition(names: &MachinePartNames, id: TransitionId, transition: &Transition) -> Value {
    let Transition { source, target, kind, text, triggers, guard, effects, look, place } = transition;
    let record = JsonRecord::new()
        .put("id", names.transitions[id].as_str())
        .put("source", names.vertex(*source))
        .put("target", names.vertex(*target))
        .put("kind", transition_kind(*kind))
        .put("text", text.as_str())
        .list("triggers", triggers, |shown| trigger(names, shown))
        .put("guard", guard.as_ref().map(|guard| condition(names.scope, guard)))
        .list("effects", effects, |shown| effect(names, shown));
    line_look(record, look).put("place", names.scope.place(*place)).done()
}

fn transition_kind(kind: TransitionKind) -> &'static str {
    match kind {
        TransitionKind::External => "external",
        TransitionKind::Local => "local",
        TransitionKind::Internal => "internal",
    }
}

fn trigger(names: &MachinePartNames, trigger: &Trigger) -> Value {
    match trigger {
        Trigger::Event { name, parameters } => {
            JsonRecord::kind("event").put("name", name.as_str()).texts("parameters", parameters)
        }
        Trigger::Any => JsonRecord::kind("any"),
        Trigger::After(delay) => JsonRecord::kind("after").put("delay", delay.as_str()),
        Trigger::When(shown) => JsonRecord::kind("when").put("condition", condition(names.scope, shown)),
    }
    .done()
}

fn effect(names: &MachinePartNames, effect: &Effect) -> Value {
    match effect {
        Effect::Assign(shown) => assign(names, shown),
        Effect::Send(shown) => send(names, shown),
        Effect::Opaque { text, place } => JsonRecord::kind("opaque")
            .put("text", text.as_str())
            .put("place", names.scope.place(*place))
            .done(),
    }
}

fn assign(names: &MachinePartNames, assign: &Assign) -> Value {
    let Assign { target, value, place } = assign;
    JsonRecord::kind("assign")
        .texts("target", target)
        .put("value", expression(value))
        .put("place", names.scope.place(*place))
        .done()
}

fn send(names: &MachinePartNames, send: &Send) -> Value {
    let Send { target, name, arguments, place } = send;
    JsonRecord::kind("send")
        .texts("target", target)
        .put("name", name.as_str())
        .put("arguments", self::arguments(arguments))
        .put("place", names.scope.place(*place))
        .done()
}

fn note(names: &MachinePartNames, note: &MachineNote) -> Value {
    let MachineNote { vertex, transition, look, text, place } = note;
    note_look(JsonRecord::new().put("text", text.as_str()), look)
        .put("vertex", vertex.map(|vertex| names.vertex(vertex)))
        .put("transition", transition.map(|transition| names.transitions[transition].as_str()))
        .put("place", names.scope.place(*place))
        .done()
}
