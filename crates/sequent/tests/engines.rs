//! Engines as a user sees them: all give the same answers, what is proved can be checked elsewhere, what is ruled out is explained.

#[path = "../../engine/tests/sat/lrat.rs"]
mod lrat;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

fn run(arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    let output = command.args(arguments).env("NO_COLOR", "1").output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    (output.status.code().expect("it exits by itself"), text)
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
