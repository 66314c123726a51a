//! Random systems and scenarios against the definition: words, positions, sets of attempts.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::traces::{TraceLimits, Traces};
use sequent_kernel::model::{Alphabet, Anchor, Quantifier};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::diagram;
use crate::walk::{Asked, Edges, holds, system};

/// Scenarios with finitely many traces.
const SCENARIOS: [&str; 9] = [
    "a ->> b : m\na ->> b : n\n",
    "a ->> b : m\nb ->> a : n\na ->> b : m\n",
    "par\na ->> b : m\nelse\nb ->> a : n\nend\n",
    "alt\na ->> b : m\nelse\na ->> b : n\na ->> b : m\nend\na ->> b : n\n",
    "a ->> b : m\nopt\na ->> b : m\nend\na ->> b : n\n",
    "a ->> b : m\nb ->> e : n\na ->> b : n\n",
    "e ->> a : m\na ->> e : n\n",
    "loop 2\na ->> b : m\nend\nb ->> a : n\n",
    "a ->> b : m\nc ->> b : m\n",
];

/// Edges of which many fit the scenario.
pub(crate) fn walk(numbers: &mut Random, meets: bool) -> Edges {
    let states = 2 + numbers.below(4);
    let ends = [("a", "b"), ("b", "a"), ("b", "e"), ("e", "a"), ("c", "b"), ("a", "e")];
    let count = states + numbers.below(2 * states);
    let edge = |number: usize| {
        let (from, to) = ends[[0, 0, 0, 1, 1, 2, 3, 4, 5][numbers.below(9)]];
        let message = ["m", "m", "n", "n", "o"][numbers.below(5)];
        let is_receipt = numbers.below(2) == 0 && to != "e";
        let text = match (numbers.below(6), meets) {
            (0, _) => String::new(),
            (_, true) => format!("{from}->{to}:{message}"),
            (_, false) => format!("{}{from}->{to}:{message}", if is_receipt { '?' } else { '!' }),
        };
        // Every state but the first has a way there.
        let start = if number < states - 1 { numbers.below(number + 1) } else { numbers.below(states) };
        let end = if number < states - 1 { number + 1 } else { numbers.below(states) };
        (start, text, end)
    };
    (0..count).map(edge).collect()
}

/// Edges along a word of the scenario, from which some lead astray.
fn follow(numbers: &mut Random, words: &[Vec<String>]) -> Edges {
    let Some(word) = words.get(numbers.below(words.len().max(1))) else { return Edges::new() };
    let before = numbers.below(3);
    let mut texts: Vec<String> = (0..before).map(|_| stray(numbers, word)).collect();
    texts.extend(word.iter().cloned());
    for _ in 0..numbers.below(3) {
        let text = stray(numbers, word);
        texts.insert(numbers.below(texts.len() + 1), text);
    }
    let states = texts.len() + 1;
    let mut edges: Edges = texts.into_iter().enumerate().map(|(at, text)| (at, text, at + 1)).collect();
    for _ in 0..numbers.below(3) {
        let text = stray(numbers, word);
        edges.push((numbers.below(states), text, numbers.below(states)));
    }
    edges
}

/// Nothing, an event of a word, or one that is like it.
fn stray(numbers: &mut Random, word: &[String]) -> String {
    let text = word[numbers.below(word.len())].clone();
    match numbers.below(5) {
        0 | 1 => String::new(),
        2 => text,
        3 => text.replace(['m', 'n'], "o"),
        _ => text.replace("a->b", "c->d"),
    }
}

/// The words of a scenario as the system shows them.
fn words(text: &str, meets: bool) -> BTreeSet<Vec<String>> {
    let system = diagram::system(text);
    let traces = Traces::explore(&system, TraceLimits::default()).expect("it is small");
    let (all, is_all) = traces.list(10_000);
    assert!(is_all, "it is finite");
    let shown = |word: &Vec<&str>| -> Option<Vec<String>> {
        let mut seen = Vec::new();
        let mut rest = word.iter().copied().peekable();
        while let Some(event) = rest.next() {
            match (meets, event.strip_prefix('!')) {
                (true, Some(bare)) => {
                    rest.next_if(|next| next.strip_prefix('?') == Some(bare))?;
                    seen.push(bare.to_owned());
                }
                (true, None) => return None,
                (false, _) if event.starts_with('?') && event.contains("->e:") => {}
                (false, _) => seen.push(event.to_owned()),
            }
        }
        Some(seen)
    };
    all.iter().filter_map(shown).collect()
}

/// Sender, receiver and name of an event.
fn parts(event: &str) -> (String, String, String) {
    let (ends, name) = event.trim_start_matches(['!', '?']).split_once(':').expect("an event");
    let (from, to) = ends.split_once("->").expect("two ends");
    (from.to_owned(), to.to_owned(), name.to_owned())
}

/// Whether an event matters to a scenario.
pub(crate) fn matters(text: &str, event: &str, alphabet: Alphabet) -> bool {
    let drawn: Vec<(String, String, String)> = text
        .lines()
        .filter_map(|line| line.split_once(" : "))
        .map(|(ends, name)| {
            let (from, to) = ends.split_once(" ->> ").expect("two ends");
            (from.to_owned(), to.to_owned(), name.to_owned())
        })
        .collect();
    let (from, to, name) = parts(event);
    let is_object = |one: &String| drawn.iter().any(|(from, to, _)| from == one || to == one);
    match alphabet {
        Alphabet::All => true,
        Alphabet::Own => drawn.contains(&(from, to, name)),
        Alphabet::Channels => drawn.iter().any(|(_, _, known)| *known == name),
        Alphabet::OwnObjects => is_object(&from) && is_object(&to),
    }
}

/// A state of the walk, the attempts that are going on as word and position, and how many steps were taken.
type Node = (usize, BTreeSet<(usize, usize)>, u32);

/// A walk, the words that match, and what is asked of them.
pub(crate) struct Naive<'n> {
    pub edges: &'n Edges,
    pub words: Vec<Vec<String>>,
    pub matters: BTreeMap<String, bool>,
    pub asked: Asked,
}

impl Naive<'_> {
    /// The orders in which what a step shows is read: all of them where every run is asked.
    fn orders<'e>(&self, shown: &[&'e str]) -> Vec<Vec<&'e str>> {
        match (self.asked.quantifier, shown) {
            (Quantifier::Required | Quantifier::Whenever, [_, _, ..]) => {
                let first = |at: usize| {
                    let left: Vec<&str> = [&shown[..at], &shown[at + 1..]].concat();
                    let rest = self.orders(&left).into_iter();
                    rest.map(|rest| [vec![shown[at]], rest].concat()).collect::<Vec<_>>()
                };
                (0..shown.len()).flat_map(first).collect()
            }
            (_, shown) => vec![shown.to_vec()],
        }
    }

    fn begins(&self, steps: u32) -> bool {
        match self.asked.anchor {
            Anchor::Start => steps == 0,
            Anchor::Anywhere => self.asked.within.is_none_or(|within| steps <= within),
        }
    }

    fn count(&self, steps: u32) -> u32 {
        let most = self.asked.within.unwrap_or(0) + 1;
        (steps + 1).min(most)
    }

    /// Where a node leads; `None` for a match.
    fn next(&self, node: &Node) -> Vec<Option<Node>> {
        let (state, attempts, steps) = node;
        let mut nexts = Vec::new();
        for (_, event, to) in self.edges.iter().filter(|(from, ..)| from == state) {
            let mut next: BTreeSet<(usize, usize)> = BTreeSet::new();
            for (word, at) in attempts {
                // All that one step shows is read before an attempt may be over.
                let shown: Vec<&str> =
                    event.split('&').filter(|event| !event.is_empty() && self.matters[*event]).collect();
                let is_next = |shown: &[&str]| {
                    let rest = self.words[*word].get(*at..).unwrap_or_default();
                    rest.len() >= shown.len() && rest.iter().zip(shown).all(|(next, event)| next == event)
                };
                if self.orders(&shown).iter().any(|shown| is_next(shown)) {
                    next.insert((*word, at + shown.len()));
                }
            }
            let steps = self.count(*steps);
            if self.begins(steps) {
                next.extend((0..self.words.len()).map(|word| (word, 0)));
            }
            nexts.push(self.tested(*to, next).map(|next| (*to, next, steps)));
        }
        nexts
    }

    /// Attempts with all conditions taken that hold in a state, `{3}` in state 3, `{^3^4}` in all but 3 and 4; `None` if one has
    /// come to its end.
    fn tested(
        &self,
        state: usize,
        mut attempts: BTreeSet<(usize, usize)>,
    ) -> Option<BTreeSet<(usize, usize)>> {
        let is_true = |token: &String| match token.strip_prefix("{^").and_then(|rest| rest.strip_suffix('}'))
        {
            Some(others) => others.split('^').all(|other| other != state.to_string()),
            None => *token == format!("{{{state}}}"),
        };
        let mut open: Vec<(usize, usize)> = attempts.iter().copied().collect();
        while let Some((word, at)) = open.pop() {
            if self.words[word].get(at).is_some_and(is_true) && attempts.insert((word, at + 1)) {
                open.push((word, at + 1));
            }
        }
        let is_match = attempts.iter().any(|(word, at)| self.words[*word].len() == *at);
        (!is_match).then_some(attempts)
    }

    /// The answer by the definition.
    pub(crate) fn holds(&self) -> bool {
        let Some(attempts) = self.tested(0, (0..self.words.len()).map(|word| (word, 0)).collect()) else {
            return self.asked.quantifier != Quantifier::Forbidden;
        };
        let first: Node = (0, attempts, 0);
        let mut graph: BTreeMap<Node, Vec<Option<Node>>> = BTreeMap::new();
        let mut open = vec![first.clone()];
        while let Some(node) = open.pop() {
            if graph.contains_key(&node) {
                continue;
            }
            let next = self.next(&node);
            open.extend(next.iter().flatten().cloned());
            graph.insert(node, next);
        }
        let is_possible = graph.values().flatten().any(Option::is_none);
        match self.asked.quantifier {
            Quantifier::Possible => is_possible,
            Quantifier::Forbidden => !is_possible,
            Quantifier::Whenever => panic!("it is asked elsewhere"),
            Quantifier::Required => {
                // What is left after taking away all from which every way leads to a match, again and again.
                let mut missing: BTreeSet<&Node> = graph.keys().collect();
                loop {
                    let stays = |node: &&Node| {
                        let next = &graph[*node];
                        next.is_empty() || next.iter().flatten().any(|next| missing.contains(next))
                    };
                    let left: BTreeSet<&Node> = missing.iter().copied().filter(stays).collect();
                    if left.len() == missing.len() {
                        return !missing.contains(&first);
                    }
                    missing = left;
                }
            }
        }
    }
}

/// Scenarios with conditions, and their words where messages meet.
const CONDITIONS: [(&str, &[&[&str]]); 5] = [
    ("a ->> b : m\nhnote over a : s2\na ->> b : n\n", &[&["a->b:m", "{2}", "a->b:n"]]),
    ("hnote over a : s1\na ->> b : m\n", &[&["{1}", "a->b:m"]]),
    ("a ->> b : m\nhnote over a : s2\n", &[&["a->b:m", "{2}"]]),
    ("a ->> b : m\nhnote over a, b : s1\nhnote over a : s2\n", &[&["a->b:m", "{1}", "{2}"]]),
    (
        "a ->> b : m\nalt s1\na ->> b : n\nelse s2\na ->> b : m\nelse s0\nb ->> a : m\nelse s3\nb ->> a : n\nend\n",
        &[
            &["a->b:m", "{1}", "a->b:n"],
            &["a->b:m", "{2}", "a->b:m"],
            &["a->b:m", "{0}", "b->a:m"],
            &["a->b:m", "{3}", "b->a:n"],
        ],
    ),
];

#[test]
fn conditions_are_taken_where_they_hold() {
    let mut seen: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for seed in seeds(400) {
        let mut numbers = Random::new(seed);
        let (text, words) = CONDITIONS[numbers.below(CONDITIONS.len())];
        let states = 2 + numbers.below(3);
        let letters = ["", "", "a->b:m", "a->b:m", "a->b:n", "b->a:m", "b->a:n", "c->d:o"];
        let mut edges: Edges =
            (0..states).map(|at| (at, letters[numbers.below(8)].to_owned(), (at + 1) % states)).collect();
        for _ in 0..numbers.below(4) {
            edges.push((numbers.below(states), letters[numbers.below(8)].to_owned(), numbers.below(states)));
        }
        let (model, system) = (diagram::model(text), system(&edges));
        for quantifier in [Quantifier::Possible, Quantifier::Required, Quantifier::Forbidden] {
            for anchor in [Anchor::Anywhere, Anchor::Start] {
                for alphabet in [Alphabet::All, Alphabet::Own] {
                    let within = [None, Some(1)][numbers.below(2)];
                    let asked = Asked { quantifier, anchor, alphabet, within };
                    let own = |event: &str| {
                        alphabet == Alphabet::All || words.iter().any(|word| word.contains(&event))
                    };
                    let events = edges.iter().map(|(_, event, _)| (event.clone(), own(event)));
                    let words = words.iter().map(|word| word.iter().map(|&one| one.to_owned()).collect());
                    let naive =
                        Naive { edges: &edges, words: words.collect(), matters: events.collect(), asked };
                    let expected = naive.holds();
                    assert_eq!(holds(&model, &system, asked), expected, "{seed} {text} {edges:?} {asked:?}");
                    *seen.entry((format!("{quantifier:?}"), expected)).or_default() += 1;
                }
            }
        }
    }
    assert!(seen.len() == 6 && seen.values().all(|count| *count > 30), "{seen:?}");
}

/// Some steps as one that shows the messages of both.
fn joined(numbers: &mut Random, edges: &Edges) -> Edges {
    let mut joined = edges.clone();
    for _ in 0..1 + numbers.below(3) {
        let (one, other) = (numbers.below(edges.len()), numbers.below(edges.len()));
        let [(from, first, _), (_, second, to)] = [&edges[one], &edges[other]];
        // Which step goes on with what is told by how it begins.
        let is_known =
            joined.iter().any(|(start, event, _)| start == from && event.starts_with(&format!("{first}&")));
        if !first.is_empty() && !second.is_empty() && first != second && !is_known {
            joined.push((*from, format!("{first}&{second}"), *to));
        }
    }
    joined
}

/// P4's multimessages: a scenario has all messages of a step that matter, or none of them.
#[test]
fn messages_of_one_step_are_matched_together() {
    let mut seen: BTreeMap<(String, bool), usize> = BTreeMap::new();
    let mut differs = 0;
    for seed in seeds(120) {
        let mut numbers = Random::new(seed);
        let text = SCENARIOS[numbers.below(SCENARIOS.len())];
        let words: Vec<Vec<String>> = words(text, true).into_iter().collect();
        let edges = match numbers.below(2) {
            0 => walk(&mut numbers, true),
            _ => follow(&mut numbers, &words),
        };
        if edges.is_empty() {
            continue;
        }
        let edges = joined(&mut numbers, &edges);
        let loose: Edges =
            edges.iter().map(|(from, event, to)| (*from, event.replace('&', "+"), *to)).collect();
        let (model, system, loose) = (diagram::model(text), system(&edges), system(&loose));
        for quantifier in [Quantifier::Possible, Quantifier::Required, Quantifier::Forbidden] {
            for anchor in [Anchor::Anywhere, Anchor::Start] {
                for alphabet in [Alphabet::All, Alphabet::Own, Alphabet::Channels] {
                    for within in [None, Some(0), Some(1)] {
                        let asked = Asked { quantifier, anchor, alphabet, within };
                        let events = edges.iter().flat_map(|(_, event, _)| event.split('&'));
                        let matters = events
                            .filter(|event| !event.is_empty())
                            .map(|event| (event.to_owned(), matters(text, event, alphabet)))
                            .collect();
                        let naive = Naive { edges: &edges, words: words.clone(), matters, asked };
                        let expected = naive.holds();
                        let found = holds(&model, &system, asked);
                        assert_eq!(found, expected, "{seed} {text} {edges:?} {asked:?}");
                        differs += usize::from(found != holds(&model, &loose, asked));
                        *seen.entry((format!("{quantifier:?}"), expected)).or_default() += 1;
                    }
                }
            }
        }
    }
    assert!(seen.len() == 6 && seen.values().all(|count| *count > 30), "{seen:?}");
    assert!(differs > 30, "it matters: {differs}");
}

#[test]
fn verdicts_are_those_of_the_definition() {
    let mut seen: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for seed in seeds(60) {
        let mut numbers = Random::new(seed);
        let meets = numbers.below(2) == 0;
        let text = SCENARIOS[numbers.below(SCENARIOS.len())];
        let words: Vec<Vec<String>> = words(text, meets).into_iter().collect();
        let edges = match numbers.below(2) {
            0 => walk(&mut numbers, meets),
            _ => follow(&mut numbers, &words),
        };
        let (model, system) = (diagram::model(text), system(&edges));
        for quantifier in [Quantifier::Possible, Quantifier::Required, Quantifier::Forbidden] {
            for anchor in [Anchor::Anywhere, Anchor::Start] {
                for alphabet in [Alphabet::All, Alphabet::Own, Alphabet::Channels, Alphabet::OwnObjects] {
                    for within in [None, Some(0), Some(2)] {
                        let asked = Asked { quantifier, anchor, alphabet, within };
                        let events = edges.iter().filter(|(_, event, _)| !event.is_empty());
                        let matters = events
                            .map(|(_, event, _)| (event.clone(), matters(text, event, alphabet)))
                            .collect();
                        let naive = Naive { edges: &edges, words: words.clone(), matters, asked };
                        let expected = naive.holds();
                        assert_eq!(
                            holds(&model, &system, asked),
                            expected,
                            "{seed} {text} {edges:?} {asked:?}"
                        );
                        *seen.entry((format!("{quantifier:?}"), expected)).or_default() += 1;
                    }
                }
            }
        }
    }
    assert!(seen.len() == 6 && seen.values().all(|count| *count > 30), "{seen:?}");
}
