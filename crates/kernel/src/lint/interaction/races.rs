//! Messages that race: W222 (rules I1, I2).
//!
//! What is drawn above need not happen earlier. Only two things put one occurrence after another in reality: a message
//! is received after it is sent, and a lifeline sends when it has done what is drawn above. Two messages from different
//! senders race to a lifeline if nothing of that kind leads from the receiving of the first to the sending of the second
//! (Alur, Holzmann, Peled: An analyzer for message sequence charts, 1996).
//!
//! For each received message one scan runs down the diagram and keeps the set of lifelines that *know* it has arrived: at
//! first its receiver, then whoever is sent something by one that knows. The next message the lifeline receives is in
//! order if its sender knows. Only the next one counts: if it is in order, those after it are compared with it. Hence each
//! place of the diagram is passed at most once per lifeline. A choice is known to tell somebody only if each of its
//! operands does (among calls, if any does); operands of a `par` are not ordered and not compared; at the end of a loop
//! its next round follows.
//!
//! Kept quiet on purpose: replies, which their caller waits for; messages to oneself and from outside; what stands on
//! two sides of a divider, a delay or a `strict`, which say that somebody takes care of the order; two messages of one
//! sender, as channels keep their order (H213). A call that no dashed arrow answers returns when it is taken. Among calls,
//! one that comes unprompted is the next step of a story, told by somebody who takes its time for granted; so is one of the
//! next round of a loop. Messages of one name from several senders are collected in any order.
//!
//! A race is a warning where both messages are drawn as asynchronous and the second sender has been sent something
//! before, so that both follow from what happens in the diagram; otherwise it is a hint.
//!
//! A race is cured by a message from the receiver to the second sender. One such message may cure several races; findings
//! are grouped by the fewest messages that cure all. Rates on real diagrams: decision 7.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::id::Id;
use crate::lint::set::Set;
use crate::model::{
    Block, Combined, End, Fragment, Interaction, LifelineId, Loop, Message, MessageId, MessageSort,
    Occurrence, Operator, SeparatorKind, TipShape,
};

use super::{MOST_FINDINGS, MOST_LABELS, calls, is_one_height, title};

/// Diagrams that would take longer are not looked at to the end. A message is a step.
const MOST_STEPS: usize = 5_000_000;

/// What passing a fragment with operands costs, in steps.
const STEPS_PER_OPERAND: usize = 10;

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
    let mut search = Search {
        interaction,
        answered: calls::answered(interaction),
        before: BTreeMap::new(),
        steps: 0,
        found: BTreeSet::new(),
    };
    for ordering in &interaction.orderings {
        search.before.entry(ordering.after).or_default().push(ordering.before);
    }
    search.walk(&interaction.body, None);
    let prompted = prompted(interaction);
    let is_worth_reading = |race: &Race| {
        let (first, second) = (&interaction.messages[race.first], &interaction.messages[race.second]);
        let is_prompted = is_prompted(interaction, &prompted, *race);
        let is_asynchronous = is_plainly_asynchronous(first, second);
        let is_enough = if race.is_of_two_rounds() {
            is_prompted && is_asynchronous
        } else {
            is_prompted || is_asynchronous
        };
        is_enough && first.name != second.name
    };
    let mut races: Vec<Race> = search.found.into_iter().filter(is_worth_reading).collect();
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

/// Whether both messages are drawn with the arrow of those who mean that nobody waits.
fn is_plainly_asynchronous(first: &Message, second: &Message) -> bool {
    first.sort == MessageSort::Signal && second.sort == MessageSort::Signal
}

/// The fragment around a block, and what follows it.
struct Around<'a> {
    combined: &'a Combined,
    operand: usize,
    rest: &'a [Fragment],
    outer: Option<&'a Around<'a>>,
}

struct Search<'a> {
    interaction: &'a Interaction,
    /// Messages that a reply answers.
    answered: BTreeSet<MessageId>,
    /// What general orderings put before an occurrence.
    before: BTreeMap<Occurrence, Vec<Occurrence>>,
    /// How many fragments were passed so far.
    steps: usize,
    found: BTreeSet<Race>,
}

impl Search<'_> {
    /// Starts a scan at every message of a block.
    fn walk<'w>(&mut self, block: &'w Block, around: Option<&'w Around<'w>>) {
        for (index, fragment) in block.0.iter().enumerate() {
            let rest = &block.0[index + 1..];
            match fragment {
                Fragment::Message(id) => self.scan(*id, rest, around),
                Fragment::Combined(combined) if !is_invalid(&combined.operator) => {
                    for (operand, inside) in combined.operands.iter().enumerate() {
                        self.walk(&inside.block, Some(&Around { combined, operand, rest, outer: around }));
                    }
                }
                Fragment::Combined(_)
                | Fragment::Stop(_)
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

    /// Compares a message with the next ones its receiver gets.
    fn scan(&mut self, first: MessageId, rest: &[Fragment], around: Option<&Around>) {
        let Some((sender, receiver)) = racer(&self.interaction.messages[first]) else { return };
        let mut knows = Set::new(self.interaction.lifelines.len());
        knows.insert(receiver.index());
        if self.waits(first) {
            knows.insert(sender.index());
        }
        let after = BTreeSet::from([Occurrence::Receive(first)]);
        let is_strict = self.interaction.messages[first].sort == MessageSort::Signal;
        let mut scan = Scan { search: self, first, sender, receiver, is_strict, knows, after };
        scan.onwards(rest, around);
    }

    /// Whether the sender goes on only when the message is taken: a call or creation without a reply of its own.
    fn waits(&self, id: MessageId) -> bool {
        match self.interaction.messages[id].sort {
            MessageSort::Call | MessageSort::Create => !self.answered.contains(&id),
            MessageSort::Signal | MessageSort::Reply | MessageSort::Delete => false,
        }
    }
}

/// Sender and receiver of a message that can race at all.
fn racer(message: &Message) -> Option<(LifelineId, LifelineId)> {
    let ends = message.from.lifeline().zip(message.to.lifeline());
    ends.filter(|(from, to)| from != to && message.sort != MessageSort::Reply)
}

/// Whether what stands inside is not meant to happen.
fn is_invalid(operator: &Operator) -> bool {
    matches!(operator, Operator::Neg | Operator::Not)
}

/// What passing a fragment costs: operands copy the set of lifelines that know.
fn steps(fragment: &Fragment, knows: &Set) -> usize {
    match fragment {
        Fragment::Combined(combined) => (1 + combined.operands.len()) * (STEPS_PER_OPERAND + knows.words()),
        Fragment::Message(_)
        | Fragment::Use(_)
        | Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => 1,
    }
}

/// A run down the diagram from the receiving of `first`.
struct Scan<'s, 'a> {
    search: &'s mut Search<'a>,
    first: MessageId,
    sender: LifelineId,
    receiver: LifelineId,
    /// Whether somebody must be told in every way of running a choice, rather than in one.
    is_strict: bool,
    /// Lifelines whose next sends come after that.
    knows: Set,
    /// Occurrences that come after it, as far as general orderings ask for them.
    after: BTreeSet<Occurrence>,
}

impl Scan<'_, '_> {
    /// Passes the rest of a block, then what follows the fragments around it.
    fn onwards(&mut self, rest: &[Fragment], mut around: Option<&Around>) {
        let mut rest = Some(rest);
        loop {
            let is_unordered =
                around.is_some_and(|frame| frame.combined.operator == Operator::Coregion(self.receiver));
            if let Some(rest) = rest.filter(|_| !is_unordered)
                && self.block(rest)
            {
                return;
            }
            let Some(frame) = around else { return };
            if self.leave(frame, rest.is_none()) {
                return;
            }
            // A break ends the operand it stands in.
            rest = (frame.combined.operator != Operator::Break).then_some(frame.rest);
            around = frame.outer;
        }
    }

    /// Passes what may follow an operand inside its own fragment; `true` if nothing further is to be compared.
    fn leave(&mut self, frame: &Around, is_broken: bool) -> bool {
        let following = &frame.combined.operands[frame.operand + 1..];
        match frame.combined.operator {
            Operator::Loop(Loop { max, strict: false, .. }) if !is_broken && max != Some(1) => {
                let knows = self.knows.clone();
                self.block(&frame.combined.operands[frame.operand].block.0);
                self.knows = knows;
                false
            }
            Operator::Strict => !following.is_empty(),
            Operator::Par if is_one_height(frame.combined) => {
                following.iter().any(|operand| self.block(&operand.block.0))
            }
            Operator::Seq
            | Operator::Critical
            | Operator::Assert
            | Operator::Ignore(_)
            | Operator::Consider(_) => following.iter().any(|operand| self.block(&operand.block.0)),
            Operator::Loop(_)
            | Operator::Par
            | Operator::Alt
            | Operator::Opt
            | Operator::Break
            | Operator::Neg
            | Operator::Coregion(_)
            | Operator::Not => false,
        }
    }

    /// Passes fragments in order; `true` if the receiver got its next message in every way of running them.
    fn block(&mut self, fragments: &[Fragment]) -> bool {
        for fragment in fragments {
            self.search.steps += steps(fragment, &self.knows);
            if self.search.steps > MOST_STEPS {
                return true;
            }
            let is_over = match fragment {
                Fragment::Message(id) => self.message(*id),
                Fragment::Combined(combined) => self.combined(combined),
                Fragment::Use(used) => self.used(&used.lifelines),
                Fragment::Separator(separator) => match separator.kind {
                    SeparatorKind::Divider | SeparatorKind::Delay | SeparatorKind::Page => true,
                    SeparatorKind::Space(_) => false,
                },
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Numbering(_) => false,
            };
            if is_over {
                return true;
            }
        }
        false
    }

    fn message(&mut self, id: MessageId) -> bool {
        let message = &self.search.interaction.messages[id];
        let (from, to) = (message.from.lifeline(), message.to.lifeline());
        let sent = from.is_some_and(|from| self.knows.contains(from.index()))
            || self.is_ordered(Occurrence::Send(id));
        let received = sent || self.is_ordered(Occurrence::Receive(id));
        if let Some((from, to)) = racer(message)
            && to == self.receiver
        {
            if !received && from != self.sender {
                self.search.found.insert(Race { first: self.first, second: id });
            }
            return true;
        }
        if sent {
            from.into_iter().for_each(|from| self.knows.insert(from.index()));
        }
        let Some(to) = to else { return false };
        if received {
            self.knows.insert(to.index());
        }
        let hears_back = self.search.waits(id) || message.arrow.tail.shape != TipShape::None;
        if let (true, true, Some(from)) = (hears_back, self.knows.contains(to.index()), from) {
            self.knows.insert(from.index());
        }
        false
    }

    /// Whether a general ordering puts an occurrence after the first message; remembers it if so.
    fn is_ordered(&mut self, occurrence: Occurrence) -> bool {
        if self.search.before.is_empty() {
            return false;
        }
        let earlier = self.search.before.get(&occurrence);
        let is_after = earlier.is_some_and(|earlier| earlier.iter().any(|one| self.after.contains(one)));
        if is_after {
            self.after.insert(occurrence);
        }
        is_after
    }

    /// The content of a reference is not looked at: it may tell all its lifelines, and may bring the next message.
    fn used(&mut self, lifelines: &[LifelineId]) -> bool {
        if lifelines.iter().any(|one| self.knows.contains(one.index())) {
            lifelines.iter().for_each(|one| self.knows.insert(one.index()));
        }
        lifelines.contains(&self.receiver)
    }

    fn combined(&mut self, combined: &Combined) -> bool {
        let blocks = || combined.operands.iter().map(|operand| operand.block.0.as_slice());
        match combined.operator {
            Operator::Alt | Operator::Opt => self.one_of(blocks(), combined.operands.len() < 2),
            Operator::Break => self.one_of(blocks(), true),
            Operator::Loop(Loop { min, .. }) => self.one_of(blocks(), min == Some(0)),
            Operator::Par if is_one_height(combined) => blocks().any(|block| self.block(block)),
            Operator::Par => self.all_of(blocks()),
            Operator::Coregion(lifeline) if lifeline == self.receiver => {
                self.all_of(blocks().flat_map(|block| block.chunks(1)))
            }
            Operator::Strict => blocks().next().is_some_and(|first| self.block(first)) || blocks().len() > 1,
            Operator::Seq
            | Operator::Critical
            | Operator::Assert
            | Operator::Ignore(_)
            | Operator::Consider(_)
            | Operator::Coregion(_) => blocks().any(|block| self.block(block)),
            Operator::Neg | Operator::Not => false,
        }
    }

    /// Alternatives: what all (or some) of them tell is known afterwards. Ways that are over do not come to the end.
    fn one_of<'f>(&mut self, blocks: impl Iterator<Item = &'f [Fragment]>, may_be_skipped: bool) -> bool {
        let before = self.knows.clone();
        let mut after = may_be_skipped.then(|| before.clone());
        for block in blocks {
            self.knows.clone_from(&before);
            if !self.block(block) {
                match &mut after {
                    Some(after) if self.is_strict => after.intersect(&self.knows),
                    Some(after) => after.unite(&self.knows),
                    None => after = Some(self.knows.clone()),
                }
            }
        }
        let is_over = after.is_none();
        self.knows = after.unwrap_or(before);
        is_over
    }

    /// Parts that are not ordered among each other: afterwards all have been passed.
    fn all_of<'f>(&mut self, blocks: impl Iterator<Item = &'f [Fragment]>) -> bool {
        let before = self.knows.clone();
        let mut after = before.clone();
        let mut is_over = false;
        for block in blocks {
            self.knows.clone_from(&before);
            is_over |= self.block(block);
            after.unite(&self.knows);
        }
        self.knows = after;
        is_over
    }
}

/// Races that one message more would cure: from their receiver to the sender of their second messages, just before the
/// first of those is sent.
struct Repair {
    races: Vec<Race>,
}

/// Who sends and receives the second message of a race: of the same two, one race is told.
fn ends(interaction: &Interaction, race: Race) -> (End, End) {
    let second = &interaction.messages[race.second];
    (second.from, second.to)
}

/// The fewest messages that cure all races: for each receiver and sender, races are intervals from the first message to
/// the second, and a message at the earliest end cures all that have begun by then.
fn repairs(interaction: &Interaction, races: Vec<Race>) -> Vec<Repair> {
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
    let is_sharp =
        is_plainly_asynchronous(first, second) && is_prompted(interaction, &prompted(interaction), race);
    let severity = if is_sharp { Severity::Warning } else { Severity::Hint };
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
