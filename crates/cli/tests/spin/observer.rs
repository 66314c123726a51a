//! State machines as processes that are observed: SPIN finds a run where we find one. How many states it stores is nothing to compare, as
//! the observer is a process of its own, and two that meet take several steps.

use std::path::PathBuf;
use std::time::Instant;

use sequent::effort::Effort;
use sequent::pipeline::{self, Reading};
use sequent::settings::Settings;
use sequent_kernel::system::Step;
use sequent_kernel::verdict::Verdict;
use sequent_report::export::WrittenSubject;
use sequent_report::export::promela::{observer, pan};
use sequent_testing::seeds::seeds;

use super::patience::ToolPatience;
use super::program::{Failure, find, run};
use super::samples::{self, Omitted, SampleTally, systems};
use super::spin::SpinPrograms;
use super::{at_hand, cases};

/// Whether SPIN finds what it looks for; it reduces as it likes. `None` if it does not get through within some memory.
fn is_found(
    tool: &SpinPrograms,
    text: &str,
    name: &str,
    until: Option<Instant>,
) -> Result<Option<bool>, Failure> {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let folder: String = name.chars().map(plain).collect();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("observer-{folder}"));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("model.pml"), text).expect("a file can be written");
    let spin = find("spin").expect("it was there before");
    let said = run(&folder, &spin, &["-a", "model.pml"], until)?;
    let _ = std::fs::remove_file(folder.join("pan"));
    let flags = ["-w", "-DVECTORSZ=8192", "-DMEMLIM=128", "-o", "pan", "pan.c"];
    let compiled = run(&folder, &tool.compiler, &flags, until)?;
    assert!(folder.join("pan").is_file(), "{name}: {said}{compiled}\n{text}");
    let out = run(&folder, &folder.join("pan"), &["-a", "-m1000000", "-w18"], until)?;
    let _ = std::fs::remove_dir_all(&folder);
    let said = pan(&out);
    let errors = said.errors.unwrap_or_else(|| panic!("{name}: {out}\n{text}"));
    Ok((errors > 0 || said.is_complete).then_some(errors > 0))
}

/// Whether SPIN finds it, in time and within some memory.
fn found((tool, patience): (&SpinPrograms, &ToolPatience), text: &str, name: &str) -> Result<bool, Omitted> {
    let found = patience.ask(name, |until| is_found(tool, text, name, until))?;
    found.ok_or("too many states".into())
}

/// Compares all questions about machines; those that cannot be asked say why.
fn compare(
    asked: (&SpinPrograms, &ToolPatience),
    reading: &Reading,
    settings: &Settings,
    name: &str,
    tally: &mut SampleTally,
) {
    let answers = pipeline::check(reading, settings, &Effort::default()).answers;
    let agenda = pipeline::agenda(reading, settings);
    for (number, words) in agenda.queries.iter().enumerate() {
        let name = format!("{name} {}", number + 1);
        let wanted = match (&answers[number].verdict, words.name.starts_with("possible"), words.kind) {
            (Verdict::Holds(_), true, _) | (Verdict::Holds(_), _, "reachable") => true,
            (Verdict::Fails(_), true, _) | (Verdict::Fails(_), _, "reachable") => false,
            (Verdict::Holds(_), false, _) => false,
            (Verdict::Fails(_), false, _) => true,
            (Verdict::Unknown(_), _, _) => {
                tally.add(Err("we do not know"));
                continue;
            }
        };
        let parts = match sequent::export::parts(&agenda, number) {
            Ok(parts) if parts.iter().all(|part| part.unbounded().is_ok()) => parts,
            Ok(_) => {
                tally.add(Err("it has a bound"));
                continue;
            }
            Err(reason) => {
                tally.add(Err(reason));
                continue;
            }
        };
        let written = |part: &sequent::export::ExportedCase, basic: Option<&_>| {
            let note = |step: &Step| format!("{:?}", step.0);
            let told = WrittenSubject {
                system: &part.case.system,
                title: &name,
                legend: &part.case.names.values,
                note: &note,
            };
            observer(&told, &part.target.wanted(), basic).map_err(|unwritten| unwritten.0)
        };
        let texts: Result<Vec<String>, String> = parts.iter().map(|part| written(part, None)).collect();
        match texts {
            Ok(texts) => {
                let all: Vec<_> = texts.iter().map(|text| found(asked, text, &name)).collect();
                let is_some = all.iter().any(|found| matches!(found, Ok(true)));
                let unknown = all.into_iter().find_map(Result::err).filter(|_| !is_some);
                let verdict = answers[number].verdict.name();
                assert!(
                    unknown.is_some() || is_some == wanted,
                    "{name} {}: {verdict}\n{}",
                    words.text(),
                    texts.join("\n")
                );
                tally.add(unknown.map_or(Ok(()), Err));
            }
            Err(reason) => tally.add(Err(reason)),
        }
        if let (Ok(basic), Some(part)) = (sequent::export::basic(&agenda, number), parts.first()) {
            let Ok(text) = written(part, Some(&basic)) else { continue };
            tally.add(found(asked, &text, &name).map(|found| {
                assert_eq!(found, wanted, "{name} {}: with bits\n{text}", words.text());
            }));
        }
    }
}

/// Systems that are the most different from each other, so that the test is quick.
const CASES: &[&str] =
    &["projects/pin-check", "projects/refused-card", "projects/overfull-shelf", "projects/lost-welcome"];

#[test]
fn examples_are_observed_with_the_same_verdicts() {
    let Some(tool) = at_hand() else { return };
    let (mut tally, asked) = (SampleTally::default(), (&tool, &ToolPatience::default()));
    for case in samples::examples(|name| CASES.contains(&name)) {
        let session = cases::read(&case);
        let model = &session.reading.model;
        if !model.machines.is_empty() && !model.checks.is_empty() {
            compare(asked, &session.reading, &session.settings, &case.name, &mut tally);
        }
    }
    tally.exceeds(15);
}

#[test]
fn random_systems_are_observed_with_the_same_verdicts() {
    let Some(tool) = at_hand() else { return };
    let seeds = seeds(8);
    let (mut tally, asked, wanted) =
        (SampleTally::default(), (&tool, &ToolPatience::default()), seeds.count_left());
    for seed in seeds {
        let (text, settings) = systems::text(seed);
        let (reading, settings) = systems::read(&text, settings);
        compare(asked, &reading, &settings, &format!("seed {seed}"), &mut tally);
    }
    tally.exceeds(wanted * 2);
}
