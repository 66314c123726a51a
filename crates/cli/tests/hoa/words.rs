//! Words that automata read: which are accepted, and whether two automata accept one together.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::property::all_marks;

use super::reader::{Automaton, Cube, meet};

/// Letters, and letters that repeat for ever; each names the propositions that are true.
pub(crate) struct Word {
    pub prefix: Vec<Vec<String>>,
    pub cycle: Vec<Vec<String>>,
}

impl Automaton {
    /// Whether a word is accepted. Propositions that are not known are passed over.
    pub(crate) fn accepts(&self, word: &Word) -> bool {
        let letters: Vec<&Vec<String>> = word.prefix.iter().chain(&word.cycle).collect();
        let turn = word.prefix.len();
        let values: Vec<Vec<bool>> = letters
            .iter()
            .map(|letter| self.propositions.iter().map(|name| letter.contains(name)).collect())
            .collect();
        let fits = |cube: &Cube, at: usize| cube.iter().all(|(number, value)| values[at][*number] == *value);
        let start = self.start.iter().map(|state| (0, *state)).collect();
        let graph = Graph::of(start, |(at, state)| {
            let next = if at + 1 == letters.len() { turn } else { at + 1 };
            let edges = self.states[state].iter();
            let edges = edges.filter(|edge| edge.label.iter().any(|cube| fits(cube, at)));
            edges.map(|edge| ((next, edge.to), edge.marks)).collect()
        });
        graph.has_circle(all_marks(self.sets))
    }

    /// Whether some word is accepted by both. Propositions of the same name are the same.
    pub(crate) fn meets(&self, other: &Automaton) -> bool {
        let mut names = self.propositions.clone();
        let renamed: Vec<usize> = other
            .propositions
            .iter()
            .map(|name| {
                names.iter().position(|known| known == name).unwrap_or_else(|| {
                    names.push(name.clone());
                    names.len() - 1
                })
            })
            .collect();
        let rename =
            |cube: &Cube| -> Cube { cube.iter().map(|(at, value)| (renamed[*at], *value)).collect() };
        let theirs: Vec<Vec<Vec<Cube>>> = other
            .states
            .iter()
            .map(|edges| edges.iter().map(|edge| edge.label.iter().map(rename).collect()).collect())
            .collect();
        let start = self.start.iter().flat_map(|one| other.start.iter().map(move |two| (*one, *two)));
        let graph = Graph::of(start.collect(), |(one, two)| {
            let mut ways = Vec::new();
            for edge in &self.states[one] {
                for (with, label) in other.states[two].iter().zip(&theirs[two]) {
                    let can = edge.label.iter().any(|own| label.iter().any(|its| meet(own, its).is_some()));
                    if can {
                        ways.push(((edge.to, with.to), edge.marks | with.marks << self.sets));
                    }
                }
            }
            ways
        });
        graph.has_circle(all_marks(self.sets + other.sets))
    }

    /// Whether what the header claims is so.
    pub(crate) fn keeps_its_word(&self) {
        let overlaps =
            |one: &[Cube], two: &[Cube]| one.iter().any(|one| two.iter().any(|two| meet(one, two).is_some()));
        if self.properties.contains("deterministic") {
            assert!(self.start.len() <= 1, "{}: one beginning", self.name);
            for edges in &self.states {
                for (at, edge) in edges.iter().enumerate() {
                    let is_alone = edges[at + 1..].iter().all(|other| !overlaps(&edge.label, &other.label));
                    assert!(is_alone, "{}: two ways for one letter", self.name);
                }
            }
        }
        assert!(!self.properties.contains("complete"), "{}: we never say so", self.name);
        assert!(self.properties.contains("explicit-labels"), "{}", self.name);
    }
}

/// A graph with marks on its edges.
struct Graph {
    edges: Vec<Vec<(u32, u64)>>,
}

impl Graph {
    /// All that is reached from some nodes.
    fn of(start: Vec<(usize, usize)>, next: impl Fn((usize, usize)) -> Vec<((usize, usize), u64)>) -> Graph {
        let mut known: HashMap<(usize, usize), u32> = HashMap::new();
        let mut nodes = Vec::new();
        let mut number = |node: (usize, usize), nodes: &mut Vec<(usize, usize)>| {
            *known.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() as u32 - 1
            })
        };
        for node in start {
            number(node, &mut nodes);
        }
        let mut edges = Vec::new();
        while let Some(node) = nodes.get(edges.len()).copied() {
            edges.push(next(node).into_iter().map(|(to, marks)| (number(to, &mut nodes), marks)).collect());
        }
        Graph { edges }
    }

    /// Whether some node comes back to itself, with all marks on the way.
    fn has_circle(&self, all: u64) -> bool {
        let parts = self.parts();
        let mut seen: BTreeMap<u32, u64> = BTreeMap::new();
        for (node, edges) in self.edges.iter().enumerate() {
            for (_, marks) in edges.iter().filter(|(to, _)| parts[*to as usize] == parts[node]) {
                *seen.entry(parts[node]).or_default() |= marks;
            }
        }
        seen.values().any(|marks| marks & all == all)
    }

    /// For each node the number of its strongly connected part (Kosaraju).
    fn parts(&self) -> Vec<u32> {
        let count = self.edges.len();
        let mut order = Vec::new();
        let mut is_seen = vec![false; count];
        for root in 0..count {
            let mut path = vec![(root, 0)];
            if std::mem::replace(&mut is_seen[root], true) {
                continue;
            }
            while let Some((node, at)) = path.pop() {
                match self.edges[node].get(at) {
                    Some((to, _)) => {
                        path.push((node, at + 1));
                        if !std::mem::replace(&mut is_seen[*to as usize], true) {
                            path.push((*to as usize, 0));
                        }
                    }
                    None => order.push(node),
                }
            }
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|(to, _)| before[*to as usize].push(node));
        }
        let mut parts = vec![u32::MAX; count];
        for (number, root) in order.into_iter().rev().enumerate() {
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if parts[node] == u32::MAX {
                    parts[node] = number as u32;
                    open.extend(&before[node]);
                }
            }
        }
        parts
    }
}
