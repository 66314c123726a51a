//! The fewest additional messages that remove all races.

use std::collections::BTreeMap;

use crate::id::Id;
use crate::model::{Block, End, Fragment, Interaction, MessageId};

use super::Race;

/// Races that one message more would cure: from their receiver to the sender of their second messages, just before the
/// first of those is sent.
pub(super) struct Repair {
    pub(super) races: Vec<Race>,
}

/// The ends of the second message of a race: one race is reported for each pair of ends.
pub(super) fn ends(interaction: &Interaction, race: Race) -> (End, End) {
    let second = &interaction.messages[race.second];
    (second.from, second.to)
}

/// The fewest messages that cure all races: for each receiver and sender, races are intervals from the first message to
/// the second, and a message at the earliest end cures all that have begun by then.
pub(super) fn repairs(interaction: &Interaction, races: Vec<Race>) -> Vec<Repair> {
    let blocks = Blocks::of(interaction);
    let mut repairs: Vec<Repair> = Vec::new();
    let mut latest = BTreeMap::new();
    for race in races {
        let cure =
            latest.get(&ends(interaction, race)).map(|index: &usize| &mut repairs[*index]).filter(|repair| {
                let at = repair.races[0].second;
                race.first < at && at <= race.second && blocks.encloses(at, race.second)
            });
        match cure {
            Some(repair) => repair.races.push(race),
            None => {
                latest.insert(ends(interaction, race), repairs.len());
                repairs.push(Repair { races: vec![race] });
            }
        }
    }
    repairs
}

/// In which block each message stands, and which blocks contain which.
struct Blocks {
    of: Vec<usize>,
    outer: Vec<usize>,
}

impl Blocks {
    fn of(interaction: &Interaction) -> Self {
        let mut blocks = Blocks { of: vec![0; interaction.messages.len()], outer: vec![0] };
        blocks.number(&interaction.body, 0);
        blocks
    }

    fn number(&mut self, block: &Block, own: usize) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.of[id.index()] = own,
                Fragment::Combined(combined) => {
                    for operand in &combined.operands {
                        self.outer.push(own);
                        self.number(&operand.block, self.outer.len() - 1);
                    }
                }
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Use(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    /// Whether the block of one message contains the other message.
    fn encloses(&self, one: MessageId, other: MessageId) -> bool {
        let (wanted, mut at) = (self.of[one.index()], self.of[other.index()]);
        // Outer blocks have smaller numbers.
        while at > wanted {
            at = self.outer[at];
        }
        at == wanted
    }
}
