//! The language server: the findings of `sequent check` while the user types, and navigation by names.
//!
//! An editor sends its buffers; the server answers from them, never from an older text. After an edit it
//! publishes at once what needs no search ([`server`]), and a thread of its own does the searches
//! ([`worker`]): an edit cancels them. The findings are then those of `sequent check FILE`, because they are
//! made by the same functions. [`index`] finds every place of every name, [`navigate`] answers with it;
//! [`outline`] lists what a file holds, [`complete`] what could stand at the cursor, [`include`] finds the path
//! of an `!include`, [`rename`] tries new names before they are taken, [`publish`] writes findings and their fixes for the editor, [`lenses`] and [`hints`] show
//! results beside the text, [`format`] indents it, [`tokens`] colours names by kind, [`picture`] draws the
//! diagram at the cursor, [`coverage`] lists what runs pass, [`text`] counts positions as editors do. [`frame`] and [`wire`] read and write
//! messages.
//!
//! A keystroke changes one file. What each file says by itself is cached ([`Page`]), and so are its names; only
//! the joint model is made anew.
//!
//! Messages are plain JSON: the server uses two dozen of the protocol's several hundred types, and writes them where they are made.
//! The crate reads no files itself: it asks a [`ServerHost`] for them.

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used))]

mod complete;
mod coverage;
mod format;
pub mod frame;
mod hints;
mod include;
mod index;
mod item;
mod lenses;
mod navigate;
mod outline;
mod picture;
mod publish;
mod question;
mod rename;
mod server;
mod text;
mod tokens;
mod trial;
mod wire;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sequent::pipeline::{Page, Reading};
use sequent::settings::Settings;
use sequent_kernel::source::{FileId, Sources};

pub use server::run;

/// The name of settings files.
const SETTINGS: &str = "sequent.toml";

/// Whether a file holds settings.
fn is_settings(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == SETTINGS)
}

/// Texts of buffers, by absolute path; they count instead of what is on the disk.
pub type BufferTexts = BTreeMap<PathBuf, Arc<str>>;

/// How far the disk is to be trusted to be as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskTrust {
    /// Files that were read before are taken to be unchanged: answers between two keystrokes.
    Quick,
    /// The disk is asked.
    Thorough,
}

/// What the server needs of the machine that it runs on.
pub trait ServerHost: Send + Sync {
    /// A host that knows what this one knows: for texts that are only thought of, whose reading is forgotten with it.
    fn fork(&self) -> Box<dyn ServerHost>;

    /// The endings of files that may hold diagrams.
    fn endings(&self) -> &'static [&'static str];

    /// Reads a file with what belongs to it, as `sequent check FILE` does.
    fn read(&self, file: &Path, drafts: &BufferTexts, look: DiskTrust) -> Result<ReadGroup, String>;

    /// Reads all files of a folder, and if it is to go deep of those below, each by itself.
    fn read_folder(
        &self,
        folder: &Path,
        is_deep: bool,
        drafts: &BufferTexts,
        look: DiskTrust,
    ) -> Result<FolderFiles, String>;
}

/// The files of a folder, each by itself.
pub struct FolderFiles {
    /// The files.
    pub sources: Sources,
    /// What each says.
    pub pages: Vec<Arc<Page>>,
    /// The settings of the folder.
    pub settings: Settings,
}

/// What was read together.
pub struct ReadGroup {
    /// The files.
    pub sources: Sources,
    /// Diagrams that share their settings.
    pub systems: Vec<SettingsGroup>,
}

/// Diagrams that share their settings.
pub struct SettingsGroup {
    /// The settings.
    pub settings: Settings,
    /// The diagrams.
    pub reading: Reading,
    /// Files that were read because they lie beside the one that was asked for.
    pub beside: BTreeSet<FileId>,
}
