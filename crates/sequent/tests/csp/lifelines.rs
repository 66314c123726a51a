//! Diagrams by their lifelines: what is read back has the traces and refusals of the diagram.

use sequent_engine::refine::Model as By;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::templates::{cut, plain, unfold};
use sequent_report::export::cspm::{Diagram, lifelines};

use super::opinion::traces;
use super::samples::{Omitted, random};
use super::space::{Reading, refines};

/// Compares a diagram; why it could not be.
fn compare(model: &Model, id: InteractionId, assumptions: &Assumptions, name: &str) -> Result<(), Omitted> {
    let (model, _) = cut(model, id, 1);
    let diagram = Diagram { model: &model, id, assumptions, at: &|_| "here".to_owned() };
    let exported = lifelines(&[diagram], &[]);
    let exported = exported.map_err(|unwritten| unwritten.0)?;
    let assumptions = Assumptions { without_negatives: true, ..plain(assumptions) };
    let system = lower(&model, id, &assumptions).map_err(|unsupported| unsupported.what)?;
    if unfold(&model, id, &assumptions).is_ok_and(|tree| tree.is_contradictory()) {
        // A script has no word for a process that has not even an empty run.
        assert!(traces::listed(&model, id, &assumptions, 1)?.is_empty(), "{name}: there is a run");
        return Err("its guards contradict each other".into());
    }
    let space = Reading::new(&exported).space().ok_or("too many states")?;
    let other = space.system();
    for (one, two, which) in [(&system, &other, "more"), (&other, &system, "less")] {
        if let Some(found) = refines(one, two, By::Failures, true) {
            panic!("{name}: what is written does {which}: {found}\n{}", exported.text);
        }
    }
    Ok(())
}

#[test]
fn random_diagrams_do_the_same() {
    // Every other with switches and fixed guards.
    let assume = |seed: u64| match seed % 2 {
        0 => Assumptions::default(),
        _ => random::assumptions(seed),
    };
    traces::random(&compare, &assume, 2);
}

#[test]
fn examples_do_the_same() {
    traces::examples(&compare, 5);
}
