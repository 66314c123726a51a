//! In whose body each transition of a state machine is written.
//!
//! Transitions are ordered by their place in the text, and a body stands in one piece. So the transitions written in a
//! composite's body must follow each other in that order; all others stand outside of every body, which Mermaid allows
//! for states that are placed already. A transition from or to `[*]` has no choice: it belongs into the body of its
//! region. The body takes those, and their neighbours in the order as far as they fit; if it has none, the longest run
//! of transitions that fit.

use sequent_kernel::model::{Machine, RegionId, Transition, TransitionKind, Vertex, VertexId, VertexKind};

/// The region in whose body each transition is written, by index.
pub(crate) fn homes(machine: &Machine) -> Vec<RegionId> {
    let outermost = machine.top_regions().next().expect("a machine has a region");
    let own_of = |it: &Transition| own_region(machine, it).filter(|_| it.kind != TransitionKind::Internal);
    let own: Vec<Option<RegionId>> = machine.transitions.iter().map(own_of).collect();
    let mut inside: Vec<bool> = own.iter().map(Option::is_some).collect();
    for composite in composites(machine) {
        let fits: Vec<bool> =
            own.iter().zip(&inside).map(|(own, inside)| *inside && is_in(machine, *own, composite)).collect();
        let run = run(machine, composite, &fits);
        for (index, fits) in fits.iter().enumerate() {
            inside[index] &= !fits || run.contains(&index);
        }
    }
    own.iter().zip(inside).map(|(own, inside)| own.filter(|_| inside).unwrap_or(outermost)).collect()
}

/// The region that both ends of a transition lie in, or whose `[*]` one end is.
fn own_region(machine: &Machine, transition: &Transition) -> Option<RegionId> {
    let [from, to] = [transition.source, transition.target].map(|id| &machine.vertices[id]);
    match (from.region == to.region, is_star(from), is_star(to)) {
        (true, ..) | (false, true, _) => Some(from.region),
        (false, false, true) => Some(to.region),
        (false, false, false) => None,
    }
}

/// Whether a vertex is a `[*]`.
fn is_star(vertex: &Vertex) -> bool {
    vertex.label.is_empty() && matches!(vertex.kind, VertexKind::Initial | VertexKind::Final)
}

/// Composite states, outer before inner.
fn composites(machine: &Machine) -> impl Iterator<Item = VertexId> {
    let is_composite =
        |vertex: &Vertex| matches!(&vertex.kind, VertexKind::State(body) if !body.regions.is_empty());
    machine.vertices.enumerate().filter(move |(_, vertex)| is_composite(vertex)).map(|(id, _)| id)
}

/// Whether a region lies somewhere inside a composite state.
fn is_in(machine: &Machine, region: Option<RegionId>, composite: VertexId) -> bool {
    let mut owner = region.and_then(|region| machine.regions[region].owner);
    while let Some(vertex) = owner {
        if vertex == composite {
            return true;
        }
        owner = machine.parent(vertex);
    }
    false
}

/// The transitions to be written in a composite's body.
fn run(machine: &Machine, composite: VertexId, fits: &[bool]) -> std::ops::Range<usize> {
    let transitions: Vec<&Transition> = machine.transitions.iter().collect();
    let must = |index: &usize| {
        let ends = [transitions[*index].source, transitions[*index].target];
        fits[*index] && ends.iter().any(|end| is_star(&machine.vertices[*end]))
    };
    let bound: Vec<usize> = (0..fits.len()).filter(must).collect();
    if let (Some(first), Some(last)) = (bound.first(), bound.last()) {
        let start = (0..*first).rev().take_while(|index| fits[*index]).last().unwrap_or(*first);
        let end = (*last + 1..fits.len()).take_while(|index| fits[*index]).last().unwrap_or(*last);
        return start..end + 1;
    }
    let mut best = 0..0;
    let mut at = 0;
    while at < fits.len() {
        let length = fits[at..].iter().take_while(|fits| **fits).count();
        if length > best.len() {
            best = at..at + length;
        }
        at += length.max(1);
    }
    let touches = |index: usize| {
        let ends = [transitions[index].source, transitions[index].target];
        ends.iter().any(|end| is_in(machine, Some(machine.vertices[*end].region), composite))
    };
    // A transition outside names a state inside before the body: then the body comes first, without
    // transitions.
    let is_late =
        (0..best.start).any(|index| transitions[index].kind != TransitionKind::Internal && touches(index));
    if is_late { 0..0 } else { best }
}

/// The composite state that lies in `region` itself and around `vertex`.
pub(crate) fn ancestor_in(machine: &Machine, vertex: VertexId, region: RegionId) -> Option<VertexId> {
    let mut vertex = vertex;
    while machine.vertices[vertex].region != region {
        vertex = machine.parent(vertex)?;
    }
    Some(vertex)
}
