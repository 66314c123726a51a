//! Laws of time, applied while a formula is read (Etessami and Holzmann 2000; Somenzi and Bloem 2000).
//!
//! A formula is *eventual* if it holds before wherever it holds (`F p`), *universal* if it holds after wherever it holds
//! (`G p`). What is both (`G F p`) is true everywhere or nowhere in a run. All this is about positions of one run, so it
//! stays true when operands look back.

use std::collections::BTreeMap;

use super::bits::Bits;
use super::core::{CoreFormula, CoreId, Cores};
use super::hashing::KeyTable;

/// What is known about how formulas spread in time.
#[derive(Default)]
pub(super) struct FormulaSpread {
    known: KeyTable<CoreId, (bool, bool)>,
}

impl FormulaSpread {
    /// Whether a formula is eventual, and whether it is universal.
    fn of(&mut self, cores: &Cores, id: CoreId) -> (bool, bool) {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let both = |one: (bool, bool), other: (bool, bool)| (one.0 && other.0, one.1 && other.1);
        let spread = match cores.node(id) {
            CoreFormula::Constant(_) => (true, true),
            CoreFormula::And(parts) | CoreFormula::Or(parts) => {
                parts.iter().fold((true, true), |all, part| both(all, self.of(cores, *part)))
            }
            CoreFormula::Next(part) => self.of(cores, *part),
            CoreFormula::Until(a, b) => {
                let (eventual, universal) = both(self.of(cores, *a), self.of(cores, *b));
                (eventual || cores.is(*a, true), universal)
            }
            CoreFormula::Release(a, b) => {
                let (eventual, universal) = both(self.of(cores, *a), self.of(cores, *b));
                (eventual, universal || cores.is(*a, false))
            }
            CoreFormula::Moment(_)
            | CoreFormula::Term(..)
            | CoreFormula::Guess(..)
            | CoreFormula::Previous(_)
            | CoreFormula::WeakPrevious(_)
            | CoreFormula::Since(..)
            | CoreFormula::Trigger(..)
            | CoreFormula::Postponed(_) => (false, false),
        };
        self.known.insert(id, spread);
        spread
    }

    fn is_eventual(&mut self, cores: &Cores, id: CoreId) -> bool {
        self.of(cores, id).0
    }

    fn is_universal(&mut self, cores: &Cores, id: CoreId) -> bool {
        self.of(cores, id).1
    }

    fn is_everywhere_or_nowhere(&mut self, cores: &Cores, id: CoreId) -> bool {
        self.of(cores, id) == (true, true)
    }
}

/// `X a`.
pub(super) fn next(cores: &mut Cores, spread: &mut FormulaSpread, a: CoreId) -> CoreId {
    match spread.is_everywhere_or_nowhere(cores, a) {
        true => a,
        false => cores.add(CoreFormula::Next(a)),
    }
}

/// `a U b`.
pub(super) fn until(cores: &mut Cores, spread: &mut FormulaSpread, a: CoreId, b: CoreId) -> CoreId {
    if a == b || cores.is(a, false) || spread.is_eventual(cores, b) {
        return b;
    }
    match cores.node(b).clone() {
        CoreFormula::Until(c, _) if c == a => b,
        // F (c U d) = F d
        CoreFormula::Until(_, d) if cores.is(a, true) => until(cores, spread, a, d),
        // a U (b | e) = (a U b) | e if e is eventual
        CoreFormula::Or(parts) => match split(&parts, |part| spread.is_eventual(cores, part)) {
            None => cores.add(CoreFormula::Until(a, b)),
            Some((eventual, rest)) => {
                let rest = cores.or(rest);
                let until = until(cores, spread, a, rest);
                either(cores, spread, eventual.into_iter().chain([until]).collect())
            }
        },
        // a U (b & s) = (a U b) & s if s is true everywhere or nowhere
        CoreFormula::And(parts) => match split(&parts, |part| spread.is_everywhere_or_nowhere(cores, part)) {
            None => cores.add(CoreFormula::Until(a, b)),
            Some((same, rest)) => {
                let rest = cores.and(rest);
                let until = until(cores, spread, a, rest);
                both(cores, spread, same.into_iter().chain([until]).collect())
            }
        },
        _ => cores.add(CoreFormula::Until(a, b)),
    }
}

/// `a R b`: the laws of until, turned round.
pub(super) fn release(cores: &mut Cores, spread: &mut FormulaSpread, a: CoreId, b: CoreId) -> CoreId {
    if a == b || cores.is(a, true) || spread.is_universal(cores, b) {
        return b;
    }
    match cores.node(b).clone() {
        CoreFormula::Release(c, _) if c == a => b,
        CoreFormula::Release(_, d) if cores.is(a, false) => release(cores, spread, a, d),
        CoreFormula::And(parts) => match split(&parts, |part| spread.is_universal(cores, part)) {
            None => cores.add(CoreFormula::Release(a, b)),
            Some((universal, rest)) => {
                let rest = cores.and(rest);
                let release = release(cores, spread, a, rest);
                both(cores, spread, universal.into_iter().chain([release]).collect())
            }
        },
        CoreFormula::Or(parts) => match split(&parts, |part| spread.is_everywhere_or_nowhere(cores, part)) {
            None => cores.add(CoreFormula::Release(a, b)),
            Some((same, rest)) => {
                let rest = cores.or(rest);
                let release = release(cores, spread, a, rest);
                either(cores, spread, same.into_iter().chain([release]).collect())
            }
        },
        _ => cores.add(CoreFormula::Release(a, b)),
    }
}

/// The parts that are `special`, if there are any, and the others.
fn split(parts: &[CoreId], mut special: impl FnMut(CoreId) -> bool) -> Option<(Vec<CoreId>, Vec<CoreId>)> {
    let (special, rest): (Vec<CoreId>, Vec<CoreId>) = parts.iter().partition(|part| special(**part));
    (!special.is_empty()).then_some((special, rest))
}

/// Conjunction: `(a R b) & (a R c) = a R (b & c)`, `(a U c) & (b U c) = (a & b) U c`, `F G b & F G c = F G (b & c)`.
pub(super) fn both(cores: &mut Cores, spread: &mut FormulaSpread, parts: Vec<CoreId>) -> CoreId {
    let whole = cores.and(parts);
    let CoreFormula::And(parts) = cores.node(whole).clone() else { return whole };
    let (no, yes) = (cores.constant(false), cores.constant(true));
    let mut releases: BTreeMap<CoreId, Vec<CoreId>> = BTreeMap::new();
    let mut untils: BTreeMap<CoreId, Vec<CoreId>> = BTreeMap::new();
    let mut finally: Vec<CoreId> = Vec::new();
    let mut rest: Vec<CoreId> = Vec::new();
    for part in parts {
        match *cores.node(part) {
            CoreFormula::Release(a, b) => releases.entry(a).or_default().push(b),
            CoreFormula::Until(a, b) => match *cores.node(b) {
                CoreFormula::Release(c, d) if a == yes && c == no => finally.push(d),
                _ => untils.entry(b).or_default().push(a),
            },
            _ => rest.push(part),
        }
    }
    for (a, all) in releases {
        let right = both(cores, spread, all);
        rest.push(release(cores, spread, a, right));
    }
    for (b, all) in untils {
        let left = both(cores, spread, all);
        rest.push(until(cores, spread, left, b));
    }
    if !finally.is_empty() {
        let inner = both(cores, spread, finally);
        let globally = release(cores, spread, no, inner);
        rest.push(until(cores, spread, yes, globally));
    }
    cores.and(rest)
}

/// Disjunction: the laws of conjunction, turned round.
pub(super) fn either(cores: &mut Cores, spread: &mut FormulaSpread, parts: Vec<CoreId>) -> CoreId {
    let whole = cores.or(parts);
    let CoreFormula::Or(parts) = cores.node(whole).clone() else { return whole };
    let (no, yes) = (cores.constant(false), cores.constant(true));
    let mut untils: BTreeMap<CoreId, Vec<CoreId>> = BTreeMap::new();
    let mut releases: BTreeMap<CoreId, Vec<CoreId>> = BTreeMap::new();
    let mut globally: Vec<CoreId> = Vec::new();
    let mut rest: Vec<CoreId> = Vec::new();
    for part in parts {
        match *cores.node(part) {
            CoreFormula::Until(a, b) => untils.entry(a).or_default().push(b),
            CoreFormula::Release(a, b) => match *cores.node(b) {
                CoreFormula::Until(c, d) if a == no && c == yes => globally.push(d),
                _ => releases.entry(b).or_default().push(a),
            },
            _ => rest.push(part),
        }
    }
    for (a, all) in untils {
        let right = either(cores, spread, all);
        rest.push(until(cores, spread, a, right));
    }
    for (b, all) in releases {
        let left = either(cores, spread, all);
        rest.push(release(cores, spread, left, b));
    }
    if !globally.is_empty() {
        let inner = either(cores, spread, globally);
        let finally = until(cores, spread, yes, inner);
        rest.push(release(cores, spread, no, finally));
    }
    cores.or(rest)
}

/// `Y a`; before the start there is nothing.
pub(super) fn previous(cores: &mut Cores, a: CoreId) -> CoreId {
    match cores.node(a) {
        CoreFormula::Constant(false) => a,
        CoreFormula::Constant(true) => {
            let later = start(cores).not();
            cores.moment(later)
        }
        _ => cores.add(CoreFormula::Previous(a)),
    }
}

/// `Z a`.
pub(super) fn weak_previous(cores: &mut Cores, a: CoreId) -> CoreId {
    match cores.node(a) {
        CoreFormula::Constant(true) => a,
        CoreFormula::Constant(false) => {
            let start = start(cores);
            cores.moment(start)
        }
        _ => cores.add(CoreFormula::WeakPrevious(a)),
    }
}

/// `a S b`.
pub(super) fn since(cores: &mut Cores, a: CoreId, b: CoreId) -> CoreId {
    match *cores.node(b) {
        CoreFormula::Constant(_) => b,
        _ if a == b || cores.is(a, false) => b,
        CoreFormula::Since(c, _) if c == a => b,
        CoreFormula::Since(_, d) if cores.is(a, true) => cores.add(CoreFormula::Since(a, d)),
        _ => cores.add(CoreFormula::Since(a, b)),
    }
}

/// `a T b`.
pub(super) fn trigger(cores: &mut Cores, a: CoreId, b: CoreId) -> CoreId {
    match *cores.node(b) {
        CoreFormula::Constant(_) => b,
        _ if a == b || cores.is(a, true) => b,
        CoreFormula::Trigger(c, _) if c == a => b,
        CoreFormula::Trigger(_, d) if cores.is(a, false) => cores.add(CoreFormula::Trigger(a, d)),
        _ => cores.add(CoreFormula::Trigger(a, b)),
    }
}

/// The class of the start alone.
fn start(cores: &Cores) -> Bits {
    Bits::of(cores.classes, |class| class == super::classes::START)
}
