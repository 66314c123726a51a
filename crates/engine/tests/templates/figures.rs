//! The figures of P0: as many traces as they have, and no template of which could be left out.

use std::collections::BTreeMap;

use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::templates::{TemplateLetter, Tense};

use crate::compare::{Outcome, compare, compare_without};
use crate::diagram::model;

pub(crate) fn assume(guards: &[(&str, bool)], switches: &[&str]) -> Assumptions {
    let mut set = Switches::default();
    for switch in switches {
        let (name, value) = switch.split_once('=').expect("a name and a value");
        set.set(name, value).expect("a switch");
    }
    let guards: BTreeMap<String, bool> =
        guards.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Assumptions { switches: set, guards, ..Assumptions::default() }
}

/// Checks that both sides have so many traces.
fn check(text: &str, guards: &[(&str, bool)], switches: &[&str], expected: u128) {
    for tense in [Tense::Past, Tense::Future] {
        match compare(&model(text), &assume(guards, switches), tense) {
            Outcome::Equal(count) => assert_eq!(count, expected, "{text} {guards:?} {switches:?}"),
            other => panic!("{text} {guards:?} {switches:?}: {other:?}"),
        }
    }
}

/// Checks that both sides have the same traces, under default, mu and nu.
fn agree(text: &str) {
    agree_with(text, &[]);
}

/// The same with more switches set.
fn agree_with(text: &str, more: &[&str]) {
    for switches in [&[][..], &["first=on"], &["joined=strictly"], &["guards=independent"]] {
        let switches = &[switches, more].concat()[..];
        for tense in [Tense::Past, Tense::Future] {
            match compare(&model(text), &assume(&[], switches), tense) {
                Outcome::Equal(_) => {}
                other => panic!("{text} {switches:?}: {other:?}"),
            }
        }
    }
}

pub(crate) const FIGURE_1A: &str = "L1 ->> L2 : m1\nL3 ->> L2 : m2\nL3 ->> L2 : m3\n";

pub(crate) const FIGURE_1B: &str = "L1 ->> L2 : m1\npar [cond1]\nL2 ->> L1 : m2\ncritical [cond3]\nL3 ->> L2 : m3\nL2 ->> L3 : m4\n\
    end\nelse [cond2]\nL1 ->> L2 : m5\nL3 ->> L2 : m6\nend\nL1 ->> L2 : m7\n";

const FIGURE_8: &str = "L1 ->> L2 : m1\nopt cond1\nL2 ->> L3 : m2\nL3 ->> L1 : m3\nend\nL1 ->> L2 : m4\n";

const FIGURE_9: &str = "L1 ->> L2 : m1\nalt cond1\nL2 ->> L3 : m2\nelse cond2\nL2 ->> L3 : m3\nelse cond3\nL2 ->> L3 : m4\nend\n";

const FIGURE_11: &str = "par [cond1]\nL1 ->> L2 : m1\nbreak cond3\nL2 ->> L1 : m2\nend\nL1 ->> L2 : m3\nelse [cond2]\nL3 ->> L2 : m4\nend\n";

const FIGURE_12: &str = "par [cond1]\nL1 ->> L2 : m1\nalt cond3\nL2 ->> L1 : m2\nelse\nL1 ->> L2 : m3\nend\nelse [cond2]\nL3 ->> L2 : m4\nend\n";

const FIGURE_14: &str = "loop 3 times\nL1 ->> L2 : m1\nL2 ->> L3 : m2\nL3 ->> L1 : m3\nend\n";

const FIGURE_17: &str = "group neg [cond1]\nL1 ->> L2 : m1\nL3 ->> L2 : m2\nend\n";

const FIGURE_18: &str = "par\nL2 ->> L3 : m2\ngroup assert\nL3 ->> L2 : m3\nL2 ->> L3 : m4\nend\nelse\nL1 ->> L2 : m5\nL3 ->> L2 : m6\nend\n";

const FIGURE_20: &str =
    "group seq\nL1 ->> L2 : m1\nL2 ->> L3 : m2\nL1 ->> L3 : m3\nelse\nL1 ->> L2 : m4\nend\n";

const FIGURE_23: &str = "group coregion L2\nL1 ->> L2 : m3\nL3 ->> L2 : m4\nend\n";

const FIGURE_24: &str =
    "L1 ->> L2 : m1\ngroup ignore {m3}\nL2 ->> L3 : m2\nend\nopt false\nL2 ->> L3 : m3\nend\n";

const FIGURE_25: &str = "L1 ->> L2 : m1\ngroup consider {m2, m3, m5}\nL2 ->> L3 : m2\nL2 ->> L3 : m3\nend\n\
    opt false\nL2 ->> L3 : m5\nend\nopt false\nL2 ->> L3 : m6\nend\n";

const FIGURE_28: &str = "L1 ->> L3 : m1\ngroup neg\nL1 ->> L2 : m2\nend\nL3 ->> L2 : m3\n";

const FIGURE_32: &str = "opt cond1\npar\nL1 ->> L2 : m1\nelse\nL1 ->> L2 : m2\nend\nend\n";

const FIGURE_37: &str =
    "L1 -> L2 : m1\nL2 -> L3 : m2\nL3 -> L1 : m3\nL2 --> L1 : rep1\nL3 --> L2 : rep2\nL1 --> L3 : rep3\n";

#[test]
fn figure_1a() {
    check(FIGURE_1A, &[], &[], 9);
    check(&format!("{FIGURE_1A}' @order !m1 < !m2\n"), &[], &[], 5);
}

#[test]
fn figure_1b_in_all_valuations() {
    let rows = [
        ((true, true, true), 23_747, 5_867),
        ((true, true, false), 73, 25),
        ((true, false, true), 207, 118),
        ((true, false, false), 1, 1),
        ((false, true, true), 40, 23),
        ((false, true, false), 2, 2),
    ];
    for ((cond1, cond3, cond2), free, guarded) in rows {
        let guards = [("cond1", cond1), ("cond3", cond3), ("cond2", cond2)];
        check(FIGURE_1B, &guards, &[], free);
        check(FIGURE_1B, &guards, &["first=on"], guarded);
    }
    agree(FIGURE_1B);
}

#[test]
fn figures_8_to_12_choices() {
    check(FIGURE_8, &[("cond1", true)], &[], 1);
    check(FIGURE_8, &[("cond1", false)], &[], 2);
    check(FIGURE_8, &[], &[], 3);
    for ((one, two, three), expected) in
        [((true, false, true), 2), ((false, false, false), 1), ((true, true, true), 3)]
    {
        let guards = [("cond1", one), ("cond2", two), ("cond3", three)];
        check(FIGURE_9, &guards, &["guards=independent"], expected);
    }
    check(FIGURE_9, &[], &[], 3);
    for (value, expected) in [(true, 15), (false, 30)] {
        let guards = [("cond1", true), ("cond2", true), ("cond3", value)];
        check(FIGURE_11, &guards, &[], expected);
        check(FIGURE_12, &guards, &[], expected);
    }
    [FIGURE_8, FIGURE_9, FIGURE_11, FIGURE_12].into_iter().for_each(agree);
}

#[test]
fn figure_14_and_other_loops() {
    check(FIGURE_14, &[], &[], 1);
    check(&FIGURE_14.replace("3 times", "(1,3)"), &[], &[], 3);
    check(&FIGURE_14.replace("3 times", "(1,3) more"), &[], &[], 3);
    check("loop 3 times\na ->> b : a\na ->> b : b\nend\n", &[], &[], 132);
    agree(
        "loop (0,2)\na ->> b : m\nopt enough\nb ->> c : n\nend\nbreak over\na ->> c : x\nend\na ->> b : k\nend\n",
    );
    agree("group sloop (1,2)\na ->> b : m\nc ->> b : n\nend\n");
}

#[test]
fn figures_17_and_28_with_the_runs_through_a_negation() {
    // Skipped, or one of the three.
    check(FIGURE_17, &[("cond1", true)], &[], 4);
    check(FIGURE_17, &[("cond1", false)], &[], 1);
    check(FIGURE_28, &[], &[], 7);
    let valid = Assumptions { without_negatives: true, ..Assumptions::default() };
    assert!(matches!(compare(&model(FIGURE_28), &valid, Tense::Past), Outcome::Equal(1)));
}

#[test]
fn figures_18_to_23_regions_and_sequences() {
    check(FIGURE_18, &[], &[], 77);
    check(&FIGURE_18.replace("assert", "seq"), &[], &[], 630);
    check(FIGURE_20, &[], &[], 30);
    check(&FIGURE_20.replace("seq", "strict"), &[], &[], 4);
    check(FIGURE_23, &[], &[], 6);
    check(&FIGURE_23.replace("L3", "L1"), &[], &[], 3);
    [FIGURE_18, FIGURE_20, FIGURE_23].into_iter().for_each(agree);
    agree(&FIGURE_20.replace("seq", "strict"));
    agree("group strict\na ->> b : m\nelse [c]\na ->> b : k\nelse\nc ->> d : n\nend\n");
}

#[test]
fn figures_24_and_25_ignored_messages() {
    check(FIGURE_24, &[], &["ignored=1"], 7);
    check(FIGURE_24, &[], &["ignored=2"], 37);
    agree_with(FIGURE_24, &["ignored=1"]);
    agree_with(FIGURE_25, &["ignored=1"]);
    agree_with(FIGURE_24, &["ignored=3"]);
}

#[test]
fn figures_32_and_37() {
    check(FIGURE_32, &[("cond1", true)], &["first=on"], 6);
    check(FIGURE_37, &[], &["calls=blocking"], 0);
    agree(FIGURE_37);
    check("a -> b : m\nb ->> a : n\nb --> a : r\n", &[], &["calls=blocking"], 0);
    check("par\na -> b : m\nb --> a : r\nelse\nb ->> a : n\nend\n", &[], &["calls=blocking"], 6);
    check("par\na -> b : m\nb --> a : r\nelse\nb ->> a : n\nend\n", &[], &[], 15);
}

/// Epsilon is not among them: words of ours have one occurrence at each position, and no pauses.
#[test]
fn no_other_letter_could_be_left_out() {
    // The operand that runs does not touch b, but the alternative does.
    let beside = "b ->> a : m\nalt c\na ->> d : n\nelse\na ->> b : x\nend\nb ->> a : k\n";
    let cases: &[(TemplateLetter, &str, &[&str])] = &[
        (TemplateLetter::Alpha, FIGURE_1A, &[]),
        (TemplateLetter::Beta, FIGURE_1A, &[]),
        (TemplateLetter::Gamma, FIGURE_1B, &[]),
        (TemplateLetter::Delta, FIGURE_1B, &[]),
        (TemplateLetter::Eta, beside, &[]),
        (TemplateLetter::Kappa, "loop 2 times\na ->> b : m\nend\n", &[]),
        (TemplateLetter::Lambda, FIGURE_18, &[]),
        (TemplateLetter::Chi, "group strict\na ->> b : m\nelse\nc ->> d : n\nend\n", &[]),
        (TemplateLetter::Nu, "a ->> b : m\ngroup seq\nc ->> d : n\nend\n", &["joined=strictly"]),
        (TemplateLetter::Mu, "opt c\na ->> b : m\nd ->> c : n\nend\n", &["first=on"]),
        (TemplateLetter::Upsilon, "a ->> b : m\nc ->> d : n\n' @order ?m < !n\n", &[]),
        (TemplateLetter::Xi, FIGURE_37, &["calls=blocking"]),
        (TemplateLetter::Iota, "a ->> b : m\nhnote over b, c : fine\nc ->> d : n\n", &[]),
        (TemplateLetter::Cond, FIGURE_8, &[]),
        (TemplateLetter::Exe, FIGURE_9, &[]),
    ];
    for (letter, text, switches) in cases {
        let (model, assumptions) = (model(text), assume(&[], switches));
        let whole = compare(&model, &assumptions, Tense::Past);
        assert!(matches!(whole, Outcome::Equal(_)), "{text} {whole:?}");
        let less = compare_without(&model, &assumptions, Tense::Past, Some(*letter));
        assert!(matches!(less, Outcome::Differs(_)), "without {letter:?} {text} is the same: {less:?}");
    }
}
