//! P4's evaluation: the solvers agree with each other, and with what is printed about the crafted models.

use std::ops::ControlFlow;

use sequent_engine::sat::solver::{Literal, Solver as Cadical, SolverOutcome};
use sequent_evaluation::generate::EnsembleInstance;
use sequent_evaluation::generate::crafted::Crafted;
use sequent_evaluation::thesis::merges;
use sequent_evaluation::thesis::{
    BOUNDS, Explicit, InstanceSolver, SatSolver, Solution, SummaryRow, ThesisOptions, ThesisTable, clauses,
    run,
};

/// Time stands still: nothing is given up.
fn clock() -> u64 {
    0
}

fn few() -> ThesisOptions {
    ThesisOptions { instances: 6, seed: 5, bounds: BOUNDS.to_vec() }
}

/// The instances of the columns that are asked within a few transactions.
fn instances(table: ThesisTable, options: &ThesisOptions, most: u32) -> Vec<EnsembleInstance> {
    let columns = table.columns(options);
    let all = columns.iter().flat_map(|column| (0..column.instances).map(|number| column.instance(number)));
    let is_small = |instance: &EnsembleInstance| instance.ensemble.players.len() <= 6;
    all.filter(|instance| instance.within.is_some_and(|within| within <= most) && is_small(instance))
        .collect()
}

fn builtin(instance: &EnsembleInstance) -> Solution {
    SatSolver { clock: &clock, patience: u64::MAX }.solve(instance)
}

fn explicit(instance: &EnsembleInstance) -> Solution {
    Explicit { clock: &clock, patience: u64::MAX }.solve(instance)
}

#[test]
fn solvers_agree() {
    let (mut yes, mut no) = (0, 0);
    for table in ThesisTable::ALL {
        for instance in instances(table, &few(), 3) {
            let (ours, theirs) = (builtin(&instance), explicit(&instance));
            assert!(ours.verdict.is_some(), "{table:?} {instance:?}");
            assert_eq!(ours.verdict, theirs.verdict, "{table:?} {instance:?}");
            if theirs.length.is_some() {
                assert_eq!(ours.length, theirs.length, "{table:?} {instance:?}");
            }
            assert_eq!(ours.removed, theirs.removed, "{table:?} {instance:?}");
            *if ours.verdict == Some(true) { &mut yes } else { &mut no } += 1;
        }
    }
    assert!(yes > 20 && no > 20, "{yes} {no}");
}

/// Clauses for other solvers are satisfiable if and only if the goal is reached, or the scenario possible.
#[test]
fn clauses_say_the_same() {
    let mut seen = [0, 0];
    for table in ThesisTable::ALL {
        for instance in instances(table, &few(), 3) {
            let clauses = clauses(&instance).expect("it has a bound");
            let text = clauses.dimacs();
            let mut lines = text.lines();
            assert!(lines.next().is_some_and(|line| line.starts_with("p cnf ")));
            let patience = |_| ControlFlow::Continue(());
            let mut solver = Cadical::new(&patience);
            solver.variables(clauses.variables);
            for line in lines {
                let numbers = line.split(' ').map(|word| word.parse().expect("a literal"));
                solver.add(numbers.take_while(|number| *number != 0).map(Literal));
            }
            let is_satisfiable = solver.solve(&[], None) == SolverOutcome::Satisfiable;
            assert_eq!(Some(is_satisfiable), explicit(&instance).verdict, "{instance:?}");
            seen[usize::from(is_satisfiable)] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

/// Numbers of goals that are reached and that are not, as printed; of Mail for k >= 15 only (docs/generate.md).
#[test]
fn as_many_goals_as_printed() {
    let options = ThesisOptions { instances: 1_000, seed: 1, bounds: BOUNDS.to_vec() };
    for (model, least) in [(Crafted::Coffee, 3), (Crafted::Mail, 15)] {
        let table = ThesisTable::Goals(model);
        let report = run(table, &options, &Explicit { clock: &clock, patience: u64::MAX }, &mut |_, _| {});
        for (at, column) in report.columns.iter().enumerate() {
            let k: u32 = column.heads[1].1.parse().expect("a number");
            if k < least {
                continue;
            }
            let here = |row| report.summaries[at].text(row).and_then(|text| text.parse::<usize>().ok());
            let there = |row| report.printed(row, at).and_then(|text| text.parse::<usize>().ok());
            assert_eq!(here(SummaryRow::Yes), there(SummaryRow::Yes), "{model:?} {:?}", column.heads);
            // What they gave up is decided here.
            let given_up = there(SummaryRow::Timeout).unwrap_or(0);
            assert_eq!(
                here(SummaryRow::No),
                there(SummaryRow::No).map(|no| no + given_up),
                "{model:?} {:?}",
                column.heads
            );
        }
        let text = report.text();
        assert!(
            text.starts_with(&format!("Table {}: goals of {}\n", table.number(), model.word())),
            "{text}"
        );
    }
}

/// Tables 5.6.1 to 5.6.3: as many merges as printed, whichever lifelines have machines, by either engine.
#[test]
fn merges_are_as_many_as_printed() {
    for model in Crafted::ALL {
        for done in merges::run(model, &clock) {
            let many = (1_001_u32.into()..).contains(&done.count).then(|| ">1000".to_owned());
            let count = many.unwrap_or_else(|| done.count.to_string());
            assert_eq!(count, done.printed, "{model:?} {done:?}");
            assert!(done.is_agreed, "{model:?} {done:?}");
        }
    }
}
