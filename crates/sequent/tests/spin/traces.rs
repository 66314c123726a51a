//! Lifelines as processes have the traces of the diagram: what SPIN comes across, and what the engine lists.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sequent_engine::traces::{Limits, Traces};
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::Class;
use sequent_kernel::templates::{cut, plain};
use sequent_report::export::promela::{Diagram, Lifelines, lifelines};

use super::program::{find, run};
use super::spin::Spin;
use super::{at_hand, cases, count, random};

/// Diagrams with more traces than this are not compared.
const MOST: usize = 300;

/// The traces that a verifier prints.
fn printed(tool: &Spin, made: &Lifelines, name: &str) -> BTreeSet<Vec<String>> {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("traces-{}", name.replace(['/', ' '], "-")));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("model.pml"), &made.text).expect("a file can be written");
    let spin = find("spin").expect("it was there before");
    let said = run(&folder, &spin, &["-a", "-o2", "model.pml"], None).expect("it runs");
    let _ = std::fs::remove_file(folder.join("pan"));
    let flags = ["-w", "-DNOREDUCE", "-DSAFETY", "-DVECTORSZ=8192", "-o", "pan", "pan.c"];
    let compiled = run(&folder, &tool.compiler, &flags, None).expect("it runs");
    assert!(folder.join("pan").is_file(), "{name}: {said}{compiled}\n{}", made.text);
    let out = run(&folder, &folder.join("pan"), &["-c0", "-m100000", "-w20"], None).expect("it runs");
    let _ = std::fs::remove_dir_all(&folder);
    // Runs that get stuck are errors, and no traces.
    assert!(out.contains("errors: ") && !out.contains("not completed"), "{name}: {out}\n{}", made.text);
    let trace = |line: &str| -> Vec<String> {
        line.split_whitespace()
            .skip(1)
            .map(|word| made.events[word.parse::<usize>().expect("a number")].clone())
            .collect()
    };
    out.lines().filter(|line| line.starts_with("TRACE")).map(trace).collect()
}

/// The valid traces that the engine lists, if they are few.
fn listed(model: &Model, id: InteractionId, assumptions: &Assumptions) -> Option<BTreeSet<Vec<String>>> {
    // What runs are worth is not asked.
    let assumptions = Assumptions { without_negatives: true, ..plain(assumptions) };
    let system = lower(model, id, &assumptions).ok()?;
    let traces = Traces::explore(&system, Limits::default()).ok()?;
    let (list, is_complete) = traces.list_of(Class::Valid, MOST);
    let list = list.into_iter().map(|trace| trace.into_iter().map(str::to_owned).collect());
    is_complete.then(|| list.collect())
}

/// Compares a diagram; whether it could be.
fn compare(
    tool: &Spin,
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    name: &str,
) -> Result<(), String> {
    let (model, _) = cut(model, id, 1);
    let at = |_| String::new();
    let diagram = Diagram { model: &model, id, assumptions, at: &at, claims: &[], is_recorded: true };
    let made = lifelines(&diagram).map_err(|unwritten| unwritten.0)?;
    let listed = listed(&model, id, assumptions).ok_or("too many traces")?;
    let printed = printed(tool, &made, name);
    assert_eq!(printed, listed, "{name}\n{}", made.text);
    Ok(())
}

#[test]
fn random_diagrams_have_the_same_traces() {
    let Some(tool) = at_hand() else { return };
    let (mut compared, wanted) = (0, count(60));
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..wanted {
        // Every other with switches and fixed guards.
        let assumptions = match seed % 2 {
            0 => Assumptions::default(),
            _ => random::assumptions(seed),
        };
        let (model, id) = (random::model(seed), InteractionId::from_index(0));
        match compare(&tool, &model, id, &assumptions, &format!("seed {seed}")) {
            Ok(()) => compared += 1,
            Err(reason) => *reasons.entry(reason).or_default() += 1,
        }
    }
    eprintln!("{compared} of {wanted} are compared; {reasons:#?}");
    assert!(compared > wanted * 2 / 3, "{compared} of {wanted}; {reasons:#?}");
}

#[test]
fn examples_have_the_same_traces() {
    let Some(tool) = at_hand() else { return };
    let is_more = std::env::var_os("SEQUENT_RANDOM").is_some();
    let mut compared = 0;
    for case in cases::all().iter().filter(|case| is_more || case.name.starts_with("projects")) {
        let session = cases::read(case);
        let model = &session.reading.model;
        for id in model.interactions.ids() {
            let name = format!("{} {}", case.name, id.index());
            compared += usize::from(compare(&tool, model, id, &Assumptions::default(), &name).is_ok());
        }
    }
    assert!(compared > 5, "{compared}");
}
