//! Core formulas: negation normal form, equal formulas are one.
//!
//! Negation stands only before atoms, and there it vanishes: the complement of a set of moments is a set of moments.
//! Conjunction and disjunction know the laws of a lattice and of literals, nothing else; laws of time are applied when a
//! formula is read ([`super::rewrite`]), never to what is left of it after a step: there an equivalence may lose track of
//! a promise. (`G X F p` says `F p` as well; who drops `F p` after each step never notices that `p` does not come.)

use super::AutomatonTooLarge;
use super::bits::Bits;
use super::hashing::{KeySet, KeyTable};
use crate::id;
use crate::id::{Id, IdVec};
use crate::system::TermId;

id! {
    /// A core formula.
    CoreId
}
id! {
    /// A proposition that is guessed: that a formula about the future holds here.
    GuessId
}

/// How many guesses a translation may need.
pub(super) const MOST_GUESSES: usize = 64;

impl GuessId {
    /// The guess as a bit; none for those that are too many, with which nothing is built.
    pub(crate) fn bit(self) -> u64 {
        u32::try_from(self.index()).ok().and_then(|index| 1_u64.checked_shl(index)).unwrap_or(0)
    }
}

/// A core formula, over the ids of its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum CoreFormula {
    Constant(bool),
    /// What happens is of one of these classes.
    Moment(Bits),
    Term(TermId, bool),
    Guess(GuessId, bool),
    And(Box<[CoreId]>),
    Or(Box<[CoreId]>),
    Next(CoreId),
    Until(CoreId, CoreId),
    Release(CoreId, CoreId),
    Previous(CoreId),
    WeakPrevious(CoreId),
    Since(CoreId, CoreId),
    Trigger(CoreId, CoreId),
    /// In what is left for the next position: an until that does not come true here.
    Postponed(CoreId),
}

/// All core formulas of a translation.
#[derive(Clone, Debug)]
pub(super) struct Cores {
    nodes: IdVec<CoreId, CoreFormula>,
    ids: KeyTable<CoreFormula, CoreId>,
    depths: IdVec<CoreId, u32>,
    /// The guesses that each formula speaks about.
    guesses: IdVec<CoreId, u64>,
    /// Formulas known to be each other's negation.
    opposites: KeyTable<CoreId, CoreId>,
    /// Ids in all nodes together: what memory is spent.
    weight: usize,
    /// How many classes of moments there are.
    pub classes: usize,
}

/// How much may be built before a translation is given up: some tens of megabytes.
const HEAVIEST: usize = 2_000_000;

/// How deep a formula may be nested once conjunctions are flat: recursive functions need that much stack.
const DEEPEST: u32 = 400;

impl Cores {
    pub(crate) fn new(classes: usize) -> Self {
        let mut cores = Cores {
            nodes: IdVec::new(),
            ids: KeyTable::default(),
            depths: IdVec::new(),
            guesses: IdVec::new(),
            opposites: KeyTable::default(),
            weight: 0,
            classes,
        };
        cores.add(CoreFormula::Constant(false));
        cores.add(CoreFormula::Constant(true));
        cores
    }

    pub(crate) fn node(&self, id: CoreId) -> &CoreFormula {
        &self.nodes[id]
    }

    pub(crate) fn constant(&self, value: bool) -> CoreId {
        CoreId::from_index(usize::from(value))
    }

    pub(crate) fn is(&self, id: CoreId, value: bool) -> bool {
        id == self.constant(value)
    }

    /// Fails once too much was built.
    pub(crate) fn check(&self) -> Result<(), AutomatonTooLarge> {
        match self.weight > HEAVIEST {
            true => Err(AutomatonTooLarge::Formula),
            false => Ok(()),
        }
    }

    /// Fails if a formula is nested too deep to be followed.
    pub(crate) fn check_depth(&self, id: CoreId) -> Result<(), AutomatonTooLarge> {
        match self.depths[id] > DEEPEST {
            true => Err(AutomatonTooLarge::Formula),
            false => self.check(),
        }
    }

    /// The guesses that a formula speaks about, as bits.
    pub(crate) fn guesses(&self, id: CoreId) -> u64 {
        self.guesses[id]
    }

    /// Two formulas that deny each other.
    pub(crate) fn oppose(&mut self, one: CoreId, other: CoreId) {
        self.opposites.insert(one, other);
        self.opposites.insert(other, one);
    }

    pub(crate) fn opposite(&self, id: CoreId) -> Option<CoreId> {
        self.opposites.get(&id).copied()
    }

    pub(crate) fn add(&mut self, node: CoreFormula) -> CoreId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let parts = parts(&node);
        self.weight += 1 + parts.len();
        let depth = parts.iter().map(|part| self.depths[*part] + 1).max().unwrap_or(0);
        self.depths.push(depth);
        let own = match &node {
            CoreFormula::Guess(guess, _) => guess.bit(),
            _ => 0,
        };
        self.guesses.push(parts.iter().fold(own, |all, part| all | self.guesses[*part]));
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    pub(crate) fn moment(&mut self, classes: Bits) -> CoreId {
        match (classes.is_empty(), classes.is_full()) {
            (true, _) => self.constant(false),
            (false, true) => self.constant(true),
            (false, false) => self.add(CoreFormula::Moment(classes)),
        }
    }

    pub(crate) fn and(&mut self, parts: impl IntoIterator<Item = CoreId>) -> CoreId {
        self.junction(parts.into_iter().collect(), true)
    }

    pub(crate) fn or(&mut self, parts: impl IntoIterator<Item = CoreId>) -> CoreId {
        self.junction(parts.into_iter().collect(), false)
    }

    /// A flat conjunction or disjunction without repetition; all moments in it are one literal.
    fn junction(&mut self, parts: Vec<CoreId>, is_and: bool) -> CoreId {
        let (neutral, absorbing) = (self.constant(is_and), self.constant(!is_and));
        let mut flat: Vec<CoreId> = Vec::with_capacity(parts.len());
        let mut moments: Option<Bits> = None;
        for part in parts {
            match (&self.nodes[part], is_and) {
                (CoreFormula::And(inner), true) | (CoreFormula::Or(inner), false) => {
                    flat.extend(inner.iter())
                }
                _ => flat.push(part),
            }
        }
        flat.retain(|part| match &self.nodes[*part] {
            CoreFormula::Moment(bits) => {
                let joined = match (&moments, is_and) {
                    (None, _) => bits.clone(),
                    (Some(other), true) => other.and(bits),
                    (Some(other), false) => other.or(bits),
                };
                moments = Some(joined);
                false
            }
            _ => *part != neutral,
        });
        if let Some(moments) = moments {
            let moment = self.moment(moments);
            flat.extend((moment != neutral).then_some(moment));
        }
        flat.sort();
        flat.dedup();
        if flat.contains(&absorbing) || self.clashes(&flat) {
            return absorbing;
        }
        self.absorb(&mut flat, is_and);
        match (flat.as_slice(), is_and) {
            ([], _) => neutral,
            ([only], _) => *only,
            (_, true) => self.add(CoreFormula::And(flat.into())),
            (_, false) => self.add(CoreFormula::Or(flat.into())),
        }
    }

    /// Whether two of these sorted parts deny each other.
    fn clashes(&self, flat: &[CoreId]) -> bool {
        flat.iter().any(|part| {
            let literal = match self.nodes[*part] {
                CoreFormula::Term(term, value) => self.ids.get(&CoreFormula::Term(term, !value)),
                CoreFormula::Guess(guess, value) => self.ids.get(&CoreFormula::Guess(guess, !value)),
                _ => self.opposites.get(part),
            };
            literal.is_some_and(|opposite| flat.binary_search(opposite).is_ok())
        })
    }

    /// `a & (a | b)` is `a`, and `a | (a & b)` is too.
    fn absorb(&self, flat: &mut Vec<CoreId>, is_and: bool) {
        let inner = |part: CoreId| match (&self.nodes[part], is_and) {
            (CoreFormula::Or(inner), true) | (CoreFormula::And(inner), false) => Some(inner),
            _ => None,
        };
        if !flat.iter().any(|part| inner(*part).is_some()) {
            return;
        }
        let all: KeySet<CoreId> = flat.iter().copied().collect();
        flat.retain(|part| inner(*part).is_none_or(|inner| !inner.iter().any(|one| all.contains(one))));
    }
}

/// The formulas a formula is made of.
pub(super) fn parts(node: &CoreFormula) -> Vec<CoreId> {
    match node {
        CoreFormula::Constant(_)
        | CoreFormula::Moment(_)
        | CoreFormula::Term(..)
        | CoreFormula::Guess(..) => Vec::new(),
        CoreFormula::And(parts) | CoreFormula::Or(parts) => parts.to_vec(),
        CoreFormula::Next(part)
        | CoreFormula::Previous(part)
        | CoreFormula::WeakPrevious(part)
        | CoreFormula::Postponed(part) => {
            vec![*part]
        }
        CoreFormula::Until(a, b)
        | CoreFormula::Release(a, b)
        | CoreFormula::Since(a, b)
        | CoreFormula::Trigger(a, b) => vec![*a, *b],
    }
}
