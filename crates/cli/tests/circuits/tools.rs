//! Tools that others wrote read the files, and find what we find: Z3, ABC and PicoSAT, where they are installed.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sequent::agenda::Agenda;
use sequent::certificate;
use sequent::posed::Copied;
use sequent_engine::sat::encoding::Pace;
use sequent_report::export::circuit::{Machine, aiger, smt};

use super::cases;
use super::files::{built, length};

/// Runs are looked for so far.
const STEPS: usize = 6;
/// Larger circuits are left to those who have time.
const MOST_GATES: usize = 1_500;

/// What a program says to a text on its input; none if it is not installed.
pub fn said(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdin.take().expect("it has an input");
    pipe.write_all(input.as_bytes()).expect("it reads");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The one of two answers that a program gives.
fn either(text: &str, yes: &str, no: &str) -> bool {
    let is = |answer: &str| text.lines().any(|line| line.starts_with(answer));
    assert!(is(yes) != is(no), "neither `{yes}` nor `{no}`: {text}");
    is(yes)
}

/// All questions of the examples that are small enough, with their machines.
fn questions() -> Vec<(String, Copied, Machine)> {
    let mut all = Vec::new();
    for case in cases::all() {
        let session = cases::read(&case);
        let agenda = Agenda::new(&session.reading, &session.settings);
        for (number, words) in agenda.list().iter().enumerate() {
            for part in agenda.pose(number).unwrap_or_default() {
                let Some(machine) = built(&part).filter(|_| part.begins.is_none()) else { continue };
                let is_small = aiger(&machine).is_ok_and(|made| made.gates() < MOST_GATES);
                if is_small {
                    all.push((format!("{}: {}", case.name, words.text()), part, machine));
                }
            }
        }
    }
    all
}

#[test]
fn others_find_runs_where_we_do() {
    let has = |program: &str, arguments: &[&str]| {
        let is_there = said(program, arguments, "").is_some();
        if !is_there {
            println!("there is no {program}: skipped");
        }
        is_there
    };
    let (z3, abc, picosat) =
        (has("z3", &["--version"]), has("berkeley-abc", &["-h"]), has("picosat", &["--version"]));
    if !(z3 || abc || picosat) {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("question.aig");
    let (mut asked, mut found) = (0, 0);
    for (name, part, machine) in questions() {
        let single = Copied { pace: Pace::Single, within: None, ..part };
        let Ok(ours) = length(&single, STEPS) else { continue };
        asked += 1;
        found += usize::from(ours.is_some());
        if picosat && machine.justice.is_empty() {
            let question = single.question().expect("it was asked");
            let text = certificate::formula(&name, &question, STEPS, &|_, _| None).expect("it is small");
            let theirs = either(&said("picosat", &[], &text).expect("it is there"), "s SATIS", "s UNSATIS");
            assert_eq!(theirs, ours.is_some(), "{name}: PicoSAT");
        }
        if z3 {
            let text = smt(&machine, STEPS).expect("what has bits has words");
            let theirs = either(&said("z3", &["-in"], &text).expect("it is there"), "sat", "unsat");
            match (machine.justice.is_empty(), theirs) {
                (true, _) => assert_eq!(theirs, ours.is_some(), "{name}: Z3"),
                // Ways round are counted differently.
                (false, true) => {
                    let further = length(&single, 2 * STEPS + 2).expect("it was asked before");
                    assert!(further.is_some(), "{name}: only Z3 finds a way round");
                }
                (false, false) => {
                    assert!(ours.is_none_or(|length| length + 1 >= STEPS), "{name}: Z3 finds no way round")
                }
            }
        }
        if abc && machine.justice.is_empty() {
            let made = aiger(&machine).expect("it was written before");
            std::fs::write(&file, made.binary()).expect("a place for files");
            let bad = usize::from(machine.strained.is_some());
            let path = file.display();
            let command = format!("read_aiger {path}; cone -s -O {bad}; strash; bmc3 -F {}", STEPS + 1);
            let text = said("berkeley-abc", &["-q", &command], "").expect("it is there");
            let theirs = text.contains("asserted in frame");
            assert!(theirs || text.contains("No output asserted"), "{name}: {text}");
            assert_eq!(theirs, ours.is_some(), "{name}: ABC");
        }
    }
    assert!(asked > 65 && found > 14, "{asked} asked, {found} found");
}
