//! `sequent merge --install-driver`: git calls Sequent where diagrams are merged or compared.
//!
//! A merge driver is a command in git's configuration and lines in `.gitattributes` that say for which files it is used.
//! The configuration is not shared by cloning, the attributes are; where the command is not configured git merges as ever.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::output;

/// The files that may hold diagrams.
const PATTERNS: &[&str] = &[
    "*.puml",
    "*.plantuml",
    "*.pu",
    "*.iuml",
    "*.wsd",
    "*.mmd",
    "*.mermaid",
    "*.md",
    "*.markdown",
    "*.mdx",
    "*.qmd",
];

/// Writes configuration and attributes of the repository here; running it again changes nothing.
pub fn install() -> Result<u8, String> {
    let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    let program = program();
    let settings = [
        ("merge.sequent.name", "Sequent, which merges diagrams".to_owned()),
        ("merge.sequent.driver", format!("{program} merge --path %P --output %A %O %A %B")),
        ("difftool.sequent.cmd", format!("{program} diff \"$LOCAL\" \"$REMOTE\" --path \"$MERGED\"")),
    ];
    for (key, value) in &settings {
        git(&["config", "--local", key, value])?;
    }
    let file = root.join(".gitattributes");
    let added = attributes(&file)?;
    let count = match added {
        0 => "unchanged".to_owned(),
        count => format!("{count} lines added"),
    };
    output::print(&format!(
        "git merges diagrams with Sequent here; compare with `git difftool -t sequent`\n{}: {count}\n",
        file.display()
    ));
    Ok(0)
}

/// Adds the lines that are missing; tells how many.
fn attributes(file: &Path) -> Result<usize, String> {
    let mut text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("`{}` cannot be read: {error}", file.display())),
    };
    let is_known = |text: &str, pattern: &str| {
        let mut words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        words.any(|words| {
            words.first() == Some(&pattern) && words.iter().any(|word| word.starts_with("merge="))
        })
    };
    let missing: Vec<&&str> = PATTERNS.iter().filter(|pattern| !is_known(&text, pattern)).collect();
    if missing.is_empty() {
        return Ok(0);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    missing.iter().for_each(|pattern| text.push_str(&format!("{pattern} merge=sequent\n")));
    output::write(file, text.as_bytes())?;
    Ok(missing.len())
}

fn git(arguments: &[&str]) -> Result<String, String> {
    let done = Command::new("git").args(arguments).output();
    let done = done.map_err(|error| format!("git cannot be started: {error}"))?;
    if !done.status.success() {
        return Err(format!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&done.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim_end().to_owned())
}

/// This program as a shell would call it: by name if that finds it, else by its path.
fn program() -> String {
    let own = std::env::current_exe().ok();
    let search = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&search).map(|folder| folder.join("sequent"));
    let is_own =
        |path: &PathBuf| path.canonicalize().ok() == own.as_ref().and_then(|own| own.canonicalize().ok());
    match (own.clone(), found.find(|path| path.is_file()).is_some_and(|path| is_own(&path))) {
        (Some(own), false) => format!("\"{}\"", own.display().to_string().replace('\\', "/")),
        (Some(_) | None, _) => "sequent".to_owned(),
    }
}
