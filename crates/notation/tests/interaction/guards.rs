//! W225: guards that are never true.

use expect_test::{Expect, expect};
use sequent_kernel::diagnostic::Code;

fn check(diagram: &str, expected: Expect) {
    super::check(Code::UnsatisfiableGuard, diagram, expected);
}

/// Whether a guard by itself is found to be never true.
fn never(guard: &str) -> bool {
    let (_, found) = super::findings(&format!("opt {guard}\na -> b : m\nend"));
    found.iter().any(|finding| finding.code == Code::UnsatisfiableGuard)
}

#[test]
fn guards_that_contradict_themselves() {
    for guard in [
        "false",
        "x > 5 and x < 3",
        "a and not a",
        "x == 1 and x == 2",
        "x >= 2 and x <= 1",
        "x < y and y < z and z < x",
        "x == y and x != y",
        "name == \"a\" and name == \"b\"",
        "colour == Red and colour == Blue",
        "not (x > 3 or x <= 3)",
        "1 > 2",
        "x > -1 and x < -1",
        "ok == true and ok == false",
        "f(x) and not f(x)",
        "x > 1 and (y and x < 0)",
    ] {
        assert!(never(guard), "{guard}");
    }
}

#[test]
fn guards_that_may_be_true() {
    for guard in [
        "true",
        "x > 1 and x < 2",
        "x > 5 or x < 3",
        "x < y and y < z",
        "x == y and y == 3",
        "x + 1 > 5 and x < 3",
        "f(x) and not f(y)",
        "name == \"a\" or name == \"b\"",
        "colour == Red and shade == Blue",
        "x and x > 3",
        "\"a\" == \"b\"",
        "x > 9223372036854775806",
        "a and b and c and d and e and f and g and h and i and j and k and l and m and n and o and p and q",
        "card is valid",
        "x == Red and Red == Blue",
        "x == y and x == z and y != 3",
    ] {
        assert!(!never(guard), "{guard}");
    }
}

#[test]
fn guards_against_those_around_them() {
    check(
        "alt !a\nopt a\nx -> y : m\nend\nend",
        expect![[r#"
        warning line 2: `a` is never true here: it stands inside `!a`
          line 1: this holds here
          hint: the same words mean the same throughout a run: word one of the guards otherwise, or remove the operand
    "#]],
    );
    check(
        "alt paid\nx -> y : m1\nelse\nx -> y : m2\nopt paid\nx -> y : m3\nend\nend",
        expect![[r#"
        warning line 5: `paid` is never true here: it stands where `paid` is false
          line 1: this is false here
          hint: the same words mean the same throughout a run: word one of the guards otherwise, or remove the operand
    "#]],
    );
    check(
        "alt true\nx -> y : m1\nelse\nx -> y : m2\nend",
        expect![[r#"
        warning line 3: this `else` is never reached: one of the other guards is always true
          line 1: a guard it is the alternative to
          hint: correct the guards, or remove the operand: it never runs
    "#]],
    );
    check(
        "alt n > 3\nx -> y : m1\nelse n <= 3\nx -> y : m2\nelse\nx -> y : m3\nend",
        expect![[r#"
        warning line 5: this `else` is never reached: one of the other guards is always true
          line 1: a guard it is the alternative to
          line 3: a guard it is the alternative to
          hint: correct the guards, or remove the operand: it never runs
    "#]],
    );
    check(
        "opt n > 3\nopt n < 2\nx -> y : m\nend\nend",
        expect![[r#"
        warning line 2: `n < 2` is never true here: it stands inside `n > 3`
          line 1: this holds here
          hint: correct one of the guards, or remove the operand: it never runs
    "#]],
    );
    check(
        "opt n > k\nopt k > j\nopt j > n\nx -> y : m\nend\nend\nend",
        expect![[r#"
        warning line 3: `j > n` is never true here: the guards around it rule it out
          line 1: this holds here
          line 2: this holds here
          hint: correct one of the guards, or remove the operand: it never runs
    "#]],
    );
}

#[test]
fn what_may_have_changed_is_not_used() {
    super::silent(
        Code::UnsatisfiableGuard,
        &[
            // Data, when something has happened in between.
            "opt n > 3\nx -> y : m1\nopt n < 2\nx -> y : m2\nend\nend",
            "loop n < 3\nx -> y : m1\nopt n >= 3\nx -> y : m2\nend\nend",
            // Propositions, in another round.
            "opt a\nloop\nopt !a\nx -> y : m\nend\nend\nend",
            "loop more\nx -> y : m1\nopt !more\nx -> y : m2\nend\nend",
            // That propositions of one alternative exclude each other is left to a search (W227).
            "alt paid\nx -> y : m1\nopt refused\nx -> y : m2\nend\nelse refused\nx -> y : m3\nend",
            // A case of its own, not the opposite of another one.
            "alt found\nopt not found\nx -> y : m\nend\nend",
            // Other operands, other fragments.
            "alt a\nx -> y : m1\nelse !a\nx -> y : m2\nend\nopt !a\nx -> y : m3\nend",
            "alt\nelse\nend\nopt\nend",
        ],
    );
}

/// `not` beside a text of another fragment looks like its negation, and is a text of its own.
#[test]
fn texts_that_are_meant_as_negations() {
    let check = |diagram: &str, expected: Expect| super::check(Code::SingleAlternative, diagram, expected);
    check(
        "opt paid\na -> b : m\nend\nopt not paid\na -> b : k\nend",
        expect![[r#"
        hint line 4: `not paid` is a text of its own, and may be true together with `paid`
          line 1: the text that it negates
          hint: write `!paid`, which is the negation
    "#]],
    );
    check(
        "opt card is valid\na -> b : m\nend\nopt card is not valid\na -> b : k\nend",
        expect![[r#"
        hint line 4: `card is not valid` is a text of its own, and may be true together with `card is valid`
          line 1: the text that it negates
          hint: draw both as the operands of one `alt`, with `else` for the negation
    "#]],
    );
    super::silent(
        Code::SingleAlternative,
        &[
            "opt paid\na -> b : m\nend\nopt !paid\na -> b : k\nend",
            "opt paid\na -> b : m\nend\nopt not (paid)\na -> b : k\nend",
            "alt paid\na -> b : m\nelse not paid\na -> b : k\nend",
            "opt paid\na -> b : m\nend\nopt not refused\na -> b : k\nend",
            "loop paid\na -> b : m\nend\nloop not paid\na -> b : k\nend",
        ],
    );
}
