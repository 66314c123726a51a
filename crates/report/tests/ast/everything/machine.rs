//! Machines in which everything occurs.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::*;
use sequent_kernel::source::Place;

use super::{argument_lists, attributes, conditions, every, text};

/// A machine with nothing in it.
pub(crate) fn bare(place: Place) -> Machine {
    Machine {
        name: text("Atm"),
        title: None,
        captions: Vec::new(),
        class: None,
        attributes: Vec::new(),
        contracts: Vec::new(),
        regions: IdVec::new(),
        vertices: IdVec::new(),
        transitions: IdVec::new(),
        notes: Vec::new(),
        flow: None,
        place,
    }
}

/// A machine with everything in it: vertices of every kind, at the top and in a composite state.
pub(crate) fn full(place: Place) -> Machine {
    let mut machine = Machine {
        title: Some(text("Automaton")),
        captions: super::interaction::captions(),
        flow: Some(Flow::Right),
        class: Some(text("Bank")),
        attributes: attributes(place),
        contracts: [false, true]
            .into_iter()
            .map(|is_post| Contract { name: text("charge"), is_post, condition: conditions(place).remove(0) })
            .collect(),
        ..bare(place)
    };
    let top = machine.regions.push(Region { owner: None, vertices: Vec::new(), place });
    let inner = RegionId::from_index(1);
    let body = StateBody { regions: vec![inner], ..behaviour(place) };
    let composite = machine.vertices.push(vertex(VertexKind::State(body), top, place));
    machine.regions[top].vertices.push(composite);
    machine.regions.push(Region { owner: Some(composite), vertices: Vec::new(), place });
    for region in [top, inner] {
        for kind in kinds() {
            let id = machine.vertices.push(vertex(kind, region, place));
            machine.regions[region].vertices.push(id);
        }
    }
    machine.transitions = transitions(place, composite).into_iter().collect();
    let transition = machine.transitions.ids().next();
    machine.notes = vec![
        MachineNote {
            vertex: Some(composite),
            transition: None,
            look: NoteLook { side: Some(NoteSide::Left), colour: Some(text("#Yellow")) },
            text: text("here"),
            place,
        },
        MachineNote { vertex: None, transition, look: NoteLook::default(), text: text("there"), place },
    ];
    machine
}

fn kinds() -> Vec<VertexKind> {
    every!(VertexKind {
        State(StateBody::default()),
        Initial, Final, Choice, Junction, Fork, Join, ShallowHistory, DeepHistory, Entry, Exit, Terminate,
    })
}

/// A vertex; those of one kind are called the same, so that ids are numbered.
fn vertex(kind: VertexKind, region: RegionId, place: Place) -> Vertex {
    let is_state = matches!(kind, VertexKind::State(_));
    Vertex {
        name: if is_state { text("Idle") } else { format!("{kind:?}") },
        label: text("Idle"),
        region,
        stereotypes: vec![text("slow")],
        colour: (region.index() == 0).then(|| text("#yellow")),
        declared: is_state,
        kind,
        place,
    }
}

fn behaviour(place: Place) -> StateBody {
    StateBody {
        regions: Vec::new(),
        entry: effects(place),
        exit: effects(place),
        activity: effects(place),
        deferred: triggers(place),
        description: vec![text("waits for a card")],
    }
}

fn transitions(place: Place, vertex: VertexId) -> Vec<Transition> {
    let completion = Transition {
        source: vertex,
        target: vertex,
        kind: TransitionKind::External,
        text: String::new(),
        triggers: Vec::new(),
        guard: None,
        effects: Vec::new(),
        look: LineLook::default(),
        place,
    };
    let full = |kind| Transition {
        look: LineLook { way: Some(LineWay::Up), colour: Some(text("red")) },
        kind,
        text: text("card [ok] / x := 1"),
        triggers: triggers(place),
        guard: conditions(place).pop(),
        effects: effects(place),
        ..completion.clone()
    };
    let kinds = every!(TransitionKind { External, Local, Internal });
    kinds.into_iter().map(full).chain([completion.clone()]).collect()
}

fn triggers(place: Place) -> Vec<Trigger> {
    every!(Trigger {
        Event { name: text("card"), parameters: vec![text("number")] },
        Any,
        After(text("5 s")),
        When(conditions(place).remove(0)),
    })
}

fn effects(place: Place) -> Vec<Effect> {
    let send = |arguments| Send { target: vec![text("bank")], name: text("verify"), arguments, place };
    let mut effects = every!(Effect {
        Assign(Assign { target: vec![text("x")], value: Expression::Int(1), place }),
        Send(send(None)),
        Opaque { text: text("beep twice"), place },
    });
    effects.extend(argument_lists().into_iter().map(|arguments| Effect::Send(send(arguments))));
    effects
}
