//! Widening: an encoding with more literals in its state, and with clauses about them.
//!
//! What must be remembered along a run ([cycles](crate::sat::encode::liveness), [the number of
//! positions](crate::sat::encode::near)) is added to the state. The other literals of the encoding are
//! renumbered; every engine works on the wider encoding as before.

use crate::sat::encode::clauses::Clauses;
use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::writer::NEXT;
use crate::sat::solver::{FALSE, Literal, TRUE};

/// An encoding with more literals in its state.
pub(crate) struct WideEncoding<'e, 's> {
    /// What is widened.
    pub encoding: &'e Encoding<'s>,
    more: i32,
    /// What is said about each position in addition.
    pub definitions: Clauses,
    /// What is said about a position and the next.
    pub steps: Clauses,
}

impl<'e, 's> WideEncoding<'e, 's> {
    /// Adds `more` literals to the state.
    pub(crate) fn new(encoding: &'e Encoding<'s>, more: i32) -> Self {
        // Definitions and steps number their fresh variables apart; both are counted on in `finish`.
        let (definitions, steps) = (Clauses::after(encoding.period + more), Clauses::after(NEXT / 2));
        WideEncoding { encoding, more, definitions, steps }
    }

    /// A literal of the encoding in the wider one.
    pub(crate) fn literal(&self, literal: Literal) -> Literal {
        let Encoding { period, state, .. } = self.encoding;
        let number = literal.variable().0;
        match literal {
            TRUE | FALSE => literal,
            _ if number <= state.width => literal,
            _ if number <= *period => literal.moved(self.more),
            _ if number <= period + state.width => literal.moved(NEXT - period),
            _ => literal.moved(NEXT - period + self.more),
        }
    }

    /// The wider encoding; the new literals of the state are false at the beginning. `remembers`, if given,
    /// replaces the literal that says whether the state was stored to return to.
    pub(crate) fn finish(self, remembers: Option<Literal>) -> Encoding<'s> {
        let width = self.encoding.state.width;
        let encoding = self.encoding;
        let defined = self.definitions.variables;
        let extra = self.steps.variables - NEXT / 2;
        let period = defined + extra;
        let resolve = |literal: &Literal| match literal.variable().0 {
            number if number > NEXT => literal.moved(period - NEXT),
            number if number > NEXT / 2 => literal.moved(defined - NEXT / 2),
            _ => *literal,
        };
        let old = |clauses: &[Vec<Literal>]| -> Vec<Vec<Literal>> {
            let clause = |clause: &Vec<Literal>| {
                clause.iter().map(|literal| resolve(&self.literal(*literal))).collect()
            };
            clauses.iter().map(clause).collect()
        };
        let new = |clauses: &Clauses| -> Vec<Vec<Literal>> {
            clauses.list.iter().map(|clause| clause.iter().map(resolve).collect()).collect()
        };
        let mut definitions = old(&encoding.definitions);
        definitions.extend(new(&self.definitions));
        let mut steps = old(&encoding.steps);
        steps.extend(new(&self.steps));
        let blank = (width + 1..=width + self.more).map(|bit| !Literal(bit));
        let to = |literal: Literal| resolve(&self.literal(literal));
        let mut wide = encoding.widened(self.more, period, definitions, steps, &to, blank);
        let remembers = remembers.or(encoding.remembers.map(|old| self.literal(old)));
        wide.remembers = remembers.map(|remembers| resolve(&remembers));
        wide
    }
}
