//! PlantUML's state diagrams: three passes over the same statements.
//!
//! The first pass declares (states, descriptions, floating notes), the second draws transitions, the third attaches notes.
//! Each pass opens and closes the same composites, so that a transition finds states declared further down, and a state
//! that only transitions name lies where it was first named. A region after the first is a nameless composite of its own.

mod note;
mod transition;

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, Severity};
use sequent_kernel::source::Span;

use super::draft::{
    DEEPEST, DraftNode, DraftNodeId, DraftRegion, DraftShape, DraftVertexKind, MachineDraft, too_deep,
};
use super::names::{NameId, NameTree};
use crate::tree::state::{StateStatement, VertexDeclaration};
use crate::tree::{self, Name, Statement, Text};

/// Reads the statements into a draft.
pub(super) fn draft(
    statements: &[Statement<StateStatement>],
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> MachineDraft {
    let mut reading = PlantumlReading {
        draft: MachineDraft::new(span),
        names: NameTree::new(NamedThing::Region(0)),
        open: Vec::new(),
        too_deep: 0,
        separators: 0,
        last: None,
        pass: ReadPass::Declare,
        diagnostics,
    };
    for pass in [ReadPass::Declare, ReadPass::Connect, ReadPass::Annotate] {
        reading.start(pass);
        for statement in statements {
            if let tree::StatementKind::Item(item) = &statement.kind {
                reading.item(item, statement.span);
            }
        }
    }
    reading.complain_of_unclosed();
    reading.draft
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadPass {
    Declare,
    Connect,
    Annotate,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamedThing {
    Node(DraftNodeId),
    /// A region after the first of its composite, or the diagram itself.
    Region(DraftRegion),
}

struct PlantumlReading<'a> {
    draft: MachineDraft,
    names: NameTree<NamedThing>,
    /// The composites and regions that are open, outermost first, and where they were opened.
    open: Vec<(NameId, Span)>,
    /// How many composites are open that are nested too deeply to be kept.
    too_deep: usize,
    /// How many lines between regions this pass has seen; they name the regions.
    separators: usize,
    /// The last state declared in this pass.
    last: Option<DraftNodeId>,
    pass: ReadPass,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl PlantumlReading<'_> {
    fn start(&mut self, pass: ReadPass) {
        if pass != ReadPass::Declare {
            self.open.clear();
        }
        self.too_deep = 0;
        self.separators = 0;
        self.last = None;
        self.pass = pass;
    }

    fn current(&self) -> NameId {
        self.open.last().map_or(NameTree::<NamedThing>::ROOT, |(name, _)| *name)
    }

    fn item(&mut self, item: &StateStatement, span: Span) {
        match item {
            StateStatement::State(state) if state.opens => self.open_composite(state, span),
            StateStatement::State(state) => self.declare(state, span),
            StateStatement::Close => self.close(span),
            StateStatement::Region => self.next_region(span),
            StateStatement::Transition(transition) if self.pass == ReadPass::Connect => {
                self.connect(transition, span)
            }
            StateStatement::Description { name, text } if self.pass == ReadPass::Declare => {
                self.describe(name, text, span)
            }
            StateStatement::Note(note) => self.note(note, span),
            StateStatement::Separator(separator) => self.names.separator = separator.clone(),
            StateStatement::Hidden(ends) if self.pass == ReadPass::Connect => self.mention(ends),
            StateStatement::Transition(_)
            | StateStatement::Hidden(_)
            | StateStatement::Description { .. } => {}
        }
    }

    fn close(&mut self, span: Span) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        if self.open.is_empty() {
            self.complain(
                ReadPass::Declare,
                Code::StrayEnd,
                span,
                "this closes nothing: no composite state is open",
            );
            return;
        }
        if self.is_region(self.current()) {
            self.open.pop();
        }
        self.open.pop();
    }

    fn complain_of_unclosed(&mut self) {
        for (name, span) in std::mem::take(&mut self.open) {
            if self.is_region(name) {
                continue;
            }
            let message = format!("the state `{}` is never closed", self.names.name(name));
            let complaint = Diagnostic::new(Code::UnclosedBlock, span, message)
                .severity(Severity::Warning)
                .hint("close it with `}`")
                .remedy(Remedy::Close("}"));
            self.diagnostics.push(complaint);
        }
    }

    /// Complains once, in the pass given.
    fn complain(&mut self, pass: ReadPass, code: Code, span: Span, message: impl Into<String>) {
        if self.pass == pass {
            self.diagnostics.push(Diagnostic::new(code, span, message));
        }
    }

    fn is_region(&self, name: NameId) -> bool {
        name != NameTree::<NamedThing>::ROOT && matches!(self.names.get(name), Some(NamedThing::Region(_)))
    }

    fn look_up(&mut self, name: &str) -> NameId {
        let current = self.current();
        self.names.look_up(current, name)
    }

    /// Opens a composite state or frame. What its line does not say about looks is reset, as PlantUML does.
    fn open_composite(&mut self, state: &VertexDeclaration, span: Span) {
        if self.open.len() >= DEEPEST || self.too_deep > 0 {
            self.too_deep += 1;
            // What is inside of it is too deep as well.
            if self.pass == ReadPass::Declare && self.too_deep == 1 {
                self.diagnostics.push(too_deep(span));
            }
            return;
        }
        let name = self.look_up(&state.name.text);
        let node = self.node(name, DraftShape::Vertex(DraftVertexKind::State), span);
        self.draft.inside(node, span);
        if self.pass == ReadPass::Declare {
            let node = &mut self.draft.nodes[node];
            node.declared = true;
            node.stereotypes = state.stereotypes.clone();
            node.colour = state.colour.clone();
            if state.name.label.is_some() {
                node.label = state.name.label.clone();
            }
        }
        self.open.push((name, span));
    }

    fn next_region(&mut self, span: Span) {
        if self.is_region(self.current()) {
            self.open.pop();
        }
        self.separators += 1;
        let name = self.look_up(&format!("CONC{}", self.separators));
        if self.names.get(name).is_none() {
            let owner = match self.names.get(self.current()) {
                Some(NamedThing::Node(node)) => Some(node),
                Some(NamedThing::Region(_)) | None => None,
            };
            let region = self.draft.add_region(owner, span);
            self.names.set(name, NamedThing::Region(region));
        }
        self.open.push((name, span));
    }

    fn declare(&mut self, state: &VertexDeclaration, span: Span) {
        let name = self.look_up(&state.name.text);
        let kind = state.stereotypes.first().and_then(|word| DraftVertexKind::of_stereotype(word));
        let node = self.node(name, DraftShape::Vertex(kind.unwrap_or(DraftVertexKind::State)), span);
        self.last = Some(node);
        self.check_region(name, node, state.name.span, ReadPass::Declare);
        if self.pass == ReadPass::Declare {
            self.dress(node, state, kind);
            let at_top = self.draft.regions[self.draft.nodes[node].region].0.is_none();
            if at_top && matches!(kind, Some(DraftVertexKind::Entry | DraftVertexKind::Exit)) {
                let message =
                    format!("`{}` is an entry or exit point, but of no composite state", state.name.text);
                self.complain(ReadPass::Declare, Code::Tolerated, state.name.span, message);
            }
        }
    }

    /// Label, stereotypes, colour and description from a declaration.
    fn dress(&mut self, node: DraftNodeId, state: &VertexDeclaration, kind: Option<DraftVertexKind>) {
        let node = &mut self.draft.nodes[node];
        node.declared = true;
        node.label = state.name.label.clone();
        node.colour = state.colour.clone();
        node.descriptions.extend(state.description.clone());
        // Pins say more than the entry or exit point they are.
        let is_pin =
            |word: &String| word.to_lowercase().ends_with("pin") || word.to_lowercase().starts_with("exp");
        let says_kind = |(at, word): &(usize, &String)| *at == 0 && kind.is_some() && !is_pin(word);
        let kept = state.stereotypes.iter().enumerate().filter(|word| !says_kind(word));
        node.stereotypes = kept.map(|(_, word)| word.clone()).collect();
    }

    fn describe(&mut self, name: &Name, text: &Text, span: Span) {
        let current = self.current();
        let found = if self.names.name(current) == name.text { current } else { self.look_up(&name.text) };
        let node = self.node(found, DraftShape::Vertex(DraftVertexKind::State), span);
        self.draft.nodes[node].descriptions.push(text.clone());
    }

    /// The node of a name, made of this shape in its composite if there is none yet.
    fn node(&mut self, name: NameId, shape: DraftShape, span: Span) -> DraftNodeId {
        match self.names.get(name) {
            Some(NamedThing::Node(node)) => return node,
            Some(NamedThing::Region(region)) => {
                // The name is that of a region; its composite is the nearest state.
                if let Some(owner) = self.draft.regions[region].0 {
                    return owner;
                }
            }
            None => {}
        }
        let region = self.region_in(self.names.parent(name).unwrap_or(NameTree::<NamedThing>::ROOT), span);
        let node = self.draft.add(DraftNode::new(self.names.name(name), shape, region, span));
        self.draft.nodes[node].declared = self.pass == ReadPass::Declare;
        self.names.set(name, NamedThing::Node(node));
        node
    }

    /// The region directly inside a name, which becomes a composite state by it, as do missing names around it.
    fn region_in(&mut self, name: NameId, span: Span) -> DraftRegion {
        match self.names.get(name) {
            Some(NamedThing::Region(region)) => region,
            Some(NamedThing::Node(node)) => self.draft.inside(node, span),
            None => {
                let node = self.node(name, DraftShape::Vertex(DraftVertexKind::State), span);
                self.draft.nodes[node].declared = true;
                self.draft.inside(node, span)
            }
        }
    }
}
