//! Differences between two versions of a model, element by element.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_notation::xmi::lossless::{NodeId, XmlDocument};

use super::changes::{FileChange, PieceFate};
use crate::merge::align::align_equal;
use crate::merge::elements::{UnitId, Units, is_model, leaf_text};
use crate::merge::read::PieceKind;

/// The changes between two versions, in the order of the new one; `None` if one of them is no model.
pub fn element_changes(name: &str, old: &str, new: &str) -> Option<Vec<FileChange>> {
    if ![old, new].iter().all(|text| is_model(name, text)) {
        return None;
    }
    let documents = [XmlDocument::new(old).ok()?, XmlDocument::new(new).ok()?];
    let units = Units::new(&documents);
    let mut found: Vec<(usize, FileChange)> = Vec::new();
    let moved = moved(&units);
    for unit in units.nodes.ids() {
        let change = match (units.node(unit, 0), units.node(unit, 1)) {
            (None, Some(node)) if is_outermost(&units, unit, 1) => {
                Some((node, PieceFate::Added, described(&documents[1], node)))
            }
            (Some(node), None) if is_outermost(&units, unit, 0) => {
                let before = described(&documents[0], node);
                found.push(deleted(&units, unit, before));
                None
            }
            (Some(before), Some(after)) => {
                let [old, new] = [own(&documents[0], before), own(&documents[1], after)];
                match old == new {
                    false => Some(edited(&documents, before, after, &old, &new)),
                    true if moved.contains(&unit) => {
                        Some((after, PieceFate::Moved, described(&documents[1], after)))
                    }
                    true => None,
                }
            }
            (None, Some(_)) | (Some(_), None) | (None, None) => None,
        };
        if let Some((node, fate, text)) = change {
            let at = documents[1].nodes[node].whole.start;
            found.push((at, change_at(&documents[1], at, fate, text)));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    Some(found.into_iter().map(|(_, change)| change).collect())
}

fn change_at(document: &XmlDocument<'_>, at: usize, fate: PieceFate, text: String) -> FileChange {
    FileChange { fate, kind: PieceKind::Element, text, line: document.line(at), is_prose: false }
}

/// A deleted element stands where the one before it, or the one around it, is now.
fn deleted(units: &Units<'_>, unit: UnitId, text: String) -> (usize, FileChange) {
    let around = units.around(unit, 0);
    let node = around.iter().find_map(|one| units.node(*one, 1));
    let at = node.map_or(0, |node| units.documents[1].nodes[node].whole.start);
    (at, change_at(&units.documents[1], at, PieceFate::Deleted, text))
}

/// Whether what is around a unit is in both versions: what lies in a new element is not told again.
fn is_outermost(units: &Units<'_>, unit: UnitId, version: usize) -> bool {
    let around = units.parent(unit, version);
    around.is_none_or(|around| units.node(around, 1 - version).is_some())
}

/// Elements that lie in another one, or behind one that they stood before.
fn moved(units: &Units<'_>) -> BTreeSet<UnitId> {
    let mut moved = BTreeSet::new();
    for unit in units.nodes.ids() {
        if units.node(unit, 0).is_none() || units.node(unit, 1).is_none() {
            continue;
        }
        if units.parent(unit, 0) != units.parent(unit, 1) {
            moved.insert(unit);
        }
        let children = |version: usize| -> Vec<UnitId> {
            let element = units.node(unit, version).and_then(|node| units.documents[version].element(node));
            let children = element.map(|element| element.children.clone()).unwrap_or_default();
            let all = children.into_iter().filter_map(|child| units.of(version, child));
            all.filter(|child| units.parent(*child, 0) == units.parent(*child, 1)).collect()
        };
        let (before, after) = (children(0), children(1));
        let numbers =
            |list: &[UnitId]| -> Vec<u32> { list.iter().map(|child| child.index() as u32).collect() };
        let kept = align_equal(&numbers(&before), &numbers(&after));
        moved.extend(before.iter().zip(kept).filter(|(_, place)| place.is_none()).map(|(child, _)| *child));
    }
    moved
}

type OwnElements<'d> = Vec<(&'d str, &'d str)>;

/// What an element says itself: its attributes by name, and its text.
fn own<'d>(document: &XmlDocument<'d>, node: NodeId) -> OwnElements<'d> {
    let Some(element) = document.element(node) else {
        return vec![("text", document.part(&document.nodes[node].whole))];
    };
    let mut own: OwnElements<'d> =
        element.attributes.iter().map(|one| (document.part(&one.name), document.part(&one.value))).collect();
    own.sort_unstable();
    own.extend(leaf_text(document, node).map(|text| ("text", text)));
    own
}

/// What changed in an element, before and after.
fn edited<'d>(
    documents: &[XmlDocument<'d>; 2],
    before: NodeId,
    after: NodeId,
    old: &OwnElements<'d>,
    new: &OwnElements<'d>,
) -> (NodeId, PieceFate, String) {
    let listed = |own: &OwnElements<'d>, other: &OwnElements<'d>| {
        let changed = own.iter().filter(|value| !other.contains(value));
        changed.map(|(name, value)| format!(" {name}={value}")).collect::<String>()
    };
    let was = format!("{}{}", described(&documents[0], before), listed(old, new));
    let is = format!("{}{}", described(&documents[1], after), listed(new, old));
    (after, PieceFate::Edited(was), is)
}

/// An element in words: its type, its name, its id.
fn described(document: &XmlDocument<'_>, node: NodeId) -> String {
    if document.element(node).is_none() {
        return document.part(&document.nodes[node].whole).lines().next().unwrap_or_default().to_owned();
    }
    let name = document.attribute(node, "name").map(|name| format!(" `{name}`")).unwrap_or_default();
    let id = document.id(node).map(|id| format!(" ({id})")).unwrap_or_default();
    format!("{}{name}{id}", document.kind(node))
}
