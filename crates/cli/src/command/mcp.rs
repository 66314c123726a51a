//! `sequent mcp`: tools for assistants, by the Model Context Protocol on standard input and output.
//!
//! The protocol is JSON-RPC, one message a line, and a server of tools needs four of its messages; they are written here, without a crate. Each
//! call of a tool is a run of this program with limits of time and memory: what an assistant sees is what a user sees, and a text that
//! takes too long ends its own call only.

use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sequent_report::escape;
use serde_json::{Value, json};

use crate::cli::{self, Common};

/// The versions of the protocol that are spoken, the latest last.
const VERSIONS: [&str; 3] = ["2024-11-05", "2025-03-26", "2025-06-18"];

/// The endings that a text may be read by.
const NOTATIONS: &[(&str, &str)] =
    &[("plantuml", "puml"), ("mermaid", "mmd"), ("markdown", "md"), ("asciidoc", "adoc"), ("rst", "rst")];

/// The longest text that a tool accepts, in bytes.
const LONGEST: usize = 1 << 20;

/// The longest message that is read, in bytes: a text may be written with an escape for each of its signs.
const LONGEST_LINE: u64 = 16 << 20;

pub(crate) fn run(options: &cli::Mcp, _: &Common) -> Result<u8, String> {
    let limits = [format!("--time={}", options.time), format!("--memory={}", options.memory)];
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let unread = |error: std::io::Error| format!("standard input cannot be read: {error}");
        let length = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(unread)?;
        if length == 0 {
            return Ok(0);
        }
        let is_cut = length as u64 == LONGEST_LINE && !line.ends_with(b"\n");
        if is_cut {
            input.skip_until(b'\n').map_err(unread)?;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice::<Value>(&line) {
            _ if is_cut => Some(failure(&Value::Null, -32700, "the message is longer than 16 megabytes")),
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
}

/// The answer to a message, or to several at once; none to notifications.
fn answer(message: &Value, limits: &[String]) -> Option<Value> {
    match message {
        Value::Array(all) if !all.is_empty() => {
            let answers: Vec<Value> = all.iter().filter_map(|one| answer_one(one, limits)).collect();
            (!answers.is_empty()).then_some(Value::Array(answers))
        }
        message => answer_one(message, limits),
    }
}

fn answer_one(message: &Value, limits: &[String]) -> Option<Value> {
    let method = message["method"].as_str();
    let Some(id) = message.get("id") else {
        return method.is_none().then(|| failure(&Value::Null, -32600, "not a request: it has no `method`"));
    };
    let params = &message["params"];
    let result = match method {
        Some("initialize") => {
            let wanted = VERSIONS.iter().find(|version| params["protocolVersion"] == **version);
            json!({
                "protocolVersion": wanted.unwrap_or(&VERSIONS[VERSIONS.len() - 1]),
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "sequent", "version": env!("CARGO_PKG_VERSION") },
                "instructions": "Check every sequence, state or class diagram that you write before you show it.",
            })
        }
        Some("ping") => json!({}),
        Some("tools/list") => json!({ "tools": tools() }),
        Some("tools/call") => {
            let items = |texts: Vec<String>| -> Vec<Value> {
                texts.into_iter().map(|text| json!({ "type": "text", "text": text })).collect()
            };
            match call(params["name"].as_str().unwrap_or_default(), &params["arguments"], limits) {
                Ok(texts) => json!({ "content": items(texts), "isError": false }),
                Err(ToolProblem::Tool(text)) => json!({ "content": items(vec![text]), "isError": true }),
                Err(ToolProblem::Call(text)) => return Some(failure(id, -32602, &text)),
            }
        }
        // An answer to a question that was never asked.
        None if message.get("result").is_some() || message.get("error").is_some() => return None,
        None => return Some(failure(id, -32600, "not a request: it has no `method`")),
        Some(method) => return Some(failure(id, -32601, &format!("`{method}` is not supported"))),
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn failure(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Why there is no result.
enum ToolProblem {
    /// The call names no tool, or its arguments do not fit the tool's schema.
    Call(String),
    /// The tool says why.
    Tool(String),
}

/// What a command said about a text.
struct ToolRun {
    /// What it printed.
    out: String,
    /// What it complained of.
    complaints: String,
    /// The text after it.
    text: String,
}

impl ToolRun {
    /// What it printed, and what it complained of if it did.
    fn told(self) -> Vec<String> {
        [self.out].into_iter().chain((!self.complaints.is_empty()).then_some(self.complaints)).collect()
    }

    /// What it found out, without what it cost, which differs from one run to the next.
    fn found(self) -> Result<Value, ToolProblem> {
        let mut found: Value =
            serde_json::from_str(&self.out).map_err(|_| ToolProblem::Tool(self.out.clone()))?;
        for check in found["checks"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            check.retain(|key, _| !COSTS.contains(&key.as_str()));
        }
        Ok(found)
    }
}

/// What an answer says about the time and memory that it took.
const COSTS: &[&str] = &["memory", "millis"];

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
            source(&[
                ("to", json!({ "type": "string", "enum": ["text", "svg"] })),
                ("diagram", word("the name of the diagram, if only one is wanted; SVG is of one")),
            ]),
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

/// What a tool says: its result, and behind it what the command complained of.
fn call(name: &str, arguments: &Value, limits: &[String]) -> Result<Vec<String>, ToolProblem> {
    fits(name, arguments)?;
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let limited = |words: &[&str]| [own(words), limits.to_vec()].concat();
    let option = |name: &str| arguments[name].as_str().map(|value| format!("--{name}={value}"));
    match name {
        "check" => {
            let found = on_text(arguments, limited(&["check", "--format", "json"]))?.found()?;
            Ok(vec![escape::json(&found)])
        }
        "questions" => {
            let mut words = limited(&["check", "--format", "json"]);
            words.extend(arguments["formula"].as_str().map(|formula| format!("--ltl={formula}")));
            let checked = on_text(arguments, words)?.found()?;
            let errors = checked["diagnostics"].as_array().into_iter().flatten();
            let errors: Vec<&Value> = errors.filter(|one| one["severity"] == "error").collect();
            Ok(vec![escape::json(&json!({ "checks": checked["checks"], "errors": errors }))])
        }
        "trace" => {
            let mut words = limited(&["traces", "--format", "json", "--list"]);
            words.push(format!("--max={}", arguments["max"].as_u64().unwrap_or(20)));
            words.extend(option("interaction"));
            on_text(arguments, words).map(ToolRun::told)
        }
        "draw" => {
            let to = arguments["to"].as_str().unwrap_or("text");
            let mut words = limited(&["render", &format!("--to={to}")]);
            words.extend(option("diagram"));
            on_text(arguments, words).map(ToolRun::told)
        }
        "fix" => {
            let words = limited(&["check", "--fix", "--format", "concise"]);
            on_text(arguments, words).map(|run| vec![run.text])
        }
        _ => {
            let code = arguments["code"].as_str().unwrap_or_default();
            start(&own(&["explain", "--", code])).map(|(out, _)| vec![out])
        }
    }
}

/// Whether the arguments of a call are those that the schema of its tool describes.
fn fits(name: &str, arguments: &Value) -> Result<(), ToolProblem> {
    let tools = tools();
    let tool = tools.as_array().into_iter().flatten().find(|tool| tool["name"] == name);
    let wrong = |problem: String| Err(ToolProblem::Call(problem));
    let Some(schema) = tool.map(|tool| &tool["inputSchema"]) else {
        return wrong(format!("there is no tool `{name}`"));
    };
    let none = serde_json::Map::new();
    let given = match arguments {
        Value::Object(given) => given,
        Value::Null => &none,
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return wrong("`arguments` is no object".to_owned());
        }
    };
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|name| !given.contains_key(*name)) {
        return wrong(format!("`{missing}` is missing"));
    }
    for (key, value) in given {
        let Some(wanted) = schema["properties"].get(key) else {
            return wrong(format!("`{name}` takes no `{key}`"));
        };
        if let Some(problem) = misfit(wanted, value) {
            return wrong(format!("`{key}` must be {problem}"));
        }
    }
    Ok(())
}

/// What a value of a tool's argument would have to be, if it is not that.
fn misfit(wanted: &Value, value: &Value) -> Option<String> {
    if let Some(choices) = wanted["enum"].as_array() {
        let all: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        return (!choices.contains(value)).then(|| format!("one of {}", all.join(", ")));
    }
    if wanted["type"] == "integer" {
        let (least, most) = (wanted["minimum"].as_u64()?, wanted["maximum"].as_u64()?);
        let is_inside = value.as_u64().is_some_and(|number| (least..=most).contains(&number));
        return (!is_inside).then(|| format!("a whole number from {least} to {most}"));
    }
    (!value.is_string()).then(|| "a text".to_owned())
}

/// Runs a command on a text, in a folder that holds nothing else.
fn on_text(arguments: &Value, mut words: Vec<String>) -> Result<ToolRun, ToolProblem> {
    let text = arguments["text"].as_str().unwrap_or_default();
    if text.len() > LONGEST {
        return Err(ToolProblem::Tool("the text is longer than a megabyte".to_owned()));
    }
    let known = NOTATIONS.iter().find(|(known, _)| arguments["notation"] == **known);
    let ending = known.map_or("", |(_, ending)| *ending);
    let folder = TransientFolder::new()
        .map_err(|error| ToolProblem::Tool(format!("no file can be written: {error}")))?;
    let file = folder.0.join("diagram").with_extension(ending);
    let failed = |error: std::io::Error| ToolProblem::Tool(error.to_string());
    std::fs::write(&file, text).map_err(failed)?;
    words.push(file.to_string_lossy().into_owned());
    // The folder is nothing that a reader knows, and options are arguments here.
    let around = format!("{}/", folder.0.display());
    let plain = |told: String| {
        let options = [("diagram", "diagram"), ("interaction", "interaction"), ("ltl", "formula")].iter();
        options.fold(told.replace(&around, ""), |told, (option, name)| {
            told.replace(&format!("--{option}"), &format!("`{name}`"))
        })
    };
    let (out, complaints) = match start(&words) {
        Ok((out, complaints)) => (out.replace(&around, ""), plain(complaints)),
        Err(ToolProblem::Tool(told)) => return Err(ToolProblem::Tool(plain(told))),
        Err(problem @ ToolProblem::Call(_)) => return Err(problem),
    };
    Ok(ToolRun { out, complaints, text: std::fs::read_to_string(&file).map_err(failed)? })
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

/// Runs this program; what it prints, and what it complains of. Findings and failed checks are results, not failures.
fn start(words: &[String]) -> Result<(String, String), ToolProblem> {
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
        Some(0) => Ok((out, err)),
        // Without a report the limits have ended it.
        Some(1 | 3) if !out.is_empty() => Ok((out, err)),
        _ => Err(ToolProblem::Tool(format!("{out}{err}"))),
    }
}
