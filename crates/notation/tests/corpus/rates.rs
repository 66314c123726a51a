//! How many real diagrams get each finding: the table of decision 7.
//!
//! `cargo test -p sequent-notation --test corpus rates -- --nocapture` prints it where a corpus is at hand; with
//! `SEQUENT_SHOW=W222` every finding of that code too. Each diagram is read by itself, as its author would check it. A
//! finding that comes on too many diagrams is one that people switch off, so some have a limit, and so have all together.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::lint::lint;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, resolve};

use crate::harness::{Case, cases};

/// Findings about design rather than slips; no more than this share of diagrams, in per cent, may get one.
const LIMITED: &[(Code, f64)] = &[
    (Code::UnbalancedActivation, 5.0),
    (Code::ReplyWithoutCall, 1.0),
    (Code::Race, 2.0),
    (Code::NonLocalChoice, 4.0),
    (Code::RunAhead, 1.0),
    (Code::UnsatisfiableGuard, 1.0),
    (Code::NoInitial, 5.0),
    (Code::Nondeterministic, 1.0),
];

/// No more than this share of the diagrams that their own tools accept may have anything worse than a hint.
const MOST_WARNED: f64 = 15.0;

#[test]
fn rates() {
    let kinds = ["plantuml-seq", "mermaid-seq", "plantuml-state", "mermaid-state"];
    let cases: Vec<Case> = kinds.into_iter().flat_map(cases).collect();
    // A machine without the corpus has said so.
    if cases.is_empty() {
        return;
    }
    let wanted = std::env::var("SEQUENT_SHOW").ok().and_then(|code| Code::from_name(&code));
    let mut diagrams: BTreeMap<(Code, Severity), BTreeSet<&str>> = BTreeMap::new();
    let mut findings: BTreeMap<(Code, Severity), usize> = BTreeMap::new();
    let (mut accepted, mut warned) = (0, 0);
    for case in &cases {
        let (sources, found) = check(case);
        for finding in &found {
            let key = (finding.code, finding.own);
            diagrams.entry(key).or_default().insert(&case.name);
            *findings.entry(key).or_default() += 1;
            if wanted == Some(finding.code) {
                show(&case.name, &sources, finding);
            }
        }
        if is_accepted(case) {
            accepted += 1;
            warned += u32::from(found.iter().any(|finding| finding.severity > Severity::Hint));
        }
    }
    let share = |some: usize| 100.0 * some as f64 / cases.len() as f64;
    for ((code, severity), names) in &diagrams {
        println!(
            "{}{} {:>4} diagrams {:>5.1} % {:>5} findings  {}",
            severity.letter(),
            code.number(),
            names.len(),
            share(names.len()),
            findings[&(*code, *severity)],
            code.title()
        );
    }
    let rate = 100.0 * f64::from(warned) / f64::from(accepted.max(1));
    println!(
        "{} diagrams; {warned} of {accepted} that are accepted have more than hints ({rate:.1} %)",
        cases.len()
    );
    assert!(rate <= MOST_WARNED, "{rate:.1} % of the diagrams have more than hints");
    for (code, most) in LIMITED {
        let of_code = diagrams.iter().filter(|((other, _), _)| other == code).flat_map(|(_, names)| names);
        let share = share(of_code.collect::<BTreeSet<_>>().len());
        assert!(share <= *most, "{} comes on {share:.1} % of the diagrams", code.name());
    }
}

/// Whether the diagram's own tool draws it.
fn is_accepted(case: &Case) -> bool {
    let class = case.facts["cls"].as_str();
    case.facts["ok"] == true || class.is_some_and(|class| !class.starts_with("PSystemError"))
}

fn check(case: &Case) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add(case.name.as_str(), case.text.as_str());
    let mut found = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut found);
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
