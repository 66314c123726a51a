//! Proofs that are written out: an SMT-LIB script is read back and each of its questions solved; a bounded question in DIMACS
//! has the answer of the search.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sequent::certificate::{dimacs, invariant};
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::{ExclusionReason, UnboundedOutcome};
use sequent_engine::sat::prove::ic3;
use sequent_engine::sat::solver::{Literal, Solver, SolverEffort, SolverOutcome};
use sequent_engine::sat::unroll::refutation::formula;
use sequent_evaluation::generate::{EnsembleInstance, EnsembleQuestion, LoweredInstance, crafted};
use sequent_report::export::{invariant_lines, invariant_smt, invariant_text};

fn patient(_: SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The philosophers, and a goal that names a state of the first two machines.
fn philosophers(first: usize, second: usize) -> LoweredInstance {
    let ensemble = crafted::philosophers(3);
    let players: Vec<_> = ensemble.players.ids().take(2).collect();
    let state = |player: usize, index: usize| {
        let id = players[player];
        (id, ensemble.plain(id).states.ids().nth(index).expect("it has so many"))
    };
    let spots = vec![state(0, first), state(1, second)];
    EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(spots), within: None }
        .lower()
        .expect("it is small")
}

/// An expression of SMT-LIB.
enum Expression {
    Symbol(String),
    List(Vec<Expression>),
}

fn read(text: &str) -> Vec<Expression> {
    let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '|' => rest[1..].find('|').expect("a quoted symbol ends") + 2,
            '(' | ')' => 1,
            _ if first.is_whitespace() => first.len_utf8(),
            _ => rest.find(|one: char| one.is_whitespace() || "()".contains(one)).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        match first {
            '(' => open.push(Vec::new()),
            ')' => {
                let list = open.pop().expect("brackets match");
                open.last_mut().expect("brackets match").push(Expression::List(list));
            }
            ';' => {}
            _ if first.is_whitespace() => {}
            _ => open.last_mut().expect("the outermost").push(Expression::Symbol(word.to_owned())),
        }
        rest = after;
    }
    assert_eq!(open.len(), 1, "brackets match");
    open.remove(0)
}

/// A solver for the part of SMT-LIB that is written: constants, `not`, `or`, push and pop.
#[derive(Default)]
struct Script {
    constants: BTreeMap<String, usize>,
    levels: Vec<Vec<Expression>>,
    answers: Vec<SolverOutcome>,
}

impl Script {
    fn run(text: &str) -> Vec<SolverOutcome> {
        let mut script = Script { levels: vec![Vec::new()], ..Script::default() };
        for command in read(text) {
            let Expression::List(mut parts) = command else { panic!("a command is a list") };
            let Expression::Symbol(name) = parts.remove(0) else { panic!("a command has a name") };
            match name.as_str() {
                "set-logic" => {}
                "declare-const" => {
                    let Expression::Symbol(constant) = parts.remove(0) else { panic!("it has a name") };
                    let number = script.constants.len() + 1;
                    assert_eq!(script.constants.insert(constant, number), None, "declared once");
                }
                "push" => script.levels.push(Vec::new()),
                "pop" => drop(script.levels.pop()),
                "assert" => script.levels.last_mut().expect("a level").push(parts.remove(0)),
                "check-sat" => script.check(),
                other => panic!("{other} is not expected"),
            }
        }
        script.answers
    }

    fn check(&mut self) {
        let mut solver = Solver::new(&patient);
        solver.variables(self.constants.len());
        for expression in self.levels.iter().flatten() {
            let literal = self.literal(expression, &mut solver);
            solver.add([literal]);
        }
        self.answers.push(solver.solve(&[], None));
    }

    fn literal(&self, expression: &Expression, solver: &mut Solver<'_>) -> Literal {
        let parts = match expression {
            Expression::Symbol(name) if name == "false" => return Literal::constant(false),
            Expression::Symbol(name) => return Literal(self.constants[name] as i32),
            Expression::List(parts) => parts,
        };
        let Expression::Symbol(operator) = &parts[0] else { panic!("an operator has a name") };
        let literals: Vec<Literal> = parts[1..].iter().map(|part| self.literal(part, solver)).collect();
        match operator.as_str() {
            "not" => !literals[0],
            "or" => {
                let any = solver.variable();
                solver.add(literals.iter().copied().chain([!any]));
                literals.iter().for_each(|literal| solver.add([!*literal, any]));
                any
            }
            other => panic!("{other} is not expected"),
        }
    }
}

#[test]
fn an_invariant_can_be_checked_elsewhere() {
    // Two neighbours never eat at once.
    let LoweredInstance { objects, goal, .. } = philosophers(2, 2);
    let goal = goal.expect("it is a goal");
    let encoding = Encoding::new(&objects.system, Pace::Single, &[goal]).expect("it is small");
    let literal = encoding.truth(goal).expect("it was named");
    let UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)) =
        ic3::prove(&encoding, literal, &patient).0
    else {
        panic!("they share a fork")
    };
    let written = invariant(&encoding, literal, &clauses, &|_, _| None).expect("the goal is no constant");
    assert_eq!(Script::run(&invariant_smt(&written)), [SolverOutcome::Unsatisfiable; 3]);
    let text = invariant_text(&written);
    assert_eq!(text.lines().count(), clauses.len() + 2);
    assert_eq!(invariant_lines(&written).len(), clauses.len());
    assert!(text.contains(" != ") && !text.contains("nothing"), "{text}");
    // What is no invariant is found out: without all but the goal a step leads there.
    let mut weaker = written.clone();
    weaker.clauses = vec![vec![-written.goal]];
    let answers = Script::run(&invariant_smt(&weaker));
    assert_eq!(
        answers,
        [SolverOutcome::Unsatisfiable, SolverOutcome::Satisfiable, SolverOutcome::Unsatisfiable]
    );
    weaker.clauses.clear();
    let answers = Script::run(&invariant_smt(&weaker));
    assert_eq!(
        answers,
        [SolverOutcome::Unsatisfiable, SolverOutcome::Unsatisfiable, SolverOutcome::Satisfiable]
    );
}

#[test]
fn a_bounded_question_is_a_file() {
    for (first, second, most, expected) in [
        (2, 2, 6, SolverOutcome::Unsatisfiable),
        (2, 0, 2, SolverOutcome::Unsatisfiable),
        (2, 0, 12, SolverOutcome::Satisfiable),
    ] {
        let LoweredInstance { objects, goal, .. } = philosophers(first, second);
        let goal = goal.expect("it is a goal");
        let encoding = Encoding::new(&objects.system, Pace::Single, &[goal]).expect("it is small");
        let literal = encoding.truth(goal).expect("it was named");
        let formula = formula(&encoding, literal, most);
        let text = dimacs("whether somebody eats", &formula);
        let numbers =
            text.lines().filter(|line| !line.starts_with(['c', 'p'])).flat_map(str::split_whitespace);
        let mut solver = Solver::new(&patient);
        solver.variables(formula.variables);
        let mut count = 0;
        let mut clause = Vec::new();
        for number in numbers {
            match number.parse().expect("a number") {
                0 => {
                    assert_eq!(clause, formula.clauses[count]);
                    solver.add(clause.drain(..));
                    count += 1;
                }
                number => clause.push(Literal(number)),
            }
        }
        assert!(text.contains(&format!("p cnf {} {count}\n", formula.variables)));
        assert_eq!(solver.solve(&[], None), expected, "{first} {second} within {most}");
    }
}
