//! What is assigned, in which order and why; and what follows from it by single clauses.
//!
//! Each clause is watched by two of its literals, and looked at only when one of them becomes false. Of a clause of two literals the
//! watch says all; of a longer one it knows a literal that makes it hold if it is true.

use super::arena::{ClauseArena, ClausePlace};
use super::code::LiteralCode;
use super::order::DecisionOrder;

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Antecedent {
    /// It was decided or assumed.
    Decision,
    /// A clause of two literals, of which the other is false.
    Pair(LiteralCode),
    /// A clause, of which all others are false.
    Clause(ClausePlace),
}

/// A clause of which all literals are false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FailedClause {
    Pair(LiteralCode, LiteralCode),
    Clause(ClausePlace),
}

/// A clause to look at when a literal becomes false.
#[derive(Clone, Copy)]
struct Watch {
    /// Another literal of the clause.
    other: LiteralCode,
    /// The clause; [`PAIR`] if it has but these two.
    place: ClausePlace,
}

const PAIR: ClausePlace = ClausePlace(u32::MAX);

/// The assignment, and the clauses.
#[derive(Default)]
pub(super) struct AssignmentTrail {
    pub arena: ClauseArena,
    pub order: DecisionOrder,
    /// For each literal 1 if it is true, -1 if it is false, 0 if neither.
    values: Vec<i8>,
    /// For each variable the value it had last.
    phases: Vec<bool>,
    levels: Vec<u32>,
    reasons: Vec<Antecedent>,
    watches: Vec<Vec<Watch>>,
    /// What is true, in the order of assignment.
    pub assigned: Vec<LiteralCode>,
    /// Where the levels begin.
    limits: Vec<usize>,
    /// What was looked at.
    seen: usize,
}

impl AssignmentTrail {
    /// One more variable.
    pub(super) fn variable(&mut self) {
        self.values.extend([0, 0]);
        self.phases.push(false);
        self.levels.push(0);
        self.reasons.push(Antecedent::Decision);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.order.variable();
    }

    /// Whether a literal is true, if it is assigned.
    pub(super) fn value(&self, literal: LiteralCode) -> Option<bool> {
        match self.values[literal.index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// The level on which a variable was assigned.
    pub(super) fn level_of(&self, variable: usize) -> u32 {
        self.levels[variable]
    }

    /// Why a variable was assigned.
    pub(super) fn reason(&self, variable: usize) -> Antecedent {
        self.reasons[variable]
    }

    /// The level now: the number of decisions.
    pub(super) fn level(&self) -> u32 {
        self.limits.len() as u32
    }

    /// Begins a level.
    pub(super) fn open(&mut self) {
        self.limits.push(self.assigned.len());
    }

    /// Decides the next variable, as it was last; `false` if all are assigned.
    pub(super) fn decide(&mut self) -> bool {
        let values = &self.values;
        let Some(variable) = self.order.next(|variable| values[2 * variable] == 0) else { return false };
        let sign = u32::from(!self.phases[variable]);
        self.open();
        self.assign(LiteralCode(2 * variable as u32 + sign), Antecedent::Decision);
        true
    }

    /// Makes a literal true that is not assigned.
    pub(super) fn assign(&mut self, literal: LiteralCode, reason: Antecedent) {
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        let variable = literal.variable();
        self.levels[variable] = self.limits.len() as u32;
        self.reasons[variable] = reason;
        self.assigned.push(literal);
    }

    /// Goes back to a level.
    pub(super) fn back_to(&mut self, level: u32) {
        let Some(limit) = self.limits.get(level as usize).copied() else { return };
        for literal in self.assigned.drain(limit..).rev() {
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phases[literal.variable()] = literal.is_positive();
            self.order.opens(literal.variable());
        }
        self.limits.truncate(level as usize);
        self.seen = limit;
    }

    /// Takes a literal back that may have followed at level 0; no clause has its negation, so nothing follows from it.
    pub(super) fn take_back(&mut self, literal: LiteralCode) {
        if let Some(place) = self.assigned.iter().position(|one| *one == literal) {
            self.assigned.remove(place);
            self.seen -= usize::from(place < self.seen);
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.order.opens(literal.variable());
        }
    }

    /// Watches a clause of two literals.
    pub(super) fn watch_pair(&mut self, one: LiteralCode, other: LiteralCode) {
        self.watches[one.index()].push(Watch { other, place: PAIR });
        self.watches[other.index()].push(Watch { other: one, place: PAIR });
    }

    /// Adds a clause to the arena and watches its first two literals.
    pub(super) fn watch(&mut self, literals: &[LiteralCode], rank: u32) -> ClausePlace {
        let place = self.arena.add(literals, rank);
        self.watches[literals[0].index()].push(Watch { other: literals[1], place });
        self.watches[literals[1].index()].push(Watch { other: literals[0], place });
        place
    }

    /// Assigns all that follows; a clause that fails, if one does.
    pub(super) fn propagate(&mut self) -> Option<FailedClause> {
        while let Some(literal) = self.assigned.get(self.seen) {
            let falsified = !*literal;
            self.seen += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let conflict = self.look(falsified, &mut watches);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that a literal watched that is false now.
    fn look(&mut self, falsified: LiteralCode, watches: &mut Vec<Watch>) -> Option<FailedClause> {
        let (mut at, mut kept) = (0, 0);
        let mut conflict = None;
        while at < watches.len() {
            let watch = watches[at];
            at += 1;
            let value = self.values[watch.other.index()];
            if value > 0 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            if watch.place == PAIR {
                watches[kept] = watch;
                kept += 1;
                if value < 0 {
                    conflict = Some(FailedClause::Pair(watch.other, falsified));
                    break;
                }
                self.assign(watch.other, Antecedent::Pair(falsified));
                continue;
            }
            let Some(length) = self.arena.length(watch.place) else { continue };
            let literals = self.arena.literals(watch.place, length);
            if literals[0] == falsified.0 {
                literals.swap(0, 1);
            }
            let first = LiteralCode(literals[0]);
            let watch = Watch { other: first, place: watch.place };
            if self.values[first.index()] > 0 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let values = &self.values;
            let next = literals[2..].iter().position(|literal| values[*literal as usize] >= 0);
            if let Some(next) = next {
                literals.swap(1, next + 2);
                self.watches[literals[1] as usize].push(watch);
                continue;
            }
            watches[kept] = watch;
            kept += 1;
            if self.values[first.index()] < 0 {
                conflict = Some(FailedClause::Clause(watch.place));
                break;
            }
            self.assign(first, Antecedent::Clause(watch.place));
        }
        let rest = watches.len() - at;
        watches.copy_within(at.., kept);
        watches.truncate(kept + rest);
        conflict
    }

    /// Shows the literals of a clause that follow from nothing: those of a reason but the literal it is for.
    pub(super) fn causes(&self, variable: usize, show: &mut dyn FnMut(LiteralCode)) {
        match self.reasons[variable] {
            Antecedent::Decision => {}
            Antecedent::Pair(other) => show(other),
            Antecedent::Clause(place) => {
                for number in 0..self.arena.length(place).unwrap_or_default() {
                    let literal = self.arena.literal(place, number);
                    if literal.variable() != variable {
                        show(literal);
                    }
                }
            }
        }
    }

    /// Writes the clauses anew without those that were given up. At level 0 alone, where no reason is asked for.
    pub(super) fn compact(&mut self, list: &mut Vec<ClausePlace>) {
        let words = self.arena.compact();
        for watches in &mut self.watches {
            watches.retain_mut(|watch| match watch.place {
                PAIR => true,
                place => self.arena.moved(place).is_some_and(|place| {
                    watch.place = place;
                    true
                }),
            });
        }
        *list = list.iter().filter_map(|place| self.arena.moved(*place)).collect();
        self.arena.settle(words);
    }
}
