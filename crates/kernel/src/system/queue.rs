//! Queues of a System: their owner, capacity, order and variables.
//!
//! Messages that wait for a component are numbered from 1 in its queue; the lowering knows what the numbers
//! mean.

use super::{ComponentId, System, VariableId};
use crate::id;

id! {
    /// A queue.
    QueueId
}

/// Where messages wait until a component takes them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Queue {
    /// The component that takes the messages.
    pub owner: ComponentId,
    /// How many messages it holds at most.
    pub capacity: usize,
    /// In which order they are taken, and where they lie.
    pub order: QueueOrder,
}

/// The order in which a queue gives its messages, with the variables that hold them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QueueOrder {
    /// First in, first out: for each place, the first one first, the number of the message there, or 0.
    Fifo(Vec<VariableId>),
    /// Any message may be taken.
    Bag {
        /// How many of each message wait, by their numbers.
        counts: Vec<VariableId>,
        /// How many wait in all.
        total: VariableId,
    },
}

impl QueueOrder {
    /// The variables in which messages lie: places, or counts.
    pub fn slots(&self) -> &[VariableId] {
        match self {
            QueueOrder::Fifo(places) => places,
            QueueOrder::Bag { counts, .. } => counts,
        }
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> + '_ {
        let total = match self {
            QueueOrder::Fifo(_) => None,
            QueueOrder::Bag { total, .. } => Some(*total),
        };
        self.slots().iter().copied().chain(total)
    }
}

impl Queue {
    /// The places of a queue that keeps the order, the first one first; `None` for a bag.
    pub fn places(&self) -> Option<&[VariableId]> {
        match &self.order {
            QueueOrder::Fifo(places) => Some(places),
            QueueOrder::Bag { .. } => None,
        }
    }
}

impl System {
    /// The queue from which a component takes messages.
    pub(crate) fn queue_of(&self, owner: ComponentId) -> Option<&Queue> {
        self.queues.iter().find(|queue| queue.owner == owner)
    }

    /// The places of each queue that keeps the order.
    pub fn fifos(&self) -> impl Iterator<Item = (QueueId, &[VariableId])> + '_ {
        self.queues.enumerate().filter_map(|(id, queue)| Some((id, queue.places()?)))
    }
}
