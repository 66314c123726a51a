//! What is learned from a conflict: the clause of the first literal that all ways from the last decision to the conflict pass.

use super::code::LiteralCode;
use super::trail::{Antecedent, AssignmentTrail, FailedClause};

/// Tables for the analysis, kept between conflicts.
#[derive(Default)]
pub(super) struct ConflictAnalysis {
    /// For each variable whether the analysis has met it.
    is_met: Vec<bool>,
    met: Vec<usize>,
    /// The clause that was learned; its first literal is the only one of its level.
    pub learned: Vec<LiteralCode>,
    /// For each level the number of the analysis that has counted it last.
    counted: Vec<u64>,
    analyses: u64,
}

impl ConflictAnalysis {
    /// Takes one more variable in.
    pub(super) fn variable(&mut self) {
        self.is_met.push(false);
    }

    /// Learns a clause; the level to go back to, and on how many levels its literals are.
    pub(super) fn learn(&mut self, trail: &mut AssignmentTrail, conflict: FailedClause) -> (u32, u32) {
        self.learned.clear();
        self.learned.push(LiteralCode(0));
        let mut open = 0;
        match conflict {
            FailedClause::Pair(one, other) => {
                self.meet(trail, one, &mut open);
                self.meet(trail, other, &mut open);
            }
            FailedClause::Clause(place) => {
                for number in 0..trail.arena.length(place).unwrap_or_default() {
                    let literal = trail.arena.literal(place, number);
                    self.meet(trail, literal, &mut open);
                }
            }
        }
        let mut at = trail.assigned.len();
        loop {
            at -= 1;
            let literal = trail.assigned[at];
            if !self.is_met[literal.variable()] {
                continue;
            }
            open -= 1;
            if open == 0 {
                self.learned[0] = !literal;
                break;
            }
            match trail.reason(literal.variable()) {
                Antecedent::Decision => {}
                Antecedent::Pair(other) => self.meet(trail, other, &mut open),
                Antecedent::Clause(place) => {
                    for number in 0..trail.arena.length(place).unwrap_or_default() {
                        let other = trail.arena.literal(place, number);
                        self.meet(trail, other, &mut open);
                    }
                }
            }
        }
        self.minimise(trail);
        // They keep their order.
        self.met.sort_unstable_by_key(|variable| trail.order.stamp(*variable));
        for variable in self.met.drain(..) {
            self.is_met[variable] = false;
            trail.order.bump(variable);
        }
        self.levels(trail)
    }

    /// A literal of a clause that fails: one of an earlier level is part of what is learned.
    fn meet(&mut self, trail: &AssignmentTrail, literal: LiteralCode, open: &mut usize) {
        let variable = literal.variable();
        let level = trail.level_of(variable);
        if self.is_met[variable] || level == 0 {
            return;
        }
        self.is_met[variable] = true;
        self.met.push(variable);
        if level == trail.level() {
            *open += 1;
        } else {
            self.learned.push(literal);
        }
    }

    /// Leaves out literals that follow from the others.
    fn minimise(&mut self, trail: &AssignmentTrail) {
        let is_met = &self.is_met;
        let mut number = 0;
        self.learned.retain(|literal| {
            number += 1;
            let variable = literal.variable();
            if number == 1 || trail.reason(variable) == Antecedent::Decision {
                return true;
            }
            let mut follows = true;
            trail.causes(variable, &mut |cause| {
                follows &= is_met[cause.variable()] || trail.level_of(cause.variable()) == 0;
            });
            !follows
        });
    }

    /// Moves a literal of the second highest level to the second place; that level, and how many levels there are.
    fn levels(&mut self, trail: &AssignmentTrail) -> (u32, u32) {
        self.analyses += 1;
        let mut levels = 0;
        let mut back = 0;
        self.counted.resize(trail.level() as usize + 1, 0);
        for number in 0..self.learned.len() {
            let level = trail.level_of(self.learned[number].variable());
            let counted = &mut self.counted[level as usize];
            levels += u32::from(*counted != self.analyses);
            *counted = self.analyses;
            if number > 0 && level > back {
                back = level;
                self.learned.swap(1, number);
            }
        }
        (back, levels)
    }

    /// The assumptions because of which a literal is false, which is assumed as well: it is among them.
    pub(super) fn failed(
        &mut self,
        trail: &AssignmentTrail,
        assumption: LiteralCode,
        failed: &mut dyn FnMut(LiteralCode),
    ) {
        failed(assumption);
        self.is_met[assumption.variable()] = true;
        self.met.push(assumption.variable());
        for literal in trail.assigned.iter().rev() {
            let variable = literal.variable();
            if !self.is_met[variable] || trail.level_of(variable) == 0 {
                continue;
            }
            if trail.reason(variable) == Antecedent::Decision {
                failed(*literal);
                continue;
            }
            let (is_met, met) = (&mut self.is_met, &mut self.met);
            trail.causes(variable, &mut |cause| {
                if !is_met[cause.variable()] {
                    is_met[cause.variable()] = true;
                    met.push(cause.variable());
                }
            });
        }
        for variable in self.met.drain(..) {
            self.is_met[variable] = false;
        }
    }
}
