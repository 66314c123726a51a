//! States as literals: where each variable of a System lies at a position.
//!
//! Two values are one literal, few are a literal each, many are bits. The literals of a position come first, in the order of
//! the variables; those of the position after it are the same, moved on.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{Config, System, Variable, VariableId};

use crate::sat::encode::clauses::Clauses;
use crate::sat::encode::number::{EncodedNumber, MOST_CASES, NumberBits};
use crate::sat::solver::{Literal, TRUE};

/// The literals of the variables at one position.
#[derive(Clone, Debug)]
pub struct PositionLiterals {
    /// For each variable its number.
    pub variables: IdVec<VariableId, EncodedNumber>,
    /// For each thing that an observer may remember, whether it does; they follow those of the variables.
    pub memories: Vec<Literal>,
    /// How many literals there are; they are numbered from 1.
    pub width: i32,
}

impl PositionLiterals {
    /// Literals for all variables and `memories` memories of an observer, the first of these clauses.
    pub fn new(system: &System, memories: usize, clauses: &mut Clauses) -> PositionLiterals {
        let variables = system.variables.iter().map(|variable| number(variable, clauses)).collect();
        let memories = (0..memories).map(|_| clauses.variable()).collect();
        PositionLiterals { variables, memories, width: clauses.variables }
    }

    /// The same with every literal moved by `by`, at a later position.
    pub fn moved(&self, by: i32) -> PositionLiterals {
        let moved = |number: &EncodedNumber| match number {
            EncodedNumber::Cases(cases) => EncodedNumber::Cases(
                cases.iter().map(|(value, literal)| (*value, literal.moved(by))).collect(),
            ),
            EncodedNumber::Bits(NumberBits { bits, range }) => EncodedNumber::Bits(NumberBits {
                bits: bits.iter().map(|bit| bit.moved(by)).collect(),
                range: *range,
            }),
        };
        PositionLiterals {
            variables: self.variables.iter().map(moved).collect(),
            memories: self.memories.iter().map(|memory| memory.moved(by)).collect(),
            width: self.width,
        }
    }

    /// Says that literals stand for values: exactly one of each, none outside of a domain.
    pub fn limit(&self, system: &System, clauses: &mut Clauses) {
        if !self.memories.is_empty() {
            clauses.add(self.memories.iter().copied());
            clauses.at_most_one(&self.memories);
        }
        for (id, number) in self.variables.enumerate() {
            let Variable { min, max, .. } = system.variables[id];
            match number {
                EncodedNumber::Cases(cases) if cases.len() > 2 => {
                    let literals: Vec<Literal> = cases.iter().map(|case| case.1).collect();
                    clauses.add(literals.clone());
                    clauses.at_most_one(&literals);
                }
                EncodedNumber::Cases(_) => {}
                EncodedNumber::Bits(_) => {
                    let below =
                        crate::sat::encode::number::less(number, &EncodedNumber::constant(min), clauses);
                    let above =
                        crate::sat::encode::number::less(&EncodedNumber::constant(max), number, clauses);
                    clauses.add([!below]);
                    clauses.add([!above]);
                }
            }
        }
    }

    /// The literals that are true in a configuration and tell it from all others.
    pub fn of(&self, config: &Config) -> Vec<Literal> {
        let pairs = self.variables.iter().zip(&config.0);
        pairs.flat_map(|(number, value)| literals(number, *value)).collect()
    }

    /// The configuration of a model.
    pub fn config(&self, is_true: &mut dyn FnMut(Literal) -> bool) -> Config {
        let mut value = |number: &EncodedNumber| match number {
            EncodedNumber::Cases(cases) => cases.iter().find(|case| is_true(case.1)).map_or(0, |case| case.0),
            EncodedNumber::Bits(NumberBits { bits, .. }) => {
                let sum = |total: i64, (bit, literal): (usize, &Literal)| match is_true(*literal) {
                    true if bit + 1 == bits.len() => total - (1 << bit),
                    true => total + (1 << bit),
                    false => total,
                };
                i32::try_from(bits.iter().enumerate().fold(0, sum)).unwrap_or(0)
            }
        };
        Config(self.variables.iter().map(&mut value).collect())
    }

    /// The variable of the System that a literal of a state belongs to.
    pub fn owner(&self, literal: Literal) -> Option<VariableId> {
        let has = |number: &EncodedNumber| match number {
            EncodedNumber::Cases(cases) => cases.iter().any(|case| case.1.variable() == literal.variable()),
            EncodedNumber::Bits(NumberBits { bits, .. }) => {
                bits.iter().any(|bit| bit.variable() == literal.variable())
            }
        };
        self.variables.iter().position(has).map(VariableId::from_index)
    }
}

fn number(variable: &Variable, clauses: &mut Clauses) -> EncodedNumber {
    let Variable { min, max, .. } = *variable;
    match i64::from(max) - i64::from(min) {
        ..=0 => EncodedNumber::Cases(vec![(min, TRUE)]),
        1 => {
            let literal = clauses.variable();
            EncodedNumber::Cases(vec![(min, !literal), (max, literal)])
        }
        more if (more as usize) < MOST_CASES => {
            EncodedNumber::Cases((min..=max).map(|value| (value, clauses.variable())).collect())
        }
        _ => {
            let range = (i64::from(min), i64::from(max));
            let width =
                crate::sat::encode::number::width(range.0).max(crate::sat::encode::number::width(range.1));
            let bits = (0..width).map(|_| clauses.variable()).collect();
            EncodedNumber::Bits(NumberBits { bits, range })
        }
    }
}

fn literals(number: &EncodedNumber, value: i32) -> Vec<Literal> {
    match number {
        // The one that is true says it all; the others follow.
        EncodedNumber::Cases(cases) => {
            cases.iter().filter(|case| case.0 == value && case.1 != TRUE).map(|case| case.1).collect()
        }
        EncodedNumber::Bits(NumberBits { bits, .. }) => {
            let bit = |(at, literal): (usize, &Literal)| {
                if i64::from(value) >> at & 1 == 1 { *literal } else { !*literal }
            };
            bits.iter().enumerate().map(bit).collect()
        }
    }
}
