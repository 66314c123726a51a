//! Bounded questions as formulas: the same answer as the search, in DIMACS and back; a no comes with a proof that a checker of
//! our own accepts, and one that was tampered with it does not.

use std::ops::ControlFlow;
use std::path::PathBuf;

use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::Bounded;
use sequent_engine::sat::solver::{Literal, ProofFormat, Solver, SolverEffort, SolverOutcome};
use sequent_engine::sat::unroll::refutation::formula;
use sequent_kernel::random::Random;
use sequent_testing::lrat::refutes;
use sequent_testing::seeds::seeds;
use sequent_testing::systems::system;

use crate::systems::{TASTES, any_config, goal};

fn patient(_: SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A formula in DIMACS.
fn dimacs(variables: usize, clauses: &[Vec<i32>]) -> String {
    let line = |clause: &Vec<i32>| clause.iter().map(|one| format!("{one} ")).collect::<String>() + "0\n";
    format!("p cnf {variables} {}\n", clauses.len()) + &clauses.iter().map(line).collect::<String>()
}

/// The clauses of a text in DIMACS.
fn read(text: &str) -> (usize, Vec<Vec<i32>>) {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let header: Vec<&str> = lines.next().expect("a header").split_whitespace().collect();
    let numbers: Vec<i32> =
        lines.flat_map(str::split_whitespace).map(|word| word.parse().expect("a number")).collect();
    let mut clauses: Vec<Vec<i32>> = numbers.split(|one| *one == 0).map(<[i32]>::to_vec).collect();
    assert_eq!(clauses.pop(), Some(Vec::new()), "the last clause ends too");
    assert_eq!(header[3].parse(), Ok(clauses.len()));
    (header[2].parse().expect("a number"), clauses)
}

/// Solves a formula that is read from a file; the proof, if it has no model.
fn solve(name: &str, variables: usize, clauses: &[Vec<i32>], format: ProofFormat) -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let [question, proof] = ["cnf", "proof"].map(|end| folder.join(format!("{name}.{end}")));
    std::fs::write(&question, dimacs(variables, clauses)).expect("a folder for tests");
    let [question, proof] = [question, proof].map(|path| path.to_str().expect("a plain path").to_owned());
    let mut solver = Solver::of_file(&patient, &question, format, &proof).expect("files that are there");
    let outcome = solver.solve(&[], None);
    solver.close_proof();
    match outcome {
        SolverOutcome::Satisfiable => None,
        SolverOutcome::Unsatisfiable => Some(std::fs::read_to_string(&proof).expect("a proof")),
        SolverOutcome::Stopped => panic!("nobody broke it off"),
    }
}

/// Whether any assignment makes all clauses true.
fn has_model(variables: usize, clauses: &[Vec<i32>]) -> bool {
    let is_true = |bits: u32, one: i32| (bits >> (one.unsigned_abs() - 1) & 1 == 1) == (one > 0);
    (0..1_u32 << variables)
        .any(|bits| clauses.iter().all(|clause| clause.iter().any(|one| is_true(bits, *one))))
}

#[test]
fn tiny_formulas_have_models_or_proofs() {
    let (mut models, mut proofs) = (0, 0);
    for seed in seeds(150) {
        let mut dice = Random::new(seed);
        let variables = 3 + dice.below(4);
        let count = variables + dice.below(variables * 3);
        let literal = |dice: &mut Random| {
            let number = 1 + dice.below(variables) as i32;
            if dice.below(2) == 0 { number } else { -number }
        };
        let clauses: Vec<Vec<i32>> = (0..count)
            .map(|_| {
                let length = 1 + dice.below(3);
                (0..length).map(|_| literal(&mut dice)).collect()
            })
            .collect();
        assert_eq!(read(&dimacs(variables, &clauses)), (variables, clauses.clone()));
        match solve("tiny", variables, &clauses, ProofFormat::Lrat) {
            Some(proof) => {
                proofs += 1;
                assert!(!has_model(variables, &clauses));
                assert_eq!(refutes(&clauses, &proof), Ok(()), "seed {seed}\n{proof}");
            }
            None => {
                models += 1;
                assert!(has_model(variables, &clauses));
            }
        }
    }
    assert!(models > 20 && proofs > 20, "{models} models, {proofs} proofs");
}

#[test]
fn a_proof_that_was_tampered_with_is_refused() {
    // Of four pigeons in three holes two share one.
    let hole = |pigeon: i32, hole: i32| pigeon * 3 + hole + 1;
    let mut clauses: Vec<Vec<i32>> = (0..4).map(|one| (0..3).map(|at| hole(one, at)).collect()).collect();
    for at in 0..3 {
        for one in 0..4 {
            clauses.extend((0..one).map(|other| vec![-hole(one, at), -hole(other, at)]));
        }
    }
    let proof = solve("pigeons", 12, &clauses, ProofFormat::Lrat).expect("there is no room");
    assert_eq!(refutes(&clauses, &proof), Ok(()));
    let lines: Vec<&str> = proof.lines().collect();
    let additions: Vec<usize> = (0..lines.len()).filter(|at| !lines[*at].contains(" d ")).collect();
    // Without its last clause, nothing is proved.
    let short = lines[..additions[additions.len() - 1]].join("\n");
    assert!(refutes(&clauses, &short).is_err());
    // No clause is derived that does not follow: each literal that is turned round is found out, unless nobody needed it.
    let mut refused = 0;
    for at in &additions {
        let mut words: Vec<String> = lines[*at].split_whitespace().map(str::to_owned).collect();
        let Ok(literal) = words[1].parse::<i32>() else { continue };
        words[1] = (-literal).to_string();
        let changed: Vec<String> = (0..lines.len())
            .map(|line| if line == *at { words.join(" ") } else { lines[line].to_owned() })
            .collect();
        refused += usize::from(refutes(&clauses, &changed.join("\n")).is_err());
    }
    assert!(refused * 2 > additions.len(), "{refused} of {}", additions.len());
    // Nor does the proof fit another formula.
    assert!(refutes(&clauses[1..], &proof).is_err());
}

#[test]
fn drat_is_written_too() {
    let clauses = vec![vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]];
    let proof = solve("drat", 2, &clauses, ProofFormat::Drat).expect("all four are excluded");
    assert!(proof.lines().any(|line| line.trim() == "0"), "{proof}");
}

#[test]
fn bounded_questions_are_proved() {
    const MOST: usize = 6;
    let (mut found, mut proved) = (0, 0);
    for taste in TASTES {
        for seed in seeds(60) {
            let mut system = system(seed, taste);
            let config = any_config(&system, &mut Random::new(seed + 3));
            let goal = if seed % 2 == 0 { system.complete } else { goal(&mut system, &config) };
            let encoding = Encoding::new(&system, Pace::Single, &[goal]).expect("it is small");
            let goal = encoding.truth(goal).expect("it was named");
            let formula = formula(&encoding, goal, MOST);
            let number = |clause: &Vec<Literal>| clause.iter().map(|literal| literal.0).collect();
            let clauses: Vec<Vec<i32>> = formula.clauses.iter().map(number).collect();
            let proof = solve("bounded", formula.variables, &clauses, ProofFormat::Lrat);
            match (reach(&encoding, goal, MOST, &patient), proof) {
                (Bounded::Found(..), None) => found += 1,
                (Bounded::Nothing(_) | Bounded::Proved(_), Some(proof)) => {
                    proved += 1;
                    assert_eq!(refutes(&clauses, &proof), Ok(()), "seed {seed}");
                }
                (bounded, proof) => panic!("seed {seed}: {bounded:?}, {}", proof.is_some()),
            }
        }
    }
    assert!(found > 20 && proved > 20, "{found} found, {proved} proved");
}
