//! Index: the rules that may be enabled in a state, found without asking every rule.
//!
//! Most guards fix the values of some variables: the state of a machine, the first message of a queue. The index is a
//! decision tree over these variables. Its root groups the rules by the variable that tells most of them apart; a branch
//! reads the variable and goes on with the rules whose guards want its value. Rules that no variable tells apart are
//! asked one by one, in leaves. So a state of a System with 20,000 rules costs some dozens of questions.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cube::{Cube, WordTest};
use super::layout::Field;

/// Fewer rules than this are asked one by one.
const FEW: usize = 16;

/// A path through the tree reads at most this many variables.
const DEEPEST: usize = 12;

/// No node.
const NONE: u32 = u32::MAX;

/// A decision tree whose leaves hold items of type `T`.
#[derive(Clone, Debug)]
pub(crate) struct DecisionIndex<T> {
    nodes: Vec<IndexNode>,
    branches: Vec<IndexBranch>,
    children: Vec<u32>,
    items: Vec<T>,
    root: u32,
}

/// Items that are told apart by several variables, each item by one of them, or by none.
#[derive(Clone, Debug)]
struct IndexNode {
    branches: Range<u32>,
    items: Range<u32>,
}

/// A variable that is read, and for each of its values the node with the items that want it.
#[derive(Clone, Debug)]
struct IndexBranch {
    field: Field,
    children: Range<u32>,
}

/// Items by the field that tells them apart.
type ItemGroups<T> = BTreeMap<usize, Vec<IndexEntry<T>>>;

/// An item, and the fields that must have some value for it.
struct IndexEntry<T> {
    item: T,
    wants: Vec<(usize, u64)>,
}

impl<T: Copy> DecisionIndex<T> {
    /// An index of items whose cubes must hold.
    pub(crate) fn new<'c>(fields: &[Field], items: impl IntoIterator<Item = (T, &'c Cube)>) -> Self {
        let by_word = by_word(fields);
        let entries = items.into_iter().map(|(item, cube)| {
            let wants = cube.0.iter().flat_map(|test| wanted(fields, &by_word, *test)).collect();
            IndexEntry { item, wants }
        });
        let mut index = DecisionIndex {
            nodes: Vec::new(),
            branches: Vec::new(),
            children: Vec::new(),
            items: Vec::new(),
            root: 0,
        };
        index.root = index.node(fields, entries.collect(), DEEPEST);
        index
    }

    /// Whether the items are told apart by nothing: [`each`](Self::each) then has them in their order.
    pub(crate) fn is_list(&self) -> bool {
        self.branches.is_empty()
    }

    /// Calls `visit` with all items that may be wanted in a state, each once.
    #[inline]
    pub(crate) fn each(&self, state: &[u64], visit: &mut impl FnMut(&T)) {
        self.walk(self.root, state, visit);
    }

    fn walk(&self, node: u32, state: &[u64], visit: &mut impl FnMut(&T)) {
        let node = &self.nodes[node as usize];
        for branch in &self.branches[node.branches.start as usize..node.branches.end as usize] {
            let children = &self.children[branch.children.start as usize..branch.children.end as usize];
            match children.get(position(branch.field, state[branch.field.word as usize])) {
                Some(child) if *child != NONE => self.walk(*child, state, visit),
                Some(_) | None => {}
            }
        }
        self.items[node.items.start as usize..node.items.end as usize].iter().for_each(visit);
    }

    fn node(&mut self, fields: &[Field], entries: Vec<IndexEntry<T>>, depth: usize) -> u32 {
        let (groups, rest) = match depth {
            0 => (BTreeMap::new(), entries),
            _ => grouped(entries),
        };
        let branches: Vec<IndexBranch> =
            groups.into_iter().map(|(field, group)| self.branch(fields, field, group, depth - 1)).collect();
        let (branch, item) = (self.branches.len() as u32, self.items.len() as u32);
        self.branches.extend(branches);
        self.items.extend(rest.into_iter().map(|entry| entry.item));
        self.nodes.push(IndexNode {
            branches: branch..self.branches.len() as u32,
            items: item..self.items.len() as u32,
        });
        self.nodes.len() as u32 - 1
    }

    /// A branch for items that all want some value of a field.
    fn branch(
        &mut self,
        fields: &[Field],
        field: usize,
        group: Vec<IndexEntry<T>>,
        depth: usize,
    ) -> IndexBranch {
        let mut by_value: BTreeMap<usize, Vec<IndexEntry<T>>> = BTreeMap::new();
        for entry in group {
            let wanted = entry.wants.iter().find(|(other, _)| *other == field).map_or(0, |(_, bits)| *bits);
            by_value.entry(position(fields[field], wanted)).or_default().push(entry);
        }
        let most = by_value.keys().next_back().map_or(0, |last| last + 1);
        let mut children = vec![NONE; most];
        for (value, entries) in by_value {
            children[value] = self.node(fields, entries, depth);
        }
        let start = self.children.len() as u32;
        self.children.extend(children);
        IndexBranch { field: fields[field], children: start..self.children.len() as u32 }
    }
}

/// Where a word leads in a branch: how far the value of the field in it is from the least.
fn position(field: Field, word: u64) -> usize {
    ((word & field.mask) >> field.shift) as usize
}

/// For each word the fields that lie in it.
fn by_word(fields: &[Field]) -> Vec<Vec<usize>> {
    let words = fields.iter().map(|field| field.word as usize + 1).max().unwrap_or(0);
    let mut by_word = vec![Vec::new(); words];
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.mask != 0) {
        by_word[field.word as usize].push(index);
    }
    by_word
}

/// The fields that a test compares, with the bits that they must have.
fn wanted(fields: &[Field], by_word: &[Vec<usize>], test: WordTest) -> impl Iterator<Item = (usize, u64)> {
    let candidates = by_word.get(test.word as usize).map_or(&[][..], Vec::as_slice);
    candidates.iter().copied().filter_map(move |index| {
        let mask = fields[index].mask;
        (test.mask & mask == mask).then_some((index, test.want & mask))
    })
}

/// The items by the field that tells most of them apart, and those for which there is none.
fn grouped<T>(entries: Vec<IndexEntry<T>>) -> (ItemGroups<T>, Vec<IndexEntry<T>>) {
    if entries.len() < FEW {
        return (BTreeMap::new(), entries);
    }
    let mut counts: BTreeMap<usize, BTreeMap<u64, usize>> = BTreeMap::new();
    for (field, bits) in entries.iter().flat_map(|entry| &entry.wants) {
        *counts.entry(*field).or_default().entry(*bits).or_default() += 1;
    }
    // How many items a value rules out, on average.
    let score = |field: usize| {
        let values = &counts[&field];
        let all: usize = values.values().sum();
        all - all / values.len()
    };
    let scores: BTreeMap<usize, usize> = counts.keys().map(|field| (*field, score(*field))).collect();
    let mut groups: ItemGroups<T> = BTreeMap::new();
    let mut rest = Vec::new();
    for entry in entries {
        let best = entry.wants.iter().map(|(field, _)| (scores[field], std::cmp::Reverse(*field))).max();
        match best {
            Some((score, std::cmp::Reverse(field))) if score >= FEW / 2 => {
                groups.entry(field).or_default().push(entry);
            }
            Some(_) | None => rest.push(entry),
        }
    }
    (groups, rest)
}
