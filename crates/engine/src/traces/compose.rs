//! Counting by composition: what does not touch each other is counted apart.
//!
//! The traces of a system whose [parts](super::parts) do not touch each other are all interleavings of traces of the parts.
//! So the parts are counted one by one, by length, and traces of n and m events can be interleaved in (n + m)! / (n! m!)
//! ways. Sixteen messages in `par` take as many steps as one, sixteen times, instead of 3^16 sets.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use sequent_kernel::system::{System, TraceClass};

use super::parts::{Parts, parts};
use super::{TraceCount, TraceLimits, TraceNode, Traces};
use crate::search::{ProgressWatch, SearchStop};

/// How many traces of a class a system has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The number.
    pub count: TraceCount,
    /// Whether a configuration was strained: the system has fewer runs than the diagram.
    pub is_strained: bool,
}

/// Counts the traces of a class; `watch` sees the sets of one part after the other.
pub fn count(
    system: &System,
    class: TraceClass,
    limits: TraceLimits,
    watch: ProgressWatch<'_>,
) -> Result<Counted, SearchStop> {
    let Some(Parts { systems, judged }) = parts(system) else {
        let traces = Traces::explore_watched(system, limits, watch)?;
        return Ok(Counted { count: traces.count_of(class), is_strained: traces.is_strained() });
    };
    let mut so_far: Lengths = vec![(0, BigUint::from(1_u8))];
    let (mut is_strained, mut is_infinite) = (false, false);
    for (number, part) in systems.iter().enumerate() {
        let traces = Traces::explore_watched(part, limits, watch)?;
        is_strained |= traces.is_strained();
        let class = if number == judged { class } else { TraceClass::Valid };
        match traces.lengths(class) {
            Some(lengths) => so_far = interleaved(&so_far, &lengths),
            None => is_infinite = true,
        }
    }
    let sum: BigUint = so_far.iter().map(|(_, number)| number).sum();
    let count = match is_infinite && !so_far.is_empty() {
        true => TraceCount::Infinite,
        false => TraceCount::Finite(sum),
    };
    Ok(Counted { count, is_strained })
}

/// How many traces there are of each length, without those of which there is none, the shortest first.
type Lengths = Vec<(usize, BigUint)>;

impl Traces<'_> {
    /// How many traces of a class there are of each length; `None` if there are infinitely many.
    fn lengths(&self, class: TraceClass) -> Option<Lengths> {
        let alive = self.alive(class);
        self.ends_first(&alive)?;
        let mut lengths = Lengths::new();
        // How many ways of one length lead to a node, for those that some way leads to.
        let mut ways: Vec<BigUint> = vec![BigUint::ZERO; self.sets()];
        let mut here: Vec<TraceNode> = Vec::new();
        if alive[0] {
            ways[0] = BigUint::from(1_u8);
            here.push(0);
        }
        for length in 0.. {
            let ends = here.iter().filter(|node| self.is_end(**node, class));
            let number: BigUint = ends.map(|node| &ways[*node]).sum();
            if number != BigUint::ZERO {
                lengths.push((length, number));
            }
            let from: Vec<(TraceNode, BigUint)> =
                here.drain(..).map(|node| (node, std::mem::take(&mut ways[node]))).collect();
            for (node, number) in from {
                for (_, next) in self.edges(node).filter(|(_, next)| alive[*next]) {
                    if ways[next] == BigUint::ZERO {
                        here.push(next);
                    }
                    ways[next] += &number;
                }
            }
            if here.is_empty() {
                break;
            }
        }
        Some(lengths)
    }
}

/// How many traces of each length consist of one trace of each of two parts, in any order between them.
fn interleaved(one: &Lengths, other: &Lengths) -> Lengths {
    let mut pairs: BTreeMap<usize, Vec<(usize, BigUint)>> = BTreeMap::new();
    for (n, a) in one {
        for (m, b) in other {
            pairs.entry(n + m).or_default().push((*n, a * b));
        }
    }
    pairs.into_iter().map(|(all, pairs)| (all, placed(all, pairs))).collect()
}

/// The sum of numbers, each times the ways to choose that many places of all; the least comes first.
fn placed(all: usize, numbers: Vec<(usize, BigUint)>) -> BigUint {
    let (mut some, mut ways) = (0, BigUint::from(1_u8));
    let mut sum = BigUint::ZERO;
    for (places, number) in numbers {
        while some < places {
            ways = ways * (all - some) / (some + 1);
            some += 1;
        }
        sum += number * &ways;
    }
    sum
}
