//! Every command of `docs/papers.md` is run: its exit code and the lines that the page shows are true.
//!
//! In a `console` block a line `$ sequent ..` is a command; `# exit code N` after it says how it ends, `# needs TOOL` that it is left
//! out where the tool is not on the PATH. The lines below it come in this order among those that are printed; `...` stands for any
//! number of lines, and at the end of a line for the rest of it.

use std::path::Path;
use std::process::Command;

/// A command of a page, and what it shows.
#[derive(Debug, Default)]
struct Shown {
    words: Vec<String>,
    code: i32,
    needs: Option<String>,
    lines: Vec<String>,
}

#[test]
fn every_command_does_what_the_page_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(&root).expect("the project is there");
    let page = std::fs::read_to_string("docs/papers.md").expect("the page is there");
    let commands = commands(&page);
    assert!(commands.len() > 20, "the page has commands");
    for shown in commands {
        let command = shown.words.join(" ");
        if let Some(tool) = shown.needs.as_deref().filter(|tool| !is_there(tool)) {
            eprintln!("left out without {tool}: {command}");
            continue;
        }
        let words: Vec<&str> = shown.words.iter().skip(1).map(String::as_str).collect();
        let (code, printed, complaints) = run(&words);
        assert_eq!(code, Some(shown.code), "{command}\n{printed}\n{complaints}");
        if let Err(missing) = follow(&shown.lines, &printed) {
            panic!("{command}\ndoes not print, or not in this order: {missing}\n{printed}");
        }
    }
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

/// Runs the command as a user does; verifiers are compiled by the quickest compiler.
fn run(words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    command.args(words).env("COLUMNS", "100").env("NO_COLOR", "1");
    if is_there("tcc") {
        command.env("CC", "tcc");
    }
    let output = command.output().expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn is_there(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

/// Whether the lines follow each other; an error names the first that does not.
fn follow(lines: &[String], printed: &str) -> Result<(), String> {
    let mut left = printed.lines();
    let mut may_skip = false;
    for line in lines {
        if line == "..." {
            may_skip = true;
            continue;
        }
        let is_it = |found: &str| match line.strip_suffix("...") {
            Some(start) => found.starts_with(start.trim_end()),
            None => found.trim_end() == line.trim_end(),
        };
        let found = if may_skip { left.any(is_it) } else { left.next().is_some_and(is_it) };
        if !found {
            return Err(line.clone());
        }
        may_skip = false;
    }
    match may_skip || left.next().is_none() || lines.is_empty() {
        true => Ok(()),
        false => Err("the end".to_owned()),
    }
}

fn commands(page: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            let (command, note) = command.split_once(" # ").unwrap_or((command, ""));
            commands.push(Shown {
                words: words(command),
                code: note.strip_prefix("exit code ").map_or(0, |code| code.parse().expect("a number")),
                needs: note.strip_prefix("needs ").map(str::to_owned),
                lines: Vec::new(),
            });
        } else if is_inside {
            commands.last_mut().expect("a command comes first").lines.push(line.to_owned());
        }
    }
    commands
}

/// The words of a command; blanks in quotation marks do not part them.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in command.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().expect("there is one").push(letter),
        }
    }
    words
}
