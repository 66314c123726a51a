//! Alphabets: which events of a system matter to a scenario.
//!
//! All; those of drawn messages (P1's alpha, P3's mentioned-only); those of drawn names between any objects
//! (P1's channels); those between the drawn objects. A send from outside of the system never matters. A drawn
//! found message stands for its receipt alone, from any sender, and a lost one for its sending.

use std::collections::BTreeSet;

use super::SearchedSystem;
use crate::model::{Alphabet, Interaction};
use crate::property::diagram::DrawnOccurrence;
use crate::property::pattern::letter::{Given, Letter};
use crate::system::{ComponentId, Event, EventKind};

/// For each event of the system whether it matters.
pub(super) fn of(
    alphabet: Alphabet,
    (interaction, drawn): (&Interaction, &BTreeSet<DrawnOccurrence>),
    stage: &SearchedSystem<'_>,
    given: &[Option<Given>],
    letters: &[Letter],
) -> Vec<bool> {
    let ends = drawn.iter().flat_map(|one| [&one.from, &one.to]).flatten();
    let names = interaction.lifelines.iter().map(|lifeline| &lifeline.name).chain(ends);
    let objects = names.filter_map(|name| (stage.plays)(name)).collect();
    let diagram = AlphabetDiagram { drawn, stage, objects };
    let matters = |((event, given), letter): ((&Event, &Option<Given>), &Letter)| {
        let name = given.as_ref().map_or("", |given| given.name.as_str());
        let is_matched = !letter.matches.is_empty() || !letter.pairs.is_empty();
        let is_own = alphabet == Alphabet::Own && letter.is_drawn;
        is_matched || is_own || !diagram.is_half(event, name) && diagram.matters(alphabet, event, name)
    };
    stage.system.events.iter().zip(given).zip(letters).map(matters).collect()
}

struct AlphabetDiagram<'d> {
    drawn: &'d BTreeSet<DrawnOccurrence>,
    stage: &'d SearchedSystem<'d>,
    /// The objects that play its lifelines, whether they send or receive anything or not.
    objects: BTreeSet<ComponentId>,
}

impl AlphabetDiagram<'_> {
    fn matters(&self, alphabet: Alphabet, event: &Event, name: &str) -> bool {
        let mut drawn = self.drawn.iter().filter(|one| is_kind(one, event) && one.message == name);
        let objects = [event.from, event.to].into_iter().flatten();
        // The end of an object counts where it is drawn: few diagrams show what becomes of their lifelines.
        if event.kind == EventKind::Termination {
            return drawn.any(|one| self.is_end(&one.from, event.from));
        }
        match alphabet {
            Alphabet::All => true,
            Alphabet::Own => {
                drawn.any(|one| self.is_end(&one.from, event.from) && self.is_end(&one.to, event.to))
            }
            Alphabet::Channels => drawn.next().is_some(),
            Alphabet::OwnObjects => objects.filter(|object| self.objects.contains(object)).count() == 2,
        }
    }

    /// Whether it is the end of a message that is drawn without it.
    fn is_half(&self, event: &Event, name: &str) -> bool {
        let is_found = |one: &&DrawnOccurrence| one.from.is_none() && one.kind == EventKind::Receive;
        let is_lost = |one: &&DrawnOccurrence| one.to.is_none() && one.kind == EventKind::Send;
        let mut named = self.drawn.iter().filter(|one| one.message == name);
        match event.kind {
            EventKind::Send => {
                event.from.is_none() || named.any(|one| is_found(&one) && self.is_end(&one.to, event.to))
            }
            EventKind::Receive => named.any(|one| is_lost(&one) && self.is_end(&one.from, event.from)),
            EventKind::Rendezvous | EventKind::Termination => false,
        }
    }

    fn is_end(&self, drawn: &Option<String>, end: Option<ComponentId>) -> bool {
        drawn.as_ref().is_none_or(|name| end.is_some() && (self.stage.plays)(name) == end)
    }
}

/// Whether an event may be one that is drawn: what meets is both ends of a message.
fn is_kind(drawn: &DrawnOccurrence, event: &Event) -> bool {
    match event.kind {
        EventKind::Rendezvous => matches!(drawn.kind, EventKind::Send | EventKind::Receive),
        EventKind::Send | EventKind::Receive | EventKind::Termination => drawn.kind == event.kind,
    }
}
