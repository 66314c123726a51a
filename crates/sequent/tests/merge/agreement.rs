//! What holds of every merge: a change on one side alone is taken as it is, and so is the same change on both.

use crate::{Merged, merge_files};
use sequent::merge::{ConsistencyLevel, MergeOptions};
use std::path::{Path, PathBuf};

pub(crate) fn examples() -> Vec<(String, Vec<u8>)> {
    fn visit(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("readable folder") {
            let path = entry.expect("readable entry").path();
            match path.is_dir() {
                true => visit(&path, files),
                false => files.push(path),
            }
        }
    }
    let mut files = Vec::new();
    visit(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut files);
    files.sort();
    let is_diagram = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("puml" | "mmd" | "md"))
    };
    let files = files.into_iter().filter(is_diagram);
    files.map(|path| (path.display().to_string(), std::fs::read(&path).expect("readable file"))).collect()
}

fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Merges whatever state machines the files hold: some examples contradict theirs on purpose.
fn merged(name: &str, base: &[u8], ours: &[u8], theirs: &[u8]) -> Merged {
    merge_files(
        name,
        [base, ours, theirs],
        "",
        MergeOptions { level: ConsistencyLevel::Order, ..MergeOptions::default() },
    )
}

#[test]
fn a_change_of_one_side_is_taken_byte_for_byte() {
    let all = examples();
    // Neighbours in the list are about similar things, so that some of their lines are alike.
    for pair in all.windows(2) {
        let [(name, one), (_, other)] = pair else { unreachable!("windows of two") };
        for (base, ours, theirs) in
            [(one, one, one), (one, one, other), (one, other, one), (one, other, other)]
        {
            let expected = if ours == base { theirs } else { ours };
            let found = merged(name, base, ours, theirs);
            assert_eq!(show(&found.bytes), show(expected), "{name}");
            assert_eq!(found.bytes, *expected, "{name}");
            assert!(found.conflicts.is_empty(), "{name}: {:?}", found.conflicts);
        }
        // With the machines in the files it is the same, unless what is taken contradicts them.
        let judged = merge_files(name, [one, one, other], "", MergeOptions::default());
        let is_told = judged.notes.iter().any(|note| note.contains("by itself"));
        assert!(is_told || judged.bytes == *other, "{name}: {:?}", judged.conflicts);
        for (base, ours, theirs) in
            [(one, &Vec::new(), one), (one, one, &Vec::new()), (&Vec::new(), one, one)]
        {
            let expected = if ours == base { theirs } else { ours };
            assert_eq!(merged(name, base, ours, theirs).bytes, *expected, "{name}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_kept() {
    let base = b"a\xff\nb\nc\n";
    let ours = b"a\xff\nB\xfe\nc\n";
    let theirs = b"a\xff\nb\nc\nd\xfd\n";
    let found = merged("x.puml", base, ours, theirs);
    assert_eq!(found.bytes, b"a\xff\nB\xfe\nc\nd\xfd\n".to_vec(), "{:?}", found.conflicts);
}

#[test]
fn small_files_keep_their_form() {
    let files: [&[u8]; 8] =
        [b"", b"\n", b"\r\n", b"a", b"a\n", b"\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbfa -> b\r\n\xff"];
    for base in files {
        for other in files {
            assert_eq!(merged("x.puml", base, base, other).bytes, other, "{base:?} {other:?}");
            assert_eq!(merged("x.puml", base, other, base).bytes, other, "{base:?} {other:?}");
            assert_eq!(merged("x.puml", base, other, other).bytes, other, "{base:?} {other:?}");
        }
    }
}
