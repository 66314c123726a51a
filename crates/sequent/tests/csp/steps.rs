//! Systems step by step: what is read back does the same, in traces, refusals and divergence.

use sequent_engine::packed::Program;
use sequent_engine::refine::RefinementModel;
use sequent_engine::search::{Limits, Reduction, Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_kernel::system::{System, TermNode};
use sequent_report::export::Legend;
use sequent_report::export::cspm::{ScriptDraft, WrittenSubject, ask, script};
use sequent_testing::seeds::seeds;

use super::samples;
use super::space::{Reading, refines};

/// Compares a system with what is written of it; whether it could be.
fn compare(system: &System, name: &str) -> bool {
    // Step by step nobody knows beforehand which runs guards rule out later.
    if *system.terms.node(system.void) != TermNode::Constant(0) {
        return false;
    }
    let subject = WrittenSubject { system, title: name, legend: &Legend::new(), note: &|_| String::new() };
    let Ok(exported) = ScriptDraft::steps(&subject).and_then(|draft| script(&[draft], &[])) else {
        return false;
    };
    let Some(space) = Reading::new(&exported).space() else { return false };
    let other = space.system();
    for (one, two, which) in [(system, &other, "more"), (&other, system, "less")] {
        for model in [RefinementModel::Failures, RefinementModel::FailuresDivergences] {
            if let Some(found) = refines(one, two, model, true) {
                panic!("{name}: what is written does {which} in {model:?}: {found}\n{}", exported.text);
            }
        }
    }
    true
}

/// Whether some run gets stuck, as a search of the system says; runs that guards rule out later do not count.
fn gets_stuck(system: &System) -> bool {
    let program = Program::new(system);
    let options = SearchOptions { reduction: Reduction::None, limits: Limits::default(), threads: 1 };
    match Search::run(&program, SearchGoal::Stuck, &options, &unwatched).answer {
        SearchAnswer::Found(_) => true,
        SearchAnswer::Exhausted => false,
        SearchAnswer::Stopped(stop) => panic!("{stop:?}"),
    }
}

#[test]
fn they_get_stuck_where_they_do() {
    let (mut compared, mut ruled_out) = ([0; 2], 0);
    let diagrams = seeds(60).map(|seed| (format!("diagram {seed}"), samples::diagram(seed, true)));
    let machines = seeds(30).map(|seed| {
        (format!("machines {seed}"), samples::machines(seed, 2).map(|lowered| lowered.objects.system))
    });
    for (name, system) in diagrams.chain(machines) {
        let Some(system) = system else { continue };
        let subject = WrittenSubject {
            system: &system,
            title: &name,
            legend: &Legend::new(),
            note: &|_| String::new(),
        };
        let Ok(mut exported) = ScriptDraft::steps(&subject).and_then(|draft| script(&[draft], &[])) else {
            continue;
        };
        ask(&mut exported, 1, &[]);
        let reading = Reading::new(&exported);
        if !reading.is_small() {
            continue;
        }
        let is_stuck = gets_stuck(&system);
        assert_eq!(reading.claims(), [!is_stuck], "{name}\n{}", exported.text);
        compared[usize::from(is_stuck)] += 1;
        ruled_out += usize::from(*system.terms.node(system.void) != TermNode::Constant(0));
    }
    eprintln!("{compared:?} {ruled_out}");
    assert!(compared.iter().all(|times| *times > 2) && ruled_out > 5, "{compared:?} {ruled_out}");
}

#[test]
fn random_diagrams_do_the_same() {
    let seeds = seeds(40);
    let (mut compared, wanted) = (0, seeds.count_left());
    for seed in seeds {
        let Some(system) = samples::diagram(seed, true) else { continue };
        compared += u64::from(compare(&system, &format!("diagram {seed}")));
    }
    assert!(compared > wanted / 3, "{compared}");
}

#[test]
fn random_machines_do_the_same() {
    let seeds = seeds(20);
    let (mut compared, wanted) = (0, seeds.count_left());
    for seed in seeds {
        let Some(lowered) = samples::machines(seed, 2) else { continue };
        compared += u64::from(compare(&lowered.objects.system, &format!("machines {seed}")));
    }
    assert!(compared > wanted / 2, "{compared}");
}
