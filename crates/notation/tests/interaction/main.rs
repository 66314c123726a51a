//! Sequence diagrams read from text: findings about their design, one file per code.

mod ahead;
mod choices;
mod guards;
mod large;
mod naive;
mod races;

use expect_test::Expect;
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::lint::lint;
use sequent_kernel::model::Model;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, resolve};

/// A PlantUML diagram, given without its first and last line.
fn read(diagram: &str) -> (Sources, Model) {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", format!("@startuml\n{diagram}\n@enduml\n").as_str());
    let mut problems = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut problems);
    let document = sequent_notation::read(file, &mut context);
    let (model, more) = resolve::resolve(&[document], &sources);
    problems.extend(more);
    assert!(problems.is_empty(), "{diagram}\n{problems:?}");
    (sources, model)
}

/// Everything found in a diagram.
fn findings(diagram: &str) -> (Sources, Vec<Diagnostic>) {
    let (sources, model) = read(diagram);
    (sources, lint(&model, &Default::default()))
}

/// Checks what is found of one kind; lines count from the first of `diagram`.
fn check(code: Code, diagram: &str, expected: Expect) {
    let (sources, found) = findings(diagram);
    let line = |span| sources.position(span).line - 1;
    let mut out = String::new();
    for finding in found.iter().filter(|finding| finding.code == code) {
        out += &format!("{} line {}: {}\n", finding.severity.name(), line(finding.span), finding.message);
        for label in &finding.labels {
            out += &format!("  line {}: {}\n", line(label.span), label.text);
        }
        finding.hint.iter().for_each(|hint| out += &format!("  hint: {hint}\n"));
    }
    expected.assert_eq(&out);
}

/// Checks that nothing of this kind is found in any of some diagrams.
fn silent(code: Code, diagrams: &[&str]) {
    for diagram in diagrams {
        let (_, found) = findings(diagram);
        let found: Vec<&Diagnostic> = found.iter().filter(|finding| finding.code == code).collect();
        assert!(found.is_empty(), "{diagram}\n{found:#?}");
    }
}
