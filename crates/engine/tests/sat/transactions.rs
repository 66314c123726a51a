//! Machines that meet, P4's transactions: on random ones all engines give the same answers as a search of the states.
//!
//! Goals: the search, bounded SAT, induction and IC3 agree on whether one is reached, and bounded SAT needs as many transactions
//! as a breadth-first search over transactions. Scenarios that begin within some transactions, or anywhere: all agree on whether
//! they happen, and on how many messages happen if not. `SEQUENT_RANDOM=100000` looks at more systems, `SEQUENT_RANDOM=5000..9000` at others.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_engine::graph::{NodeId, StateGraph};
use sequent_engine::origins::Origins;
use sequent_engine::packed::Program;
use sequent_engine::property::find_or_furthest;
use sequent_engine::sat::bounded::depth;
use sequent_engine::sat::bounded::reach::{MatchWindow, fewest, reach, within};
use sequent_engine::sat::bounded::suffix::Suffix;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::encode::question::EncodedQuestion;
use sequent_engine::sat::encode::table::measured;
use sequent_engine::sat::outcome::Bounded;
use sequent_engine::sat::outcome::{ExclusionReason, UnboundedOutcome};
use sequent_engine::sat::prove::certificate::check;
use sequent_engine::sat::schedule::automata::ComponentAutomata;
use sequent_engine::sat::schedule::local_search::{self, LocalSearch};
use sequent_engine::sat::schedule::timetable::Timetable;
use sequent_engine::sat::solver::{Literal, Solver, SolverEffort};
use sequent_engine::sat::{bounded::far, prove::ic3, prove::induction};
use sequent_engine::search::{Limits, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_engine::transactions::Transactions;
use sequent_evaluation::generate::crafted::Crafted;
use sequent_evaluation::generate::{
    Chance, DiagramExchange, DiagramShape, EnsembleInstance, EnsembleQuestion, LoweredInstance, MachineShape,
    PlayerId, crafted, goal,
};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Alphabet, Anchor, InteractionId};
use sequent_kernel::property::scenario::data::ScenarioData;
use sequent_kernel::property::scenario::{FoundObserver, Near, SearchedSystem, SoughtScenario, Stance};
use sequent_kernel::random::Random;
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::{ComponentId, Event, EventId, System, TermId};
use sequent_testing::seeds::seeds;

pub(crate) const SMALL: MachineShape = MachineShape {
    machines: 3,
    states: (2, 3),
    transitions: (3, 6),
    symbols: 4,
    trigger: Chance::millionths(500_000),
    effect: Chance::millionths(500_000),
};

/// Machines of random systems: half of them are as small as can be, since there are many; the others have more machines, more
/// states, more ways or more messages.
fn shape(seed: u64) -> MachineShape {
    let tiny = MachineShape { machines: 2, states: (2, 2), transitions: (2, 4), symbols: 3, ..SMALL };
    match seed % 16 {
        0 | 8 => SMALL,
        1 => MachineShape { machines: 4, transitions: (3, 5), symbols: 6, ..SMALL },
        2 | 10 => MachineShape { machines: 2, states: (3, 5), transitions: (6, 10), ..SMALL },
        3 => MachineShape { states: (3, 4), transitions: (5, 8), symbols: 6, ..SMALL },
        4 => MachineShape { machines: 4, states: (2, 2), transitions: (2, 4), symbols: 3, ..SMALL },
        5 => MachineShape {
            trigger: Chance::millionths(300_000),
            effect: Chance::millionths(800_000),
            ..SMALL
        },
        6 => MachineShape { trigger: Chance::millionths(800_000), symbols: 2, ..SMALL },
        _ => tiny,
    }
}

/// The least number of transactions to a goal.
pub(crate) fn distance(system: &System, goal: TermId) -> Option<usize> {
    let program = Program::new(system);
    let mut graph = StateGraph::new(&program);
    let is_wanted = &mut |graph: &mut StateGraph<'_>, node: NodeId| graph.holds(goal, node);
    let transactions = Transactions::new(&|_| true, 3_000_000, &unwatched);
    transactions
        .nearest(&mut graph, None, is_wanted)
        .expect("it is small")
        .map(|found| found.distance as usize)
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
        let instance = EnsembleInstance {
            ensemble: ensemble.clone(),
            asked: EnsembleQuestion::Goal(vec![spot]),
            within: None,
        };
        let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is small");
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

fn scenario(instance: &EnsembleInstance, lowered: &LoweredInstance, anchor: Anchor) -> SoughtScenario {
    let LoweredInstance { model, objects, .. } = lowered;
    let plays = |name: &str| {
        let named = instance.ensemble.players.iter().position(|player| player.name == name);
        named.map(ComponentId::from_index)
    };
    let environment = BTreeSet::new();
    let stage = SearchedSystem {
        system: &objects.system,
        environment: &environment,
        plays: &plays,
        parameters: &|_| Vec::new(),
    };
    let about = InteractionId::from_index(0);
    SoughtScenario::new(
        model,
        about,
        &stage,
        (anchor, Alphabet::All),
        &ScenarioData::default(),
        &Assumptions::default(),
    )
    .expect("it is plain")
}

/// How far a scenario gets if it begins after at most so many transactions; all of it if it is found.
fn explicit(instance: &EnsembleInstance, lowered: &LoweredInstance, within: u32) -> Option<usize> {
    let system = &lowered.objects.system;
    let program = Program::new(system);
    let mut graph = StateGraph::new(&program);
    let transactions = Transactions::new(&|_| true, 3_000_000, &unwatched);
    let mut origins = Origins::default();
    let near = transactions.within(&mut graph, within).expect("it is small");
    near.into_iter().for_each(|one| origins.add(one.node, None, one.steps));
    let scenario = scenario(instance, lowered, Anchor::Start);
    let observer = FoundObserver { scenario: &scenario };
    let gain = |before: &Stance, after: &Stance| observer.gain(before, after);
    let limits = Limits::default();
    let (finding, furthest) = find_or_furthest(&mut graph, &origins, &observer, gain, &limits, &unwatched);
    match finding.answer {
        SearchAnswer::Found(_) => None,
        SearchAnswer::Exhausted => Some(furthest.map_or(0, |furthest| furthest.depth)),
        SearchAnswer::Stopped(stop) => panic!("it is small: {stop:?}"),
    }
}

pub(crate) fn patient(_: SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// How often something was found, and how often not.
#[derive(Default, Debug)]
struct Answers {
    found: usize,
    missed: usize,
    /// Inductions that would have needed more positions.
    open: usize,
}

impl Answers {
    fn count(&mut self, is_found: bool) {
        *(if is_found { &mut self.found } else { &mut self.missed }) += 1;
    }
}

/// Asks the engines that need no bound; they must say whether something is found.
fn unbounded(encoding: &Encoding<'_>, goal: Literal, is_found: bool, seed: u64, answers: &mut Answers) {
    // Induction over more positions takes long, and is seldom needed.
    match induction::prove(encoding, goal, 8, &patient) {
        UnboundedOutcome::Found(..) => assert!(is_found, "seed {seed}, induction"),
        UnboundedOutcome::Proved(_) => assert!(!is_found, "seed {seed}, induction"),
        UnboundedOutcome::Stopped => answers.open += 1,
    }
    match ic3::prove(encoding, goal, &patient).0 {
        UnboundedOutcome::Found(..) => assert!(is_found, "seed {seed}, ic3"),
        UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)) => {
            assert!(!is_found, "seed {seed}, ic3");
            assert_eq!(check(encoding, goal, &clauses, &patient), Ok(()), "seed {seed}");
        }
        other => panic!("seed {seed}: nobody broke it off: {other:?}"),
    }
}

/// A goal of a random system.
fn goals_agree(seed: u64, answers: &mut Answers) {
    let mut random = Random::new(seed);
    let ensemble = shape(seed).machines(&mut random);
    let spots = goal(&ensemble, Chance::millionths(400_000), &mut random);
    let instance = EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(spots), within: None };
    let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is small");
    let (system, goal) = (&objects.system, goal.expect("it is a goal"));
    let expected = distance(system, goal);
    let program = Program::new(system);
    let options = SearchOptions { threads: 1, ..SearchOptions::default() };
    let is_found = matches!(
        Search::run(&program, SearchGoal::Goal(goal), &options, &unwatched).answer,
        SearchAnswer::Found(_)
    );
    assert_eq!(is_found, expected.is_some(), "seed {seed}");
    answers.count(is_found);
    let encoding = Encoding::new(system, Pace::Together, &[goal]).expect("it is small");
    let literal = encoding.truth(goal).expect("it was named");
    match reach(&encoding, literal, expected.unwrap_or(8), &patient) {
        Bounded::Found(_, length) => assert_eq!(Some(length), expected, "seed {seed}"),
        Bounded::Nothing(_) | Bounded::Proved(_) => assert_eq!(None, expected, "seed {seed}"),
        Bounded::Stopped(_) => panic!("nobody broke it off"),
    }
    unbounded(&encoding, literal, is_found, seed, answers);
    if !seed.is_multiple_of(5) {
        return;
    }
    let automata = ComponentAutomata::new(system).expect("machines share nothing but messages");
    assert!(automata.spots(goal).is_some(), "a goal says something about each machine");
    let most = [0, 1, 2, 5, 9][seed as usize / 5 % 5];
    let is_near = expected.is_some_and(|expected| expected <= most);
    let (near, _) = within(system, goal, most, &patient).expect("it is small");
    assert_eq!(matches!(near, Bounded::Found(_, length) if length <= most), is_near, "seed {seed}");
    let least = match fewest(system, (goal, Pace::Together), most, &patient).expect("it is small") {
        Bounded::Found(_, length) => Some(length),
        Bounded::Nothing(_) | Bounded::Proved(_) | Bounded::Stopped(_) => None,
    };
    assert_eq!(least, expected.filter(|_| is_near), "seed {seed}");
    let spots = automata.spots(goal);
    let parts = spots.as_ref().map(|spots| (&automata, spots)).filter(|_| seed.is_multiple_of(2));
    const FAR: usize = 25;
    match far::reach(&encoding, literal, parts, FAR, &patient).0 {
        Bounded::Found(_, length) if parts.is_none() => assert_eq!(Some(length), expected, "seed {seed}"),
        Bounded::Found(_, length) => assert!(expected.is_some_and(|least| least <= length), "seed {seed}"),
        Bounded::Proved(_) => assert!(!is_found, "seed {seed}"),
        // Now and then all positions are through before an invariant is found.
        Bounded::Nothing(_) => assert!(expected.is_none_or(|least| least > FAR), "seed {seed}"),
        Bounded::Stopped(_) => panic!("nobody broke it off"),
    }
}

/// A scenario in a random system, which begins within some transactions.
fn scenarios_agree(seed: u64, answers: &mut Answers) {
    let mut random = Random::new(seed + 1_000_000);
    let cast = DiagramShape {
        lifelines: 2,
        messages: 2,
        inconsistency: Chance::millionths(500_000),
        lead: 2,
        is_plausible: false,
    };
    let instance = cast.instance(&shape(seed), None, &mut random);
    let lowered = instance.lower().expect("it is small");
    let (system, begins) = (&lowered.objects.system, [0, 1, 2][seed as usize % 3]);
    let expected = explicit(&instance, &lowered, begins);
    answers.count(expected.is_none());
    let anywhere = scenario(&instance, &lowered, Anchor::Anywhere);
    let observer = Near { scenario: &anywhere };
    let table = measured(system, &observer, |stance| observer.depth(stance)).expect("it is small");
    let question = EncodedQuestion::of(system, Pace::Together, &table, Some(begins)).expect("it is small");
    let usual = question.usual.expect("it begins soon");
    match reach(&question.encoding, question.wanted, usual, &patient) {
        Bounded::Found(..) => assert_eq!(expected, None, "seed {seed}"),
        Bounded::Nothing(_) | Bounded::Proved(_) => {
            let deepest = depth::within(&question, &table.depths, usual, &patient).expect("it is small");
            assert_eq!(expected, Some(deepest.depth.saturating_sub(1)), "seed {seed}");
        }
        Bounded::Stopped(_) => panic!("nobody broke it off"),
    }
    unbounded(&question.encoding, question.wanted, expected.is_none(), seed, answers);
    let Some(expected) = expected.filter(|_| seed % 8 < 2) else { return };
    let ask = &mut |encoding: &Encoding<'_>, goal| ic3::prove(encoding, goal, &patient).0;
    let deepest = depth::ever(&question, &table.depths, ask).expect("nobody broke it off");
    assert_eq!(expected, deepest.depth.saturating_sub(1), "seed {seed}");
}

/// The same by the scenes of P4's evaluation.
fn scenes_agree(seed: u64) {
    let mut random = Random::new(seed + 1_000_000);
    let cast = DiagramShape {
        lifelines: 2,
        messages: 2,
        inconsistency: Chance::millionths(500_000),
        lead: 2,
        is_plausible: false,
    };
    let instance = cast.instance(&shape(seed), None, &mut random);
    let lowered = instance.lower().expect("it is small");
    let anywhere = scenario(&instance, &lowered, Anchor::Anywhere);
    let observer = FoundObserver { scenario: &anywhere };
    let system = &lowered.objects.system;
    let table = measured(system, &observer, |stance| observer.depth(stance)).expect("it is small");
    let encoding = Encoding::resting(system, Pace::Together, &[], Some(&table)).expect("it is small");
    let messages = lowered.model.interactions[InteractionId::from_index(0)].messages.len();
    let begins = [0, 1, 2][seed as usize % 3];
    let expected = explicit(&instance, &lowered, begins);
    let bounds = (begins as usize, 4);
    let mut scene = MatchWindow::new(&encoding, &table.depths, bounds, Solver::seeking(&patient));
    let deepest = scene.climb(messages).expect("nobody broke it off");
    match deepest == messages {
        true => assert_eq!(expected, None, "seed {seed}, within {begins}"),
        false => assert_eq!(expected, Some(deepest), "seed {seed}, within {begins}"),
    }
    if deepest == messages {
        scene.run(messages);
    }
}

#[test]
fn all_engines_agree_on_machines_that_meet() {
    const THREADS: u64 = 2;
    let compared = |thread: u64| {
        let (mut goals, mut scenarios) = (Answers::default(), Answers::default());
        for seed in seeds(300).filter(|seed| seed % THREADS == thread) {
            goals_agree(seed, &mut goals);
            scenarios_agree(seed, &mut scenarios);
            if seed.is_multiple_of(5) {
                scenes_agree(seed);
            }
        }
        [goals, scenarios]
    };
    let parts: Vec<[Answers; 2]> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || compared(thread))).collect();
        started.into_iter().map(|part| part.join().expect("it agrees")).collect()
    });
    for answers in parts.iter().flatten() {
        assert!(answers.found * 8 > answers.missed && answers.missed * 8 > answers.found, "{answers:?}");
        assert!(answers.open * 5 < answers.missed, "few inductions need more positions: {answers:?}");
    }
}

/// What is seen of the messages of an instance.
fn events(instance: &EnsembleInstance, system: &System) -> Vec<Option<EventId>> {
    let EnsembleQuestion::Scenario(diagram) = &instance.asked else { return Vec::new() };
    let component = |player: PlayerId| Some(ComponentId::from_index(player.index()));
    let seen = |exchange: &DiagramExchange| {
        let ends = (component(exchange.from), component(exchange.to));
        let name = &instance.ensemble.symbols[exchange.symbol];
        let is_it = |event: &Event| (event.from, event.to) == ends && event.message == *name;
        system.events.iter().position(is_it).map(EventId::from_index)
    };
    diagram.messages.iter().map(seen).collect()
}

/// The same question about the first messages alone.
fn shortened(instance: &EnsembleInstance, count: usize) -> EnsembleInstance {
    let mut instance = instance.clone();
    if let EnsembleQuestion::Scenario(diagram) = &mut instance.asked {
        diagram.messages.truncate(count);
    }
    instance
}

/// P4's answer for a negative one: messages are taken away from the end until the rest is possible.
fn prefix(instance: &EnsembleInstance, within: u32) -> usize {
    let EnsembleQuestion::Scenario(diagram) = &instance.asked else { panic!("it is a scenario") };
    let is_possible = |count: &usize| {
        let shorter = shortened(instance, *count);
        *count == 0 || explicit(&shorter, &shorter.lower().expect("it is small"), within).is_none()
    };
    (0..=diagram.messages.len()).rev().find(is_possible).expect("nothing at all is possible")
}

/// Compares what follows with the definition; how many messages do, of how many.
fn compare_tails(instance: &EnsembleInstance, within: u32, hint: &str) -> (usize, usize) {
    let lowered = instance.lower().expect("it is small");
    let system = &lowered.objects.system;
    let automata = ComponentAutomata::new(system).expect("machines share nothing but messages");
    let events = events(instance, system);
    let tail = Suffix::new(&automata, &events).expect("every meeting is seen");
    let patience = |_| ControlFlow::Continue(());
    let furthest = tail.furthest(tail.len(), within as usize, &patience).expect("nobody broke it off");
    assert_eq!(furthest.count, prefix(instance, within), "{hint}, within {within}");
    // The messages are the last that is seen of the run.
    let seen: Vec<Option<EventId>> = furthest.run.events(system).map(Some).collect();
    assert!(seen.ends_with(&events[..furthest.count]), "{hint}, within {within}");
    replay(system, &furthest.run).expect("a run that is one");
    (furthest.count, tail.len())
}

#[test]
fn messages_follow_as_far_as_the_definition_says() {
    let (mut whole, mut broken, mut none) = (0, 0, 0);
    for seed in seeds(50) {
        let mut random = Random::new(seed + 2_000_000);
        let cast = DiagramShape {
            lifelines: 4,
            messages: 4,
            inconsistency: Chance::millionths(600_000),
            lead: 2,
            is_plausible: false,
        };
        let instance = cast.instance(&SMALL, None, &mut random);
        for within in [0, 2, 5] {
            match compare_tails(&instance, within, &format!("seed {seed}")) {
                (count, of) if count == of => whole += 1,
                (0, _) => none += 1,
                _ => broken += 1,
            }
        }
    }
    assert!(whole > 10 && broken > 10 && none > 10, "{whole} whole, {broken} broken, {none} none");
}

#[test]
fn crafted_scenarios_follow_as_far_as_the_definition_says() {
    for model in Crafted::ALL {
        for (ensemble, diagram) in [model.consistent(), model.inconsistent()] {
            let instance =
                EnsembleInstance { ensemble, asked: EnsembleQuestion::Scenario(diagram), within: None };
            for within in [0, 2, 7, 25] {
                compare_tails(&instance, within, model.word());
            }
        }
    }
}

/// Machines agree on runs, and on most of those that there are without the help of a solver; never on what is none.
#[test]
fn machines_bargain_for_most_runs() {
    let shape = MachineShape { machines: 8, states: (3, 5), transitions: (10, 16), symbols: 6, ..SMALL };
    let (mut bargained, mut found, mut none) = (0, 0, 0);
    for seed in seeds(60) {
        let mut random = Random::new(seed);
        let ensemble = shape.machines(&mut random);
        let spots = goal(&ensemble, Chance::millionths(600_000), &mut random);
        let instance = EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(spots), within: None };
        let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is small");
        let (system, goal) = (&objects.system, goal.expect("it is a goal"));
        let automata = ComponentAutomata::new(system).expect("machines share nothing but messages");
        let spots = automata.spots(goal).expect("a goal says something about each machine");
        let Some(table) = Timetable::new(&automata, &spots, 6) else { continue };
        let mut bargain = LocalSearch::new(&table, seed);
        let is_agreed = bargain.agree(local_search::usual(&table), &|| false) == Some(true);
        let Bounded::Found(run, length) = within(system, goal, 6, &patient).expect("it is small").0 else {
            assert!(!is_agreed, "seed {seed}");
            none += 1;
            continue;
        };
        let configs = replay(system, &run).expect("a run that is one");
        assert!(length <= 6 && system.holds(goal, &configs[configs.len() - 1]), "seed {seed}");
        bargained += usize::from(is_agreed);
        found += 1;
    }
    assert!(none > 0 && found > 20 && bargained * 10 >= found * 9, "{none} none, {bargained} of {found}");
}

#[test]
fn philosophers_have_goals_within_as_many_transactions_as_search_says() {
    let ensemble = crafted::philosophers(3);
    for seed in 0..60 {
        let share = Chance::millionths(if seed % 2 == 0 { 500_000 } else { 1_000_000 });
        let spots = goal(&ensemble, share, &mut Random::new(seed));
        let instance = EnsembleInstance {
            ensemble: ensemble.clone(),
            asked: EnsembleQuestion::Goal(spots),
            within: None,
        };
        let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is small");
        let goal = goal.expect("it is a goal");
        let expected = distance(&objects.system, goal);
        for most in [1, 3, 4, 6, 9] {
            let (found, _) =
                within(&objects.system, goal, most, &|_| ControlFlow::Continue(())).expect("it is small");
            let is_near = expected.is_some_and(|expected| expected <= most);
            assert_eq!(matches!(found, Bounded::Found(..)), is_near, "seed {seed}, within {most}");
        }
    }
}
