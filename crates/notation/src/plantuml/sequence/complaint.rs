//! Complaints about lines that are no statement: what is probably meant.
//!
//! Most such lines are messages with one thing amiss (no colon, a name that needs quotes, two arrows), misspelt keywords,
//! or blocks without their end.

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy};

use super::{fragment, note, participant, reference};
use crate::keywords::{instead_of, is_foreign_end};
use crate::line::Line;
use crate::plantuml::common;
use crate::plantuml::common::scan::{Scan, is_name, is_space, trim};

/// The complaint about `line`.
pub(crate) fn about(line: &Line) -> Diagnostic {
    let shown = trim(&line.text);
    let span = line.span_of_part(shown);
    if note::is_start(line) {
        return Diagnostic::new(Code::UnclosedBlock, span, "the note is never closed: `end note` is missing");
    }
    if reference::is_start(line) {
        return Diagnostic::new(
            Code::UnclosedBlock,
            span,
            "the reference is never closed: `end ref` is missing",
        );
    }
    if let Some(word) = closing_word(line) {
        let message = format!("`{shown}` is not a valid statement in a sequence diagram");
        return Diagnostic::new(Code::Syntax, span, message).meant(word, "end");
    }
    let complaint = arrow_amiss(line).or_else(|| class_amiss(line)).or_else(|| foreign(line));
    complaint.unwrap_or_else(|| common::not_understood(line, "sequence diagram", &words()))
}

/// Whether a line begins a block that has an `end`: one of another language, or one whose keyword is misspelt.
pub(crate) fn is_foreign(line: &Line) -> bool {
    let is_block = |word: &str| fragment::KEYWORDS.iter().any(|(keyword, _)| *keyword == word);
    let remedy = || about(line).remedy;
    let is_misspelt =
        || matches!(remedy().as_deref(), Some(Remedy::Respell(_, keyword)) if is_block(keyword));
    let word = trim(&line.text).split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    foreign(line).is_some() || is_block(&word.to_ascii_lowercase()) || is_misspelt()
}

/// Whether a line opens a text of several lines that nothing closes.
pub(crate) fn is_open_text(line: &Line) -> bool {
    note::is_start(line) || reference::is_start(line)
}

/// The word of a line that closes a block as other languages do: `endloop`, `end_alt`, `endif`.
pub(crate) fn closing_word(line: &Line) -> Option<&str> {
    Some(trim(&line.text)).filter(|word| is_foreign_end(word))
}

fn foreign(line: &Line) -> Option<Diagnostic> {
    let shown = trim(&line.text);
    let word = shown.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let instead = instead_of(word)?;
    let message = format!("sequence diagrams have no `{word}`");
    Some(Diagnostic::new(Code::Syntax, line.span_of_part(shown), message).hint(instead))
}

/// That a participant is declared as an object of a class, which needs quotes.
fn class_amiss(line: &Line) -> Option<Diagnostic> {
    let shown = trim(&line.text);
    let (word, declared) = shown.split_once(is_space)?;
    let is_kind = participant::KINDS.iter().any(|(kind, _)| kind.eq_ignore_ascii_case(word));
    let (name, class) = declared.split_once(':').filter(|_| is_kind)?;
    let (name, class) = (trim(name), trim(class));
    let is_word = |text: &str| !text.is_empty() && text.chars().all(is_name);
    let message = format!("`{declared}` is not a valid participant name");
    let hint = format!("write `{word} \"{name} : {class}\" as {name}`");
    let finding = Diagnostic::new(Code::Syntax, line.span_of_part(declared), message).hint(hint);
    (is_word(name) && is_word(class)).then_some(finding)
}

/// What is wrong with a line that holds an arrow.
fn arrow_amiss(line: &Line) -> Option<Diagnostic> {
    let shown = trim(&line.text);
    let shown = trim(shown.strip_prefix('&').unwrap_or(shown));
    let arrow = ["->", "<-", "--"].iter().filter_map(|arrow| shown.find(arrow)).min()?;
    let before_text = shown.find(':').is_none_or(|colon| arrow < colon);
    if !before_text {
        return None;
    }
    let (left, right) =
        (trim(&shown[..arrow]), shown[arrow..].trim_start_matches(['-', '<', '>', '\\', '/']));
    let left = left.trim_end_matches(['<', '-', '/', '\\']);
    let complain = |part: &str, message: String, hint: String| {
        Diagnostic::new(Code::Syntax, line.span_of_part(part), message).hint(hint)
    };
    if !is_plain(left) {
        let message = format!("`{left}` is not a valid participant name");
        return Some(complain(left, message, format!("put it in quotes: `\"{}\"`", left.replace('"', ""))));
    }
    let mut scan = Scan::new(right);
    let name = scan.quoted().or_else(|| scan.name())?;
    scan.spaces();
    let rest = scan.rest();
    if rest.starts_with(is_name) && !rest.contains(':') {
        let message = format!("`{rest}` follows the receiver without a colon");
        return Some(complain(rest, message, format!("write `{name} : {rest}`")));
    }
    let named = trim(right.split(':').next().unwrap_or_default());
    let message = format!("`{named}` is not a valid participant name");
    (!is_plain(named))
        .then(|| complain(named, message, format!("put it in quotes: `\"{}\"`", named.replace('"', ""))))
}

/// Whether `name` is one, quoted or not.
fn is_plain(name: &str) -> bool {
    let mut scan = Scan::new(name);
    let _ = scan.quoted().or_else(|| scan.name());
    scan.is_done() || scan.rest().starts_with(is_space) && scan.rest().contains(" as ")
}

/// The words statements start with.
fn words() -> Vec<&'static str> {
    let kinds = participant::KINDS.iter().map(|(word, _)| *word);
    let blocks = fragment::KEYWORDS.iter().map(|(word, _)| *word);
    kinds.chain(blocks).chain(WORDS.iter().copied()).collect()
}

const WORDS: &[&str] = &[
    "activate",
    "deactivate",
    "destroy",
    "create",
    "return",
    "autonumber",
    "autoactivate",
    "box",
    "note",
    "hnote",
    "rnote",
    "ref",
    "else",
    "end",
    "endbox",
    "endnote",
    "newpage",
];
