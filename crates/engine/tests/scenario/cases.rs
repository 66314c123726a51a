//! Cases in which a verdict is easily wrong.

use sequent_kernel::model::{Alphabet, Anchor, Quantifier};

use crate::diagram::model;
use crate::walk::{Asked, edges, holds, system};

/// Possible, required: for some edges and a scenario, with an anchor and an alphabet.
fn check(text: &str, walk: &[(usize, &str, usize)], anchor: Anchor, alphabet: Alphabet) -> (bool, bool) {
    let (model, system) = (model(text), system(&edges(walk)));
    let ask = |quantifier| holds(&model, &system, Asked { quantifier, anchor, alphabet, within: None });
    let possible = ask(Quantifier::Possible);
    assert_eq!(ask(Quantifier::Forbidden), !possible);
    let required = ask(Quantifier::Required);
    assert!(possible || !required, "what every run has some run has");
    (possible, required)
}

const NO: (bool, bool) = (false, false);
const MAY: (bool, bool) = (true, false);
const MUST: (bool, bool) = (true, true);

use Alphabet::{All, Channels, Own, OwnObjects};
use Anchor::{Anywhere, Start};

/// Amount, debit, result, money (P1, figure 5).
const FIGURE_5: &str = "u ->> a : amount\na ->> b : debit\nb ->> a : result(ok=false)\na ->> u : money\n";

#[test]
fn an_attempt_that_fails_may_be_the_beginning_of_another() {
    let [a, d, r, m] = ["u->a:amount", "a->b:debit", "b->a:result(false)", "a->u:money"];
    for walk in [
        vec![a, a, d, r, m],
        vec![a, d, a, d, r, m],
        vec![a, d, r, a, d, r, m],
        vec![a, d, r, m],
        vec![m, a, d, r, m, m],
    ] {
        let edges: Vec<(usize, &str, usize)> =
            walk.iter().enumerate().map(|(at, text)| (at, *text, at + 1)).collect();
        assert_eq!(check(FIGURE_5, &edges, Anywhere, All), MUST, "{walk:?}");
    }
    for walk in [vec![a, d, m, r], vec![a, d, r, r, m], vec![a, d, "b->a:result(true)", m], vec![a, d, r]] {
        let edges: Vec<(usize, &str, usize)> =
            walk.iter().enumerate().map(|(at, text)| (at, *text, at + 1)).collect();
        assert_eq!(check(FIGURE_5, &edges, Anywhere, All), NO, "{walk:?}");
    }
}

#[test]
fn the_start_is_the_only_beginning_where_that_is_asked() {
    let text = "a ->> b : m\n";
    assert_eq!(check(text, &[(0, "a->b:m", 1)], Start, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:n", 1), (1, "a->b:m", 2)], Start, All), NO);
    assert_eq!(check(text, &[(0, "a->b:n", 1), (1, "a->b:m", 2)], Start, Own), MUST);
    assert_eq!(check(text, &[(0, "", 1), (1, "a->b:m", 2)], Start, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:n", 1), (1, "a->b:m", 2)], Anywhere, All), MUST);
}

#[test]
fn alphabets_say_what_may_lie_in_between() {
    let text = "a ->> b : m\na ->> b : n\n";
    let between = |event: &'static str| vec![(0, "a->b:m", 1), (1, event, 2), (2, "a->b:n", 3)];
    for (event, all, own, channels, objects) in [
        ("a->b:x", NO, MUST, MUST, NO),
        ("a->c:x", NO, MUST, MUST, MUST),
        ("c->d:m", NO, MUST, NO, MUST),
        ("b->a:m", NO, MUST, NO, NO),
        ("a->b:m", MUST, MUST, MUST, MUST),
    ] {
        let walk = between(event);
        for (alphabet, expected) in [(All, all), (Own, own), (Channels, channels), (OwnObjects, objects)] {
            assert_eq!(check(text, &walk, Anywhere, alphabet), expected, "{event} {alphabet:?}");
        }
    }
}

#[test]
fn a_drawn_object_without_messages_is_one_of_its_own() {
    let text = "participant c\na ->> b : m\na ->> b : n\n";
    let walk = [(0, "a->b:m", 1), (1, "a->c:x", 2), (2, "a->b:n", 3)];
    assert_eq!(check(text, &walk, Anywhere, OwnObjects), NO);
    assert_eq!(check(text, &walk, Anywhere, Own), MUST);
}

#[test]
fn unordered_arrows_have_two_words_and_the_weakest_reading() {
    let text = "a ->> b : x\nc ->> d : y\n";
    let [x, y] = ["a->b:x", "c->d:y"];
    assert_eq!(check(text, &[(0, x, 1), (1, y, 2)], Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, y, 1), (1, x, 2)], Anywhere, All), MUST);
    // Each run has one of the words, no word is in all runs.
    assert_eq!(check(text, &[(0, x, 1), (1, y, 2), (0, y, 3), (3, x, 4)], Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, x, 1), (1, y, 2), (0, y, 3), (3, y, 4)], Anywhere, All), MAY);
}

#[test]
fn a_run_that_never_comes_there_misses_it() {
    let text = "a ->> b : m\n";
    // Going round, stuck, and going round unseen.
    assert_eq!(check(text, &[(0, "a->b:n", 0), (0, "a->b:m", 1)], Anywhere, All), MAY);
    assert_eq!(check(text, &[(0, "a->b:n", 2), (0, "a->b:m", 1)], Anywhere, All), MAY);
    assert_eq!(check(text, &[(0, "", 2), (2, "", 2), (0, "a->b:m", 1)], Anywhere, All), MAY);
    assert_eq!(check(text, &[(0, "", 2), (2, "a->b:m", 3), (0, "a->b:m", 1)], Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:n", 1), (1, "a->b:m", 0)], Anywhere, All), MUST);
}

#[test]
fn queues_show_sending_and_receipt() {
    let text = "a ->> b : m\na ->> b : n\n";
    let walk = [(0, "!a->b:m", 1), (1, "!a->b:n", 2), (2, "?a->b:m", 3), (3, "?a->b:n", 4)];
    assert_eq!(check(text, &walk, Anywhere, All), MUST);
    let walk = [(0, "!a->b:m", 1), (1, "!a->b:n", 2), (2, "?a->b:n", 3), (3, "?a->b:m", 4)];
    assert_eq!(check(text, &walk, Anywhere, All), NO);
}

#[test]
fn receipts_of_the_environment_happen_unseen() {
    let text = "a ->> env : m\nenv ->> a : n\na ->> env : o\n";
    let walk = [(0, "!a->env:m", 1), (1, "!env->a:n", 2), (2, "?env->a:n", 3), (3, "!a->env:o", 4)];
    assert_eq!(check(text, &walk, Anywhere, All), MUST);
    // What is sent before the other has come is sent too early.
    let walk = [(0, "!env->a:n", 1), (1, "!a->env:m", 2), (2, "?env->a:n", 3), (3, "!a->env:o", 4)];
    assert_eq!(check(text, &walk, Anywhere, All), NO);
}

#[test]
fn found_and_lost_messages_have_one_end() {
    let text = "[->> a : m\na ->>] : n\n";
    let walk = [(0, "!->a:m", 1), (1, "?->a:m", 2), (2, "!a->:n", 3)];
    assert_eq!(check(text, &walk, Anywhere, All), MUST);
    let walk = [(0, "!b->a:m", 1), (1, "?b->a:m", 2), (2, "!a->b:n", 3), (3, "?a->b:n", 4)];
    assert_eq!(check(text, &walk, Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, "b->a:m", 1), (1, "a->c:n", 2)], Anywhere, All), MUST);
}

#[test]
fn several_events_of_one_step_come_one_after_the_other() {
    let text = "a ->> b : m\na ->> c : n\n";
    assert_eq!(check(text, &[(0, "a->b:m+a->c:n", 1)], Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, "a->c:n+a->b:m", 1)], Anywhere, All), NO);
    assert_eq!(check("a ->> b : m\n", &[(0, "a->b:m+a->c:n", 1)], Anywhere, All), MUST);
    assert_eq!(check("a ->> c : n\n", &[(0, "a->b:m+a->c:n", 1)], Start, All), NO);
}

#[test]
fn ignored_types_do_not_matter_and_considered_ones_do() {
    let text = "group ignore {i}\na ->> b : m\na ->> b : n\nend\n";
    let walk = |event: &'static str| [(0, "a->b:m", 1), (1, event, 2), (2, "a->b:n", 3)];
    assert_eq!(check(text, &walk("c->d:i"), Start, All), MUST);
    assert_eq!(check(text, &walk("c->d:o"), Start, All), NO);
    assert_eq!(check(text, &[(0, "a->b:i", 1), (1, "a->b:m", 2), (2, "a->b:n", 3)], Start, All), MUST);
    let text = "group consider {m, n, c}\na ->> b : m\na ->> b : n\nend\n";
    assert_eq!(check(text, &walk("c->d:i"), Start, All), MUST);
    assert_eq!(check(text, &walk("c->d:c"), Start, All), NO);
    // What does not matter in the alphabet does not matter inside of a `consider` either.
    assert_eq!(check(text, &walk("c->d:c"), Start, Own), MUST);
    // It is in force where it stands, not above.
    let text = "a ->> b : l\ngroup ignore {i}\na ->> b : m\na ->> b : n\nend\n";
    let walk = |at: usize| {
        let mut texts = vec!["a->b:l", "a->b:m", "a->b:n"];
        texts.insert(at, "a->b:i");
        texts.into_iter().enumerate().map(|(at, text)| (at, text, at + 1)).collect::<Vec<_>>()
    };
    assert_eq!([0, 1, 2, 3].map(|at| check(text, &walk(at), Start, All)), [NO, MUST, MUST, MUST]);
}

#[test]
fn arguments_match_by_place_and_by_name() {
    let walk = |text: &'static str| [(0, text, 1)];
    for (asked, expected) in [
        ("m", MUST),
        ("m(3)", MUST),
        ("m(ok=3)", MUST),
        ("m {ok=3}", MUST),
        ("m(?)", MUST),
        ("m(ok)", MUST),
        ("m(4)", NO),
        ("m(ok=4)", NO),
        ("m(no=3)", NO),
        ("m(3,4)", NO),
    ] {
        assert_eq!(
            check(&format!("a ->> b : {asked}\n"), &walk("a->b:m(3)"), Anywhere, All),
            expected,
            "{asked}"
        );
    }
}

#[test]
fn invariants_hold_at_some_moment_between_their_neighbours() {
    let text = "a ->> b : m\nhnote over a : s2\na ->> b : n\n";
    assert_eq!(
        check(text, &[(0, "a->b:m", 1), (1, "", 2), (2, "", 3), (3, "a->b:n", 4)], Anywhere, All),
        MUST
    );
    assert_eq!(check(text, &[(0, "a->b:m", 2), (2, "a->b:n", 4)], Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:m", 1), (1, "a->b:n", 2), (2, "", 3)], Anywhere, All), NO);
    assert_eq!(
        check(text, &[(0, "a->b:m", 1), (1, "c->d:x", 2), (2, "c->d:y", 3), (3, "a->b:n", 4)], Anywhere, Own),
        MUST
    );
    let text = "hnote over a : s2\n";
    assert_eq!(check(text, &[(0, "a->b:m", 1), (1, "", 2)], Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:m", 1), (1, "", 2)], Start, All), NO);
    assert_eq!(check(text, &[(0, "", 1), (1, "", 2)], Start, All), MUST);
    // P3, figure 5(a).
    let text = "group ignore {m}\nhnote over a : s2\nend\n";
    assert_eq!(check(text, &[(0, "a->b:m", 1), (1, "", 2)], Start, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:n", 1), (1, "", 2)], Start, All), NO);
}

#[test]
fn guards_over_data_are_asked_of_the_objects() {
    let text = "a ->> b : l\nalt s1\na ->> b : m\nelse s2\na ->> b : n\nend\n";
    let walk = |at: usize, text: &'static str| [(0, "a->b:l", at), (at, text, 3)];
    assert_eq!(check(text, &walk(1, "a->b:m"), Start, All), MUST);
    assert_eq!(check(text, &walk(2, "a->b:m"), Start, All), NO);
    assert_eq!(check(text, &walk(2, "a->b:n"), Start, All), MUST);
    // None is true, and none runs.
    assert_eq!(check(text, &walk(4, "a->b:o"), Start, All), MUST);
    let text = "a ->> b : l\nopt s1\na ->> b : m\nend\na ->> b : n\n";
    assert_eq!(check(text, &[(0, "a->b:l", 1), (1, "a->b:n", 2)], Start, All), NO);
    assert_eq!(check(text, &[(0, "a->b:l", 1), (1, "a->b:m", 2), (2, "a->b:n", 3)], Start, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:l", 2), (2, "a->b:n", 3)], Start, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:l", 1), (1, "", 2), (2, "a->b:n", 3)], Start, All), MUST);
}

#[test]
fn what_must_not_end_goes_on_forever() {
    // P3, figure 5(b), observed strictly, by what is mentioned, and with what is ignored.
    let text = "loop (inf)\na ->> b : m\nb ->> a : n\nend\n";
    let walk = [(0, "a->b:m", 1), (1, "b->a:n", 2), (2, "a->b:o", 0)];
    assert_eq!(check(text, &walk, Start, All), NO);
    assert_eq!(check(text, &walk, Start, Own), MUST);
    let ignoring = format!("group ignore {{o}}\n{text}end\n");
    assert_eq!(check(&ignoring, &walk, Start, All), MUST);
    let walk = [(0, "a->b:m", 1), (1, "b->a:n", 0), (1, "b->a:o", 2)];
    assert_eq!(check(text, &walk, Start, Own), MAY);
    let walk = [(0, "a->b:m", 1), (1, "b->a:n", 0), (1, "b->a:o", 1)];
    assert_eq!(check(text, &walk, Start, Own), MAY);
    assert_eq!(check(text, &walk, Start, All), MAY);
    assert_eq!(check(text, &[(0, "a->b:o", 1), (1, "a->b:m", 2), (2, "b->a:n", 1)], Anywhere, All), MUST);
    assert_eq!(check(text, &[(0, "a->b:o", 1), (1, "a->b:m", 2), (2, "b->a:n", 1)], Start, All), NO);
    // The lifelines drift apart and meet again.
    let walk = [(0, "!a->b:m", 1), (1, "?a->b:m", 2), (2, "!b->a:n", 3), (3, "?b->a:n", 0)];
    assert_eq!(check(text, &walk, Start, All), MUST);
}

#[test]
fn a_negative_part_is_no_match_and_not_is_anything_else() {
    let text = "a ->> b : m\ngroup neg\na ->> b : n\nend\n";
    assert_eq!(check(text, &[(0, "a->b:m", 1)], Anywhere, All), MUST);
    let text = "a ->> b : m\ngroup not\na ->> b : n\nend\na ->> b : o\n";
    let walk = |texts: &[&'static str]| -> Vec<(usize, &'static str, usize)> {
        texts.iter().enumerate().map(|(at, text)| (at, *text, at + 1)).collect()
    };
    let [m, n, o, p] = ["a->b:m", "a->b:n", "a->b:o", "a->b:p"];
    assert_eq!(check(text, &walk(&[m, n, o]), Start, All), NO);
    assert_eq!(check(text, &walk(&[m, o]), Start, All), MUST);
    assert_eq!(check(text, &walk(&[m, p, o]), Start, All), MUST);
    assert_eq!(check(text, &walk(&[m, n, n, o]), Start, All), MUST);
    assert_eq!(check(text, &walk(&[m, "c->d:p", o]), Start, All), MUST);
}

/// One question about every run.
fn every(
    quantifier: Quantifier,
    text: &str,
    walk: &[(usize, &str, usize)],
    anchor: Anchor,
    alphabet: Alphabet,
) -> bool {
    holds(&model(text), &system(&edges(walk)), Asked { quantifier, anchor, alphabet, within: None })
}

fn whenever(text: &str, walk: &[(usize, &str, usize)], anchor: Anchor, alphabet: Alphabet) -> bool {
    every(Quantifier::Whenever, text, walk, anchor, alphabet)
}

fn required(text: &str, walk: &[(usize, &str, usize)], anchor: Anchor, alphabet: Alphabet) -> bool {
    every(Quantifier::Required, text, walk, anchor, alphabet)
}

#[test]
fn an_assert_is_due_once_everything_above_it_is_over_on_all_lifelines() {
    // The `assert` stands on `a` and `c`; `b` has not received what stands above it.
    let text = "a ->> b : m\ngroup assert\na ->> c : n\nend\n";
    for alphabet in [All, Own, Channels, OwnObjects] {
        for anchor in [Anywhere, Start] {
            assert!(whenever(text, &[(0, "!a->b:m", 1), (1, "", 1)], anchor, alphabet));
            assert!(whenever(text, &[(0, "!a->b:m", 1)], anchor, alphabet));
            assert!(!whenever(text, &[(0, "!a->b:m", 1), (1, "?a->b:m", 2)], anchor, alphabet));
            let [early, late] = [["!a->c:n", "?a->b:m"], ["?a->b:m", "!a->c:n"]];
            for [second, third] in [early, late] {
                let walk = [(0, "!a->b:m", 1), (1, second, 2), (2, third, 3), (3, "?a->c:n", 4)];
                assert!(whenever(text, &walk, anchor, alphabet));
                assert!(!whenever(text, &walk[..3], anchor, alphabet));
            }
        }
    }
}

/// A step shows `q` and `p` at once; what every run must have may draw them in any order.
#[test]
fn every_run_has_the_messages_of_one_step_in_the_order_that_is_drawn() {
    let step = [(0, "a->b:q&a->c:p", 1), (1, "c->a:r", 2)];
    let [p, q, r] = ["a ->> c : p\n", "a ->> b : q\n", "c ->> a : r\n"];
    for order in [[p, q, r], [q, p, r]] {
        assert!(required(&order.concat(), &step, Start, All), "{order:?}");
        let text = format!("{}{}group assert\n{}end\n", order[0], order[1], order[2]);
        assert!(whenever(&text, &step, Start, All), "{order:?}");
        assert!(!whenever(&text, &step[..1], Start, All), "{order:?}");
        let within = format!("{}group assert\n{}{}end\n", order[0], order[1], order[2]);
        assert!(whenever(&within, &step, Start, All), "{order:?}");
    }
    // A part of a step is not the step.
    assert!(!required(&[p, r].concat(), &step, Anywhere, All));
    assert!(required(&[p, r].concat(), &step, Anywhere, Own));
    assert!(!required(&[r, p].concat(), &step, Anywhere, Own));
}
