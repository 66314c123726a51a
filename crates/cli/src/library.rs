//! Settings of files: the nearest `sequent.toml` at or above each.
//!
//! A folder with settings of its own is a system of its own. What the settings of the folders around it say about findings and
//! about files to leave out holds for it too, up to the root of the repository; everything else is its own. `--config` names
//! one file for all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sequent::settings::lint::Layer;
use sequent::settings::{self, Settings};
use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::source::Sources;

use crate::files::{self, SETTINGS};
use crate::roots::{self, Roots};

/// The settings files that concern something, from the nearest to the farthest.
pub(crate) type SettingsChain = Vec<PathBuf>;

/// All settings files that were read.
#[derive(Default)]
pub(crate) struct Library {
    /// The one that is used for everything.
    only: Option<PathBuf>,
    read: BTreeMap<PathBuf, Settings>,
    /// What is wrong with them.
    pub diagnostics: Vec<Diagnostic>,
}

impl Library {
    /// Settings by folder, or those of one file.
    pub(crate) fn new(only: Option<PathBuf>) -> Self {
        Library { only, ..Library::default() }
    }

    /// Reads the settings that concern a path.
    pub(crate) fn chain(
        &mut self,
        path: &Path,
        roots: &Roots,
        sources: &mut Sources,
    ) -> Result<SettingsChain, String> {
        let chain = match &self.only {
            Some(only) => vec![only.clone()],
            None => around(path),
        };
        for file in &chain {
            if self.read.contains_key(file) {
                continue;
            }
            let text = match self.only {
                Some(_) => roots::read_text(file, roots::LONGEST_INCLUDED),
                None => roots.read_settings(file),
            };
            let text = text.map_err(|problem| format!("`{}` cannot be read: {problem}", file.display()))?;
            let id = sources.add(shown(file, path), text);
            let (settings, problems) = settings::read(id, sources.get(id));
            self.diagnostics.extend(problems);
            self.read.insert(file.clone(), settings);
        }
        Ok(chain)
    }

    /// Whether settings leave a path out.
    pub(crate) fn excludes(&self, chain: &SettingsChain, path: &Path) -> bool {
        let is_out = |(file, settings): (&PathBuf, &Settings)| {
            let path = below(file, path);
            settings.excluded.iter().any(|pattern| pattern.matches(&path))
        };
        self.along(chain).any(is_out)
    }

    /// The settings at the near end of a chain, with what they take over from the others.
    pub(crate) fn settings(&self, chain: &SettingsChain, paths: &[String]) -> Settings {
        let mut settings =
            chain.first().and_then(|nearest| self.read.get(nearest)).cloned().unwrap_or_default();
        settings.is_whole = chain.first().is_some_and(|nearest| files::covers(paths, nearest));
        for (_, outer) in self.along(chain).skip(1) {
            settings.inherited.insert(0, outer.lint.clone());
            settings.vacuous_denied |= outer.vacuous_denied;
        }
        settings
    }

    /// What a chain says about findings in a file, from the farthest to the nearest.
    pub(crate) fn layers(&self, chain: &SettingsChain, path: &Path) -> Vec<Layer> {
        let mut layers = Vec::new();
        for (file, settings) in self.along(chain).collect::<Vec<_>>().into_iter().rev() {
            let path = below(file, path);
            layers.push(settings.lint.clone());
            let matching = settings.lint_paths.iter().filter(|(pattern, _)| pattern.matches(&path));
            layers.extend(matching.map(|(_, layer)| layer.clone()));
        }
        layers
    }

    fn along<'a>(&'a self, chain: &'a SettingsChain) -> impl Iterator<Item = (&'a PathBuf, &'a Settings)> {
        chain.iter().filter_map(|file| self.read.get(file).map(|settings| (file, settings)))
    }
}

/// The settings files at or above a path; beyond the nearest only those of the same repository.
fn around(path: &Path) -> SettingsChain {
    let Ok(start) = std::path::absolute(path).map(|path| roots::plain(&path)) else {
        return SettingsChain::new();
    };
    let mut chain = SettingsChain::new();
    let mut is_outside = false;
    for folder in start.ancestors() {
        let file = folder.join(SETTINGS);
        // What cannot be read is told then: settings are never left out in silence.
        let is_there = file.symlink_metadata().is_ok_and(|known| !known.is_dir());
        if is_there && (chain.is_empty() || !is_outside) {
            chain.push(file);
        }
        is_outside |= folder.join(".git").exists();
        if is_outside && !chain.is_empty() {
            break;
        }
    }
    chain
}

/// The name of a settings file in reports, as the names of the diagrams that it concerns are: whole if theirs are, else relative to
/// the current folder if it is below that.
fn shown(file: &Path, concerned: &Path) -> String {
    if concerned.is_absolute() {
        let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        return files::display(&whole);
    }
    let current = std::path::absolute(".").ok();
    let relative = current.as_deref().and_then(|current| file.strip_prefix(current).ok());
    relative.unwrap_or(file).display().to_string()
}

/// A path as seen from the folder of a settings file, with forward slashes.
fn below(settings: &Path, path: &Path) -> String {
    let absolute = |path: &Path| roots::plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let (settings, path) = (absolute(settings), absolute(path));
    let folder = settings.parent().unwrap_or(Path::new(""));
    files::display(path.strip_prefix(folder).unwrap_or(&path))
}
