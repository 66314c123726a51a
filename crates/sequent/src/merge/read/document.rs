//! Reads a text with the readers of the notations.

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::Model;
use sequent_kernel::source::Sources;
use sequent_notation::tree::Document;
use sequent_notation::{Context, Loader, resolve};

use super::piece::{self, Piece};

/// Cuts a text, given without the end of its last line, into pieces.
pub fn pieces(name: &str, text: &str, loader: &mut dyn Loader) -> Vec<Piece> {
    let (sources, document, _) = read(name, text, loader);
    piece::cut(&document, &sources)
}

/// Returns the model of a text, given without the end of its last line, and all diagnostics about it.
pub(in crate::merge) fn read_model(
    name: &str,
    text: &str,
    loader: &mut dyn Loader,
) -> (Model, Vec<Diagnostic>) {
    let (sources, document, mut diagnostics) = read(name, text, loader);
    let (model, problems) = resolve::resolve(&[document], &sources);
    diagnostics.extend(problems);
    (model, diagnostics)
}

fn read(name: &str, text: &str, loader: &mut dyn Loader) -> (Sources, Document, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add(name, format!("{text}\n"));
    let mut diagnostics = Vec::new();
    let mut context = Context::new(&mut sources, loader, &mut diagnostics);
    let document = sequent_notation::read(file, &mut context);
    (sources, document, diagnostics)
}
