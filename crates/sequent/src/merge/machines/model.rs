//! A text read together with the state machines around it.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Combination, Combined, Fragment, Interaction, InteractionId, LifelineId, MachineId, MessageSort,
};
use sequent_kernel::semantics::event_text;
use sequent_kernel::semantics::objects::structure;
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_kernel::triggers::{LifelineWalk, Paths};

use crate::merge::elements::{is_model, place_messages};
use crate::merge::options::Environment;
use crate::pipeline::{self, Reading};

/// A text and the files beside it, read.
pub struct FileModel {
    /// Everything that was read; all files count as of one folder.
    pub(in crate::merge) reading: Reading,
    /// The text itself.
    pub(in crate::merge) file: FileId,
    /// By lifeline: the messages that the base draws to it and its machine does not know.
    pub(in crate::merge) foreign: ForeignMessages,
    sources: Sources,
}

/// By the name of a lifeline: the names of messages that its machine is not asked about.
pub(in crate::merge) type ForeignMessages = BTreeMap<String, BTreeSet<String>>;

impl FileModel {
    /// Reads a text under the name of the merged file.
    pub fn new(name: &str, text: &str, environment: &Environment<'_>) -> Self {
        let mut sources = Sources::new();
        let file = sources.add(name, text);
        let mut files = vec![file];
        let companions = environment.companions.iter();
        files.extend(companions.map(|(name, text)| sources.add(name.as_str(), text.as_str())));
        let mut loader = (environment.loader)();
        let mut reading = pipeline::read(&files, &mut sources, &mut *loader, environment.settings);
        reading.folders.values_mut().for_each(String::clear);
        if is_model(name, text) {
            place_messages(text, file, &mut reading.model);
        }
        FileModel { reading, file, foreign: ForeignMessages::new(), sources }
    }

    /// Returns file and line of a place.
    pub(in crate::merge) fn line(&self, span: Span) -> String {
        format!("{}:{}", self.sources.get(span.file).name, self.sources.position(span).line)
    }

    /// Returns the interactions of the text itself, in order.
    pub fn interactions(&self) -> impl Iterator<Item = InteractionId> {
        let all = self.reading.model.interactions.enumerate();
        all.filter(|(_, one)| one.place.0.file == self.file).map(|(id, _)| id)
    }

    /// Returns an interaction.
    pub fn interaction(&self, id: InteractionId) -> &Interaction {
        &self.reading.model.interactions[id]
    }

    /// Returns the index of an interaction among those of its text.
    pub(in crate::merge) fn ordinal(&self, id: InteractionId) -> usize {
        self.interactions().take_while(|other| other.index() < id.index()).count()
    }

    /// Returns the machines of the lifelines that have one.
    pub(in crate::merge) fn machines(&self, id: InteractionId) -> BTreeMap<LifelineId, MachineId> {
        let (structure, _) = structure(&self.reading.model, &self.reading.folders, "", Some(id));
        let lifelines = self.interaction(id).lifelines.enumerate();
        let machine = |(id, lifeline)| {
            let mut players = structure.players(lifeline).into_iter();
            players.find_map(|player| structure.objects[player].machine).map(|machine| (id, machine))
        };
        lifelines.filter_map(machine).collect()
    }

    /// Returns the messages that lifelines get and their machines do not know.
    pub(in crate::merge) fn unknown_messages(&self) -> ForeignMessages {
        let mut unknown = ForeignMessages::new();
        for id in self.interactions() {
            let interaction = self.interaction(id);
            for (lifeline, machine) in self.machines(id) {
                let paths = Paths::of(&self.reading.model.machines[machine]);
                let heard = interaction.messages.iter().filter(|message| {
                    let is_event = matches!(message.sort, MessageSort::Call | MessageSort::Signal);
                    message.to.lifeline() == Some(lifeline) && message.from != message.to && is_event
                });
                let names = heard.map(|message| &message.name).filter(|name| !paths.knows(name));
                let who = &interaction.lifelines[lifeline].name;
                names.for_each(|name| {
                    unknown.entry(who.clone()).or_default().insert(name.clone());
                });
            }
        }
        unknown
    }

    /// Returns the walk of a lifeline through what it receives; all that is drawn counts, but for what is foreign to its machine.
    pub(in crate::merge) fn walk<'w>(
        &'w self,
        paths: &'w Paths<'w>,
        id: InteractionId,
        lifeline: LifelineId,
    ) -> LifelineWalk<'w> {
        let foreign = self.foreign.get(&self.interaction(id).lifelines[lifeline].name);
        let foreign = foreign.into_iter().flatten().map(String::as_str).collect();
        LifelineWalk { foreign, ..LifelineWalk::strict(&self.reading.model, paths, (id, lifeline)) }
    }

    /// Returns the message that the machine of a lifeline cannot receive, if there is one (D14).
    pub(in crate::merge) fn fault(
        &self,
        id: InteractionId,
        lifeline: LifelineId,
        machine: MachineId,
    ) -> Option<String> {
        let paths = Paths::of(&self.reading.model.machines[machine]);
        let mut walk = self.walk(&paths, id, lifeline);
        walk.run();
        let death = walk.death?;
        let interaction = self.interaction(death.interaction);
        Some(event_text(interaction, &interaction.messages[death.message]))
    }

    /// Returns the first lifeline whose machine cannot receive a message, and that message, without the lifelines that are left out.
    pub fn first_fault(&self, id: InteractionId, left_out: &[String]) -> Option<(&str, String)> {
        let lifelines = &self.interaction(id).lifelines;
        let mut machines = self.machines(id).into_iter();
        machines.find_map(|(line, machine)| {
            let who = &lifelines[line].name;
            if left_out.contains(who) {
                return None;
            }
            Some((who.as_str(), self.fault(id, line, machine)?))
        })
    }

    /// Returns the lifelines of which it is not known what they receive, or in which order, so that their machines may be anywhere afterwards;
    /// without the lifelines that are left out.
    pub(in crate::merge) fn vague(&self, id: InteractionId, left_out: &[String]) -> Vec<&str> {
        let lifelines = &self.interaction(id).lifelines;
        let is_vague = |(line, machine): &(LifelineId, MachineId)| {
            let paths = Paths::of(&self.reading.model.machines[*machine]);
            let mut walk = self.walk(&paths, id, *line);
            walk.run();
            walk.is_vague || walk.is_spent()
        };
        let asked =
            self.machines(id).into_iter().filter(|(line, _)| !left_out.contains(&lifelines[*line].name));
        asked.filter(is_vague).map(|(line, _)| lifelines[line].name.as_str()).collect()
    }

    /// Returns the messages of an interaction as texts, in drawn order.
    pub(in crate::merge) fn messages(&self, id: InteractionId) -> Vec<String> {
        let interaction = self.interaction(id);
        interaction.messages.iter().map(|message| event_text(interaction, message)).collect()
    }
}

/// Returns the place of a fragment that has a meaning.
pub(super) fn place(interaction: &Interaction, fragment: &Fragment) -> Option<Span> {
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

/// The most messages that are named for a block.
const MOST_NAMED: usize = 3;

/// Returns the name of an event: a message, an interaction use, a block; of a block the messages from or to lifelines with machines.
pub(super) fn event_name(
    interaction: &Interaction,
    fragment: &Fragment,
    asked: &BTreeSet<LifelineId>,
) -> Option<String> {
    match fragment {
        Fragment::Message(id) => Some(event_text(interaction, &interaction.messages[*id])),
        Fragment::Use(used) => Some(format!("ref {}", used.name)),
        Fragment::Combined(combined) => Some(block_name(interaction, combined, asked)),
        Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => None,
    }
}

fn block_name(interaction: &Interaction, combined: &Combined, asked: &BTreeSet<LifelineId>) -> String {
    let word = combined.operator.word();
    let mut names: Vec<String> = Vec::new();
    combined.walk(&mut |fragment, _| {
        let Fragment::Message(id) = fragment else { return };
        let message = &interaction.messages[*id];
        let is_asked = [message.from, message.to]
            .into_iter()
            .any(|end| end.lifeline().is_some_and(|lifeline| asked.contains(&lifeline)));
        names.extend(is_asked.then(|| event_text(interaction, message)));
    });
    match names.len() {
        0 => word.to_owned(),
        1..=MOST_NAMED => format!("{} in {word}", names.join(", ")),
        _ => format!("{}, .. in {word}", names[..MOST_NAMED].join(", ")),
    }
}

/// Returns the name of the message that a lifeline receives in a fragment, if it is the only one there and is received once or not at all: then a transition
/// for it is all that the fragment asks for.
pub(super) fn only_receipt(
    interaction: &Interaction,
    fragment: &Fragment,
    lifeline: LifelineId,
) -> Option<String> {
    let mut received = Vec::new();
    let mut is_plain = true;
    let mut see = |fragment: &Fragment| match fragment {
        Fragment::Message(id) => {
            let message = &interaction.messages[*id];
            received.extend((message.to.lifeline() == Some(lifeline)).then(|| message.name.clone()));
        }
        Fragment::Use(_) => is_plain = false,
        Fragment::Combined(combined) => {
            is_plain &= !matches!(
                combined.operator.combination(),
                Combination::Repetition(_) | Combination::Negation | Combination::Complement
            );
        }
        Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => {}
    };
    see(fragment);
    if let Fragment::Combined(combined) = fragment {
        combined.walk(&mut |inner, _| see(inner));
    }
    (is_plain && received.len() == 1).then(|| received.pop()).flatten()
}
