//! The folders of `examples/merge`: three versions, perhaps machines, and the merged file beside them.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use sequent::merge::MergeOptions;

use crate::merge_files;

#[test]
fn every_folder_merges_as_the_file_beside_says() {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/merge");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(all)
        .expect("there are examples")
        .map(|entry| entry.expect("readable").path())
        .collect();
    folders.sort();
    assert!(!folders.is_empty());
    for folder in folders {
        let ending = if folder.join("base.md").is_file() { "md" } else { "puml" };
        let read = |name: &str| std::fs::read(folder.join(format!("{name}.{ending}"))).expect("readable");
        let [base, ours, theirs] = ["base", "ours", "theirs"].map(read);
        let machines = std::fs::read_to_string(folder.join("machines.puml")).unwrap_or_default();
        let name = format!("merged.{ending}");
        let found = merge_files(&name, [&base, &ours, &theirs], &machines, MergeOptions::default());
        expect_file![folder.join(&name)].assert_eq(&found.text());
    }
}
