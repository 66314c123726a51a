//! Spot's `autfilt` reads the same files, where it is installed: it takes them, finds them deterministic where they say so, and agrees on
//! whether two accept a word together.

use crate::folder;
use crate::patience::{ToolPatience, is_there};

/// Spot, where it is installed, with a folder for files.
pub(crate) struct Spot {
    folder: &'static str,
    patience: ToolPatience,
}

impl Spot {
    /// Spot, if it is on the PATH; tells if it is not.
    pub(crate) fn find(folder: &'static str) -> Option<Self> {
        is_there("autfilt").then(|| Spot { folder, patience: ToolPatience::default() })
    }

    /// How many of these automata have a property; none if Spot does not answer in time.
    pub(crate) fn count(&self, automata: &str, property: &[&str]) -> Option<usize> {
        let file = folder(self.folder).join("all.hoa");
        std::fs::write(&file, automata).expect("a place for files");
        let file = file.display().to_string();
        let output = self.patience.run("autfilt", &[property, &["-c", &file]].concat(), "").ok()?;
        assert!(output.stderr.is_empty(), "{}", output.stderr);
        Some(output.stdout.trim().parse().expect("a number"))
    }

    /// Whether a word is accepted by both automata; none if Spot does not answer in time.
    pub(crate) fn meet(&self, one: &str, other: &str) -> Option<bool> {
        let file = folder(&format!("{}-other", self.folder)).join("other.hoa");
        std::fs::write(&file, other).expect("a place for files");
        self.count(one, &[&format!("--intersect={}", file.display())]).map(|count| count == 1)
    }
}
