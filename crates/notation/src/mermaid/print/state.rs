//! State machines as Mermaid `stateDiagram-v2`.
//!
//! A region's vertices are ordered by first mention and all transitions by their place in the text, across composite
//! states. So a composite's body stands where the first transition inside it stands in that order, and a state is
//! declared just before it is first named, unless a transition is what names it.
//!
//! Mermaid places a state into the last composite that names it, so a transition is written inside a body only if both
//! its ends lie there; any other stands outside of all bodies.

use std::collections::HashMap;

use crate::label;
use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Flow, Machine, MachineNote, NoteSide, RegionId, Transition, TransitionId, TransitionKind, VertexId,
    VertexKind,
};

use super::{PrintedPage, encode, placement};
use crate::mermaid::text::is_word;

/// A machine as a Mermaid `stateDiagram-v2`.
pub fn state(machine: &Machine) -> String {
    let mut page = match &machine.title {
        Some(title) => {
            PrintedPage::new(&format!("---\ntitle: {}\n---\nstateDiagram-v2", encode::yaml(title)))
        }
        None => PrintedPage::new("stateDiagram-v2"),
    };
    if machine.title.as_ref() != Some(&machine.name) {
        page.line(format!("%% @name {}", machine.name.replace('\n', " ")));
    }
    if let Some(class) = &machine.class {
        page.line(format!("%% @class {class}"));
    }
    for attribute in &machine.attributes {
        let type_name = attribute.type_name.as_ref().map(|text| format!(" : {text}")).unwrap_or_default();
        let initial = attribute.initial.as_ref().map(|text| format!(" = {text}")).unwrap_or_default();
        page.line(format!("%% @attribute {}{type_name}{initial}", attribute.name));
    }
    for contract in &machine.contracts {
        page.line(format!("%% {}", label::contract(contract)));
    }
    match machine.flow {
        Some(Flow::Right) => page.line("direction LR"),
        Some(Flow::Down) => page.line("direction TB"),
        None => {}
    }
    let mut printer = MermaidStatePrinter::new(machine, page);
    machine.top_regions().for_each(|region| printer.region(region));
    printer.remaining_notes();
    printer.colours();
    printer.page.text
}

pub(super) struct MermaidStatePrinter<'a> {
    pub(super) machine: &'a Machine,
    pub(super) page: PrintedPage,
    /// The region in whose body each transition is written.
    homes: Vec<RegionId>,
    /// The first transition inside of each composite state.
    first_inside: HashMap<VertexId, TransitionId>,
    /// Vertices that have been named.
    introduced: Vec<bool>,
    /// Composite states whose body is written.
    opened: Vec<bool>,
    noted: Vec<bool>,
}

/// Something that is written in the body of a region, in the order of the transitions.
enum BodyEntry {
    Transition(TransitionId),
    Body(VertexId),
}

impl<'a> MermaidStatePrinter<'a> {
    fn new(machine: &'a Machine, page: PrintedPage) -> Self {
        let homes = placement::homes(machine);
        let mut first_inside = HashMap::new();
        for (id, _) in machine.transitions.enumerate().filter(|(_, it)| it.kind != TransitionKind::Internal) {
            let mut region = homes[id.index()];
            while let Some(owner) = machine.regions[region].owner {
                first_inside.entry(owner).or_insert(id);
                region = machine.vertices[owner].region;
            }
        }
        let introduced = vec![false; machine.vertices.len()];
        let opened = introduced.clone();
        let noted = vec![false; machine.notes.len()];
        MermaidStatePrinter { machine, page, homes, first_inside, introduced, opened, noted }
    }

    /// The colours of states whose names can stand in a style.
    fn colours(&mut self) {
        let machine = self.machine;
        for vertex in &machine.vertices {
            let name = encode::state(&vertex.name);
            let word = vertex.colour.as_deref().and_then(|colour| colour.strip_prefix('#'));
            let word =
                word.filter(|word| word.chars().all(|c| c.is_ascii_alphanumeric()) && !word.is_empty());
            let Some(word) = word.filter(|_| name.chars().all(is_word)) else { continue };
            let is_number = matches!(word.len(), 3 | 6) && word.chars().all(|c| c.is_ascii_hexdigit());
            let sign = if is_number { "#" } else { "" };
            self.page.line(format!("style {name} fill:{sign}{word}"));
        }
    }

    fn region(&mut self, region: RegionId) {
        for entry in self.entries(region) {
            match entry {
                BodyEntry::Transition(id) => self.transition(id, region),
                BodyEntry::Body(vertex) => {
                    self.introduce_before(vertex);
                    self.body(vertex);
                }
            }
        }
        for vertex in self.machine.regions[region].vertices.clone() {
            self.introduce(vertex);
            self.body(vertex);
        }
    }

    /// The transitions and bodies of a region in the order of the transitions.
    fn entries(&self, region: RegionId) -> Vec<BodyEntry> {
        let is_here = |(id, it): &(TransitionId, &Transition)| {
            it.kind != TransitionKind::Internal && self.homes[id.index()] == region
        };
        let transitions = self.machine.transitions.enumerate().filter(is_here);
        let mut entries: Vec<(TransitionId, BodyEntry)> =
            transitions.map(|(id, _)| (id, BodyEntry::Transition(id))).collect();
        for vertex in &self.machine.regions[region].vertices {
            if let Some(first) = self.first_inside.get(vertex) {
                entries.push((*first, BodyEntry::Body(*vertex)));
            }
        }
        entries.sort_by_key(|(id, _)| *id);
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    fn transition(&mut self, id: TransitionId, region: RegionId) {
        let transition = &self.machine.transitions[id];
        let is_first_mention = self.is_first_mention(transition.source);
        self.approach(transition.source, region);
        // A declaration before this line would come before the source, which this line is the first to name.
        if !is_first_mention {
            self.approach(transition.target, region);
        }
        let (from, to) = (self.end(transition.source, region), self.end(transition.target, region));
        let text = if transition.text.is_empty() {
            String::new()
        } else {
            format!(" : {}", encode::label(&transition.text))
        };
        self.page.line(format!("{from} --> {to}{text}"));
        self.approach(transition.target, region);
    }

    /// Whether the vertex is not known yet and the transition that names it is what introduces it.
    fn is_first_mention(&self, id: VertexId) -> bool {
        let vertex = &self.machine.vertices[id];
        let by_transition = !vertex.declared || self.first_inside.contains_key(&id);
        !vertex.label.is_empty() && !self.introduced[id.index()] && by_transition
    }

    /// Makes a vertex ready to be named in the body of `region`, by what must stand before that.
    fn approach(&mut self, id: VertexId, region: RegionId) {
        if self.machine.vertices[id].region == region {
            self.introduce_before(id);
            self.name(id);
        } else if let Some(around) = placement::ancestor_in(self.machine, id, region) {
            self.introduce_before(around);
            self.introduce(around);
        }
    }

    /// One end of a transition written in the body of `region`.
    fn end(&self, id: VertexId, region: RegionId) -> String {
        let vertex = &self.machine.vertices[id];
        let owner = self.machine.parent(id).filter(|_| vertex.region != region);
        let owner = owner.map(|owner| encode::state(&self.machine.vertices[owner].name)).unwrap_or_default();
        match vertex.kind {
            VertexKind::Initial | VertexKind::Final if vertex.label.is_empty() => "[*]".to_owned(),
            VertexKind::ShallowHistory if vertex.label.is_empty() => format!("{owner}[H]"),
            VertexKind::DeepHistory if vertex.label.is_empty() => format!("{owner}[H*]"),
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
            | VertexKind::Terminate => encode::state(&vertex.name),
        }
    }

    fn is_composite(&self, id: VertexId) -> bool {
        matches!(&self.machine.vertices[id].kind, VertexKind::State(body) if !body.regions.is_empty())
    }

    /// Introduces the vertices that stand before one in its region; `[*]` has no place of its own there.
    fn introduce_before(&mut self, id: VertexId) {
        if self.machine.vertices[id].label.is_empty() {
            return;
        }
        let region = self.machine.vertices[id].region;
        let siblings = self.machine.regions[region].vertices.iter();
        let before: Vec<VertexId> = siblings.copied().take_while(|other| *other != id).collect();
        before.into_iter().for_each(|other| self.introduce(other));
    }

    /// Makes a vertex ready to be named by a transition, which may well be its first mention.
    fn name(&mut self, id: VertexId) {
        if self.machine.vertices[id].declared && !self.first_inside.contains_key(&id) {
            self.introduce(id);
        }
        self.introduced[id.index()] = true;
    }

    /// Writes what makes a vertex known: its declaration, its body, or a note on it.
    fn introduce(&mut self, id: VertexId) {
        let vertex = &self.machine.vertices[id];
        if self.introduced[id.index()] || vertex.label.is_empty() {
            return;
        }
        self.introduced[id.index()] = true;
        if self.is_composite(id) {
            // A body with transitions has its place among them.
            return match self.first_inside.contains_key(&id) {
                true => self.page.line(encode::state(&vertex.name)),
                false => self.body(id),
            };
        }
        let note = self.machine.notes.iter().position(|note| note.vertex == Some(id));
        match note.filter(|_| !vertex.declared) {
            Some(note) => self.note(note),
            None => self.declare(vertex),
        }
    }

    /// A composite state with all that is inside.
    fn body(&mut self, id: VertexId) {
        let VertexKind::State(body) = &self.machine.vertices[id].kind else { return };
        if body.regions.is_empty() || std::mem::replace(&mut self.opened[id.index()], true) {
            return;
        }
        self.introduced[id.index()] = true;
        let vertex = &self.machine.vertices[id];
        let name = encode::state(&vertex.name);
        self.page.line(match vertex.label == vertex.name && body.description.is_empty() {
            true => format!("state {name} {{"),
            false => format!("state \"{}\" as {name} {{", encode::quoted(&vertex.label)),
        });
        self.page.depth += 1;
        for (index, region) in body.regions.iter().enumerate() {
            if index > 0 {
                self.page.line("--");
            }
            self.region(*region);
        }
        self.page.depth -= 1;
        self.page.line("}");
        self.behaviour(vertex, body);
    }

    fn remaining_notes(&mut self) {
        for index in 0..self.machine.notes.len() {
            self.note(index);
        }
    }

    fn note(&mut self, index: usize) {
        // Mermaid has no empty notes.
        if std::mem::replace(&mut self.noted[index], true) || self.machine.notes[index].text.is_empty() {
            return;
        }
        let MachineNote { vertex, transition, look, text, .. } = &self.machine.notes[index];
        let side = if look.side == Some(NoteSide::Left) { "left" } else { "right" };
        let source = transition.map(|id| self.machine.transitions[id].source);
        let line = match vertex.or(source).filter(|id| !self.machine.vertices[*id].label.is_empty()) {
            Some(id) => {
                let name = encode::state(&self.machine.vertices[id].name);
                format!("note {side} of {name} : {}", encode::note(text))
            }
            None => format!("note \"{}\" as note{}", encode::quoted(text), index + 1),
        };
        self.page.line(line);
    }
}
