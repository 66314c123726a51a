//! A browser in tests: Chromium through its driver, by as much of the WebDriver protocol as is needed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// The key under which WebDriver gives elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser that ends with the test.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser without a window, if there is one on this machine.
    pub fn start() -> Option<Self> {
        let mut driver = Command::new("chromedriver")
            .args(["--port=0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(driver.stdout.take()?).lines();
        // "ChromeDriver was started successfully on port 12345."
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let port = line.split("on port ").nth(1)?.trim_end_matches('.').parse().ok()?;
            line.contains("started successfully").then_some(port)
        });
        let mut browser = Browser { driver, port: port?, session: String::new() };
        let wishes = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let begun = browser.ask("POST", "/session", &wishes);
        browser.session =
            begun["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {begun}")).to_owned();
        Some(browser)
    }

    /// Opens an address.
    pub fn open(&mut self, address: &str) {
        self.command("POST", "url", &json!({ "url": address }));
    }

    /// What a script returns.
    pub fn run(&mut self, script: &str) -> Value {
        self.command("POST", "execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Types keys into the first element that a selector finds.
    pub fn keys(&mut self, selector: &str, keys: &str) {
        let found = self.command("POST", "element", &json!({ "using": "css selector", "value": selector }));
        let element = found[ELEMENT].as_str().unwrap_or_else(|| panic!("no {selector}: {found}")).to_owned();
        self.command("POST", &format!("element/{element}/value"), &json!({ "text": keys }));
    }

    /// What the page complained of.
    pub fn errors(&mut self) -> Vec<Value> {
        let log = self.command("POST", "se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries
            .into_iter()
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .collect()
    }

    fn command(&mut self, method: &str, path: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{path}", self.session);
        let answer = self.ask(method, &path, body);
        assert!(answer["error"].is_null(), "{path}: {answer}");
        answer
    }

    /// Sends a request and reads the value of its answer.
    fn ask(&mut self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        let body = if method == "DELETE" { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).expect("the driver reads");
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("the driver answers");
            let lower = line.to_ascii_lowercase();
            if let Some(number) = lower.strip_prefix("content-length:") {
                length = number.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).expect("the whole answer");
        let answer: Value = serde_json::from_slice(&bytes).expect("JSON");
        answer["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            let path = format!("/session/{}", self.session);
            self.ask("DELETE", &path, &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
