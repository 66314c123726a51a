//! Strict loops (rule I4) of which every iteration needs all lifelines that take part: one iteration, whose variables are used
//! again and again.
//!
//! The next iteration of a strict loop begins when all of the one before is over, so only one is ever open. What need not wait
//! for it is a lifeline that goes on behind the loop: its part of the present iteration must be over, and it must know that no
//! later iteration needs it. Where each iteration needs each lifeline, that is to know that the loop ends. So besides the
//! iteration that is open nothing is kept but the choice with which the next begins, which may fall before the iteration is over:
//! a lifeline goes on as soon as the loop is to end there and its own part is over. Nothing ever waits for a window, and
//! the result is exact.
//!
//! A lifeline that some iteration does not need may leave the loop while the others still go round, and what it does then
//! stands beside any number of iterations: such a loop keeps a window, which tells where it had no room.

use std::collections::BTreeSet;

use super::Unsupported;
use super::builder::{FragmentContext, LoweredPiece, LoweringBuilder, Window};
use super::repeat::{IterationCourse, LoopIteration, RepeatBody};
use crate::model::{Block, Combination, Combined, Fragment, Guard, LifelineId, Loop, Operator};
use crate::system::{ComponentId, TermId};

impl<'a> LoweringBuilder<'a> {
    /// Whether a loop is kept as one iteration. Properties that are followed along runs of other systems keep windows: what they
    /// write down is looked up by the copies of a window.
    pub(super) fn is_ring(&mut self, body: RepeatBody<'a, '_>, bounds: Loop) -> bool {
        let RepeatBody::Drawn(combined) = body else { return false };
        if !bounds.strict || !self.inputs.is_empty() || self.notes.is_some() {
            return false;
        }
        let certain = self.certain_in_loop(combined);
        self.touched(body).is_subset(&certain)
    }

    /// A strict loop, as one iteration.
    pub(super) fn ring(
        &mut self,
        body: RepeatBody<'a, '_>,
        bounds: Loop,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let place = body.combined().place;
        let retired = self.retired(bounds);
        let (first, settled) = (self.rule_count(), self.settled.len());
        let mut course = self.course(bounds, context);
        let ways = self.window_ways(body, bounds, retired, 0, &course.context);
        let round = self.round(body, bounds, &ways, &mut course)?;
        let ways = self.window_ways(body, bounds, retired, 1, &course.context);
        let variables = self.variables.len();
        let over = self.enter(body, &ways, &mut course);
        let next = self.nothing_but_the_choice(&round, over, variables, &course);
        let rounds = vec![round, next];
        let begun = self.remember(&rounds, context);
        let (_, rule) = self.retire(&rounds, retired, &begun, place);
        self.pay(first, rule);
        self.rest_between(&rounds, settled);
        let (broken, over) = (course.broken, rounds[0].over);
        let mut piece = self.ends(rounds, broken, context);
        self.windows.push(Window {
            id: self.key(body.combined()),
            path: context.path.clone(),
            ends: piece.ends.clone(),
            dead: context.dead,
        });
        piece.begun.extend(begun.iter().map(|(component, bit)| (*component, self.terms.is(*bit, 1))));
        if bounds.min.is_none() {
            // It is never over; an infinite run may rest where it would be.
            let ended = self.terms.or([context.dead, broken, over]);
            self.settled.push(ended);
        }
        Ok(piece)
    }

    /// The next iteration as far as it is kept: no lifeline is through it unless the loop ends before it.
    fn nothing_but_the_choice(
        &mut self,
        round: &LoopIteration,
        over: TermId,
        variables: usize,
        course: &IterationCourse,
    ) -> LoopIteration {
        let no = self.terms.truth(false);
        let ends = round.piece.ends.keys().map(|component| (*component, no)).collect();
        LoopIteration {
            over,
            alive: course.context.alive,
            broken: course.broken,
            variables: variables..self.variables.len(),
            piece: LoweredPiece { ends, ..LoweredPiece::default() },
        }
    }

    /// The lifelines that take part in every iteration of a loop; some of them, where that is hard to tell.
    fn certain_in_loop(&mut self, combined: &'a Combined) -> BTreeSet<ComponentId> {
        combined.operands.first().map(|operand| self.certain_in(&operand.block)).unwrap_or_default()
    }

    /// The lifelines on which something happens whenever a block is run to its end; some of them.
    fn certain_in(&mut self, block: &'a Block) -> BTreeSet<ComponentId> {
        let mut certain = BTreeSet::new();
        for fragment in block.unframed() {
            let lifelines: Vec<LifelineId> = match fragment {
                Fragment::Message(id) => {
                    let message = &self.current().messages[*id];
                    [message.from, message.to].into_iter().filter_map(|end| end.lifeline()).collect()
                }
                Fragment::Action(action) => vec![action.lifeline],
                Fragment::Combined(combined) => {
                    // What follows a break may be left out.
                    if combined.operator.combination() == Combination::Break {
                        break;
                    }
                    certain.extend(self.certain_in_fragment(combined));
                    Vec::new()
                }
                Fragment::Use(use_) => {
                    if let Some(target) = use_.target.filter(|target| !self.inlining.contains(target)) {
                        self.inlining.push(target);
                        certain.extend(self.certain_in(&self.current().body));
                        self.inlining.pop();
                    }
                    Vec::new()
                }
                Fragment::Stop(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => Vec::new(),
            };
            certain.extend(lifelines.into_iter().map(|lifeline| self.line(lifeline)));
        }
        certain
    }

    fn certain_in_fragment(&mut self, combined: &'a Combined) -> BTreeSet<ComponentId> {
        match &combined.operator {
            Operator::Loop(bounds) if bounds.min != Some(0) => self.certain_in_loop(combined),
            Operator::Seq
            | Operator::Strict
            | Operator::Par
            | Operator::Critical
            | Operator::Assert
            | Operator::Coregion(_)
            | Operator::Ignore(_)
            | Operator::Consider(_) => {
                let all = combined.operands.iter().filter(|operand| operand.guard == Guard::Absent);
                all.flat_map(|operand| self.certain_in(&operand.block)).collect()
            }
            Operator::Loop(_)
            | Operator::Alt
            | Operator::Opt
            | Operator::Break
            | Operator::Neg
            | Operator::Not => BTreeSet::new(),
        }
    }
}
