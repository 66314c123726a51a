//! Replies: what the browser gets, and why it does not get what it asked for.

use serde_json::{Value, json};

/// What the browser gets.
pub(crate) struct Reply {
    pub status: u16,
    /// The media type.
    pub kind: &'static str,
    pub body: Vec<u8>,
    /// A cookie that is set.
    pub cookie: Option<String>,
    /// Whether the connection ends with it.
    pub is_last: bool,
}

/// Why the browser does not get what it asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RequestProblem {
    /// It may not ask, or the file is out of bounds.
    Forbidden,
    /// There is no such thing.
    Missing,
    /// The body is too long.
    TooLong,
    /// The request does not make sense, and why.
    Bad(String),
    /// The file is not what the page takes it for, and why.
    Conflict(String),
    /// There are too many requests.
    Busy,
    /// It cannot be done, and why.
    Failed(String),
}

impl Reply {
    /// Something with a media type.
    pub(crate) fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Reply { status: 200, kind, body: body.into(), cookie: None, is_last: false }
    }

    /// Data.
    pub(crate) fn json(value: &Value) -> Self {
        Reply::new("application/json; charset=utf-8", value.to_string())
    }

    /// A problem, in words.
    pub(crate) fn problem(problem: RequestProblem) -> Self {
        let (status, text) = match problem {
            RequestProblem::Forbidden => (403, "not allowed".to_owned()),
            RequestProblem::Missing => (404, "there is no such thing".to_owned()),
            RequestProblem::TooLong => (413, "the body is too long".to_owned()),
            RequestProblem::Bad(why) => (400, why),
            RequestProblem::Conflict(why) => (409, why),
            RequestProblem::Busy => (503, "there are too many requests at once".to_owned()),
            RequestProblem::Failed(why) => (422, why),
        };
        Reply { status, ..Reply::json(&json!({ "problem": text })) }
    }

    /// A problem after which it is not known where the next request begins, or with someone who may not ask.
    pub(crate) fn last(problem: RequestProblem) -> Self {
        Reply { is_last: true, ..Reply::problem(problem) }
    }
}
