//! Telling: a run of a system becomes a [`Story`], in the words and pictures of the user.

use sequent_kernel::log::{Log, Row};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::system::{Step, System};
use sequent_kernel::verdict::Story;
use sequent_report::run::{self, Drawn, Wishes};

/// Tells a run of a system that an interaction was lowered to.
pub fn tell(model: &Model, id: InteractionId, system: &System, run: &Run, wishes: &Wishes) -> Story {
    story(system, run, run::diagram(model, id, system, run, wishes), log(system, run))
}

/// Tells a run of a system of objects, with their states along the lifelines. `about` is the scenario in question, if there
/// is one: its lifelines come first. `None` if the run cannot be replayed.
pub fn tell_objects(
    model: &Model,
    objects: &Objects,
    about: Option<InteractionId>,
    run: &Run,
    wishes: &Wishes,
) -> Option<Story> {
    let configs = replay(&objects.system, run).ok()?;
    let drawn = run::objects(model, objects, about, run, &configs, wishes);
    Some(story(&objects.system, run, drawn, objects.log(model, run, &configs)))
}

fn story(system: &System, run: &Run, drawn: Drawn, log: Log) -> Story {
    let split = run.cycle.unwrap_or(run.steps.len());
    let texts =
        |steps: &[Step]| -> Vec<String> { steps.iter().flat_map(|step| events(system, step)).collect() };
    Story {
        prefix: texts(&run.steps[..split]),
        cycle: texts(&run.steps[split..]),
        drawing: drawn.interaction,
        marked: drawn.marked,
        log,
        because: Vec::new(),
    }
}

/// The steps of an interaction that show something.
fn log(system: &System, run: &Run) -> Log {
    let rows = |steps: &[Step]| -> Vec<Row> {
        let seen = steps.iter().map(|step| events(system, step)).filter(|events| !events.is_empty());
        seen.map(|events| Row { deed: events.join(" "), is_seen: true, ..Row::default() }).collect()
    };
    let split = run.cycle.unwrap_or(run.steps.len());
    let mut all = vec![Row::default()];
    all.extend(rows(&run.steps[..split]));
    let cycle = run.cycle.map(|_| all.len() - 1);
    all.extend(rows(&run.steps[split..]));
    Log { columns: Vec::new(), rows: all, cycle }
}

fn events(system: &System, step: &Step) -> Vec<String> {
    system.events(step).map(|event| system.events[event].text.clone()).collect()
}
