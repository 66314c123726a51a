//! Occurrences: which fragments are ends of which messages, and stay together.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::Model;
use sequent_kernel::source::{FileId, Span};
use sequent_notation::xmi::lossless::{NodeId, XmlDocument};

/// The ids that an element refers to by a property: an attribute, or elements inside.
fn targets<'d>(document: &XmlDocument<'d>, node: NodeId, role: &str) -> Vec<&'d str> {
    let written = document.attribute(node, role).into_iter().flat_map(str::split_whitespace);
    let children = document.element(node).into_iter().flat_map(|element| &element.children);
    let inside = children.filter(|child| document.tag(**child) == role);
    let references = inside.filter_map(|child| {
        document.attribute(*child, "idref").or_else(|| document.attribute(*child, "xmi.idref"))
    });
    written.chain(references).collect()
}

/// The messages of occurrences, by their ids.
pub(in crate::merge) fn messages<'d>(document: &XmlDocument<'d>) -> BTreeMap<&'d str, &'d str> {
    let mut found = BTreeMap::new();
    for node in document.nodes.ids() {
        let Some(id) = document.id(node) else { continue };
        match document.tag(node) {
            "message" => {
                let ends = ["sendEvent", "receiveEvent"].map(|role| targets(document, node, role));
                found.extend(ends.into_iter().flatten().map(|end| (end, id)));
            }
            "fragment" => {
                if let Some(message) = targets(document, node, "message").first() {
                    found.entry(id).or_insert(*message);
                }
            }
            _ => {}
        }
    }
    found
}

/// Groups fragments in a row: a message with both of its ends among them is not torn apart, and what is no event goes with the event before it.
pub(in crate::merge) fn groups(
    document: &XmlDocument<'_>,
    messages: &BTreeMap<&str, &str>,
    nodes: &[NodeId],
) -> Vec<Vec<usize>> {
    let message = |node: &NodeId| messages.get(document.id(*node)?).copied();
    let last = |wanted: &str| nodes.iter().rposition(|node| message(node) == Some(wanted));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut open: BTreeSet<usize> = BTreeSet::new();
    let mut has_event = false;
    for (at, node) in nodes.iter().enumerate() {
        let own = message(node);
        let is_event = own.is_some() || is_event(document, *node);
        let is_continued = !open.is_empty() || !is_event || !has_event;
        match groups.last_mut().filter(|_| is_continued) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
        has_event |= is_event;
        open.extend(own.and_then(last));
        open.retain(|end| *end > at);
    }
    groups
}

/// Whether a fragment that is no end of a message happens.
pub(in crate::merge) fn is_event(document: &XmlDocument<'_>, node: NodeId) -> bool {
    !document.kind(node).contains("Execution") && document.kind(node) != "OccurrenceSpecification"
}

/// Gives the messages of a model the places of their receiving (else sending) among the fragments, where choices are looked for.
pub(in crate::merge) fn place_messages(text: &str, file: FileId, model: &mut Model) {
    let Ok(document) = XmlDocument::new(text) else { return };
    let ids: BTreeMap<&str, usize> = document
        .nodes
        .enumerate()
        .filter_map(|(id, node)| Some((document.id(id)?, node.whole.start)))
        .collect();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for (id, node) in document.nodes.enumerate().filter(|(id, _)| document.tag(*id) == "message") {
        let end = |role: &str| targets(&document, id, role).first().and_then(|end| ids.get(end)).copied();
        places.extend(end("receiveEvent").or_else(|| end("sendEvent")).map(|at| (node.whole.start, at)));
    }
    let all: Vec<_> = model.interactions.ids().collect();
    for interaction in all {
        for message in model.interactions[interaction].messages.iter_mut() {
            let at = message.place.0;
            if let Some(place) = places.get(&(at.start as usize)).filter(|_| at.file == file) {
                message.place = Span::new(file, *place, *place).into();
            }
        }
    }
}
