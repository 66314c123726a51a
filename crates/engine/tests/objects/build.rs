//! Systems of tests: a model read from text, and who exists in it.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{Communication, MachineId, Model, Scheduling, Steps};
use sequent_kernel::semantics::objects::{Instance, InstanceId, Structure};
use sequent_kernel::source::{FileId, Place, Sources, Span};
use sequent_notation::{Context, resolve};

/// A place that says nothing.
pub(crate) fn place() -> Place {
    Place(Span::new(FileId::from_index(0), 0, 0))
}

/// What a PlantUML text says. Warnings are fine: PlantUML does not draw transitions out of the second region of a state.
pub(crate) fn model(text: &str) -> Model {
    read(text).expect("it has no errors")
}

/// The same; `None` if it has errors.
pub(crate) fn read(text: &str) -> Option<Model> {
    let mut sources = Sources::new();
    let file = sources.add("diagram.puml", text);
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    let (model, problems) = resolve::resolve(&[document], &sources);
    let is_error = |problem: &&Diagnostic| problem.severity == Severity::Error;
    diagnostics.iter().chain(&problems).find(is_error).is_none().then_some(model)
}

/// Objects by name and class, and who is linked to whom; without links everybody to everybody.
pub(crate) fn structure(model: &Model, objects: &[(&str, &str)], links: &[(&str, &str)]) -> Structure {
    let machine = |class: &str| -> Option<MachineId> {
        let is_it = |name: &str| name.eq_ignore_ascii_case(class);
        let mut machines = model.machines.enumerate();
        machines.find(|(_, one)| is_it(one.class.as_ref().unwrap_or(&one.name))).map(|(id, _)| id)
    };
    let instance = |(name, class): &(&str, &str)| Instance {
        name: (*name).to_owned(),
        class: Some((*class).to_owned()),
        kinds: vec![class.to_lowercase()],
        machine: machine(class),
        values: Vec::new(),
        place: place(),
    };
    let objects: IdVec<InstanceId, Instance> = objects.iter().map(instance).collect();
    let id = |name: &str| objects.enumerate().find(|(_, one)| one.name == name).expect("it exists").0;
    let mut neighbours: BTreeMap<InstanceId, BTreeSet<InstanceId>> = BTreeMap::new();
    for (one, other) in links {
        neighbours.entry(id(one)).or_default().insert(id(other));
        neighbours.entry(id(other)).or_default().insert(id(one));
    }
    Structure { objects, links: neighbours, is_listed: true, ..Structure::default() }
}

/// The same system with another medium.
pub(crate) fn with(model: &Model, communication: Communication, capacity: u32, steps: Steps) -> Model {
    let mut model = model.clone();
    model.system.communication = Some(communication);
    model.system.capacity = Some(capacity);
    model.system.steps = Some(steps);
    // The naive interpreter follows all infinite runs.
    model.system.fairness = Some(Scheduling::Unfair);
    model
}
