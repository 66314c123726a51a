//! Every command of `docs/papers.md` is run: its exit code and the lines that the page shows are true.

mod page;

use std::path::Path;

use page::{commands, follow, follow_all};

#[test]
fn every_command_does_what_the_page_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/papers.md")).expect("the page is there");
    let count = follow_all(&page, &root);
    assert!(count > 20, "the page has commands");
}

#[test]
fn what_is_missing_is_found() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(follow(&lines("a\n...\nc"), "a\nb\nc\n"), Ok(()));
    assert_eq!(follow(&lines("a\nc"), "a\nb\nc\n"), Err("c".to_owned()));
    assert_eq!(follow(&lines("...\nspin ..."), "x\nspin 6\n"), Ok(()));
    assert_eq!(follow(&lines("a"), "a\nb\n"), Err("the end".to_owned()));
    let page = "```console\n$ sequent reach \"a & b\" # exit code 1\nno\n```\n";
    let [shown] = commands(page).try_into().expect("one command");
    assert_eq!((shown.words, shown.code), (vec!["sequent".into(), "reach".into(), "a & b".into()], 1));
    assert_eq!(shown.lines, ["no"]);
}
