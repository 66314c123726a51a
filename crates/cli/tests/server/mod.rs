//! `sequent serve` in tests: it is started, asked by plain requests, and ends with the test.

// Each test binary uses a part of this.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A server that ends with the test.
pub(crate) struct Server {
    child: Child,
    /// The first line that it printed.
    pub address: String,
    pub port: u16,
    pub token: String,
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// The body as data.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    /// Serves a path.
    pub(crate) fn start(path: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sequent"))
            .args(["serve", &path.to_string_lossy(), "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let address = lines.next().expect("a first line").expect("it is text");
        let (host, token) = address.split_once("/?token=").expect("an address with a token");
        let port =
            host.strip_prefix("http://127.0.0.1:").expect("this machine alone").parse().expect("a port");
        let token = token.to_owned();
        Server { child, address, port, token }
    }

    /// Sends a request with headers of its own; `Host` and `Connection` are added if they are not among them.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            head += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        if !headers.iter().any(|header| header.starts_with("Content-Length:")) {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        // It may answer, and close, before it has read everything.
        let _ = stream.write_all(format!("{head}\r\n").as_bytes()).and_then(|()| stream.write_all(body));
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no answer: {text}"));
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// The same path with the token.
    pub(crate) fn with_token(&self, path: &str) -> String {
        format!("{path}{}token={}", if path.contains('?') { "&" } else { "?" }, self.token)
    }

    /// Posts data with the token.
    pub(crate) fn post(&self, path: &str, asked: &Value) -> Answer {
        self.send("POST", &self.with_token(path), &[], asked.to_string().as_bytes())
    }

    /// Waits for the end of a job.
    pub(crate) fn result(&self, job: &Value) -> Value {
        let path = self.with_token(&format!("/api/job?id={job}"));
        loop {
            let report = self.send("GET", &path, &[], b"").json();
            if report["state"] != "running" {
                return report;
            }
        }
    }
}

/// A connection that stays open.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
}

impl Connection {
    /// Connects to a server.
    pub(crate) fn open(server: &Server) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        Connection { stream: BufReader::new(stream), port: server.port }
    }

    /// The status of the answer to a request; its body is read.
    pub(crate) fn get(&mut self, path: &str) -> u16 {
        let asked = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port);
        // A server that has too many connections answers before it is asked.
        let _ = self.stream.get_mut().write_all(asked.as_bytes());
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).expect("an answer in time");
            if line.trim().is_empty() {
                break;
            }
            head.push(line.trim().to_owned());
        }
        let length = head.iter().find_map(|line| line.strip_prefix("Content-Length: "));
        let length = length.expect("a length").parse().expect("a number");
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("all of the body");
        head[0].split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
