//! What machines can do together: random diagrams with blocks, to which both sides add at any place, against all interleavings written out.
//!
//! A walk through two machines that meet (docs/objects.md, rendezvous) tells which diagrams they can do: nothing of the merge or of the search is used. A merge at
//! level `full` has no conflict if and only if some interleaving of the additions, place by place and with blocks whole, is one that they can do, and is such a
//! one itself. Of a conflict each side, taken everywhere, is one, or the conflict says that it is not; what is proposed to be left out helps.

use std::collections::{BTreeMap, BTreeSet};

use sequent::merge::{ConsistencyLevel, MergeOptions};
use sequent::settings::{self, Settings};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{Merged, made, with_settings};

/// Who is drawn: three without machines, then the two that have one.
const LINES: [&str; 5] = ["u", "v", "w", "a", "b"];
const A: usize = 3;
const B: usize = 4;

/// What each machine takes: from outside, and the last two of `b` from `a`.
const NAMES: [&str; 6] = ["p", "q", "r", "s", "x", "y"];
const SENT: std::ops::Range<usize> = 4..6;

/// Sender, receiver, name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Event {
    from: usize,
    to: usize,
    name: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Item {
    Message(Event),
    /// Keyword, guard, operands.
    Block(&'static str, String, Vec<Vec<Event>>),
}

/// A transition: from, trigger, what is sent, to.
type Way = (usize, usize, Option<usize>, usize);

/// The machines of `a` and `b`.
struct Pair([Vec<Way>; 2]);

/// Where a machine is: in a state, or on its way to one with something to send or nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    At(usize),
    To(Option<usize>, usize),
}

type Moment = [Place; 2];

impl Pair {
    fn random(dice: &mut Random) -> Self {
        let machine = |own: &[usize], sends: bool, dice: &mut Random| {
            let states = 1 + dice.below(3);
            let mut ways = Vec::new();
            for from in 0..states {
                for name in own {
                    if dice.percent(60) {
                        let sent = (sends && dice.percent(40)).then(|| SENT.start + dice.below(2));
                        ways.push((from, *name, sent, dice.below(states)));
                    }
                }
            }
            ways.push((0, own[0], None, 0));
            ways
        };
        Pair([machine(&[0, 1], true, dice), machine(&[2, 3, 4, 5], false, dice)])
    }

    fn text(&self) -> String {
        let one = |(number, ways): (usize, &Vec<Way>)| {
            let way = |(from, name, sent, to): &Way| {
                let effect = sent.map(|sent| format!(" / ^b.{}", NAMES[sent])).unwrap_or_default();
                format!("s{from} --> s{to} : {}{effect}\n", NAMES[*name])
            };
            let lines: String = ways.iter().map(way).collect();
            format!("@startuml {}\n[*] --> s0\n{lines}@enduml\n", ["A", "B"][number])
        };
        self.0.iter().enumerate().map(one).collect()
    }

    /// The moments that are as good as some: what is not seen may happen.
    fn rested(moments: BTreeSet<Moment>) -> BTreeSet<Moment> {
        let mut all = moments;
        for machine in 0..2 {
            let rested: Vec<Moment> = all
                .iter()
                .filter_map(|moment| match moment[machine] {
                    Place::To(None, state) => {
                        let mut next = *moment;
                        next[machine] = Place::At(state);
                        Some(next)
                    }
                    Place::To(Some(_), _) | Place::At(_) => None,
                })
                .collect();
            all.extend(rested);
        }
        all
    }

    /// Where the machines may be after an event.
    fn after(&self, from: &BTreeSet<Moment>, event: Event) -> BTreeSet<Moment> {
        let mut all = BTreeSet::new();
        for moment in from {
            let target = event.to - A;
            let Place::At(state) = moment[target] else { continue };
            for (_, _, sent, to) in
                self.0[target].iter().filter(|(source, name, ..)| (*source, *name) == (state, event.name))
            {
                let mut next = *moment;
                next[target] = Place::To(*sent, *to);
                match (event.from, moment[0]) {
                    (A, Place::To(Some(sent), then)) if sent == event.name => next[0] = Place::At(then),
                    (A, _) => continue,
                    (_, _) => {}
                }
                all.insert(next);
            }
        }
        Self::rested(all)
    }

    /// Everywhere they come.
    fn reached(&self) -> BTreeSet<Moment> {
        // What a machine sends comes from nowhere else.
        let is_sent = |name: usize| self.0[0].iter().any(|way| way.2 == Some(name));
        let outside = (0..NAMES.len()).filter(|name| !is_sent(*name));
        let outside = outside.map(|name| Event { from: 0, to: if name < 2 { A } else { B }, name });
        let events: Vec<Event> = outside.chain(SENT.map(|name| Event { from: A, to: B, name })).collect();
        let mut all = BTreeSet::from([[Place::At(0); 2]]);
        loop {
            let more: BTreeSet<Moment> =
                events.iter().flat_map(|event| self.after(&all, *event)).chain(all.iter().copied()).collect();
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// Whether they can do what is drawn, from some moment on.
    fn can_do(&self, items: &[Item]) -> bool {
        let start = self.reached();
        ways_through(items).iter().any(|events| {
            let before = |at: usize| -> u64 {
                (0..at).filter(|other| is_ordered(&events[*other], &events[at])).map(|other| 1 << other).sum()
            };
            let needs: Vec<u64> = (0..events.len()).map(before).collect();
            let mut open = BTreeSet::from([(0_u64, start.clone())]);
            for _ in 0..events.len() {
                let mut next = BTreeSet::new();
                for (done, moments) in &open {
                    for (at, (event, _)) in events.iter().enumerate() {
                        if done >> at & 1 == 0 && needs[at] & !done == 0 {
                            let after = self.after(moments, *event);
                            if !after.is_empty() {
                                next.insert((done | 1 << at, after));
                            }
                        }
                    }
                }
                open = next;
            }
            !open.is_empty()
        })
    }
}

/// An event of one way through a diagram, with the `par` and the operand that it stands in.
type Step = (Event, Option<(usize, usize)>);

/// Whether the first of two must happen first: they share a lifeline, and are not in two operands of a `par`.
fn is_ordered((first, here): &Step, (second, there): &Step) -> bool {
    let is_apart =
        matches!((here, there), (Some((one, own)), Some((other, its))) if one == other && own != its);
    let shares = [first.from, first.to].iter().any(|end| [second.from, second.to].contains(end));
    shares && !is_apart
}

/// All ways through a diagram: what is skipped, chosen, repeated.
fn ways_through(items: &[Item]) -> Vec<Vec<Step>> {
    let mut all: Vec<Vec<Step>> = vec![Vec::new()];
    for (number, item) in items.iter().enumerate() {
        let plain = |events: &[Event]| events.iter().map(|event| (*event, None)).collect::<Vec<Step>>();
        let choices: Vec<Vec<Step>> = match item {
            Item::Message(event) => vec![plain(&[*event])],
            Item::Block("opt", _, operands) => vec![Vec::new(), plain(&operands[0])],
            Item::Block("alt", _, operands) => operands.iter().map(|events| plain(events)).collect(),
            Item::Block("loop", _, operands) => vec![plain(&operands[0]), plain(&operands[0].repeat(2))],
            Item::Block(_, _, operands) => {
                let own = operands.iter().enumerate().flat_map(|(operand, events)| {
                    events.iter().map(move |event| (*event, Some((number, operand))))
                });
                vec![own.collect()]
            }
        };
        all = all
            .iter()
            .flat_map(|before| choices.iter().map(move |choice| [before.clone(), choice.clone()].concat()))
            .collect();
    }
    all
}

fn line(event: &Event) -> String {
    format!("{} ->> {} : {}\n", LINES[event.from], LINES[event.to], NAMES[event.name])
}

fn item_text(item: &Item) -> String {
    let lines = |events: &Vec<Event>| events.iter().map(line).collect::<String>();
    match item {
        Item::Message(event) => line(event),
        Item::Block(keyword, guard, operands) => {
            let bounds = if *keyword == "loop" { " (1,2)" } else { "" };
            let divider = if *keyword == "alt" { format!("else not {guard}\n") } else { "else\n".to_owned() };
            let inside = operands.iter().map(lines).collect::<Vec<String>>().join(&divider);
            format!("{keyword}{bounds} {guard}\n{inside}end\n")
        }
    }
}

fn diagram_text(items: &[Item]) -> String {
    let head: String = LINES.iter().map(|line| format!("participant {line}\n")).collect();
    format!("@startuml D\n{head}{}@enduml\n", items.iter().map(item_text).collect::<String>())
}

/// The items of a merged text with our or their side of its conflicts taken, and what the conflicts say.
fn read(text: &str, is_theirs: bool) -> (Vec<Item>, String) {
    let (mut items, mut said): (Vec<Item>, String) = (Vec::new(), String::new());
    let (mut side, mut inside) = (None, false);
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "<<<<<<<" => {
                side = Some(false);
                said += line;
                continue;
            }
            "=======" => side = Some(true),
            ">>>>>>>" => side = None,
            _ => {}
        }
        if side.is_some_and(|theirs| theirs != is_theirs) {
            continue;
        }
        let keyword = ["opt", "alt", "loop", "par"].into_iter().find(|keyword| *keyword == words[0]);
        let number = |all: &[&str], word: &str| all.iter().position(|one| *one == word);
        match (words.as_slice(), keyword) {
            (_, Some(keyword)) => {
                inside = true;
                items.push(Item::Block(
                    keyword,
                    words.last().map_or_else(String::new, |word| (*word).to_owned()),
                    vec![Vec::new()],
                ));
            }
            (["end"], None) => inside = false,
            ([from, "->>", to, ":", name], None) => {
                let ends = number(&LINES, from).zip(number(&LINES, to)).zip(number(&NAMES, name));
                let event =
                    ends.map(|((from, to), name)| Event { from, to, name }).expect("a message of the test");
                match items.last_mut() {
                    Some(Item::Block(_, _, operands)) if inside => {
                        operands.last_mut().expect("a block has an operand").push(event);
                    }
                    _ => items.push(Item::Message(event)),
                }
            }
            (["else", ..], None) => {
                if let Some(Item::Block(_, _, operands)) = items.last_mut() {
                    operands.push(Vec::new());
                }
            }
            (_, None) => {}
        }
    }
    (items, said)
}

/// What a side adds, by the place in the base.
type Added = BTreeMap<usize, Vec<Item>>;

/// A side with what it adds.
fn with(base: &[Item], added: &Added) -> Vec<Item> {
    let own = |gap: usize| added.get(&gap).into_iter().flatten().cloned();
    (0..=base.len()).flat_map(|gap| own(gap).chain(base.get(gap).cloned())).collect()
}

/// All orders of two rows.
fn interleaved(one: &[Item], other: &[Item]) -> Vec<Vec<Item>> {
    match (one, other) {
        ([], rest) | (rest, []) => vec![rest.to_vec()],
        ([first, ones @ ..], [second, others @ ..]) => {
            let begin = |first: &Item, rest: Vec<Vec<Item>>| {
                let first = first.clone();
                rest.into_iter().map(move |order| [vec![first.clone()], order].concat())
            };
            begin(first, interleaved(ones, other)).chain(begin(second, interleaved(one, others))).collect()
        }
    }
}

/// Whether the machines can do some merge.
fn has_merge(pair: &Pair, base: &[Item], added: [&Added; 2]) -> bool {
    let mut all: Vec<Vec<Item>> = vec![Vec::new()];
    for gap in 0..=base.len() {
        let [ours, theirs] = added.map(|side| side.get(&gap).cloned().unwrap_or_default());
        let ways = interleaved(&ours, &theirs);
        let kept = base.get(gap);
        all = all
            .iter()
            .flat_map(|before| {
                ways.iter().map(move |way| {
                    [before.clone(), way.clone(), kept.into_iter().cloned().collect()].concat()
                })
            })
            .collect();
    }
    all.iter().any(|merged| pair.can_do(merged))
}

fn event(dice: &mut Random, from: usize) -> Event {
    match dice.below(if from == 1 { 4 } else { 5 }) {
        // What the machines tell each other: one name for the base, one for our side.
        4 => Event { from: A, to: B, name: if from == 0 { 4 } else { 5 } },
        name => Event { from, to: if name < 2 { A } else { B }, name },
    }
}

fn item(dice: &mut Random, from: usize, number: usize) -> Item {
    let guard = format!("g{}{number}", LINES[from]);
    let row = |dice: &mut Random| (0..1 + dice.below(2)).map(|_| event(dice, from)).collect::<Vec<Event>>();
    match dice.below(10) {
        0 => Item::Block("opt", guard, vec![row(dice)]),
        1 => Item::Block("alt", guard, vec![row(dice), row(dice)]),
        2 => Item::Block("loop", guard, vec![row(dice)]),
        3 => Item::Block("par", guard, vec![row(dice), row(dice)]),
        _ => Item::Message(event(dice, from)),
    }
}

/// A base and what each side adds to it, each of which the machines can do; `None` if none was met.
fn revisions(dice: &mut Random, pair: &Pair) -> Option<(Vec<Item>, [Added; 2])> {
    let base = (0..20).find_map(|_| {
        let items: Vec<Item> = (0..1 + dice.below(3)).map(|number| item(dice, 2, number)).collect();
        pair.can_do(&items).then_some(items)
    })?;
    let mut side = |from: usize| {
        (0..20).find_map(|_| {
            let mut added = Added::new();
            for number in 0..1 + dice.below(3) {
                added.entry(dice.below(base.len() + 1)).or_default().push(item(dice, from, number));
            }
            pair.can_do(&with(&base, &added)).then_some(added)
        })
    };
    Some((base.clone(), [side(0)?, side(1)?]))
}

fn merged(versions: &[String; 3], machines: &str) -> Merged {
    let mut settings = Settings::default();
    settings::set(&mut settings, "system.communication=rendezvous").expect("a known setting");
    let options = MergeOptions { level: ConsistencyLevel::Full, ..MergeOptions::default() };
    with_settings(
        "d.puml",
        versions.each_ref().map(|text| text.as_bytes()),
        machines,
        (options, &settings),
        made,
    )
}

/// What is left of what a side adds without one message that is named; `None` if there is none.
fn without(added: &Added, named: &Event) -> Vec<Added> {
    let mut all = Vec::new();
    for (gap, items) in added {
        for at in 0..items.len() {
            let mut left = items.clone();
            match &items[at] {
                Item::Message(event) if event == named => drop(left.remove(at)),
                Item::Message(_) => continue,
                Item::Block(keyword, guard, operands) => {
                    let mut operands = operands.clone();
                    let Some(own) = operands.iter_mut().find(|own| own.contains(named)) else { continue };
                    let place = own.iter().position(|event| event == named).expect("it is there");
                    own.remove(place);
                    left[at] = Item::Block(keyword, guard.clone(), operands);
                }
            }
            all.push(
                added
                    .iter()
                    .map(|(place, own)| (*place, if place == gap { left.clone() } else { own.clone() }))
                    .collect(),
            );
        }
    }
    all
}

/// What a proposal names: each message with whether it is theirs.
fn named(proposal: &str) -> Option<Vec<(Event, bool)>> {
    let one = |text: &str| {
        let (message, rest) = text.strip_prefix('`')?.split_once('`')?;
        let (from, more) = message.split_once("->")?;
        let (to, name) = more.split_once(':')?;
        let number = |all: &[&str], word: &str| all.iter().position(|one| *one == word);
        let event = Event {
            from: number(&LINES, from)?,
            to: number(&LINES, to)?,
            name: number(&NAMES, name.split(' ').next()?)?,
        };
        Some((event, rest.contains("theirs")))
    };
    proposal.strip_prefix("leave out ")?.split(" and ").map(one).collect()
}

/// Whether leaving out what a proposal names leads to a merge.
fn helps(pair: &Pair, base: &[Item], added: &[Added; 2], left_out: &[(Event, bool)]) -> bool {
    let Some(((event, is_theirs), rest)) = left_out.split_first() else {
        return has_merge(pair, base, [&added[0], &added[1]]);
    };
    without(&added[usize::from(*is_theirs)], event).into_iter().any(|side| {
        let mut left = added.clone();
        left[usize::from(*is_theirs)] = side;
        helps(pair, base, &left, rest)
    })
}

#[test]
fn merges_with_blocks_are_what_the_machines_can_do_together() {
    let [mut clean, mut conflicts, mut proposed] = [0; 3];
    for seed in seeds(200) {
        let mut dice = Random::new(seed);
        let pair = Pair::random(&mut dice);
        let Some((base, added)) = revisions(&mut dice, &pair) else { continue };
        let versions =
            [base.clone(), with(&base, &added[0]), with(&base, &added[1])].map(|items| diagram_text(&items));
        let machines = pair.text();
        let found = merged(&versions, &machines);
        let text = found.text();
        let context = || {
            format!(
                "seed {seed}\n{machines}{}\n--- merged\n{text}{:?}{:?}",
                versions.join("---\n"),
                found.notes,
                found.explanations
            )
        };
        let has_one = has_merge(&pair, &base, [&added[0], &added[1]]);
        assert_eq!(found.conflicts.is_empty(), has_one, "{}", context());
        for is_theirs in [false, true] {
            let (items, said) = read(&text, is_theirs);
            let word = if is_theirs { "with theirs" } else { "with ours" };
            assert!(pair.can_do(&items) || said.contains(word), "{word}: {}", context());
        }
        if has_one {
            clean += 1;
            continue;
        }
        conflicts += 1;
        for proposal in found.explanations.iter().flat_map(|one| &one.proposals) {
            if let Some(left_out) = named(proposal) {
                assert!(helps(&pair, &base, &added, &left_out), "{proposal}: {}", context());
                proposed += 1;
            }
        }
    }
    assert!(clean > 0 && conflicts > 0 && proposed > 0, "{clean} {conflicts} {proposed}");
}
