//! Runs: how they are stepped, explained and drawn, over diagrams as people write them.

mod arguments;
mod draw;
mod objects;
mod simulate;
mod waiting;

use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::source::Sources;
use sequent_kernel::system::System;
use sequent_notation::{Context, resolve};

/// The first diagram of a text.
fn first() -> InteractionId {
    InteractionId::from_index(0)
}

/// What a text says.
fn read(text: &str) -> (Sources, Model) {
    let mut sources = Sources::new();
    let file = sources.add(if text.starts_with("sequenceDiagram") { "case.mmd" } else { "case.puml" }, text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    assert!(diagnostics.is_empty() && problems.is_empty(), "{diagnostics:?} {problems:?} in\n{text}");
    (sources, model)
}

/// What it means.
fn lowered(text: &str, assumptions: &Assumptions) -> System {
    lower(&read(text).1, first(), assumptions).expect("every construct is lowered")
}
