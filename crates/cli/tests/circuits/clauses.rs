//! Clauses: a model of an exported formula is read by means of the comments alone, and is a run of the system to what is looked for; there
//! is none where our own search finds none.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sequent::certificate;
use sequent::export::{ExportTarget, ExportedCase};
use sequent_engine::sat::solver::{Literal, Solver, SolverOutcome};
use sequent_kernel::id::Id;
use sequent_kernel::system::{Config, Step, System};
use sequent_report::export::apart;
use sequent_testing::seeds::seeds;

use super::cases;
use super::files::length;
use super::samples;

/// Runs are looked for so far.
const STEPS: usize = 6;

/// A file as it was read: what its comments say, and its clauses.
struct File {
    /// By position and meaning the number of a variable.
    meaning: BTreeMap<(usize, String), i32>,
    variables: usize,
    clauses: Vec<Vec<i32>>,
}

fn read(text: &str) -> File {
    let mut file = File { meaning: BTreeMap::new(), variables: 0, clauses: Vec::new() };
    let mut announced = 0;
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("c ") {
            let told = comment.split_once(" at ").and_then(|(number, rest)| {
                let (position, meaning) = rest.split_once(": ")?;
                Some((number.parse().ok()?, position.parse().ok()?, meaning.to_owned()))
            });
            if let Some((number, position, meaning)) = told {
                let twice = file.meaning.insert((position, meaning), number);
                assert_eq!(twice, None, "{comment}: it is told once");
            }
        } else if let Some(header) = line.strip_prefix("p cnf ") {
            let (variables, clauses) = header.split_once(' ').expect("two numbers");
            (file.variables, announced) =
                (variables.parse().expect("a number"), clauses.parse().expect("a number"));
        } else {
            let mut numbers: Vec<i32> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
            assert_eq!(numbers.pop(), Some(0));
            assert!(
                numbers.iter().all(|number| *number != 0 && number.unsigned_abs() as usize <= file.variables)
            );
            file.clauses.push(numbers);
        }
    }
    assert_eq!(file.clauses.len(), announced);
    assert!(file.meaning.values().all(|number| *number as usize <= file.variables));
    file
}

/// The values of all variables in a model, if there is one.
fn solve(file: &File) -> Option<Vec<bool>> {
    let patience = |_| ControlFlow::Continue(());
    let mut solver = Solver::new(&patience);
    let literals: Vec<Literal> = (0..file.variables).map(|_| solver.variable()).collect();
    for clause in &file.clauses {
        solver.add(clause.iter().map(|number| {
            let literal = literals[number.unsigned_abs() as usize - 1];
            if *number > 0 { literal } else { !literal }
        }));
    }
    match solver.solve(&[], None) {
        SolverOutcome::Satisfiable => {
            Some(literals.into_iter().map(|literal| solver.value(literal)).collect())
        }
        SolverOutcome::Unsatisfiable => None,
        SolverOutcome::Stopped => panic!("nobody stops it"),
    }
}

/// A model as the comments tell it.
struct Told<'a> {
    file: &'a File,
    model: Vec<bool>,
}

impl Told<'_> {
    fn is(&self, position: usize, meaning: &str) -> Option<bool> {
        let number = self.file.meaning.get(&(position, meaning.to_owned()))?;
        Some(self.model[*number as usize - 1])
    }

    /// The rules that fire at a position.
    fn rules(&self, position: usize) -> Vec<usize> {
        let all = self
            .file
            .meaning
            .iter()
            .filter(|((at, _), number)| *at == position && self.model[**number as usize - 1]);
        let rule = |meaning: &str| {
            let (_, rest) = meaning.split_once(" fires rule ")?;
            rest.split(' ').next()?.parse().ok()
        };
        all.filter_map(|((_, meaning), _)| rule(meaning)).collect()
    }

    /// That the variables have the values that the comments say.
    fn confirms(&self, system: &System, config: &Config, position: usize, name: &str) {
        for ((variable, value), told_as) in system.variables.iter().zip(&config.0).zip(apart(system)) {
            for other in variable.min..=variable.max.min(variable.min + 300) {
                if let Some(told) = self.is(position, &format!("{told_as} = {other}")) {
                    assert_eq!(told, *value == other, "{name}: {told_as} at {position}");
                }
            }
        }
    }
}

/// Follows the run of a model; the last state.
fn follow(system: &System, told: &Told<'_>, name: &str) -> Config {
    let ends = |position: usize| {
        told.is(position, "what is looked for is here, and the run ends")
            .expect("the comments say where it ends")
    };
    let mut config = system.initial();
    for position in 0.. {
        told.confirms(system, &config, position, name);
        if ends(position) {
            return config;
        }
        let mut fired = told.rules(position);
        fired.sort_unstable();
        if fired.is_empty() {
            continue;
        }
        let is_it = |step: &Step| {
            let mut rules: Vec<usize> = step.0.iter().map(|rule| rule.index()).collect();
            rules.sort_unstable();
            rules == fired
        };
        let step = system.steps(&config).into_iter().find(is_it);
        let step = step.unwrap_or_else(|| panic!("{name}: {fired:?} is no step at {position}"));
        config = system.take(&step, &config).expect("it is possible");
    }
    unreachable!("a run ends")
}

/// Compares a question with our own search; whether there is a run, if it can be asked.
fn compare(part: &ExportedCase, name: &str) -> Option<bool> {
    if part.case.begins.is_some() {
        return None;
    }
    let single = part.singly();
    let ours = length(&single, STEPS).ok()?;
    let question = single.question().ok()?;
    let file = read(&certificate::formula(name, &question, STEPS, &|_, _| None)?);
    let found = solve(&file);
    assert_eq!(found.is_some(), ours.is_some(), "{name}");
    let Some(model) = found else { return Some(false) };
    let system = &part.case.system;
    let last = follow(system, &Told { file: &file, model }, name);
    match &part.target {
        ExportTarget::Stuck => {
            assert!(
                system.steps(&last).is_empty() && !system.holds(system.complete, &last),
                "{name}: it is stuck"
            );
        }
        ExportTarget::State(goal) => assert!(system.holds(*goal, &last), "{name}: it is there"),
        // Observers are asked elsewhere about the runs that are found.
        ExportTarget::Accepted(_) => {}
    }
    Some(true)
}

#[test]
fn models_of_the_examples_are_runs() {
    let (mut found, mut nothing) = (0, 0);
    for case in cases::all() {
        let session = cases::read(&case);
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for (number, words) in agenda.queries.iter().enumerate() {
            for part in sequent::export::parts(&agenda, number).unwrap_or_default() {
                match compare(&part, &format!("{}: {}", case.name, words.text())) {
                    Some(true) => found += 1,
                    Some(false) => nothing += 1,
                    None => {}
                }
            }
        }
    }
    assert!(found > 15 && nothing > 40, "{found} found, {nothing} nothing");
}

#[test]
fn models_of_random_systems_are_runs() {
    let seeds = seeds(24);
    let (mut found, mut nothing, wanted) = (0, 0, seeds.count_left());
    for seed in seeds {
        let mut add = |part: &ExportedCase, name: String| match compare(part, &name) {
            Some(true) => found += 1,
            Some(false) => nothing += 1,
            None => {}
        };
        if let Some(system) = samples::diagram(seed, false) {
            add(&ExportedCase::stuck(system), format!("diagram {seed}"));
        }
        let Some(lowered) = samples::machines(seed, 2) else { continue };
        let stuck = ExportedCase::stuck(lowered.objects.system);
        add(&stuck, format!("machines {seed}"));
        if let Some(goal) = lowered.goal {
            add(&stuck.reaching(goal), format!("goal {seed}"));
        }
    }
    assert!(found > wanted / 6 && nothing > wanted / 2, "{found} found, {nothing} nothing");
}
