//! Machines that meet, P4's transactions: the SAT engine and a breadth-first search over transactions find the same goals after
//! the same number of transactions, and the same scenarios after the same number, with the same messages left over.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_engine::graph::{Graph, NodeId};
use sequent_engine::origins::Origins;
use sequent_engine::packed::Program;
use sequent_engine::property::find_or_furthest;
use sequent_engine::sat::bounded::{Bounded, Scene, reach, within};
use sequent_engine::sat::encoding::{Encoding, Pace};
use sequent_engine::sat::solver::Solver;
use sequent_engine::sat::table::measured;
use sequent_engine::search::{Answer, Limits, unwatched};
use sequent_engine::transactions::Transactions;
use sequent_kernel::generate::{Asked, Cast, Chance, Instance, Lowered, Random, Shape, crafted, goal};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Alphabet, Anchor, InteractionId};
use sequent_kernel::property::scenario::data::Data;
use sequent_kernel::property::scenario::{Found, Scenario, Stage, Stance};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::{ComponentId, System, TermId};

use crate::systems::seeds;

const SMALL: Shape = Shape {
    machines: 3,
    states: (2, 3),
    transitions: (3, 6),
    symbols: 4,
    trigger: Chance::millionths(500_000),
    effect: Chance::millionths(500_000),
};

/// The least number of transactions to a goal.
fn distance(system: &System, goal: TermId) -> Option<usize> {
    let program = Program::new(system);
    let mut graph = Graph::new(&program);
    let is_wanted = &mut |graph: &mut Graph<'_>, node: NodeId| graph.holds(goal, node);
    let transactions = Transactions::new(&|_| true, 3_000_000, &unwatched);
    transactions
        .nearest(&mut graph, None, is_wanted)
        .expect("it is small")
        .map(|found| found.distance as usize)
}

#[test]
fn goals_are_as_many_transactions_away() {
    let (mut found, mut missed) = (0, 0);
    for seed in 0..seeds(600) {
        let mut random = Random::new(seed);
        let ensemble = SMALL.machines(&mut random);
        let spots = goal(&ensemble, Chance::millionths(400_000), &mut random);
        let instance = Instance { ensemble, asked: Asked::Goal(spots), within: None };
        let Lowered { objects, goal, .. } = instance.lower().expect("it is small");
        let (system, goal) = (&objects.system, goal.expect("it is a goal"));
        let expected = distance(system, goal);
        let encoding = Encoding::new(system, Pace::Together, &[goal]).expect("it is small");
        let literal = encoding.truth(goal).expect("it was named");
        match reach(&encoding, literal, expected.unwrap_or(12), &|_| ControlFlow::Continue(())) {
            Bounded::Found(_, length) => {
                found += 1;
                assert_eq!(Some(length), expected, "seed {seed}");
            }
            Bounded::Nothing(_) => {
                missed += 1;
                assert_eq!(None, expected, "seed {seed}");
            }
            Bounded::Stopped(_) => panic!("nobody broke it off"),
        }
        for most in [2, 5] {
            let is_near = expected.is_some_and(|expected| expected <= most);
            let (found, _) = within(system, goal, most, &|_| ControlFlow::Continue(())).expect("it is small");
            assert_eq!(matches!(found, Bounded::Found(_, length) if length <= most), is_near, "seed {seed}");
        }
    }
    assert!(found > 100 && missed > 50, "{found} found, {missed} missed");
}

#[test]
fn philosophers_eat_after_four_transactions() {
    let ensemble = crafted::philosophers(3);
    let sizes = ensemble.sizes();
    assert_eq!((sizes.machines, sizes.states, sizes.transitions, sizes.symbols), (6, 15, 21, 12));
    let spots: Vec<_> = ensemble
        .players
        .ids()
        .flat_map(|player| ensemble.plain(player).states.ids().map(move |state| (player, state)))
        .collect();
    let mut lengths = Vec::new();
    for spot in spots {
        let instance = Instance { ensemble: ensemble.clone(), asked: Asked::Goal(vec![spot]), within: None };
        let Lowered { objects, goal, .. } = instance.lower().expect("it is small");
        let goal = goal.expect("it is a goal");
        let encoding = Encoding::new(&objects.system, Pace::Together, &[goal]).expect("it is small");
        let literal = encoding.truth(goal).expect("it was named");
        let Bounded::Found(_, length) = reach(&encoding, literal, 15, &|_| ControlFlow::Continue(())) else {
            panic!("all single goals are reachable within 15")
        };
        assert_eq!(Some(length), distance(&objects.system, goal));
        lengths.push(length);
    }
    assert_eq!(lengths.iter().filter(|length| **length <= 3).count(), 12, "{lengths:?}");
}

fn scenario(instance: &Instance, lowered: &Lowered, anchor: Anchor) -> Scenario {
    let Lowered { model, objects, .. } = lowered;
    let plays = |name: &str| {
        let named = instance.ensemble.players.iter().position(|player| player.name == name);
        named.map(ComponentId::from_index)
    };
    let environment = BTreeSet::new();
    let stage = Stage {
        system: &objects.system,
        environment: &environment,
        plays: &plays,
        parameters: &|_| Vec::new(),
    };
    let about = InteractionId::from_index(0);
    Scenario::new(model, about, &stage, (anchor, Alphabet::All), &Data::default(), &Assumptions::default())
        .expect("it is plain")
}

/// How far a scenario gets if it begins after at most so many transactions; all of it if it is found.
fn explicit(instance: &Instance, lowered: &Lowered, within: u32) -> Option<usize> {
    let system = &lowered.objects.system;
    let program = Program::new(system);
    let mut graph = Graph::new(&program);
    let transactions = Transactions::new(&|_| true, 3_000_000, &unwatched);
    let mut origins = Origins::default();
    let near = transactions.within(&mut graph, within).expect("it is small");
    near.into_iter().for_each(|one| origins.add(one.node, None, one.steps));
    let scenario = scenario(instance, lowered, Anchor::Start);
    let observer = Found { scenario: &scenario };
    let gain = |before: &Stance, after: &Stance| observer.gain(before, after);
    let limits = Limits::default();
    let (finding, furthest) = find_or_furthest(&mut graph, &origins, &observer, gain, &limits, &unwatched);
    match finding.answer {
        Answer::Found(_) => None,
        Answer::Exhausted => Some(furthest.map_or(0, |furthest| furthest.depth)),
        Answer::Stopped(stop) => panic!("it is small: {stop:?}"),
    }
}

#[test]
fn scenarios_begin_after_as_many_transactions() {
    let (mut found, mut missed, mut late) = (0, 0, 0);
    for seed in 0..seeds(400) {
        let mut random = Random::new(seed + 1_000_000);
        let cast = Cast { lifelines: 3, messages: 3, inconsistency: Chance::millionths(500_000), lead: 2 };
        let instance = cast.instance(&SMALL, None, &mut random);
        let lowered = instance.lower().expect("it is small");
        let scenario = scenario(&instance, &lowered, Anchor::Anywhere);
        let observer = Found { scenario: &scenario };
        let system = &lowered.objects.system;
        let table = measured(system, &observer, |stance| observer.depth(stance)).expect("it is small");
        let encoding = Encoding::resting(system, Pace::Together, &[], Some(&table)).expect("it is small");
        let patience = |_| ControlFlow::Continue(());
        let messages = lowered.model.interactions[InteractionId::from_index(0)].messages.len();
        for within in [0, 1, 3] {
            let expected = explicit(&instance, &lowered, within);
            let bounds = (within as usize, 4);
            let mut scene = Scene::new(&encoding, &table.depths, bounds, Solver::seeking(&patience));
            let deepest = scene.climb(messages).expect("nobody broke it off");
            if deepest == messages {
                assert_eq!(expected, None, "seed {seed}, within {within}");
                scene.run(messages);
                found += 1;
                late += usize::from(within > 0);
            } else {
                missed += 1;
                assert_eq!(expected, Some(deepest), "seed {seed}, within {within}");
            }
        }
    }
    assert!(found > 50 && missed > 50 && late > 20, "{found} found, {missed} missed, {late} late");
}
