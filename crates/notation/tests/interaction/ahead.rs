//! H224: loops in which one runs ahead.

use expect_test::{Expect, expect};
use sequent_kernel::diagnostic::Code;

fn check(diagram: &str, expected: Expect) {
    super::check(Code::RunAhead, diagram, expected);
}

fn silent(diagrams: &[&str]) {
    super::silent(Code::RunAhead, diagrams);
}

#[test]
fn one_sends_and_never_hears_back() {
    check(
        "loop\na ->> b : m\nend",
        expect![[r#"
            hint line 1: `a` may send `m` any number of times before `b` takes the first: nothing comes back in this loop
              line 2: `a` does not wait here
              hint: let `b` answer `a` in every round, or give the loop an upper bound
        "#]],
    );
    check(
        "loop\na ->> b : m1\nb ->> c : m2\nend",
        expect![[r#"
            hint line 1: `a` may send `m1` any number of times before `b` takes the first: nothing comes back in this loop
              line 2: `a` does not wait here
              line 3: here `b` runs ahead of `c` too
              hint: let `c` answer `a` in every round, or give the loop an upper bound
        "#]],
    );
    check(
        "loop\na ->> b : m1\nb ->> a : ok\nc ->> b : m2\nend",
        expect![[r#"
            hint line 1: `c` may send `m2` any number of times before `b` takes the first: nothing comes back in this loop
              line 4: `c` does not wait here
              hint: let `b` answer `c` in every round, or give the loop an upper bound
        "#]],
    );
    check("a -> b : list\nloop for all pages\nb --> a : page\nend", expect![""]);
}

#[test]
fn every_way_of_running_the_body_counts() {
    check(
        "loop\na ->> b : m\nopt x\nb ->> a : ok\nend\nend",
        expect![[r#"
            hint line 1: `a` may send `m` any number of times before `b` takes the first: nothing comes back in some rounds of this loop
              line 2: `a` does not wait here
              hint: let `b` answer `a` in every round, or give the loop an upper bound
        "#]],
    );
    check(
        "loop\npar\nalt x\nb ->> a : yes\nelse\nelse y\nb ->> a : no\nend\nelse\na ->> b : m\nend\nend",
        expect![[r#"
            hint line 1: `a` may send `m` any number of times before `b` takes the first: nothing comes back in some rounds of this loop
              line 10: `a` does not wait here
              hint: let `b` answer `a` in every round, or give the loop an upper bound
        "#]],
    );
    silent(&[
        "loop\na ->> b : m\nalt x\nb ->> a : yes\nelse\nb ->> a : no\nend\nend",
        "loop\nopt x\na ->> b : m\nb ->> a : ok\nend\nend",
        "loop\nbreak x\na ->> b : m\nend\nend",
    ]);
}

#[test]
fn an_inner_loop_speaks_for_the_outer() {
    check(
        "loop\nloop\na ->> b : m1\nend\nb ->> c : m2\nend",
        expect![[r#"
            hint line 1: `b` may send `m2` any number of times before `c` takes the first: nothing comes back in this loop
              line 5: `b` does not wait here
              hint: let `c` answer `b` in every round, or give the loop an upper bound
            hint line 2: `a` may send `m1` any number of times before `b` takes the first: nothing comes back in this loop
              line 3: `a` does not wait here
              hint: let `b` answer `a` in every round, or give the loop an upper bound
        "#]],
    );
    check(
        "loop\nloop 3 times\na ->> b : m1\nend\nend",
        expect![[r#"
            hint line 1: `a` may send `m1` any number of times before `b` takes the first: nothing comes back in this loop
              line 3: `a` does not wait here
              hint: let `b` answer `a` in every round, or give the loop an upper bound
        "#]],
    );
}

#[test]
fn what_is_bounded_or_waits() {
    silent(&[
        "loop 3 times\na ->> b : m\nend",
        "loop (0,5)\na ->> b : m\nend",
        "group sloop\na ->> b : m\nend",
        "loop\na -> b : call\nend",
        "loop\na -> b : call\nb --> a : reply\nend",
        "loop\na ->> b : m1\nb ->> c : m2\nc ->> a : m3\nend",
        "loop\na ->> a : m\na ->>] : lost\n[->> a : found\nend",
        "loop\na ->> b : m\nref over a, b : Other\nend",
        "loop\nend",
        "loop\ngroup neg\na ->> b : m\nend\nend",
        "a ->> b : m",
    ]);
}

#[test]
fn too_many_ways_are_taken_together() {
    let choices = "opt x\nb ->> a : m\nend\n".repeat(20);
    let others: String =
        (0..20).map(|index| format!("opt x\nc{index} ->> d : m\nd ->> c{index} : ok\nend\n")).collect();
    silent(&[format!("loop\na ->> b : m\n{choices}{others}end").as_str()]);
}
