//! A second look at what was not paired: what stands at the same place, between the same neighbours, in the same block.
//!
//! A message with the same ends there is an edited one, even if the first line of its block was edited too. A block of which something is left, and
//! all that is left stands in the only new block there, is that block, whatever its first line says; one of which nothing is left is if its guard is the same.
//! Blocks that were drawn around something, or taken away, are looked through.

use std::collections::{HashMap, HashSet};

use super::align::{ascending, heaviest};
use super::pair::{Pairer, Pairs, counts};
use super::piece::{Zone, likeness};
use super::tree::{Kind, NodeId, Tree};

/// What stands in a node, and in blocks there that are drawn around something known and are not known themselves.
fn inside(tree: &Tree, parent: NodeId, known: &[Option<NodeId>]) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut waiting: Vec<NodeId> = tree.nodes[parent].children.iter().rev().copied().collect();
    while let Some(node) = waiting.pop() {
        let is_operand = tree.nodes[node].kind == Kind::Operand;
        found.extend((!is_operand).then_some(node));
        let is_drawn = tree.nodes[node].kind == Kind::Block
            && known[node].is_none()
            && tree.below(node).into_iter().any(|inner| known[inner].is_some());
        if is_operand || is_drawn {
            waiting.extend(tree.nodes[node].children.iter().rev());
        }
    }
    found
}

impl Pairer<'_> {
    /// Pairs what is left over, from the outermost on.
    pub(super) fn look_again(&self, pairs: &mut Pairs) {
        for parent in self.old.1.below(0) {
            let kind = self.old.1.nodes[parent].kind;
            if let Some(other) = pairs.to[parent].filter(|_| matches!(kind, Kind::Root | Kind::Operand)) {
                self.look_into(parent, other, pairs);
            }
        }
    }

    /// Pairs what is left over in two nodes that are the same.
    fn look_into(&self, parent: NodeId, other: NodeId, pairs: &mut Pairs) {
        let own = inside(self.old.1, parent, &pairs.to);
        let others = inside(self.new.1, other, &pairs.from);
        if own.iter().all(|node| pairs.to[*node].is_some() || self.is_other_zone(*node)) {
            return;
        }
        let place: HashMap<NodeId, usize> = others.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let mut known: Vec<(usize, usize)> = Vec::new();
        for (at, node) in own.iter().enumerate().filter(|(_, node)| !pairs.is_moved[**node]) {
            known.extend(pairs.to[*node].and_then(|to| place.get(&to)).map(|to| (at, *to)));
        }
        let places: Vec<usize> = known.iter().map(|(_, to)| *to).collect();
        let stay = ascending(&places, &|_| 1).into_iter().map(|at| known[at]);
        let mut from = (0, 0);
        for (at, to) in stay.chain([(own.len(), others.len())]) {
            let gone: Vec<NodeId> =
                own[from.0..at].iter().copied().filter(|node| pairs.to[*node].is_none()).collect();
            let come: Vec<NodeId> =
                others[from.1..to].iter().copied().filter(|node| pairs.from[*node].is_none()).collect();
            if !gone.is_empty() && !come.is_empty() {
                self.statements_between(&gone, &come, pairs);
                self.block_between(&gone, &come, pairs);
            }
            from = (at + 1, to + 1);
        }
    }

    fn is_other_zone(&self, node: NodeId) -> bool {
        self.old.1.nodes[node].first.is_none_or(|first| self.old.0[first].zone != Zone::Sequence)
    }

    fn statements_between(&self, gone: &[NodeId], come: &[NodeId], pairs: &mut Pairs) {
        let weight = |one: usize, two: usize| {
            let (before, after) = (&self.old.1.nodes[gone[one]], &self.new.1.nodes[come[two]]);
            let is_leaf = before.kind == Kind::Leaf && after.kind == Kind::Leaf;
            let lines = before.first.zip(after.first).filter(|_| is_leaf && !self.is_other_zone(gone[one]));
            lines.map_or(0, |(before, after)| likeness(&self.old.0[before], &self.new.0[after]))
        };
        // None is the same as another.
        let numbers = [
            (0..gone.len()).map(|at| at as u32).collect::<Vec<u32>>(),
            (0..come.len()).map(|at| !(at as u32)).collect(),
        ];
        for (at, place) in heaviest(&numbers[0], &numbers[1], &weight).into_iter().enumerate() {
            if let Some(place) = place {
                pairs.to[gone[at]] = Some(come[place]);
                pairs.from[come[place]] = Some(gone[at]);
            }
        }
    }

    /// The only block that is gone and the only one that has come, if one is the other.
    fn block_between(&self, gone: &[NodeId], come: &[NodeId], pairs: &mut Pairs) {
        let blocks = |nodes: &[NodeId], tree: &Tree| -> Vec<NodeId> {
            nodes.iter().copied().filter(|node| tree.nodes[*node].kind == Kind::Block).collect()
        };
        let (before, after) = (blocks(gone, self.old.1), blocks(come, self.new.1));
        let ([one], [other]) = (before.as_slice(), after.as_slice()) else { return };
        if self.is_other_zone(*one) {
            return;
        }
        let inside: HashSet<NodeId> = self.new.1.below(*other).into_iter().collect();
        let content = self.old.1.below(*one).into_iter().filter(|node| counts(self.old, *node));
        let left: Vec<NodeId> = content.filter_map(|node| pairs.to[node]).collect();
        let is_inside = left.iter().all(|node| inside.contains(node));
        let met = inside.iter().filter_map(|node| pairs.from[*node]).filter(|node| counts(self.old, *node));
        let guards = self.old.1.nodes[*one].first.zip(self.new.1.nodes[*other].first);
        let is_guard = guards.is_some_and(|(before, after)| {
            let guard = &self.old.0[before].detail;
            !guard.is_empty() && *guard == self.new.0[after].detail
        });
        let is_same = !left.is_empty() || is_guard;
        if is_same && is_inside && met.count() <= 2 * left.len() {
            pairs.to[*one] = Some(*other);
            pairs.from[*other] = Some(*one);
            let common = self.common(pairs);
            self.operands(*one, *other, &common, pairs);
        }
    }
}
