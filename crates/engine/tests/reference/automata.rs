//! A second reference: the automata of paper 003, built by its own constructions (section 7 of the case atm-hugo).
//!
//! Basic interactions by phases, `par` as a product, weak sequencing with the set K of lifelines that the second operand has
//! taken over, `strict`, `sloop` with a counter, `loop` of a basic interaction with a counter per lifeline, `alt` without
//! delayed choice, `ignore` as self-loops, `not` as complement. An automaton is followed word by word; a step may lead to
//! several states.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sequent_engine::automaton::{automaton, minimal, prune};
use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Block, Combined, End, Fragment, Guard, Interaction, InteractionId, Model, Operator,
};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::TraceClass;
use sequent_notation::plantuml::print::sequence;
use sequent_testing::seeds::seeds;

use crate::cases::read;
use crate::lowered::Order;
use crate::{bounds, has, naive, random, run, shrink};

/// An event: its text and its lifeline.
type Letter = (Rc<str>, String);

/// Messages and terminations in drawn order.
struct Basic {
    events: Vec<Letter>,
    /// For each event those that come directly before it: on its lifeline, and its sending.
    before: Vec<Vec<usize>>,
}

enum Machine {
    Basic(Basic),
    Par(Box<Machine>, Box<Machine>),
    Seq(Box<Machine>, Box<Machine>),
    Strict(Box<Machine>, Box<Machine>),
    Alt(Vec<Machine>),
    /// A strict loop of anything.
    Sloop(Box<Machine>, Bounds),
    /// A weak loop of a basic interaction.
    Loop(Basic, Bounds),
    /// Self-loops with these texts, whoever sends or receives.
    Ignore(Box<Machine>, Vec<String>),
    Not(Basic),
}

/// At least, at most; `None` is infinite.
type Bounds = (Option<u32>, Option<u32>);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum State {
    /// The history: what has happened.
    Phase(BTreeSet<usize>),
    Pair(Box<State>, Box<State>),
    /// With the lifelines that the second has taken over.
    Weak(Box<State>, BTreeSet<String>, Box<State>),
    /// In one of several.
    In(usize, Box<State>),
    /// In an iteration, after so many.
    Iteration(u32, Box<State>),
    /// Between iterations.
    Between(u32),
    /// The history, and how many cycles each lifeline has finished.
    Cycle(BTreeSet<usize>, BTreeMap<String, u32>),
    /// The all-accepting sink of a complement.
    Sink,
}

type States = BTreeSet<State>;

impl Basic {
    fn new(interaction: &Interaction, fragments: &[Fragment]) -> Basic {
        let mut basic = Basic { events: Vec::new(), before: Vec::new() };
        for fragment in fragments {
            match fragment {
                Fragment::Message(id) => {
                    let message = &interaction.messages[*id];
                    let mut send = None;
                    for (sign, end) in [('!', message.from), ('?', message.to)] {
                        if let End::Lifeline(line) = end {
                            let name = &interaction.lifelines[line].name;
                            basic.push(format!("{sign}{}", naive::text(interaction, *id)), name, send);
                            send = Some(basic.events.len() - 1);
                        }
                    }
                }
                Fragment::Stop(stop) => {
                    let name = &interaction.lifelines[stop.lifeline].name;
                    basic.push(format!("x:{name}"), name, None);
                }
                _ => {}
            }
        }
        basic
    }

    fn push(&mut self, text: String, name: &String, send: Option<usize>) {
        let above = self.events.iter().rposition(|(_, line)| line == name);
        self.before.push(above.into_iter().chain(send).collect());
        self.events.push((text.into(), name.clone()));
    }

    /// The next phases after an event.
    fn next(&self, phase: &BTreeSet<usize>, letter: &Letter) -> Vec<BTreeSet<usize>> {
        let is_ready = |index: &usize| {
            !phase.contains(index)
                && self.before[*index].iter().all(|before| phase.contains(before))
                && self.events[*index].0 == letter.0
        };
        let ready = (0..self.events.len()).filter(is_ready);
        ready.map(|index| phase.iter().copied().chain([index]).collect()).collect()
    }

    /// One event of a loop: possible if what comes before it has happened in this cycle, or its lifeline is ahead.
    fn cycle(
        &self,
        history: &BTreeSet<usize>,
        counts: &BTreeMap<String, u32>,
        letter: &Letter,
        most: Option<u32>,
    ) -> Vec<State> {
        let count = |index: usize| counts.get(&self.events[index].1).copied().unwrap_or(0);
        let mut next = Vec::new();
        for index in (0..self.events.len()).filter(|index| self.events[*index].0 == letter.0) {
            let has_come = |before: &usize| {
                count(*before) > count(index) || count(*before) == count(index) && history.contains(before)
            };
            let may_begin = most.is_none_or(|most| count(index) < most);
            if history.contains(&index) || !self.before[index].iter().all(has_come) || !may_begin {
                continue;
            }
            let line = &self.events[index].1;
            let (mut history, mut counts) = (history.clone(), counts.clone());
            history.insert(index);
            if !(index + 1..self.events.len()).any(|later| self.events[later].1 == *line) {
                history.retain(|index| self.events[*index].1 != *line);
                *counts.entry(line.clone()).or_default() += 1;
            }
            next.push(State::Cycle(history, counts));
        }
        next
    }
}

impl Machine {
    /// The automaton of a block; `None` if paper 003 has no construction for it.
    fn new(interaction: &Interaction, block: &Block) -> Option<Machine> {
        let mut whole: Option<Machine> = None;
        let is_event = |fragment: &Fragment| matches!(fragment, Fragment::Message(_) | Fragment::Stop(_));
        let kept: Vec<&Fragment> = block.0.iter().filter(|fragment| !fragment.is_drawn_only()).collect();
        for part in kept.chunk_by(|a, b| is_event(a) && is_event(b)) {
            let machine = match part[0] {
                Fragment::Combined(combined) => Machine::combined(interaction, combined)?,
                Fragment::Message(_) | Fragment::Stop(_) => {
                    let fragments: Vec<Fragment> = part.iter().map(|part| (*part).clone()).collect();
                    Machine::Basic(Basic::new(interaction, &fragments))
                }
                _ => return None,
            };
            whole = Some(match whole {
                Some(whole) => Machine::Seq(Box::new(whole), Box::new(machine)),
                None => machine,
            });
        }
        Some(whole.unwrap_or_else(|| Machine::Basic(Basic::new(interaction, &[]))))
    }

    fn combined(interaction: &Interaction, combined: &Combined) -> Option<Machine> {
        let operands = &combined.operands;
        if operands.iter().any(|operand| !matches!(operand.guard, Guard::Absent | Guard::Else)) {
            return None;
        }
        let basic = || Basic::new(interaction, &operands[0].block.0);
        let machines = operands.iter().map(|operand| Machine::new(interaction, &operand.block));
        let mut machines = machines.collect::<Option<Vec<Machine>>>()?;
        let empty = || Machine::Basic(Basic::new(interaction, &[]));
        let joined = |machines: Vec<Machine>, join: fn(Box<Machine>, Box<Machine>) -> Machine| {
            machines.into_iter().reduce(|one, other| join(Box::new(one), Box::new(other)))
        };
        match &combined.operator {
            Operator::Seq => joined(machines, Machine::Seq),
            Operator::Strict => joined(machines, Machine::Strict),
            Operator::Par => joined(machines, Machine::Par),
            Operator::Alt => Some(Machine::Alt(machines)),
            _ if machines.len() > 1 => None,
            Operator::Opt => Some(Machine::Alt(vec![machines.remove(0), empty()])),
            Operator::Loop(bounds) if bounds.strict => {
                Some(Machine::Sloop(Box::new(machines.remove(0)), (bounds.min, bounds.max)))
            }
            Operator::Loop(bounds) if is_basic(&operands[0].block) => {
                Some(Machine::Loop(basic(), (bounds.min, bounds.max)))
            }
            Operator::Not if is_basic(&operands[0].block) => Some(Machine::Not(basic())),
            Operator::Ignore(types) => Some(Machine::Ignore(
                Box::new(machines.remove(0)),
                types.iter().map(|one| one.name.clone()).collect(),
            )),
            _ => None,
        }
    }

    fn initial(&self) -> States {
        match self {
            Machine::Basic(_) | Machine::Not(_) => [State::Phase(BTreeSet::new())].into(),
            Machine::Par(one, other) => product(&one.initial(), &other.initial()),
            Machine::Seq(one, other) => {
                let pairs = product(&one.initial(), &other.initial()).into_iter();
                pairs.map(|pair| weak(pair, &BTreeSet::new())).collect()
            }
            Machine::Strict(one, _) => {
                one.initial().into_iter().flat_map(|state| self.strict(state)).collect()
            }
            Machine::Alt(machines) => {
                let states = machines.iter().enumerate();
                states.flat_map(|(index, machine)| within(index, machine.initial())).collect()
            }
            Machine::Sloop(..) => self.between(0),
            Machine::Loop(..) => [State::Cycle(BTreeSet::new(), BTreeMap::new())].into(),
            Machine::Ignore(inner, _) => inner.initial(),
        }
    }

    /// A state of the first operand, and where that is accepting the beginning of the second.
    fn strict(&self, state: State) -> States {
        let Machine::Strict(one, other) = self else { unreachable!("it is strict") };
        let mut states: States = if one.accepts(&state) { within(1, other.initial()) } else { States::new() };
        states.insert(State::In(0, Box::new(state)));
        states
    }

    /// After so many iterations: the end, or the beginning of the next.
    fn between(&self, count: u32) -> States {
        let Machine::Sloop(inner, (min, max)) = self else { unreachable!("it is a strict loop") };
        // More than the lower bound need not be told apart where there is no upper one.
        let count = if max.is_none() { count.min(min.unwrap_or(0)) } else { count };
        let mut states: States = [State::Between(count)].into();
        if max.is_none_or(|max| count < max) {
            let initial = inner.initial();
            // An iteration without events counts, but never more than are needed.
            if initial.iter().any(|state| inner.accepts(state)) && min.is_some_and(|min| count < min) {
                states.extend(self.between(count + 1));
            }
            states.extend(initial.into_iter().map(|state| State::Iteration(count, Box::new(state))));
        }
        states
    }

    fn step(&self, state: &State, letter: &Letter) -> States {
        match (self, state) {
            (Machine::Basic(basic), State::Phase(phase)) => {
                basic.next(phase, letter).into_iter().map(State::Phase).collect()
            }
            (Machine::Not(basic), State::Phase(phase)) => {
                let next: States = basic.next(phase, letter).into_iter().map(State::Phase).collect();
                if next.is_empty() { [State::Sink].into() } else { next }
            }
            (Machine::Not(_), State::Sink) => [State::Sink].into(),
            (Machine::Par(one, other), State::Pair(first, second)) => {
                let moved = product(&one.step(first, letter), &[(**second).clone()].into());
                moved
                    .into_iter()
                    .chain(product(&[(**first).clone()].into(), &other.step(second, letter)))
                    .collect()
            }
            (Machine::Seq(one, other), State::Weak(first, taken, second)) => {
                let mut states = States::new();
                if !taken.contains(&letter.1) {
                    let moved = product(&one.step(first, letter), &[(**second).clone()].into());
                    states.extend(moved.into_iter().map(|pair| weak(pair, taken)));
                }
                let taken = taken.iter().chain([&letter.1]).cloned().collect();
                let moved = product(&[(**first).clone()].into(), &other.step(second, letter));
                states.extend(moved.into_iter().map(|pair| weak(pair, &taken)));
                states
            }
            (Machine::Strict(one, other), State::In(index, inner)) => match index {
                0 => one.step(inner, letter).into_iter().flat_map(|state| self.strict(state)).collect(),
                _ => within(1, other.step(inner, letter)),
            },
            (Machine::Alt(machines), State::In(index, inner)) => {
                within(*index, machines[*index].step(inner, letter))
            }
            (Machine::Sloop(inner, _), State::Iteration(count, state)) => {
                let mut states = States::new();
                for state in inner.step(state, letter) {
                    if inner.accepts(&state) {
                        states.extend(self.between(count + 1));
                    }
                    states.insert(State::Iteration(*count, Box::new(state)));
                }
                states
            }
            (Machine::Loop(basic, (_, max)), State::Cycle(history, counts)) => {
                basic.cycle(history, counts, letter, *max).into_iter().collect()
            }
            (Machine::Ignore(inner, types), state) => {
                let mut states = inner.step(state, letter);
                if types.iter().any(|name| is_of(&letter.0, name)) {
                    states.insert(state.clone());
                }
                states
            }
            _ => States::new(),
        }
    }

    fn accepts(&self, state: &State) -> bool {
        match (self, state) {
            (Machine::Basic(basic), State::Phase(phase)) => phase.len() == basic.events.len(),
            (Machine::Not(basic), State::Phase(phase)) => phase.len() != basic.events.len(),
            (Machine::Not(_), State::Sink) => true,
            (Machine::Par(one, other), State::Pair(first, second))
            | (Machine::Seq(one, other), State::Weak(first, _, second)) => {
                one.accepts(first) && other.accepts(second)
            }
            (Machine::Strict(_, other), State::In(1, inner)) => other.accepts(inner),
            (Machine::Alt(machines), State::In(index, inner)) => machines[*index].accepts(inner),
            (Machine::Sloop(_, (min, _)), State::Between(count)) => min.is_some_and(|min| *count >= min),
            (Machine::Loop(basic, (min, _)), State::Cycle(history, counts)) => {
                let lines: BTreeSet<&String> = basic.events.iter().map(|(_, line)| line).collect();
                let counts: BTreeSet<u32> =
                    lines.into_iter().map(|line| counts.get(line).copied().unwrap_or(0)).collect();
                let is_enough = |count: &u32| min.is_some_and(|min| *count >= min);
                // One without events may be repeated as often as it takes.
                history.is_empty() && counts.len() <= 1 && min.is_some() && counts.iter().all(is_enough)
            }
            (Machine::Ignore(inner, _), state) => inner.accepts(state),
            _ => false,
        }
    }

    /// All words up to a length; `None` if there are too many.
    fn words(&self, alphabet: &[Letter], length: usize) -> Option<naive::TraceSet> {
        let mut words = naive::TraceSet::new();
        let mut open = vec![(Vec::new(), self.initial())];
        let mut left = 1_000_usize;
        while let Some((word, states)) = open.pop() {
            left = left.checked_sub(states.len())?;
            for letter in alphabet.iter().filter(|_| word.len() < length) {
                let next: States = states.iter().flat_map(|state| self.step(state, letter)).collect();
                if !next.is_empty() {
                    let word = word.iter().chain([&letter.0]).cloned().collect();
                    open.push((word, next));
                }
            }
            if states.iter().any(|state| self.accepts(state)) {
                words.insert(word);
            }
        }
        Some(words)
    }

    /// States that can be reached and from which a word ends, and the pairs of them that an event connects.
    fn size(&self, alphabet: &[Letter]) -> (usize, usize) {
        let mut states: Vec<State> = self.initial().into_iter().collect();
        let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut at = 0;
        while at < states.len() {
            for letter in alphabet {
                for next in self.step(&states[at].clone(), letter) {
                    let known = states.iter().position(|state| *state == next);
                    let to = known.unwrap_or_else(|| {
                        states.push(next);
                        states.len() - 1
                    });
                    edges.insert((at, to));
                }
            }
            at += 1;
        }
        let mut alive: Vec<bool> = states.iter().map(|state| self.accepts(state)).collect();
        for _ in 0..states.len() {
            edges.iter().for_each(|(from, to)| alive[*from] |= alive[*to]);
        }
        let living = edges.iter().filter(|(from, to)| alive[*from] && alive[*to]).count();
        (alive.iter().filter(|alive| **alive).count(), living)
    }
}

fn product(one: &States, other: &States) -> States {
    let pair = |a: &State, b: &State| State::Pair(Box::new(a.clone()), Box::new(b.clone()));
    one.iter().flat_map(|a| other.iter().map(move |b| pair(a, b))).collect()
}

fn weak(pair: State, taken: &BTreeSet<String>) -> State {
    let State::Pair(first, second) = pair else { unreachable!("it is a pair") };
    State::Weak(first, taken.clone(), second)
}

fn within(index: usize, states: States) -> States {
    states.into_iter().map(|state| State::In(index, Box::new(state))).collect()
}

/// Whether an event is one of a message of this type.
fn is_of(event: &str, name: &str) -> bool {
    let message = event.rsplit(':').next().unwrap_or_default();
    message.split('(').next() == Some(name)
}

fn is_basic(block: &Block) -> bool {
    let is_fine = |fragment: &Fragment| {
        fragment.is_drawn_only() || matches!(fragment, Fragment::Message(_) | Fragment::Stop(_))
    };
    block.0.iter().all(is_fine)
}

/// The same interaction with operators and guards of paper 003 only.
fn restricted(mut model: Model) -> Model {
    let ids: Vec<InteractionId> = model.interactions.ids().collect();
    for id in ids {
        let interaction = &mut model.interactions[id];
        interaction.orderings.clear();
        interaction.known.clear();
        restrict(&mut interaction.body);
        *interaction = shrink::tidy(interaction.clone());
    }
    model
}

fn restrict(block: &mut Block) {
    block.0.retain(|fragment| !matches!(fragment, Fragment::Invariant(_) | Fragment::Use(_)));
    for fragment in &mut block.0 {
        let Fragment::Combined(combined) = fragment else { continue };
        combined.operands.iter_mut().for_each(|operand| {
            operand.guard = Guard::Absent;
            restrict(&mut operand.block);
        });
        let is_flat = is_basic(&combined.operands[0].block);
        if combined.operator.takes_one_operand() {
            combined.operands.truncate(1);
        }
        match &mut combined.operator {
            Operator::Seq | Operator::Strict | Operator::Par | Operator::Alt | Operator::Opt => {}
            Operator::Ignore(types) => types.iter_mut().for_each(|one| one.ends = None),
            Operator::Loop(bounds) => bounds.strict |= !is_flat,
            Operator::Not if is_flat => {}
            Operator::Break | Operator::Neg => combined.operator = Operator::Opt,
            Operator::Critical | Operator::Assert => combined.operator = Operator::Par,
            Operator::Consider(_) | Operator::Coregion(_) | Operator::Not => {
                combined.operator = Operator::Strict;
            }
        }
    }
}

/// Whether it is a loop in which nobody may take part.
fn is_deserted(combined: &Combined) -> bool {
    let mut takes_part = false;
    combined.walk(&mut |fragment, _| {
        takes_part |= match fragment {
            Fragment::Combined(inner) => matches!(inner.operator, Operator::Ignore(_) | Operator::Not),
            fragment => !fragment.is_drawn_only(),
        };
    });
    matches!(combined.operator, Operator::Loop(_)) && !takes_part
}

/// Whether both have the same traces; `None` if there are too many.
fn same(model: &Model) -> Option<bool> {
    let interaction = &model.interactions[InteractionId::from_index(0)];
    let assumptions = Assumptions::default();
    let bounds = bounds(model, &assumptions);
    // Going round without end where nobody takes part is nothing, and not a loop that must not end.
    if has(model, &is_deserted) {
        return None;
    }
    let machine = Machine::new(interaction, &interaction.body)?;
    let alphabet = naive::alphabet(&[interaction]);
    let lowered = || {
        let run = |window| run(model, &assumptions, window, bounds.length, Order::UrgentFirst);
        let narrow = run(2)?;
        if narrow.is_strained { run(bounds.length) } else { Some(narrow) }
    };
    if has(model, &|combined| matches!(combined.operator, Operator::Ignore(_))) {
        // As a model it lets whole messages happen: those traces are among the automaton's.
        let accepts = |trace: &Vec<Rc<str>>| {
            let mut states = machine.initial();
            for text in trace {
                let letter = alphabet.iter().find(|letter| letter.0 == *text).expect("it is drawn");
                states = states.iter().flat_map(|state| machine.step(state, letter)).collect();
            }
            states.iter().any(|state| machine.accepts(state))
        };
        return Some(lowered()?.classes.valid.iter().take(50).all(accepts));
    }
    let words = machine.words(&alphabet, bounds.length)?;
    Some(words == lowered()?.classes.valid)
}

#[test]
fn paper_003_agrees() {
    let seeds = seeds(250);
    let count = seeds.count_left();
    let mut compared = 0;
    for seed in seeds {
        let model = restricted(random::model(seed));
        let Some(is_same) = same(&model) else { continue };
        compared += 1;
        if !is_same {
            let smallest = shrink::shrink(model, |smaller| same(smaller) == Some(false));
            panic!("seed {seed}\n{}", sequence(&smallest.interactions[InteractionId::from_index(0)]));
        }
    }
    println!("{compared} of {count} seeds compared");
    assert!(compared * 2 > count, "most seeds are small enough: {compared} of {count}");
}

/// The sizes of both automata of a diagram: that of paper 003, and the engine's.
fn sizes(text: &str) -> [(usize, usize); 2] {
    let model = read(text);
    let id = InteractionId::from_index(0);
    let interaction = &model.interactions[id];
    let machine = Machine::new(interaction, &interaction.body).expect("paper 003 has it");
    let system = lower(&model, id, &Assumptions::default()).expect("it is lowered");
    let traces = Traces::explore(&system, TraceLimits::default()).expect("it is small");
    let found = prune(&automaton(traces, TraceClass::Valid));
    let found = if text.contains("not") { minimal(&found) } else { found };
    [machine.size(&naive::alphabet(&[interaction])), (found.states.len(), found.edges.len())]
}

fn check(text: &str, size: (usize, usize)) {
    assert_eq!(sizes(text), [size, size], "{text}");
}

#[test]
fn figures_2_and_4() {
    check("a ->> b : a\na ->> b : b\n", (6, 6));
    check("par\na ->> b : a\nelse\na ->> b : b\nend\n", (9, 12));
    check("group not\na ->> b : a\na ->> b : b\nend\n", (7, 13));
}

#[test]
fn figure_2_by_weak_sequencing_is_the_same_after_pruning() {
    check("group seq\na ->> b : a\nelse\na ->> b : b\nend\n", (6, 6));
}

#[test]
fn messages_in_a_row() {
    for n in 1..=6 {
        let text: String = (0..n).map(|index| format!("a ->> b : m{index}\n")).collect();
        check(&text, ((n + 1) * (n + 2) / 2, n * (n + 1)));
    }
}

#[test]
fn disjoint_pairs_and_independent_events() {
    for n in 1..=4_u32 {
        let text: String = (0..n).map(|index| format!("a{index} ->> b{index} : m\n")).collect();
        check(&text, (3_usize.pow(n), 2 * n as usize * 3_usize.pow(n - 1)));
        let text: String = (0..n).map(|index| format!("[->> a{index} : m\n")).collect();
        check(&text, (2_usize.pow(n), n as usize * 2_usize.pow(n - 1)));
    }
}
