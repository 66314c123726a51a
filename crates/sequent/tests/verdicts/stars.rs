//! JPL's STARS: state machines in PlantUML and in XMI of MagicDraw, what is sent to them, and what their generated C code then calls.
//!
//! Guards such as `g1(e)` are set by the driver between two messages, so they become attributes here. STARS differs from
//! UML in two ways, which its generator documents: a branch of a choice without guard is taken if no other is, and
//! the effects of a transition run before the exits. So the effects of a step are moved behind its exits
//! before the calls are compared, one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sequent_kernel::model::{Attribute, Condition, Effect, Expression, Machine, Model, VertexKind};

use crate::cases::ReadCase;
use crate::runs::{self, Word};

const MODELS: &[&str] = &["Simple", "Arg_Actions", "Cases", "Complex_Junction", "String_Guards"];

#[test]
fn machines_call_what_the_generated_code_calls() {
    let Some(folder) = crate::verdicts() else { return };
    for name in MODELS {
        let folder = folder.join(format!("jpl-stars__{name}"));
        let text = |file: &str| std::fs::read_to_string(folder.join(file)).expect("readable");
        let expected = calls(&text("golden_c.txt"));
        // The same machine comes from MagicDraw too, with junctions for choices.
        for ending in ["plantuml", "xml"] {
            let found = driven(&folder.join(format!("{name}.{ending}")), &text("testDrv.txt"));
            assert_eq!(found.len(), expected.len(), "{name}.{ending}: as many steps");
            for (number, (step, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(
                    step.calls,
                    in_uml_order(expected.clone(), step),
                    "{name}.{ending}, step {number}"
                );
            }
        }
    }
}

/// What was called in each step of the golden log; the first is the beginning.
fn calls(log: &str) -> Vec<Word> {
    let mut steps = vec![Word::new()];
    for line in log.lines().map(str::trim) {
        if line.starts_with("-->") {
            steps.push(Word::new());
        } else if let Some((_, call)) = line.split_once("Impl_").filter(|_| line.ends_with("()")) {
            steps.last_mut().expect("there is a first step").push(call.trim_end_matches("()").to_owned());
        }
    }
    steps
}

/// What one message set off, and what calls belong to exits and to entries alone.
struct Driven {
    calls: Word,
    exits: BTreeSet<String>,
    entries: BTreeSet<String>,
}

/// A step of the log with its effects, which come first there, behind its exits.
fn in_uml_order(log: Word, step: &Driven) -> Word {
    let Some(exits) = log.iter().position(|call| step.exits.contains(call)) else { return log };
    let entries = log[exits..].iter().position(|call| step.entries.contains(call));
    let entries = entries.map_or(log.len(), |at| exits + at);
    [&log[exits..entries], &log[..exits], &log[entries..]].concat()
}

/// The machine, driven as the test driver of the original says.
fn driven(path: &Path, driver: &str) -> Vec<Driven> {
    let mut session = crate::read(&[path.to_owned()]);
    let guards = settle_guards(&mut session);
    let machine = session.reading.model.machines.iter().next().expect("one machine").clone();
    let mut objects =
        crate::lowered(&session).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
    let object = objects.structure.objects.ids().next().expect("one object");
    let variables: BTreeMap<&String, _> =
        guards.iter().map(|guard| (guard, crate::variable(&mut objects, object, guard))).collect();
    let shown = |event: &str| {
        let (_, call) = event.strip_prefix('!')?.split_once("->:")?;
        Some(call.split('(').next().unwrap_or(call).to_owned())
    };
    let (exits, entries) = behaviours(&machine);
    let mut config = objects.system.initial();
    let mut steps = Vec::new();
    let mut step = |config: &mut sequent_kernel::system::Config, message: Option<&str>| {
        let ends = runs::drive(&objects.system, config, message, &shown);
        assert_eq!(ends.len(), 1, "{}: {message:?} has one outcome", path.display());
        let (calls, end) = ends.into_iter().next().expect("one");
        *config = end;
        steps.push(Driven { calls, exits: exits.clone(), entries: entries.clone() });
    };
    step(&mut config, None);
    for line in driver.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match line.split_once('=') {
            Some((guard, value)) => {
                let variable = variables[&guard.trim().to_owned()];
                config.0[variable] = i32::from(value.trim() == "true");
            }
            None => step(&mut config, Some(line)),
        }
    }
    steps
}

/// Makes attributes of the functions that guards ask, and `else` of what has no guard behind a choice; the names.
fn settle_guards(session: &mut ReadCase) -> BTreeSet<String> {
    let model: &mut Model = &mut session.reading.model;
    let mut names = BTreeSet::new();
    let machine = model.machines.iter_mut().next().expect("one machine");
    let place = machine.place;
    for transition in machine.transitions.iter_mut() {
        if let Some(Condition { text, expression, .. }) = &mut transition.guard {
            let name = text.split('(').next().unwrap_or(text).trim().to_owned();
            *expression = Some(Expression::Name(vec![name.clone()]));
            *text = name.clone();
            names.insert(name);
        }
        let from_choice =
            matches!(machine.vertices[transition.source].kind, VertexKind::Choice | VertexKind::Junction);
        if from_choice && transition.guard.is_none() {
            transition.guard = Some(Condition { text: "else".to_owned(), expression: None, place });
        }
        // What is passed on is the event itself, which has no values here.
        for effect in &mut transition.effects {
            if let Effect::Send(send) = effect {
                send.arguments = None;
            }
        }
    }
    machine.attributes.extend(names.iter().map(|name| Attribute {
        name: name.clone(),
        type_name: Some("bool".to_owned()),
        initial: Some("false".to_owned()),
        multiplicity: None,
        visibility: None,
        is_static: false,
        stereotypes: Vec::new(),
        place,
    }));
    names
}

/// What is called in exits only, and in entries only.
fn behaviours(machine: &Machine) -> (BTreeSet<String>, BTreeSet<String>) {
    let name = |effect: &Effect| match effect {
        Effect::Send(send) => Some(send.name.clone()),
        Effect::Assign(_) | Effect::Opaque { .. } => None,
    };
    let (mut entries, mut exits) = (BTreeSet::new(), BTreeSet::new());
    for vertex in machine.vertices.iter() {
        if let VertexKind::State(body) = &vertex.kind {
            entries.extend(body.entry.iter().filter_map(name));
            exits.extend(body.exit.iter().filter_map(name));
        }
    }
    let both: BTreeSet<String> = entries.intersection(&exits).cloned().collect();
    exits.retain(|call| !both.contains(call));
    entries.retain(|call| !both.contains(call));
    (exits, entries)
}
