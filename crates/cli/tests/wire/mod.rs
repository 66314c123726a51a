//! The language server on a bad line: messages that are none, requests at the wrong time, and as many edits as a long day has.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use sequent_testing::editor::{Client, place};
use serde_json::{Value, json};

use crate::SEQUENT;
use crate::runner::folder;

/// Messages with their lengths.
fn framed(messages: &[&str]) -> Vec<u8> {
    let one = |text: &&str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    messages.iter().map(one).collect::<String>().into_bytes()
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
const HOVER: &str = r#"{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{}}"#;
const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#;
const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

/// The exit code, what the server answers to all but `initialize` (numbers of errors, or nothing), and what it complains of.
fn session(input: &[u8]) -> (Option<i32>, String, String) {
    let mut child = Command::new(SEQUENT)
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    let mut answers = Vec::new();
    let mut rest = &output.stdout[..];
    while let Some(at) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
        let header = String::from_utf8_lossy(&rest[..at]);
        let length = header.trim_start_matches("Content-Length: ").parse().expect("a length");
        let mut text = vec![0; length];
        rest = &rest[at + 4..];
        rest.read_exact(&mut text).expect("a whole message");
        let value: Value = serde_json::from_slice(&text).expect("JSON");
        if value["id"] != json!(1) {
            answers.push(format!("{}:{}", value["id"], value["error"]["code"]).replace("null", ""));
        }
    }
    (output.status.code(), answers.join(" "), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn what_is_no_message_is_answered_and_the_next_one_read() {
    for (text, expected) in [
        ("{nope", ":-32700"),
        ("", ":-32700"),
        ("42", ":-32600"),
        (r#"{"jsonrpc":"2.0"}"#, ":-32600"),
        (r#"[{"jsonrpc":"2.0","id":3,"method":"shutdown"}]"#, ":-32600"),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"textDocument/hover"}"#, ":-32600"),
        (r#"{"jsonrpc":"2.0","id":3,"result":null}"#, ""),
        (r#"{"jsonrpc":"2.0","method":"no/such"}"#, ""),
        (r#"{"jsonrpc":"2.0","id":"x","method":"no/such"}"#, "\"x\":-32601"),
        (&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)), ":-32700"),
    ] {
        let (code, answers, problem) = session(&framed(&[INITIALIZE, text, HOVER, SHUTDOWN, EXIT]));
        let answers = answers.trim_end_matches(" 7: 9:").trim_end_matches("7: 9:");
        assert_eq!((code, answers, problem.as_str()), (Some(0), expected, ""), "{text:.80}");
    }
}

#[test]
fn a_line_that_is_lost_ends_the_server_with_a_reason() {
    for (bytes, problem) in [
        (&b"Content-Length: 100000000000000\r\n\r\n{}"[..], "at most"),
        (b"Content-Length: -1\r\n\r\n{}", "at most"),
        (b"Content-Length: 60000000\r\n\r\n{}", "ends in a message"),
        (b"Content-Type: x\r\n\r\n{}", "Content-Length"),
        (b"hello\r\n\r\n", "Content-Length"),
    ] {
        let (code, _, told) = session(&[framed(&[INITIALIZE]), bytes.to_vec()].concat());
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(problem) && told.lines().count() == 1, "{told}");
    }
}

#[test]
fn requests_wait_for_the_beginning() {
    let answers = |messages: &[&str]| {
        let (code, answers, _) = session(&framed(messages));
        (code, answers)
    };
    let early = (Some(0), "7:-32002 7: 9:".to_owned());
    assert_eq!(answers(&[HOVER, INITIALIZE, HOVER, SHUTDOWN, EXIT]), early);
    assert_eq!(answers(&[SHUTDOWN, EXIT]), (Some(1), "9:-32002".to_owned()));
    assert_eq!(answers(&[EXIT]), (Some(1), String::new()));
    assert_eq!(answers(&[]), (Some(0), String::new()));
    // Lines may end without a carriage return.
    let bare: Vec<u8> =
        framed(&[INITIALIZE, HOVER, SHUTDOWN, EXIT]).into_iter().filter(|byte| *byte != b'\r').collect();
    assert_eq!(session(&bare).0, Some(0));
}

/// What is kept between edits does not grow with their number (`cargo bench --bench keystroke` types 10,000 times).
#[test]
fn a_long_day_of_edits_costs_no_memory() {
    let memory = |client: &Client| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", client.process())).ok()?;
        text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
    };
    let folder = folder("lsp-memory");
    let machine = "@startuml Door\n[*] --> Closed\nClosed --> Open : unlock / ^user.opened\nOpen --> Closed : lock\n@enduml\n";
    std::fs::write(folder.join("door.puml"), machine).expect("writable");
    let file = folder.join("visit.puml");
    let text = |number: usize| {
        format!(
            "@startuml\nparticipant \"d : Door\" as d\nuser -> d : unlock\nd -> user : step{number}\n@enduml\n"
        )
    };
    let mut client = Client::new(SEQUENT, &folder);
    client.open(&file, &text(0));
    client.checked(&file);
    let edit = |client: &mut Client, number: usize| {
        client.change(&file, json!([{ "text": text(number) }]));
        if number.is_multiple_of(10) {
            client.ask("textDocument/references", place(&file, 2, 14)).expect("a result");
            client.ask("textDocument/rename", renamed(&file, number)).expect("a change");
            client.checked(&file);
        }
    };
    (1..=300).for_each(|number| edit(&mut client, number));
    let Some(before) = memory(&client) else {
        println!("how much memory a process has is told by Linux only");
        return;
    };
    (301..=1_300).for_each(|number| edit(&mut client, number));
    let after = memory(&client).expect("it was told before");
    assert!(after < before + 8_000, "{before} kB after 300 edits, {after} kB after 1,300");
    assert_eq!(client.end(), Some(0));
}

fn renamed(file: &Path, number: usize) -> Value {
    let mut params = place(file, 3, 14);
    params["newName"] = json!(format!("stage{number}"));
    params
}
