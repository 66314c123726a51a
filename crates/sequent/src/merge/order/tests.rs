//! The worked examples of P4, closed formulas, and random problems against all interleavings written out.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use sequent_kernel::id::Id;
use sequent_kernel::random::Random;

use super::*;
use crate::merge::fewest::fewest;
use crate::merge::proposal::subsets;

/// Source, trigger, target.
type Transition<'c> = (&'c str, &'c str, &'c str);

/// Machines and messages by name, as P4 writes them.
pub struct Case<'c> {
    pub machines: &'c [(&'c str, &'c [Transition<'c>])],
    /// Who receives a message.
    pub receiver: fn(&str) -> &'static str,
    pub base: &'c [&'c str],
    pub ours: &'c [&'c str],
    pub theirs: &'c [&'c str],
}

impl<'c> Case<'c> {
    /// The problem; original messages are those of the base, by name and in order.
    pub fn problem(&self) -> (Problem, Vec<Vec<&'c str>>) {
        let mut slots = Vec::new();
        let mut names = Vec::new();
        let (mut ours, mut theirs) = (self.ours.iter(), self.theirs.iter());
        for original in self.base.iter().map(Some).chain([None]) {
            let until = |messages: &mut std::slice::Iter<'c, &'c str>| -> Vec<&'c str> {
                messages.by_ref().copied().take_while(|message| Some(message) != original).collect()
            };
            let gap = [until(&mut ours), until(&mut theirs)];
            let items = |messages: &[&str]| messages.iter().map(|message| self.item(message)).collect();
            slots.push(Slot::Gap { ours: items(&gap[0]), theirs: items(&gap[1]) });
            names.extend(gap);
            if let Some(original) = original {
                slots.push(Slot::Fixed(self.item(original)));
                names.push(vec![*original]);
            }
        }
        let threads = self.machines.iter().map(|(_, transitions)| self.acceptor(transitions)).collect();
        (Problem { threads, slots }, names)
    }

    fn symbols(&self) -> Vec<&'c str> {
        let all: BTreeSet<&str> = self.base.iter().chain(self.ours).chain(self.theirs).copied().collect();
        all.into_iter().collect()
    }

    fn item(&self, message: &str) -> Item {
        let receiver = (self.receiver)(message);
        let thread = self.machines.iter().position(|(name, _)| *name == receiver);
        let symbol = self.symbols().iter().position(|symbol| *symbol == message);
        let symbol = SymbolId::from_index(symbol.expect("a known message"));
        thread.map(|thread| (ThreadId::from_index(thread), symbol)).into_iter().collect()
    }

    fn acceptor(&self, transitions: &[(&str, &str, &str)]) -> Acceptor {
        let states = states(transitions);
        let number = |name: &str| states.iter().position(|state| *state == name).expect("a known state");
        let mut moves: IdVec<SymbolId, Vec<Set>> = IdVec::new();
        for symbol in self.symbols() {
            let mut row = vec![Set::default(); states.len()];
            for (from, _, to) in transitions.iter().filter(|(_, trigger, _)| *trigger == symbol) {
                row[number(from)].insert(number(to));
            }
            moves.push(row);
        }
        Acceptor { start: Set::below(states.len()), moves }
    }

    /// The merges as texts, in the order in which they are listed.
    pub fn merges(&self) -> Vec<String> {
        let (problem, names) = self.problem();
        let graph = Graph::new(&problem).expect("small");
        Merges::new(&graph, Side::Ours).map(|order| spell(&problem, &names, &order)).collect()
    }
}

fn states<'t>(transitions: &[(&'t str, &'t str, &'t str)]) -> Vec<&'t str> {
    let all: BTreeSet<&str> = transitions.iter().flat_map(|(from, _, to)| [*from, *to]).collect();
    all.into_iter().collect()
}

fn spell(problem: &Problem, names: &[Vec<&str>], order: &Order) -> String {
    let (mut sides, mut names) = (order.iter(), names.iter());
    let mut words: Vec<&str> = Vec::new();
    for slot in &problem.slots {
        match slot {
            Slot::Fixed(_) => words.extend(names.next().expect("one list per slot")),
            Slot::Gap { ours, theirs } => {
                let mut own = [(); 2].map(|()| names.next().expect("two lists per gap").iter());
                let taken = sides.by_ref().take(ours.len() + theirs.len());
                words.extend(taken.map(|side| own[*side as usize].next().expect("as many as there are")));
            }
        }
    }
    words.join(" ")
}

const A: Case = Case {
    machines: &[
        ("x", &[("X1", "o2", "X2"), ("X2", "b4", "X2"), ("X2", "o3", "X1"), ("X1", "b6", "X1")]),
        ("y", &[("Y1", "o1", "Y1"), ("Y1", "b5", "Y1"), ("Y1", "a4", "Y2"), ("Y2", "a5", "Y1")]),
    ],
    receiver: |message| if ["o2", "o3", "b4", "b6"].contains(&message) { "x" } else { "y" },
    base: &["o1", "o2", "o3"],
    ours: &["o1", "o2", "a4", "o3", "a5"],
    theirs: &["o1", "o2", "b4", "b5", "o3", "b6"],
};

#[test]
fn example_a_of_p4() {
    let free = Case { machines: &[], ..A };
    assert_eq!(free.merges().len(), 6);
    let found: BTreeSet<String> = A.merges().into_iter().collect();
    let expected = ["o1 o2 b4 b5 a4 o3 a5 b6", "o1 o2 b4 b5 a4 o3 b6 a5"].map(str::to_owned);
    assert_eq!(found, BTreeSet::from(expected));
}

/// Table 4.2.1.
#[test]
fn the_allow_table_of_p4() {
    let (problem, names) = A.problem();
    let mut table: Vec<(String, Vec<usize>)> = Vec::new();
    let mut lists = Vec::new();
    let mut rest = names.iter();
    for slot in &problem.slots {
        let count = if matches!(slot, Slot::Fixed(_)) { 1 } else { 2 };
        lists.push(rest.by_ref().take(count).collect::<Vec<_>>());
    }
    for (name, places) in allow(&problem) {
        let message = match name {
            Name::Fixed { slot } => lists[slot][0][0],
            Name::Added { slot, side, number } => lists[slot][side as usize][number],
        };
        table.push((message.to_owned(), places.map(|place| place + 1).collect()));
    }
    table.sort();
    let expected = [
        ("a4", vec![3, 4, 5]),
        ("a5", vec![7, 8]),
        ("b4", vec![3, 4]),
        ("b5", vec![4, 5]),
        ("b6", vec![7, 8]),
        ("o1", vec![1]),
        ("o2", vec![2]),
        ("o3", vec![6]),
    ];
    assert_eq!(table, expected.map(|(name, places)| (name.to_owned(), places)));
}

const B: &[(&str, &str, &str)] = &[
    ("Y1", "o1", "Y1"),
    ("Y1", "b5", "Y1"),
    ("Y1", "a4", "Y2"),
    ("Y1", "b7", "Y3"),
    ("Y2", "a5", "Y1"),
    ("Y2", "a5", "Y3"),
    ("Y3", "b5", "Y1"),
];

/// Lifeline y of figure 4.2.6.
const B_CASE: Case = Case {
    machines: &[("y", B)],
    receiver: |_| "y",
    base: &["o1"],
    ours: &["o1", "a4", "a5"],
    theirs: &["o1", "b5", "b7", "b5"],
};

#[test]
fn example_b_of_p4() {
    let expected = ["o1 a4 a5 b5 b7 b5", "o1 b5 b7 b5 a4 a5", "o1 b5 a4 a5 b7 b5"];
    assert_eq!(B_CASE.merges(), expected);
    assert_eq!(Case { machines: &[], ..B_CASE }.merges().len(), 10);
}

/// Table 4.2.3: the states in which the transitions of each cell end.
#[test]
fn the_reach_table_of_p4() {
    let (problem, _) = B_CASE.problem();
    let acceptor = &problem.threads[ThreadId::from_index(0)];
    let symbol = |name| B_CASE.item(name)[0].1;
    let start = acceptor.after(&acceptor.start, symbol("o1"));
    let (ours, theirs) = (["a4", "a5"].map(symbol), ["b5", "b7", "b5"].map(symbol));
    let table = reach(acceptor, &start, &ours, &theirs);
    let states = states(B);
    let cell = |i: usize, j: usize| table[i][j].iter().map(|state| states[state]).collect::<Vec<_>>();
    assert_eq!(cell(0, 0), ["Y1"]);
    assert_eq!(cell(0, 1), ["Y1"]);
    assert_eq!(cell(1, 0), ["Y2"]);
    assert_eq!(cell(1, 1), ["Y2"]);
    assert_eq!(cell(0, 2), ["Y3"]);
    assert_eq!(cell(2, 0), ["Y1", "Y3"]);
    assert!(cell(1, 2).is_empty());
    assert_eq!(cell(2, 1), ["Y1", "Y3"]);
    assert_eq!(cell(2, 2), ["Y3"]);
    assert_eq!(cell(0, 3), ["Y1"]);
    assert_eq!(cell(1, 3), ["Y2"]);
    assert_eq!(cell(2, 3), ["Y1", "Y3"]);
}

#[test]
fn example_c_of_p4_has_one_merge() {
    let client: &[(&str, &str, &str)] = &[
        ("idle", "uCon", "conPend"),
        ("conPend", "ok", "connected"),
        ("connected", "ok", "identified"),
        ("identified", "uMail", "fromPend"),
        ("fromPend", "ok", "fromOk"),
        ("fromOk", "uRcpt", "rcptPend"),
        ("rcptPend", "ok", "rcptOk"),
        ("rcptOk", "uData", "donePend"),
        ("donePend", "ok", "identified"),
        ("identified", "uQuit", "idle"),
    ];
    let server: &[(&str, &str, &str)] = &[
        ("waiting", "sCon", "accepting"),
        ("accepting", "sHello", "ready"),
        ("ready", "sFrom", "from"),
        ("from", "sRcpt", "rcpt"),
        ("rcpt", "sData", "receiving"),
        ("receiving", "sDone", "ready"),
    ];
    let case = Case {
        machines: &[("c", client), ("s", server)],
        receiver: |message| if message.starts_with('s') { "s" } else { "c" },
        base: &["uCon", "sCon", "ok", "sHello", "ok"],
        ours: &["uCon", "sCon", "ok", "sHello", "ok", "uQuit"],
        theirs: &[
            "uCon", "sCon", "ok", "sHello", "ok", "uMail", "sFrom", "ok", "uRcpt", "sRcpt", "ok", "uData",
            "sData", "sDone", "ok",
        ],
    };
    assert_eq!(Case { machines: &[], ..case }.merges().len(), 11);
    let merges = case.merges();
    assert_eq!(merges.len(), 1);
    assert!(merges[0].ends_with("sDone ok uQuit"), "{merges:?}");
}

/// Each lifeline alone has a merge; together they have none.
#[test]
fn lifelines_are_not_independent() {
    let case = Case {
        machines: &[
            ("x", &[("1", "q2", "2"), ("2", "p1", "3")]),
            ("y", &[("1", "p2", "2"), ("2", "q1", "3")]),
        ],
        receiver: |message| if ["p1", "q2"].contains(&message) { "x" } else { "y" },
        base: &[],
        ours: &["p1", "p2"],
        theirs: &["q1", "q2"],
    };
    assert!(case.merges().is_empty());
    assert_eq!(sat::merges(&case.problem().0, usize::MAX), Some(BTreeSet::new()));
    for machine in [0, 1] {
        assert!(!Case { machines: &case.machines[machine..=machine], ..case }.merges().is_empty());
    }
}

#[test]
fn without_machines_the_count_is_the_product_of_binomials() {
    let gap = |ours: usize, theirs: usize| Slot::Gap {
        ours: vec![Item::new(); ours],
        theirs: vec![Item::new(); theirs],
    };
    let slots = vec![gap(2, 9), Slot::Fixed(Item::new()), gap(1, 1), Slot::Fixed(Item::new()), gap(0, 7)];
    let graph = Graph::new(&Problem { threads: IdVec::new(), slots }).expect("small");
    assert_eq!(graph.count(), BigUint::from(110_u32));
    assert_eq!(Merges::new(&graph, Side::Ours).count(), 110);
    let big = Graph::new(&Problem { threads: IdVec::new(), slots: vec![gap(200, 200)] }).expect("a grid");
    let factorial = |n: u32| (1..=n).fold(BigUint::from(1_u32), |product, factor| product * factor);
    assert_eq!(big.count(), factorial(400) / (factorial(200) * factorial(200)));
}

#[test]
fn merges_come_by_changes_of_side() {
    let case = Case { machines: &[], receiver: |_| "", base: &[], ours: &["a", "b"], theirs: &["1", "2"] };
    assert_eq!(case.merges(), ["a b 1 2", "1 2 a b", "a 1 2 b", "1 a b 2", "a 1 b 2", "1 a 2 b"]);
    let (problem, names) = case.problem();
    let graph = Graph::new(&problem).expect("small");
    let first = Merges::new(&graph, Side::Theirs).next().expect("there are some");
    assert_eq!(spell(&problem, &names, &first), "1 2 a b");
}

/// A random problem: up to three lifelines with up to three states, some gaps, messages to one lifeline or to none.
pub fn random(dice: &mut Random) -> Problem {
    let (lifelines, symbols) = (dice.below(4), 1 + dice.below(3));
    let mut threads = IdVec::new();
    for _ in 0..lifelines {
        let states = 1 + dice.below(3);
        let mut moves: IdVec<SymbolId, Vec<Set>> = IdVec::new();
        for _ in 0..symbols {
            let target = |dice: &mut Random| -> Set { (0..states).filter(|_| dice.below(5) < 2).collect() };
            moves.push((0..states).map(|_| target(dice)).collect());
        }
        threads.push(Acceptor { start: Set::below(states), moves });
    }
    let item = |dice: &mut Random| -> Item {
        let thread = dice.below(lifelines + 1);
        let symbol = SymbolId::from_index(dice.below(symbols));
        (thread < lifelines).then(|| (ThreadId::from_index(thread), symbol)).into_iter().collect()
    };
    let mut slots = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let (ours, theirs) = (dice.below(4), dice.below(4));
        slots.push(Slot::Gap {
            ours: (0..ours).map(|_| item(dice)).collect(),
            theirs: (0..theirs).map(|_| item(dice)).collect(),
        });
        slots.push(Slot::Fixed(item(dice)));
    }
    Problem { threads, slots }
}

/// All merges by the definition: every interleaving, read by every lifeline.
pub fn naive(problem: &Problem) -> BTreeSet<Order> {
    let mut orders: Vec<Order> = vec![Order::new()];
    for slot in &problem.slots {
        if let Slot::Gap { ours, theirs } = slot {
            let ways = interleavings(ours.len(), theirs.len());
            let longer = |order: &Order| -> Vec<Order> {
                ways.iter().map(|way| order.iter().chain(way).copied().collect()).collect()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
    }
    orders.into_iter().filter(|order| accepts(problem, order)).collect()
}

fn interleavings(ours: usize, theirs: usize) -> Vec<Order> {
    let begin = |side: Side, rest: Vec<Order>| -> Vec<Order> {
        rest.into_iter().map(|order| [vec![side], order].concat()).collect()
    };
    match (ours, theirs) {
        (0, theirs) => vec![vec![Side::Theirs; theirs]],
        (ours, 0) => vec![vec![Side::Ours; ours]],
        (ours, theirs) => {
            let mut all = begin(Side::Ours, interleavings(ours - 1, theirs));
            all.extend(begin(Side::Theirs, interleavings(ours, theirs - 1)));
            all
        }
    }
}

fn accepts(problem: &Problem, order: &Order) -> bool {
    let mut sides = order.iter();
    let mut states: Vec<Set> = problem.threads.iter().map(|acceptor| acceptor.start.clone()).collect();
    let mut read = |item: &Item| {
        for (thread, symbol) in item {
            let own = &mut states[thread.index()];
            *own = problem.threads[*thread].after(own, *symbol);
        }
    };
    for slot in &problem.slots {
        match slot {
            Slot::Fixed(item) => read(item),
            Slot::Gap { ours, theirs } => {
                let mut own = [ours.iter(), theirs.iter()];
                for side in sides.by_ref().take(ours.len() + theirs.len()) {
                    read(own[*side as usize].next().expect("as many as there are"));
                }
            }
        }
    }
    states.iter().all(|states| !states.is_empty())
}

fn switches(problem: &Problem, order: &Order) -> usize {
    let mut sides = order.iter();
    let mut count = 0;
    for slot in &problem.slots {
        if let Slot::Gap { ours, theirs } = slot {
            let own: Vec<&Side> = sides.by_ref().take(ours.len() + theirs.len()).collect();
            count += own.windows(2).filter(|pair| pair[0] != pair[1]).count();
        }
    }
    count
}

#[test]
fn random_problems_have_the_merges_of_the_definition() {
    let mut dice = Random::new(7);
    let mut possible = 0;
    for number in 0..2_000 {
        let problem = random(&mut dice);
        let graph = Graph::new(&problem).expect("small");
        let listed: Vec<Order> = Merges::new(&graph, Side::Ours).collect();
        let changes: Vec<usize> = listed.iter().map(|order| switches(&problem, order)).collect();
        assert!(changes.is_sorted(), "problem {number}: {changes:?}");
        assert_eq!(graph.first(Side::Ours), listed.first().cloned(), "problem {number}");
        assert_eq!(graph.first(Side::Theirs), Merges::new(&graph, Side::Theirs).next(), "problem {number}");
        let expected = naive(&problem);
        assert_eq!(graph.count(), BigUint::from(listed.len()), "problem {number}");
        assert_eq!(graph.is_possible(), !expected.is_empty(), "problem {number}");
        assert_eq!(sat::merges(&problem, usize::MAX).as_ref(), Some(&expected), "problem {number}");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected, "problem {number}");
        possible += usize::from(graph.is_possible());
    }
    assert!((200..1_800).contains(&possible), "{possible}");
}

#[test]
fn a_bound_is_no_answer() {
    let gap = Slot::Gap { ours: vec![Item::new(); 50], theirs: vec![Item::new(); 50] };
    let problem = Problem { threads: IdVec::new(), slots: vec![gap] };
    assert!(Graph::within(&problem, 100).is_none());
}

/// What is left out is enough, and nothing smaller would be.
#[test]
fn the_fewest_to_leave_out() {
    let mut dice = Random::new(23);
    let mut seen = [0; 3];
    for number in 0..400 {
        let problem = random(&mut dice);
        if !naive(&problem).is_empty() {
            continue;
        }
        let sizes = problem.slots.iter().enumerate().flat_map(|(slot, content)| match content {
            Slot::Fixed(_) => Vec::new(),
            Slot::Gap { ours, theirs } => {
                let of = |side: Side, count: usize| (0..count).map(move |number| (slot, side, number));
                of(Side::Ours, ours.len()).chain(of(Side::Theirs, theirs.len())).collect::<Vec<_>>()
            }
        });
        let all: Vec<(usize, Side, usize)> = sizes.collect();
        let is_enough = |left_out: &[(usize, Side, usize)]| {
            let mut rest = problem.clone();
            for (slot, side, number) in left_out.iter().rev() {
                if let Slot::Gap { ours, theirs } = &mut rest.slots[*slot] {
                    if *side == Side::Ours { ours } else { theirs }.remove(*number);
                }
            }
            !naive(&rest).is_empty()
        };
        let expected = (1..=all.len()).find_map(|count| {
            let good: Vec<_> = subsets(&all, count).filter(|left_out| is_enough(left_out)).collect();
            (!good.is_empty()).then_some(good)
        });
        let found = fewest(&problem, usize::MAX).expect("small");
        let found: BTreeSet<Vec<(usize, Side, usize)>> = found
            .iter()
            .map(|set| set.iter().map(|one| (one.slot, one.side, one.number)).collect())
            .collect();
        let expected: BTreeSet<Vec<(usize, Side, usize)>> = expected.into_iter().flatten().collect();
        assert_eq!(found, expected, "problem {number}: {problem:?}");
        seen[expected.first().map_or(0, Vec::len).min(2)] += 1;
    }
    assert!(seen[1] > 20 && seen[2] > 3, "{seen:?}");
}
