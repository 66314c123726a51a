//! `--watch`: a command is run again whenever a file that it reads has changed.
//!
//! Files are looked at a few times a second. That needs no service of the operating system, works on every file system, and costs
//! a few milliseconds for a thousand files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::files::{self, Named};
use crate::output;

/// The time between two looks.
const BEAT: Duration = Duration::from_millis(300);

/// When a file was changed last, and how long it is; none if there is no such file.
type FileStamp = Option<(SystemTime, u64)>;

/// The stamps of files.
type Stamps = BTreeMap<PathBuf, FileStamp>;

/// Works again and again, until the process is ended. The work tells which files it has read.
pub(crate) fn again(
    paths: &[String],
    mut work: impl FnMut(&mut Vec<PathBuf>) -> Result<u8, String>,
) -> Result<u8, String> {
    let mut read: Vec<PathBuf> = Vec::new();
    loop {
        // What changes during the work is seen after it.
        let start = SystemTime::now();
        let named = named(paths);
        let before: Stamps = read.iter().map(|path| (path.clone(), stamp(path))).collect();
        let mut now = Vec::new();
        if let Err(problem) = work(&mut now) {
            output::complain(&problem);
            // What it would have read is not known.
            now.extend(read);
        }
        read = now;
        // What is read for the first time, and was changed since the work began, may have been read before that.
        let first = |path: &PathBuf| stamp(path).filter(|(changed, _)| *changed < start);
        let known = |path: &PathBuf| before.get(path).copied().unwrap_or_else(|| first(path));
        let seen: Stamps = read.iter().map(|path| (path.clone(), known(path))).collect();
        output::warn("watching for changes; Ctrl-C ends this\n");
        let is_same = |(path, known): (&PathBuf, &FileStamp)| stamp(path) == *known;
        while self::named(paths) == named && seen.iter().all(is_same) {
            std::thread::sleep(BEAT);
        }
    }
}

fn stamp(path: &Path) -> FileStamp {
    path.metadata().ok().and_then(|known| Some((known.modified().ok()?, known.len())))
}

/// The files behind the paths, those beside a file that is named, and the settings above them.
fn named(paths: &[String]) -> Stamps {
    let mut stamps = Stamps::new();
    let mut add = |path: &Path| {
        stamps.insert(path.to_owned(), stamp(path));
    };
    for named in files::find(paths) {
        let (path, is_named) = match &named {
            Named::File(path, is_named) => (path.as_path(), *is_named),
            Named::Problem(path, _) => (Path::new(path.as_str()), true),
            Named::Input => continue,
        };
        add(path);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if is_named {
            files::in_folder(folder).iter().for_each(|path| add(path));
        }
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        folder.ancestors().for_each(|folder| add(&folder.join("sequent.toml")));
    }
    stamps
}
