//! Findings about large diagrams come fast, and diagrams of any shape do no harm.
//!
//! `cargo test --release -p sequent-notation --test interaction large -- --nocapture` prints the times.

use std::time::{Duration, Instant};

use sequent_kernel::lint::lint;

use super::read;

/// Far more than all findings together need (a release build some ten milliseconds), and far less than anything quadratic.
const MOST: Duration = Duration::from_secs(10);

fn fast(what: &str, diagram: &str) {
    let (_, model) = read(diagram);
    let start = Instant::now();
    let found = lint(&model, &Default::default());
    let elapsed = start.elapsed();
    println!("{what}: {elapsed:?} for {} findings", found.len());
    assert!(elapsed < MOST, "{what}: {elapsed:?}");
}

#[test]
fn ten_thousand_messages() {
    let message = |index: usize, of: usize| {
        let (from, to) = (index * 7_919 / 3 % of, (index * 104_729 / 7 + 1) % of);
        format!("p{from} ->> p{to} : m{index}\n")
    };
    for lifelines in [10, 300, 3_000] {
        let plain: String = (0..10_000).map(|index| message(index, lifelines)).collect();
        fast(&format!("{lifelines} lifelines"), &plain);
        fast(&format!("{lifelines} lifelines in a loop"), &format!("loop\n{plain}end"));
    }
    let choice = |index| {
        let (one, other) = (message(index, 20), message(index + 1, 20));
        format!("alt x{index} > 1\n{one}else\n{other}end\n")
    };
    let choices: String = (0..5_000).map(choice).collect();
    fast("choices", &choices);
    fast("choices in a loop", &format!("loop\n{choices}end"));
    let many: String = (0..10_000).map(|index| format!("a{index} ->> b : m{index}\n")).collect();
    fast("many senders", &many);
    let many: String = (0..10_000).map(|index| format!("c ->> d{index} : m{index}\n")).collect();
    fast("many receivers", &many);
}

#[test]
fn deeply_nested_fragments() {
    const DEPTH: usize = 150;
    let pair = |index| format!("a ->> b : m{index}\nc ->> b : n{index}\n");
    let inner: String = (0..50).map(pair).collect();
    for operator in ["alt x > 1", "loop", "par", "opt not a", "group coregion b", "break", "group strict"] {
        let (head, foot) = (format!("{operator}\na ->> b : x\n"), "c ->> b : y\nend\n");
        fast(operator, &format!("{}{inner}{}", head.repeat(DEPTH), foot.repeat(DEPTH)));
    }
}
