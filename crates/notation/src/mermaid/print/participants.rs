//! The declarations of participants, and where each stands.
//!
//! Mermaid orders participants by first mention. So declarations stand at the top as far as they go, and others, those
//! first named by a message or created by one, come when it is their turn.

use sequent_kernel::id::Id;
use sequent_kernel::model::{Fragment, Interaction, Lifeline, LifelineId, LifelineKind, MessageSort};

use super::{PrintedPage, encode};
use crate::mermaid::sequence::type_name;

/// Which lifelines are on the page already.
pub(crate) struct Introduced<'a> {
    interaction: &'a Interaction,
    names: Vec<String>,
    done: Vec<bool>,
    boxed: Vec<bool>,
    /// Lifelines whose first mention is the message that creates them.
    created: Vec<bool>,
}

impl<'a> Introduced<'a> {
    /// No participant is declared yet.
    pub(crate) fn new(interaction: &'a Interaction) -> Self {
        let count = interaction.lifelines.len();
        let alone = |lifeline: &Lifeline| lifeline.label != lifeline.name || needs_type(lifeline.kind);
        let names = interaction.lifelines.iter().map(|it| encode::participant(&it.name, alone(it))).collect();
        let boxed = vec![false; interaction.boxes.len()];
        Introduced { interaction, names, done: vec![false; count], boxed, created: created(interaction) }
    }

    /// How a lifeline's name is written.
    pub(crate) fn name(&self, lifeline: LifelineId) -> &str {
        &self.names[lifeline.index()]
    }

    /// Declares those at the left that can be declared at once.
    pub(crate) fn begin(&mut self, page: &mut PrintedPage) {
        for (index, frame) in self.interaction.boxes.iter().enumerate() {
            if frame.lifelines.is_empty() {
                self.open_box(index, page);
                page.line("end");
            }
        }
        for (id, lifeline) in self.interaction.lifelines.enumerate() {
            if !lifeline.declared {
                return;
            }
            self.introduce(id, page);
        }
    }

    /// Declares all participants that are still missing.
    pub(crate) fn finish(&mut self, page: &mut PrintedPage) {
        for (id, _) in self.interaction.lifelines.enumerate() {
            self.created[id.index()] = false;
            self.introduce(id, page);
        }
    }

    /// Makes sure that the lifelines can be mentioned next, in this order. One that is declared, but named after one that
    /// the coming line is the first to name, must be declared behind that line: these are returned.
    pub(crate) fn mention(&mut self, lifelines: &[LifelineId], page: &mut PrintedPage) -> Vec<LifelineId> {
        let mut late = Vec::new();
        let mut is_new_before = false;
        for lifeline in lifelines {
            let earlier = self.interaction.lifelines.enumerate().take(lifeline.index()).map(|(id, _)| id);
            let is_mentioned =
                |id: &LifelineId| lifelines.contains(id) && !self.interaction.lifelines[*id].declared;
            let missing: Vec<LifelineId> =
                earlier.filter(|id| !self.done[id.index()] && !is_mentioned(id)).collect();
            missing.into_iter().for_each(|id| self.introduce(id, page));
            let is_new = !self.done[lifeline.index()];
            match (is_new && self.interaction.lifelines[*lifeline].declared, is_new_before) {
                (true, false) => self.introduce(*lifeline, page),
                (true, true) => late.push(*lifeline),
                (false, _) => is_new_before |= is_new,
            }
            self.done[lifeline.index()] = true;
        }
        late
    }

    /// Declares what [`mention`](Self::mention) left for later.
    pub(crate) fn declare_late(&mut self, late: &[LifelineId], page: &mut PrintedPage) {
        for lifeline in late {
            self.done[lifeline.index()] = false;
            self.introduce(*lifeline, page);
        }
    }

    /// Declares the lifeline that the next message creates; false if it is on the page already.
    pub(crate) fn create(&mut self, lifeline: LifelineId, page: &mut PrintedPage) -> bool {
        if !self.created[lifeline.index()] || self.done[lifeline.index()] {
            return false;
        }
        self.done[lifeline.index()] = true;
        page.line(format!("create {}", self.declaration(lifeline)));
        true
    }

    fn introduce(&mut self, lifeline: LifelineId, page: &mut PrintedPage) {
        if self.done[lifeline.index()] || self.created[lifeline.index()] {
            return;
        }
        let frames = &self.interaction.boxes;
        let frame = frames.iter().position(|frame| frame.lifelines.contains(&lifeline));
        match frame.filter(|frame| !self.boxed[*frame]) {
            Some(frame) => self.declare_box(frame, page),
            None => {
                self.done[lifeline.index()] = true;
                page.line(self.declaration(lifeline));
            }
        }
    }

    /// Declares a box; where lifelines outside of it stand between its own, all are declared before it to
    /// keep their order.
    fn declare_box(&mut self, index: usize, page: &mut PrintedPage) {
        let members = &self.interaction.boxes[index].lifelines;
        let last = members.iter().map(|id| id.index()).max().unwrap_or(0);
        let strangers = |id: &LifelineId| id.index() <= last && !self.done[id.index()];
        let missing: Vec<LifelineId> =
            self.interaction.lifelines.enumerate().map(|(id, _)| id).filter(strangers).collect();
        if missing != *members {
            for id in missing.iter().filter(|id| !self.created[id.index()]) {
                self.done[id.index()] = true;
                page.line(self.declaration(*id));
            }
        }
        self.open_box(index, page);
        page.depth += 1;
        for id in members.clone() {
            self.done[id.index()] = true;
            page.line(self.declaration(id));
        }
        page.depth -= 1;
        page.line("end");
    }

    fn open_box(&mut self, index: usize, page: &mut PrintedPage) {
        self.boxed[index] = true;
        let frame = &self.interaction.boxes[index];
        let label = encode::caption(&frame.label);
        page.line(match &frame.colour {
            Some(colour) => format!("box {colour} {label}"),
            None => format!("box {label}"),
        });
    }

    fn declaration(&self, id: LifelineId) -> String {
        let lifeline = &self.interaction.lifelines[id];
        let word = if lifeline.kind == LifelineKind::Actor { "actor" } else { "participant" };
        let mut line = format!("{word} {}", self.name(id));
        if needs_type(lifeline.kind) {
            line += &format!("@{{ \"type\": \"{}\" }}", type_name(lifeline.kind));
        }
        if lifeline.label != lifeline.name {
            line += &format!(" as {}", encode::text(&lifeline.label));
        }
        line
    }
}

/// Whether Mermaid has no keyword for a kind.
fn needs_type(kind: LifelineKind) -> bool {
    !matches!(kind, LifelineKind::Participant | LifelineKind::Actor)
}

/// For each lifeline, whether its first mention is the message that creates it.
fn created(interaction: &Interaction) -> Vec<bool> {
    let mut created = vec![false; interaction.lifelines.len()];
    let mut mentioned = vec![false; interaction.lifelines.len()];
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Message(id) = fragment {
            let message = &interaction.messages[*id];
            if let (MessageSort::Create, Some(to)) = (message.sort, message.to.lifeline()) {
                created[to.index()] |= !mentioned[to.index()];
            }
        }
        mentions(interaction, fragment).into_iter().for_each(|id| mentioned[id.index()] = true);
    });
    created
}

/// The lifelines that a fragment names on its own line.
pub(crate) fn mentions(interaction: &Interaction, fragment: &Fragment) -> Vec<LifelineId> {
    match fragment {
        Fragment::Message(id) => {
            let message = &interaction.messages[*id];
            [message.from, message.to].into_iter().filter_map(|end| end.lifeline()).collect()
        }
        Fragment::Stop(stop) => vec![stop.lifeline],
        Fragment::Action(action) => vec![action.lifeline],
        Fragment::Invariant(invariant) => invariant.lifelines.clone(),
        Fragment::Use(use_) => use_.lifelines.clone(),
        Fragment::Execution(execution) => vec![execution.lifeline],
        Fragment::Note(note) => note.lifelines.clone(),
        Fragment::Combined(_) | Fragment::Separator(_) | Fragment::Numbering(_) => Vec::new(),
    }
}
