//! Transactions (P4, definitions D16 to D27): sets of meetings of different objects that count as one step, how many of them
//! a goal takes, and after how many a sequence of messages can follow.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{Communication, Effect, Model, Steps};
use sequent_kernel::semantics::objects::{InstanceId, Structure};
use sequent_testing::objects::state::{NaiveEvent, NaiveObject, NaiveState};
use sequent_testing::objects::task::{NaiveBehaviour, NaiveTask};
use sequent_testing::objects::{NaiveObjects, Successor};

use crate::build::{model, structure, with};

/// All states one transaction further: meetings whose participants differ happen together.
fn transaction(naive: &NaiveObjects, state: &NaiveState) -> BTreeSet<NaiveState> {
    let successors: Vec<Successor> = naive.successors(state).into_iter().collect();
    let changed = |next: &NaiveState| -> BTreeSet<usize> {
        let pairs = state.objects.iter().zip(&next.objects).enumerate();
        pairs.filter(|(_, (before, after))| before != after).map(|(at, _)| at).collect()
    };
    let mut reached: BTreeSet<(usize, BTreeSet<usize>, NaiveState)> =
        BTreeSet::from([(0, BTreeSet::new(), state.clone())]);
    let mut after = BTreeSet::new();
    while let Some((next, moved, so_far)) = reached.pop_first() {
        if !moved.is_empty() {
            after.insert(so_far.clone());
        }
        for (at, successor) in successors.iter().enumerate().skip(next) {
            let moves = changed(&successor.state);
            if moves.is_disjoint(&moved) {
                let mut both = so_far.clone();
                moves.iter().for_each(|who| both.objects[*who] = successor.state.objects[*who].clone());
                reached.insert((at + 1, moved.union(&moves).copied().collect(), both));
            }
        }
    }
    after
}

/// The states after so many transactions or fewer, level by level until nothing is new.
fn levels(naive: &NaiveObjects) -> Vec<BTreeSet<NaiveState>> {
    let mut levels = vec![naive.initial().clone()];
    let mut new = levels[0].clone();
    while !new.is_empty() {
        let mut level = levels.last().expect("there is one").clone();
        let next = new.iter().flat_map(|state| transaction(naive, state));
        new = next.filter(|state| level.insert(state.clone())).collect();
        levels.push(level);
    }
    levels
}

/// The least number of transactions to a state with these objects in these states; `env` says whether an object that only
/// has to arrive there counts as being there (D26, D27).
fn least(naive: &NaiveObjects, goal: &[(&str, &str)], env: bool) -> Option<usize> {
    let is_there = |state: &NaiveState| {
        goal.iter().all(|(object, wanted)| {
            let id = named(naive.structure, object);
            let place = whereabouts(naive, id, &state.objects[id.index()]);
            place == (wanted.to_string(), false) || (env && place == (wanted.to_string(), true))
        })
    };
    levels(naive).iter().position(|level| level.iter().any(is_there))
}

fn named(structure: &Structure, name: &str) -> InstanceId {
    structure.objects.enumerate().find(|(_, object)| object.name == name).expect("it exists").0
}

/// The state of an object, or the one in whose environment it is; `->` with what it sends otherwise.
fn whereabouts(naive: &NaiveObjects, id: InstanceId, object: &NaiveObject) -> (String, bool) {
    let machine = naive.machine(id);
    if let NaiveTask::Segment(transition, _) = &object.work {
        let target = machine.vertices[machine.transitions[*transition].target].name.clone();
        let sends = NaiveBehaviour::Effect(*transition).effects(machine);
        let sends = sends.iter().any(|effect| matches!(effect, Effect::Send(_)));
        return (if sends { format!("->{target}") } else { target }, true);
    }
    let active = object.active[0].expect("a flat machine is always somewhere");
    (machine.vertices[active].name.clone(), false)
}

/// How many of the messages can follow each other with nothing seen in between, after at most `k` transactions.
fn executable(naive: &NaiveObjects, messages: &[&str], before: &BTreeSet<NaiveState>) -> usize {
    let mut states = before.clone();
    for (done, message) in messages.iter().enumerate() {
        let mut open: Vec<NaiveState> = states.iter().cloned().collect();
        let mut next = BTreeSet::new();
        while let Some(state) = open.pop() {
            for Successor { events, state, .. } in naive.successors(&state) {
                let texts: Vec<String> = events.iter().map(NaiveEvent::to_string).collect();
                match texts.as_slice() {
                    [] if states.insert(state.clone()) => open.push(state),
                    [text] if text == message => drop(next.insert(state)),
                    _ => {}
                }
            }
        }
        if next.is_empty() {
            return done;
        }
        states = next;
    }
    messages.len()
}

/// The least number of transactions after which all messages can follow, and the number of those that can at all.
fn consistent(naive: &NaiveObjects, messages: &[&str]) -> (Option<usize>, usize) {
    let levels = levels(naive);
    let prefix = executable(naive, messages, levels.last().expect("there is one"));
    let least = levels.iter().position(|level| executable(naive, messages, level) == messages.len());
    (least, prefix)
}

/// P4, section 4.3.
const ORDER_AND_PAY: &str = "@startuml PhD
[*] --> working
working --> waiting : / ^orderCoffee; ^money
waiting --> working : coffeeDone
waiting --> desperate : error
desperate --> working : repaired
@enduml
@startuml CM
[*] --> idle
idle --> waiting : orderCoffee
waiting --> preparing : ok
preparing --> idle : / ^coffeeDone
preparing --> error : / ^error
error --> idle : / ^repaired
@enduml
@startuml PU
[*] --> ready
ready --> ready : money / ^ok
@enduml";

/// P4, section 4.4.
const REPAIR: &str = "@startuml PhD
[*] --> working
working --> waiting : / ^cm.orderCoffee
waiting --> working : coffeeDone
waiting --> desperate : error
desperate --> working : repaired
@enduml
@startuml CM
[*] --> idle
idle --> preparing : orderCoffee
preparing --> idle : / ^coffeeDone
preparing --> error : / ^error
error --> preparing : orderCoffee
error --> maintenance : / ^repair
maintenance --> idle : done / ^repaired
@enduml
@startuml Maintenance
[*] --> idle
idle --> repairing : repair
repairing --> idle : / ^done
@enduml";

fn read(text: &str) -> Model {
    with(&model(text), Communication::Rendezvous, 1, Steps::Intermediate)
}

#[test]
fn reached_by_transactions() {
    let model = read(ORDER_AND_PAY);
    let structure = structure(&model, &[("PhD", "PhD"), ("CM", "CM"), ("PU", "PU")], &[]);
    let naive = NaiveObjects::new(&model, &structure);
    let goal = [("PhD", "desperate"), ("CM", "error")];
    assert_eq!(least(&naive, &goal, true), Some(7));
    assert_eq!(least(&naive, &goal, false), Some(8));
    assert_eq!(least(&naive, &[("PhD", "waiting"), ("CM", "error")], true), None);
}

#[test]
fn messages_after_transactions() {
    let model = read(REPAIR);
    let objects = [("alice", "PhD"), ("bob", "PhD"), ("cm", "CM"), ("m", "Maintenance")];
    let structure = structure(&model, &objects, &[]);
    let naive = NaiveObjects::new(&model, &structure);
    let first = ["alice->cm:orderCoffee", "cm->alice:error", "cm->m:repair", "m->cm:done"];
    let rest = ["alice->cm:orderCoffee", "cm->alice:coffeeDone"];
    assert_eq!(consistent(&naive, &first), (Some(0), 4));
    assert_eq!(consistent(&naive, &[&first[..], &rest].concat()), (None, 4));
    let wanted = ["cm->m:repair", "m->cm:done", "bob->cm:orderCoffee"];
    assert_eq!(consistent(&naive, &wanted), (None, 2));
    assert_eq!(consistent(&naive, &wanted[..2]), (Some(5), 2));
    let unwanted = ["cm->alice:error", "bob->cm:orderCoffee", "cm->bob:coffeeDone"];
    assert_eq!(consistent(&naive, &unwanted), (Some(2), 3));
}

#[test]
fn messages_after_the_repair() {
    let model = read(
        &REPAIR
            .replace(
                "waiting --> desperate : error\ndesperate --> working : repaired\n",
                "waiting --> working : error\n",
            )
            .replace("done / ^repaired", "done"),
    );
    let objects = [("alice", "PhD"), ("bob", "PhD"), ("cm", "CM"), ("m", "Maintenance")];
    let structure = structure(&model, &objects, &[]);
    let naive = NaiveObjects::new(&model, &structure);
    let wanted = ["cm->m:repair", "m->cm:done", "bob->cm:orderCoffee"];
    assert_eq!(consistent(&naive, &wanted), (Some(5), 3));
}
