//! Elements that say how something behaves and are not read here, and references that lead nowhere.

use std::collections::{BTreeMap, HashSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};

use super::reader::XmiReader;
use super::tree::{ElementReference, NodeId, XmiTree};
use super::uml1;

/// Properties whose targets decide what a diagram means, by type of element.
const REFERENCES: &[(&str, &[&str])] = &[
    ("Trigger", &["event"]),
    ("SignalEvent", &["signal"]),
    ("CallEvent", &["operation"]),
    ("State", &["submachine", "redefinedState"]),
    ("StateMachine", &["extendedStateMachine"]),
    ("Region", &["extendedRegion"]),
    ("Transition", &["redefinedTransition"]),
    ("Message", &["sendEvent", "receiveEvent", "signature"]),
    ("MessageOccurrenceSpecification", &["covered"]),
    ("OccurrenceSpecification", &["covered"]),
    ("Lifeline", &["represents"]),
    ("InteractionUse", &["refersTo"]),
];

/// Reports references to elements that are not there.
pub(crate) fn references(reader: &mut XmiReader, elements: &[NodeId]) {
    let tree = reader.tree;
    for node in elements {
        contained(reader, *node);
        let Some((_, roles)) = REFERENCES.iter().find(|(kind, _)| *kind == tree.kind(*node)) else {
            continue;
        };
        for role in *roles {
            for missing in tree.targets(*node, role).into_iter().filter_map(Result::err) {
                let name = match missing {
                    ElementReference::Id(id) => format!("no element has the id `{id}`"),
                    ElementReference::Elsewhere(file, _)
                        if file.contains("://") || file.contains("pathmap:") =>
                    {
                        continue;
                    }
                    ElementReference::Elsewhere(file, id) => match tree.file(file) {
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

/// Reports a part of the model that stands in another file, which is not there.
fn contained(reader: &mut XmiReader, node: NodeId) {
    let tree = reader.tree;
    let Some(ElementReference::Elsewhere(file, _)) = tree.reference(node) else { return };
    let is_part =
        matches!(tree.node(node).role, "packagedElement" | "ownedBehavior" | "region" | "subvertex");
    if is_part && !file.contains(':') && tree.file(file).is_none() {
        let message = format!("a part of the model is missing: `{file}` does not lie beside the file");
        reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
    }
}

fn described(kind: &str, name: &str) -> String {
    if name.is_empty() { format!("the {kind}") } else { format!("the {kind} `{name}`") }
}

/// Types of elements that are read wherever they stand, or that only say where names come from.
const READ: &[&str] = &[
    "Actor",
    "Artifact",
    "Association",
    "AssociationClass",
    "Class",
    "Collaboration",
    "Component",
    "DataType",
    "ElementImport",
    "Enumeration",
    "EnumerationLiteral",
    "Generalization",
    "InstanceSpecification",
    "Interface",
    "InterfaceRealization",
    "Model",
    "Operation",
    "Package",
    "PackageImport",
    "Parameter",
    "Port",
    "PrimitiveType",
    "ProfileApplication",
    "Property",
    "Reception",
    "Signal",
    "Slot",
    // Values.
    "EAnnotation",
    "EStringToStringMapEntry",
    "Expression",
    "InstanceValue",
    "LiteralBoolean",
    "LiteralInteger",
    "LiteralNull",
    "LiteralReal",
    "LiteralString",
    "LiteralUnlimitedNatural",
    "OpaqueExpression",
    "TimeExpression",
    // Events and behaviours.
    "AnyReceiveEvent",
    "AnyTrigger",
    "CallEvent",
    "ChangeEvent",
    "Comment",
    "CreationEvent",
    "DestructionEvent",
    "ExecutionEvent",
    "Interaction",
    "ProtocolStateMachine",
    "ReceiveOperationEvent",
    "ReceiveSignalEvent",
    "SendOperationEvent",
    "SendSignalEvent",
    "SignalEvent",
    "StateMachine",
    "TimeEvent",
    "Trigger",
];

/// Types that are read in state machines, or where a transition refers to them.
const OF_MACHINES: &[&str] = &[
    "ConnectionPointReference",
    "FinalState",
    "ProtocolTransition",
    "Pseudostate",
    "Region",
    "State",
    "Transition",
];

/// Types that are read in interactions; what is wrong with a fragment is told where it stands.
const OF_INTERACTIONS: &[&str] = &[
    "ActionExecutionSpecification",
    "BehaviorExecutionSpecification",
    "CombinedFragment",
    "ConsiderIgnoreFragment",
    "Continuation",
    "DestructionOccurrenceSpecification",
    "EventOccurrence",
    "ExecutionOccurrenceSpecification",
    "ExecutionSpecification",
    "Gate",
    "GeneralOrdering",
    "InteractionConstraint",
    "InteractionOperand",
    "InteractionUse",
    "Lifeline",
    "Message",
    "MessageOccurrenceSpecification",
    "OccurrenceSpecification",
    "PartDecomposition",
    "StateInvariant",
    "Stop",
];

/// Types that say nothing by themselves where a package owns them.
const PARTS: &[&str] = &[
    "EnumerationLiteral",
    "Expression",
    "Generalization",
    "InstanceValue",
    "LiteralBoolean",
    "LiteralInteger",
    "LiteralNull",
    "LiteralReal",
    "LiteralString",
    "LiteralUnlimitedNatural",
    "OpaqueExpression",
    "Operation",
    "Parameter",
    "Port",
    "Property",
    "Reception",
    "Slot",
    "TimeExpression",
    "Trigger",
];

/// Properties that hold values, names and text without a type of their own.
const PLAIN: &[&str] = &[
    "argument",
    "body",
    "changeExpression",
    "default",
    "defaultValue",
    "details",
    "eAnnotations",
    "expr",
    "importedPackage",
    "language",
    "lowerValue",
    "maxint",
    "minint",
    "name",
    "operand",
    "specification",
    "symbol",
    "upperValue",
    "value",
    "when",
];

/// Properties that say what a constraint is for.
const CONDITIONS: &[&str] = &[
    "bodyCondition",
    "guard",
    "invariant",
    "postCondition",
    "postcondition",
    "preCondition",
    "precondition",
    "stateInvariant",
];

/// Reports elements that are not read, once per type with its first place; what lies in one is not told again.
pub(crate) fn elements(reader: &mut XmiReader, elements: &[NodeId]) {
    let tree = reader.tree;
    let mut used: HashSet<NodeId> = HashSet::new();
    for node in elements.iter().copied() {
        let roles = ["source", "target"].iter().chain(CONDITIONS);
        used.extend(roles.flat_map(|role| tree.all(node, role)));
    }
    let mut found: BTreeMap<&str, (NodeId, usize)> = BTreeMap::new();
    let mut unread: HashSet<NodeId> = HashSet::new();
    for node in elements.iter().copied() {
        let is_inside = tree.node(node).parent.is_some_and(|around| unread.contains(&around));
        if !is_inside && (reader.read.contains(&node) || is_read(tree, node, &used)) {
            continue;
        }
        unread.insert(node);
        let kind = if tree.kind(node).is_empty() { tree.node(node).role } else { tree.kind(node) };
        if !is_inside {
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

/// Whether an element means something here; `used` are those that transitions and conditions refer to.
fn is_read(tree: &XmiTree, node: NodeId, used: &HashSet<NodeId>) -> bool {
    let (kind, role) = (tree.kind(node), tree.node(node).role);
    // Stereotypes are read with what they are applied to; tools keep extensions for themselves.
    let is_applied = tree.attributes(node).iter().any(|(name, _)| name.starts_with("base_"));
    if tree.is_reference(node) || is_applied || tree.is_kept_apart(node) {
        return true;
    }
    if tree.is_old(node) && uml1::is_read(kind) {
        return true;
    }
    let is_in = |kinds: &[&str]| tree.around(node).any(|around| kinds.contains(&tree.kind(around)));
    match kind {
        "" => tree.is_text(node) || PLAIN.contains(&role) || tree.is_empty(node),
        // Behaviours of states and transitions are read where they stand.
        "Activity" | "OpaqueBehavior" | "FunctionBehavior" => {
            let is_own = matches!(role, "entry" | "exit" | "doActivity" | "effect");
            is_own || role != "packagedElement" && tree.parts(node, "node").next().is_none()
        }
        // A connector of a collaboration joins what messages join already.
        "Connector" | "ConnectorEnd" => is_in(&["Collaboration", "Interaction"]),
        "Constraint" => CONDITIONS.contains(&role) || used.contains(&node),
        _ if role == "packagedElement" && PARTS.contains(&kind) => false,
        _ if OF_MACHINES.contains(&kind) => {
            used.contains(&node) || is_in(&["StateMachine", "ProtocolStateMachine"])
        }
        _ if OF_INTERACTIONS.contains(&kind) => is_in(&["Interaction"]),
        _ => READ.contains(&kind),
    }
}
