//! Rounds in which a queue grows.
//!
//! A part of a run may come again if it begins and ends in the same state but for messages that were added to queues. Not every
//! such part does: an object that takes messages finds others at the second time, and the environment does not send where a
//! message of its own still waits. So the round is taken some times more, as far as queues go; everything else is as it was.
//! That the queue grows forever is suspected, not proven.

use sequent_kernel::id::Id;
use sequent_kernel::model::Communication;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::InstanceId;
use sequent_kernel::system::{ComponentId, Config, Event, VariableId};

use super::{ObjectGroup, fires_in_time};

/// A round is repeated this many times.
const MORE_ROUNDS: usize = 8;

/// The most events of a round that a message lists; the drawing has all.
const MOST_TOLD: usize = 6;

/// A round in which a queue grows.
pub(crate) struct Growth {
    /// The owner of the queue.
    pub object: InstanceId,
    /// How many messages wait before.
    pub from: usize,
    /// How many wait after it.
    pub to: usize,
    /// What happens.
    pub round: String,
    /// Whether the environment sends in the round, or time passes.
    pub is_prompted: bool,
}

/// The messages that wait somewhere, each with its sender.
type QueueWord = Vec<(Option<InstanceId>, String)>;

/// What happens to a queue in a step.
enum QueueChange {
    Nothing,
    /// A message comes; before, others waited.
    Comes(QueueWord, (Option<InstanceId>, String)),
    /// Of those that waited the one at this place is taken.
    Goes(QueueWord, usize),
}

/// The last part of a run that may come again and in which the queue of an object grows.
pub(crate) fn growth(group: &ObjectGroup<'_>, object: InstanceId, run: &Run) -> Option<Growth> {
    let configs = replay(&group.objects.system, run).ok()?;
    let machines: Vec<InstanceId> = group.machines().map(|(id, ..)| id).collect();
    let inboxes: Vec<VariableId> = machines.iter().flat_map(|id| group.objects.inbox(*id)).copied().collect();
    let all: Vec<VariableId> = group.objects.system.variables.ids().collect();
    let rest: Vec<VariableId> = all.into_iter().filter(|variable| !inboxes.contains(variable)).collect();
    let is_equal =
        |one: &Config, other: &Config| rest.iter().all(|id| one.0[id.index()] == other.0[id.index()]);
    let lengths: Vec<usize> =
        configs.iter().map(|config| group.objects.waiting(config, object).len()).collect();
    for late in (1..configs.len()).rev() {
        for early in (0..late).rev() {
            let (from, to) = (lengths[early], lengths[late]);
            if from >= to || !is_equal(&configs[early], &configs[late]) {
                continue;
            }
            if machines.iter().all(|id| repeats(group, *id, &configs[early..=late])) {
                let (round, is_prompted) = told(group, &machines, run, early..late);
                return Some(Growth { object, from, to, round, is_prompted });
            }
        }
    }
    None
}

/// Whether what happens to a queue in a round can happen to it again and again.
fn repeats(group: &ObjectGroup<'_>, object: InstanceId, round: &[Config]) -> bool {
    let is_bag = group.objects.communication == Communication::Bag;
    let words: Vec<QueueWord> = round.iter().map(|config| group.objects.waiting(config, object)).collect();
    let changes: Option<Vec<QueueChange>> = words.windows(2).map(|pair| change(&pair[0], &pair[1])).collect();
    let (Some(changes), Some(last)) = (changes, words.last()) else { return false };
    let mut word = last.clone();
    for change in (0..MORE_ROUNDS).flat_map(|_| &changes) {
        match change {
            QueueChange::Nothing => {}
            QueueChange::Comes(before, message) => {
                // The environment waits until its message was taken, or is kept for later.
                let has_room = |waiting: &(Option<InstanceId>, String)| {
                    !is_guest(group, waiting.0) || before.contains(waiting)
                };
                if is_guest(group, message.0) && !word.iter().all(has_room) {
                    return false;
                }
                word.push(message.clone());
            }
            QueueChange::Goes(before, at) => {
                let found = match is_bag {
                    true => word.iter().position(|waiting| *waiting == before[*at]),
                    false => (word.get(..=*at) == before.get(..=*at)).then_some(*at),
                };
                let Some(found) = found else { return false };
                word.remove(found);
            }
        }
    }
    true
}

/// What makes one word of another; `None` if that is more than one message.
fn change(before: &QueueWord, after: &QueueWord) -> Option<QueueChange> {
    let without = |word: &QueueWord, at: usize| {
        let mut word = word.clone();
        word.remove(at);
        word
    };
    if before == after {
        return Some(QueueChange::Nothing);
    }
    if after.len() == before.len() + 1 {
        let at = (0..after.len()).rev().find(|at| without(after, *at) == *before)?;
        return Some(QueueChange::Comes(before.clone(), after[at].clone()));
    }
    let at = (0..before.len()).find(|at| without(before, *at) == *after)?;
    Some(QueueChange::Goes(before.clone(), at))
}

fn is_guest(group: &ObjectGroup<'_>, from: Option<InstanceId>) -> bool {
    from.is_none_or(|from| group.objects.structure.objects[from].machine.is_none())
}

/// The events of a round, and whether the environment, or time, triggers it.
fn told(
    group: &ObjectGroup<'_>,
    machines: &[InstanceId],
    run: &Run,
    round: std::ops::Range<usize>,
) -> (String, bool) {
    let system = &group.objects.system;
    let steps = &run.steps[round];
    let events: Vec<&Event> =
        steps.iter().flat_map(|step| system.events(step)).map(|event| &system.events[event]).collect();
    let is_outside = |from: Option<ComponentId>| {
        let object = from.map(|from| InstanceId::from_index(from.index()));
        !machines.iter().any(|known| Some(*known) == object)
    };
    let is_timed =
        steps.iter().flat_map(|step| &step.0).any(|rule| fires_in_time(group.model, group.objects, *rule));
    let is_prompted = is_timed || events.iter().any(|event| is_outside(event.from));
    let texts: Vec<&str> = events.iter().map(|event| event.text.as_str()).collect();
    let more = texts.len().saturating_sub(MOST_TOLD);
    let round = texts[..texts.len() - more].join(", ");
    let round = if more > 0 { format!("{round} and {more} more") } else { round };
    (round, is_prompted)
}
