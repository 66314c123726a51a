//! Engines never contradict each other and never panic: on systems of the wide generator, whole or with lines left out.
#![no_main]

mod whole;

use sequent::effort::Effort;
use sequent::{pipeline, settings};
use sequent_engine::portfolio::EngineChoice;
use sequent_engine::search::Limits;
use sequent_evaluation::generate::wide;
use sequent_kernel::model::Communication;
use sequent_kernel::source::Sources;
use sequent_kernel::verdict::{Reason, Verdict};
use sequent_notation::NoFiles;

/// What is asked about every system; `S1` is a state of most machines, `a` is always an object.
const QUESTIONS: &str = r#"
[[check]]
reachable = "a.S1 & b.S2"

[[check]]
ltl = "G !in(a, S2)"
"#;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (number, left_out) = data.split_at(data.len().min(8));
    let seed = number.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    let media = [Communication::Queue, Communication::Bag, Communication::Rendezvous];
    let case = wide::case(seed, media[seed as usize % 3], true);
    let lines: Vec<&str> = case.text.lines().collect();
    let is_left_out = |line: &usize| left_out.iter().any(|byte| usize::from(*byte) == *line);
    let text: Vec<&str> =
        (0..lines.len()).filter(|line| !is_left_out(line)).map(|line| lines[line]).collect();
    let text = text.join("\n");
    whole::survive("system.puml", text.as_bytes());
    agree(&text, &(case.settings("fuzz") + QUESTIONS));
});

fn agree(text: &str, written: &str) {
    let mut sources = Sources::new();
    let (file, toml) = (sources.add("system.puml", text), sources.add("sequent.toml", written));
    let (settings, _) = settings::read(toml, sources.get(toml));
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
    let limits = Limits { states: 20_000, ..Limits::default() };
    let effort = Effort { limits, looks: 2_000_000, engine: &EngineChoice::All, ..Effort::default() };
    for answer in pipeline::check(&reading, &settings, &effort).answers {
        let is_contradicted = matches!(answer.verdict, Verdict::Unknown(Reason::Contradiction(_)));
        assert!(!is_contradicted, "{}: {text}", answer.name);
    }
}
