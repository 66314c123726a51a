//! `sequent render`: its options, and how pictures of runs are asked for.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{BoundArguments, InputArguments};

/// Draw diagrams, or print them in another notation.
///
/// Without `-o` the result goes to standard output. With `-o` a single diagram is written to that file; several are
/// written into that directory, one file each. SVG and PNG files carry the text of their diagram; every command reads it
/// again from them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent render pay.puml                        in the terminal
  sequent render pay.puml -o pay.svg             as SVG (the ending decides)
  sequent render docs/ --to png -o pictures/     every diagram as PNG
  sequent render pay.puml --to mermaid           the same diagram as Mermaid text
  sequent render docs/ --in-place                an SVG beside each file for each of its diagrams
  sequent render docs/ --in-place --check        whether these are up to date, for CI
  sequent render pay.svg --to plantuml           the diagram that a picture carries
  sequent render door.puml --extended            a state between trigger and effects")]
pub(crate) struct Render {
    #[command(flatten)]
    pub input: InputArguments,

    /// What to make; default: what the ending of `-o` says, else text.
    #[arg(long, value_enum)]
    pub to: Option<RenderTarget>,

    /// File, or directory for several diagrams.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Only the diagram of this name.
    #[arg(long, visible_alias = "interaction", value_name = "NAME")]
    pub diagram: Option<String>,

    /// Draw state machines with a state between the trigger and the effects of each transition, as `communication = "rendezvous"` runs them
    /// (docs/papers.md).
    #[arg(long, conflicts_with = "in_place")]
    pub extended: bool,

    /// Colours of the drawing.
    #[arg(long, value_enum, default_value = "light")]
    pub theme: ThemeArgument,

    /// Keep the heads of lifelines in view while a browser scrolls the SVG: adds a script that moves them.
    #[arg(long, conflicts_with = "in_place")]
    pub moving_heads: bool,

    /// Columns of a text drawing; default: as wide as the terminal.
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,

    /// Pixels per unit of a PNG.
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
    pub scale: f32,

    /// An SVG beside each file for each of its sequence diagrams and state machines, as `pay-NAME.svg` beside `pay.md`.
    #[arg(long, conflicts_with_all = ["to", "output", "diagram", "width"])]
    pub in_place: bool,

    /// With `--in-place`: write nothing, and fail where a picture is missing, out of date or left over.
    #[arg(long, requires = "in_place")]
    pub check: bool,

    #[command(flatten)]
    pub bounds: BoundArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RenderTarget {
    Svg,
    Png,
    Text,
    Mermaid,
    Plantuml,
    /// All of it as one UML model
    Xmi,
}

/// What a run is shown as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureArgument {
    Svg,
    Png,
    Text,
    Mermaid,
    Plantuml,
    /// Step by step, with the states of the objects.
    Table,
    /// The same in Markdown.
    Markdown,
    /// The same as JSON in Apalache's trace format, for trace viewers.
    Itf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeArgument {
    Light,
    Dark,
}
