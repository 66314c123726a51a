//! The scan of a diagram from each received message down to the next messages of its receiver.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::Id;
use crate::lint::set::IndexSet;
use crate::model::{
    Block, Combination, Combined, Fragment, Interaction, LifelineId, Loop, Message, MessageId, MessageSort,
    Modality, Occurrence, Operator, SeparatorKind, TipShape,
};

use super::Race;
use super::ways::RaceWays;
use crate::lint::interaction::{calls, is_one_height};

/// Diagrams that would take longer are not looked at to the end. A message is a step.
const MOST_STEPS: usize = 2_000_000;

/// What passing a fragment with operands costs, in steps.
const STEPS_PER_OPERAND: usize = 10;

/// All races of neighbours on a lifeline.
pub(super) fn races(interaction: &Interaction) -> BTreeSet<Race> {
    let mut search = RaceSearch {
        interaction,
        answered: calls::answered(interaction),
        before: BTreeMap::new(),
        has_rivals: has_rivals(interaction),
        steps: 0,
        found: BTreeSet::new(),
    };
    for ordering in &interaction.orderings {
        search.before.entry(ordering.after).or_default().push(ordering.before);
    }
    search.walk(&interaction.body, None);
    search.found
}

/// For each lifeline whether several others send to it.
fn has_rivals(interaction: &Interaction) -> Vec<bool> {
    let mut senders = vec![None; interaction.lifelines.len()];
    let mut has_rivals = vec![false; interaction.lifelines.len()];
    for (from, to) in interaction.messages.iter().filter_map(racer) {
        let first = *senders[to.index()].get_or_insert(from);
        has_rivals[to.index()] |= first != from;
    }
    has_rivals
}

/// The fragment around a block, and what follows it.
struct Around<'a> {
    combined: &'a Combined,
    operand: usize,
    rest: &'a [Fragment],
    outer: Option<&'a Around<'a>>,
}

struct RaceSearch<'a> {
    interaction: &'a Interaction,
    /// Messages that a reply answers.
    answered: BTreeSet<MessageId>,
    /// What general orderings put before an occurrence.
    before: BTreeMap<Occurrence, Vec<Occurrence>>,
    /// Lifelines that hear from several others: only there can anything race.
    has_rivals: Vec<bool>,
    /// How many fragments were passed so far.
    steps: usize,
    found: BTreeSet<Race>,
}

impl RaceSearch<'_> {
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
        if !self.has_rivals[receiver.index()] {
            return;
        }
        let mut knows = IndexSet::new(self.interaction.lifelines.len());
        knows.insert(receiver.index());
        if self.waits(first) {
            knows.insert(sender.index());
        }
        let after = BTreeSet::from([Occurrence::Receive(first)]);
        let is_strict = self.interaction.messages[first].sort == MessageSort::Signal;
        let ways = RaceWays::one(knows);
        let mut scan = RaceScan { search: self, first, sender, receiver, is_strict, ways, after };
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
    operator.modality() == Modality::Forbidden
}

/// What passing a fragment costs: operands copy the sets of lifelines that know.
fn steps(fragment: &Fragment, ways: &RaceWays) -> usize {
    match fragment {
        Fragment::Combined(combined) => (1 + combined.operands.len()) * (STEPS_PER_OPERAND + ways.words()),
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
struct RaceScan<'s, 'a> {
    search: &'s mut RaceSearch<'a>,
    first: MessageId,
    sender: LifelineId,
    receiver: LifelineId,
    /// Whether a choice must inform a lifeline in every operand, rather than in one.
    is_strict: bool,
    /// Lifelines whose next sends come after that.
    ways: RaceWays,
    /// Occurrences that come after it, as far as general orderings ask for them.
    after: BTreeSet<Occurrence>,
}

impl RaceScan<'_, '_> {
    /// Passes the rest of a block, then what follows the fragments around it.
    fn onwards(&mut self, rest: &[Fragment], mut around: Option<&Around>) {
        let mut rest = Some(rest);
        loop {
            let combination = around.map(|frame| frame.combined.operator.combination());
            let is_unordered = combination == Some(Combination::Unordered(self.receiver));
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
            rest = (combination != Some(Combination::Break)).then_some(frame.rest);
            around = frame.outer;
        }
    }

    /// Passes what may follow an operand inside its own fragment; `true` if nothing further is to be compared.
    fn leave(&mut self, frame: &Around, is_broken: bool) -> bool {
        let following = &frame.combined.operands[frame.operand + 1..];
        match frame.combined.operator.combination() {
            Combination::Repetition(Loop { max, strict: false, .. }) if !is_broken && max != Some(1) => {
                let ways = self.ways.clone();
                self.block(&frame.combined.operands[frame.operand].block.0);
                self.ways = ways;
                false
            }
            Combination::StrictSequence => !following.is_empty(),
            Combination::Parallel if is_one_height(frame.combined) => {
                following.iter().any(|operand| self.block(&operand.block.0))
            }
            Combination::Sequence => following.iter().any(|operand| self.block(&operand.block.0)),
            Combination::Repetition(_)
            | Combination::Parallel
            | Combination::Choice { .. }
            | Combination::Break
            | Combination::Unordered(_)
            | Combination::Negation
            | Combination::Complement => false,
        }
    }

    /// Passes fragments in order; `true` if the receiver got its next message in every way of running them.
    fn block(&mut self, fragments: &[Fragment]) -> bool {
        for fragment in fragments {
            self.search.steps += steps(fragment, &self.ways);
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
        let (sent, received) =
            (self.is_ordered(Occurrence::Send(id)), self.is_ordered(Occurrence::Receive(id)));
        let is_sent = |knows: &IndexSet| sent || from.is_some_and(|from| knows.contains(from.index()));
        if self.ways.all(is_sent) {
            self.remember([Occurrence::Send(id), Occurrence::Receive(id)]);
        }
        if let Some((from, to)) = racer(message)
            && to == self.receiver
        {
            if !received && from != self.sender && !self.ways.all(is_sent) {
                self.search.found.insert(Race { first: self.first, second: id });
            }
            return true;
        }
        let hears_back = self.search.waits(id) || message.arrow.tail.shape != TipShape::None;
        self.ways.each(|knows| {
            let told = to.filter(|_| received || is_sent(knows));
            told.into_iter().chain(from.filter(|_| sent)).for_each(|one| knows.insert(one.index()));
            if hears_back && to.is_some_and(|to| knows.contains(to.index())) {
                from.into_iter().for_each(|from| knows.insert(from.index()));
            }
        });
        false
    }

    /// Whether a general ordering puts an occurrence after the first message.
    fn is_ordered(&mut self, occurrence: Occurrence) -> bool {
        let earlier = self.search.before.get(&occurrence);
        let is_after = earlier.is_some_and(|earlier| earlier.iter().any(|one| self.after.contains(one)));
        if is_after {
            self.after.insert(occurrence);
        }
        is_after
    }

    /// Occurrences after the first message, for general orderings further on.
    fn remember(&mut self, occurrences: [Occurrence; 2]) {
        if !self.search.before.is_empty() {
            self.after.extend(occurrences);
        }
    }

    /// The content of a reference is not looked at: it may tell all its lifelines, and may bring the next message.
    fn used(&mut self, lifelines: &[LifelineId]) -> bool {
        self.ways.each(|knows| {
            if lifelines.iter().any(|one| knows.contains(one.index())) {
                lifelines.iter().for_each(|one| knows.insert(one.index()));
            }
        });
        lifelines.contains(&self.receiver)
    }

    fn combined(&mut self, combined: &Combined) -> bool {
        let blocks = || combined.operands.iter().map(|operand| operand.block.0.as_slice());
        match combined.operator.combination() {
            Combination::Choice { .. } => self.one_of(blocks(), combined.operands.len() < 2),
            Combination::Break => self.one_of(blocks(), true),
            Combination::Repetition(Loop { min, .. }) => self.one_of(blocks(), min == Some(0)),
            Combination::Parallel if is_one_height(combined) => blocks().any(|block| self.block(block)),
            Combination::Parallel => self.all_of(blocks()),
            Combination::Unordered(lifeline) if lifeline == self.receiver => {
                self.all_of(blocks().flat_map(|block| block.chunks(1)))
            }
            Combination::StrictSequence => {
                blocks().next().is_some_and(|first| self.block(first)) || blocks().len() > 1
            }
            Combination::Sequence | Combination::Unordered(_) => blocks().any(|block| self.block(block)),
            Combination::Negation | Combination::Complement => false,
        }
    }

    /// Alternatives. Ways in which the receiver got its next message do not come to the end.
    fn one_of<'f>(&mut self, blocks: impl Iterator<Item = &'f [Fragment]>, may_be_skipped: bool) -> bool {
        let before = self.ways.clone();
        let mut after = if may_be_skipped { before.clone() } else { RaceWays::none() };
        for block in blocks {
            self.ways.clone_from(&before);
            if !self.block(block) {
                let inside = std::mem::replace(&mut self.ways, RaceWays::none());
                after = if self.is_strict { after.or(inside) } else { after.or_together(inside) };
            }
        }
        let is_over = after.is_none();
        self.ways = if is_over { before } else { after };
        is_over
    }

    /// Parts that are not ordered among each other: afterwards all have been passed.
    fn all_of<'f>(&mut self, blocks: impl Iterator<Item = &'f [Fragment]>) -> bool {
        let before = self.ways.clone();
        let mut after = before.clone();
        let mut is_over = false;
        for block in blocks {
            self.ways.clone_from(&before);
            is_over |= self.block(block);
            after = after.and(&self.ways);
        }
        self.ways = after;
        is_over
    }
}
