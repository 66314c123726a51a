//! `sequent lsp`: the language server, with this machine's files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sequent_lsp::{BufferTexts, DiskTrust, FolderFiles, ReadGroup, ServerHost, SettingsGroup};

use super::{Request, Shelf, Systems, read_again};
use crate::cli::{self, ColourArgument, Common};
use crate::files::{self, IncludedFiles, Inputs, Named};
use crate::library::Library;
use crate::roots::Roots;

pub(crate) fn run(_: &cli::Lsp, common: &Common) -> Result<u8, String> {
    let common = Common { colour: ColourArgument::Never, ..common.clone() };
    let is_in_order = sequent_lsp::run(Arc::new(Disk { common, shelf: Mutex::default() }))?;
    Ok(u8::from(!is_in_order))
}

/// Files as every command reads them; what has not changed is read once.
struct Disk {
    common: Common,
    shelf: Mutex<Shelf>,
}

impl ServerHost for Disk {
    fn fork(&self) -> Box<dyn ServerHost> {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::new(Disk { common: self.common.clone(), shelf: Mutex::new(shelf) })
    }

    fn endings(&self) -> &'static [&'static str] {
        files::ENDINGS
    }

    fn read(&self, file: &Path, drafts: &BufferTexts, look: DiskTrust) -> Result<ReadGroup, String> {
        let paths = [files::display(file)];
        let request = Request {
            paths: &paths,
            common: &self.common,
            is_strict: false,
            has_company: true,
            drafts,
            is_kept: true,
            is_quick: look == DiskTrust::Quick,
        };
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let Systems { sources, systems, .. } = read_again(&request, &mut shelf)?;
        let systems = systems.into_iter().map(|one| SettingsGroup {
            settings: one.settings,
            reading: one.reading,
            beside: one.beside,
        });
        Ok(ReadGroup { sources, systems: systems.collect() })
    }

    fn read_folder(
        &self,
        folder: &Path,
        is_deep: bool,
        drafts: &BufferTexts,
        look: DiskTrust,
    ) -> Result<FolderFiles, String> {
        let is_quick = look == DiskTrust::Quick;
        let roots = Roots::new(&[files::display(folder)], &self.common.include_root)?.with_drafts(drafts);
        let mut kept = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        // A failure leaves the shelf empty.
        let Shelf { mut sources, mut pages, company, mut memory } = std::mem::take(&mut *kept);
        sources.age();
        drafts.keys().for_each(|file| memory.forget(file));
        let mut inputs = Inputs { sources, ..Inputs::default() };
        let mut library = Library::new(self.common.config.clone());
        let chain = library.chain(&folder.join("."), &roots, &mut inputs.sources)?;
        let mut paths = match is_deep {
            true => below(folder, &mut library, &roots, &mut inputs)?,
            false => memory.listed(folder, is_quick),
        };
        let is_here =
            |path: &&PathBuf| if is_deep { path.starts_with(folder) } else { path.parent() == Some(folder) };
        paths.extend(drafts.keys().filter(is_here).filter(|path| files::has_ending(path)).cloned());
        paths.sort();
        paths.dedup();
        paths.iter().for_each(|path| inputs.neighbour(path, &roots, &mut memory, is_quick));
        let Inputs { mut sources, files, .. } = inputs;
        let mut loader = IncludedFiles(roots);
        let read = files.iter().map(|file| pages.page(*file, &mut sources, &mut loader)).collect();
        let settings = library.settings(&chain, &[]);
        *kept = Shelf { sources: sources.clone(), pages, company, memory };
        Ok(FolderFiles { sources, pages: read, settings })
    }
}

/// The files below a folder that settings do not leave out.
fn below(
    folder: &Path,
    library: &mut Library,
    roots: &Roots,
    inputs: &mut Inputs,
) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for named in files::find(&[files::display(folder)]) {
        if let Named::File(path, _) = named {
            let chain = library.chain(&path, roots, &mut inputs.sources)?;
            if !library.excludes(&chain, &path) {
                found.push(path);
            }
        }
    }
    Ok(found)
}
