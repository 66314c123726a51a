//! Notations: from the text people keep to the kernel's model, and back.
//!
//! Reading is two steps. A reader (one per notation: [`plantuml`], [`mermaid`], with [`markdown`] finding the blocks)
//! turns text into the statements of [`tree`], which are the same for both notations; [`resolve`] turns the statements
//! of all files into one [`Model`](sequent_kernel::model::Model). Neither step fails: each returns a value and diagnostics.
//!
//! The crate does no I/O: what an `!include` names is asked of a [`Loader`].

pub mod expression;
pub mod label;
pub mod line;
pub mod mermaid;
pub mod plantuml;
pub mod resolve;
pub mod tree;

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::source::{FileId, Sources};

/// Finds the files that diagrams include.
pub trait Loader {
    /// Adds the file that `path` names, as written in the file `from`, to `sources`; `None` if there is none.
    fn load(&mut self, sources: &mut Sources, from: FileId, path: &str) -> Option<FileId>;
}

/// A loader that finds nothing.
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&mut self, _: &mut Sources, _: FileId, _: &str) -> Option<FileId> {
        None
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
}
