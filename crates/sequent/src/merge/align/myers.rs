//! A shortest edit script (E. Myers, An O(ND) difference algorithm, 1986).
//!
//! The time depends on the number of differences, not on the length of the lists: for ranges too
//! long for a table of all pairs, in which no element occurs once.

/// Returns the pairs of equal elements along a shortest edit script; `None` if it has more than `most` edits.
pub(super) fn common(old: &[u32], new: &[u32], most: usize) -> Option<Vec<(usize, usize)>> {
    let (length, width) = (old.len() as isize, new.len() as isize);
    let most = most.min(old.len() + new.len()) as isize;
    // By diagonal: how much of the old list is used after `edits` edits.
    let at = |edits: isize, diagonal: isize| (diagonal + edits) as usize;
    let mut trail: Vec<Vec<isize>> = Vec::new();
    for edits in 0..=most {
        let before = trail.last();
        let mut reached = vec![0_isize; 2 * edits as usize + 1];
        for diagonal in (-edits..=edits).step_by(2) {
            let from = |diagonal: isize| before.map_or(0, |before| before[at(edits - 1, diagonal)]);
            let is_addition = goes_down(edits, diagonal, from);
            let mut used = match (edits, is_addition) {
                (0, _) => 0,
                (_, true) => from(diagonal + 1),
                (_, false) => from(diagonal - 1) + 1,
            };
            while used < length
                && used - diagonal < width
                && used - diagonal >= 0
                && old[used as usize] == new[(used - diagonal) as usize]
            {
                used += 1;
            }
            reached[at(edits, diagonal)] = used;
            if used >= length && used - diagonal >= width {
                trail.push(reached);
                return Some(walk_back(&trail, old.len(), new.len()));
            }
        }
        trail.push(reached);
    }
    None
}

/// Whether the best step to a diagonal is an addition.
fn goes_down(edits: isize, diagonal: isize, from: impl Fn(isize) -> isize) -> bool {
    diagonal == -edits || (diagonal != edits && from(diagonal - 1) < from(diagonal + 1))
}

fn walk_back(trail: &[Vec<isize>], length: usize, width: usize) -> Vec<(usize, usize)> {
    let (mut used, mut made) = (length as isize, width as isize);
    let mut pairs = Vec::new();
    for edits in (1..trail.len() as isize).rev() {
        let before = &trail[edits as usize - 1];
        let from = |diagonal: isize| before[(diagonal + edits - 1) as usize];
        let diagonal = used - made;
        let is_addition = goes_down(edits, diagonal, from);
        let previous = if is_addition { diagonal + 1 } else { diagonal - 1 };
        let start = if is_addition { from(previous) } else { from(previous) + 1 };
        while used > start {
            (used, made) = (used - 1, made - 1);
            pairs.push((used as usize, made as usize));
        }
        used = from(previous);
        made = used - previous;
    }
    while used > 0 && made > 0 {
        (used, made) = (used - 1, made - 1);
        pairs.push((used as usize, made as usize));
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use sequent_kernel::random::Random;

    use super::*;

    /// The length of a longest common subsequence, by its definition.
    fn longest(old: &[u32], new: &[u32]) -> usize {
        let mut best = vec![vec![0; new.len() + 1]; old.len() + 1];
        for i in 0..old.len() {
            for j in 0..new.len() {
                best[i + 1][j + 1] = match old[i] == new[j] {
                    true => best[i][j] + 1,
                    false => best[i][j + 1].max(best[i + 1][j]),
                };
            }
        }
        best[old.len()][new.len()]
    }

    #[test]
    fn as_much_is_common_as_can_be() {
        let mut random = Random::new(1);
        for _ in 0..2_000 {
            let mut some = |letters: usize| -> Vec<u32> {
                (0..random.below(9)).map(|_| random.below(letters) as u32).collect()
            };
            let (old, new) = (some(3), some(3));
            let pairs = common(&old, &new, usize::MAX).expect("without bound");
            assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{pairs:?}");
            assert!(pairs.iter().all(|(one, other)| old[*one] == new[*other]), "{old:?} {new:?} {pairs:?}");
            assert_eq!(pairs.len(), longest(&old, &new), "{old:?} {new:?}");
            let edits = old.len() + new.len() - 2 * pairs.len();
            assert!(edits == 0 || common(&old, &new, edits - 1).is_none());
        }
    }
}
