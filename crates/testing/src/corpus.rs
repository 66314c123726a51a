//! Diagrams of public repositories, with what other tools make of them.
//!
//! The corpus is third-party data and no part of the project: tests of it run where `SEQUENT_CORPUS` names its folder, or where the folder `../shared/corpus` lies
//! beside the project, and tell if it is not there.

use std::path::PathBuf;

use crate::cases;

/// The folder of the corpus, if it is on this machine.
pub fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("SEQUENT_CORPUS").map(PathBuf::from);
    let found = named.into_iter().chain([cases::root().join("../shared/corpus")]).find(|path| path.is_dir());
    if found.is_none() {
        println!("no corpus on this machine (set SEQUENT_CORPUS): nothing is compared");
    }
    found
}
