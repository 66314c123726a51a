//! Strict loops (rule I4): one iteration, whose variables are used again and again.
//!
//! The next iteration begins when all of the one before is over, so only one is ever open. What waits for nothing is a
//! lifeline that goes on behind the loop: it must know that no later iteration needs it.
//!
//! - Of the next iteration the choice is kept with which it begins. If the loop ends there, a lifeline leaves as soon as its
//!   part of the last iteration is over. That is all there is to know of a lifeline that takes part in every iteration.
//! - A lifeline that some iterations do not need may leave while others still go round. It takes an invisible step that promises
//!   never to come back; runs that break the promise do not count.
//!
//! Promises cost states, and most diagrams never need one: whatever such a lifeline does next waits for one that takes part in every
//! iteration. So a diagram is lowered without promises first, and again if a [relaxation] of the result
//! shows that some might be of use.
//!
//! [relaxation]: super::relaxation

use std::collections::BTreeSet;

use super::Unsupported;
use super::builder::{FragmentContext, LoweredPiece, LoweringBuilder, Window};
use super::relaxation::StrictLoop;
use super::repeat::{IterationCourse, LoopIteration, RepeatBody};
use crate::id::Id;
use crate::model::{Block, Combination, Combined, Fragment, Guard, LifelineId, Loop, Operator};
use crate::source::Place;
use crate::system::{ComponentId, RuleId, TermId};

impl<'a> LoweringBuilder<'a> {
    /// Whether a loop is kept as one iteration. What is decided outside is not known in advance, so that nothing can be promised
    /// about it; and a property is seen from single lifelines, to which the promises of others would be events.
    pub(super) fn is_ring(&self, bounds: Loop) -> bool {
        bounds.strict && self.inputs.is_empty() && self.notes.is_none()
    }

    /// A strict loop.
    pub(super) fn ring(
        &mut self,
        body: RepeatBody<'a, '_>,
        bounds: Loop,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let place = body.combined().place;
        let may_leave = self.promises.as_ref().is_none_or(|some| some.contains(&self.rings.len()));
        let retired = self.retired(bounds);
        let (first, settled) = (self.rule_count(), self.settled.len());
        let mut course = self.course(bounds, context);
        let ways = self.window_ways(body, bounds, retired, 0, &course.context);
        let round = self.round(body, bounds, &ways, &mut course)?;
        let certain = self.certain_in_loop(body.combined());
        let uncertain: Vec<ComponentId> =
            round.piece.ends.keys().copied().filter(|component| !certain.contains(component)).collect();
        // Those who may leave anyway need not know whether the loop goes on.
        let asked = if may_leave && !certain.is_empty() { certain.clone() } else { self.touched(body) };
        let ways = self.window_ways(body, bounds, retired, 1, &course.context);
        let variables = self.variables.len();
        let over = self.enter(body, &asked, &ways, &mut course);
        let next = self.nothing_but_the_choice(&round, over, variables, &course);
        let all_ends = self.terms.and(round.piece.ends.values().copied().chain([over]));
        let finished = self.terms.or([context.dead, round.over, all_ends]);
        let left: Vec<TermId> = match may_leave {
            true => uncertain
                .iter()
                .map(|component| self.promise(*component, &round, over, context, first, place))
                .collect(),
            false => Vec::new(),
        };
        if may_leave {
            self.settled.push(finished);
            self.finished.push(finished);
        }
        let rounds = vec![round, next];
        let begun = self.remember(&rounds, context);
        let (_, rule) = self.retire(&rounds, retired, &begun, place);
        self.pay(first, rule);
        self.rest_between(&rounds, settled);
        let (broken, over) = (course.broken, rounds[0].over);
        let mut piece = self.ends(rounds, broken, context);
        let end_of = |component: &ComponentId| piece.ends.get(component).copied();
        self.rings.push(StrictLoop {
            is_repeated: !context.path.is_empty(),
            certain: certain.iter().filter_map(end_of).collect(),
            uncertain: uncertain.iter().filter_map(end_of).collect(),
        });
        for (component, left) in uncertain.iter().zip(left) {
            let end = piece.ends.get(component).copied();
            piece.ends.insert(*component, self.terms.or(end.into_iter().chain([left])));
        }
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

    /// The next iteration as far as it is kept: nobody is through it unless the loop ends before it.
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
            finished: self.terms.truth(true),
            piece: LoweredPiece { ends, ..LoweredPiece::default() },
        }
    }

    /// A step by which a lifeline that is through the iteration leaves the loop, although it may go on; whether it was taken.
    /// Where it is needed again after that, the run does not count.
    fn promise(
        &mut self,
        component: ComponentId,
        round: &LoopIteration,
        over: TermId,
        context: &FragmentContext,
        first: usize,
        place: Place,
    ) -> TermId {
        let bit = self.counter("left".to_owned(), 1);
        let left = self.terms.is(bit, 1);
        let stays = self.terms.not(left);
        let goes_on = self.terms.not(over);
        let mut needed = Vec::new();
        for (owner, done, rule) in &round.piece.occurrences {
            if let Some(alive) = self.alive.get(rule).copied().filter(|_| *owner == component) {
                let open = self.terms.not(*done);
                needed.push(self.terms.and([alive, open]));
            }
        }
        for rule in (first..self.rule_count()).map(RuleId::from_index) {
            let is_repeated = self.event_shown(rule).is_some() && !self.alive.contains_key(&rule);
            if is_repeated && self.component_of(rule) == component {
                self.demand(rule, stays);
            }
        }
        let needed = self.terms.or(needed);
        let broken = self.terms.and([left, needed]);
        self.void.push(broken);
        let rule = self.leaving(context, component, bit, place);
        let through = self.terms.and([round.alive, round.piece.ends[&component], goes_on]);
        self.demand(rule, through);
        left
    }

    /// The lifelines that take part in every iteration of a loop; some of them, where that is hard to tell.
    fn certain_in_loop(&mut self, combined: &'a Combined) -> BTreeSet<ComponentId> {
        combined.operands.first().map(|operand| self.certain_in(&operand.block)).unwrap_or_default()
    }

    /// The lifelines on which something happens whenever a block is run to its end.
    fn certain_in(&mut self, block: &'a Block) -> BTreeSet<ComponentId> {
        let mut certain = BTreeSet::new();
        for fragment in block.unframed() {
            let lifelines: Vec<LifelineId> = match fragment {
                Fragment::Message(id) => {
                    let message = &self.current().messages[*id];
                    [message.from, message.to].into_iter().filter_map(|end| end.lifeline()).collect()
                }
                Fragment::Stop(stop) => vec![stop.lifeline],
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
                Fragment::Invariant(_)
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
