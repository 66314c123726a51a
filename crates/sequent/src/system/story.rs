//! A run of a system of objects, in words and pictures: a lifeline for each object, and below it the states it ends in.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::{Block, Interaction, Lifeline, LifelineKind, Model};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::{InstanceId, Objects};
use sequent_kernel::source::Place;
use sequent_kernel::system::ComponentId;
use sequent_kernel::verdict::Story;
use sequent_report::run::Wishes;

use crate::behaviour;

/// A run of some objects; notes at the end of lifelines tell their last states.
pub fn tell(model: &Model, objects: &Objects, title: (&str, Place), run: &Run, wishes: &Wishes) -> Story {
    let (name, place) = title;
    let mut notes = wishes.notes.clone();
    if let Some(last) = replay(&objects.system, run).ok().and_then(|configs| configs.into_iter().next_back())
    {
        for (id, _) in objects.structure.objects.enumerate().filter(|(_, object)| object.machine.is_some()) {
            let component = ComponentId::from_index(id.index());
            let states = objects.states(model, &last, id);
            if !states.is_empty() && !notes.iter().any(|(known, _)| *known == component) {
                notes.push((component, states));
            }
        }
    }
    let mut drawn = Model::default();
    let lifelines: IdVec<_, _> = objects.structure.objects.ids().map(|id| lifeline(objects, id)).collect();
    let drawing = drawn.interactions.push(Interaction {
        name: name.to_owned(),
        title: None,
        place,
        lifelines,
        messages: IdVec::new(),
        body: Block::default(),
        orderings: Vec::new(),
        boxes: Vec::new(),
    });
    let wishes = Wishes { notes, ..wishes.clone() };
    behaviour::tell(&drawn, drawing, &objects.system, run, &wishes)
}

fn lifeline(objects: &Objects, id: InstanceId) -> Lifeline {
    let object = &objects.structure.objects[id];
    let label = match &object.class {
        Some(class) if *class != object.name => format!("{} : {class}", object.name),
        Some(_) | None => object.name.clone(),
    };
    let kind = match object.machine {
        Some(_) => LifelineKind::Participant,
        None => LifelineKind::Actor,
    };
    Lifeline {
        name: object.name.clone(),
        label,
        class: object.class.clone(),
        kind,
        stereotypes: Vec::new(),
        colour: None,
        declared: true,
        place: object.place,
    }
}
