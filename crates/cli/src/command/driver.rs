//! `sequent merge --install-driver`: git calls Sequent where diagrams are merged or compared.
//!
//! A merge driver is a command in git's configuration and lines in `.gitattributes` that say for which files it is used.
//! The configuration is not shared by cloning, the attributes are; where the command is not configured git merges as ever.
//!
//! Git gives the driver the only copy of our version, so the command writes beside it, and the result takes its place only where the command ended as it should. If
//! the program is not there, or did not end by itself, `git merge-file` merges line by line.

use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sequent::merge::VersionFiles;
use sequent::merge::draft::{self, ConflictMarks};
use sequent_notation::Refusal;

use crate::output;
use crate::program::{ask, end};
use crate::roots::{self, LONGEST_INCLUDED};

/// The exit code of a merge with conflicts; git takes it for that.
pub(crate) const CONFLICT: u8 = 1;

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

/// The files that hold UML models.
const MODELS: &[&str] = &["*.uml", "*.xmi", "*.mdxml"];

/// Merges for git: whatever goes wrong in the attempt, what stands in the file afterwards is a merge of both sides.
pub(crate) fn spare(
    files: &VersionFiles<'_>,
    output: &Path,
    complain: &dyn Fn(&str),
    attempt: impl FnOnce() -> Result<u8, String>,
) -> Result<u8, String> {
    let problem = match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok(code)) => return Ok(code),
        Ok(Err(problem)) => problem,
        Err(_) => "this is a mistake of Sequent itself".to_owned(),
    };
    complain(&format!("{problem}; merged line by line"));
    let draft = draft::plain(files);
    output::write(output, &draft.bytes(&[], &ConflictMarks::default()))?;
    Ok(if draft.conflicts().next().is_some() { CONFLICT } else { 0 })
}

/// Writes configuration and attributes of the repository here, those of UML models too if asked; running it again changes nothing.
pub(crate) fn install(has_models: bool) -> Result<u8, String> {
    let root = git(&["rev-parse".as_ref(), "--show-toplevel".as_ref()])?;
    let root = Path::new(&root);
    let program = program();
    let settings = [
        ("merge.sequent.name", "Sequent, which merges diagrams".into()),
        ("merge.sequent.driver", driver_line(&program)),
        ("difftool.sequent.cmd", joined(&program, " diff --path=\"$MERGED\" -- \"$LOCAL\" \"$REMOTE\"")),
    ];
    for (key, value) in &settings {
        git(&["config".as_ref(), "--local".as_ref(), key.as_ref(), value.as_os_str()])?;
    }
    let file = root.join(".gitattributes");
    let models = if has_models { MODELS } else { &[] };
    let added = attributes(&file, &[PATTERNS, models].concat())?;
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
fn attributes(file: &Path, patterns: &[&str]) -> Result<usize, String> {
    let mut text = match roots::read_text(file, LONGEST_INCLUDED) {
        Ok(text) => text,
        Err(Refusal::Missing) => String::new(),
        Err(refusal) => return Err(format!("`{}` cannot be read: {refusal}", file.display())),
    };
    let is_known = |text: &str, pattern: &str| {
        let mut words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        words.any(|words| {
            words.first() == Some(&pattern) && words.iter().any(|word| word.starts_with("merge="))
        })
    };
    let missing: Vec<&&str> = patterns.iter().filter(|pattern| !is_known(&text, pattern)).collect();
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

/// Git answers about settings at once.
const PATIENCE: Duration = Duration::from_secs(60);

fn git(arguments: &[&OsStr]) -> Result<String, String> {
    let done = ask("git", Command::new("git").args(arguments), "", end(Some(PATIENCE)));
    let done = done.map_err(|failure| format!("git cannot be asked: {failure}"))?;
    if done.code != Some(0) {
        let words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        return Err(format!("git {}: {}", words.join(" "), done.stderr.trim()));
    }
    Ok(done.stdout.trim_end().to_owned())
}

/// Returns the line by which git's shell merges. Git quotes `%P` for the shell and names the files of the versions itself.
fn driver_line(program: &OsStr) -> OsString {
    // Git would take a sign of percent in the path for one of its own.
    let program = replaced(program, b'%', b"%%");
    joined(
        &program,
        " merge --path=%P --output=%A.sequent -- %O %A %B; code=$?; \
         case $code in 0|1|3) test -f %A.sequent && mv -f %A.sequent %A && exit $code;; esac; rm -f %A.sequent; \
         git merge-file -L ours -L base -L theirs %A %O %B || exit 1",
    )
}

/// This program as a shell would call it: by name if that finds it, else by its path, quoted.
fn program() -> OsString {
    let own = std::env::current_exe().ok();
    let search = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&search).map(|folder| folder.join("sequent"));
    let is_own =
        |path: &PathBuf| path.canonicalize().ok() == own.as_ref().and_then(|own| own.canonicalize().ok());
    match (own.clone(), found.find(|path| path.is_file()).is_some_and(|path| is_own(&path))) {
        (Some(own), false) => quoted(own.as_os_str()),
        (Some(_) | None, _) => "sequent".into(),
    }
}

/// Quotes a word for the shell that git calls, on Windows too, where it is given forward slashes.
fn quoted(word: &OsStr) -> OsString {
    let word = if cfg!(windows) { replaced(word, b'\\', b"/") } else { word.to_owned() };
    let mut quoted = OsString::from("'");
    quoted.push(replaced(&word, b'\'', b"'\\''"));
    quoted.push("'");
    quoted
}

fn joined(one: &OsStr, other: &str) -> OsString {
    let mut joined = one.to_owned();
    joined.push(other);
    joined
}

/// Replaces an ASCII character.
fn replaced(word: &OsStr, from: u8, to: &[u8]) -> OsString {
    let parts = word.as_encoded_bytes().split(|byte| *byte == from);
    let bytes = parts.collect::<Vec<&[u8]>>().join(to);
    os_string(bytes)
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges three versions with an attempt that goes wrong; what is then in the file, and the exit code.
    fn spared(versions: [&str; 3], attempt: impl FnOnce() -> Result<u8, String>) -> (String, u8) {
        let path = std::env::temp_dir().join(format!("sequent-spared-{}.puml", std::process::id()));
        std::fs::write(&path, "half a mer").expect("a writable file");
        let [base, ours, theirs] = versions.map(str::as_bytes);
        let code = spare(&VersionFiles { name: "a.puml", base, ours, theirs }, &path, &|_| {}, attempt)
            .expect("it is written");
        let text = std::fs::read_to_string(&path).expect("a readable file");
        std::fs::remove_file(&path).expect("it is there");
        (text, code)
    }

    #[test]
    fn a_path_is_one_word_for_the_shell_and_git() {
        assert_eq!(quoted("/opt/it's here/sequent".as_ref()), "'/opt/it'\\''s here/sequent'");
        let line = driver_line("'/50%/sequent'".as_ref());
        assert!(line.to_string_lossy().starts_with("'/50%%/sequent' merge --path=%P "), "{line:?}");
    }

    #[test]
    fn whatever_goes_wrong_both_sides_are_in_the_file() {
        let far = ["1\n2\n3\n", "0\n1\n2\n3\n", "1\n2\n3\n4\n"];
        let merged = ("0\n1\n2\n3\n4\n".to_owned(), 0);
        assert_eq!(spared(far, || panic!("on purpose")), merged);
        assert_eq!(spared(far, || Err("no settings".to_owned())), merged);
        let near = ["1\n", "1\nours\n", "1\ntheirs\n"];
        let (text, code) = spared(near, || panic!("on purpose"));
        assert_eq!(code, CONFLICT);
        assert_eq!(
            text,
            "1\n<<<<<<< ours (both sides changed this)\nours\n=======\ntheirs\n>>>>>>> theirs\n"
        );
        // What went well is left alone.
        assert_eq!(spared(near, || Ok(0)), ("half a mer".to_owned(), 0));
    }
}
