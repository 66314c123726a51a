//! A run as a picture, in any form: drawn, printed as a diagram, or as a table.

use std::path::Path;

use sequent_kernel::model::{Interaction, Machine};
use sequent_kernel::verdict::Story;
use sequent_notation::{mermaid, picture, plantuml};
use sequent_report::draw::Highlight;
use sequent_report::run;
use sequent_report::{draw, escape, export, table};

use super::render::WORDING;
use crate::cli::PictureArgument;
use crate::fonts;

/// Pixels per unit of a PNG.
const SCALE: f32 = 2.0;

/// A run in any form, with its marks as the form can show them.
pub(crate) fn make(story: &Story, picture: PictureArgument, width: usize) -> Result<Vec<u8>, String> {
    let style = || draw::Style { marked: story.marked.clone(), ..draw::Style::default() };
    let text = match picture {
        PictureArgument::Text => {
            let style = draw::TextStyle { width, marked: story.marked.clone(), ..draw::TextStyle::default() };
            draw::text(&story.drawing, &style)
        }
        PictureArgument::Svg => origin(plantuml(story)).add_to_svg(draw::svg(&story.drawing, &style())),
        PictureArgument::Png => {
            let svg = draw::svg(&story.drawing, &style());
            let png = fonts::png(&svg, SCALE)?;
            return Ok(origin(plantuml(story)).add_to_png(png));
        }
        PictureArgument::Mermaid => mermaid(story),
        PictureArgument::Plantuml => plantuml(story),
        PictureArgument::Table => table::text(&story.log, width),
        PictureArgument::Markdown => table::markdown(&story.log),
        PictureArgument::Itf => escape::json(&export::itf(&story.log)),
    };
    Ok(text.into_bytes())
}

/// A run as a Mermaid diagram.
pub(crate) fn mermaid(story: &Story) -> String {
    mermaid::print::sequence(&run::framed(&story.drawing, &story.marked))
}

/// A run as PlantUML, which its pictures carry.
fn plantuml(story: &Story) -> String {
    plantuml::print::sequence(&run::coloured(&story.drawing, &story.marked))
}

fn origin(text: String) -> draw::PictureOrigin {
    draw::PictureOrigin { mark: picture::MARK, file: String::new(), text }
}

/// A diagram that is no run.
pub(crate) fn plain(interaction: &Interaction, picture: PictureArgument) -> Result<Vec<u8>, String> {
    let svg = || draw::svg(interaction, &draw::Style::default());
    Ok(match picture {
        PictureArgument::Text => draw::text(interaction, &draw::TextStyle::default()).into_bytes(),
        PictureArgument::Svg => svg().into_bytes(),
        PictureArgument::Png => return fonts::png(&svg(), SCALE),
        PictureArgument::Mermaid => mermaid::print::sequence(interaction).into_bytes(),
        PictureArgument::Plantuml => plantuml::print::sequence(interaction).into_bytes(),
        PictureArgument::Table | PictureArgument::Markdown | PictureArgument::Itf => {
            return Err("there is no table of this".to_owned());
        }
    })
}

/// A state machine with some of it marked.
pub(crate) fn machine(
    machine: &Machine,
    marks: &Highlight,
    picture: PictureArgument,
) -> Result<Vec<u8>, String> {
    let svg = || draw::machine_svg(machine, &WORDING, &draw::Style::default(), marks);
    Ok(match picture {
        PictureArgument::Text => {
            draw::machine_text(machine, &WORDING, &draw::TextStyle::default(), marks).into_bytes()
        }
        PictureArgument::Svg => svg().into_bytes(),
        PictureArgument::Png => return fonts::png(&svg(), SCALE),
        PictureArgument::Mermaid => mermaid::print::state(machine).into_bytes(),
        PictureArgument::Plantuml => plantuml::print::state(machine).into_bytes(),
        PictureArgument::Table | PictureArgument::Markdown | PictureArgument::Itf => {
            return Err("there is no table of this".to_owned());
        }
    })
}

/// What to make: what was asked for, else what the ending of the output says, else a drawing as text.
pub(crate) fn picture(to: Option<PictureArgument>, output: Option<&Path>) -> Result<PictureArgument, String> {
    let ending = output.filter(|path| !path.is_dir()).and_then(Path::extension);
    let Some(ending) = ending.filter(|_| to.is_none()) else {
        return Ok(to.unwrap_or(PictureArgument::Text));
    };
    let ending = ending.to_string_lossy();
    Ok(match ending.as_ref() {
        "svg" => PictureArgument::Svg,
        "png" => PictureArgument::Png,
        "txt" => PictureArgument::Text,
        "mmd" | "mermaid" => PictureArgument::Mermaid,
        "puml" | "plantuml" => PictureArgument::Plantuml,
        "md" | "markdown" => PictureArgument::Markdown,
        "json" => PictureArgument::Itf,
        _ => {
            let known = ".svg, .png, .txt, .mmd, .puml, .md or .itf.json";
            return Err(format!("`.{ending}` is not a file ending for drawings: use {known}, or say --to"));
        }
    })
}

/// The ending of a file that holds what is made.
pub(crate) fn ending(picture: PictureArgument) -> &'static str {
    match picture {
        PictureArgument::Svg => "svg",
        PictureArgument::Png => "png",
        PictureArgument::Text | PictureArgument::Table => "txt",
        PictureArgument::Mermaid => "mmd",
        PictureArgument::Plantuml => "puml",
        PictureArgument::Markdown => "md",
        PictureArgument::Itf => "itf.json",
    }
}
