//! Lifelines as processes have the traces of the diagram: what SPIN comes across, and what the engine lists.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::templates::cut;
use sequent_report::export::promela::{PromelaLifelines, UnfoldedDiagram, recorded};

use super::at_hand;
use super::opinion::traces::{self, listed};
use super::patience::ToolPatience;
use super::program::{Failure, find, run};
use super::samples::{Omitted, random};
use super::spin::SpinPrograms;

/// Diagrams with more traces than this are not compared.
const MOST: usize = 300;

/// The traces that a verifier prints.
fn printed(
    tool: &SpinPrograms,
    made: &PromelaLifelines,
    name: &str,
    until: Option<Instant>,
) -> Result<BTreeSet<Vec<String>>, Failure> {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("traces-{}", name.replace(['/', ' '], "-")));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("model.pml"), &made.text).expect("a file can be written");
    let spin = find("spin").expect("it was there before");
    let said = run(&folder, &spin, &["-a", "-o2", "model.pml"], until)?;
    let _ = std::fs::remove_file(folder.join("pan"));
    let flags = ["-w", "-DNOREDUCE", "-DSAFETY", "-DVECTORSZ=8192", "-o", "pan", "pan.c"];
    let compiled = run(&folder, &tool.compiler, &flags, until)?;
    assert!(folder.join("pan").is_file(), "{name}: {said}{compiled}\n{}", made.text);
    let out = run(&folder, &folder.join("pan"), &["-c0", "-m100000", "-w20"], until)?;
    let _ = std::fs::remove_dir_all(&folder);
    // Runs that get stuck are errors, and no traces.
    assert!(out.contains("errors: ") && !out.contains("not completed"), "{name}: {out}\n{}", made.text);
    let trace = |line: &str| -> Vec<String> {
        line.split_whitespace()
            .skip(1)
            .map(|word| made.events[word.parse::<usize>().expect("a number")].clone())
            .collect()
    };
    Ok(out.lines().filter(|line| line.starts_with("TRACE")).map(trace).collect())
}

/// Compares a diagram; why not, if it could not be.
fn compare(
    (tool, patience): (&SpinPrograms, &ToolPatience),
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
    name: &str,
) -> Result<(), Omitted> {
    let (model, _) = cut(model, id, 1);
    let at = |_| String::new();
    let diagram = UnfoldedDiagram { model: &model, id, assumptions, at: &at };
    let made = recorded(&diagram).map_err(|unwritten| unwritten.0)?;
    let listed = listed(&model, id, assumptions, MOST)?;
    let printed = patience.ask(name, |until| printed(tool, &made, name, until))?;
    assert_eq!(printed, listed, "{name}\n{}", made.text);
    Ok(())
}

#[test]
fn random_diagrams_have_the_same_traces() {
    let Some(tool) = at_hand() else { return };
    // Every other with switches and fixed guards.
    let assume = |seed: u64| match seed % 2 {
        0 => Assumptions::default(),
        _ => random::assumptions(seed),
    };
    let asked = (&tool, &ToolPatience::default());
    let compare = |model: &_, id, assumptions: &_, name: &_| compare(asked, model, id, assumptions, name);
    traces::random(&compare, &assume, 2);
}

#[test]
fn examples_have_the_same_traces() {
    let Some(tool) = at_hand() else { return };
    let asked = (&tool, &ToolPatience::default());
    let compare = |model: &_, id, assumptions: &_, name: &_| compare(asked, model, id, assumptions, name);
    traces::examples(&compare, 5);
}
