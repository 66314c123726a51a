//! States that nothing leads to: W301.
//!
//! Guards count as satisfiable and triggers as available, so what is found unreachable is so whatever happens. Entering
//! a composite enters each of its regions where it begins; entering a state inside enters the other regions too. A region
//! that does not say where it begins may begin anywhere (that it does not say so is W307). Of a group of unreachable states
//! that lead to each other, one is reported.

use crate::diagnostic::{Code, Diagnostic, Remedy, slip_of};
use crate::id::Id;
use crate::model::{Machine, RegionId, VertexId, VertexKind};

use super::{Outgoing, entered};

pub(super) fn check(machine: &Machine, outgoing: &Outgoing, findings: &mut Vec<Diagnostic>) {
    let mut search = VertexSearch::new(machine, outgoing);
    machine.top_regions().for_each(|region| search.begin(region));
    search.run();
    // What nothing at all leads to comes first; then, of states that only lead to each other, the first.
    let entered = entered(machine);
    let roots = machine.vertices.ids().filter(|vertex| !entered[vertex.index()]);
    for vertex in roots.chain(machine.vertices.ids()) {
        let inside_unreached = machine.parent(vertex).is_some_and(|parent| !search.reached[parent.index()]);
        let own = &machine.vertices[vertex];
        // A stereotype that UML does not have says that this is no state as others are.
        let is_reported = is_reported(&own.kind) && own.stereotypes.is_empty();
        if search.reached[vertex.index()] || inside_unreached || !is_reported {
            continue;
        }
        findings.push(finding(machine, vertex, entered[vertex.index()]));
        search.target(vertex);
        search.run();
    }
}

fn finding(machine: &Machine, vertex: VertexId, entered: bool) -> Diagnostic {
    let vertex = &machine.vertices[vertex];
    let others = machine.vertices.iter().map(|other| other.name.as_str()).filter(|name| *name != vertex.name);
    if let (Some(near), false) = (slip_of(&vertex.name, others), vertex.declared) {
        let message = format!("`{}` can never be reached, and is very like `{near}`", vertex.name);
        let hint = format!("did you mean `{near}`?");
        let remedy = Remedy::Rename(vertex.name.clone(), near.to_owned());
        return Diagnostic::new(Code::UnreachableState, vertex.place.0, message).hint(hint).remedy(remedy);
    }
    let message = format!("`{}` can never be reached", vertex.name);
    Diagnostic::new(Code::UnreachableState, vertex.place.0, message).hint(if entered {
        "transitions lead here only from states that cannot be reached either"
    } else {
        "no transition leads here: add one, or remove the state"
    })
}

/// Vertices that stand for themselves in the text.
fn is_reported(kind: &VertexKind) -> bool {
    match kind {
        VertexKind::State(_)
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::Terminate => true,
        VertexKind::Initial
        | VertexKind::Final
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Exit => false,
    }
}

/// Which vertices can be active or passed.
struct VertexSearch<'a> {
    machine: &'a Machine,
    outgoing: &'a Outgoing,
    reached: Vec<bool>,
    /// The regions that have been entered at their beginning.
    begun: Vec<bool>,
    next: Vec<VertexId>,
}

impl<'a> VertexSearch<'a> {
    fn new(machine: &'a Machine, outgoing: &'a Outgoing) -> Self {
        let reached = vec![false; machine.vertices.len()];
        let begun = vec![false; machine.regions.len()];
        VertexSearch { machine, outgoing, reached, begun, next: Vec::new() }
    }

    /// Follows all transitions from what has been reached.
    fn run(&mut self) {
        while let Some(vertex) = self.next.pop() {
            self.surround(vertex);
            let mut leaves = false;
            for transition in self.outgoing.from(self.machine, vertex) {
                leaves = true;
                self.target(transition.target);
            }
            self.fall_through(vertex, leaves);
        }
    }

    fn reach(&mut self, vertex: VertexId) {
        if !std::mem::replace(&mut self.reached[vertex.index()], true) {
            self.next.push(vertex);
        }
    }

    /// A transition ends here: a composite begins in all its regions.
    fn target(&mut self, vertex: VertexId) {
        self.reach(vertex);
        if let VertexKind::State(body) = &self.machine.vertices[vertex].kind {
            body.regions.iter().for_each(|region| self.begin(*region));
        }
    }

    /// Enters a region where it begins, or anywhere if it does not say where.
    fn begin(&mut self, region: RegionId) {
        if std::mem::replace(&mut self.begun[region.index()], true) {
            return;
        }
        let members = &self.machine.regions[region].vertices;
        let is_initial = |vertex: &&VertexId| self.machine.vertices[**vertex].kind == VertexKind::Initial;
        let initial: Vec<VertexId> = members.iter().filter(is_initial).copied().collect();
        if initial.is_empty() {
            members.iter().for_each(|vertex| self.target(*vertex));
        } else {
            initial.into_iter().for_each(|vertex| self.reach(vertex));
        }
    }

    /// What is active around a vertex: the composite, and its other regions from their beginning.
    fn surround(&mut self, vertex: VertexId) {
        let Some(parent) = self.machine.parent(vertex) else { return };
        let own = self.machine.vertices[vertex].region;
        self.reach(parent);
        if let VertexKind::State(body) = &self.machine.vertices[parent].kind {
            body.regions.iter().filter(|region| **region != own).for_each(|region| self.begin(*region));
        }
    }

    /// Entry points and history without a transition of their own lead to where the composite begins.
    fn fall_through(&mut self, vertex: VertexId, leaves: bool) {
        match self.machine.vertices[vertex].kind {
            VertexKind::Entry | VertexKind::ShallowHistory | VertexKind::DeepHistory if !leaves => {
                self.begin(self.machine.vertices[vertex].region);
            }
            VertexKind::State(_)
            | VertexKind::Initial
            | VertexKind::Final
            | VertexKind::Choice
            | VertexKind::Junction
            | VertexKind::Fork
            | VertexKind::Join
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Entry
            | VertexKind::Exit
            | VertexKind::Terminate => {}
        }
    }
}
