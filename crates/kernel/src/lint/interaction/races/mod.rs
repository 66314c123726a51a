//! Messages that race: W222 (rules I1, I2).
//!
//! The vertical order of a drawing does not imply an order in time. Only two things order occurrences
//! causally: a message is received after it is sent, and a lifeline sends after it has done what is drawn
//! above. Two messages from different senders race to a lifeline if no causal chain leads from the receipt of
//! the first to the sending of the second (Alur, Holzmann, Peled: An analyzer for message sequence charts,
//! 1996).
//!
//! For each received message one scan runs down the diagram and keeps the set of lifelines that *know* it has
//! arrived: at first its receiver, then each lifeline that receives a message from one that knows. The next
//! message the lifeline receives is in order if its sender knows. Only the next one counts: if it is in
//! order, those after it are compared with it. Hence each place of the diagram is visited at most once per
//! lifeline. A choice informs a lifeline only if each of its operands does (among calls, if any does);
//! operands of a `par` are not ordered and not compared; at the end of a loop its next iteration follows.
//!
//! Not reported: replies, which their caller waits for; messages to oneself and from outside; messages on two
//! sides of a divider, a delay or a `strict`, which state the order; two messages of one sender, as channels
//! keep their order (H213). A call that no dashed arrow answers returns when it is taken; a message without a
//! cause in the diagram is the next step of the use case. Messages of one name from several senders are
//! collected in any order.
//!
//! Reported are only races of two messages that are drawn as asynchronous, and whose second sender has
//! received something before, so that both are caused in the diagram. A race is a warning where the order can
//! matter: the receiver sends something in between, or next after the second, that does not just pass one of them on, or the
//! author has numbered both; otherwise it is a hint.
//!
//! A message from the receiver to the second sender removes a race. One such message may remove several
//! races; findings are grouped by the fewest messages that remove all. Rates on real diagrams: decision 7.

mod repair;
mod scan;
mod ways;

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::id::Id;
use crate::model::{End, Interaction, Message, MessageId, MessageSort};

use super::{MOST_FINDINGS, MOST_LABELS, title};
use repair::{Repair, ends, repairs};

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let repairs = repairs(interaction, races(interaction));
    let first = |repair: &Repair| repair.races[0];
    let mut said = BTreeSet::new();
    let is_new = |repair: &&Repair| said.insert(ends(interaction, first(repair)));
    findings
        .extend(repairs.iter().filter(is_new).take(MOST_FINDINGS).map(|repair| finding(interaction, repair)));
}

/// Two messages to one lifeline that may arrive in the other order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Race {
    first: MessageId,
    second: MessageId,
}

impl Race {
    /// Whether the second message belongs to the next round of a loop.
    fn is_of_two_rounds(self) -> bool {
        self.first > self.second
    }
}

/// All races of neighbours on a lifeline, in drawn order of the second message.
fn races(interaction: &Interaction) -> Vec<Race> {
    let prompted = prompted(interaction);
    let is_worth_reading = |race: &Race| {
        let (first, second) = (&interaction.messages[race.first], &interaction.messages[race.second]);
        let is_asynchronous = first.sort == MessageSort::Signal && second.sort == MessageSort::Signal;
        is_asynchronous && is_prompted(interaction, &prompted, *race) && first.name != second.name
    };
    let mut races: Vec<Race> = scan::races(interaction).into_iter().filter(is_worth_reading).collect();
    races.sort_by_key(|race| (race.second, race.first));
    races
}

/// For each lifeline the first message it gets from another one.
fn prompted(interaction: &Interaction) -> Vec<usize> {
    let mut first = vec![usize::MAX; interaction.lifelines.len()];
    for (id, message) in interaction.messages.enumerate().rev() {
        if let (from, Some(to)) = (message.from.lifeline(), message.to.lifeline())
            && from != Some(to)
        {
            first[to.index()] = id.index();
        }
    }
    first
}

/// Whether the sender of the second message has been sent anything before.
fn is_prompted(interaction: &Interaction, prompted: &[usize], race: Race) -> bool {
    let sender = interaction.messages[race.second].from.lifeline();
    let latest = race.first.max(race.second).index();
    sender.is_some_and(|sender| prompted[sender.index()] < latest)
}

/// Whether it can matter which of the two comes first: the receiver acts on one of them, and does not just pass it on, or the author has numbered
/// them.
fn can_matter(interaction: &Interaction, race: Race) -> bool {
    let (first, second) = (&interaction.messages[race.first], &interaction.messages[race.second]);
    let receiver = second.to;
    let passes_on = |message: &Message| [&first.name, &second.name].contains(&&message.name);
    let acts = |message: &Message| message.from == receiver && message.to != receiver && !passes_on(message);
    let (early, late) = (race.first.min(race.second).index(), race.first.max(race.second).index());
    let between = interaction.messages.iter().skip(early + 1).take(late - early - 1);
    let next =
        interaction.messages.iter().skip(late + 1).find(|message| {
            (message.from == receiver || message.to == receiver) && message.from != message.to
        });
    let is_numbered = |message: &Message| message.text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    between.into_iter().any(acts) || next.is_some_and(acts) || (is_numbered(first) && is_numbered(second))
}

fn finding(interaction: &Interaction, repair: &Repair) -> Diagnostic {
    let race = repair.races[0];
    let message = |id: MessageId| &interaction.messages[id];
    let lifeline = |end: End| end.lifeline().map_or("", |one| interaction.lifelines[one].name.as_str());
    let (first, second) = (message(race.first), message(race.second));
    let (sender, receiver, other) = (lifeline(second.from), lifeline(second.to), lifeline(first.from));
    let text = format!(
        "{} from `{sender}` may reach `{receiver}` before {} from `{other}`, which {}",
        title(second),
        title(first),
        if race.is_of_two_rounds() { "belongs to the round before" } else { "is drawn above it" }
    );
    let can_matter = repair.races.iter().any(|race| can_matter(interaction, *race));
    let severity = if can_matter { Severity::Warning } else { Severity::Hint };
    let finding = Diagnostic::new(Code::Race, second.place.0, text)
        .severity(severity)
        .label(first.place.0, format!("nothing makes `{sender}` wait until this has arrived"))
        .hint(hint(interaction, repair, sender, receiver));
    repair.races.iter().skip(1).take(MOST_LABELS).fold(finding, |finding, more| {
        let (place, text) = match more.second == race.second {
            true => (
                message(more.first).place.0,
                format!("nor until this has, from `{}`", lifeline(message(more.first).from)),
            ),
            false => (
                message(more.second).place.0,
                format!("this may come before {} too", title(message(more.first))),
            ),
        };
        finding.label(place, text)
    })
}

/// The message that would cure the races of a group.
fn hint(interaction: &Interaction, repair: &Repair, sender: &str, receiver: &str) -> String {
    let race = repair.races[0];
    let awaited: BTreeSet<MessageId> = repair.races.iter().map(|race| race.first).collect();
    let awaited: Vec<String> = awaited.iter().map(|id| title(&interaction.messages[*id])).collect();
    let (early, late) = (awaited.join(" and "), title(&interaction.messages[race.second]));
    let cured = match repair.races.len() {
        1 => String::new(),
        races => format!(" (cures {races} races)"),
    };
    let otherwise = match race.is_of_two_rounds() {
        true => String::new(),
        false => format!("; if the order does not matter, draw both in a coregion of `{receiver}`"),
    };
    format!(
        "let `{receiver}` tell `{sender}` that it has {early} before `{sender}` sends {late}{cured}{otherwise}"
    )
}
