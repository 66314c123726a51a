//! Counting traces without listing them.
//!
//! From the ends backwards: each node's number is the sum of those it leads to, plus one if a trace may end there. The
//! numbers have hundreds of digits; they lie behind each other in one vector, so that no node costs an allocation. A
//! circle makes the number infinite only if it lies on a way to an end.

use num_bigint::BigUint;
use sequent_kernel::system::TraceClass;

use super::{TraceNode, Traces};

/// How many traces there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceCount {
    /// A finite number.
    Finite(BigUint),
    /// Infinitely many.
    Infinite,
    /// More than fit into memory, digit by digit, at every point of the way.
    Beyond,
}

/// No more digits of 64 bits are written down.
const MOST_DIGITS: usize = 100_000_000;

impl Traces<'_> {
    /// The number of valid traces.
    pub fn count(&self) -> TraceCount {
        self.count_of(TraceClass::Valid)
    }

    /// The number of traces of a class.
    pub fn count_of(&self, class: TraceClass) -> TraceCount {
        let alive = self.alive(class);
        let Some(order) = self.ends_first(&alive) else { return TraceCount::Infinite };
        let mut numbers = BigNumbers { digits: Vec::new(), spans: vec![[0, 0]; self.sets()] };
        let mut sum = Vec::new();
        for node in order {
            sum.clear();
            sum.extend(self.is_end(node, class).then_some(1));
            for (_, next) in self.edges(node) {
                add(&mut sum, numbers.of(next));
            }
            if numbers.digits.len() > MOST_DIGITS {
                return TraceCount::Beyond;
            }
            numbers.put(node, &sum);
        }
        let digits = numbers.of(0).iter().flat_map(|digit| [*digit as u32, (*digit >> 32) as u32]);
        TraceCount::Finite(BigUint::new(digits.collect()))
    }

    /// The nodes on a path to an end, successors before predecessors; `None` if there is a cycle.
    pub(super) fn ends_first(&self, alive: &[bool]) -> Option<Vec<TraceNode>> {
        let mut waiting = vec![0_u32; self.sets()];
        let living = |node: &TraceNode| alive[*node];
        for (_, next) in (0..self.sets()).filter(living).flat_map(|node| self.edges(node)) {
            waiting[next] += 1;
        }
        let mut order: Vec<TraceNode> =
            (0..self.sets()).filter(living).filter(|node| waiting[*node] == 0).collect();
        let mut at = 0;
        while at < order.len() {
            for (_, next) in self.edges(order[at]).filter(|(_, next)| alive[*next]) {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    order.push(next);
                }
            }
            at += 1;
        }
        order.reverse();
        (order.len() == alive.iter().filter(|alive| **alive).count()).then_some(order)
    }
}

/// A big number for each node: digits of 64 bits, the lowest first.
struct BigNumbers {
    digits: Vec<u64>,
    spans: Vec<[usize; 2]>,
}

impl BigNumbers {
    fn of(&self, node: TraceNode) -> &[u64] {
        let [start, end] = self.spans[node];
        &self.digits[start..end]
    }

    fn put(&mut self, node: TraceNode, number: &[u64]) {
        let start = self.digits.len();
        self.digits.extend_from_slice(number);
        self.spans[node] = [start, self.digits.len()];
    }
}

fn add(sum: &mut Vec<u64>, other: &[u64]) {
    if sum.len() < other.len() {
        sum.resize(other.len(), 0);
    }
    let mut carry = false;
    for (index, digit) in sum.iter_mut().enumerate() {
        let Some(other) = other.get(index).copied().or(carry.then_some(0)) else { return };
        let (once, first) = digit.overflowing_add(other);
        let (twice, second) = once.overflowing_add(u64::from(carry));
        (*digit, carry) = (twice, first || second);
    }
    if carry {
        sum.push(1);
    }
}
