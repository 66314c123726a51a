//! PlantUML, read as PlantUML reads it.
//!
//! A file is cut into its diagrams ([`blocks`]); the [`preprocess`]or takes comments out and carries out `!` lines; then
//! the kind of the diagram is found by reading it ([`kind`]), for nothing in the text says it. What the readers of the
//! kinds did not see (comments, directives, preprocessor lines) is woven in again, so that every line belongs to a
//! statement.

pub mod blocks;
pub mod class;
pub mod common;
pub mod kind;
pub mod note;
pub mod preprocess;
pub mod print;
pub mod sequence;
pub mod state;

use sequent_kernel::source::{FileId, Span};

use self::blocks::CutDiagram;
use self::preprocess::Aside;
use crate::Context;
use crate::line::{self, Line};
use crate::tree::{DiagramBlock, DiagramContent, Notation, Statement, StatementKind};

/// Reads the diagrams of a file.
pub fn read_file(file: FileId, context: &mut Context) -> Vec<DiagramBlock> {
    let source = context.sources.get(file);
    let lines = line::cut(file, source, 0..source.text.len());
    read_lines(lines, context)
}

/// Reads the diagrams in some lines: a file, or one block of Markdown.
pub(crate) fn read_lines(lines: Vec<Line>, context: &mut Context) -> Vec<DiagramBlock> {
    blocks::cut(lines, context.diagnostics).into_iter().filter_map(|cut| read_block(cut, context)).collect()
}

/// Reads one diagram; `None` if there is not a single line.
fn read_block(cut: CutDiagram, context: &mut Context) -> Option<DiagramBlock> {
    let CutDiagram { kind, name, start, lines, end } = cut;
    let first = start.as_ref().or(lines.first()).or(end.as_ref())?.whole;
    let last = end.as_ref().or(lines.last()).or(start.as_ref())?.whole;
    let span = first.to(last);
    let said = context.diagnostics.len();
    let content = match kind.as_str() {
        "uml" => {
            let (front, lines) = front_matter(lines);
            let mut prepared = preprocess::expand(lines, context);
            prepared.asides.splice(0..0, start.iter().chain(&front).map(bracket));
            prepared.asides.extend(end.iter().map(bracket));
            kind::read(prepared, span, context.diagnostics)
        }
        _ => kind::other(kind, span, context.diagnostics),
    };
    if let DiagramContent::Other(_) = content {
        // What it would include, and what else is missing, matters only to a drawing.
        let last = context.diagnostics.pop();
        context.diagnostics.truncate(said);
        context.diagnostics.extend(last);
    }
    Some(DiagramBlock { notation: Notation::PlantUml, span, name, heading: None, content })
}

/// The lines of a front matter, from `---` to `---` at the head of a diagram, and the others.
fn front_matter(mut lines: Vec<Line>) -> (Vec<Line>, Vec<Line>) {
    let is_edge = |line: &Line| line.text.trim() == "---";
    let first = lines.iter().position(|line| !line.text.trim().is_empty());
    let end = first.filter(|at| is_edge(&lines[*at])).and_then(|at| {
        let inside = &lines[at + 1..];
        let is_entry = |line: &&Line| {
            line.text.contains(':') || line.text.trim().is_empty() || line.text.trim_start().starts_with('-')
        };
        let length = inside.iter().position(is_edge)?;
        inside[..length].iter().all(|line| is_entry(&line)).then_some(at + length + 2)
    });
    let rest = lines.split_off(end.unwrap_or(0));
    (lines, rest)
}

/// The statement of `@startuml` or `@enduml`, or of a line of the front matter.
fn bracket(line: &Line) -> Aside {
    Statement { span: line.span, lines: line.whole, kind: StatementKind::Presentation }
}

/// Puts statements and asides together in the order of the text. Asides inside a statement of several lines go under.
fn weave<I>(statements: Vec<Statement<I>>, asides: Vec<Aside>) -> Vec<Statement<I>> {
    let mut woven = Vec::with_capacity(statements.len() + asides.len());
    let mut asides = asides.into_iter().peekable();
    for statement in statements {
        while let Some(aside) = asides.next_if(|aside| stands_before(aside, statement.span, statement.lines))
        {
            woven.push(as_statement(aside));
        }
        let is_inside =
            |aside: &Aside| aside.lines != statement.lines && aside.lines.start < statement.lines.end;
        while asides.next_if(is_inside).is_some() {}
        woven.push(statement);
    }
    woven.extend(asides.map(as_statement));
    woven
}

/// Whether an aside comes before a statement; of two that come from the same line, by their own place.
fn stands_before(aside: &Aside, span: Span, lines: Span) -> bool {
    let same_line = aside.lines.start == lines.start;
    let earlier = aside.span.file != span.file || aside.span.start <= span.start;
    aside.lines.start < lines.start || (same_line && earlier)
}

/// An aside among the statements of a diagram.
fn as_statement<I>(aside: Aside) -> Statement<I> {
    let kind = match aside.kind {
        StatementKind::Comment => StatementKind::Comment,
        StatementKind::Directive(directive) => StatementKind::Directive(directive),
        StatementKind::Preprocessor => StatementKind::Preprocessor,
        StatementKind::Presentation => StatementKind::Presentation,
        StatementKind::Title(title) => StatementKind::Title(title),
        StatementKind::Caption(caption) => StatementKind::Caption(caption),
        StatementKind::Unknown => StatementKind::Unknown,
        StatementKind::Item(never) => match never {},
    };
    Statement { span: aside.span, lines: aside.lines, kind }
}
