//! Declarations of participants, and their order.
//!
//! PlantUML arranges participants as they are first mentioned. The declared ones are printed before everything else; if
//! then the messages mention the others in the right order, nothing more is needed. If not, all are named once more at the
//! end of the diagram, because a declaration of a participant that is already there moves it behind the others.

use std::collections::HashSet;
use std::ops::Range;

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Block, End, Fragment, Interaction, Lifeline, LifelineBox, LifelineId, LifelineKind,
};

use super::PlantumlSequencePrinter;
use super::colour_after_space;
use crate::plantuml::common::scan::is_quote;
use crate::plantuml::common::text::{escape_line, unescape};
use crate::plantuml::print::text::{line_text, name, unquoted};

/// How the participants are put into their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParticipantOrder {
    /// By their declarations and first mentions alone.
    Plain,
    /// By naming all of them once more at the end.
    Again,
    /// By `order`: a box is torn apart by others. Undeclared participants have order 0.
    Numbered,
}

/// Looks whether declarations and first mentions give the right order and the right boxes.
pub(crate) fn plan(interaction: &Interaction) -> ParticipantOrder {
    let all = || interaction.lifelines.enumerate().map(|(id, _)| id);
    let declared = |id: &LifelineId| interaction.lifelines[*id].declared;
    let mut order: Vec<LifelineId> = all().filter(declared).collect();
    let mut seen: HashSet<LifelineId> = order.iter().copied().collect();
    mentions(interaction, &interaction.body, &mut |id| {
        if seen.insert(id) {
            order.push(id);
        }
    });
    order.extend(all().filter(|id| !seen.contains(id)));
    let in_order = order.iter().copied().eq(all());
    let in_boxes = interaction.boxes.iter().flat_map(|frame| &frame.lifelines).all(declared);
    let torn = !interaction.boxes.iter().all(|frame| is_whole(interaction, frame));
    let middle = undeclared(interaction).map(|range| all().collect::<Vec<_>>()[range].to_vec());
    if torn && in_boxes && middle.is_some_and(|middle| order.ends_with(&middle)) {
        return ParticipantOrder::Numbered;
    }
    if in_order && in_boxes { ParticipantOrder::Plain } else { ParticipantOrder::Again }
}

/// Where the undeclared lifelines stand, if they are neighbours.
fn undeclared(interaction: &Interaction) -> Option<Range<usize>> {
    let declared: Vec<bool> = interaction.lifelines.iter().map(|lifeline| lifeline.declared).collect();
    let Some(first) = declared.iter().position(|declared| !declared) else { return Some(0..0) };
    let last = declared.iter().rposition(|declared| !declared).unwrap_or(first);
    declared[first..=last].iter().all(|declared| !declared).then_some(first..last + 1)
}

/// Whether the lifelines of a box are neighbours.
fn is_whole(interaction: &Interaction, frame: &LifelineBox) -> bool {
    let inside: Vec<bool> =
        interaction.lifelines.enumerate().map(|(id, _)| frame.lifelines.contains(&id)).collect();
    let edges = inside.windows(2).filter(|pair| pair[0] != pair[1]).count();
    edges <= 1 || (edges == 2 && !inside.first().copied().unwrap_or(false))
}

/// Calls `mention` for every lifeline in the order of the printed text.
fn mentions(interaction: &Interaction, block: &Block, mention: &mut impl FnMut(LifelineId)) {
    for fragment in &block.0 {
        match fragment {
            Fragment::Message(id) => {
                let message = &interaction.messages[*id];
                let mut ends = [message.from.lifeline(), message.to.lifeline()];
                if super::message::is_backwards(message.from, message.to, &message.arrow) {
                    ends.reverse();
                }
                ends.into_iter().flatten().for_each(&mut *mention);
            }
            Fragment::Stop(stop) => mention(stop.lifeline),
            Fragment::Action(action) => mention(action.lifeline),
            Fragment::Invariant(invariant) => invariant.lifelines.iter().copied().for_each(&mut *mention),
            Fragment::Use(use_) => use_.lifelines.iter().copied().for_each(&mut *mention),
            Fragment::Combined(combined) => {
                combined.operands.iter().for_each(|operand| mentions(interaction, &operand.block, mention));
            }
            Fragment::Execution(execution) => mention(execution.lifeline),
            Fragment::Note(note) => note.lifelines.iter().copied().for_each(&mut *mention),
            Fragment::Separator(_) | Fragment::Numbering(_) => {}
        }
    }
}

impl PlantumlSequencePrinter<'_> {
    /// The declarations at the head of the diagram.
    pub(super) fn declarations(&mut self, plan: &ParticipantOrder) {
        let declared: Vec<LifelineId> =
            self.ids().filter(|id| self.interaction.lifelines[*id].declared).collect();
        match plan {
            ParticipantOrder::Plain => self.in_boxes(&declared, |printer, id| printer.declaration(id, "")),
            ParticipantOrder::Again => declared.iter().for_each(|id| self.declaration(*id, "")),
            ParticipantOrder::Numbered => self.numbered(&declared),
        }
    }

    /// Declares each with its place in the order, box by box.
    fn numbered(&mut self, ids: &[LifelineId]) {
        let between = undeclared(self.interaction).unwrap_or(0..0);
        let place = |id: LifelineId| match id.index() {
            index if index < between.start => index as i64 - between.start as i64,
            index => index as i64 - between.end as i64 + 1,
        };
        let print = |printer: &mut Self, id: LifelineId| {
            printer.declaration(id, &format!(" order {}", place(id)));
        };
        let boxes = &self.interaction.boxes;
        for frame in boxes {
            self.boxed(frame, |printer| frame.lifelines.iter().for_each(|id| print(printer, *id)));
        }
        let outside = |id: &&LifelineId| !boxes.iter().any(|frame| frame.lifelines.contains(id));
        ids.iter().filter(outside).for_each(|id| print(self, *id));
    }

    /// Names participants that nothing else names: `create` does so without declaring them.
    pub(super) fn unmentioned(&mut self) {
        let silent: Vec<LifelineId> = self.ids().filter(|id| !self.mentioned.contains(id)).collect();
        for id in silent {
            let name = self.lifeline(id);
            self.line(&format!("create {name}"));
        }
    }

    /// Names all participants once more, where their order would not come out right.
    pub(super) fn rearrangement(&mut self, plan: &ParticipantOrder) {
        if *plan == ParticipantOrder::Again {
            let all: Vec<LifelineId> = self.ids().collect();
            self.in_boxes(&all, |printer, id| {
                let name = printer.lifeline(id);
                printer.line(&format!("participant {name}"));
            });
        }
    }

    fn ids(&self) -> impl Iterator<Item = LifelineId> + use<> {
        self.interaction.lifelines.enumerate().map(|(id, _)| id).collect::<Vec<_>>().into_iter()
    }

    /// Prints something for each lifeline, inside the boxes they stand in.
    fn in_boxes(&mut self, ids: &[LifelineId], print: impl Fn(&mut Self, LifelineId)) {
        let boxes = &self.interaction.boxes;
        let box_of = |id: &LifelineId| boxes.iter().position(|frame| frame.lifelines.contains(id));
        let mut next = 0;
        let mut at = 0;
        while at < ids.len() {
            let Some(index) = box_of(&ids[at]) else {
                print(self, ids[at]);
                at += 1;
                continue;
            };
            (next..index).for_each(|empty| self.boxed(&boxes[empty], |_| {}));
            next = next.max(index + 1);
            let inside = ids[at..].iter().take_while(|id| box_of(id) == Some(index)).count();
            self.boxed(&boxes[index], |printer| {
                ids[at..at + inside].iter().for_each(|id| print(printer, *id));
            });
            at += inside;
        }
        (next..boxes.len()).for_each(|empty| self.boxed(&boxes[empty], |_| {}));
    }

    fn boxed(&mut self, frame: &LifelineBox, print: impl FnOnce(&mut Self)) {
        let label = match frame.label.as_str() {
            "" => String::new(),
            label if label.contains(is_quote) => format!(" {}", line_text(label)),
            label => format!(" \"{}\"", line_text(label)),
        };
        self.line(&format!("box{label}{}", colour_after_space(frame.colour.as_deref())));
        self.depth += 1;
        print(self);
        self.depth -= 1;
        self.line("end box");
    }

    fn declaration(&mut self, id: LifelineId, order: &str) {
        let lifeline = &self.interaction.lifelines[id];
        self.mentioned.insert(id);
        let word = kind(lifeline.kind);
        let stereotypes: String = lifeline.stereotypes.iter().map(|text| format!(" <<{text}>>")).collect();
        let ending = format!("{stereotypes}{order}{}", colour_after_space(lifeline.colour.as_deref()));
        let code = name(&lifeline.name);
        let is_word = lifeline.name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if lifeline.label != unescape(&lifeline.name)
            && code.starts_with('"')
            && is_word
            && !needs_lines(lifeline)
        {
            // A keyword as the name: it may stand in front of `as`, and in quotes everywhere else.
            let label = unquoted(&line_text(&lifeline.label));
            self.line(&format!("{word} {} as \"{label}\"{ending}", lifeline.name));
        } else if lifeline.label == unescape(&lifeline.name) || code.starts_with('"') {
            self.line(&format!("{word} {code}{ending}"));
        } else if needs_lines(lifeline) {
            self.line(&format!("{word} {code}{ending} ["));
            for line in lifeline.label.lines() {
                self.line(&format!("  {}", escape_line(line)));
            }
            self.line("]");
        } else {
            self.line(&format!("{word} \"{}\" as {code}{ending}", unquoted(&line_text(&lifeline.label))));
        }
    }

    /// A participant as one end of a message; where it is first mentioned with its label.
    pub(super) fn end(&mut self, end: End) -> String {
        let Some(id) = end.lifeline() else { return String::new() };
        let lifeline = &self.interaction.lifelines[id];
        let first = self.mentioned.insert(id);
        let code = name(&lifeline.name);
        let labelled = first && lifeline.label != unescape(&lifeline.name) && !code.starts_with('"');
        if labelled { format!("\"{}\" as {code}", unquoted(&line_text(&lifeline.label))) } else { code }
    }
}

/// Whether the label can only be written over several lines.
fn needs_lines(lifeline: &Lifeline) -> bool {
    let fits = lifeline.label.lines().all(|line| !line.ends_with(']') && line.trim_end() == line);
    lifeline.kind == LifelineKind::Participant && fits && lifeline.label.contains('"')
}

fn kind(kind: LifelineKind) -> &'static str {
    match kind {
        LifelineKind::Participant => "participant",
        LifelineKind::Actor => "actor",
        LifelineKind::Boundary => "boundary",
        LifelineKind::Control => "control",
        LifelineKind::Entity => "entity",
        LifelineKind::Database => "database",
        LifelineKind::Collections => "collections",
        LifelineKind::Queue => "queue",
    }
}
