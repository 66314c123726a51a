//! Roots: the folders from which files are read that the caller did not name.
//!
//! A diagram may include files, and a folder may hold symbolic links; on a server that checks pull requests
//! both are untrusted. Such a file is read only if it is a regular file whose real path lies in the
//! repository of a path on the command line, or in its folder where there is no repository, or below
//! `--include-root`. Nothing is read from `.git`, where credentials are kept, nor from the file systems of
//! the kernel. Nothing of a refused file is read, so nothing of it can be printed.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use sequent_notation::Refusal;

/// Included files and settings are no longer than this.
pub(crate) const LONGEST_INCLUDED: u64 = 4 << 20;

/// Files that are checked are no longer than this.
pub(crate) const LONGEST: u64 = 64 << 20;

/// File systems that are no place for diagrams.
const KERNEL: &[&str] = &["/proc", "/sys", "/dev"];

/// Texts that files are to have, by path: those of unsaved buffers, or of fixes before they are written.
pub(crate) type DraftTexts = BTreeMap<PathBuf, Arc<str>>;

/// The folders below which files are read, as real paths, and files that have another text than on the disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roots {
    folders: Vec<PathBuf>,
    drafts: DraftTexts,
}

impl Roots {
    /// The repositories or folders of some paths, and other folders; fails if one of these is not there.
    pub(crate) fn new(paths: &[String], others: &[PathBuf]) -> Result<Self, String> {
        let mut roots: Vec<PathBuf> = paths.iter().filter_map(|path| around(Path::new(path))).collect();
        for other in others {
            let real = other.canonicalize().ok().filter(|real| real.is_dir());
            roots.push(real.ok_or_else(|| format!("--include-root {}: no such folder", other.display()))?);
        }
        roots.sort();
        roots.dedup();
        Ok(Roots { folders: roots, drafts: DraftTexts::new() })
    }

    /// The same with texts that count instead of those on the disk.
    pub(crate) fn with_drafts(self, drafts: &DraftTexts) -> Self {
        Roots { drafts: drafts.clone(), ..self }
    }

    /// The text that a file is to have.
    fn draft(&self, path: &Path) -> Option<Vec<u8>> {
        if self.drafts.is_empty() {
            return None;
        }
        let path = plain(&std::path::absolute(path).ok()?);
        self.drafts.get(&path).map(|text| text.as_bytes().to_vec())
    }

    /// Whether a file is to have another text than on the disk.
    pub(crate) fn has_draft(&self, path: &Path) -> bool {
        !self.drafts.is_empty()
            && std::path::absolute(path).is_ok_and(|path| self.drafts.contains_key(&plain(&path)))
    }

    /// The content of the file that `path` names in a folder.
    pub(crate) fn include(&self, folder: &Path, path: &str) -> Result<Vec<u8>, Refusal> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = folder.canonicalize().map_err(|_| Refusal::Missing)?;
        // What lies outside is refused whether it is there or not.
        if !self.holds(&plain(&folder.join(path))) {
            return Err(Refusal::Outside);
        }
        if let Some(draft) = self.draft(&folder.join(path)) {
            return Ok(draft);
        }
        let real = folder.join(path).canonicalize().map_err(|_| Refusal::Missing)?;
        self.read_real(&real, LONGEST_INCLUDED)
    }

    /// The content of a file that was found in a folder; a symbolic link must stay inside.
    pub(crate) fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, Refusal> {
        if let Some(draft) = self.draft(path) {
            return Ok(draft);
        }
        let is_link = path.symlink_metadata().is_ok_and(|kind| kind.is_symlink());
        if !is_link {
            return read_up_to(path, most);
        }
        let real = path.canonicalize().map_err(|_| Refusal::Missing)?;
        let folders = self.folders.iter().cloned().chain(around(path)).collect();
        let own = Roots { folders, drafts: DraftTexts::new() };
        own.read_real(&real, most)
    }

    /// The content of settings.
    pub(crate) fn read_settings(&self, path: &Path) -> Result<String, Refusal> {
        let bytes = self.read(path, LONGEST_INCLUDED)?;
        String::from_utf8(bytes).map_err(|_| Refusal::NotText)
    }

    fn read_real(&self, real: &Path, most: u64) -> Result<Vec<u8>, Refusal> {
        if !self.holds(real) {
            return Err(Refusal::Outside);
        }
        match real.metadata() {
            Ok(kind) if kind.is_file() => read_up_to(real, most),
            Ok(_) => Err(Refusal::NotRegular),
            Err(_) => Err(Refusal::Missing),
        }
    }

    /// Whether a path without links lies inside, and not where credentials are.
    fn holds(&self, path: &Path) -> bool {
        let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
        !KERNEL.iter().any(|folder| path.starts_with(folder))
            && self
                .folders
                .iter()
                .any(|root| path.strip_prefix(root).is_ok_and(|rest| !rest.components().any(is_git)))
    }
}

/// The content of a regular file, or of a stream of the caller, if it is no longer than this.
pub(crate) fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>, Refusal> {
    let refused = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Refusal::Missing,
        _ => Refusal::Unreadable(error.to_string()),
    };
    let mut bytes = Vec::new();
    let file = open(path).map_err(refused)?.ok_or(Refusal::NotRegular)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > most { Err(Refusal::TooLarge) } else { Ok(bytes) }
}

/// Opens a regular file, or what the caller names as a stream; nothing else, which may never end or never even open.
fn open(path: &Path) -> std::io::Result<Option<File>> {
    if is_stream(path) {
        return File::open(path).map(Some);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    // Otherwise opening a named pipe waits until another process writes to it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK);
    let file = options.open(path)?;
    let is_regular = file.metadata()?.is_file();
    Ok(is_regular.then_some(file))
}

#[cfg(unix)]
const NONBLOCK: i32 = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();

/// Whether a path stands for an open stream: `/dev/stdin`, and what a shell puts in place of `<(command)`.
pub(crate) fn is_stream(path: &Path) -> bool {
    ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
}

/// The text of a file that the caller names, if it is no longer than this.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, Refusal> {
    String::from_utf8(read_up_to(path, most)?).map_err(|_| Refusal::NotText)
}

/// The repository in which a path lies, else its folder. A pattern lies where its fixed part does.
fn around(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(if path == Path::new("-") { Path::new(".") } else { path }).ok()?;
    let folder = absolute.ancestors().find(|folder| folder.is_dir())?.canonicalize().ok()?;
    let repository = folder.ancestors().find(|folder| folder.join(".git").exists());
    Some(repository.unwrap_or(&folder).to_owned())
}

/// A path without `.` and `..`, by its text alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}
