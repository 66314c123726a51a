//! PlantUML sequence diagrams: from lines to statements.
//!
//! PlantUML tries its commands on a line in a fixed order and takes the first that matches; [`statement`] follows the same
//! order, because it matters: `title -> b : x` is a title, while `note -> b : x` and `end -> b` are messages. Each file
//! beside this one reads one family of statements and answers `None` where PlantUML's command would not match.
//!
//! Nothing is looked up here. That a participant is unknown or that an `end` closes nothing is found when the statements
//! are resolved.

mod arrow;
mod complaint;
mod fragment;
mod judge;
mod life;
mod message;
mod note;
mod numbering;
mod participant;
mod reference;
mod separator;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::meter;

use super::common;
use super::common::scan::Scan;
use super::common::text::unescape;
use crate::line::Line;
use crate::tree::sequence::SequenceStatement;
use crate::tree::{Name, Statement, StatementKind, Text};

/// Reads the lines of a sequence diagram.
pub fn read(lines: &[Line], diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement<SequenceStatement>> {
    let mut statements = Vec::with_capacity(lines.len());
    let mut at = 0;
    let mut blocks = BlockCount::default();
    // What follows a note or a reference that is not closed is its text, up to the next statement.
    let mut is_in_text = false;
    while at < lines.len() && !meter::is_over() {
        if Scan::new(&lines[at].text).is_done() {
            at += 1;
            continue;
        }
        let found = statement(lines, at, diagnostics);
        let is_text = is_in_text && found.is_none();
        is_in_text = is_text || found.is_none() && complaint::is_open_text(&lines[at]);
        let unread = match (&found, is_text) {
            (None, false) => common::unread::text(lines, at, || complaint::about(&lines[at])),
            _ => None,
        };
        if unread.is_some() {
            is_in_text = false;
        }
        let (kind, count) = found.unwrap_or_else(|| {
            if let Some((count, complaint)) = unread {
                diagnostics.push(complaint);
                return (StatementKind::Unknown, count);
            }
            let is_close = complaint::closing_word(&lines[at]).is_some() && blocks.is_any_open();
            let kind = if is_close { close() } else { StatementKind::Unknown };
            if !(is_text || is_close && blocks.is_foreign()) {
                diagnostics.push(complaint::about(&lines[at]));
            }
            blocks.foreign += usize::from(!is_text && complaint::is_foreign(&lines[at]));
            (kind, 1)
        });
        let kind = blocks.counted(kind);
        statements.push(common::statement(lines, at, count, kind));
        at += count;
    }
    judge::judge(&statements, diagnostics);
    statements
}

/// The blocks that are open, and those of other languages (`if`) whose lines are no statements.
#[derive(Default)]
struct BlockCount {
    open: usize,
    foreign: usize,
}

fn close() -> StatementKind<SequenceStatement> {
    StatementKind::Item(SequenceStatement::Close)
}

impl BlockCount {
    fn is_any_open(&self) -> bool {
        self.open + self.foreign > 0
    }

    /// Whether the innermost block is one of another language.
    fn is_foreign(&self) -> bool {
        self.open == 0 && self.foreign > 0
    }

    /// A statement, or nothing that is known where it divides or closes a block of another language.
    fn counted(&mut self, kind: StatementKind<SequenceStatement>) -> StatementKind<SequenceStatement> {
        let is_foreign = self.is_foreign();
        match &kind {
            StatementKind::Item(SequenceStatement::Open(_)) => self.open += 1,
            StatementKind::Item(SequenceStatement::Divide(_)) if is_foreign => return StatementKind::Unknown,
            StatementKind::Item(SequenceStatement::Close) if is_foreign => {
                self.foreign -= 1;
                return StatementKind::Unknown;
            }
            StatementKind::Item(SequenceStatement::Close) => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        kind
    }
}

/// What stands at `lines[at]`, and how many lines it takes.
fn statement(
    lines: &[Line],
    at: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(StatementKind<SequenceStatement>, usize)> {
    if let Some(found) = common::read(lines, at) {
        return Some(found);
    }
    let line = &lines[at];
    let single = separator::hide_unlinked(line)
        .or_else(|| life::activation(line, diagnostics))
        .or_else(|| participant::read(line, diagnostics));
    if let Some(item) = single {
        return Some((StatementKind::Item(item), 1));
    }
    if let Some((item, count)) = participant::multiline(lines, at, diagnostics) {
        return Some((StatementKind::Item(item), count));
    }
    let single = message::read(line, diagnostics)
        .or_else(|| note::single(line, diagnostics))
        .or_else(|| fragment::read(line, diagnostics))
        .or_else(|| life::shorthand(line, diagnostics))
        .or_else(|| life::returning(line, diagnostics));
    if let Some(item) = single {
        return Some((StatementKind::Item(item), 1));
    }
    if let Some((item, count)) = note::multiline(lines, at, diagnostics) {
        return Some((StatementKind::Item(item), count));
    }
    if let Some(item) = separator::read(line).or_else(|| reference::single(line, diagnostics)) {
        return Some((StatementKind::Item(item), 1));
    }
    if let Some((item, count)) = reference::multiline(lines, at, diagnostics) {
        return Some((StatementKind::Item(item), count));
    }
    if let Some(item) = numbering::read(line) {
        return Some((StatementKind::Item(item), 1));
    }
    if let Some(duration) = separator::duration(line) {
        let message =
            format!("the duration `{}` is drawn, and nothing is checked about it", duration.text.text);
        let hint = "runs are orders of events without time: say with `@order` what must come before what";
        diagnostics.push(Diagnostic::new(Code::DurationUnchecked, duration.text.span, message).hint(hint));
        return Some((StatementKind::Item(SequenceStatement::Duration(duration)), 1));
    }
    separator::is_presentation(line).then_some((StatementKind::Presentation, 1))
}

/// A name as written in `line`, where its `\n` break the label that is drawn.
fn name(line: &Line, written: &str) -> Name {
    let label = unescape(written);
    Name {
        text: written.to_owned(),
        label: (label != written).then_some(label),
        span: line.span_of_part(written),
    }
}

/// A text as written in `line`.
fn text(line: &Line, written: &str) -> Text {
    Text { text: unescape(written), span: line.span_of_part(written) }
}

/// Takes a name, quoted or not.
fn take_name<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    scan.quoted().or_else(|| scan.name())
}

/// Takes a colour `#word` and complains if there is none of that name.
fn take_colour(line: &Line, scan: &mut Scan, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let colour = scan.plain_colour()?;
    common::colour::check(colour, line.span_of_part(colour), diagnostics);
    Some(colour.to_owned())
}

#[cfg(test)]
mod tests;
