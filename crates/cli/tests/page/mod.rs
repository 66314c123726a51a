//! A page whose commands are run: its exit codes and the lines that it shows are true.
//!
//! In a `console` block a line `$ sequent ..` is a command, up to a `|` or `>`; other commands are for other tools, and are not run. After
//! ` # ` stand notes, parted by `; `: `exit code N` says how it ends, `needs TOOL` that it is left out where the tool is not on the PATH, others
//! are for the reader. The lines below it come in this order among those that are printed; `...` stands for any
//! number of lines, and at the end of a line for the rest of it. In a page with [`files`], a block in `plantuml` is the file of which the
//! lines before it spoke last.

// Each test binary uses a part of this.
#![allow(dead_code)]

use std::path::Path;
use std::process::Command;

/// A command of a page, and what it shows.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub words: Vec<String>,
    pub code: i32,
    pub needs: Option<String>,
    pub lines: Vec<String>,
}

/// Runs all commands of a page in a folder; how many there were.
pub(crate) fn follow_all(page: &str, folder: &Path) -> usize {
    let commands = commands(page);
    for shown in &commands {
        let command = shown.words.join(" ");
        if let Some(tool) = shown.needs.as_deref().filter(|tool| !is_there(tool)) {
            eprintln!("left out without {tool}: {command}");
            continue;
        }
        let words: Vec<&str> = shown.words.iter().skip(1).map(String::as_str).collect();
        let (code, printed, complaints) = run(&words, folder);
        assert_eq!(code, Some(shown.code), "{command}\n{printed}\n{complaints}");
        if let Err(missing) = follow(&shown.lines, &printed) {
            panic!("{command}\ndoes not print, or not in this order: {missing}\n{printed}");
        }
    }
    commands.len()
}

/// The files of a page: blocks in `plantuml`, by the name that stands in backquotes before them.
pub(crate) fn files(page: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let (mut name, mut open): (Option<String>, Option<String>) = (None, None);
    for line in page.lines() {
        match (&mut open, line) {
            (None, "```plantuml") => open = Some(String::new()),
            (None, line) => {
                let named =
                    line.split('`').filter(|word| word.ends_with(".puml") && !word.contains([' ', '/']));
                name = named.map(str::to_owned).next_back().or(name);
            }
            (Some(text), "```") => {
                let name = name.clone().expect("a diagram has a name before it");
                files.push((name, std::mem::take(text)));
                open = None;
            }
            (Some(text), line) => {
                *text += line;
                text.push('\n');
            }
        }
    }
    files
}

/// Runs the command as a user does; verifiers are compiled by the quickest compiler.
pub(crate) fn run(words: &[&str], folder: &Path) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sequent"));
    command.current_dir(folder).args(words).env("COLUMNS", "100").env("NO_COLOR", "1");
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
pub(crate) fn follow(lines: &[String], printed: &str) -> Result<(), String> {
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

/// The commands of a page.
pub(crate) fn commands(page: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let (mut is_inside, mut is_ours) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            is_inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            let (command, notes) = command.split_once(" # ").unwrap_or((command, ""));
            let note = |start: &str| notes.split("; ").find_map(|note| note.trim().strip_prefix(start));
            let words = words(command);
            is_ours = words[0] == "sequent";
            if is_ours {
                commands.push(Shown {
                    words,
                    code: note("exit code ").map_or(0, |code| code.parse().expect("a number")),
                    needs: note("needs ").map(str::to_owned),
                    lines: Vec::new(),
                });
            }
        } else if is_inside && is_ours {
            commands.last_mut().expect("a command comes first").lines.push(line.to_owned());
        }
    }
    commands
}

/// The words of a command; blanks in quotation marks do not part them.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in command.trim().chars() {
        match (quote, letter) {
            (Some(mark), letter) if mark == letter => quote = None,
            (None, mark @ ('"' | '\'')) => quote = Some(mark),
            (None, ' ') => words.push(String::new()),
            // What becomes of the output is another's affair.
            (None, '|' | '>') => break,
            (_, letter) => words.last_mut().expect("there is one").push(letter),
        }
    }
    words.into_iter().filter(|word| !word.is_empty()).collect()
}
