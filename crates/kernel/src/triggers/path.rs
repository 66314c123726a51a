//! A path of a machine along the messages that its lifeline receives (P4, D13), as evidence that there is one.

use std::collections::BTreeSet;

use super::{ActiveStates, LifelineWalk};
use crate::model::{Block, Fragment, MessageId, VertexId};

impl LifelineWalk<'_> {
    /// The messages that the lifeline receives, each with a state in which the machine can take it, along one path. `None` if there is none, or
    /// if the interaction is more than a list of messages, or one of them need not be taken.
    pub fn path(&self) -> Option<Vec<(MessageId, VertexId)>> {
        let (interaction, _) = *self.open.first()?;
        let diagram = &self.model.interactions[interaction];
        let is_taken = |id: &MessageId| !self.is_no_trigger(&diagram.messages[*id]);
        let received: Vec<MessageId> = self.plain(&diagram.body)?.into_iter().filter(is_taken).collect();
        let is_loose = |id: &MessageId| self.may_be_passed(&diagram.messages[*id]);
        if received.iter().any(is_loose) {
            return None;
        }
        let name = |at: usize| diagram.messages[received[at]].name.as_str();
        let mut levels = vec![self.settle(self.paths.anywhere())];
        for at in 0..received.len() {
            levels.push(self.settle(self.paths.take(&levels[at], name(at))));
        }
        let mut target = *levels.last()?.first()?;
        let mut path = Vec::new();
        for at in (0..received.len()).rev() {
            let leads = |from: &&VertexId| {
                let only: ActiveStates = BTreeSet::from([**from]);
                self.settle(self.paths.take(&only, name(at))).contains(&target)
            };
            target = *levels[at].iter().find(leads)?;
            path.push((received[at], target));
        }
        path.reverse();
        Some(path)
    }

    /// The messages that the lifeline receives in a block that is nothing but messages.
    fn plain(&self, block: &Block) -> Option<Vec<MessageId>> {
        let (interaction, lifeline) = *self.open.last()?;
        let messages = &self.model.interactions[interaction].messages;
        let mut received = Vec::new();
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => {
                    received.extend(Some(*id).filter(|id| messages[*id].to.lifeline() == Some(lifeline)));
                }
                Fragment::Use(_) | Fragment::Combined(_) => return None,
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
        Some(received)
    }
}
