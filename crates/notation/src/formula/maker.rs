//! From patterns in words to formulas.
//!
//! A claim is first written for a stretch of the run that begins here and ends before `end`, or never; the scope then says
//! where such stretches begin. Only future operators are used, so a pattern may stand inside any formula. The test
//! `tests/patterns.rs` holds each of them against its meaning.

use sequent_kernel::formula::{Binary, Unary};
use sequent_kernel::source::Place;

use super::FormulaProblem;
use super::parser::{FormulaParser, MeasuredTree};

/// What a pattern says within its scope.
pub(super) enum PatternClaim {
    Absence(MeasuredTree),
    Existence(MeasuredTree),
    Universality(MeasuredTree),
    /// The first come before the second.
    Precedence(Vec<MeasuredTree>, Vec<MeasuredTree>),
    /// The first are followed by the second.
    Response(Vec<MeasuredTree>, Vec<MeasuredTree>),
}

/// Where a pattern is to hold.
pub(super) enum PatternScope {
    Global,
    Before(MeasuredTree),
    After(MeasuredTree),
    Between(MeasuredTree, MeasuredTree),
    AfterUntil(MeasuredTree, MeasuredTree),
}

/// Makes formulas that all stand at the place of their pattern.
pub(super) struct FormulaMaker<'a, 'b> {
    pub parser: &'a FormulaParser<'b>,
    pub place: Place,
}

type Made = Result<MeasuredTree, FormulaProblem>;

impl FormulaMaker<'_, '_> {
    /// The formula that says a claim within a scope.
    pub(crate) fn scoped(&self, claim: &PatternClaim, scope: &PatternScope) -> Made {
        match scope {
            PatternScope::Global => self.claim(claim, None),
            PatternScope::Before(end) => {
                let comes = self.unary(Unary::Finally, end.clone())?;
                self.binary(Binary::Implies, comes, self.claim(claim, Some(end))?)
            }
            PatternScope::After(begin) => self.after(claim, begin),
            PatternScope::Between(begin, end) => {
                let comes = self.next(self.unary(Unary::Finally, end.clone())?)?;
                let is_scope = self.binary(Binary::And, begin.clone(), comes)?;
                self.whenever(is_scope, self.next(self.claim(claim, Some(end))?)?)
            }
            PatternScope::AfterUntil(begin, end) => {
                self.whenever(begin.clone(), self.next(self.claim(claim, Some(end))?)?)
            }
        }
    }

    /// Behind the first `begin`. Where the claim is about every position, that is the same as behind each.
    fn after(&self, claim: &PatternClaim, begin: &MeasuredTree) -> Made {
        let rest = self.next(self.claim(claim, None)?)?;
        match claim {
            PatternClaim::Absence(_) | PatternClaim::Universality(_) | PatternClaim::Response(..) => {
                self.whenever(begin.clone(), rest)
            }
            PatternClaim::Existence(_) | PatternClaim::Precedence(..) => {
                let first = self.binary(Binary::And, begin.clone(), rest)?;
                self.binary(Binary::WeakUntil, self.not(begin)?, first)
            }
        }
    }

    /// The claim from here on: up to the first `end` if one is given and comes, else forever.
    fn claim(&self, claim: &PatternClaim, end: Option<&MeasuredTree>) -> Made {
        match claim {
            PatternClaim::Absence(item) => self.always(self.not(item)?, end),
            PatternClaim::Existence(item) => self.some(item.clone(), end),
            PatternClaim::Universality(item) => self.always(item.clone(), end),
            PatternClaim::Precedence(causes, effects) => match (causes.as_slice(), effects.as_slice()) {
                (causes, [effect]) => self.led(causes, effect, end),
                (causes, effects) => self.not(&self.unled(&causes[0], effects, end)?),
            },
            PatternClaim::Response(stimuli, responses) => self.answered(stimuli, responses, end),
        }
    }

    /// No `effect` until the causes have come one after the other.
    fn led(&self, causes: &[MeasuredTree], effect: &MeasuredTree, end: Option<&MeasuredTree>) -> Made {
        let none = self.not(effect)?;
        let mut waited: Option<MeasuredTree> = None;
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
    fn unled(&self, cause: &MeasuredTree, effects: &[MeasuredTree], end: Option<&MeasuredTree>) -> Made {
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
    fn answered(
        &self,
        stimuli: &[MeasuredTree],
        responses: &[MeasuredTree],
        end: Option<&MeasuredTree>,
    ) -> Made {
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
    fn row(&self, items: &[MeasuredTree], end: Option<&MeasuredTree>) -> Made {
        let mut row: Option<MeasuredTree> = None;
        for item in items.iter().rev() {
            let one = match row {
                None => item.clone(),
                Some(rest) => self.binary(Binary::And, item.clone(), self.next(rest)?)?,
            };
            row = Some(self.some(one, end)?);
        }
        Ok(row.expect("a side has at least one item"))
    }

    fn always(&self, part: MeasuredTree, end: Option<&MeasuredTree>) -> Made {
        match end {
            None => self.unary(Unary::Globally, part),
            Some(end) => self.binary(Binary::WeakUntil, part, end.clone()),
        }
    }

    fn some(&self, part: MeasuredTree, end: Option<&MeasuredTree>) -> Made {
        match end {
            None => self.unary(Unary::Finally, part),
            Some(end) => {
                let open = self.not(end)?;
                let goal = self.binary(Binary::And, part, open.clone())?;
                self.binary(Binary::Until, open, goal)
            }
        }
    }

    fn whenever(&self, premise: MeasuredTree, part: MeasuredTree) -> Made {
        self.unary(Unary::Globally, self.binary(Binary::Implies, premise, part)?)
    }

    fn next(&self, part: MeasuredTree) -> Made {
        self.unary(Unary::Next, part)
    }

    fn not(&self, part: &MeasuredTree) -> Made {
        self.unary(Unary::Not, part.clone())
    }

    fn unary(&self, operator: Unary, part: MeasuredTree) -> Made {
        self.parser.wrap(operator, part, self.place)
    }

    fn binary(&self, operator: Binary, left: MeasuredTree, right: MeasuredTree) -> Made {
        self.parser.combine(operator, left, right, self.place)
    }
}
