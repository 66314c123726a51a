//! Systems step by step: what is read back does the same, in traces, refusals and divergence.

use sequent_engine::refine::Model;
use sequent_kernel::system::{Node, System};
use sequent_report::export::Legend;
use sequent_report::export::cspm::{Draft, Subject, script};

use super::samples::{self, count};
use super::space::{Reading, refines};

/// Compares a system with what is written of it; whether it could be.
fn compare(system: &System, name: &str) -> bool {
    // Step by step nobody knows beforehand which runs guards rule out later.
    if *system.terms.node(system.void) != Node::Constant(0) {
        return false;
    }
    let subject = Subject { system, title: name, legend: &Legend::new(), note: &|_| String::new() };
    let Ok(exported) = Draft::steps(&subject).and_then(|draft| script(&[draft], &[])) else { return false };
    let Some(space) = Reading::new(&exported).space() else { return false };
    let other = space.system();
    for (one, two, which) in [(system, &other, "more"), (&other, system, "less")] {
        for model in [Model::Failures, Model::FailuresDivergences] {
            if let Some(found) = refines(one, two, model, true) {
                panic!("{name}: what is written does {which} in {model:?}: {found}\n{}", exported.text);
            }
        }
    }
    true
}

#[test]
fn random_diagrams_do_the_same() {
    let (mut compared, wanted) = (0, count(40));
    for seed in 0..wanted {
        let Some(system) = samples::diagram(seed, true) else { continue };
        compared += u64::from(compare(&system, &format!("diagram {seed}")));
    }
    assert!(compared > wanted / 3, "{compared}");
}

#[test]
fn random_machines_do_the_same() {
    let (mut compared, wanted) = (0, count(20));
    for seed in 0..wanted {
        let Some(lowered) = samples::machines(seed, 2) else { continue };
        compared += u64::from(compare(&lowered.objects.system, &format!("machines {seed}")));
    }
    assert!(compared > wanted / 2, "{compared}");
}
