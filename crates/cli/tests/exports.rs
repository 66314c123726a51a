//! Every command of `docs/export.md` that is ours is run, on the files that the page shows: its exit code and the lines below it are true.

mod page;
mod runner;

use std::path::Path;

use page::{files, follow_all};

/// The folder that the page calls `bank/`.
const BANK: &str = "examples/projects/pin-check";

#[test]
fn every_command_does_what_the_page_shows() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project is there");
    let folder = runner::folder("exports");
    let page = std::fs::read_to_string(root.join("docs/export.md")).expect("the page is there");
    for (name, text) in files(&page) {
        std::fs::write(folder.join(name), text).expect("a place for files");
    }
    copy(&root.join(BANK), &folder.join("bank"));
    copy(&root.join("examples"), &folder.join("examples"));
    let count = follow_all(&page, &folder);
    let written = page.lines().filter(|line| line.starts_with("$ sequent ")).count();
    assert_eq!(count, written, "all commands stand in `console` blocks");
    assert!(count > 30, "the page has commands");
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a place for files");
    for entry in std::fs::read_dir(from).expect("it is there") {
        let path = entry.expect("it is there").path();
        let other = to.join(path.file_name().expect("it has a name"));
        match path.is_dir() {
            true => copy(&path, &other),
            false => drop(std::fs::copy(&path, &other).expect("a place for files")),
        }
    }
}

#[test]
fn files_are_named_before_them() {
    let page = "The file `a.puml`, and no `b/c.puml`:\n\n```plantuml\n@startuml\n@enduml\n```\n";
    assert_eq!(files(page), [("a.puml".to_owned(), "@startuml\n@enduml\n".to_owned())]);
}

/// A scenario that may go on forever is found in two ways, each of which has a name to ask for.
#[test]
fn each_part_of_a_question_has_a_name() {
    let root = runner::folder("named-parts");
    let text = "@startuml A\n[*] --> P\nP --> P : / ^b.x\n@enduml\n@startuml B\n[*] --> W\nW --> W : x\n@enduml\n@startuml Both\n' @possible alphabet=own\nloop\na ->> b : x\nend\n@enduml\n";
    std::fs::write(root.join("a.puml"), text).expect("writable");
    let path = root.to_str().expect("a plain path");
    let (code, out, err) = runner::run(&["export", path, "--to", "aiger", "--question", "list"]);
    assert!(code == 0 && out.contains("1.1  it comes to its end\n"), "{out}{err}");
    assert!(out.contains("1.2  it goes on forever\n"), "{out}");
}
