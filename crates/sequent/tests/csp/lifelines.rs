//! Diagrams by their lifelines: what is read back has the traces and refusals of the diagram.

use std::collections::BTreeMap;

use sequent_engine::refine::Model as By;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::templates::cut;
use sequent_report::export::cspm::{Diagram, lifelines};

use super::opinion::traces;
use super::space::{Reading, refines};

/// Compares a diagram; why it could not be.
fn compare(model: &Model, id: InteractionId, name: &str) -> Result<(), String> {
    let (model, _) = cut(model, id, 1);
    let fixed = BTreeMap::new();
    let diagram = Diagram { model: &model, id, fixed: &fixed, at: &|_| "here".to_owned() };
    let exported = lifelines(&[diagram], &[]);
    let exported = exported.map_err(|unwritten| unwritten.0)?;
    let assumptions = Assumptions { without_negatives: true, ..Assumptions::default() };
    let system = lower(&model, id, &assumptions).map_err(|unsupported| unsupported.what)?;
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
    traces::random(&|model, id, _, name| compare(model, id, name), &|_| Assumptions::default(), 1);
}

#[test]
fn examples_do_the_same() {
    traces::examples(&|model, id, _, name| compare(model, id, name), 5);
}
