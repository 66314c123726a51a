//! Transitions, and which vertex each of their ends means.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::TransitionKind;
use sequent_kernel::source::Span;

use super::{NamedThing, PlantumlReading, ReadPass};
use crate::resolve::state::draft::{DraftEdge, DraftNodeId, DraftRegion, DraftShape, DraftVertexKind};
use crate::resolve::state::names::{NameId, NameTree};
use crate::tree::Name;
use crate::tree::state::{Endpoint, TransitionStatement};

impl PlantumlReading<'_> {
    pub(super) fn connect(&mut self, transition: &TransitionStatement, span: Span) {
        let complaints = self.diagnostics.len();
        let from = self.endpoint(&transition.from, DraftVertexKind::Initial, span);
        let to = self.endpoint(&transition.to, DraftVertexKind::Final, span);
        if !(self.draft.is_vertex(from) && self.draft.is_vertex(to)) {
            return;
        }
        let crossing = self.orthogonal_around(from) != self.orthogonal_around(to);
        if crossing && self.diagnostics.len() == complaints {
            let message = "the transition crosses the border of a region";
            let hint = "PlantUML does not draw it: let it start or end at the composite state";
            self.diagnostics.push(Diagnostic::new(Code::Tolerated, span, message).hint(hint));
        }
        let kind = if transition.local { self.local(from, to, span) } else { TransitionKind::External };
        let look = transition.look.clone();
        self.draft.edges.push(DraftEdge { from, to, text: transition.text.clone(), kind, look, span });
    }

    /// The kind of a transition that is written as local, which needs a target inside its source.
    fn local(&mut self, from: DraftNodeId, to: DraftNodeId, span: Span) -> TransitionKind {
        let around = |node: DraftNodeId| self.draft.regions[self.draft.nodes[node].region].0;
        if std::iter::successors(around(to), |node| around(*node)).any(|node| node == from) {
            return TransitionKind::Local;
        }
        // UML calls what leaves an entry point local; an entry point lies inside its state as it is.
        if self.draft.nodes[from].shape != DraftShape::Vertex(DraftVertexKind::Entry) {
            let message = format!(
                "`{}` does not lie inside `{}`",
                self.draft.nodes[to].name, self.draft.nodes[from].name
            );
            let hint = "a local transition leads from a composite state to something inside it: leave `<<local>>` out";
            self.diagnostics.push(Diagnostic::new(Code::LocalOutside, span, message).hint(hint));
        }
        TransitionKind::External
    }

    /// The states that an arrow names which is not drawn: they exist by it as if they were declared.
    pub(super) fn mention(&mut self, ends: &[Endpoint; 2]) {
        for end in ends {
            if let Endpoint::Name(name) = end {
                let node = self.named(name);
                self.draft.nodes[node].declared = true;
            }
        }
    }

    /// The innermost region around a node that is not the first of its composite.
    fn orthogonal_around(&self, node: DraftNodeId) -> Option<DraftRegion> {
        let mut region = self.draft.nodes[node].region;
        loop {
            let owner = self.draft.regions[region].0;
            let is_first = owner.map_or(region == 0, |owner| self.draft.nodes[owner].inside == Some(region));
            if !is_first {
                return Some(region);
            }
            region = self.draft.nodes[owner?].region;
        }
    }

    fn endpoint(&mut self, end: &Endpoint, star: DraftVertexKind, span: Span) -> DraftNodeId {
        let current = self.current();
        let history =
            |deep: bool| if deep { DraftVertexKind::DeepHistory } else { DraftVertexKind::ShallowHistory };
        match end {
            Endpoint::Star => self.anonymous(current, star, span),
            Endpoint::StarOf(name) => self.anonymous_of(name, star, span),
            Endpoint::History { deep } => self.anonymous(current, history(*deep), span),
            Endpoint::HistoryOf { name, deep } => self.anonymous_of(name, history(*deep), span),
            Endpoint::Bar(name) => {
                let found = self.look_up(&name.text);
                self.node(found, DraftShape::Bar, name.span)
            }
            Endpoint::Name(name) => self.named(name),
        }
    }

    /// `[*]`, `[H]` in the composite or region given; its name takes part in looking names up.
    fn anonymous(&mut self, within: NameId, kind: DraftVertexKind, span: Span) -> DraftNodeId {
        let name = format!("{}{}", kind.prefix(), self.names.name(within));
        let found = self.names.look_up(within, &name);
        self.node(found, DraftShape::Anonymous(kind), span)
    }

    fn anonymous_of(&mut self, name: &Name, kind: DraftVertexKind, span: Span) -> DraftNodeId {
        let composite = self.look_up(&name.text);
        let node = self.node(composite, DraftShape::Vertex(DraftVertexKind::State), name.span);
        self.draft.inside(node, name.span);
        self.anonymous(composite, kind, span)
    }

    fn named(&mut self, name: &Name) -> DraftNodeId {
        let current = self.current();
        if current != NameTree::<NamedThing>::ROOT && self.names.name(current) == name.text {
            return self.node(current, DraftShape::Vertex(DraftVertexKind::State), name.span);
        }
        let found = self.look_up(&name.text);
        let orphan = self.names.get(found).is_none()
            && self.names.parent(found).is_some_and(|parent| self.names.get(parent).is_none());
        if orphan {
            let composite = name.text.rsplit_once('.').map_or(name.text.as_str(), |(composite, _)| composite);
            let message = format!("there is no composite state `{composite}`");
            let complaint = Diagnostic::new(Code::NoSource, name.span, message)
                .hint(format!("declare it: `state {} {{ .. }}`", composite.trim_start_matches('.')));
            self.diagnostics.push(complaint);
        }
        self.check_colon(found, name);
        let node = self.node(found, DraftShape::Vertex(DraftVertexKind::State), name.span);
        self.check_region(found, node, name.span, ReadPass::Connect);
        node
    }

    /// Complains of `A --> B:x`, which makes a state `B:x`, where there is a state `B`.
    fn check_colon(&mut self, found: NameId, name: &Name) {
        let Some((state, label)) = name.text.split_once(':').filter(|_| self.names.get(found).is_none())
        else {
            return;
        };
        if self.names.is_known(state) {
            let message = format!("PlantUML takes `{}` for the name of a state of its own", name.text);
            let hint = format!("put spaces around the colon: `{state} : {}`", label.trim_start_matches(':'));
            self.diagnostics.push(Diagnostic::new(Code::ColonInName, name.span, message).hint(hint));
        }
    }

    /// Complains if a state of one region is used in another.
    pub(super) fn check_region(&mut self, name: NameId, node: DraftNodeId, span: Span, pass: ReadPass) {
        let parent = self.names.parent(name).unwrap_or(NameTree::<NamedThing>::ROOT);
        let current = self.current();
        if parent != current && (self.is_region(parent) || self.is_region(current)) {
            let state = self.draft.nodes[node].name.clone();
            let first = self.draft.nodes[node].span;
            if self.pass == pass {
                let message = if self.is_region(parent) {
                    format!("`{state}` belongs to another region")
                } else {
                    format!("`{state}` lies outside of this region")
                };
                let hint = "PlantUML does not draw this: states of a region are used inside it only";
                let complaint =
                    Diagnostic::new(Code::Tolerated, span, message).label(first, "it stands here");
                self.diagnostics.push(complaint.hint(hint));
            }
        }
    }
}
