//! Mermaid's state diagrams: one pass, one name space.
//!
//! A state is one state wherever it is named. It lies in the last composite that names it; naming it outside of all
//! composites does not move it. Regions have start and end of their own.

use std::collections::HashMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy};
use sequent_kernel::model::TransitionKind;
use sequent_kernel::source::Span;

use super::draft::{
    DEEPEST, DraftEdge, DraftNode, DraftNodeId, DraftNote, DraftRegion, DraftShape, DraftVertexKind,
    MachineDraft, too_deep,
};
use crate::label::{self, Description};
use crate::tree::state::{
    Endpoint, StateNote, StateNoteTarget, StateStatement, TransitionStatement, VertexDeclaration,
};
use crate::tree::{self, Name, Statement, Text};

/// Reads the statements into a draft.
pub(super) fn draft(
    statements: &[Statement<StateStatement>],
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> MachineDraft {
    let mut reading = MermaidReading {
        draft: MachineDraft::new(span),
        names: HashMap::new(),
        anonymous: HashMap::new(),
        open: Vec::new(),
        too_deep: 0,
        last: None,
        diagnostics,
    };
    for statement in statements {
        if let tree::StatementKind::Item(item) = &statement.kind {
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

struct MermaidReading<'a> {
    draft: MachineDraft,
    names: HashMap<String, DraftNodeId>,
    anonymous: HashMap<(DraftRegion, &'static str), DraftNodeId>,
    /// The open composites (none for a region at the top) with their current region, outermost first.
    open: Vec<(Option<DraftNodeId>, DraftRegion, Span)>,
    /// How many composites are open that are nested too deeply to be kept.
    too_deep: usize,
    last: Option<DraftNodeId>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl MermaidReading<'_> {
    fn item(&mut self, item: &StateStatement, span: Span) {
        match item {
            StateStatement::State(state) => self.declare(state, span),
            StateStatement::Close => self.close(span),
            StateStatement::Region => self.next_region(span),
            StateStatement::Transition(transition) => self.connect(transition, span),
            StateStatement::Description { name, text } => {
                let node = self.named(name);
                self.draft.nodes[node].declared = true;
                self.describe(node, text);
                self.last = Some(node);
            }
            StateStatement::Note(note) => self.note(note, span),
            StateStatement::Hidden(_) | StateStatement::Separator(_) => {}
        }
    }

    fn current(&self) -> DraftRegion {
        self.open.last().map_or(0, |(_, region, _)| *region)
    }

    fn declare(&mut self, state: &VertexDeclaration, span: Span) {
        let node = self.named(&state.name);
        self.last = Some(node);
        let kind = state.stereotypes.iter().find_map(|word| DraftVertexKind::of_stereotype(word));
        let dressed = &mut self.draft.nodes[node];
        dressed.declared = true;
        if let Some(kind) = kind.filter(|_| dressed.inside.is_none()) {
            dressed.shape = DraftShape::Vertex(kind);
        }
        let others = state.stereotypes.iter().filter(|word| DraftVertexKind::of_stereotype(word).is_none());
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
    fn describe(&mut self, node: DraftNodeId, text: &Text) {
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
    fn named(&mut self, name: &Name) -> DraftNodeId {
        let region = self.current();
        let Some(node) = self.names.get(&name.text).copied() else {
            let node = self.draft.add(DraftNode::new(
                &name.text,
                DraftShape::Vertex(DraftVertexKind::State),
                region,
                name.span,
            ));
            self.names.insert(name.text.clone(), node);
            return node;
        };
        if !self.open.is_empty() && !self.is_around(node) {
            self.draft.nodes[node].region = region;
        }
        node
    }

    /// Whether the current composite lies inside `node`, or is it.
    fn is_around(&self, node: DraftNodeId) -> bool {
        let mut region = self.current();
        while let Some(owner) = self.draft.regions[region].0 {
            if owner == node {
                return true;
            }
            region = self.draft.nodes[owner].region;
        }
        false
    }

    fn connect(&mut self, transition: &TransitionStatement, span: Span) {
        let from = self.endpoint(&transition.from, DraftVertexKind::Initial, span);
        let to = self.endpoint(&transition.to, DraftVertexKind::Final, span);
        let kind = TransitionKind::External;
        let look = transition.look.clone();
        self.draft.edges.push(DraftEdge { from, to, text: transition.text.clone(), kind, look, span });
    }

    fn endpoint(&mut self, end: &Endpoint, star: DraftVertexKind, span: Span) -> DraftNodeId {
        let history =
            |deep: bool| if deep { DraftVertexKind::DeepHistory } else { DraftVertexKind::ShallowHistory };
        let region = self.current();
        match end {
            Endpoint::Name(name) => self.named(name),
            Endpoint::Bar(name) => {
                let node = self.named(name);
                self.draft.nodes[node].shape = DraftShape::Bar;
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

    fn unnamed(&mut self, region: DraftRegion, kind: DraftVertexKind, span: Span) -> DraftNodeId {
        let draft = &mut self.draft;
        *self.anonymous.entry((region, kind.prefix())).or_insert_with(|| {
            draft.add(DraftNode::new(kind.prefix(), DraftShape::Anonymous(kind), region, span))
        })
    }

    fn note(&mut self, note: &StateNote, span: Span) {
        let mut added =
            DraftNote { node: None, edge: None, look: note.look.clone(), text: note.text.text.clone(), span };
        match &note.target {
            StateNoteTarget::Name(name) => added.node = Some(self.named(name)),
            StateNoteTarget::Last => added.node = self.last,
            StateNoteTarget::LastTransition => added.edge = self.draft.edges.len().checked_sub(1),
            StateNoteTarget::Floating(_) => {}
        }
        self.draft.notes.push(added);
    }
}
