//! What machines can follow: random flat diagrams and machines, edited anywhere on both sides, against a walk through each machine.
//!
//! A merge without conflict is one that every machine can follow, and holds what both sides want. Of a conflict each side, taken everywhere, is one too, or the
//! conflict says that it is not. Either way round the sides agree or they do not. Nothing of the merge is used here but its text.

use std::collections::{BTreeMap, BTreeSet};

use sequent::merge::MergeOptions;
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::merge_files;

const LINES: [&str; 3] = ["a", "b", "c"];
const NAMES: [&str; 4] = ["p", "q", "r", "s"];

/// Sender, receiver, name.
type Message = (usize, usize, usize);

/// The transitions of the machine of each lifeline that has one: from, name, to.
type Machines = BTreeMap<usize, BTreeSet<(usize, usize, usize)>>;

fn machines(dice: &mut Random) -> Machines {
    let count = 2 + dice.below(2);
    let machine = |dice: &mut Random| {
        let states = 1 + dice.below(3);
        let all = (0..states).flat_map(|from| (0..NAMES.len()).map(move |name| (from, name)));
        let some: Vec<_> = all.filter(|_| dice.percent(55)).collect();
        let mut all: BTreeSet<_> =
            some.into_iter().map(|(from, name)| (from, name, dice.below(states))).collect();
        all.insert((0, 0, 0));
        all
    };
    (0..count).map(|line| (line, machine(dice))).collect()
}

fn machines_text(machines: &Machines) -> String {
    let one = |(line, all): (&usize, &BTreeSet<(usize, usize, usize)>)| {
        let lines: String =
            all.iter().map(|(from, name, to)| format!("s{from} --> s{to} : {}\n", NAMES[*name])).collect();
        format!("@startuml {}\n[*] --> s0\n{lines}@enduml\n", LINES[*line])
    };
    machines.iter().map(one).collect()
}

/// Whether each machine takes what its lifeline receives, from some state on.
fn are_content(machines: &Machines, messages: &[Message]) -> bool {
    machines.iter().all(|(line, all)| {
        let mut states: BTreeSet<usize> = all.iter().flat_map(|(from, _, to)| [*from, *to]).collect();
        for (_, _, name) in messages.iter().filter(|(_, to, _)| to == line) {
            let after = all.iter().filter(|(from, taken, _)| states.contains(from) && taken == name);
            states = after.map(|(.., to)| *to).collect();
        }
        !states.is_empty()
    })
}

fn text(messages: &[Message]) -> String {
    let head: String = LINES.iter().map(|line| format!("participant {line}\n")).collect();
    let one =
        |(from, to, name): &Message| format!("{} ->> {} : {}\n", LINES[*from], LINES[*to], NAMES[*name]);
    let body: String = messages.iter().map(one).collect();
    format!("@startuml D\n{head}{body}@enduml\n")
}

fn message(dice: &mut Random) -> Message {
    let from = dice.below(LINES.len());
    let to = (from + 1 + dice.below(LINES.len() - 1)) % LINES.len();
    (from, to, dice.below(NAMES.len()))
}

fn with_one(dice: &mut Random, machines: &Machines, messages: &[Message]) -> Vec<Message> {
    for _ in 0..20 {
        let mut longer = messages.to_vec();
        longer.insert(dice.below(messages.len() + 1), message(dice));
        if are_content(machines, &longer) {
            return longer;
        }
    }
    messages.to_vec()
}

fn edited(dice: &mut Random, machines: &Machines, messages: &[Message]) -> Vec<Message> {
    let mut now = messages.to_vec();
    for _ in 0..1 + dice.below(4) {
        let mut next = now.clone();
        match (dice.below(10), now.len()) {
            (0..4, _) | (_, 0) => next = with_one(dice, machines, &now),
            (4..6, count) => drop(next.remove(dice.below(count))),
            (6..8, count) => {
                let at = dice.below(count);
                let (from, to, name) = message(dice);
                next[at] =
                    if dice.percent(70) { (next[at].0, next[at].1, name) } else { (from, to, next[at].2) };
            }
            (_, count) => {
                let moved = next.remove(dice.below(count));
                next.insert(dice.below(count), moved);
            }
        }
        if are_content(machines, &next) {
            now = next;
        }
    }
    now
}

/// The messages of a merged text with our or their side of its conflicts taken, and what the conflicts say.
fn taken(text: &str, is_theirs: bool) -> (Vec<Message>, String) {
    let (mut messages, mut said) = (Vec::new(), String::new());
    let mut side = None;
    for line in text.lines() {
        let mark = line.split(' ').next().unwrap_or_default();
        match mark {
            "<<<<<<<" => {
                side = Some(false);
                said += line;
            }
            "=======" => side = Some(true),
            ">>>>>>>" => side = None,
            _ => {}
        }
        let number = |all: &[&str], word: &str| all.iter().position(|one| *one == word);
        if let ([from, "->>", to, ":", name], true) =
            (line.split(' ').collect::<Vec<_>>().as_slice(), side.is_none_or(|theirs| theirs == is_theirs))
        {
            let ends = number(&LINES, from).zip(number(&LINES, to)).zip(number(&NAMES, name));
            messages.extend(ends.map(|((from, to), name)| (from, to, name)));
        }
    }
    (messages, said)
}

fn count(messages: &[Message], wanted: &Message) -> i64 {
    messages.iter().filter(|one| *one == wanted).count() as i64
}

#[test]
fn merges_are_followed_or_say_that_they_are_not() {
    let [mut clean, mut said_so] = [0; 2];
    for seed in seeds(2_000) {
        let mut dice = Random::new(seed);
        let machines = machines(&mut dice);
        let mut base = Vec::new();
        for _ in 0..1 + dice.below(5) {
            base = with_one(&mut dice, &machines, &base);
        }
        let [ours, theirs] = [(); 2].map(|()| edited(&mut dice, &machines, &base));
        let texts = [&base, &ours, &theirs].map(|messages| text(messages));
        let all = machines_text(&machines);
        let merge = |order: [usize; 3]| {
            let files = order.map(|at| texts[at].as_bytes());
            merge_files("d.puml", files, &all, MergeOptions::default())
        };
        let (one, other) = (merge([0, 1, 2]), merge([0, 2, 1]));
        let merged = one.text();
        let context =
            || format!("seed {seed}\n{all}{}\n--- merged\n{merged}{:?}", texts.join("---\n"), one.notes);
        assert_eq!(one.conflicts.is_empty(), other.conflicts.is_empty(), "{}", context());
        for is_theirs in [false, true] {
            let (messages, said) = taken(&merged, is_theirs);
            let word = if is_theirs { "with theirs" } else { "with ours" };
            let is_content = are_content(&machines, &messages);
            assert_eq!(!is_content, said.contains(word), "{word}: {}", context());
            said_so += usize::from(!is_content);
        }
        if one.conflicts.is_empty() {
            clean += 1;
            let (messages, _) = taken(&merged, false);
            for wanted in base.iter().chain(&ours).chain(&theirs) {
                let [before, own, others, now] =
                    [&base, &ours, &theirs, &messages].map(|all| count(all, wanted));
                let both = own + others - before;
                let all = [own, others, before, both];
                let is_wanted = all.iter().min() <= Some(&now) && Some(&now) <= all.iter().max();
                assert!(is_wanted, "{wanted:?}: {}", context());
                // What one side added and the other did not touch is there.
                assert!(own <= before || others != before || now == own, "{wanted:?}: {}", context());
                assert!(others <= before || own != before || now == others, "{wanted:?}: {}", context());
            }
        }
    }
    assert!(clean > 0 && said_so > 0, "{clean} {said_so}");
}
