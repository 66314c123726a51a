//! Ranks: which layer each element of a region stands in.
//!
//! Cycles are broken depth first, from the initial states in the order of the source, so that a drawing begins where the
//! machine does; what leads back there points up. Ranks are longest paths from the top, and then elements move towards
//! the side on which they have more lines, as far as their neighbours let them: the sum of the lengths of all lines
//! never grows.

/// Which arcs are turned round, so that no cycle is left. Searches begin at `roots`, then at what has no arc into it.
pub(crate) fn broken(count: usize, arcs: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
    let outgoing = lists(count, arcs.iter().map(|(from, _)| *from));
    let mut has_incoming = vec![false; count];
    arcs.iter().for_each(|(_, to)| has_incoming[*to] = true);
    let sources = (0..count).filter(|element| !has_incoming[*element]);
    let starts: Vec<usize> = roots.iter().copied().chain(sources).chain(0..count).collect();
    let mut marks = vec![RankMark::New; count];
    let mut reversed = vec![false; arcs.len()];
    for start in starts {
        if marks[start] != RankMark::New {
            continue;
        }
        marks[start] = RankMark::Open;
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let Some(arc) = outgoing[*at].get(*next) else {
                marks[*at] = RankMark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let to = arcs[*arc].1;
            match marks[to] {
                RankMark::New => {
                    marks[to] = RankMark::Open;
                    path.push((to, 0));
                }
                RankMark::Open => reversed[*arc] = true,
                RankMark::Done => {}
            }
        }
    }
    reversed
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RankMark {
    New,
    Open,
    Done,
}

/// The numbers of the arcs at each element.
fn lists(count: usize, ends: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); count];
    ends.enumerate().for_each(|(arc, end)| lists[end].push(arc));
    lists
}

/// Ranks from 0, so that every arc leads to a higher one; the arcs have no cycle.
pub(crate) fn ranks(count: usize, arcs: &[(usize, usize)]) -> Vec<i32> {
    let outgoing = lists(count, arcs.iter().map(|(from, _)| *from));
    let incoming = lists(count, arcs.iter().map(|(_, to)| *to));
    let order = topological(count, arcs, &outgoing);
    let mut ranks = vec![0; count];
    for element in &order {
        let above = incoming[*element].iter().map(|arc| ranks[arcs[*arc].0] + 1);
        ranks[*element] = above.max().unwrap_or(0);
    }
    for _ in 0..PASSES {
        for element in order.iter().rev() {
            let lowest = outgoing[*element].iter().map(|arc| ranks[arcs[*arc].1] - 1).min();
            if let Some(lowest) = lowest.filter(|_| outgoing[*element].len() > incoming[*element].len()) {
                ranks[*element] = lowest;
            }
        }
        for element in &order {
            let highest = incoming[*element].iter().map(|arc| ranks[arcs[*arc].0] + 1).max();
            if let Some(highest) = highest.filter(|_| incoming[*element].len() > outgoing[*element].len()) {
                ranks[*element] = highest;
            }
        }
    }
    ranks
}

/// How often elements move towards their neighbours.
const PASSES: usize = 3;

fn topological(count: usize, arcs: &[(usize, usize)], outgoing: &[Vec<usize>]) -> Vec<usize> {
    let mut waiting = vec![0; count];
    arcs.iter().for_each(|(_, to)| waiting[*to] += 1);
    let mut order: Vec<usize> = (0..count).filter(|element| waiting[*element] == 0).collect();
    let mut at = 0;
    while let Some(element) = order.get(at).copied() {
        at += 1;
        for arc in &outgoing[element] {
            let to = arcs[*arc].1;
            waiting[to] -= 1;
            if waiting[to] == 0 {
                order.push(to);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_back_to_the_beginning_points_up() {
        let arcs = [(1, 2), (0, 1), (2, 0), (2, 1)];
        let reversed = broken(3, &arcs, &[0]);
        assert_eq!(reversed, [false, false, true, true]);
        let turned: Vec<(usize, usize)> = arcs
            .iter()
            .zip(&reversed)
            .map(|((a, b), turn)| if *turn { (*b, *a) } else { (*a, *b) })
            .collect();
        assert_eq!(ranks(3, &turned), [0, 1, 2]);
    }

    #[test]
    fn sources_stand_above_what_they_lead_to() {
        assert_eq!(ranks(4, &[(0, 1), (1, 2), (3, 2)]), [0, 1, 2, 1]);
    }
}
