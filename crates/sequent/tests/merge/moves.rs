//! Messages that both sides moved, in one row: what a side did to the order of two of them is done, or the merge is a conflict.

use std::collections::BTreeSet;

use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{Merged, merge};

fn text(row: &[u32]) -> String {
    let lines: String = row.iter().map(|number| format!("a -> b : m{number}\n")).collect();
    format!("@startuml\n{lines}@enduml\n")
}

fn merged(base: &[u32], ours: &[u32], theirs: &[u32]) -> Merged {
    merge("a.puml", &text(base), &text(ours), &text(theirs))
}

/// The numbers of the messages of a text without conflicts.
fn row(text: &str) -> Vec<u32> {
    let name = |line: &str| line.split_once(": m").and_then(|(_, number)| number.trim().parse().ok());
    text.lines().filter_map(name).collect()
}

fn is_before(row: &[u32], one: u32, other: u32) -> bool {
    let place = |wanted: u32| row.iter().position(|number| *number == wanted);
    place(one) < place(other)
}

/// The messages that every smallest set of moves from the base to a side moves.
fn moved(base: &[u32], side: &[u32]) -> BTreeSet<u32> {
    let common: Vec<u32> = base.iter().copied().filter(|number| side.contains(number)).collect();
    let kept = (0..1_u32 << common.len()).map(|set| {
        let is_kept = |(at, _): &(usize, &u32)| set >> at & 1 == 1;
        common.iter().enumerate().filter(is_kept).map(|(_, number)| *number).collect::<Vec<u32>>()
    });
    let kept: Vec<Vec<u32>> =
        kept.filter(|kept| kept.windows(2).all(|pair| is_before(side, pair[0], pair[1]))).collect();
    let most = kept.iter().map(Vec::len).max().unwrap_or(0);
    let best = || kept.iter().filter(|kept| kept.len() == most);
    common.into_iter().filter(|number| best().all(|kept| !kept.contains(number))).collect()
}

/// Fails where a clean merge has two messages in an order that only the base and the side that left it have.
fn judge(base: &[u32], ours: &[u32], theirs: &[u32]) -> Result<bool, String> {
    let found = merged(base, ours, theirs);
    if !found.conflicts.is_empty() {
        return Ok(false);
    }
    let row = row(&found.text());
    let moved = [ours, theirs].map(|side| moved(base, side));
    let is_common = |number: &&u32| [base, ours, theirs].iter().all(|side| side.contains(number));
    let common: Vec<u32> = row.iter().filter(is_common).copied().collect();
    for (at, one) in common.iter().enumerate() {
        for other in &common[at + 1..] {
            let [before, own, far] = [base, ours, theirs].map(|side| is_before(side, *one, *other));
            let is_wanted = if own == before { far } else { own };
            let is_free = own != far
                && [(0, 1), (1, 0)]
                    .iter()
                    .any(|(side, third)| moved[*side].contains(one) && moved[*third].contains(other));
            if !is_wanted && !is_free {
                return Err(format!(
                    "m{one} comes before m{other}: {base:?} {ours:?} {theirs:?} became {row:?}"
                ));
            }
        }
    }
    Ok(true)
}

#[test]
fn a_move_of_one_side_is_not_lost() {
    // Either side of a swap may have been moved: m2 may be the one that both sides moved.
    for [ours, theirs] in [[[2, 1, 3], [1, 3, 2]], [[1, 3, 2], [2, 1, 3]]] {
        let found = merged(&[1, 2, 3], &ours, &theirs);
        assert!(!found.conflicts.is_empty(), "{}", found.text());
    }
    let found = merged(&[1, 2, 3, 4], &[3, 1, 2, 4], &[1, 2, 4, 3]);
    assert!(!found.conflicts.is_empty(), "{}", found.text());
}

#[test]
fn messages_that_changed_places_are_not_edited() {
    let found = merged(&[1, 2, 3], &[3, 2, 1], &[2, 3, 9, 1]);
    assert!(!found.conflicts.is_empty() || is_before(&row(&found.text()), 3, 1), "{}", found.text());
    let found = merged(&[1, 2, 3], &[3, 2, 1], &[1, 2, 3, 9]);
    assert_eq!((row(&found.text()), found.conflicts.len()), (vec![3, 2, 1, 9], 0), "{}", found.text());
}

/// A random edit: moves, an addition, a deletion.
fn edited(base: &[u32], fresh: u32, random: &mut Random) -> Vec<u32> {
    let mut row = base.to_vec();
    for step in 0..1 + random.below(2) {
        match random.below(7) {
            0 => row.insert(random.below(row.len() + 1), fresh + step as u32),
            1 if row.len() > 1 => {
                row.remove(random.below(row.len()));
            }
            _ => {
                let number = row.remove(random.below(row.len()));
                row.insert(random.below(row.len() + 1), number);
            }
        }
    }
    row
}

#[test]
fn random_moves_are_made_or_a_conflict() {
    let (mut clean, seeds) = (0, seeds(400));
    let count = seeds.count_left();
    for seed in seeds {
        let mut random = Random::new(seed);
        let base: Vec<u32> = (1..=2 + random.below(4) as u32).collect();
        let (ours, theirs) = (edited(&base, 10, &mut random), edited(&base, 20, &mut random));
        match judge(&base, &ours, &theirs) {
            Ok(is_clean) => clean += u64::from(is_clean),
            Err(problem) => panic!("seed {seed}: {problem}"),
        }
    }
    assert!(clean * 2 > count, "{clean} of {count} without conflicts");
}

/// What both sides moved alike stands as both have it, and what one of them adds comes where that side has it.
#[test]
fn equal_moves_leave_room_for_an_addition() {
    for seed in seeds(300) {
        let mut dice = Random::new(seed);
        let base: Vec<u32> = (0..2 + dice.below(4) as u32).collect();
        let mut ours = base.clone();
        for _ in 0..1 + dice.below(2) {
            let moved = ours.remove(dice.below(ours.len()));
            ours.insert(dice.below(ours.len() + 1), moved);
        }
        let mut theirs = ours.clone();
        for fresh in 0..1 + dice.below(2) as u32 {
            theirs.insert(dice.below(theirs.len() + 1), 100 + fresh);
        }
        for [one, other] in [[&ours, &theirs], [&theirs, &ours]] {
            let found = merged(&base, one, other);
            let told = format!("seed {seed}: {base:?} {one:?} {other:?}\n{}", found.text());
            assert!(found.conflicts.is_empty(), "{:?} {told}", found.conflicts);
            assert_eq!(row(&found.text()), theirs, "{told}");
        }
    }
}
