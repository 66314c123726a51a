//! Temporary folders and unfinished files, which are removed if the command is ended early.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static LITTER: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Has a path removed if the command is ended early.
pub(crate) fn mark(path: &Path) {
    LITTER.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// Has a path left alone again.
pub(crate) fn unmark(path: &Path) {
    LITTER.lock().unwrap_or_else(PoisonError::into_inner).retain(|one| one != path);
}

/// All that is to be removed now.
pub(crate) fn take() -> Vec<PathBuf> {
    std::mem::take(&mut *LITTER.lock().unwrap_or_else(PoisonError::into_inner))
}
