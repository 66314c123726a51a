//! A run as a picture, in any form: drawn, printed as a diagram, or as a table.

use std::path::Path;

use sequent_kernel::model::{Interaction, Machine};
use sequent_kernel::verdict::Story;
use sequent_notation::{mermaid, picture, plantuml};
use sequent_report::draw::Highlight;
use sequent_report::run::{self, Drawn};
use sequent_report::{draw, export, table};

use super::render::WORDING;
use crate::cli::Picture;
use crate::fonts;

/// Pixels per unit of a PNG.
const SCALE: f32 = 2.0;

/// A run in any form, with its marks as the form can show them.
pub fn make(story: &Story, picture: Picture, width: usize) -> Result<Vec<u8>, String> {
    let style = || draw::Style { marked: story.marked.clone(), ..draw::Style::default() };
    let text = match picture {
        Picture::Text => {
            let style = draw::TextStyle { width, marked: story.marked.clone(), ..draw::TextStyle::default() };
            draw::text(&story.drawing, &style)
        }
        Picture::Svg => origin(plantuml(story)).add_to_svg(draw::svg(&story.drawing, &style())),
        Picture::Png => {
            let svg = draw::svg(&story.drawing, &style());
            let png = fonts::png(&svg, SCALE)?;
            return Ok(origin(plantuml(story)).add_to_png(png));
        }
        Picture::Mermaid => mermaid(story),
        Picture::Plantuml => plantuml(story),
        Picture::Table => table::text(&story.log, width),
        Picture::Markdown => table::markdown(&story.log),
        Picture::Itf => format!("{:#}\n", export::itf(&story.log)),
    };
    Ok(text.into_bytes())
}

/// A run as a Mermaid diagram.
pub fn mermaid(story: &Story) -> String {
    mermaid::print::sequence(&run::framed(&drawn(story)))
}

fn drawn(story: &Story) -> Drawn {
    let Story { drawing, marked, moments, .. } = story.clone();
    Drawn { interaction: drawing, marked, moments }
}

/// A run as PlantUML, which its pictures carry.
fn plantuml(story: &Story) -> String {
    plantuml::print::sequence(&run::coloured(&drawn(story)))
}

fn origin(text: String) -> draw::Origin {
    draw::Origin { mark: picture::MARK, file: String::new(), text }
}

/// A diagram that is no run.
pub fn plain(interaction: &Interaction, picture: Picture) -> Result<Vec<u8>, String> {
    let svg = || draw::svg(interaction, &draw::Style::default());
    Ok(match picture {
        Picture::Text => draw::text(interaction, &draw::TextStyle::default()).into_bytes(),
        Picture::Svg => svg().into_bytes(),
        Picture::Png => return fonts::png(&svg(), SCALE),
        Picture::Mermaid => mermaid::print::sequence(interaction).into_bytes(),
        Picture::Plantuml => plantuml::print::sequence(interaction).into_bytes(),
        Picture::Table | Picture::Markdown | Picture::Itf => {
            return Err("there is no table of this".to_owned());
        }
    })
}

/// A state machine with some of it marked.
pub fn machine(machine: &Machine, marks: &Highlight, picture: Picture) -> Result<Vec<u8>, String> {
    let svg = || draw::machine_svg(machine, &WORDING, &draw::Style::default(), marks);
    Ok(match picture {
        Picture::Text => {
            draw::machine_text(machine, &WORDING, &draw::TextStyle::default(), marks).into_bytes()
        }
        Picture::Svg => svg().into_bytes(),
        Picture::Png => return fonts::png(&svg(), SCALE),
        Picture::Mermaid => mermaid::print::state(machine).into_bytes(),
        Picture::Plantuml => plantuml::print::state(machine).into_bytes(),
        Picture::Table | Picture::Markdown | Picture::Itf => {
            return Err("there is no table of this".to_owned());
        }
    })
}

/// What to make: what was asked for, else what the ending of the output says, else a drawing as text.
pub fn picture(to: Option<Picture>, output: Option<&Path>) -> Result<Picture, String> {
    let ending = output.filter(|path| !path.is_dir()).and_then(Path::extension);
    let Some(ending) = ending.filter(|_| to.is_none()) else { return Ok(to.unwrap_or(Picture::Text)) };
    let ending = ending.to_string_lossy();
    Ok(match ending.as_ref() {
        "svg" => Picture::Svg,
        "png" => Picture::Png,
        "txt" => Picture::Text,
        "mmd" | "mermaid" => Picture::Mermaid,
        "puml" | "plantuml" => Picture::Plantuml,
        "md" | "markdown" => Picture::Markdown,
        "json" => Picture::Itf,
        _ => {
            let known = ".svg, .png, .txt, .mmd, .puml, .md or .itf.json";
            return Err(format!("`.{ending}` is not a file ending for drawings: use {known}, or say --to"));
        }
    })
}

/// The ending of a file that holds what is made.
pub fn ending(picture: Picture) -> &'static str {
    match picture {
        Picture::Svg => "svg",
        Picture::Png => "png",
        Picture::Text | Picture::Table => "txt",
        Picture::Mermaid => "mmd",
        Picture::Plantuml => "puml",
        Picture::Markdown => "md",
        Picture::Itf => "itf.json",
    }
}
