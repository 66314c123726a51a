//! Telling: turns a run of a System into a [`Story`], in the names and pictures of the diagrams.
//!
//! Every run is replayed, and checked again by the definition of what it shows, before it is reported: a
//! formula by its [truth](formula), a `neg` or `assert` by its [traces](diagram), a [scenario] by its
//! witness. [`proof`] and [`reasons`] report what solvers have found where there is no run.

mod blame;
mod choices;
pub mod diagram;
pub mod formula;
mod patience;
pub mod proof;
pub mod reasons;
pub mod scenario;
mod waiting;
pub mod words;

use std::collections::BTreeSet;

use sequent_kernel::log::{Log, LogRow};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::source::Place;
use sequent_kernel::system::{Config, EventId, Step, System};
use sequent_kernel::verdict::Story;
use sequent_report::run::{self, DrawnRun, RunDrawingOptions};

use crate::ensemble::Ensemble;
use crate::pose::{About, Scene, chosen};

/// Tells a run of a system that an interaction was lowered to.
pub fn tell(
    model: &Model,
    id: InteractionId,
    system: &System,
    run: &Run,
    wishes: &RunDrawingOptions,
) -> Story {
    let mut story = tell_plainly(model, id, system, run, wishes);
    if let Ok(configs) = replay(system, run) {
        choices::of_interaction(model, system, run, &configs, &mut story.log);
    }
    story
}

/// The same, without what else may happen at each moment.
pub(crate) fn tell_plainly(
    model: &Model,
    id: InteractionId,
    system: &System,
    run: &Run,
    wishes: &RunDrawingOptions,
) -> Story {
    let drawn = run::diagram(model, id, system, run, wishes);
    story(system, run, drawn, log(system, run), &rows(system, run))
}

/// Tells a run of a system of objects, with their states along the lifelines. `about` is the scenario in question, if there
/// is one: its lifelines come first. `None` if the run cannot be replayed.
pub fn tell_objects(
    model: &Model,
    objects: &Objects,
    about: Option<InteractionId>,
    run: &Run,
    wishes: &RunDrawingOptions,
) -> Option<Story> {
    let configs = replay(&objects.system, run).ok()?;
    let mut story = tell_objects_plainly(model, objects, about, (run, &configs), wishes);
    choices::of_objects(model, objects, run, &configs, &mut story.log);
    Some(story)
}

/// The same of a run that was replayed, without what else may happen at each moment.
pub(crate) fn tell_objects_plainly(
    model: &Model,
    objects: &Objects,
    about: Option<InteractionId>,
    (run, configs): (&Run, &[Config]),
    wishes: &RunDrawingOptions,
) -> Story {
    let drawn = run::objects(model, objects, about, run, configs, wishes);
    let log = objects.log(model, run, configs);
    let rows: Vec<usize> = (0..configs.len()).collect();
    let scenario = run::scenario(&drawn);
    Story { scenario, ..story(&objects.system, run, drawn, log, &rows) }
}

/// A run of some objects under a name of its own; `None` if it cannot be replayed.
pub fn titled(
    model: &Model,
    objects: &Objects,
    (name, place): (&str, Place),
    run: &Run,
    wishes: &RunDrawingOptions,
) -> Option<Story> {
    let mut story = tell_objects(model, objects, None, run, wishes)?;
    (story.drawing.name, story.drawing.place) = (name.to_owned(), place);
    Some(story)
}

/// A run of an ensemble that was replayed, as a scenario sees it if one asks.
pub(crate) fn of_ensemble(
    ensemble: &Ensemble<'_>,
    about: Option<InteractionId>,
    run: &Run,
    marked: BTreeSet<usize>,
    because: Vec<String>,
) -> Story {
    let wishes = RunDrawingOptions { fixed: marked.clone(), marked, ..RunDrawingOptions::default() };
    let told = tell_objects(&ensemble.model, &ensemble.objects, about, run, &wishes);
    let mut told = told.expect("a run that is told was replayed");
    (told.drawing.name, told.drawing.place) = match about {
        Some(about) => {
            let asking = &ensemble.model.interactions[about];
            (asking.name.clone(), asking.place)
        }
        None => ensemble.title.clone(),
    };
    Story { because, ..told }
}

/// A run of a scene with the steps that matter, and why it is shown; the values of guards come first.
pub(crate) fn of_scene(scene: &Scene<'_>, run: &Run, marked: BTreeSet<usize>, because: Vec<String>) -> Story {
    let system = &scene.case.system;
    let wishes =
        RunDrawingOptions { fixed: marked.clone(), marked: marked.clone(), ..RunDrawingOptions::default() };
    let (mut story, values) = match &scene.about {
        About::Interaction(model, id, assumptions) => {
            (tell(model, *id, system, run, &wishes), chosen(assumptions))
        }
        About::Objects(ensemble) => (of_ensemble(ensemble, None, run, marked, Vec::new()), String::new()),
    };
    story.because.extend((!values.is_empty()).then_some(values));
    story.because.extend(because);
    let is_stuck = |last: &Config| !system.holds(system.complete, last) && system.steps(last).is_empty();
    let configs = replay(system, run).unwrap_or_default();
    if run.cycle.is_none() && configs.last().is_some_and(is_stuck) {
        story.because.push("the run gets stuck at its end".to_owned());
    }
    story
}

/// The steps of a run that show an event, with the event.
fn visible(system: &System, run: &Run) -> Vec<(usize, EventId)> {
    let steps = run.steps.iter().enumerate();
    steps.filter_map(|(number, step)| Some((number, system.events(step).next()?))).collect()
}

/// `rows` are those of the log in which a given number of steps is taken.
fn story(system: &System, run: &Run, drawn: DrawnRun, log: Log, rows: &[usize]) -> Story {
    let split = run.cycle.unwrap_or(run.steps.len());
    let texts =
        |steps: &[Step]| -> Vec<String> { steps.iter().flat_map(|step| events(system, step)).collect() };
    Story {
        prefix: texts(&run.steps[..split]),
        cycle: texts(&run.steps[split..]),
        drawing: drawn.interaction,
        marked: drawn.marked,
        moments: drawn.moments.iter().map(|both| both.map(|moment| rows[moment])).collect(),
        scenario: None,
        log,
        because: Vec::new(),
    }
}

/// The steps of an interaction that show something.
fn log(system: &System, run: &Run) -> Log {
    let rows = |steps: &[Step]| -> Vec<LogRow> {
        let seen = steps.iter().map(|step| (step, events(system, step)));
        let seen = seen.filter(|(_, events)| !events.is_empty());
        seen.map(|(step, events)| LogRow {
            deed: events.join(" "),
            is_seen: true,
            place: step.0.first().map(|rule| system.rules[*rule].place),
            places: system.places(step),
            ..LogRow::default()
        })
        .collect()
    };
    let split = run.cycle.unwrap_or(run.steps.len());
    let mut all = vec![LogRow::default()];
    all.extend(rows(&run.steps[..split]));
    let cycle = run.cycle.map(|_| all.len() - 1);
    all.extend(rows(&run.steps[split..]));
    Log { columns: Vec::new(), rows: all, cycle, claims: Vec::new() }
}

/// The rows in the log of an interaction after each number of steps.
fn rows(system: &System, run: &Run) -> Vec<usize> {
    let mut rows = vec![0];
    for step in &run.steps {
        let last = rows[rows.len() - 1];
        rows.push(last + usize::from(system.events(step).next().is_some()));
    }
    rows
}

fn events(system: &System, step: &Step) -> Vec<String> {
    system.events(step).map(|event| system.events[event].text.clone()).collect()
}
