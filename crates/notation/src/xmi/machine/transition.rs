//! Transitions: ends, triggers, guards, effects.

use std::collections::HashSet;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{Condition, LineLook, Transition, TransitionKind, VertexId, VertexKind};

use super::{Scope, XmiMachineBuilder, extension};
use crate::label::{self, TransitionLabel};
use crate::xmi::dialect::ModelingTool;
use crate::xmi::text;
use crate::xmi::tree::NodeId;
use crate::xmi::trigger;

impl XmiMachineBuilder<'_, '_, '_> {
    /// Adds the transitions of a machine or of one copy of a submachine.
    pub(super) fn transitions(&mut self, scope: Scope) {
        let tree = self.reader.tree;
        let mut redefined: HashSet<NodeId> = HashSet::new();
        for machine in extension::lineage(self.reader, self.scopes[scope].machine) {
            for node in tree.inside(machine) {
                let is_transition = is_transition(tree.kind(node));
                let is_nested = || {
                    tree.around(node).find(|outer| tree.kind(*outer).ends_with("StateMachine"))
                        != Some(machine)
                };
                if is_transition && !tree.is_reference(node) && !redefined.contains(&node) && !is_nested() {
                    redefined.extend(extension::lineage(self.reader, node).into_iter().skip(1));
                    self.transition(scope, node);
                }
            }
        }
    }

    fn transition(&mut self, scope: Scope, node: NodeId) {
        let tree = self.reader.tree;
        let internal = tree.node(node).role == "internalTransition";
        let owner = tree.node(node).parent.and_then(|owner| self.find(scope, owner)).filter(|_| internal);
        let end = |role: &str| extension::nearest(self.reader, node, &[role]).first().copied();
        let ends = ["source", "target"].map(end);
        let [source, target] = ends.map(|end| end.and_then(|end| self.find(scope, end)).or(owner));
        // What is not read for lack of room has no transitions either.
        if self.is_full && (source.is_none() || target.is_none()) {
            return;
        }
        self.ambiguous(scope, node, ends);
        let (Some(source), Some(target)) = (source, target) else {
            let end = if source.is_none() { "source" } else { "target" };
            let message = format!("the transition has no {end} in this machine; it is left out");
            self.reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
            return;
        };
        let written = tree.attribute(node, "kind");
        if let Some(odd) = written.filter(|kind| !matches!(*kind, "external" | "internal" | "local")) {
            let message = format!("`{odd}` is not a kind of transition: it is read as external");
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
        }
        let kind = match (written, self.reader.tool) {
            (Some("internal"), _) => TransitionKind::Internal,
            // Enterprise Architect writes `local` on ordinary transitions.
            (Some("local"), ModelingTool::EnterpriseArchitect) => TransitionKind::External,
            (Some("local"), ModelingTool::MagicDraw | ModelingTool::Other) => TransitionKind::Local,
            _ if internal => TransitionKind::Internal,
            _ => TransitionKind::External,
        };
        let (label, mut text) = self.label(node, source);
        // Without the slash it would be a line of the state's description.
        if kind == TransitionKind::Internal && !text.contains('/') {
            text.push_str(" /");
        }
        let id = self.machine.transitions.push(Transition {
            source,
            target: if kind == TransitionKind::Internal { source } else { target },
            kind,
            text,
            triggers: label.triggers,
            guard: label.guard,
            effects: label.effects,
            look: LineLook::default(),
            place: tree.span(node).into(),
        });
        self.transitions.insert((scope, node), id);
    }

    /// Tells of an end inside of a submachine that several states use.
    fn ambiguous(&mut self, scope: Scope, node: NodeId, ends: [Option<NodeId>; 2]) {
        let tree = self.reader.tree;
        for end in ends.into_iter().flatten() {
            let is_own = self.vertices.contains_key(&(scope, end));
            if !is_own && self.in_submachines(scope, end).nth(1).is_some() {
                let message = format!(
                    "`{}` lies in a submachine that several states use: that of the first is meant",
                    tree.name(end)
                );
                let finding = Diagnostic::new(Code::Unsupported, tree.span(node), message);
                self.reader.report(finding.hint("a reference to the connection point says which"));
            }
        }
    }

    /// What the parts of a transition say, and all of it as it would be drawn.
    fn label(&mut self, node: NodeId, source: VertexId) -> (TransitionLabel, String) {
        let tree = self.reader.tree;
        let mut label = TransitionLabel::default();
        for one in extension::nearest(self.reader, node, &["trigger"]) {
            label.triggers.extend(trigger::triggers(self.reader, one));
        }
        label.guard = self.guard(node);
        for one in extension::nearest(self.reader, node, &["effect"]) {
            label.effects.extend(self.effects(one));
        }
        // Some tools or authors put the whole label into the name.
        let name = tree.name(node);
        let is_empty = label.triggers.is_empty() && label.guard.is_none() && label.effects.is_empty();
        if is_empty && name.contains(['/', '[']) {
            let is_branch =
                matches!(self.machine.vertices[source].kind, VertexKind::Choice | VertexKind::Junction);
            let read = if is_branch { label::branch } else { label::transition };
            return (read(name, tree.span(node)), name.to_owned());
        }
        let text = printed(&label);
        (label, text)
    }

    fn guard(&mut self, node: NodeId) -> Option<Condition> {
        let tree = self.reader.tree;
        let roles = ["guard", "preCondition"];
        let Some(guard) = extension::nearest(self.reader, node, &roles).first().copied() else {
            let levels = extension::lineage(self.reader, node).into_iter();
            return levels.into_iter().find_map(|level| self.reader.missing_guard(level, &roles));
        };
        let text = text::constraint(tree, guard);
        let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(&text).trim();
        let span = tree.span(guard);
        if text.is_empty() && !tree.name(guard).is_empty() {
            let message =
                format!("the guard `{}` has a name and no text: it is read as true", tree.name(guard));
            self.reader.report(Diagnostic::new(Code::MissingElement, tree.span(guard), message));
        }
        if let Some(post) = tree.first(node, "postCondition") {
            let message = format!("the postcondition `{}` is not checked", text::constraint(tree, post));
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(post), message));
        }
        match text.to_lowercase().as_str() {
            "" => self.reader.silent_guard(guard),
            "else" | "otherwise" => {
                Some(Condition { text: "else".to_owned(), expression: None, place: span.into() })
            }
            _ => Some(self.reader.constraint(guard, text)),
        }
    }
}

/// Whether a type is one of transitions.
pub(super) fn is_transition(kind: &str) -> bool {
    matches!(kind, "Transition" | "ProtocolTransition")
}

/// `trigger [guard] / effects`
pub(in crate::xmi) fn printed(label: &TransitionLabel) -> String {
    let triggers: Vec<String> = label.triggers.iter().map(label::trigger).collect();
    let guard = label.guard.as_ref().map(|guard| format!("[{}]", guard.text));
    let effects: Vec<String> = label.effects.iter().map(label::effect).collect();
    let effects = (!effects.is_empty()).then(|| format!("/ {}", effects.join("; ")));
    let parts = [Some(triggers.join(", ")).filter(|text| !text.is_empty()), guard, effects];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
