//! Settings belong to their folder, the command line counts more than a file, and what is left out is said.

mod runner;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use runner::{folder, run, with_input};
use serde_json::Value;

/// A folder with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = folder(name);
    std::fs::create_dir_all(root.join(".git")).expect("writable");
    for (file, text) in files {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    }
    root
}

fn path(root: &Path, name: &str) -> String {
    root.join(name).to_str().expect("a plain path").to_owned()
}

/// Findings and verdicts as sets of texts.
fn told(paths: &[&str], options: &[&str]) -> (i32, BTreeSet<String>) {
    let arguments: Vec<&str> =
        ["check", "--format", "json"].iter().chain(options).chain(paths).copied().collect();
    let (code, out, err) = run(&arguments);
    let value: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let findings = list("diagnostics")
        .into_iter()
        .map(|one| format!("{} {} {} {}", one["severity"], one["code"], one["file"], one["message"]));
    let checks =
        list("checks").into_iter().map(|one| format!("{} {} {}", one["name"], one["target"], one["verdict"]));
    (code, findings.chain(checks).collect())
}

const BAR: &str = "A -> B : x\nopt\nend\nB -> A : y\n";

#[test]
fn a_repository_with_nested_settings_is_checked_like_its_folders() {
    let machine = "@startuml\n[*] --> Idle\nIdle --> Busy : go\nBusy --> Idle : / ^peer.done\n@enduml\n";
    let root = project(
        "settings-nested",
        &[
            (
                "sequent.toml",
                "[lint]\nallow = [\"H\"]\n[[check]]\nname = \"root\"\nltl = \"F received(x)\"\n",
            ),
            ("a.puml", BAR),
            (
                "one/sequent.toml",
                "[lint]\nallow = [\"W207\"]\n[[check]]\nname = \"one\"\nltl = \"F received(y)\"\n",
            ),
            ("one/a.puml", BAR),
            ("one/deep/b.puml", BAR),
            (
                "two/sequent.toml",
                "[lint]\ndeny = [\"W207\"]\n[system]\nclosed = true\n[[check]]\nname = \"two\"\nltl = \"G !received(y)\"\n",
            ),
            ("two/a.puml", BAR),
            ("two/machine.puml", machine),
        ],
    );
    let whole = told(&[&path(&root, "")], &[]);
    let parts = ["a.puml", "one", "two"].map(|part| told(&[&path(&root, part)], &[]));
    let joined: BTreeSet<String> = parts.iter().flat_map(|(_, told)| told.iter().cloned()).collect();
    assert_eq!(whole.1, joined);
    assert_eq!(whole.0, parts.iter().map(|(code, _)| *code).max().unwrap_or(0));
    // Settings stand for the folder that they are for.
    assert_eq!(told(&[&path(&root, "two/sequent.toml")], &[]), parts[2]);
    let of =
        |name: &str| joined.iter().filter(|line| line.contains(name)).cloned().collect::<Vec<_>>().join("\n");
    assert!(
        of("W207").contains("\"error\" \"W207\"") && of("W207").contains("\"warning\" \"W207\""),
        "{joined:?}"
    );
    assert!(!of("W207").contains("one/"), "{joined:?}");
    assert!(of("\"two\"").contains("fails") && of("\"one\"").contains("holds"), "{joined:?}");
    let (_, out, _) = run(&["check", &path(&root, "")]);
    assert!(out.contains("suppressed"), "{out}");
}

#[test]
fn lint_is_inherited_and_the_nearest_decides() {
    let root = project(
        "settings-inherited",
        &[
            (
                "sequent.toml",
                "exclude = [\"drafts\", \"/x/old.puml\"]\n[lint]\nallow = [\"W2\"]\n[lint.paths]\n\"strict/**\" = { deny = [\"W207\"] }\n",
            ),
            ("a.puml", BAR),
            ("drafts/b.puml", "end\n"),
            ("x/drafts/b.puml", "end\n"),
            ("x/old.puml", "end\n"),
            ("inner/sequent.toml", "[system]\nclosed = true\n"),
            ("inner/a.puml", BAR),
            ("inner/drafts/a.puml", "end\n"),
            ("near/sequent.toml", "[lint]\ndeny = [\"W207\"]\n"),
            ("near/a.puml", BAR),
            ("strict/a.puml", BAR),
        ],
    );
    let (code, found) = told(&[&path(&root, "")], &[]);
    let files: Vec<&String> = found.iter().filter(|line| line.contains("W207")).collect();
    assert!(code == 1 && files.len() == 2, "{found:?}");
    assert!(
        files.iter().all(|line| line.contains("near/a.puml") || line.contains("strict/a.puml")),
        "{found:?}"
    );
    assert!(!found.iter().any(|line| line.contains("E103")), "{found:?}");
    // A file that is named is checked; what a repository leaves out is not believed if the caller says so.
    assert!(told(&[&path(&root, "x/old.puml")], &[]).1.iter().any(|line| line.contains("E103")));
    let (_, all) = told(&[&path(&root, "")], &["--no-suppress"]);
    assert_eq!(all.iter().filter(|line| line.contains("E103")).count(), 4, "{all:?}");
    assert_eq!(all.iter().filter(|line| line.contains("W207")).count(), 4, "{all:?}");
}

#[test]
fn the_command_line_counts_more_than_a_file() {
    let root = project(
        "settings-caller",
        &[
            ("sequent.toml", "[lint]\nallow = [\"E101\", \"W207\"]\n"),
            ("a.puml", "nonsense here\nA -> B : x\n"),
            ("b.puml", "A -> B : x\nopt\nend\n"),
        ],
    );
    let whole = path(&root, "");
    let (code, out, _) = run(&["check", &whole]);
    assert!(code == 0 && out.contains("2 findings suppressed"), "{out}");
    let (code, out, _) = run(&["check", &whole, "--deny", "E101"]);
    assert!(code == 1 && out.contains("error[E101]") && out.contains("1 finding suppressed"), "{out}");
    let (code, out, _) = run(&["check", &whole, "--deny", "W2"]);
    assert!(code == 1 && out.contains("error[W207]"), "{out}");
    let (code, out, _) = run(&["check", &whole, "--deny", "warnings"]);
    assert_eq!(code, 0, "{out}");
    let (code, out, _) = run(&["check", &whole, "--no-suppress"]);
    assert!(code == 1 && out.contains("E101") && out.contains("warning[W207]"), "{out}");
    let (code, _, err) = run(&["check", &whole, "--deny", "X9"]);
    assert!(code == 2 && err.contains("X9"), "{err}");
}

#[test]
fn comments_leave_findings_out() {
    let check = |text: &str| with_input(&["check", "-"], text);
    let clean = [
        "A -> B : x\n' sequent: allow W207\nopt\nend\n",
        "A -> B : x\nopt /' sequent: allow W2 '/\nend\n",
        "' sequent: allow-file W207\nA -> B : x\nopt\nend\n",
        "sequenceDiagram\n  %% sequent: allow W203, W207\n  opt x\n  end\n  A->>B: x\n",
        "# T\n\n<!-- sequent: allow W207 -->\n\n```mermaid\nsequenceDiagram\n  A->>B: x\n  opt x\n  end\n```\n",
        "' @allow W2\nA -> B : x\nopt\nend\n",
    ];
    for text in clean {
        let (code, out, _) = check(text);
        assert!(code == 0 && out.contains("no problems found; 1 finding suppressed"), "{text}{out}");
        let (_, out, _) = with_input(&["check", "-", "--no-suppress"], text);
        assert!(out.contains("warning[W207]") && !out.contains("suppressed"), "{text}{out}");
    }
    for text in [
        "' sequent: allow W207\nA -> B : x\n",
        "' sequent: allow-file H\nA -> B : x\n",
        "' sequent: allow W2O7\nA -> B : x\n",
    ] {
        let (_, out, _) = check(text);
        assert!(out.contains("[W408]"), "{text}{out}");
    }
    // Two diagrams: the comment is for the next one alone.
    let block = "```mermaid\nsequenceDiagram\n  A->>B: x\n  opt x\n  end\n```\n\n";
    let (_, out, _) = check(&format!("# T\n\n<!-- sequent: allow W207 -->\n\n{block}{block}"));
    assert!(out.matches("warning[W207]").count() == 1 && !out.contains("W408"), "{out}");
    // Prose about such a comment is none.
    let (_, out, _) = check(&format!("# T\n\nWrite `%% sequent: allow W207` above it.\n\n{block}"));
    assert!(out.contains("warning[W207]") && !out.contains("W408"), "{out}");
}

#[test]
fn a_baseline_leaves_old_findings_out() {
    let root = project("settings-baseline", &[("a.puml", BAR)]);
    let (whole, file) = (path(&root, ""), path(&root, "known.json"));
    let deny = |more: &[&str]| {
        let arguments: Vec<&str> = ["check", &whole, "--deny", "warnings", "--baseline", &file]
            .iter()
            .chain(more)
            .copied()
            .collect();
        run(&arguments)
    };
    assert_eq!(run(&["check", &whole, "--deny", "warnings"]).0, 1);
    let (code, out, err) = deny(&[]);
    assert!(
        code == 0 && err.contains("written with 1 finding") && out.contains("1 finding suppressed"),
        "{out}{err}"
    );
    // What moves stays known; what is new is told.
    std::fs::write(root.join("a.puml"), format!("' a comment\n{BAR}loop\nend\n")).expect("writable");
    let (code, out, _) = deny(&[]);
    assert!(
        code == 1 && out.matches("error[W207]").count() == 1 && out.contains("1 finding suppressed"),
        "{out}"
    );
    assert_eq!(deny(&["--update-baseline"]).0, 0);
    assert_eq!(deny(&[]).0, 0);
    std::fs::write(root.join("a.puml"), "A -> B : x\n").expect("writable");
    let (code, _, err) = deny(&[]);
    assert!(code == 0 && err.contains("in the baseline only"), "{err}");
    std::fs::write(&file, "[]").expect("writable");
    assert_eq!(deny(&[]).0, 2);
}

#[test]
fn quiet_and_brief() {
    let text = "' @ltl F received(x)\n' @ltl G !received(x)\nA -> B : x\nopt\nend\n";
    let (code, out, _) = with_input(&["check", "-"], text);
    assert!(
        code == 1 && out.ends_with("1 sequence diagram in 1 file: 1 warning; 1 check failed, 1 passed\n"),
        "{out}"
    );
    assert!(out.contains('┌'), "{out}");
    let (_, out, _) = with_input(&["check", "-", "-q"], text);
    assert!(
        out.contains("warning[W207]")
            && out.contains("fails: ")
            && !out.contains("holds")
            && !out.contains('┌'),
        "{out}"
    );
    let (_, out, _) = with_input(&["check", "-", "-q"], "A -> B : x\n");
    assert_eq!(out, "");
    let (_, out, _) = with_input(&["check", "-", "--format", "concise"], text);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("<stdin>:4:1: W207 "), "{out}");
    assert!(lines[1].starts_with("<stdin>:2:3: check/ltl fails: "), "{out}");
    let (_, out, _) = with_input(&["check", "-", "--format", "github"], text);
    assert!(
        out.starts_with("::warning file=<stdin>,line=4,col=1,title=W207::nothing ")
            && out.lines().count() == 2,
        "{out}"
    );
    let (_, out, _) = with_input(
        &["check", "-", "--format", "github"],
        "title x\nA -> B : a%\\n::error::b\nnonsense 100%\n",
    );
    assert!(out.lines().all(|line| line.starts_with("::error file=")) && out.contains("100%25"), "{out}");
}

#[test]
fn explanations_have_examples_and_are_searched() {
    let (code, out, _) = run(&["explain", "W201"]);
    assert!(
        code == 0
            && out.contains("Why it matters:")
            && out.contains("Bad (")
            && out.contains("Good:")
            && out.contains("sequent: allow W201"),
        "{out}"
    );
    let (code, out, _) = run(&["explain", "deadlock"]);
    assert!(code == 0 && out.lines().count() > 1 && out.lines().all(|line| line.len() > 6), "{out}");
    let (code, out, _) = run(&["explain", "w2"]);
    assert!(code == 0 && out.contains("W201") && out.contains("W203"), "{out}");
    assert!(run(&["explain", "xyzzy"]).0 == 2);
    assert!(run(&["explain", "--all"]).1.matches("To suppress it:").count() > 90);
}

const CALLER: &str =
    "@startuml Client\n[*] --> Idle\nIdle --> Wait : go / server.request\nWait --> Idle : reply\n@enduml\n";

/// A hook passes the names of changed files, the settings among them, which stand for their folder.
#[test]
fn a_file_that_is_named_twice_is_read_once() {
    let door = "@startuml Door\n[*] --> Shut\nShut --> Open : unlock\n@enduml\n";
    let visit = "@startuml Visit\n' @possible\nguest ->> Door : unlock\n@enduml\n";
    let root = project(
        "settings-twice",
        &[("door.puml", door), ("visit.puml", visit), ("sequent.toml", "[lint]\n")],
    );
    let [all, door, visit, settings] =
        [".", "door.puml", "visit.puml", "sequent.toml"].map(|name| path(&root, name));
    let whole = told(&[&all], &[]);
    assert_eq!(whole.0, 0, "{whole:?}");
    for paths in [
        vec![&door, &visit, &settings],
        vec![&all, &door],
        vec![&door, &visit, &door],
        vec![&visit, &door, &all, &visit],
    ] {
        let paths: Vec<&str> = paths.into_iter().map(String::as_str).collect();
        assert_eq!(told(&paths, &[]), whole, "{paths:?}");
        let (_, out, err) = run(&[&["check"], &paths[..]].concat());
        assert!(out.contains("1 sequence diagram, 1 state machine in "), "{paths:?}: {out}{err}");
    }
}

#[test]
fn reach_reads_the_machines_beside_a_file() {
    let server = "@startuml Server\n[*] --> Ready\nReady --> Ready : request / client.reply\n@enduml\n";
    let root = project("settings-reach", &[("client.puml", CALLER), ("server.puml", server)]);
    let (code, out, err) =
        run(&["reach", &path(&root, "client.puml"), "--goal", "Client.Wait & Server.Ready"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn a_lost_message_whose_guard_is_false_has_a_transition() {
    let server = "@startuml Server\n' @attribute n : 0..1\n[*] --> Ready\nReady --> Ready : request [n > 0] / client.reply\n@enduml\n";
    let root = project("settings-lost", &[("client.puml", CALLER), ("server.puml", server)]);
    let (_, told) = told(&[&path(&root, "")], &[]);
    let lost = told.iter().find(|one| one.contains("W634")).unwrap_or_else(|| panic!("{told:?}"));
    assert!(lost.contains("has transitions for it, but none whose guard is true"), "{lost}");
}

/// The lines of a concise report that are about a file.
fn lines_about(root: &Path, named: &str, file: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (_, out, err) = run(&["check", &path(root, named), "--format", "concise"]);
    assert!(err.is_empty(), "{err}");
    let start = format!("{}:", path(root, file));
    out.lines().map(str::to_owned).partition(|line| line.starts_with(&start))
}

/// Whatever brings files together (names, labels, messages, settings), a single file says what it says in its folder, and nothing
/// about others.
#[test]
fn a_single_file_says_what_it_says_in_its_folder() {
    let projects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/projects");
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a readable folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let is_diagram = |name: &String| [".puml", ".mmd", ".md"].iter().any(|ending| name.ends_with(ending));
    let mut seen = 0;
    for project in names(&projects) {
        let root = projects.join(&project);
        let files: Vec<String> = names(&root).into_iter().filter(is_diagram).collect();
        for file in files.iter().filter(|_| files.len() > 1) {
            let (whole, _) = lines_about(&root, "", file);
            let (single, others) = lines_about(&root, file, file);
            assert_eq!((single, others), (whole, BTreeSet::new()), "{project}/{file}");
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

const DOOR: &str = "@startuml Door\n[*] --> Closed\nClosed --> Opening : open\nOpening --> Open : opened\nOpen --> Closed : close\n@enduml\n";

#[test]
fn what_a_label_names_is_read_beside_a_file() {
    let ride = "participant Lift as L\nparticipant \"Door\" as D\nL -> D : open\nL -> D : close\n";
    let root = project("settings-label", &[("door.puml", DOOR), ("ride.puml", ride)]);
    let (_, told) = told(&[&path(&root, "ride.puml")], &[]);
    assert!(told.iter().any(|one| one.contains("W608")), "{told:?}");
}

#[test]
fn machines_that_send_to_nobody_in_particular_are_read_beside_those_that_take_it() {
    let sender = "@startuml Timer\n[*] --> Run\nRun --> Run : start / ^opened\n@enduml\n";
    let root = project("settings-signal", &[("door.puml", DOOR), ("timer.puml", sender)]);
    let (_, out, _) = run(&["check", &path(&root, "timer.puml")]);
    assert!(out.contains("read with 1 file beside"), "{out}");
}

#[test]
fn what_is_wrong_with_the_settings_is_told_with_a_single_file() {
    let settings = "[system]\ncomunication = \"bag\"\n\n[[check]]\nltl = \"F Door.Open\"\n\n[[check\n";
    let root = project(
        "settings-broken",
        &[("sequent.toml", settings), ("door.puml", DOOR), ("x.puml", "A -> B : x\n")],
    );
    let wrong = |told: BTreeSet<String>| -> BTreeSet<String> {
        told.into_iter().filter(|one| one.contains("sequent.toml")).collect()
    };
    let (code, of_folder) = told(&[&path(&root, "")], &[]);
    assert_eq!((code, of_folder.len() > 1), (1, true), "{of_folder:?}");
    let (code, of_file) = told(&[&path(&root, "x.puml")], &[]);
    assert_eq!((code, wrong(of_file)), (1, wrong(of_folder.clone())));
    let given = path(&root, "sequent.toml");
    let (code, given) = told(&[&path(&root, "x.puml")], &["--config", &given]);
    assert_eq!((code, wrong(given)), (1, wrong(of_folder)));
}

#[test]
fn questions_of_the_settings_about_other_files_are_left_out() {
    let settings = "[[check]]\nname = \"opens\"\nltl = \"F Door.Open\"\n\n[[check]]\nname = \"pays\"\nrequired = \"Pay\"\n";
    let files = [("sequent.toml", settings), ("door.puml", DOOR), ("other.puml", "A -> B : x\n")];
    let root = project("settings-about", &files);
    let (code, all) = told(&[&path(&root, "other.puml")], &[]);
    assert_eq!((code, all), (0, BTreeSet::new()));
    let (code, of_door) = told(&[&path(&root, "door.puml")], &[]);
    assert!(code == 1 && of_door.iter().all(|one| one.contains("opens")), "{of_door:?}");
    let (_, whole) = told(&[&path(&root, "")], &[]);
    assert!(whole.iter().any(|one| one.contains("`Pay`")), "{whole:?}");
}

#[test]
fn listed_objects_without_any_machine_are_told() {
    for (class, expected) in [("Customer", "\"warning\" \"W615\""), ("Dooor", "\"error\" \"E615\"")] {
        let settings = format!("[system]\nobjects = {{ d = \"{class}\" }}\n");
        let root = project("settings-objects", &[("sequent.toml", &settings), ("door.puml", DOOR)]);
        let (_, told) = told(&[&path(&root, "")], &[]);
        assert!(told.iter().any(|one| one.contains(expected)), "{told:?}");
    }
}

#[test]
fn reach_tells_what_stands_in_its_way() {
    let broken = DOOR.replace("Closed : close", "Closed : close / nobody.ring");
    let bars = "@startuml Ride\nu -> Door : open\ndeactivat u\n@enduml\n";
    let root = project("settings-errors", &[("door.puml", &broken), ("ride.puml", bars)]);
    let (code, out, err) = run(&["reach", &path(&root, ""), "--goal", "Door.Open"]);
    assert!(code == 3 && err.contains("E602") && out.contains("unknown"), "{code} {out} {err}");
    // A mistake in a sequence diagram is told, and says nothing about the machines.
    std::fs::write(root.join("door.puml"), DOOR).expect("writable");
    let (code, out, err) = run(&["reach", &path(&root, ""), "--goal", "Door.Open"]);
    assert!(code == 0 && err.contains("E101"), "{code} {out} {err}");
    let (code, _, err) = run(&["reach", &path(&root, ""), "--goal", "opened"]);
    assert!(code == 2 && err.contains("it is a message, and a goal is about states"), "{code} {err}");
    let (_, out, _) = run(&["check", &path(&root, ""), "--ltl", "F opened"]);
    assert!(out.contains("write `sent(opened)` or `received(opened)`"), "{out}");
}

#[test]
fn values_out_of_their_ranges_are_never_reached_although_runs_break_off() {
    let machine = |range: &str| {
        format!(
            "@startuml M\n' @attribute x : {range}\n[*] --> A\nA --> A : up / x = x + 1\nA --> B : go\n@enduml\n"
        )
    };
    let reached = |range: &str, goal: &str| {
        let root = project("settings-ranges", &[("a.puml", &machine(range))]);
        run(&["reach", &path(&root, "a.puml"), "--goal", goal]).0
    };
    for goal in ["M.x = 7", "M.x > 3", "M.x = 1 & M.x = 2"] {
        assert_eq!(reached("0..3 = 0", goal), 1, "{goal}");
    }
    assert_eq!(reached("0..3 = 0", "M.x = 3 & M.B"), 0);
    // Nobody has said that such a number ends at 7.
    assert_eq!(reached("int = 0", "M.x = 9"), 3);
}
