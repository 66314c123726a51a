//! Index: the rules that may be enabled in a state, found without asking every rule.
//!
//! Most guards fix the values of some variables: the state of a machine, the first message of a queue. The index is a
//! decision tree over these variables. Its root groups the rules by the variable that tells most of them apart; a branch
//! reads the variable and goes on with the rules whose guards want its value. Rules that no variable tells apart are
//! asked one by one, in leaves, for what the variables on the way do not tell. So a state of a System with 20,000 rules
//! costs some dozens of questions.
//!
//! The rules of a long diagram are told apart by nothing: each waits for what is drawn above it. But what has happened, and what
//! is far from happening, fills whole words, so many rules in a row are passed over by a look at one word.

use std::collections::BTreeMap;
use std::ops::Range;

use sequent_kernel::system::RuleId;

use super::cube::{GuardTest, WordTest};
use super::layout::Field;

/// Fewer rules than this are asked one by one.
const FEW: usize = 16;

/// A path through the tree reads at most this many variables.
const DEEPEST: usize = 12;

/// At least this many rules that nothing tells apart are passed over together where they can be.
const MANY: usize = 64;

/// No node.
const NONE: u32 = u32::MAX;

/// A decision tree whose leaves hold rules.
#[derive(Clone, Debug)]
pub(crate) struct DecisionIndex {
    nodes: Vec<IndexNode>,
    branches: Vec<IndexBranch>,
    children: Vec<u32>,
    gates: Vec<IndexGate>,
    rules: Vec<IndexedRule>,
    tests: Vec<GuardTest>,
    root: u32,
}

/// Rules of a leaf that all test one word.
#[derive(Clone, Debug)]
struct IndexGate {
    rules: Range<u32>,
    /// The word.
    word: u32,
    /// Each of them wants one of these bits to be 0, unless there are none.
    zeros: u64,
    /// Each of them wants one of these bits to be 1, unless there are none.
    ones: u64,
}

impl IndexGate {
    /// Whether some of the rules may be enabled.
    #[inline]
    fn is_open(&self, state: &[u64]) -> bool {
        let word = state[self.word as usize];
        (self.zeros == 0 || word & self.zeros != self.zeros) && (self.ones == 0 || word & self.ones != 0)
    }
}

/// A rule in a leaf.
#[derive(Clone, Debug)]
struct IndexedRule {
    rule: RuleId,
    /// What is to be asked besides what is known on the way to the leaf.
    tests: Range<u32>,
}

/// Rules that are told apart by several variables, each by one of them, or by none.
#[derive(Clone, Debug)]
struct IndexNode {
    branches: Range<u32>,
    gates: Range<u32>,
}

/// A variable that is read, and for each of its values the node with the rules that want it.
#[derive(Clone, Debug)]
struct IndexBranch {
    field: Field,
    children: Range<u32>,
}

/// Rules by the field that tells them apart.
type RuleGroups = BTreeMap<usize, Vec<IndexEntry>>;

/// A rule, what its guard tests, and the fields that must have some value for it.
struct IndexEntry {
    rule: RuleId,
    tests: Vec<GuardTest>,
    wants: Vec<(usize, u64)>,
}

impl IndexEntry {
    /// Without what is known where a field has the value that is wanted.
    fn without(mut self, field: usize, mask: Field) -> Self {
        self.wants.retain(|(other, _)| *other != field);
        for test in self.tests.iter_mut().filter(|test| !test.is_not && test.word == mask.word) {
            (test.mask, test.want) = (test.mask & !mask.mask, test.want & !mask.mask);
        }
        self.tests.retain(|test| test.mask != 0);
        self
    }
}

impl DecisionIndex {
    /// An index of rules with the tests of their guards.
    pub(crate) fn new(fields: &[Field], rules: impl IntoIterator<Item = (RuleId, Vec<GuardTest>)>) -> Self {
        let by_word = by_word(fields);
        let entries = rules.into_iter().map(|(rule, tests)| {
            let equal = tests.iter().filter(|test| !test.is_not);
            let wants = equal.flat_map(|test| wanted(fields, &by_word, test.test())).collect();
            let tests = tests.into_iter().filter(|test| test.mask != 0).collect();
            IndexEntry { rule, tests, wants }
        });
        let mut index = DecisionIndex {
            nodes: Vec::new(),
            branches: Vec::new(),
            children: Vec::new(),
            gates: Vec::new(),
            rules: Vec::new(),
            tests: Vec::new(),
            root: 0,
        };
        index.root = index.node(fields, entries.collect(), DEEPEST);
        index
    }

    /// Whether the rules are told apart by nothing: [`each`](Self::each) then has them in their order.
    pub(crate) fn is_list(&self) -> bool {
        self.branches.is_empty()
    }

    /// Calls `visit` with all rules whose tests hold in a state, each once.
    #[inline]
    pub(crate) fn each(&self, state: &[u64], visit: &mut impl FnMut(RuleId)) {
        self.walk(self.root, state, visit);
    }

    fn walk(&self, node: u32, state: &[u64], visit: &mut impl FnMut(RuleId)) {
        let node = &self.nodes[node as usize];
        for branch in &self.branches[node.branches.start as usize..node.branches.end as usize] {
            let children = &self.children[branch.children.start as usize..branch.children.end as usize];
            match children.get(position(branch.field, state[branch.field.word as usize])) {
                Some(child) if *child != NONE => self.walk(*child, state, visit),
                Some(_) | None => {}
            }
        }
        let gates = &self.gates[node.gates.start as usize..node.gates.end as usize];
        for gate in gates.iter().filter(|gate| gate.is_open(state)) {
            for rule in &self.rules[gate.rules.start as usize..gate.rules.end as usize] {
                let tests = &self.tests[rule.tests.start as usize..rule.tests.end as usize];
                if tests.iter().all(|test| test.holds(state)) {
                    visit(rule.rule);
                }
            }
        }
    }

    fn node(&mut self, fields: &[Field], entries: Vec<IndexEntry>, depth: usize) -> u32 {
        let (groups, rest) = match depth {
            0 => (BTreeMap::new(), entries),
            _ => grouped(entries),
        };
        let branches: Vec<IndexBranch> =
            groups.into_iter().map(|(field, group)| self.branch(fields, field, group, depth - 1)).collect();
        let (branch, gate) = (self.branches.len() as u32, self.gates.len() as u32);
        self.branches.extend(branches);
        self.leaf(rest);
        self.nodes.push(IndexNode {
            branches: branch..self.branches.len() as u32,
            gates: gate..self.gates.len() as u32,
        });
        self.nodes.len() as u32 - 1
    }

    /// Adds rules that are asked one by one, in their order.
    fn leaf(&mut self, entries: Vec<IndexEntry>) {
        let are_many = entries.len() >= MANY;
        let first = self.gates.len();
        for IndexEntry { rule, tests, .. } in entries {
            let (word, zeros, ones) = if are_many { gate_of(&tests) } else { (0, 0, 0) };
            let (test, at) = (self.tests.len() as u32, self.rules.len() as u32);
            self.tests.extend(tests);
            self.rules.push(IndexedRule { rule, tests: test..self.tests.len() as u32 });
            let kind = |zeros: u64, ones: u64| (zeros != 0, ones != 0);
            match self.gates[first..].last_mut() {
                Some(gate) if gate.word == word && kind(gate.zeros, gate.ones) == kind(zeros, ones) => {
                    gate.rules.end = at + 1;
                    gate.zeros |= zeros;
                    gate.ones |= ones;
                }
                Some(_) | None => self.gates.push(IndexGate { rules: at..at + 1, word, zeros, ones }),
            }
        }
    }

    /// A branch for rules that all want some value of a field.
    fn branch(
        &mut self,
        fields: &[Field],
        field: usize,
        group: Vec<IndexEntry>,
        depth: usize,
    ) -> IndexBranch {
        let mut by_value: BTreeMap<usize, Vec<IndexEntry>> = BTreeMap::new();
        for entry in group {
            let wanted = entry.wants.iter().find(|(other, _)| *other == field).map_or(0, |(_, bits)| *bits);
            let entry = entry.without(field, fields[field]);
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

/// The word of which a rule says most, and the bits there that it wants to be 0, and to be 1.
fn gate_of(tests: &[GuardTest]) -> (u32, u64, u64) {
    let equal = tests.iter().filter(|test| !test.is_not);
    let bits = equal.map(|test| (test.word, test.mask & !test.want, test.mask & test.want));
    bits.max_by_key(|(_, zeros, ones)| u32::from(*zeros != 0) + u32::from(*ones != 0)).unwrap_or_default()
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

/// The rules by the field that tells most of them apart, and those for which there is none.
fn grouped(entries: Vec<IndexEntry>) -> (RuleGroups, Vec<IndexEntry>) {
    if entries.len() < FEW {
        return (BTreeMap::new(), entries);
    }
    let mut counts: BTreeMap<usize, BTreeMap<u64, usize>> = BTreeMap::new();
    for (field, bits) in entries.iter().flat_map(|entry| &entry.wants) {
        *counts.entry(*field).or_default().entry(*bits).or_default() += 1;
    }
    // How many rules a value rules out, on average.
    let score = |field: usize| {
        let values = &counts[&field];
        let all: usize = values.values().sum();
        all - all / values.len()
    };
    let scores: BTreeMap<usize, usize> = counts.keys().map(|field| (*field, score(*field))).collect();
    let mut groups: RuleGroups = BTreeMap::new();
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
