//! Drawings of small diagrams, as they appear on a terminal.

use expect_test::{Expect, expect};
use sequent_kernel::id::Id;
use sequent_kernel::model::{GeneralOrdering, MessageId, Occurrence, Timing, TimingKind};

use crate::draw::sample::{place, sample};
use crate::draw::{TextStyle, text};

fn check(diagram: &str, expected: Expect) {
    check_style(diagram, TextStyle::default(), expected);
}

fn check_style(diagram: &str, style: TextStyle, expected: Expect) {
    expected.assert_eq(&text(&sample(diagram), &style));
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
fn arrow_ends_show_what_they_are() {
    check(
        "a -> b\na ->> b\na - b\na ->x b\na ->o b\na <-> b\na --> b : dashed",
        expect![[r#"
            ┌───┐      ┌───┐
            │ a │      │ b │
            └─┬─┘      └─┬─┘
              ├─────────▶│
              ├─────────>│
              ├──────────│
              ├─────────x│
              ├────────▶o│
              │◀────────▶│
              │ dashed   │
              ├╌╌╌╌╌╌╌╌╌▶│
              │          │
        "#]],
    );
}

#[test]
fn bars_stand_on_bars() {
    check(
        "a -> b : x\n+ b\nb -> b : y\n+ b\na -> b : z\nb --> a : r\n- b\nb --> a : s\n- b",
        expect![[r#"
        ┌───┐  ┌───┐
        │ a │  │ b │
        └─┬─┘  └─┬─┘
          │  x   │
          ├─────▶┃
          │      ┠───┐ y
          │      ┃┃◀─┘
          │  z   ┃┃
          ├─────▶┃┃
          │  r   ┃┃
          │◀╌╌╌╌╌┨┃
          │  s   ┃
          │◀╌╌╌╌╌┨
          │      │
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
            ├╌╌┼╌╌[else] ┼╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌┤
            │  │ sorry   │           │    │
            │  │◀╌╌╌╌╌╌╌╌┤           │    │
            └──┼─────────┼───────────┼────┘
               │         │           │
        "#]],
    );
}

#[test]
fn operators_are_named_with_their_parameters() {
    check(
        "ignore ack,nack\na -> b : m\nend\nneg\na -> b : n\nend\ngroup Any caption\na -> b : o\nend",
        expect![[r#"
             ┌───┐            ┌───┐
             │ a │            │ b │
             └─┬─┘            └─┬─┘
            ┌ ignore {ack, nack} ──┐
            │  │       m        │  │
            │  ├───────────────▶│  │
            └──┼────────────────┼──┘
            ┌ neg ──────────────┼──┐
            │  │       n        │  │
            │  ├───────────────▶│  │
            └──┼────────────────┼──┘
            ┌ Any caption ──────┼──┐
            │  │       o        │  │
            │  ├───────────────▶│  │
            └──┼────────────────┼──┘
               │                │
        "#]],
    );
}

#[test]
fn coregions_are_brackets() {
    check(
        "coregion b\na -> b : x\nc -> b : y\nend",
        expect![[r#"
         ┌───┐  ┌───┐ ┌───┐
         │ b │  │ a │ │ c │
         └─┬─┘  └─┬─┘ └─┬─┘
          ┌┼┐     │     │
           │  x   │     │
           │◀─────┤     │
           │      │ y   │
           │◀─────┼─────┤
          └┼┘     │     │
           │      │     │
    "#]],
    );
}

#[test]
fn notes_stand_beside_and_over() {
    check(
        "a -> b : m\nnote right : beside\\nthe message\nnote left a : left\nnote over b : over\nhnote over a,b : both\nnote across : all",
        expect![[r#"
                    ┌───┐  ┌───┐
                    │ a │  │ b │
                    └─┬─┘  └─┬─┘
                      │      │  ┌─────────────◥
                      │  m   │  │ beside      │
                      ├─────▶│  │ the message │
                      │      │  └─────────────┘
            ┌──────◥  │      │
            │ left │  │      │
            └──────┘  │      │
                      │  ┌───────◥
                      │  │ over  │
                      │  └───────┘
                    ╱──────────╲
                    │   both   │
                    ╲──────────╱
                    ┌──────────◥
                    │   all    │
                    └──────────┘
                      │      │
        "#]],
    );
}

#[test]
fn states_references_and_actions_have_outlines() {
    check(
        "state a : x > 1\nref a,b : Pay\ndo b : rest",
        expect![[r#"
           ┌───┐  ┌───┐
           │ a │  │ b │
           └─┬─┘  └─┬─┘
        ╭─────────╮ │
        │  x > 1  │ │
        ╰─────────╯ │
           ┌ ref ─────┐
           │   Pay    │
           └──────────┘
             │  ┌───────┐
             │  │ rest  │
             │  └───────┘
             │      │
    "#]],
    );
}

#[test]
fn messages_come_from_outside_and_get_lost() {
    check(
        "[ -> a : found\na -> b : m\nb -> ] : lost\n? -> b : near\nb -> ? : nowhere",
        expect![[r#"
               ┌───┐     ┌───┐
               │ a │     │ b │
               └─┬─┘     └─┬─┘
         found   │         │
        ●───────▶│         │
                 │   m     │
                 ├────────▶│
                 │         │   lost
                 │         ├─────────▶●
                 │  near   │
                 │ ●──────▶│
                 │         │ nowhere
                 │         ├─────────▶●
                 │         │
    "#]],
    );
}

#[test]
fn lifelines_begin_and_end() {
    check(
        "create\na -> b : new\nb -> a : bye\nstop b\na -> c : on",
        expect![[r#"
        ┌───┐          ┌───┐
        │ a │          │ c │
        └─┬─┘          └─┬─┘
          │ new  ┌───┐   │
          ├─────▶│ b │   │
          │      └─┬─┘   │
          │  bye   │     │
          │◀───────╳     │
          │   on         │
          ├─────────────▶│
          │              │
    "#]],
    );
}

#[test]
fn lifelines_can_be_created_again() {
    check(
        "create\na -> b : new\nstop b\ncreate\na -> b : again",
        expect![[r#"
            ┌───┐
            │ a │
            └─┬─┘
              │  new   ┌───┐
              ├───────▶│ b │
              │        └─┬─┘
              │          ╳
              │ again  ┌───┐
              ├───────▶│ b │
              │        └─┬─┘
              │          │
        "#]],
    );
}

#[test]
fn rows_can_share_a_height() {
    check(
        "participant a a\nparticipant b b\nparticipant c c\nsame\na -> b : x\nb -> c : y\nend",
        expect![[r#"
            ┌───┐  ┌───┐  ┌───┐
            │ a │  │ b │  │ c │
            └─┬─┘  └─┬─┘  └─┬─┘
              │  x   │  y   │
              ├─────▶├─────▶│
              │      │      │
        "#]],
    );
}

#[test]
fn separators_cross_the_diagram() {
    check(
        "a -> b : x\n== Part two ==\n... later ...\n|||\na -> b : y\npage",
        expect![[r#"
        ┌───┐      ┌───┐
        │ a │      │ b │
        └─┬─┘      └─┬─┘
          │    x     │
          ├─────────▶│
        ═══ Part two ═══
          ┊  later   ┊
          │          │
          │    y     │
          ├─────────▶│
        ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
          │          │
    "#]],
    );
}

#[test]
fn boxes_surround_lifelines() {
    check(
        "title The title\nactor u User\nbox a,b : Inside\nu -> a : x\na -> b : y",
        expect![[r#"
                   The title

                        ╭╌ Inside ╌╮
            ┌─────────┐
            │ «actor» │ ┌───┐  ┌───┐
            │  User   │ │ a │  │ b │
            └────┬────┘ └─┬─┘  └─┬─┘
                 │   x    │      │
                 ├───────▶│      │
                 │        │  y   │
                 │        ├─────▶│
                 │        │      │
        "#]],
    );
}

#[test]
fn texts_surround_a_diagram() {
    check(
        "header Draft\ntitle The title\nlegend x is\\nsaid first\ncaption Figure 1\nfooter Page %page% of %lastpage%\na -> b : x",
        expect![[r#"
                     Draft

              The title

             ┌───┐  ┌───┐
             │ a │  │ b │
             └─┬─┘  └─┬─┘
               │  x   │
               ├─────▶│
               │      │

            ┌────────────┐
            │ x is       │
            │ said first │
            └────────────┘

               Figure 1

             Page 1 of 1
        "#]],
    );
}

#[test]
fn marked_messages_stand_out() {
    let marked = [MessageId::from_index(1)].into();
    check_style(
        "a -> b : x\na -> b : y",
        TextStyle { marked, ..TextStyle::default() },
        expect![[r#"
        ┌───┐  ┌───┐
        │ a │  │ b │
        └─┬─┘  └─┬─┘
          │  x   │
          ├─────▶│
          │  y   │
          ├━━━━━▶│
          │      │
    "#]],
    );
}

#[test]
fn labels_wrap_in_narrow_terminals() {
    let style = TextStyle { width: 40, ..TextStyle::default() };
    check_style(
        "a -> b : a rather long label for such a terminal\nb -> c : 統一建模語言",
        style,
        expect![[r#"
            ┌───┐          ┌───┐            ┌───┐
            │ a │          │ b │            │ c │
            └─┬─┘          └─┬─┘            └─┬─┘
              │  a rather    │                │
              │ long label   │                │
              │ for such a   │                │
              │  terminal    │                │
              ├─────────────▶│                │
              │              │ 統一建模語言   │
              │              ├───────────────▶│
              │              │                │
        "#]],
    );
}

#[test]
fn too_many_lifelines_become_a_list() {
    let style = TextStyle { width: 24, ..TextStyle::default() };
    let diagram = "a -> b\nc -> d\ne -> f\nalt ok\ng --> h : text\nelse\nh -> a : no\nend\nnote over a : why";
    check_style(
        diagram,
        style,
        expect![[r#"
        a → b
        c → d
        e → f
        alt [ok]
          g ⇢ h: text
        [else]
          h → a: no
        end
        note at a: why
    "#]],
    );
}

#[test]
fn ascii_serves_old_terminals() {
    let style = TextStyle { unicode: false, ..TextStyle::default() };
    check_style(
        "alt x\na -> b : m\n+ b\nb --> a : r\n- b\nelse\na -> a : think\nend",
        style,
        expect![[r#"
             +---+       +---+
             | a |       | b |
             +-+-+       +-+-+
            + alt [x] -----+--+
            |  |    m      |  |
            |  |---------->#  |
            |  |    r      #  |
            |  |<..........#  |
            |..+..[else] ..+..|
            |  |--+ think  |  |
            |  |<-+        |  |
            +--+-----------+--+
               |           |
        "#]],
    );
}

#[test]
fn orderings_follow_in_words() {
    let last = |diagram: &str| {
        let mut diagram = sample(diagram);
        let [first, second] = [0, 1].map(MessageId::from_index);
        let (before, after) = (Occurrence::Receive(first), Occurrence::Send(second));
        diagram.orderings.push(GeneralOrdering { before, after, place: place() });
        text(&diagram, &TextStyle::default()).lines().last().map(str::to_owned)
    };
    assert_eq!(last("a -> b : x\nc -> d : y").as_deref(), Some("order: ?x before !y"));
    assert_eq!(last("a -> b : x\nc -> b : x").as_deref(), Some("order: ?a->b:x before !c->b:x"));
    assert_eq!(last("a -> b : x\na -> b : x").as_deref(), Some("order: ?a->b:x#1 before !a->b:x#2"));
}

#[test]
fn times_follow_in_words() {
    let mut diagram = sample("a -> b : x\nb -> a : y");
    let [first, second] = [0, 1].map(MessageId::from_index);
    let timing = |kind, to, text: &str| Timing {
        kind,
        from: Occurrence::Send(first),
        to,
        text: text.to_owned(),
        place: place(),
    };
    diagram.timings = vec![
        timing(TimingKind::Constraint, Some(Occurrence::Receive(second)), "0..13"),
        timing(TimingKind::Observation, None, "t"),
    ];
    let drawing = text(&diagram, &TextStyle::default());
    assert!(drawing.ends_with("time: {0..13} from !x to ?y\ntime: t=now at !x\n"), "{drawing}");
}

#[test]
fn one_message_to_several_runs_through_them() {
    check(
        "a -> b : x\nsame\nb -> d : go\nb -> c : go\nend\n+ c\nb -> a : y\nsame\na -> b : one\nb -> c : two\nend",
        expect![[r#"
            ┌───┐   ┌───┐  ┌───┐  ┌───┐
            │ a │   │ b │  │ d │  │ c │
            └─┬─┘   └─┬─┘  └─┬─┘  └─┬─┘
              │  x    │      │      │
              ├──────▶│      │      │
              │       │ go   │      │
              │       ├─────▶┼─────▶┃
              │  y    │      │      ┃
              │◀──────┤      │      ┃
              │ one   │ two  │      ┃
              ├──────▶├──────┼─────▶┃
              │       │      │      ┃
        "#]],
    );
}

#[test]
fn captions_stand_beside_operators() {
    check(
        "neg lost contact\na -> b : m\nend\nalt quantity = 0\na -> b : a label that makes room\nelse or not\na -> b : n\nend",
        expect![[r#"
             ┌───┐                       ┌───┐
             │ a │                       │ b │
             └─┬─┘                       └─┬─┘
            ┌ neg lost contact ────────────┼──┐
            │  │            m              │  │
            │  ├──────────────────────────▶│  │
            └──┼───────────────────────────┼──┘
            ┌ alt [quantity = 0] ──────────┼──┐
            │  │ a label that makes room   │  │
            │  ├──────────────────────────▶│  │
            ├╌╌┼╌╌[or not] ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌┤
            │  │            n              │  │
            │  ├──────────────────────────▶│  │
            └──┼───────────────────────────┼──┘
               │                           │
        "#]],
    );
}

#[test]
fn numbers_stay_with_their_text() {
    check_style(
        "number 6\na -> b : place(cart)\nnumber 7\na -> b : a longer text\na -> b : no number",
        TextStyle { width: 26, ..TextStyle::default() },
        expect![[r#"
            ┌───┐               ┌───┐
            │ a │               │ b │
            └─┬─┘               └─┬─┘
              │  6 place(cart)    │
              ├──────────────────▶│
              │ 7 a longer text   │
              ├──────────────────▶│
              │    no number      │
              ├──────────────────▶│
              │                   │
        "#]],
    );
}
