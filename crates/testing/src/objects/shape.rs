//! The shape of a machine: the nesting of its vertices and regions, and what a transition leaves.

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Machine, RegionId, StateBody, TransitionId, TransitionKind, VertexId, VertexKind,
};

/// The content of a state; `None` for pseudostates.
pub fn body(machine: &Machine, vertex: VertexId) -> Option<&StateBody> {
    match &machine.vertices[vertex].kind {
        VertexKind::State(body) => Some(body),
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
        | VertexKind::Terminate => None,
    }
}

/// The transitions from a vertex.
pub fn outgoing(machine: &Machine, vertex: VertexId) -> Vec<TransitionId> {
    machine.transitions.enumerate().filter(|(_, one)| one.source == vertex).map(|(id, _)| id).collect()
}

/// The transitions to a vertex.
pub fn incoming(machine: &Machine, vertex: VertexId) -> Vec<TransitionId> {
    machine.transitions.enumerate().filter(|(_, one)| one.target == vertex).map(|(id, _)| id).collect()
}

/// Whether a vertex lies in a composite state, at any depth.
pub fn is_inside(machine: &Machine, vertex: VertexId, around: VertexId) -> bool {
    let mut up = machine.parent(vertex);
    while let Some(parent) = up {
        if parent == around {
            return true;
        }
        up = machine.parent(parent);
    }
    false
}

/// The vertex directly in a region that is another vertex or lies around it.
pub(crate) fn in_region(machine: &Machine, region: RegionId, vertex: VertexId) -> Option<VertexId> {
    let mut up = Some(vertex);
    while let Some(vertex) = up {
        if machine.vertices[vertex].region == region {
            return Some(vertex);
        }
        up = machine.parent(vertex);
    }
    None
}

/// The least region that holds all of some vertices.
pub(crate) fn common_region(machine: &Machine, vertices: &[VertexId]) -> RegionId {
    let mut up = vertices[0];
    loop {
        let region = machine.vertices[up].region;
        if vertices.iter().all(|vertex| in_region(machine, region, *vertex).is_some()) {
            return region;
        }
        up = machine.parent(up).expect("no transition crosses the regions of the machine itself");
    }
}

/// The region in which a transition leaves one vertex and comes to another. An exit point belongs to the whole of its
/// composite state, not to one of its regions.
pub fn domain(machine: &Machine, transition: TransitionId) -> RegionId {
    let transition = &machine.transitions[transition];
    let (source, target) = (transition.source, transition.target);
    let within = |composite: VertexId, vertex: VertexId| {
        let regions = &body(machine, composite).expect("it is composite").regions;
        regions.iter().copied().find(|region| in_region(machine, *region, vertex).is_some())
    };
    if transition.kind == TransitionKind::Local && is_inside(machine, target, source) {
        return within(source, target).expect("it lies inside");
    }
    if machine.vertices[target].kind == VertexKind::Exit {
        let composite = machine.parent(target).expect("exit points belong to composite states");
        if let Some(region) = within(composite, source) {
            return region;
        }
    }
    common_region(machine, &[source, target])
}

/// The state that a transition leaves with all inside of it, if it leaves any.
pub fn left(machine: &Machine, active: &[Option<VertexId>], transition: TransitionId) -> Option<VertexId> {
    let one = &machine.transitions[transition];
    if one.kind == TransitionKind::Internal {
        return None;
    }
    let region = domain(machine, transition);
    let vertex = in_region(machine, region, one.source).or(active[region.index()]);
    vertex.filter(|vertex| body(machine, *vertex).is_some())
}

/// The vertex where a region begins.
pub fn initial(machine: &Machine, region: RegionId) -> Option<VertexId> {
    machine.regions[region]
        .vertices
        .iter()
        .copied()
        .find(|vertex| machine.vertices[*vertex].kind == VertexKind::Initial)
}

/// Whether it matters in which state a region was left.
pub fn remembers(machine: &Machine, region: RegionId) -> bool {
    let has = |region: RegionId, kind: VertexKind| {
        machine.regions[region].vertices.iter().any(|vertex| machine.vertices[*vertex].kind == kind)
    };
    let mut up = Some(region);
    while let Some(around) = up {
        if has(around, VertexKind::DeepHistory) {
            return true;
        }
        up = machine.regions[around].owner.map(|owner| machine.vertices[owner].region);
    }
    has(region, VertexKind::ShallowHistory)
}

/// Whether transitions to a vertex wait for each other: it is a join, or an exit point that several regions lead to.
pub fn is_join(machine: &Machine, vertex: VertexId) -> bool {
    match machine.vertices[vertex].kind {
        VertexKind::Join => true,
        VertexKind::Exit => {
            let firsts = incoming(machine, vertex);
            let mut regions = firsts.iter().map(|first| joining_region(machine, *first));
            let first = regions.next();
            regions.any(|region| Some(region) != first)
        }
        VertexKind::State(_)
        | VertexKind::Initial
        | VertexKind::Final
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Terminate => false,
    }
}

/// The region that waits at a join once one of its states has gone there: the one that lies in the same state as those of the
/// other sources.
pub fn joining_region(machine: &Machine, first: TransitionId) -> RegionId {
    let transition = &machine.transitions[first];
    let others: Vec<VertexId> = incoming(machine, transition.target)
        .into_iter()
        .map(|other| machine.transitions[other].source)
        .collect();
    let mut source = transition.source;
    loop {
        let region = machine.vertices[source].region;
        match machine.parent(source) {
            Some(parent) if !others.iter().all(|other| is_inside(machine, *other, parent)) => source = parent,
            Some(_) | None => return region,
        }
    }
}
