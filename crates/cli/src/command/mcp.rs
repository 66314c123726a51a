//! `sequent mcp`: tools for assistants, by the Model Context Protocol on standard input and output.
//!
//! The protocol is JSON-RPC, one message a line, and a server of tools needs four of its messages; they are written here, without a crate. Each
//! call of a tool is a run of this program with limits of time and memory: what an assistant sees is what a user sees, and a text that
//! takes too long ends its own call only.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cli::{self, Common};

/// The version of the protocol that is spoken if the client does not ask for one.
const VERSION: &str = "2025-06-18";

/// The endings that a text may be read by.
const NOTATIONS: &[(&str, &str)] =
    &[("plantuml", "puml"), ("mermaid", "mmd"), ("markdown", "md"), ("asciidoc", "adoc"), ("rst", "rst")];

/// The longest text that a tool accepts, in bytes.
const LONGEST: usize = 1 << 20;

pub(crate) fn run(options: &cli::Mcp, _: &Common) -> Result<u8, String> {
    let limits = [format!("--time={}", options.time), format!("--memory={}", options.memory)];
    let input = std::io::stdin().lock();
    for line in input.lines() {
        let line = line.map_err(|error| format!("standard input cannot be read: {error}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Value>(&line) {
            Ok(message) => answer(&message, &limits),
            Err(error) => Some(failure(&Value::Null, -32700, &format!("not JSON: {error}"))),
        };
        if let Some(answer) = answer {
            let mut output = std::io::stdout().lock();
            let written = writeln!(output, "{answer}").and_then(|()| output.flush());
            // The client is gone.
            if written.is_err() {
                return Ok(0);
            }
        }
    }
    Ok(0)
}

/// The answer to a message; none to a notification.
fn answer(message: &Value, limits: &[String]) -> Option<Value> {
    let id = message.get("id")?;
    let params = &message["params"];
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let version = params["protocolVersion"].as_str().unwrap_or(VERSION);
            json!({
                "protocolVersion": version,
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "sequent", "version": env!("CARGO_PKG_VERSION") },
                "instructions": "Check every sequence, state or class diagram that you write before you show it.",
            })
        }
        "ping" => json!({}),
        "tools/list" => json!({ "tools": tools() }),
        "tools/call" => match call(params["name"].as_str().unwrap_or_default(), &params["arguments"], limits)
        {
            Ok(text) => json!({ "content": [{ "type": "text", "text": text }], "isError": false }),
            Err(ToolProblem::Tool(text)) => {
                json!({ "content": [{ "type": "text", "text": text }], "isError": true })
            }
            Err(ToolProblem::Call(text)) => return Some(failure(id, -32602, &text)),
        },
        method => return Some(failure(id, -32601, &format!("`{method}` is not supported"))),
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn failure(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Why there is no result.
enum ToolProblem {
    /// The call names no tool, or lacks an argument.
    Call(String),
    /// The tool says why.
    Tool(String),
}

fn tools() -> Value {
    let text = json!({ "type": "string", "description": "the diagram, or a document with diagrams" });
    let names: Vec<&str> = NOTATIONS.iter().map(|(name, _)| *name).collect();
    let notation =
        json!({ "type": "string", "enum": names, "description": "how it is written; found out if absent" });
    let tool = |name: &str, description: &str, more: Value, required: &[&str]| {
        json!({
            "name": name,
            "description": description,
            "inputSchema": { "type": "object", "properties": more, "required": required, "additionalProperties": false },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
    };
    let source = |more: &[(&str, Value)]| {
        let mut properties = json!({ "text": text, "notation": notation });
        more.iter().for_each(|(name, schema)| properties[*name] = schema.clone());
        properties
    };
    let word = |description: &str| json!({ "type": "string", "description": description });
    json!([
        tool(
            "check",
            "Check diagrams: findings with places and hints, and the verdicts of their questions, as JSON.",
            source(&[]),
            &["text"]
        ),
        tool(
            "questions",
            "Answer questions about diagrams: those that stand in them (@ltl, @required ..), and a formula or pattern of your own, such as `received(ok) precedes sent(ship)`. JSON; a verdict that fails shows a run.",
            source(&[("formula", word("a formula of linear temporal logic, or a pattern in words"))]),
            &["text"],
        ),
        tool(
            "trace",
            "Count and list the traces of a sequence diagram, as JSON.",
            source(&[
                ("interaction", word("the name of the diagram, if there are several")),
                (
                    "max",
                    json!({ "type": "integer", "minimum": 1, "maximum": 1000, "description": "how many are listed; 20 if absent" })
                ),
            ]),
            &["text"],
        ),
        tool(
            "draw",
            "Draw diagrams as text, or as SVG.",
            source(&[("to", json!({ "type": "string", "enum": ["text", "svg"] }))]),
            &["text"],
        ),
        tool(
            "fix",
            "Mend what needs no decision (misspelt names, a missing `end` ..), and return the text.",
            source(&[]),
            &["text"]
        ),
        tool(
            "explain",
            "Explain a finding by its code, or search the explanations for a word.",
            json!({ "code": word("such as W201") }),
            &["code"]
        ),
    ])
}

fn call(name: &str, arguments: &Value, limits: &[String]) -> Result<String, ToolProblem> {
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let limited = |words: &[&str]| [own(words), limits.to_vec()].concat();
    match name {
        "check" => on_text(arguments, limited(&["check", "--format", "json"])).map(|(out, _)| out),
        "questions" => {
            let mut words = limited(&["check", "--format", "json"]);
            if let Some(formula) = arguments["formula"].as_str() {
                words.push(format!("--ltl={formula}"));
            }
            let (out, _) = on_text(arguments, words)?;
            let checked: Value = serde_json::from_str(&out).map_err(|_| ToolProblem::Tool(out.clone()))?;
            let errors = checked["diagnostics"].as_array().into_iter().flatten();
            let errors: Vec<&Value> = errors.filter(|one| one["severity"] == "error").collect();
            Ok(json!({ "checks": checked["checks"], "errors": errors }).to_string())
        }
        "trace" => {
            let max = arguments["max"].as_u64().unwrap_or(20).clamp(1, 1000);
            let mut words = limited(&["traces", "--format", "json", "--list"]);
            words.push(format!("--max={max}"));
            words.extend(arguments["interaction"].as_str().map(|name| format!("--interaction={name}")));
            on_text(arguments, words).map(|(out, _)| out)
        }
        "draw" => {
            let to = arguments["to"].as_str().unwrap_or("text");
            on_text(arguments, limited(&["render", &format!("--to={to}")])).map(|(out, _)| out)
        }
        "fix" => {
            on_text(arguments, limited(&["check", "--fix", "--format", "concise"])).map(|(_, text)| text)
        }
        "explain" => {
            let code = arguments["code"]
                .as_str()
                .ok_or_else(|| ToolProblem::Call("`code` is missing".to_owned()))?;
            start(&own(&["explain", "--", code]))
        }
        name => Err(ToolProblem::Call(format!("there is no tool `{name}`"))),
    }
}

/// Runs a command on a text, in a folder that holds nothing else; what it printed, and the text after it.
fn on_text(arguments: &Value, mut words: Vec<String>) -> Result<(String, String), ToolProblem> {
    let text = arguments["text"].as_str().ok_or_else(|| ToolProblem::Call("`text` is missing".to_owned()))?;
    if text.len() > LONGEST {
        return Err(ToolProblem::Tool("the text is longer than a megabyte".to_owned()));
    }
    let ending = match arguments["notation"].as_str() {
        None => "",
        Some(name) => {
            let known = NOTATIONS.iter().find(|(known, _)| *known == name);
            known
                .map(|(_, ending)| *ending)
                .ok_or_else(|| ToolProblem::Call(format!("there is no notation `{name}`")))?
        }
    };
    let folder = TransientFolder::new()
        .map_err(|error| ToolProblem::Tool(format!("no file can be written: {error}")))?;
    let file = folder.0.join("diagram").with_extension(ending);
    let failed = |error: std::io::Error| ToolProblem::Tool(error.to_string());
    std::fs::write(&file, text).map_err(failed)?;
    words.push(file.to_string_lossy().into_owned());
    let out = start(&words)?;
    // The folder is nothing that a reader knows.
    let out = out.replace(&format!("{}/", folder.0.display()), "");
    Ok((out, std::fs::read_to_string(&file).map_err(failed)?))
}

/// A folder that is removed in the end.
struct TransientFolder(PathBuf);

impl TransientFolder {
    fn new() -> std::io::Result<Self> {
        let mut number = 0;
        loop {
            let path = std::env::temp_dir().join(format!("sequent-mcp-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => {
                    // What lies around the folder says nothing about the diagram.
                    std::fs::create_dir(path.join(".git"))?;
                    return Ok(TransientFolder(path));
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for TransientFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs this program; what it prints. Findings and failed checks are results, not failures.
fn start(words: &[String]) -> Result<String, ToolProblem> {
    let failed = |error: std::io::Error| ToolProblem::Tool(error.to_string());
    let program = std::env::current_exe().map_err(failed)?;
    let output = Command::new(program)
        .args(words)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .map_err(failed)?;
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => Ok(out),
        // Without a report the limits have ended it.
        Some(1 | 3) if !out.is_empty() => Ok(out),
        _ => Err(ToolProblem::Tool(format!("{out}{err}"))),
    }
}
