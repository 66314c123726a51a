//! The language server: the findings of `sequent check` while the user types, and navigation by names.
//!
//! An editor sends its buffers; the server answers from them, never from an older text. After an edit it
//! publishes at once what needs no search ([`server`]), and a thread of its own does the searches
//! ([`worker`]): an edit cancels them. The findings are then those of `sequent check FILE`, because they are
//! made by the same functions. [`index`] finds every place of every name, [`navigate`] answers with it;
//! [`outline`] lists what a file holds, [`complete`] what could stand at the cursor, [`publish`] writes
//! findings and their fixes for the editor, [`tokens`] colours names by kind, [`text`] counts positions as
//! editors do.
//!
//! Messages are plain JSON: the server uses two dozen of the protocol's several hundred types, and writes them where they are made.
//! The crate reads no files itself: it asks a [`Desk`] for them.

#![warn(clippy::print_stdout)]

mod complete;
mod index;
mod navigate;
mod outline;
mod publish;
mod server;
mod text;
mod tokens;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sequent::pipeline::Reading;
use sequent::settings::Settings;
use sequent_kernel::source::{FileId, Sources};

pub use server::run;

/// Texts of buffers, by absolute path; they count instead of what is on the disk.
pub type Drafts = BTreeMap<PathBuf, Arc<str>>;

/// What the server needs of the machine that it runs on.
pub trait Desk: Send + Sync {
    /// Reads a file with what belongs to it, as `sequent check FILE` does.
    fn read(&self, file: &Path, drafts: &Drafts) -> Result<Group, String>;

    /// Reads all files of a folder, and if it is to go deep of those below.
    fn read_folder(&self, folder: &Path, is_deep: bool, drafts: &Drafts) -> Result<Group, String>;
}

/// What was read together.
pub struct Group {
    /// The files.
    pub sources: Sources,
    /// Diagrams that share their settings.
    pub systems: Vec<System>,
}

/// Diagrams that share their settings.
pub struct System {
    /// The settings.
    pub settings: Settings,
    /// The diagrams.
    pub reading: Reading,
    /// Files that were read because they lie beside the one that was asked for.
    pub beside: BTreeSet<FileId>,
}
