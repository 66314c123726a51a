//! How long merges take: `cargo bench --bench merge`.
//!
//! P4 gives times for fifteen merges (tables 5.6.1 to 5.6.3, PicoSAT, 2.53 GHz), each with machines for all, some or no lifelines, and stops at
//! 1,000 solutions: they are done again as `sequent bench thesis` does them. Then: 2 x 200 messages on ten lifelines, and the command on a file.

use std::process::Command;
use std::time::{Duration, Instant};

use sequent::merge::RevisionSide;
use sequent::merge::order::{
    Acceptor, AcceptorId, MergeGraph, Merges, OrderElement, OrderProblem, Segment, StateSet, SymbolId,
};
use sequent_evaluation::generate::crafted::Crafted;
use sequent_evaluation::thesis::merges;
use sequent_kernel::id::{Id, IdVec};

fn main() {
    let start = Instant::now();
    let clock = || u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    println!(
        "{:<34} {:>12} {:>10} {:>10} {:>10} {:>10}",
        "merge", "merges", "count", "first 1000", "SAT", "P4"
    );
    for model in Crafted::ALL {
        for done in merges::run(model, &clock) {
            assert!(done.is_agreed, "both engines find the same");
            println!(
                "{:<34} {:>12} {:>10} {:>10} {:>10} {:>10}",
                format!(
                    "{} {}, {}, machines: {}",
                    model.word(),
                    done.number,
                    done.added,
                    done.specified.word()
                ),
                done.count.to_string(),
                millis(Duration::from_micros(done.counting)),
                millis(Duration::from_micros(done.listing)),
                millis(Duration::from_micros(done.solving)),
                format!("{} s", done.seconds)
            );
        }
    }
    let free = Segment::Gap([(); 2].map(|()| vec![OrderElement::new(); 200]));
    row("2 x 200 on ten lifelines, free", &OrderProblem { acceptors: IdVec::new(), segments: vec![free] });
    row("2 x 200 on ten lifelines, toggles", &wide(200, 10, 2));
    row("2 x 200 on ten lifelines, 5 states", &wide(200, 10, 5));
    command();
}

fn row(name: &str, problem: &OrderProblem) {
    let start = Instant::now();
    let graph = MergeGraph::new(problem).expect("within the bound");
    let digits = graph.count().to_string();
    let counted = start.elapsed();
    let listed = Merges::new(&graph, RevisionSide::Ours).take(1_000).count();
    assert_eq!(listed, 1_000);
    let shown = format!("{} digits", digits.len());
    println!("{name:<34} {shown:>12} {:>10} {:>10}", millis(counted), millis(start.elapsed()));
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// Messages to ten lifelines in turn; each machine wants its symbols one after the other, and each side sends them so.
fn wide(count: usize, lifelines: usize, states: usize) -> OrderProblem {
    let machine = |_| {
        let moves = (0..states).map(|symbol| {
            let row = |state: usize| -> StateSet {
                (state == symbol).then_some((state + 1) % states).into_iter().collect()
            };
            (0..states).map(row).collect::<Vec<StateSet>>()
        });
        Acceptor { start: StateSet::below(1), moves: moves.collect() }
    };
    let acceptors = (0..lifelines).map(machine).collect();
    let item = |number: usize| {
        let symbol = SymbolId::from_index(number / lifelines % states);
        vec![(AcceptorId::from_index(number % lifelines), symbol)]
    };
    let items: Vec<OrderElement> = (0..count).map(item).collect();
    OrderProblem { acceptors, segments: vec![Segment::Gap([items.clone(), items])] }
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
    println!("{:<34} {:>12} {:>10}   (at most 30 ms)", "sequent merge, 60 messages", "", millis(best));
}
