//! From patterns in words to formulas.
//!
//! A claim is first written for a stretch of the run that begins here and ends before `end`, or never; the scope then says
//! where such stretches begin. Only future operators are used, so a pattern may stand inside any formula. The test
//! `tests/patterns.rs` holds each of them against its meaning.

use sequent_kernel::formula::{Binary, Unary};
use sequent_kernel::source::Place;

use super::Problem;
use super::parser::{Parser, Part};

/// What a pattern says within its scope.
pub(super) enum Claim {
    Absence(Part),
    Existence(Part),
    Universality(Part),
    /// The first come before the second.
    Precedence(Vec<Part>, Vec<Part>),
    /// The first are followed by the second.
    Response(Vec<Part>, Vec<Part>),
}

/// Where a pattern is to hold.
pub(super) enum Scope {
    Global,
    Before(Part),
    After(Part),
    Between(Part, Part),
    AfterUntil(Part, Part),
}

/// Makes formulas that all stand at the place of their pattern.
pub(super) struct Maker<'a, 'b> {
    pub parser: &'a Parser<'b>,
    pub place: Place,
}

type Made = Result<Part, Problem>;

impl Maker<'_, '_> {
    /// The formula that says a claim within a scope.
    pub fn scoped(&self, claim: &Claim, scope: &Scope) -> Made {
        match scope {
            Scope::Global => self.claim(claim, None),
            Scope::Before(end) => {
                let comes = self.unary(Unary::Finally, end.clone())?;
                self.binary(Binary::Implies, comes, self.claim(claim, Some(end))?)
            }
            Scope::After(begin) => self.after(claim, begin),
            Scope::Between(begin, end) => {
                let comes = self.next(self.unary(Unary::Finally, end.clone())?)?;
                let is_scope = self.binary(Binary::And, begin.clone(), comes)?;
                self.whenever(is_scope, self.next(self.claim(claim, Some(end))?)?)
            }
            Scope::AfterUntil(begin, end) => {
                self.whenever(begin.clone(), self.next(self.claim(claim, Some(end))?)?)
            }
        }
    }

    /// Behind the first `begin`. Where the claim is about every position, that is the same as behind each.
    fn after(&self, claim: &Claim, begin: &Part) -> Made {
        let rest = self.next(self.claim(claim, None)?)?;
        match claim {
            Claim::Absence(_) | Claim::Universality(_) | Claim::Response(..) => {
                self.whenever(begin.clone(), rest)
            }
            Claim::Existence(_) | Claim::Precedence(..) => {
                let first = self.binary(Binary::And, begin.clone(), rest)?;
                self.binary(Binary::WeakUntil, self.not(begin)?, first)
            }
        }
    }

    /// The claim from here on: up to the first `end` if one is given and comes, else forever.
    fn claim(&self, claim: &Claim, end: Option<&Part>) -> Made {
        match claim {
            Claim::Absence(item) => self.always(self.not(item)?, end),
            Claim::Existence(item) => self.some(item.clone(), end),
            Claim::Universality(item) => self.always(item.clone(), end),
            Claim::Precedence(causes, effects) => match (causes.as_slice(), effects.as_slice()) {
                (causes, [effect]) => self.led(causes, effect, end),
                (causes, effects) => self.not(&self.unled(&causes[0], effects, end)?),
            },
            Claim::Response(stimuli, responses) => self.answered(stimuli, responses, end),
        }
    }

    /// No `effect` until the causes have come one after the other.
    fn led(&self, causes: &[Part], effect: &Part, end: Option<&Part>) -> Made {
        let none = self.not(effect)?;
        let mut waited: Option<Part> = None;
        for cause in causes.iter().rev() {
            let mut goal = match waited {
                None => cause.clone(),
                Some(rest) => {
                    let alone = self.binary(Binary::And, cause.clone(), none.clone())?;
                    self.binary(Binary::And, alone, self.next(rest)?)?
                }
            };
            if let Some(end) = end {
                goal = self.binary(Binary::Or, goal, end.clone())?;
            }
            waited = Some(self.binary(Binary::WeakUntil, none.clone(), goal)?);
        }
        Ok(waited.expect("a side has at least one item"))
    }

    /// The first effect without a cause before or with it, and the others after it.
    fn unled(&self, cause: &Part, effects: &[Part], end: Option<&Part>) -> Made {
        let mut without = self.not(cause)?;
        if let Some(end) = end {
            without = self.binary(Binary::And, without, self.not(end)?)?;
        }
        let first = self.binary(Binary::And, effects[0].clone(), without.clone())?;
        let rest = self.next(self.row(&effects[1..], end)?)?;
        let first = self.binary(Binary::And, first, rest)?;
        self.binary(Binary::Until, without, first)
    }

    /// Whenever all stimuli have come one after the other, the responses come one after the other.
    fn answered(&self, stimuli: &[Part], responses: &[Part], end: Option<&Part>) -> Made {
        let mut then = self.row(responses, end)?;
        for (index, stimulus) in stimuli.iter().enumerate().rev() {
            let one = self.binary(Binary::Implies, stimulus.clone(), then)?;
            then = self.always(one, end)?;
            if index > 0 {
                then = self.next(then)?;
            }
        }
        Ok(then)
    }

    /// The items come one after the other.
    fn row(&self, items: &[Part], end: Option<&Part>) -> Made {
        let mut row: Option<Part> = None;
        for item in items.iter().rev() {
            let one = match row {
                None => item.clone(),
                Some(rest) => self.binary(Binary::And, item.clone(), self.next(rest)?)?,
            };
            row = Some(self.some(one, end)?);
        }
        Ok(row.expect("a side has at least one item"))
    }

    fn always(&self, part: Part, end: Option<&Part>) -> Made {
        match end {
            None => self.unary(Unary::Globally, part),
            Some(end) => self.binary(Binary::WeakUntil, part, end.clone()),
        }
    }

    fn some(&self, part: Part, end: Option<&Part>) -> Made {
        match end {
            None => self.unary(Unary::Finally, part),
            Some(end) => {
                let open = self.not(end)?;
                let goal = self.binary(Binary::And, part, open.clone())?;
                self.binary(Binary::Until, open, goal)
            }
        }
    }

    fn whenever(&self, premise: Part, part: Part) -> Made {
        self.unary(Unary::Globally, self.binary(Binary::Implies, premise, part)?)
    }

    fn next(&self, part: Part) -> Made {
        self.unary(Unary::Next, part)
    }

    fn not(&self, part: &Part) -> Made {
        self.unary(Unary::Not, part.clone())
    }

    fn unary(&self, operator: Unary, part: Part) -> Made {
        self.parser.wrap(operator, part, self.place)
    }

    fn binary(&self, operator: Binary, left: Part, right: Part) -> Made {
        self.parser.combine(operator, left, right, self.place)
    }
}
