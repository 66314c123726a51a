//! How quick the searches are: `cargo bench -p sequent-engine --bench search`.
//!
//! Each row is a diagram and a question with the time it may take (issue 3, "Must show"). Figures are the best of several
//! runs, which is what the machine can do when it is left alone.

use std::time::{Duration, Instant};

use num_bigint::BigUint;
use sequent_engine::packed::Program;
use sequent_engine::search::{Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_engine::traces::{TraceCount, TraceLimits, Traces};
use sequent_testing::diagram::system;

const RUNS: usize = 5;

fn main() {
    println!(
        "{:<46} {:>10} {:>10} {:>10} {:>12} {:>8}",
        "question", "states", "time", "at most", "states/s", "bytes"
    );
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for (name, question) in QUESTIONS {
        if name.contains(&wanted) {
            question(name);
        }
    }
}

/// A question: its name, and what asks it.
type Question = (&'static str, fn(&str));

const QUESTIONS: [Question; 5] = [
    ("13 messages in par, all states, one core", |name| explore(name, 1)),
    ("13 messages in par, all states, all cores", |name| explore(name, SearchOptions::default().threads)),
    ("300 messages in a row, traces counted", count),
    ("60 messages in par, deadlocks", |name| deadlock(name, &beside(60), 50)),
    ("200 messages, 20 nested fragments, deadlocks", |name| deadlock(name, &nested(), 200)),
];

fn explore(name: &str, threads: usize) {
    let system = system(&beside(13));
    let options = SearchOptions { threads, ..SearchOptions::default() };
    let mut seen = (0, 0);
    let time = best(|| {
        let program = Program::new(&system);
        let search = Search::run(&program, SearchGoal::Everything, &options, &unwatched);
        assert_eq!(search.answer, SearchAnswer::Exhausted);
        assert_eq!(search.progress.states, 1_594_323);
        seen = (search.progress.states, search.progress.bytes / search.progress.states);
    });
    row(name, seen.0, time, 2_000, Some(seen.1));
}

fn count(name: &str) {
    let text: String = (0..300).map(|number| format!("a ->> b : m{number}\n")).collect();
    let system = system(&text);
    let mut sets = 0;
    let time = best(|| {
        let traces = Traces::explore(&system, TraceLimits::default()).expect("it is small enough");
        let TraceCount::Finite(count) = traces.count() else { panic!("it is finite") };
        assert_eq!(count, catalan(300));
        sets = traces.sets();
    });
    row(name, sets, time, 1_000, None);
}

/// C(n) = C(n - 1) * (4 n - 2) / (n + 1).
fn catalan(n: u32) -> BigUint {
    (1..=n).fold(BigUint::from(1_u32), |before, n| before * (4 * n - 2) / (n + 1))
}

fn deadlock(name: &str, text: &str, most: u64) {
    let system = system(text);
    let options = SearchOptions { reduction: Reduction::Deadlocks, ..SearchOptions::default() };
    let mut states = 0;
    let time = best(|| {
        let program = Program::new(&system);
        let search = Search::run(&program, SearchGoal::Stuck, &options, &unwatched);
        assert_eq!(search.answer, SearchAnswer::Exhausted);
        states = search.progress.states;
    });
    row(name, states, time, most, None);
}

fn row(name: &str, states: usize, time: Duration, most: u64, bytes: Option<usize>) {
    let rate = states as f64 / time.as_secs_f64();
    let millis = format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let bytes = bytes.map(|bytes| bytes.to_string()).unwrap_or_default();
    println!("{name:<46} {states:>10} {millis:>10} {:>10} {rate:>12.0} {bytes:>8}", format!("{most} ms"));
}

fn best(mut work: impl FnMut()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..RUNS).map(one).min().expect("there is at least one run")
}

/// Messages between lifelines of their own, all beside each other.
fn beside(messages: usize) -> String {
    let operand = |number| format!("a{number} ->> b{number} : m{number}\n");
    let operands: Vec<String> = (0..messages).map(operand).collect();
    format!("par\n{}end\n", operands.join("else\n"))
}

/// Four blocks of five fragments inside each other, 50 messages each, among six lifelines.
fn nested() -> String {
    let mut text = String::new();
    let mut number = 0;
    let mut messages = |text: &mut String, count: usize| {
        for _ in 0..count {
            let (from, to) = (number % 6, (number * 5 + 1) % 6);
            let to = if from == to { (to + 1) % 6 } else { to };
            *text += &format!("p{from} ->> p{to} : m{number}\n");
            number += 1;
        }
    };
    for block in 0..4 {
        messages(&mut text, 5);
        text += &format!("alt ready {block}\n");
        messages(&mut text, 8);
        text += "loop (1,2)\n";
        messages(&mut text, 4);
        text += &format!("opt cached {block}\n");
        messages(&mut text, 5);
        text += "par\n";
        messages(&mut text, 5);
        text += &format!("opt late {block}\n");
        messages(&mut text, 4);
        text += "end\nelse\n";
        messages(&mut text, 5);
        text += &format!("end\nend\nend\nelse failed {block}\n");
        messages(&mut text, 8);
        text += "end\n";
        messages(&mut text, 6);
    }
    text
}
