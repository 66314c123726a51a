//! What can stand in every Mermaid diagram: comments, directives, settings, front matter, empty lines.
//!
//! [`complete`] adds these to the statements a reader found, in the order of the text, and makes sure that every line
//! with something on it belongs to a statement.

use std::ops::Range;

use super::clean::Removed;
use super::script::MermaidScript;
use super::text::is_space;
use crate::keywords;
use crate::tree::{Directive, Statement, StatementKind};

/// The comment in a range of the cleaned text.
pub(crate) fn comment<I>(script: &MermaidScript, range: Range<usize>) -> StatementKind<I> {
    let text = &script.text[range.clone()];
    let spaced = text.trim_start_matches(is_space);
    let Some(body) = spaced.strip_prefix("%%") else { return StatementKind::Comment };
    let start = range.start + text.len() - body.len();
    match parts(body) {
        Some([name, argument]) => StatementKind::Directive(Directive {
            name: body[name.start + 1..name.end].to_owned(),
            argument: body[argument.clone()].to_owned(),
            name_span: script.span(start + name.start..start + name.end),
            argument_span: script.span(start + argument.start..start + argument.end),
        }),
        None => StatementKind::Comment,
    }
}

/// A comment that was cut out, as a range of the joined lines.
fn removed_comment<I>(script: &MermaidScript, range: Range<usize>) -> StatementKind<I> {
    let text = script.joined_text(range.clone());
    let body = text.trim_start_matches(is_space).strip_prefix("%%").unwrap_or_default();
    let start = range.start + text.len() - body.len();
    match parts(body) {
        Some([name, argument]) => StatementKind::Directive(Directive {
            name: body[name.start + 1..name.end].to_owned(),
            argument: body[argument.clone()].to_owned(),
            name_span: script.joined_span(start + name.start..start + name.end),
            argument_span: script.joined_span(start + argument.start..start + argument.end),
        }),
        None => StatementKind::Comment,
    }
}

/// Where `@name` and its argument stand in the body of a comment, if it is a directive.
fn parts(body: &str) -> Option<[Range<usize>; 2]> {
    let spaced = body.trim_start_matches(is_space);
    let name = spaced.strip_prefix('@')?;
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) || keywords::lacks_name(name)).then_some(())?;
    let start = body.len() - spaced.len();
    let length =
        name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(name.len());
    let end = start + 1 + length;
    let argument = body[end..].trim_start_matches(is_space);
    let argument_start = body.len() - argument.len();
    Some([start..end, argument_start..argument_start + argument.trim_end_matches(is_space).len()])
}

/// Adds what the readers do not see, and sorts all by place.
pub(crate) fn complete<I>(script: &MermaidScript, mut statements: Vec<Statement<I>>) -> Vec<Statement<I>> {
    for (range, removed) in &script.removed {
        let kind = match removed {
            Removed::Comment => removed_comment(script, range.clone()),
            Removed::Settings => StatementKind::Presentation,
            Removed::FrontMatter => {
                script.title.clone().map_or(StatementKind::Presentation, StatementKind::Title)
            }
        };
        let text = script.joined_text(range.clone());
        let start = range.start + text.len() - text.trim_start_matches(is_space).len();
        let end = (range.start + text.trim_end_matches(is_space).len()).max(start);
        let span = script.joined_span(start..end);
        statements.push(Statement { span, lines: script.joined_lines(start..end), kind });
    }
    sort(&mut statements);
    let missing = uncovered(script, &statements);
    if !missing.is_empty() {
        statements.extend(missing);
        sort(&mut statements);
    }
    statements
}

fn sort<I>(statements: &mut [Statement<I>]) {
    statements.sort_by_key(|statement| (statement.lines.start, statement.span.start));
}

/// A statement for each line that has something on it and belongs to none; `statements` are sorted.
fn uncovered<I>(script: &MermaidScript, statements: &[Statement<I>]) -> Vec<Statement<I>> {
    let mut missing = Vec::new();
    let mut next = statements.iter().peekable();
    let mut covered = 0;
    for line in script.lines {
        while let Some(statement) = next.next_if(|statement| statement.lines.start <= line.whole.start) {
            covered = covered.max(statement.lines.end);
        }
        if covered < line.whole.end && !line.text.trim_matches(is_space).is_empty() {
            missing.push(Statement { span: line.span, lines: line.whole, kind: StatementKind::Presentation });
        }
    }
    missing
}
