//! Notations: from PlantUML, Mermaid and XMI to the kernel's model, and back.
//!
//! Reading is two steps. A reader (one per notation: [`plantuml`], [`mermaid`], with [`markdown`], `asciidoc` and `rst` finding the blocks)
//! turns text into the statements of [`tree`], which are the same for both notations; [`resolve`] turns the statements
//! of all files into one [`Model`](sequent_kernel::model::Model). Neither step fails: each returns a value and diagnostics.
//!
//! UML models ([`xmi`]) become a model without statements, which [`resolve`] joins to the others.
//!
//! The crate does no I/O: a [`Loader`] reads what an `!include` names.

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used))]

mod asciidoc;
mod embedded;
pub mod expression;
pub mod formula;
mod keywords;
pub mod label;
pub mod line;
pub mod markdown;
pub mod mermaid;
pub mod picture;
pub mod plantuml;
pub mod resolve;
mod rst;
pub mod tree;
pub mod xmi;

use std::fmt;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::source::{FileId, Source, Sources};

use crate::tree::Document;

/// Finds the files that diagrams include.
pub trait Loader {
    /// Adds the file that `path` names, as written in the file `from`, to `sources`.
    fn load(&mut self, sources: &mut Sources, from: FileId, path: &str) -> Result<FileId, Refusal>;
}

/// Why a file is not read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Refusal {
    /// There is none.
    Missing,
    /// Its real path does not lie in the folder or repository that is checked.
    Outside,
    /// It is a folder, a device or a pipe.
    NotRegular,
    /// It is longer than any such file should be.
    TooLarge,
    /// It is not UTF-8.
    NotText,
    /// The system does not let it be read, in the system's words.
    Unreadable(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str(match self {
            Refusal::Missing => "no such file",
            Refusal::Outside => "it lies outside the checked folder or repository",
            Refusal::NotRegular => "it is not a regular file",
            Refusal::TooLarge => "it is too large",
            Refusal::NotText => "it is not UTF-8 text",
            Refusal::Unreadable(problem) => problem,
        })
    }
}

/// A loader that finds nothing.
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&mut self, _: &mut Sources, _: FileId, _: &str) -> Result<FileId, Refusal> {
        Err(Refusal::Missing)
    }
}

/// What every reader works with.
pub struct Context<'a> {
    /// All files; readers may add included ones.
    pub sources: &'a mut Sources,
    /// Finds included files.
    pub loader: &'a mut dyn Loader,
    /// Findings so far.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// Steps that the preprocessor may still take in everything that is read in this context.
    steps_left: usize,
}

/// Steps that the preprocessor may take in any context, and how many more for each byte that is read: in all files together it does not work
/// much longer than the files are long, whatever loops and includes they hold.
const STEPS: usize = 1_000_000;
const STEPS_PER_BYTE: usize = 4;

impl<'a> Context<'a> {
    /// A context in which nothing has been read yet.
    pub fn new(
        sources: &'a mut Sources,
        loader: &'a mut dyn Loader,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Context { sources, loader, diagnostics, steps_left: STEPS }
    }

    /// The same where no file includes another.
    pub fn without_files(sources: &'a mut Sources, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        // A value without content takes no memory.
        Context::new(sources, Box::leak(Box::new(NoFiles)), diagnostics)
    }
}

/// Reads a file, by its ending or, where that says nothing, by its content.
pub fn read(file: FileId, context: &mut Context) -> Document {
    context.steps_left += STEPS_PER_BYTE * context.sources.get(file).text.len();
    let blocks = match format(context.sources.get(file)) {
        FileFormat::Xmi => {
            let contents = xmi::read_file(file, context);
            let model = contents.is_model.then(|| Box::new(contents.model));
            return Document { file, blocks: Vec::new(), model };
        }
        FileFormat::Markdown => markdown::read_file(file, context),
        FileFormat::AsciiDoc => asciidoc::read_file(file, context),
        FileFormat::Rst => rst::read_file(file, context),
        FileFormat::PlantUml => plantuml::read_file(file, context),
        FileFormat::Mermaid => mermaid::read_file(file, context),
    };
    Document::new(file, blocks)
}

/// What kind of file it is.
enum FileFormat {
    Markdown,
    AsciiDoc,
    Rst,
    PlantUml,
    Mermaid,
    Xmi,
}

fn format(source: &Source) -> FileFormat {
    let ending = source.name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("md" | "markdown" | "mdx" | "qmd" | "rmd") => FileFormat::Markdown,
        Some("adoc" | "asciidoc" | "asc") => FileFormat::AsciiDoc,
        Some("rst") => FileFormat::Rst,
        Some("puml" | "plantuml" | "pu" | "iuml" | "wsd") => FileFormat::PlantUml,
        Some("mmd" | "mermaid") => FileFormat::Mermaid,
        // PlantUML texts are called `.uml` too.
        Some("uml") if xmi::is_plain_text(&source.text) => sniff(&source.text),
        _ if xmi::has_ending(&source.name) => FileFormat::Xmi,
        _ => sniff(&source.text),
    }
}

/// AsciiDoc and reStructuredText have blocks that say what they hold, Markdown has fences; PlantUML says so; a Mermaid text starts
/// with its diagram's keyword.
fn sniff(text: &str) -> FileFormat {
    let lines = || text.lines().map(str::trim_start);
    if text.lines().any(asciidoc::is_style) {
        return FileFormat::AsciiDoc;
    }
    if lines().any(rst::is_directive) {
        return FileFormat::Rst;
    }
    if lines().any(|line| line.starts_with("```") || line.starts_with("~~~") || line.starts_with(":::")) {
        return FileFormat::Markdown;
    }
    let mut rest = text.trim_start_matches('\u{feff}');
    if let Some((_, after)) = rest.strip_prefix("---").and_then(|inside| inside.split_once("\n---")) {
        rest = after.split_once('\n').map_or("", |(_, after)| after);
    }
    let mut said =
        rest.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("%%"));
    match said.next().and_then(mermaid::kind::detect) {
        Some(_) => FileFormat::Mermaid,
        None => FileFormat::PlantUml,
    }
}
