//! Numbers as literals.
//!
//! A number with few values is a literal for each of them, exactly one of which is true: comparisons and updates with
//! constants, which are nearly all there are, then cost a literal. A number with many values is its bits, two's complement,
//! and arithmetic is what it is in hardware.

use std::collections::BTreeMap;

use sequent_kernel::system::ArithmeticOperation;

use crate::sat::encode::clauses::Clauses;
use crate::sat::solver::{FALSE, Literal, TRUE};

/// More values than this are bits.
pub(crate) const MOST_CASES: usize = 64;
/// More pairs of values than this are not looked at one by one.
const MOST_PAIRS: usize = 512;

/// A number that depends on literals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodedNumber {
    /// A literal for each value, exactly one of which is true; values ascend.
    Cases(Vec<(i32, Literal)>),
    /// Bits, the least first; the last is the sign.
    Bits(NumberBits),
}

/// Bits, and between which values they lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberBits {
    /// The least bit first; the last is the sign and stands for all that would follow.
    pub bits: Vec<Literal>,
    /// No value is less, or greater.
    pub range: (i64, i64),
}

/// A number has results that no `i32` can hold, so that it would have to stay at the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberTooLarge;

impl EncodedNumber {
    /// A number that is known.
    pub fn constant(value: i32) -> EncodedNumber {
        EncodedNumber::Cases(vec![(value, TRUE)])
    }

    /// 1 or 0.
    pub(crate) fn of_truth(truth: Literal) -> EncodedNumber {
        match truth {
            TRUE => EncodedNumber::constant(1),
            FALSE => EncodedNumber::constant(0),
            _ => EncodedNumber::Cases(vec![(0, !truth), (1, truth)]),
        }
    }

    /// Whether it is a value.
    pub fn is(&self, value: i32, clauses: &mut Clauses) -> Literal {
        match self {
            EncodedNumber::Cases(cases) => {
                cases.binary_search_by_key(&value, |case| case.0).map_or(FALSE, |at| cases[at].1)
            }
            EncodedNumber::Bits(bits) => equal_bits(bits, &NumberBits::constant(i64::from(value)), clauses),
        }
    }

    fn bits(&self, clauses: &mut Clauses) -> NumberBits {
        let cases = match self {
            EncodedNumber::Bits(bits) => return bits.clone(),
            EncodedNumber::Cases(cases) => cases,
        };
        let least = cases.first().map_or(0, |case| i64::from(case.0));
        let greatest = cases.last().map_or(0, |case| i64::from(case.0));
        let width = width(least).max(width(greatest));
        let bit = |bit: usize, clauses: &mut Clauses| {
            let set = cases.iter().filter(|case| i64::from(case.0) >> bit & 1 == 1);
            clauses.or(set.map(|case| case.1).collect::<Vec<_>>())
        };
        let bits = (0..width).map(|at| bit(at, clauses)).collect();
        NumberBits { bits, range: (least, greatest) }
    }
}

impl NumberBits {
    fn constant(value: i64) -> NumberBits {
        let bits = (0..width(value)).map(|bit| Literal::constant(value >> bit & 1 == 1)).collect();
        NumberBits { bits, range: (value, value) }
    }

    fn at(&self, bit: usize) -> Literal {
        self.bits.get(bit).or(self.bits.last()).copied().unwrap_or(FALSE)
    }

    fn sign(&self) -> Literal {
        self.bits.last().copied().unwrap_or(FALSE)
    }

    fn ranged(bits: Vec<Literal>, range: (i64, i64)) -> Result<NumberBits, NumberTooLarge> {
        let fits = |value: i64| i32::try_from(value).is_ok();
        if fits(range.0) && fits(range.1) { Ok(NumberBits { bits, range }) } else { Err(NumberTooLarge) }
    }
}

/// Bits that a value needs, the sign included.
pub fn width(value: i64) -> usize {
    let magnitude = if value < 0 { !value } else { value };
    (i64::BITS - magnitude.leading_zeros()) as usize + 1
}

/// Whether two numbers are equal.
pub fn equal(a: &EncodedNumber, b: &EncodedNumber, clauses: &mut Clauses) -> Literal {
    if let (EncodedNumber::Cases(a), EncodedNumber::Cases(b)) = (a, b) {
        let shared = a.iter().filter_map(|(value, literal)| {
            let at = b.binary_search_by_key(value, |case| case.0).ok()?;
            Some([*literal, b[at].1])
        });
        let both: Vec<Literal> =
            shared.collect::<Vec<_>>().into_iter().map(|pair| clauses.and(pair)).collect();
        return clauses.or(both);
    }
    let (a, b) = (a.bits(clauses), b.bits(clauses));
    equal_bits(&a, &b, clauses)
}

fn equal_bits(a: &NumberBits, b: &NumberBits, clauses: &mut Clauses) -> Literal {
    let width = a.bits.len().max(b.bits.len());
    let same: Vec<Literal> = (0..width).map(|bit| !clauses.differ(a.at(bit), b.at(bit))).collect();
    clauses.and(same)
}

/// Whether the first is less than the second.
pub fn less(a: &EncodedNumber, b: &EncodedNumber, clauses: &mut Clauses) -> Literal {
    if let (EncodedNumber::Cases(a), EncodedNumber::Cases(b)) = (a, b) {
        // For each value of the first, any greater one of the second.
        let pairs: Vec<Literal> = a
            .iter()
            .map(|(value, literal)| {
                let greater: Vec<Literal> =
                    b.iter().filter(|other| other.0 > *value).map(|other| other.1).collect();
                let greater = if greater.len() == b.len() { TRUE } else { clauses.or(greater) };
                clauses.and([*literal, greater])
            })
            .collect();
        return clauses.or(pairs);
    }
    let (a, b) = (a.bits(clauses), b.bits(clauses));
    less_bits(&a, &b, clauses)
}

fn less_bits(a: &NumberBits, b: &NumberBits, clauses: &mut Clauses) -> Literal {
    let width = a.bits.len().max(b.bits.len()) + 1;
    // The sign of the difference, which has room for it.
    let difference = sum(a, &complement(b), TRUE, width, clauses);
    difference.last().copied().unwrap_or(FALSE)
}

/// The second number if the first literal is true, else the third.
pub fn choose(
    condition: Literal,
    yes: &EncodedNumber,
    no: &EncodedNumber,
    clauses: &mut Clauses,
) -> EncodedNumber {
    if let (EncodedNumber::Cases(yes), EncodedNumber::Cases(no)) = (yes, no) {
        let mut cases: BTreeMap<i32, Vec<Literal>> = BTreeMap::new();
        for (side, list) in [(condition, yes), (!condition, no)] {
            for (value, literal) in list {
                let both = clauses.and([side, *literal]);
                cases.entry(*value).or_default().push(both);
            }
        }
        return gathered(cases, clauses);
    }
    let (yes, no) = (yes.bits(clauses), no.bits(clauses));
    let width = yes.bits.len().max(no.bits.len());
    let bits = (0..width).map(|bit| clauses.choose(condition, yes.at(bit), no.at(bit))).collect();
    EncodedNumber::Bits(NumberBits {
        bits,
        range: (yes.range.0.min(no.range.0), yes.range.1.max(no.range.1)),
    })
}

fn gathered(cases: BTreeMap<i32, Vec<Literal>>, clauses: &mut Clauses) -> EncodedNumber {
    let gathered =
        cases.into_iter().map(|(value, ways)| (value, clauses.or(ways))).filter(|case| case.1 != FALSE);
    EncodedNumber::Cases(gathered.collect())
}

/// The result of an operation.
pub fn compute(
    operation: ArithmeticOperation,
    a: &EncodedNumber,
    b: &EncodedNumber,
    clauses: &mut Clauses,
) -> Result<EncodedNumber, NumberTooLarge> {
    if let (EncodedNumber::Cases(a), EncodedNumber::Cases(b)) = (a, b) {
        if a.len() * b.len() <= MOST_PAIRS {
            let mut cases: BTreeMap<i32, Vec<Literal>> = BTreeMap::new();
            for (left, one) in a {
                for (right, other) in b {
                    let both = clauses.and([*one, *other]);
                    cases.entry(operation.apply(*left, *right)).or_default().push(both);
                }
            }
            return Ok(gathered(cases, clauses));
        }
    }
    let (a, b) = (a.bits(clauses), b.bits(clauses));
    let bits = match operation {
        ArithmeticOperation::Plus => plus(&a, &b, clauses),
        ArithmeticOperation::Minus => minus(&a, &b, clauses),
        ArithmeticOperation::Times => times(&a, &b, clauses),
        ArithmeticOperation::Divide => divide(&a, &b, clauses).map(|(quotient, _)| quotient),
        ArithmeticOperation::Modulo => divide(&a, &b, clauses).map(|(_, remainder)| remainder),
    };
    bits.map(EncodedNumber::Bits)
}

fn complement(a: &NumberBits) -> NumberBits {
    let bits = a.bits.iter().map(|bit| !*bit).collect();
    NumberBits { bits, range: (-1 - a.range.1, -1 - a.range.0) }
}

/// The lowest bits of a sum.
fn sum(a: &NumberBits, b: &NumberBits, carry: Literal, width: usize, clauses: &mut Clauses) -> Vec<Literal> {
    let mut carry = carry;
    (0..width)
        .map(|bit| {
            let (a, b) = (a.at(bit), b.at(bit));
            let half = clauses.differ(a, b);
            let result = clauses.differ(half, carry);
            let (both, one) = (clauses.and([a, b]), clauses.and([half, carry]));
            carry = clauses.or([both, one]);
            result
        })
        .collect()
}

fn plus(a: &NumberBits, b: &NumberBits, clauses: &mut Clauses) -> Result<NumberBits, NumberTooLarge> {
    let range = (a.range.0 + b.range.0, a.range.1 + b.range.1);
    let width = width(range.0).max(width(range.1));
    NumberBits::ranged(sum(a, b, FALSE, width, clauses), range)
}

fn minus(a: &NumberBits, b: &NumberBits, clauses: &mut Clauses) -> Result<NumberBits, NumberTooLarge> {
    let range = (a.range.0 - b.range.1, a.range.1 - b.range.0);
    let width = width(range.0).max(width(range.1));
    NumberBits::ranged(sum(a, &complement(b), TRUE, width, clauses), range)
}

fn times(a: &NumberBits, b: &NumberBits, clauses: &mut Clauses) -> Result<NumberBits, NumberTooLarge> {
    let corners = [a.range.0, a.range.1].map(|left| [left * b.range.0, left * b.range.1]);
    let (least, greatest) = corners
        .as_flattened()
        .iter()
        .fold((i64::MAX, i64::MIN), |(least, greatest), corner| (least.min(*corner), greatest.max(*corner)));
    let width = width(least).max(width(greatest));
    let mut total = NumberBits { bits: vec![FALSE], range: (0, 0) };
    for bit in 0..width {
        let row: Vec<Literal> = (0..width)
            .map(|at| if at < bit { FALSE } else { clauses.and([b.at(bit), a.at(at - bit)]) })
            .collect();
        let bits = sum(&total, &NumberBits { bits: row, range: (0, 0) }, FALSE, width, clauses);
        total = NumberBits { bits, range: (0, 0) };
    }
    NumberBits::ranged(total.bits, (least, greatest))
}

/// Quotient and remainder: the only two numbers with `a = q * b + r`, where `r` is nearer to 0 than `b` and has the sign of
/// `a`; both are 0 where `b` is.
fn divide(
    a: &NumberBits,
    b: &NumberBits,
    clauses: &mut Clauses,
) -> Result<(NumberBits, NumberBits), NumberTooLarge> {
    let most = a.range.0.abs().max(a.range.1.abs());
    let narrow = most.min((b.range.0.abs().max(b.range.1.abs()) - 1).max(0));
    let mut fresh = |range: (i64, i64)| {
        let bits = (0..width(range.0).max(width(range.1))).map(|_| clauses.variable()).collect();
        NumberBits::ranged(bits, range)
    };
    let (quotient, remainder) = (fresh((-most, most))?, fresh((-narrow, narrow))?);
    let product = times(&quotient, b, clauses)?;
    let total = plus(&product, &remainder, clauses)?;
    let is_zero = equal_bits(b, &NumberBits::constant(0), clauses);
    let is_right = equal_bits(&total, a, clauses);
    let (size, limit) = (magnitude(&remainder, clauses)?, magnitude(b, clauses)?);
    let is_near = less_bits(&size, &limit, clauses);
    let is_even = equal_bits(&remainder, &NumberBits::constant(0), clauses);
    let is_signed = !clauses.differ(remainder.sign(), a.sign());
    clauses.add([is_zero, is_right]);
    clauses.add([is_zero, is_near]);
    clauses.add([is_zero, is_even, is_signed]);
    for bit in quotient.bits.iter().chain(&remainder.bits) {
        clauses.add([!is_zero, !*bit]);
    }
    Ok((quotient, remainder))
}

fn magnitude(a: &NumberBits, clauses: &mut Clauses) -> Result<NumberBits, NumberTooLarge> {
    let negative = minus(&NumberBits::constant(0), a, clauses)?;
    let width = a.bits.len().max(negative.bits.len());
    let bits = (0..width).map(|bit| clauses.choose(a.sign(), negative.at(bit), a.at(bit))).collect();
    Ok(NumberBits { bits, range: (0, a.range.0.abs().max(a.range.1.abs())) })
}
