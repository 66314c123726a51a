//! Messages on lifelines that are gone or not there yet: W205, W206.
//!
//! Both are one walk along the order of events, forwards for lifelines that have ended, backwards for those that are
//! still to be created. Alternatives and parallel operands know nothing of each other: each starts from what was known
//! before the fragment. A lifeline has certainly ended after an `alt` if it ends in all of its operands; if it ends in some of
//! them, what follows goes wrong in these.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    Block, Combination, Combined, Fragment, Interaction, LifelineId, Message, MessageId, MessageSort,
    Operator,
};
use crate::source::Span;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let has_lives = interaction.messages.iter().any(|message| message.sort == MessageSort::Create);
    if has_lives {
        Unborn { interaction, coming: BTreeMap::new(), findings }.block(&interaction.body);
    }
    Gone { interaction, gone: BTreeMap::new(), perhaps: BTreeMap::new(), findings }.block(&interaction.body);
}

fn ends(message: &Message) -> impl Iterator<Item = LifelineId> {
    let from = message.from.lifeline();
    let to = message.to.lifeline().filter(|to| Some(*to) != from);
    from.into_iter().chain(to)
}

/// Whether a message creates this lifeline.
fn creates(message: &Message, lifeline: LifelineId) -> bool {
    message.sort == MessageSort::Create && message.to.lifeline() == Some(lifeline)
}

/// What one operand does says nothing about the others.
fn are_apart(operator: &Operator) -> bool {
    match operator.combination() {
        Combination::Choice { is_optional } => !is_optional,
        Combination::Parallel => true,
        Combination::Break
        | Combination::Repetition(_)
        | Combination::Sequence
        | Combination::StrictSequence
        | Combination::Unordered(_)
        | Combination::Negation
        | Combination::Complement => false,
    }
}

/// Whether a single operand without guard runs in any case.
fn is_certain(operator: &Operator) -> bool {
    match operator.combination() {
        Combination::Choice { is_optional } => !is_optional,
        Combination::Sequence
        | Combination::StrictSequence
        | Combination::Parallel
        | Combination::Unordered(_) => true,
        Combination::Break | Combination::Repetition(_) | Combination::Negation | Combination::Complement => {
            false
        }
    }
}

/// Backwards: which lifelines are created further down.
struct Unborn<'a> {
    interaction: &'a Interaction,
    coming: BTreeMap<LifelineId, MessageId>,
    findings: &'a mut Vec<Diagnostic>,
}

impl Unborn<'_> {
    fn block(&mut self, block: &Block) {
        for fragment in block.0.iter().rev() {
            match fragment {
                Fragment::Message(id) => self.message(*id),
                Fragment::Stop(stop) => {
                    self.coming.remove(&stop.lifeline);
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

    fn message(&mut self, id: MessageId) {
        let message = &self.interaction.messages[id];
        for lifeline in ends(message) {
            if creates(message, lifeline) {
                self.coming.insert(lifeline, id);
            } else if let Some(creation) = self.coming.get(&lifeline) {
                let name = &self.interaction.lifelines[lifeline].name;
                let text = format!("`{name}` does not exist yet");
                self.findings.push(
                    Diagnostic::new(Code::MessageBeforeCreate, message.place.0, text)
                        .label(self.interaction.messages[*creation].place.0, "it is created here")
                        .hint(format!("let the creation of `{name}` come first")),
                );
            }
        }
    }

    fn combined(&mut self, combined: &Combined) {
        let before = self.coming.clone();
        let mut after = BTreeMap::new();
        for operand in combined.operands.iter().rev() {
            self.block(&operand.block);
            if are_apart(&combined.operator) {
                after.append(&mut std::mem::replace(&mut self.coming, before.clone()));
            }
        }
        if are_apart(&combined.operator) {
            self.coming = after;
        }
    }
}

/// Forwards: which lifelines have ended, and where.
struct Gone<'a> {
    interaction: &'a Interaction,
    gone: BTreeMap<LifelineId, Span>,
    /// Those that have ended in some operands of a choice above.
    perhaps: BTreeMap<LifelineId, Span>,
    findings: &'a mut Vec<Diagnostic>,
}

impl Gone<'_> {
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
            if creates(message, lifeline) {
                self.gone.remove(&lifeline);
                self.perhaps.remove(&lifeline);
            } else if let Some(end) = self.gone.get(&lifeline) {
                let name = &self.interaction.lifelines[lifeline].name;
                let text = format!("`{name}` has ended before this message");
                self.findings.push(
                    Diagnostic::new(Code::MessageAfterDestroy, message.place.0, text)
                        .label(*end, "it ends here")
                        .hint(format!("let `{name}` end after its last message")),
                );
            } else if let Some(end) = self.perhaps.remove(&lifeline) {
                let name = &self.interaction.lifelines[lifeline].name;
                let text = format!("`{name}` may have ended before this message");
                self.findings.push(
                    Diagnostic::new(Code::MessageAfterDestroy, message.place.0, text)
                        .label(end, "in this branch it ends")
                        .hint(format!("let `{name}` end in all branches, or send this in the others only")),
                );
            }
        }
    }

    fn combined(&mut self, combined: &Combined) {
        let before = self.gone.clone();
        let mut results = Vec::new();
        for operand in &combined.operands {
            self.block(&operand.block);
            if are_apart(&combined.operator) || !is_certain(&combined.operator) {
                results.push(std::mem::replace(&mut self.gone, before.clone()));
            }
        }
        let is_choice = matches!(combined.operator.combination(), Combination::Choice { .. });
        let ended: BTreeMap<LifelineId, Span> = results.iter().flatten().map(|(id, at)| (*id, *at)).collect();
        match combined.operator.combination() {
            Combination::Parallel => self.gone.extend(results.into_iter().flatten()),
            Combination::Choice { is_optional: false } if results.len() > 1 => {
                let (first, rest) = results.split_first().expect("there are several");
                let ended =
                    first.iter().filter(|(lifeline, _)| rest.iter().all(|one| one.contains_key(lifeline)));
                self.gone.extend(ended.map(|(lifeline, span)| (*lifeline, *span)));
            }
            Combination::Choice { .. }
            | Combination::Break
            | Combination::Repetition(_)
            | Combination::Sequence
            | Combination::StrictSequence
            | Combination::Unordered(_)
            | Combination::Negation
            | Combination::Complement => {}
        }
        if is_choice {
            let is_open = |(lifeline, _): &(LifelineId, Span)| !self.gone.contains_key(lifeline);
            let perhaps: Vec<(LifelineId, Span)> = ended.into_iter().filter(is_open).collect();
            self.perhaps.extend(perhaps);
        }
    }
}
