//! Formulas about states: random systems whose steps often show nothing, against the truth along every short lasso.

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::find;
use sequent_engine::search::{Limits, SearchAnswer, unwatched};
use sequent_kernel::formula::Atom;
use sequent_kernel::id::Id;
use sequent_kernel::property::Moment;
use sequent_kernel::property::ltl::{AtomMeaning, BoundFormula, LtlAutomaton, bind_with, truth};
use sequent_kernel::random::Random;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::system::{Config, Step, System, TermId, VariableId};
use sequent_notation::formula::parse;

use crate::walk::{Edges, system};

const FORMULAS: [&str; 12] = [
    "G !in(o, s2)",
    "F in(o, s2)",
    "G F in(o, s1)",
    "F G in(o, s1)",
    "G (in(o, s1) -> F sent(m))",
    "G (in(o, s1) -> X !in(o, s1))",
    "G (sent(m) -> O in(o, s2))",
    "in(o, s0) U in(o, s1)",
    "G (in(o, s2) -> F in(o, s1)) & F sent(m)",
    "F end",
    "G F (sent(m) | in(o, s1))",
    "!in(o, s1) W sent(m)",
];

/// A formula over `s0`, `s1`, .. as states of the walk.
fn bound(text: &str, system: &mut System) -> BoundFormula {
    let file = FileId::from_index(0);
    let formula = parse(text, Span::new(file, 0, text.len())).expect("a formula");
    let mut terms: Vec<(String, TermId)> = Vec::new();
    for number in 0..4 {
        terms.push((format!("s{number}"), system.terms.is(VariableId::from_index(0), number)));
    }
    bind_with(&formula, system, &mut |atom| match atom {
        Atom::In(_, state) => {
            let known = terms.iter().find(|(name, _)| *name == state.text);
            known.map(|(_, term)| AtomMeaning::Holds(*term))
        }
        _ => None,
    })
    .expect("every atom is known")
}

/// Whether a run satisfies a formula: positions are events, and steps that change a state that the formula speaks of.
fn is_true(bound: &BoundFormula, system: &System, run: &Run, configs: &[Config]) -> bool {
    let watched = bound.terms();
    let mut positions: Vec<(Moment, usize)> = vec![(Moment::Start, 0)];
    let mut split = None;
    for (number, step) in run.steps.iter().enumerate() {
        if run.cycle == Some(number) {
            split = Some(positions.len());
        }
        let event = system.events(step).next();
        let changes = watched
            .iter()
            .any(|term| system.holds(*term, &configs[number]) != system.holds(*term, &configs[number + 1]));
        match event {
            Some(event) => positions.push((Moment::Event(event), number + 1)),
            None if changes => positions.push((Moment::Silent, number + 1)),
            None => {}
        }
    }
    let mut cycle: Vec<(Moment, usize)> = split.map(|at| positions.split_off(at)).unwrap_or_default();
    if cycle.is_empty() {
        cycle.push((Moment::Stuck, run.steps.len()));
    }
    let states: Vec<usize> = positions.iter().chain(&cycle).map(|(_, at)| *at).collect();
    let [prefix, cycle] =
        [positions, cycle].map(|all| all.iter().map(|(moment, _)| *moment).collect::<Vec<_>>());
    truth(bound, &prefix, &cycle, |position, term| {
        system.holds(term, &configs[states[position.min(states.len() - 1)]])
    })
    .holds()
}

/// Runs of at most so many steps: that end, or come back to where they were.
fn lassos(system: &System, most: usize) -> Vec<(Run, Vec<Config>)> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<Step>, Vec<Config>)> = vec![(Vec::new(), vec![system.initial()])];
    while let Some((steps, configs)) = open.pop() {
        let last = configs.last().expect("there is one");
        let next = system.steps(last);
        if next.is_empty() {
            found.push((Run { steps: steps.clone(), cycle: None }, configs.clone()));
        }
        for (at, _) in configs[..configs.len() - 1].iter().enumerate().filter(|(_, one)| *one == last) {
            found.push((Run { steps: steps.clone(), cycle: Some(at) }, configs.clone()));
        }
        if steps.len() < most {
            for step in next {
                let config = system.take(&step, last).expect("it is possible");
                let (mut steps, mut configs) = (steps.clone(), configs.clone());
                steps.push(step);
                configs.push(config);
                open.push((steps, configs));
            }
        }
    }
    found
}

#[test]
fn formulas_read_silent_changes() {
    let (mut violated, mut kept) = (0, 0);
    for seed in 0_u64..250 {
        let mut random = Random::new(seed);
        let states = 2 + random.below(3);
        let letters = ["", "", "", "a->b:m", "a->b:n"];
        let mut walk = Edges::new();
        for state in 0..states {
            walk.push((state, letters[random.below(5)].to_owned(), random.below(states)));
        }
        for _ in 0..random.below(3) {
            walk.push((random.below(states), letters[random.below(5)].to_owned(), random.below(states)));
        }
        // The message exists, even if nobody ever sends it.
        walk.push((9, "a->b:m".to_owned(), 9));
        let mut system = system(&walk);
        let bound = bound(FORMULAS[seed as usize % FORMULAS.len()], &mut system);
        let lassos = lassos(&system, 6);
        let expected = lassos.iter().any(|(run, configs)| !is_true(&bound, &system, run, configs));
        let program = Program::new(&system);
        let mut graph = StateGraph::new(&program);
        let observer = LtlAutomaton::violation(&bound).expect("it is small");
        match find(&mut graph, &observer, &Limits::default(), &unwatched).answer {
            SearchAnswer::Found(run) => {
                let configs = replay(&system, &run).expect("what is found is a run");
                assert!(!is_true(&bound, &system, &run, &configs), "{seed} {walk:?}");
                violated += 1;
            }
            SearchAnswer::Exhausted => {
                assert!(!expected, "{seed} {walk:?}");
                kept += 1;
            }
            SearchAnswer::Stopped(stop) => panic!("it is small: {stop:?}"),
        }
    }
    assert!(violated > 50 && kept > 20, "{violated} {kept}");
}
