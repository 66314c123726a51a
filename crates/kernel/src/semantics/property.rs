//! Diagrams as properties: what they forbid or demand, to be looked for in the runs of another diagram (rules I6 to I8).
//!
//! A property speaks of runs in which more happens than it draws. So `ignore` and `consider` add no messages here: they are
//! written down for whoever compares a run with the property. Of a diagram with an `assert` only what stands above it and
//! the `assert` itself are lowered, in one System, so that a guard has the same value in both.

use std::collections::BTreeSet;

use super::builder::{Builder, Context, Piece};
use super::{Assumptions, Unsupported};
use crate::model::{Combined, Fragment, InteractionId, Model, Operator};
use crate::system::{ComponentId, System, TermId};

/// A diagram that is a property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its runs: those through a `neg` are invalid.
    pub system: System,
    /// Message types that may lie in between.
    pub ignored: BTreeSet<String>,
    /// What `consider` says.
    pub considered: Vec<Considered>,
    /// The lifelines of the `assert`, if it has one.
    pub asserted: Vec<Asserted>,
    /// For each lifeline when it waits for a loop's window.
    pub strained: Vec<(ComponentId, TermId)>,
}

/// A `consider` in a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Considered {
    /// The types that matter in it.
    pub types: BTreeSet<String>,
    /// Holds from the first to the last occurrence in it: meanwhile these types happen only as drawn.
    pub open: TermId,
    /// Whether other types may lie in between.
    pub allows_others: bool,
}

/// A lifeline of an `assert`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asserted {
    /// The lifeline.
    pub component: ComponentId,
    /// Everything above the `assert` is over on it.
    pub ready: TermId,
}

/// What is written down while a property is lowered.
#[derive(Clone, Default)]
pub(super) struct Notes {
    /// The `assert` at the top of the diagram, by its address.
    assertion: Option<usize>,
    ignored: BTreeSet<String>,
    considered: Vec<Considered>,
    asserted: Vec<Asserted>,
    strained: Vec<(ComponentId, TermId)>,
}

/// Lowers a diagram that is a property; `assert` at its top ends it.
pub fn lower_property(
    model: &Model,
    interaction: InteractionId,
    assumptions: &Assumptions,
) -> Result<Property, Unsupported> {
    let mut builder = Builder::new(model, assumptions);
    let fragments = model.interactions[interaction].body.unframed();
    let assertion = fragments.iter().rposition(|fragment| as_assertion(fragment).is_some());
    let length = assertion.map_or(usize::MAX, |at| at + 1);
    let combined = assertion.and_then(|at| as_assertion(fragments[at]));
    let address = combined.map(|combined| std::ptr::from_ref(combined) as usize);
    builder.notes = Some(Notes { assertion: address, ..Notes::default() });
    let (system, notes) = builder.lower_beginning(interaction, length)?;
    let Notes { ignored, considered, asserted, strained, .. } = notes.unwrap_or_default();
    Ok(Property { system, ignored, considered, asserted, strained })
}

fn as_assertion(fragment: &Fragment) -> Option<&Combined> {
    match fragment {
        Fragment::Combined(combined) if combined.operator == Operator::Assert => Some(combined),
        _ => None,
    }
}

impl<'a> Builder<'a> {
    /// The content of `ignore` or `consider` in a property.
    pub(super) fn without_extras(
        &mut self,
        combined: &'a Combined,
        context: &Context,
    ) -> Result<Piece, Unsupported> {
        let context = Context { is_remembered: true, ..context.clone() };
        let piece = self.contents(&combined.operands, &context)?;
        let done = piece.occurrences.iter().map(|(_, done, _)| *done);
        let begun: Vec<TermId> = done.chain(piece.begun.iter().map(|(_, begun)| *begun)).collect();
        let begun = self.terms.or(begun);
        let over = self.terms.and(piece.ends.values().copied());
        let unfinished = self.terms.not(over);
        let open = self.terms.and([context.alive, begun, unfinished]);
        let Some(notes) = &mut self.notes else { return Ok(piece) };
        if let Operator::Ignore(types) = &combined.operator {
            notes.ignored.extend(types.iter().cloned());
        }
        if let Operator::Consider(types) = &combined.operator {
            let types = types.iter().cloned().collect();
            notes.considered.push(Considered { types, open, allows_others: true });
        }
        Ok(piece)
    }

    /// Notes when each lifeline waits for a loop's window.
    pub(super) fn note_strain(&mut self, strained: impl Iterator<Item = (ComponentId, TermId)>) {
        if let Some(notes) = &mut self.notes {
            notes.strained.extend(strained);
        }
    }

    /// Notes that an `assert` begins. Only what is ignored inside the one at the top may lie in between.
    pub(super) fn begin_assertion(&mut self, combined: &Combined) {
        if let Some(notes) = self.notes.as_mut().filter(|notes| notes.is_asserted(combined)) {
            notes.ignored.clear();
            notes.considered.iter_mut().for_each(|considered| considered.allows_others = false);
        }
    }

    /// Notes on which lifelines an `assert` stands, and what precedes it there.
    pub(super) fn end_assertion(&mut self, combined: &Combined, context: &Context, piece: &Piece) {
        if !self.notes.as_ref().is_some_and(|notes| notes.is_asserted(combined)) {
            return;
        }
        for component in piece.ends.keys().copied() {
            let before = self.before(context, component);
            let ready = self.terms.and([context.alive, context.barrier, before]);
            if let Some(notes) = &mut self.notes {
                notes.asserted.push(Asserted { component, ready });
            }
        }
    }
}

impl Notes {
    fn is_asserted(&self, combined: &Combined) -> bool {
        self.assertion == Some(std::ptr::from_ref(combined) as usize)
    }
}
