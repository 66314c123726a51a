//! HTTP/1.1 on one connection: heads and bodies of requests, one after the other, and their answers.
//!
//! Bytes come from strangers until a request has shown the token. So nothing is set aside for a length that is only
//! announced, heads and bodies are bounded, and each must be there within a time. `httparse` reads the heads. Bodies have a
//! `Content-Length`, as browsers send them; a body in chunks is refused.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::reply::{Reply, RequestProblem};

/// The head of a request is no longer than this.
const MOST_HEAD: usize = 32 << 10;

/// Bodies of requests are no longer than this.
const MOST_BODY: usize = 4 << 20;

/// A head has at most this many fields.
const MOST_FIELDS: usize = 100;

/// How long a request may take to arrive, and an answer to be taken.
const TRANSFER: Duration = Duration::from_secs(10);

/// How long unread input is received after the last answer, so that the other side reads that answer first.
const FAREWELL: Duration = Duration::from_millis(500);

/// A connection, and what was received and not read yet.
pub(crate) struct HttpConnection {
    stream: TcpStream,
    received: Vec<u8>,
}

/// The head of a request.
pub(crate) struct HttpHead {
    pub method: String,
    /// The path with the query.
    pub target: String,
    fields: Vec<(String, String)>,
    /// The length of the body.
    length: usize,
    /// Whether another request may follow.
    is_kept: bool,
}

impl HttpHead {
    /// The values of all fields of a name.
    pub(crate) fn values(&self, name: &str) -> Vec<String> {
        values(&self.fields, name).map(str::to_owned).collect()
    }
}

fn values<'f>(fields: &'f [(String, String)], name: &str) -> impl Iterator<Item = &'f str> {
    fields.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

impl HttpConnection {
    /// A connection on a stream.
    pub(crate) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(TRANSFER))?;
        Ok(HttpConnection { stream, received: Vec::new() })
    }

    /// The head of the next request, if one begins within `patience`.
    pub(crate) fn head(&mut self, patience: Duration) -> Result<Option<HttpHead>, RequestProblem> {
        if self.received.is_empty() && !matches!(self.receive(Instant::now() + patience), Ok(1..)) {
            return Ok(None);
        }
        let deadline = Instant::now() + TRANSFER;
        loop {
            if let Some((head, end)) = parse(&self.received)? {
                self.received.drain(..end);
                return Ok(Some(head));
            }
            if self.received.len() > MOST_HEAD {
                return Err(RequestProblem::Bad("the head is too long".to_owned()));
            }
            if !matches!(self.receive(deadline), Ok(1..)) {
                return Ok(None);
            }
        }
    }

    /// The body of a request.
    pub(crate) fn body(&mut self, head: &HttpHead) -> Result<Vec<u8>, RequestProblem> {
        if head.length > MOST_BODY {
            return Err(RequestProblem::TooLong);
        }
        let is_asked = |value: &str| value.eq_ignore_ascii_case("100-continue");
        if self.received.len() < head.length && values(&head.fields, "Expect").any(is_asked) {
            let _ = self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
        let deadline = Instant::now() + TRANSFER;
        while self.received.len() < head.length {
            if !matches!(self.receive(deadline), Ok(1..)) {
                return Err(RequestProblem::Bad("the body is not complete".to_owned()));
            }
        }
        let rest = self.received.split_off(head.length);
        Ok(std::mem::replace(&mut self.received, rest))
    }

    /// Receives what there is until a deadline; 0 bytes are the end.
    fn receive(&mut self, deadline: Instant) -> io::Result<usize> {
        let mut bytes = [0; 16 << 10];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left))?;
            match self.stream.read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => {
                    let count = read?;
                    self.received.extend_from_slice(&bytes[..count]);
                    return Ok(count);
                }
            }
        }
    }

    /// Answers a request, with fields that all answers have; whether another request may follow.
    pub(crate) fn send(&mut self, reply: &Reply, fields: &[(&str, &str)], head: Option<&HttpHead>) -> bool {
        let is_kept = head.is_some_and(|head| head.is_kept) && !reply.is_last;
        let mut bytes = format!("HTTP/1.1 {} {}\r\n", reply.status, reason(reply.status)).into_bytes();
        let mut field = |name: &str, value: &str| {
            bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        };
        fields.iter().for_each(|(name, value)| field(name, value));
        field("Content-Type", reply.kind);
        reply.cookie.iter().for_each(|cookie| field("Set-Cookie", cookie));
        field("Content-Length", &reply.body.len().to_string());
        field("Connection", if is_kept { "keep-alive" } else { "close" });
        bytes.extend_from_slice(b"\r\n");
        if head.is_none_or(|head| head.method != "HEAD") {
            bytes.extend_from_slice(&reply.body);
        }
        self.stream.write_all(&bytes).is_ok() && is_kept
    }

    /// Ends the connection. What still comes is received for a moment: a connection that is closed with unread bytes is
    /// reset, and the other side may lose its answer.
    pub(crate) fn end(mut self) {
        let deadline = Instant::now() + FAREWELL;
        if self.stream.shutdown(Shutdown::Write).is_ok() {
            while matches!(self.receive(deadline), Ok(1..)) {
                self.received.clear();
            }
        }
    }
}

/// The head at the beginning of bytes, and where it ends; none if more bytes are needed.
fn parse(bytes: &[u8]) -> Result<Option<(HttpHead, usize)>, RequestProblem> {
    let bad = |why: &str| RequestProblem::Bad(why.to_owned());
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    let end = match request.parse(bytes) {
        Ok(httparse::Status::Complete(end)) => end,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(bad(&format!("the head is no HTTP: {error}"))),
    };
    let text = |field: &httparse::Header<'_>| {
        (field.name.to_owned(), String::from_utf8_lossy(field.value).trim().to_owned())
    };
    let fields: Vec<(String, String)> = request.headers.iter().map(text).collect();
    if values(&fields, "Transfer-Encoding").next().is_some() {
        return Err(bad("bodies in chunks are not read"));
    }
    let length = length(&fields)?;
    let has = |word: &str| {
        let words = values(&fields, "Connection").flat_map(|value| value.split(','));
        words.into_iter().any(|one| one.trim().eq_ignore_ascii_case(word))
    };
    let is_kept = request.version == Some(1) && !has("close");
    let method = request.method.unwrap_or_default().to_owned();
    let target = request.path.unwrap_or_default().to_owned();
    Ok(Some((HttpHead { method, target, fields, length, is_kept }, end)))
}

/// The length of the body; one that no number holds is too long.
fn length(fields: &[(String, String)]) -> Result<usize, RequestProblem> {
    let mut all = values(fields, "Content-Length");
    let Some(first) = all.next() else { return Ok(0) };
    let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || all.any(|other| other != first) {
        return Err(RequestProblem::Bad("the length of the body is no number".to_owned()));
    }
    Ok(first.parse().unwrap_or(usize::MAX))
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        _ => "Service Unavailable",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Result<Option<(HttpHead, usize)>, RequestProblem> {
        parse(text.as_bytes())
    }

    #[test]
    fn heads_are_read_as_far_as_they_are_there() {
        let whole = "POST /api/look?x=1 HTTP/1.1\r\nhost:  a \r\nContent-Length: 12\r\n\r\n";
        for end in 0..whole.len() {
            assert!(matches!(head(&whole[..end]), Ok(None)), "{end}");
        }
        let (read, end) = head(&format!("{whole}rest")).expect("a head").expect("all of it");
        assert_eq!((end, read.length, read.is_kept), (whole.len(), 12, true));
        assert_eq!((read.method.as_str(), read.target.as_str()), ("POST", "/api/look?x=1"));
        assert_eq!(read.values("Host"), ["a"]);
    }

    #[test]
    fn lengths_that_mean_two_things_are_refused() {
        let length = |lines: &str| {
            head(&format!("GET / HTTP/1.1\r\n{lines}\r\n\r\n")).map(|read| read.map(|(head, _)| head.length))
        };
        assert_eq!(length("Content-Length: 5\r\nContent-Length: 5"), Ok(Some(5)));
        assert_eq!(length("Content-Length: 99999999999999999999999999"), Ok(Some(usize::MAX)));
        for lines in [
            "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length: -1",
            "Content-Length: +1",
            "Content-Length:",
            "Content-Length: 5, 5",
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "Content Length: 5",
        ] {
            assert!(length(lines).is_err(), "{lines}");
        }
    }

    #[test]
    fn connections_end_as_their_heads_say() {
        let is_kept = |version: &str, lines: &str| {
            let read = head(&format!("GET / HTTP/{version}\r\n{lines}\r\n"));
            read.expect("a head").expect("all of it").0.is_kept
        };
        assert!(is_kept("1.1", ""));
        assert!(!is_kept("1.0", ""));
        assert!(!is_kept("1.1", "Connection: Upgrade, Close\r\n"));
    }
}
