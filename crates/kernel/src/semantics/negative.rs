//! Negation: runs through a `neg`, and what they are worth (rules I7, I12; P0, V-D).
//!
//! A `neg` is an option: to skip it is fine, to run through it is not. What the run is worth then is written down when the
//! `neg` is over, in two bits: of the whole run or, for a `neg` inside a `neg`, of the runs through the outer one.

use super::Unsupported;
use super::builder::LoweredPiece;
use super::builder::{FragmentContext, LoweringBuilder, RunWorth};
use super::choice::{ChoiceWay, worlds_of};
use crate::model::{Combined, Guard};
use crate::system::{TermId, TraceClass, VariableId};

const RUN: i32 = 1;
const SKIP: i32 = 2;

impl<'a> LoweringBuilder<'a> {
    /// A `neg`: skipped, or run through.
    pub(super) fn negative(
        &mut self,
        combined: &'a Combined,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let guard = combined.operands.first().map_or(&Guard::Absent, |operand| &operand.guard);
        let value = match guard {
            Guard::Condition(condition) => self.value_of_condition(condition),
            Guard::Absent | Guard::Else => Some(true),
        };
        let is_absent = value == Some(false) && !self.assumptions.switches.invalid_if_neg_false;
        if is_absent || self.assumptions.without_negatives {
            return Ok(LoweredPiece::default());
        }
        let covered = self.covered(combined.operands.iter().map(|operand| &operand.block));
        let frame = self.open_frame(context);
        let judge = self.judge();
        let was_false = self.counter("false".to_owned(), 1);
        let mut ways = vec![ChoiceWay::new(SKIP, Vec::new())];
        if value != Some(false) {
            let line = combined.operands.first().and_then(|operand| self.first_line(&operand.block));
            ways.extend(
                worlds_of(guard, true)
                    .into_iter()
                    .map(|needs| ChoiceWay { line, ..ChoiceWay::new(RUN, needs) }),
            );
        }
        if value != Some(true) && self.assumptions.switches.invalid_if_neg_false {
            let against = worlds_of(guard, false).into_iter().map(|needs| ChoiceWay::new(RUN, needs));
            ways.extend(against.map(|way| ChoiceWay { mark: Some(was_false), ..way }));
        }
        let choice = self.choice_of(&frame.inside, &covered, &ways, combined.place);
        let inside = FragmentContext {
            judge,
            is_alone: true,
            in_neg: true,
            ..self.inside(&frame.inside, choice, RUN)
        };
        let content = self.contents(&combined.operands, &inside)?;
        let piece = self.either(choice, vec![(RUN, content), (SKIP, LoweredPiece::default())]);
        let ran = self.terms.is(choice, RUN);
        let updates = self.sentence(context, judge, ran, was_false);
        let piece = self.close_frame(&frame, piece, updates, combined.place);
        let settled = self.terms.or([context.dead, frame.closed]);
        self.settled.push(settled);
        Ok(piece)
    }

    /// What a run through a `neg` adds to the worth of the run around it; `inner` is the worth of what it holds.
    fn sentence(
        &mut self,
        context: &FragmentContext,
        inner: RunWorth,
        ran: TermId,
        was_false: VariableId,
    ) -> Vec<(VariableId, TermId)> {
        let switches = &self.assumptions.switches;
        let [bad, doubt] = [inner.invalid, inner.doubtful].map(|bit| self.terms.is(bit, 1));
        let [fine, sure] = [bad, doubt].map(|term| self.terms.not(term));
        let only_doubt = self.terms.and([doubt, fine]);
        let certain = self.terms.or([bad, sure]);
        let was_false = self.terms.is(was_false, 1);
        let clean = self.terms.and([fine, sure]);
        let (mut invalid, mut doubtful) = match switches.double_negation {
            TraceClass::Invalid => (certain, only_doubt),
            TraceClass::Valid => (self.terms.choose(was_false, certain, clean), only_doubt),
            TraceClass::Inconclusive => {
                let either = self.terms.or([bad, doubt]);
                (
                    self.terms.choose(was_false, certain, clean),
                    self.terms.choose(was_false, only_doubt, either),
                )
            }
        };
        if switches.doubtful_around && !context.is_alone {
            doubtful = self.terms.or([doubtful, invalid]);
            invalid = self.terms.truth(false);
        }
        let RunWorth { invalid: invalid_bit, doubtful: doubtful_bit } = context.judge;
        [(invalid_bit, invalid), (doubtful_bit, doubtful)]
            .map(|(bit, worth)| {
                let added = self.terms.and([ran, worth]);
                let so_far = self.terms.is(bit, 1);
                (bit, self.terms.or([so_far, added]))
            })
            .to_vec()
    }
}
