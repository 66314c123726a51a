//! Truth along a run: the value of every subformula at every position of a lasso.
//!
//! This is the reference for the automata and shares no code with them: a table with a row for each
//! subformula, filled from the definitions, operands first. The future of a lasso is known: an until is the
//! least fixpoint of its law, computed by going backwards twice. The past of a position on the cycle differs
//! between iterations (`O p` may become true on the way); so the cycle is unrolled until every past operator
//! has the value of one cycle before.

use super::bind::{BoundFormula, PartId, Says};
use crate::formula::{Binary, Unary};
use crate::id::IdVec;
use crate::property::Moment;
use crate::system::TermId;

/// What every part of a formula is worth along a lasso.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// For each column the position of the lasso: those of the cycle may come more than once.
    pub positions: Vec<usize>,
    /// How many columns come once; those after them repeat for ever.
    pub once: usize,
    rows: IdVec<PartId, Vec<bool>>,
}

impl Truth {
    /// Whether a part is true in a column.
    pub fn at(&self, part: PartId, column: usize) -> bool {
        self.rows[part][column]
    }

    /// Whether the whole formula is true of the run.
    pub fn holds(&self) -> bool {
        self.rows.iter().next_back().is_some_and(|row| row[0])
    }
}

/// The truth of every part of a formula along a run that begins with some positions and then repeats others for ever.
/// An empty cycle stands for the end. `holds` tells what is true in the state of a position; positions are numbered from 0
/// through both lists.
pub fn truth(
    bound: &BoundFormula,
    prefix: &[Moment],
    cycle: &[Moment],
    mut holds: impl FnMut(usize, TermId) -> bool,
) -> Truth {
    let cycle = if cycle.is_empty() { &[Moment::End] } else { cycle };
    let mut again = 0;
    loop {
        let once = prefix.len() + again * cycle.len();
        let on_cycle = |column: usize| prefix.len() + (column - prefix.len()) % cycle.len();
        let position = |column: usize| if column < prefix.len() { column } else { on_cycle(column) };
        let positions: Vec<usize> = (0..once + cycle.len()).map(position).collect();
        let moment = |position: usize| match position.checked_sub(prefix.len()) {
            None => prefix[position],
            Some(position) => cycle[position],
        };
        let mut table = TruthTable { once, rows: IdVec::new(), is_settled: true };
        for part in bound.parts() {
            let row = match &part.says {
                Says::Constant(value) => vec![*value; positions.len()],
                Says::Moments(moments) => positions.iter().map(|at| moments.contains(moment(*at))).collect(),
                Says::Holds(term) => positions.iter().map(|at| holds(*at, *term)).collect(),
                Says::Unary(operator, a) => table.unary(*operator, *a),
                Says::Binary(operator, a, b) => table.binary(*operator, *a, *b),
            };
            table.rows.push(row);
        }
        if table.is_settled {
            return Truth { positions, once, rows: table.rows };
        }
        again += 1;
    }
}

struct TruthTable {
    once: usize,
    rows: IdVec<PartId, Vec<bool>>,
    /// Every look back from the first column of the cycle is the same whether it comes from before the cycle or from its
    /// end.
    is_settled: bool,
}

impl TruthTable {
    fn unary(&mut self, operator: Unary, a: PartId) -> Vec<bool> {
        match operator {
            Unary::Not => self.each(a, |a| !a),
            Unary::Next => {
                let row = &self.rows[a];
                (1..=row.len()).map(|next| row[if next == row.len() { self.once } else { next }]).collect()
            }
            Unary::Finally => self.until(&self.each(a, |_| true), &self.rows[a]),
            Unary::Globally => self.release(&self.each(a, |_| false), &self.rows[a]),
            Unary::Previous => self.before(a, false),
            Unary::WeakPrevious => self.before(a, true),
            Unary::Once => self.since(a, a, |_, a, before| a || before.unwrap_or(false)),
            Unary::Historically => self.since(a, a, |_, a, before| a && before.unwrap_or(true)),
        }
    }

    fn binary(&mut self, operator: Binary, a: PartId, b: PartId) -> Vec<bool> {
        match operator {
            Binary::And => self.pairs(a, b, |a, b| a && b),
            Binary::Or => self.pairs(a, b, |a, b| a || b),
            Binary::Implies => self.pairs(a, b, |a, b| !a || b),
            Binary::Iff => self.pairs(a, b, |a, b| a == b),
            Binary::Until => self.until(&self.rows[a], &self.rows[b]),
            Binary::Release => self.release(&self.rows[a], &self.rows[b]),
            Binary::WeakUntil => {
                let until = self.until(&self.rows[a], &self.rows[b]);
                let always = self.unary(Unary::Globally, a);
                until.into_iter().zip(always).map(|(until, always)| until || always).collect()
            }
            Binary::StrongRelease => {
                let release = self.release(&self.rows[a], &self.rows[b]);
                let comes = self.unary(Unary::Finally, a);
                release.into_iter().zip(comes).map(|(release, comes)| release && comes).collect()
            }
            Binary::Since => self.since(a, b, |a, b, before| b || (a && before.unwrap_or(false))),
            Binary::Trigger => self.since(a, b, |a, b, before| b && (a || before.unwrap_or(true))),
        }
    }

    fn each(&self, a: PartId, value: impl Fn(bool) -> bool) -> Vec<bool> {
        self.rows[a].iter().map(|a| value(*a)).collect()
    }

    fn pairs(&self, a: PartId, b: PartId, value: impl Fn(bool, bool) -> bool) -> Vec<bool> {
        self.rows[a].iter().zip(&self.rows[b]).map(|(a, b)| value(*a, *b)).collect()
    }

    /// The least solution of `u = b | (a & X u)`.
    fn until(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        self.backwards(a.len(), false, |column, next| b[column] || (a[column] && next))
    }

    /// The greatest solution of `r = b & (a | X r)`.
    fn release(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        self.backwards(a.len(), true, |column, next| b[column] && (a[column] || next))
    }

    /// Goes backwards twice: what the last column needs of the first on the cycle is known then.
    fn backwards(&self, columns: usize, assumed: bool, value: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut row = vec![assumed; columns];
        for _ in 0..2 {
            let mut next = row[self.once];
            for column in (0..columns).rev() {
                next = value(column, next);
                row[column] = next;
            }
        }
        row
    }

    /// What `a` was at the position before; at the start `first`.
    fn before(&mut self, a: PartId, first: bool) -> Vec<bool> {
        let row = &self.rows[a];
        let last = row[row.len() - 1];
        let values: Vec<bool> = [first].into_iter().chain(row.iter().copied()).take(row.len()).collect();
        self.is_settled &= values[self.once] == last;
        values
    }

    /// A value that depends on the one before it; there is none before the start.
    fn since(&mut self, a: PartId, b: PartId, value: impl Fn(bool, bool, Option<bool>) -> bool) -> Vec<bool> {
        let mut before = None;
        let mut values = Vec::with_capacity(self.rows[a].len());
        for (a, b) in self.rows[a].iter().zip(&self.rows[b]) {
            before = Some(value(*a, *b, before));
            values.extend(before);
        }
        let again = value(self.rows[a][self.once], self.rows[b][self.once], before);
        self.is_settled &= values[self.once] == again;
        values
    }
}
