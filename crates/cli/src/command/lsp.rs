//! `sequent lsp`: the language server, with this machine's files.

use std::path::Path;
use std::sync::Arc;

use sequent_lsp::{Desk, Drafts, Group, System};

use super::{Systems, read_systems};
use crate::cli::{self, Colour, Common};
use crate::files;

pub fn run(_: &cli::Lsp, common: &Common) -> Result<u8, String> {
    let common = Common {
        colour: Colour::Never,
        config: common.config.clone(),
        set: common.set.clone(),
        include_root: common.include_root.clone(),
    };
    sequent_lsp::run(Arc::new(Disk(common))).map(|()| 0)
}

/// Files as every command reads them.
struct Disk(Common);

impl Disk {
    fn group(&self, paths: &[String], has_company: bool, drafts: &Drafts) -> Result<Group, String> {
        let Systems { sources, systems, .. } = read_systems(paths, &self.0, false, has_company, drafts)?;
        let systems = systems.into_iter().map(|one| System {
            settings: one.settings,
            reading: one.reading,
            beside: one.beside,
        });
        Ok(Group { sources, systems: systems.collect() })
    }
}

impl Desk for Disk {
    fn read(&self, file: &Path, drafts: &Drafts) -> Result<Group, String> {
        self.group(&[files::display(file)], true, drafts)
    }

    fn read_folder(&self, folder: &Path, is_deep: bool, drafts: &Drafts) -> Result<Group, String> {
        if is_deep {
            return self.group(&[files::display(folder)], false, drafts);
        }
        let mut paths = files::in_folder(folder);
        let fresh = drafts.keys().filter(|path| path.parent() == Some(folder) && files::has_ending(path));
        paths.extend(fresh.cloned());
        paths.sort();
        paths.dedup();
        let paths: Vec<String> = paths.iter().map(|path| files::display(path)).collect();
        self.group(&paths, false, drafts)
    }
}
