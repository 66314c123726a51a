//! Proofs behind verdicts, written into a directory.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use sequent_engine::sat::solver::{ProofFormat, Solver, SolverOutcome};
use sequent_kernel::verdict::Answer;

use crate::output;

/// Writes the proofs behind verdicts: what is claimed and the invariant, and the questions that check it; a bounded question that
/// has no model in DIMACS, and the proof of that in LRAT.
pub(crate) fn save(answers: &[Answer], folder: &Path) -> Result<(), String> {
    let mut count = 0;
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for answer in answers {
        let (proof, formula) = (answer.verdict.proof(), &answer.details.formula);
        if proof.is_none() && formula.is_none() {
            continue;
        }
        count += 1;
        let target = answer.target.as_deref().unwrap_or_default();
        let name = file_name(&format!("{target}: {}", answer.name), &mut taken);
        if let Some(proof) = proof {
            let claim = format!("{} {}: {target}: {}", answer.verdict.name(), proof.words, answer.name);
            let text = format!("{claim}\n\n{}\n", proof.invariant.join("\n"));
            output::write(&folder.join(format!("{name}.txt")), text.as_bytes())?;
            if !proof.smt.is_empty() {
                output::write(&folder.join(format!("{name}.smt2")), proof.smt.as_bytes())?;
            }
        }
        if let Some(formula) = formula {
            refute(formula, folder, &name)?;
        }
    }
    let folder = folder.display();
    output::complain(&match count {
        0 => "no proof is written: what was answered by runs or by visiting all states needs none; `--engine ic3` writes invariants".to_owned(),
        1 => format!("the proof of one answer is in {folder}"),
        many => format!("the proofs of {many} answers are in {folder}"),
    });
    Ok(())
}

/// Writes a formula, and lets a solver that has not seen it before write down why it has no model.
fn refute(formula: &str, folder: &Path, name: &str) -> Result<(), String> {
    let [question, proof] = ["cnf", "lrat"].map(|ending| folder.join(format!("{name}.{ending}")));
    output::write(&question, formula.as_bytes())?;
    let [question, proof] = [question, proof].map(|path| path.display().to_string());
    let patience = |_| ControlFlow::Continue(());
    let mut solver = Solver::of_file(&patience, &question, ProofFormat::Lrat, &proof)?;
    let outcome = solver.solve(&[], None);
    solver.close_proof();
    match outcome {
        SolverOutcome::Unsatisfiable => Ok(()),
        SolverOutcome::Satisfiable | SolverOutcome::Stopped => {
            Err(format!("{question} has a model, which contradicts the answer: a fault of this program"))
        }
    }
}

/// A name that is fine for a file, not too long, and not taken yet.
pub(crate) fn file_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let plain = words.collect::<Vec<_>>().join("-");
    let plain = output::cut_name(&plain);
    let mut name = plain.to_owned();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{plain}-{number}");
    }
    name
}
