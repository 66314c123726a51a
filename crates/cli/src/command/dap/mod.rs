//! `sequent dap`: the run behind a verdict as a debug session, for editors that speak the Debug Adapter Protocol.
//!
//! Launching asks the questions of a file as `sequent check FILE` does, and takes a run that one of them shows. A step of the run is what
//! a line is to other debuggers: the session stands before the next step, goes one step on or back, and runs to breakpoints on the
//! lines of messages and transitions ([`session`]). The stack is what happened so far, scopes are objects with their
//! states, attributes and queues, and watches are expressions over these ([`watch`]). Messages are plain JSON, framed as in the
//! Language Server Protocol.

mod launch;
mod session;
mod watch;

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use sequent_lsp::frame;
use serde_json::{Value, json};

use crate::cli::{self, Common};
use session::{DebugSession, StepDirection, StopReason};

/// The only thread: a run is one sequence of steps.
const THREAD: u64 = 1;

pub(crate) fn run(_: &cli::Dap, common: &Common) -> Result<u8, String> {
    let is_over = Arc::new(AtomicBool::new(false));
    let requests = listen(is_over.clone());
    let mut adapter = Adapter { common, is_over, session: None, sent: 0 };
    while let Ok(request) = requests.recv() {
        if !adapter.answer(&request?)? {
            break;
        }
    }
    Ok(0)
}

/// Takes requests from standard input; the flag is set once no answer is awaited any more.
fn listen(is_over: Arc<AtomicBool>) -> Receiver<Result<Value, String>> {
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(request) = next(&mut input).transpose() {
            let command = request.as_ref().ok().and_then(|request| request["command"].as_str());
            let ends = request.is_err() || matches!(command, Some("disconnect" | "terminate"));
            is_over.fetch_or(ends, Ordering::Relaxed);
            let is_last = request.is_err();
            if sender.send(request).is_err() || is_last {
                return;
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    requests
}

/// The next message; none at the end. Fails if there is something else, behind which no message can be found again.
fn next(input: &mut impl BufRead) -> Result<Option<Value>, String> {
    let Some(text) = frame::read(input)? else { return Ok(None) };
    serde_json::from_slice(&text).map(Some).map_err(|error| format!("a message is not JSON: {error}"))
}

struct Adapter<'a> {
    common: &'a Common,
    is_over: Arc<AtomicBool>,
    session: Option<DebugSession>,
    /// How many messages were sent.
    sent: u64,
}

impl Adapter<'_> {
    fn send(&mut self, mut message: Value) -> Result<(), String> {
        self.sent += 1;
        message["seq"] = json!(self.sent);
        frame::write(&mut std::io::stdout().lock(), &message)
            .map_err(|error| format!("the editor is gone: {error}"))
    }

    fn event(&mut self, name: &str, body: Value) -> Result<(), String> {
        self.send(json!({ "type": "event", "event": name, "body": body }))
    }

    /// Answers a request; false once the session is over.
    fn answer(&mut self, request: &Value) -> Result<bool, String> {
        let command = request["command"].as_str().unwrap_or_default().to_owned();
        let arguments = &request["arguments"];
        let result = match command.as_str() {
            "initialize" => Ok(capabilities()),
            "launch" => self.launch(arguments),
            "disconnect" | "terminate" => Ok(Value::Null),
            command => match &mut self.session {
                Some(session) => ask(session, command, arguments),
                None => Err(format!("`{command}` comes before a run is launched")),
            },
        };
        let is_done = result.is_ok();
        let mut response = json!({ "type": "response", "request_seq": request["seq"], "command": command });
        response["success"] = json!(is_done);
        match result {
            Ok(body) => response["body"] = body,
            Err(problem) => {
                response["message"] = json!(problem);
                response["body"] = json!({ "error": { "id": 1, "format": problem, "showUser": true } });
            }
        }
        self.send(response)?;
        match command.as_str() {
            "launch" if is_done => self.event("initialized", Value::Null)?,
            "configurationDone" if is_done => self.start()?,
            "disconnect" | "terminate" => return Ok(false),
            command if is_done => self.go(command)?,
            _ => {}
        }
        Ok(true)
    }

    fn launch(&mut self, arguments: &Value) -> Result<Value, String> {
        let (session, told) = launch::launch(arguments, self.common, &self.is_over)?;
        self.session = Some(session);
        self.event("output", json!({ "category": "console", "output": told }))?;
        Ok(Value::Null)
    }

    /// Stops before the first step, or runs.
    fn start(&mut self) -> Result<(), String> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let stop = match session.stops_at_entry {
            true => StopReason::Entry,
            false => session.start(),
        };
        self.stopped(stop)
    }

    /// Moves as a command says, once it was answered.
    fn go(&mut self, command: &str) -> Result<(), String> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let stop = match command {
            "next" | "stepIn" | "stepOut" => session.step(StepDirection::Forward),
            "stepBack" => session.step(StepDirection::Back),
            "continue" => session.run(StepDirection::Forward),
            "reverseContinue" => session.run(StepDirection::Back),
            _ => return Ok(()),
        };
        self.stopped(stop)
    }

    fn stopped(&mut self, stop: StopReason) -> Result<(), String> {
        let Some(session) = &self.session else { return Ok(()) };
        let (reason, text) = match stop {
            StopReason::Entry => ("entry", None),
            StopReason::Step => ("step", None),
            StopReason::Breakpoint => ("breakpoint", None),
            StopReason::End => ("end of the run", Some(session.ending())),
            StopReason::Over => return self.event("terminated", Value::Null),
        };
        let body = json!({
            "reason": reason, "threadId": THREAD, "allThreadsStopped": true, "text": text, "description": text,
        });
        self.event("stopped", body)
    }
}

/// Answers a question about a session.
fn ask(session: &mut DebugSession, command: &str, arguments: &Value) -> Result<Value, String> {
    let number = |name: &str| arguments[name].as_u64().unwrap_or(0) as usize;
    Ok(match command {
        "setBreakpoints" => json!({ "breakpoints": session.set_lines(arguments) }),
        "setFunctionBreakpoints" => json!({ "breakpoints": session.set_messages(arguments) }),
        "setExceptionBreakpoints" => json!({ "breakpoints": [] }),
        "threads" => json!({ "threads": [{ "id": THREAD, "name": session.name }] }),
        "stackTrace" => session.stack(number("startFrame"), number("levels")),
        "scopes" => json!({ "scopes": session.scopes(number("frameId")) }),
        "variables" => json!({ "variables": session.variables(number("variablesReference")) }),
        "evaluate" => session.evaluate(arguments)?,
        "continue" | "reverseContinue" => json!({ "allThreadsContinued": true }),
        "configurationDone" | "next" | "stepIn" | "stepOut" | "stepBack" | "pause" => Value::Null,
        other => return Err(format!("`{other}` is not supported")),
    })
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsStepBack": true,
        "supportsEvaluateForHovers": true,
        "supportsTerminateRequest": true,
    })
}
