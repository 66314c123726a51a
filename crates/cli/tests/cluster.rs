//! Several processes, as a user starts them: the same reports, byte for byte; hosts that join, and those that do not.

mod runner;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use runner::{folder, run};

/// Four stations with counters.
fn model(place: &Path) -> String {
    let machine = |number: usize| {
        let next = (number + 1) % 4;
        format!(
            "@startuml M{number}\n' @attribute n : 0..5 = 0\n[*] --> a\na --> a : after(1) [n < 5] / n++\n\
             a --> b : after(1) [n = 5] / n = 0\nb --> a : after(1) / ^M{next}.hint\na --> a : hint\nb --> b : hint\n@enduml\n"
        )
    };
    let text: String = (0..4).map(machine).collect();
    let file = place.join("stations.puml");
    std::fs::write(&file, text).expect("it is writable");
    file.display().to_string()
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

/// What is asked, with more options.
fn asked<'a>(file: &'a str, goal: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["reach", file, "--goal", goal, "--format", "json", "--time", "120"], more].concat()
}

#[test]
fn reports_are_the_same_byte_for_byte() {
    let file = model(&folder("cluster-reports"));
    for goal in ["M0.b & M1.b", "M0.n = 5 & M1.n = 4 & M2.n = 3"] {
        let one = run(&asked(&file, goal, &["--engine", "explicit"]));
        assert_eq!(one.0, 0, "{}", one.2);
        let several = run(&asked(&file, goal, &["--processes", "2", "--quick", "0", "--join", "60"]));
        let without_time = |text: &str| -> Vec<String> {
            let is_timed = |line: &&str| line.contains("millis") || line.contains("memory");
            text.lines().filter(|line| !is_timed(line)).map(str::to_owned).collect()
        };
        assert_eq!((several.0, without_time(&several.1)), (one.0, without_time(&one.1)));
    }
}

#[test]
fn formulas_about_runs_that_go_on_forever_have_the_same_verdicts() {
    let place = folder("cluster-formulas");
    let file = place.join("counters.puml");
    let text = "@startuml classes\nclass C {\n  x : 0..9 = 0\n}\n@enduml\n@startuml objects\nobject \"o : C\" as o\nobject \"p : C\" as p\n@enduml\n\
                @startuml C\n[*] --> A\nA --> B : after(1s) [x < 9] / x = x + 1\nB --> A : after(1s)\nA --> A : after(2s) [x = 9] / x = 0\n@enduml\n";
    std::fs::write(&file, text).expect("it is writable");
    let file = file.display().to_string();
    let spill = place.join("spill").display().to_string();
    let several = ["--processes", "2", "--quick", "0", "--join", "60", "--spill", spill.as_str()];
    for (formula, code) in [("G F in(p, A)", 0), ("F (o.x = 9 & p.x = 9)", 1)] {
        let asked = ["check", &file, "--ltl", formula, "--format", "json", "--time", "120"];
        let one = run(&[&asked[..], &["--engine", "explicit"]].concat());
        let several = run(&[&asked[..], &several].concat());
        assert_eq!((one.0, several.0), (code, code), "{formula}: {} {}", one.2, several.2);
        let told = |text: &str| -> Vec<String> {
            let is_told =
                |line: &&str| line.contains("\"verdict\"") || line.contains("\"states\"") && code == 0;
            text.lines().filter(is_told).map(str::to_owned).collect()
        };
        assert_eq!(told(&several.1), told(&one.1), "{formula}");
        assert!(!told(&one.1).is_empty(), "{formula}");
    }
    assert!(std::fs::read_dir(&spill).expect("it was made").next().is_none(), "nothing is left");
}

#[test]
fn hosts_answer_together() {
    let place = folder("cluster-hosts");
    let file = model(&place);
    let hosts = place.join("hosts");
    std::fs::write(&hosts, "token 0123456789abcdef0123\n127.0.0.1:17511\n127.0.0.1:17512\n")
        .expect("it is writable");
    let hosts = hosts.display().to_string();
    let goal = "M0.n = 5 & M1.n = 4 & M2.n = 3";
    let second = start(&asked(
        "nowhere.puml",
        goal,
        &["--hosts", &hosts, "--process", "1", "--quick", "0", "--join", "60"],
    ));
    let first =
        run(&asked(&file, goal, &["--hosts", &hosts, "--process", "0", "--quick", "0", "--join", "60"]));
    assert_eq!(first.0, 0, "{} {}", first.1, first.2);
    let second = second.wait_with_output().expect("it ends");
    assert_eq!(second.status.code(), Some(0), "{}", String::from_utf8_lossy(&second.stderr));
}

#[test]
fn hosts_that_do_not_come_are_told() {
    let place = folder("cluster-missing");
    let file = model(&place);
    let hosts = place.join("hosts");
    std::fs::write(&hosts, "token 0123456789abcdef0123\n127.0.0.1:17521\n127.0.0.1:17522\n")
        .expect("it is writable");
    let hosts = hosts.display().to_string();
    let (code, _, said) = run(&asked(&file, "M0.b", &["--hosts", &hosts, "--process", "0", "--join", "1"]));
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("worker 1 (127.0.0.1:17522) has not joined within 1 seconds"), "{said}");
    let (code, _, said) = run(&asked(&file, "M0.b", &["--hosts", &hosts, "--process", "1", "--join", "1"]));
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("`127.0.0.1:17521` cannot be reached"), "{said}");
    let (code, _, said) = run(&asked(&file, "M0.b", &["--hosts", &hosts, "--process", "2"]));
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("there is no process 2"), "{said}");
}

#[test]
fn solvers_do_not_spread() {
    let file = model(&folder("cluster-engines"));
    let (code, _, said) = run(&asked(&file, "M0.b", &["--processes", "2", "--engine", "ic3"]));
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--engine auto or explicit"), "{said}");
}
