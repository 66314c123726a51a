//! How many real sequence diagrams get each finding: the table of decision 7.
//!
//! `cargo test -p sequent-notation --test corpus rates -- --nocapture` prints it where a corpus is at hand; with
//! `SEQUENT_SHOW=W222` every finding of that code too. Each diagram is read by itself, as its author would check it. A
//! finding that comes on too many diagrams is one that people switch off, so the new ones have a limit.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::lint::lint;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, NoFiles, resolve};

use crate::harness::{Case, cases};

/// Findings about design rather than slips; no more than this share of diagrams, in per cent, may get one.
const LIMITED: &[(Code, f64)] =
    &[(Code::Race, 6.0), (Code::NonLocalChoice, 6.0), (Code::RunAhead, 3.0), (Code::UnsatisfiableGuard, 1.0)];

#[test]
fn rates() {
    let cases: Vec<Case> = ["plantuml-seq", "mermaid-seq"].into_iter().flat_map(cases).collect();
    let wanted = std::env::var("SEQUENT_SHOW").ok().and_then(|code| Code::from_name(&code));
    let mut diagrams: BTreeMap<Code, BTreeSet<&str>> = BTreeMap::new();
    let mut findings: BTreeMap<Code, usize> = BTreeMap::new();
    for case in &cases {
        let (sources, found) = check(case);
        for finding in found {
            diagrams.entry(finding.code).or_default().insert(&case.name);
            *findings.entry(finding.code).or_default() += 1;
            if wanted == Some(finding.code) {
                show(&case.name, &sources, &finding);
            }
        }
    }
    let share = |code: &Code| 100.0 * diagrams[code].len() as f64 / cases.len() as f64;
    for code in diagrams.keys() {
        println!(
            "{} {:>4} diagrams {:>5.1} % {:>5} findings  {}",
            code.name(),
            diagrams[code].len(),
            share(code),
            findings[code],
            code.title()
        );
    }
    println!("{} diagrams", cases.len());
    for (code, most) in LIMITED.iter().filter(|(code, _)| diagrams.contains_key(code)) {
        assert!(share(code) <= *most, "{} comes on {:.1} % of the diagrams", code.name(), share(code));
    }
}

fn check(case: &Case) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add(case.name.as_str(), case.text.as_str());
    let mut found = Vec::new();
    let mut context = Context { sources: &mut sources, loader: &mut NoFiles, diagnostics: &mut found };
    let document = sequent_notation::read(file, &mut context);
    let (model, more) = resolve::resolve(&[document], &sources);
    found.extend(more);
    found.extend(lint(&model, &Default::default()));
    (sources, found)
}

fn show(name: &str, sources: &Sources, finding: &Diagnostic) {
    let line = sources.position(finding.span).line;
    println!("{} {name}:{line}: {}", finding.severity.name(), finding.message);
    for label in &finding.labels {
        println!("    line {}: {}", sources.position(label.span).line, label.text);
    }
    finding.hint.iter().for_each(|hint| println!("    hint: {hint}"));
}
