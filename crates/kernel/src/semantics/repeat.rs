//! Loops with an upper bound: one copy of the body per iteration (rule I4).

use super::Unsupported;
use super::builder::{Builder, Context, Piece};
use super::choice::Needs;
use crate::model::{Combined, Guard, Loop};
use crate::system::TermId;

/// More copies than this are not written out.
const MOST_ITERATIONS: u32 = 1_000;

impl<'a> Builder<'a> {
    /// A loop: iterations up to the lower bound always, up to the upper one as long as somebody decides to go on.
    pub(super) fn repeat(
        &mut self,
        combined: &'a Combined,
        bounds: Loop,
        context: &Context,
    ) -> Result<Piece, Unsupported> {
        let Some(operand) = combined.operands.first() else { return Ok(Piece::default()) };
        let (Some(min), Some(max)) = (bounds.min, bounds.max.filter(|max| *max <= MOST_ITERATIONS)) else {
            return Self::unsupported("a loop without an upper bound", combined.place);
        };
        let covered = self.covered([&operand.block]);
        let mut iteration = Context { at_once: context.at_once || bounds.strict, ..context.clone() };
        // For each iteration: the term that ends the loop before it, and what it leaves behind.
        let mut rounds: Vec<(TermId, Piece)> = Vec::new();
        let mut broken = self.terms.truth(false);
        let mut unbroken = self.terms.truth(true);
        for number in 1..=max {
            let mut over = broken;
            iteration.scope = self.scopes;
            self.scopes += 1;
            if number > min {
                let [go, stop] = self.loop_needs(&operand.guard);
                let choice = self.choice(&iteration, &covered, &[go, stop], combined.place);
                let went_on = self.inside(&iteration, choice, 1);
                let stopped = self.terms.is(choice, 2);
                over = self.terms.or([broken, stopped]);
                iteration = Context { before: iteration.before, barrier: iteration.barrier, ..went_on };
            }
            iteration.alive = self.terms.and([iteration.alive, unbroken]);
            iteration.dead = self.terms.or([iteration.dead, broken]);
            iteration.in_loop = true;
            self.broken.push(Vec::new());
            let piece = self.content(operand, &iteration)?;
            let breaks = self.broken.pop().unwrap_or_default();
            let ends: Vec<TermId> = piece.ends.values().copied().collect();
            let mut ignored = Piece::default();
            self.append(&mut ignored, &mut iteration, piece.clone());
            if bounds.strict {
                iteration.barrier = self.terms.and(ends.into_iter().chain([iteration.barrier]));
            }
            rounds.push((over, piece));
            for choice in breaks {
                let [taken, passed] = [1, 2].map(|number| self.terms.is(choice, number));
                broken = self.terms.or([broken, taken]);
                unbroken = self.terms.and([unbroken, passed]);
            }
        }
        Ok(self.rounds(rounds))
    }

    /// The loop's guard is fresh for each iteration, unless its value is assumed (rule I11).
    fn loop_needs(&self, guard: &Guard) -> [Needs; 2] {
        match guard {
            Guard::Condition(condition) => {
                [vec![(condition.text.clone(), true)], vec![(condition.text.clone(), false)]]
            }
            Guard::Absent | Guard::Else => [Vec::new(), Vec::new()],
        }
    }

    /// Iterations as one piece: a lifeline is over when the loop ends before an iteration and it is through the others.
    fn rounds(&mut self, rounds: Vec<(TermId, Piece)>) -> Piece {
        let mut whole = Piece::default();
        for (over, piece) in rounds.iter().rev() {
            let touched: Vec<_> = whole.ends.keys().chain(piece.ends.keys()).copied().collect();
            for component in touched {
                let own = piece.ends.get(&component).copied();
                let later = whole.ends.get(&component).copied();
                let through = self.terms.and(own.into_iter().chain(later));
                let end = self.terms.or([*over, through]);
                whole.ends.insert(component, end);
            }
        }
        for (_, piece) in rounds {
            whole.occurrences.extend(piece.occurrences);
            whole.regions.extend(piece.regions);
        }
        whole
    }
}
