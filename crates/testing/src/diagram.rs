//! Diagrams in tests, written as users write them.

use sequent_kernel::diagnostic::Code;
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::source::Sources;
use sequent_kernel::system::System;
use sequent_notation::{Context, resolve};

/// The system of a PlantUML text.
pub fn system(text: &str) -> System {
    lower(&model(text), InteractionId::from_index(0), &Assumptions::default())
        .expect("every construct is lowered")
}

/// What a PlantUML text says.
pub fn model(text: &str) -> Model {
    let mut sources = Sources::new();
    let file = sources.add("diagram.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    let (model, mut problems) = resolve::resolve(&[document], &sources);
    // Transitions out of a region are read, though PlantUML does not draw them; and loops that never run.
    problems.retain(|problem| !matches!(problem.code, Code::Tolerated | Code::LoopBounds));
    assert!(diagnostics.is_empty() && problems.is_empty(), "{diagnostics:?} {problems:?}");
    model
}
