//! A browser in tests: Chromium through its driver, by as much of the WebDriver protocol as is needed.

// Each test binary uses a part of this.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::panic::AssertUnwindSafe;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The key under which WebDriver gives elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The driver does not answer, so that nothing is known about the page.
pub(crate) struct Silent;

/// Runs a test in a browser, one at a time, and anew where the driver falls silent; if it stays so the test says so.
pub(crate) fn patiently(test: impl Fn()) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..3 {
        match std::panic::catch_unwind(AssertUnwindSafe(&test)) {
            Ok(()) => return,
            Err(problem) if problem.is::<Silent>() => println!("the driver does not answer"),
            Err(problem) => std::panic::resume_unwind(problem),
        }
    }
    println!("the driver has not answered three times: the page is not looked at");
}

/// A browser that ends with the test.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser without a window, if there is one on this machine.
    pub(crate) fn start() -> Option<Self> {
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
            "goog:chromeOptions": { "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-quic",
                "--disable-background-networking", "--disable-component-update", "--disable-sync"] },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let begun = browser.ask("POST", "/session", &wishes);
        browser.session =
            begun["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {begun}")).to_owned();
        Some(browser)
    }

    /// Opens an address.
    pub(crate) fn open(&mut self, address: &str) {
        self.command("POST", "url", &json!({ "url": address }));
    }

    /// What a script returns.
    pub(crate) fn run(&mut self, script: &str) -> Value {
        self.command("POST", "execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Types keys into the first element that a selector finds.
    pub(crate) fn keys(&mut self, selector: &str, keys: &str) {
        let found = self.command("POST", "element", &json!({ "using": "css selector", "value": selector }));
        let element = found[ELEMENT].as_str().unwrap_or_else(|| panic!("no {selector}: {found}")).to_owned();
        self.command("POST", &format!("element/{element}/value"), &json!({ "text": keys }));
    }

    /// Clicks the first element that a selector finds, as a script does.
    pub(crate) fn click(&mut self, selector: &str) {
        let clicked = format!(
            "const one = document.querySelector({selector:?}); if (one) {{ one.dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); }} return one !== null"
        );
        assert_eq!(self.run(&clicked), json!(true), "no {selector}");
    }

    /// Waits until a script returns something that is true; fails after half a minute.
    pub(crate) fn wait(&mut self, script: &str) -> Value {
        let start = Instant::now();
        loop {
            let value = self.run(script);
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "it does not come: {script}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Shows the page as paper would.
    pub(crate) fn print(&mut self) {
        let media = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "media": "print" } });
        self.command("POST", "goog/cdp/execute", &media);
    }

    /// Sets the size of the window.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        self.command("POST", "window/rect", &json!({ "width": width, "height": height }));
    }

    /// The page as a picture, if a folder for pictures is named in the environment.
    pub(crate) fn picture(&mut self, name: &str) {
        let Ok(folder) = std::env::var("SEQUENT_SCREENSHOTS") else { return };
        let picture = self.command("GET", "screenshot", &Value::Null);
        let file = std::path::Path::new(&folder).join(format!("{name}.b64"));
        std::fs::write(file, picture.as_str().unwrap_or_default()).expect("a writable file");
    }

    /// What the page complained of.
    pub(crate) fn errors(&mut self) -> Vec<Value> {
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
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time limit");
        let body = if method != "POST" { String::new() } else { body.to_string() };
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
            if reader.read_line(&mut line).is_err() {
                std::panic::resume_unwind(Box::new(Silent));
            }
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
        if !self.session.is_empty() {
            // The driver ends the browser; a test that has failed must not fail here again.
            let head = format!(
                "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                self.session, self.port
            );
            if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
                let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
                let _ = stream.write_all(head.as_bytes());
                let _ = stream.read(&mut [0; 64]);
            }
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
