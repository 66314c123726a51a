//! What a file holds: its diagrams with their parts, and the lines that can be folded.

use std::path::Path;

use sequent_kernel::model::{Model, VertexKind};
use sequent_kernel::source::Span;
use sequent_notation::tree::lossless::{FilePiece, cut};
use serde_json::{Value, json};

use crate::navigate::FolderView;
use crate::{FolderFiles, text};

/// The kinds of symbols that the protocol knows, as far as they fit.
const MODULE: u32 = 2;
const CLASS: u32 = 5;
const METHOD: u32 = 6;
const FIELD: u32 = 8;
const OBJECT: u32 = 19;
const STATE: u32 = 22;

/// A part of a diagram.
struct OutlineItem {
    name: String,
    kind: u32,
    place: Span,
    parts: Vec<OutlineItem>,
}

fn part(name: &str, kind: u32, place: Span, parts: Vec<OutlineItem>) -> OutlineItem {
    let name = if name.is_empty() { "(no name)".to_owned() } else { name.replace('\n', " ") };
    OutlineItem { name, kind, place, parts }
}

/// The diagrams of a model.
fn parts(model: &Model) -> Vec<OutlineItem> {
    let mut found = Vec::new();
    for one in model.interactions.iter() {
        let lifelines = one.lifelines.iter().map(|line| part(&line.name, OBJECT, line.place.0, Vec::new()));
        found.push(part(&one.name, MODULE, one.place.0, lifelines.collect()));
    }
    for one in model.machines.iter() {
        let states = one.vertices.iter().filter(|vertex| matches!(vertex.kind, VertexKind::State(_)));
        let states = states.map(|vertex| part(&vertex.name, STATE, vertex.place.0, Vec::new()));
        found.push(part(&one.name, CLASS, one.place.0, states.collect()));
    }
    for one in model.classes.iter().filter(|class| class.declared) {
        let attributes = one.attributes.iter().map(|own| part(&own.name, FIELD, own.place.0, Vec::new()));
        let operations = one.operations.iter().map(|own| part(&own.name, METHOD, own.place.0, Vec::new()));
        found.push(part(&one.name, CLASS, one.place.0, attributes.chain(operations).collect()));
    }
    let objects = model.objects.iter().map(|one| part(&one.name, OBJECT, one.place.0, Vec::new()));
    found.extend(objects);
    found.sort_by_key(|part| part.place);
    found
}

/// The symbols of a file.
pub(crate) fn document(view: &FolderView, file: &Path) -> Value {
    let Some(leaf) = view.id(file).and_then(|id| view.leaf(id)) else { return json!([]) };
    let id = leaf.page.document.file;
    let own = parts(&leaf.page.model).into_iter().filter(|part| part.place.file == id);
    json!(own.map(|part| symbol(view, &part)).collect::<Vec<_>>())
}

fn symbol(view: &FolderView, part: &OutlineItem) -> Value {
    let range = text::range(view.sources.get(part.place.file), part.place);
    let inner = part.parts.iter().filter(|inner| part.place.encloses(inner.place));
    json!({
        "name": part.name,
        "kind": part.kind,
        "range": range,
        "selectionRange": range,
        "children": inner.map(|part| symbol(view, part)).collect::<Vec<_>>(),
    })
}

/// The symbols of all files whose names contain a text.
pub(crate) fn workspace(folder: &FolderFiles, query: &str) -> Vec<Value> {
    let query = query.to_lowercase();
    let mut found = Vec::new();
    for whole in folder.pages.iter().flat_map(|page| parts(&page.model)) {
        let inner = whole.parts.iter().map(|part| (part, Some(&whole.name)));
        for (part, container) in [(&whole, None)].into_iter().chain(inner) {
            if part.name.to_lowercase().contains(&query) {
                let location = text::location(folder.sources.get(part.place.file), part.place);
                found.push(json!({
                    "name": part.name, "kind": part.kind, "location": location, "containerName": container,
                }));
            }
        }
    }
    found
}

/// Diagrams and the blocks inside them.
pub(crate) fn folds(view: &FolderView, file: &Path) -> Value {
    let mut found = Vec::new();
    if let Some(leaf) = view.id(file).and_then(|id| view.leaf(id)) {
        let document = &leaf.page.document;
        let source = view.sources.get(document.file);
        let mut open = cut(document, source.text.len()).nodes;
        while let Some(node) = open.pop() {
            let FilePiece::Branch(inner) = &node else { continue };
            if let (Some(start), Some(end)) = (first(&node), last(&node)) {
                let lines =
                    [source.position(start).line - 1, source.position(end.max(start + 1) - 1).line - 1];
                if lines[0] < lines[1] {
                    found.push(json!({ "startLine": lines[0], "endLine": lines[1] }));
                }
            }
            open.extend(inner.iter().cloned());
        }
    }
    json!(found)
}

fn first(node: &FilePiece) -> Option<u32> {
    match node {
        FilePiece::Leaf(leaf) => Some(leaf.span.start),
        FilePiece::Branch(inner) => inner.iter().find_map(first),
    }
}

fn last(node: &FilePiece) -> Option<u32> {
    match node {
        FilePiece::Leaf(leaf) => Some(leaf.span.end),
        FilePiece::Branch(inner) => inner.iter().rev().find_map(last),
    }
}
