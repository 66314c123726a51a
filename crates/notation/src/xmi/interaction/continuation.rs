//! Continuations (UML 2.5.1, 17.6.3): an alternative whose operands end in continuations, and one right behind it whose operands begin with
//! them, are one alternative: what follows `X` follows the operand that ends in `X`.
//!
//! They are joined where each operand has one continuation and each name stands once on either side. Elsewhere an operand would have to be
//! there several times, and the diagram is refused.

use std::collections::BTreeMap;

use super::XmiInteractionBuilder;
use crate::xmi::tree::{NodeId, XmiTree};

impl XmiInteractionBuilder<'_, '_, '_> {
    /// The fragments of a block, without alternatives that continue the one before them.
    pub(super) fn join(&mut self, fragments: &[NodeId]) -> Vec<NodeId> {
        let tree = self.reader.tree;
        let mut kept: Vec<NodeId> = Vec::new();
        for node in fragments {
            let joined = kept.last().and_then(|before| {
                let ends = continuations(tree, *before, |inside| inside.last().copied())?;
                let starts = continuations(tree, *node, |inside| inside.first().copied())?;
                let is_free = starts.values().all(|(operand, _)| tree.first(*operand, "guard").is_none());
                (is_free && ends.keys().eq(starts.keys()))
                    .then(|| ends.into_values().zip(starts.into_values()))
            });
            let Some(joined) = joined else {
                kept.push(*node);
                continue;
            };
            for ((before, end), (after, start)) in joined {
                self.continued.insert(before, after);
                self.joined.extend([end, start]);
            }
        }
        kept
    }

    /// The fragments of an operand, and of the one that continues it.
    pub(super) fn inside(&self, operand: NodeId) -> Vec<NodeId> {
        let tree = self.reader.tree;
        let mut inside: Vec<NodeId> = tree.parts(operand, "fragment").collect();
        if let Some(after) = self.continued.get(&operand) {
            inside.extend(tree.parts(*after, "fragment"));
        }
        inside
    }
}

/// The operands of an alternative by the names of their continuations; `None` if one has none, or if two have the same.
fn continuations<'d>(
    tree: &XmiTree<'d>,
    node: NodeId,
    pick: impl Fn(&[NodeId]) -> Option<NodeId>,
) -> Option<BTreeMap<&'d str, (NodeId, NodeId)>> {
    if tree.kind(node) != "CombinedFragment" || tree.attribute(node, "interactionOperator") != Some("alt") {
        return None;
    }
    let mut found = BTreeMap::new();
    for operand in tree.parts(node, "operand") {
        let inside: Vec<NodeId> = tree.parts(operand, "fragment").collect();
        let one = pick(&inside).filter(|one| tree.kind(*one) == "Continuation")?;
        if found.insert(tree.name(one), (operand, one)).is_some() {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}
