//! Tables of small logs.

use expect_test::{Expect, expect};

use sequent_kernel::log::Column;

use super::*;

/// A log from lines `deed | states x=1 [m] | ..`; the first line names the columns, `(deed)` is not seen, `...` is busy.
fn log(text: &str, cycle: Option<usize>) -> Log {
    let mut lines = text.lines().map(|line| line.split('|').map(str::trim));
    let columns = lines
        .next()
        .into_iter()
        .flatten()
        .skip(1)
        .map(|name| Column { name: name.to_owned(), machine: None })
        .collect();
    let rows = lines.map(|mut cells| {
        let deed = cells.next().unwrap_or_default();
        let standings = cells.map(|cell| {
            let (cell, waiting) = cell.split_once('[').unwrap_or((cell, ""));
            let mut words = cell.split_whitespace();
            let states = words.next().unwrap_or_default();
            let attribute = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
            ObjectStatus {
                states: states.trim_end_matches("...").to_owned(),
                attributes: words.filter_map(|word| word.split_once('=')).map(attribute).collect(),
                waiting: waiting.trim_end_matches(']').split_terminator(',').map(str::to_owned).collect(),
                is_busy: states.ends_with("..."),
                active: Vec::new(),
            }
        });
        let standings = standings.collect();
        let (deed, is_seen) = (deed.trim_matches(['(', ')']).to_owned(), !deed.starts_with('('));
        LogRow { deed, is_seen, standings, ..LogRow::default() }
    });
    Log { columns, rows: rows.collect(), cycle, claims: Vec::new() }
}

const SHAKE: &str = "\
 | client | server
 | Idle tries=0 | Free
!->client:start | Idle tries=0 [start] | Free
?->client:start | Idle... tries=1 [] | Free
!client->server:hello | Asked tries=1 | Free [hello from client]
(server: Free -> Gone) | Asked tries=1 | [hello from client]
?client->server:hello | Idle tries=0 | Free";

fn check(log: &Log, width: usize, expected: Expect) {
    expected.assert_eq(&text(log, width));
}

#[test]
fn side_by_side() {
    check(
        &log(SHAKE, None),
        80,
        expect![[r#"
            step  event                   client     server
            ────────────────────────────────────────────────────────────
                  (start)                 Idle       Free
                                          tries = 0
               1  !->client:start         [start]
               2  ?->client:start         Idle ...
                                          tries = 1
                                          []
               3  !client->server:hello   Asked      [hello from client]
               4  (server: Free -> Gone)             -
               5  ?client->server:hello   Idle       Free
                                          tries = 0  []
        "#]],
    );
}

#[test]
fn narrow() {
    check(
        &log(SHAKE, Some(2)),
        48,
        expect![[r#"
            step  event            client     server
            ────────────────────────────────────────────────
                  (start)          Idle       Free
                                   tries = 0
               1  !->client:start  [start]
               2  ?->client:start  Idle ...
                                   tries = 1
                                   []
                  from here on
                  forever:
               3  !client->server  Asked      [hello from
                  :hello                      client]
               4  (server: Free               -
                  -> Gone)
               5  ?client->server  Idle       Free
                  :hello           tries = 0  []
                  as after step 2
        "#]],
    );
    check(
        &log(SHAKE, Some(0)),
        30,
        expect![[r#"
            (start)
                client: Idle, tries = 0
                server: Free
            from here on forever:
            1 !->client:start
                client: [start]
            2 ?->client:start
                client: Idle ..., tries =
                1, []
            3 !client->server:hello
                client: Asked
                server: [hello from
                client]
            4 (server: Free -> Gone)
                server: -
            5 ?client->server:hello
                client: Idle, tries = 0
                server: Free, []
            as at the beginning
        "#]],
    );
}

#[test]
fn in_markdown() {
    expect![[r#"
        | step | event | client | server |
        | --- | --- | --- | --- |
        |  | (start) | Idle<br>tries = 0 | Free |
        | 1 | !->client:start | [start] |  |
        | 2 | ?->client:start | Idle ...<br>tries = 1<br>[] |  |
        |  | from here on forever: |  |  |
        | 3 | !client->server:hello | Asked | [hello from client] |
        | 4 | (server: Free -> Gone) |  | - |
        | 5 | ?client->server:hello | Idle<br>tries = 0 | Free<br>[] |
        |  | as after step 2 |  |  |
    "#]]
    .assert_eq(&markdown(&log(SHAKE, Some(2))));
}

/// Of an interaction there are only events.
#[test]
fn events_alone() {
    check(
        &log("\n\n!a->b:m\n?a->b:m", Some(1)),
        80,
        expect![[r#"
        step  event
        ───────────────────────────
           1  !a->b:m
              from here on forever:
           2  ?a->b:m
              as after step 1
    "#]],
    );
    check(
        &Log::default(),
        80,
        expect![[r#"
        step  event
        ───────────
    "#]],
    );
}

#[test]
fn long_words_break() {
    assert_eq!(wrap("ab abcdefgh 漢字漢字", 5), ["ab", "abcde", "fgh", "漢字", "漢字"]);
    assert_eq!(wrap("", 5), [""]);
    assert_eq!(wrap("!till->bank:withdrawMoney", 15), ["!till->bank", ":withdrawMoney"]);
    assert_eq!(wrap("waitingForAnswer", 12), ["waitingFor", "Answer"]);
    assert_eq!(wrap("is_open=true", 9), ["is_open=", "true"]);
}
