//! One run: an interaction after all choices are made (rules I1, I2, I9 to I12).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_kernel::model::{
    BinaryOperator, Block, Condition, End, Expression, Fragment, Guard, Interaction, MessageId, MessageSort,
    Occurrence, Operand, Operator, UnaryOperator,
};
use sequent_kernel::semantics::Switches;
use sequent_kernel::system::TraceClass;

use super::{ChoiceCounter, Whole, text};

/// One occurrence, or a state invariant.
pub(super) struct Happening {
    /// The event's text; an invariant is not seen.
    pub text: Option<Rc<str>>,
    /// Where it happens; an invariant may stand on several lifelines.
    pub lifelines: Vec<String>,
    /// What it is in which diagram, and the loop iterations around it, outermost first.
    pub source: Option<((String, Occurrence), IterationPaths)>,
}

/// Loops by their addresses, outermost first, each with an iteration.
pub(super) type IterationPaths = Vec<(usize, usize)>;

/// More occurrences than this are not listed.
pub(super) const MOST: usize = 64;

/// Occurrences by their index in [`ChosenInteraction::happenings`].
pub(super) type OccurrenceSet = Vec<usize>;

/// What a part of the diagram came to.
pub(super) struct PartRun {
    pub set: OccurrenceSet,
    /// What it is worth.
    pub class: TraceClass,
    /// A `break` directly inside was taken.
    pub broken: bool,
}

/// An interaction after all choices are made.
pub(super) struct ChosenInteraction<'a> {
    pub whole: &'a Whole<'a>,
    choices: &'a mut ChoiceCounter,
    pub happenings: Vec<Happening>,
    /// Pairs: the first before the second, because of their places in the diagram.
    pub drawn: BTreeSet<(usize, usize)>,
    /// Those of them that strict sequencing asks for.
    pub strict: BTreeSet<(usize, usize)>,
    /// Pairs: the first before the second, because of a message, an ordering, or rule mu.
    pub enforced: BTreeSet<(usize, usize)>,
    pub(crate) criticals: Vec<OccurrenceSet>,
    pub(crate) asserts: Vec<OccurrenceSet>,
    /// The send of a call and the receipt of its reply.
    pub calls: Vec<(usize, usize)>,
    /// The loops around the current fragment, by their addresses, each with the iteration.
    pub iterations: IterationPaths,
    pub(crate) iteration_count: usize,
    /// Values of propositions, by iteration, fragment that was entered (where that matters) and text.
    propositions: BTreeMap<(Option<usize>, usize, String), bool>,
    /// The fragment whose guards are decided, by its number, and how many were entered.
    entered: usize,
    entries: usize,
    /// Nothing comes of this run: its choices contradict each other, or it is longer than what is asked for.
    pub is_cut: bool,
    /// Something in it cannot be listed.
    pub(crate) is_too_big: bool,
}

impl PartRun {
    pub(crate) fn nothing() -> PartRun {
        PartRun { set: Vec::new(), class: TraceClass::Valid, broken: false }
    }

    fn of(set: OccurrenceSet) -> PartRun {
        PartRun { set, ..PartRun::nothing() }
    }
}

impl<'a> ChosenInteraction<'a> {
    pub(crate) fn new(whole: &'a Whole<'a>, choices: &'a mut ChoiceCounter) -> Self {
        ChosenInteraction {
            whole,
            choices,
            happenings: Vec::new(),
            drawn: BTreeSet::new(),
            strict: BTreeSet::new(),
            enforced: BTreeSet::new(),
            criticals: Vec::new(),
            asserts: Vec::new(),
            calls: Vec::new(),
            iterations: Vec::new(),
            iteration_count: 0,
            propositions: BTreeMap::new(),
            entered: 0,
            entries: 0,
            is_cut: false,
            is_too_big: false,
        }
    }

    pub(crate) fn switches(&self) -> &'a Switches {
        &self.whole.assumptions.switches
    }

    /// One of `ways` ways.
    pub(crate) fn choose(&mut self, ways: usize) -> usize {
        if self.is_cut { 0 } else { self.choices.choose(ways) }
    }

    pub(crate) fn interaction(&mut self, interaction: &Interaction) -> PartRun {
        let part = self.block(interaction, &interaction.body, true);
        // I9: general orderings, within one iteration of each loop around both.
        for ordering in &interaction.orderings {
            for &before in &part.set {
                for &after in &part.set {
                    let (Some((first, outer)), Some((second, inner))) =
                        (&self.happenings[before].source, &self.happenings[after].source)
                    else {
                        continue;
                    };
                    let mut common = outer.iter().zip(inner).take_while(|(one, other)| one.0 == other.0);
                    let nested = common.all(|(one, other)| one.1 == other.1);
                    let is = |wanted: Occurrence| (interaction.name.clone(), wanted);
                    if *first == is(ordering.before) && *second == is(ordering.after) && nested {
                        self.enforced.insert((before, after));
                    }
                }
            }
        }
        part
    }

    /// I2: fragments are joined by weak sequencing; by strict sequencing where a combined fragment is involved and the
    /// switch says so (rule nu). A block encloses its fragments unless it is the operand of a `neg`.
    pub(crate) fn block(&mut self, interaction: &Interaction, block: &Block, encloses: bool) -> PartRun {
        let mut whole = PartRun::nothing();
        let mut parts: Vec<(OccurrenceSet, bool)> = Vec::new();
        let mut classes = Vec::new();
        let mut receipts: BTreeMap<MessageId, (usize, usize)> = BTreeMap::new();
        for fragment in &block.0 {
            let part = self.fragment(interaction, fragment, &mut receipts);
            let is_combined = matches!(fragment, Fragment::Combined(_));
            for (earlier, was_combined) in &parts {
                if self.switches().strict_joints && (is_combined || *was_combined) {
                    self.strictly(earlier, &part.set);
                } else {
                    self.weakly(earlier, &part.set);
                }
            }
            whole.set.extend(&part.set);
            parts.push((part.set, is_combined));
            classes.push(part.class);
            if part.broken {
                whole.broken = true;
                break;
            }
        }
        self.match_calls(interaction, block, &receipts);
        let count = block.0.iter().filter(|fragment| !fragment.is_drawn_only()).count();
        whole.class = self.worth(&classes, encloses && count > 1);
        whole
    }

    fn fragment(
        &mut self,
        interaction: &Interaction,
        fragment: &Fragment,
        receipts: &mut BTreeMap<MessageId, (usize, usize)>,
    ) -> PartRun {
        match fragment {
            Fragment::Message(id) => PartRun::of(self.message(interaction, *id, receipts)),
            Fragment::Stop(stop) => {
                let name = &interaction.lifelines[stop.lifeline].name;
                PartRun::of(vec![self.happen(Some(format!("x:{name}")), vec![name.clone()], None)])
            }
            Fragment::Invariant(invariant) => {
                if !self.entering(|run| run.holds(&invariant.condition)) {
                    self.is_cut = true;
                }
                let names = invariant.lifelines.iter();
                let names = names.map(|id| interaction.lifelines[*id].name.clone()).collect();
                PartRun::of(vec![self.happen(None, names, None)])
            }
            Fragment::Use(used) => match used.target {
                Some(target) => {
                    let part = self.interaction(&self.whole.model.interactions[target]);
                    PartRun { broken: false, ..part }
                }
                None => PartRun::nothing(),
            },
            Fragment::Combined(combined) => {
                let part = self.entering(|run| run.combined(interaction, combined));
                PartRun { broken: part.broken && combined.operator == Operator::Break, ..part }
            }
            Fragment::Action(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => PartRun::nothing(),
        }
    }

    /// I12: what a whole is worth. One invalid part makes it invalid; if it holds more than that part, a switch says so.
    pub(crate) fn worth(&self, parts: &[TraceClass], encloses: bool) -> TraceClass {
        let is_doubtful = encloses && self.switches().doubtful_around;
        if parts.contains(&TraceClass::Invalid) && !is_doubtful {
            return TraceClass::Invalid;
        }
        if parts.iter().any(|part| *part != TraceClass::Valid) {
            TraceClass::Inconclusive
        } else {
            TraceClass::Valid
        }
    }

    /// I1: a send and a receive, in this order.
    pub(crate) fn message(
        &mut self,
        interaction: &Interaction,
        id: MessageId,
        ends: &mut BTreeMap<MessageId, (usize, usize)>,
    ) -> OccurrenceSet {
        let message = &interaction.messages[id];
        let text = text(interaction, id);
        let mut set = Vec::new();
        for (end, sign, source) in
            [(message.from, '!', Occurrence::Send(id)), (message.to, '?', Occurrence::Receive(id))]
        {
            if let End::Lifeline(lifeline) = end {
                let name = interaction.lifelines[lifeline].name.clone();
                let source = Some((interaction.name.clone(), source));
                set.push(self.happen(Some(format!("{sign}{text}")), vec![name], source));
            }
        }
        if let [send, receive] = set[..] {
            self.enforced.insert((send, receive));
            ends.insert(id, (send, receive));
        }
        set
    }

    pub(crate) fn happen(
        &mut self,
        text: Option<String>,
        lifelines: Vec<String>,
        source: Option<(String, Occurrence)>,
    ) -> usize {
        self.happenings.push(Happening {
            text: text.map(Rc::from),
            lifelines,
            source: source.map(|source| (source, self.iterations.clone())),
        });
        let seen = self.happenings.iter().filter(|happening| happening.text.is_some()).count();
        // Where everything is asked for, what is too long is too much.
        let is_longer = seen > self.whole.bounds.length;
        self.is_too_big |= is_longer && self.whole.bounds.length >= MOST;
        self.is_cut |= is_longer;
        self.happenings.len() - 1
    }

    /// I10: a call and its reply are matched innermost first within their block.
    fn match_calls(
        &mut self,
        interaction: &Interaction,
        block: &Block,
        ends: &BTreeMap<MessageId, (usize, usize)>,
    ) {
        if !self.switches().blocking_calls {
            return;
        }
        let mut open: Vec<MessageId> = Vec::new();
        for fragment in &block.0 {
            let Fragment::Message(id) = fragment else { continue };
            let message = &interaction.messages[*id];
            if message.sort == MessageSort::Call {
                open.push(*id);
            }
            if message.sort == MessageSort::Reply {
                let answers = |call: &MessageId| {
                    let call = &interaction.messages[*call];
                    call.from == message.to && call.to == message.from
                };
                if let Some(position) = open.iter().rposition(answers) {
                    let call = open.remove(position);
                    if let (Some((send, _)), Some((_, receive))) = (ends.get(&call), ends.get(id)) {
                        self.calls.push((*send, *receive));
                    }
                }
            }
        }
    }

    /// The content of an operand; under rule mu the occurrence right below a guard is the first.
    pub(crate) fn content(
        &mut self,
        interaction: &Interaction,
        operand: &Operand,
        encloses: bool,
    ) -> PartRun {
        let part = self.block(interaction, &operand.block, encloses);
        let below = operand.block.0.iter().find(|fragment| !fragment.is_drawn_only());
        let is_occurrence = matches!(below, Some(Fragment::Message(_) | Fragment::Stop(_)));
        if self.switches().guarded_first && operand.guard != Guard::Absent && is_occurrence {
            for later in part.set[1..].iter().filter(|later| self.happenings[**later].text.is_some()) {
                self.enforced.insert((part.set[0], *later));
            }
        }
        part
    }

    /// I11: a condition that joins words is true as they are; any other is a proposition of its text.
    pub(crate) fn holds(&mut self, condition: &Condition) -> bool {
        let values: BTreeMap<String, bool> =
            words(condition).into_iter().map(|word| (word.clone(), self.proposition(&word))).collect();
        truth(condition, &values)
    }

    /// The value that a condition has before the run, whatever is left open.
    pub(crate) fn known(&self, condition: &Condition) -> Option<bool> {
        let words = words(condition);
        let worlds = (0..1 << words.len()).map(|world: usize| -> BTreeMap<String, bool> {
            let value = |at: usize, word: &String| self.fixed(word).unwrap_or(world >> at & 1 == 1);
            words.iter().enumerate().map(|(at, word)| (word.clone(), value(at, word))).collect()
        });
        let values: BTreeSet<bool> = worlds.map(|world| truth(condition, &world)).collect();
        (values.len() == 1).then(|| values.contains(&true))
    }

    /// Enters a fragment, whose guards are decided then if a switch says so.
    fn entering<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.entered;
        if self.switches().guards_on_entry {
            self.entries += 1;
            self.entered = self.entries;
        }
        let found = inside(self);
        self.entered = outer;
        found
    }

    /// I11: the same text has the same value throughout a run, or throughout an iteration.
    fn proposition(&mut self, text: &str) -> bool {
        if let Some(value) = self.fixed(text) {
            return value;
        }
        let iteration = self.iterations.last().map(|(_, iteration)| *iteration);
        let key = (iteration, self.entered, text.to_owned());
        if let Some(value) = self.propositions.get(&key) {
            return *value;
        }
        let value = self.choose(2) == 1;
        self.propositions.insert(key, value);
        value
    }

    /// The value of a text that is known before the run.
    fn fixed(&self, text: &str) -> Option<bool> {
        match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => self.whole.assumptions.guards.get(text).copied(),
        }
    }

    pub(crate) fn weakly(&mut self, earlier: &OccurrenceSet, later: &OccurrenceSet) {
        for &first in earlier {
            for &second in later {
                let [one, other] = [first, second].map(|index| &self.happenings[index].lifelines);
                if one.iter().any(|name| other.contains(name)) {
                    self.drawn.insert((first, second));
                }
            }
        }
    }

    pub(crate) fn strictly(&mut self, earlier: &OccurrenceSet, later: &OccurrenceSet) {
        for &first in earlier {
            for &second in later {
                self.drawn.insert((first, second));
                self.strict.insert((first, second));
            }
        }
    }
}

/// Whether a condition joins words by `and`, `or`, `not`, `implies`.
pub(crate) fn is_compound(condition: &Condition) -> bool {
    fn is_logic(expression: &Expression) -> bool {
        use BinaryOperator::{And, Implies, Or};
        match expression {
            Expression::Bool(_) => true,
            Expression::Name(parts) => parts.len() == 1,
            Expression::Unary(operator, inner) => *operator == UnaryOperator::Not && is_logic(inner),
            Expression::Binary(operator, left, right) => {
                [And, Or, Implies].contains(operator) && is_logic(left) && is_logic(right)
            }
            Expression::Int(_) | Expression::Text(_) | Expression::Call(..) => false,
        }
    }
    let joined = |one: &Expression| matches!(one, Expression::Unary(..) | Expression::Binary(..));
    condition.expression.as_ref().is_some_and(|expression| joined(expression) && is_logic(expression))
}

/// The propositions of a condition.
fn words(condition: &Condition) -> BTreeSet<String> {
    fn collect(expression: &Expression, words: &mut BTreeSet<String>) {
        match expression {
            Expression::Name(parts) => {
                words.insert(parts[0].clone());
            }
            Expression::Unary(_, inner) => collect(inner, words),
            Expression::Binary(_, left, right) => {
                collect(left, words);
                collect(right, words);
            }
            Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Call(..) => {}
        }
    }
    let mut words = BTreeSet::new();
    match &condition.expression {
        Some(expression) if is_compound(condition) => collect(expression, &mut words),
        _ => {
            words.insert(condition.text.clone());
        }
    }
    words
}

/// The value of a condition where all its propositions have theirs.
fn truth(condition: &Condition, values: &BTreeMap<String, bool>) -> bool {
    fn value(expression: &Expression, values: &BTreeMap<String, bool>) -> bool {
        match expression {
            Expression::Bool(value) => *value,
            Expression::Name(parts) => values[&parts[0]],
            Expression::Unary(_, inner) => !value(inner, values),
            Expression::Binary(BinaryOperator::And, left, right) => {
                value(left, values) && value(right, values)
            }
            Expression::Binary(BinaryOperator::Or, left, right) => {
                value(left, values) || value(right, values)
            }
            Expression::Binary(_, left, right) => !value(left, values) || value(right, values),
            Expression::Int(_) | Expression::Text(_) | Expression::Call(..) => unreachable!("no compound"),
        }
    }
    match &condition.expression {
        Some(expression) if is_compound(condition) => value(expression, values),
        _ => values[&condition.text],
    }
}
