//! Models that are written and read again are the same.

use std::path::PathBuf;

use sequent_kernel::model::{Class, Machine, Model, Transition, VertexId, VertexKind};
use sequent_notation::plantuml::print;
use sequent_notation::{label, xmi};
use sequent_testing::corpus::corpus;
use sequent_testing::{cases, diagram};

use crate::samples;

fn again(model: &Model) -> (String, Model) {
    let text = xmi::print::model(model, "model");
    let sample = samples::read_bytes(&PathBuf::from("again.uml"), text.as_bytes());
    assert_eq!(sample.refused.len(), 0, "{text}");
    (text, sample.model)
}

#[test]
fn written_models_read_as_the_same() {
    let Some(corpus) = corpus() else { return };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus.join("xmi"))
        .expect("models")
        .map(|one| one.expect("entry").path())
        .collect();
    paths.sort();
    let mut differing = Vec::new();
    for path in paths.into_iter().filter(|path| xmi::has_ending(&path.to_string_lossy())) {
        let model = samples::read(&path).model;
        let (text, again) = again(&model);
        assert_eq!(text, xmi::print::model(&model, "model"), "two runs differ");
        let mut differ = |what: &str, is_same: bool| {
            if !is_same {
                differing.push(format!("{what} of {}", path.display()));
            }
        };
        differ("interactions", model.interactions == again.interactions);
        differ("machines", model.machines == again.machines);
        differ("classes", model.classes == again.classes);
        differ("objects", model.objects == again.objects);
        differ("associations", model.associations == again.associations);
        differ("links", model.links == again.links);
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// What a machine does, apart from where it stands and how its pseudostates are called.
fn facts(machine: &Machine) -> Vec<String> {
    let vertex = |id: VertexId| {
        let around = std::iter::successors(Some(id), |one| machine.parent(*one));
        let name = |id: VertexId| {
            let vertex = &machine.vertices[id];
            let owner = machine.regions[vertex.region].owner;
            let mut beside = machine.regions.enumerate().filter(|(_, one)| one.owner == owner);
            let region = beside.position(|(id, _)| id == vertex.region);
            match vertex.kind.body() {
                Some(body) => {
                    let effects = [&body.entry, &body.exit, &body.activity]
                        .map(|all| all.iter().map(label::effect).collect::<Vec<_>>());
                    format!("{region:?} {} {effects:?} {:?}", vertex.name, body.deferred)
                }
                None => format!("{region:?} {}", kind(&vertex.kind)),
            }
        };
        around.map(name).collect::<Vec<_>>().join(" in ")
    };
    let attributes = machine.attributes.iter();
    let mut all: Vec<String> =
        attributes.map(|one| format!("{} {:?} {:?}", one.name, one.type_name, one.initial)).collect();
    all.extend(machine.contracts.iter().map(label::contract));
    for transition in machine.transitions.iter() {
        let Transition { kind, source, target, triggers, guard, effects, .. } = transition;
        let triggers: Vec<String> = triggers.iter().map(label::trigger).collect();
        let guard = guard.as_ref().map(|guard| guard.text.trim().to_owned());
        let effects: Vec<String> = effects.iter().map(label::effect).collect();
        let ends = [*source, *target].map(vertex);
        all.push(format!("{kind:?} {ends:?} {triggers:?} {guard:?} {effects:?}"));
    }
    all.sort();
    all
}

fn kind(kind: &VertexKind) -> String {
    format!("{kind:?}")
}

/// The machines of every example, as UML and back, and from UML as PlantUML and back, do what they did.
#[test]
fn machines_of_examples_survive() {
    let mut compared = 0;
    for case in cases::all().into_iter().chain(cases::pssm()) {
        let model = cases::read(&case).reading.model;
        // A fragment that is really empty is refused, since tools write such fragments for others; machines are not.
        let text = xmi::print::model(&model, "model");
        let again = samples::read_bytes(&PathBuf::from("again.uml"), text.as_bytes()).model;
        assert_eq!(model.machines.len(), again.machines.len(), "{}", case.name);
        for machine in model.machines.iter() {
            // Machines of a class stand in it.
            let is_same = |one: &&Machine| one.name == machine.name && facts(one) == facts(machine);
            let named = |one: &&Machine| one.name == machine.name;
            let again = again.machines.iter().find(is_same).or(again.machines.iter().find(named));
            let again = again.unwrap_or_else(|| panic!("{}: no {}", case.name, machine.name));
            assert_eq!(facts(machine), facts(again), "{}: {text}", case.name);
            let printed = print::state(again);
            let third = diagram::model(&printed);
            let third = third.machines.iter().next().map(facts);
            assert_eq!(third, Some(facts(machine)), "{}: {printed}", case.name);
            compared += 1;
        }
        let types = |model: &Model| -> Vec<String> {
            let of = |class: &Class| {
                let own = class.attributes.iter().map(|one| (one.name.clone(), one.type_name.clone()));
                let parameters = class.operations.iter().flat_map(|one| one.parameters.iter());
                let parameters = parameters.map(|one| (one.name.clone(), one.type_name.clone()));
                format!("{} {:?}", class.name, own.chain(parameters).collect::<Vec<_>>())
            };
            model.classes.iter().map(of).collect()
        };
        assert_eq!(types(&model), types(&again), "{}: {text}", case.name);
    }
    assert!(compared > 100, "{compared}");
}
