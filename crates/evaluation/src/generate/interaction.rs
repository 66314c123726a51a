//! Random interactions: every operator, nested, with guards that several fragments share. The same seed gives the same
//! interaction on every machine.

use std::collections::BTreeSet;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{
    Argument, Arrow, Block, Bound, Combined, Condition, End, Execution, Fragment, Frame, GeneralOrdering,
    Guard, Interaction, InteractionId, Invariant, KnownMessage, Lifeline, LifelineId, LifelineKind, Loop,
    Message, MessageId, MessageSort, MessageType, Model, Note, NotePosition, NoteShape, Occurrence, Operand,
    Operator, Outside, Side, Stop, Tip, Use,
};
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::source::{FileId, Place, Span};
use sequent_notation::expression::parse;

use super::numbers::ChoiceSource;

/// The diagram of a seed: an interaction, and sometimes a second one that it uses.
pub fn model(seed: u64) -> Model {
    let mut generator = Generator {
        numbers: ChoiceSource::new(seed),
        interaction: empty("random"),
        left: 0,
        is_endless: false,
        has_not: false,
        uses: false,
    };
    generator.is_endless = generator.once_in(4);
    generator.has_not = generator.once_in(8);
    generator.uses = generator.once_in(6);
    let most = if generator.is_endless || generator.has_not { 4 } else { 8 };
    generator.interaction(most);
    let mut interactions = vec![generator.interaction.clone()];
    if generator.uses {
        generator.uses = false;
        generator.interaction = empty("used");
        generator.interaction(3);
        interactions.push(generator.interaction);
    }
    Model { interactions: interactions.into_iter().collect(), ..Model::default() }
}

/// Switches and fixed guards of a seed.
pub fn assumptions(seed: u64) -> Assumptions {
    let mut numbers = ChoiceSource::new(seed ^ 0x5eed);
    let mut assumptions = Assumptions::default();
    for (name, values) in Switches::TABLE {
        let value = match values[numbers.below(values.len())] {
            Switches::NUMBER => (1 + numbers.below(2)).to_string(),
            value => value.to_owned(),
        };
        assumptions.switches.set(name, &value).expect("it stands in the table");
    }
    for text in TEXTS.into_iter().chain(["p", "q"]) {
        if numbers.below(2) == 0 {
            assumptions.guards.insert(text.to_owned(), numbers.below(2) == 0);
        }
    }
    assumptions
}

/// A place that says nothing.
pub fn place() -> Place {
    Place(Span::new(FileId::from_index(0), 0, 0))
}

/// Propositions for guards.
const TEXTS: [&str; 3] = ["it rains", "it snows", "it is late"];

/// Guards that join words, and a word alone.
const COMPOUNDS: [&str; 7] = ["p", "!p", "p & q", "p and not q", "p or q", "not (p implies q)", "q | false"];

/// How deep fragments are nested.
const DEEPEST: usize = 3;

/// Message types; few, so that some are drawn twice.
const TYPES: [&str; 6] = ["m1", "m2", "m3", "m4", "m5", "m6"];

fn empty(name: &str) -> Interaction {
    Interaction {
        name: name.to_owned(),
        title: None,
        captions: Vec::new(),
        place: place(),
        lifelines: IdVec::new(),
        messages: IdVec::new(),
        body: Block::default(),
        orderings: Vec::new(),
        timings: Vec::new(),
        boxes: Vec::new(),
        known: Vec::new(),
    }
}

struct Generator {
    numbers: ChoiceSource,
    interaction: Interaction,
    /// Messages that may still be drawn.
    left: usize,
    /// Loops may be without upper bound.
    is_endless: bool,
    /// There may be a `not`.
    has_not: bool,
    /// There may be interaction uses.
    uses: bool,
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.numbers.below(bound)
    }

    /// True once in `times` on average.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn interaction(&mut self, most: usize) {
        for name in &["a", "b", "c", "d"][..2 + self.below(3)] {
            self.interaction.lifelines.push(lifeline(name));
        }
        self.left = 2 + self.below(most - 1);
        let mut body = self.block(0);
        body.number_fragments();
        self.interaction.body = body;
        if self.once_in(4) {
            self.orderings();
        }
    }

    fn lifeline(&mut self) -> LifelineId {
        LifelineId::from_index(self.below(self.interaction.lifelines.len()))
    }

    fn block(&mut self, depth: usize) -> Block {
        let most = if depth == 0 { 5 } else { 3 };
        let count = if depth > 0 && self.once_in(8) { 0 } else { 1 + self.below(most) };
        Block((0..count).filter_map(|_| self.fragment(depth)).collect())
    }

    fn fragment(&mut self, depth: usize) -> Option<Fragment> {
        match self.below(20) {
            0 => Some(Fragment::Stop(Stop { lifeline: self.lifeline(), place: place() })),
            1 => Some(self.noise()),
            2 if self.once_in(3) => Some(self.invariant()),
            2 if self.uses => Some(self.used()),
            3..=9 if depth < DEEPEST => Some(Fragment::Combined(self.combined(depth))),
            _ => self.message(),
        }
    }

    fn noise(&mut self) -> Fragment {
        let lifeline = self.lifeline();
        if self.once_in(2) {
            let bound = if self.once_in(2) { Bound::Start } else { Bound::Finish };
            return Fragment::Execution(Execution { lifeline, bound, colour: None, place: place() });
        }
        Fragment::Note(Note {
            position: NotePosition::Over,
            lifelines: vec![lifeline],
            message: None,
            shape: NoteShape::Folded,
            text: "a note".to_owned(),
            colour: None,
            place: place(),
        })
    }

    fn invariant(&mut self) -> Fragment {
        let text = if self.once_in(2) { self.pick(&COMPOUNDS) } else { self.pick(&TEXTS) };
        let condition = condition(text);
        let mut lifelines = vec![self.lifeline()];
        let other = self.lifeline();
        if self.once_in(2) && !lifelines.contains(&other) {
            lifelines.push(other);
        }
        Fragment::Invariant(Invariant { lifelines, condition, place: place() })
    }

    fn used(&mut self) -> Fragment {
        let target = Some(InteractionId::from_index(1));
        let lifelines = self.interaction.lifelines.ids().collect();
        Fragment::Use(Use { name: "used".to_owned(), target, lifelines, place: place() })
    }

    fn message(&mut self) -> Option<Fragment> {
        self.left = self.left.checked_sub(1)?;
        let lifelines = self.interaction.lifelines.len();
        let from = self.below(lifelines);
        let to = if self.once_in(12) { from } else { (from + 1 + self.below(lifelines - 1)) % lifelines };
        let [mut from, mut to] = [from, to].map(|index| End::Lifeline(LifelineId::from_index(index)));
        let mut sort = MessageSort::Signal;
        match self.below(21) {
            0 => from = End::Outside(Outside { side: Side::Left, short: false }),
            1 => to = End::Outside(Outside { side: Side::Right, short: false }),
            2..=6 if from != to => sort = MessageSort::Call,
            7..=11 if from != to => {
                sort = MessageSort::Reply;
                self.answer(&mut from, &mut to);
            }
            20 if from != to && self.once_in(2) => sort = MessageSort::Create,
            20 if from != to => sort = MessageSort::Delete,
            _ => {}
        }
        let mut message = message(self.pick(&TYPES), sort, from, to);
        if self.once_in(8) {
            let arguments =
                ["1", "2"].map(|text| Argument { name: None, text: text.to_owned(), value: None });
            let count = self.below(3);
            message.arguments = Some(arguments.into_iter().take(count).collect());
        }
        Some(Fragment::Message(self.interaction.messages.push(message)))
    }

    /// A reply mostly answers the last message.
    fn answer(&mut self, from: &mut End, to: &mut End) {
        let Some(last) = self.interaction.messages.iter().last() else { return };
        let (caller, called) = (last.from, last.to);
        let is_proper = caller.lifeline().is_some() && called.lifeline().is_some() && caller != called;
        if is_proper && !self.once_in(4) {
            (*from, *to) = (called, caller);
        }
    }

    fn combined(&mut self, depth: usize) -> Combined {
        let operator = match self.below(29) {
            0..=4 => Operator::Alt,
            5..=6 => Operator::Opt,
            7..=9 => Operator::Break,
            10..=12 => Operator::Loop(self.bounds()),
            13..=15 => Operator::Par,
            16 => Operator::Seq,
            17..=18 => Operator::Strict,
            19..=20 => Operator::Critical,
            21..=22 => Operator::Assert,
            23..=25 => Operator::Neg,
            26 => {
                if self.once_in(3) {
                    let known = self.known();
                    self.interaction.known.push(known);
                }
                if self.once_in(2) {
                    Operator::Ignore(self.types())
                } else {
                    Operator::Consider(self.types())
                }
            }
            27 => Operator::Coregion(self.lifeline()),
            _ if self.has_not => Operator::Not,
            _ => Operator::Loop(self.bounds()),
        };
        // Twice would be too much to list.
        self.has_not &= operator != Operator::Not;
        let count = match operator.takes_one_operand() {
            true => 1 + usize::from(self.once_in(16)),
            false => 1 + self.below(3),
        };
        let guards = self.guards(&operator, count);
        let operands = guards.into_iter().map(|guard| {
            let block = self.block(depth + 1);
            Operand { guard, title: None, colour: None, block, place: place() }
        });
        let operands: Vec<Operand> = operands.collect();
        let operator = self.well_formed(operator, &operands);
        combined(operator, operands)
    }

    /// Ignored types do not appear inside, only considered ones do.
    fn well_formed(&self, operator: Operator, operands: &[Operand]) -> Operator {
        let mut inside = Vec::new();
        operands.iter().for_each(|operand| messages(&operand.block, &mut inside));
        let inside: BTreeSet<String> =
            inside.into_iter().map(|id| self.interaction.messages[id].name.clone()).collect();
        match operator {
            Operator::Ignore(mut types) => {
                types.retain(|one| !inside.contains(&one.name));
                Operator::Ignore(types)
            }
            Operator::Consider(types) => {
                let inside = inside.into_iter().map(MessageType::named);
                let types: BTreeSet<MessageType> = types.into_iter().chain(inside).collect();
                Operator::Consider(types.into_iter().collect())
            }
            other => other,
        }
    }

    fn bounds(&mut self) -> Loop {
        let max = 1 + self.below(3);
        let min = self.below(max + 1);
        let number = |number: usize| Some(u32::try_from(number).expect("it is small"));
        let (min, max) = match self.below(8) {
            0..=4 if self.is_endless => (number(min), None),
            // More iterations than can be unrolled.
            5 if self.is_endless => (number(min), number(1_000 + 1_000_000 * max)),
            6 if self.is_endless => (None, None),
            _ => (number(min), number(max)),
        };
        Loop { min, max, strict: self.once_in(4) }
    }

    /// Some message types, some of them with who sends them to whom.
    fn types(&mut self) -> Vec<MessageType> {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.message_type()).collect()
    }

    fn message_type(&mut self) -> MessageType {
        let name = self.pick(&TYPES).to_owned();
        let ends = self.once_in(3).then(|| {
            [self.lifeline(), self.lifeline()].map(|line| self.interaction.lifelines[line].name.clone())
        });
        MessageType { name, ends }
    }

    /// A message that is drawn elsewhere.
    fn known(&mut self) -> KnownMessage {
        let (from, to) = (Some(self.lifeline()), Some(self.lifeline()));
        KnownMessage { name: self.pick(&TYPES).to_owned(), arguments: None, from, to }
    }

    fn guards(&mut self, operator: &Operator, count: usize) -> Vec<Guard> {
        let one_in = if operator.takes_guards() { 4 } else { 1 };
        let first = self.below(TEXTS.len());
        let has_compounds = self.once_in(4);
        let mut guards: Vec<Guard> = Vec::new();
        for index in 0..count {
            let is_written = if one_in == 1 { self.once_in(6) } else { !self.once_in(one_in) };
            // Texts of one fragment differ.
            let mut text = TEXTS[(first + index) % TEXTS.len()];
            let compound = self.pick(&COMPOUNDS);
            let is_used = guards.contains(&Guard::Condition(condition(compound)));
            if has_compounds && !is_used && !self.once_in(3) {
                text = compound;
            }
            if self.once_in(30) {
                text = if self.once_in(2) { "true" } else { "false" };
            }
            guards.push(match is_written {
                true => Guard::Condition(condition(text)),
                false => Guard::Absent,
            });
        }
        if *operator == Operator::Alt && count > 1 && self.once_in(3) {
            guards[count - 1] = Guard::Else;
        }
        guards
    }

    /// Orderings from an earlier to a later message of the same loop, which cannot form a cycle.
    fn orderings(&mut self) {
        let count = self.interaction.messages.len();
        for _ in 0..1 + self.below(2) {
            if count < 2 {
                return;
            }
            let first = self.below(count - 1);
            let second = first + 1 + self.below(count - first - 1);
            let (Some(before), Some(after)) = (self.occurrence(first), self.occurrence(second)) else {
                continue;
            };
            self.interaction.orderings.push(GeneralOrdering { before, after, place: place() });
        }
    }

    /// One end of a message that both ends of have lifelines.
    fn occurrence(&mut self, index: usize) -> Option<Occurrence> {
        let id = MessageId::from_index(index);
        let message = &self.interaction.messages[id];
        message.from.lifeline()?;
        message.to.lifeline()?;
        Some(if self.once_in(2) { Occurrence::Send(id) } else { Occurrence::Receive(id) })
    }
}

/// The messages drawn in a block, at any depth.
pub fn messages(block: &Block, found: &mut Vec<MessageId>) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Message(id) => found.push(*id),
            Fragment::Combined(combined) => {
                combined.operands.iter().for_each(|operand| messages(&operand.block, found));
            }
            _ => {}
        }
    }
}

fn condition(text: &str) -> Condition {
    Condition { text: text.to_owned(), expression: parse(text).ok(), place: place() }
}

/// All lifelines that a diagram may have.
#[allow(dead_code)]
pub fn lifelines() -> IdVec<LifelineId, Lifeline> {
    ["a", "b", "c", "d"].into_iter().map(lifeline).collect()
}

fn lifeline(name: &str) -> Lifeline {
    Lifeline {
        name: name.to_owned(),
        label: name.to_owned(),
        class: None,
        kind: LifelineKind::Participant,
        stereotypes: Vec::new(),
        colour: None,
        declared: true,
        place: place(),
    }
}

fn message(name: &str, sort: MessageSort, from: End, to: End) -> Message {
    let head = if sort == MessageSort::Signal { Tip::OPEN } else { Tip::FILLED };
    Message {
        name: name.to_owned(),
        arguments: None,
        text: name.to_owned(),
        number: None,
        sort,
        from,
        to,
        arrow: Arrow { dashed: sort == MessageSort::Reply, head, tail: Tip::NONE, colour: None },
        place: place(),
        label_place: place(),
    }
}

/// A combined fragment that is drawn as its operator is called.
pub fn combined(operator: Operator, operands: Vec<Operand>) -> Combined {
    let keyword = match operator {
        Operator::Alt
        | Operator::Opt
        | Operator::Break
        | Operator::Par
        | Operator::Critical
        | Operator::Loop(Loop { strict: false, .. }) => operator.word(),
        _ => "group",
    };
    let frame = Frame { keyword: keyword.to_owned(), title: None, subtitle: None, colour: None };
    Combined::new(operator, operands, frame, place())
}
