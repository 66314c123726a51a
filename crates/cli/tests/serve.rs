//! `sequent serve`, asked by plain requests: who is answered, which files are read and written, and what the page gets.

mod runner;
mod server;

use std::path::{Path, PathBuf};
use std::time::Instant;

use runner::folder;
use sequent_testing::cases;
use serde_json::json;
use server::{Connection, Server};

const PAY: &str = "@startuml\n' @ltl G (sent(pay) -> F sent(done))\nparticipant shop\nparticipant bank\nshop -> bank : pay\nbank --> shop : done\n@enduml\n";

fn write(file: &Path, text: &str) {
    std::fs::write(file, text).expect("a writable file");
}

/// A folder with one diagram.
fn shop(name: &str) -> PathBuf {
    let path = folder(name);
    write(&path.join("pay.puml"), PAY);
    path
}

#[test]
fn only_those_with_the_token_are_answered() {
    let server = Server::start(&shop("serve-token"));
    let page = server.with_token("/");
    let opened = server.send("GET", &page, &[], b"");
    assert_eq!(opened.status, 200);
    let cookie = format!("sequent-{}={}", server.port, server.token);
    assert!(
        opened.head.contains(&format!("Set-Cookie: {cookie}; HttpOnly; SameSite=Strict")),
        "{}",
        opened.head
    );
    assert!(opened.head.contains("default-src 'none'; script-src 'self'"), "{}", opened.head);
    assert!(!opened.body.contains(&server.token), "the token is in no page");
    for path in ["/", "/serve.js", "/api/files", "/api/changes?since=0", "/api/nothing"] {
        assert_eq!(server.send("GET", path, &[], b"").status, 403, "{path}");
        let other = format!("Cookie: sequent-{}=0123", server.port);
        assert_eq!(server.send("GET", path, &[&other], b"").status, 403, "{path}");
    }
    let own = format!("Cookie: a=b; {cookie}");
    assert_eq!(server.send("GET", "/api/files", &[&own], b"").status, 200);
    assert_eq!(server.send("POST", "/api/look", &[], b"{\"file\":\"pay.puml\"}").status, 403);
    assert_eq!(server.send("GET", &server.with_token("/api/nothing"), &[], b"").status, 404);
    assert_eq!(server.send("DELETE", &server.with_token("/api/files"), &[], b"").status, 404);
}

#[test]
fn other_sites_are_refused() {
    let server = Server::start(&shop("serve-origin"));
    let path = server.with_token("/api/look");
    let body = br#"{"file":"pay.puml"}"#;
    let own = format!("Origin: http://127.0.0.1:{}", server.port);
    assert_eq!(server.send("POST", &path, &[&own], body).status, 200);
    for header in
        ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Host: evil.example"]
    {
        assert_eq!(server.send("POST", &path, &[header], body).status, 403, "{header}");
    }
    let rebound = format!("Host: evil.example:{}", server.port);
    assert_eq!(server.send("GET", &server.with_token("/"), &[&rebound], b"").status, 403);
}

#[test]
fn long_bodies_are_refused() {
    let server = Server::start(&shop("serve-long"));
    let path = server.with_token("/api/look");
    let announced = server.send("POST", &path, &["Content-Length: 99999999"], b"");
    assert_eq!(announced.status, 413);
    let long = vec![b' '; (4 << 20) + 10];
    assert_eq!(server.send("POST", &path, &[], &long).status, 413);
    let chunks = format!("{:x}\r\n{}\r\n0\r\n\r\n", long.len(), " ".repeat(long.len()));
    let chunked =
        server.send("POST", &path, &["Transfer-Encoding: chunked", "Content-Length:"], chunks.as_bytes());
    assert!([400, 413].contains(&chunked.status), "{chunked:?}");
    assert_eq!(server.send("POST", &path, &[], b"no json").status, 400);
}

#[test]
fn announced_lengths_cost_nothing() {
    let server = Server::start(&shop("serve-announced"));
    for length in ["99999999999", "18446744073709551615", "99999999999999999999999999", "-1", "1e9", ""] {
        for path in ["/api/look".to_owned(), server.with_token("/api/look")] {
            let asked = server.send("POST", &path, &[&format!("Content-Length: {length}")], b"x");
            assert!([400, 403, 413].contains(&asked.status), "{length}: {asked:?}");
        }
    }
    let long = format!("X: {}", "x".repeat(1 << 20));
    assert_eq!(server.send("GET", "/", &[&long], b"").status, 400);
    assert_eq!(server.send("GET", "/ HTTP/1.1\r\nHost: a\r\n\r\nGET /", &[], b"").status, 403);
    assert_eq!(server.send("\0\0\0", "/", &[], b"").status, 400);
    assert_eq!(server.send("GET", &server.with_token("/api/files"), &[], b"").status, 200);
}

#[test]
fn connections_that_are_kept_are_answered_at_once() {
    let path = shop("serve-connections");
    for _ in 0..12 {
        let server = Server::start(&path);
        let asked = server.with_token("/serve.css");
        let connections: Vec<Connection> = (0..6).map(|_| Connection::open(&server)).collect();
        std::thread::scope(|threads| {
            for mut connection in connections {
                let asked = &asked;
                threads.spawn(move || {
                    for _ in 0..3 {
                        assert_eq!(connection.get(asked), 200);
                    }
                });
            }
        });
    }
}

#[test]
fn too_many_connections_are_told() {
    let server = Server::start(&shop("serve-many"));
    let mut connections: Vec<Connection> = (0..80).map(|_| Connection::open(&server)).collect();
    let asked = server.with_token("/serve.css");
    assert!(connections.iter_mut().any(|connection| connection.get(&asked) == 503));
    drop(connections);
    let start = Instant::now();
    while Connection::open(&server).get(&asked) != 200 {
        assert!(start.elapsed().as_secs() < 30, "connections that ended are forgotten");
    }
}

#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let outer = folder("serve-paths");
    let inner = outer.join("inner");
    std::fs::create_dir_all(inner.join("sub")).expect("a writable folder");
    std::fs::create_dir_all(inner.join(".git")).expect("a writable folder");
    write(&outer.join("secret.puml"), PAY);
    write(&inner.join("pay.puml"), PAY);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outer.join("secret.puml"), inner.join("link.puml")).expect("a link");
        std::os::unix::fs::symlink(&outer, inner.join("way")).expect("a link");
    }
    let server = Server::start(&inner);
    let absolute = outer.join("secret.puml").to_string_lossy().into_owned();
    let names = [
        "../secret.puml",
        "sub/../../secret.puml",
        "./pay.puml",
        &absolute,
        "link.puml",
        "way/secret.puml",
        ".git/x.puml",
        ".hidden.puml",
        "",
        "pay.sh",
        "..",
        "sub",
        "..\\secret.puml",
        "%2e%2e/secret.puml",
    ];
    for name in names {
        let looked = server.post("/api/look", &json!({ "file": name }));
        assert!([403, 404].contains(&looked.status), "{name}: {looked:?}");
        let saved = server.post("/api/save", &json!({ "file": name, "text": "changed", "known": PAY }));
        assert!([403, 404, 409].contains(&saved.status), "{name}: {saved:?}");
        let new = server.post("/api/save", &json!({ "file": name, "text": "changed" }));
        assert!([403, 404].contains(&new.status), "{name}: {new:?}");
    }
    assert_eq!(std::fs::read_to_string(outer.join("secret.puml")).expect("it is there"), PAY);
    let listed = server.send("GET", &server.with_token("/api/files"), &[], b"").json();
    let files = listed["files"].as_array().expect("a list");
    assert_eq!(files.iter().map(|file| file["name"].as_str()).collect::<Vec<_>>(), [Some("pay.puml")]);
}

#[test]
fn texts_are_saved_unless_the_file_has_changed() {
    let path = shop("serve-save");
    let server = Server::start(&path);
    let text = PAY.replace("pay", "charge");
    let saved = server.post("/api/save", &json!({ "file": "pay.puml", "text": text, "known": PAY }));
    assert_eq!(saved.status, 200, "{saved:?}");
    assert_eq!(std::fs::read_to_string(path.join("pay.puml")).expect("it is there"), text);
    let late = server.post("/api/save", &json!({ "file": "pay.puml", "text": "", "known": PAY }));
    assert_eq!(late.status, 409);
    let again = server.post("/api/save", &json!({ "file": "pay.puml", "text": "" }));
    assert_eq!(again.status, 409, "a new file does not replace one");
    assert_eq!(server.post("/api/save", &json!({ "file": "new.puml", "text": PAY })).status, 200);
    assert!(path.join("new.puml").exists());
    let changed = server.send("GET", &server.with_token("/api/changes?since=0"), &[], b"").json();
    assert!(changed["changes"].as_u64() > Some(0), "{changed}");
}

#[test]
fn texts_are_looked_at_and_checked_before_they_are_saved() {
    let server = Server::start(&shop("serve-look"));
    let seen = server.post("/api/look", &json!({ "file": "pay.puml" })).json();
    assert_eq!(seen["findings"], json!([]));
    assert!(seen["drawings"].as_str().is_some_and(|html| html.contains("data-messages=\"5,6\"")), "{seen}");
    assert!(seen["words"].as_array().is_some_and(|words| words.contains(&json!("pay"))));
    let broken = PAY.replace("bank --> shop : done", "bank ?? what is this");
    let seen = server.post("/api/look", &json!({ "file": "pay.puml", "text": broken })).json();
    assert_eq!(seen["broken"], json!(true));
    let lines = seen["findings"].as_array().expect("a list").iter().map(|one| one["line"].clone());
    assert!(lines.into_iter().any(|line| line == json!(6)), "{seen}");
    let job = server.post("/api/check", &json!({ "file": "pay.puml" })).json();
    let report = server.result(&job["job"]);
    assert_eq!(report["state"], "done", "{report}");
    assert!(
        report["result"]["questions"].as_str().is_some_and(|html| html.contains("article class=\"good\""))
    );
}

#[test]
fn questions_are_answered() {
    let server = Server::start(&shop("serve-ask"));
    let ask = |kind: &str, question: &str| {
        let job = server
            .post("/api/ask", &json!({ "file": "pay.puml", "kind": kind, "question": question }))
            .json();
        server.result(&job["job"])["result"].clone()
    };
    let html = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let failed = ask("ltl", "G !sent(done)");
    assert!(html(&failed["questions"]).contains("article class=\"bad\""), "{failed}");
    assert_eq!(failed["data"]["runs"].as_array().map(Vec::len), Some(1));
    assert!(html(&ask("ltl", "F sent(done)")["questions"]).contains("article class=\"good\""));
    assert!(html(&ask("ltl", "F (")["findings"]).contains("article class=\"bad\""));
    let unknown = ask("ltl", "F sent(nothing_of_that_name)");
    assert!(html(&unknown["findings"]).contains("nothing_of_that_name"), "{unknown}");
    let nowhere = ask("possible", "NoSuchDiagram");
    assert!(html(&nowhere["findings"]).contains("NoSuchDiagram"), "{nowhere}");
    assert_eq!(nowhere["wrong"], true);
    assert_eq!(
        server.post("/api/ask", &json!({ "file": "pay.puml", "kind": "ltl", "question": " " })).status,
        400
    );
    assert_eq!(
        server.post("/api/ask", &json!({ "file": "pay.puml", "kind": "x", "question": "y" })).status,
        400
    );
}

/// What a keystroke in a diagram of 500 messages costs; the limit holds for release builds.
#[test]
fn keystrokes_are_answered_at_once() {
    let path = folder("serve-keystroke");
    let mut text = "@startuml\n".to_owned();
    for number in 0..500 {
        text += &format!("p{} -> p{} : message {number}\n", number % 12, (number * 7 + 1) % 12);
    }
    write(&path.join("long.puml"), &(text.clone() + "@enduml\n"));
    let server = Server::start(&path);
    let mut times = Vec::new();
    for number in 0..5 {
        let typed = format!("{text}p1 -> p2 : typed {number}\n@enduml\n");
        let start = Instant::now();
        let seen = server.post("/api/look", &json!({ "file": "long.puml", "text": typed })).json();
        times.push(start.elapsed());
        assert!(seen["drawings"].as_str().is_some_and(|html| html.contains(&format!("typed {number}"))));
    }
    times.sort();
    println!("a keystroke in a diagram of 500 messages takes {:?}", times[2]);
    assert!(cfg!(debug_assertions) || times[2].as_millis() < 50, "{times:?}");
}

#[test]
fn every_project_is_shown() {
    let projects = cases::root().join("examples/projects");
    let server = Server::start(&projects);
    let listed = server.send("GET", &server.with_token("/api/files"), &[], b"").json();
    let files = listed["files"].as_array().expect("a list").clone();
    assert!(files.len() > 10);
    for file in files.iter().step_by(5) {
        let seen = server.post("/api/look", &json!({ "file": file["name"] }));
        assert_eq!(seen.status, 200, "{file}: {seen:?}");
    }
}

const LAMP: &str = "@startuml Lamp\n[*] --> Off\nOff --> On : press\nOn --> Off : press\n@enduml\n";

/// Questions of one name about two diagrams are told apart, and a text that cannot be read gains nothing.
#[test]
fn questions_belong_to_their_diagrams() {
    let path = folder("serve-diagrams");
    let asked = |name: &str, messages: &str| {
        format!("@startuml {name}\n' @forbidden alphabet=own\nactor u\nparticipant lamp\n{messages}@enduml\n")
    };
    let never = asked("Never", "u ->> lamp : kick\n");
    let text = format!("{LAMP}{never}{}", asked("Once", "u ->> lamp : press\n"));
    write(&path.join("dup.puml"), &text);
    let server = Server::start(&path);
    let review = |text: &str| {
        let job = server.post("/api/review", &json!({ "file": "dup.puml", "text": text })).json();
        server.result(&job["job"])["result"].clone()
    };
    let job = server.post("/api/check", &json!({ "file": "dup.puml" })).json();
    let checked = server.result(&job["job"])["result"].clone();
    let html = checked["questions"].as_str().unwrap_or_default();
    let keys = html.matches("data-key=\"[").count();
    assert_eq!(keys, 2, "{html}");
    for name in ["Never: forbidden", "Once: forbidden"] {
        assert!(html.contains(&format!("data-name=\"{name}\"")), "{html}");
    }
    assert_eq!(checked["broken"], json!(false));
    assert_eq!(checked["diagrams"], json!(["Never", "Once", "Lamp"]));
    let told = review(&text.replace(&never, ""));
    let verdicts = told["verdicts"].as_array().expect("a list");
    let one =
        |name: &str| verdicts.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{told}"));
    assert_eq!(one("Once: forbidden")["before"], one("Once: forbidden")["after"], "{told}");
    assert_eq!(one("Never: forbidden")["after"], json!(null), "{told}");
    assert_eq!(review(&text.replace("u ->> lamp : kick", "?? what"))["broken"], json!([false, true]));
}

/// After an edit the steps that were taken are found by what they do, not by where they stand in a list.
#[test]
fn a_simulation_stays_the_same_run() {
    let path = folder("serve-simulate");
    let text = format!("{LAMP}@startuml Fan\n[*] --> Still\nStill --> Turning : blow\n@enduml\n");
    write(&path.join("sim.puml"), &text);
    let server = Server::start(&path);
    let simulate = |text: &str, moves: &serde_json::Value| {
        let asked = json!({ "file": "sim.puml", "text": text, "what": "machines", "moves": moves });
        server.post("/api/simulate", &asked).json()
    };
    let option = |told: &serde_json::Value, word: &str| {
        let options = told["options"].as_array().expect("a list");
        let is_one = |one: &&serde_json::Value| one["text"].as_str().is_some_and(|text| text.contains(word));
        options.iter().find(is_one).unwrap_or_else(|| panic!("no {word} in {told}")).clone()
    };
    let start = simulate(&text, &json!([]));
    let press = option(&start, "press");
    assert!(press["lines"].as_array().is_some_and(|lines| lines.contains(&json!(3))), "{press}");
    let moves = json!([press["step"]]);
    // A machine before it has options of its own.
    let edited = format!("@startuml Bell\n[*] --> Quiet\nQuiet --> Ringing : pull\n@enduml\n{text}");
    let again = simulate(&edited, &moves);
    assert_eq!(again["taken"], json!(1), "{again}");
    assert_eq!(again["data"]["runs"][0]["rows"][1]["deed"], "!->Lamp:press", "{again}");
    let gone = simulate(&edited.replace("press", "push"), &moves);
    assert_eq!(gone["taken"], json!(0), "{gone}");
    // A run of machines can be kept, under the name of its file; one in which nothing happens yet cannot.
    assert_eq!(again["texts"], json!([null]));
    let received = simulate(&text, &json!([press["step"], option(&again, "?->Lamp:press")["step"]]));
    let kept = received["texts"][0]["possible"].as_str().unwrap_or_default();
    assert!(kept.starts_with("@startuml\n' @possible\n") && kept.contains("press"), "{kept}");
}

#[test]
fn pictures_are_read_and_changes_compared() {
    let path = shop("serve-review");
    let server = Server::start(&path);
    let ask = |address: &str, body: &serde_json::Value| {
        server.send("POST", &server.with_token(address), &[], body.to_string().as_bytes())
    };
    assert_eq!(ask("/api/picture", &json!({ "bytes": "3c737667" })).status, 422);
    assert_eq!(ask("/api/picture", &json!({ "bytes": "xyz" })).status, 400);
    assert_eq!(ask("/api/review", &json!({ "file": "pay.puml", "base": "../pay.puml" })).status, 403);
    let started = ask(
        "/api/review",
        &json!({ "file": "pay.puml", "text": PAY.replace("bank --> shop : done", "bank --> shop : no") }),
    );
    assert_eq!(started.status, 200, "{started:?}");
    let job: serde_json::Value = serde_json::from_str(&started.body).expect("JSON");
    let start = Instant::now();
    loop {
        let report = server.send("GET", &server.with_token(&format!("/api/job?id={}", job["job"])), &[], b"");
        let report: serde_json::Value = serde_json::from_str(&report.body).expect("JSON");
        if report["state"] != "running" {
            let result = &report["result"];
            assert_eq!(result["words"].as_array().map(Vec::len), Some(1), "{report}");
            assert_eq!(result["verdicts"][0]["before"]["verdict"], "holds", "{report}");
            assert_eq!(result["drawings"].as_array().map(Vec::len), Some(1), "{report}");
            break;
        }
        assert!(start.elapsed().as_secs() < 30, "{report}");
    }
}
