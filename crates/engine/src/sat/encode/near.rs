//! Near: what an observer waits for must begin within some positions (P4's bound k on the states in which a scenario begins).
//!
//! The state counts the positions that have passed, up to the bound. From then on the observer may not wait any more: where
//! something is read, an attempt is under way. So every engine can answer, and without a bound on how long the attempt takes.

use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::wide::WideEncoding;
use crate::sat::encode::writer::NEXT;
use crate::sat::solver::{FALSE, Literal};

/// Attempts begin after at most `within` positions; in the `waiting` memories of the observer no attempt is
/// under way.
pub(super) fn near<'s>(encoding: &Encoding<'s>, waiting: &[usize], within: u32) -> Encoding<'s> {
    let Some(watch) = encoding.watch.clone() else { return encoding.clone() };
    let bits = (u32::BITS - within.leading_zeros()) as i32;
    let mut wide = WideEncoding::new(encoding, bits);
    let width = encoding.state.width;
    let counter: Vec<Literal> = (1..=bits).map(|bit| Literal(width + bit)).collect();
    let is_set = |(place, bit): (usize, &Literal)| if within >> place & 1 == 1 { *bit } else { !*bit };
    let is_late = wide.definitions.and(counter.iter().enumerate().map(is_set).collect::<Vec<_>>());
    // The position before the start does not count.
    let begin = watch.begin.map_or(FALSE, |begin| wide.literal(begin));
    let mut carry = wide.steps.and([!is_late, !begin]);
    for bit in &counter {
        let (sum, next) = (wide.steps.differ(*bit, carry), bit.moved(NEXT));
        wide.steps.add([!sum, next]);
        wide.steps.add([sum, !next]);
        carry = wide.steps.and([carry, *bit]);
    }
    let (waits, is_read) = (wide.literal(watch.waits), wide.literal(watch.is_read));
    wide.steps.add([!is_late, !waits]);
    for memory in waiting {
        let next = watch.memories[*memory].moved(NEXT);
        wide.steps.add([!is_late, !is_read, !next]);
    }
    wide.finish(None)
}
