//! Index: the rules that may be enabled in a state, found without asking every rule.
//!
//! Most guards fix the values of some variables: the state of a machine, the first message of a queue. The index is a
//! decision tree over these variables. Its root groups the rules by the variable that tells most of them apart; a branch
//! reads the variable and goes on with the rules whose guards want its value. Rules that no variable tells apart are
//! asked one by one, in leaves, for what the variables on the way do not tell. So a state of a System with 20,000 rules
//! costs some dozens of questions.

use std::collections::BTreeMap;
use std::ops::Range;

use sequent_kernel::id::Id;
use sequent_kernel::system::RuleId;

use super::cube::{GuardTest, WordTest};
use super::layout::Field;

/// Fewer rules than this are asked one by one.
const FEW: usize = 16;

/// At most this many rules with one test each are asked without a branch.
const SHORT: usize = 64;

/// A path through the tree reads at most this many variables.
const DEEPEST: usize = 12;

/// No node.
const NONE: u32 = u32::MAX;

/// A decision tree whose leaves hold rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct DecisionIndex {
    nodes: Vec<IndexNode>,
    branches: Vec<IndexBranch>,
    children: Vec<u32>,
    rules: Vec<IndexedRule>,
    tests: Vec<GuardTest>,
    root: u32,
}

/// The fields of all variables, and for each word those that lie in it.
pub(crate) struct WordFields {
    all: Vec<Field>,
    by_word: Vec<Vec<usize>>,
}

impl WordFields {
    /// Sorts fields by words.
    pub(crate) fn new(all: Vec<Field>) -> Self {
        let words = all.iter().map(|field| field.word as usize + 1).max().unwrap_or(0);
        let mut by_word = vec![Vec::new(); words];
        for (index, field) in all.iter().enumerate().filter(|(_, field)| field.mask != 0) {
            by_word[field.word as usize].push(index);
        }
        WordFields { all, by_word }
    }

    /// The fields that a test compares, with the bits that they must have.
    fn wanted(&self, test: WordTest) -> impl Iterator<Item = (usize, u64)> {
        let candidates = self.by_word.get(test.word as usize).map_or(&[][..], Vec::as_slice);
        candidates.iter().copied().filter_map(move |index| {
            let mask = self.all[index].mask;
            (test.mask & mask == mask).then_some((index, test.want & mask))
        })
    }
}

/// A rule in a leaf, with what is to be asked besides what is known on the way to the leaf.
#[derive(Clone, Debug)]
struct IndexedRule {
    /// The first test, or one that always holds. Most rules have no other, and it is read without a detour.
    first: GuardTest,
    others: Range<u32>,
    rule: RuleId,
}

/// Rules that are told apart by several variables, each by one of them, or by none.
#[derive(Clone, Debug)]
struct IndexNode {
    branches: Range<u32>,
    rules: Range<u32>,
    /// Whether the rules are few and have one test each.
    is_short: bool,
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
    pub(crate) fn new(
        fields: &WordFields,
        rules: impl IntoIterator<Item = (RuleId, Vec<GuardTest>)>,
    ) -> Self {
        let entries = rules.into_iter().map(|(rule, tests)| {
            let equal = tests.iter().filter(|test| !test.is_not);
            let wants = equal.flat_map(|test| fields.wanted(test.test())).collect();
            let tests = tests.into_iter().filter(|test| test.mask != 0).collect();
            IndexEntry { rule, tests, wants }
        });
        let mut index = DecisionIndex::default();
        index.root = index.node(&fields.all, entries.collect(), DEEPEST);
        index
    }

    /// Whether the rules are told apart by nothing: [`find`](Self::find) then has them in their order.
    pub(crate) fn is_list(&self) -> bool {
        self.branches.is_empty()
    }

    /// How many rules are asked one by one in every state.
    pub(crate) fn always_asked(&self) -> usize {
        self.nodes.get(self.root as usize).map_or(0, |root| root.rules.len())
    }

    /// Appends all rules whose tests hold in a state, each once.
    #[inline]
    pub(crate) fn find(&self, state: &[u64], found: &mut Vec<RuleId>) {
        self.walk(self.root, state, found);
    }

    fn walk(&self, node: u32, state: &[u64], found: &mut Vec<RuleId>) {
        let node = &self.nodes[node as usize];
        for branch in &self.branches[node.branches.start as usize..node.branches.end as usize] {
            let children = &self.children[branch.children.start as usize..branch.children.end as usize];
            match children.get(position(branch.field, state[branch.field.word as usize])) {
                Some(child) if *child != NONE => self.walk(*child, state, found),
                Some(_) | None => {}
            }
        }
        let rules = &self.rules[node.rules.start as usize..node.rules.end as usize];
        match node.is_short {
            true => find_short(rules, state, found),
            false => {
                let holds =
                    |rule: &&IndexedRule| rule.first.holds(state) && self.all_hold(&rule.others, state);
                found.extend(rules.iter().filter(holds).map(|rule| rule.rule));
            }
        }
    }

    fn all_hold(&self, tests: &Range<u32>, state: &[u64]) -> bool {
        self.tests[tests.start as usize..tests.end as usize].iter().all(|test| test.holds(state))
    }

    fn node(&mut self, fields: &[Field], entries: Vec<IndexEntry>, depth: usize) -> u32 {
        let (groups, rest) = match depth {
            0 => (BTreeMap::new(), entries),
            _ => grouped(entries),
        };
        let branches: Vec<IndexBranch> =
            groups.into_iter().map(|(field, group)| self.branch(fields, field, group, depth - 1)).collect();
        let (branch, first) = (self.branches.len() as u32, self.rules.len() as u32);
        self.branches.extend(branches);
        for IndexEntry { rule, tests, .. } in rest {
            let mut tests = tests.into_iter();
            let first = tests.next().unwrap_or(GuardTest::new(WordTest::default(), false));
            let start = self.tests.len() as u32;
            self.tests.extend(tests);
            self.rules.push(IndexedRule { first, others: start..self.tests.len() as u32, rule });
        }
        let rules = &self.rules[first as usize..];
        self.nodes.push(IndexNode {
            branches: branch..self.branches.len() as u32,
            rules: first..self.rules.len() as u32,
            is_short: rules.len() <= SHORT && rules.iter().all(|rule| rule.others.is_empty()),
        });
        self.nodes.len() as u32 - 1
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

/// Appends the rules whose only test holds. Of a few rules any may be enabled, and which of them cannot be foreseen; so each is written
/// down, and the next one takes its place if the test fails.
fn find_short(rules: &[IndexedRule], state: &[u64], found: &mut Vec<RuleId>) {
    let start = found.len();
    found.resize(start + rules.len(), RuleId::from_index(0));
    let places = &mut found[start..];
    let mut count = 0;
    for rule in rules {
        places[count] = rule.rule;
        count += usize::from(rule.first.holds(state));
    }
    found.truncate(start + count);
}

/// Where a word leads in a branch: how far the value of the field in it is from the least.
fn position(field: Field, word: u64) -> usize {
    ((word & field.mask) >> field.shift) as usize
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
