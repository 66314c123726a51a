//! The lifelines of a drawn run: those of the diagram it comes from, in their order, then those of diagrams it uses.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{Interaction, Lifeline, LifelineBox, LifelineId, LifelineKind};
use sequent_kernel::system::{ComponentId, System};

use super::RunDrawingOptions;
use super::occurrences::RunOccurrence;

/// Lifelines, and which component each stands for.
pub(crate) struct Lifelines {
    pub drawn: IdVec<LifelineId, Lifeline>,
    pub ids: BTreeMap<ComponentId, LifelineId>,
}

impl Lifelines {
    /// Those that take part, or about which there is something to say; all of the diagram's if that is wished.
    pub(crate) fn of(
        original: &Interaction,
        system: &System,
        all: &[RunOccurrence],
        wishes: &RunDrawingOptions,
    ) -> Self {
        let mut part: BTreeSet<ComponentId> = wishes.notes.iter().map(|(component, _)| *component).collect();
        for occurrence in all.iter().filter(|one| one.moment > 0) {
            part.extend(&occurrence.lifelines);
            part.extend(occurrence.event().into_iter().flat_map(|event| [event.from, event.to]).flatten());
        }
        let mut lifelines = Lifelines { drawn: IdVec::new(), ids: BTreeMap::new() };
        for lifeline in original.lifelines.iter() {
            let component = system.components.find(|name| *name == lifeline.name);
            let takes_part = component.is_some_and(|component| part.remove(&component));
            if takes_part || wishes.idle_lifelines {
                let id = lifelines.drawn.push(Lifeline { declared: true, ..lifeline.clone() });
                lifelines.ids.extend(component.map(|component| (component, id)));
            }
        }
        for component in part {
            let id = lifelines.drawn.push(participant(&system.components[component], original));
            lifelines.ids.insert(component, id);
        }
        lifelines
    }

    /// The boxes around those lifelines that are left of them.
    pub(crate) fn boxes(&self, original: &Interaction) -> Vec<LifelineBox> {
        let kept = |id: &LifelineId| self.drawn.find(|drawn| drawn.name == original.lifelines[*id].name);
        let shrunk = |frame: &LifelineBox| LifelineBox {
            lifelines: frame.lifelines.iter().filter_map(kept).collect(),
            ..frame.clone()
        };
        original.boxes.iter().map(shrunk).filter(|frame| !frame.lifelines.is_empty()).collect()
    }
}

/// A lifeline of another diagram.
fn participant(name: &str, original: &Interaction) -> Lifeline {
    Lifeline {
        name: name.to_owned(),
        label: name.to_owned(),
        class: None,
        kind: LifelineKind::Participant,
        stereotypes: Vec::new(),
        colour: None,
        declared: true,
        place: original.place,
    }
}
