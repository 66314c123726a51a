//! Walks through the fragments of an interaction, which are nested: to look at all of them, to number, replace or change some.

use std::collections::BTreeSet;

use super::{Block, Combined, Fragment, FragmentId, Interaction, MessageId, Use};
use crate::id::Id;

impl Interaction {
    /// Calls `visit` on every fragment in drawn order, outer before inner, with its nesting depth.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Fragment, usize)) {
        self.body.walk(0, visit);
    }

    /// Whether all combined fragments have different ids.
    pub(crate) fn has_numbered_fragments(&self) -> bool {
        let (mut known, mut count) = (BTreeSet::new(), 0);
        self.walk(&mut |fragment, _| {
            if let Fragment::Combined(combined) = fragment {
                known.insert(combined.id);
                count += 1;
            }
        });
        known.len() == count
    }
}

impl Combined {
    /// Calls `visit` on every fragment inside, in drawn order, outer before inner, with its nesting depth.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Fragment, usize)) {
        self.operands.iter().for_each(|operand| operand.block.walk(0, visit));
    }
}

impl Block {
    /// Numbers all combined fragments of what is the body of an interaction, in drawn order, outer before inner.
    pub fn number_fragments(&mut self) {
        self.number_from(0);
    }

    fn number_from(&mut self, mut next: usize) -> usize {
        for fragment in &mut self.0 {
            if let Fragment::Combined(combined) = fragment {
                combined.id = FragmentId::from_index(next);
                let inside = combined.operands.iter_mut();
                next = inside.fold(next + 1, |next, operand| operand.block.number_from(next));
            }
        }
        next
    }

    /// The fragments, those inside frames that are only drawn among them.
    pub fn unframed(&self) -> Vec<&Fragment> {
        let mut fragments = Vec::new();
        for fragment in &self.0 {
            if let Fragment::Combined(combined) = fragment {
                if combined.is_drawn_only() {
                    fragments.extend(combined.operands.iter().flat_map(|operand| operand.block.unframed()));
                    continue;
                }
            }
            fragments.push(fragment);
        }
        fragments
    }

    /// The block with some fragments, also those inside of others, replaced: by what `change` gives for them. Where that is
    /// `None` the fragment stays, and what is inside of it is looked at.
    pub fn replaced(&self, change: &impl Fn(&Fragment) -> Option<Vec<Fragment>>) -> Block {
        let one = |fragment: &Fragment| {
            change(fragment).unwrap_or_else(|| {
                let mut kept = fragment.clone();
                if let Fragment::Combined(combined) = &mut kept {
                    for operand in &mut combined.operands {
                        operand.block = operand.block.replaced(change);
                    }
                }
                vec![kept]
            })
        };
        Block(self.0.iter().flat_map(one).collect())
    }

    /// The messages in it, in drawn order.
    pub fn messages(&self) -> Vec<MessageId> {
        let mut found = Vec::new();
        self.walk(0, &mut |fragment, _| {
            if let Fragment::Message(id) = fragment {
                found.push(*id);
            }
        });
        found
    }

    /// Calls `change` on every interaction use in it.
    pub fn change_uses(&mut self, change: &mut impl FnMut(&mut Use)) {
        for fragment in &mut self.0 {
            match fragment {
                Fragment::Use(used) => change(used),
                Fragment::Combined(combined) => {
                    combined.operands.iter_mut().for_each(|operand| operand.block.change_uses(change));
                }
                Fragment::Message(_)
                | Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn walk<'a>(&'a self, depth: usize, visit: &mut impl FnMut(&'a Fragment, usize)) {
        for fragment in &self.0 {
            visit(fragment, depth);
            if let Fragment::Combined(combined) = fragment {
                for operand in &combined.operands {
                    operand.block.walk(depth + 1, visit);
                }
            }
        }
    }
}
