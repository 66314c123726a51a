//! What could stand at the cursor: participants and messages of the diagram, states and triggers of the machine, directives in
//! comments, files behind `!include`, and the words that begin a statement.

use std::collections::BTreeSet;
use std::path::Path;

use sequent::settings::key::{self, SettingKey};
use sequent_kernel::model::{End, Model, VertexKind};
use sequent_kernel::source::FileId;
use sequent_notation::tree::{DiagramBlock, DiagramContent, Notation};
use serde_json::{Value, json};

use crate::include;
use crate::item::{KEYWORD, METHOD, VALUE, VARIABLE, add, item, messages};
use crate::navigate::FolderView;
use crate::question;

/// More kinds of items that the protocol knows.
const CLASS: u32 = 7;
const MODULE: u32 = 9;
const FILE: u32 = 17;

/// Words that declare a participant.
const PARTICIPANT: &[&str] =
    &["participant", "actor", "boundary", "control", "entity", "database", "collections", "queue"];

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
/// Words that names of participants follow, or a text.
const NAMING: &[&str] = &[
    "activate",
    "deactivate",
    "destroy",
    "create",
    "note",
    "hnote",
    "rnote",
    "ref",
    "return",
    "links",
    "link",
];
/// Endings of files that are included.
const INCLUDED: &[&str] = &["puml", "plantuml", "pu", "iuml", "wsd"];

const STATE: &[&str] = &["state", "[*] -->", "note right of"];

/// The words that could stand at a place.
pub(crate) fn at(view: &FolderView, file: FileId, offset: usize) -> Value {
    let source = view.sources.get(file);
    let before = source.text.get(..offset).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut items = Vec::new();
    if include::written(line).is_some() {
        add(&mut items, FILE, files(view, file));
        return json!(items);
    }
    let contexts = contexts(view, file, offset.saturating_sub(1) as u32);
    let Some((_, block)) = contexts.first() else { return json!([]) };
    let comment = line.trim_start();
    if comment.starts_with('\'') || comment.starts_with("%%") {
        return json!(question::directive(comment, view));
    }
    if declares(comment) {
        add(&mut items, CLASS, classes(view));
        return json!(items);
    }
    match (&block.content, line.split_once(':')) {
        (DiagramContent::Sequence(_), Some((place, _))) => match begun(place) {
            Some("ref") => add(&mut items, MODULE, diagrams(view)),
            // What follows is prose, or a condition.
            Some("note" | "hnote" | "rnote") => add(&mut items, VALUE, states_of(view, place)),
            Some(_) | None => between(&mut items, place, view, &contexts),
        },
        (DiagramContent::Sequence(_), None) => match begun(line) {
            Some("return") => add(&mut items, METHOD, messages(view)),
            Some(_) => add(&mut items, VARIABLE, participants(&contexts)),
            None => {
                add(&mut items, VARIABLE, participants(&contexts));
                if !line.contains(['>', '<']) {
                    add(&mut items, KEYWORD, keywords(block.notation));
                }
            }
        },
        (DiagramContent::State(_), Some(_)) => add(&mut items, METHOD, messages(view)),
        (DiagramContent::State(_), None) => {
            add(&mut items, VALUE, states(&contexts));
            match line.contains('>') {
                // Where a transition leads: to the end, perhaps.
                true => add(&mut items, VALUE, ["[*]".to_owned()]),
                false => add(&mut items, KEYWORD, STATE.iter().map(|word| (*word).to_owned())),
            }
        }
        (DiagramContent::Class(_) | DiagramContent::Other(_), _) => {}
    }
    json!(items)
}

/// The word that a line begins with, if names of participants follow it, or a text about them.
fn begun(line: &str) -> Option<&str> {
    let (word, _) = line.trim_start().split_once(' ')?;
    NAMING.contains(&word).then_some(word)
}

/// Words that begin statements.
fn keywords(notation: Notation) -> impl Iterator<Item = String> {
    let own = match notation {
        Notation::PlantUml => SEQUENCE_PLANTUML,
        Notation::Mermaid => SEQUENCE_MERMAID,
    };
    SEQUENCE.iter().chain(own).map(|word| (*word).to_owned())
}

/// The sequence diagrams of the folder.
fn diagrams(view: &FolderView) -> Vec<String> {
    view.models().flat_map(|model| model.interactions.iter().map(|one| one.name.clone())).collect()
}

/// The states and attributes of those that a note names.
fn states_of(view: &FolderView, place: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    place.split(|c: char| !is_word(c)).flat_map(|name| question::states(view, name)).collect()
}

/// The keys that could stand at a place of the settings.
pub(crate) fn setting(text: &str, offset: usize) -> Value {
    let before = text.get(..offset).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.contains('=') {
        return json!([]);
    }
    let table = if line.trim_start().starts_with('[') { String::new() } else { key::table_at(text, offset) };
    let keys = key::all().into_iter().filter(|key| key.table == table);
    let item = |key: SettingKey| {
        json!({
            "label": key.name, "kind": KEYWORD, "detail": key.values,
            "documentation": { "kind": "markdown", "value": key.meaning },
        })
    };
    json!(keys.map(item).collect::<Vec<_>>())
}

/// Whether a participant is declared, up to its class: `participant "shop : `.
fn declares(line: &str) -> bool {
    let Some((word, rest)) = line.split_once(' ') else { return false };
    let is_open = rest.split_once(':').is_some_and(|(_, class)| !class.contains('"'));
    PARTICIPANT.contains(&word) && is_open
}

/// Classes, and machines, which are classes too.
fn classes(view: &FolderView) -> Vec<String> {
    let all = view.models().flat_map(|model| {
        let machines = model.machines.iter().map(|one| one.name.clone());
        model.classes.iter().map(|one| one.name.clone()).chain(machines)
    });
    all.collect()
}

/// The files that could be included in a file: those beside it.
fn files(view: &FolderView, file: FileId) -> Vec<String> {
    let folder = Path::new(&view.sources.get(file).name).parent();
    let others = view.leaves.iter().map(|leaf| leaf.page.document.file).filter(|other| *other != file);
    let paths = others.map(|other| Path::new(&view.sources.get(other).name));
    let is_choice = |path: &&Path| {
        path.parent() == folder
            && path.extension().is_some_and(|ending| INCLUDED.contains(&&*ending.to_string_lossy()))
    };
    let names = paths.filter(is_choice).filter_map(|path| path.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// The diagrams that a place belongs to: the one around it, and those that include its file.
fn contexts(view: &FolderView, file: FileId, offset: u32) -> Vec<(&Model, &DiagramBlock)> {
    let is_here = |block: &&DiagramBlock| block.span.start <= offset && offset <= block.span.end;
    let leaf = view.leaf(file);
    let own = leaf.and_then(|leaf| {
        leaf.page.document.blocks.iter().find(is_here).map(|block| (&leaf.page.model, block))
    });
    let others = view.including(file);
    let others =
        others.flat_map(|leaf| leaf.page.document.blocks.iter().map(move |block| (&leaf.page.model, block)));
    own.into_iter().chain(others).collect()
}

/// Messages: those that are drawn from one to the other of two participants come first.
fn between(items: &mut Vec<Value>, arrow: &str, view: &FolderView, contexts: &[(&Model, &DiagramBlock)]) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words: Vec<&str> = arrow.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let names = participants(contexts);
    let ends: Vec<&str> = words.into_iter().filter(|word| names.iter().any(|name| name == word)).collect();
    let mut near: BTreeSet<&str> = BTreeSet::new();
    for interaction in view.models().flat_map(|model| model.interactions.iter()) {
        let is =
            |end: End, name: &str| end.lifeline().is_some_and(|id| interaction.lifelines[id].name == name);
        let drawn = interaction.messages.iter().filter(|message| match ends.as_slice() {
            [one, other] => {
                is(message.from, one) && is(message.to, other)
                    || is(message.from, other) && is(message.to, one)
            }
            _ => false,
        });
        near.extend(drawn.map(|message| message.name.as_str()));
    }
    let known: BTreeSet<String> = messages(view).into_iter().filter(|name| !name.is_empty()).collect();
    items.extend(known.iter().map(|name| {
        let rank = if near.contains(name.as_str()) { 0 } else { 1 };
        item(name, METHOD, rank)
    }));
}

fn participants(contexts: &[(&Model, &DiagramBlock)]) -> Vec<String> {
    let own = |(model, block): &(&Model, &DiagramBlock)| {
        let own = model.interactions.iter().filter(|one| block.span.encloses(one.place.0));
        own.flat_map(|one| one.lifelines.iter().map(|line| line.name.clone())).collect::<Vec<_>>()
    };
    contexts.iter().flat_map(own).collect()
}

fn states(contexts: &[(&Model, &DiagramBlock)]) -> Vec<String> {
    let own = |(model, block): &(&Model, &DiagramBlock)| {
        let own = model.machines.iter().filter(|one| block.span.encloses(one.place.0));
        let vertices = own.flat_map(|one| one.vertices.iter());
        // Where regions begin and end has no name that is written.
        let named = vertices.filter(|one| !matches!(one.kind, VertexKind::Initial | VertexKind::Final));
        named.map(|vertex| vertex.name.clone()).collect::<Vec<_>>()
    };
    contexts.iter().flat_map(own).collect()
}
