//! Spot's `autfilt` reads the same files, where it is installed: it takes them, finds them deterministic where they say so, and agrees on
//! whether two accept a word together.

use std::process::Command;

use crate::folder;

/// Whether it is on the PATH; says so if not.
pub fn is_there() -> bool {
    let is_there = Command::new("autfilt").arg("--version").output().is_ok();
    if !is_there {
        println!("there is no autfilt: Spot is not asked");
    }
    is_there
}

/// How many of these automata have a property.
pub fn count(name: &str, automata: &str, property: &[&str]) -> usize {
    let file = folder(name).join("all.hoa");
    std::fs::write(&file, automata).expect("a place for files");
    let output = Command::new("autfilt").args(property).arg("-c").arg(&file).output().expect("it is there");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.is_empty(), "{said}");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
}

/// Whether a word is accepted by both automata.
pub fn meet(name: &str, one: &str, other: &str) -> bool {
    let file = folder(&format!("{name}-other")).join("other.hoa");
    std::fs::write(&file, other).expect("a place for files");
    count(name, one, &[&format!("--intersect={}", file.display())]) == 1
}
