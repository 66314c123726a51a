//! Drawings of small diagrams, as they appear on a terminal.

use expect_test::{Expect, expect};

use crate::draw::sample::sample;
use crate::draw::{TextStyle, text};

fn check(diagram: &str, expected: Expect) {
    expected.assert_eq(&text(&sample(diagram), &TextStyle::default()));
}

#[test]
fn messages_run_between_lifelines() {
    check(
        "a -> b : call\n+ b\nb -> c : go\nc --> b : done\nb --> a : reply\n- b\na ->> a : think",
        expect![[r#"
            ┌───┐       ┌───┐    ┌───┐
            │ a │       │ b │    │ c │
            └─┬─┘       └─┬─┘    └─┬─┘
              │   call    │        │
              ├──────────▶┃        │
              │           ┃  go    │
              │           ┠───────▶│
              │           ┃ done   │
              │           ┃◀╌╌╌╌╌╌╌┤
              │  reply    ┃        │
              │◀╌╌╌╌╌╌╌╌╌╌┨        │
              ├──┐ think  │        │
              │<─┘        │        │
              │           │        │
        "#]],
    );
}

#[test]
fn frames_enclose_their_content() {
    check(
        "alt paid\na -> b : order\nloop 3 times\nb -> c : bake\nend\nelse\nb --> a : sorry\nend",
        expect![[r#"
             ┌───┐     ┌───┐       ┌───┐
             │ a │     │ b │       │ c │
             └─┬─┘     └─┬─┘       └─┬─┘
            ┌ alt [paid] ┼───────────┼────┐
            │  │ order   │           │    │
            │  ├────────▶│           │    │
            │  │      ┌ loop [3 times] ─┐ │
            │  │      │  │   bake    │  │ │
            │  │      │  ├──────────▶│  │ │
            │  │      └──┼───────────┼──┘ │
            ├╌[else] ╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌┤
            │  │ sorry   │           │    │
            │  │◀╌╌╌╌╌╌╌╌┤           │    │
            └──┼─────────┼───────────┼────┘
               │         │           │
        "#]],
    );
}
