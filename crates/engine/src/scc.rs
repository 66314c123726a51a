//! SCC: the strongly connected components of a graph that is explored on the fly (Tarjan 1972).
//!
//! With a stack of its own, since a path may be as long as there are states, and one pool for the successors that are still
//! to be followed, so that millions of states cost a few words each.

/// Calls `visit` with each strongly connected part, those that are reached from others first. States are numbered from 0;
/// `next` appends the successors of one.
pub(crate) fn components(
    count: usize,
    mut next: impl FnMut(usize, &mut Vec<u32>),
    mut visit: impl FnMut(&[u32]),
) {
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; count];
    let mut lowest = vec![0_u32; count];
    let mut is_open = vec![false; count];
    // Seen states that belong to no finished part; for each state on the path where its successors begin.
    let (mut open, mut path, mut pool): (Vec<u32>, Vec<(u32, usize)>, Vec<u32>) = Default::default();
    let mut seen = 0;
    for root in 0..count as u32 {
        if number[root as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(state) = enter.take() {
                let at = state as usize;
                (number[at], lowest[at], is_open[at]) = (seen, seen, true);
                seen += 1;
                open.push(state);
                path.push((state, pool.len()));
                next(at, &mut pool);
            }
            let Some((state, start)) = path.last().copied() else { break };
            let at = state as usize;
            if pool.len() > start {
                let to = pool.pop().expect("there is one more");
                if number[to as usize] == UNSEEN {
                    enter = Some(to);
                } else if is_open[to as usize] {
                    lowest[at] = lowest[at].min(number[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent as usize] = lowest[*parent as usize].min(lowest[at]);
            }
            if lowest[at] == number[at] {
                let from = open.iter().rposition(|other| *other == state).expect("it is open");
                open[from..].iter().for_each(|member| is_open[*member as usize] = false);
                visit(&open[from..]);
                open.truncate(from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, edges: &[(usize, u32)], expected: &[&[u32]]) {
        let mut found: Vec<Vec<u32>> = Vec::new();
        let next = |state: usize, pool: &mut Vec<u32>| {
            pool.extend(edges.iter().filter(|(from, _)| *from == state).map(|(_, to)| *to));
        };
        components(count, next, |part| {
            let mut part = part.to_vec();
            part.sort_unstable();
            found.push(part);
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn parts_come_after_those_they_reach() {
        check(3, &[(0, 1), (1, 2)], &[&[2], &[1], &[0]]);
        check(4, &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)], &[&[2, 3], &[0, 1]]);
        check(3, &[(0, 0), (2, 0), (2, 1), (1, 2)], &[&[0], &[1, 2]]);
        check(5, &[(0, 1), (1, 2), (2, 3), (3, 1), (2, 4), (4, 4)], &[&[4], &[1, 2, 3], &[0]]);
    }

    #[test]
    fn a_long_path_does_not_exhaust_the_stack() {
        let count = 300_000;
        let mut found = 0;
        let next = |state: usize, pool: &mut Vec<u32>| pool.push(((state + 1) % count) as u32);
        components(count, next, |part| found += part.len());
        assert_eq!(found, count);
    }
}
