//! Messages on lifelines that are gone or not there yet: W205, W206.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Block, Combined, Fragment, Interaction, LifelineId, Message, MessageSort, Operator};
use crate::source::Span;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let mut creations = BTreeMap::new();
    for (id, message) in interaction.messages.enumerate() {
        if let (MessageSort::Create, Some(lifeline)) = (message.sort, message.to.lifeline()) {
            creations.entry(lifeline).or_insert(id);
        }
    }
    for (id, message) in interaction.messages.enumerate() {
        for lifeline in ends(message) {
            if let Some(creation) = creations.get(&lifeline).filter(|creation| id < **creation) {
                let name = &interaction.lifelines[lifeline].name;
                findings.push(
                    Diagnostic::new(
                        Code::MessageBeforeCreate,
                        message.place.0,
                        format!("`{name}` does not exist yet"),
                    )
                    .label(interaction.messages[*creation].place.0, "it is created here")
                    .hint(format!("let the creation of `{name}` come first")),
                );
            }
        }
    }
    Checker { interaction, gone: BTreeMap::new(), findings }.block(&interaction.body);
}

fn ends(message: &Message) -> impl Iterator<Item = LifelineId> {
    let from = message.from.lifeline();
    let to = message.to.lifeline().filter(|to| Some(*to) != from);
    from.into_iter().chain(to)
}

struct Checker<'a> {
    interaction: &'a Interaction,
    /// Lifelines that have ended on this path, and where.
    gone: BTreeMap<LifelineId, Span>,
    findings: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn block(&mut self, block: &Block) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.message(&self.interaction.messages[*id]),
                Fragment::Stop(stop) => {
                    self.gone.insert(stop.lifeline, stop.place.0);
                }
                Fragment::Combined(combined) => self.combined(combined),
                Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Use(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn message(&mut self, message: &Message) {
        for lifeline in ends(message) {
            if message.sort == MessageSort::Create && message.to.lifeline() == Some(lifeline) {
                self.gone.remove(&lifeline);
            } else if let Some(end) = self.gone.get(&lifeline) {
                let name = &self.interaction.lifelines[lifeline].name;
                let text = format!("`{name}` has ended before this message");
                self.findings.push(
                    Diagnostic::new(Code::MessageAfterDestroy, message.place.0, text)
                        .label(*end, "it ends here")
                        .hint(format!("let `{name}` end after its last message")),
                );
            }
        }
    }

    /// What ends in a branch that may not have run is not certain to have ended afterwards.
    fn combined(&mut self, combined: &Combined) {
        for operand in &combined.operands {
            match combined.operator {
                Operator::Alt
                | Operator::Opt
                | Operator::Break
                | Operator::Loop(_)
                | Operator::Neg
                | Operator::Not => {
                    let before = self.gone.clone();
                    self.block(&operand.block);
                    self.gone = before;
                }
                Operator::Seq
                | Operator::Strict
                | Operator::Par
                | Operator::Critical
                | Operator::Assert
                | Operator::Ignore(_)
                | Operator::Consider(_)
                | Operator::Coregion(_) => self.block(&operand.block),
            }
        }
    }
}
