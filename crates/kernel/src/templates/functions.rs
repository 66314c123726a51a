//! The auxiliary functions of P0 (Table I and appendix A), each under a plain name.
//!
//! The paper evaluates constraints before it writes formulas down. Here a constraint may be true, false, or left open;
//! "evaluates to true" reads "is not known to be false", and whatever may be skipped is looked past: what precedes a
//! fragment directly is then everything that may precede it directly in some run (docs/templates.md, correction 4).

use std::collections::BTreeSet;

use super::tree::{
    LineId, NodeId, OccurrenceId, OperandComposition, OperandOrder, TemplateNodeKind, TemplateOperand,
    TemplateTree,
};

impl TemplateTree {
    /// LN: the lifelines on which something may happen in a part.
    pub fn lifelines(&self, node: NodeId) -> BTreeSet<LineId> {
        let mut lines = BTreeSet::new();
        self.visit(node, &mut |one| {
            lines.extend(self.ends(one).into_iter().map(|end| self.occurrences[end].line));
            if let TemplateNodeKind::Meeting(met) = &self.nodes[one].kind {
                lines.extend(met.iter().copied());
            }
        });
        lines
    }

    /// MSG: the messages directly in an operand, or in the operands of a fragment.
    pub fn messages(&self, node: NodeId) -> Vec<NodeId> {
        self.direct(node)
            .into_iter()
            .filter(|item| matches!(self.nodes[*item].kind, TemplateNodeKind::Message(..)))
            .collect()
    }

    /// SND: the sending of a message.
    pub fn sending(&self, message: NodeId) -> Option<OccurrenceId> {
        match self.nodes[message].kind {
            TemplateNodeKind::Message(send, _) => send,
            TemplateNodeKind::Operand(_)
            | TemplateNodeKind::Fragment(_)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => None,
        }
    }

    /// RCV: the receipt of a message.
    pub fn receipt(&self, message: NodeId) -> Option<OccurrenceId> {
        match self.nodes[message].kind {
            TemplateNodeKind::Message(_, receive) => receive,
            TemplateNodeKind::Operand(_)
            | TemplateNodeKind::Fragment(_)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => None,
        }
    }

    /// TOP: the operands of a fragment that may run.
    pub fn live_operands(&self, fragment: NodeId) -> Vec<NodeId> {
        self.children(fragment).iter().copied().filter(|operand| self.is_live(*operand)).collect()
    }

    /// NFTOP: those without the first.
    pub fn later_operands(&self, fragment: NodeId) -> Vec<NodeId> {
        self.live_operands(fragment).into_iter().skip(1).collect()
    }

    /// nested: the fragments directly in an operand, or in the operands of a fragment, that may run.
    pub fn nested(&self, node: NodeId) -> Vec<NodeId> {
        self.direct(node)
            .into_iter()
            .filter(|item| matches!(self.nodes[*item].kind, TemplateNodeKind::Fragment(_)))
            .collect()
    }

    /// AOS: the occurrences in a part that may happen.
    pub fn enabled(&self, node: NodeId) -> Vec<OccurrenceId> {
        let mut found = Vec::new();
        self.visit(node, &mut |one| {
            if self.is_live(one) {
                found.extend(self.ends(one));
            }
        });
        found
    }

    /// AOS of a part on one lifeline.
    pub fn enabled_on(&self, node: NodeId, line: LineId) -> Vec<OccurrenceId> {
        let mut enabled = self.enabled(node);
        enabled.retain(|one| self.occurrences[*one].line == line);
        enabled
    }

    /// TBEU: the occurrences directly in an operand on a lifeline, in groups between which a fragment stands there. In a
    /// coregion of that lifeline each is a group of its own.
    pub fn basic_units(&self, operand: NodeId, line: LineId) -> Vec<Vec<OccurrenceId>> {
        let mut units = vec![Vec::new()];
        if !self.is_live(operand) {
            return Vec::new();
        }
        let is_free = self.coregion(operand, line).is_some();
        for item in self.children(operand) {
            let own = self.ends(*item).into_iter().filter(|end| self.occurrences[*end].line == line);
            for end in own {
                if is_free {
                    units.push(Vec::new());
                }
                units.last_mut().expect("there is one").push(end);
            }
            let is_leaf =
                matches!(self.nodes[*item].kind, TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_));
            if !is_leaf && self.lifelines(*item).contains(&line) {
                units.push(Vec::new());
            }
        }
        units.retain(|unit| !unit.is_empty());
        units
    }

    /// TOS: the occurrences directly in an operand on a lifeline.
    pub fn direct_on(&self, operand: NodeId, line: LineId) -> Vec<OccurrenceId> {
        self.basic_units(operand, line).concat()
    }

    /// Init: the occurrence right below the constraint of an operand; none above a fragment.
    pub fn first_of(&self, operand: NodeId) -> Option<NodeId> {
        let guarded = self.operand(operand).filter(|operand| operand.is_guarded)?;
        let first = *guarded.items.first()?;
        match &self.nodes[first].kind {
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => Some(first),
            // An action; a state invariant is no occurrence.
            TemplateNodeKind::Meeting(_) => self.actions.contains(&first).then_some(first),
            TemplateNodeKind::Operand(_) | TemplateNodeKind::Fragment(_) => None,
        }
    }

    /// post: what may happen right after a part on a lifeline.
    pub fn behind(&self, node: NodeId, line: LineId) -> Vec<OccurrenceId> {
        let mut found = BTreeSet::new();
        let mut at = self.coregion(node, line).unwrap_or(node);
        while let Some((parent, later)) = self.neighbours(at, false) {
            if later.iter().any(|one| self.firsts(*one, line, &mut found)) {
                break;
            }
            at = parent;
        }
        found.into_iter().collect()
    }

    /// What stands before a part of a block and is joined to it strictly under rule nu.
    pub(crate) fn joined_before(&self, node: NodeId) -> Vec<NodeId> {
        let is_combined = |one: &NodeId| self.fragment(*one).is_some_and(|own| own.shape.is_combined());
        let mut joined = self.earlier_in_block(node);
        if !is_combined(&node) {
            joined.retain(is_combined);
        }
        joined
    }

    /// Whether a part may run.
    pub fn is_live(&self, node: NodeId) -> bool {
        !self.nodes[node].when.is_never()
    }

    /// Whether something happens on a lifeline in a part whenever it runs.
    pub fn is_certain(&self, node: NodeId, line: LineId) -> bool {
        match &self.nodes[node].kind {
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                self.ends(node).iter().any(|end| self.occurrences[*end].line == line)
            }
            TemplateNodeKind::Meeting(_) => false,
            TemplateNodeKind::Operand(operand) => {
                operand.items.iter().any(|item| self.is_certain(*item, line))
            }
            TemplateNodeKind::Fragment(fragment) => {
                let mut operands = fragment.operands.iter();
                match fragment.shape.order() {
                    OperandOrder::Choice => {
                        fragment.is_total
                            && self.live_operands(node).iter().all(|one| self.is_certain(*one, line))
                    }
                    OperandOrder::Sequence | OperandOrder::Beside => {
                        operands.any(|one| self.always_runs(*one) && self.is_certain(*one, line))
                    }
                }
            }
        }
    }

    /// Whether an operand runs whenever its fragment does.
    pub(super) fn always_runs(&self, operand: NodeId) -> bool {
        let parent = self.nodes[operand].parent;
        parent.is_some_and(|parent| self.nodes[parent].when == self.nodes[operand].when)
    }

    /// The outermost coregion of a lifeline around a part, if it stands in one.
    pub fn coregion(&self, node: NodeId, line: LineId) -> Option<NodeId> {
        let mut found = None;
        let mut at = self.nodes[node].parent;
        while let Some(node) = at {
            if self
                .fragment(node)
                .is_some_and(|fragment| fragment.shape == OperandComposition::Coregion(line))
            {
                found = Some(node);
            }
            at = self.nodes[node].parent;
        }
        found
    }

    /// What stands directly in an operand, or in the live operands of a fragment.
    fn direct(&self, node: NodeId) -> Vec<NodeId> {
        match self.nodes[node].kind {
            TemplateNodeKind::Fragment(_) => {
                let operands = self.live_operands(node);
                operands.iter().flat_map(|operand| self.children(*operand)).copied().collect()
            }
            TemplateNodeKind::Operand(_)
            | TemplateNodeKind::Message(..)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => self.children(node).to_vec(),
        }
    }

    /// The parent of a part and its siblings before it, nearest first, or behind it, if they are ordered along lifelines.
    pub(super) fn neighbours(&self, node: NodeId, is_before: bool) -> Option<(NodeId, Vec<NodeId>)> {
        let parent = self.nodes[node].parent?;
        let is_ordered = match &self.nodes[parent].kind {
            TemplateNodeKind::Fragment(fragment) => fragment.shape.order() == OperandOrder::Sequence,
            TemplateNodeKind::Operand(_)
            | TemplateNodeKind::Message(..)
            | TemplateNodeKind::Stop(_)
            | TemplateNodeKind::Meeting(_) => true,
        };
        let siblings = self.children(parent);
        let own = siblings.iter().position(|one| *one == node).unwrap_or(0);
        let found = match is_before {
            _ if !is_ordered => Vec::new(),
            true => siblings[..own].iter().rev().copied().collect(),
            false => siblings[own + 1..].to_vec(),
        };
        Some((parent, found))
    }

    /// What stands before a part in its block; the remainder after a break is the same block.
    fn earlier_in_block(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut at = node;
        while let Some(operand) = self.nodes[at].parent.filter(|parent| self.operand(*parent).is_some()) {
            let items = self.children(operand);
            let own = items.iter().position(|one| *one == at).unwrap_or(0);
            found.extend(&items[..own]);
            let around = self.nodes[operand].parent.filter(|around| self.is_remainder(operand, *around));
            let Some(around) = around else { break };
            at = around;
        }
        found
    }

    pub(super) fn is_remainder(&self, operand: NodeId, fragment: NodeId) -> bool {
        let is_break =
            self.fragment(fragment).is_some_and(|fragment| fragment.shape == OperandComposition::Break);
        is_break && self.children(fragment).first() != Some(&operand)
    }

    /// Adds what may happen first in a part on a lifeline; true if something does whenever what is around it runs.
    fn firsts(&self, node: NodeId, line: LineId, found: &mut BTreeSet<OccurrenceId>) -> bool {
        if !self.is_live(node) {
            return false;
        }
        match &self.nodes[node].kind {
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                let first = self.ends(node).into_iter().find(|end| self.occurrences[*end].line == line);
                found.extend(first);
                first.is_some()
            }
            TemplateNodeKind::Meeting(_) => false,
            TemplateNodeKind::Operand(TemplateOperand { items, .. }) => {
                items.iter().any(|item| self.firsts(*item, line, found)) && self.always_runs(node)
            }
            TemplateNodeKind::Fragment(fragment) => {
                if fragment.shape == OperandComposition::Coregion(line) {
                    found.extend(self.enabled_on(node, line));
                    return self.is_certain(node, line);
                }
                match fragment.shape.order() {
                    OperandOrder::Sequence => {
                        fragment.operands.iter().any(|one| self.firsts(*one, line, found))
                    }
                    OperandOrder::Beside | OperandOrder::Choice => {
                        fragment.operands.iter().for_each(|one| {
                            self.firsts(*one, line, found);
                        });
                        self.is_certain(node, line)
                    }
                }
            }
        }
    }

    /// The meetings in a part.
    pub(super) fn meetings(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.visit(node, &mut |one| {
            if matches!(self.nodes[one].kind, TemplateNodeKind::Meeting(_)) {
                found.push(one);
            }
        });
        found
    }

    /// Calls `see` on a part and all that it holds, in drawn order.
    pub fn visit(&self, node: NodeId, see: &mut dyn FnMut(NodeId)) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            see(node);
            open.extend(self.children(node).iter().rev());
        }
    }
}
