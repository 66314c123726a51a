//! The grammar of operators: precedence climbing over the tokens.

use std::ops::Range;

use sequent_kernel::formula::{Binary, Formula, Unary};

use super::parser::{FormulaParser, MeasuredTree};
use super::token::{FormulaToken, Infix, Sign};
use super::words::Begin;
use super::{FormulaProblem, TextOrigin, complaint, expected, token, vocabulary, words};

/// Reads all tokens as one formula.
pub(super) fn whole(
    text: &str,
    tokens: &[(FormulaToken, Range<usize>)],
    origin: TextOrigin,
) -> Result<Formula, FormulaProblem> {
    let mut parser = FormulaParser::new(text, tokens, origin)?;
    if parser.is_word_at(0, "LTLSPEC") {
        parser.at = 1;
    }
    if parser.at == tokens.len() {
        return Err(complaint::empty(text));
    }
    parser.group(tokens.len()).map(|part| *part.formula)
}

impl FormulaParser<'_> {
    /// What stands between brackets, or the whole: a formula or a pattern in words, up to the token `end`.
    fn group(&mut self, end: usize) -> Result<MeasuredTree, FormulaProblem> {
        let part = match words::begin(self, end) {
            Begin::Formula => self.binary(0)?,
            Begin::Pattern => words::pattern(self, end)?,
            Begin::Premise => return self.premise(end),
        };
        if self.at == end { Ok(part) } else { Err(expected::left_over(self)) }
    }

    /// `a -> never b after c`: a formula, and a pattern for where it holds.
    fn premise(&mut self, end: usize) -> Result<MeasuredTree, FormulaProblem> {
        let start = self.here().start;
        let implies = Infix::Plain(Binary::Implies);
        let left = self.binary(strength(implies) + 1)?;
        if self.infix() != Some(implies) {
            return Err(expected::left_over(self));
        }
        self.at += 1;
        let right = self.nested(|parser| parser.group(end))?;
        self.join(implies, left, right, self.since(start))
    }

    /// Operands joined by operators that bind at least as much as `least`.
    fn binary(&mut self, least: u8) -> Result<MeasuredTree, FormulaProblem> {
        let start = self.here().start;
        let mut left = self.unary()?;
        while let Some(infix) = self.infix().filter(|infix| strength(*infix) >= least) {
            self.at += 1;
            let own = strength(infix);
            let right =
                self.nested(|parser| parser.binary(if groups_right(infix) { own } else { own + 1 }))?;
            left = self.join(infix, left, right, self.since(start))?;
        }
        Ok(left)
    }

    /// An operand with the operators before it.
    pub(crate) fn unary(&mut self) -> Result<MeasuredTree, FormulaProblem> {
        let start = self.here().start;
        let Some(operators) = self.prefix()? else { return self.primary() };
        self.at += 1;
        let operand = self.nested(Self::unary)?;
        let place = self.since(start);
        operators.into_iter().rev().try_fold(operand, |part, operator| self.wrap(operator, part, place))
    }

    /// The prefix operators that the next token is.
    fn prefix(&self) -> Result<Option<Vec<Unary>>, FormulaProblem> {
        Ok(match self.token(self.at) {
            Some(FormulaToken::Sign(Sign::Unary(operator))) => Some(vec![*operator]),
            Some(FormulaToken::Sign(Sign::Diamond)) => Some(vec![Unary::Finally]),
            Some(FormulaToken::Word(word)) if word.eq_ignore_ascii_case("never") => {
                Some(vec![Unary::Globally, Unary::Not])
            }
            Some(FormulaToken::Word(word)) => match token::prefix(word) {
                Some(operator) => Some(vec![operator]),
                None if !self.starts_operand(self.at + 1) => None,
                None if token::is_quantified(word) => return Err(complaint::quantifier(word, self.here())),
                None => token::prefixes(word),
            },
            Some(
                FormulaToken::Call(..) | FormulaToken::Text(_) | FormulaToken::Number | FormulaToken::Sign(_),
            )
            | None => None,
        })
    }

    /// Whether an operand can begin with the token.
    fn starts_operand(&self, index: usize) -> bool {
        match self.token(index) {
            Some(FormulaToken::Word(word)) => token::infix(word).is_none() && !vocabulary::is_word(word),
            Some(FormulaToken::Call(..) | FormulaToken::Text(_) | FormulaToken::Number) => true,
            Some(FormulaToken::Sign(Sign::Open | Sign::Unary(_) | Sign::Diamond)) => true,
            Some(FormulaToken::Sign(_)) | None => false,
        }
    }

    /// An atom, or a formula in brackets.
    fn primary(&mut self) -> Result<MeasuredTree, FormulaProblem> {
        match self.token(self.at) {
            Some(FormulaToken::Sign(Sign::Open)) if !self.compares(self.close_of(self.at) + 1) => {
                let close = self.close_of(self.at);
                self.at += 1;
                let part = self.nested(|parser| parser.group(close))?;
                self.at += 1;
                Ok(part)
            }
            Some(
                FormulaToken::Sign(Sign::Open | Sign::Minus)
                | FormulaToken::Word(_)
                | FormulaToken::Text(_)
                | FormulaToken::Number,
            ) => self.value(),
            Some(FormulaToken::Call(name, arguments)) => {
                let (name, arguments) = (name.clone(), arguments.clone());
                self.call(&name, arguments)
            }
            Some(FormulaToken::Sign(_)) | None => Err(expected::missing_operand(self)),
        }
    }
}

/// How much an operator binds.
fn strength(infix: Infix) -> u8 {
    match infix {
        Infix::Xor => 4,
        Infix::Plain(operator) => match operator {
            Binary::Iff => 1,
            Binary::Implies => 2,
            Binary::Or => 3,
            Binary::And => 5,
            Binary::Until
            | Binary::Release
            | Binary::WeakUntil
            | Binary::StrongRelease
            | Binary::Since
            | Binary::Trigger => 6,
        },
    }
}

fn groups_right(infix: Infix) -> bool {
    matches!(strength(infix), 2 | 6)
}
