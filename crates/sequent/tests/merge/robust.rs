//! Versions that nobody would write: examples with lines removed, doubled, swapped and broken, so that blocks end that never began. Nothing panics, nothing
//! is lost, and a change on one side alone is still taken byte for byte. `SEQUENT_RANDOM=5000` makes more of them.

use std::collections::{BTreeMap, BTreeSet};

use sequent::merge::{ConsistencyLevel, MergeOptions};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::agreement::examples;
use crate::merge_files;

fn broken(text: &str, dice: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + dice.below(8) {
        let (at, to) = (dice.below(lines.len()), dice.below(lines.len()));
        match dice.below(7) {
            _ if lines.is_empty() => lines.push("end".to_owned()),
            0 => {
                lines.remove(at);
            }
            1 => lines.insert(to, lines[at].clone()),
            2 => lines.swap(at, to),
            3 => lines.insert(
                at,
                ["end", "else", "alt x", "```", "@startuml", "@enduml", "}", "ä -> ö : ü"][dice.below(8)]
                    .to_owned(),
            ),
            4 => {
                let half = lines[at].chars().count() / 2;
                lines[at] = lines[at].chars().take(half).collect();
            }
            5 => lines[at] = format!("  {}", lines[at]),
            _ => lines[at].push_str(" x"),
        }
    }
    lines.join("\n") + if dice.below(2) == 0 { "\n" } else { "" }
}

fn tally(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

#[test]
fn broken_versions_merge_without_loss() {
    let all = examples();
    for seed in seeds(150) {
        let mut dice = Random::new(seed);
        let (name, bytes) = &all[dice.below(all.len())];
        let Ok(base) = std::str::from_utf8(bytes) else { continue };
        let (ours, theirs) = (broken(base, &mut dice), broken(base, &mut dice));
        // What state machines say about broken diagrams is another matter.
        let options = MergeOptions { level: ConsistencyLevel::Order, ..MergeOptions::default() };
        let merged = |one: &str, other: &str| {
            let versions = [base.as_bytes(), one.as_bytes(), other.as_bytes()];
            merge_files(name, versions, "", options.clone()).text()
        };
        assert_eq!(merged(&ours, base), ours, "{name}\n{base}");
        assert_eq!(merged(base, &theirs), theirs, "{name}\n{base}");
        let text = merged(&ours, &theirs);
        let counts = [base, &ours, &theirs, &text].map(tally);
        for line in counts.iter().flat_map(BTreeMap::keys).collect::<BTreeSet<_>>() {
            let [old, one, other, new] = counts.each_ref().map(|count| count.get(line).copied().unwrap_or(0));
            let kept = (old + one.saturating_sub(old).max(other.saturating_sub(old)))
                .saturating_sub(old.saturating_sub(one) + old.saturating_sub(other));
            // A line that one side moved to where the other doubled it may be there once.
            assert!(
                new >= kept.min(1),
                "{name}: `{line}` is lost\n--- base\n{base}\n--- ours\n{ours}\n--- theirs\n{theirs}\n--- merged\n{text}"
            );
        }
    }
}

/// Long diagrams: what stands at the same place is compared, and nobody waits for all orders of many additions.
#[test]
fn long_diagrams_in_which_everything_changed() {
    let diagram = |count: usize, label: &dyn Fn(usize) -> String| {
        let lines: String = (0..count).map(|at| format!("a -> b : {}\n", label(at))).collect();
        format!("@startuml\nx -> y : first\n{lines}@enduml\n")
    };
    let base = diagram(1_200, &|at| format!("m{at}"));
    let [ours, theirs] = ["ours", "theirs"].map(|side| diagram(1_200, &|at| format!("m{at} {side}")));
    let found = crate::merge("a.puml", &base, &ours, &theirs);
    assert_eq!(found.conflicts.len(), 1_200);
    assert_eq!(
        found.text().lines().filter(|line| line.ends_with("m7 ours") || line.ends_with("m7 theirs")).count(),
        2
    );
    let [ours, theirs] = ["ours", "theirs"].map(|side| diagram(1_500, &|at| format!("{side}{at}")));
    let found = crate::merge("a.puml", &diagram(0, &|_| String::new()), &ours, &theirs);
    assert!(found.conflicts.is_empty());
    let expected =
        diagram(3_000, &|at| if at < 1_500 { format!("ours{at}") } else { format!("theirs{}", at - 1_500) });
    assert_eq!(found.text(), expected);
    let bytes = [diagram(0, &|_| String::new()), ours, theirs];
    let count =
        crate::merge_count("a.puml", bytes.each_ref().map(|text| text.as_bytes()), "", Default::default());
    assert_eq!(count.map(|digits| digits.len()), Some(902));
}
