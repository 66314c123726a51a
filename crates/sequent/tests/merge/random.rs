//! Random diagrams and machines, from the text on: the merges are those that the definitions allow.

use std::collections::BTreeSet;

use sequent::effort::Effort;
use sequent::merge::{ConsistencyLevel, Environment, FileModel, Merge, MergeOptions, VersionFiles, possible};
use sequent::settings::{self, Settings};
use sequent_kernel::random::Random;
use sequent_kernel::verdict::Verdict;
use sequent_notation::{Loader, NoFiles};
use sequent_testing::seeds::{is_more, seeds};

use crate::{merge_files, with_merge};

/// A message: its receiver, its sender, which no other message has, and its name.
type Message = (usize, String, String);

/// Two machines over the names of all messages; without a trigger a step may happen at any time.
struct Case {
    machines: [Vec<(usize, Option<String>, usize)>; 2],
    base: Vec<Message>,
    /// What each side puts before each message of the base, and after the last.
    added: [Vec<Vec<Message>>; 2],
    /// Whether all messages stand in a critical region.
    is_framed: bool,
}

fn case(dice: &mut Random) -> Case {
    let mut names = Vec::new();
    // Messages with names of their own, or with few names, which are received again and again.
    let few = (dice.below(2) == 0).then(|| 1 + dice.below(3));
    let mut fresh = |prefix: &str, dice: &mut Random| {
        let own = format!("{prefix}{}", names.len());
        let name = few.map_or_else(|| own.clone(), |few| format!("m{}", dice.below(few)));
        let message = (dice.below(2), format!("u{own}"), name);
        names.push(message.clone());
        message
    };
    let base: Vec<_> = (0..dice.below(3)).map(|_| fresh("o", dice)).collect();
    let added = ["a", "b"].map(|prefix| {
        let gap = |dice: &mut Random, fresh: &mut dyn FnMut(&str, &mut Random) -> Message| {
            (0..dice.below(3)).map(|_| fresh(prefix, dice)).collect::<Vec<_>>()
        };
        (0..=base.len()).map(|_| gap(dice, &mut fresh)).collect::<Vec<_>>()
    });
    let machines = [0, 1].map(|machine| {
        let states = 1 + dice.below(3);
        let mut transitions = Vec::new();
        let known: BTreeSet<(usize, &String)> =
            names.iter().map(|(receiver, _, name)| (*receiver, name)).collect();
        for (receiver, name) in known {
            for _ in 0..if receiver == machine { 1 + dice.below(3) } else { 0 } {
                transitions.push((dice.below(states), Some(name.clone()), dice.below(states)));
            }
        }
        if states > 1 && dice.below(3) == 0 {
            transitions.push((0, None, 1));
        }
        transitions
    });
    let is_framed = dice.below(3) == 0;
    Case { machines, base, added, is_framed }
}

impl Case {
    fn machines(&self) -> String {
        let mut text = String::new();
        for (number, transitions) in self.machines.iter().enumerate() {
            text += &format!("@startuml M{number}\n[*] --> s{number}0\n");
            for (from, name, to) in transitions {
                let label = name.as_ref().map(|name| format!(" : {name}")).unwrap_or_default();
                text += &format!("s{number}{from} --> s{number}{to}{label}\n");
            }
            text += "@enduml\n";
        }
        text
    }

    fn scene(&self, messages: &[Message]) -> String {
        let mut text = "@startuml\nparticipant \"x0 : M0\" as x0\nparticipant \"x1 : M1\" as x1\n".to_owned();
        text += if self.is_framed { "critical\n" } else { "" };
        for (receiver, sender, name) in messages {
            text += &format!("{sender} ->> x{receiver} : {name}\n");
        }
        text += if self.is_framed { "end\n" } else { "" };
        text + "@enduml\n"
    }

    /// The messages of a text, in order.
    fn read(&self, text: &str) -> Vec<Message> {
        let all: Vec<&Message> = self.added.iter().flatten().flatten().chain(&self.base).collect();
        let sender = |line: &str| line.split_once(" ->> ").map(|(sender, _)| sender.to_owned());
        let senders = text.lines().filter_map(sender);
        senders
            .filter_map(|sender| all.iter().find(|one| one.1 == sender).map(|one| (*one).clone()))
            .collect()
    }

    fn version(&self, side: Option<usize>) -> String {
        let mut messages = Vec::new();
        for at in 0..=self.base.len() {
            messages.extend(side.into_iter().flat_map(|side| self.added[side][at].iter().cloned()));
            messages.extend(self.base.get(at).cloned());
        }
        self.scene(&messages)
    }

    /// All orders of messages, gap by gap.
    fn orders(&self) -> Vec<Vec<Message>> {
        let mut orders = vec![Vec::new()];
        for at in 0..=self.base.len() {
            let ways = interleaved(&self.added[0][at], &self.added[1][at]);
            let longer = |order: &Vec<Message>| -> Vec<Vec<Message>> {
                let whole =
                    |way: &Vec<Message>| order.iter().chain(way).chain(self.base.get(at)).cloned().collect();
                ways.iter().map(whole).collect()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        orders
    }

    /// D14, for one lifeline: from some state on its machine takes all that it receives.
    fn takes(&self, machine: usize, order: &[Message]) -> bool {
        let transitions = &self.machines[machine];
        let settle = |mut states: BTreeSet<usize>| {
            while let Some((_, _, to)) = transitions
                .iter()
                .find(|(from, name, to)| name.is_none() && states.contains(from) && !states.contains(to))
            {
                states.insert(*to);
            }
            states
        };
        let all = transitions.iter().flat_map(|(from, _, to)| [*from, *to]).chain([0]).collect();
        let mut states = settle(all);
        for (_, _, name) in order.iter().filter(|(receiver, ..)| *receiver == machine) {
            let next = transitions
                .iter()
                .filter(|(from, trigger, _)| trigger.as_ref() == Some(name) && states.contains(from));
            states = settle(next.map(|(_, _, to)| *to).collect());
        }
        !states.is_empty()
    }
}

fn interleaved(one: &[Message], other: &[Message]) -> Vec<Vec<Message>> {
    let begin = |first: &Message, rest: Vec<Vec<Message>>| -> Vec<Vec<Message>> {
        rest.into_iter().map(|order| [vec![first.clone()], order].concat()).collect()
    };
    match (one, other) {
        ([], rest) | (rest, []) => vec![rest.to_vec()],
        ([first, ones @ ..], [second, others @ ..]) => {
            [begin(first, interleaved(ones, other)), begin(second, interleaved(one, others))].concat()
        }
    }
}

fn spelled(order: &[Message]) -> Vec<String> {
    order.iter().map(|(receiver, sender, name)| format!("{sender}->x{receiver}:{name}")).collect()
}

/// The merges of a case as the library lists them, as texts.
fn listed(case: &Case, level: ConsistencyLevel) -> BTreeSet<Vec<String>> {
    let versions = [case.version(None), case.version(Some(0)), case.version(Some(1))];
    let bytes = versions.each_ref().map(|text| text.as_bytes());
    with_merge(
        "a.puml",
        bytes,
        &case.machines(),
        MergeOptions { level, ..MergeOptions::default() },
        |merge| {
            if merge.draft.conflicts().next().is_some() {
                assert_ne!(level, ConsistencyLevel::Order, "{versions:?}");
                return BTreeSet::new();
            }
            if merge.tasks.is_empty() {
                return BTreeSet::from([merge.all_messages()]);
            }
            let [task] = merge.tasks.as_slice() else { panic!("one diagram") };
            let found = merge.merges(task, usize::MAX);
            assert!(found.is_complete, "{:?}", found.doubt);
            assert_eq!(merge.count().map(|count| count.to_string()), Some(found.orders.len().to_string()));
            found.orders.iter().map(|order| merge.messages(task, order)).collect()
        },
    )
}

/// Takes one side of every conflict.
fn taken(text: &str, side: usize) -> String {
    let mut at = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("<<<<<<<") {
            at = Some(0);
        } else if line == "=======" {
            at = Some(1);
        } else if line.starts_with(">>>>>>>") {
            at = None;
        } else if at.is_none_or(|at| at == side) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// Where no order fits every message is there all the same, once, and something is a conflict.
fn loses_nothing(case: &Case) {
    let versions = [case.version(None), case.version(Some(0)), case.version(Some(1))];
    let bytes = versions.each_ref().map(|text| text.as_bytes());
    let found = merge_files("a.puml", bytes, &case.machines(), MergeOptions::default());
    assert!(!found.conflicts.is_empty() && found.text().contains("<<<<<<< ours"));
    let text = found.text();
    for (_, sender, _) in case.added.iter().flatten().flatten().chain(&case.base) {
        let is_it = |line: &&str| line.starts_with(&format!("{sender} ->> "));
        // The conflict may hold a message of the base on both sides.
        assert!(text.lines().any(|line| is_it(&line)), "{sender} in\n{text}");
    }
    // Taking one side of every conflict gives what the machines can follow, unless that side or the base alone is not.
    for side in [0, 1] {
        let taken = taken(&text, side);
        let own = case.version(Some(side));
        for machine in [0, 1] {
            let follows = |text: &str| case.takes(machine, &case.read(text));
            if follows(&case.version(None)) && follows(&own) {
                assert!(follows(&taken), "{}\n--- merged\n{text}\n--- taken\n{taken}", case.machines());
            }
        }
    }
}

#[test]
fn merges_are_those_of_the_definition() {
    let (mut some, mut none) = (0, 0);
    for seed in seeds(100) {
        let case = case(&mut Random::new(seed));
        let order = |order: &Vec<Message>| spelled(order);
        let all: BTreeSet<Vec<String>> = case.orders().iter().map(order).collect();
        assert_eq!(listed(&case, ConsistencyLevel::Order), all);
        // What the base cannot do limits nothing.
        let asked: Vec<usize> =
            [0, 1].into_iter().filter(|machine| case.takes(*machine, &case.base)).collect();
        let fits = |order: &&Vec<Message>| asked.iter().all(|machine| case.takes(*machine, order));
        let expected: BTreeSet<Vec<String>> = case.orders().iter().filter(fits).map(order).collect();
        assert_eq!(
            listed(&case, ConsistencyLevel::Trigger),
            expected,
            "{}{}",
            case.machines(),
            case.version(Some(0))
        );
        if expected.is_empty() {
            none += 1;
            loses_nothing(&case);
        } else {
            some += 1;
        }
    }
    assert!(some > 2 * none && none > 0, "{some} with merges, {none} without");
}

/// What is left out because of its beginning would have failed.
#[test]
fn full_merges_are_those_that_pass_one_by_one() {
    let mut dice = Random::new(0xF00D);
    let mut settings = Settings::default();
    settings::set(&mut settings, "system.communication=rendezvous").expect("a known setting");
    let (mut few, mut tried) = (0, 0);
    for number in 0..4 + 36 * u32::from(is_more()) {
        let case = case(&mut dice);
        let settings = if number % 2 == 0 { &settings } else { &Settings::default() };
        let companions = vec![("machines.puml".to_owned(), case.machines())];
        let effort = Effort::default();
        let loader = || Box::new(NoFiles) as Box<dyn Loader>;
        let environment = Environment { companions: &companions, settings, effort: &effort, loader: &loader };
        let versions = [case.version(None), case.version(Some(0)), case.version(Some(1))];
        let [base, ours, theirs] = versions.each_ref().map(|text| text.as_bytes());
        let files = VersionFiles { name: "a.puml", base, ours, theirs };
        let is_possible = |text: &str| {
            let mut model = FileModel::new("a.puml", text, &environment);
            let id = model.interactions().next().expect("a diagram");
            matches!(possible(&mut model, id, settings, &effort).0, Verdict::Holds(_))
        };
        let options = |level| MergeOptions { level, ..MergeOptions::default() };
        let merge = Merge::new(files, &environment, options(ConsistencyLevel::Trigger));
        let [task] = merge.tasks.as_slice() else { continue };
        if !is_possible(&versions[0]) {
            continue;
        }
        let orders = merge.merges(task, usize::MAX).orders;
        let all: Vec<Vec<String>> = orders.iter().map(|order| merge.messages(task, order)).collect();
        let text = |order: &_| merge.draft.text(&merge.whole_order(&[(task, order)]));
        let passing: BTreeSet<Vec<String>> = orders
            .iter()
            .zip(&all)
            .filter(|(order, _)| is_possible(&text(order)))
            .map(|(_, one)| one.clone())
            .collect();
        let full = Merge::new(files, &environment, options(ConsistencyLevel::Full));
        let found = full.merges(&full.tasks[0], usize::MAX);
        let found: BTreeSet<Vec<String>> =
            found.orders.iter().map(|order| full.messages(&full.tasks[0], order)).collect();
        assert_eq!(found, passing, "{}{versions:?}", case.machines());
        tried += 1;
        few += usize::from(passing.len() < all.len());
    }
    assert!(tried > 1 && (few > 0 || !is_more()), "{tried} were tried, {few} have fewer");
}
