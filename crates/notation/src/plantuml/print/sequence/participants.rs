//! Declarations of participants, and their order.
//!
//! PlantUML arranges participants as they are first mentioned. The declared ones are printed before everything else; if
//! then the messages mention the others in the right order, nothing more is needed. If not, all are named once more at the
//! end of the diagram, because a declaration of a participant that is already there moves it behind the others.

use std::collections::HashSet;

use sequent_kernel::model::{
    Block, End, Fragment, Interaction, Lifeline, LifelineBox, LifelineId, LifelineKind,
};

use super::Printer;
use super::colour_after_space;
use crate::plantuml::common::text::{escape_line, unescape};
use crate::plantuml::print::text::{line_text, name, unquoted};

/// How the participants are printed.
pub struct Plan {
    /// Whether the order comes out right without more ado.
    simple: bool,
}

/// Looks whether declarations and first mentions give the right order and the right boxes.
pub fn plan(interaction: &Interaction) -> Plan {
    let all = || interaction.lifelines.enumerate().map(|(id, _)| id);
    let declared = |id: &LifelineId| interaction.lifelines[*id].declared;
    let mut order: Vec<LifelineId> = all().filter(declared).collect();
    let mut seen: HashSet<LifelineId> = order.iter().copied().collect();
    mentions(interaction, &interaction.body, &mut |id| {
        if seen.insert(id) {
            order.push(id);
        }
    });
    let in_order = order.iter().copied().eq(all());
    let in_boxes = interaction.boxes.iter().flat_map(|frame| &frame.lifelines).all(declared);
    Plan { simple: in_order && in_boxes }
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

impl Printer<'_> {
    /// The declarations at the head of the diagram.
    pub(super) fn declarations(&mut self, plan: &Plan) {
        let declared: Vec<LifelineId> =
            self.ids().filter(|id| self.interaction.lifelines[*id].declared).collect();
        if plan.simple {
            self.in_boxes(&declared, Self::declaration);
        } else {
            declared.iter().for_each(|id| self.declaration(*id));
        }
    }

    /// Names all participants once more, where their order would not come out right.
    pub(super) fn rearrangement(&mut self, plan: &Plan) {
        if !plan.simple {
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
            label => format!(" \"{}\"", unquoted(&line_text(label))),
        };
        self.line(&format!("box{label}{}", colour_after_space(frame.colour.as_deref())));
        self.depth += 1;
        print(self);
        self.depth -= 1;
        self.line("end box");
    }

    fn declaration(&mut self, id: LifelineId) {
        let lifeline = &self.interaction.lifelines[id];
        self.mentioned.insert(id);
        let word = kind(lifeline.kind);
        let stereotypes: String = lifeline.stereotypes.iter().map(|text| format!(" <<{text}>>")).collect();
        let ending = format!("{stereotypes}{}", colour_after_space(lifeline.colour.as_deref()));
        let code = name(&lifeline.name);
        if lifeline.label == unescape(&lifeline.name) || code.starts_with('"') {
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
