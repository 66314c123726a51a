//! Generated models as diagrams: what `sequent generate` prints.
//!
//! A folder holds the state machines, the sequence diagram if one is asked about, and a `sequent.toml` with how they
//! communicate and what is asked; a page holds the diagrams alone, with the question as a directive, and says by which settings
//! it is meant. Both read back as the model they were printed from.

use std::fmt::Write;

use sequent_kernel::diagnostic::Code;
use sequent_kernel::model::Model;
use sequent_notation::{mermaid, plantuml};

use super::{EnsembleInstance, EnsembleQuestion};

/// The notation of generated diagrams.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum GeneratedNotation {
    Plantuml,
    Mermaid,
}

/// What makes `sequent check` understand a page as it is meant.
pub const SETTINGS: &str = "--set system.communication=rendezvous --set system.closed=true";

/// Findings that say nothing about random machines, which have no design to be wrong about: states and transitions that nothing
/// reaches, several transitions for one trigger, runs that get stuck.
pub const BY_CHANCE: [Code; 7] = [
    Code::UnreachableState,
    Code::Nondeterministic,
    Code::SendNeverReceived,
    Code::SystemStuck,
    Code::SilentForever,
    Code::NeverReached,
    Code::NeverFires,
];

/// The files of a folder by name; `note` says where they come from, `allowed` names findings that are not to be reported.
pub fn folder(
    instance: &EnsembleInstance,
    notation: GeneratedNotation,
    note: &str,
    allowed: &[Code],
) -> Vec<(String, String)> {
    let model = instance.model();
    let mut files = vec![("sequent.toml".to_owned(), settings(instance, note, allowed))];
    files.extend(diagrams(&model, notation));
    files
}

/// All diagrams one after the other, the question among them.
pub fn page(instance: &EnsembleInstance, notation: GeneratedNotation, note: &str) -> String {
    let model = instance.model();
    let within = instance.within.map(|k| format!(" --within {k}")).unwrap_or_default();
    let (question, usage) = match &instance.asked {
        EnsembleQuestion::Goal(goal) => {
            let goal = instance.ensemble.goal_text(goal);
            (format!("@reachable {goal}"), format!("sequent reach FILE --goal '{goal}'{within} {SETTINGS}"))
        }
        EnsembleQuestion::Scenario(_) => {
            let within = instance.within.map(|k| format!(" within={k}")).unwrap_or_default();
            (format!("@possible preset=P4{within}"), format!("sequent check FILE {SETTINGS}"))
        }
    };
    let asks_diagram = matches!(instance.asked, EnsembleQuestion::Scenario(_));
    let mut page = String::new();
    let diagrams = titled(&model, notation);
    let last = diagrams.len().saturating_sub(1);
    for (number, (name, text)) in diagrams.into_iter().enumerate() {
        let mut comments = if number == 0 { vec![note.to_owned(), usage.clone()] } else { Vec::new() };
        // The sequence diagram is the last; what is asked of the machines stands in the first.
        if number == if asks_diagram { last } else { 0 } {
            comments.push(question.clone());
        }
        let text = commented(&text, notation, &comments);
        match notation {
            GeneratedNotation::Plantuml => page += &format!("{text}\n"),
            GeneratedNotation::Mermaid => page += &format!("## {name}\n\n```mermaid\n{text}```\n\n"),
        }
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// Diagrams with their names: machines, then sequence diagrams.
fn titled(model: &Model, notation: GeneratedNotation) -> Vec<(String, String)> {
    let machines = model.machines.iter().map(|machine| {
        let text = match notation {
            GeneratedNotation::Plantuml => plantuml::print::state(machine),
            GeneratedNotation::Mermaid => mermaid::print::state(machine),
        };
        (machine.name.clone(), text)
    });
    let interactions = model.interactions.iter().map(|interaction| {
        let text = match notation {
            GeneratedNotation::Plantuml => plantuml::print::sequence(interaction),
            GeneratedNotation::Mermaid => mermaid::print::sequence(interaction),
        };
        (interaction.name.clone(), text)
    });
    machines.chain(interactions).collect()
}

/// PlantUML has all machines in one file; Mermaid has one diagram per file, named after it.
fn diagrams(model: &Model, notation: GeneratedNotation) -> Vec<(String, String)> {
    let all = titled(model, notation);
    if notation == GeneratedNotation::Mermaid {
        return all.into_iter().map(|(name, text)| (format!("{name}.mmd"), text)).collect();
    }
    let count = model.machines.len();
    let joined = |all: &[(String, String)]| {
        let texts: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
        texts.join("\n")
    };
    let mut files = vec![("machines.puml".to_owned(), joined(&all[..count]))];
    if all.len() > count {
        files.push(("scenario.puml".to_owned(), joined(&all[count..])));
    }
    files
}

/// Comments below the first line of a diagram.
fn commented(text: &str, notation: GeneratedNotation, comments: &[String]) -> String {
    let sign = match notation {
        GeneratedNotation::Plantuml => "'",
        GeneratedNotation::Mermaid => "%%",
    };
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let lines: String = comments.iter().map(|comment| format!("{sign} {comment}\n")).collect();
    format!("{first}\n{lines}{rest}")
}

fn settings(instance: &EnsembleInstance, note: &str, allowed: &[Code]) -> String {
    let mut text = String::new();
    let objects: Vec<String> = instance
        .ensemble
        .players
        .iter()
        .map(|player| format!("{} = \"{}\"", player.name, instance.ensemble.machines[player.machine].name))
        .collect();
    let _ = writeln!(
        text,
        "# {note}\n[system]\ncommunication = \"rendezvous\"\nsteps = \"intermediate\"\nclosed = true"
    );
    let _ = writeln!(text, "objects = {{ {} }}", objects.join(", "));
    if !allowed.is_empty() {
        let codes: Vec<String> = allowed.iter().map(|code| format!("\"{}\"", code.name())).collect();
        let _ = writeln!(text, "\n[lint]\nallow = [{}]", codes.join(", "));
    }
    let _ = writeln!(text, "\n[[check]]");
    match &instance.asked {
        EnsembleQuestion::Goal(goal) => {
            let _ = writeln!(text, "reachable = \"{}\"", instance.ensemble.goal_text(goal));
        }
        EnsembleQuestion::Scenario(diagram) => {
            let _ = writeln!(text, "possible = \"{}\"\npreset = \"P4\"", diagram.name);
        }
    }
    if let Some(within) = instance.within {
        let _ = writeln!(text, "within = {within}");
    }
    text
}
