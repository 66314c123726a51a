//! An editor that follows a script: it sends messages and waits for what must come. [`FramedProgram`] is what language servers and debug adapters have in common.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// No message takes longer to come, even on a machine that does a lot besides.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that speaks in messages with a length before each, as language servers and debug adapters do.
pub struct FramedProgram {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
}

impl FramedProgram {
    /// Starts the program.
    pub fn new(program: &str, arguments: &[&str]) -> Self {
        Self::start(Command::new(program).args(arguments))
    }

    fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the server starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = frame(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        FramedProgram { child, input, messages }
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("the server listens");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        input.flush().expect("the server listens");
    }

    /// The next message.
    pub fn receive(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("the server answers")
    }

    /// Hangs up and waits for the end; the exit code.
    pub fn end(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for FramedProgram {
    fn drop(&mut self) {
        self.input = None;
        // A test that fails leaves no server behind; one that has ended cannot be ended again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An editor that speaks with a language server.
pub struct Client {
    wire: FramedProgram,
    requests: i64,
    /// How often something was opened, changed or closed.
    pub edits: u64,
    /// The latest findings of each file.
    pub findings: BTreeMap<String, Vec<Value>>,
    /// Messages of the server that are neither answers nor findings, by method.
    pub heard: Vec<String>,
    /// The latest edit after which each file was checked, until [`Client::checked`] has seen it.
    checks: BTreeMap<String, u64>,
}

impl Client {
    /// Starts the server for a folder.
    pub fn new(program: &str, root: &Path) -> Self {
        Self::with_options(program, root, json!({ "commands": ["sequent.stepThrough"], "format": true }))
    }

    /// The same with wishes of its own.
    pub fn with_options(program: &str, root: &Path, options: Value) -> Self {
        Self::over(FramedProgram::new(program, &["lsp"]), root, options)
    }

    /// Starts the server in its folder, as most editors do.
    pub fn within(program: &str, root: &Path) -> Self {
        let wire = FramedProgram::start(Command::new(program).arg("lsp").current_dir(root));
        Self::over(wire, root, json!({}))
    }

    fn over(wire: FramedProgram, root: &Path, options: Value) -> Self {
        let (findings, heard, checks) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        let mut client = Client { wire, requests: 0, edits: 0, findings, heard, checks };
        let refresh = json!({ "refreshSupport": true });
        let capabilities = json!({
            "workspace": { "codeLens": refresh, "inlayHint": refresh }, "window": { "workDoneProgress": true },
        });
        client
            .ask(
                "initialize",
                json!({ "rootUri": uri(root), "capabilities": capabilities, "initializationOptions": options }),
            )
            .expect("a result");
        client.tell("initialized", json!({}));
        client
    }

    /// The number of the server's process.
    pub fn process(&self) -> u32 {
        self.wire.process()
    }

    fn send(&mut self, message: &Value) {
        self.wire.send(message);
    }

    /// Sends a request; its number.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message; requests of the server are answered, findings are kept.
    pub fn hear(&mut self) -> Value {
        let message = self.wire.receive();
        if message["method"] == "textDocument/publishDiagnostics" {
            let uri = message["params"]["uri"].as_str().expect("an address").to_owned();
            let all = message["params"]["diagnostics"].as_array().expect("findings").clone();
            self.findings.insert(uri, all);
        } else if let Some(method) = message["method"].as_str() {
            self.heard.push(method.to_owned());
        }
        if message["method"] == "sequent/checked" {
            let (file, edit) = (&message["params"]["uri"], &message["params"]["edit"]);
            self.checks.extend(file.as_str().map(str::to_owned).zip(edit.as_u64()));
        }
        if message.get("id").is_some() && message.get("method").is_some() {
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": null });
            self.send(&answer);
        }
        message
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let message = self.hear();
            if message["id"] == id && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    /// Sends a request and waits for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// Asks about a place in a file.
    pub fn at(&mut self, method: &str, file: &Path, line: u64, character: u64) -> Value {
        let params = place(file, line, character);
        self.ask(method, params).expect("a result")
    }

    /// Opens a file with this text.
    pub fn open(&mut self, file: &Path, text: &str) {
        self.edits += 1;
        let document = json!({ "uri": uri(file), "languageId": "any", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Changes a file.
    pub fn change(&mut self, file: &Path, changes: Value) {
        self.edits += 1;
        let document = json!({ "uri": uri(file), "version": self.edits });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Closes a file.
    pub fn close(&mut self, file: &Path) {
        self.edits += 1;
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(file) } }));
    }

    /// Waits until a file is checked as it is after the last edit; what was found.
    pub fn checked(&mut self, file: &Path) -> Vec<Value> {
        let uri = uri(file);
        // The message may have come while an answer was awaited.
        while self.checks.get(&uri) != Some(&self.edits) {
            self.hear();
        }
        self.checks.remove(&uri);
        self.findings.get(&uri).cloned().unwrap_or_default()
    }

    /// Ends the server as editors do; its exit code.
    pub fn end(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null).expect("a result");
        self.tell("exit", Value::Null);
        self.hang_up()
    }

    /// Says nothing more; the server's exit code.
    pub fn hang_up(self) -> Option<i32> {
        self.wire.end()
    }
}

fn frame(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().expect("a number"),
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("JSON"))
}

/// The address of a file.
pub fn uri(path: &Path) -> String {
    let signs = path.to_str().expect("a readable path").bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    format!("file://{}", signs.collect::<String>())
}

/// A place in a file, as requests name it.
pub fn place(file: &Path, line: u64, character: u64) -> Value {
    json!({ "textDocument": { "uri": uri(file) }, "position": { "line": line, "character": character } })
}

/// A text after changes that do not overlap, counted in UTF-16.
pub fn changed(text: &str, edits: &Value) -> String {
    let mut edits: Vec<&Value> = edits.as_array().expect("changes").iter().collect();
    let key = |edit: &Value| {
        let start = &edit["range"]["start"];
        (start["line"].as_u64().expect("a line"), start["character"].as_u64().expect("a column"))
    };
    edits.sort_by_key(|edit| std::cmp::Reverse(key(edit)));
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for edit in edits {
        let at = |end: &str| offset(&units, &edit["range"][end]);
        let (start, end) = (at("start"), at("end"));
        let new: Vec<u16> = edit["newText"].as_str().expect("a text").encode_utf16().collect();
        units.splice(start..end, new);
    }
    String::from_utf16(&units).expect("whole characters")
}

/// The unit at a position.
pub fn offset(units: &[u16], position: &Value) -> usize {
    let newline = u16::from(b'\n');
    let mut start = 0;
    for _ in 0..position["line"].as_u64().expect("a line") {
        start += units[start..].iter().position(|unit| *unit == newline).expect("a line of that number") + 1;
    }
    start + position["character"].as_u64().expect("a column") as usize
}
