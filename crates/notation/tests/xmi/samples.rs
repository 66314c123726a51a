//! The UML models of the corpus, and how they are read.

use std::path::{Path, PathBuf};

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::{Interaction, Model};
use sequent_kernel::source::{FileId, Place, Sources};
use sequent_notation::{Context, Loader, Refusal, xmi};

/// What was read of a file.
pub(crate) struct Sample {
    pub file: FileId,
    pub sources: Sources,
    pub model: Model,
    pub refused: Vec<Interaction>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file of the corpus.
pub(crate) fn read(path: &Path) -> Sample {
    read_bytes(path, &std::fs::read(path).expect("readable model"))
}

/// Reads bytes under the name of a file.
pub(crate) fn read_bytes(path: &Path, bytes: &[u8]) -> Sample {
    let mut sources = Sources::new();
    let text = xmi::decode(bytes).map(|decoded| decoded.text).unwrap_or_default();
    let file = sources.add(path.file_name().unwrap_or_default().to_string_lossy(), text);
    let mut diagnostics = Vec::new();
    let mut loader = Beside(path.parent().unwrap_or(Path::new("")).to_owned());
    let mut context = Context::new(&mut sources, &mut loader, &mut diagnostics);
    let contents = xmi::read_file(file, &mut context);
    Sample { file, sources, model: contents.model, refused: contents.refused, diagnostics }
}

impl Sample {
    /// The `xmi:id` of the element at a place.
    pub(crate) fn id(&self, place: Place) -> Option<String> {
        let text = &self.sources.get(place.0.file).text[place.0.start as usize..];
        let tag = &text[..text.find('>').unwrap_or(text.len())];
        let (_, after) = tag.split_once("xmi:id=")?;
        let quote = after.chars().next()?;
        after[1..].split(quote).next().map(str::to_owned)
    }
}

/// Finds the files beside one.
struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, sources: &mut Sources, _: FileId, path: &str) -> Result<FileId, Refusal> {
        let text = std::fs::read_to_string(self.0.join(path)).map_err(|_| Refusal::Missing)?;
        Ok(sources.add(path, text))
    }
}
