//! Conditional scenarios against their definition: whenever what stands above the `assert` has happened, the `assert` follows.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{Alphabet, Anchor, Quantifier};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::diagram;
use crate::random::{matters, walk};
use crate::walk::{Asked, Edges, holds, system};

/// Events one after the other, and how many of them stand above the `assert`.
type Word<'w> = (usize, &'w [&'w str]);

/// Scenarios and their words where messages meet, each with how much of it stands above the `assert`.
const SCENARIOS: [(&str, &[Word<'static>]); 6] = [
    ("a ->> b : m\ngroup assert\na ->> b : n\nend\n", &[(1, &["a->b:m", "a->b:n"])]),
    ("a ->> b : m\ngroup assert\nb ->> a : n\nend\n", &[(1, &["a->b:m", "b->a:n"])]),
    ("a ->> b : m\nb ->> a : n\ngroup assert\na ->> b : m\nend\n", &[(2, &["a->b:m", "b->a:n", "a->b:m"])]),
    ("a ->> b : m\ngroup assert\na ->> b : m\nb ->> a : n\nend\n", &[(1, &["a->b:m", "a->b:m", "b->a:n"])]),
    (
        "a ->> b : m\ngroup assert\nalt\na ->> b : n\nelse\nb ->> a : n\na ->> b : m\nend\nend\n",
        &[(1, &["a->b:m", "a->b:n"]), (1, &["a->b:m", "b->a:n", "a->b:m"])],
    ),
    (
        "opt\na ->> b : m\nend\na ->> b : n\ngroup assert\na ->> b : m\nend\nb ->> a : n\n",
        &[(1, &["a->b:n", "a->b:m"]), (2, &["a->b:m", "a->b:n", "a->b:m"])],
    ),
];

/// How far an attempt has come, as words and positions in them; and whether it is due.
type Attempt = (bool, BTreeSet<(usize, usize)>);

/// A state of the walk, and the attempt that was chosen.
type Node = (usize, Option<Attempt>);

struct Naive<'n> {
    edges: &'n Edges,
    words: &'n [Word<'n>],
    matters: BTreeMap<String, bool>,
    anchor: Anchor,
}

impl Naive<'_> {
    fn fresh(&self) -> Attempt {
        (false, (0..self.words.len()).map(|word| (word, 0)).collect())
    }

    /// What an event makes of the positions of an attempt.
    fn read(&self, at: &BTreeSet<(usize, usize)>, event: &str) -> BTreeSet<(usize, usize)> {
        let next = |(word, at): &(usize, usize)| match event.is_empty() || !self.matters[event] {
            true => Some((*word, *at)),
            false => (self.words[*word].1.get(*at) == Some(&event)).then_some((*word, at + 1)),
        };
        at.iter().filter_map(next).collect()
    }

    /// The attempts that an attempt becomes; `Err` if it breaks the scenario.
    fn next(&self, (is_due, at): &Attempt, event: &str) -> Result<Vec<Attempt>, ()> {
        let next = self.read(at, event);
        let is_over =
            |at: &BTreeSet<(usize, usize)>| at.iter().any(|(word, at)| self.words[*word].1.len() == *at);
        if *is_due {
            return match next.is_empty() {
                true => Err(()),
                false if is_over(&next) => Ok(Vec::new()),
                false => Ok(vec![(true, next)]),
            };
        }
        let (due, early): (BTreeSet<_>, BTreeSet<_>) =
            next.into_iter().partition(|(word, at)| *at >= self.words[*word].0);
        let mut all = Vec::new();
        if !early.is_empty() {
            all.push((false, early));
        }
        if !due.is_empty() && !is_over(&due) {
            all.push((true, due));
        }
        Ok(all)
    }

    fn holds(&self) -> bool {
        let mut graph: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        let mut open: Vec<Node> = vec![(0, Some(self.fresh()))];
        if self.anchor == Anchor::Anywhere {
            open.push((0, None));
        }
        while let Some(node) = open.pop() {
            if graph.contains_key(&node) {
                continue;
            }
            let mut nexts = Vec::new();
            for (_, event, to) in self.edges.iter().filter(|(from, ..)| *from == node.0) {
                match &node.1 {
                    None => nexts.extend([(*to, None), (*to, Some(self.fresh()))]),
                    Some(attempt) => match self.next(attempt, event) {
                        Ok(attempts) => nexts.extend(attempts.into_iter().map(|one| (*to, Some(one)))),
                        Err(()) => return false,
                    },
                }
            }
            open.extend(nexts.iter().cloned());
            graph.insert(node, nexts);
        }
        // A due attempt that never comes to its end: where the walk stops, or round and round.
        let is_due = |node: &&Node| matches!(node.1, Some((true, _)));
        let mut lasting: BTreeSet<&Node> = graph.keys().filter(is_due).collect();
        loop {
            let goes_on = |node: &&Node| {
                let stops = !self.edges.iter().any(|(from, ..)| *from == node.0);
                stops || graph[*node].iter().any(|next| lasting.contains(next))
            };
            let left: BTreeSet<&Node> = lasting.iter().copied().filter(goes_on).collect();
            if left.len() == lasting.len() {
                return lasting.is_empty();
            }
            lasting = left;
        }
    }
}

#[test]
fn what_must_follow_follows() {
    let mut seen: BTreeMap<bool, usize> = BTreeMap::new();
    for seed in seeds(400) {
        let mut numbers = Random::new(seed);
        let (text, words) = SCENARIOS[numbers.below(SCENARIOS.len())];
        let edges = walk(&mut numbers, true);
        let (model, system) = (diagram::model(text), system(&edges));
        for anchor in [Anchor::Anywhere, Anchor::Start] {
            for alphabet in [Alphabet::All, Alphabet::Own, Alphabet::OwnObjects] {
                let events = edges.iter().filter(|(_, event, _)| !event.is_empty());
                let matters = events.map(|(_, event, _)| (event.clone(), matters(text, event, alphabet)));
                let naive = Naive { edges: &edges, words, matters: matters.collect(), anchor };
                let expected = naive.holds();
                let asked = Asked { quantifier: Quantifier::Whenever, anchor, alphabet, within: None };
                assert_eq!(holds(&model, &system, asked), expected, "{seed} {text} {edges:?} {asked:?}");
                *seen.entry(expected).or_default() += 1;
            }
        }
    }
    assert!(seen.len() == 2 && seen.values().all(|count| *count > 100), "{seen:?}");
}
