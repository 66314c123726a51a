//! Tools that others wrote read the files, and find what we find: Z3, ABC and PicoSAT, where they are installed.

use std::path::Path;

use sequent::certificate;
use sequent::export::ExportedCase;
use sequent_report::export::circuit::{CircuitMachine, aiger, smt};

use super::cases;
use super::files::{built, length};
use super::patience::{ToolPatience, is_there};
use super::samples::{Omitted, SampleTally, tell};

/// Runs are looked for so far.
const STEPS: usize = 6;
/// Larger circuits are left to those who have time.
const MOST_GATES: usize = 1_500;

/// The one of two answers that a program gives.
fn either(text: &str, yes: &str, no: &str) -> bool {
    let is = |answer: &str| text.lines().any(|line| line.starts_with(answer));
    assert!(is(yes) != is(no), "neither `{yes}` nor `{no}`: {text}");
    is(yes)
}

/// All questions of the examples that are small enough, with their machines.
fn questions() -> Vec<(String, ExportedCase, CircuitMachine)> {
    let mut all = Vec::new();
    for case in cases::all() {
        let session = cases::read(&case);
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for (number, words) in agenda.queries.iter().enumerate() {
            for part in sequent::export::parts(&agenda, number).unwrap_or_default() {
                let Some(machine) = built(&part).filter(|_| part.case.begins.is_none()) else { continue };
                let is_small = aiger(&machine).is_ok_and(|made| made.gates() < MOST_GATES);
                if is_small {
                    all.push((format!("{}: {}", case.name, words.text()), part, machine));
                }
            }
        }
    }
    all
}

/// A question, and the length of the shortest run that our own solver finds.
struct Asked {
    name: String,
    single: ExportedCase,
    machine: CircuitMachine,
    ours: Option<usize>,
}

/// Compares PicoSAT's answer with ours.
fn picosat(asked: &Asked, patience: &ToolPatience) -> Result<(), Omitted> {
    let Asked { name, single, machine, ours } = asked;
    if !machine.justice.is_empty() {
        return Err("runs that go on forever are no clauses".into());
    }
    let question = single.question().expect("it was asked");
    let text = certificate::formula(name, &question, STEPS, &|_, _| None).expect("it is small");
    let theirs = either(&patience.run("picosat", &[], &text)?.stdout, "s SATIS", "s UNSATIS");
    assert_eq!(theirs, ours.is_some(), "{name}: PicoSAT");
    Ok(())
}

/// Compares Z3's answer with ours. The default tactic of Z3 5.4 does not end on some files that this one decides at once.
fn z3(asked: &Asked, patience: &ToolPatience) -> Result<(), Omitted> {
    let Asked { name, single, machine, ours } = asked;
    let text = smt(machine, STEPS).expect("what has bits has words");
    let output = patience.run("z3", &["-in", "tactic.default_tactic=smt"], &text)?;
    let theirs = either(&output.stdout, "sat", "unsat");
    match (machine.justice.is_empty(), theirs) {
        (true, _) => assert_eq!(theirs, ours.is_some(), "{name}: Z3"),
        // Ways round are counted differently.
        (false, true) => {
            let further = length(single, 2 * STEPS + 2).expect("it was asked before");
            assert!(further.is_some(), "{name}: only Z3 finds a way round");
        }
        (false, false) => {
            assert!(ours.is_none_or(|length| length + 1 >= STEPS), "{name}: Z3 finds no way round")
        }
    }
    Ok(())
}

/// Compares ABC's answer with ours.
fn abc(asked: &Asked, patience: &ToolPatience) -> Result<(), Omitted> {
    let Asked { name, machine, ours, .. } = asked;
    if !machine.justice.is_empty() {
        return Err("ABC reads no justice".into());
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("question.aig");
    std::fs::write(&file, aiger(machine).expect("it was written before").binary())
        .expect("a place for files");
    let bad = usize::from(machine.strained.is_some());
    let path = file.display();
    let command = format!("read_aiger {path}; cone -s -O {bad}; strash; bmc3 -F {}", STEPS + 1);
    let text = patience.run("berkeley-abc", &["-q", &command], "")?.stdout;
    let theirs = text.contains("asserted in frame");
    assert!(theirs || text.contains("No output asserted"), "{name}: {text}");
    assert_eq!(theirs, ours.is_some(), "{name}: ABC");
    Ok(())
}

/// A tool that answers questions.
struct Tool {
    program: &'static str,
    confirm: fn(&Asked, &ToolPatience) -> Result<(), Omitted>,
    /// It answers more than this many.
    few: u64,
    patience: ToolPatience,
    tally: SampleTally,
}

impl Tool {
    fn new(
        program: &'static str,
        confirm: fn(&Asked, &ToolPatience) -> Result<(), Omitted>,
        few: u64,
    ) -> Self {
        Tool { program, confirm, few, patience: ToolPatience::default(), tally: SampleTally::default() }
    }
}

#[test]
fn others_find_runs_where_we_do() {
    let mut tools =
        vec![Tool::new("z3", z3, 65), Tool::new("berkeley-abc", abc, 40), Tool::new("picosat", picosat, 40)];
    tools.retain(|tool| is_there(tool.program));
    if tools.is_empty() {
        return;
    }
    let (mut count, mut found) = (0, 0);
    for (name, part, machine) in questions() {
        let single = part.singly();
        let Ok(ours) = length(&single, STEPS) else { continue };
        count += 1;
        found += usize::from(ours.is_some());
        let asked = Asked { name, single, machine, ours };
        for tool in &mut tools {
            tool.tally.add((tool.confirm)(&asked, &tool.patience));
        }
    }
    for tool in &tools {
        tell(&format!("{} was asked:", tool.program));
        tool.tally.exceeds(tool.few);
    }
    assert!(count > 65 && found > 14, "{count} asked, {found} found");
}
