//! The crafted models of P4: sizes, and how much can be reached, against the printed figures.

use std::collections::BTreeMap;

use sequent_evaluation::generate::crafted::{Crafted, philosophers};
use sequent_evaluation::generate::{GeneratedEnsemble, MessageDiagram, ObjectInState, Sizes};

use crate::naive::{self, Global};

/// All goals that name a state of so many objects.
fn goals(ensemble: &GeneratedEnsemble, size: usize) -> Vec<Vec<ObjectInState>> {
    let mut goals: Vec<Vec<ObjectInState>> = vec![Vec::new()];
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
fn reachable(
    ensemble: &GeneratedEnsemble,
    found: &BTreeMap<Global, u32>,
    size: usize,
    within: u32,
) -> (usize, usize) {
    let goals = goals(ensemble, size);
    let is_reached = |goal: &&Vec<ObjectInState>| {
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

/// How many clauses P4's encoding has per position: rules R1 to R8 written out, at most one in each of them pair by pair.
fn clauses(ensemble: &GeneratedEnsemble) -> usize {
    let pairs = |count: usize| count * count.saturating_sub(1) / 2;
    let arcs = || ensemble.players.ids().flat_map(|player| &ensemble.plain(player).arcs);
    let of_arcs: usize =
        arcs().map(|arc| 3 + 2 * usize::from(arc.trigger.is_some()) + 4 * arc.effects.len()).sum();
    let of_symbols = ensemble.symbols.ids().map(|symbol| {
        let taken = arcs().filter(|arc| arc.trigger == Some(symbol)).count();
        let sent = arcs().filter(|arc| arc.effects.contains(&symbol)).count();
        2 + pairs(taken) + pairs(sent)
    });
    let of_machines = ensemble.players.ids().map(|player| {
        let plain = ensemble.plain(player);
        plain.states.len() + 1 + pairs(plain.states.len() + plain.arcs.len())
    });
    of_arcs + of_symbols.sum::<usize>() + of_machines.sum::<usize>()
}

/// Numbers of reachable goals of sizes 1 to 3.
fn all(ensemble: &GeneratedEnsemble, within: u32) -> [usize; 3] {
    let found = naive::distances(ensemble);
    [1, 2, 3].map(|size| reachable(ensemble, &found, size, within).0)
}

/// Tables 5.2.1, 5.4.1 and 5.4.2.
#[test]
fn sizes_and_reachable_goals_as_printed() {
    let coffee = Crafted::Coffee.ensemble();
    let sizes = Sizes { machines: 3, states: 8, transitions: 18, symbols: 10 };
    assert_eq!((coffee.sizes(), clauses(&coffee)), (sizes, 290));
    assert_eq!([3, 15, 100, 500].map(|k| sizes.variables(k)), [200, 848, 5_438, 27_038]);
    assert_eq!([2, 3, 15, 500].map(|k| all(&coffee, k)), [[5, 6, 2], [5, 6, 2], [8, 11, 3], [8, 11, 3]]);
    let mail = Crafted::Mail.ensemble();
    let sizes = Sizes { machines: 3, states: 15, transitions: 23, symbols: 13 };
    assert_eq!((mail.sizes(), clauses(&mail)), (sizes, 538));
    assert_eq!([3, 15, 100, 500].map(|k| sizes.variables(k)), [275, 1_163, 7_453, 37_053]);
    // Printed for k = 3 is what is reached within 2: by the definitions the third transaction brings the client to `conPend`.
    assert_eq!([2, 3, 15, 500].map(|k| all(&mail, k)), [[3, 3, 1], [4, 4, 1], [11, 13, 3], [11, 13, 3]]);
    assert_eq!(clauses(&Crafted::Philosophers.ensemble()), 270);
}

/// How many messages can follow after at most so many transactions, of how many.
fn prefix((ensemble, diagram): &(GeneratedEnsemble, MessageDiagram), within: u32) -> (usize, usize) {
    let found = naive::distances(ensemble);
    let near = found.into_iter().filter(|(_, distance)| *distance <= within).map(|(global, _)| global);
    (naive::prefix(ensemble, diagram, near.collect()), diagram.messages.len())
}

/// Tables 5.5.1 to 5.5.3: messages, and how many are removed.
#[test]
fn scenarios_as_printed() {
    for (model, yes, no) in [
        (Crafted::Coffee, [(6, 6), (6, 6)], [(3, 5), (3, 5)]),
        (Crafted::Mail, [(0, 9), (9, 9)], [(0, 8), (5, 8)]),
        (Crafted::Philosophers, [(3, 3), (3, 3)], [(3, 6), (3, 6)]),
    ] {
        let (consistent, inconsistent) = (model.consistent(), model.inconsistent());
        assert_eq!([3, 15].map(|k| prefix(&consistent, k)), yes, "{model:?}");
        assert_eq!([3, 15].map(|k| prefix(&inconsistent, k)), no, "{model:?}");
    }
    // One more variable for every transition by which a message may be sent.
    let senders = |(ensemble, diagram): (GeneratedEnsemble, MessageDiagram)| -> usize {
        let count = |message: &sequent_evaluation::generate::DiagramExchange| {
            let arcs = ensemble.plain(message.from).arcs.iter();
            arcs.filter(|arc| arc.effects.contains(&message.symbol)).count()
        };
        diagram.messages.iter().map(count).sum()
    };
    let mail = Crafted::Mail;
    assert_eq!((senders(mail.consistent()), senders(mail.inconsistent())), (21, 16));
    let philosophers = Crafted::Philosophers;
    assert_eq!((senders(philosophers.consistent()), senders(philosophers.inconsistent())), (3, 6));
}
