//! The order of messages.
//!
//! A block of the model lists messages, and each lifeline sees their ends in that order. UML lists single ends. An order of the
//! messages that agrees with every lifeline exists unless messages cross: then the crossing ones lie in a coregion of each lifeline on
//! which they do, and general orderings say what is listed.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::LifelineId;
use sequent_kernel::scc;

/// Something that is put in order: where it lies on lifelines.
pub(in crate::xmi) struct LifelinePlaces {
    /// Lifelines and positions in the list of fragments.
    pub marks: Vec<(LifelineId, usize)>,
    /// Where it begins.
    pub first: usize,
}

/// The items in an order that every lifeline agrees with; those that cannot be, because they cross, together.
pub(in crate::xmi) fn arrange(items: &[LifelinePlaces]) -> Vec<Vec<usize>> {
    let edges = edges(items);
    let component = scc::components(&edges);
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (item, component) in component.iter().enumerate() {
        groups.entry(*component).or_default().push(item);
    }
    let mut waiting: BTreeMap<usize, usize> = groups.keys().map(|group| (*group, 0)).collect();
    for (from, targets) in edges.iter().enumerate() {
        for to in targets.iter().filter(|to| component[**to] != component[from]) {
            *waiting.entry(component[*to]).or_default() += 1;
        }
    }
    let first = |group: usize| groups[&group].iter().map(|item| items[*item].first).min().unwrap_or(0);
    let free = waiting.iter().filter(|(_, count)| **count == 0).map(|(group, _)| *group);
    let mut ready: BTreeSet<(usize, usize)> = free.map(|group| (first(group), group)).collect();
    let mut arranged = Vec::new();
    while let Some((_, next)) = ready.pop_first() {
        for item in &groups[&next] {
            for to in edges[*item].iter().map(|to| component[*to]).filter(|to| *to != next) {
                let count = waiting.entry(to).or_default();
                *count -= 1;
                if *count == 0 {
                    ready.insert((first(to), to));
                }
            }
        }
        let mut group = groups[&next].clone();
        group.sort_by_key(|item| items[*item].first);
        arranged.push(group);
    }
    arranged
}

/// From each item to those that come right after it on some lifeline.
fn edges(items: &[LifelinePlaces]) -> Vec<Vec<usize>> {
    let mut by_line: BTreeMap<LifelineId, Vec<(usize, usize)>> = BTreeMap::new();
    for (item, marks) in items.iter().enumerate() {
        for (line, position) in &marks.marks {
            by_line.entry(*line).or_default().push((*position, item));
        }
    }
    let mut edges = vec![Vec::new(); items.len()];
    for mut marks in by_line.into_values() {
        marks.sort_unstable();
        for pair in marks.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
            edges[pair[0].1].push(pair[1].1);
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use sequent_kernel::id::Id;

    use super::*;

    fn arranged(items: &[&[(usize, usize)]]) -> Vec<Vec<usize>> {
        let line = |index: usize| LifelineId::from_index(index);
        let marks = |marks: &&[(usize, usize)]| LifelinePlaces {
            marks: marks.iter().map(|(one, at)| (line(*one), *at)).collect(),
            first: marks.iter().map(|(_, at)| *at).min().unwrap_or(0),
        };
        arrange(&items.iter().map(marks).collect::<Vec<_>>())
    }

    #[test]
    fn lifelines_agree_with_the_order() {
        // m from 0 to 1, n from 1 to 2, o from 0 to 2 listed before n is sent.
        assert_eq!(arranged(&[&[(0, 0), (1, 2)], &[(1, 3), (2, 4)], &[(0, 1), (2, 5)]]), [[0], [1], [2]]);
        // Both are sent before either is received.
        assert_eq!(arranged(&[&[(0, 0), (1, 3)], &[(1, 1), (0, 2)]]), [[0, 1]]);
        // A message to oneself around another.
        assert_eq!(arranged(&[&[(0, 0), (0, 3)], &[(0, 1), (1, 2)]]), [[0, 1]]);
    }
}
