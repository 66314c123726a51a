//! Conditions about objects where messages are sent and received apart: when a guard is asked, as chains of what comes one after
//! the other, against random walks.
//!
//! `{1}` stands for a moment in state 1, `{^1}` for one in another state. A guard stands on the lifeline of the first
//! occurrence of its operand; where operands begin on different lifelines, on all of these.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{Alphabet, Anchor, Quantifier};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::diagram;
use crate::random::Naive;
use crate::walk::{Asked, Edges, holds, system};

/// What comes one after the other; a message is received after it was sent.
type Chains = &'static [&'static [&'static str]];

/// Scenarios, and the chains of each way through them.
const SCENARIOS: [(&str, &[Chains]); 9] = [
    // The sender of the operand decides, wherever the other one is.
    (
        "a ->> b : l\nalt s1\na ->> b : m\nelse s2\na ->> b : n\nend\n",
        &[
            &[&["!a->b:l", "{1}", "!a->b:m"], &["?a->b:l", "?a->b:m"]],
            &[&["!a->b:l", "{2}", "!a->b:n"], &["?a->b:l", "?a->b:n"]],
            &[&["!a->b:l", "{^1^2}"], &["?a->b:l"]],
        ],
    ),
    (
        "a ->> b : l\nalt s1\nb ->> a : m\nelse\nb ->> a : n\nend\n",
        &[
            &[&["!a->b:l", "?b->a:m"], &["?a->b:l", "{1}", "!b->a:m"]],
            &[&["!a->b:l", "?b->a:n"], &["?a->b:l", "{^1}", "!b->a:n"]],
        ],
    ),
    // Who comes after an operand that is left out waits for the decision.
    (
        "a ->> b : l\nopt s1\na ->> b : m\nend\nb ->> a : n\n",
        &[
            &[&["!a->b:l", "{1}", "!a->b:m", "?b->a:n"], &["?a->b:l", "?a->b:m", "!b->a:n"]],
            &[&["!a->b:l", "{^1}", "?b->a:n"], &["?a->b:l", "!b->a:n"], &["{^1}", "!b->a:n"]],
        ],
    ),
    // Operands begin on different lifelines.
    (
        "a ->> b : l\nalt s1\na ->> b : m\nelse s2\nb ->> a : n\nend\n",
        &[
            &[&["!a->b:l", "{1}", "!a->b:m"], &["?a->b:l", "{1}", "?a->b:m"]],
            &[&["!a->b:l", "{2}", "?b->a:n"], &["?a->b:l", "{2}", "!b->a:n"]],
            &[&["!a->b:l", "{^1^2}"], &["?a->b:l", "{^1^2}"]],
        ],
    ),
    (
        "group strict\na ->> b : l\nelse\nalt s1\na ->> b : m\nelse s2\na ->> b : n\nend\nend\n",
        &[
            &[&["!a->b:l", "?a->b:l", "{1}", "!a->b:m", "?a->b:m"]],
            &[&["!a->b:l", "?a->b:l", "{2}", "!a->b:n", "?a->b:n"]],
            &[&["!a->b:l", "?a->b:l", "{^1^2}"]],
        ],
    ),
    (
        "loop (0,1) s1\na ->> b : l\nb ->> a : m\nend\na ->> b : n\n",
        &[
            &[&["{1}", "!a->b:l", "?b->a:m", "!a->b:n"], &["?a->b:l", "!b->a:m", "?a->b:n"]],
            &[&["{^1}", "!a->b:n", "?a->b:n"]],
        ],
    ),
    (
        "a ->> b : l\nbreak s1\nb ->> a : m\nend\na ->> b : n\n",
        &[
            &[&["!a->b:l", "?b->a:m"], &["?a->b:l", "{1}", "!b->a:m"]],
            &[&["!a->b:l", "!a->b:n"], &["?a->b:l", "{^1}", "?a->b:n"], &["{^1}", "!a->b:n"]],
        ],
    ),
    (
        "a ->> b : l\nhnote over b : s1\na ->> b : m\n",
        &[&[&["!a->b:l", "!a->b:m"], &["?a->b:l", "{1}", "?a->b:m"]]],
    ),
    (
        "par\nopt s1\na ->> b : l\nend\nelse\na ->> b : m\nend\n",
        &[&[&["{1}", "!a->b:l", "?a->b:l"], &["!a->b:m", "?a->b:m"]], &[&["{^1}"], &["!a->b:m", "?a->b:m"]]],
    ),
];

/// All orders that respect the chains, and that messages are received after they were sent.
fn orders(chains: Chains) -> Vec<Vec<String>> {
    let all: BTreeSet<&str> = chains.iter().flat_map(|chain| chain.iter().copied()).collect();
    let is_before = |one: &str, other: &str| {
        let is_sent = one.strip_prefix('!').is_some_and(|one| other.strip_prefix('?') == Some(one));
        is_sent || chains.iter().any(|chain| chain.windows(2).any(|pair| pair == [one, other]))
    };
    let mut open: Vec<Vec<&str>> = vec![Vec::new()];
    let mut found = Vec::new();
    while let Some(word) = open.pop() {
        if word.len() == all.len() {
            found.push(word.into_iter().map(str::to_owned).collect());
            continue;
        }
        for next in all.iter().filter(|one| !word.contains(*one)) {
            if all.iter().all(|one| !is_before(one, next) || word.contains(one)) {
                open.push(word.iter().copied().chain([*next]).collect());
            }
        }
    }
    found
}

/// A walk through few states that follows a word, with something else in between.
fn walk(numbers: &mut Random, words: &[Vec<String>]) -> Edges {
    let word = &words[numbers.below(words.len())];
    let mut at = 0;
    let mut edges = Edges::new();
    for token in word.iter().filter(|token| !token.starts_with('{')) {
        if numbers.below(3) == 0 {
            let to = numbers.below(4);
            edges.push((at, String::new(), to));
            at = to;
        }
        let to = numbers.below(4);
        edges.push((at, token.clone(), to));
        at = to;
    }
    let events: Vec<String> = edges.iter().map(|(_, event, _)| event.clone()).collect();
    for _ in 0..numbers.below(4) {
        edges.push((numbers.below(4), events[numbers.below(events.len())].clone(), numbers.below(4)));
    }
    edges
}

#[test]
fn guards_are_asked_on_their_lifelines() {
    let mut seen: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for seed in seeds(400) {
        let mut numbers = Random::new(seed);
        let (text, ways) = SCENARIOS[numbers.below(SCENARIOS.len())];
        let words: Vec<Vec<String>> = ways.iter().flat_map(|chains| orders(chains)).collect();
        let edges = walk(&mut numbers, &words);
        let (model, system) = (diagram::model(text), system(&edges));
        for quantifier in [Quantifier::Possible, Quantifier::Required, Quantifier::Forbidden] {
            for anchor in [Anchor::Anywhere, Anchor::Start] {
                let asked = Asked { quantifier, anchor, alphabet: Alphabet::All, within: None };
                let matters = edges.iter().map(|(_, event, _)| (event.clone(), true)).collect();
                let naive = Naive { edges: &edges, words: words.clone(), matters, asked };
                let expected = naive.holds();
                assert_eq!(holds(&model, &system, asked), expected, "{seed} {text} {edges:?} {asked:?}");
                *seen.entry((format!("{quantifier:?}"), expected)).or_default() += 1;
            }
        }
    }
    assert!(seen.len() == 6 && seen.values().all(|count| *count > 30), "{seen:?}");
}
