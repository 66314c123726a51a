//! Patterns in words against what they mean: every pattern in every scope, on all short words.
//!
//! A word gives the items that hold at each position; the last position is repeated forever, as a run stutters at its
//! end. The formula is evaluated on the word, and the meaning is spelt out by positions: stretches of the word, and what
//! must be found in them.

use std::collections::BTreeMap;

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};
use sequent_kernel::source::{Sources, Span};
use sequent_notation::formula::parse;

/// The items that hold at a position, one bit each in the order of [`NAMES`].
type Letter = u32;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "q", "r"];

/// What a pattern claims, by items.
enum Claim {
    Absence(usize),
    Existence(usize),
    Universality(usize),
    Precedence(Vec<usize>, Vec<usize>),
    Response(Vec<usize>, Vec<usize>),
}

/// All claims as text, with their meaning.
fn claims() -> Vec<(&'static str, Claim)> {
    use Claim::*;
    vec![
        ("never a", Absence(0)),
        ("a never happens", Absence(0)),
        ("eventually a", Existence(0)),
        ("a happens", Existence(0)),
        ("always a", Universality(0)),
        ("a precedes b", Precedence(vec![0], vec![1])),
        ("a, b precede c", Precedence(vec![0, 1], vec![2])),
        ("a, b, c precede d", Precedence(vec![0, 1, 2], vec![3])),
        ("a precedes b, c", Precedence(vec![0], vec![1, 2])),
        ("a precedes b, c, d", Precedence(vec![0], vec![1, 2, 3])),
        ("b responds to a", Response(vec![0], vec![1])),
        ("a leads to b", Response(vec![0], vec![1])),
        ("c responds to a, b", Response(vec![0, 1], vec![2])),
        ("a, b lead to c", Response(vec![0, 1], vec![2])),
        ("d responds to a, b, c", Response(vec![0, 1, 2], vec![3])),
        ("b, c respond to a", Response(vec![0], vec![1, 2])),
        ("a leads to b, c, d", Response(vec![0], vec![1, 2, 3])),
    ]
}

const SCOPES: [&str; 5] = ["", " before r", " after q", " between q and r", " after q until r"];

const Q: usize = 4;
const R: usize = 5;

/// A word: its letters, of which the last goes on forever.
struct Word<'a>(&'a [Letter]);

impl Word<'_> {
    fn has(&self, item: usize, at: usize) -> bool {
        let letter = self.0[at.min(self.0.len() - 1)];
        letter & 1 << item != 0
    }

    /// What happens beyond happens here too: behind the last letter there is room for the longest chain.
    fn horizon(&self) -> usize {
        self.0.len() + 6
    }

    /// The first position from `start` on with an item.
    fn first(&self, item: usize, start: usize) -> Option<usize> {
        (start..self.horizon()).find(|at| self.has(item, *at))
    }

    /// The stretches of a scope, each from its first position to the one behind it, or without end.
    fn stretches(&self, scope: &str) -> Vec<(usize, Option<usize>)> {
        let starts = || (0..=self.0.len()).filter(|at| self.has(Q, *at)).map(|at| at + 1);
        match scope {
            "" => vec![(0, None)],
            " before r" => self.first(R, 0).map(|end| (0, Some(end))).into_iter().collect(),
            " after q" => starts().take(1).map(|start| (start, None)).collect(),
            " between q and r" => {
                starts().filter_map(|start| Some((start, Some(self.first(R, start)?)))).collect()
            }
            " after q until r" => starts().map(|start| (start, self.first(R, start))).collect(),
            _ => unreachable!("no such scope"),
        }
    }

    fn holds(&self, claim: &Claim, start: usize, end: Option<usize>) -> bool {
        let late = end.unwrap_or(self.horizon() + 6);
        let every = |item: usize| (start..late).all(|at| self.has(item, at));
        let some = |item: usize| (start..late).any(|at| self.has(item, at));
        match claim {
            Claim::Absence(item) => !some(*item),
            Claim::Existence(item) => some(*item),
            Claim::Universality(item) => every(*item),
            // Wherever the effects come in their order, the causes came in theirs, the last at the latest with the first
            // effect.
            Claim::Precedence(causes, effects) => (start..late.min(self.horizon())).all(|at| {
                let comes = self.has(effects[0], at) && self.row(&effects[1..], at + 1, late);
                !comes || self.row(causes, start, at + 1)
            }),
            // Wherever the stimuli have come in their order, the responses come in theirs, the first at the earliest with
            // the last stimulus.
            Claim::Response(stimuli, responses) => (start..late.min(self.horizon())).all(|at| {
                let (last, before) = stimuli.split_last().expect("at least one");
                let came = self.has(*last, at) && self.row(before, start, at);
                !came || self.row(responses, at, late)
            }),
        }
    }

    /// Whether the items come one after the other between two positions: taking each as early as possible loses nothing.
    fn row(&self, items: &[usize], start: usize, end: usize) -> bool {
        let mut at = start;
        items.iter().all(|item| match (at..end).find(|at| self.has(*item, *at)) {
            Some(found) => {
                at = found + 1;
                true
            }
            None => false,
        })
    }

    /// The truth of a formula at every position; only operators that patterns use.
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        match &formula.node {
            FormulaNode::Constant(value) => vec![*value; self.0.len()],
            FormulaNode::Atom(Atom::Name(word)) => {
                let item = NAMES.iter().position(|name| *name == word.text).expect("an item");
                (0..self.0.len()).map(|at| self.has(item, at)).collect()
            }
            FormulaNode::Atom(_) => unreachable!("items are names"),
            FormulaNode::Unary(operator, part) => unary(*operator, self.truth(part)),
            FormulaNode::Binary(operator, left, right) => {
                binary(*operator, self.truth(left), self.truth(right))
            }
        }
    }
}

fn unary(operator: Unary, part: Vec<bool>) -> Vec<bool> {
    let always = vec![true; part.len()];
    match operator {
        Unary::Not => part.into_iter().map(|value| !value).collect(),
        Unary::Next => part[1..].iter().chain(part.last()).copied().collect(),
        Unary::Finally => binary(Binary::Until, always, part),
        Unary::Globally => binary(Binary::WeakUntil, part, vec![false; always.len()]),
        Unary::Previous | Unary::WeakPrevious | Unary::Once | Unary::Historically => unreachable!("no past"),
    }
}

fn binary(operator: Binary, left: Vec<bool>, right: Vec<bool>) -> Vec<bool> {
    let each = |join: fn(bool, bool) -> bool| left.iter().zip(&right).map(|(l, r)| join(*l, *r)).collect();
    // From the end backwards; `rest` is the truth where the last letter goes on and nothing comes any more.
    let until = |rest: bool| {
        let mut values = vec![rest; left.len() + 1];
        for at in (0..left.len()).rev() {
            values[at] = right[at] || (left[at] && values[at + 1]);
        }
        values.pop();
        values
    };
    match operator {
        Binary::And => each(|l, r| l && r),
        Binary::Or => each(|l, r| l || r),
        Binary::Implies => each(|l, r| !l || r),
        Binary::Until => until(false),
        Binary::WeakUntil => until(true),
        Binary::Iff | Binary::Release | Binary::StrongRelease | Binary::Since | Binary::Trigger => {
            unreachable!("no pattern uses it")
        }
    }
}

/// Calls `visit` on all words over some letters, of lengths up to `longest`.
fn words(letters: &[Letter], longest: u32, visit: &mut dyn FnMut(&[Letter])) {
    for length in 1..=longest {
        for mut number in 0..letters.len().pow(length) {
            let mut word = Vec::new();
            for _ in 0..length {
                word.push(letters[number % letters.len()]);
                number /= letters.len();
            }
            visit(&word);
        }
    }
}

/// The items of a text.
fn items(text: &str) -> Vec<usize> {
    let used = text.split([' ', ',']).filter_map(|word| NAMES.iter().position(|name| *name == word));
    let used: BTreeMap<usize, ()> = used.map(|item| (item, ())).collect();
    used.into_keys().collect()
}

fn read(text: &str) -> Formula {
    let span = Span::new(Sources::new().add("x", ""), 0, text.len());
    parse(text, span).unwrap_or_else(|problem| panic!("{text}: {problem:?}"))
}

fn compare(text: &str, formula: &Formula, claim: &Claim, scope: &str, letters: &[Letter], longest: u32) {
    words(letters, longest, &mut |letters| {
        let word = Word(letters);
        let expected = word.stretches(scope).into_iter().all(|(start, end)| word.holds(claim, start, end));
        assert_eq!(word.truth(formula)[0], expected, "{text} on {letters:?}");
    });
}

#[test]
fn every_pattern_means_what_it_says() {
    for (text, claim) in claims() {
        for scope in SCOPES {
            let text = format!("{text}{scope}");
            let (formula, items) = (read(&text), items(&text));
            // One thing at a time, as events happen.
            let single: Vec<Letter> = [0].into_iter().chain(items.iter().map(|item| 1 << item)).collect();
            let longest = [8, 7, 6, 6, 5, 5, 5][items.len()];
            compare(&text, &formula, &claim, scope, &single, longest);
            // Anything together with anything.
            let subsets = 0..1_u32 << items.len();
            let pick = |set: u32| {
                (0..items.len()).filter(|bit| set & 1 << bit != 0).map(|bit| 1 << items[bit]).sum()
            };
            let longest = [1, 6, 5, 4, 3, 2, 2][items.len()];
            compare(&text, &formula, &claim, scope, &subsets.map(pick).collect::<Vec<Letter>>(), longest);
        }
    }
}

/// Chains between two borders need longer words; single letters, all orders.
#[test]
fn long_chains_in_narrow_scopes() {
    for (text, claim) in claims().into_iter().filter(|(text, _)| items(text).len() == 3) {
        for scope in [" between q and r", " after q until r"] {
            let text = format!("{text}{scope}");
            let letters: Vec<Letter> = items(&text).into_iter().map(|item| 1 << item).collect();
            compare(&text, &read(&text), &claim, scope, &letters, 6);
        }
    }
}

#[test]
fn the_same_thing_twice() {
    let holds = |text: &str, word: &[Letter]| Word(word).truth(&read(text))[0];
    assert!(holds("never a after a", &[0, 1, 0]));
    assert!(!holds("never a after a", &[0, 1, 0, 1, 0]));
    assert!(holds("b happens between a and a", &[0, 1, 2, 1, 0]));
    assert!(!holds("b happens between a and a", &[0, 1, 2, 1, 0, 1, 0]));
    assert!(holds("a precedes b after a", &[1, 1, 2, 0]));
    assert!(!holds("a precedes b after a", &[1, 2, 0]));
}

/// The page for users tells the truth: each pattern there is the formula beside it, and its examples can be read.
#[test]
fn the_page_on_formulas_is_right() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formulas.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let table = page.split("These are the formulas:").nth(1).expect("the patterns are there");
    let lines = table.split("```").nth(1).expect("a fenced block").lines().skip(1);
    let mut count = 0;
    for line in lines.filter(|line| !line.is_empty()) {
        let (pattern, formula) = line.split_once("  ").expect("two columns");
        assert_eq!(read(pattern), read(formula.trim()), "{line}");
        count += 1;
    }
    assert_eq!(count, 9 * SCOPES.len());
    for section in ["\n## Atoms", "\n## Examples"] {
        let section = page.split(section).nth(1).expect("the section is there");
        let rows = section
            .lines()
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'));
        for row in rows.skip(2) {
            row.split('`').skip(1).step_by(2).filter(|text| text.len() > 1).for_each(|text| drop(read(text)));
        }
    }
}
