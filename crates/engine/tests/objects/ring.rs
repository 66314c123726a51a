//! Values that objects pass on to each other in a circle: random rings mean the same to the interpreter and to the lowering, which has to find
//! out which values there are. Nothing is declared.

use sequent_kernel::model::{Communication, Completion, Steps};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::compare::{Outcome, compare};
use crate::systems::WideCase;

fn any<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len())]
}

/// A ring of two or three machines that pass numbers on, from a number with which some of them begin.
fn ring(random: &mut Random, communication: Communication) -> WideCase {
    let names = ["a", "b", "c"];
    let count = 2 + random.below(2);
    let mut text = String::new();
    for at in 0..count {
        let next = names[(at + 1) % count];
        text += &format!("@startuml {}\n' @attribute v : 0..2 = {}\n[*] --> S\n", names[at], random.below(3));
        if at == 0 || random.percent(30) {
            text += &format!("S --> T : go / ^{next}.t({})\n", any(random, &["0", "1", "v"]));
        }
        // Every machine passes something on, so that no number comes from outside, where it would be unknown.
        let mut passes = true;
        for state in ["S", "T"] {
            for _ in 0..1 + random.below(2) {
                let guard = any(random, &["", " [x < 2]", " [x == v]", " [x > v]", " [x != 1]"]);
                let sent = any(random, &["x", "(x + 1) % 3", "2 - x", "v", "x + 1", "x * x % 3"]);
                // What grows is stopped by its guard.
                let guard = if sent == "x + 1" { " [x < 2]" } else { guard };
                let kept = any(random, &["", "v = x; ", "v = 2 - x; "]);
                let send =
                    if passes || random.percent(75) { format!("^{next}.t({sent})") } else { String::new() };
                passes = false;
                let effects = format!("{kept}{send}");
                let effects = effects.trim_end_matches("; ");
                let effects = if effects.is_empty() { String::new() } else { format!(" / {effects}") };
                text += &format!("{state} --> {} : t(x){guard}{effects}\n", any(random, &["S", "T"]));
            }
        }
        text += "@enduml\n";
    }
    WideCase {
        communication,
        steps: if random.percent(50) { Steps::Direct } else { Steps::Intermediate },
        completion: Completion::Queued,
        closed: false,
        capacity: 2,
        objects: names[..count].iter().map(|name| ((*name).to_owned(), (*name).to_owned())).collect(),
        links: Vec::new(),
        text,
    }
}

#[test]
fn values_that_go_round_are_those_that_were_sent() {
    let mut same = 0;
    for seed in seeds(120) {
        let mut random = Random::new(seed);
        let all = [Communication::Queue, Communication::Bag, Communication::Rendezvous];
        let communication = all[random.below(all.len())];
        let case = ring(&mut random, communication);
        match compare(&case) {
            Outcome::Same => same += 1,
            Outcome::Skipped | Outcome::Refused => {}
            Outcome::Different(text) => panic!("{}\n{text}", case.dump()),
        }
    }
    assert!(same >= 20, "only {same} rings were small enough to be compared");
}
