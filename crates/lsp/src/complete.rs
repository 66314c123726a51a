//! What could stand at the cursor: participants and messages of the diagram, states and triggers of the machine, directives in
//! comments, and the words that begin a statement.

use std::collections::BTreeSet;

use sequent_kernel::model::Model;
use sequent_kernel::source::FileId;
use sequent_notation::resolve::directive;
use sequent_notation::tree::{Block, Content, Notation};
use serde_json::{Value, json};

use crate::navigate::View;

/// The kinds of items that the protocol knows, as far as they fit.
const METHOD: u32 = 2;
const VARIABLE: u32 = 6;
const KEYWORD: u32 = 14;
const VALUE: u32 = 12;

/// Words that begin statements of both notations.
const SEQUENCE: &[&str] = &[
    "participant",
    "actor",
    "activate",
    "deactivate",
    "alt",
    "else",
    "opt",
    "loop",
    "par",
    "break",
    "critical",
    "end",
    "note over",
    "autonumber",
    "box",
    "create",
    "destroy",
];
const SEQUENCE_PLANTUML: &[&str] =
    &["group", "ref over", "return", "hnote over", "database", "queue", "title"];
const SEQUENCE_MERMAID: &[&str] = &["and", "option", "rect", "links"];
const STATE: &[&str] = &["state", "[*] -->", "note right of"];

/// The words that could stand at a place.
pub fn at(view: &View, file: FileId, offset: usize) -> Value {
    let source = view.group.sources.get(file);
    let before = source.text.get(..offset).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let found = view.group.systems.iter().find_map(|system| {
        let mut blocks = system.reading.documents.iter().flat_map(|document| &document.blocks);
        let here = offset.saturating_sub(1) as u32;
        let is_here =
            |block: &&Block| block.span.file == file && block.span.start <= here && here <= block.span.end;
        blocks.find(is_here).map(|block| (&system.reading.model, block))
    });
    let Some((model, block)) = found else { return json!([]) };
    let comment = line.trim_start();
    if comment.starts_with('\'') || comment.starts_with("%%") {
        return directives(comment, model, block);
    }
    let mut items = Vec::new();
    match (&block.content, line.split_once(':')) {
        (Content::Sequence(_), Some(_)) => add(&mut items, METHOD, messages(model)),
        (Content::Sequence(_), None) => {
            add(&mut items, VARIABLE, participants(model, block));
            if !line.contains(['>', '<']) {
                add(&mut items, KEYWORD, SEQUENCE.iter().map(|word| (*word).to_owned()));
                let own = match block.notation {
                    Notation::PlantUml => SEQUENCE_PLANTUML,
                    Notation::Mermaid => SEQUENCE_MERMAID,
                };
                add(&mut items, KEYWORD, own.iter().map(|word| (*word).to_owned()));
            }
        }
        (Content::State(_), Some(_)) => add(&mut items, METHOD, messages(model)),
        (Content::State(_), None) => {
            add(&mut items, VALUE, states(model, block));
            add(&mut items, KEYWORD, STATE.iter().map(|word| (*word).to_owned()));
        }
        (Content::Class(_) | Content::Other(_), _) => {}
    }
    json!(items)
}

fn add(items: &mut Vec<Value>, kind: u32, words: impl IntoIterator<Item = String>) {
    let words: BTreeSet<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    items.extend(words.into_iter().map(|word| json!({ "label": word, "kind": kind })));
}

/// Directives, and after one the names that its formula may use.
fn directives(comment: &str, model: &Model, block: &Block) -> Value {
    let mut items = Vec::new();
    match comment.split_once('@').map(|(_, rest)| rest.contains(' ')) {
        Some(true) => {
            add(&mut items, METHOD, messages(model));
            add(&mut items, VARIABLE, participants(model, block));
            add(
                &mut items,
                KEYWORD,
                ["sent", "received", "G", "F", "X", "U", "in", "never", "precedes"].map(str::to_owned),
            );
        }
        Some(false) => items.extend(
            directive::TABLE
                .iter()
                .map(|(name, form)| json!({ "label": name, "kind": KEYWORD, "detail": form })),
        ),
        None => {}
    }
    json!(items)
}

fn participants(model: &Model, block: &Block) -> Vec<String> {
    let own = model.interactions.iter().filter(|one| block.span.encloses(one.place.0));
    own.flat_map(|one| one.lifelines.iter().map(|line| line.name.clone())).collect()
}

fn states(model: &Model, block: &Block) -> Vec<String> {
    let own = model.machines.iter().filter(|one| block.span.encloses(one.place.0));
    own.flat_map(|one| one.vertices.iter().map(|vertex| vertex.name.clone())).collect()
}

/// Messages of the folder: drawn, taken, sent and offered.
fn messages(model: &Model) -> BTreeSet<String> {
    let drawn = model.interactions.iter().flat_map(|one| one.messages.iter().map(|one| one.name.clone()));
    let taken = model.machines.iter().flat_map(|one| one.triggers().map(str::to_owned).collect::<Vec<_>>());
    let sent =
        model.machines.iter().flat_map(|one| one.sends().map(|send| send.name.clone()).collect::<Vec<_>>());
    let offered = model.classes.iter().flat_map(|one| one.operations.iter().map(|one| one.name.clone()));
    drawn.chain(taken).chain(sent).chain(offered).collect()
}
