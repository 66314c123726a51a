//! H223: choices that nobody makes alone.

use expect_test::{Expect, expect};
use sequent_kernel::diagnostic::Code;

fn check(diagram: &str, expected: Expect) {
    super::check(Code::NonLocalChoice, diagram, expected);
}

fn silent(diagrams: &[&str]) {
    super::silent(Code::NonLocalChoice, diagrams);
}

#[test]
fn operands_that_begin_on_different_lifelines() {
    check(
        "client ->> server : order\nalt cancelled\nclient ->> server : cancel\nelse\nserver ->> client : parcel\nend",
        expect![[r#"
            hint line 2: `client` begins one operand and `server` another, and nothing makes them choose the same one
              line 3: `client` begins here
              line 5: `server` may begin here at the same time
              hint: let one of them choose and tell the other: draw a message from `client` to `server` before `parcel`
        "#]],
    );
    check(
        "alt x\na ->> b : m1\nelse y\nelse z\nalt u\nb ->> a : m2\nelse\nb ->> c : m3\nend\nend",
        expect![[r#"
        hint line 1: `a` begins one operand and `b` another, and nothing makes them choose the same one
          line 2: `a` begins here
          line 6: `b` may begin here at the same time
          hint: let one of them choose and tell the other: draw a message from `a` to `b` before `m2`
    "#]],
    );
}

#[test]
fn lifelines_that_begin_an_operand_together() {
    check(
        "opt x\na ->> b : m1\nc ->> d : m2\nend",
        expect![[r#"
        hint line 3: `c` sends `m2` without having heard that this operand was chosen: `a` begins it
          line 1: the operand
          line 2: `a` begins here
          hint: let `a` send `c` a message in this operand, before `m2`
    "#]],
    );
    check(
        "break x\npar\na ->> b : m1\nelse\nc ->> c : m2\nend\nend",
        expect![[r#"
        hint line 5: `c` sends `m2` without having heard that this operand was chosen: `a` begins it
          line 1: the operand
          line 3: `a` begins here
          hint: let `a` send `c` a message in this operand, before `m2`
    "#]],
    );
    check(
        "alt x\na ->> b : m1\nelse\na ->> b : m2\nd ->> d : m3\nc ->> b : m4\nend",
        expect![[r#"
        hint line 5: `d` sends `m3` without having heard that this operand was chosen: `a` begins it
          line 3: the operand
          line 4: `a` begins here
          line 6: `c` begins here
          hint: let `a` send `d` a message in this operand, before `m3`
    "#]],
    );
}

#[test]
fn rounds_that_somebody_is_not_told_of() {
    check(
        "loop\na ->> b : m1\nc ->> d : m2\nend",
        expect![[r#"
        hint line 1: nothing in this loop tells `c` whether `a` begins another round
          line 3: `c` goes on here by itself
          hint: let `a` send `c` a message in the loop, before `m2`
    "#]],
    );
    silent(&[
        "loop 3 times\na ->> b : m1\nc ->> d : m2\nend",
        "loop\na ->> b : m1\nb ->> c : m2\nc ->> a : m3\nend",
        "loop\na ->> b : m1\nc ->> d : m2\nd ->> c : m3\nend",
    ]);
}

#[test]
fn the_same_message_first() {
    check(
        "alt valid\nclient -> server : post\nserver --> client : ok\nelse\nclient -> server : post\nserver --> client : failed\nend",
        expect![[r#"
            hint line 1: `server` gets `post` first in both operands, and cannot tell from it which was chosen
              line 2: received in one operand
              line 5: and in another
              line 3: here `server` must know
              hint: if `server` chooses, draw `post` above the fragment; if not, let the message say which it is
        "#]],
    );
    check(
        "alt x\na ->> b : go\nelse y\na ->> b : go\nb ->> c : m\nend",
        expect![[r#"
        hint line 1: `b` gets `go` first in both operands, and cannot tell from it which was chosen
          line 2: received in one operand
          line 4: and in another
          line 5: here `b` must know
          hint: if `b` chooses, draw `go` above the fragment; if not, let the message say which it is
    "#]],
    );
    silent(&[
        // The message tells, or another one does.
        "alt x\na ->> b : go(1)\nb ->> c : m1\nelse\na ->> b : go(2)\nb ->> c : m2\nend",
        "alt x\na ->> b : go\na ->> b : left\nb ->> c : m1\nelse\na ->> b : go\na ->> b : right\nb ->> c : m2\nend",
        // What follows is not looked into.
        "alt x\na ->> b : go\nopt y\nb ->> c : m\nend\nelse\na ->> b : go\nb ->> c : m2\nend",
    ]);
}

#[test]
fn one_chooses_and_tells_the_others() {
    silent(&[
        "alt x\na ->> b : m1\nb ->> c : m2\nc ->> a : m3\nelse\na ->> c : m4\nelse\nend",
        "alt x\nalt y\na ->> b : m1\nelse\na ->> b : m2\nend\nb ->> c : m3\nelse\na ->> c : m4\nend",
        "opt x\nref over a, b : Other\nb ->> c : m\nend",
        "opt x\n[->> a : found\na ->> b : m\nend",
        "opt x\na ->> b : m1\ngroup neg\nc ->> d : m2\nend\nend",
        "opt x\ncreate b\na ->> b : new\nb ->> c : hi\nend",
        "opt x\nend\nalt\nelse\nend",
        "par\na ->> b : m1\nelse\nc ->> d : m2\nend",
        "opt x\na -> b : m1\n& b -> c : m2\nend",
    ]);
}
