//! Items of a completion: words with a kind.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::navigate::FolderView;

/// The kinds of items that the protocol knows, as far as they fit.
pub(crate) const METHOD: u32 = 2;
#[allow(missing_docs)]
pub(crate) const VARIABLE: u32 = 6;
#[allow(missing_docs)]
pub(crate) const VALUE: u32 = 12;
#[allow(missing_docs)]
pub(crate) const KEYWORD: u32 = 14;

/// Adds words of one kind; names come before words of the notation.
pub(crate) fn add(items: &mut Vec<Value>, kind: u32, words: impl IntoIterator<Item = String>) {
    let rank = if kind == KEYWORD { 2 } else { 1 };
    let words: BTreeSet<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    items.extend(words.iter().map(|word| item(word, kind, rank)));
}

/// A word, which comes before those of a higher rank.
pub(crate) fn item(word: &str, kind: u32, rank: u8) -> Value {
    json!({ "label": word, "kind": kind, "sortText": format!("{rank}{word}") })
}

/// Messages of the folder: drawn, taken, sent and offered.
pub(crate) fn messages(view: &FolderView) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for model in view.models() {
        found.extend(
            model.interactions.iter().flat_map(|one| one.messages.iter().map(|one| one.name.clone())),
        );
        for machine in model.machines.iter() {
            found.extend(machine.triggers().map(str::to_owned));
            found.extend(machine.sends().map(|send| send.name.clone()));
        }
        found.extend(model.classes.iter().flat_map(|one| one.operations.iter().map(|one| one.name.clone())));
    }
    found
}
