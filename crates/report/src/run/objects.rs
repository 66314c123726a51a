//! Runs of systems of objects: the states of the objects stand along their lifelines.
//!
//! Who has a lifeline: those that a scenario draws, in its order, then the other objects that take part. What comes from
//! outside of the system is found, what goes there is lost.

use std::collections::BTreeSet;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{Block, Interaction, InteractionId, Lifeline, LifelineId, LifelineKind, Model};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::{InstanceId, Objects};
use sequent_kernel::source::{FileId, Place, Span};
use sequent_kernel::system::{Config, EventId};

use super::{DrawnRun, RunDrawingOptions, RunMark, stage};

/// Draws a run of a system of objects. `about` is the scenario whose lifelines come first; `configs` are those that the run
/// passes, the first and the last included.
pub fn objects(
    model: &Model,
    objects: &Objects,
    about: Option<InteractionId>,
    run: &Run,
    configs: &[Config],
    wishes: &RunDrawingOptions,
) -> DrawnRun {
    let mut wishes = wishes.clone();
    wishes.marks.extend(objects.remarks(model, run, configs).into_iter().map(|remark| RunMark {
        moment: remark.moment,
        component: objects.component(remark.object),
        text: remark.text,
        is_state: remark.is_state,
    }));
    if let (Some(last), None) = (configs.last(), run.cycle) {
        for object in objects.machines() {
            let waiting = objects.standing(model, last, object).waiting;
            let text = || format!("waiting: {}", waiting.join(", "));
            wishes.notes.extend((!waiting.is_empty()).then(|| (objects.component(object), text())));
        }
        wishes.closing.extend(objects.fault_in(last).map(|fault| fault.text.clone()));
    }
    let texts = |events: &BTreeSet<EventId>| {
        events.iter().map(|event| objects.system.events[*event].text.clone()).collect()
    };
    (wishes.calls, wishes.replies) = (texts(&objects.calls()), texts(&objects.replies));
    // In a run without steps all lifelines are idle, so none is left out.
    wishes.idle_lifelines |= run.steps.is_empty();
    stage(model, &cast(model, objects, about), &objects.system, run, &wishes)
}

/// A diagram of nothing but the objects' lifelines.
fn cast(model: &Model, objects: &Objects, about: Option<InteractionId>) -> Interaction {
    let scenario = about.map(|id| &model.interactions[id]);
    let mut lifelines: IdVec<LifelineId, Lifeline> = IdVec::new();
    for lifeline in scenario.into_iter().flat_map(|scenario| scenario.lifelines.iter()) {
        let Some(object) = objects.structure.object_of(lifeline) else { continue };
        let name = &objects.structure.objects[object].name;
        if lifelines.iter().all(|known| known.name != *name) {
            lifelines.push(Lifeline { name: name.clone(), ..lifeline.clone() });
        }
    }
    for id in objects.structure.objects.ids() {
        let lifeline = lifeline(objects, id);
        if lifelines.iter().all(|known| known.name != lifeline.name) {
            lifelines.push(lifeline);
        }
    }
    let first = objects.structure.objects.iter().next();
    let place = scenario.map(|scenario| scenario.place).or(first.map(|object| object.place));
    Interaction {
        name: scenario.map_or_else(|| "system".to_owned(), |scenario| scenario.name.clone()),
        title: None,
        captions: Vec::new(),
        place: place.unwrap_or(Place(Span::new(FileId::from_index(0), 0, 0))),
        lifelines,
        messages: IdVec::new(),
        body: Block::default(),
        orderings: Vec::new(),
        timings: Vec::new(),
        boxes: Vec::new(),
        known: Vec::new(),
    }
}

fn lifeline(objects: &Objects, id: InstanceId) -> Lifeline {
    let object = &objects.structure.objects[id];
    let class = object.class.clone().filter(|class| *class != object.name);
    let label = class.as_ref().map(|class| format!("{} : {class}", object.name));
    Lifeline {
        label: label.unwrap_or_else(|| object.name.clone()),
        name: object.name.clone(),
        class,
        kind: if object.machine.is_some() { LifelineKind::Participant } else { LifelineKind::Actor },
        stereotypes: Vec::new(),
        colour: None,
        declared: true,
        place: object.place,
    }
}
