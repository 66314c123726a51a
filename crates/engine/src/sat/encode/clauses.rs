//! Clauses: logic written as clauses over local variables, once for all positions of a run.
//!
//! What holds at one position holds at every other: a [`Clauses`] is filled once, and added to a solver for each position
//! with all variables moved on. Gates are made once for equal inputs, and never for constants, so that a clause holds
//! neither of them.

use std::collections::HashMap;

use crate::sat::solver::{FALSE, Literal, TRUE};

/// Clauses over variables numbered from 1.
#[derive(Clone, Default, Debug)]
pub struct Clauses {
    /// How many variables there are.
    pub variables: i32,
    /// The clauses.
    pub list: Vec<Vec<Literal>>,
    gates: HashMap<Vec<Literal>, Literal>,
}

impl Clauses {
    /// No clauses; fresh variables are numbered on from here.
    pub fn after(variables: i32) -> Self {
        Clauses { variables, ..Clauses::default() }
    }

    /// A fresh variable.
    pub fn variable(&mut self) -> Literal {
        self.variables += 1;
        Literal(self.variables)
    }

    /// Adds a clause, unless it holds anyway.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Literal>) {
        let mut clause: Vec<Literal> = clause.into_iter().filter(|literal| *literal != FALSE).collect();
        clause.sort_unstable();
        clause.dedup();
        let is_tautology =
            clause.iter().any(|literal| *literal == TRUE || clause.binary_search(&!*literal).is_ok());
        if !is_tautology {
            self.list.push(clause);
        }
    }

    /// All of them.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Literal>) -> Literal {
        let mut parts: Vec<Literal> = parts.into_iter().filter(|literal| *literal != TRUE).collect();
        parts.sort_unstable();
        parts.dedup();
        let is_never = |part: &Literal| *part == FALSE || parts.binary_search(&!*part).is_ok();
        if parts.iter().any(is_never) {
            return FALSE;
        }
        match parts.as_slice() {
            [] => return TRUE,
            [only] => return *only,
            _ => {}
        }
        if let Some(gate) = self.gates.get(&parts) {
            return *gate;
        }
        let gate = self.variable();
        for part in &parts {
            self.add([!gate, *part]);
        }
        self.add(parts.iter().map(|part| !*part).chain([gate]));
        self.gates.insert(parts, gate);
        gate
    }

    /// Any of them.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Literal>) -> Literal {
        !self.and(parts.into_iter().map(|part| !part))
    }

    /// Whether the first decides for the second or the third.
    pub fn choose(&mut self, condition: Literal, yes: Literal, no: Literal) -> Literal {
        if yes == no {
            return yes;
        }
        let (yes, no) = (self.and([condition, yes]), self.and([!condition, no]));
        self.or([yes, no])
    }

    /// Exactly one of two.
    pub fn differ(&mut self, a: Literal, b: Literal) -> Literal {
        self.choose(a, !b, b)
    }

    /// At most one of them holds. Few are compared in pairs, many along a ladder.
    pub fn at_most_one(&mut self, literals: &[Literal]) {
        const FEW: usize = 5;
        let literals: Vec<Literal> = literals.iter().copied().filter(|one| *one != FALSE).collect();
        if literals.len() <= FEW {
            for (index, one) in literals.iter().enumerate() {
                literals[index + 1..].iter().for_each(|other| self.add([!*one, !*other]));
            }
            return;
        }
        // Groups of four: each group is a literal of the next round.
        let mut next = Vec::new();
        for group in literals.chunks(FEW - 1) {
            self.at_most_one(group);
            match group {
                [only] => next.push(*only),
                _ => {
                    let any = self.variable();
                    group.iter().for_each(|one| self.add([!*one, any]));
                    next.push(any);
                }
            }
        }
        self.at_most_one(&next);
    }

    /// For each number from 1 to `most + 1`, up to the number of literals: whether at least that many of them
    /// hold.
    pub fn count(&mut self, literals: &[Literal], most: usize) -> Vec<Literal> {
        match literals {
            [] => return Vec::new(),
            [only] => return vec![*only],
            _ => {}
        }
        let (left, right) = literals.split_at(literals.len() / 2);
        let (left, right) = (self.count(left, most), self.count(right, most));
        let length = (left.len() + right.len()).min(most + 1);
        (1..=length)
            .map(|number| {
                // At least `number` in all: `part` of the left, the rest of the right.
                let splits: Vec<Literal> = (0..=number)
                    .filter(|part| *part <= left.len() && number - part <= right.len())
                    .map(|part| {
                        let at_least = |side: &[Literal], count: usize| match count {
                            0 => TRUE,
                            count => side[count - 1],
                        };
                        let both = [at_least(&left, part), at_least(&right, number - part)];
                        self.and(both)
                    })
                    .collect();
                self.or(splits)
            })
            .collect()
    }
}
