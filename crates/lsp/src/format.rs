//! Formatting: lines of diagrams are indented as their blocks are nested, and spaces at their ends go. Nothing else changes.
//!
//! It is offered only to editors that ask for it, and given only if the diagrams mean the same afterwards: the new text is read and its
//! model compared with that of the old one. Lines that begin no statement (the text of notes), preprocessor lines and text
//! outside of diagrams stay as they are.

use sequent_kernel::source::{FileId, Source, Sources};
use sequent_notation::tree::Document;
use sequent_notation::tree::lossless::{FilePiece, LeafKind, cut};
use sequent_notation::{Context, resolve};
use serde_json::{Value, json};

/// Spaces of an indentation where the editor says nothing.
const WIDTH: u64 = 2;

/// The changes that format a file, each of one line; none if they would change what it means.
pub(crate) fn edits(document: &Document, source: &Source, options: &Value) -> Value {
    let unit = match options["insertSpaces"].as_bool() {
        Some(false) => "\t".to_owned(),
        Some(true) | None => " ".repeat(options["tabSize"].as_u64().unwrap_or(WIDTH).clamp(1, 8) as usize),
    };
    let lines = formatted(document, source, &unit);
    let mut text: Vec<String> = source.text.split_inclusive('\n').map(str::to_owned).collect();
    for (line, new) in &lines {
        let old = &text[*line];
        let end = &old[old.trim_end_matches(['\n', '\r']).len()..];
        text[*line] = format!("{new}{end}");
    }
    if !means_the_same(source, &text.concat()) {
        return json!([]);
    }
    let edit = |(line, new): &(usize, String)| {
        let old = source.line(*line as u32 + 1).encode_utf16().count();
        let range =
            json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": old } });
        json!({ "range": range, "newText": new })
    };
    json!(lines.iter().map(edit).collect::<Vec<_>>())
}

/// The lines that change, counted from 0, as they are to be.
fn formatted(document: &Document, source: &Source, unit: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for node in cut(document, source.text.len()).nodes {
        if let FilePiece::Branch(diagram) = node {
            let base = base(&diagram, source);
            block(&diagram, source, &base, unit, 0, &mut found);
        }
    }
    found
}

/// The indentation of the first statement of a diagram, which all others of its level take over.
fn base(diagram: &[FilePiece], source: &Source) -> String {
    let is_statement =
        |kind: LeafKind| matches!(kind, LeafKind::Statement | LeafKind::Open | LeafKind::Directive);
    let first = diagram.iter().find_map(|node| match node {
        FilePiece::Leaf(leaf) if is_statement(leaf.kind) => Some(leaf.span.start),
        FilePiece::Branch(inner) => inner.iter().find_map(|node| match node {
            FilePiece::Leaf(leaf) => Some(leaf.span.start),
            FilePiece::Branch(_) => None,
        }),
        FilePiece::Leaf(_) => None,
    });
    let line = first.map(|at| source.line(source.position(at).line)).unwrap_or_default();
    line[..line.len() - line.trim_start().len()].to_owned()
}

fn block(
    nodes: &[FilePiece],
    source: &Source,
    base: &str,
    unit: &str,
    depth: usize,
    found: &mut Vec<(usize, String)>,
) {
    for node in nodes {
        let leaf = match node {
            FilePiece::Branch(inner) => {
                block(inner, source, base, unit, depth + 1, found);
                continue;
            }
            FilePiece::Leaf(leaf) => leaf,
        };
        let depth = match leaf.kind {
            LeafKind::Statement | LeafKind::Comment | LeafKind::Directive => depth,
            LeafKind::Open | LeafKind::Divide | LeafKind::Close => depth.saturating_sub(1),
            LeafKind::Prose
            | LeafKind::Blank
            | LeafKind::Preprocessor
            | LeafKind::Presentation
            | LeafKind::Unknown => continue,
        };
        let line = source.position(leaf.span.start).line;
        let old = source.line(line);
        let new = format!("{base}{}{}", unit.repeat(depth), old.trim());
        if new != old && !old.trim_start().starts_with('!') && !old.trim().is_empty() {
            found.push((line as usize - 1, new));
        }
    }
}

/// Whether a text says the same as a file, as far as neither includes others.
fn means_the_same(source: &Source, text: &str) -> bool {
    let model = |text: &str| {
        let mut sources = Sources::new();
        let file: FileId = sources.add(source.name.clone(), text);
        let mut diagnostics = Vec::new();
        let mut context = Context::without_files(&mut sources, &mut diagnostics);
        let document = sequent_notation::read(file, &mut context);
        let (model, more) = resolve::resolve(&[document], &sources);
        let told: Vec<_> =
            diagnostics.iter().chain(&more).map(|one| (one.code, one.message.clone())).collect();
        (model, told)
    };
    model(&source.text) == model(text)
}
