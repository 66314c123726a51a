//! The wire to the editor: two threads that read and write messages, and what a message is.
//!
//! What is no message is answered as the protocol asks for, and the next one is read; only where no header can be read the
//! connection is over.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::frame;

/// What comes from the editor.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum EditorMessage {
    /// It wants an answer.
    Request(EditorRequest),
    /// It wants none.
    Notification(EditorNotice),
    /// It is no message; what the protocol answers then.
    Broken(Value),
    /// No message can be read any more, and why.
    Lost(String),
}

/// A request of the editor.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EditorRequest {
    /// What the editor calls it: a number or a text.
    pub id: Value,
    /// What is to be done.
    pub method: String,
    /// With what.
    pub params: Value,
}

/// A notification of the editor.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EditorNotice {
    /// What has happened.
    pub method: String,
    /// To what.
    pub params: Value,
}

/// Why a request has no result, by the numbers of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RefusalKind {
    /// The text is not JSON.
    NotJson = -32700,
    /// The message is no request, or comes at the wrong time.
    NoRequest = -32600,
    /// The server has no such method.
    NoMethod = -32601,
    /// `initialize` has not come.
    NotBegun = -32002,
    /// The request cannot be fulfilled.
    Failed = -32803,
    /// The editor has cancelled it.
    Cancelled = -32800,
}

/// How a message reaches the editor.
pub(crate) type Outbox = Arc<dyn Fn(Value) + Send + Sync>;

/// Standard input and output as an inbox and an outbox; the thread that writes ends once nobody has the outbox any more.
pub(crate) fn open() -> (Receiver<EditorMessage>, Outbox, JoinHandle<()>) {
    let (sender, inbox) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let incoming = match frame::read(&mut input) {
                Ok(Some(text)) => message(&text),
                Ok(None) => return,
                Err(problem) => Some(EditorMessage::Lost(problem)),
            };
            let is_last = match &incoming {
                Some(EditorMessage::Notification(told)) => told.method == "exit",
                Some(EditorMessage::Lost(_)) => true,
                Some(EditorMessage::Request(_) | EditorMessage::Broken(_)) | None => false,
            };
            if incoming.is_some_and(|incoming| sender.send(incoming).is_err()) || is_last {
                return;
            }
        }
    });
    let (outbox, messages) = channel::<Value>();
    let writer = std::thread::spawn(move || {
        let mut output = std::io::stdout().lock();
        // Nothing can be done about an editor that is gone; the input ends then, too.
        messages.iter().take_while(|message| frame::write(&mut output, message).is_ok()).for_each(drop);
    });
    (inbox, Arc::new(move |message| drop(outbox.send(message))), writer)
}

/// What a text says; nothing to be done about answers of the editor.
fn message(text: &[u8]) -> Option<EditorMessage> {
    let broken = |kind, problem: String| Some(EditorMessage::Broken(refusal(&Value::Null, kind, &problem)));
    let mut value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(error) => return broken(RefusalKind::NotJson, format!("not JSON: {error}")),
    };
    let params = value.get_mut("params").map(Value::take).unwrap_or_default();
    match (value["method"].as_str(), value.get("id")) {
        (Some(method), None) => {
            Some(EditorMessage::Notification(EditorNotice { method: method.to_owned(), params }))
        }
        (Some(method), Some(id)) if id.is_string() || id.is_i64() => {
            Some(EditorMessage::Request(EditorRequest { id: id.clone(), method: method.to_owned(), params }))
        }
        (Some(_), Some(_)) => {
            broken(RefusalKind::NoRequest, "the `id` of a request is a whole number or a text".to_owned())
        }
        (None, Some(_)) if value.get("result").is_some() || value.get("error").is_some() => None,
        (None, _) => broken(RefusalKind::NoRequest, "not a message: it has no `method`".to_owned()),
    }
}

/// The answer to a request.
pub(crate) fn result(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The answer to a request that has no result.
pub(crate) fn refusal(id: &Value, kind: RefusalKind, problem: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": kind as i32, "message": problem } })
}

/// What the editor is told.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// What the editor is asked.
pub(crate) fn request(number: i32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": number, "method": method, "params": params })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let kind = |text: &str| match message(text.as_bytes()) {
            Some(EditorMessage::Request(asked)) => format!("request {} {}", asked.id, asked.method),
            Some(EditorMessage::Notification(told)) => format!("notification {}", told.method),
            Some(EditorMessage::Broken(answer)) => format!("broken {}", answer["error"]["code"]),
            Some(EditorMessage::Lost(problem)) => problem,
            None => "answer".to_owned(),
        };
        for (text, expected) in [
            (r#"{"id":1,"method":"x"}"#, "request 1 x"),
            (r#"{"id":"a","method":"x","params":null}"#, "request \"a\" x"),
            (r#"{"method":"x"}"#, "notification x"),
            (r#"{"id":1,"result":null}"#, "answer"),
            (r#"{"id":1,"error":{}}"#, "answer"),
            (r#"{"id":1.5,"method":"x"}"#, "broken -32600"),
            (r#"{"id":null,"method":"x"}"#, "broken -32600"),
            (r#"{"id":1}"#, "broken -32600"),
            (r#"{"method":4}"#, "broken -32600"),
            ("42", "broken -32600"),
            ("[]", "broken -32600"),
            ("{nope", "broken -32700"),
            ("", "broken -32700"),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
        assert_eq!(
            message(b"{\"method\":\"\xff\"}").map(|one| matches!(one, EditorMessage::Broken(_))),
            Some(true)
        );
    }
}
