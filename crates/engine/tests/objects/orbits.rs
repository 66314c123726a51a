//! Orbits: whether a state is reachable is the same whether one state or all that are alike are looked at, and a run that is found
//! leads there.

use std::fmt::Write;
use std::rc::Rc;

use sequent_engine::orbit::Orbits;
use sequent_engine::packed::Program;
use sequent_engine::quotient::Quotient;
use sequent_engine::search::{Limits, Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Communication, Scheduling, Steps};
use sequent_kernel::question::{Case, Goal};
use sequent_kernel::random::Random;
use sequent_kernel::replay::replay;
use sequent_kernel::semantics::objects::{Objects, lower_objects};
use sequent_kernel::system::{System, TermId};
use sequent_testing::seeds::seeds;

use crate::build::{read, structure, with};

/// Somebody who sends to some that are alike, to all of them at once or to one, and gets answers.
fn leader(numbers: &mut Random, followers: usize) -> String {
    let mut text = "@startuml L\n' @attribute x : 0..2 = 0\n[*] --> a\n".to_owned();
    let states = ["a", "b", "c"];
    let all =
        |message: &str| (0..followers).map(|one| format!("^f{one}.{message}")).collect::<Vec<_>>().join("; ");
    for from in states {
        for trigger in ["after(1)", "r", "s"] {
            if numbers.below(3) == 0 {
                continue;
            }
            let effect = match numbers.below(8) {
                0..=2 => format!(" / {}", all(["m", "n"][numbers.below(2)])),
                3 => format!(" / {}; {}", all("m"), all("n")),
                4 => format!(" / ^f{}.m", numbers.below(followers)),
                5 => " / x = 1".to_owned(),
                6 => format!(" / x = 2 - x; {}", all("n")),
                _ => String::new(),
            };
            let guard = ["", "", " [x == 1]", " [x < 2]"][numbers.below(4)];
            writeln!(text, "{from} --> {} : {trigger}{guard}{effect}", states[numbers.below(3)])
                .expect("a string takes all");
        }
    }
    text + "@enduml\n"
}

/// What follows.
fn follower(numbers: &mut Random) -> String {
    let mut text = "@startuml F\n[*] --> p\n".to_owned();
    let states = ["p", "q", "t"];
    for from in states {
        for trigger in ["m", "n", "after(1)"] {
            if numbers.below(3) == 0 {
                continue;
            }
            let effect = ["", "", " / ^l.r", " / ^l.s"][numbers.below(4)];
            writeln!(text, "{from} --> {} : {trigger}{effect}", states[numbers.below(3)])
                .expect("a string takes all");
        }
        if numbers.below(8) == 0 {
            writeln!(text, "{from} : m / defer").expect("a string takes all");
        }
    }
    text + "@enduml\n"
}

fn objects(numbers: &mut Random) -> Option<Objects> {
    let followers = 3 + numbers.below(2);
    let text = leader(numbers, followers) + &follower(numbers);
    let model = read(&text)?;
    let mut model = with(&model, Communication::Queue, 1 + numbers.below(3) as u32, Steps::Direct);
    model.system.closed = Some(numbers.below(5) != 0);
    model.system.fairness = Some(Scheduling::Unfair);
    let all = [("l", "L"), ("f0", "F"), ("f1", "F"), ("f2", "F"), ("f3", "F")];
    let structure = structure(&model, &all[..=followers], &[]);
    lower_objects(&model, &structure, &model.system).ok()
}

/// A predicate about variables, perhaps the same of all that are alike.
fn goal(numbers: &mut Random, system: &mut System) -> TermId {
    let named = |system: &System, name: &str| system.variables.find(|variable| variable.name == name);
    let value = |numbers: &mut Random, system: &System, id| {
        let variable = &system.variables[id];
        variable.min + numbers.below((variable.max - variable.min + 1) as usize) as i32
    };
    let followers: Vec<_> = ["f0", "f1", "f2", "f3"].iter().filter_map(|name| named(system, name)).collect();
    let mut parts = Vec::new();
    for _ in 0..1 + numbers.below(2) {
        let wanted = value(numbers, system, followers[0]);
        let of_all: Vec<TermId> = followers.iter().map(|id| system.terms.is(*id, wanted)).collect();
        parts.push(match numbers.below(6) {
            0 | 1 => system.terms.or(of_all),
            2 | 3 => system.terms.and(of_all.into_iter().rev()),
            4 => of_all[0],
            _ => {
                let any = Id::from_index(numbers.below(system.variables.len()));
                let wanted = value(numbers, system, any);
                system.terms.is(any, wanted)
            }
        });
    }
    if numbers.below(3) == 0
        && let Some(leader) = named(system, "l")
    {
        let wanted = value(numbers, system, leader);
        parts.push(system.terms.is(leader, wanted));
    }
    system.terms.and(parts)
}

fn all_states(system: &System, goal: TermId) -> (SearchAnswer, usize) {
    let program = Program::new(system);
    let limits = Limits { states: 20_000, ..Limits::default() };
    let options = SearchOptions { reduction: Reduction::None, limits, threads: 1 };
    let search = Search::run(&program, SearchGoal::Goal(goal), &options, &unwatched);
    (search.answer, search.progress.states)
}

#[test]
fn a_state_is_reached_if_one_that_is_like_it_is() {
    let (mut compared, mut found, mut prompt, mut fewer, mut broken) = (0, 0, 0, 0, 0);
    for seed in seeds(1_500) {
        let mut numbers = Random::new(seed);
        let Some(objects) = objects(&mut numbers) else { continue };
        let mut system = objects.system.clone();
        let goal = goal(&mut numbers, &mut system);
        let case = Case::new(&Rc::new(system), Goal::State(goal));
        let quotient = Quotient::new(&case);
        let system = quotient.as_ref().map_or(&case.system, |quotient| &quotient.case.system);
        let Some(orbits) = Orbits::new(system, goal) else { continue };
        let (expected, states) = all_states(system, goal);
        if matches!(expected, SearchAnswer::Stopped(_)) {
            continue;
        }
        let Some((answer, progress)) = orbits.search(&SearchOptions::default(), &unwatched) else {
            broken += 1;
            continue;
        };
        compared += 1;
        prompt += usize::from(orbits.any_prompt());
        match (&expected, &answer) {
            (SearchAnswer::Exhausted, SearchAnswer::Exhausted) => {
                assert!(progress.states <= states + 1, "seed {seed}");
                fewer += usize::from(progress.states < states);
            }
            (SearchAnswer::Found(shortest), SearchAnswer::Found(run)) => {
                found += 1;
                let last = replay(system, run).expect("it is a run").pop().expect("it begins somewhere");
                assert!(system.holds(goal, &last), "seed {seed}");
                let least = shortest.steps.len();
                assert!(if orbits.any_prompt() {
                    run.steps.len() >= least
                } else {
                    run.steps.len() == least
                });
            }
            (one, other) => panic!("seed {seed}: {one:?} but {other:?}"),
        }
    }
    let seen = [compared > 100, found > 30, prompt > 30, fewer > 20, broken > 10];
    assert_eq!(seen, [true; 5], "{compared} {found} {prompt} {fewer} {broken}");
}

#[test]
fn participants_of_a_commit_are_alike() {
    let names = ["P0", "P1", "P2", "P3"];
    let all = |message: &str| names.map(|name| format!("^{name}.{message}")).join("; ");
    let mut text = format!(
        "@startuml C\n' @attribute votes : 0..4 = 0\n[*] --> begin\nbegin --> voting : / {}\n\
         voting --> voting : yes [votes < 3] / votes++\nvoting --> committing : yes [votes == 3] / {}\n\
         voting --> aborting : no / {}\n@enduml\n",
        all("prepare"),
        all("commit"),
        all("abort")
    );
    for name in names {
        write!(
            text,
            "@startuml {name}\n[*] --> idle\nidle --> ready : prepare / ^C.yes\nidle --> aborted : prepare / ^C.no\n\
             ready --> committed : commit\nready --> aborted : abort\n@enduml\n"
        )
        .expect("a string takes all");
    }
    let model = with(&read(&text).expect("it is read"), Communication::Queue, 8, Steps::Direct);
    let mut model = model.clone();
    model.system.closed = Some(true);
    let existing = [("C", "C"), ("P0", "P0"), ("P1", "P1"), ("P2", "P2"), ("P3", "P3")];
    let objects =
        lower_objects(&model, &structure(&model, &existing, &[]), &model.system).expect("it is lowered");
    let mut system = objects.system.clone();
    let state = |vertex: &str| {
        let machine = model.machines.iter().find(|machine| machine.name == "P0").expect("it is there");
        let found = machine.vertices.enumerate().find(|(_, one)| one.name == vertex).expect("it is there");
        i32::try_from(found.0.index()).expect("few") + 1
    };
    let mut any = |value: i32| {
        let of = |name: &&str| system.variables.find(|one| one.name == **name).expect("it is there");
        let ids: Vec<_> = names.iter().map(of).collect();
        let parts: Vec<TermId> = ids.into_iter().map(|id| system.terms.is(id, value)).collect();
        system.terms.or(parts)
    };
    let [committed, aborted] = [any(state("committed")), any(state("aborted"))];
    let goal = system.terms.and([committed, aborted]);
    let case = Case::new(&Rc::new(system), Goal::State(goal));
    let quotient = Quotient::new(&case).expect("it does not matter who votes");
    let system = &quotient.case.system;
    let (answer, progress) = Orbits::new(system, goal)
        .expect("they are alike")
        .search(&SearchOptions::default(), &unwatched)
        .expect("no queue is ever full");
    let (expected, states) = all_states(system, goal);
    assert_eq!((&answer, &expected), (&SearchAnswer::Exhausted, &SearchAnswer::Exhausted));
    assert!(progress.states * 10 < states, "{} {states}", progress.states);
}
