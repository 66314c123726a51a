//! `sequent dap`, driven by a script as an editor would: launching, stepping both ways, breakpoints, variables, watches.

mod runner;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use runner::folder;
use sequent_testing::editor::FramedProgram;
use serde_json::{Value, json};

/// A door that opens and shuts, and somebody who asks it to be open forever.
const DOOR: &str = "@startuml Door\n' @attribute count : 0..3 = 0\n[*] --> Closed\nClosed --> Open : unlock [count < 3] / count = count + 1\nOpen --> Closed : lock\n@enduml\n";
const WISH: &str = "@startuml wish\nparticipant \"d : Door\" as d\nactor user\n' @forbidden\nuser -> d : unlock\nuser -> d : lock\nuser -> d : unlock\n@enduml\n";

struct Debugger {
    wire: FramedProgram,
    sent: u64,
    events: Vec<Value>,
}

impl Debugger {
    fn new() -> Self {
        let mut debugger = Debugger {
            wire: FramedProgram::new(env!("CARGO_BIN_EXE_sequent"), &["dap"]),
            sent: 0,
            events: Vec::new(),
        };
        let can = debugger.ask("initialize", json!({ "adapterID": "sequent" })).expect("a body");
        assert_eq!(can["supportsStepBack"], true);
        debugger
    }

    /// Sends a request and waits for its answer; what happens in between is kept.
    fn ask(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        self.sent += 1;
        self.wire.send(
            &json!({ "seq": self.sent, "type": "request", "command": command, "arguments": arguments }),
        );
        loop {
            let message = self.wire.receive();
            if message["type"] == "event" {
                self.events.push(message);
            } else if message["request_seq"] == self.sent {
                return match message["success"] == true {
                    true => Ok(message["body"].clone()),
                    false => Err(message["message"].as_str().unwrap_or_default().to_owned()),
                };
            }
        }
    }

    /// The next event of this name.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].clone();
            }
            let message = self.wire.receive();
            self.events.push(message);
        }
    }

    /// Moves, and tells why it stopped and before which line.
    fn go(&mut self, command: &str) -> (String, String, u64) {
        self.ask(command, json!({ "threadId": 1 })).expect("it moves");
        self.stopped()
    }

    fn stopped(&mut self) -> (String, String, u64) {
        let reason = self.event("stopped")["reason"].as_str().expect("a reason").to_owned();
        let stack = self.ask("stackTrace", json!({ "threadId": 1 })).expect("a stack");
        let top = &stack["stackFrames"][0];
        let name = top["name"].as_str().expect("a name").to_owned();
        (reason, name, top["line"].as_u64().expect("a line"))
    }

    /// The number of the frame on top.
    fn frame(&mut self) -> Value {
        self.ask("stackTrace", json!({ "threadId": 1 })).expect("a stack")["stackFrames"][0]["id"].clone()
    }

    fn value(&mut self, expression: &str) -> Result<String, String> {
        let body = self.ask("evaluate", json!({ "expression": expression, "context": "watch" }))?;
        Ok(body["result"].as_str().expect("a result").to_owned())
    }
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("writable");
    path
}

#[test]
fn a_counterexample_is_stepped_through() {
    let folder = folder("dap");
    let door = write(&folder, "door.puml", DOOR);
    let wish = write(&folder, "wish.puml", WISH);
    let mut debugger = Debugger::new();
    assert!(debugger.ask("threads", json!({})).is_err(), "nothing is launched");
    debugger.ask("launch", json!({ "program": wish })).expect("a run");
    let told = debugger.event("output")["output"].as_str().expect("a text").to_owned();
    assert!(told.starts_with("fails"), "{told}");
    debugger.event("initialized");
    // The transition that `unlock` fires, and a line on which nothing happens.
    let lines = json!([{ "line": 4, "condition": "d.count > 0" }, { "line": 2 }]);
    let set = debugger.ask("setBreakpoints", json!({ "source": { "path": door }, "breakpoints": lines }));
    let set = set.expect("a body");
    assert_eq!([&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]], [true, false]);
    debugger.ask("configurationDone", json!({})).expect("it starts");
    let (reason, first, _) = debugger.stopped();
    assert_eq!(reason, "entry");
    assert!(first.starts_with("next: "), "{first}");
    // The condition holds before the second `unlock` only.
    let (reason, name, line) = debugger.go("continue");
    assert_eq!((reason.as_str(), line), ("breakpoint", 4), "{name}");
    assert_eq!(debugger.value("d.count + 1"), Ok("2".to_owned()));
    assert_eq!(debugger.value("in(d, Closed) && d.state == \"Closed\""), Ok("true".to_owned()));
    assert!(debugger.value("nobody.count").is_err_and(|problem| problem.contains("no object is called")));
    let frame = debugger.frame();
    let scopes = debugger.ask("scopes", json!({ "frameId": frame })).expect("scopes");
    let names: Vec<&str> =
        scopes["scopes"].as_array().expect("scopes").iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"d") && names.contains(&"events"), "{names:?}");
    let at = names.iter().position(|name| *name == "d").expect("it is there");
    let reference = scopes["scopes"][at]["variablesReference"].clone();
    let variables = debugger.ask("variables", json!({ "variablesReference": reference })).expect("variables");
    let shown: Vec<(String, String)> = variables["variables"]
        .as_array()
        .expect("variables")
        .iter()
        .map(|one| {
            (one["name"].as_str().expect("a name").into(), one["value"].as_str().expect("a value").into())
        })
        .collect();
    assert!(shown.contains(&("state".to_owned(), "Closed".to_owned())), "{shown:?}");
    assert!(shown.contains(&("count".to_owned(), "1".to_owned())), "{shown:?}");
    assert!(shown.iter().any(|(name, _)| name == "queue"), "{shown:?}");
    // One step on and back is where one was; all the way back is the beginning, and forward the end.
    let (_, next, _) = debugger.go("next");
    assert_ne!(next, name);
    assert_eq!(debugger.go("stepBack"), ("step".to_owned(), name, 4));
    let (reason, start, _) = debugger.go("reverseContinue");
    assert_eq!((reason.as_str(), start), ("entry", first));
    // A message is as good as a line.
    let set = json!({ "breakpoints": [{ "name": "lock" }] });
    assert_eq!(
        debugger.ask("setFunctionBreakpoints", set).expect("a body")["breakpoints"][0]["verified"],
        true
    );
    let (reason, name, _) = debugger.go("continue");
    assert_eq!(reason, "breakpoint");
    assert!(name.contains("lock"), "{name}");
    debugger.ask("setFunctionBreakpoints", json!({ "breakpoints": [] })).expect("a body");
    debugger.ask("setBreakpoints", json!({ "source": { "path": door }, "breakpoints": [] })).expect("a body");
    let (reason, _, _) = debugger.go("continue");
    assert_eq!(reason, "end of the run");
    debugger.ask("continue", json!({ "threadId": 1 })).expect("it goes on");
    debugger.event("terminated");
    debugger.ask("disconnect", json!({})).expect("it ends");
    assert_eq!(debugger.wire.end(), Some(0));
}

#[test]
fn what_cannot_be_launched_is_told() {
    let folder = folder("dap-nothing");
    let plain = write(&folder, "plain.puml", "@startuml\na -> b : x\n@enduml\n");
    let asked = "@startuml\n' @ltl G !received(x)\na -> b : x\n@enduml\n";
    let asked = write(&folder, "asked.puml", asked);
    let mut debugger = Debugger::new();
    let problem = debugger.ask("launch", json!({ "program": plain })).expect_err("no run");
    assert!(problem.contains("no question of this file shows a run"), "{problem}");
    let problem =
        debugger.ask("launch", json!({ "program": folder.join("none.puml") })).expect_err("no file");
    assert!(problem.contains("none.puml") || problem.contains("no question"), "{problem}");
    let problem =
        debugger.ask("launch", json!({ "program": asked, "question": 9 })).expect_err("no question");
    assert!(problem.contains("question 9 shows no run") && problem.contains("question 1:"), "{problem}");
    debugger.ask("launch", json!({ "program": asked, "line": 2, "stopOnEntry": false })).expect("a run");
    debugger.ask("configurationDone", json!({})).expect("it starts");
    let (reason, _, line) = debugger.stopped();
    assert_eq!((reason.as_str(), line), ("end of the run", 3));
    assert!(debugger.ask("restart", json!({})).is_err());
    assert_eq!(debugger.wire.end(), Some(0));
}

/// Machines whose steps are written on different lines: transitions without trigger, effects after the first, entries.
const TILL: &str = "@startuml Till
' @class Till
[*] --> Idle
Idle --> Busy : card
Busy --> Busy : pin / ^user.again; ^user.wait
Busy --> Eaten : bad
@enduml
@startuml User
[*] --> Out
Out --> In : / ^till.card
In --> Done : again / ^till.bad
In --> In : / ^till.pin
Done : entry / ^till.pin
@enduml
@startuml q
' @ltl G !in(till, Eaten)
participant \"till : Till\" as till
participant \"user : User\" as user
user ->> till : card
@enduml
";

#[test]
fn each_step_of_a_machine_stands_on_its_own_line() {
    let folder = folder("dap-lines");
    write(&folder, "sequent.toml", "[system]\nobjects = { till = \"Till\", user = \"User\" }\n");
    let file = write(&folder, "till.puml", TILL);
    let mut debugger = Debugger::new();
    debugger.ask("launch", json!({ "program": file })).expect("a run");
    debugger.event("initialized");
    debugger.ask("configurationDone", json!({})).expect("it starts");
    let (_, mut name, mut line) = debugger.stopped();
    let written: Vec<&str> = TILL.lines().collect();
    let mut sent = 0;
    while name.starts_with("next: ") {
        let shown = written[line as usize - 1];
        // What is sent is written on the line, and so is what is taken.
        let message =
            name.rsplit(':').next().and_then(|rest| rest.split(['(', ' ']).next()).unwrap_or_default();
        if name.contains('!') || name.contains('?') && !name.contains("(lost)") {
            assert!(shown.contains(message), "{name} stands on `{shown}`");
            sent += 1;
        }
        (_, name, line) = debugger.go("next");
    }
    assert!(sent > 4, "{sent}");
}

#[test]
fn a_breakpoint_on_the_first_step_stops_there() {
    let folder = folder("dap-first");
    write(&folder, "sequent.toml", "[system]\nobjects = { till = \"Till\", user = \"User\" }\n");
    let file = write(&folder, "till.puml", TILL);
    let mut debugger = Debugger::new();
    debugger.ask("launch", json!({ "program": file, "stopOnEntry": false })).expect("a run");
    debugger.event("initialized");
    let lines = json!([{ "line": 10 }]);
    let set = debugger.ask("setBreakpoints", json!({ "source": { "path": file }, "breakpoints": lines }));
    assert_eq!(set.expect("a body")["breakpoints"][0]["verified"], true);
    debugger.ask("configurationDone", json!({})).expect("it starts");
    let (reason, name, line) = debugger.stopped();
    assert_eq!((reason.as_str(), line), ("breakpoint", 10), "{name}");
    assert_eq!(debugger.frame(), 1);
}

#[test]
fn what_is_no_message_is_told() {
    let told = |input: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sequent"))
            .arg("dap")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it listens");
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("a text"))
    };
    assert_eq!(told(""), (Some(0), String::new()));
    for (input, problem) in [
        ("Content-Length: 2\r\n\r\n{x", "not JSON"),
        ("Content-Length: 99\r\n\r\n{}", "ends in a message"),
        ("Content-Length: 2\r\n", "ends in a message"),
        ("Content-Length: 99999999999999\r\n\r\n{}", "at most"),
        ("hello\r\n", "Content-Length"),
    ] {
        let (code, told) = told(input);
        assert!(code == Some(2) && told.contains(problem), "{input:?}: {told}");
    }
    let mut debugger = Debugger::new();
    let problem = debugger.ask("launch", json!({ "program": "no/such.puml" })).expect_err("no file");
    assert!(problem.contains("no such file"), "{problem}");
}
