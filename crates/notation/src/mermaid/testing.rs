//! For tests: what a diagram says, statement by statement, without places.

use std::fmt::Debug;

use sequent_kernel::source::Sources;

use crate::Context;
use crate::line::cut;
use crate::tree::{DiagramContent, Statement, StatementKind};

/// One line per statement and per finding, with the number of the line it stands on.
pub(crate) fn told(text: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add("a.mmd", text);
    let lines = cut(file, sources.get(file), 0..text.len());
    let mut diagnostics = Vec::new();
    let mut context = Context::without_files(&mut sources, &mut diagnostics);
    let block = super::read_lines(lines, &mut context);
    let mut out = match &block.content {
        DiagramContent::Sequence(statements) => listed(statements, &sources),
        DiagramContent::State(statements) => listed(statements, &sources),
        DiagramContent::Class(statements) => listed(statements, &sources),
        DiagramContent::Other(kind) => format!("other: {kind}\n"),
    };
    for diagnostic in &diagnostics {
        let line = sources.position(diagnostic.span).line;
        let place = sources.text(diagnostic.span);
        out += &format!("{line} {} at {place:?}: {}\n", diagnostic.name(), diagnostic.message);
    }
    out
}

fn listed<I: Debug>(statements: &[Statement<I>], sources: &Sources) -> String {
    let line = |statement: &Statement<I>| {
        let line = sources.position(statement.span).line;
        let said = match &statement.kind {
            StatementKind::Item(item) => bare(&format!("{item:?}")),
            StatementKind::Directive(directive) => format!("@{} {:?}", directive.name, directive.argument),
            StatementKind::Title(title) => format!("title {title:?}"),
            StatementKind::Caption(caption) => format!("{caption:?}"),
            kind @ (StatementKind::Comment
            | StatementKind::Preprocessor
            | StatementKind::Presentation
            | StatementKind::Unknown) => format!("{kind:?}").to_lowercase(),
        };
        format!("{line} {said}\n")
    };
    statements.iter().map(line).collect()
}

/// A debug text without spans and without fields that say nothing.
fn bare(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(start) = text.find(", span: Span {") {
        let end = text[start..].find('}').map_or(text.len(), |end| start + end + 1);
        text.replace_range(start..end, "");
    }
    let silent = [
        ", label: None",
        ", colour: None",
        ", stereotypes: []",
        ", order: 0",
        ", create: false",
        ", others: []",
        ", parallel: false",
        ", hidden: false",
        ", anchor: None",
        ", subtitle: None",
        ", aligned: false",
        ", member: None",
        ", qualifier: None",
        ", generics: None",
        ", extends: []",
        ", implements: []",
        ", description: None",
        ", half: None",
        ", circle: false",
        ", shape: Folded",
        ", look: LineLook { way: None }",
        ", look: NoteLook { side: None }",
        ", life: LifeShorthand { activate: false, deactivate: false, destroy: false }",
    ];
    silent.iter().for_each(|part| text = text.replace(part, ""));
    text.replace(", create: false", "")
        .replace("Name { text: ", "Name { ")
        .replace("Text { text: ", "Text { ")
}
