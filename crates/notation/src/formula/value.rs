//! Atoms that begin with a value: names, texts in quotes, comparisons.
//!
//! Where a comparison ends is found by its signs; the expression itself is read by the grammar of guards
//! ([`expression`]). That grammar knows logic too, so what it finds must still be one comparison of values:
//! `(a | b) = c` is none, and probably `<->` was meant.

use std::ops::Range;

use sequent_kernel::formula::{Atom, Direction, FormulaNode, Pattern, Unary};
use sequent_kernel::model::{BinaryOperator, Expression, UnaryOperator};

use super::atom::{event_text, is_event};
use super::parser::{FormulaParser, MeasuredTree};
use super::token::{FormulaToken, Sign};
use super::{FormulaProblem, complaint, expected, token, vocabulary};
use crate::expression;

impl FormulaParser<'_> {
    /// A name, a text in quotes, a comparison: what begins with a value.
    pub(crate) fn value(&mut self) -> Result<MeasuredTree, FormulaProblem> {
        if let Some(FormulaToken::Word(word)) = self.token(self.at) {
            if is_operator(word) {
                return Err(expected::infix_word(self, word));
            }
        }
        let first = self.at;
        let signs = self.skip_values()?;
        let range = self.tokens[first].1.start..self.tokens[self.at - 1].1.end;
        if signs.contains(&Sign::Comparison) || signs.contains(&Sign::Diamond) {
            return self.comparison(range);
        }
        if signs.is_empty() {
            return self.plain(first, range);
        }
        let text = &self.text[range.clone()];
        let is_name = signs.iter().all(|sign| *sign == Sign::Minus) && !text.contains(char::is_whitespace);
        if is_name && text.starts_with(expression::is_name_start) {
            return Ok(self.leaf(FormulaNode::Atom(Atom::Name(self.word(text, range.clone()))), range));
        }
        Err(FormulaProblem::new(range, format!("`{text}` is a value, neither true nor false"))
            .hint("compare it, such as `x + 1 > 3`, or put a name in quotes"))
    }

    /// Goes behind values and the signs between them; these signs.
    fn skip_values(&mut self) -> Result<Vec<Sign>, FormulaProblem> {
        let mut signs = Vec::new();
        loop {
            while self.token(self.at) == Some(&FormulaToken::Sign(Sign::Minus)) {
                self.at += 1;
            }
            match self.token(self.at) {
                Some(FormulaToken::Word(word)) if is_operator(word) => {
                    return Err(expected::missing_operand(self));
                }
                Some(FormulaToken::Word(_) | FormulaToken::Text(_) | FormulaToken::Number) => self.at += 1,
                Some(FormulaToken::Sign(Sign::Open)) => self.at = self.close_of(self.at) + 1,
                Some(FormulaToken::Call(..) | FormulaToken::Sign(_)) | None if self.at == 0 => {
                    return Err(expected::missing_operand(self));
                }
                Some(FormulaToken::Call(..)) => {
                    let sign = self.tokens[self.at - 1].1.clone();
                    return Err(complaint::compared(&self.text[sign.clone()], sign));
                }
                Some(FormulaToken::Sign(_)) | None => return Err(expected::missing_operand(self)),
            }
            match self.token(self.at) {
                Some(FormulaToken::Sign(sign)) if self.compares(self.at) => {
                    signs.push(*sign);
                    self.at += 1;
                }
                Some(_) | None => return Ok(signs),
            }
        }
    }

    /// A comparison; one with `true` or `false` is the name alone, or its contrary.
    fn comparison(&self, range: Range<usize>) -> Result<MeasuredTree, FormulaProblem> {
        let text = &self.text[range.clone()];
        let expression = expression::parse(text).ok().filter(compares_values).ok_or_else(|| {
            let sign = self.tokens.iter().find(|(token, at)| {
                at.start >= range.start
                    && matches!(token, FormulaToken::Sign(Sign::Comparison | Sign::Diamond))
            });
            let sign = sign.map_or(range.clone(), |(_, sign)| sign.clone());
            complaint::compared(&self.text[sign.clone()], sign)
        })?;
        match truth(&expression) {
            Some((name, holds)) => {
                let name =
                    self.leaf(FormulaNode::Atom(Atom::Name(self.word(&name, range.clone()))), range.clone());
                if holds { Ok(name) } else { self.wrap(Unary::Not, name, self.origin.place(range)) }
            }
            None => Ok(self.leaf(FormulaNode::Atom(Atom::Data(expression)), range)),
        }
    }

    /// A single word, text or number.
    fn plain(&self, index: usize, range: Range<usize>) -> Result<MeasuredTree, FormulaProblem> {
        let node = match self.token(index) {
            Some(FormulaToken::Text(text)) if is_event(text) => {
                FormulaNode::Atom(Atom::Exactly(self.word(&event_text(text), range.clone())))
            }
            Some(FormulaToken::Text(text)) => FormulaNode::Atom(Atom::Name(self.word(text, range.clone()))),
            Some(FormulaToken::Word(word)) => self.bare(word, range.clone())?,
            Some(FormulaToken::Number | FormulaToken::Call(..) | FormulaToken::Sign(_)) | None => {
                return Err(FormulaProblem::new(range, "a value is neither true nor false")
                    .hint("compare it, such as `x > 3`, or write `true` or `false`"));
            }
        };
        Ok(self.leaf(node, range))
    }

    /// A bare word: one that is known, a flag of P2, or a name.
    fn bare(&self, word: &str, range: Range<usize>) -> Result<FormulaNode, FormulaProblem> {
        let flag = |length: usize| Some(self.word(&word[length..], range.start + length..range.end));
        let event = |pattern| FormulaNode::Atom(Atom::Event(pattern));
        let is_flag = |prefix: &str| word.len() > prefix.len() && word.starts_with(prefix);
        Ok(match word {
            _ if word.eq_ignore_ascii_case("true") => FormulaNode::Constant(true),
            _ if word.eq_ignore_ascii_case("false") => FormulaNode::Constant(false),
            "start" => FormulaNode::Atom(Atom::Start),
            "end" => FormulaNode::Atom(Atom::End),
            "send" => event(Pattern { direction: Some(Direction::Sent), ..Pattern::default() }),
            "receive" => event(Pattern { direction: Some(Direction::Received), ..Pattern::default() }),
            _ if is_flag("proc1_") => event(Pattern { actor: flag(6), ..Pattern::default() }),
            _ if is_flag("proc2_") => event(Pattern { partner: flag(6), ..Pattern::default() }),
            _ if is_flag("msg_") => event(Pattern { message: flag(4), ..Pattern::default() }),
            "sent" | "received" | "event" => {
                return Err(FormulaProblem::new(range, format!("`{word}` needs brackets"))
                    .hint(format!("`{word}()` for any message, \"{word}\" for a guard of that name")));
            }
            _ => FormulaNode::Atom(Atom::Name(self.word(word, range))),
        })
    }
}

/// Whether a word is an operator or belongs to a pattern, so that it is no name unless it stands in quotes.
fn is_operator(word: &str) -> bool {
    token::infix(word).is_some() || token::prefix(word).is_some() || vocabulary::is_opener(word)
}

/// Whether an expression is one comparison of values, not of something that holds or not.
fn compares_values(expression: &Expression) -> bool {
    match expression {
        Expression::Binary(operator, left, right) => {
            is_comparison(*operator) && is_value(left) && is_value(right)
        }
        Expression::Bool(_)
        | Expression::Int(_)
        | Expression::Text(_)
        | Expression::Name(_)
        | Expression::Unary(..)
        | Expression::Call(..) => false,
    }
}

fn is_value(expression: &Expression) -> bool {
    match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => true,
        Expression::Unary(operator, inner) => *operator == UnaryOperator::Minus && is_value(inner),
        Expression::Binary(operator, left, right) => {
            let is_logic =
                matches!(operator, BinaryOperator::Or | BinaryOperator::And | BinaryOperator::Implies);
            !is_logic && !is_comparison(*operator) && is_value(left) && is_value(right)
        }
        Expression::Call(..) => false,
    }
}

fn is_comparison(operator: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(operator, Equal | Unequal | Less | LessEqual | Greater | GreaterEqual)
}

/// `x = true`, `x != false`: the name, and whether it holds.
fn truth(expression: &Expression) -> Option<(String, bool)> {
    let Expression::Binary(operator @ (BinaryOperator::Equal | BinaryOperator::Unequal), left, right) =
        expression
    else {
        return None;
    };
    let (name, value) = match (&**left, &**right) {
        (Expression::Name(name), Expression::Bool(value)) => (name, value),
        (Expression::Bool(value), Expression::Name(name)) => (name, value),
        (_, _) => return None,
    };
    Some((name.join("."), (*operator == BinaryOperator::Equal) == *value))
}
