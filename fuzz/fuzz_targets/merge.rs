//! No three versions make a merge panic, and a change on one side alone is taken byte for byte.
#![no_main]

use sequent::merge::draft::{ConflictMarks, draft};
use sequent::merge::{VersionFiles, RevisionSide};
use sequent_notation::NoFiles;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    // 0xff stands in no UTF-8.
    let mut parts = data.splitn(3, |byte| *byte == 0xff);
    let [base, ours, theirs] = [(); 3].map(|()| parts.next().unwrap_or_default());
    for name in ["a.md", "a.puml", "a.mmd"] {
        let merged = |ours: &[u8], theirs: &[u8]| {
            let draft = draft(&VersionFiles { name, base, ours, theirs }, &mut NoFiles, false);
            draft.bytes(&draft.plain_order(RevisionSide::Ours), &ConflictMarks::default())
        };
        merged(ours, theirs);
        assert_eq!(merged(base, theirs), theirs);
        assert_eq!(merged(ours, base), ours);
    }
});
