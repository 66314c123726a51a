//! Building the tree: nodes, occurrences, lifelines, and the unique names of occurrences.

use std::collections::BTreeMap;

use super::condition::RigidCondition;
use super::tree::{
    LineId, NodeId, OccurrenceId, OperandComposition, TemplateFragment, TemplateNode, TemplateNodeKind,
    TemplateOccurrence, TemplateOperand,
};
use super::unfold::{UnfoldPosition, Unfolder, unsupported};
use crate::model::{Guard, Interaction, LifelineId, Operand as DrawnOperand};
use crate::semantics::{Exchange, Unsupported};
use crate::source::Place;
use crate::system::{EventKind, message_text};

/// More nodes than this are not made.
const MOST_NODES: usize = 20_000;

/// More nodes than this do not stand in each other.
const DEEPEST: usize = 500;

impl<'a> Unfolder<'a> {
    pub(super) fn message_ends(
        &mut self,
        exchange: &Exchange,
        spot: UnfoldPosition,
        place: Place,
    ) -> Result<(Option<OccurrenceId>, Option<OccurrenceId>), Unsupported> {
        let Exchange { from, to, name, arguments } = exchange;
        let text = exchange.text();
        let label = message_text(name, arguments.as_deref());
        let node = self.leaf(spot, place)?;
        let [from, to] = [from, to].map(|end| end.as_ref().map(|line| self.line_named(line)));
        let ends = [(from, to, EventKind::Send), (to, from, EventKind::Receive)];
        let [send, receive] = ends.map(|(line, partner, kind)| {
            let event = format!("{}{text}", kind.sign());
            let occurrence = TemplateOccurrence {
                text: event.clone(),
                copy: None,
                event,
                kind,
                message: name.clone(),
                arguments: arguments.clone(),
                label: label.clone(),
                line: line?,
                partner,
                node,
            };
            Some(self.tree.occurrences.push(occurrence))
        });
        self.tree.nodes[node].kind = TemplateNodeKind::Message(send, receive);
        Ok((send, receive))
    }

    /// The end of a lifeline.
    pub(super) fn end(&mut self, line: LineId, node: NodeId) -> OccurrenceId {
        let event = format!("x:{}", self.tree.lines[line]);
        self.tree.occurrences.push(TemplateOccurrence {
            text: event.clone(),
            copy: None,
            event,
            kind: EventKind::Termination,
            message: String::new(),
            arguments: None,
            label: String::new(),
            line,
            partner: None,
            node,
        })
    }

    pub(super) fn current(&self) -> &'a Interaction {
        let id = self.inlining.last().expect("something is being unfolded");
        &self.model.interactions[*id]
    }

    pub(super) fn line_named(&mut self, name: &str) -> LineId {
        if let Some(known) = self.line_ids.get(name) {
            return *known;
        }
        let line = self.tree.lines.push(name.to_owned());
        self.line_ids.insert(name.to_owned(), line);
        line
    }

    pub(super) fn line(&mut self, lifeline: LifelineId) -> LineId {
        self.line_named(&self.current().lifelines[lifeline].name)
    }

    pub(super) fn operand_mut(&mut self, node: NodeId) -> &mut TemplateOperand {
        match &mut self.tree.nodes[node].kind {
            TemplateNodeKind::Operand(operand) => operand,
            TemplateNodeKind::Fragment(_)
            | TemplateNodeKind::Message(..)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => {
                unreachable!("a spot inside an operand is an operand")
            }
        }
    }

    /// A node under another, which takes its condition from there.
    pub(super) fn node(
        &mut self,
        kind: TemplateNodeKind,
        spot: UnfoldPosition,
        place: Place,
    ) -> Result<NodeId, Unsupported> {
        if self.tree.nodes.len() >= MOST_NODES || spot.depth >= DEEPEST {
            return unsupported("a diagram this large once its loops and references are written out", place);
        }
        let when = self.tree.nodes[spot.parent].when.clone();
        let node = self.tree.nodes.push(TemplateNode { parent: Some(spot.parent), kind, when, place });
        match &mut self.tree.nodes[spot.parent].kind {
            TemplateNodeKind::Operand(operand) => operand.items.push(node),
            TemplateNodeKind::Fragment(fragment) => fragment.operands.push(node),
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) | TemplateNodeKind::Meeting(_) => {}
        }
        Ok(node)
    }

    pub(super) fn leaf(&mut self, spot: UnfoldPosition, place: Place) -> Result<NodeId, Unsupported> {
        self.node(TemplateNodeKind::Message(None, None), spot, place)
    }

    pub(super) fn fragment(
        &mut self,
        shape: OperandComposition,
        spot: UnfoldPosition,
        place: Place,
    ) -> Result<NodeId, Unsupported> {
        let word = shape.word();
        let count = self.counts.entry(word).or_default();
        *count += 1;
        let name = format!("{word} {count}");
        let is_total = shape == OperandComposition::Break;
        self.node(
            TemplateNodeKind::Fragment(TemplateFragment { shape, operands: Vec::new(), name, is_total }),
            spot,
            place,
        )
    }

    /// An operand of a fragment, with its guard; where its content stands.
    pub(super) fn operand(
        &mut self,
        fragment: NodeId,
        drawn: &DrawnOperand,
        own: RigidCondition,
        spot: UnfoldPosition,
        place: Place,
    ) -> Result<UnfoldPosition, Unsupported> {
        let inside = self.bare_operand(fragment, own, spot, place)?;
        self.operand_mut(inside.parent).is_guarded = drawn.guard != Guard::Absent;
        Ok(inside)
    }

    pub(super) fn bare_operand(
        &mut self,
        fragment: NodeId,
        own: RigidCondition,
        spot: UnfoldPosition,
        place: Place,
    ) -> Result<UnfoldPosition, Unsupported> {
        let depth = spot.depth + 1;
        let node = self.node(
            TemplateNodeKind::Operand(TemplateOperand::default()),
            UnfoldPosition { parent: fragment, depth, ..spot },
            place,
        )?;
        self.demand(node, &own);
        Ok(UnfoldPosition { parent: node, scope: spot.scope, depth: depth + 1 })
    }

    /// Lets an operand run only under one more condition.
    pub(super) fn demand(&mut self, node: NodeId, own: &RigidCondition) {
        self.tree.nodes[node].when = self.tree.nodes[node].when.and(own);
        let before = self.operand_mut(node).own.take().unwrap_or(RigidCondition::ALWAYS);
        self.operand_mut(node).own = Some(before.and(own));
    }

    /// Tells occurrences of one text apart.
    pub(super) fn number(&mut self) {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for occurrence in self.tree.occurrences.iter() {
            *times.entry(occurrence.event.clone()).or_default() += 1;
        }
        let mut so_far: BTreeMap<String, usize> = BTreeMap::new();
        for occurrence in self.tree.occurrences.iter_mut() {
            if times[&occurrence.event] > 1 {
                let count = so_far.entry(occurrence.event.clone()).or_default();
                *count += 1;
                occurrence.copy = Some(*count);
                occurrence.text = format!("{}#{count}", occurrence.event);
            }
        }
    }
}
