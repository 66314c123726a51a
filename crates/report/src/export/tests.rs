//! One automaton in all formats.

use expect_test::{Expect, expect};
use sequent_kernel::automaton::{Automaton, AutomatonEdge, AutomatonState};

fn sample(sets: usize) -> Automaton {
    let state = |accepting, recurrent| AutomatonState { accepting, recurrent: vec![recurrent; sets] };
    let edge = |from, to, events: &[&str]| AutomatonEdge {
        from,
        to,
        events: events.iter().map(|event| (*event).to_owned()).collect(),
    };
    let edges = vec![edge(0, 1, &["!a->b:say \"x\\y\"", "x:a"]), edge(1, 0, &["?a->b:m"])];
    Automaton { states: vec![state(true, true), state(false, false)], edges, sets }
}

fn check(actual: String, expected: Expect) {
    expected.assert_eq(&actual);
}

#[test]
fn graphviz() {
    check(
        super::dot(&sample(1), "a \"name\""),
        expect![[r#"
            digraph "a \"name\"" {
              rankdir=LR;
              node [shape=circle];
              start [shape=point, label=""];
              0 [label="0\n{0}", shape=doublecircle];
              1 [label="1"];
              start -> 0;
              0 -> 1 [label="!a->b:say \"x\\y\"\nx:a"];
              1 -> 0 [label="?a->b:m"];
            }
        "#]],
    );
}

#[test]
fn hanoi() {
    check(
        super::hoa(&sample(2), "name", ["?a->b:n"]),
        expect![[r#"
            HOA: v1
            /* Each event is a proposition of which one is true, and once all is over it is `end`. */
            name: "name"
            tool: "sequent"
            States: 3
            Start: 0
            AP: 6 "!a->b:say \"x\\y\"" "?a->b:m" "?a->b:n" "x:a" "end" "stuck"
            acc-name: generalized-Buchi 2
            Acceptance: 2 Inf(0)&Inf(1)
            properties: trans-labels explicit-labels state-acc deterministic
            Alias: @sent_a_b_say_x_y 0&!1&!2&!3&!4&!5
            Alias: @received_a_b_m !0&1&!2&!3&!4&!5
            Alias: @received_a_b_n !0&!1&2&!3&!4&!5
            Alias: @x_a !0&!1&!2&3&!4&!5
            Alias: @end !0&!1&!2&!3&4&!5
            Alias: @stuck !0&!1&!2&!3&!4&5
            --BODY--
            State: 0 {0 1}
            [@sent_a_b_say_x_y|@x_a] 1
            [@end] 2
            State: 1
            [@received_a_b_m] 0
            State: 2 "over" {0 1}
            [@end] 2
            --END--
        "#]],
    );
}

#[test]
fn without_recurrent_sets_only_ends_are_accepted() {
    let hoa = super::hoa(&sample(0), "name", []);
    assert!(hoa.contains("Acceptance: 1 Inf(0)\n") && hoa.contains("State: 2 \"over\" {0}\n"), "{hoa}");
    assert!(hoa.contains("State: 0\n") && hoa.contains("[@end] 2\n"), "{hoa}");
}

#[test]
fn nothing_at_all() {
    let empty = Automaton::default();
    assert!(super::hoa(&empty, "", []).contains("States: 1\nAP: 2 \"end\" \"stuck\"\n"));
    assert!(!super::dot(&empty, "").contains("start -> 0"));
}

#[test]
fn objects() {
    check(
        format!("{}\n", super::json(&sample(1), "name")),
        expect![[r#"
            {"interaction":"name","initial":0,"sets":1,"states":[{"accepting":true,"recurrent":[0]},{"accepting":false,"recurrent":[]}],"edges":[{"from":0,"to":1,"events":["!a->b:say \"x\\y\"","x:a"]},{"from":1,"to":0,"events":["?a->b:m"]}]}
        "#]],
    );
}

fn space() -> super::ExportedSpace {
    let spot = |text: &str, is_end| super::SpaceState { text: text.to_owned(), is_end, is_stuck: !is_end };
    let steps = vec![(0, vec!["!a->b:say \"x\"".to_owned()], 1), (1, Vec::new(), 0)];
    super::ExportedSpace {
        name: "two".to_owned(),
        states: vec![spot("a is in On", true), spot("", false)],
        steps,
    }
}

#[test]
fn aldebaran() {
    check(
        super::aut(&space()),
        expect![[r#"
            des (0, 2, 2)
            (0, "!a->b:say 'x'", 1)
            (1, i, 0)
        "#]],
    );
}

#[test]
fn graphviz_of_states() {
    check(
        super::dot_space(&space()),
        expect![[r#"
            digraph "two" {
              node [shape=ellipse];
              start [shape=point, label=""];
              0 [label="a is in On", peripheries=2];
              1 [label="1", shape=box, style=bold];
              start -> 0;
              0 -> 1 [label="!a->b:say \"x\""];
              1 -> 0 [label=""];
            }
        "#]],
    );
}

#[test]
fn apalache() {
    use sequent_kernel::log::{Column, Log, LogRow, ObjectStatus};
    let standing = ObjectStatus {
        states: "On".to_owned(),
        attributes: vec![("n".to_owned(), "3".to_owned()), ("ok".to_owned(), "true".to_owned())],
        waiting: vec!["go from b".to_owned()],
        ..ObjectStatus::default()
    };
    let row = |deed: &str| {
        let standings = vec![standing.clone()];
        LogRow { deed: deed.to_owned(), is_seen: true, standings, ..LogRow::default() }
    };
    let columns = vec![Column { name: "event".to_owned(), machine: None }];
    let log = Log { columns, rows: vec![row(""), row("!a->b:m")], cycle: Some(0), claims: Vec::new() };
    let value = super::itf(&log);
    assert_eq!(value["vars"], serde_json::json!(["event", "event'"]));
    assert_eq!(value["loop"], 0);
    assert_eq!(value["states"][1]["event"], "!a->b:m");
    let record = serde_json::json!({
        "states": "On", "attributes": { "n": 3, "ok": true }, "waiting": ["go from b"]
    });
    assert_eq!(value["states"][0]["event'"], record);
}
