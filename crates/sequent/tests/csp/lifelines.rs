//! Diagrams by their lifelines: what is read back has the traces and refusals of the diagram.

use std::collections::BTreeMap;

use sequent_engine::refine::Model as By;
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::templates::cut;
use sequent_report::export::cspm::{Diagram, lifelines};

use super::space::{Reading, refines};
use super::{cases, count, random};

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
    let (mut compared, wanted) = (0, count(60));
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..wanted {
        match compare(&random::model(seed), InteractionId::from_index(0), &format!("seed {seed}")) {
            Ok(()) => compared += 1,
            Err(reason) => *reasons.entry(reason).or_default() += 1,
        }
    }
    assert!(compared > wanted / 3, "{compared} of {wanted}; {reasons:#?}");
}

#[test]
fn examples_do_the_same() {
    let is_more = std::env::var_os("SEQUENT_RANDOM").is_some();
    let mut compared = 0;
    for case in cases::all().iter().filter(|case| is_more || case.name.starts_with("projects")) {
        let session = cases::read(case);
        let model = &session.reading.model;
        for id in model.interactions.ids() {
            let name = format!("{} {}", case.name, id.index());
            compared += usize::from(compare(model, id, &name).is_ok());
        }
    }
    assert!(compared > 5, "{compared}");
}
