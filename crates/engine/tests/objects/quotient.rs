//! Quotients: a System and its quotient are bisimilar by their definition, checked state by state with the interpreter; searches
//! of both find the same; what is lifted is a run that answers the question.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

use sequent_engine::graph::StateGraph;
use sequent_engine::packed::Program;
use sequent_engine::property::find;
use sequent_engine::quotient::Quotient;
use sequent_engine::search::{Limits, Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord, Unary};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Communication, Scheduling, Steps};
use sequent_kernel::property::ltl::{AtomMeaning, BoundFormula, LtlAutomaton, bind_with, truth};
use sequent_kernel::property::{Moment, positions};
use sequent_kernel::question::{Case, Goal, Sight, Watcher};
use sequent_kernel::random::Random;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::{Objects, lower_objects};
use sequent_kernel::system::{Config, EventId, RuleId, Strength, System, TermId};
use sequent_testing::seeds::seeds;

use crate::build::{place, read, structure, with};

/// More configurations than this are not compared one by one.
const MOST: usize = 1_500;

/// Senders and a machine that takes what they send, in one of many ways.
fn hub(numbers: &mut Random) -> String {
    let mut text = "@startuml classes\nclass H {\n  v(k : 0..1)\n}\n@enduml\n@startuml H\n' @attribute x : 0..1 = 0\n[*] --> a\n".to_owned();
    let states = ["a", "b", "c"];
    let sends = ["^s0.r", "^s1.r", "^sender.r", "x = 1", "x = 1 - x"];
    for from in states {
        for message in ["m", "n", "v(k)"] {
            if numbers.below(4) == 0 {
                continue;
            }
            let to = states[numbers.below(3)];
            let guard = match (numbers.below(5), message) {
                (0, _) => " [x == 0]",
                (1, "v(k)") => " [k == 1]",
                _ => "",
            };
            let effect = match numbers.below(8) {
                number if number < sends.len() && (number != 2 || numbers.below(3) == 0) => {
                    format!(" / {}", sends[number])
                }
                _ => String::new(),
            };
            writeln!(text, "{from} --> {to} : {message}{guard}{effect}").expect("a string takes all");
        }
        if numbers.below(4) == 0 {
            writeln!(text, "{from} : {} / defer", ["m", "n"][numbers.below(2)]).expect("a string takes all");
        }
        if numbers.below(5) == 0 {
            writeln!(text, "{from} --> {} : after(1)", states[numbers.below(3)]).expect("a string takes all");
        }
    }
    text += "@enduml\n@startuml S\n[*] --> p\n";
    for (from, to) in [("p", "q"), ("q", "p"), ("p", "p"), ("q", "q")] {
        if numbers.below(3) == 0 {
            continue;
        }
        let trigger = if numbers.below(2) == 0 { "after(1)" } else { "r" };
        let send = ["^hub.m", "^hub.n", "^hub.v(0)", "^hub.v(1)"][numbers.below(4)];
        writeln!(text, "{from} --> {to} : {trigger} / {send}").expect("a string takes all");
    }
    text + "@enduml\n"
}

/// The system of a seed.
fn objects(numbers: &mut Random) -> Option<Objects> {
    let model = read(&hub(numbers))?;
    let mut model = with(&model, Communication::Queue, 1 + numbers.below(3) as u32, Steps::Direct);
    model.system.closed = Some(numbers.below(4) != 0);
    model.system.fairness =
        Some([Scheduling::Unfair, Scheduling::Weak, Scheduling::Strong][numbers.below(3)]);
    let mut instances = vec![("hub", "H"), ("s0", "S"), ("s1", "S")];
    instances.truncate(2 + numbers.below(4).min(1));
    let structure = structure(&model, &instances, &[]);
    lower_objects(&model, &structure, &model.system).ok()
}

fn formula(numbers: &mut Random, depth: usize) -> Formula {
    use Binary::*;
    use Unary::*;
    const UNARY: [Unary; 6] = [Not, Next, Finally, Globally, Globally, Once];
    const BINARY: [Binary; 5] = [And, Or, Implies, Until, Since];
    const NAMES: [&str; 7] = ["m", "n", "r", "a", "b", "hub", "x"];
    let node = match numbers.below(if depth == 0 { 1 } else { 4 }) {
        0 => {
            let text = NAMES[numbers.below(NAMES.len())].to_owned();
            FormulaNode::Atom(Atom::Name(FormulaWord { text, place: place() }))
        }
        1 | 2 => FormulaNode::Unary(UNARY[numbers.below(6)], Box::new(formula(numbers, depth - 1))),
        _ => {
            let left = formula(numbers, depth - 1);
            FormulaNode::Binary(
                BINARY[numbers.below(5)],
                Box::new(left),
                Box::new(formula(numbers, depth - 1)),
            )
        }
    };
    Formula { node, place: place() }
}

/// A formula about messages, states and the attribute.
fn bound(numbers: &mut Random, objects: &Objects) -> BoundFormula {
    let depth = 1 + numbers.below(3);
    let mut formula = formula(numbers, depth);
    if numbers.below(2) == 0 {
        formula = Formula { node: FormulaNode::Unary(Unary::Globally, Box::new(formula)), place: place() };
    }
    meant(&formula, objects)
}

/// A formula whose atoms are known.
fn meant(formula: &Formula, objects: &Objects) -> BoundFormula {
    let system = &objects.system;
    let events = |wanted: &dyn Fn(EventId) -> bool| {
        AtomMeaning::Events(system.events.ids().filter(|event| wanted(*event)).collect())
    };
    let meaning = &mut |atom: &Atom| {
        let Atom::Name(FormulaWord { text, .. }) = atom else { return None };
        Some(match text.as_str() {
            "hub" => events(&|event| system.events[event].text.starts_with("?s0->hub")),
            "a" | "b" | "x" => {
                AtomMeaning::Holds(predicates(objects)[usize::from(text != "a") + usize::from(text == "x")])
            }
            name => events(&|event| system.events[event].name == name),
        })
    };
    bind_with(formula, system, meaning).expect("its atoms are known")
}

/// That the hub is in its first state, that it is not, and that its attribute is 1: by variables of the System.
fn predicates(objects: &Objects) -> Vec<TermId> {
    let literal = |name: &str, value: i32| {
        let terms = &objects.system.terms;
        terms.ids().find(|term| {
            terms.as_literal(*term).is_some_and(|(variable, known)| {
                objects.system.variables[variable].name.ends_with(name) && known == value
            })
        })
    };
    let any = objects.system.complete;
    [literal("hub", 1), literal("hub", 2), literal("hub.x", 1)].map(|term| term.unwrap_or(any)).to_vec()
}

/// What is seen of a step: the component, the number of the event, and which fairness constraints want or are paid by it.
type Seen = (usize, Option<usize>, Vec<(bool, bool)>);

fn seen(system: &System, sight: &Sight, rule: RuleId) -> Seen {
    let owed = system.endless.iter().flat_map(|endless| &endless.owed);
    let fair = owed.map(|owed| (owed.when.contains(&rule), owed.payers.contains(&rule))).collect();
    let rule = &system.rules[rule];
    (rule.component.index(), rule.event.map(|event| sight.letters[event]), fair)
}

/// Whether each step of a configuration has one of its image, and the other way round; how many configurations the System and
/// the quotient have. `None` if there are too many.
fn compared(case: &Case, quotient: &Quotient<'_>) -> Option<(usize, usize)> {
    let (whole, small) = (&case.system, &quotient.case.system);
    let sight = case.sight().expect("the quotient needs it");
    assert_eq!(quotient.image(&whole.initial()), small.initial());
    let mut known = BTreeSet::from([whole.initial()]);
    let mut images = BTreeSet::new();
    let mut open = vec![whole.initial()];
    while let Some(config) = open.pop() {
        if known.len() > MOST {
            return None;
        }
        let image = quotient.image(&config);
        let own = [whole.complete, whole.void, whole.invalid, whole.inconclusive, whole.strained];
        for predicate in own.iter().chain(&sight.predicates) {
            assert_eq!(whole.holds(*predicate, &config), small.holds(*predicate, &image));
        }
        let steps = whole.successors(&config);
        let of_whole: BTreeSet<(Seen, Config)> =
            steps.iter().map(|(step, next)| (seen(whole, &sight, step.0[0]), quotient.image(next))).collect();
        let of_small: BTreeSet<(Seen, Config)> = small
            .successors(&image)
            .into_iter()
            .map(|(step, next)| (seen(whole, &sight, step.0[0]), next))
            .collect();
        assert_eq!(of_whole, of_small);
        images.insert(image);
        open.extend(steps.into_iter().map(|(_, next)| next).filter(|next| known.insert(next.clone())));
    }
    Some((known.len(), images.len()))
}

/// Whether a run is one of the System, violates a formula and counts.
fn is_violation(system: &System, bound: &BoundFormula, watched: &[TermId], run: &Run) -> bool {
    let configs = replay(system, run).expect("a run that is one");
    let all = positions(system, run, &configs, watched);
    let start = run.cycle.unwrap_or(run.steps.len());
    let mut prefix = vec![Moment::Start];
    prefix.extend(all.iter().filter(|(number, _)| *number < start).map(|(_, moment)| *moment));
    let cycle: Vec<Moment> = match run.cycle {
        Some(_) => all.iter().filter(|(number, _)| *number >= start).map(|(_, moment)| *moment).collect(),
        None if system.holds(system.complete, configs.last().expect("it begins somewhere")) => {
            vec![Moment::End]
        }
        None => vec![Moment::Stuck],
    };
    let cycle = if cycle.is_empty() { vec![Moment::Stuck] } else { cycle };
    let config = |position: usize| match position.checked_sub(1).and_then(|at| all.get(at)) {
        Some((number, _)) => &configs[number + 1],
        None if position == 0 => &configs[0],
        None => configs.last().expect("it begins somewhere"),
    };
    let holds = |position: usize, term: TermId| system.holds(term, config(position));
    !truth(bound, &prefix, &cycle, holds).holds() && is_fair(system, run, &configs)
}

fn is_fair(system: &System, run: &Run, configs: &[Config]) -> bool {
    let Some(start) = run.cycle else { return true };
    let endless = system.endless.as_ref().expect("infinite runs count");
    let round = &configs[start..configs.len() - 1];
    let may_fire = |config: &Config, rules: &BTreeSet<RuleId>| {
        system.steps(config).iter().flat_map(|step| &step.0).any(|rule| rules.contains(rule))
    };
    endless.owed.iter().all(|owed| {
        let is_paid =
            run.steps[start..].iter().flat_map(|step| &step.0).any(|rule| owed.payers.contains(rule));
        let is_due = match owed.strength {
            Strength::Weak => round.iter().all(|config| may_fire(config, &owed.when)),
            Strength::Strong => round.iter().any(|config| may_fire(config, &owed.when)),
        };
        is_paid || !is_due
    })
}

#[test]
fn a_system_and_its_quotient_are_bisimilar() {
    let (mut merged, mut fewer, mut endless) = (0, 0, 0);
    for seed in seeds(400) {
        let mut numbers = Random::new(seed);
        let Some(objects) = objects(&mut numbers) else { continue };
        for _ in 0..2 {
            let bound = bound(&mut numbers, &objects);
            let Ok(automaton) = LtlAutomaton::violation(&bound) else { continue };
            let watched = bound.terms();
            let system = Rc::new(objects.system.clone());
            let case = Case::new(&system, Goal::Accepted(Watcher::Formula(Rc::new(automaton.clone()))));
            let Some(quotient) = Quotient::new(&case) else { continue };
            let Some((states, images)) = compared(&case, &quotient) else { continue };
            merged += 1;
            fewer += usize::from(images < states);
            let (program, small) = (Program::new(&system), Program::new(&quotient.case.system));
            let mut graphs = [StateGraph::new(&program), StateGraph::new(&small)];
            let [of_whole, of_small] =
                graphs.each_mut().map(|graph| find(graph, &automaton, &Limits::default(), &unwatched).answer);
            match (of_whole, of_small) {
                (SearchAnswer::Exhausted, SearchAnswer::Exhausted) => {}
                (SearchAnswer::Found(run), SearchAnswer::Found(image)) => {
                    let lifted = quotient.lift(&image).expect("it has a run");
                    assert!(is_violation(&system, &bound, &watched, &run), "seed {seed}");
                    assert!(is_violation(&system, &bound, &watched, &lifted), "seed {seed}");
                    if run.cycle.is_none() && image.cycle.is_none() {
                        assert_eq!(lifted.steps.len(), run.steps.len(), "seed {seed}");
                    }
                    endless += usize::from(lifted.cycle.is_some());
                }
                (one, other) => panic!("seed {seed}: {one:?} but {other:?}"),
            }
        }
    }
    assert!(merged > 200 && fewer > 100 && endless > 10, "{merged} {fewer} {endless}");
}

/// `G p`, `!F p`, or both of these, where `p` is about the state alone.
fn about_states(numbers: &mut Random) -> Formula {
    let unary =
        |operator, part| Formula { node: FormulaNode::Unary(operator, Box::new(part)), place: place() };
    let binary = |operator, left, right| {
        let node = FormulaNode::Binary(operator, Box::new(left), Box::new(right));
        Formula { node, place: place() }
    };
    let predicate = |numbers: &mut Random| {
        let mut atom = || {
            let text = ["a", "b", "x"][numbers.below(3)].to_owned();
            Formula {
                node: FormulaNode::Atom(Atom::Name(FormulaWord { text, place: place() })),
                place: place(),
            }
        };
        let [one, other] = [atom(), atom()];
        let operator = [Binary::And, Binary::Or, Binary::Implies, Binary::Iff][numbers.below(4)];
        let both = binary(operator, one, other);
        if numbers.below(2) == 0 { unary(Unary::Not, both) } else { both }
    };
    let mut one = || match numbers.below(2) {
        0 => unary(Unary::Globally, predicate(numbers)),
        _ => unary(Unary::Not, unary(Unary::Finally, predicate(numbers))),
    };
    let (first, second) = (one(), one());
    if numbers.below(3) == 0 { binary(Binary::And, first, second) } else { first }
}

#[test]
fn states_that_a_formula_excludes_are_as_far_away_as_its_violations() {
    let mut found = BTreeMap::from([(true, 0), (false, 0)]);
    for seed in seeds(400) {
        let mut numbers = Random::new(seed);
        let Some(objects) = objects(&mut numbers) else { continue };
        let formula = about_states(&mut numbers);
        let automaton = LtlAutomaton::violation(&meant(&formula, &objects)).expect("it is small");
        let mut system = objects.system.clone();
        assert!(automaton.is_breach() && system.is_free(), "seed {seed}");
        let goal = automaton.breach(&mut system.terms).expect("it is about states");
        let (program, whole) = (Program::new(&system), Program::new(&objects.system));
        let options = SearchOptions { threads: 1, ..SearchOptions::default() };
        let state = Search::run(&program, SearchGoal::Goal(goal), &options, &unwatched).answer;
        let violation = find(&mut StateGraph::new(&whole), &automaton, &Limits::default(), &unwatched);
        // Far away the search of the product goes depth first.
        let is_near = violation.progress.states <= 1_000;
        match (&state, &violation.answer) {
            (SearchAnswer::Found(run), SearchAnswer::Found(other)) => {
                let [one, two] = [run, other].map(|run| run.steps.len());
                assert!(other.cycle.is_none() && one <= two && (one == two || !is_near), "seed {seed}");
                *found.entry(true).or_default() += 1;
            }
            (SearchAnswer::Exhausted, SearchAnswer::Exhausted) => *found.entry(false).or_default() += 1,
            (one, other) => panic!("seed {seed}: {one:?} but {other:?}"),
        }
    }
    assert!(found.values().all(|count| *count > 30), "{found:?}");
}

#[test]
fn deadlocks_and_states_are_as_far_away() {
    let mut found = BTreeMap::from([(true, 0), (false, 0)]);
    for seed in seeds(400) {
        let mut numbers = Random::new(seed);
        let Some(objects) = objects(&mut numbers) else { continue };
        let system = Rc::new(objects.system.clone());
        let goals = predicates(&objects);
        let goal = goals[numbers.below(3)];
        let quests = [(Goal::Stuck, SearchGoal::Stuck), (Goal::State(goal), SearchGoal::Goal(goal))];
        for (goal, quest) in quests {
            let case = Case::new(&system, goal);
            let Some(quotient) = Quotient::new(&case) else { continue };
            let options =
                SearchOptions { reduction: Reduction::None, threads: 1, ..SearchOptions::default() };
            let answer = |system: &System| {
                let program = Program::new(system);
                Search::run(&program, quest, &options, &unwatched).answer
            };
            let (one, other) = (answer(&system), answer(&quotient.case.system));
            match (one, other) {
                (SearchAnswer::Found(run), SearchAnswer::Found(image)) => {
                    let lifted = quotient.lift(&image).expect("it has a run");
                    let configs = replay(&system, &lifted).expect("a run that is one");
                    let last = configs.last().expect("it begins somewhere");
                    match quest {
                        SearchGoal::Goal(goal) => assert!(system.holds(goal, last)),
                        SearchGoal::Stuck | SearchGoal::Everything => assert!(system.steps(last).is_empty()),
                    }
                    assert_eq!(lifted.steps.len(), run.steps.len(), "seed {seed}");
                    *found.entry(true).or_default() += 1;
                }
                (SearchAnswer::Exhausted, SearchAnswer::Exhausted) => *found.entry(false).or_default() += 1,
                (one, other) => panic!("seed {seed}: {one:?} but {other:?}"),
            }
        }
    }
    assert!(found.values().all(|count| *count > 30), "{found:?}");
}

/// Of two senders whose messages the hub treats alike one is enough; where it answers the sender, or a formula asks for it, it
/// is not.
#[test]
fn the_sender_is_forgotten_where_nothing_asks_for_it() {
    let quotient = |effect: &str, name: &str| {
        let text = format!(
            "@startuml H\n[*] --> a\na --> a : m{effect}\n@enduml\n@startuml S\n[*] --> p\np --> p : after(1) / ^hub.m\n@enduml\n"
        );
        let model = with(&read(&text).expect("it has no errors"), Communication::Queue, 3, Steps::Direct);
        let structure = structure(&model, &[("hub", "H"), ("s0", "S"), ("s1", "S")], &[]);
        let objects = lower_objects(&model, &structure, &model.system).expect("it is small");
        let formula = Formula {
            node: FormulaNode::Atom(Atom::Name(FormulaWord { text: name.to_owned(), place: place() })),
            place: place(),
        };
        let formula = Formula { node: FormulaNode::Unary(Unary::Finally, Box::new(formula)), place: place() };
        let system = Rc::new(objects.system.clone());
        let is_meant = |event: &EventId| match name {
            "hub" => system.events[*event].text == "?s0->hub:m",
            name => system.events[*event].name == name,
        };
        let meant = AtomMeaning::Events(system.events.ids().filter(is_meant).collect());
        let bound = bind_with(&formula, &system, &mut |_| Some(meant.clone())).expect("it is known");
        let automaton = LtlAutomaton::violation(&bound).expect("it is small");
        let case = Case::new(&system, Goal::Accepted(Watcher::Formula(Rc::new(automaton))));
        Quotient::new(&case).map(|quotient| compared(&case, &quotient).expect("it is small"))
    };
    let states: Vec<Option<(usize, usize)>> =
        [("", "m"), (" / ^sender.r", "m"), ("", "hub")].map(|(effect, name)| quotient(effect, name)).into();
    // A queue of three holds up to three messages, each of one of two senders, or of any; a full one may overflow.
    let [contents, full] = [1 + 2 + 4 + 8, 8];
    assert_eq!(states, [Some((contents + full, 4 + 1)), None, None]);
}
