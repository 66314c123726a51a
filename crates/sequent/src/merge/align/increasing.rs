//! The heaviest increasing subsequence, in O(n log n) by a Fenwick tree of prefix maxima.

/// Returns the places of the subsequence of greatest weight in which the numbers increase.
pub(in crate::merge) fn heaviest_increasing(
    numbers: &[usize],
    weight: &dyn Fn(usize) -> usize,
) -> Vec<usize> {
    if numbers.windows(2).all(|pair| pair[0] < pair[1]) {
        return (0..numbers.len()).collect();
    }
    let mut ranks: Vec<usize> = numbers.to_vec();
    ranks.sort_unstable();
    ranks.dedup();
    let mut best = PrefixMaxima(vec![(0, None); ranks.len() + 1]);
    let mut before: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let rank = ranks.partition_point(|known| known < number);
        let (below, last) = best.below(rank);
        before[at] = last;
        best.raise(rank, below + weight(at), at);
    }
    let mut chain: Vec<usize> = std::iter::successors(best.below(ranks.len()).1, |at| before[*at]).collect();
    chain.reverse();
    chain
}

/// By rank: the greatest weight of a subsequence that ends there, and its last place.
struct PrefixMaxima(Vec<(usize, Option<usize>)>);

impl PrefixMaxima {
    /// Returns the maximum over all ranks below this one; the earliest of equals.
    fn below(&self, rank: usize) -> (usize, Option<usize>) {
        let mut best = (0, None);
        let mut place = rank;
        while place > 0 {
            best = if self.0[place].0 > best.0 { self.0[place] } else { best };
            place &= place - 1;
        }
        best
    }

    fn raise(&mut self, rank: usize, total: usize, at: usize) {
        let mut place = rank + 1;
        while place < self.0.len() {
            if total > self.0[place].0 {
                self.0[place] = (total, Some(at));
            }
            place += place & place.wrapping_neg();
        }
    }
}
