//! State machines.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Effect, Machine, MachineId, RegionId, Subject, Transition, TransitionKind, Trigger, Vertex, VertexId,
    VertexKind,
};

use super::{XmiEvent, XmiWriter, directive, machine_id, owns_behaviour};
use crate::label;

impl XmiWriter<'_> {
    /// The machines that belong to no class of the model.
    pub(super) fn machines(&mut self) {
        let model = self.model;
        for (id, machine) in model.machines.enumerate() {
            if self.owner(machine).is_none() {
                self.machine("packagedElement", id, machine);
            }
        }
    }

    /// The machines of a class.
    pub(super) fn machines_of(&mut self, class: &str) {
        let model = self.model;
        for (id, machine) in model.machines.enumerate() {
            if self.owner(machine) == Some(class) {
                self.machine("ownedBehavior", id, machine);
            }
        }
    }

    /// The machine that is the behaviour of a class.
    pub(super) fn behaviour_of(&self, class: &str) -> Option<String> {
        let mut machines = self.model.machines.enumerate();
        machines.find(|(_, machine)| self.owner(machine) == Some(class)).map(|(id, _)| machine_id(id))
    }

    /// The class in which a machine is written.
    fn owner<'a>(&self, machine: &'a Machine) -> Option<&'a str> {
        let name = machine.class.as_deref().unwrap_or(&machine.name);
        let class = self.model.classes.iter().find(|class| class.name == name);
        class.filter(|class| owns_behaviour(class.kind)).map(|_| name)
    }

    fn machine(&mut self, role: &str, id: MachineId, machine: &Machine) {
        let own = machine_id(id);
        self.open(role, &[("xmi:type", "uml:StateMachine"), ("xmi:id", &own), ("name", &machine.name)]);
        self.directives(id, machine);
        for (index, attribute) in machine.attributes.iter().enumerate() {
            self.attribute(&format!("{own}_a{index}"), attribute);
        }
        for (index, note) in machine.notes.iter().enumerate() {
            let vertex = note.vertex.map(|vertex| vertex_id(&own, vertex));
            let about = vertex.or_else(|| note.transition.map(|one| transition_id(&own, one.index())));
            let comment = format!("{own}_n{index}");
            let about = about.unwrap_or_default();
            self.open(
                "ownedComment",
                &[("xmi:type", "uml:Comment"), ("xmi:id", &comment), ("annotatedElement", &about)],
            );
            self.leaf("body", &note.text);
            self.close("ownedComment");
        }
        let tops: Vec<RegionId> = machine.top_regions().collect();
        for (index, region) in tops.iter().enumerate() {
            self.region(&own, machine, *region, index == 0);
        }
        self.points(&own, machine, &tops);
        self.close(role);
    }

    /// What UML has no element for, as a comment that is read as directives.
    fn directives(&mut self, id: MachineId, machine: &Machine) {
        let model = self.model;
        let is_apart = self.owner(machine).is_none();
        let class = machine.class.iter().filter(|_| is_apart).map(|class| format!("@class {class}"));
        let contracts = machine.contracts.iter().map(label::contract);
        let questions = model.directives(Some(Subject::Machine(id))).map(directive);
        let lines: Vec<String> = class.chain(contracts).chain(questions).collect();
        self.directive_lines(&machine_id(id), &lines);
    }

    /// A region; the first of the machine holds all transitions.
    fn region(&mut self, own: &str, machine: &Machine, region: RegionId, has_transitions: bool) {
        let id = format!("{own}_r{}", region.index());
        self.open("region", &[("xmi:type", "uml:Region"), ("xmi:id", &id)]);
        for vertex in &machine.regions[region].vertices {
            if !is_point(machine, *vertex) {
                self.vertex(own, machine, *vertex, "subvertex");
            }
        }
        if has_transitions {
            for (id, transition) in machine.transitions.enumerate() {
                self.transition(own, id.index(), transition);
            }
        }
        self.close("region");
    }

    /// Entry and exit points belong to the state around them.
    fn points(&mut self, own: &str, machine: &Machine, regions: &[RegionId]) {
        for vertex in regions.iter().flat_map(|region| &machine.regions[*region].vertices) {
            if is_point(machine, *vertex) {
                self.vertex(own, machine, *vertex, "connectionPoint");
            }
        }
    }

    fn vertex(&mut self, own: &str, machine: &Machine, id: VertexId, role: &str) {
        let vertex = &machine.vertices[id];
        let (type_name, kind) = match &vertex.kind {
            VertexKind::State(_) => ("uml:State", ""),
            VertexKind::Final => ("uml:FinalState", ""),
            VertexKind::Initial => ("uml:Pseudostate", ""),
            VertexKind::Choice => ("uml:Pseudostate", "choice"),
            VertexKind::Junction => ("uml:Pseudostate", "junction"),
            VertexKind::Fork => ("uml:Pseudostate", "fork"),
            VertexKind::Join => ("uml:Pseudostate", "join"),
            VertexKind::ShallowHistory => ("uml:Pseudostate", "shallowHistory"),
            VertexKind::DeepHistory => ("uml:Pseudostate", "deepHistory"),
            VertexKind::Entry => ("uml:Pseudostate", "entryPoint"),
            VertexKind::Exit => ("uml:Pseudostate", "exitPoint"),
            VertexKind::Terminate => ("uml:Pseudostate", "terminate"),
        };
        let written = vertex_id(own, id);
        let attributes =
            [("xmi:type", type_name), ("xmi:id", written.as_str()), ("name", name(vertex)), ("kind", kind)];
        let VertexKind::State(body) = &vertex.kind else {
            self.empty(role, &attributes);
            return;
        };
        self.open(role, &attributes);
        for (role, effects) in [("entry", &body.entry), ("exit", &body.exit), ("doActivity", &body.activity)]
        {
            self.behaviour(role, &format!("{written}_{role}"), effects);
        }
        for (index, trigger) in body.deferred.iter().enumerate() {
            self.trigger("deferrableTrigger", &format!("{written}_d{index}"), trigger);
        }
        for region in &body.regions {
            self.region(own, machine, *region, false);
        }
        self.points(own, machine, &body.regions);
        self.close(role);
    }

    fn behaviour(&mut self, role: &str, id: &str, effects: &[Effect]) {
        if effects.is_empty() {
            return;
        }
        self.open(role, &[("xmi:type", "uml:OpaqueBehavior"), ("xmi:id", id)]);
        let texts: Vec<String> = effects.iter().map(label::effect).collect();
        self.leaf("body", &texts.join("; "));
        self.close(role);
    }

    fn transition(&mut self, own: &str, index: usize, transition: &Transition) {
        let id = transition_id(own, index);
        let kind = match transition.kind {
            TransitionKind::External => "",
            TransitionKind::Local => "local",
            TransitionKind::Internal => "internal",
        };
        let [source, target] = [transition.source, transition.target].map(|end| vertex_id(own, end));
        let rule = format!("{id}_g");
        let guard = if transition.guard.is_some() { rule.as_str() } else { "" };
        let attributes = [
            ("xmi:type", "uml:Transition"),
            ("xmi:id", id.as_str()),
            ("kind", kind),
            ("source", &source),
            ("target", &target),
            ("guard", guard),
        ];
        self.open("transition", &attributes);
        if let Some(guard) = &transition.guard {
            self.constraint("ownedRule", &rule, &guard.text);
        }
        self.behaviour("effect", &format!("{id}_e"), &transition.effects);
        for (index, trigger) in transition.triggers.iter().enumerate() {
            self.trigger("trigger", &format!("{id}_t{index}"), trigger);
        }
        self.close("transition");
    }

    /// A trigger; where the model has no signal for it, the name stands in the trigger alone.
    fn trigger(&mut self, role: &str, id: &str, trigger: &Trigger) {
        let event = match trigger {
            Trigger::Event { name, parameters } => self.signal_event(name, parameters),
            Trigger::Any => Some(XmiEvent { kind: "AnyReceiveEvent", signal: None, value: None }),
            Trigger::After(time) => {
                Some(XmiEvent { kind: "TimeEvent", signal: None, value: Some(("when", time.clone())) })
            }
            Trigger::When(condition) => {
                let value = Some(("changeExpression", condition.text.clone()));
                Some(XmiEvent { kind: "ChangeEvent", signal: None, value })
            }
        };
        let name = if event.is_some() { String::new() } else { label::trigger(trigger) };
        let reference = event.map(|event| {
            self.events.push(event);
            format!("_e{}", self.events.len() - 1)
        });
        let attributes = [
            ("xmi:type", "uml:Trigger"),
            ("xmi:id", id),
            ("name", name.as_str()),
            ("event", reference.as_deref().unwrap_or_default()),
        ];
        self.empty(role, &attributes);
    }

    fn signal_event(&self, name: &str, parameters: &[String]) -> Option<XmiEvent> {
        let class = self.model.classes.iter().find(|class| class.name == *name)?;
        let own: Vec<&String> = class.attributes.iter().map(|attribute| &attribute.name).collect();
        let fits = own.into_iter().eq(parameters);
        self.signal(name).filter(|_| fits).map(|signal| XmiEvent {
            kind: "SignalEvent",
            signal: Some(signal),
            value: None,
        })
    }
}

/// Whether a vertex is a connection point of the state around it: those stand behind the other vertices of its first region.
fn is_point(machine: &Machine, vertex: VertexId) -> bool {
    let is_kind = |one: VertexId| matches!(machine.vertices[one].kind, VertexKind::Entry | VertexKind::Exit);
    let region = machine.vertices[vertex].region;
    let owner = machine.regions[region].owner;
    let is_first =
        machine.regions.enumerate().find(|(_, one)| one.owner == owner).map(|(id, _)| id) == Some(region);
    let behind = machine.regions[region].vertices.iter().skip_while(|one| **one != vertex);
    is_first && behind.into_iter().all(|one| is_kind(*one))
}

/// The label, unless it is another word than the name that transitions use.
fn name(vertex: &Vertex) -> &str {
    let is_given =
        vertex.label.is_empty() || vertex.name.starts_with('*') || vertex.name.contains(&vertex.label);
    if is_given { &vertex.label } else { &vertex.name }
}

fn vertex_id(machine: &str, vertex: VertexId) -> String {
    format!("{machine}_v{}", vertex.index())
}

fn transition_id(machine: &str, index: usize) -> String {
    format!("{machine}_t{index}")
}
