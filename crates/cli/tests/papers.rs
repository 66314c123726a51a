//! Every command of `docs/papers.md` is run: its exit code and the lines that the page shows are true, and so is its table of all
//! features.

mod page;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use page::{commands, follow, follow_all, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn papers() -> String {
    std::fs::read_to_string(root().join("docs/papers.md")).expect("the page is there")
}

#[test]
fn every_command_does_what_the_page_shows() {
    let count = follow_all(&papers(), &root());
    assert!(count > 20, "the page has commands");
}

#[test]
fn every_feature_is_there_or_has_a_reason() {
    let page = papers();
    let features = features(&page);
    let numbers: Vec<usize> = features.iter().map(|feature| feature.number).collect();
    assert_eq!(numbers, (1..=306).collect::<Vec<_>>(), "each number once, in order");
    let count = |status: &str| features.iter().filter(|feature| feature.status == status).count();
    let total = format!(
        "{} are there; {} are there in part, with what is missing; {} are left out, with the reason.",
        count("had"),
        count("partly"),
        count("left out")
    );
    assert!(page.contains(&total), "the page says how many there are: {total}");

    let mut printed: BTreeMap<&str, String> = BTreeMap::new();
    let mut failures = Vec::new();
    for feature in &features {
        if let Err(reason) = feature.is_true(&mut printed) {
            failures.push(format!("{}: {reason}", feature.number));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A row of the table of features.
struct Feature<'a> {
    number: usize,
    /// `had`, `partly` or `left out`.
    status: &'a str,
    /// What is missing, or why it is left out.
    reason: &'a str,
    /// The command that shows it, perhaps with its exit code behind ` # `; a dash where it is left out.
    command: &'a str,
    /// What the command prints, among other things.
    prints: &'a str,
}

impl<'a> Feature<'a> {
    /// Whether the row has all its parts and its command prints what it says; `printed` holds what other rows have run.
    fn is_true(&self, printed: &mut BTreeMap<&'a str, String>) -> Result<(), String> {
        if (self.status == "had") != self.reason.is_empty() {
            return Err("a reason, if and only if something is missing".to_owned());
        }
        match self.status {
            "left out" if (self.command, self.prints) == ("-", "-") => return Ok(()),
            "had" | "partly" => {}
            status => return Err(format!("`{status}` with the command `{}`", self.command)),
        }
        let text = match printed.entry(self.command) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(follow_one(self.command)?),
        };
        match text.contains(self.prints) {
            true => Ok(()),
            false => Err(format!("{} does not print `{}`, but\n{text}", self.command, self.prints)),
        }
    }
}

/// What a command prints, on both streams, if it ends with the exit code that stands behind it.
fn follow_one(command: &str) -> Result<String, String> {
    let shown = commands(&format!("```console\n$ {command}\n```\n"));
    let [shown] = <[_; 1]>::try_from(shown).map_err(|_| format!("no command: {command}"))?;
    let words: Vec<&str> = shown.words.iter().skip(1).map(String::as_str).collect();
    let (code, printed, complaints) = run(&words, &root());
    let text = printed + &complaints;
    match code == Some(shown.code) {
        true => Ok(text),
        false => Err(format!("{command} ends with {code:?} and prints\n{text}")),
    }
}

/// The rows of the tables that begin with a number.
fn features(page: &str) -> Vec<Feature<'_>> {
    let mut features = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let Ok(number) = cells[0].parse() else { continue };
        let [_, _, status, command, prints] = cells[..] else { panic!("a row has five cells: {line}") };
        let (status, reason) = status.split_once(": ").unwrap_or((status, ""));
        let [command, prints] = [command, prints].map(|cell| cell.trim_matches('`').trim());
        features.push(Feature { number, status, reason, command, prints });
    }
    features
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

#[test]
fn a_row_that_is_not_true_is_found() {
    let tried = |row: &str| features(row)[0].is_true(&mut BTreeMap::new());
    assert_eq!(tried("| 1 | f | had | `sequent --version` | `sequent` |"), Ok(()));
    assert_eq!(tried("| 1 | f | left out: no | - | - |"), Ok(()));
    assert!(tried("| 1 | f | had | `sequent --version` | `nowhere` |").is_err());
    assert!(tried("| 1 | f | had | `sequent --version # exit code 1` | `sequent` |").is_err());
    assert!(tried("| 1 | f | partly | `sequent --version` | `sequent` |").is_err());
    assert!(tried("| 1 | f | had | - | - |").is_err());
    assert!(features("| no | feature |").is_empty());
}
