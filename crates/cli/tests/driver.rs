//! A real repository: git calls the driver that `sequent merge --install-driver` has installed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sequent_cli::program::{ProgramOutput, ask, end, find};
use sequent_kernel::random::Random;

/// Git and the driver that it calls take moments; whatever takes longer does not end.
const LIMIT: Duration = Duration::from_secs(120);

struct Repository {
    root: PathBuf,
}

impl Repository {
    /// An empty repository with the driver; `None` where there is no git.
    fn new(name: &str) -> Option<Self> {
        // Another suite may run beside this one.
        let own = format!("{name}-{}", std::process::id());
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(own);
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).expect("a writable folder");
        if find("git").is_none() {
            eprintln!("skipped: there is no git");
            return None;
        }
        let repository = Repository { root };
        repository.git(&["init", "-q", "-b", "main"]);
        repository.git(&["config", "user.name", "Tester"]);
        repository.git(&["config", "user.email", "tester@example.org"]);
        repository.git(&["config", "core.autocrlf", "false"]);
        let done = repository.sequent(&["merge", "--install-driver"]);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        Some(repository)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> ProgramOutput {
        let mut command = Command::new(program);
        let quiet = "/dev/null";
        command
            .args(arguments)
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", quiet)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TEMPLATE_DIR", "")
            .env("GIT_TERMINAL_PROMPT", "0");
        // Whoever starts the tests from a hook has a repository of their own in mind.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        let output = ask(program, &mut command, "", end(Some(LIMIT)));
        output.unwrap_or_else(|failure| panic!("{arguments:?}: {failure}"))
    }

    fn git(&self, arguments: &[&str]) -> ProgramOutput {
        let done = self.run("git", arguments);
        assert_eq!(done.code, Some(0), "git {arguments:?}: {}", done.stderr);
        done
    }

    fn sequent(&self, arguments: &[&str]) -> ProgramOutput {
        self.run(env!("CARGO_BIN_EXE_sequent"), arguments)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.root.join(file);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a writable folder");
        std::fs::write(path, text).expect("a writable file");
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.root.join(file)).expect("a readable file")
    }

    /// Commits a version of a file on a branch of its own.
    fn branch(&self, name: &str, file: &str, text: &str) {
        self.git(&["checkout", "-q", "-b", name, "main"]);
        self.write(file, text);
        self.git(&["commit", "-q", "-a", "-m", name]);
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}

const DOOR: &str = "@startuml Door\n[*] --> shut\nshut --> open : pull\nopen --> shut : push\nshut --> shut : knock\n@enduml\n";

fn scene(lines: &str) -> String {
    format!("@startuml Visit\nactor Guest\nparticipant \"d : Door\" as d\n{lines}@enduml\n")
}

#[test]
fn git_merges_three_branches_with_the_driver() {
    let Some(repository) = Repository::new("merge-three") else { return };
    repository.write("doc/door.puml", DOOR);
    repository.write("doc/visit.puml", &scene("Guest ->> d : pull\n"));
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "base"]);
    repository.branch("one", "doc/visit.puml", &scene("Guest ->> d : pull\n' polite\nGuest ->> d : knock\n"));
    repository.branch(
        "two",
        "doc/visit.puml",
        &scene("Guest ->> d : pull\nGuest ->> d : push\nnote right : quietly\n"),
    );
    repository.branch("three", "doc/visit.puml", &scene("Guest ->> d : knock\nGuest ->> d : pull\n"));
    repository.git(&["checkout", "-q", "main"]);
    for branch in ["one", "two", "three"] {
        repository.git(&["merge", "-q", "--no-edit", "--no-ff", branch]);
        let checked = repository.sequent(&["check", "doc", "--deny", "warnings"]);
        if branch != "one" {
            assert_eq!(checked.code, Some(0), "{branch}: {}", checked.stdout);
        }
    }
    // Only with the door shut can one knock.
    let expected = scene(
        "Guest ->> d : knock\nGuest ->> d : pull\nGuest ->> d : push\nnote right : quietly\n' polite\nGuest ->> d : knock\n",
    );
    assert_eq!(repository.read("doc/visit.puml"), expected);
    let status = repository.git(&["status", "--porcelain"]);
    assert_eq!(status.stdout, "");
}

/// Two branches push the door, beside another file; the conflict has both, and git knows of it.
fn push_twice(repository: &Repository, file: &str, content: &[u8]) {
    std::fs::write(repository.root.join(file), content).expect("a writable file");
    repository.write("visit.puml", &scene("Guest ->> d : pull\n"));
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "base"]);
    repository.branch("one", "visit.puml", &scene("Guest ->> d : pull\nGuest ->> d : push\n"));
    repository.branch("two", "visit.puml", &scene("Guest ->> d : pull\nWind ->> d : push\n"));
    repository.git(&["checkout", "-q", "one"]);
    let merged = repository.run("git", &["merge", "--no-edit", "two"]);
    assert_ne!(merged.code, Some(0));
    let text = repository.read("visit.puml");
    for line in ["<<<<<<<", "Guest ->> d : push", "=======", "Wind ->> d : push", ">>>>>>>"] {
        assert!(text.contains(line), "{text}\n{}", merged.stderr);
    }
    let status = repository.git(&["status", "--porcelain"]);
    assert!(status.stdout.contains("UU visit.puml"));
}

#[test]
fn a_conflict_leaves_marks_and_loses_nothing() {
    let Some(repository) = Repository::new("merge-conflict") else { return };
    push_twice(&repository, "door.puml", DOOR.as_bytes());
}

#[test]
fn the_driver_is_installed_once_and_compares_too() {
    let Some(repository) = Repository::new("merge-install") else { return };
    let before = repository.read(".gitattributes");
    assert!(before.contains("*.puml merge=sequent\n") && before.contains("*.md merge=sequent\n"));
    assert_eq!(repository.sequent(&["merge", "--install-driver"]).code, Some(0));
    assert_eq!(repository.read(".gitattributes"), before);
    repository.write("a.puml", "a -> b : 1\n");
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "base"]);
    repository.write("a.puml", "a -> b : 1\nb -> a : 2\n");
    let told = repository.git(&["difftool", "-y", "-t", "sequent"]);
    assert_eq!(told.stdout, "a.puml:2: message added: b -> a : 2\n");
}

/// Where Sequent cannot start, both sides are in the file all the same.
#[test]
fn what_goes_wrong_leaves_a_merge_by_lines() {
    let Some(repository) = Repository::new("merge-fallback") else { return };
    push_twice(&repository, "sequent.toml", b"no text: \xff\n");
}

/// Two branches push the door in a file of some name; both are in it afterwards, and git knows of the conflict.
fn push_in(repository: &Repository, file: &OsStr) -> String {
    let path = repository.root.join(file);
    let commit = |lines: &str, branch: &str| {
        std::fs::write(&path, scene(lines)).expect("a writable file");
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "-m", branch]);
    };
    repository.write("door.puml", DOOR);
    commit("Guest ->> d : pull\n", "base");
    repository.git(&["checkout", "-q", "-b", "one"]);
    commit("Guest ->> d : pull\nGuest ->> d : push\n", "one");
    repository.git(&["checkout", "-q", "-b", "two", "main"]);
    commit("Guest ->> d : pull\nWind ->> d : push\n", "two");
    repository.git(&["checkout", "-q", "one"]);
    let merged = repository.run("git", &["merge", "--no-edit", "two"]);
    assert_eq!(merged.code, Some(1), "{}{}", merged.stdout, merged.stderr);
    let text = std::fs::read_to_string(&path).expect("a readable file");
    for line in ["<<<<<<<", "Guest ->> d : push", "=======", "Wind ->> d : push", ">>>>>>>"] {
        assert!(text.contains(line), "{text}\n{}", merged.stderr);
    }
    let left = std::fs::read_dir(&repository.root).expect("a readable folder").flatten();
    let left: Vec<OsString> = left.map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains(".merge_file")), "{left:?}");
    text + &merged.stderr
}

/// Sets another program in the line by which git merges.
fn call_instead(repository: &Repository, program: &str) {
    let line = repository.git(&["config", "merge.sequent.driver"]).stdout;
    let (_, rest) = line.trim_end().split_once(" merge --path").expect("the command");
    repository.git(&["config", "merge.sequent.driver", &format!("{program} merge --path{rest}")]);
}

#[test]
fn a_name_with_a_leading_dash_is_a_name() {
    let Some(repository) = Repository::new("merge-dash") else { return };
    let told = push_in(&repository, OsStr::new("-o visit's.puml"));
    assert!(told.contains("exclude each other"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_a_name() {
    use std::os::unix::ffi::OsStrExt;
    let Some(repository) = Repository::new("merge-bytes") else { return };
    let name = OsStr::from_bytes(b"visit \xff\xfe.puml");
    if std::fs::write(repository.root.join(name), "").is_err() {
        return eprintln!("skipped: the file system takes no such name");
    }
    let told = push_in(&repository, name);
    assert!(told.contains("exclude each other"), "{told}");
}

#[test]
fn where_the_program_is_missing_git_merges() {
    let Some(repository) = Repository::new("merge-missing") else { return };
    call_instead(&repository, "'/no where/sequent'");
    push_in(&repository, OsStr::new("visit.puml"));
}

/// It is killed before or after it wrote something, reports an error, or is ended when its time is over.
#[cfg(unix)]
#[test]
fn where_the_program_dies_git_merges() {
    let endings = [
        "kill -9 $$",
        "echo half > \"$OUT\"; kill -SEGV $$",
        "echo half > \"$OUT\"; exit 2",
        "exit 0",
        "exit 3",
    ];
    for (number, ending) in endings.into_iter().enumerate() {
        let Some(repository) = Repository::new(&format!("merge-dying-{number}")) else { return };
        let script = format!(
            "#!/bin/sh\nfor word in \"$@\"; do case $word in --output=*) OUT=${{word#--output=}};; esac; done\n{ending}\n"
        );
        repository.write(".git/dies", &script);
        call_instead(&repository, "sh .git/dies");
        push_in(&repository, OsStr::new("visit.puml"));
    }
}

/// The program lies where the shell and git would read something else than its name.
#[cfg(unix)]
#[test]
fn the_path_of_the_program_is_one_word() {
    let Some(repository) = Repository::new("merge-path") else { return };
    let folder = repository.root.join(".git/it's 50%P \"$HOME\"");
    std::fs::create_dir_all(&folder).expect("a writable folder");
    let program = folder.join("sequent");
    if std::fs::hard_link(env!("CARGO_BIN_EXE_sequent"), &program).is_err() {
        std::fs::copy(env!("CARGO_BIN_EXE_sequent"), &program).expect("a copy");
    }
    let done = repository.run(program.to_str().expect("a plain path"), &["merge", "--install-driver"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let told = push_in(&repository, OsStr::new("visit.puml"));
    assert!(told.contains("exclude each other"), "{told}");
}

/// The machines judge what the sides added at different places, too.
#[test]
fn two_pushes_at_different_places_are_a_conflict() {
    let Some(repository) = Repository::new("merge-places") else { return };
    repository.write("door.puml", DOOR);
    repository.write("visit.puml", &scene("Guest ->> Wind : note\n"));
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "base"]);
    repository.branch("one", "visit.puml", &scene("Guest ->> d : push\nGuest ->> Wind : note\n"));
    repository.branch("two", "visit.puml", &scene("Guest ->> Wind : note\nWind ->> d : push\n"));
    repository.git(&["checkout", "-q", "one"]);
    let merged = repository.run("git", &["merge", "--no-edit", "two"]);
    assert_eq!(merged.code, Some(1), "{}", merged.stderr);
    let expected = "`Guest->d:push` (ours) and `Wind->d:push` (theirs) exclude each other";
    assert!(merged.stderr.contains(expected), "{}", merged.stderr);
    let text = repository.read("visit.puml");
    assert!(text.contains("=======\n>>>>>>> theirs\nGuest ->> Wind : note\n<<<<<<< ours"), "{text}");
}

/// Prose merges as git merges it: where both find no conflict the results are the same (of several empty lines in a row each may take another for the one that
/// was deleted), and both nearly always agree whether there is one.
#[test]
fn prose_merges_as_git_does() {
    let Some(repository) = Repository::new("merge-prose") else { return };
    let mut random = Random::new(1);
    let (mut clean, mut apart) = (0, 0);
    for _ in 0..80 {
        let line = |number: usize| if number < 30 { String::new() } else { format!("line {number}") };
        let base: Vec<String> = (0..30).map(|_| line(random.below(90))).collect();
        let mut edited = |mark: &str| {
            let mut lines = base.clone();
            for number in 0..1 + random.below(4) {
                let at = random.below(lines.len());
                match random.below(3) {
                    0 => lines.insert(at, format!("{mark} {number}")),
                    1 => lines[at] = format!("{mark} {number}"),
                    _ => {
                        lines.remove(at);
                    }
                }
            }
            lines.join("\n") + "\n"
        };
        let (ours, theirs) = (edited("ours"), edited("theirs"));
        let base = base.join("\n") + "\n";
        for (name, text) in [("base.md", &base), ("ours.md", &ours), ("theirs.md", &theirs)] {
            repository.write(name, text);
        }
        let git = repository.run("git", &["merge-file", "-p", "ours.md", "base.md", "theirs.md"]);
        let own = repository.sequent(&["merge", "base.md", "ours.md", "theirs.md"]);
        match (git.code == Some(0), own.code == Some(0)) {
            (true, true) => {
                clean += 1;
                let said = |text: &str| -> Vec<String> {
                    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
                };
                assert_eq!(said(&own.stdout), said(&git.stdout));
            }
            (false, false) => {}
            (true, false) | (false, true) => apart += 1,
        }
    }
    assert!(clean > 40 && apart < 5, "{clean} the same, {apart} judged differently");
}

#[test]
fn models_are_merged_on_request() {
    let Some(repository) = Repository::new("merge-models") else { return };
    assert!(!repository.read(".gitattributes").contains("*.uml"));
    let done = repository.sequent(&["merge", "--install-driver", "--models"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    for pattern in ["*.uml", "*.xmi", "*.mdxml"] {
        assert!(repository.read(".gitattributes").contains(&format!("{pattern} merge=sequent\n")));
    }
    let house = include_str!("../../../examples/gallery/door-papyrus.uml");
    repository.write("house.uml", house);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "base"]);
    // Both change the same line, each another attribute.
    let one = house.replace("name=\"Opened\"", "name=\"Ajar\"");
    let two = house.replace("xmi:id=\"_opened\" ", "xmi:id=\"_opened\" visibility=\"private\" ");
    repository.branch("one", "house.uml", &one);
    repository.branch("two", "house.uml", &two);
    repository.branch("three", "house.uml", &house.replace("name=\"Opened\"", "name=\"Wide\""));
    repository.git(&["checkout", "-q", "main"]);
    repository.git(&["merge", "-q", "--no-edit", "--no-ff", "one"]);
    repository.git(&["merge", "-q", "--no-edit", "--no-ff", "two"]);
    assert_eq!(repository.read("house.uml"), two.replace("name=\"Opened\"", "name=\"Ajar\""));
    let done = repository.run("git", &["merge", "-q", "--no-edit", "three"]);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    let text = repository.read("house.uml");
    assert!(text.contains("<<<<<<< ours") && text.contains("Ajar") && text.contains("Wide"), "{text}");
}
