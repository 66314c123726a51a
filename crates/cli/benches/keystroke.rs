//! How long a keystroke takes in a workspace of 1,000 files, and what the server keeps: `cargo bench --bench keystroke`.
//!
//! Two workspaces are made: one folder with 1,000 files that all belong together (scenarios of 40 machines, one of which all share), and 50 folders of 20 files.
//! In each a scenario is typed into, one character at a time, and what an editor asks then is asked. A figure is the time from
//! the edit to the findings, or from a request to its answer; median and slowest of 200. Then 10,000 edits follow each other, and
//! the memory of the server is read (on Linux).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sequent_testing::editor::{Client, place, uri};
use serde_json::json;

const FILES: usize = 1_000;
const EDITS: usize = 200;
const MANY: usize = 10_000;

fn main() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("keystroke");
    println!("{:<34} {:>10} {:>10}", "milliseconds", "median", "slowest");
    for (name, folders) in [("1 folder", 1), ("50 folders", 50)] {
        let _ = std::fs::remove_dir_all(&root);
        make(&root, folders);
        let mut client = Client::new(env!("CARGO_BIN_EXE_sequent"), &root);
        let typed = root.join("0/scenario1.puml");
        let text = std::fs::read_to_string(&typed).expect("it was made");
        client.open(&typed, &text);
        client.checked(&typed);
        for (request, file) in [
            ("", &typed),
            ("textDocument/hover", &typed),
            ("textDocument/completion", &typed),
            ("textDocument/references", &typed),
            ("textDocument/semanticTokens/full", &typed),
            ("textDocument/codeLens", &typed),
            ("textDocument/inlayHint", &typed),
        ] {
            let times = (0..EDITS).map(|number| {
                let time = keystroke(&mut client, file, number, request);
                // What is found out by searching must not be taken for the answer to the next keystroke.
                client.checked(file);
                time
            });
            let times = times.collect();
            let what = request.strip_prefix("textDocument/").unwrap_or("findings");
            show(&format!("{name}: {what}"), times);
        }
        if folders == 1 {
            remember(&mut client, &typed);
        }
        assert_eq!(client.end(), Some(0));
    }
    let _ = std::fs::remove_dir_all(&root);
}

/// Machines and scenarios between them, in some folders.
fn make(root: &Path, folders: usize) {
    for number in 0..FILES {
        let folder = root.join((number % folders).to_string());
        std::fs::create_dir_all(&folder).expect("a writable folder");
        let number = number / folders;
        let (name, text) = match number % 25 {
            0 => (format!("machine{number}.puml"), machine(number)),
            _ => (format!("scenario{number}.puml"), scenario(number)),
        };
        std::fs::write(folder.join(name), text).expect("a writable folder");
    }
}

fn machine(number: usize) -> String {
    let mut text = format!("@startuml M{number}\n[*] --> S0\n");
    for state in 0..8 {
        text += &format!("S{state} --> S{} : m{state} / ^user.done{state}\n", (state + 1) % 8);
    }
    text + "@enduml\n"
}

fn scenario(number: usize) -> String {
    let machine = number / 25 * 25;
    let mut text = format!(
        "@startuml s{number}\nactor user\nparticipant \"m : M{machine}\" as m\nparticipant \"c : M0\" as c\n"
    );
    for state in 0..8 {
        text += &format!("user -> m : m{state}\nm -> user : done{state}\n");
    }
    text + "user -> c : m0\nloop 3\nuser -> m : again\nend\n' end\n@enduml\n"
}

/// Types or deletes a character at the end of the last comment, and waits for findings or an answer.
fn keystroke(client: &mut Client, file: &Path, number: usize, request: &str) -> Duration {
    let position = |character: usize| json!({ "line": 24, "character": character });
    let change = match number % 2 {
        0 => json!([{ "range": { "start": position(5), "end": position(5) }, "text": "x" }]),
        _ => json!([{ "range": { "start": position(5), "end": position(6) }, "text": "" }]),
    };
    let start = Instant::now();
    client.change(file, change);
    if request.is_empty() {
        client.findings.remove(&uri(file));
        while !client.findings.contains_key(&uri(file)) {
            client.hear();
        }
    } else {
        let mut params = place(file, 4, 12);
        params["range"] = json!({ "start": position(0), "end": position(0) });
        client.ask(request, params).expect("a result");
    }
    start.elapsed()
}

/// Ten thousand edits: the memory in between must not grow.
fn remember(client: &mut Client, file: &Path) {
    for round in 0..=4 {
        if round > 0 {
            for number in 0..MANY / 4 {
                keystroke(client, file, number, "");
            }
            client.checked(file);
        }
        match memory(client.process()) {
            Some(kilobytes) => println!(
                "{:<34} {:>10.1} MB",
                format!("after {} edits", round * MANY / 4),
                kilobytes / 1024.0
            ),
            None => println!("how much memory a process has is told by Linux only"),
        }
    }
}

/// The memory of a process in kilobytes.
fn memory(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn show(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{name:<34} {:>10.1} {:>10.1}", millis(median), millis(slowest));
}
