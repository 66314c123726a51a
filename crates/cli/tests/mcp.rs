//! `sequent mcp`, driven by a script.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Sends messages, and gives the answers.
fn talk(messages: &[Value]) -> Vec<Value> {
    let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
    tell(lines.as_bytes())
}

/// Sends lines, and gives the answers.
fn tell(lines: &[u8]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sequent"))
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    // Lines may be more than a pipe takes before the first is answered.
    let lines = lines.to_vec();
    std::thread::spawn(move || input.write_all(&lines).expect("it listens"));
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
        call(7, "questions", json!({ "text": "A -> B : x\n", "formula": "G (" })),
        json!("no message"),
    ]);
    let codes: Vec<&Value> = answers[..3].iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(codes, [&json!(-32601), &json!(-32602), &json!(-32602)]);
    assert!(text(&answers[3]).contains("E006") && !text(&answers[3]).contains("root:"), "{}", answers[3]);
    assert_eq!(answers[4]["result"]["isError"], true);
    assert_eq!(answers[5]["result"]["isError"], true);
    // Options are arguments here.
    assert!(
        text(&answers[6]).contains("`formula`:1:3") && !text(&answers[6]).contains("--ltl"),
        "{}",
        answers[6]
    );
    // What is no request has no number.
    assert_eq!((answers.len(), &answers[7]["error"]["code"]), (8, &json!(-32600)));
    let own = |name: &str| name.starts_with("sequent-mcp-");
    let left =
        std::fs::read_dir(folder).expect("readable").filter_map(Result::ok).map(|entry| entry.file_name());
    // Another test may be at work; its folders are gone soon.
    assert!(left.filter(|name| own(&name.to_string_lossy())).count() <= 2);
}

#[test]
fn what_is_not_understood_is_told_beside_the_result() {
    let text = "@startuml\na -> b : x\nfrobnicate\n@enduml\n";
    let answers = talk(&[
        call(1, "draw", json!({ "text": text })),
        call(2, "trace", json!({ "text": text })),
        call(3, "draw", json!({ "text": "@startuml\na -> b : x\n@enduml\n" })),
    ]);
    for answer in &answers[..2] {
        let told = answer["result"]["content"][1]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(told.contains("frobnicate") && !told.contains("sequent-mcp"), "{told}");
    }
    assert!(text_of(&answers[0], 0).contains('x'));
    assert_eq!(answers[2]["result"]["content"].as_array().map(Vec::len), Some(1), "{}", answers[2]);
}

fn text_of(answer: &Value, item: usize) -> &str {
    answer["result"]["content"][item]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn arguments_are_those_of_the_schema() {
    let wrong = [
        ("questions", json!({ "text": DIAGRAM, "formula": 7 }), "formula"),
        ("check", json!({ "text": DIAGRAM, "notation": 5 }), "notation"),
        ("check", json!({ "text": DIAGRAM, "notation": "svg" }), "notation"),
        ("trace", json!({ "text": DIAGRAM, "max": "3" }), "max"),
        ("trace", json!({ "text": DIAGRAM, "max": 0 }), "max"),
        ("draw", json!({ "text": DIAGRAM, "to": "png" }), "to"),
        ("check", json!({ "text": DIAGRAM, "strict": true }), "strict"),
        ("check", json!({ "text": 7 }), "text"),
        ("explain", json!({}), "code"),
        ("check", json!([DIAGRAM]), "arguments"),
    ];
    let calls: Vec<Value> =
        wrong.iter().zip(1..).map(|((name, arguments, _), id)| call(id, name, arguments.clone())).collect();
    for (answer, (_, _, named)) in talk(&calls).iter().zip(&wrong) {
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().expect("a text");
        assert!(message.contains(&format!("`{named}`")), "{message}");
    }
}

#[test]
fn documents_are_recognised_and_answers_are_always_the_same() {
    let adoc = "= Pay\n\n[plantuml]\n----\na -> b : x\nb -> a : y\n----\n";
    let rst = "Pay\n===\n\n.. uml::\n\n   a -> b : x\n   b -> a : y\n";
    let asked = "@startuml\n' @ltl F received(x)\na -> b : x\n@enduml\n";
    let two = "@startuml one\na -> b : x\n@enduml\n@startuml two\na -> b : y\n@enduml\n";
    let answers = talk(&[
        call(1, "trace", json!({ "text": adoc })),
        call(2, "trace", json!({ "text": rst })),
        call(3, "check", json!({ "text": asked })),
        call(4, "check", json!({ "text": asked })),
        call(5, "draw", json!({ "text": two, "to": "svg" })),
        call(6, "draw", json!({ "text": two, "to": "svg", "diagram": "two" })),
    ]);
    for answer in &answers[..2] {
        let traces: Value = serde_json::from_str(text(answer)).expect("JSON");
        assert_eq!(traces["count"], "1", "{traces}");
    }
    assert_eq!(text(&answers[2]), text(&answers[3]));
    assert!(text(&answers[2]).contains("\"verdict\": \"holds\"") && !text(&answers[2]).contains("millis"));
    assert!(text(&answers[4]).contains("`diagram`") && !text(&answers[4]).contains("--"), "{}", answers[4]);
    assert!(text(&answers[5]).starts_with("<svg"), "{}", answers[5]);
}

#[test]
fn batches_versions_and_broken_lines_are_answered() {
    let initialise = |version: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": version } });
    let ping = |id: u64| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    let answers = talk(&[
        initialise("1999-01-01"),
        json!([ping(2), { "jsonrpc": "2.0", "method": "notifications/initialized" }, ping(3)]),
        json!([]),
        json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }]),
    ]);
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(
        (&answers[1][0]["id"], &answers[1][1]["id"], answers[1].as_array().map(Vec::len)),
        (&json!(2), &json!(3), Some(2))
    );
    assert_eq!((answers.len(), &answers[2]["error"]["code"]), (3, &json!(-32600)));
    let lines = [b"{\"method\": \"\xff\"}\n".to_vec(), format!("{}\n", ping(4)).into_bytes()].concat();
    let answers = tell(&lines);
    assert_eq!((&answers[0]["error"]["code"], &answers[1]["id"]), (&json!(-32700), &json!(4)));
    // A line without end is not kept.
    let endless = [vec![b'['; 40 << 20], b"\n".to_vec(), format!("{}\n", ping(5)).into_bytes()].concat();
    let answers = tell(&endless);
    assert!(answers[0]["error"]["message"].as_str().is_some_and(|told| told.contains("longer than")));
    assert_eq!((answers.len(), &answers[1]["id"]), (2, &json!(5)));
}
