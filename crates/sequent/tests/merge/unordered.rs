//! State diagrams: the order of their statements says nothing, so a merge has what both sides kept and what either added.

use std::collections::BTreeSet;

use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::merge;

fn text(transitions: &[String]) -> String {
    format!("@startuml M\n[*] --> s0\n{}\n@enduml\n", transitions.join("\n"))
}

/// The transitions of a text.
fn transitions(text: &str) -> BTreeSet<String> {
    text.lines().filter(|line| line.starts_with('s')).map(str::to_owned).collect()
}

/// A transition with a trigger of its own.
fn transition(number: u64, dice: &mut Random) -> String {
    format!("s{} --> s{} : m{number}", dice.below(3), dice.below(3))
}

/// The transitions of a side: fewer, in another order, or with a new one.
fn edited(base: &[String], fresh: u64, dice: &mut Random) -> Vec<String> {
    let mut own = base.to_vec();
    if dice.below(2) == 0 {
        own.remove(dice.below(own.len()));
    }
    for _ in 0..dice.below(4) {
        let moved = own.remove(dice.below(own.len()));
        own.insert(dice.below(own.len() + 1), moved);
    }
    if dice.below(3) == 0 {
        own.insert(dice.below(own.len() + 1), transition(fresh, dice));
    }
    own
}

#[test]
fn what_one_side_deleted_is_deleted_in_whatever_order() {
    let mut clean = 0;
    for seed in seeds(500) {
        let mut dice = Random::new(seed);
        let base: Vec<String> =
            (0..3 + dice.below(3) as u64).map(|number| transition(number, &mut dice)).collect();
        let [ours, theirs] = [100, 200].map(|fresh| edited(&base, fresh, &mut dice));
        let texts = [&base, &ours, &theirs].map(|all| text(all));
        let found = merge("a.puml", &texts[0], &texts[1], &texts[2]);
        // A new transition may be taken for an edited one that the other side deleted.
        if !found.conflicts.is_empty() {
            continue;
        }
        clean += 1;
        let [base, ours, theirs] = texts.each_ref().map(|text| transitions(text));
        let wanted: BTreeSet<String> =
            ours.iter().filter(|one| theirs.contains(*one) || !base.contains(*one)).cloned().collect();
        let added = theirs.iter().filter(|one| !base.contains(*one) && !ours.contains(*one)).cloned();
        let wanted: BTreeSet<String> = wanted.into_iter().chain(added).collect();
        assert_eq!(transitions(&found.text()), wanted, "seed {seed}\n{}", texts.join("\n"));
    }
    assert!(clean > 400, "most can be merged: {clean}");
}
