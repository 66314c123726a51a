//! The reference: what each operator means, word for word, at numbered positions of a lasso.
//!
//! "Later" is looked for as far as something new can come: once every look into the past has been round the cycle, what
//! follows repeats what was there one cycle before.

use std::collections::HashMap;

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};
use sequent_kernel::id::Id;
use sequent_kernel::property::Moment;

use super::word::{Lasso, STATES};

/// Whether a formula is true at a position of a lasso.
pub fn holds(formula: &Formula, lasso: &Lasso, at: usize) -> bool {
    Evaluation::new(formula, lasso).holds(formula, at)
}

/// How many operators about the past stand inside each other.
fn looks_back(formula: &Formula) -> usize {
    let own = match formula.node {
        FormulaNode::Unary(Unary::Previous | Unary::WeakPrevious | Unary::Once | Unary::Historically, _) => 1,
        FormulaNode::Binary(Binary::Since | Binary::Trigger, ..) => 1,
        _ => 0,
    };
    own + formula.parts().into_iter().map(looks_back).max().unwrap_or(0)
}

/// A formula along a lasso.
pub struct Evaluation<'a> {
    lasso: &'a Lasso,
    /// From here on everything repeats.
    settled: usize,
    known: HashMap<(*const Formula, usize), bool>,
}

impl<'a> Evaluation<'a> {
    /// For a formula and its parts.
    pub fn new(formula: &Formula, lasso: &'a Lasso) -> Self {
        let settled = lasso.prefix.len() + looks_back(formula) * lasso.cycle.len();
        Evaluation { lasso, settled, known: HashMap::new() }
    }

    /// Whether a part is true at a position.
    pub fn holds(&mut self, formula: &Formula, at: usize) -> bool {
        if let Some(known) = self.known.get(&(formula as *const Formula, at)) {
            return *known;
        }
        let value = self.evaluate(formula, at);
        self.known.insert((formula, at), value);
        value
    }

    fn evaluate(&mut self, formula: &Formula, at: usize) -> bool {
        match &formula.node {
            FormulaNode::Constant(value) => *value,
            FormulaNode::Atom(atom) => self.atom(atom, at),
            FormulaNode::Unary(operator, a) => match operator {
                Unary::Not => !self.holds(a, at),
                Unary::Next => self.holds(a, at + 1),
                Unary::Finally => self.later(at).any(|j| self.holds(a, j)),
                Unary::Globally => self.later(at).all(|j| self.holds(a, j)),
                Unary::Previous => at > 0 && self.holds(a, at - 1),
                Unary::WeakPrevious => at == 0 || self.holds(a, at - 1),
                Unary::Once => (0..=at).any(|j| self.holds(a, j)),
                Unary::Historically => (0..=at).all(|j| self.holds(a, j)),
            },
            FormulaNode::Binary(operator, a, b) => match operator {
                Binary::And => self.holds(a, at) && self.holds(b, at),
                Binary::Or => self.holds(a, at) || self.holds(b, at),
                Binary::Implies => !self.holds(a, at) || self.holds(b, at),
                Binary::Iff => self.holds(a, at) == self.holds(b, at),
                Binary::Until => self.until(a, b, at),
                Binary::WeakUntil => self.until(a, b, at) || self.later(at).all(|j| self.holds(a, j)),
                Binary::Release => self.release(a, b, at),
                Binary::StrongRelease => self.release(a, b, at) && self.later(at).any(|j| self.holds(a, j)),
                Binary::Since => (0..=at).any(|j| self.holds(b, j) && (j + 1..=at).all(|k| self.holds(a, k))),
                Binary::Trigger => {
                    (0..=at).all(|j| self.holds(b, j) || (j + 1..=at).any(|k| self.holds(a, k)))
                }
            },
        }
    }

    fn until(&mut self, a: &Formula, b: &Formula, at: usize) -> bool {
        self.later(at).any(|j| self.holds(b, j) && (at..j).all(|k| self.holds(a, k)))
    }

    fn release(&mut self, a: &Formula, b: &Formula, at: usize) -> bool {
        self.later(at).all(|j| self.holds(b, j) || (at..j).any(|k| self.holds(a, k)))
    }

    /// This position and those after it, as far as something new can come.
    fn later(&self, at: usize) -> std::ops::Range<usize> {
        at..at.max(self.settled) + self.lasso.cycle.len()
    }

    fn atom(&self, atom: &Atom, at: usize) -> bool {
        let position = self.lasso.at(at);
        match (atom, position.moment) {
            (Atom::Start, moment) => moment == Moment::Start,
            (Atom::End, moment) => moment == Moment::End,
            (Atom::Event(pattern), Moment::Event(event)) => {
                let message = &pattern.message.as_ref().expect("patterns of tests name a message").text;
                ["p", "q", "r", "x"][event.index()] == message
            }
            (Atom::Event(_), Moment::Start | Moment::Silent | Moment::End | Moment::Stuck) => false,
            (Atom::Name(word), _) => {
                let state = STATES.iter().position(|name| *name == word.text);
                position.holds[state.expect("names of tests are states")]
            }
            (Atom::Exactly(_) | Atom::In(..) | Atom::Data(_), _) => unreachable!("tests do without"),
        }
    }
}
