//! Tasks: a question about a System as it is sent to workers.
//!
//! Workers need the variables, terms and rules, not what they are called or where they stand: a run comes back as states, and is
//! told by the process that knows the names. Terms are made again in their order, so that they have the same numbers.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::part::{RoundTrip, Wanted};
use sequent_engine::property::CycleSteps;
use sequent_engine::search::{Limits, Reduction, SearchGoal};
use sequent_kernel::id::Id;
use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::system::{
    ArithmeticOperation, ComponentId, Endless, Event, EventId, EventKind, Fairness, Join, LabelId, Rule,
    RuleId, Strength, System, TermId, TermNode, Terms, Variable, VariableId,
};

use crate::bytes::{ByteReader, ByteWriter};
use crate::formula;

/// What workers search.
#[derive(Clone, Debug)]
pub(crate) struct ClusterTask {
    /// The states of this.
    pub system: System,
    /// What is looked for.
    pub goal: ClusterGoal,
    /// How far they go together.
    pub limits: Limits,
}

/// What workers look for, each with an automaton of its own.
#[derive(Clone, Debug)]
pub(crate) enum ClusterGoal {
    /// A state.
    State(SearchGoal, Reduction),
    /// A run that violates a formula.
    Violation(Box<LtlAutomaton>),
    /// A run that violates a formula and ends; then runs that go on forever.
    Ended(Box<LtlAutomaton>),
    /// A way round.
    Round(Box<LtlAutomaton>, RoundTrip),
}

impl ClusterGoal {
    /// What is looked for.
    pub(crate) fn wanted(&self) -> Wanted<'_> {
        match self {
            ClusterGoal::State(quest, reduction) => Wanted::State(*quest, *reduction),
            ClusterGoal::Violation(automaton) => Wanted::Violation(automaton),
            ClusterGoal::Ended(automaton) => Wanted::Ended(automaton),
            ClusterGoal::Round(automaton, trip) => Wanted::Round(automaton, trip),
        }
    }

    /// The automaton of the formula whose violations are looked for.
    pub(crate) fn automaton(&self) -> Option<&LtlAutomaton> {
        match self {
            ClusterGoal::State(..) => None,
            ClusterGoal::Violation(automaton)
            | ClusterGoal::Ended(automaton)
            | ClusterGoal::Round(automaton, _) => Some(automaton),
        }
    }
}

/// A task in bytes.
pub(crate) fn write(system: &System, wanted: Wanted<'_>, limits: &Limits) -> Vec<u8> {
    let mut out = ByteWriter::default();
    write_system(&mut out, system);
    write_wanted(&mut out, system, wanted);
    for limit in [limits.states, limits.bytes, limits.depth] {
        out.number(limit as u64);
    }
    out.0
}

fn write_wanted(out: &mut ByteWriter, system: &System, wanted: Wanted<'_>) {
    match wanted {
        Wanted::State(SearchGoal::Everything, _) => out.number(0_u64),
        Wanted::State(SearchGoal::Stuck, reduction) => {
            out.number(1_u64);
            out.truth(reduction == Reduction::Deadlocks);
        }
        Wanted::State(SearchGoal::Goal(goal), _) => {
            out.number(2_u64);
            out.id(goal);
        }
        Wanted::Violation(automaton) => {
            out.number(3_u64);
            formula::write(out, automaton.origin(), system.events.len());
        }
        Wanted::Ended(automaton) => {
            out.number(4_u64);
            formula::write(out, automaton.origin(), system.events.len());
        }
        Wanted::Round(automaton, trip) => {
            out.number(5_u64);
            formula::write(out, automaton.origin(), system.events.len());
            out.numbers(trip.start.iter().copied());
            out.number(trip.needs);
            out.truth(trip.steps == CycleSteps::Unread);
        }
    }
}

fn write_system(out: &mut ByteWriter, system: &System) {
    out.number(system.variables.len() as u64);
    for variable in &system.variables {
        [variable.min, variable.max, variable.initial].into_iter().for_each(|value| out.signed(value));
    }
    for count in [system.components.len(), system.events.len(), system.labels.len()] {
        out.number(count as u64);
    }
    out.number(system.meetings.len() as u64);
    for ((label, from, to), event) in &system.meetings {
        out.id(*label);
        out.id(*from);
        out.id(*to);
        out.id(*event);
    }
    out.number(system.terms.ids().count() as u64);
    system.terms.ids().for_each(|term| write_node(out, system.terms.node(term)));
    for term in [system.complete, system.void, system.invalid, system.inconclusive, system.strained] {
        out.id(term);
    }
    out.number(system.rules.len() as u64);
    system.rules.iter().for_each(|rule| write_rule(out, rule));
    out.truth(system.endless.is_some());
    if let Some(endless) = &system.endless {
        out.numbers(endless.rests.iter().map(|rest| rest.index() as u64));
        out.truth(endless.is_seen);
        out.number(endless.owed.len() as u64);
        for Fairness { when, payers, strength } in &endless.owed {
            for rules in [when, payers] {
                out.numbers(rules.iter().map(|rule| rule.index() as u64));
            }
            out.truth(*strength == Strength::Strong);
        }
    }
}

fn write_node(out: &mut ByteWriter, node: &TermNode) {
    match node {
        TermNode::Constant(value) => {
            out.number(0_u64);
            out.signed(*value);
        }
        TermNode::Variable(variable) => {
            out.number(1_u64);
            out.id(*variable);
        }
        TermNode::Not(part) => write_parts(out, 2, &[*part]),
        TermNode::And(parts) => write_parts(out, 3, parts),
        TermNode::Or(parts) => write_parts(out, 4, parts),
        TermNode::Equal(a, b) => write_parts(out, 5, &[*a, *b]),
        TermNode::Less(a, b) => write_parts(out, 6, &[*a, *b]),
        TermNode::If(condition, yes, no) => write_parts(out, 7, &[*condition, *yes, *no]),
        TermNode::Number(operation, a, b) => {
            let kind = OPERATIONS.iter().position(|one| one == operation).unwrap_or(OPERATIONS.len());
            write_parts(out, FIRST_OPERATION + kind as u64, &[*a, *b]);
        }
    }
}

/// Operations by number, and the number of the first as a kind of term.
const OPERATIONS: [ArithmeticOperation; 5] = [
    ArithmeticOperation::Plus,
    ArithmeticOperation::Minus,
    ArithmeticOperation::Times,
    ArithmeticOperation::Divide,
    ArithmeticOperation::Modulo,
];
const FIRST_OPERATION: u64 = 8;

fn write_parts(out: &mut ByteWriter, kind: u64, parts: &[TermId]) {
    out.number(kind);
    out.numbers(parts.iter().map(|part| part.index() as u64));
}

fn write_rule(out: &mut ByteWriter, rule: &Rule) {
    out.id(rule.component);
    out.id(rule.guard);
    out.option(rule.event.map(|event| event.index() as u64));
    out.number(rule.updates.len() as u64);
    for (variable, term) in &rule.updates {
        out.id(*variable);
        out.id(*term);
    }
    match &rule.join {
        Join::Alone => out.number(0_u64),
        Join::Offer(labels) => {
            out.number(1_u64);
            out.numbers(labels.iter().map(|label| label.index() as u64));
        }
        Join::Take(label) => {
            out.number(2_u64);
            out.id(*label);
        }
        Join::Listen(event) => {
            out.number(3_u64);
            out.id(*event);
        }
    }
    out.truth(rule.urgent);
}

/// The task that some bytes are; `None` if they are none.
pub(crate) fn read(bytes: &[u8]) -> Option<ClusterTask> {
    let mut from = ByteReader(bytes);
    let system = read_system(&mut from)?;
    let goal = read_goal(&mut from, &system)?;
    let limits = Limits { states: from.count()?, bytes: from.count()?, depth: from.count()? };
    from.is_over().then_some(ClusterTask { system, goal, limits })
}

fn read_goal(from: &mut ByteReader<'_>, system: &System) -> Option<ClusterGoal> {
    let terms = system.terms.ids().count();
    Some(match from.number()? {
        0 => ClusterGoal::State(SearchGoal::Everything, Reduction::None),
        1 => {
            let reduction = if from.truth()? { Reduction::Deadlocks } else { Reduction::None };
            ClusterGoal::State(SearchGoal::Stuck, reduction)
        }
        2 => ClusterGoal::State(SearchGoal::Goal(from.known(terms)?), Reduction::None),
        3 => ClusterGoal::Violation(Box::new(formula::read(from, system.events.len(), terms)?)),
        4 => ClusterGoal::Ended(Box::new(formula::read(from, system.events.len(), terms)?)),
        5 => {
            let automaton = Box::new(formula::read(from, system.events.len(), terms)?);
            let (start, needs) = (from.numbers()?, from.number()?);
            let steps = if from.truth()? { CycleSteps::Unread } else { CycleSteps::All };
            ClusterGoal::Round(automaton, RoundTrip { start, needs, steps })
        }
        _ => return None,
    })
}

fn read_system(from: &mut ByteReader<'_>) -> Option<System> {
    let mut system = System::bare(Terms::default());
    for _ in 0..from.count()? {
        let (min, max, initial) = (from.signed()?, from.signed()?, from.signed()?);
        system.variables.push(Variable::new("", min, max, initial));
    }
    let counts = [from.count()?, from.count()?, from.count()?];
    system.components = (0..counts[0]).map(|_| String::new()).collect();
    system.events = (0..counts[1]).map(|_| unnamed_event()).collect();
    system.labels = (0..counts[2]).map(|_| String::new()).collect();
    let mut meetings = BTreeMap::new();
    for _ in 0..from.count()? {
        let label = from.known::<LabelId>(counts[2])?;
        let ends = [from.known::<ComponentId>(counts[0])?, from.known(counts[0])?];
        meetings.insert((label, ends[0], ends[1]), from.known::<EventId>(counts[1])?);
    }
    system.meetings = meetings;
    system.terms = read_terms(from, system.variables.len())?;
    let terms = system.terms.ids().count();
    system.complete = from.known(terms)?;
    system.void = from.known(terms)?;
    system.invalid = from.known(terms)?;
    system.inconclusive = from.known(terms)?;
    system.strained = from.known(terms)?;
    for _ in 0..from.count()? {
        let rule = read_rule(from, &system, terms)?;
        system.rules.push(rule);
    }
    if from.truth()? {
        let rests = (0..from.count()?).map(|_| from.known(terms)).collect::<Option<Vec<TermId>>>()?;
        let is_seen = from.truth()?;
        let owed = (0..from.count()?).map(|_| read_fairness(from, system.rules.len()));
        let owed = owed.collect::<Option<Vec<Fairness>>>()?;
        system.endless = Some(Endless { owed, rests, is_seen });
    }
    Some(system)
}

fn read_fairness(from: &mut ByteReader<'_>, rules: usize) -> Option<Fairness> {
    let mut some = || (0..from.count()?).map(|_| from.known(rules)).collect::<Option<BTreeSet<RuleId>>>();
    let (when, payers) = (some()?, some()?);
    let strength = if from.truth()? { Strength::Strong } else { Strength::Weak };
    Some(Fairness { when, payers, strength })
}

fn unnamed_event() -> Event {
    Event {
        text: String::new(),
        kind: EventKind::Send,
        from: None,
        to: None,
        beyond: None,
        message: String::new(),
        name: String::new(),
        arguments: None,
        goes_on: false,
    }
}

fn read_terms(from: &mut ByteReader<'_>, variables: usize) -> Option<Terms> {
    let mut terms = Terms::default();
    for number in 0..from.count()? {
        let kind = from.number()?;
        let made = match kind {
            0 => terms.constant(from.signed()?),
            1 => terms.variable(from.known::<VariableId>(variables)?),
            _ => {
                let parts = from.numbers()?;
                if parts.iter().any(|part| *part >= number as u64) {
                    return None;
                }
                let parts: Vec<TermId> =
                    parts.into_iter().map(|part| TermId::from_index(part as usize)).collect();
                read_compound(&mut terms, kind, &parts)?
            }
        };
        // A term that is another one already, or becomes one that is simpler, is none that was written here.
        if made.index() != number {
            return None;
        }
    }
    Some(terms)
}

fn read_compound(terms: &mut Terms, kind: u64, parts: &[TermId]) -> Option<TermId> {
    let made = match (kind, parts) {
        (2, [part]) => terms.not(*part),
        (3, parts) => terms.and(parts.iter().copied()),
        (4, parts) => terms.or(parts.iter().copied()),
        (5, [a, b]) => terms.equal(*a, *b),
        (6, [a, b]) => terms.less(*a, *b),
        (7, [condition, yes, no]) => terms.choose(*condition, *yes, *no),
        (operation, [a, b]) => {
            let number = usize::try_from(operation.checked_sub(FIRST_OPERATION)?).ok()?;
            terms.number(*OPERATIONS.get(number)?, *a, *b)
        }
        (_, _) => return None,
    };
    Some(made)
}

fn read_rule(from: &mut ByteReader<'_>, system: &System, terms: usize) -> Option<Rule> {
    let component = from.known(system.components.len())?;
    let guard = from.known(terms)?;
    let event = match from.truth()? {
        true => Some(from.known(system.events.len())?),
        false => None,
    };
    let mut updates = Vec::new();
    for _ in 0..from.count()? {
        updates.push((from.known(system.variables.len())?, from.known(terms)?));
    }
    let join = match from.number()? {
        0 => Join::Alone,
        1 => {
            let count = from.count()?;
            let labels: Option<Vec<LabelId>> = (0..count).map(|_| from.known(system.labels.len())).collect();
            Join::Offer(labels?)
        }
        2 => Join::Take(from.known(system.labels.len())?),
        3 => Join::Listen(from.known(system.events.len())?),
        _ => return None,
    };
    let urgent = from.truth()?;
    let place = Span::new(FileId::from_index(0), 0, 0).into();
    Some(Rule { component, guard, event, updates, join, urgent, place })
}
