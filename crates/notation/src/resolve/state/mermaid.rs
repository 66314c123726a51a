//! Mermaid's state diagrams: one pass, one name space.
//!
//! A state is one state wherever it is named. It lies in the last composite that names it; naming it outside of all
//! composites does not move it. Regions have start and end of their own.

use std::collections::HashMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy};
use sequent_kernel::model::TransitionKind;
use sequent_kernel::source::Span;

use super::draft::{DEEPEST, Draft, DraftNote, DraftRegion, Edge, Kind, Node, NodeId, Shape, too_deep};
use crate::label::{self, Description};
use crate::tree::state::{Endpoint, Item, Note, NoteTarget, State, Transition};
use crate::tree::{self, Name, Statement, Text};

/// Reads the statements into a draft.
pub(super) fn draft(statements: &[Statement<Item>], span: Span, diagnostics: &mut Vec<Diagnostic>) -> Draft {
    let mut reading = Reading {
        draft: Draft::new(span),
        names: HashMap::new(),
        anonymous: HashMap::new(),
        open: Vec::new(),
        too_deep: 0,
        last: None,
        diagnostics,
    };
    for statement in statements {
        if let tree::Kind::Item(item) = &statement.kind {
            reading.item(item, statement.span);
        }
    }
    for (node, _, span) in std::mem::take(&mut reading.open) {
        let Some(node) = node else { continue };
        let message = format!("the state `{}` is never closed", reading.draft.nodes[node].name);
        reading.diagnostics.push(
            Diagnostic::new(Code::UnclosedBlock, span, message)
                .hint("close it with `}`")
                .remedy(Remedy::Close("}")),
        );
    }
    reading.draft
}

struct Reading<'a> {
    draft: Draft,
    names: HashMap<String, NodeId>,
    anonymous: HashMap<(DraftRegion, &'static str), NodeId>,
    /// The open composites (none for a region at the top) with their current region, outermost first.
    open: Vec<(Option<NodeId>, DraftRegion, Span)>,
    /// How many composites are open that are nested too deeply to be kept.
    too_deep: usize,
    last: Option<NodeId>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reading<'_> {
    fn item(&mut self, item: &Item, span: Span) {
        match item {
            Item::State(state) => self.declare(state, span),
            Item::Close => self.close(span),
            Item::Region => self.next_region(span),
            Item::Transition(transition) => self.connect(transition, span),
            Item::Description { name, text } => {
                let node = self.named(name);
                self.draft.nodes[node].declared = true;
                self.describe(node, text);
                self.last = Some(node);
            }
            Item::Note(note) => self.note(note, span),
            Item::Hidden(_) | Item::Separator(_) => {}
        }
    }

    fn current(&self) -> DraftRegion {
        self.open.last().map_or(0, |(_, region, _)| *region)
    }

    fn declare(&mut self, state: &State, span: Span) {
        let node = self.named(&state.name);
        self.last = Some(node);
        let kind = state.stereotypes.iter().find_map(|word| Kind::of_stereotype(word));
        let dressed = &mut self.draft.nodes[node];
        dressed.declared = true;
        if let Some(kind) = kind.filter(|_| dressed.inside.is_none()) {
            dressed.shape = Shape::Vertex(kind);
        }
        let others = state.stereotypes.iter().filter(|word| Kind::of_stereotype(word).is_none());
        dressed.stereotypes.extend(others.cloned());
        dressed.colour = state.colour.clone().or(dressed.colour.take());
        dressed.label = state.name.label.clone().or(dressed.label.take());
        if let Some(text) = &state.description {
            self.describe(node, text);
        }
        if state.opens && (self.open.len() >= DEEPEST || self.too_deep > 0) {
            self.too_deep += 1;
            // What is inside of it is too deep as well.
            if self.too_deep == 1 {
                self.diagnostics.push(too_deep(span));
            }
        } else if state.opens {
            let region = self.draft.inside(node, span);
            self.open.push((Some(node), region, span));
        }
    }

    /// The first description that is no behaviour is the state's label.
    fn describe(&mut self, node: NodeId, text: &Text) {
        let is_text = label::description(&text.text, text.span) == Description::Text;
        let node = &mut self.draft.nodes[node];
        if is_text && node.label.is_none() {
            node.label = Some(text.text.clone());
        } else {
            node.descriptions.push(text.clone());
        }
    }

    fn close(&mut self, span: Span) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        match self.open.iter().rposition(|(node, ..)| node.is_some()) {
            Some(composite) => self.open.truncate(composite),
            None => {
                let message = "this closes nothing: no composite state is open";
                self.diagnostics.push(Diagnostic::new(Code::StrayEnd, span, message));
            }
        }
    }

    fn next_region(&mut self, span: Span) {
        let owner = self.open.last().and_then(|(node, ..)| *node);
        let region = self.draft.add_region(owner, span);
        match self.open.last_mut() {
            Some(last) => last.1 = region,
            None => self.open.push((None, region, span)),
        }
    }

    /// The state of a name, moved into the current composite.
    fn named(&mut self, name: &Name) -> NodeId {
        let region = self.current();
        let Some(node) = self.names.get(&name.text).copied() else {
            let node = self.draft.add(Node::new(&name.text, Shape::Vertex(Kind::State), region, name.span));
            self.names.insert(name.text.clone(), node);
            return node;
        };
        if !self.open.is_empty() && !self.is_around(node) {
            self.draft.nodes[node].region = region;
        }
        node
    }

    /// Whether the current composite lies inside `node`, or is it.
    fn is_around(&self, node: NodeId) -> bool {
        let mut region = self.current();
        while let Some(owner) = self.draft.regions[region].0 {
            if owner == node {
                return true;
            }
            region = self.draft.nodes[owner].region;
        }
        false
    }

    fn connect(&mut self, transition: &Transition, span: Span) {
        let from = self.endpoint(&transition.from, Kind::Initial, span);
        let to = self.endpoint(&transition.to, Kind::Final, span);
        let kind = TransitionKind::External;
        self.draft.edges.push(Edge { from, to, text: transition.text.clone(), kind, span });
    }

    fn endpoint(&mut self, end: &Endpoint, star: Kind, span: Span) -> NodeId {
        let history = |deep: bool| if deep { Kind::DeepHistory } else { Kind::ShallowHistory };
        let region = self.current();
        match end {
            Endpoint::Name(name) => self.named(name),
            Endpoint::Bar(name) => {
                let node = self.named(name);
                self.draft.nodes[node].shape = Shape::Bar;
                node
            }
            Endpoint::Star => self.unnamed(region, star, span),
            Endpoint::History { deep } => self.unnamed(region, history(*deep), span),
            Endpoint::StarOf(name) => {
                let node = self.named(name);
                let region = self.draft.inside(node, span);
                self.unnamed(region, star, span)
            }
            Endpoint::HistoryOf { name, deep } => {
                let node = self.named(name);
                let region = self.draft.inside(node, span);
                self.unnamed(region, history(*deep), span)
            }
        }
    }

    fn unnamed(&mut self, region: DraftRegion, kind: Kind, span: Span) -> NodeId {
        let draft = &mut self.draft;
        *self
            .anonymous
            .entry((region, kind.prefix()))
            .or_insert_with(|| draft.add(Node::new(kind.prefix(), Shape::Anonymous(kind), region, span)))
    }

    fn note(&mut self, note: &Note, span: Span) {
        let mut added = DraftNote { node: None, edge: None, text: note.text.text.clone(), span };
        match &note.target {
            NoteTarget::Name(name) => added.node = Some(self.named(name)),
            NoteTarget::Last => added.node = self.last,
            NoteTarget::LastTransition => added.edge = self.draft.edges.len().checked_sub(1),
            NoteTarget::Floating(_) => {}
        }
        self.draft.notes.push(added);
    }
}
