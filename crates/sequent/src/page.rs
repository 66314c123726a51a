//! Pages: what each file says by itself, kept for the next reading.
//!
//! Most of what is known about a file follows from its own text: its statements, what is wrong with them, the model of its diagrams as
//! long as no other file adds to it, the names it defines and mentions. A server reads the same folder after every keystroke; of a
//! thousand files one has changed then, and only that one is looked at again. A page is true as long as its text and everything
//! it includes are the same, which is asked anew each time.

mod names;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::lint;
use sequent_kernel::meter;
use sequent_kernel::model::Model;
use sequent_kernel::source::{FileId, Sources};
use sequent_notation::tree::Document;
use sequent_notation::{Context, Loader, Refusal, resolve};

use crate::suppression::{self, Suppression};
pub(crate) use names::elements;
pub(crate) use names::{FileNames, ScopedName};

/// What one file says by itself.
pub struct Page {
    /// Its statements.
    pub document: Arc<Document>,
    /// Its model; where classes are drawn, other files may add to it.
    pub model: Model,
    /// What is wrong with its text.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What [`resolve::join`] makes use of.
    pub(crate) alone: Option<resolve::SingleDocument>,
    /// What is wrong with its diagrams, once that was asked for.
    lint: OnceLock<lint::SingleFindings>,
    /// Comments that leave findings out.
    pub(crate) suppressions: Vec<Suppression>,
    /// The names that it defines and mentions.
    pub(crate) names: Arc<FileNames>,
    /// The text of the file.
    text: Arc<str>,
    /// What it includes, in the order in which that was asked for.
    included: Vec<IncludedFile>,
}

/// A file that was to be included.
struct IncludedFile {
    from: FileId,
    path: String,
    found: Result<(FileId, Arc<str>), Refusal>,
}

impl Page {
    /// The files whose text is part of it, itself aside.
    pub fn includes(&self) -> impl Iterator<Item = FileId> {
        self.included.iter().filter_map(|one| one.found.as_ref().ok()).map(|(file, _)| *file)
    }

    fn read(file: FileId, sources: &mut Sources, loader: &mut dyn Loader) -> Self {
        let mut diagnostics = Vec::new();
        let mut recorder = Recorder { loader, included: Vec::new() };
        let mut context = Context::new(sources, &mut recorder, &mut diagnostics);
        let document = sequent_notation::read(file, &mut context);
        let included = recorder.included;
        let alone = resolve::alone(&document, sources);
        let (model, _) = resolve::join(&[(&document, &alone)], sources);
        Page {
            lint: OnceLock::new(),
            suppressions: suppression::all(&document, sources.get(file)),
            names: Arc::new(FileNames::of(&model, folder(file, sources))),
            text: sources.get(file).text.clone(),
            document: Arc::new(document),
            model,
            diagnostics,
            alone,
            included,
        }
    }

    /// What is wrong with its diagrams, each looked at by itself.
    pub(crate) fn lint(&self) -> &lint::SingleFindings {
        self.lint.get_or_init(|| lint::alone(&self.model))
    }

    /// Whether reading the file again would give the same.
    fn is_true(&self, sources: &mut Sources, loader: &mut dyn Loader) -> bool {
        let is_same = |text: &Arc<str>, other: &Arc<str>| Arc::ptr_eq(text, other) || text == other;
        is_same(&self.text, &sources.get(self.document.file).text)
            && self.included.iter().all(|IncludedFile { from, path, found }| {
                match (loader.load(sources, *from, path), found) {
                    (Ok(file), Ok((known, text))) => file == *known && is_same(text, &sources.get(file).text),
                    (Err(refusal), Err(known)) => refusal == *known,
                    (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
                }
            })
    }
}

/// Remembers what is included.
struct Recorder<'l> {
    loader: &'l mut dyn Loader,
    included: Vec<IncludedFile>,
}

impl Loader for Recorder<'_> {
    fn load(&mut self, sources: &mut Sources, from: FileId, path: &str) -> Result<FileId, Refusal> {
        let found = self.loader.load(sources, from, path);
        let kept = found.clone().map(|file| (file, sources.get(file).text.clone()));
        self.included.push(IncludedFile { from, path: path.to_owned(), found: kept });
        found
    }
}

/// The folder of a file.
pub(crate) fn folder(file: FileId, sources: &Sources) -> &str {
    sources.get(file).name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The pages of all files that were read.
#[derive(Clone, Default)]
pub struct Pages(HashMap<FileId, Arc<Page>>);

impl Pages {
    /// What a file says by itself, read again only if it has changed.
    pub fn page(&mut self, file: FileId, sources: &mut Sources, loader: &mut dyn Loader) -> Arc<Page> {
        if let Some(known) = self.0.get(&file)
            && known.is_true(sources, loader)
        {
            return known.clone();
        }
        let mut page = Page::read(file, sources, loader);
        // Most edits change no name: what rests on the names alone stays true then.
        if let Some(known) = self.0.get(&file).filter(|known| known.names == page.names) {
            page.names = known.names.clone();
        }
        let page = Arc::new(page);
        // Of what was read when the budget was spent a part may be missing.
        if !meter::is_over() {
            self.0.insert(file, page.clone());
        }
        page
    }
}
