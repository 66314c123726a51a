//! The parser: where it stands among the tokens, and the parts that it makes.
//!
//! Every part of the tree is made by one of the functions at the end, which watch its height and size: what comes behind
//! (translation, printing, dropping) walks the tree by recursion, and patterns in words copy their operands.

use std::ops::Range;

use sequent_kernel::formula::{Binary, Formula, FormulaNode, Unary};
use sequent_kernel::source::Place;

use super::token::{FormulaToken, Infix, Sign};
use super::{FormulaProblem, TextOrigin, complaint, token};

/// Brackets and operators inside each other; it keeps the parser's own stack small.
const DEEPEST: usize = 200;

/// Operators on top of each other in the tree; a chain `a & b & ..` is as tall as it is long.
const TALLEST: usize = 500;

/// Operators and atoms of a tree.
const LARGEST: usize = 20_000;

/// A part of the tree with its measures.
#[derive(Clone)]
pub(super) struct MeasuredTree {
    pub formula: Box<Formula>,
    height: usize,
    size: usize,
}

/// Reads tokens one after the other.
pub(super) struct FormulaParser<'a> {
    pub text: &'a str,
    pub tokens: &'a [(FormulaToken, Range<usize>)],
    /// For each opening bracket the token that closes it.
    closes: Vec<Option<usize>>,
    pub at: usize,
    depth: usize,
    /// The token with which the last item of a pattern began.
    pub item: usize,
    pub origin: TextOrigin,
}

impl<'a> FormulaParser<'a> {
    /// Before the first token.
    pub(crate) fn new(
        text: &'a str,
        tokens: &'a [(FormulaToken, Range<usize>)],
        origin: TextOrigin,
    ) -> Result<Self, FormulaProblem> {
        let closes = matching(tokens)?;
        Ok(FormulaParser { text, tokens, closes, at: 0, depth: 0, item: 0, origin })
    }

    pub(crate) fn token(&self, index: usize) -> Option<&FormulaToken> {
        self.tokens.get(index).map(|(token, _)| token)
    }

    /// Whether a token is this word, in any case.
    pub(crate) fn is_word_at(&self, index: usize, word: &str) -> bool {
        matches!(self.token(index), Some(FormulaToken::Word(found)) if found.eq_ignore_ascii_case(word))
    }

    /// The token that closes the bracket at `index`.
    pub(crate) fn close_of(&self, index: usize) -> usize {
        self.closes[index].expect("every bracket has its other one")
    }

    /// Runs `inner` one level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, FormulaProblem>,
    ) -> Result<T, FormulaProblem> {
        if self.depth == DEEPEST {
            return Err(complaint::too_deep(self.here()));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Where the next token stands; the end of the text if there is none.
    pub(crate) fn here(&self) -> Range<usize> {
        let end = self.tokens.last().map_or(0, |(_, range)| range.end);
        self.tokens.get(self.at).map_or(end..end, |(_, range)| range.clone())
    }

    /// From the byte `start` to the last token that was read, brackets included.
    pub(crate) fn since(&self, start: usize) -> Place {
        self.origin.place(start..self.tokens[self.at - 1].1.end)
    }

    /// The infix operator that comes next.
    pub(crate) fn infix(&self) -> Option<Infix> {
        self.infix_at(self.at)
    }

    /// The infix operator that a token is.
    pub(crate) fn infix_at(&self, index: usize) -> Option<Infix> {
        match self.token(index)? {
            FormulaToken::Word(word) => token::infix(word),
            FormulaToken::Sign(Sign::Infix(infix)) => Some(*infix),
            FormulaToken::Call(..) | FormulaToken::Text(_) | FormulaToken::Number | FormulaToken::Sign(_) => {
                None
            }
        }
    }

    /// Whether the token calculates or compares what stands before it.
    pub(crate) fn compares(&self, index: usize) -> bool {
        let compares = Sign::Comparison;
        matches!(
            self.token(index),
            Some(FormulaToken::Sign(sign)) if [compares, Sign::Arithmetic, Sign::Minus, Sign::Diamond].contains(sign)
        )
    }
}

/// The closing bracket of each opening one.
fn matching(tokens: &[(FormulaToken, Range<usize>)]) -> Result<Vec<Option<usize>>, FormulaProblem> {
    let mut closes = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, (token, range)) in tokens.iter().enumerate() {
        match token {
            FormulaToken::Sign(Sign::Open) => open.push(index),
            FormulaToken::Sign(Sign::Close) => match open.pop() {
                Some(opening) => closes[opening] = Some(index),
                None => return Err(complaint::closes_nothing(range.clone())),
            },
            FormulaToken::Word(_)
            | FormulaToken::Call(..)
            | FormulaToken::Text(_)
            | FormulaToken::Number
            | FormulaToken::Sign(_) => {}
        }
    }
    match open.pop() {
        Some(opening) => Err(complaint::never_closed(tokens[opening].1.start)),
        None => Ok(closes),
    }
}

/// Making parts.
impl FormulaParser<'_> {
    /// A part without parts.
    pub(crate) fn leaf(&self, node: FormulaNode, range: Range<usize>) -> MeasuredTree {
        let formula = Box::new(Formula { node, place: self.origin.place(range) });
        MeasuredTree { formula, height: 1, size: 1 }
    }

    /// An operator over a part.
    pub(crate) fn wrap(
        &self,
        operator: Unary,
        part: MeasuredTree,
        place: Place,
    ) -> Result<MeasuredTree, FormulaProblem> {
        let node = FormulaNode::Unary(operator, part.formula);
        self.measured(node, place, part.height + 1, part.size + 1)
    }

    /// An operator between two parts.
    pub(crate) fn combine(
        &self,
        operator: Binary,
        left: MeasuredTree,
        right: MeasuredTree,
        place: Place,
    ) -> Result<MeasuredTree, FormulaProblem> {
        let height = left.height.max(right.height) + 1;
        let size = left.size + right.size + 1;
        self.measured(FormulaNode::Binary(operator, left.formula, right.formula), place, height, size)
    }

    /// A part of two, joined by an infix operator.
    pub(crate) fn join(
        &self,
        infix: Infix,
        left: MeasuredTree,
        right: MeasuredTree,
        place: Place,
    ) -> Result<MeasuredTree, FormulaProblem> {
        match infix {
            Infix::Plain(operator) => self.combine(operator, left, right, place),
            Infix::Xor => {
                let same = self.combine(Binary::Iff, left, right, place)?;
                self.wrap(Unary::Not, same, place)
            }
        }
    }

    fn measured(
        &self,
        node: FormulaNode,
        place: Place,
        height: usize,
        size: usize,
    ) -> Result<MeasuredTree, FormulaProblem> {
        if height > TALLEST || size > LARGEST {
            return Err(complaint::too_deep(0..self.here().end));
        }
        Ok(MeasuredTree { formula: Box::new(Formula { node, place }), height, size })
    }
}
