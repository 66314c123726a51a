//! State diagrams as PlantUML reads them: one line, one statement, tried in PlantUML's own order.
//!
//! The order matters: `title: x` is a line of the description of a state called `title`, because `name : text` is tried
//! before everything that diagrams have in common.

mod arrow;
mod declaration;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::meter;

use super::common;
use super::common::scan::{Scan, is_space, is_word, trim};
use super::common::text;
use super::note;
use crate::line::Line;
use crate::tree::state::{StateNote, StateNoteTarget, StateStatement};
use crate::tree::{Name, Statement, StatementKind, Text};

/// The words statements of a state diagram start with.
const WORDS: &[&str] = &["state", "frame", "note", "json", "end state", "remove", "restore"];

/// Reads the lines of a state diagram.
pub fn read(lines: &[Line], diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement<StateStatement>> {
    let mut statements = Vec::new();
    let mut at = 0;
    while at < lines.len() && !meter::is_over() {
        if trim(&lines[at].text).is_empty() {
            at += 1;
            continue;
        }
        let (kind, count) = statement(lines, at, diagnostics).unwrap_or_else(|| {
            let (count, complaint) = common::unread(lines, at, || not_understood(&lines[at]));
            diagnostics.push(complaint);
            let closes = trim(&lines[at].text).starts_with('}');
            (if closes { StatementKind::Item(StateStatement::Close) } else { StatementKind::Unknown }, count)
        });
        statements.push(common::statement(lines, at, count, kind));
        at += count;
    }
    statements
}

/// The statement at `lines[at]` and how many lines it takes.
fn statement(
    lines: &[Line],
    at: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(StatementKind<StateStatement>, usize)> {
    let line = &lines[at];
    if note::is_presentation(&line.text) {
        return Some((StatementKind::Presentation, 1));
    }
    if let Some(item) = single(line, diagnostics) {
        return Some((StatementKind::Item(item), 1));
    }
    let note = note::read(lines, at, |c| is_word(c) || c == '.').or_else(|| note::data(lines, at));
    if let Some(note) = note {
        let count = note.count;
        return Some((StatementKind::Item(StateStatement::Note(item(note))), count));
    }
    common::read(lines, at)
}

/// Statements of one line.
fn single(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<StateStatement> {
    if let Some(state) = declaration::read(line, diagnostics) {
        return Some(StateStatement::State(state));
    }
    if let Some(item) = arrow::read(line) {
        return Some(item);
    }
    let text = trim(&line.text);
    if text == "}" || common::is_end_of(text, "state") {
        return Some(StateStatement::Close);
    }
    if let Some((name, text)) = description(line) {
        return Some(StateStatement::Description { name, text });
    }
    if let Some(separator) = note::separator(&line.text) {
        return Some(StateStatement::Separator(separator));
    }
    let is_rule = |sign| text.len() >= 2 && text.bytes().all(|byte| byte == sign);
    (is_rule(b'-') || is_rule(b'|')).then_some(StateStatement::Region)
}

/// `A : text`
fn description(line: &Line) -> Option<(Name, Text)> {
    let mut scan = Scan::new(&line.text);
    let name = match scan.quoted() {
        Some(name) => name,
        None => declaration::code(&mut scan)?,
    };
    scan.spaces();
    if !scan.literal(":") {
        return None;
    }
    scan.spaces();
    let name = Name { text: name.to_owned(), label: None, span: line.span_of_part(name) };
    Some((name, Text { text: text::unescape(scan.rest()), span: line.span_of_part(scan.rest()) }))
}

fn item(note: note::ReadNote) -> StateNote {
    let target = match note.target {
        note::NoteAnchor::Of(name) => StateNoteTarget::Name(name),
        note::NoteAnchor::Last => StateNoteTarget::Last,
        note::NoteAnchor::LastLink => StateNoteTarget::LastTransition,
        note::NoteAnchor::Floating(name) => StateNoteTarget::Floating(Some(name)),
    };
    StateNote { target, look: note.look, text: note.text }
}

/// The complaint about a line that is no statement, with what is probably meant.
fn not_understood(line: &Line) -> Diagnostic {
    let complaint = common::not_understood(line, "state diagram", WORDS);
    if complaint.hint.is_some() {
        return complaint;
    }
    let text = trim(&line.text);
    if text.starts_with('}') {
        return complaint.hint("`}` stands alone on its line");
    }
    let mut scan = Scan::new(text);
    if scan.keyword("note") && !text.contains(':') {
        let message = format!("`{text}` is never closed: `end note` is missing");
        return Diagnostic::new(Code::UnclosedBlock, complaint.span, message);
    }
    let is_declaration = scan.keyword("state") && scan.spaces();
    let hint = if is_declaration && scan.quoted().is_some() {
        "give the state a name: `state \"Long text\" as Name`"
    } else if is_declaration && text.contains(|c| !is_word(c) && !is_space(c)) {
        "names consist of letters, digits, `_` and `.`; other text goes into quotes: `state \"my-state\" as my_state`"
    } else if text.contains("->") || text.contains("<-") {
        "a transition is written `A --> B : trigger [guard] / effect`"
    } else {
        return complaint;
    };
    complaint.hint(hint)
}

#[cfg(test)]
mod tests;
