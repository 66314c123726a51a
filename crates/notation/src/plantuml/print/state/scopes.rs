//! Where each transition must stand.
//!
//! `[*]` means the beginning or end of the region it stands in, and a state that is only named by transitions lies where it
//! is first named; such transitions need their region. The others may stand anywhere.

use sequent_kernel::id::Id;
use sequent_kernel::model::{Machine, RegionId, Transition, TransitionKind, Vertex, VertexId, VertexKind};

/// What the printer must know about the order of transitions and regions.
pub(super) struct Scopes {
    /// For each transition, the region it needs.
    pub needs: Vec<Option<RegionId>>,
    /// For each region, the last transition that needs it or a region inside, counted from 1; 0 if there is none.
    last: Vec<usize>,
    /// For each vertex, the first transition that names it.
    first_mention: Vec<Option<usize>>,
}

impl Scopes {
    pub(crate) fn of(machine: &Machine) -> Self {
        let mut scopes = Scopes {
            needs: Vec::new(),
            last: vec![0; machine.regions.len()],
            first_mention: vec![None; machine.vertices.len()],
        };
        for (index, transition) in machine.transitions.iter().enumerate() {
            let need = scopes.need(machine, transition);
            scopes.needs.push(need);
            for end in [transition.source, transition.target] {
                scopes.first_mention[end.index()].get_or_insert(index);
            }
            let mut at = need;
            while let Some(region) = at {
                scopes.last[region.index()] = index + 1;
                at = machine.regions[region].owner.map(|owner| machine.vertices[owner].region);
            }
        }
        scopes
    }

    /// Whether a transition from number `from` on (counted from 0) needs the region or one inside.
    pub(crate) fn is_needed(&self, region: RegionId, from: usize) -> bool {
        self.last[region.index()] > from
    }

    /// Whether nothing before a transition names the vertex.
    pub(crate) fn is_new(&self, machine: &Machine, vertex: VertexId, transition: usize) -> bool {
        let mentioned = self.first_mention[vertex.index()].is_some_and(|first| first < transition);
        !mentioned && !machine.vertices[vertex].declared && !is_anonymous(&machine.vertices[vertex])
    }

    /// The region the next transition needs, if it needs one.
    fn need(&self, machine: &Machine, transition: &Transition) -> Option<RegionId> {
        if transition.kind == TransitionKind::Internal {
            return None;
        }
        let ends = [transition.source, transition.target];
        let fixed = ends.iter().find(|end| is_fixed(machine, **end));
        let new = || ends.iter().find(|end| self.is_new(machine, **end, self.needs.len()));
        fixed.or_else(new).map(|end| machine.vertices[*end].region)
    }
}

/// Whether a vertex can be named inside its region only.
fn is_fixed(machine: &Machine, id: VertexId) -> bool {
    let vertex = &machine.vertices[id];
    match vertex.kind {
        VertexKind::Initial | VertexKind::Final => is_anonymous(vertex),
        VertexKind::ShallowHistory | VertexKind::DeepHistory => {
            is_anonymous(vertex) && history_owner(machine, id).is_none()
        }
        VertexKind::State(_)
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::Entry
        | VertexKind::Exit
        | VertexKind::Terminate => false,
    }
}

/// The composite `S` for which `S[H]` means this vertex: its history must be in the first region.
pub(super) fn history_owner(machine: &Machine, id: VertexId) -> Option<VertexId> {
    let owner = machine.parent(id)?;
    is_first(machine, machine.vertices[id].region).then_some(owner)
}

/// Whether a region is the first of its composite or of the machine.
pub(super) fn is_first(machine: &Machine, region: RegionId) -> bool {
    match machine.regions[region].owner.map(|owner| &machine.vertices[owner].kind) {
        Some(VertexKind::State(body)) => body.regions.first() == Some(&region),
        Some(_) => false,
        None => machine.top_regions().next() == Some(region),
    }
}

/// `[*]` and `[H]`: vertices without a name of their own.
pub(super) fn is_anonymous(vertex: &Vertex) -> bool {
    match vertex.kind {
        VertexKind::Initial | VertexKind::Final | VertexKind::ShallowHistory | VertexKind::DeepHistory => {
            !vertex.declared
        }
        VertexKind::State(_)
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::Entry
        | VertexKind::Exit
        | VertexKind::Terminate => false,
    }
}

/// The regions from the top to the one given.
pub(super) fn chain(machine: &Machine, region: RegionId) -> Vec<RegionId> {
    let mut chain = vec![region];
    while let Some(owner) = machine.regions[chain[chain.len() - 1]].owner {
        chain.push(machine.vertices[owner].region);
    }
    chain.reverse();
    chain
}
