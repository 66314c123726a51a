//! Prints state machines as PlantUML.
//!
//! Reading the text again must give the same machine, with its transitions in their order and its states where they are.
//! So the transitions are walked in order, and composites are opened and closed along the way as each needs it
//! ([`scopes`]); between them the declared states of a region are flushed in their order. Transitions that may stand
//! anywhere stand in the innermost region around both ends if that costs nothing. A composite with several regions can be
//! opened only once, the others may be opened again.

mod route;
mod scopes;
mod words;

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Flow, Machine, MachineNote, NoteSide, RegionId, StateBody, TransitionId, TransitionKind, Vertex,
    VertexId, VertexKind,
};

use self::scopes::{Scopes, history_owner, is_anonymous};
use self::words::VertexNames;
pub(crate) use self::words::{fill, side, way};
use super::member;
use super::text::{caption_text, captions};
use crate::label;
use crate::plantuml::common::text::escape_line;

/// The machine as a whole diagram, from `@startuml` to `@enduml`.
pub fn print(machine: &Machine) -> String {
    let mut printer = PlantumlStatePrinter {
        machine,
        names: VertexNames::of(machine),
        scopes: Scopes::of(machine),
        open: Vec::new(),
        flushed: vec![0; machine.regions.len()],
        printed: vec![false; machine.vertices.len()],
        internal: vec![Vec::new(); machine.vertices.len()],
        beside: vec![Vec::new(); machine.transitions.len()],
        at: 0,
        out: String::new(),
    };
    printer.collect();
    printer.header();
    printer.force_kind();
    printer.transitions();
    printer.notes();
    printer.line("@enduml");
    printer.out
}

struct PlantumlStatePrinter<'a> {
    machine: &'a Machine,
    names: VertexNames<'a>,
    scopes: Scopes,
    /// The diagram and the composites that are open, outermost first.
    open: Vec<OpenComposite>,
    /// For each region, how many of its vertices have been declared or passed over.
    flushed: Vec<usize>,
    /// For each composite, whether it has been opened.
    printed: Vec<bool>,
    /// For each vertex, its internal transitions.
    internal: Vec<Vec<TransitionId>>,
    /// For each transition, the notes on it.
    beside: Vec<Vec<&'a MachineNote>>,
    /// The current transition.
    at: usize,
    out: String,
}

/// A composite (`None`: the diagram) that is open, and its current region.
struct OpenComposite {
    owner: Option<VertexId>,
    regions: Vec<RegionId>,
    position: usize,
}

impl OpenComposite {
    fn region(&self) -> RegionId {
        self.regions[self.position]
    }

    /// The position of a region; the first for one that is not here.
    fn position_of(&self, region: RegionId) -> usize {
        self.regions.iter().position(|other| *other == region).unwrap_or(0)
    }
}

impl<'a> PlantumlStatePrinter<'a> {
    fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.out.push_str(&"  ".repeat(self.open.len().saturating_sub(1)));
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    fn collect(&mut self) {
        for (id, transition) in self.machine.transitions.enumerate() {
            if transition.kind == TransitionKind::Internal {
                self.internal[transition.source.index()].push(id);
            }
        }
        for note in &self.machine.notes {
            if let Some(transition) = note.transition {
                self.beside[transition.index()].push(note);
            }
        }
    }

    /// Where nothing else tells a state diagram from messages (`A --> B`), a declaration does.
    fn force_kind(&mut self) {
        let says_nothing = |vertex: &Vertex| {
            let is_plain = matches!(&vertex.kind, VertexKind::State(body) if *body == StateBody::default());
            is_plain && !vertex.declared
        };
        if self.machine.vertices.iter().all(says_nothing) {
            if let Some(first) = self.machine.vertices.ids().next() {
                let name = self.names.name(first);
                self.line(&format!("state {name}"));
            }
        }
    }

    fn header(&mut self) {
        let machine = self.machine;
        let is_plain = machine.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let from_title = machine.title.as_deref() == Some(&machine.name);
        if is_plain && !from_title {
            self.line(&format!("@startuml {}", machine.name));
        } else {
            self.line("@startuml");
        }
        if !is_plain && !from_title {
            self.line(&format!("' @name {}", machine.name));
        }
        machine.class.iter().for_each(|class| self.line(&format!("' @class {class}")));
        for attribute in &machine.attributes {
            self.line(&format!("' @attribute {}", member::attribute(attribute)));
        }
        for contract in &machine.contracts {
            self.line(&format!("' {}", label::contract(contract)));
        }
        if let Some(title) = &machine.title {
            self.line(&format!("title {}", caption_text(title)));
        }
        captions(&machine.captions).for_each(|line| self.line(&line));
        match machine.flow {
            Some(Flow::Right) => self.line("left to right direction"),
            Some(Flow::Down) => self.line("top to bottom direction"),
            None => {}
        }
        if self.names.have_dots {
            self.line("set separator none");
        }
    }

    fn transitions(&mut self) {
        let machine = self.machine;
        self.open.push(OpenComposite { owner: None, regions: machine.top_regions().collect(), position: 0 });
        self.flush_simple();
        for (id, transition) in machine.transitions.enumerate() {
            self.at = id.index();
            if transition.kind == TransitionKind::Internal {
                continue;
            }
            self.approach(transition);
            let from = self.end(transition.source);
            let to = self.end(transition.target);
            let local = if transition.kind == TransitionKind::Local { " <<local>>" } else { "" };
            let arrow = words::arrow(&transition.look);
            self.line(&format!("{from} {arrow} {to}{local}{}", words::transition_label(&transition.text)));
            for note in std::mem::take(&mut self.beside[self.at]) {
                let side = note.look.side.map(|one| format!("{} ", side(one))).unwrap_or_default();
                self.note(&format!("note {side}on link{}", fill(&note.look)), &note.text);
            }
        }
        self.at = machine.transitions.len();
        while self.open.len() > 1 {
            self.close();
        }
        self.finish_regions();
        self.open.clear();
    }

    fn next_region(&mut self) {
        self.flush_all();
        if let Some(open) = self.open.last_mut() {
            open.position += 1;
        }
        self.out.push_str(&"  ".repeat(self.open.len().saturating_sub(2)));
        self.out.push_str("--\n");
        self.flush_simple();
    }

    fn open_composite(&mut self, owner: VertexId) {
        let machine = self.machine;
        self.line(&format!("{} {{", words::declaration(&self.names, owner)));
        let regions = regions(machine, owner).to_vec();
        self.open.push(OpenComposite { owner: Some(owner), regions, position: 0 });
        if !std::mem::replace(&mut self.printed[owner.index()], true) {
            self.describe(owner);
        }
        self.flush_simple();
    }

    fn close(&mut self) {
        self.finish_regions();
        self.open.pop();
        self.line("}");
    }

    /// Prints the rest of the current composite. One that can be opened again is finished only at the end.
    fn finish_regions(&mut self) {
        loop {
            self.flush_all();
            let Some(open) = self.open.last() else { return };
            if open.position + 1 == open.regions.len() {
                return;
            }
            self.next_region();
        }
    }

    /// Declares the vertices of the current region up to its first composite.
    fn flush_simple(&mut self) {
        self.flush_while(|printer, vertex| regions(printer.machine, vertex).is_empty());
    }

    /// Declares the vertices of the current region up to a composite.
    fn flush_before(&mut self, composite: VertexId) {
        self.flush_while(|_, vertex| vertex != composite);
        let region = self.machine.vertices[composite].region;
        let members = &self.machine.regions[region].vertices;
        if members.get(self.flushed[region.index()]) == Some(&composite) {
            self.flushed[region.index()] += 1;
        }
    }

    fn flush_all(&mut self) {
        self.flush_while(|_, _| true);
    }

    fn flush_while(&mut self, go_on: impl Fn(&Self, VertexId) -> bool) {
        let Some(region) = self.open.last().map(OpenComposite::region) else { return };
        let members = &self.machine.regions[region].vertices;
        while let Some(vertex) = members.get(self.flushed[region.index()]).copied() {
            if !go_on(self, vertex) {
                return;
            }
            self.flushed[region.index()] += 1;
            self.declare(vertex);
        }
    }

    /// Declares a vertex, with everything inside unless some of that must wait.
    fn declare(&mut self, id: VertexId) {
        let vertex = &self.machine.vertices[id];
        if !vertex.declared || is_anonymous(vertex) || self.printed[id.index()] {
            return;
        }
        let inner = regions(self.machine, id);
        let declaration = words::declaration(&self.names, id);
        if words::needs_braces(vertex) && inner.is_empty() {
            self.line(&format!("{declaration} {{"));
            self.line("}");
            self.describe(id);
        } else if inner.is_empty() {
            self.line(&declaration);
            self.describe(id);
        } else if inner.iter().any(|region| self.scopes.is_needed(*region, self.at)) {
            self.line(&declaration);
        } else {
            self.open_composite(id);
            self.close();
        }
    }

    /// The lines of a state's description, and its internal transitions.
    fn describe(&mut self, id: VertexId) {
        let machine = self.machine;
        let name = self.names.described(id);
        for line in words::description(&machine.vertices[id]) {
            self.line(&format!("{name} : {line}"));
        }
        for transition in std::mem::take(&mut self.internal[id.index()]) {
            self.line(&format!("{name} : {}", escape_line(&machine.transitions[transition].text)));
        }
    }

    /// One end of a transition, as it is named in the current region.
    fn end(&self, id: VertexId) -> String {
        let vertex = &self.machine.vertices[id];
        let here = self.open.last().map(OpenComposite::region);
        let history = |sign: &str| match history_owner(self.machine, id) {
            Some(owner) if here != Some(vertex.region) => format!("{}{sign}", self.names.name(owner)),
            _ => sign.to_owned(),
        };
        if !is_anonymous(vertex) {
            let elsewhere = here != Some(vertex.region) && self.scopes.is_new(self.machine, id, self.at);
            return if elsewhere { self.names.path(id) } else { self.names.name(id) };
        }
        match vertex.kind {
            VertexKind::ShallowHistory => history("[H]"),
            VertexKind::DeepHistory => history("[H*]"),
            VertexKind::Initial
            | VertexKind::Final
            | VertexKind::State(_)
            | VertexKind::Choice
            | VertexKind::Junction
            | VertexKind::Fork
            | VertexKind::Join
            | VertexKind::Entry
            | VertexKind::Exit
            | VertexKind::Terminate => "[*]".to_owned(),
        }
    }

    fn notes(&mut self) {
        let machine = self.machine;
        let others: Vec<&MachineNote> =
            machine.notes.iter().filter(|note| note.transition.is_none()).collect();
        for (number, note) in others.into_iter().enumerate() {
            match note.vertex {
                Some(vertex) => {
                    let name = self.names.described(vertex);
                    let side = side(note.look.side.unwrap_or(NoteSide::Left));
                    self.note(&format!("note {side} of {name}{}", fill(&note.look)), &note.text);
                }
                None => {
                    let free = (number + 1..).map(|number| format!("N{number}"));
                    let name = free
                        .into_iter()
                        .find(|name| machine.vertices.iter().all(|vertex| &vertex.name != name));
                    self.floating(&name.unwrap_or_default(), note);
                }
            }
        }
    }

    /// A note on one line if it has one line, else over several.
    fn note(&mut self, head: &str, text: &str) {
        if text.contains('\n') {
            self.block(head, text);
        } else {
            self.line(&format!("{head} : {}", escape_line(text)));
        }
    }

    fn floating(&mut self, name: &str, note: &MachineNote) {
        let (text, fill) = (note.text.as_str(), fill(&note.look));
        if text.is_empty() || text.contains(['\n', '"', '\u{201c}', '\u{201d}']) {
            self.block(&format!("note as {name}{fill}"), text);
        } else {
            self.line(&format!("note \"{}\" as {name}{fill}", escape_line(text)));
        }
    }

    fn block(&mut self, head: &str, text: &str) {
        self.line(head);
        for line in text.split('\n') {
            self.line(line);
        }
        self.line("end note");
    }
}

/// The regions of a vertex; none unless it is a composite state.
fn regions(machine: &Machine, vertex: VertexId) -> &[RegionId] {
    match &machine.vertices[vertex].kind {
        VertexKind::State(body) => &body.regions,
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
        | VertexKind::Terminate => &[],
    }
}

#[cfg(test)]
mod tests;
