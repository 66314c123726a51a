//! Stages: a text read together with the state machines around it.

use std::collections::BTreeMap;

use sequent_kernel::id::Id;
use sequent_kernel::model::{Fragment, Interaction, InteractionId, LifelineId, MachineId};
use sequent_kernel::receive::{Paths, Walk};
use sequent_kernel::semantics::event_text;
use sequent_kernel::semantics::objects::structure;
use sequent_kernel::source::{FileId, Sources, Span};

use super::Around;
use crate::pipeline::{self, Reading};

/// Files that are read beside the merged one, by name: state machines, classes, objects.
pub type Companions = Vec<(String, String)>;

/// A text and what is around it, read.
pub struct Stage {
    /// Everything that was read; all files count as of one folder.
    pub reading: Reading,
    /// The text itself.
    pub file: FileId,
    /// All texts.
    sources: Sources,
}

impl Stage {
    /// Reads a text under the name of the merged file.
    pub fn new(name: &str, text: &str, around: &Around<'_>) -> Self {
        let mut sources = Sources::new();
        let file = sources.add(name, text);
        let mut files = vec![file];
        files.extend(around.companions.iter().map(|(name, text)| sources.add(name.as_str(), text.as_str())));
        let mut reading = pipeline::read(&files, &mut sources, &mut *(around.loader)(), around.settings);
        reading.folders.values_mut().for_each(String::clear);
        Stage { reading, file, sources }
    }

    /// File and line of a place.
    pub fn line(&self, span: Span) -> String {
        format!("{}:{}", self.sources.get(span.file).name, self.sources.position(span).line)
    }

    /// The interactions of the text itself, in order.
    pub fn interactions(&self) -> impl Iterator<Item = InteractionId> {
        let all = self.reading.model.interactions.enumerate();
        all.filter(|(_, one)| one.place.0.file == self.file).map(|(id, _)| id)
    }

    /// An interaction.
    pub fn interaction(&self, id: InteractionId) -> &Interaction {
        &self.reading.model.interactions[id]
    }

    /// The machines of the lifelines that have one.
    pub fn machines(&self, id: InteractionId) -> BTreeMap<LifelineId, MachineId> {
        let (structure, _) = structure(&self.reading.model, &self.reading.folders, "", Some(id));
        let lifelines = self.interaction(id).lifelines.enumerate();
        let machine = |(id, lifeline)| Some((id, structure.objects[structure.object_of(lifeline)?].machine?));
        lifelines.filter_map(machine).collect()
    }

    /// The message that a lifeline's machine cannot receive, if there is one (D14).
    pub fn fault(&self, id: InteractionId, lifeline: LifelineId, machine: MachineId) -> Option<String> {
        let paths = Paths::of(&self.reading.model.machines[machine]);
        let mut walk = Walk::strict(&self.reading.model, &paths, (id, lifeline));
        walk.run();
        let death = walk.death?;
        let interaction = self.interaction(death.interaction);
        Some(event_text(interaction, &interaction.messages[death.message]))
    }

    /// The first lifeline whose machine cannot follow, apart from those left out.
    pub fn first_fault(&self, id: InteractionId, left_out: &[String]) -> Option<String> {
        let lifelines = &self.interaction(id).lifelines;
        let counts = |line: &LifelineId| !left_out.contains(&lifelines[*line].name);
        let machines = self.machines(id);
        let mut limited = machines.into_iter().filter(|(line, _)| counts(line));
        limited.find_map(|(line, machine)| self.fault(id, line, machine))
    }

    /// The messages of an interaction as texts, in drawn order.
    pub fn messages(&self, id: InteractionId) -> Vec<String> {
        let interaction = self.interaction(id);
        interaction.messages.iter().map(|message| event_text(interaction, message)).collect()
    }
}

/// Where a fragment stands.
pub fn place(interaction: &Interaction, fragment: &Fragment) -> Option<Span> {
    let place = match fragment {
        Fragment::Message(id) => interaction.messages[*id].place,
        Fragment::Use(used) => used.place,
        Fragment::Combined(combined) => combined.place,
        Fragment::Stop(stop) => stop.place,
        Fragment::Action(action) => action.place,
        Fragment::Invariant(invariant) => invariant.place,
        Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {
            return None;
        }
    };
    Some(place.0)
}

/// The number of an interaction among those of its text.
pub fn ordinal(stage: &Stage, id: InteractionId) -> usize {
    stage.interactions().take_while(|other| other.index() < id.index()).count()
}
