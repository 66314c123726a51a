//! Simulation: a run step by step. The page sends the steps that were chosen so far, and gets the run and what may happen
//! next; nothing is kept between two requests, so that taking a step back is to send one step less.

use std::collections::BTreeSet;

use sequent::simulate::{RunStatus, Simulation, SimulationSubject, SubjectContent};
use sequent_kernel::model::InteractionId;
use sequent_kernel::semantics::{Assumptions, Unsupported, lower};
use sequent_kernel::source::{Sources, Span};
use sequent_kernel::system::Step;
use sequent_report::html;
use serde_json::{Value, json};

use super::Service;
use super::look;
use super::question;
use super::reply::RequestProblem;
use crate::command::subject::{choose, objects};
use crate::command::{SettingsScope, Systems, render};

/// Takes the steps of a request, by their numbers, and tells what may happen next.
pub(crate) fn simulate(service: &Service, asked: &Value) -> Result<Value, RequestProblem> {
    let subject = look::EditedText::of(service, asked)?;
    let read = subject.read(service).map_err(RequestProblem::Failed)?;
    let system = read.systems.first().ok_or(RequestProblem::Missing)?;
    let moves: Vec<(String, usize)> = serde_json::from_value(asked["moves"].clone()).unwrap_or_default();
    let name = asked["scenario"].as_str();
    let about = name
        .map(|name| choose(&system.reading.model, Some(name)))
        .transpose()
        .map_err(RequestProblem::Failed)?;
    let told = match (asked["what"].as_str(), about) {
        (Some("machines"), about) => of_machines(&read, system, about, &moves),
        (_, Some(about)) => of_diagram(&read, system, about, &moves),
        (_, None) => Err("choose what is run".to_owned()),
    };
    told.map_err(RequestProblem::Failed)
}

fn of_machines(
    read: &Systems,
    system: &SettingsScope,
    about: Option<InteractionId>,
    moves: &[(String, usize)],
) -> Result<Value, String> {
    let (objects, _) = objects(&system.reading, about)?;
    let objects = objects.map_err(|unsupported| not_run(&read.sources, &unsupported))?;
    run(read, system, SubjectContent::Objects(&objects, about), moves)
}

fn of_diagram(
    read: &Systems,
    system: &SettingsScope,
    id: InteractionId,
    moves: &[(String, usize)],
) -> Result<Value, String> {
    let assumptions = Assumptions { switches: system.settings.switches.clone(), ..Assumptions::default() };
    let lowered = lower(&system.reading.model, id, &assumptions);
    let lowered = lowered.map_err(|unsupported| not_run(&read.sources, &unsupported))?;
    run(read, system, SubjectContent::Interaction(id, &lowered), moves)
}

fn not_run(sources: &Sources, unsupported: &Unsupported) -> String {
    format!("line {}: {} is not run", sources.position(unsupported.place.0).line, unsupported.what)
}

fn run(
    read: &Systems,
    system: &SettingsScope,
    content: SubjectContent<'_>,
    moves: &[(String, usize)],
) -> Result<Value, String> {
    let subject = SimulationSubject { model: &system.reading.model, sources: &read.sources, content };
    let mut simulation = Simulation::new(subject.system());
    let mut taken = 0;
    for wanted in moves {
        let options = simulation.options();
        let number = subject.identities(options).iter().position(|one| one == wanted);
        let step = number.map(|number| options[number].clone());
        // After an edit a step may no longer be possible: the run ends there.
        if !step.is_some_and(|step| simulation.take(&step)) {
            break;
        }
        taken += 1;
    }
    let marked: BTreeSet<usize> =
        simulation.moves().next_back().map(|(position, _)| position).into_iter().collect();
    let story = subject.story(&simulation, marked)?;
    let outcome = Default::default();
    let fragments =
        html::run(&read.checked(&outcome), &read.parts(), &render::WORDING, (&story, "simulation"));
    let options = simulation.options();
    let texts = subject.steps(options).into_iter().zip(subject.identities(options));
    let lines = |step: &Step| lines(read, system, subject.places(simulation.config(), step));
    let options: Vec<Value> = options
        .iter()
        .zip(texts)
        .map(|(step, (text, identity))| json!({ "text": text, "step": identity, "lines": lines(step) }))
        .collect();
    let state = match subject.state(&simulation) {
        RunStatus::Open => "",
        RunStatus::Complete => "the run is complete",
        RunStatus::Stuck => "the run is stuck",
        RunStatus::Broken => "the run ends in a fault",
        RunStatus::Void => "the choices contradict each other: this run does not count",
    };
    let waits = subject.waits(simulation.config());
    let worth = subject.worth(&simulation);
    let mut told = question::told(&fragments);
    told["taken"] = json!(taken);
    told["options"] = json!(options);
    told["state"] = json!(format!("{state}{}", if state.is_empty() { "" } else { &worth }));
    told["waits"] = json!(waits.lines().collect::<Vec<_>>());
    Ok(told)
}

/// The lines of the file on which stands what a step does.
fn lines(read: &Systems, system: &SettingsScope, places: Vec<Span>) -> BTreeSet<u32> {
    let own = places.into_iter().filter(|span| system.files().any(|file| file == span.file));
    own.map(|span| read.sources.position(span).line).collect()
}
