//! Random systems against what it means that two messages alternate forever.

use std::collections::BTreeSet;

use sequent_kernel::model::{Alphabet, Anchor, Quantifier};
use sequent_kernel::random::Random;

use crate::diagram;
use crate::walk::{Asked, Edges, holds, system};

const ALTERNATE: &str = "loop (inf)\na ->> b : m\na ->> b : n\nend\n";

/// A state of the walk, and what mattered last.
type Node = (usize, char);

/// Edges between nodes: whether the event matters, and whether it breaks the alternation.
fn expand(edges: &Edges) -> BTreeSet<(Node, bool, bool, Node)> {
    let mut found = BTreeSet::new();
    let mut open = vec![(0, 'n')];
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        for (_, text, to) in edges.iter().filter(|(from, ..)| *from == node.0) {
            let next = match text.chars().last() {
                Some(letter @ ('m' | 'n')) => ((*to, letter), true, letter == node.1),
                Some(_) => ((*to, 'o'), true, true),
                None => ((*to, node.1), false, false),
            };
            // After something else only the first of the two begins anew, and the beginning is no break.
            found.insert((node, next.1, next.2 || node.1 == 'o', next.0));
            open.push(next.0);
        }
    }
    found
}

/// Nodes on a circle of edges that are allowed, with one that is wanted among them.
fn has_circle(
    edges: &BTreeSet<(Node, bool, bool, Node)>,
    allowed: impl Fn(bool, bool) -> bool,
    wanted: impl Fn(bool, bool) -> bool,
) -> bool {
    let reach = |from: Node| {
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(node) = open.pop() {
            for (_, _, _, to) in edges.iter().filter(|edge| edge.0 == node && allowed(edge.1, edge.2)) {
                if seen.insert(*to) {
                    open.push(*to);
                }
            }
        }
        seen
    };
    edges.iter().any(|(from, matters, breaks, to)| {
        allowed(*matters, *breaks) && wanted(*matters, *breaks) && reach(*to).contains(from)
    })
}

/// Whether some run alternates forever from somewhere on, and whether every run does.
fn expected(walk: &Edges, anchor: Anchor) -> (bool, bool) {
    let edges = expand(walk);
    let clean = match anchor {
        Anchor::Anywhere => edges.clone(),
        // From the start on nothing may break it: what lies behind a break is never reached.
        Anchor::Start => {
            let mut seen = BTreeSet::from([(0, 'n')]);
            let mut open = vec![(0, 'n')];
            while let Some(node) = open.pop() {
                for edge in edges.iter().filter(|edge| edge.0 == node && !edge.2) {
                    if seen.insert(edge.3) {
                        open.push(edge.3);
                    }
                }
            }
            edges.iter().filter(|edge| seen.contains(&edge.0) && !edge.2).copied().collect()
        }
    };
    let possible = has_circle(&clean, |_, breaks| !breaks, |matters, _| matters);
    let nodes: BTreeSet<Node> = edges.iter().flat_map(|edge| [edge.0, edge.3]).chain([(0, 'n')]).collect();
    let ends = nodes.iter().any(|node| edges.iter().all(|edge| edge.0 != *node));
    let idles = has_circle(&edges, |matters, _| !matters, |_, _| true);
    let breaks = match anchor {
        Anchor::Anywhere => has_circle(&edges, |_, _| true, |_, breaks| breaks),
        Anchor::Start => edges.iter().any(|edge| edge.2),
    };
    (possible, !(ends || idles || breaks))
}

#[test]
fn alternation_goes_on_or_does_not() {
    let mut seen = BTreeSet::new();
    for seed in 0_u64..300 {
        let mut random = Random::new(seed);
        let states = 2 + random.below(3);
        let letters = ["a->b:m", "a->b:n", "a->b:m", "a->b:n", "", "a->b:o"];
        let mut walk: Edges =
            (0..states).map(|state| (state, letters[state % 2].to_owned(), (state + 1) % states)).collect();
        for _ in 0..random.below(4) {
            walk.push((random.below(states), letters[random.below(6)].to_owned(), random.below(states)));
        }
        let (model, system) = (diagram::model(ALTERNATE), system(&walk));
        for anchor in [Anchor::Anywhere, Anchor::Start] {
            let ask = |quantifier| {
                holds(&model, &system, Asked { quantifier, anchor, alphabet: Alphabet::All, within: None })
            };
            let found = (ask(Quantifier::Possible), ask(Quantifier::Required));
            assert_eq!(found, expected(&walk, anchor), "{seed} {walk:?} {anchor:?}");
            seen.insert(found);
        }
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}
