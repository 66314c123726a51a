//! What an interaction means, transcribed from rules I1 to I11 of DESIGN section 4 without any cleverness.
//!
//! All choices are made first: which operand, how many iterations, which propositions are true. What remains is a finite
//! set of occurrences with a partial order, and what `critical`, `assert` and blocking calls forbid while they are open.
//! Its traces are the linear extensions, listed one by one. Every combination of choices is tried.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Block, Combined, End, Fragment, Guard, Interaction, InteractionId, Loop, MessageId, MessageSort, Model,
    Occurrence, Operand, Operator,
};
use sequent_kernel::semantics::Switches;

/// A set of traces; each is a list of event texts.
pub type Traces = BTreeSet<Vec<Rc<str>>>;

/// How much is listed before a case counts as too big.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Combinations of choices.
    pub choices: usize,
    /// Steps taken while listing linear extensions.
    pub steps: usize,
}

/// The valid traces of the first interaction; `None` if it is too big.
pub fn traces(model: &Model, switches: &Switches, bounds: Bounds) -> Option<Traces> {
    let interaction = &model.interactions[InteractionId::from_index(0)];
    let mut traces = Traces::new();
    let mut steps = bounds.steps;
    let mut choices = Choices::default();
    for _ in 0..bounds.choices {
        let mut run = Run::new(model, switches, &mut choices);
        run.interaction(interaction);
        if !run.impossible {
            if run.happenings.len() > 64 {
                return None;
            }
            Listing::new(&run).list(0, &mut Vec::new(), &mut steps, &mut traces)?;
        }
        if !choices.advance() {
            return Some(traces);
        }
    }
    None
}

/// One combination of choices after the other, counted up like the digits of a number.
#[derive(Default)]
struct Choices {
    /// The choices made so far and how many ways there were.
    made: Vec<(usize, usize)>,
    next: usize,
}

impl Choices {
    fn choose(&mut self, ways: usize) -> usize {
        if self.next == self.made.len() {
            self.made.push((0, ways));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }

    /// Goes on to the next combination; false after the last.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((choice, ways)) = self.made.pop() {
            if choice + 1 < ways {
                self.made.push((choice + 1, ways));
                return true;
            }
        }
        false
    }
}

/// One occurrence, or a state invariant.
struct Happening {
    /// The event's text; an invariant is not seen.
    text: Option<Rc<str>>,
    lifeline: String,
    /// What it is in the diagram, and the loop iterations around it, outermost first.
    source: Option<(Occurrence, Vec<usize>)>,
}

/// Occurrences by their index in [`Run::happenings`].
type Set = Vec<usize>;

/// An interaction after all choices are made.
struct Run<'a> {
    model: &'a Model,
    switches: &'a Switches,
    choices: &'a mut Choices,
    happenings: Vec<Happening>,
    /// Pairs: the first before the second, because of their places in the diagram.
    drawn: BTreeSet<(usize, usize)>,
    /// Pairs: the first before the second, because of a message, an ordering, or rule mu.
    enforced: BTreeSet<(usize, usize)>,
    criticals: Vec<Set>,
    asserts: Vec<Set>,
    /// The send of a call and the receipt of its reply.
    calls: Vec<(usize, usize)>,
    /// The loop iterations around the current fragment.
    iterations: Vec<usize>,
    iteration_count: usize,
    /// Values of propositions, by iteration and text.
    propositions: BTreeMap<(Option<usize>, String), bool>,
    /// The choices contradict each other.
    impossible: bool,
}

/// What became of a block.
struct Outcome {
    set: Set,
    /// A `break` directly inside was taken.
    broken: bool,
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, switches: &'a Switches, choices: &'a mut Choices) -> Self {
        Run {
            model,
            switches,
            choices,
            happenings: Vec::new(),
            drawn: BTreeSet::new(),
            enforced: BTreeSet::new(),
            criticals: Vec::new(),
            asserts: Vec::new(),
            calls: Vec::new(),
            iterations: Vec::new(),
            iteration_count: 0,
            propositions: BTreeMap::new(),
            impossible: false,
        }
    }

    fn interaction(&mut self, interaction: &Interaction) -> Set {
        let set = self.block(interaction, &interaction.body).set;
        // I9: general orderings, within one iteration of the loops around both.
        for ordering in &interaction.orderings {
            for &before in &set {
                for &after in &set {
                    let (Some((first, outer)), Some((second, inner))) =
                        (&self.happenings[before].source, &self.happenings[after].source)
                    else {
                        continue;
                    };
                    let nested = outer.starts_with(inner) || inner.starts_with(outer);
                    if *first == ordering.before && *second == ordering.after && nested {
                        self.enforced.insert((before, after));
                    }
                }
            }
        }
        set
    }

    /// I2: fragments are joined by weak sequencing; by strict sequencing where a combined fragment is involved and the
    /// switch says so (rule nu).
    fn block(&mut self, interaction: &Interaction, block: &Block) -> Outcome {
        let mut all: Set = Vec::new();
        let mut parts: Vec<(Set, bool)> = Vec::new();
        let mut receipts: BTreeMap<MessageId, (usize, usize)> = BTreeMap::new();
        let mut broken = false;
        for fragment in &block.0 {
            let set = match fragment {
                Fragment::Message(id) => self.message(interaction, *id, &mut receipts),
                Fragment::Stop(stop) => {
                    let name = &interaction.lifelines[stop.lifeline].name;
                    vec![self.happen(Some(format!("x:{name}")), name, None)]
                }
                Fragment::Invariant(invariant) => {
                    if !self.proposition(&invariant.condition.text) {
                        self.impossible = true;
                    }
                    let name = &interaction.lifelines[invariant.lifelines[0]].name;
                    vec![self.happen(None, name, None)]
                }
                Fragment::Use(used) => match used.target {
                    Some(target) => self.interaction(&self.model.interactions[target]),
                    None => Vec::new(),
                },
                Fragment::Combined(combined) if combined.operator == Operator::Break => {
                    let operand = &combined.operands[0];
                    // Without a guard it is a free choice (UML 2.5.1, 17.6.3.9).
                    broken = match operand.guard {
                        Guard::Absent => self.choices.choose(2) == 1,
                        Guard::Else | Guard::Condition(_) => self.may_run(operand),
                    };
                    if broken { self.operand(interaction, operand).set } else { Vec::new() }
                }
                Fragment::Combined(combined) => self.combined(interaction, combined),
                Fragment::Action(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => Vec::new(),
            };
            let is_combined = matches!(fragment, Fragment::Combined(_));
            for (earlier, was_combined) in &parts {
                if self.switches.strict_joints && (is_combined || *was_combined) {
                    self.strictly(earlier, &set);
                } else {
                    self.weakly(earlier, &set);
                }
            }
            all.extend(&set);
            parts.push((set, is_combined));
            if broken {
                break;
            }
        }
        self.match_calls(interaction, block, &receipts);
        Outcome { set: all, broken }
    }

    /// I1: a send and a receive, in this order.
    fn message(
        &mut self,
        interaction: &Interaction,
        id: MessageId,
        ends: &mut BTreeMap<MessageId, (usize, usize)>,
    ) -> Set {
        let message = &interaction.messages[id];
        let text = text(interaction, id);
        let mut set = Vec::new();
        for (end, sign, source) in
            [(message.from, '!', Occurrence::Send(id)), (message.to, '?', Occurrence::Receive(id))]
        {
            if let End::Lifeline(lifeline) = end {
                let name = &interaction.lifelines[lifeline].name;
                set.push(self.happen(Some(format!("{sign}{text}")), name, Some(source)));
            }
        }
        if let [send, receive] = set[..] {
            self.enforced.insert((send, receive));
            ends.insert(id, (send, receive));
        }
        set
    }

    fn happen(&mut self, text: Option<String>, lifeline: &str, source: Option<Occurrence>) -> usize {
        self.happenings.push(Happening {
            text: text.map(Rc::from),
            lifeline: lifeline.to_owned(),
            source: source.map(|source| (source, self.iterations.clone())),
        });
        self.happenings.len() - 1
    }

    /// I10: a call and its reply are matched innermost first within their block.
    fn match_calls(
        &mut self,
        interaction: &Interaction,
        block: &Block,
        ends: &BTreeMap<MessageId, (usize, usize)>,
    ) {
        if !self.switches.blocking_calls {
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

    fn combined(&mut self, interaction: &Interaction, combined: &Combined) -> Set {
        match &combined.operator {
            Operator::Opt => {
                let operand = &combined.operands[0];
                let runs = match operand.guard {
                    Guard::Absent => self.choices.choose(2) == 1,
                    Guard::Else | Guard::Condition(_) => self.may_run(operand),
                };
                if runs { self.operand(interaction, operand).set } else { Vec::new() }
            }
            Operator::Alt => match self.chosen(&combined.operands) {
                Some(operand) => self.operand(interaction, operand).set,
                None => Vec::new(),
            },
            Operator::Loop(bounds) => self.repeat(interaction, &combined.operands[0], bounds),
            // I7: valid traces skip it.
            Operator::Neg => Vec::new(),
            Operator::Seq => self.joined(interaction, combined, Self::weakly),
            Operator::Strict => self.joined(interaction, combined, Self::strictly),
            Operator::Par => self.joined(interaction, combined, |_, _, _| {}),
            Operator::Critical => {
                let set = self.joined(interaction, combined, Self::weakly);
                self.criticals.push(set.clone());
                set
            }
            Operator::Assert => {
                let set = self.joined(interaction, combined, Self::weakly);
                self.asserts.push(set.clone());
                set
            }
            Operator::Coregion(lifeline) => {
                let before = self.drawn.clone();
                let set = self.joined(interaction, combined, Self::weakly);
                let name = &interaction.lifelines[*lifeline].name;
                let happenings = &self.happenings;
                self.drawn.retain(|pair| {
                    before.contains(pair)
                        || happenings[pair.0].lifeline != *name
                        || happenings[pair.1].lifeline != *name
                });
                set
            }
            Operator::Ignore(types) => self.mixed(interaction, combined, |name| types.contains(name)),
            Operator::Consider(types) => self.mixed(interaction, combined, |name| !types.contains(name)),
            Operator::Break | Operator::Not => panic!("handled by the block or not generated"),
        }
    }

    /// All operands whose guard is true, joined.
    fn joined(
        &mut self,
        interaction: &Interaction,
        combined: &Combined,
        join: impl Fn(&mut Self, &Set, &Set),
    ) -> Set {
        let mut all = Vec::new();
        let mut sets: Vec<Set> = Vec::new();
        for operand in &combined.operands {
            if self.may_run(operand) {
                sets.push(self.operand(interaction, operand).set);
            }
        }
        for (index, later) in sets.iter().enumerate() {
            for earlier in &sets[..index] {
                join(self, earlier, later);
            }
            all.extend(later);
        }
        all
    }

    /// I8: besides what is drawn inside, each ignored message drawn elsewhere may happen once.
    fn mixed(
        &mut self,
        interaction: &Interaction,
        combined: &Combined,
        is_ignored: impl Fn(&String) -> bool,
    ) -> Set {
        if !self.may_run(&combined.operands[0]) {
            return Vec::new();
        }
        let mut set = self.operand(interaction, &combined.operands[0]).set;
        let mut inside = Vec::new();
        messages(&combined.operands[0].block, &mut inside);
        let mut everywhere = Vec::new();
        messages(&interaction.body, &mut everywhere);
        let mut extras: BTreeMap<String, MessageId> = BTreeMap::new();
        for id in everywhere {
            if !inside.contains(&id) && is_ignored(&interaction.messages[id].name) {
                extras.entry(text(interaction, id)).or_insert(id);
            }
        }
        for id in extras.into_values() {
            if self.choices.choose(2) == 1 {
                let extra = self.message(interaction, id, &mut BTreeMap::new());
                extra.iter().for_each(|index| self.happenings[*index].source = None);
                set.extend(extra);
            }
        }
        set
    }

    /// I4: iterations joined weakly, or strictly in a `sloop`.
    fn repeat(&mut self, interaction: &Interaction, operand: &Operand, bounds: &Loop) -> Set {
        let min = bounds.min.expect("only loops that end are generated");
        let max = bounds.max.expect("only loops with bounds are generated");
        let mut all: Set = Vec::new();
        for number in 0..max {
            self.iteration_count += 1;
            self.iterations.push(self.iteration_count);
            if number >= min && !self.goes_on(operand) {
                self.iterations.pop();
                break;
            }
            let Outcome { set, broken } = self.operand(interaction, operand);
            self.iterations.pop();
            if bounds.strict {
                self.strictly(&all, &set);
            } else {
                self.weakly(&all, &set);
            }
            all.extend(set);
            if broken {
                break;
            }
        }
        all
    }

    /// I11: the guard of a loop is a fresh proposition in each iteration.
    fn goes_on(&mut self, operand: &Operand) -> bool {
        match &operand.guard {
            Guard::Absent | Guard::Else => self.choices.choose(2) == 1,
            Guard::Condition(condition) => self.proposition(&condition.text),
        }
    }

    /// The content of an operand; under rule mu the occurrence right below a guard is the first.
    fn operand(&mut self, interaction: &Interaction, operand: &Operand) -> Outcome {
        let outcome = self.block(interaction, &operand.block);
        let below = operand.block.0.iter().find(|fragment| !fragment.is_drawn_only());
        let is_occurrence = matches!(below, Some(Fragment::Message(_) | Fragment::Stop(_)));
        if self.switches.guarded_first && operand.guard != Guard::Absent && is_occurrence {
            for later in outcome.set[1..].iter().filter(|later| self.happenings[**later].text.is_some()) {
                self.enforced.insert((outcome.set[0], *later));
            }
        }
        outcome
    }

    /// I3, I11: the operand of an alternative that runs.
    fn chosen<'o>(&mut self, operands: &'o [Operand]) -> Option<&'o Operand> {
        if let [only] = operands {
            return self.may_run(only).then_some(only);
        }
        let mut is_true: Vec<Option<bool>> = Vec::new();
        let mut texts: Vec<bool> = Vec::new();
        for operand in operands {
            is_true.push(match &operand.guard {
                Guard::Absent => Some(true),
                Guard::Else => None,
                Guard::Condition(condition) => {
                    texts.push(self.proposition(&condition.text));
                    texts.last().copied()
                }
            });
        }
        if !self.switches.independent_guards {
            let true_texts = texts.iter().filter(|value| **value).count();
            let is_complete = texts.len() == operands.len();
            if true_texts > 1 || (true_texts == 0 && is_complete) {
                self.impossible = true;
            }
        }
        // Beside operands without text (`alt` / `else`), an `else` is one more of them.
        let others = texts.contains(&true);
        let open: Vec<&Operand> = operands
            .iter()
            .zip(is_true)
            .filter(|(_, value)| value.unwrap_or(!others))
            .map(|(o, _)| o)
            .collect();
        match open.len() {
            0 => None,
            ways => Some(open[self.choices.choose(ways)]),
        }
    }

    /// Whether the guard of an operand that is not an alternative is true.
    fn may_run(&mut self, operand: &Operand) -> bool {
        match &operand.guard {
            Guard::Absent => true,
            Guard::Else => panic!("an `else` stands in alternatives"),
            Guard::Condition(condition) => self.proposition(&condition.text),
        }
    }

    /// I11: the same text has the same value throughout a run, or throughout an iteration.
    fn proposition(&mut self, text: &str) -> bool {
        let key = (self.iterations.last().copied(), text.to_owned());
        if let Some(value) = self.propositions.get(&key) {
            return *value;
        }
        let value = self.choices.choose(2) == 1;
        self.propositions.insert(key, value);
        value
    }

    fn weakly(&mut self, earlier: &Set, later: &Set) {
        for &first in earlier {
            for &second in later {
                if self.happenings[first].lifeline == self.happenings[second].lifeline {
                    self.drawn.insert((first, second));
                }
            }
        }
    }

    fn strictly(&mut self, earlier: &Set, later: &Set) {
        for &first in earlier {
            for &second in later {
                self.drawn.insert((first, second));
            }
        }
    }
}

/// While `open` and `inside` is not over, only `inside` may happen on its lifeline.
struct Region {
    /// The lifeline's occurrences.
    lifeline: u64,
    inside: u64,
    /// It opens once all of these have happened ...
    all: u64,
    /// ... and one of these.
    any: Option<u64>,
}

/// Linear extensions, one occurrence after the other.
struct Listing<'r> {
    happenings: &'r [Happening],
    before: Vec<u64>,
    regions: Vec<Region>,
}

impl<'r> Listing<'r> {
    fn new(run: &'r Run) -> Self {
        let mut before = vec![0; run.happenings.len()];
        for (first, second) in run.drawn.iter().chain(&run.enforced) {
            before[*second] |= 1 << first;
        }
        let mut listing = Listing { happenings: &run.happenings, before, regions: Vec::new() };
        // I5: it opens with its first occurrence.
        for (lifeline, inside, _) in listing.parts(&run.criticals) {
            listing.regions.push(Region { lifeline, inside, all: 0, any: Some(inside & listing.seen()) });
        }
        // I6: it opens when all that is drawn before it has happened.
        for (lifeline, inside, own) in listing.parts(&run.asserts) {
            let is_before =
                |(first, second): &&(usize, usize)| inside & 1 << second != 0 && own & 1 << first == 0;
            let all = run.drawn.iter().filter(is_before).fold(0, |all, (first, _)| all | 1 << first);
            listing.regions.push(Region { lifeline, inside, all, any: None });
        }
        // I10: it opens with the call, and only the reply may come.
        for (send, receive) in &run.calls {
            let lifeline = listing.lifeline(&run.happenings[*send].lifeline);
            let region = Region { lifeline, inside: 1 << receive, all: 1 << send, any: None };
            listing.regions.push(region);
        }
        listing
    }

    /// All occurrences, without invariants.
    fn seen(&self) -> u64 {
        let seen = self.happenings.iter().enumerate().filter(|(_, happening)| happening.text.is_some());
        seen.fold(0, |mask, (index, _)| mask | 1 << index)
    }

    fn lifeline(&self, name: &str) -> u64 {
        let on = self.happenings.iter().enumerate().filter(|(_, happening)| happening.lifeline == name);
        on.fold(0, |mask, (index, _)| mask | 1 << index)
    }

    /// Each set, divided by lifelines: all occurrences there, those of the set, and the whole set.
    fn parts(&self, sets: &[Set]) -> Vec<(u64, u64, u64)> {
        let mut parts = Vec::new();
        for set in sets {
            let names: BTreeSet<&str> =
                set.iter().map(|index| self.happenings[*index].lifeline.as_str()).collect();
            let own = set.iter().fold(0, |mask, index| mask | 1 << index);
            for lifeline in names.into_iter().map(|name| self.lifeline(name)) {
                parts.push((lifeline, lifeline & own, own));
            }
        }
        parts
    }

    /// Lists what follows after `done`; `None` if there are too many steps.
    fn list(
        &self,
        done: u64,
        trace: &mut Vec<Rc<str>>,
        steps: &mut usize,
        traces: &mut Traces,
    ) -> Option<()> {
        *steps = steps.checked_sub(1)?;
        if done.count_ones() as usize == self.happenings.len() {
            traces.insert(trace.clone());
        }
        for (index, happening) in self.happenings.iter().enumerate() {
            let bit = 1 << index;
            let is_free = done & bit == 0 && self.before[index] & !done == 0;
            let is_forbidden = || self.regions.iter().any(|region| region.forbids(bit, done));
            match &happening.text {
                Some(text) if is_free && !is_forbidden() => {
                    trace.push(text.clone());
                    self.list(done | bit, trace, steps, traces)?;
                    trace.pop();
                }
                None if is_free => self.list(done | bit, trace, steps, traces)?,
                Some(_) | None => {}
            }
        }
        Some(())
    }
}

impl Region {
    fn forbids(&self, bit: u64, done: u64) -> bool {
        let is_open = self.all & !done == 0 && self.any.is_none_or(|any| any & done != 0);
        is_open && self.inside & !done != 0 && self.lifeline & bit != 0 && self.inside & bit == 0
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

/// `a->b:m`, as in section 9.
fn text(interaction: &Interaction, id: MessageId) -> String {
    let message = &interaction.messages[id];
    let name = |end: End| end.lifeline().map_or("", |lifeline| &interaction.lifelines[lifeline].name);
    format!("{}->{}:{}", name(message.from), name(message.to), message.name)
}
