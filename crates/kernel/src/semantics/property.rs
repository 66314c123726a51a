//! Diagrams as properties: what they forbid or require of the runs of another diagram (rules I6 to I8).
//!
//! A property is about runs in which more happens than it draws. So `ignore` and `consider` add no messages
//! here: they are recorded for the observer that compares a run with the property. Of a diagram with an
//! `assert` only what stands above it and the `assert` itself are lowered, in one System, so that a guard has
//! the same value in both.
//!
//! A scenario is lowered whole. Its guards and invariants about objects are decided outside: such a condition
//! is an input, a variable that the observer sets before each step.

use std::collections::BTreeSet;

use super::builder::{FragmentContext, LoweredPiece, LoweringBuilder, Other};
use super::notes::{Asserted, Considered, FilterScope, Notes};
use super::{Assumptions, Unsupported};
use crate::model::{Combined, Fragment, InteractionId, MessageSet, MessageType, Modality, Model};
use crate::system::{ComponentId, System, TermId, VariableId};

/// A diagram that is a property.
#[derive(Clone, Debug)]
pub(crate) struct PropertyDiagram {
    /// Its runs: those through a `neg` are invalid.
    pub system: System,
    /// Message types that may lie in between.
    pub ignored: BTreeSet<MessageType>,
    /// What `consider` says.
    pub considered: Vec<Considered>,
    /// The lifelines of the `assert`, if it has one.
    pub asserted: Vec<Asserted>,
    /// Everything above the `assert` is over, on all lifelines.
    pub due: Option<TermId>,
    /// For each lifeline when it waits for a loop's window.
    pub strained: Vec<(ComponentId, TermId)>,
    /// Where `ignore` and `consider` are in force.
    pub scopes: Vec<FilterScope>,
    /// The variables of the inputs, in the order in which they were given: 0 unknown, 1 false, 2 true.
    pub inputs: Vec<VariableId>,
}

/// Lowers a diagram that is a property; `assert` at its top ends it.
pub(crate) fn lower_property(
    model: &Model,
    interaction: InteractionId,
    assumptions: &Assumptions,
) -> Result<PropertyDiagram, Unsupported> {
    let mut builder = LoweringBuilder::new(model, assumptions);
    let (notes, length) = assertion(model, interaction);
    builder.notes = Some(notes);
    let (system, notes) = builder.lower_beginning(interaction, length)?;
    Ok(notes.unwrap_or_default().property(system, Vec::new()))
}

/// Notes of the last `assert` at the top of a diagram, and after how many fragments it ends.
fn assertion(model: &Model, interaction: InteractionId) -> (Notes, usize) {
    let fragments = model.interactions[interaction].body.unframed();
    let at = fragments.iter().rposition(|fragment| as_assertion(fragment).is_some());
    let combined = at.and_then(|at| as_assertion(fragments[at]));
    let assertion = combined.map(|combined| (interaction, combined.id));
    (Notes { assertion, ..Notes::default() }, at.map_or(usize::MAX, |at| at + 1))
}

/// How much of a diagram is looked for in the runs of another system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum PropertyExtent {
    /// All of it.
    Whole,
    /// What stands above its last `assert`, and this.
    ToAssertion,
}

/// Lowers a diagram that is looked for in the runs of another system. Propositions of these names are inputs; `others`
/// may happen in a `not` besides what is drawn.
pub(crate) fn lower_scenario(
    model: &Model,
    (interaction, extent): (InteractionId, PropertyExtent),
    assumptions: &Assumptions,
    inputs: &[String],
    others: &[Other],
) -> Result<PropertyDiagram, Unsupported> {
    let mut builder = LoweringBuilder::new(model, assumptions);
    let variables: Vec<VariableId> = inputs.iter().map(|name| builder.counter(name.clone(), 2)).collect();
    builder.inputs = inputs.iter().cloned().zip(variables.iter().copied()).collect();
    builder.others = others.to_vec();
    let (notes, length) = match extent {
        PropertyExtent::Whole => (Notes::default(), usize::MAX),
        PropertyExtent::ToAssertion => assertion(model, interaction),
    };
    builder.notes = Some(notes);
    builder.counts_loops = true;
    let (system, notes) = builder.lower_beginning(interaction, length)?;
    Ok(notes.unwrap_or_default().property(system, variables))
}

fn as_assertion(fragment: &Fragment) -> Option<&Combined> {
    match fragment {
        Fragment::Combined(combined) if combined.operator.modality() == Modality::Mandatory => Some(combined),
        _ => None,
    }
}

impl<'a> LoweringBuilder<'a> {
    /// The content of `ignore` or `consider` in a property.
    pub(super) fn without_extras(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let context = FragmentContext { is_remembered: true, ..context.clone() };
        let piece = self.contents(&combined.operands, &context)?;
        let done = piece.occurrences.iter().map(|(_, done, _)| *done);
        let begun: Vec<TermId> = done.chain(piece.begun.iter().map(|(_, begun)| *begun)).collect();
        let begun = self.terms.or(begun);
        let over = self.terms.and(piece.ends.values().copied());
        let unfinished = self.terms.not(over);
        let open = self.terms.and([context.alive, begun, unfinished]);
        let mut here = Vec::new();
        for (component, end) in &piece.ends {
            let before = self.before(&context, *component);
            let unfinished = self.terms.not(*end);
            here.push(self.terms.and([before, unfinished]));
        }
        let here = self.terms.or(here);
        let active = self.terms.and([context.alive, context.barrier, here]);
        let Some(notes) = &mut self.notes else { return Ok(piece) };
        match combined.operator.types() {
            Some(MessageSet::Ignored(types)) => {
                notes.ignored.extend(types.iter().cloned());
                let types = types.iter().cloned().collect();
                notes.scopes.push(FilterScope { types, is_consider: false, active });
            }
            Some(MessageSet::Considered(types)) => {
                let types: BTreeSet<MessageType> = types.iter().cloned().collect();
                notes.scopes.push(FilterScope { types: types.clone(), is_consider: true, active });
                notes.considered.push(Considered { types, open, allows_others: true });
            }
            None => {}
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
        let own = Some(self.key(combined));
        if let Some(notes) = self.notes.as_mut().filter(|notes| notes.assertion == own) {
            notes.ignored.clear();
            notes.considered.iter_mut().for_each(|considered| considered.allows_others = false);
        }
    }

    /// Notes on which lifelines an `assert` stands, and what precedes it there.
    pub(super) fn end_assertion(
        &mut self,
        combined: &Combined,
        context: &FragmentContext,
        piece: &LoweredPiece,
    ) {
        let own = Some(self.key(combined));
        if self.notes.as_ref().is_none_or(|notes| notes.assertion != own) {
            return;
        }
        let above: Vec<TermId> = context.before.values().copied().collect();
        let due = self.terms.and([context.alive, context.barrier].into_iter().chain(above));
        if let Some(notes) = &mut self.notes {
            notes.due = Some(due);
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
    fn property(self, system: System, inputs: Vec<VariableId>) -> PropertyDiagram {
        let Notes { ignored, considered, asserted, due, strained, scopes, .. } = self;
        PropertyDiagram { system, ignored, considered, asserted, due, strained, scopes, inputs }
    }
}
