//! Sends: steps that no other component can notice, prevent, or make possible.
//!
//! A component that sends messages one after the other takes a step for each, and all others may move between two of them. If
//! no other component sends to the same queues, these steps may as well be taken at once. A *prompt* step of a component `c` is a
//! rule of one of these forms, each alone and with constants as updates:
//!
//! - a **send**: the rules, one for each place of a queue, that put the same message into the first free place, together with
//!   those that break the run off where the queue is full. The queue belongs to another component, `c` alone puts anything
//!   into it, its owner takes the first message and moves the others up, and others ask only which message comes first, or
//!   whether there is one;
//! - a **move**: it changes nothing but variables that `c` alone reads and writes, and no move can follow it at once.
//!
//! Both ask for nothing but these places, variables that `c` alone writes, and *gates*: variables of which every guard of
//! the System wants the same value, such as that there is no fault. What they write is asked for by no predicate, but that
//! a run breaks off is. Whatever else `c` can do, prompt or not, is ruled out where a prompt step is possible, by variables
//! that `c` alone writes.
//!
//! Where a prompt step is possible, no other need be taken. Let a run from there reach a state that is
//! looked for. As the others change nothing that decides which of its steps `c` may take (in another place of the queue it
//! is the same send, a queue that has room keeps it, and a gate that is shut ends the run), the first step of `c` in the run is
//! this one. To take it first leads to the same state: what comes before it neither reads nor writes what
//! it writes, except that the first message is taken from the same queue, which has one before and after. If there is no step of `c`, it
//! may be taken first, as no predicate looks at what it writes. And prompt steps cannot go on forever: every other
//! one fills a queue. So they are made urgent: states between them are not kept. That a queue overflows is looked for as
//! well, so that all that is said of sends need only hold as long as none does.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{ComponentId, QueueId, Rule, RuleId, System, TermId, TermNode, VariableId};

use super::facts::{GuardParts, Knowledge, SystemFacts, exclude};
use crate::search::accord::VariableTest;

/// More pairs of rules than this are not compared.
const MOST_PAIRS: usize = 4_000_000;

/// A step that is taken at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PromptStep {
    /// The component that takes it.
    pub component: ComponentId,
    /// What it asks for, besides room in a queue.
    pub guard: GuardParts,
    /// What it writes, besides a place of a queue.
    pub updates: Vec<(VariableId, TermId)>,
    /// The message that is sent, and the queue that gets it.
    pub sends: Option<(QueueId, i32)>,
    /// All rules that belong to it.
    pub rules: Vec<RuleId>,
}

/// The prompt steps of a System. `breaks` tells whether a run is known to break off where a variable has a value.
pub(crate) fn prompt(
    facts: &SystemFacts<'_>,
    breaks: &mut dyn FnMut(VariableId, i32) -> bool,
) -> Vec<PromptStep> {
    let mut steps = Mailboxes::new(facts).sends(breaks);
    steps.extend(moves(facts));
    let mut rules: BTreeMap<ComponentId, Vec<RuleId>> = BTreeMap::new();
    facts.rules().for_each(|(id, rule)| rules.entry(rule.component).or_default().push(id));
    if steps.iter().map(|step| rules[&step.component].len()).sum::<usize>() > MOST_PAIRS {
        return Vec::new();
    }
    loop {
        let prompt: BTreeSet<RuleId> = steps.iter().flat_map(|step| step.rules.iter().copied()).collect();
        let others =
            |step: &PromptStep| rules[&step.component].iter().copied().filter(|rule| !prompt.contains(rule));
        let stays: Vec<bool> =
            steps.iter().map(|step| is_prompt(facts, step, &steps, others(step))).collect();
        if stays.iter().all(|stays| *stays) {
            return steps;
        }
        let mut stays = stays.into_iter();
        steps.retain(|_| stays.next().unwrap_or(false));
    }
}

/// Whether a step is prompt if all of these are; `others` are all other rules of its component.
fn is_prompt(
    facts: &SystemFacts<'_>,
    step: &PromptStep,
    all: &[PromptStep],
    mut others: impl Iterator<Item = RuleId>,
) -> bool {
    let is_own = |variable| facts.is_own(variable, step.component);
    let is_apart = |guard: &GuardParts| exclude(&step.guard.tests, &guard.tests, is_own);
    let mut rivals = all.iter().filter(|other| other.component == step.component && *other != step);
    if !others.all(|id| is_apart(&facts.guards[id])) || !rivals.all(|other| is_apart(&other.guard)) {
        return false;
    }
    let after = Knowledge::of(step.guard.tests.iter().filter(|test| is_own(test.variable)))
        .after(facts.system, &step.updates);
    let is_move = |other: &PromptStep| other.component == step.component && other.sends.is_none();
    let follows = |other: &PromptStep| !other.guard.tests.iter().any(|test| after.excludes(test));
    !(is_move(step) && all.iter().any(|other| is_move(other) && follows(other)))
}

/// The moves of all components.
fn moves(facts: &SystemFacts<'_>) -> Vec<PromptStep> {
    let move_of = |(id, rule): (RuleId, &Rule)| {
        let guard = facts.guards[id].clone();
        let step = PromptStep {
            component: rule.component,
            guard,
            updates: rule.updates.clone(),
            sends: None,
            rules: vec![id],
        };
        is_hidden(facts, &step).then_some(step)
    };
    facts.rules().filter_map(move_of).collect()
}

/// Whether all that a step asks for is known to its component alone, and all that it writes is.
fn is_hidden(facts: &SystemFacts<'_>, step: &PromptStep) -> bool {
    let (system, component) = (facts.system, step.component);
    let is_open = |test: &VariableTest| {
        test.is_equal && facts.gates.get(&test.variable) == Some(&test.value)
            || facts.is_own(test.variable, component)
    };
    let is_own = |variable: &VariableId| facts.is_own(*variable, component);
    let knows = |(term, _): &(TermId, bool)| facts.support(*term).iter().all(is_own);
    let mut written = BTreeSet::new();
    let hides = |(variable, term): &(VariableId, TermId)| {
        let domain = &system.variables[*variable];
        let fits = |value| (domain.min..=domain.max).contains(&value);
        is_own(variable)
            && facts.is_unseen(*variable, component)
            && !facts.gates.contains_key(variable)
            && system.terms.as_constant(*term).is_some_and(fits)
            && written.insert(*variable)
    };
    step.guard.tests.iter().all(is_open)
        && step.guard.others.iter().all(knows)
        && step.updates.iter().all(hides)
}

/// A queue to which one component sends.
struct Mailbox<'s> {
    queue: QueueId,
    places: &'s [VariableId],
    sender: ComponentId,
}

/// All of them.
struct Mailboxes<'f, 's> {
    facts: &'f SystemFacts<'s>,
    all: Vec<Mailbox<'s>>,
}

/// What the rules of a send have in common: guard and queue.
type SendKey = (ComponentId, GuardParts, QueueId);

/// What they do: other updates and the message.
type SendDeed = (Vec<(VariableId, TermId)>, i32);

impl<'f, 's> Mailboxes<'f, 's> {
    fn new(facts: &'f SystemFacts<'s>) -> Self {
        let all = facts.system.fifos().filter_map(|(queue, places)| {
            let sender = sender(facts, facts.system.queues[queue].owner, places)?;
            Some(Mailbox { queue, places, sender })
        });
        Mailboxes { facts, all: all.collect() }
    }

    /// The sends to these queues whose rules are complete.
    fn sends(&self, breaks: &mut dyn FnMut(VariableId, i32) -> bool) -> Vec<PromptStep> {
        let mut puts: BTreeMap<SendKey, BTreeMap<SendDeed, BTreeMap<usize, RuleId>>> = BTreeMap::new();
        let mut overflows: BTreeMap<SendKey, Vec<RuleId>> = BTreeMap::new();
        for mailbox in &self.all {
            for (id, rule) in self.facts.rules().filter(|(_, rule)| rule.component == mailbox.sender) {
                let (of_queue, guard) = divided(&self.facts.guards[id], mailbox.places);
                let key = (rule.component, guard, mailbox.queue);
                if let Some((place, message)) = put(self.facts, id, mailbox.places) {
                    let others =
                        rule.updates.iter().filter(|(variable, _)| !mailbox.places.contains(variable));
                    let mut others: Vec<_> = others.copied().collect();
                    others.sort_unstable();
                    if asks_for_place(self.facts.system, &of_queue, mailbox.places, place) {
                        puts.entry(key).or_default().entry((others, message)).or_default().insert(place, id);
                    }
                } else if self.facts.shuts(id).is_some_and(|(gate, value)| breaks(gate, value))
                    && is_full(self.facts.system, &of_queue, mailbox.places)
                {
                    overflows.entry(key).or_default().push(id);
                }
            }
        }
        let mut steps = Vec::new();
        for (key, deeds) in puts {
            let Some(overflows) = overflows.get(&key) else { continue };
            let (component, guard, queue) = key;
            let places = self.facts.system.queues[queue].order.slots().len();
            for ((updates, message), by_place) in deeds {
                let rules = by_place.values().chain(overflows).copied().collect();
                let sends = Some((queue, message));
                let step = PromptStep { component, guard: guard.clone(), updates, sends, rules };
                if by_place.len() == places && is_hidden(self.facts, &step) {
                    steps.push(step);
                }
            }
        }
        steps
    }
}

/// The only component that puts messages into a queue, if it is none that takes them, and others only take the first message
/// or ask for it.
fn sender(facts: &SystemFacts<'_>, owner: ComponentId, places: &[VariableId]) -> Option<ComponentId> {
    let system = facts.system;
    let mut sender = None;
    let writers: BTreeSet<RuleId> =
        places.iter().flat_map(|place| facts.writers[*place].iter().copied()).collect();
    for rule in &writers {
        if takes_first(facts, *rule, owner, places) {
            continue;
        }
        let component = system.rules[*rule].component;
        put(facts, *rule, places)?;
        if *sender.get_or_insert(component) != component {
            return None;
        }
    }
    let sender = sender.filter(|sender| *sender != owner)?;
    let is_empty = places.iter().all(|place| system.variables[*place].initial == 0);
    let is_asked = |rule: &RuleId| {
        system.rules[*rule].component == sender || asks_for_messages(facts, *rule, owner, places)
    };
    let is_seen = places.iter().any(|place| facts.seen.contains(place));
    let mut readers = places.iter().flat_map(|place| &facts.readers[*place]);
    (is_empty && !is_seen && readers.all(is_asked)).then_some(sender)
}

/// Whether a rule takes the first message, and the others move up.
fn takes_first(facts: &SystemFacts<'_>, rule: RuleId, owner: ComponentId, places: &[VariableId]) -> bool {
    let Rule { component, updates, .. } = &facts.system.rules[rule];
    let terms = &facts.system.terms;
    let moves_up = |(at, place): (usize, &VariableId)| {
        let mut written = updates.iter().filter(|(variable, _)| variable == place).map(|(_, term)| *term);
        let is_it = |term: TermId| match places.get(at + 1) {
            Some(next) => *terms.node(term) == TermNode::Variable(*next),
            None => terms.as_constant(term) == Some(0),
        };
        written.next().is_some_and(is_it) && written.next().is_none()
    };
    let asks = |test: &VariableTest| places.first() == Some(&test.variable) && is_message(test);
    *component == owner
        && places.iter().enumerate().all(moves_up)
        && facts.guards[rule].tests.iter().any(asks)
}

/// Whether a test holds only if there is a message.
fn is_message(test: &VariableTest) -> bool {
    (test.value != 0) == test.is_equal
}

/// Whether a rule wants to know nothing of a queue that a message at its end could change.
fn asks_for_messages(
    facts: &SystemFacts<'_>,
    rule: RuleId,
    owner: ComponentId,
    places: &[VariableId],
) -> bool {
    let guard = &facts.guards[rule];
    let reads = |term: TermId| facts.support(term).iter().any(|variable| places.contains(variable));
    let takes = takes_first(facts, rule, owner, places);
    let is_moved = |variable: &VariableId| takes && places.contains(variable);
    guard.tests.iter().filter(|test| places.contains(&test.variable)).all(is_message)
        && !guard.others.iter().any(|(term, _)| reads(*term))
        && !facts.system.rules[rule]
            .updates
            .iter()
            .any(|(variable, term)| !is_moved(variable) && reads(*term))
}

/// The place into which a rule puts a message, the first that is free, and the message.
fn put(facts: &SystemFacts<'_>, rule: RuleId, places: &[VariableId]) -> Option<(usize, i32)> {
    let system = facts.system;
    let mut written = system.rules[rule].updates.iter().filter(|(variable, _)| places.contains(variable));
    let (variable, term) = written.next()?;
    let message = system.terms.as_constant(*term)?;
    let place = places.iter().position(|place| place == variable)?;
    let tests = &facts.guards[rule].tests;
    let is_free = tests.contains(&VariableTest { variable: *variable, value: 0, is_equal: true });
    let before = place.checked_sub(1).map(|before| places[before]);
    let is_first =
        before.is_none_or(|before| tests.iter().any(|test| test.variable == before && is_message(test)));
    let is_whole = written.next().is_none() && (1..=system.variables[*variable].max).contains(&message);
    (is_whole && is_free && is_first).then_some((place, message))
}

/// What a guard asks of the places of a queue, and all else.
fn divided(guard: &GuardParts, places: &[VariableId]) -> (Vec<VariableTest>, GuardParts) {
    let (of_queue, tests): (Vec<_>, Vec<_>) =
        guard.tests.iter().copied().partition(|test| places.contains(&test.variable));
    (of_queue, GuardParts { tests: tests.into_iter().collect(), others: guard.others.clone() })
}

/// Whether tests ask for nothing but that a place is free, and those before it are not, whatever waits there.
fn asks_for_place(system: &System, tests: &[VariableTest], places: &[VariableId], place: usize) -> bool {
    let asks = |test: &VariableTest| match places.iter().position(|known| *known == test.variable) {
        Some(at) if at == place => test.value == 0 && test.is_equal,
        Some(at) => at < place && is_any_message(system, test),
        None => false,
    };
    tests.iter().all(asks)
}

/// Whether tests ask for nothing but that there is no free place.
fn is_full(system: &System, tests: &[VariableTest], places: &[VariableId]) -> bool {
    tests.iter().all(|test| is_any_message(system, test))
        && tests.iter().any(|test| places.last() == Some(&test.variable))
}

/// Whether a test holds if and only if there is a message.
fn is_any_message(system: &System, test: &VariableTest) -> bool {
    match test.is_equal {
        true => test.value == 1 && system.variables[test.variable].max == 1,
        false => test.value == 0,
    }
}
