//! Elements that say how something behaves and are not read here, and references that lead nowhere.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};

use super::reader::Reader;
use super::tree::{NodeId, Reference};

/// Properties whose targets decide what a diagram means, by type of element.
const REFERENCES: &[(&str, &[&str])] = &[
    ("Trigger", &["event"]),
    ("SignalEvent", &["signal"]),
    ("CallEvent", &["operation"]),
    ("State", &["submachine"]),
    ("Message", &["sendEvent", "receiveEvent", "signature"]),
    ("MessageOccurrenceSpecification", &["covered"]),
    ("OccurrenceSpecification", &["covered"]),
    ("Lifeline", &["represents"]),
    ("InteractionUse", &["refersTo"]),
];

/// Reports references to elements that are not there.
pub fn references(reader: &mut Reader, elements: &[NodeId]) {
    let tree = reader.tree;
    for node in elements {
        let Some((_, roles)) = REFERENCES.iter().find(|(kind, _)| *kind == tree.kind(*node)) else {
            continue;
        };
        for role in *roles {
            for missing in tree.targets(*node, role).into_iter().filter_map(Result::err) {
                let name = match missing {
                    Reference::Id(id) => format!("no element has the id `{id}`"),
                    Reference::Elsewhere(file, _) if file.contains("://") || file.contains("pathmap:") => {
                        continue;
                    }
                    Reference::Elsewhere(file, id) => match tree.file(file) {
                        Some(_) => format!("no element of `{file}` has the id `{id}`"),
                        None => format!("`{file}` does not lie beside the file"),
                    },
                };
                let message = format!(
                    "`{role}` of {} leads nowhere: {name}",
                    described(tree.kind(*node), tree.name(*node))
                );
                reader.report(Diagnostic::new(Code::MissingElement, tree.span(*node), message));
            }
        }
    }
}

fn described(kind: &str, name: &str) -> String {
    if name.is_empty() { format!("the {kind}") } else { format!("the {kind} `{name}`") }
}

/// Reports behaviour that is not read, once per type with its first place.
pub fn behaviour(reader: &mut Reader, elements: &[NodeId]) {
    let tree = reader.tree;
    let mut found: BTreeMap<&str, (NodeId, usize)> = BTreeMap::new();
    for node in elements.iter().copied().filter(|node| !tree.is_reference(*node)) {
        let kind = tree.kind(node);
        let role = tree.node(node).role;
        // Behaviours of states and transitions are read where they stand.
        let is_own = matches!(role, "entry" | "exit" | "doActivity" | "effect");
        let is_unread = match kind {
            "Activity" | "OpaqueBehavior" | "FunctionBehavior" => {
                !is_own && tree.parts(node, "node").next().is_some()
            }
            "TimeConstraint"
            | "DurationConstraint"
            | "TimeObservation"
            | "DurationObservation"
            | "Continuation" => kind != "Continuation",
            "ProtocolConformance" | "InformationFlow" => true,
            _ => false,
        };
        if is_unread {
            found.entry(kind).or_insert((node, 0)).1 += 1;
        }
    }
    for (kind, (node, count)) in found {
        let others = if count > 1 { format!(", nor are {} others", count - 1) } else { String::new() };
        let message = format!("{} is not read{others}", described(kind, tree.name(node)));
        let severity = if kind.contains("Constraint") { Severity::Warning } else { Severity::Hint };
        reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message).severity(severity));
    }
}
