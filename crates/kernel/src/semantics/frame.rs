//! Frames: resets the variables of a fragment once it is over.
//!
//! Choices are variables, and every way through a fragment leaves its own values behind. Ten alternatives in a row would
//! make a thousand configurations that have the same future. So a fragment that holds choices has a bit of its own: when
//! the fragment is over on all its lifelines, an urgent step sets the bit and takes every variable inside back to its first
//! value. From then on the bit alone says that the fragment is over.
//!
//! What outlives the frame is left alone: propositions whose text other fragments use too.

use super::Unsupported;
use super::builder::{FragmentContext, LoweredPiece, LoweringBuilder};
use crate::id::Id;
use crate::source::Place;
use crate::system::{TermId, VariableId};

/// A frame that is being filled.
pub(super) struct FrameDraft {
    over: VariableId,
    /// Everything in it is over, and forgotten.
    pub closed: TermId,
    /// The context of its content.
    pub inside: FragmentContext,
    /// How many variables and scopes there were before it.
    variables: usize,
    scopes: usize,
    /// How much there was to settle before it.
    settled: usize,
}

impl LoweringBuilder<'_> {
    /// Lowers a fragment that forgets itself once it is over.
    pub(super) fn framed(
        &mut self,
        context: &FragmentContext,
        place: Place,
        content: impl FnOnce(&mut Self, &FragmentContext) -> Result<LoweredPiece, Unsupported>,
    ) -> Result<LoweredPiece, Unsupported> {
        // A critical region around it remembers its occurrences, a loop around it that it was broken off.
        if context.is_remembered {
            return content(self, context);
        }
        let frame = self.open_frame(context);
        let piece = content(self, &frame.inside)?;
        Ok(self.close_frame(&frame, piece, Vec::new(), place))
    }

    pub(super) fn open_frame(&mut self, context: &FragmentContext) -> FrameDraft {
        let over = self.counter("over".to_owned(), 1);
        let closed = self.terms.is(over, 1);
        let open = self.terms.not(closed);
        let mut inside = context.clone();
        inside.alive = self.terms.and([context.alive, open]);
        inside.dead = self.terms.or([context.dead, closed]);
        let (variables, scopes, settled) = (self.variables.len(), self.scopes, self.settled.len());
        FrameDraft { over, closed, inside, variables, scopes, settled }
    }

    /// Lets the frame close once its content is over, with more updates at that moment.
    pub(super) fn close_frame(
        &mut self,
        frame: &FrameDraft,
        mut piece: LoweredPiece,
        mut updates: Vec<(VariableId, TermId)>,
        place: Place,
    ) -> LoweredPiece {
        // What touches no lifeline is over only when it is settled.
        let over: Vec<TermId> = self.settled[frame.settled..].to_vec();
        let guard = self.terms.and(piece.ends.values().copied().chain(over).chain([frame.inside.alive]));
        updates.push((frame.over, self.terms.truth(true)));
        if !frame.inside.is_remembered {
            let inside = (frame.variables..self.variables.len()).map(VariableId::from_index);
            let outlives =
                |variable: &VariableId| self.lasting.get(variable).is_some_and(|scope| *scope < frame.scopes);
            let forgotten: Vec<VariableId> = inside.filter(|variable| !outlives(variable)).collect();
            updates.extend(forgotten.into_iter().map(|variable| self.back(variable)));
        }
        let chooser = self.chooser();
        self.decision(chooser, guard, updates, place);
        for end in piece.ends.values_mut() {
            *end = self.terms.or([frame.closed, *end]);
        }
        piece.solid.clear();
        piece
    }

    /// The update that takes a variable back to its first value.
    pub(super) fn back(&mut self, variable: VariableId) -> (VariableId, TermId) {
        let initial = self.variables[variable].initial;
        (variable, self.terms.constant(initial))
    }
}
