//! The grammar of operators: precedence climbing over the tokens.
//!
//! Every part of the tree is made by one of the functions at the end, which watch its height and size: what comes behind
//! (translation, printing, dropping) walks the tree by recursion, and patterns in words copy their operands.

use std::ops::Range;

use sequent_kernel::formula::{Binary, Formula, Node, Unary};
use sequent_kernel::source::Place;

use super::token::{Infix, Sign, Token};
use super::words::Begin;
use super::{Origin, Problem, complaint, token, words};

/// Brackets and operators inside each other; it keeps the parser's own stack small.
const DEEPEST: usize = 200;

/// Operators on top of each other in the tree; a chain `a & b & ..` is as tall as it is long.
const TALLEST: usize = 500;

/// Operators and atoms of a tree.
const LARGEST: usize = 20_000;

/// Reads all tokens as one formula.
pub(super) fn whole(
    text: &str,
    tokens: &[(Token, Range<usize>)],
    origin: Origin,
) -> Result<Formula, Problem> {
    let closes = matching(tokens)?;
    let mut parser = Parser { text, tokens, closes, at: 0, depth: 0, item: 0, origin };
    if parser.is_word_at(0, "LTLSPEC") {
        parser.at = 1;
    }
    if parser.at == tokens.len() {
        return Err(complaint::empty(text));
    }
    parser.group(tokens.len()).map(|part| *part.formula)
}

/// A part of the tree with its measures.
#[derive(Clone)]
pub(super) struct Part {
    pub formula: Box<Formula>,
    height: usize,
    size: usize,
}

/// Reads tokens one after the other.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub tokens: &'a [(Token, Range<usize>)],
    /// For each opening bracket the token that closes it.
    closes: Vec<Option<usize>>,
    pub at: usize,
    depth: usize,
    /// The token with which the last item of a pattern began.
    pub item: usize,
    pub origin: Origin,
}

/// The closing bracket of each opening one.
fn matching(tokens: &[(Token, Range<usize>)]) -> Result<Vec<Option<usize>>, Problem> {
    let mut closes = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, (token, range)) in tokens.iter().enumerate() {
        match token {
            Token::Sign(Sign::Open) => open.push(index),
            Token::Sign(Sign::Close) => match open.pop() {
                Some(opening) => closes[opening] = Some(index),
                None => return Err(complaint::closes_nothing(range.clone())),
            },
            Token::Word(_) | Token::Call(..) | Token::Text(_) | Token::Number | Token::Sign(_) => {}
        }
    }
    match open.pop() {
        Some(opening) => Err(complaint::never_closed(tokens[opening].1.start)),
        None => Ok(closes),
    }
}

impl Parser<'_> {
    pub fn token(&self, index: usize) -> Option<&Token> {
        self.tokens.get(index).map(|(token, _)| token)
    }

    /// Whether a token is this word, in any case.
    pub fn is_word_at(&self, index: usize, word: &str) -> bool {
        matches!(self.token(index), Some(Token::Word(found)) if found.eq_ignore_ascii_case(word))
    }

    /// The token that closes the bracket at `index`.
    pub fn close_of(&self, index: usize) -> usize {
        self.closes[index].expect("every bracket has its other one")
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Problem>) -> Result<T, Problem> {
        if self.depth == DEEPEST {
            return Err(complaint::too_deep(self.here()));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Where the next token stands; the end of the text if there is none.
    pub fn here(&self) -> Range<usize> {
        let end = self.tokens.last().map_or(0, |(_, range)| range.end);
        self.tokens.get(self.at).map_or(end..end, |(_, range)| range.clone())
    }

    /// What stands between brackets, or the whole: a formula or a pattern in words, up to the token `end`.
    fn group(&mut self, end: usize) -> Result<Part, Problem> {
        let part = match words::begin(self, end) {
            Begin::Formula => self.binary(0)?,
            Begin::Pattern => words::pattern(self, end)?,
            Begin::Premise => return self.premise(end),
        };
        if self.at == end { Ok(part) } else { Err(complaint::left_over(self)) }
    }

    /// `a -> never b after c`: a formula, and a pattern for where it holds.
    fn premise(&mut self, end: usize) -> Result<Part, Problem> {
        let start = self.here().start;
        let implies = Infix::Plain(Binary::Implies);
        let left = self.binary(strength(implies) + 1)?;
        if self.infix() != Some(implies) {
            return Err(complaint::left_over(self));
        }
        self.at += 1;
        let right = self.nested(|parser| parser.group(end))?;
        self.join(implies, left, right, self.since(start))
    }

    /// Operands joined by operators that bind at least as much as `least`.
    fn binary(&mut self, least: u8) -> Result<Part, Problem> {
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

    /// The infix operator that comes next.
    pub fn infix(&self) -> Option<Infix> {
        self.infix_at(self.at)
    }

    /// The infix operator that a token is.
    pub fn infix_at(&self, index: usize) -> Option<Infix> {
        match self.token(index)? {
            Token::Word(word) => token::infix(word),
            Token::Sign(Sign::Infix(infix)) => Some(*infix),
            Token::Call(..) | Token::Text(_) | Token::Number | Token::Sign(_) => None,
        }
    }

    /// An operand with the operators before it.
    pub fn unary(&mut self) -> Result<Part, Problem> {
        let start = self.here().start;
        let Some(operators) = self.prefix()? else { return self.primary() };
        self.at += 1;
        let operand = self.nested(Self::unary)?;
        let place = self.since(start);
        operators.into_iter().rev().try_fold(operand, |part, operator| self.wrap(operator, part, place))
    }

    /// From the byte `start` to the last token that was read, brackets included.
    fn since(&self, start: usize) -> Place {
        self.origin.place(start..self.tokens[self.at - 1].1.end)
    }

    /// The prefix operators that the next token is.
    fn prefix(&self) -> Result<Option<Vec<Unary>>, Problem> {
        Ok(match self.token(self.at) {
            Some(Token::Sign(Sign::Unary(operator))) => Some(vec![*operator]),
            Some(Token::Sign(Sign::Diamond)) => Some(vec![Unary::Finally]),
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("never") => {
                Some(vec![Unary::Globally, Unary::Not])
            }
            Some(Token::Word(word)) => match token::prefix(word) {
                Some(operator) => Some(vec![operator]),
                None if !self.starts_operand(self.at + 1) => None,
                None if token::is_quantified(word) => return Err(complaint::quantifier(word, self.here())),
                None => token::prefixes(word),
            },
            Some(Token::Call(..) | Token::Text(_) | Token::Number | Token::Sign(_)) | None => None,
        })
    }

    /// Whether an operand can begin with the token.
    fn starts_operand(&self, index: usize) -> bool {
        match self.token(index) {
            Some(Token::Word(word)) => token::infix(word).is_none() && !words::is_word(word),
            Some(Token::Call(..) | Token::Text(_) | Token::Number) => true,
            Some(Token::Sign(Sign::Open | Sign::Unary(_) | Sign::Diamond)) => true,
            Some(Token::Sign(_)) | None => false,
        }
    }

    /// An atom, or a formula in brackets.
    fn primary(&mut self) -> Result<Part, Problem> {
        match self.token(self.at) {
            Some(Token::Sign(Sign::Open)) if !self.compares(self.close_of(self.at) + 1) => {
                let close = self.close_of(self.at);
                self.at += 1;
                let part = self.nested(|parser| parser.group(close))?;
                self.at += 1;
                Ok(part)
            }
            Some(Token::Sign(Sign::Open | Sign::Minus) | Token::Word(_) | Token::Text(_) | Token::Number) => {
                self.value()
            }
            Some(Token::Call(name, arguments)) => {
                let (name, arguments) = (name.clone(), arguments.clone());
                self.call(&name, arguments)
            }
            Some(Token::Sign(_)) | None => Err(complaint::missing_operand(self)),
        }
    }

    /// Whether the token calculates or compares what stands before it.
    pub fn compares(&self, index: usize) -> bool {
        let compares = Sign::Comparison;
        matches!(
            self.token(index),
            Some(Token::Sign(sign)) if [compares, Sign::Arithmetic, Sign::Minus, Sign::Diamond].contains(sign)
        )
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

/// Making parts.
impl Parser<'_> {
    /// A part without parts.
    pub fn leaf(&self, node: Node, range: Range<usize>) -> Part {
        let formula = Box::new(Formula { node, place: self.origin.place(range) });
        Part { formula, height: 1, size: 1 }
    }

    /// An operator over a part.
    pub fn wrap(&self, operator: Unary, part: Part, place: Place) -> Result<Part, Problem> {
        let node = Node::Unary(operator, part.formula);
        self.measured(node, place, part.height + 1, part.size + 1)
    }

    /// An operator between two parts.
    pub fn combine(&self, operator: Binary, left: Part, right: Part, place: Place) -> Result<Part, Problem> {
        let height = left.height.max(right.height) + 1;
        let size = left.size + right.size + 1;
        self.measured(Node::Binary(operator, left.formula, right.formula), place, height, size)
    }

    fn join(&self, infix: Infix, left: Part, right: Part, place: Place) -> Result<Part, Problem> {
        match infix {
            Infix::Plain(operator) => self.combine(operator, left, right, place),
            Infix::Xor => {
                let same = self.combine(Binary::Iff, left, right, place)?;
                self.wrap(Unary::Not, same, place)
            }
        }
    }

    fn measured(&self, node: Node, place: Place, height: usize, size: usize) -> Result<Part, Problem> {
        if height > TALLEST || size > LARGEST {
            return Err(complaint::too_deep(0..self.here().end));
        }
        Ok(Part { formula: Box::new(Formula { node, place }), height, size })
    }
}
