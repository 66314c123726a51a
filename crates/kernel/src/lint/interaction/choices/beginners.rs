//! The lifelines that begin an operand: those that send there before they have received anything there.

use std::collections::BTreeMap;

use crate::id::Id;
use crate::lint::interaction::is_one_height;
use crate::lint::set::IndexSet;
use crate::model::{
    Block, Combination, Combined, End, Fragment, Interaction, LifelineId, MessageId, MessageSort,
};

/// The lifelines that begin an operand, each with its first message there.
pub(super) type Beginners = BTreeMap<LifelineId, MessageId>;

pub(super) fn beginners(interaction: &Interaction, block: &Block) -> Beginners {
    let mut begun =
        Begun { interaction, met: IndexSet::new(interaction.lifelines.len()), beginners: Beginners::new() };
    begun.block(block);
    begun.beginners
}

/// A walk through an operand.
struct Begun<'a> {
    interaction: &'a Interaction,
    /// Lifelines that have done something, in some way of running what was passed.
    met: IndexSet,
    beginners: Beginners,
}

impl Begun<'_> {
    fn block(&mut self, block: &Block) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.message(*id),
                Fragment::Combined(combined) => self.combined(combined),
                Fragment::Use(used) => used.lifelines.iter().for_each(|one| self.met.insert(one.index())),
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn message(&mut self, id: MessageId) {
        let message = &self.interaction.messages[id];
        // A lifeline that replies was called, and makes the choice that the caller learns.
        if let Some(from) = message.from.lifeline()
            && message.sort != MessageSort::Reply
            && !self.met.contains(from.index())
        {
            self.beginners.entry(from).or_insert(id);
        }
        [message.from, message.to]
            .into_iter()
            .filter_map(End::lifeline)
            .for_each(|one| self.met.insert(one.index()));
    }

    fn combined(&mut self, combined: &Combined) {
        let blocks = combined.operands.iter().map(|operand| &operand.block);
        match combined.operator.combination() {
            Combination::Negation | Combination::Complement => {}
            Combination::Parallel if is_one_height(combined) => blocks.for_each(|block| self.block(block)),
            Combination::Choice { .. } | Combination::Break | Combination::Parallel => {
                let before = self.met.clone();
                let mut after = before.clone();
                for block in blocks {
                    self.met.clone_from(&before);
                    self.block(block);
                    after = after.union(&self.met);
                }
                self.met = after;
            }
            Combination::Sequence
            | Combination::StrictSequence
            | Combination::Repetition(_)
            | Combination::Unordered(_) => blocks.for_each(|block| self.block(block)),
        }
    }
}
