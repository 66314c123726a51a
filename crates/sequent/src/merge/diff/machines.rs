//! Draws differences of state machines: both versions in one machine, with what was added, deleted and edited marked.
//!
//! Machines are matched by name, states by name, other vertices by what they are and the region they lie in, transitions by
//! their ends and their text; a transition whose text alone differs is edited. What only the old version has is put into the
//! new one, where the state around it now is.

use std::collections::BTreeMap;

use sequent_kernel::model::{
    Machine, Region, RegionId, StateBody, Transition, TransitionId, Vertex, VertexId, VertexKind,
};
use sequent_notation::Loader;
use sequent_report::draw::{Change, Highlight};

use crate::merge::read::{Piece, read_model};

/// The state machines in which something changed, with the states and transitions of both versions, and which of them did.
pub fn both(name: &str, old: &[Piece], new: &[Piece], loader: &mut dyn Loader) -> Vec<(Machine, Highlight)> {
    let mut machines = |pieces: &[Piece]| -> Vec<Machine> {
        let lines: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let (model, _) = read_model(name, &lines.join("\n"), loader);
        model.machines.iter().cloned().collect()
    };
    let (old, new) = (machines(old), machines(new));
    let mut drawn = Vec::new();
    for (number, machine) in new.iter().enumerate() {
        let before = before(&old, &new, number);
        drawn.extend(united(before, machine));
    }
    for machine in &old {
        if !new.iter().enumerate().any(|(number, _)| before(&old, &new, number) == Some(machine)) {
            drawn.extend(united(Some(machine), &without_content(machine)));
        }
    }
    drawn
}

/// The old version of a machine: the one of its name, or the only one if the name alone has changed.
fn before<'m>(old: &'m [Machine], new: &[Machine], number: usize) -> Option<&'m Machine> {
    let same = old.iter().find(|machine| machine.name == new[number].name);
    let only = (old.len() == 1 && new.len() == 1).then(|| old.first()).flatten();
    same.or(only)
}

/// A machine of this name in which there is nothing.
fn without_content(machine: &Machine) -> Machine {
    Machine {
        regions: Default::default(),
        vertices: Default::default(),
        transitions: Default::default(),
        notes: Vec::new(),
        ..machine.clone()
    }
}

/// A machine with what its old version had besides; `None` if nothing changed.
fn united(old: Option<&Machine>, new: &Machine) -> Option<(Machine, Highlight)> {
    let mut union = Union {
        machine: new.clone(),
        vertices: BTreeMap::new(),
        changes: BTreeMap::new(),
        states: BTreeMap::new(),
    };
    let empty = without_content(new);
    union.add_all(old.unwrap_or(&empty), new);
    if union.changes.is_empty() && union.states.is_empty() {
        return None;
    }
    for (id, change) in &union.states {
        let vertex = &mut union.machine.vertices[*id];
        vertex.label = format!("{}{}", change.sign(), vertex.label);
        vertex.colour = Some(change.fill().to_owned());
    }
    for (id, change) in &union.changes {
        let transition = &mut union.machine.transitions[*id];
        transition.text = format!("{}{}", change.sign(), transition.text);
    }
    Some((union.machine, Highlight { changes: union.changes, ..Highlight::default() }))
}

struct Union {
    machine: Machine,
    /// The vertices of the old version in the union.
    vertices: BTreeMap<VertexId, VertexId>,
    states: BTreeMap<VertexId, Change>,
    changes: BTreeMap<TransitionId, Change>,
}

impl Union {
    fn add_all(&mut self, old: &Machine, new: &Machine) {
        for (id, vertex) in new.vertices.enumerate() {
            match old.vertices.find(|other| is_same(old, other, new, vertex)) {
                Some(other) => {
                    self.vertices.insert(other, id);
                    let is_edited = says(old, &old.vertices[other]) != says(new, vertex);
                    if is_edited {
                        self.states.insert(id, Change::Edited);
                    }
                }
                None => {
                    self.states.insert(id, Change::Added);
                }
            }
        }
        for (region, _) in old.regions.enumerate() {
            self.add_region(old, region);
        }
        self.match_transitions(old, new);
    }

    /// Adds the vertices of a region that only the old version has. Regions come after the state that they belong to.
    fn add_region(&mut self, old: &Machine, region: RegionId) {
        let missing: Vec<VertexId> = old.regions[region]
            .vertices
            .iter()
            .copied()
            .filter(|id| !self.vertices.contains_key(id))
            .collect();
        for id in missing {
            let here = self.region(old, region);
            let vertex = &old.vertices[id];
            let kind = match vertex.kind.body() {
                Some(body) => VertexKind::State(StateBody { regions: Vec::new(), ..body.clone() }),
                None => vertex.kind.clone(),
            };
            let added = self.machine.vertices.push(Vertex { region: here, kind, ..vertex.clone() });
            self.machine.regions[here].vertices.push(added);
            self.vertices.insert(id, added);
            self.states.insert(added, Change::Deleted);
        }
    }

    /// Where a region of the old version is in the union.
    fn region(&mut self, old: &Machine, region: RegionId) -> RegionId {
        let owner = old.regions[region].owner.and_then(|owner| self.vertices.get(&owner).copied());
        let siblings: Vec<RegionId> = match old.regions[region].owner {
            Some(owner) => {
                old.vertices[owner].kind.body().map(|body| body.regions.clone()).unwrap_or_default()
            }
            None => old.top_regions().collect(),
        };
        let number = siblings.iter().position(|one| *one == region).unwrap_or(0);
        let known: Vec<RegionId> = match owner {
            Some(owner) => {
                self.machine.vertices[owner].kind.body().map(|body| body.regions.clone()).unwrap_or_default()
            }
            None => self.machine.top_regions().collect(),
        };
        if let Some(found) = known.get(number) {
            return *found;
        }
        let added = self.machine.regions.push(Region {
            owner,
            vertices: Vec::new(),
            place: old.regions[region].place,
        });
        if let Some(owner) = owner
            && let VertexKind::State(body) = &mut self.machine.vertices[owner].kind
        {
            body.regions.push(added);
        }
        added
    }

    fn match_transitions(&mut self, old: &Machine, new: &Machine) {
        let mut open: Vec<TransitionId> = new.transitions.ids().collect();
        let mut left: Vec<TransitionId> = Vec::new();
        for (id, transition) in old.transitions.enumerate() {
            let is_it = |other: &&TransitionId| {
                let other = &new.transitions[**other];
                self.joins_same(transition, other)
                    && words(transition) == words(other)
                    && transition.kind == other.kind
            };
            match open.iter().find(is_it).copied() {
                Some(same) => open.retain(|one| *one != same),
                None => left.push(id),
            }
        }
        for id in left {
            let transition = &old.transitions[id];
            let edited =
                open.iter().find(|other| self.joins_same(transition, &new.transitions[**other])).copied();
            if let Some(edited) = edited {
                open.retain(|one| *one != edited);
                self.changes.insert(edited, Change::Edited);
                continue;
            }
            let ends = (self.vertices.get(&transition.source), self.vertices.get(&transition.target));
            if let (Some(source), Some(target)) = ends {
                let moved = Transition { source: *source, target: *target, ..transition.clone() };
                let added = self.machine.transitions.push(moved);
                self.changes.insert(added, Change::Deleted);
            }
        }
        self.changes.extend(open.into_iter().map(|id| (id, Change::Added)));
    }

    /// Whether a transition of the old version and one of the new join the same vertices.
    fn joins_same(&self, old: &Transition, new: &Transition) -> bool {
        let ends = [old.source, old.target].map(|end| self.vertices.get(&end).copied());
        ends == [Some(new.source), Some(new.target)]
    }
}

/// The text of a transition, however it is spaced.
fn words(transition: &Transition) -> Vec<&str> {
    transition.text.split_whitespace().collect()
}

/// Whether two vertices are the same one.
fn is_same(old: &Machine, one: &Vertex, new: &Machine, other: &Vertex) -> bool {
    match (one.kind.body(), other.kind.body()) {
        (Some(_), Some(_)) => one.name == other.name,
        (None, None) => {
            one.kind == other.kind && one.name == other.name && owner(old, one) == owner(new, other)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The name of the state that a vertex lies in.
fn owner<'m>(machine: &'m Machine, vertex: &Vertex) -> Option<&'m str> {
    machine.regions[vertex.region].owner.map(|owner| machine.vertices[owner].name.as_str())
}

/// What a vertex says: its text, its behaviours, and where it lies.
fn says<'m>(
    machine: &'m Machine,
    vertex: &'m Vertex,
) -> (&'m str, &'m [String], Option<StateBody>, Option<&'m str>) {
    let body = vertex.kind.body().map(|body| StateBody { regions: Vec::new(), ..body.clone() });
    (&vertex.label, &vertex.stereotypes, body, owner(machine, vertex))
}
