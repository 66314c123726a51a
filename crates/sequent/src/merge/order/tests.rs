//! The worked examples of P4, closed formulas, and random problems against all interleavings written out.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::random::Random;

use super::allow::{ElementName, allow};
use super::problem::{Acceptor, AcceptorId, Added, OrderElement, OrderProblem, Segment, SymbolId};
use super::{MergeGraph, Merges, StateSet, fewest, sat, subsets};
use crate::merge::side::{Interleaving, RevisionSide};

/// Source, trigger, target.
type OrderTransition<'c> = (&'c str, &'c str, &'c str);

/// Machines and messages by name, as P4 writes them.
pub(crate) struct OrderCase<'c> {
    pub machines: &'c [(&'c str, &'c [OrderTransition<'c>])],
    /// Who receives a message.
    pub receiver: fn(&str) -> &'static str,
    pub base: &'c [&'c str],
    pub ours: &'c [&'c str],
    pub theirs: &'c [&'c str],
}

impl<'c> OrderCase<'c> {
    /// The problem; original messages are those of the base, by name and in order.
    pub(crate) fn problem(&self) -> (OrderProblem, Vec<Vec<&'c str>>) {
        let mut segments = Vec::new();
        let mut names = Vec::new();
        let (mut ours, mut theirs) = (self.ours.iter(), self.theirs.iter());
        for original in self.base.iter().map(Some).chain([None]) {
            let until = |messages: &mut std::slice::Iter<'c, &'c str>| -> Vec<&'c str> {
                messages.by_ref().copied().take_while(|message| Some(message) != original).collect()
            };
            let gap = [until(&mut ours), until(&mut theirs)];
            let items = |messages: &[&str]| messages.iter().map(|message| self.item(message)).collect();
            segments.push(Segment::Gap([items(&gap[0]), items(&gap[1])]));
            names.extend(gap);
            if let Some(original) = original {
                segments.push(Segment::Fixed(self.item(original)));
                names.push(vec![*original]);
            }
        }
        let acceptors = self.machines.iter().map(|(_, transitions)| self.acceptor(transitions)).collect();
        (OrderProblem { acceptors, segments }, names)
    }

    fn symbols(&self) -> Vec<&'c str> {
        let all: BTreeSet<&str> = self.base.iter().chain(self.ours).chain(self.theirs).copied().collect();
        all.into_iter().collect()
    }

    fn item(&self, message: &str) -> OrderElement {
        let receiver = (self.receiver)(message);
        let thread = self.machines.iter().position(|(name, _)| *name == receiver);
        let symbol = self.symbols().iter().position(|symbol| *symbol == message);
        let symbol = SymbolId::from_index(symbol.expect("a known message"));
        thread.map(|thread| (AcceptorId::from_index(thread), symbol)).into_iter().collect()
    }

    fn acceptor(&self, transitions: &[(&str, &str, &str)]) -> Acceptor {
        let states = states(transitions);
        let number = |name: &str| states.iter().position(|state| *state == name).expect("a known state");
        let mut moves: IdVec<SymbolId, Vec<StateSet>> = IdVec::new();
        for symbol in self.symbols() {
            let mut row = vec![StateSet::default(); states.len()];
            for (from, _, to) in transitions.iter().filter(|(_, trigger, _)| *trigger == symbol) {
                row[number(from)].insert(number(to));
            }
            moves.push(row);
        }
        Acceptor { start: StateSet::below(states.len()), moves }
    }

    /// The merges as texts, in the order in which they are listed.
    pub(crate) fn merges(&self) -> Vec<String> {
        let (problem, names) = self.problem();
        let graph = MergeGraph::new(&problem).expect("small");
        Merges::new(&graph, RevisionSide::Ours).map(|order| spell(&problem, &names, &order)).collect()
    }
}

fn states<'t>(transitions: &[(&'t str, &'t str, &'t str)]) -> Vec<&'t str> {
    let all: BTreeSet<&str> = transitions.iter().flat_map(|(from, _, to)| [*from, *to]).collect();
    all.into_iter().collect()
}

fn spell(problem: &OrderProblem, names: &[Vec<&str>], order: &Interleaving) -> String {
    let (mut sides, mut names) = (order.iter(), names.iter());
    let mut words: Vec<&str> = Vec::new();
    for segment in &problem.segments {
        match segment {
            Segment::Fixed(_) => words.extend(names.next().expect("one list per segment")),
            Segment::Gap([ours, theirs]) => {
                let mut own = [(); 2].map(|()| names.next().expect("two lists per gap").iter());
                let taken = sides.by_ref().take(ours.len() + theirs.len());
                words.extend(taken.map(|side| own[*side as usize].next().expect("as many as there are")));
            }
        }
    }
    words.join(" ")
}

const A: OrderCase = OrderCase {
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
    let free = OrderCase { machines: &[], ..A };
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
    for segment in &problem.segments {
        let count = if matches!(segment, Segment::Fixed(_)) { 1 } else { 2 };
        lists.push(rest.by_ref().take(count).collect::<Vec<_>>());
    }
    for (name, places) in allow(&problem) {
        let message = match name {
            ElementName::Fixed(segment) => lists[segment][0][0],
            ElementName::Added(added) => lists[added.segment][added.side as usize][added.number],
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
const B_CASE: OrderCase = OrderCase {
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
    assert_eq!(OrderCase { machines: &[], ..B_CASE }.merges().len(), 10);
}

/// P4's table `reach` (definition 4.2.6): the states after the first `i` of our and the first `j` of their symbols, in any
/// order, as `table[i][j]`.
fn reach(
    acceptor: &Acceptor,
    start: &StateSet,
    ours: &[SymbolId],
    theirs: &[SymbolId],
) -> Vec<Vec<StateSet>> {
    let mut table = vec![vec![StateSet::default(); theirs.len() + 1]; ours.len() + 1];
    table[0][0] = start.clone();
    for i in 0..=ours.len() {
        for j in 0..=theirs.len() {
            if let Some(symbol) = i.checked_sub(1).and_then(|before| ours.get(before)) {
                let after = acceptor.after(&table[i - 1][j], *symbol);
                table[i][j].join(&after);
            }
            if let Some(symbol) = j.checked_sub(1).and_then(|before| theirs.get(before)) {
                let after = acceptor.after(&table[i][j - 1], *symbol);
                table[i][j].join(&after);
            }
        }
    }
    table
}

/// Table 4.2.3: the states in which the transitions of each cell end.
#[test]
fn the_reach_table_of_p4() {
    let (problem, _) = B_CASE.problem();
    let acceptor = &problem.acceptors[AcceptorId::from_index(0)];
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
    let case = OrderCase {
        machines: &[("c", client), ("s", server)],
        receiver: |message| if message.starts_with('s') { "s" } else { "c" },
        base: &["uCon", "sCon", "ok", "sHello", "ok"],
        ours: &["uCon", "sCon", "ok", "sHello", "ok", "uQuit"],
        theirs: &[
            "uCon", "sCon", "ok", "sHello", "ok", "uMail", "sFrom", "ok", "uRcpt", "sRcpt", "ok", "uData",
            "sData", "sDone", "ok",
        ],
    };
    assert_eq!(OrderCase { machines: &[], ..case }.merges().len(), 11);
    let merges = case.merges();
    assert_eq!(merges.len(), 1);
    assert!(merges[0].ends_with("sDone ok uQuit"), "{merges:?}");
}

/// Each lifeline alone has a merge; together they have none.
#[test]
fn lifelines_are_not_independent() {
    let case = OrderCase {
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
        assert!(!OrderCase { machines: &case.machines[machine..=machine], ..case }.merges().is_empty());
    }
}

#[test]
fn without_machines_the_count_is_the_product_of_binomials() {
    let gap = |ours: usize, theirs: usize| {
        Segment::Gap([vec![OrderElement::new(); ours], vec![OrderElement::new(); theirs]])
    };
    let segments = vec![
        gap(2, 9),
        Segment::Fixed(OrderElement::new()),
        gap(1, 1),
        Segment::Fixed(OrderElement::new()),
        gap(0, 7),
    ];
    let graph = MergeGraph::new(&OrderProblem { acceptors: IdVec::new(), segments }).expect("small");
    assert_eq!(graph.count(), BigUint::from(110_u32));
    assert_eq!(Merges::new(&graph, RevisionSide::Ours).count(), 110);
    let big = MergeGraph::new(&OrderProblem { acceptors: IdVec::new(), segments: vec![gap(200, 200)] })
        .expect("a grid");
    let factorial = |n: u32| (1..=n).fold(BigUint::from(1_u32), |product, factor| product * factor);
    assert_eq!(big.count(), factorial(400) / (factorial(200) * factorial(200)));
}

#[test]
fn merges_come_by_changes_of_side() {
    let case =
        OrderCase { machines: &[], receiver: |_| "", base: &[], ours: &["a", "b"], theirs: &["1", "2"] };
    assert_eq!(case.merges(), ["a b 1 2", "1 2 a b", "a 1 2 b", "1 a b 2", "a 1 b 2", "1 a 2 b"]);
    let (problem, names) = case.problem();
    let graph = MergeGraph::new(&problem).expect("small");
    let first = Merges::new(&graph, RevisionSide::Theirs).next().expect("there are some");
    assert_eq!(spell(&problem, &names, &first), "1 2 a b");
}

/// A random problem: up to three lifelines with up to three states, some gaps, messages to one lifeline or to none.
pub(crate) fn random(dice: &mut Random) -> OrderProblem {
    let (lifelines, symbols) = (dice.below(4), 1 + dice.below(3));
    let mut acceptors = IdVec::new();
    for _ in 0..lifelines {
        let states = 1 + dice.below(3);
        let mut moves: IdVec<SymbolId, Vec<StateSet>> = IdVec::new();
        for _ in 0..symbols {
            let target =
                |dice: &mut Random| -> StateSet { (0..states).filter(|_| dice.below(5) < 2).collect() };
            moves.push((0..states).map(|_| target(dice)).collect());
        }
        acceptors.push(Acceptor { start: StateSet::below(states), moves });
    }
    let item = |dice: &mut Random| -> OrderElement {
        let thread = dice.below(lifelines + 1);
        let symbol = SymbolId::from_index(dice.below(symbols));
        (thread < lifelines).then(|| (AcceptorId::from_index(thread), symbol)).into_iter().collect()
    };
    let mut segments = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let (ours, theirs) = (dice.below(4), dice.below(4));
        segments.push(Segment::Gap([ours, theirs].map(|count| (0..count).map(|_| item(dice)).collect())));
        segments.push(Segment::Fixed(item(dice)));
    }
    OrderProblem { acceptors, segments }
}

/// All merges by the definition: every interleaving, read by every lifeline.
pub(crate) fn naive(problem: &OrderProblem) -> BTreeSet<Interleaving> {
    let mut orders: Vec<Interleaving> = vec![Interleaving::new()];
    for segment in &problem.segments {
        if let Segment::Gap([ours, theirs]) = segment {
            let ways = interleavings(ours.len(), theirs.len());
            let longer = |order: &Interleaving| -> Vec<Interleaving> {
                ways.iter().map(|way| order.iter().chain(way).copied().collect()).collect()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
    }
    orders.into_iter().filter(|order| accepts(problem, order)).collect()
}

fn interleavings(ours: usize, theirs: usize) -> Vec<Interleaving> {
    let begin = |side: RevisionSide, rest: Vec<Interleaving>| -> Vec<Interleaving> {
        rest.into_iter().map(|order| [vec![side], order].concat()).collect()
    };
    match (ours, theirs) {
        (0, theirs) => vec![vec![RevisionSide::Theirs; theirs]],
        (ours, 0) => vec![vec![RevisionSide::Ours; ours]],
        (ours, theirs) => {
            let mut all = begin(RevisionSide::Ours, interleavings(ours - 1, theirs));
            all.extend(begin(RevisionSide::Theirs, interleavings(ours, theirs - 1)));
            all
        }
    }
}

fn accepts(problem: &OrderProblem, order: &Interleaving) -> bool {
    let mut sides = order.iter();
    let mut states: Vec<StateSet> = problem.acceptors.iter().map(|acceptor| acceptor.start.clone()).collect();
    let mut read = |item: &OrderElement| {
        for (thread, symbol) in item {
            let own = &mut states[thread.index()];
            *own = problem.acceptors[*thread].after(own, *symbol);
        }
    };
    for segment in &problem.segments {
        match segment {
            Segment::Fixed(item) => read(item),
            Segment::Gap([ours, theirs]) => {
                let mut own = [ours.iter(), theirs.iter()];
                for side in sides.by_ref().take(ours.len() + theirs.len()) {
                    read(own[*side as usize].next().expect("as many as there are"));
                }
            }
        }
    }
    states.iter().all(|states| !states.is_empty())
}

fn switches(problem: &OrderProblem, order: &Interleaving) -> usize {
    let mut sides = order.iter();
    let mut count = 0;
    for segment in &problem.segments {
        if let Segment::Gap([ours, theirs]) = segment {
            let own: Vec<&RevisionSide> = sides.by_ref().take(ours.len() + theirs.len()).collect();
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
        let graph = MergeGraph::new(&problem).expect("small");
        let listed: Vec<Interleaving> = Merges::new(&graph, RevisionSide::Ours).collect();
        let changes: Vec<usize> = listed.iter().map(|order| switches(&problem, order)).collect();
        assert!(changes.is_sorted(), "problem {number}: {changes:?}");
        assert_eq!(graph.first(RevisionSide::Ours), listed.first().cloned(), "problem {number}");
        assert_eq!(
            graph.first(RevisionSide::Theirs),
            Merges::new(&graph, RevisionSide::Theirs).next(),
            "problem {number}"
        );
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
    let gap = Segment::Gap([(); 2].map(|()| vec![OrderElement::new(); 50]));
    let problem = OrderProblem { acceptors: IdVec::new(), segments: vec![gap] };
    assert!(MergeGraph::within(&problem, 100).is_none());
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
        let all = problem.added();
        let is_enough = |left_out: &[Added]| {
            let mut rest = problem.clone();
            for added in left_out.iter().rev() {
                let gap = rest.segments[added.segment].gap_mut().expect("additions are in gaps");
                gap[added.side as usize].remove(added.number);
            }
            !naive(&rest).is_empty()
        };
        let expected = (1..=all.len()).find_map(|count| {
            let good: Vec<_> = subsets(&all, count).filter(|left_out| is_enough(left_out)).collect();
            (!good.is_empty()).then_some(good)
        });
        let found: BTreeSet<Vec<Added>> = fewest(&problem, usize::MAX).expect("small").into_iter().collect();
        let expected: BTreeSet<Vec<Added>> = expected.into_iter().flatten().collect();
        assert_eq!(found, expected, "problem {number}: {problem:?}");
        seen[expected.first().map_or(0, Vec::len).min(2)] += 1;
    }
    assert!(seen[1] > 20 && seen[2] > 3, "{seen:?}");
}
