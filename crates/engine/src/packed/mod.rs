//! Packed: a System compiled for the search of millions of states.
//!
//! The interpreter of the kernel ([`System::steps`]) defines the semantics; a [`Program`] computes the same
//! steps on states packed into words, hundreds of times quicker. A guard becomes a [`cube`](mod@cube) where
//! it is one and evaluates the [`term`](mod@term) graph for the rest; constant updates become writes under a
//! mask, and values that are copied move many at once: that a queue moves up is one move for each word. A rule
//! that fires alone costs a copy and a few words; rules that join others take the slower path in [`step`].

mod cube;
mod enabled;
mod index;
mod layout;
mod step;
mod term;
mod woken;

pub use cube::{Cube, WordTest};
pub(crate) use enabled::EnabledRules;
pub use layout::{Field, PackedLayout};
pub use step::{Joint, copy};
pub use term::TermMemory;
pub(crate) use term::{TermShape, support};

use std::collections::BTreeSet;
use std::ops::Range;

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{EventId, Join, LabelId, Rule, RuleId, System, TermId, TermNode, VariableId};

use cube::GuardTest;
use enabled::RuleReaders;
use index::{DecisionIndex, WordFields};
use woken::WokenRules;

/// Guards with more conjuncts than this are taken apart at their top only, or the work would grow with the square of a diagram.
const WIDEST: usize = 64;

/// A system, ready to be run.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// What is run.
    pub system: &'a System,
    /// Where the variables lie.
    pub layout: PackedLayout,
    terms: term::PackedTerms,
    shapes: IdVec<TermId, TermShape>,
    guards: IdVec<RuleId, PackedGuard>,
    effects: IdVec<RuleId, PackedEffect>,
    tests: Vec<GuardTest>,
    conditions: Vec<TermId>,
    writes: Vec<ConstantWrites>,
    moves: Vec<Move>,
    computed: Vec<(Field, TermId)>,
    /// Rules that act, by themselves or by offering something.
    actors: Vec<RuleId>,
    /// Those of them that are urgent.
    urgent: Vec<RuleId>,
    /// The tests of each rule that acts, by what they depend on.
    questions: DecisionIndex,
    /// Which of these rules read which bit of a state, where many of them are asked one by one.
    readers: Option<RuleReaders>,
    /// The tests of urgent rules.
    urgent_questions: DecisionIndex,
    /// The urgent rules that each rule may enable; `None` if that is not known.
    woken: Option<WokenRules>,
    takers: IdVec<LabelId, Vec<RuleId>>,
    listeners: IdVec<EventId, Vec<RuleId>>,
    /// Whether some rule listens to an event.
    has_ears: bool,
}

/// When a rule may fire: all tests hold, and all conditions.
#[derive(Clone, Debug)]
struct PackedGuard {
    is_possible: bool,
    tests: Range<u32>,
    conditions: Range<u32>,
}

/// What a rule does.
#[derive(Clone, Debug, Default)]
struct PackedEffect {
    /// Whether it fires alone, unheard, and writes each variable once.
    is_alone: bool,
    /// Whether it writes each variable once, and nothing but constants.
    is_constant: bool,
    /// The constants that it writes then, the values that it moves, and those that it computes.
    writes: Range<u32>,
    moves: Range<u32>,
    computed: Range<u32>,
}

/// Constants written to a word.
#[derive(Clone, Copy, Debug)]
struct ConstantWrites {
    word: u32,
    mask: u64,
    bits: u64,
}

/// Variables of one word that are copied to others, which lie as far from them each.
#[derive(Clone, Copy, Debug)]
struct Move {
    from: u32,
    to: u32,
    /// The bits that are copied, where they come from.
    mask: u64,
    /// How far they are rotated to the left.
    distance: u32,
}

impl<'a> Program<'a> {
    /// Prepares a system.
    pub fn new(system: &'a System) -> Self {
        let layout = PackedLayout::new(system);
        let shapes = term::shapes(system, &layout);
        let terms = term::PackedTerms::new(system, &layout, &shapes);
        let acts = |rule: &Rule| matches!(rule.join, Join::Alone | Join::Offer(_));
        let actors: Vec<RuleId> =
            system.rules.enumerate().filter(|(_, rule)| acts(rule)).map(|(id, _)| id).collect();
        let urgent: Vec<RuleId> = actors.iter().copied().filter(|rule| system.rules[*rule].urgent).collect();
        let mut program = Program {
            system,
            layout,
            terms,
            shapes,
            guards: IdVec::new(),
            effects: IdVec::new(),
            tests: Vec::new(),
            conditions: Vec::new(),
            writes: Vec::new(),
            moves: Vec::new(),
            computed: Vec::new(),
            actors,
            urgent,
            questions: DecisionIndex::default(),
            readers: None,
            urgent_questions: DecisionIndex::default(),
            woken: None,
            takers: system.labels.iter().map(|_| Vec::new()).collect(),
            listeners: system.events.iter().map(|_| Vec::new()).collect(),
            has_ears: system.rules.iter().any(|rule| matches!(rule.join, Join::Listen(_))),
        };
        program.meet();
        for rule in &system.rules {
            let guard = program.guard(rule.guard);
            program.guards.push(guard);
            let effect = program.effect(rule);
            program.effects.push(effect);
        }
        let fields = WordFields::new(program.layout.fields());
        program.questions = program.index(&fields, &program.actors);
        program.readers = RuleReaders::new(&program);
        program.urgent_questions = program.index(&fields, &program.urgent);
        program.woken = WokenRules::new(&program, &fields);
        program
    }

    /// What to ask of some rules, by what it depends on.
    fn index(&self, fields: &WordFields, rules: &[RuleId]) -> DecisionIndex {
        let possible = rules.iter().filter(|rule| self.guards[**rule].is_possible);
        let asked = possible.map(|rule| (*rule, self.tests_of(&self.guards[*rule]).to_vec()));
        DecisionIndex::new(fields, asked)
    }

    fn tests_of(&self, guard: &PackedGuard) -> &[GuardTest] {
        &self.tests[guard.tests.start as usize..guard.tests.end as usize]
    }

    /// Whether a guard never holds after a rule fired, as it wants another value than the one written.
    fn forbids(&self, fired: RuleId, guard: RuleId) -> bool {
        let writes = self.constants(fired);
        self.tests_of(&self.guards[guard]).iter().filter(|test| !test.is_not).any(|test| {
            let differs = |bits: u64, mask: u64| (bits ^ test.want) & mask & test.mask != 0;
            writes.iter().any(|write| write.word == test.word && differs(write.bits, write.mask))
        })
    }

    /// The takers of each label, and the listeners of each event.
    fn meet(&mut self) {
        for (id, rule) in self.system.rules.enumerate() {
            match &rule.join {
                Join::Alone | Join::Offer(_) => {}
                Join::Take(label) => self.takers[*label].push(id),
                Join::Listen(event) => self.listeners[*event].push(id),
            }
        }
    }

    fn guard(&mut self, guard: TermId) -> PackedGuard {
        let Some((cube, mut conditions)) = self.split(guard) else {
            return PackedGuard { is_possible: false, tests: 0..0, conditions: 0..0 };
        };
        let (test, condition) = (self.tests.len() as u32, self.conditions.len() as u32);
        self.tests.extend(cube.0.iter().map(|test| GuardTest::new(*test, false)));
        let (shapes, tests) = (&self.shapes, &mut self.tests);
        conditions.retain(|condition| match shapes[*condition].negated_test() {
            Some(test) => {
                tests.push(GuardTest::new(test, true));
                false
            }
            None => true,
        });
        self.conditions.extend(conditions);
        PackedGuard {
            is_possible: true,
            tests: test..self.tests.len() as u32,
            conditions: condition..self.conditions.len() as u32,
        }
    }

    /// A guard as a cube and the conjuncts that are none; `None` if it is never true. Conjunctions within are taken apart, as
    /// long as they are few: most rules are ruled out by the cube.
    pub fn split(&self, guard: TermId) -> Option<(Cube, Vec<TermId>)> {
        let mut whole = Cube::default();
        let mut rest = Vec::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![guard];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let shape = &self.shapes[term];
            match (shape.cube(), shape, self.system.terms.node(term)) {
                (Some(cube), _, _) => whole = whole.and(&cube)?,
                (None, TermShape::Constant(_), _) => return None,
                (None, _, TermNode::And(parts))
                    if seen.len() + open.len() + parts.len() <= WIDEST || term == guard =>
                {
                    open.extend(parts.iter().rev());
                }
                (None, TermShape::Cube(_) | TermShape::Clause(_) | TermShape::Other, _) => rest.push(term),
            }
        }
        // What is compared at once comes before what must be computed. What was added last says most: of the rules that fill the
        // places of a queue, those of places too far back are ruled out by the place before.
        rest.reverse();
        rest.sort_by_key(|term| matches!(self.shapes[*term], TermShape::Other));
        Some((whole, rest))
    }

    fn effect(&mut self, rule: &Rule) -> PackedEffect {
        if !is_single_valued(rule) {
            return PackedEffect::default();
        }
        let is_alone =
            rule.join == Join::Alone && rule.event.is_none_or(|event| self.listeners[event].is_empty());
        let [writes, moves, computed] = [self.writes.len(), self.moves.len(), self.computed.len()];
        for (variable, term) in &rule.updates {
            let field = self.layout.field(*variable);
            match (self.constant(*term), self.system.terms.node(*term)) {
                (Some(value), _) if field.has(value) => self.write(writes, field, value),
                (None, TermNode::Variable(from)) if self.layout.field(*from).is_like(&field) => {
                    self.copy_up(moves, self.layout.field(*from), field);
                }
                (Some(_) | None, _) => self.computed.push((field, *term)),
            }
        }
        PackedEffect {
            is_alone,
            is_constant: [moves, computed] == [self.moves.len(), self.computed.len()],
            writes: writes as u32..self.writes.len() as u32,
            moves: moves as u32..self.moves.len() as u32,
            computed: computed as u32..self.computed.len() as u32,
        }
    }

    /// Adds a constant to the writes from `start` on.
    fn write(&mut self, start: usize, field: Field, value: i32) {
        let (word, mask, bits) = (field.word, field.mask, field.bits(value));
        match self.writes[start..].iter_mut().find(|write| write.word == word) {
            Some(write) => {
                write.mask |= mask;
                write.bits |= bits;
            }
            None => self.writes.push(ConstantWrites { word, mask, bits }),
        }
    }

    /// Adds a copy to the moves from `start` on.
    fn copy_up(&mut self, start: usize, from: Field, to: Field) {
        let distance = to.shift.wrapping_sub(from.shift) % u64::BITS;
        let way = (from.word, to.word, distance);
        match self.moves[start..].iter_mut().find(|known| (known.from, known.to, known.distance) == way) {
            Some(known) => known.mask |= from.mask,
            None => self.moves.push(Move { from: from.word, to: to.word, mask: from.mask, distance }),
        }
    }

    /// How many words a state takes.
    pub fn words(&self) -> usize {
        self.layout.words()
    }

    /// The state in which every run begins.
    pub fn initial(&self) -> Vec<u64> {
        self.layout.pack(&self.system.initial())
    }

    /// Rules that act, by themselves or by offering something, in their order.
    pub fn actors(&self) -> &[RuleId] {
        &self.actors
    }

    /// The urgent ones of them.
    pub fn urgent(&self) -> &[RuleId] {
        &self.urgent
    }

    /// The value of a term that is the same everywhere.
    pub fn constant(&self, term: TermId) -> Option<i32> {
        match self.shapes[term] {
            TermShape::Constant(value) => Some(value),
            TermShape::Cube(_) | TermShape::Clause(_) | TermShape::Other => None,
        }
    }

    /// Whether a rule fires alone, unheard, and gives constants to its variables: then it may fire whenever its guard
    /// holds.
    pub fn is_plain(&self, rule: RuleId) -> bool {
        self.effects[rule].is_alone && self.effects[rule].is_constant
    }

    /// The rules that take a label.
    pub fn takers(&self, label: LabelId) -> &[RuleId] {
        &self.takers[label]
    }

    /// The rules that listen to an event.
    pub(crate) fn listeners(&self, event: EventId) -> &[RuleId] {
        &self.listeners[event]
    }

    /// Turns to another state; what the memory knew of the one before is forgotten.
    pub(crate) fn look_at(&self, state: &[u64], memory: &mut TermMemory) {
        self.terms.look_at(state, memory);
    }

    /// Whether a term is true in the state that the memory looks at.
    pub fn holds(&self, term: TermId, state: &[u64], memory: &mut TermMemory) -> bool {
        self.terms.holds(term, state, memory)
    }

    /// The rules that act and whose own guard is true in the state that the memory looks at, in their order; `last` keeps what it was
    /// asked before.
    #[inline]
    pub(crate) fn enabled(
        &self,
        state: &[u64],
        memory: &mut TermMemory,
        last: &mut EnabledRules,
        enabled: &mut Vec<RuleId>,
    ) {
        let Some(readers) = &self.readers else { return self.among(&self.questions, state, memory, enabled) };
        enabled.clear();
        enabled.extend_from_slice(last.turn(self, readers, state));
        if !self.conditions.is_empty() {
            enabled.retain(|rule| self.meets_conditions(&self.guards[*rule], state, memory));
        }
    }

    /// The urgent ones of them.
    #[inline]
    pub(crate) fn urgently_enabled(&self, state: &[u64], memory: &mut TermMemory, enabled: &mut Vec<RuleId>) {
        self.among(&self.urgent_questions, state, memory, enabled);
    }

    /// The urgent rules whose guards hold after a step that led to the state that the memory looks at: those in `enabled` may have
    /// been enabled before it, no others.
    pub(crate) fn urgently_enabled_after(
        &self,
        fired: &[RuleId],
        state: &[u64],
        memory: &mut TermMemory,
        enabled: &mut Vec<RuleId>,
    ) {
        let Some(woken) = &self.woken else { return self.urgently_enabled(state, memory, enabled) };
        enabled.retain(|rule| self.is_enabled(*rule, state, memory));
        let before = enabled.len();
        for index in fired.iter().filter_map(|rule| woken.of(*rule)) {
            index.find(state, enabled);
        }
        if enabled.len() > before {
            enabled.sort_unstable();
            enabled.dedup();
            enabled.retain(|rule| self.meets_conditions(&self.guards[*rule], state, memory));
        }
    }

    #[inline]
    fn among(
        &self,
        questions: &DecisionIndex,
        state: &[u64],
        memory: &mut TermMemory,
        enabled: &mut Vec<RuleId>,
    ) {
        enabled.clear();
        questions.find(state, enabled);
        if !self.conditions.is_empty() {
            enabled.retain(|rule| self.meets_conditions(&self.guards[*rule], state, memory));
        }
        if !questions.is_list() {
            enabled.sort_unstable();
        }
    }

    /// Whether a rule's own guard is true in the state that the memory looks at.
    #[inline]
    pub(crate) fn is_enabled(&self, rule: RuleId, state: &[u64], memory: &mut TermMemory) -> bool {
        let guard = &self.guards[rule];
        guard.is_possible
            && self.tests_of(guard).iter().all(|test| test.holds(state))
            && self.meets_conditions(guard, state, memory)
    }

    /// Whether the conjuncts of a guard hold that are no tests.
    #[inline]
    fn meets_conditions(&self, guard: &PackedGuard, state: &[u64], memory: &mut TermMemory) -> bool {
        self.conditions[guard.conditions.start as usize..guard.conditions.end as usize]
            .iter()
            .all(|condition| self.terms.holds(*condition, state, memory))
    }
}

/// Whether no variable is written twice.
fn is_single_valued(rule: &Rule) -> bool {
    let mut variables: Vec<VariableId> = rule.updates.iter().map(|(variable, _)| *variable).collect();
    variables.sort_unstable();
    variables.windows(2).all(|pair| pair[0] != pair[1])
}
