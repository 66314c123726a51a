//! How long merges take: `cargo bench --bench merge`.
//!
//! P4 gives times for fifteen merges (tables 5.6.1 to 5.6.3, PicoSAT, 2.53 GHz) and stops at 1,000 solutions. Its diagrams are lost; those here have
//! the sizes of the tables where these fit the closed formula, so that without machines the numbers of merges are those of the
//! tables. With machines: the mail of figure 4.2.2, and philosophers who share a fork. Then: 2 x 200 messages on ten lifelines, and the
//! command on a file.

use std::process::Command;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use sequent::merge::order::{
    Acceptor, Graph, Item, Merges, Problem, Set, Side, Slot, SymbolId, ThreadId, sat,
};
use sequent_kernel::id::{Id, IdVec};

/// A name, the sizes of both additions in each gap, and P4's time in seconds.
type Published<'t> = (&'t str, &'t [(usize, usize)], &'t str);

fn main() {
    println!(
        "{:<34} {:>16} {:>10} {:>10} {:>10} {:>10}",
        "merge", "merges", "count", "first 1000", "SAT", "P4"
    );
    // The gaps are as large as the numbers of merges without machines demand.
    let tables: [Published; 15] = [
        ("Coffee 1", &[(1, 4)], "<1"),
        ("Coffee 2", &[(1, 1)], "<1"),
        ("Coffee 3", &[(2, 2)], "<1"),
        ("Coffee 4", &[(4, 4)], "6.0"),
        ("Coffee 5", &[(4, 4)], "6.0"),
        ("Mail 1", &[(2, 9)], "3.8"),
        ("Mail 2", &[(2, 9), (1, 1)], "8.0"),
        ("Mail 3", &[(9, 9)], "205"),
        ("Mail 4", &[(9, 11)], "215"),
        ("Mail 5", &[(9, 13)], "232"),
        ("Philosophers 1", &[(2, 4)], "1.8"),
        ("Philosophers 2", &[(1, 4)], "<1"),
        ("Philosophers 3", &[(9, 9)], "164"),
        ("Philosophers 4", &[(9, 5)], "120"),
        ("Philosophers 5", &[(9, 5)], "121"),
    ];
    for (name, gaps, published) in tables {
        row(&format!("{name}, no machines"), &free(gaps), Some(published));
    }
    row("mail of figure 4.2.2", &mail(), None);
    for (meals, name) in [(1, "4 + 4"), (2, "8 + 8"), (3, "12 + 12")] {
        row(&format!("two philosophers, {name}"), &philosophers(meals), None);
    }
    row("2 x 200 on ten lifelines, free", &free(&[(200, 200)]), None);
    row("2 x 200 on ten lifelines, toggles", &wide(200, 10, 2), None);
    row("2 x 200 on ten lifelines, 5 states", &wide(200, 10, 5), None);
    command();
}

fn row(name: &str, problem: &Problem, published: Option<&str>) {
    let start = Instant::now();
    let graph = Graph::new(problem).expect("within the bound");
    let count: BigUint = graph.count();
    let counted = start.elapsed();
    let start = Instant::now();
    let listed = Merges::new(&graph, Side::Ours).take(1_000).count();
    let first = start.elapsed();
    let is_small = listed < 1_000;
    let start = Instant::now();
    let solved = is_small.then(|| sat::merges(problem, 1_000).map_or(0, |merges| merges.len()));
    let by_sat = solved.map(|number| {
        assert_eq!(number, listed, "both engines find the same");
        millis(start.elapsed())
    });
    let digits = count.to_string();
    let shown = if digits.len() > 12 { format!("{} digits", digits.len()) } else { digits };
    println!(
        "{name:<34} {shown:>16} {:>10} {:>10} {:>10} {:>10}",
        millis(counted),
        millis(first),
        by_sat.unwrap_or_else(|| "-".to_owned()),
        published.map_or("-".to_owned(), |seconds| format!("{seconds} s"))
    );
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn free(gaps: &[(usize, usize)]) -> Problem {
    let gap = |(ours, theirs): &(usize, usize)| {
        [
            Slot::Gap { ours: vec![Item::new(); *ours], theirs: vec![Item::new(); *theirs] },
            Slot::Fixed(Item::new()),
        ]
    };
    Problem { threads: IdVec::new(), slots: gaps.iter().flat_map(gap).collect() }
}

/// The client and the server of the mail example; one side quits, the other sends a mail.
fn mail() -> Problem {
    const CLIENT: &[(usize, &str, usize)] = &[
        (0, "uCon", 1),
        (1, "ok", 2),
        (2, "ok", 3),
        (3, "uMail", 4),
        (4, "ok", 5),
        (5, "uRcpt", 6),
        (6, "ok", 7),
        (7, "uData", 8),
        (8, "ok", 3),
        (3, "uQuit", 0),
    ];
    const SERVER: &[(usize, &str, usize)] = &[
        (0, "sCon", 1),
        (1, "sHello", 2),
        (2, "sFrom", 3),
        (3, "sRcpt", 4),
        (4, "sData", 5),
        (5, "sDone", 2),
    ];
    let base = ["uCon", "sCon", "ok", "sHello", "ok"];
    let mail = ["uMail", "sFrom", "ok", "uRcpt", "sRcpt", "ok", "uData", "sData", "sDone", "ok"];
    let machines = [(CLIENT, 9), (SERVER, 6)];
    let symbols: Vec<&str> =
        machines.iter().flat_map(|(machine, _)| machine.iter().map(|(_, name, _)| *name)).collect();
    let symbol = |name: &str| symbols.iter().position(|known| *known == name).expect("a known message");
    let item = |name: &&str| {
        vec![(ThreadId::from_index(usize::from(name.starts_with('s'))), SymbolId::from_index(symbol(name)))]
    };
    let acceptor = |(machine, states): (&[(usize, &str, usize)], usize)| {
        let row = |name: &&str| -> Vec<Set> {
            let to = |state| {
                machine
                    .iter()
                    .filter(move |(from, known, _)| *from == state && known == name)
                    .map(|(_, _, to)| *to)
            };
            (0..states).map(|state| to(state).collect()).collect()
        };
        Acceptor { start: Set::below(states), moves: symbols.iter().map(row).collect() }
    };
    let mut slots: Vec<Slot> = base.iter().map(|name| Slot::Fixed(item(name))).collect();
    slots.push(Slot::Gap { ours: vec![item(&"uQuit")], theirs: mail.iter().map(item).collect() });
    Problem { threads: machines.map(acceptor).into_iter().collect(), slots }
}

/// Two neighbours eat so many times; the fork between them is taken by one at a time.
fn philosophers(meals: usize) -> Problem {
    let fork = || {
        let (taken, free): (Set, Set) = ([1].into_iter().collect(), [0].into_iter().collect());
        let take = vec![taken, Set::default()];
        let put = vec![Set::default(), free];
        // Either neighbour may put it down: the machine does not know who took it.
        Acceptor { start: Set::below(1), moves: [take, put].into_iter().collect() }
    };
    let meal = |left: usize, right: usize| {
        [(left, 0), (right, 0), (left, 1), (right, 1)]
            .map(|(fork, symbol)| vec![(ThreadId::from_index(fork), SymbolId::from_index(symbol))])
    };
    let eats = |left, right| (0..meals).flat_map(|_| meal(left, right)).collect();
    let threads = [fork(), fork(), fork()].into_iter().collect();
    Problem { threads, slots: vec![Slot::Gap { ours: eats(0, 1), theirs: eats(1, 2) }] }
}

/// Messages to ten lifelines in turn; each machine wants its symbols one after the other, and each side sends them so.
fn wide(count: usize, lifelines: usize, states: usize) -> Problem {
    let machine = |_| {
        let moves = (0..states).map(|symbol| {
            let row = |state: usize| -> Set {
                (state == symbol).then_some((state + 1) % states).into_iter().collect()
            };
            (0..states).map(row).collect::<Vec<Set>>()
        });
        Acceptor { start: Set::below(1), moves: moves.collect() }
    };
    let threads = (0..lifelines).map(machine).collect();
    let item = |number: usize| {
        let symbol = SymbolId::from_index(number / lifelines % states);
        vec![(ThreadId::from_index(number % lifelines), symbol)]
    };
    let items: Vec<Item> = (0..count).map(item).collect();
    Problem { threads, slots: vec![Slot::Gap { ours: items.clone(), theirs: items }] }
}

/// The command on a diagram of ordinary size, its start included.
fn command() {
    let folder = std::env::temp_dir().join("sequent-bench-merge");
    std::fs::create_dir_all(&folder).expect("writable");
    let lines: Vec<String> =
        (0..60).map(|number| format!("a{} -> b{} : m{number}", number % 5, number % 4)).collect();
    let write = |name: &str, extra: &[(usize, &str)]| {
        let mut lines = lines.clone();
        extra.iter().for_each(|(at, text)| lines.insert(*at, (*text).to_owned()));
        let path = folder.join(name);
        std::fs::write(&path, format!("@startuml\n{}\n@enduml\n", lines.join("\n"))).expect("writable");
        path
    };
    let files = [
        write("base.puml", &[]),
        write("ours.puml", &[(10, "a1 -> b1 : ours"), (40, "a1 -> b2 : ours too")]),
        write("theirs.puml", &[(10, "a2 -> b2 : theirs"), (50, "' theirs")]),
    ];
    let one = |_| {
        let start = Instant::now();
        let done = Command::new(env!("CARGO_BIN_EXE_sequent")).arg("merge").args(&files).output();
        assert!(done.expect("the command starts").status.success());
        start.elapsed()
    };
    let best: Duration = (0..20).map(one).min().expect("there is at least one run");
    println!("{:<34} {:>16} {:>10}   (at most 30 ms)", "sequent merge, 60 messages", "", millis(best));
}
