//! Where the formulas printed in P0 say something else than its text and figures: docs/templates.md, corrections 1 to 6.
//!
//! Positions begin with the first occurrence, as in the paper.

use sequent_kernel::id::Id;
use sequent_kernel::source::{FileId, Span};
use sequent_notation::formula::parse;

use crate::progress::Table;

/// Whether a formula holds on a word; `s1` stands for the sending of m1, `p U~ q` for `p U (q & p)`.
fn holds(formula: &str, word: &str) -> bool {
    let event = |name: &str| {
        let (sign, number) = name.split_at(1);
        format!("{}a->b:m{number}", if sign == "s" { '!' } else { '?' })
    };
    let mut text = formula.to_owned();
    for sign in ["s", "r"] {
        for number in 1..9 {
            let name = format!("{sign}{number}");
            text = text.replace(&name, &format!("\"{}\"", event(&name)));
        }
    }
    let formula = parse(&text, Span::new(FileId::from_index(0), 0, text.len())).expect("a formula");
    let mut table = Table::new();
    let mut walker = table.walker(&formula);
    for name in word.split_whitespace() {
        walker = table.read_on(&walker, Some(&event(name)));
    }
    table.holds_at_end(&walker)
}

#[test]
fn alpha_with_the_strict_until_never_holds() {
    let printed = "!s1 U ((s1 & X G !s1) & !s1)";
    let used = "!s1 U (s1 & X G !s1)";
    for word in ["s1", "s1 r1", "r1 s1", ""] {
        assert!(!holds(printed, word), "{word}");
        assert_eq!(holds(used, word), word.contains("s1"), "{word}");
    }
}

#[test]
fn the_strict_until_forbids_what_may_be_first() {
    // `opt c { s1 .. }; s2` where c is false: nothing that precedes s2 can happen.
    assert!(!holds("!s2 U (true & !s2)", "s2"));
    assert!(holds("!s2 W true", "s2"));
}

#[test]
fn delta_of_the_appendix_forbids_what_follows_at_once() {
    // The region is s1 s2, s3 is outside.
    let printed = "G ((s1 | s2) -> (!s3 U (G !s1 & G !s2 & !s3)))";
    let used = "G ((s1 | s2) -> (!s3 U (O s1 & O s2 & !s3)))";
    assert!(!holds(printed, "s1 s2 s3") && holds(used, "s1 s2 s3"));
    assert!(holds(printed, "s1 s2") && holds(used, "s1 s2"));
    assert!(!holds(printed, "s1 s3 s2") && !holds(used, "s1 s3 s2"));
}

#[test]
fn lambda_forbids_what_follows() {
    // s1 precedes the assertion, s2 stands in it, s3 follows.
    let printed = "G (O s1 -> ((!s1 & !s3) U (O s2 & !s1 & !s3)))";
    let used = "G (Y O s1 -> ((!s1 & !s3) U Y O s2))";
    assert!(!holds(printed, "s1 s2 s3") && holds(used, "s1 s2 s3"));
    assert!(!holds(printed, "s1 s2"), "the preceding occurrence itself is one of the others");
    assert!(holds(used, "s3 s1 s2") && !holds(used, "s1 s3 s2"));
}
