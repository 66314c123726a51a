//! Blame: where along a run a formula became false, and which events made it so.
//!
//! From the whole formula at the start the search goes down to the part that decides and the position at which it does:
//! for `G` the first position where its operand fails, for `U` where the left side fails or that the right side never
//! comes, and so on. Where either of two parts would do, the one that needs fewer events is taken. What is left are the
//! occurrences that matter, and a line of words for each.

use std::collections::BTreeSet;

use sequent_kernel::formula::{Binary, Unary};
use sequent_kernel::property::ltl::{BoundFormula, PartId, Says};

/// A run as a formula reads it, with the truth of each part at each position.
pub(crate) struct Truths<'t> {
    /// The formula.
    pub bound: &'t BoundFormula,
    /// How many positions there are.
    pub length: usize,
    /// The position that follows the last.
    pub back: usize,
    /// Whether a part is true at a position.
    pub is_true: &'t dyn Fn(PartId, usize) -> bool,
    /// Whether a part was made by the reader of formulas, so that its author would not know it again.
    pub(crate) is_made: &'t dyn Fn(PartId) -> bool,
}

/// Why a part has its value at a position.
#[derive(Clone, Default)]
pub(crate) struct Blame {
    /// The positions whose events matter.
    pub positions: BTreeSet<usize>,
    /// What is to be said, in the order of the formula.
    pub causes: Vec<Cause>,
}

/// One thing to be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// An atom is true at a position.
    Holds(PartId, usize),
    /// A part is false at this position, and nothing more can be said.
    Fails(PartId, usize),
    /// A part never comes true from a position on.
    NeverComes(PartId, usize),
    /// A part has not come true before a position, since the start or another position.
    NotBefore(PartId, usize, usize),
}

impl Blame {
    fn of(cause: Cause) -> Self {
        let positions = match cause {
            Cause::Holds(_, position) | Cause::Fails(_, position) => BTreeSet::from([position]),
            Cause::NeverComes(..) | Cause::NotBefore(..) => BTreeSet::new(),
        };
        Blame { positions, causes: vec![cause] }
    }

    fn and(mut self, other: Blame) -> Blame {
        self.positions.extend(other.positions);
        for cause in other.causes {
            if !self.causes.contains(&cause) {
                self.causes.push(cause);
            }
        }
        self
    }

    /// The one of two that needs fewer events.
    fn or(self, other: Blame) -> Blame {
        let size = |blame: &Blame| (blame.positions.len(), blame.causes.len());
        if size(&other) < size(&self) { other } else { self }
    }
}

/// Why the whole formula is false.
pub(crate) fn blame(truths: &Truths<'_>) -> Blame {
    truths.why(truths.bound.whole(), 0)
}

impl Truths<'_> {
    fn is(&self, part: PartId, at: usize) -> bool {
        (self.is_true)(part, at)
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.length { at + 1 } else { self.back }
    }

    /// The positions from one on, each once.
    fn from(&self, at: usize) -> impl Iterator<Item = usize> {
        (at..self.length).chain(self.back.min(at)..at)
    }

    fn first(&self, part: PartId, value: bool, from: usize) -> Option<usize> {
        self.from(from).find(|at| self.is(part, *at) == value)
    }

    fn last(&self, part: PartId, value: bool, until: usize) -> Option<usize> {
        (0..=until).rev().find(|at| self.is(part, *at) == value)
    }

    /// Why a part has the value that it has at a position.
    fn why(&self, part: PartId, at: usize) -> Blame {
        let value = self.is(part, at);
        match &self.bound.parts()[part].says {
            Says::Constant(_) => Blame::default(),
            Says::Moments(_) | Says::Holds(_) if value => Blame::of(Cause::Holds(part, at)),
            Says::Moments(_) | Says::Holds(_) => Blame::default(),
            Says::Binary(Binary::And, ..) if value && self.is_plain(part) && !(self.is_made)(part) => {
                Blame::of(Cause::Holds(part, at))
            }
            Says::Unary(operator, inner) => self.why_unary(*operator, *inner, at, value),
            Says::Binary(operator, left, right) => self.why_binary(*operator, *left, *right, at, value),
        }
    }

    /// Whether a subformula joins nothing but atoms: it is explained as one.
    fn is_plain(&self, part: PartId) -> bool {
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            match &self.bound.parts()[part].says {
                Says::Moments(_) => {}
                Says::Binary(Binary::And, left, right) => open.extend([*left, *right]),
                Says::Constant(_) | Says::Holds(_) | Says::Unary(..) | Says::Binary(..) => return false,
            }
        }
        true
    }

    /// Why a part is so where it is first so; nothing if it is so nowhere.
    fn why_at(&self, part: PartId, at: Option<usize>) -> Blame {
        at.map(|at| self.why_or_fails(part, at)).unwrap_or_default()
    }

    /// Why a part is so; at least that it is not.
    fn why_or_fails(&self, part: PartId, at: usize) -> Blame {
        let blame = self.why(part, at);
        match blame.causes.is_empty() && !self.is(part, at) {
            true => self.bare(part, at),
            false => blame,
        }
    }

    /// That a part is so, where nothing has happened that made it so: told of the parts that the author wrote.
    fn bare(&self, part: PartId, at: usize) -> Blame {
        let value = self.is(part, at);
        match &self.bound.parts()[part].says {
            Says::Constant(_) => Blame::default(),
            _ if !(self.is_made)(part) && value => Blame::of(Cause::Holds(part, at)),
            _ if !(self.is_made)(part) => Blame::of(Cause::Fails(part, at)),
            Says::Moments(_) | Says::Holds(_) => Blame::default(),
            Says::Unary(Unary::Not, inner) => self.bare(*inner, at),
            Says::Unary(Unary::Next, inner) => self.bare(*inner, self.next(at)),
            Says::Unary(Unary::Globally, inner) if !value => {
                self.first(*inner, false, at).map(|at| self.bare(*inner, at)).unwrap_or_default()
            }
            Says::Unary(..) => Blame::default(),
            Says::Binary(Binary::And | Binary::Or | Binary::Implies | Binary::Iff, left, right) => {
                self.bare_pair(*left, *right, at, value)
            }
            Says::Binary(Binary::Until | Binary::WeakUntil, left, _) if !value => {
                self.first(*left, false, at).map(|at| self.bare(*left, at)).unwrap_or_default()
            }
            Says::Binary(..) => Blame::default(),
        }
    }

    /// Both operands of a logical operator, as they are.
    fn bare_pair(&self, left: PartId, right: PartId, at: usize, value: bool) -> Blame {
        let same: Vec<PartId> =
            [left, right].into_iter().filter(|part| self.is(*part, at) == value).collect();
        let told = if same.is_empty() { vec![left, right] } else { same };
        told.into_iter().fold(Blame::default(), |blame, part| blame.and(self.bare(part, at)))
    }

    /// That a part does not come true from a position on: ever, or up to another.
    fn awaited(&self, part: PartId, from: usize, to: Option<usize>) -> Blame {
        if !(self.is_made)(part) {
            return Blame::of(match to {
                Some(to) => Cause::NotBefore(part, from, to),
                None => Cause::NeverComes(part, from),
            });
        }
        let comes = |part: PartId| match to {
            Some(to) => {
                let before = self.from(from).position(|at| at == to).map_or(usize::MAX, |count| count + 1);
                self.from(from).take(before).find(|at| self.is(part, *at))
            }
            None => self.first(part, true, from),
        };
        match &self.bound.parts()[part].says {
            Says::Binary(Binary::Or, left, right) => {
                self.awaited(*left, from, to).and(self.awaited(*right, from, to))
            }
            Says::Binary(Binary::And, left, right) => match (comes(*left), comes(*right)) {
                (None, _) => self.awaited(*left, from, to),
                (Some(_), None) if !self.is_next(*right) => self.awaited(*right, from, to),
                (Some(at), _) => self.why(*left, at).and(self.why_or_fails(*right, at)),
            },
            Says::Constant(_) | Says::Moments(_) | Says::Holds(_) | Says::Unary(..) | Says::Binary(..) => {
                self.why_or_fails(part, from)
            }
        }
    }

    fn is_next(&self, part: PartId) -> bool {
        matches!(self.bound.parts()[part].says, Says::Unary(Unary::Next, _))
    }

    fn why_unary(&self, operator: Unary, inner: PartId, at: usize, value: bool) -> Blame {
        match operator {
            Unary::Not => self.why(inner, at),
            Unary::Next => self.why_or_fails(inner, self.next(at)),
            Unary::Finally if value => self.why_at(inner, self.first(inner, true, at)),
            Unary::Finally => self.awaited(inner, at, None),
            Unary::Globally if value => Blame::default(),
            Unary::Globally => self.why_at(inner, self.first(inner, false, at)),
            Unary::Previous | Unary::WeakPrevious => {
                at.checked_sub(1).map(|before| self.why_or_fails(inner, before)).unwrap_or_default()
            }
            Unary::Once if value => self.why_at(inner, self.last(inner, true, at)),
            Unary::Once => self.awaited(inner, 0, Some(at)),
            Unary::Historically if value => Blame::default(),
            Unary::Historically => self.why_at(inner, self.last(inner, false, at)),
        }
    }

    fn why_binary(&self, operator: Binary, left: PartId, right: PartId, at: usize, value: bool) -> Blame {
        let both = || self.why(left, at).and(self.why(right, at));
        match (operator, value) {
            (Binary::And, true) | (Binary::Or, false) | (Binary::Implies, false) | (Binary::Iff, _) => both(),
            (Binary::And, false) | (Binary::Or, true) => self.decisive(left, right, at, value),
            (Binary::Implies, true) => match (self.is(left, at), self.is(right, at)) {
                (true, _) => self.why(right, at),
                (false, false) => self.why(left, at),
                (false, true) => self.why(left, at).or(self.why(right, at)),
            },
            (Binary::Until | Binary::StrongRelease, true) => {
                let comes = if operator == Binary::Until { right } else { left };
                self.why_at(comes, self.first(comes, true, at))
            }
            (Binary::WeakUntil | Binary::Release, true) => Blame::default(),
            (Binary::Until | Binary::WeakUntil, false) => match self.first(left, false, at) {
                Some(position) => self.too_early(left, right, at, position),
                None => self.awaited(right, at, None),
            },
            (Binary::Release | Binary::StrongRelease, false) => match self.first(right, false, at) {
                Some(position) => self.too_early(right, left, at, position),
                None => self.awaited(left, at, None),
            },
            (Binary::Since, true) => self.why_at(right, self.last(right, true, at)),
            (Binary::Trigger, true) => Blame::default(),
            (Binary::Since, false) => match self.last(left, false, at) {
                Some(position) => self.too_early(left, right, position, at),
                None => self.awaited(right, 0, Some(at)),
            },
            (Binary::Trigger, false) => self.why_at(right, self.last(right, false, at)),
        }
    }

    /// A part fails at a position, and another does not come between that and a second position.
    fn too_early(&self, fails: PartId, awaited: PartId, from: usize, to: usize) -> Blame {
        let at = if self.is(fails, to) { from } else { to };
        self.why_or_fails(fails, at).and(self.awaited(awaited, from, Some(to)))
    }

    /// Of two parts one that alone makes the value.
    fn decisive(&self, left: PartId, right: PartId, at: usize, value: bool) -> Blame {
        match (self.is(left, at) == value, self.is(right, at) == value) {
            (true, true) => self.why_or_fails(left, at).or(self.why_or_fails(right, at)),
            (true, false) => self.why_or_fails(left, at),
            (false, _) => self.why_or_fails(right, at),
        }
    }
}
