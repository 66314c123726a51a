//! Engines as a user sees them: all give the same answers, what is proved can be checked elsewhere, what is ruled out is explained.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use sequent::effort::Effort;
use sequent::{pipeline, settings};
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::{Limits, Progress};
use sequent_evaluation::generate::wide;
use sequent_kernel::model::Communication;
use sequent_kernel::source::Sources;
use sequent_kernel::verdict::{Answer, Reason, Verdict};
use sequent_notation::NoFiles;
use sequent_testing::lrat;
use sequent_testing::seeds::seeds;
use serde_json::Value;

fn run(arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    let output = command.args(arguments).env("NO_COLOR", "1").output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    (output.status.code().expect("it exits by itself"), text)
}

/// A project of this test's own, as a path.
fn project(name: &str, files: &[(&str, &str)]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a writable folder");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("a writable folder");
    }
    folder.to_str().expect("a plain path").to_owned()
}

/// The answers to the questions of a project, by one engine.
fn answers(project: &str, engine: &str) -> Vec<Value> {
    let path = format!("../../examples/projects/{project}");
    let (_, text) = run(&["check", &path, "--engine", engine, "--time", "100", "--format", "json"]);
    let value: Value = serde_json::from_str(&text).expect("output is JSON");
    value["checks"].as_array().expect("a list").clone()
}

#[test]
fn engines_that_prove_answer_as_the_search_does() {
    for project in ["coffee", "coffee-money", "evaluation-coffee", "evaluation-mail", "figure-35"] {
        let expected = answers(project, "explicit");
        for engine in ["induction", "ic3"] {
            for (one, other) in expected.iter().zip(answers(project, engine)) {
                for key in ["name", "verdict", "failing_message", "length"] {
                    assert_eq!(one[key], other[key], "{project}, {engine}: {}", one["name"]);
                }
            }
        }
        for (one, other) in expected.iter().zip(answers(project, "all")) {
            assert_eq!(one["verdict"], other["verdict"], "{project}: {}", one["name"]);
        }
    }
}

/// What a formula says of the state after a step is defined there, too: no state without it comes before a goal.
#[test]
fn formulas_about_states_after_steps_are_proved() {
    let machines = "@startuml A\n[*] --> s1\ns1 --> s2 : / ^b.x\ns2 --> s1 : y\n@enduml\n\
                    @startuml B\n[*] --> w\nw --> w : x / ^a.y\n@enduml\n";
    let asked = "[system]\ncommunication = \"rendezvous\"\n[[check]]\nltl = \"G (sent(x) -> in(a, s2))\"\n";
    let path = &project("after-steps", &[("machines.puml", machines), ("sequent.toml", asked)]);
    for engine in ["explicit", "induction", "ic3"] {
        let (code, text) = run(&["check", path, "--engine", engine, "--time", "100"]);
        assert!(code == 0 && text.starts_with("holds"), "{engine}: {text}");
    }
}

#[test]
fn bounded_questions_are_answered_within_their_bound() {
    let path = "../../examples/projects/coffee-money";
    let asked = |within: &str| {
        let goal = ["--goal", "PhD.desperate & CM.error", "--within", within, "--format", "json"];
        let (code, text) = run(&[&["reach", path, "--engine", "bounded"][..], &goal].concat());
        let value: Value = serde_json::from_str(&text).expect("output is JSON");
        (code, value["checks"][0].clone())
    };
    let (code, answer) = asked("7");
    assert_eq!((code, &answer["verdict"], &answer["length"]), (0, &"holds".into(), &7.into()), "{answer}");
    let (code, answer) = asked("6");
    assert_eq!((code, &answer["verdict"], &answer["evidence"]), (1, &"fails".into(), &"bounded".into()));
    // Without a bound nothing is proved.
    let arguments = ["check", path, "--within", "6", "--format", "json"];
    let (code, text) = run(&arguments);
    assert!(code == 3 && text.contains("nothing up to 6 steps"), "{text}");
}

/// The clauses of a text in DIMACS.
fn clauses(text: &str) -> Vec<Vec<i32>> {
    let lines = text.lines().filter(|line| !line.starts_with('c') && !line.starts_with('p'));
    let numbers: Vec<i32> =
        lines.flat_map(str::split_whitespace).map(|word| word.parse().expect("a number")).collect();
    let mut clauses: Vec<Vec<i32>> = numbers.split(|one| *one == 0).map(<[i32]>::to_vec).collect();
    clauses.pop();
    clauses
}

#[test]
fn what_has_no_answer_within_a_bound_is_refuted_by_a_proof() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("refuted");
    let _ = std::fs::remove_dir_all(&folder);
    let place = folder.to_string_lossy();
    let path = "../../examples/projects/coffee-money";
    let goal = ["--goal", "PhD.desperate & CM.error", "--within", "6", "--engine", "bounded"];
    let (code, _) = run(&[&["reach", path, "--proofs", &place][..], &goal].concat());
    assert_eq!(code, 1);
    let files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("it was made").flatten().map(|one| one.path()).collect();
    let read = |ending: &str| {
        let file = files.iter().find(|file| file.extension().is_some_and(|end| end == ending));
        std::fs::read_to_string(file.expect("such a file")).expect("text")
    };
    let (question, proof) = (read("cnf"), read("lrat"));
    assert!(question.starts_with("c a run of at most 6 steps"), "{}", &question[..200]);
    assert!(question.contains(" at 0: ") && question.contains(" = idle\n"), "{}", &question[..2_000]);
    let clauses = clauses(&question);
    assert_eq!(lrat::refutes(&clauses, &proof), Ok(()));
    assert!(lrat::refutes(&clauses[1..], &proof).is_err(), "it is a proof of this formula");
}

#[test]
fn what_rules_something_out_is_told_with_its_place() {
    let path = "../../examples/projects/pin-check";
    let (_, text) = run(&["check", "../../examples/projects/coffee", "--why", "--time", "60"]);
    assert!(text.contains("ruled out by:\n"), "{text}");
    let line =
        "cm takes `error -> maintenance` only in error (../../examples/projects/coffee/machines.puml:17)";
    assert!(text.contains(line), "{text}");
    let (_, text) = run(&["check", path, "--why", "--format", "json", "--time", "60"]);
    let value: Value = serde_json::from_str(&text).expect("output is JSON");
    for check in value["checks"].as_array().expect("a list") {
        let by = check["ruled_out"]["by"].as_array().cloned().unwrap_or_default();
        assert!(by.iter().all(|one| one["line"].as_u64() > Some(0)), "{check}");
    }
}

/// What is asked about systems that were made up; `S1` is a state of most machines, `a` is always an object.
const QUESTIONS: &str = r#"
[[check]]
reachable = "a.S1 & b.S2"

[[check]]
ltl = "G !in(a, S2)"
"#;

/// The same as the fuzz target `engines`.
#[test]
fn engines_agree_on_systems_with_everything() {
    let mut answered = 0;
    for seed in seeds(9) {
        let media = [Communication::Queue, Communication::Bag, Communication::Rendezvous];
        let case = wide::case(seed, media[seed as usize % 3], true);
        let mut sources = Sources::new();
        let file = sources.add("system.puml", case.text.as_str());
        let toml = sources.add("sequent.toml", case.settings("test") + QUESTIONS);
        let (settings, problems) = settings::read(toml, sources.get(toml));
        assert!(problems.is_empty(), "{problems:?}");
        let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
        let limits = Limits { states: 5_000, ..Limits::default() };
        // Solvers that find nothing soon are broken off.
        let calls = std::cell::Cell::new(0);
        let watch = |_: &Progress| {
            calls.set(calls.get() + 1);
            if calls.get() > 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let effort =
            Effort { limits, looks: 500_000, engine: &EngineChoice::All, watch: &watch, ..Effort::default() };
        let outcome = pipeline::check(&reading, &settings, &effort);
        let contradicts = |one: &Answer| matches!(one.verdict, Verdict::Unknown(Reason::Contradiction(_)));
        assert!(!outcome.answers.iter().any(contradicts), "seed {seed}\n{}", case.text);
        answered += outcome.answers.iter().filter(|one| one.verdict.evidence().is_some()).count();
    }
    assert!(answered > 0, "nothing was answered");
}

#[test]
fn a_run_that_breaks_off_does_not_go_round() {
    let text = "@startuml A\n' @ltl F G !sent(m)\n[*] --> X\nX --> X : / ^b.m\n@enduml\n\
        @startuml B\n[*] --> X\nX --> X : m\nX --> X\n@enduml\n";
    let path = &project("breaks-off", &[("a.puml", text)]);
    for medium in ["bag", "queue"] {
        let medium = format!("system.communication={medium}");
        let set =
            ["--set", medium.as_str(), "--set", "system.completion=free", "--set", "system.closed=true"];
        for within in ["3", "5", "7"] {
            for engine in ["auto", "bounded", "induction", "ic3"] {
                let arguments = ["check", path, "--within", within, "--engine", engine];
                let (code, out) = run(&[&arguments[..], &set].concat());
                assert!(code == 3 || code == 1, "{medium} {within} {engine}: {code} {out}");
            }
        }
    }
}

/// The run that the invariants of IC3 leave over need not be a shortest one; what is told is the least number nevertheless.
#[test]
fn lengths_are_the_least_whoever_answers() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("least");
    let _ = std::fs::remove_dir_all(&folder);
    let model = folder.display().to_string();
    let generate = ["generate", "wide", "--communication", "queue", "--seed", "15", "-o", &model];
    assert_eq!(run(&generate).0, 0);
    let length = |engine: &str, within: &[&str]| {
        let asked =
            ["reach", &model, "--goal", "M0.S2", "--engine", engine, "--time", "100", "--format", "json"];
        let (_, out) = run(&[&asked, within].concat());
        let told: Value = serde_json::from_str(&out).expect("JSON");
        (told["checks"][0]["verdict"].clone(), told["checks"][0]["length"].clone())
    };
    let least = length("explicit", &[]);
    assert_eq!(least.0, "holds");
    let within = least.1.to_string();
    for engine in ["ic3", "induction", "bounded"] {
        assert_eq!(length(engine, &[]), least, "{engine}");
        assert_eq!(length(engine, &["--within", &within]), least, "{engine} within {within}");
    }
}

/// Stations that hand a token round through their queues and give their workers jobs: more than 5 * 10^10 states.
fn ring(stations: usize) -> String {
    let station = |number: usize| {
        let (next, begin) = ((number + 1) % stations, if number == 0 { "critical" } else { "idle" });
        format!(
            "@startuml S{number}\n' @attribute open : 0..4 = 0\n[*] --> {begin}\n\
             critical --> critical : after(1) [open < 4] / open++; ^W{number}.job(true)\n\
             critical --> critical : after(1) [open < 4] / open++; ^W{number}.job(false)\n\
             critical --> idle : after(1) / ^S{next}.token\nidle --> critical : token\n\
             critical --> critical : done / open = open - 1\nidle --> idle : done / open = open - 1\n@enduml\n\
             @startuml W{number}\n[*] --> free\nfree --> yes : job(true)\nfree --> no : job(false)\n\
             yes --> free : / ^S{number}.done\nno --> free : / ^S{number}.done\n@enduml\n"
        )
    };
    (0..stations).map(station).collect()
}

/// What nobody can answer within a second is unknown after about that: all engines look at the clock, whatever they are at.
#[test]
fn time_is_kept_by_every_engine() {
    let path = &project("ring", &[("ring.puml", &ring(6))]);
    let asked = ["reach", path, "--goal", "S0.critical & S3.critical", "--time", "1"];
    let set = ["--set", "system.communication=queue", "--set", "system.capacity=5"];
    let cases = [
        &["--engine", "auto"][..],
        &["--engine", "explicit"],
        &["--engine", "bounded"],
        &["--engine", "bounded", "--within", "1000000000"],
        &["--engine", "induction"],
        &["--engine", "ic3"],
        &["--engine", "all"],
    ];
    for engine in cases {
        let start = Instant::now();
        let (code, text) = run(&[&asked[..], &set, engine].concat());
        let time = start.elapsed().as_secs_f64();
        assert!(
            code == 3 && text.starts_with("unknown") && text.contains("time is over"),
            "{engine:?}: {code} {text}"
        );
        // The machine may be busy with other things; without any limit it would take minutes.
        assert!((0.9..30.0).contains(&time), "{engine:?}: {time} s");
    }
}

/// Phones in a ring, each of which rings the next once its owner has picked it up; while it does it hears nothing.
fn phones(count: usize) -> String {
    let phone = |number: usize| {
        let (asks, next) = (if number == 0 { "' @deadlock\n" } else { "" }, (number + 1) % count);
        format!(
            "@startuml P{number}\n{asks}[*] --> Idle\nIdle --> Up : lift\nUp --> Talk : / ^P{next}.ring\n\
             Talk --> Idle : hang\nIdle --> Idle : ring\nTalk --> Talk : ring\n@enduml\n"
        )
    };
    (0..count).map(phone).collect()
}

/// All must be picked up before anybody is stuck: among too many states to look at a solver finds that.
#[test]
fn deadlocks_behind_too_many_states_are_found() {
    let path = &project("phones", &[("phones.puml", &phones(11))]);
    let (code, text) =
        run(&["check", path, "--set", "system.communication=rendezvous", "--engine", "bounded"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("were looked at: there are more than"), "{text}");
    assert!(text.contains("error[E630]: this gets stuck after 11 events: `P0` is in `Up`"), "{text}");
    assert!(text.contains("fails: P0: never gets stuck"), "{text}");
}
