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

/// When files were changed last, and how long they are.
type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Works again and again, until the process is ended.
pub(crate) fn again(paths: &[String], mut work: impl FnMut() -> Result<u8, String>) -> Result<u8, String> {
    loop {
        // What changes during the work is seen after it.
        let seen = stamps(paths);
        if let Err(problem) = work() {
            output::complain(&problem);
        }
        output::warn("watching for changes; Ctrl-C ends this");
        while stamps(paths) == seen {
            std::thread::sleep(BEAT);
        }
    }
}

/// The files behind the paths, those beside a file that is named, and the settings above them.
fn stamps(paths: &[String]) -> Stamps {
    let mut stamps = Stamps::new();
    let mut add = |path: &Path| {
        let stamp = path.metadata().ok().and_then(|known| Some((known.modified().ok()?, known.len())));
        stamps.insert(path.to_owned(), stamp);
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
