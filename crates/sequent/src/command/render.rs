//! `sequent render`: draws diagrams, or prints them in another notation.

use std::path::{Path, PathBuf};

use sequent_kernel::diagnostic::nearest;
use sequent_kernel::model::{Interaction, Machine, Model};
use sequent_notation::{mermaid, plantuml};
use sequent_report::draw;

use crate::cli::{self, Common, Target, Theme};
use crate::output;

pub fn run(options: &cli::Render, common: &Common) -> Result<u8, String> {
    let session = super::read(&options.input.paths, common)?;
    let has_errors = session.complain_of_errors();
    let target = options.to.or_else(|| by_ending(options.output.as_deref())).unwrap_or(Target::Text);
    let chosen = choose(&session.reading.model, options.diagram.as_deref(), target)?;
    let width = options.width.unwrap_or(session.look.width);
    let mut results = Vec::new();
    for diagram in chosen {
        results.push((diagram.name().to_owned(), make(diagram, target, options, width)?));
    }
    deliver(results, target, options.output.as_deref())?;
    Ok(u8::from(has_errors))
}

/// Something that can be rendered.
#[derive(Clone, Copy)]
enum Diagram<'a> {
    Interaction(&'a Interaction),
    Machine(&'a Machine),
    /// Everything about classes and objects.
    Classes(&'a Model),
}

impl Diagram<'_> {
    fn name(&self) -> &str {
        match self {
            Diagram::Interaction(interaction) => &interaction.name,
            Diagram::Machine(machine) => &machine.name,
            Diagram::Classes(_) => "classes",
        }
    }
}

/// A text drawing that fits the width.
pub fn drawing(interaction: &Interaction, width: usize) -> String {
    draw::text(interaction, &draw::TextStyle { width, ..draw::TextStyle::default() })
}

fn by_ending(output: Option<&Path>) -> Option<Target> {
    match output?.extension()?.to_str()? {
        "svg" => Some(Target::Svg),
        "png" => Some(Target::Png),
        "txt" => Some(Target::Text),
        "mmd" | "mermaid" => Some(Target::Mermaid),
        "puml" | "plantuml" => Some(Target::Plantuml),
        _ => None,
    }
}

fn ending(target: Target) -> &'static str {
    match target {
        Target::Svg => "svg",
        Target::Png => "png",
        Target::Text => "txt",
        Target::Mermaid => "mmd",
        Target::Plantuml => "puml",
    }
}

/// The diagrams that were asked for and that the target can show.
fn choose<'a>(model: &'a Model, name: Option<&str>, target: Target) -> Result<Vec<Diagram<'a>>, String> {
    let is_text = matches!(target, Target::Mermaid | Target::Plantuml);
    let mut all: Vec<Diagram> = model.interactions.iter().map(Diagram::Interaction).collect();
    if is_text {
        all.extend(model.machines.iter().map(Diagram::Machine));
        if !model.classes.is_empty() || !model.objects.is_empty() {
            all.push(Diagram::Classes(model));
        }
    }
    let Some(name) = name else {
        return if all.is_empty() { Err(nothing(model)) } else { Ok(all) };
    };
    let chosen: Vec<Diagram> = all.iter().copied().filter(|diagram| diagram.name() == name).collect();
    if chosen.is_empty() {
        let near = nearest(name, all.iter().map(|diagram| diagram.name()));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(format!("no diagram is called `{name}`{hint}"));
    }
    Ok(chosen)
}

fn nothing(model: &Model) -> String {
    let what = if model.machines.is_empty() { "no diagram" } else { "no sequence diagram" };
    format!("there is {what} to render")
}

fn make(diagram: Diagram, target: Target, options: &cli::Render, width: usize) -> Result<Vec<u8>, String> {
    let style = draw::Style {
        theme: match options.theme {
            Theme::Light => draw::Theme::Light,
            Theme::Dark => draw::Theme::Dark,
        },
        ..draw::Style::default()
    };
    let text = match (target, diagram) {
        (Target::Text, Diagram::Interaction(interaction)) => drawing(interaction, width),
        (Target::Svg, Diagram::Interaction(interaction)) => draw::svg(interaction, &style),
        (Target::Png, Diagram::Interaction(interaction)) => {
            return draw::png(&draw::svg(interaction, &style), options.scale)
                .map_err(|error| error.to_string());
        }
        (Target::Text | Target::Svg | Target::Png, Diagram::Machine(_) | Diagram::Classes(_)) => {
            return Err("only sequence diagrams are drawn".to_owned());
        }
        (Target::Mermaid, Diagram::Interaction(interaction)) => mermaid::print::sequence(interaction),
        (Target::Mermaid, Diagram::Machine(machine)) => mermaid::print::state(machine),
        (Target::Mermaid, Diagram::Classes(model)) => mermaid::print::class(model),
        (Target::Plantuml, Diagram::Interaction(interaction)) => plantuml::print::sequence(interaction),
        (Target::Plantuml, Diagram::Machine(machine)) => plantuml::print::state(machine),
        (Target::Plantuml, Diagram::Classes(model)) => plantuml::print::class(model),
    };
    Ok(text.into_bytes())
}

fn deliver(results: Vec<(String, Vec<u8>)>, target: Target, output: Option<&Path>) -> Result<(), String> {
    match (output, results.as_slice()) {
        (None, [(_, bytes)]) => output::print_bytes(bytes),
        (None, several) if matches!(target, Target::Svg | Target::Png) => {
            let hint = "name one with --diagram, or a directory with -o";
            return Err(format!("there are {} diagrams: {hint}", several.len()));
        }
        (None, several) => {
            for (index, (_, bytes)) in several.iter().enumerate() {
                if index > 0 {
                    output::print("\n");
                }
                output::print_bytes(bytes);
            }
        }
        (Some(file), [(_, bytes)]) if !file.is_dir() && file.extension().is_some() => {
            output::write(file, bytes)?
        }
        (Some(folder), several) => {
            if folder.is_file() || by_ending(Some(folder)).is_some() {
                return Err(format!("there are {} diagrams: -o must name a directory", several.len()));
            }
            for (name, bytes) in several {
                output::write(&unused(folder, name, target), bytes)?;
            }
        }
    }
    Ok(())
}

/// A file in the folder named after the diagram.
fn unused(folder: &Path, name: &str, target: Target) -> PathBuf {
    let safe: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_() ".contains(c) { c } else { '_' }).collect();
    folder.join(format!("{}.{}", safe.trim(), ending(target)))
}
