//! Expressions: guards, invariants, arguments and assignments as text.
//!
//! [`parse`] reads numbers, texts, names with `.` and `::`, calls, arithmetic, comparison and logic in the spellings of C
//! (`&&`, `!`, `==`), OCL (`and`, `not`, `=`, `<>`, `implies`) and mathematics (`∧`, `≤`). From loose to tight:
//! `implies`, `or`, `and`, `not`, comparison, `+ -`, `* / %`, then `!` and the sign.
//!
//! Prose is no expression: two names never follow each other, so `card is valid` does not parse and stays a proposition
//! of that text (rule I11). A single word is a name, which the model may or may not know.

mod print;
mod token;

pub use print::print;
pub(crate) use token::{is_name_part, is_name_start};

use sequent_kernel::model::{BinaryOperator, Condition, Expression, UnaryOperator};
use sequent_kernel::source::Span;

use token::ExpressionToken;

/// Nesting beyond this is no expression; it keeps the parser's own stack small.
const DEEPEST: usize = 64;

/// Longer texts are no expressions; chains of operators nest to the left, and dropping them must not exhaust the stack.
const LONGEST: usize = 2_000;

/// Reads a whole text as an expression; `Err` is the byte at which it stops being one.
pub fn parse(text: &str) -> Result<Expression, usize> {
    let tokens = token::tokens(text)?;
    if let Some((at, _)) = tokens.get(LONGEST) {
        return Err(*at);
    }
    let mut parser = ExpressionParser { tokens: &tokens, end: text.len(), depth: 0 };
    let expression = parser.implication()?;
    match parser.tokens.first() {
        Some((at, _)) => Err(*at),
        None => Ok(expression),
    }
}

/// A condition: the text (line breaks as spaces) and its expression if it reads as one.
pub fn condition(text: &str, span: Span) -> Condition {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Condition { expression: parse(&text).ok(), text, place: span.into() }
}

struct ExpressionParser<'a> {
    tokens: &'a [(usize, ExpressionToken)],
    end: usize,
    depth: usize,
}

impl ExpressionParser<'_> {
    /// Where the next token stands, as an error.
    fn here(&self) -> usize {
        self.tokens.first().map_or(self.end, |(at, _)| *at)
    }

    fn take(&mut self, wanted: &ExpressionToken) -> bool {
        let found = self.tokens.first().is_some_and(|(_, token)| token == wanted);
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    /// The next token if it is an operator of these.
    fn operator(&mut self, wanted: &[BinaryOperator]) -> Option<BinaryOperator> {
        match self.tokens.first() {
            Some((_, ExpressionToken::Operator(operator))) if wanted.contains(operator) => {
                self.tokens = &self.tokens[1..];
                Some(*operator)
            }
            _ => None,
        }
    }

    /// Runs `inner` one level deeper.
    fn nested(&mut self, inner: fn(&mut Self) -> Result<Expression, usize>) -> Result<Expression, usize> {
        if self.depth == DEEPEST {
            return Err(self.here());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Operands of the next tighter kind joined by any of `operators`, to the left.
    fn chain(
        &mut self,
        operators: &[BinaryOperator],
        operand: fn(&mut Self) -> Result<Expression, usize>,
    ) -> Result<Expression, usize> {
        let mut left = operand(self)?;
        while let Some(operator) = self.operator(operators) {
            let right = operand(self)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// Implication groups to the right.
    fn implication(&mut self) -> Result<Expression, usize> {
        let left = self.disjunction()?;
        if self.operator(&[BinaryOperator::Implies]).is_none() {
            return Ok(left);
        }
        let right = self.nested(Self::implication)?;
        Ok(Expression::Binary(BinaryOperator::Implies, Box::new(left), Box::new(right)))
    }

    fn disjunction(&mut self) -> Result<Expression, usize> {
        self.chain(&[BinaryOperator::Or], Self::conjunction)
    }

    fn conjunction(&mut self) -> Result<Expression, usize> {
        self.chain(&[BinaryOperator::And], Self::negation)
    }

    fn negation(&mut self) -> Result<Expression, usize> {
        if !self.take(&ExpressionToken::Not) {
            return self.comparison();
        }
        let inner = self.nested(Self::negation)?;
        Ok(Expression::Unary(UnaryOperator::Not, Box::new(inner)))
    }

    /// One comparison; `a < b < c` means nothing and is no expression.
    fn comparison(&mut self) -> Result<Expression, usize> {
        use BinaryOperator::*;
        let left = self.sum()?;
        let Some(operator) = self.operator(&[Equal, Unequal, Less, LessEqual, Greater, GreaterEqual]) else {
            return Ok(left);
        };
        let right = self.sum()?;
        Ok(Expression::Binary(operator, Box::new(left), Box::new(right)))
    }

    fn sum(&mut self) -> Result<Expression, usize> {
        self.chain(&[BinaryOperator::Plus, BinaryOperator::Minus], Self::product)
    }

    fn product(&mut self) -> Result<Expression, usize> {
        self.chain(&[BinaryOperator::Times, BinaryOperator::Divide, BinaryOperator::Modulo], Self::prefixed)
    }

    fn prefixed(&mut self) -> Result<Expression, usize> {
        let operator = if self.take(&ExpressionToken::Bang) {
            UnaryOperator::Not
        } else if self.take(&ExpressionToken::Operator(BinaryOperator::Minus)) {
            UnaryOperator::Minus
        } else {
            return self.atom();
        };
        let inner = self.nested(Self::prefixed)?;
        Ok(Expression::Unary(operator, Box::new(inner)))
    }

    fn atom(&mut self) -> Result<Expression, usize> {
        let at = self.here();
        let Some((_, token)) = self.tokens.first() else { return Err(at) };
        self.tokens = &self.tokens[1..];
        match token {
            ExpressionToken::Bool(value) => Ok(Expression::Bool(*value)),
            ExpressionToken::Int(value) => Ok(Expression::Int(*value)),
            ExpressionToken::Text(text) => Ok(Expression::Text(text.clone())),
            ExpressionToken::Name(parts) if self.take(&ExpressionToken::Open) => {
                Ok(called(parts, self.arguments()?))
            }
            ExpressionToken::Name(parts) => Ok(Expression::Name(parts.clone())),
            ExpressionToken::Open => {
                let inner = self.nested(Self::implication)?;
                if self.take(&ExpressionToken::Close) { Ok(inner) } else { Err(self.here()) }
            }
            ExpressionToken::Operator(_)
            | ExpressionToken::Bang
            | ExpressionToken::Not
            | ExpressionToken::Close
            | ExpressionToken::Comma => Err(at),
        }
    }

    /// The arguments of a call, after its `(`, with its `)`.
    fn arguments(&mut self) -> Result<Vec<Expression>, usize> {
        let mut arguments = Vec::new();
        if self.take(&ExpressionToken::Close) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.nested(Self::implication)?);
            if self.take(&ExpressionToken::Close) {
                return Ok(arguments);
            }
            if !self.take(&ExpressionToken::Comma) {
                return Err(self.here());
            }
        }
    }
}

/// A call. What Java compares by `a.equals(b)` is equal.
fn called(path: &[String], mut arguments: Vec<Expression>) -> Expression {
    match (path, arguments.len()) {
        ([object @ .., word], 1) if word == "equals" && !object.is_empty() => {
            let object = Expression::Name(object.to_vec());
            Expression::Binary(BinaryOperator::Equal, Box::new(object), Box::new(arguments.remove(0)))
        }
        (_, _) => Expression::Call(path.to_vec(), arguments),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// The expression printed with every grouping visible, or where it stops.
    fn check(input: &str, expected: Expect) {
        let shown = match parse(input) {
            Ok(expression) => {
                assert_eq!(
                    parse(&print(&expression)),
                    Ok(expression.clone()),
                    "printing {input:?} changes it"
                );
                grouped(&expression)
            }
            Err(at) => format!("stops at {at}"),
        };
        expected.assert_eq(&shown);
    }

    fn grouped(expression: &Expression) -> String {
        match expression {
            Expression::Unary(operator, inner) => format!("({operator:?} {})", grouped(inner)),
            Expression::Binary(operator, left, right) => {
                format!("({} {operator:?} {})", grouped(left), grouped(right))
            }
            Expression::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(grouped).collect();
                format!("{}({})", name.join("."), arguments.join("; "))
            }
            Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => {
                print(expression)
            }
        }
    }

    #[test]
    fn operators_bind_as_programmers_expect() {
        check(
            "a + b * 2 <= 10 && !c || d",
            expect!["((((a Plus (b Times 2)) LessEqual 10) And (Not c)) Or d)"],
        );
        check("not a = b and c", expect!["((Not (a Equal b)) And c)"]);
        check("!a == b", expect!["((Not a) Equal b)"]);
        check("a implies b => c", expect!["(a Implies (b Implies c))"]);
        check("x - 1 - y", expect!["((x Minus 1) Minus y)"]);
        check("x - (1 - y)", expect!["(x Minus (1 Minus y))"]);
        check("a ≤ b ∧ ¬c", expect!["((a LessEqual b) And (Not c))"]);
    }

    #[test]
    fn atoms_of_several_languages() {
        check("Color::Red", expect!["Color.Red"]);
        check("radio->enabled", expect!["radio.enabled"]);
        check("p -> q", expect!["(p Implies q)"]);
        check("in(atm, GivingMoney)", expect!["in(atm; GivingMoney)"]);
        check("res!=0U", expect!["(res Unequal 0)"]);
        check("name == 'x y'", expect![[r#"(name Equal "x y")"#]]);
        check("self.oclInState(Door::Open)", expect!["self.oclInState(Door.Open)"]);
        check(
            "colour.equals(other) && !a.b.equals(\"x\")",
            expect![[r#"((colour Equal other) And (Not (a.b Equal "x")))"#]],
        );
        check("equals(a)", expect!["equals(a)"]);
        check("-x mod 0x10", expect!["((Minus x) Modulo 16)"]);
    }

    #[test]
    fn prose_is_no_expression() {
        check("card is valid", expect!["stops at 5"]);
        check("x >", expect!["stops at 3"]);
        check("3 times", expect!["stops at 2"]);
        check("5s", expect!["stops at 0"]);
        check("a < b < c", expect!["stops at 6"]);
        check("f(a, )", expect!["stops at 5"]);
        check("", expect!["stops at 0"]);
        check("what?", expect!["stops at 4"]);
    }

    #[test]
    fn deep_nesting_ends_in_an_error_and_not_on_the_stack() {
        let deep = "(".repeat(100_000) + "x" + &")".repeat(100_000);
        assert!(parse(&deep).is_err());
        assert!(parse(&"!".repeat(100_000)).is_err());
        assert!(parse(&("not ".repeat(100_000) + "x")).is_err());
        assert!(parse(&("1 + ".repeat(1_000_000) + "x")).is_err());
    }
}
