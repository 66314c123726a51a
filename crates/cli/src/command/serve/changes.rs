//! Changes: which files of the folder are not what they were.
//!
//! The folder is looked at twice a second: that works on every file system, and for a folder of diagrams costs next to
//! nothing. Pages wait for the next change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::folder::ServedFolder;
use crate::files;

/// How often the folder is looked at.
const BEAT: Duration = Duration::from_millis(500);

/// How long a page waits for a change before it asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// The number of changes so far, and the files that changed with each.
#[derive(Default)]
pub(crate) struct Changes {
    known: Mutex<Vec<BTreeSet<String>>>,
    woken: Condvar,
}

impl Changes {
    /// Looks at the folder for as long as the program runs; what differs from `before` has changed.
    pub(crate) fn watch(&self, folder: &ServedFolder, mut before: FolderStamps) {
        loop {
            std::thread::sleep(BEAT);
            let now = stamps(folder);
            let all = before.keys().chain(now.keys());
            let changed: BTreeSet<String> = all
                .filter(|path| before.get(*path) != now.get(*path))
                .map(|path| files::display(path))
                .collect();
            if !changed.is_empty() {
                self.known.lock().unwrap_or_else(PoisonError::into_inner).push(changed);
                self.woken.notify_all();
            }
            before = now;
        }
    }

    /// How many changes there were.
    pub(crate) fn count(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Waits until there were more changes than this; how many there were, and the files that changed since.
    pub(crate) fn since(&self, count: usize) -> (usize, BTreeSet<String>) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.woken.wait_timeout_while(known, PATIENCE, |known| known.len() <= count);
        let (known, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (known.len(), known.iter().skip(count).flatten().cloned().collect())
    }
}

/// When each file was written, and how long it is.
pub(crate) type FolderStamps = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// How the files of a folder are.
pub(crate) fn stamps(folder: &ServedFolder) -> FolderStamps {
    let stamp = |path: PathBuf| {
        let known = path.metadata().ok()?;
        let stamp = (known.modified().ok(), known.len());
        Some((path, stamp))
    };
    folder.files().into_iter().filter_map(stamp).collect()
}
