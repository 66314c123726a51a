//! W222: messages that race.

use expect_test::{Expect, expect};
use sequent_kernel::diagnostic::Code;

fn check(diagram: &str, expected: Expect) {
    super::check(Code::Race, diagram, expected);
}

fn silent(diagrams: &[&str]) {
    super::silent(Code::Race, diagrams);
}

#[test]
fn two_ways_to_one_lifeline() {
    check(
        "a ->> b : m1\na ->> c : m2\nc ->> b : m3",
        expect![[r#"
            hint line 3: `m3` from `c` may reach `b` before `m1` from `a`, which is drawn above it
              line 1: nothing makes `c` wait until this has arrived
              hint: let `b` tell `c` that it has `m1` before `c` sends `m3`; if the order does not matter, draw both in a coregion of `b`
        "#]],
    );
    silent(&["a ->> b : one\nc ->> b : two"]);
}

#[test]
fn the_order_can_matter() {
    check(
        "a ->> b : m1\na ->> c : m2\nc ->> b : m3\nb ->> d : m4",
        expect![[r#"
        warning line 3: `m3` from `c` may reach `b` before `m1` from `a`, which is drawn above it
          line 1: nothing makes `c` wait until this has arrived
          hint: let `b` tell `c` that it has `m1` before `c` sends `m3`; if the order does not matter, draw both in a coregion of `b`
    "#]],
    );
    check(
        "a ->> b : m1\nb ->> d : m4\na ->> c : m2\nc ->> b : m3",
        expect![[r#"
        warning line 4: `m3` from `c` may reach `b` before `m1` from `a`, which is drawn above it
          line 1: nothing makes `c` wait until this has arrived
          hint: let `b` tell `c` that it has `m1` before `c` sends `m3`; if the order does not matter, draw both in a coregion of `b`
    "#]],
    );
    check(
        "a ->> b : 1. lock\na ->> c : m2\nc ->> b : 2. open",
        expect![[r#"
        warning line 3: `2. open` from `c` may reach `b` before `1. lock` from `a`, which is drawn above it
          line 1: nothing makes `c` wait until this has arrived
          hint: let `b` tell `c` that it has `1. lock` before `c` sends `2. open`; if the order does not matter, draw both in a coregion of `b`
    "#]],
    );
    // The receiver hears more before it acts.
    check(
        "a ->> b : m1\na ->> c : m2\nc ->> b : m3\na ->> b : m4\nb ->> d : m5",
        expect![[r#"
        hint line 3: `m3` from `c` may reach `b` before `m1` from `a`, which is drawn above it
          line 1: nothing makes `c` wait until this has arrived
          hint: let `b` tell `c` that it has `m1` before `c` sends `m3`; if the order does not matter, draw both in a coregion of `b`
    "#]],
    );
}

#[test]
fn calls_do_not_race() {
    silent(&[
        "x -> a : go\nx -> c : go too\na -> b : m1\nc -> b : m2",
        "a -> b : m1\nc -> b : m2",
        "a -> b : m1\na -> c : m2\nc -> b : m3",
    ]);
}

#[test]
fn what_is_enforced_is_no_race() {
    silent(&[
        // Told by the receiver, directly or through others.
        "a ->> b : m1\nb ->> c : ack\nc ->> b : m2",
        "a ->> b : m1\nb ->> a : ok\na ->> c : go\nc ->> b : m2",
        // The same channel keeps its order.
        "a ->> b : m1\na ->> b : m2",
        // Replies are waited for; a caller goes on when its call has returned.
        "a -> b : call\nc ->> d : x\nb --> a : reply\nc ->> a : y",
        "a -> b : call\nb --> a : reply\na ->> c : go\nc ->> b : m",
        // Messages to oneself and from outside.
        "a ->> b : m1\nb ->> b : think\n[->> b : found\nb ->>] : lost",
        // The creator goes on when what it creates is there.
        "participant a\ncreate b\na ->> b : new\na ->> c : go\nc ->> b : hi",
        // Orders drawn on purpose.
        "a ->> b : m1\n== later ==\nc ->> b : m2",
        "a ->> b : m1\n...\nc ->> b : m2",
        "group strict\na ->> b : m1\nelse\nc ->> b : m2\nend",
        "group coregion b\na ->> b : m1\nc ->> b : m2\nend",
        "a ->> b : m1\nc ->> b : m2\n' @order ?m1 < !m2",
        "a ->> b : m1\nc ->> b : m2\n' @order ?m1 < ?m2",
        "par\na ->> b : m1\nelse\nc ->> b : m2\nend",
        // Operands that exclude each other, and what must not happen.
        "alt x\na ->> b : m1\nelse\nc ->> b : m2\nend",
        "a ->> b : m1\ngroup neg\nc ->> b : m2\nend",
        // The content of a reference is unknown.
        "a ->> b : m1\nref over b, c : Other\nc ->> b : m2",
        // Collected in any order.
        "a ->> b : vote\nc ->> b : vote",
    ]);
}

#[test]
fn a_choice_tells_only_what_all_its_operands_tell() {
    silent(&["a ->> b : m1\nalt x\nb ->> c : yes\nelse\nb ->> c : no\nend\nc ->> b : m2"]);
    check(
        "a ->> b : m1\nopt x\nb ->> c : maybe\nend\nc ->> b : m2",
        expect![[r#"
        warning line 5: `m2` from `c` may reach `b` before `m1` from `a`, which is drawn above it
          line 1: nothing makes `c` wait until this has arrived
          hint: let `b` tell `c` that it has `m1` before `c` sends `m2`; if the order does not matter, draw both in a coregion of `b`
    "#]],
    );
    // What encloses the second message is there whenever it is.
    silent(&["a ->> b : m1\nopt x\nb ->> c : maybe\nc ->> b : m2\nend"]);
    // Told before the break; and after a break comes what follows the operand it ends.
    check(
        "alt x\na ->> b : m1\nbreak y\na ->> b : m2\nend\nb ->> c : ok\nelse\na ->> d : m3\nend\nc ->> b : m4",
        expect![[r#"
            warning line 10: `m4` from `c` may reach `b` before `m2` from `a`, which is drawn above it
              line 4: nothing makes `c` wait until this has arrived
              hint: let `b` tell `c` that it has `m2` before `c` sends `m4`; if the order does not matter, draw both in a coregion of `b`
        "#]],
    );
}

#[test]
fn loops_are_compared_with_their_next_round() {
    check(
        "loop\na ->> b : m1\nb ->> a : ok\nb ->> c : m2\nc ->> b : m3\nend",
        expect![[r#"
        warning line 2: `m1` from `a` may reach `b` before `m3` from `c`, which belongs to the round before
          line 5: nothing makes `a` wait until this has arrived
          hint: let `b` tell `a` that it has `m3` before `a` sends `m1`
    "#]],
    );
    silent(&[
        "loop 1 times\na ->> b : m1\nb ->> a : ok\nb ->> c : m2\nc ->> b : m3\nend",
        "loop\na ->> b : m1\nb ->> c : m2\nc ->> b : m3\nb ->> a : ok\nend",
        "group sloop\na ->> b : m1\nb ->> a : ok\nb ->> c : m2\nc ->> b : m3\nend",
        "loop\na ->> b : m1\nb ->> a : ok\nb ->> c : m2\nc ->> b : m3\nbreak done\nb ->> d : end\nend\nb ->> a : next\nend",
    ]);
}

#[test]
fn nested_fragments() {
    check(
        "par\nloop 3 times\nalt x\na ->> b : m1\nelse\na ->> b : m2\nend\nend\na ->> c : go\nc ->> b : m3\nelse\nd ->> e : other\nend",
        expect![[r#"
            hint line 10: `m3` from `c` may reach `b` before `m1` from `a`, which is drawn above it
              line 4: nothing makes `c` wait until this has arrived
              line 6: nor until this has, from `a`
              hint: let `b` tell `c` that it has `m1` and `m2` before `c` sends `m3` (cures 2 races); if the order does not matter, draw both in a coregion of `b`
        "#]],
    );
    silent(&[
        "par\nelse\nend",
        "alt\nelse\nend\na ->> b : m1",
        "a ->> b : m1\nalt x\nelse y\nend\nb ->> c : t\nc ->> b : m2",
        "group coregion b\nalt x\na ->> b : m1\nend\nc ->> b : m2\nend",
        "group critical\na ->> b : m1\nend\ngroup assert\nb ->> c : x\nend\nc ->> b : m2",
    ]);
}

#[test]
fn one_message_may_cure_several_races() {
    check(
        "b ->> d : go\nb ->> c : go\na ->> b : m1\nd ->> b : m2\nc ->> b : m3\nc ->> b : m4\nd ->> b : m5",
        expect![[r#"
            hint line 4: `m2` from `d` may reach `b` before `m1` from `a`, which is drawn above it
              line 3: nothing makes `d` wait until this has arrived
              hint: let `b` tell `d` that it has `m1` before `d` sends `m2`; if the order does not matter, draw both in a coregion of `b`
            hint line 5: `m3` from `c` may reach `b` before `m2` from `d`, which is drawn above it
              line 4: nothing makes `c` wait until this has arrived
              hint: let `b` tell `c` that it has `m2` before `c` sends `m3`; if the order does not matter, draw both in a coregion of `b`
        "#]],
    );
    check(
        "b ->> c : go\npar\na ->> b : m1\nelse\nd ->> b : m2\nelse\ne ->> b : m3\nend\nc ->> b : m4",
        expect![[r#"
            hint line 9: `m4` from `c` may reach `b` before `m1` from `a`, which is drawn above it
              line 3: nothing makes `c` wait until this has arrived
              line 5: nor until this has, from `d`
              line 7: nor until this has, from `e`
              hint: let `b` tell `c` that it has `m1` and `m2` and `m3` before `c` sends `m4` (cures 3 races); if the order does not matter, draw both in a coregion of `b`
        "#]],
    );
}
