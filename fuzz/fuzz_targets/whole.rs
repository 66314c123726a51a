//! What every reader must survive: reading, linting, drawing and printing of any text, without loss.

use sequent::effort::Effort;
use sequent::pipeline;
use sequent::settings::Settings;
use sequent_kernel::source::Sources;
use sequent_notation::tree::lossless;
use sequent_notation::{NoFiles, mermaid, plantuml};
use sequent_report::{ast, draw, findings};

/// Reads `data` as a file of this name and does everything with it that a user could.
pub fn survive(name: &str, data: &[u8]) {
    let mut sources = Sources::new();
    let file = pipeline::decode(&mut sources, name.to_owned(), data, &mut Vec::new());
    let text = sources.get(file).text.clone();
    let settings = Settings::default();
    let reading = pipeline::read(&[file], &mut sources, &mut NoFiles, &settings);
    for document in &reading.documents {
        let tree = lossless::cut(document, sources.get(document.file).text.len());
        let joined: String = tree.leaves().iter().map(|leaf| sources.text(leaf.span)).collect();
        assert_eq!(*joined, *text, "the pieces of a file are the file");
    }
    let outcome = pipeline::check(&reading, &settings, &Effort::default());
    for diagnostic in outcome.diagnostics.iter().take(5) {
        findings::text(diagnostic, &sources, findings::FindingStyle { colour: false, width: 80 });
    }
    ast::json(&reading.model, &sources);
    for interaction in reading.model.interactions.iter() {
        plantuml::print::sequence(interaction);
        mermaid::print::sequence(interaction);
        draw::text(interaction, &draw::TextStyle::default());
        draw::svg(interaction, &draw::Style::default());
    }
    for machine in reading.model.machines.iter() {
        plantuml::print::state(machine);
        mermaid::print::state(machine);
    }
}
