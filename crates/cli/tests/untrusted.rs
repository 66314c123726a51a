//! Input from strangers: what the command reads, and what it prints of it.

mod runner;

use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use runner::{folder, run, with_input};

/// A repository `repo` with a diagram that includes `path`, and beside it a secret.
fn including(name: &str, path: &str) -> String {
    let root = folder(name);
    std::fs::create_dir_all(root.join("repo/.git")).expect("writable");
    std::fs::create_dir_all(root.join("repo/docs")).expect("writable");
    let write = |file: &str, text: &str| std::fs::write(root.join(file), text).expect("writable");
    write("secret.puml", "token hunter2 -> b\n");
    write("repo/.git/config", "token hunter2 -> b\n");
    write("repo/shared.iuml", "participant Shared\n");
    write("repo/docs/long.iuml", &"' a comment\n".repeat(1 << 19));
    let link = |target: &str, file: &str| symlink(target, root.join(file)).expect("a link is made");
    link("../../secret.puml", "repo/docs/out.iuml");
    link("../shared.iuml", "repo/docs/in.iuml");
    link("/proc/self/environ", "repo/docs/environ.iuml");
    link("../../..", "repo/docs/up");
    write("repo/docs/a.puml", &format!("@startuml\n!include {path}\na -> b : x\n@enduml\n"));
    root.join("repo/docs/a.puml").to_str().expect("a plain path").to_owned()
}

#[test]
fn includes_stay_in_the_repository() {
    let refused = [
        "/proc/self/environ",
        "../../../../../../../../../../../../proc/self/environ",
        "/proc/self/cmdline!x",
        "../../secret.puml",
        "../../nothing.puml",
        "out.iuml",
        "environ.iuml",
        "up/untrusted-link/secret.puml",
        "../.git/config",
        "../docs/../.GIT/config",
        "/dev/zero",
        "/dev/stdin",
        "long.iuml",
        "../docs",
    ];
    for path in refused {
        let file = including("untrusted-link", path);
        for command in [
            &["check", &file][..],
            &["ast", &file],
            &["render", &file],
            &["check", &file, "--format", "json"],
        ] {
            let (_, out, err) = run(command);
            let all = out + &err;
            assert!(all.contains("is not read") || !command.contains(&"check"), "{path}: {all}");
            for secret in ["hunter2", "PATH=", "token", "sequent\0"] {
                assert!(!all.contains(secret), "{path}: {all}");
            }
        }
    }
    for path in ["../shared.iuml", "in.iuml", "../docs/../shared.iuml", "./in.iuml"] {
        let file = including("untrusted-inside", path);
        let (code, out, _) = run(&["check", &file]);
        assert_eq!(code, 0, "{path}: {out}");
        let (_, out, _) = run(&["ast", &file]);
        assert!(out.contains("Shared"), "{path}: {out}");
    }
}

#[test]
fn without_a_repository_includes_stay_in_the_folder() {
    let root = folder("untrusted-folder");
    // The folder of tests may lie in a repository: what is checked lies in one of its own.
    std::fs::create_dir_all(root.join("a/.git")).expect("writable");
    std::fs::create_dir_all(root.join("b")).expect("writable");
    std::fs::write(root.join("b/part.iuml"), "participant Part\n").expect("writable");
    std::fs::write(root.join("a/a.puml"), "@startuml\n!include ../b/part.iuml\na -> b : x\n@enduml\n")
        .expect("writable");
    let path = |name: &str| root.join(name).to_str().expect("a plain path").to_owned();
    let (code, out, _) = run(&["check", &path("a")]);
    assert!(code == 1 && out.contains("error[E006]") && out.contains("--include-root"), "{out}");
    let (code, out, _) = run(&["check", &path("a"), "--include-root", &path("b")]);
    assert_eq!(code, 0, "{out}");
    let (code, _, err) = run(&["check", &path("a"), "--include-root", &path("c")]);
    assert!(code == 2 && err.contains("no such folder"), "{err}");
}

#[test]
fn links_do_not_lead_out() {
    let root = folder("untrusted-links");
    std::fs::create_dir_all(root.join("repo/.git")).expect("writable");
    std::fs::write(root.join("secret"), "hunter2 = 1\n").expect("writable");
    std::fs::write(root.join("repo/real.puml"), "a -> b : x\n").expect("writable");
    symlink("../secret", root.join("repo/sequent.toml")).expect("a link is made");
    symlink("../secret", root.join("repo/a.puml")).expect("a link is made");
    symlink("real.puml", root.join("repo/b.puml")).expect("a link is made");
    let path = |name: &str| root.join(name).to_str().expect("a plain path").to_owned();
    for name in ["repo", "repo/a.puml", "repo/real.puml"] {
        let (code, out, err) = run(&["check", &path(name)]);
        assert!(code == 2 && !(out.clone() + &err).contains("hunter2"), "{out}{err}");
    }
    std::fs::remove_file(root.join("repo/sequent.toml")).expect("removed");
    let (code, out, _) = run(&["check", &path("repo/a.puml")]);
    assert!(code == 2 && out.contains("outside the checked folder"), "{out}");
    assert_eq!(run(&["check", &path("repo/b.puml")]).0, 0);
    assert_eq!(run(&["check", &path("repo")]).0, 0);
}

/// The exit code of a check whose output nobody reads to its end.
fn unread(arguments: &[&str], input: &str, taken: usize) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    drop(child.stderr.take());
    let mut out = child.stdout.take().expect("it is piped");
    if taken == 0 {
        drop(out);
        std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), input.as_bytes())
            .expect("it reads");
    } else {
        std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), input.as_bytes())
            .expect("it reads");
        out.read_exact(&mut vec![0; taken]).expect("it prints");
        drop(out);
    }
    child.wait().expect("it ends").code()
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let long = "end\n".repeat(5_000);
    for format in ["text", "json", "sarif", "junit"] {
        for taken in [0, 10] {
            assert_eq!(
                unread(&["check", "-", "--format", format], &long, taken),
                Some(1),
                "{format} {taken}"
            );
        }
    }
    assert_eq!(unread(&["check", "-"], "' @forbidden\na -> b : x\n", 0), Some(3));
    assert_eq!(unread(&["check", "no/such/file"], "", 0), Some(2));
    assert_eq!(unread(&["traces", "-"], "a -> b : x\nend\n", 0), Some(1));
    assert_eq!(unread(&["check", "-"], "a -> b : x\n", 0), Some(0));
}

/// Something that no output may hold, as it stands.
fn is_spoofed(text: &str) -> bool {
    let hidden = |c: char| {
        c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let is_command = |line: &str| {
        line.trim_start().starts_with("::e")
            || line.trim_start().starts_with("::n")
            || line.trim_start().starts_with("::w")
            || line.contains("##[")
            || line.contains("##vso[")
    };
    text.contains(hidden) || text.lines().any(is_command)
}

#[test]
fn what_a_diagram_says_is_escaped() {
    let evil = "\u{1b}[2J\u{202e}\u{9b}8m##[error]x ##vso[task.y]z";
    let diagram = format!(
        "@startuml {evil}\ntitle ::error::{evil}\\n::warning::pwned\nparticipant \"::error::{evil}\" as A\n\
         ' @ltl G received({evil})\nactivate A\nA -> B : ::error::{evil}\\n::error::m\n\
         note over A : ::error::{evil}\\n::notice::n\nbroken {evil}\nend\nalt {evil}\nB --> A : {evil}\nend\n@enduml\n"
    );
    let sound = format!(
        "title ::error::{evil}\\n::warning::pwned\nparticipant \"::error::{evil}\" as A\n' @ltl F sent(nothing)\nA -> B : ::error::{evil}\\n::error::m\n"
    );
    let commands: &[&[&str]] = &[
        &["check", "-"],
        &["check", "-", "--draw"],
        &["check", "-", "--table"],
        &["check", "-", "--format", "json"],
        &["check", "-", "--format", "sarif"],
        &["check", "-", "--format", "junit"],
        &["check", "-", "--format", "concise"],
        &["check", "-", "--format", "markdown"],
        &["check", "-", "--format", "html"],
        &["traces", "-"],
        &["traces", "-", "--list"],
        &["traces", "-", "--list", "--format", "json"],
        &["traces", "-", "--draw"],
        &["traces", "-", "--automaton", "dot"],
        &["traces", "-", "--automaton", "json"],
        &["traces", "-", "--automaton", "hoa"],
        &["simulate", "-", "--seed", "1"],
        &["simulate", "-", "--seed", "1", "--to", "table"],
        &["simulate", "-", "--seed", "1", "--to", "markdown"],
        &["simulate", "-", "--seed", "1", "--to", "itf"],
        &["render", "-"],
        &["ast", "-"],
        &["export", "-", "--to", "dot"],
        &["export", "-", "--to", "aut"],
        &["export", "-", "--to", "ltl"],
        &["export", "-", "--to", "nusmv"],
        &["classify", "-", "nothing"],
    ];
    for text in [&diagram, &sound] {
        for command in commands {
            let (_, out, err) = with_input(command, text);
            assert!(!is_spoofed(&out) && !is_spoofed(&err), "{command:?}: {out:?} {err:?}");
        }
    }
}

#[test]
fn names_of_files_and_settings_are_escaped() {
    let root = folder("untrusted-names");
    let write = |file: &str, text: &str| std::fs::write(root.join(file), text).expect("writable");
    write("\n::error::x\u{1b}[2J.puml", "a -> b : x\nend\n");
    write(
        "sequent.toml",
        "[[check]]\nname = \"a\\n::error::\\u001b[2J\"\nltl = \"F received(y)\"\n[system]\n\"##[x]\" = 1\n[roles]\n\"\\n::error::\" = 3\n",
    );
    let path = root.to_str().expect("a plain path");
    for format in ["text", "json", "sarif", "junit", "concise", "markdown"] {
        let (code, out, err) = run(&["check", path, "--format", format]);
        assert_eq!(code, 1, "{out}{err}");
        assert!(!is_spoofed(&out) && !is_spoofed(&err), "{format}: {out:?} {err:?}");
    }
    let wrong = Path::new(path).join("\n::error::y.puml");
    let (_, out, err) = run(&["check", wrong.to_str().expect("a plain path")]);
    assert!(!is_spoofed(&out) && !is_spoofed(&err), "{out:?} {err:?}");
}

/// Git says what a file is called in the repository; that is one line, whatever the name holds.
#[test]
fn names_that_git_gives_are_part_of_a_line() {
    let root = folder("untrusted-driver");
    for (name, message) in [("base", "m"), ("ours", "o"), ("theirs", "t")] {
        let text = format!("@startuml\na -> b : {message}\n@enduml\n");
        std::fs::write(root.join(name), text).expect("writable");
    }
    let [base, ours, theirs] = ["base", "ours", "theirs"].map(|name| root.join(name).display().to_string());
    let (code, _, err) = run(&["merge", "--path=a\n::error::x\nsequent: all is well", &base, &ours, &theirs]);
    assert!(code == 1 && err.lines().all(|line| line.starts_with("sequent: a ::error::x ")), "{err}");
}

/// What exists and is no folder is written into, whatever it is called; a drawing of characters repaints no terminal.
#[test]
fn drawings_go_through_devices_and_are_escaped() {
    let root = folder("untrusted-device");
    let file = root.join("a.puml");
    std::fs::write(&file, "@startuml \u{1b}[31mred\na -> b : m\n@enduml\n@startuml x\na -> b\n@enduml\n")
        .expect("writable");
    let file = file.to_str().expect("a plain path");
    let (code, out, err) = run(&["render", file, "--diagram", "x", "--to", "svg", "-o", "/dev/stdout"]);
    assert!(code == 0 && out.starts_with("<svg"), "{code} {out} {err}");
    let (code, _, err) = run(&["render", file, "--to", "svg", "-o", "/dev/null"]);
    assert!(code == 2 && err.contains("-o must name a directory"), "{code} {err}");
    let (code, out, _) = run(&["render", file, "--to", "text"]);
    assert!(code == 0 && !out.contains('\u{1b}') && out.contains("\\u{1b}[31mred"), "{out}");
}

/// `-` after `-o` is standard output, for every command that has the option, and no file.
#[test]
fn a_dash_is_standard_output() {
    let root = folder("untrusted-dash");
    std::fs::write(root.join("a.puml"), "@startuml x\na -> b : m\n@enduml\n").expect("writable");
    let machine = "@startuml M\n[*] --> s\ns --> t : go\n@enduml\n";
    std::fs::write(root.join("m.puml"), machine).expect("writable");
    for arguments in [
        "check a.puml -o -",
        "check a.puml -o - --format json",
        "check a.puml --report json=-",
        "render a.puml --to svg -o -",
        "simulate a.puml --to svg -o -",
        "reach m.puml --goal M.t -o -",
        "merge a.puml a.puml a.puml -o -",
        "diff a.puml m.puml -o -",
        "export a.puml --to ltl -o -",
        "export a.puml --to hoa --question all -o -",
        "generate machines -o -",
        "generate wide --output=-",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
        let done = command.args(arguments.split(' ')).current_dir(&root).output().expect("it runs");
        let names = std::fs::read_dir(&root).expect("a folder").flatten().map(|entry| entry.file_name());
        assert_eq!(names.count(), 2, "{arguments}");
        let is_refused = arguments.contains("--question all");
        assert_eq!(
            done.stdout.is_empty(),
            is_refused,
            "{arguments}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
}

/// A folder that cannot be looked into is a finding, and everything else is checked. For root nothing is closed.
#[test]
fn a_closed_folder_is_a_finding() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder("untrusted-closed");
    let closed = root.join("closed");
    std::fs::create_dir_all(&closed).expect("writable");
    std::fs::write(root.join("a.puml"), "a -> b : m\ndeactivate a\n").expect("writable");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).expect("a mode");
    let (code, out, _) = run(&["check", root.to_str().expect("a plain path"), "--format", "concise"]);
    let is_closed = std::fs::read_dir(&closed).is_err();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    assert!(out.contains("a.puml:2:1: W202"), "{out}");
    assert_eq!(out.contains("closed` cannot be read"), is_closed, "{out}");
    assert_eq!(code, if is_closed { 2 } else { 0 }, "{out}");
}
