//! The tutorial is followed step by step: the files of each section are written, then its commands are run.

mod page;
mod runner;

use std::path::Path;

use page::{files, follow_all};

#[test]
fn every_step_does_what_the_tutorial_shows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let folder = runner::folder("tutorial");
    let mut count = 0;
    for section in page.split("\n## ") {
        for (name, text) in files(section) {
            std::fs::write(folder.join(name), text).expect("a place for files");
        }
        count += follow_all(section, &folder);
    }
    let written = page.lines().filter(|line| line.starts_with("$ sequent ")).count();
    assert_eq!(count, written, "all commands stand in `console` blocks");
    assert!(count > 10, "the page has commands");
}
