//! `sequent diff`: the changes between two versions of a file, as text and drawn.

use sequent::merge::diff::{Change, PieceFate, changes, element_changes, machines, picture};
use sequent::merge::{decode, pieces};
use sequent_kernel::model::{Interaction, Machine};
use sequent_notation::xmi;
use sequent_report::draw::{self, Highlight};
use serde_json::{Value, json};

use super::render::WORDING;
use crate::cli::{self, Common, FormatArgument, PictureArgument};
use crate::files::{self, IncludedFiles};
use crate::output;
use crate::roots::Roots;

/// The exit code where something changed, as `diff` has it.
const DIFFERENT: u8 = 1;

pub(crate) fn run(options: &cli::Diff, common: &Common) -> Result<u8, String> {
    let name = &files::display(options.path.as_ref().unwrap_or(&options.new));
    let roots = Roots::new(std::slice::from_ref(name), &common.include_root)?;
    let loader = || IncludedFiles(roots.clone());
    let (old, new) = (files::bytes(&options.old)?, files::bytes(&options.new)?);
    let models = models(name, &old, &new);
    let cut = |bytes: &[u8]| match bytes.is_empty() || models.is_some() {
        true => Vec::new(),
        false => pieces(name, &decode(bytes, std::str::from_utf8(bytes).is_ok()).0, &mut loader()),
    };
    let (old, new) = (cut(&old), cut(&new));
    let changes = match &models {
        Some(models) => models.changes.clone(),
        None => changes(&old, &new),
    };
    match options.format {
        FormatArgument::Json => {
            let all: Vec<Value> = changes.iter().map(to_json).collect();
            output::print_json(&json!({ "changes": all }));
        }
        FormatArgument::Text => {
            let file =
                options.path.as_ref().map(|path| format!("{}:", files::display(path))).unwrap_or_default();
            let told = changes.iter().map(|change| format!("{file}{}: {}\n", change.line, change.words()));
            output::print(&told.collect::<String>());
        }
    }
    if options.draw || options.output.is_some() {
        let printed = models.as_ref().map(|models| picture::printed(name, &models.texts, &mut loader()));
        let (name, old, new) = match &printed {
            Some([old, new]) => (picture::PRINTED, old, new),
            None => (name.as_str(), &old, &new),
        };
        let sequences =
            picture::both(name, old, new, &mut loader()).into_iter().map(ChangedDiagram::Sequence);
        let machines = machines::both(name, old, new, &mut loader()).into_iter();
        let machines = machines.map(|(machine, marks)| ChangedDiagram::Machine(Box::new(machine), marks));
        draw_all(options, &sequences.chain(machines).collect::<Vec<_>>())?;
    }
    Ok(if changes.is_empty() { 0 } else { DIFFERENT })
}

/// Two versions of a UML model, and what changed.
struct Models {
    texts: [String; 2],
    changes: Vec<Change>,
}

/// The versions of a UML model; `None` if they are none.
fn models(name: &str, old: &[u8], new: &[u8]) -> Option<Models> {
    if !xmi::has_ending(name) {
        return None;
    }
    let [old, new] = [old, new].map(|bytes| xmi::decode(bytes).ok().map(|decoded| decoded.text));
    let texts = [old?, new?];
    let changes = element_changes(name, &texts[0], &texts[1])?;
    Some(Models { texts, changes })
}

/// A diagram in which something changed.
enum ChangedDiagram {
    Sequence(Interaction),
    Machine(Box<Machine>, Highlight),
}

impl ChangedDiagram {
    fn text(&self) -> String {
        let style = draw::TextStyle { width: output::width(), ..draw::TextStyle::default() };
        match self {
            ChangedDiagram::Sequence(interaction) => draw::text(interaction, &style),
            ChangedDiagram::Machine(machine, marks) => draw::machine_text(machine, &WORDING, &style, marks),
        }
    }

    fn bytes(&self, picture: PictureArgument) -> Result<Vec<u8>, String> {
        match self {
            ChangedDiagram::Sequence(interaction) => super::picture::plain(interaction, picture),
            ChangedDiagram::Machine(machine, marks) => super::picture::machine(machine, marks, picture),
        }
    }
}

/// Draws the diagrams in which something changed: to the terminal, or to a file each.
fn draw_all(options: &cli::Diff, drawings: &[ChangedDiagram]) -> Result<(), String> {
    for (number, drawing) in drawings.iter().enumerate() {
        let Some(path) = &options.output else {
            output::print(&format!("\n{}", drawing.text()));
            continue;
        };
        let bytes = drawing.bytes(super::picture::picture(None, Some(path))?)?;
        let file = match drawings.len() {
            1 => path.clone(),
            _ => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let ending = path.extension().unwrap_or_default().to_string_lossy();
                path.with_file_name(format!("{stem}-{}.{ending}", number + 1))
            }
        };
        output::write(&file, &bytes)?;
        if drawings.len() > 1 {
            output::complain(&format!("`{}` is written", file.display()));
        }
    }
    Ok(())
}

fn to_json(change: &Change) -> Value {
    let (fate, before) = match &change.fate {
        PieceFate::Added => ("added", None),
        PieceFate::Deleted => ("deleted", None),
        PieceFate::Edited(before) => ("changed", Some(before)),
        PieceFate::Moved => ("moved", None),
        PieceFate::Drawn(_) => ("drawn around", None),
        PieceFate::Taken(_) => ("taken away", None),
        PieceFate::Renamed(before) => ("renamed", Some(before)),
    };
    json!({ "change": fate, "line": change.line, "text": change.text, "before": before, "words": change.words() })
}
