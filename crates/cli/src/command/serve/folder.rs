//! The folder that is served: the names of its files, and that nothing else is read or written by name.

use std::path::{Component, Path, PathBuf};

use super::reply::RequestProblem;
use crate::files::{self, Named};
use crate::output;
use crate::roots::{self, LONGEST_INCLUDED};

/// A folder; it is the current one.
pub(crate) struct ServedFolder {
    /// Its real path.
    root: PathBuf,
    /// The file that is shown first.
    pub first: Option<String>,
}

impl ServedFolder {
    /// Makes the folder of a path the current one.
    pub(crate) fn enter(path: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("`{}` cannot be served: {error}", path.display());
        let real = path.canonicalize().map_err(failed)?;
        let root = if real.is_dir() { &real } else { real.parent().unwrap_or(&real) };
        std::env::set_current_dir(root).map_err(failed)?;
        let first =
            (!real.is_dir()).then(|| real.file_name().map(|name| name.to_string_lossy().into_owned()));
        Ok(ServedFolder { root: root.to_owned(), first: first.flatten() })
    }

    /// The name of the folder, for the page.
    pub(crate) fn name(&self) -> String {
        self.root
            .file_name()
            .map_or_else(|| files::display(&self.root), |name| name.to_string_lossy().into_owned())
    }

    /// The files that may hold diagrams.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let file = |named: Named| match named {
            Named::File(path, _) => Some(path),
            Named::Input | Named::Problem(..) => None,
        };
        files::find(&[".".to_owned()]).into_iter().filter_map(file).collect()
    }

    /// The path of a file of the folder, as seen from it. It is there or can be made; it is no link, hides nothing, and may
    /// hold diagrams.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, RequestProblem> {
        let path = Path::new(name);
        let is_plain = |part: Component<'_>| match part {
            Component::Normal(part) => !part.to_string_lossy().starts_with('.'),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => false,
        };
        let is_named =
            !name.is_empty() && !name.contains(['\\', '\0', ':']) && path.components().all(is_plain);
        if !is_named || !files::has_ending(path) {
            return Err(RequestProblem::Forbidden);
        }
        let within = self.root.join(path);
        let around = within.parent().ok_or(RequestProblem::Forbidden)?;
        let around = around.canonicalize().map_err(|_| RequestProblem::Missing)?;
        let is_link = within.symlink_metadata().is_ok_and(|known| !known.is_file());
        if is_link || !around.starts_with(&self.root) {
            return Err(RequestProblem::Forbidden);
        }
        Ok(path.to_owned())
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> Result<String, RequestProblem> {
        let path = self.path(name)?;
        let bytes = roots::read_up_to(&path, LONGEST_INCLUDED);
        let bytes = bytes.map_err(|refusal| match path.exists() {
            true => RequestProblem::Failed(format!("`{name}` cannot be read: {refusal}")),
            false => RequestProblem::Missing,
        })?;
        String::from_utf8(bytes).map_err(|_| RequestProblem::Failed(format!("`{name}` is not UTF-8")))
    }

    /// Writes a file. `known` is the text that it has as far as the page knows; `None` if it is new. If it has another one by
    /// now nothing is written.
    pub(crate) fn write(&self, name: &str, text: &str, known: Option<&str>) -> Result<(), RequestProblem> {
        let path = self.path(name)?;
        let found = match self.read(name) {
            Ok(text) => Some(text),
            Err(RequestProblem::Missing) => None,
            Err(problem) => return Err(problem),
        };
        if found.as_deref() != known {
            return Err(RequestProblem::Conflict(match found {
                Some(_) => format!("`{name}` has changed on the disk"),
                None => format!("`{name}` is no longer there"),
            }));
        }
        output::write(&path, text.as_bytes()).map_err(RequestProblem::Failed)
    }
}
