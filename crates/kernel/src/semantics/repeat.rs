//! Loops (rule I4): one copy of the body per iteration, or a window of iterations that moves along.
//!
//! A loop with few iterations at most is written out; in scenarios, which are followed along runs, only one with very few, as long as the
//! window suffices. Any other keeps a window of slots, each a copy of the body's
//! variables. Slot 0 is always the oldest iteration that is not over; when it is over on every lifeline it retires: every
//! slot takes over the values of the next, and the last becomes a fresh iteration. A lifeline that would go further ahead
//! of another than the window is wide has to wait; such configurations are `strained`, and the system then has fewer runs
//! than the diagram. Where the messages of the body tie the lifelines together nothing ever waits, and the result is exact.
//!
//! A strict loop of which every iteration needs all its lifelines keeps one iteration (`ring`).

use std::collections::BTreeSet;
use std::ops::Range;

use super::Unsupported;
use super::builder::{FragmentContext, LoweredPiece, LoweringBuilder, Window};
use super::choice::{ChoiceWay, worlds_of};
use super::exchange::Exchange;
use crate::id::Id;
use crate::model::{Combined, Loop};
use crate::source::Place;
use crate::system::{ComponentId, RuleId, TermId, VariableId};

/// More copies than this are not written out.
const MOST_COPIES: usize = 1_000;

/// More iterations than this are counted where loops are counted.
const FEW_COPIES: usize = 3;

/// From this window on every loop that can be written out is: it is exact then, whichever lifeline runs ahead.
const WIDE: usize = 4;

const GO: i32 = 1;
const STOP: i32 = 2;

/// One iteration as it was lowered.
pub(super) struct LoopIteration {
    /// The loop ends before it.
    pub over: TermId,
    /// It runs: the loop has not ended, and goes on.
    pub alive: TermId,
    /// A break in it ends the loop.
    pub broken: TermId,
    /// Its variables.
    pub variables: Range<usize>,
    /// What happens in it.
    pub piece: LoweredPiece,
}

/// What the next iteration needs to know of the ones before.
pub(super) struct IterationCourse {
    /// The context of the next iteration.
    pub context: FragmentContext,
    /// How many loops stand around this one.
    depth: usize,
    /// Some earlier iteration was broken off.
    pub broken: TermId,
    /// None was.
    unbroken: TermId,
}

/// What is repeated.
#[derive(Clone, Copy)]
pub(super) enum RepeatBody<'a, 'e> {
    /// The operands of a drawn loop.
    Drawn(&'a Combined),
    /// A message that a fragment lets happen in between (rule I8).
    Extra(&'e Exchange, &'a Combined),
}

impl<'a> RepeatBody<'a, '_> {
    /// The fragment.
    pub(super) fn combined(self) -> &'a Combined {
        match self {
            RepeatBody::Drawn(combined) | RepeatBody::Extra(_, combined) => combined,
        }
    }
}

impl<'a> LoweringBuilder<'a> {
    /// A loop: iterations up to the lower bound always, up to the upper one as long as a choice continues it.
    pub(super) fn repeat(
        &mut self,
        body: RepeatBody<'a, '_>,
        bounds: Loop,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let place = body.combined().place;
        self.within_bounds(place)?;
        // A body without lifelines does nothing: infinitely many empty iterations would only delay the
        // others.
        if self.touched(body).is_empty() {
            return Ok(LoweredPiece::default());
        }
        let most = bounds.max.and_then(|max| usize::try_from(max).ok());
        let is_counted =
            self.counts_loops && self.assumptions.window < WIDE && most.is_some_and(|most| most > FEW_COPIES);
        let is_written_out = bounds.min.is_some()
            && !is_counted
            && most.is_some_and(|most| most.saturating_mul(context.copies) <= MOST_COPIES);
        self.framed(context, place, |builder, inside| match most {
            Some(most) if is_written_out => builder.written_out(body, bounds, most, inside),
            Some(_) | None if builder.is_ring(body, bounds) => builder.ring(body, bounds, inside),
            Some(_) | None => builder.windowed(body, bounds, inside),
        })
    }

    /// The lifelines that take part.
    pub(super) fn touched(&mut self, body: RepeatBody<'a, '_>) -> BTreeSet<ComponentId> {
        match body {
            RepeatBody::Drawn(combined) => {
                self.covered(combined.operands.iter().map(|operand| &operand.block))
            }
            RepeatBody::Extra(extra, _) => self.ends_of_extra(extra),
        }
    }

    /// What happens in one iteration.
    fn iteration(
        &mut self,
        body: RepeatBody<'a, '_>,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        match body {
            RepeatBody::Drawn(combined) => self.contents(&combined.operands, context),
            RepeatBody::Extra(extra, combined) => Ok(self.undrawn(extra, context, combined.place)),
        }
    }

    /// One copy of the body for each iteration.
    fn written_out(
        &mut self,
        body: RepeatBody<'a, '_>,
        bounds: Loop,
        most: usize,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        let copies = context.copies * most.max(1);
        let mut course = self.course(bounds, &FragmentContext { copies, ..context.clone() });
        let mut rounds = Vec::new();
        for number in 1..=most {
            let is_certain = bounds.min.is_some_and(|min| number as u64 <= u64::from(min));
            let ways = match is_certain {
                true => Vec::new(),
                false => self.free_ways(body, &course.context, None),
            };
            rounds.push(self.round(body, bounds, &ways, &mut course)?);
        }
        let end = self.terms.truth(true);
        Ok(self.ends(rounds, end, context))
    }

    /// A window of iterations.
    fn windowed(
        &mut self,
        body: RepeatBody<'a, '_>,
        bounds: Loop,
        context: &FragmentContext,
    ) -> Result<LoweredPiece, Unsupported> {
        // The second slot of a strict loop lets it end before its last iteration is over everywhere.
        let room = (MOST_COPIES / context.copies).max(1);
        let width = self.assumptions.window.min(room).max(if bounds.strict { 2 } else { 1 });
        let copies = context.copies * width;
        let retired = self.retired(bounds);
        let (first, settled) = (self.rule_count(), self.settled.len());
        let mut course = self.course(bounds, &FragmentContext { copies, ..context.clone() });
        let mut rounds = Vec::new();
        for slot in 0..width {
            let ways = self.window_ways(body, bounds, retired, slot, &course.context);
            rounds.push(self.round(body, bounds, &ways, &mut course)?);
        }
        let begun = self.remember(&rounds, context);
        let (retires, rule) = self.retire(&rounds, retired, &begun, body.combined().place);
        self.pay(first, rule);
        self.rest_between(&rounds, settled);
        self.strain(&rounds, bounds, retired, retires, &course);
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

    pub(super) fn course(&mut self, bounds: Loop, context: &FragmentContext) -> IterationCourse {
        let mut context = FragmentContext { is_alone: false, ..context.clone() };
        if bounds.strict {
            context.progress = Some(self.terms.truth(true));
        }
        let (broken, unbroken) = (self.terms.truth(false), self.terms.truth(true));
        IterationCourse { depth: context.path.len(), context, broken, unbroken }
    }

    /// One more iteration; without ways to choose it happens in any case.
    pub(super) fn round(
        &mut self,
        body: RepeatBody<'a, '_>,
        bounds: Loop,
        ways: &[ChoiceWay],
        course: &mut IterationCourse,
    ) -> Result<LoopIteration, Unsupported> {
        self.within_bounds(body.combined().place)?;
        let first = self.variables.len();
        let over = self.enter(body, ways, course);
        let context = &mut course.context;
        context.in_loop = true;
        self.broken.push(Vec::new());
        let piece = self.iteration(body, context)?;
        let breaks = self.broken.pop().unwrap_or_default();
        let ends: Vec<TermId> = piece.ends.values().copied().collect();
        let alive = context.alive;
        self.append(&mut LoweredPiece::default(), context, piece.clone());
        if bounds.strict {
            context.barrier = self.terms.and(ends.into_iter().chain([context.barrier]));
        }
        for choice in breaks {
            let [taken, passed] = [1, 2].map(|number| self.terms.is(choice, number));
            course.broken = self.terms.or([course.broken, taken]);
            course.unbroken = self.terms.and([course.unbroken, passed]);
        }
        let variables = first..self.variables.len();
        Ok(LoopIteration { over, alive, broken: course.broken, variables, piece })
    }

    /// Chooses whether there is one more iteration, and turns the course to it; whether the loop is over before it.
    pub(super) fn enter(
        &mut self,
        body: RepeatBody<'a, '_>,
        ways: &[ChoiceWay],
        course: &mut IterationCourse,
    ) -> TermId {
        let covered = self.touched(body);
        let mut over = course.broken;
        let context = &mut course.context;
        context.scope = self.scopes;
        context.path.truncate(course.depth);
        context.path.push((self.key(body.combined()), self.scopes));
        self.scopes += 1;
        context.alive = self.terms.and([context.alive, course.unbroken]);
        context.dead = self.terms.or([context.dead, course.broken]);
        if !ways.is_empty() {
            let choice = self.choice_of(context, &covered, ways, body.combined().place);
            let stopped = self.terms.is(choice, STOP);
            over = self.terms.or([over, stopped]);
            *context = self.inside(context, choice, GO);
        }
        over
    }

    /// To go on or to stop, as the guard says, if `when` holds; the guard is fresh for each iteration (rule I11).
    fn free_ways(
        &mut self,
        body: RepeatBody<'_, '_>,
        context: &FragmentContext,
        when: Option<TermId>,
    ) -> Vec<ChoiceWay> {
        let free = |number| ChoiceWay { when, ..ChoiceWay::new(number, Vec::new()) };
        let RepeatBody::Drawn(combined) = body else { return vec![free(GO), free(STOP)] };
        let Some(operand) = combined.operands.first() else { return vec![free(STOP)] };
        let line = self.first_line(&operand.block);
        let go = worlds_of(&operand.guard, true).into_iter();
        let go = go.map(|needs| ChoiceWay::new(GO, needs).into(operand, line));
        let stop = worlds_of(&operand.guard, false).into_iter().map(|needs| ChoiceWay::new(STOP, needs));
        let mut ways: Vec<ChoiceWay> = go.chain(stop).collect();
        ways.extend(self.forbidden_way(context, GO, operand));
        ways.iter_mut().for_each(|way| way.when = when);
        ways
    }

    /// The ways for a slot: what is certain below the lower bound, free up to the upper, and over above it.
    pub(super) fn window_ways(
        &mut self,
        body: RepeatBody<'_, '_>,
        bounds: Loop,
        retired: Option<VariableId>,
        slot: usize,
        context: &FragmentContext,
    ) -> Vec<ChoiceWay> {
        let Some(min) = bounds.min else { return vec![ChoiceWay::new(GO, Vec::new())] };
        let certain = self.before_iteration(retired, slot, Some(min));
        let possible = self.before_iteration(retired, slot, bounds.max);
        let [uncertain, exhausted] = [certain, possible].map(|term| self.terms.not(term));
        let free = self.terms.and([uncertain, possible]);
        let no = self.terms.truth(false);
        let mut ways = Vec::new();
        if free != no {
            ways.extend(self.free_ways(body, context, Some(free)));
        }
        if certain != no {
            ways.push(ChoiceWay { when: Some(certain), ..ChoiceWay::new(GO, Vec::new()) });
        }
        if exhausted != no {
            ways.push(ChoiceWay { when: Some(exhausted), ..ChoiceWay::new(STOP, Vec::new()) });
        }
        ways
    }

    /// How many iterations have retired, as far as the bounds ask.
    pub(super) fn retired(&mut self, bounds: Loop) -> Option<VariableId> {
        let asked = bounds.min.and_then(|min| bounds.max.or(Some(min)))?;
        let asked = i32::try_from(asked).unwrap_or(i32::MAX);
        (asked > 0).then(|| self.counter("retired".to_owned(), asked))
    }

    /// Whether the iteration in a slot is one of the first `bound`; without bound it is.
    fn before_iteration(&mut self, retired: Option<VariableId>, slot: usize, bound: Option<u32>) -> TermId {
        let Some(bound) = bound else { return self.terms.truth(true) };
        let left = i64::from(bound) - slot as i64;
        let left = i32::try_from(left).unwrap_or(i32::MAX);
        match retired {
            Some(retired) if left > 0 => {
                let (retired, left) = (self.terms.variable(retired), self.terms.constant(left));
                self.terms.less(retired, left)
            }
            Some(_) | None => self.terms.truth(left > 0),
        }
    }

    /// Bits that remember which lifelines have taken part in iterations that retired, if a fragment around
    /// needs them.
    pub(super) fn remember(
        &mut self,
        rounds: &[LoopIteration],
        context: &FragmentContext,
    ) -> Vec<(ComponentId, VariableId)> {
        let touched: BTreeSet<ComponentId> =
            rounds.iter().flat_map(|round| &round.piece.occurrences).map(|(owner, ..)| *owner).collect();
        let asked = touched.into_iter().filter(|_| context.is_remembered);
        asked.map(|component| (component, self.counter("begun".to_owned(), 1))).collect()
    }

    /// The oldest iteration retires when it is over on all lifelines: the others move up. Returns when that is, and the rule.
    pub(super) fn retire(
        &mut self,
        rounds: &[LoopIteration],
        retired: Option<VariableId>,
        begun: &[(ComponentId, VariableId)],
        place: Place,
    ) -> (TermId, RuleId) {
        let oldest = &rounds[0];
        let whole = self.terms.not(oldest.broken);
        let ends = oldest.piece.ends.values().copied();
        let guard = self.terms.and(ends.chain([oldest.alive, whole]));
        let mut updates = Vec::new();
        for pair in rounds.windows(2) {
            let [own, mut next] =
                [0, 1].map(|at: usize| pair[at].variables.clone().map(VariableId::from_index));
            // Of the next iteration there may be nothing but the choice with which it begins.
            updates.extend(own.map(|own| match next.next() {
                Some(next) => (own, self.terms.variable(next)),
                None => self.back(own),
            }));
        }
        let last = rounds.iter().next_back().map_or(0..0, |round| round.variables.clone());
        updates.extend(last.map(|index| self.back(VariableId::from_index(index))));
        if let Some(retired) = retired {
            let most = self.variables[retired].max;
            let (one, most) = (self.terms.constant(1), self.terms.constant(most));
            let count = self.terms.variable(retired);
            let more = self.terms.plus(count, one);
            let is_less = self.terms.less(count, most);
            updates.push((retired, self.terms.choose(is_less, more, most)));
        }
        for (component, bit) in begun {
            let occurrences = oldest.piece.occurrences.iter().map(|(owner, done, _)| (*owner, *done));
            let happened = occurrences.chain(oldest.piece.begun.iter().copied());
            let happened: Vec<TermId> =
                happened.filter(|(owner, _)| owner == component).map(|(_, happened)| happened).collect();
            let so_far = self.terms.is(*bit, 1);
            updates.push((*bit, self.terms.or(happened.into_iter().chain([so_far]))));
        }
        let chooser = self.chooser();
        (guard, self.decision(chooser, guard, updates, place))
    }

    /// Where something waits for the window: a lifeline is through all slots, and the oldest cannot retire.
    fn strain(
        &mut self,
        rounds: &[LoopIteration],
        bounds: Loop,
        retired: Option<VariableId>,
        retires: TermId,
        course: &IterationCourse,
    ) {
        let Some(last) = rounds.last() else { return };
        let components: Vec<ComponentId> = last.piece.ends.keys().copied().collect();
        let through: Vec<TermId> =
            components.iter().map(|component| self.before(&course.context, *component)).collect();
        let possible = self.before_iteration(retired, rounds.len(), bounds.max);
        let waits = self.terms.not(retires);
        let is_full = self.terms.and([last.alive, course.unbroken, possible, waits]);
        let each: Vec<TermId> = through.iter().map(|one| self.terms.and([is_full, *one])).collect();
        self.note_strain(components.into_iter().zip(each));
        let through = self.terms.or(through);
        let strained = self.terms.and([is_full, through]);
        self.strained.push(strained);
    }

    /// In an infinite run the loop may rest between iterations instead of being over; `settled` is how much there was to be
    /// settled before it.
    pub(super) fn rest_between(&mut self, rounds: &[LoopIteration], settled: usize) {
        let over = rounds[0].over;
        let done: Vec<TermId> =
            rounds.iter().flat_map(|round| &round.piece.occurrences).map(|(_, done, _)| *done).collect();
        let begun = self.terms.or(done);
        let resting = self.terms.not(begun);
        let either = self.terms.or([over, resting]);
        self.resting.insert(over, either);
        // What is still to be decided in an iteration that has not begun keeps nothing from resting.
        for at in settled..self.settled.len() {
            let open = self.settled[at];
            let either = self.terms.or([open, resting]);
            self.resting.insert(open, either);
        }
        self.endless.get_or_insert_default();
    }

    /// Iterations as one piece: a lifeline is over when the loop ends before an iteration and it is through those before;
    /// `end` tells whether the loop ends after the last.
    pub(super) fn ends(
        &mut self,
        rounds: Vec<LoopIteration>,
        end: TermId,
        context: &FragmentContext,
    ) -> LoweredPiece {
        let mut whole = LoweredPiece::default();
        for round in rounds.iter().rev() {
            let touched: BTreeSet<ComponentId> =
                whole.ends.keys().chain(round.piece.ends.keys()).copied().collect();
            for component in touched {
                let own = round.piece.ends.get(&component).copied();
                let later = whole.ends.get(&component).copied().unwrap_or(end);
                let through = self.terms.and(own.into_iter().chain([later]));
                let end = self.terms.or([round.over, through]);
                whole.ends.insert(component, end);
            }
        }
        let pieces: Vec<LoweredPiece> = rounds.into_iter().map(|round| round.piece).collect();
        self.keep_off_freely(&pieces, context);
        pieces.into_iter().for_each(|piece| whole.collect(piece));
        whole
    }
}
