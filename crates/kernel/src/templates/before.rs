//! What must be over before something: pre, preEU and the barriers of strict sequences (table I, appendix A of P0).
//!
//! What may be skipped is looked past, so a requirement has a condition under which it is asked. A meeting of lifelines (a
//! state invariant) is no occurrence; that it has taken place means that everything before it on any of its lifelines is
//! over, under the condition that it is reached. Meetings are opened one after the other, and one that is asked for under a
//! weaker condition already is not opened again.

use std::collections::{BTreeMap, VecDeque};

use super::condition::RigidCondition;
use super::tree::{
    LineId, NodeId, OccurrenceId, OperandComposition, OperandOrder, Requirement, TemplateNodeKind,
    TemplateOperand, TemplateTree,
};

impl TemplateTree {
    /// pre: what may happen right before a part on a lifeline.
    pub fn before(&self, node: NodeId, line: LineId) -> Vec<Requirement> {
        self.required(|needs| needs.before(node, line, &RigidCondition::ALWAYS))
    }

    /// preEU: what happens last in the earlier operands of the same fragment on a lifeline.
    pub fn before_operand(&self, operand: NodeId, line: LineId) -> Vec<Requirement> {
        let Some(fragment) = self.nodes[operand].parent else { return Vec::new() };
        let siblings = self.children(fragment);
        let own = siblings.iter().position(|one| *one == operand).unwrap_or(0);
        self.required(|needs| {
            needs.last(siblings[..own].iter().rev(), line, &RigidCondition::ALWAYS);
        })
    }

    /// What must be over on all lifelines before anything in a part: earlier operands of strict sequences around it, and
    /// under rule nu what is joined to it strictly.
    pub fn barrier(&self, node: NodeId) -> Vec<Requirement> {
        self.required(|needs| needs.barrier(node, &RigidCondition::ALWAYS))
    }

    /// That all of these parts are over, as requirements.
    pub fn ends_of(&self, nodes: &[NodeId]) -> Vec<Requirement> {
        self.required(|needs| needs.all(nodes, &RigidCondition::ALWAYS))
    }

    /// That everything in a part on a lifeline is over, as requirements; what is unseen there counts too.
    pub(crate) fn end_on(&self, node: NodeId, line: LineId) -> Vec<Requirement> {
        self.required(|needs| needs.everything(node, line, &RigidCondition::ALWAYS))
    }

    fn required(&self, ask: impl FnOnce(&mut RequiredBefore)) -> Vec<Requirement> {
        let mut needs = RequiredBefore {
            tree: self,
            found: BTreeMap::new(),
            open: VecDeque::new(),
            opened: BTreeMap::new(),
        };
        ask(&mut needs);
        needs.open_meetings();
        let found = needs.found.into_iter();
        found
            .flat_map(|(occurrence, whens)| {
                whens.into_iter().map(move |when| Requirement { occurrence, when })
            })
            .collect()
    }
}

/// What is required so far.
struct RequiredBefore<'t> {
    tree: &'t TemplateTree,
    /// For each occurrence the weakest conditions under which it is required.
    found: BTreeMap<OccurrenceId, Vec<RigidCondition>>,
    /// Meetings that are asked for and not opened yet.
    open: VecDeque<(NodeId, RigidCondition)>,
    opened: BTreeMap<NodeId, Vec<RigidCondition>>,
}

impl RequiredBefore<'_> {
    fn open_meetings(&mut self) {
        while let Some((meeting, when)) = self.open.pop_front() {
            let opened = self.opened.entry(meeting).or_default();
            // There may be as many conditions as there are ways between two meetings.
            if !self.tree.spend(4 + opened.len()) {
                return;
            }
            if !weaken(opened, &when) {
                continue;
            }
            for line in self.tree.lifelines(meeting) {
                self.before(meeting, line, &when);
            }
            self.barrier(meeting, &when);
        }
    }

    fn occurrence(&mut self, occurrence: OccurrenceId, when: &RigidCondition) {
        let when = self.tree.when(occurrence).and(when);
        if !when.is_never() {
            weaken(self.found.entry(occurrence).or_default(), &when);
        }
    }

    fn meeting(&mut self, meeting: NodeId, when: &RigidCondition) {
        let when = self.tree.nodes[meeting].when.and(when);
        if !when.is_never() {
            self.open.push_back((meeting, when));
        }
    }

    fn before(&mut self, node: NodeId, line: LineId, when: &RigidCondition) {
        let mut at = self.tree.coregion(node, line).unwrap_or(node);
        while let Some((parent, earlier)) = self.tree.neighbours(at, true) {
            if self.last(earlier.iter(), line, when) {
                return;
            }
            at = parent;
        }
    }

    /// Requires what happens last in some parts on a lifeline, nearest first; true if one of them is sure to hold
    /// something.
    fn last<'n>(
        &mut self,
        mut nodes: impl Iterator<Item = &'n NodeId>,
        line: LineId,
        when: &RigidCondition,
    ) -> bool {
        nodes.any(|node| self.last_of(*node, line, when))
    }

    fn last_of(&mut self, node: NodeId, line: LineId, when: &RigidCondition) -> bool {
        let tree = self.tree;
        if !tree.is_live(node) {
            return false;
        }
        if tree.coregion(node, line).is_some() {
            self.everything(node, line, when);
            return tree.is_certain(node, line);
        }
        match &tree.nodes[node].kind {
            TemplateNodeKind::Message(..) | TemplateNodeKind::Stop(_) => {
                let last = tree.ends(node).into_iter().rfind(|end| tree.occurrences[*end].line == line);
                if let Some(last) = last {
                    self.occurrence(last, when);
                }
                last.is_some()
            }
            TemplateNodeKind::Meeting(lines) => {
                let is_here = lines.contains(&line);
                if is_here {
                    self.meeting(node, when);
                }
                is_here
            }
            TemplateNodeKind::Operand(TemplateOperand { items, .. }) => {
                self.last(items.iter().rev(), line, when) && tree.always_runs(node)
            }
            TemplateNodeKind::Fragment(fragment) => {
                if fragment.shape == OperandComposition::Coregion(line) {
                    self.everything(node, line, when);
                    return tree.is_certain(node, line);
                }
                match fragment.shape.order() {
                    OperandOrder::Sequence => self.last(fragment.operands.iter().rev(), line, when),
                    OperandOrder::Beside | OperandOrder::Choice => {
                        for operand in &fragment.operands {
                            self.last_of(*operand, line, when);
                        }
                        tree.is_certain(node, line)
                    }
                }
            }
        }
    }

    /// Requires everything in a part on a lifeline.
    fn everything(&mut self, node: NodeId, line: LineId, when: &RigidCondition) {
        for one in self.tree.enabled_on(node, line) {
            self.occurrence(one, when);
        }
        for meeting in self.tree.meetings(node) {
            if self.tree.lifelines(meeting).contains(&line) {
                self.meeting(meeting, when);
            }
        }
    }

    fn barrier(&mut self, node: NodeId, when: &RigidCondition) {
        let mut at = node;
        while let Some(parent) = self.tree.nodes[at].parent {
            if let Some(fragment) = self.tree.fragment(parent) {
                let own = fragment.operands.iter().position(|one| *one == at).unwrap_or(0);
                if fragment.shape.is_strict() {
                    self.all(&fragment.operands[..own], when);
                }
            } else if self.tree.is_joined_strictly {
                self.all(&self.tree.joined_before(at), when);
            }
            // What is behind a break stands beside it, in the same block.
            let is_behind = self.tree.is_remainder(at, parent);
            at = self.tree.nodes[parent].parent.filter(|_| is_behind).unwrap_or(parent);
        }
    }

    fn all(&mut self, nodes: &[NodeId], when: &RigidCondition) {
        for node in nodes {
            for one in self.tree.enabled(*node) {
                self.occurrence(one, when);
            }
            for meeting in self.tree.meetings(*node) {
                self.meeting(meeting, when);
            }
        }
    }
}

/// Adds a condition unless a weaker one is there, and drops stronger ones; whether it was added.
fn weaken(conditions: &mut Vec<RigidCondition>, when: &RigidCondition) -> bool {
    if conditions.iter().any(|other| when.implies(other)) {
        return false;
    }
    conditions.retain(|other| !other.implies(when));
    conditions.push(when.clone());
    true
}

impl Requirement {
    /// The same requirement, asked only if another condition holds too.
    pub fn and(self, when: &RigidCondition) -> Requirement {
        Requirement { when: self.when.and(when), ..self }
    }
}
