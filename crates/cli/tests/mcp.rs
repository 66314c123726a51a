//! `sequent mcp`, driven by a script.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Sends messages, and gives the answers.
fn talk(messages: &[Value]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sequent"))
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    for message in messages {
        writeln!(input, "{message}").expect("it listens");
    }
    drop(input);
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let answers =
        output.lines().map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON")).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    answers
}

fn call(id: u64, name: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } })
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

const DIAGRAM: &str = "sequenceDiagram\n  participant Payment\n  participant Shop\n  Shop->>Paymnt: pay\n  Payment-->>Shop: ok\n";

#[test]
fn the_tools_do_what_the_commands_do() {
    let initialise = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2024-11-05" } });
    let answers = talk(&[
        initialise,
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        call(3, "check", json!({ "text": DIAGRAM })),
        call(4, "fix", json!({ "text": DIAGRAM, "notation": "mermaid" })),
        call(5, "trace", json!({ "text": "A -> B : x\nA -> C : y\n" })),
        call(6, "draw", json!({ "text": DIAGRAM })),
        call(7, "explain", json!({ "code": "W201" })),
        call(
            8,
            "questions",
            json!({ "text": DIAGRAM.replace("Paymnt", "Payment"), "formula": "sent(ok) precedes sent(pay)" }),
        ),
    ]);
    assert_eq!(answers.len(), 8);
    assert_eq!(answers[0]["result"]["protocolVersion"], "2024-11-05");
    let tools = answers[1]["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["check", "questions", "trace", "draw", "fix", "explain"]);
    let checked: Value = serde_json::from_str(text(&answers[2])).expect("JSON");
    assert_eq!(checked["diagnostics"][0]["code"], "W219");
    assert_eq!(checked["diagnostics"][0]["file"], "diagram");
    assert_eq!(text(&answers[3]), DIAGRAM.replace("Paymnt", "Payment"));
    let traces: Value = serde_json::from_str(text(&answers[4])).expect("JSON");
    assert_eq!(
        (&traces["count"], traces["traces"].as_array().map(Vec::len)),
        (&json!("3"), Some(3)),
        "{traces}"
    );
    assert!(text(&answers[5]).contains("Payment"));
    assert!(text(&answers[6]).starts_with("W201"));
    let asked: Value = serde_json::from_str(text(&answers[7])).expect("JSON");
    assert_eq!(asked["checks"][0]["verdict"], "fails", "{asked}");
}

#[test]
fn mistakes_of_the_client_and_hostile_texts_are_answered() {
    let folder = std::env::temp_dir();
    let answers = talk(&[
        json!({ "jsonrpc": "2.0", "id": 1, "method": "nonsense" }),
        call(2, "nonsense", json!({})),
        call(3, "check", json!({})),
        call(4, "check", json!({ "text": "@startuml\n!include /etc/passwd\nA -> B : x\n@enduml\n" })),
        call(5, "explain", json!({ "code": "--all" })),
        call(6, "check", json!({ "text": "x".repeat(2 << 20) })),
        json!("no message"),
    ]);
    let codes: Vec<&Value> = answers[..3].iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(codes, [&json!(-32601), &json!(-32602), &json!(-32602)]);
    assert!(text(&answers[3]).contains("E006") && !text(&answers[3]).contains("root:"), "{}", answers[3]);
    assert_eq!(answers[4]["result"]["isError"], true);
    assert_eq!(answers[5]["result"]["isError"], true);
    assert_eq!(answers.len(), 6);
    let own = |name: &str| name.starts_with("sequent-mcp-");
    let left =
        std::fs::read_dir(folder).expect("readable").filter_map(Result::ok).map(|entry| entry.file_name());
    // Another test may be at work; its folders are gone soon.
    assert!(left.filter(|name| own(&name.to_string_lossy())).count() <= 2);
}
