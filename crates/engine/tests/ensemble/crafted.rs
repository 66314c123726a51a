//! The crafted models of P4: sizes, and how much can be reached, against the printed figures.

use std::collections::BTreeMap;

use sequent_kernel::generate::crafted::philosophers;
use sequent_kernel::generate::{Ensemble, Sizes, Spot};

use crate::naive::{self, Global};

/// All goals that name a state of so many objects.
fn goals(ensemble: &Ensemble, size: usize) -> Vec<Vec<Spot>> {
    let mut goals: Vec<Vec<Spot>> = vec![Vec::new()];
    for player in ensemble.players.ids() {
        let mut more = Vec::new();
        for goal in goals.iter().filter(|goal| goal.len() < size) {
            let states = ensemble.plain(player).states.ids();
            more.extend(states.map(|state| goal.iter().copied().chain([(player, state)]).collect()));
        }
        goals.extend(more);
    }
    goals.into_iter().filter(|goal| goal.len() == size).collect()
}

/// How many goals of a size can be reached within so many transactions, and how many there are.
fn reachable(ensemble: &Ensemble, found: &BTreeMap<Global, u32>, size: usize, within: u32) -> (usize, usize) {
    let goals = goals(ensemble, size);
    let is_reached = |goal: &&Vec<Spot>| {
        let near = found.iter().filter(|(_, distance)| **distance <= within);
        near.map(|(global, _)| global).any(|global| naive::matches(ensemble, global, goal))
    };
    (goals.iter().filter(is_reached).count(), goals.len())
}

#[test]
fn philosophers_as_printed() {
    let ensemble = philosophers(3);
    let sizes = Sizes { machines: 6, states: 15, transitions: 21, symbols: 12 };
    assert_eq!(ensemble.sizes(), sizes);
    // Table 5.4.3.
    assert_eq!([3, 15, 100, 500].map(|k| sizes.variables(k)), [257, 1_085, 6_950, 34_550]);
    let found = naive::distances(&ensemble);
    assert_eq!(found.len(), 1_464);
    assert_eq!(reachable(&ensemble, &found, 1, 3), (12, 15));
    assert_eq!(reachable(&ensemble, &found, 1, 15), (15, 15));
    // Printed are 36, 58 and 5 of 100 random ones.
    assert_eq!(reachable(&ensemble, &found, 3, 3), (112, 305));
    assert_eq!(reachable(&ensemble, &found, 3, 15), (178, 305));
    assert_eq!(reachable(&ensemble, &found, 6, 15), (14, 216));
    assert_eq!(reachable(&ensemble, &found, 6, 3), (8, 216));
}
