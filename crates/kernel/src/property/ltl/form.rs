//! From what the user wrote to core formulas: each part in both polarities, operands first.
//!
//! The operands of a past operator must not contain future operators: a future formula in such a place (`O (p
//! & F q)`) is replaced by a proposition that is guessed at every position, where guessing true is a promise:
//! `G (guess -> F q)`. One direction is enough in negation normal form, as a guess never occurs negated and
//! so the formula is monotone in it.

use super::AutomatonTooLarge;
use super::bind::{BoundFormula, Says};
use super::classes::MomentClasses;
use super::core::{CoreFormula, CoreId, Cores, GuessId, MOST_GUESSES};
use super::hashing::KeyTable;
use super::rewrite::{
    FormulaSpread, both, either, next, previous, release, since, trigger, until, weak_previous,
};
use crate::formula::{Binary, Unary};
use crate::id::IdVec;

/// A formula in core form, with what was guessed on the way.
pub(super) struct CoreForm {
    pub cores: Cores,
    /// The formula, or its negation; the promises of its guesses included.
    pub whole: CoreId,
    /// What guessing promises, for all time.
    pub promises: IdVec<GuessId, CoreId>,
    /// Formulas about the past that are the negation of another one.
    pub(crate) negations: KeyTable<CoreId, CoreId>,
}

/// A part and its negation.
#[derive(Clone, Copy)]
struct NegationPair {
    yes: CoreId,
    no: CoreId,
}

struct Former {
    cores: Cores,
    spread: FormulaSpread,
    guesses: KeyTable<CoreId, GuessId>,
    guessed: IdVec<GuessId, CoreId>,
    negations: KeyTable<CoreId, CoreId>,
}

/// The core form of a bound formula, or of its negation.
pub(super) fn form(
    bound: &BoundFormula,
    classes: &MomentClasses,
    is_negated: bool,
) -> Result<CoreForm, AutomatonTooLarge> {
    let mut former = Former {
        cores: Cores::new(classes.count()),
        spread: FormulaSpread::default(),
        guesses: KeyTable::default(),
        guessed: IdVec::new(),
        negations: KeyTable::default(),
    };
    let mut pairs: IdVec<_, NegationPair> = IdVec::new();
    for part in bound.parts() {
        let pair = match &part.says {
            Says::Constant(value) => former.constant(*value),
            Says::Moments(moments) => {
                let bits = classes.bits(moments);
                let no = former.cores.moment(bits.not());
                NegationPair { yes: former.cores.moment(bits), no }
            }
            Says::Holds(term) => NegationPair {
                yes: former.cores.add(CoreFormula::Term(*term, true)),
                no: former.cores.add(CoreFormula::Term(*term, false)),
            },
            Says::Unary(operator, part) => former.unary(*operator, pairs[*part]),
            Says::Binary(operator, left, right) => former.binary(*operator, pairs[*left], pairs[*right]),
        };
        former.cores.check_depth(pair.yes)?;
        former.cores.check_depth(pair.no)?;
        if former.guessed.len() > MOST_GUESSES {
            return Err(AutomatonTooLarge::Memory);
        }
        pairs.push(pair);
    }
    let whole = pairs[bound.whole()];
    Ok(former.finish(if is_negated { whole.no } else { whole.yes }))
}

impl Former {
    fn constant(&self, value: bool) -> NegationPair {
        NegationPair { yes: self.cores.constant(value), no: self.cores.constant(!value) }
    }

    fn unary(&mut self, operator: Unary, a: NegationPair) -> NegationPair {
        let (no, yes) = (self.constant(false), self.constant(true));
        match operator {
            Unary::Not => turned(a),
            Unary::Next => NegationPair {
                yes: next(&mut self.cores, &mut self.spread, a.yes),
                no: next(&mut self.cores, &mut self.spread, a.no),
            },
            Unary::Finally => self.until(yes, a),
            Unary::Globally => turned(self.until(yes, turned(a))),
            Unary::Previous => self.previous(a),
            Unary::WeakPrevious => turned(self.previous(turned(a))),
            Unary::Once => self.since(yes, a),
            Unary::Historically => turned(self.since(turned(no), turned(a))),
        }
    }

    fn binary(&mut self, operator: Binary, a: NegationPair, b: NegationPair) -> NegationPair {
        match operator {
            Binary::And => self.and(a, b),
            Binary::Or => turned(self.and(turned(a), turned(b))),
            Binary::Implies => turned(self.and(a, turned(b))),
            Binary::Iff => {
                let (one, neither) = (self.and(a, b), self.and(turned(a), turned(b)));
                turned(self.and(turned(one), turned(neither)))
            }
            Binary::Until => self.until(a, b),
            // a R b = !(!a U !b)
            Binary::Release => turned(self.until(turned(a), turned(b))),
            // a W b = b R (a | b)
            Binary::WeakUntil => {
                let neither = self.and(turned(a), turned(b));
                turned(self.until(turned(b), neither))
            }
            // a M b = b U (a & b)
            Binary::StrongRelease => {
                let together = self.and(a, b);
                self.until(b, together)
            }
            Binary::Since => self.since(a, b),
            Binary::Trigger => turned(self.since(turned(a), turned(b))),
        }
    }

    fn and(&mut self, a: NegationPair, b: NegationPair) -> NegationPair {
        self.pair(|former| {
            let yes = both(&mut former.cores, &mut former.spread, vec![a.yes, b.yes]);
            NegationPair { yes, no: either(&mut former.cores, &mut former.spread, vec![a.no, b.no]) }
        })
    }

    fn until(&mut self, a: NegationPair, b: NegationPair) -> NegationPair {
        self.pair(|former| {
            let yes = until(&mut former.cores, &mut former.spread, a.yes, b.yes);
            NegationPair { yes, no: release(&mut former.cores, &mut former.spread, a.no, b.no) }
        })
    }

    fn previous(&mut self, a: NegationPair) -> NegationPair {
        let a = self.guessed(a);
        let (yes, no) = (previous(&mut self.cores, a.yes), weak_previous(&mut self.cores, a.no));
        self.remembered(NegationPair { yes, no })
    }

    fn since(&mut self, a: NegationPair, b: NegationPair) -> NegationPair {
        let (a, b) = (self.guessed(a), self.guessed(b));
        let (yes, no) = (since(&mut self.cores, a.yes, b.yes), trigger(&mut self.cores, a.no, b.no));
        self.remembered(NegationPair { yes, no })
    }

    /// Notes that the two deny each other.
    fn pair(&mut self, make: impl FnOnce(&mut Self) -> NegationPair) -> NegationPair {
        let pair = make(self);
        // With guesses the two are about different propositions.
        if self.cores.guesses(pair.yes) | self.cores.guesses(pair.no) == 0 {
            self.cores.oppose(pair.yes, pair.no);
        }
        pair
    }

    /// A formula about the past and its negation are remembered by one bit.
    fn remembered(&mut self, pair: NegationPair) -> NegationPair {
        let pair = self.pair(|_| pair);
        if self.cores.opposite(pair.yes) == Some(pair.no) && pair.yes != pair.no {
            self.negations.insert(pair.no, pair.yes);
        }
        pair
    }

    /// Operands for the past: what is about the future is guessed.
    fn guessed(&mut self, a: NegationPair) -> NegationPair {
        NegationPair { yes: self.guess(a.yes), no: self.guess(a.no) }
    }

    fn guess(&mut self, id: CoreId) -> CoreId {
        match self.cores.node(id).clone() {
            CoreFormula::And(parts) => {
                let parts: Vec<CoreId> = parts.iter().map(|part| self.guess(*part)).collect();
                self.cores.and(parts)
            }
            CoreFormula::Or(parts) => {
                let parts: Vec<CoreId> = parts.iter().map(|part| self.guess(*part)).collect();
                self.cores.or(parts)
            }
            CoreFormula::Next(_)
            | CoreFormula::Until(..)
            | CoreFormula::Release(..)
            | CoreFormula::Postponed(_) => {
                let guess = match self.guesses.get(&id) {
                    Some(guess) => *guess,
                    None => self.guessed.push(id),
                };
                self.guesses.insert(id, guess);
                self.cores.add(CoreFormula::Guess(guess, true))
            }
            CoreFormula::Constant(_)
            | CoreFormula::Moment(_)
            | CoreFormula::Term(..)
            | CoreFormula::Guess(..)
            | CoreFormula::Previous(_)
            | CoreFormula::WeakPrevious(_)
            | CoreFormula::Since(..)
            | CoreFormula::Trigger(..) => id,
        }
    }

    fn finish(mut self, whole: CoreId) -> CoreForm {
        let mut promises: IdVec<GuessId, CoreId> = IdVec::new();
        for guess in self.guessed.ids() {
            let denied = self.cores.add(CoreFormula::Guess(guess, false));
            let kept = self.cores.or([denied, self.guessed[guess]]);
            let never = self.cores.constant(false);
            promises.push(self.cores.add(CoreFormula::Release(never, kept)));
        }
        let whole = with_promises(&mut self.cores, &promises, vec![whole]);
        CoreForm { cores: self.cores, whole, promises, negations: self.negations }
    }
}

fn turned(pair: NegationPair) -> NegationPair {
    NegationPair { yes: pair.no, no: pair.yes }
}

/// The conjunction of some formulas with the promises of those guesses on which they depend; an unused guess
/// needs no promise.
pub(super) fn with_promises(
    cores: &mut Cores,
    promises: &IdVec<GuessId, CoreId>,
    mut formulas: Vec<CoreId>,
) -> CoreId {
    if promises.is_empty() {
        return cores.and(formulas);
    }
    formulas.retain(|formula| !promises.iter().any(|promise| promise == formula));
    let mut used = formulas.iter().fold(0, |all, formula| all | cores.guesses(*formula));
    let mut kept = 0;
    while used != kept {
        let (guess, promise) = promises
            .enumerate()
            .find(|(guess, _)| used & !kept & guess.bit() != 0)
            .expect("every guess has a promise");
        kept |= guess.bit();
        used |= cores.guesses(*promise);
        formulas.push(*promise);
    }
    cores.and(formulas)
}
