//! Elements that say how something behaves and are not read here.

use std::collections::{BTreeMap, HashSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};

use super::dangling::{self, described};
use super::properties::{EVERYWHERE, PLACES, SINGLE};
use super::reader::XmiReader;
use super::tree::{NodeId, XmiTree};
use super::uml1;

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

/// The properties of an element that are not read, with those that hold its elements.
fn unknown<'d>(tree: &XmiTree<'d>, node: NodeId) -> Vec<(&'d str, Option<NodeId>)> {
    let kind = tree.kind(node);
    let Some((_, known)) = PLACES.iter().find(|(kinds, _)| kinds.contains(&kind)) else { return Vec::new() };
    let is_odd = |role: &str| {
        !known.contains(&role) && !EVERYWHERE.contains(&role) && !dangling::is_reference(kind, role)
    };
    if tree.is_old(node) || tree.is_reference(node) {
        return Vec::new();
    }
    let attributes = tree.attributes(node).iter().map(|(name, _)| (*name, None));
    let inside = tree.node(node).children.iter().map(|child| (tree.node(*child).role, Some(*child)));
    attributes.chain(inside).filter(|(role, _)| is_odd(role)).collect()
}

/// Reports properties with more values than they can have.
pub(crate) fn repeated(reader: &mut XmiReader, elements: &[NodeId]) {
    let tree = reader.tree;
    for node in elements.iter().copied().filter(|node| !tree.is_reference(*node) && !tree.is_old(*node)) {
        let kind = tree.kind(node);
        let own = SINGLE.iter().find(|(kinds, _)| kinds.contains(&kind));
        for role in own.iter().flat_map(|(_, roles)| roles.iter()) {
            let values: HashSet<NodeId> = tree.all(node, role).into_iter().collect();
            if values.len() > 1 {
                let what = described(kind, tree.name(node));
                let message =
                    format!("`{role}` of {what} has {} values: the first one is read", values.len());
                reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
            }
        }
    }
}

/// Reports elements that are not read, once per type with its first place; what lies in one is not told again.
pub(crate) fn elements(reader: &mut XmiReader, elements: &[NodeId]) {
    let tree = reader.tree;
    let mut used: HashSet<NodeId> = HashSet::new();
    let roles: Vec<&str> = ["source", "target"].iter().chain(CONDITIONS).copied().collect();
    for node in elements.iter().copied() {
        if tree.has(node, &roles) {
            used.extend(roles.iter().flat_map(|role| tree.all(node, role)));
        }
        // A value may be what a behaviour computes.
        if tree.kind(node) == "OpaqueExpression" {
            used.extend(tree.all(node, "behavior"));
        }
    }
    let mut found: BTreeMap<&str, (NodeId, usize)> = BTreeMap::new();
    let mut properties: BTreeMap<(&str, &str), (NodeId, usize)> = BTreeMap::new();
    let mut unread: HashSet<NodeId> = HashSet::new();
    for node in elements.iter().copied() {
        let is_inside = tree.node(node).parent.is_some_and(|around| unread.contains(&around));
        if !is_inside
            && !unread.contains(&node)
            && (reader.read.contains(&node) || is_read(tree, node, &used))
        {
            for (role, part) in unknown(tree, node) {
                if part.is_none_or(|part| !reader.read.contains(&part) && tells(tree, part, &used)) {
                    unread.extend(part);
                    properties.entry((tree.kind(node), role)).or_insert((node, 0)).1 += 1;
                }
            }
            continue;
        }
        let is_told = !unread.insert(node);
        let kind = if tree.kind(node).is_empty() { tree.node(node).role } else { tree.kind(node) };
        if !is_inside && !is_told {
            found.entry(kind).or_insert((node, 0)).1 += 1;
        }
    }
    let others =
        |count: usize| if count > 1 { format!(", nor are {} others", count - 1) } else { String::new() };
    for (kind, (node, count)) in found {
        let message = format!("{} is not read{}", described(kind, tree.name(node)), others(count));
        let severity = if kind.contains("Constraint") { Severity::Warning } else { Severity::Hint };
        reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message).severity(severity));
    }
    for ((kind, role), (node, count)) in properties {
        let what = described(kind, tree.name(node));
        let message = format!("`{role}` of {what} is not read{}", others(count));
        let severity = if CONDITIONS.contains(&role) { Severity::Warning } else { Severity::Hint };
        reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message).severity(severity));
    }
}

/// Whether it is the place of an element that is not read rather than its type, and whether it says anything.
fn tells(tree: &XmiTree, part: NodeId, used: &HashSet<NodeId>) -> bool {
    let is_silent = tree.is_reference(part) || tree.is_kept_apart(part) || tree.is_empty(part);
    !is_silent && (is_read(tree, part, used) || tree.kind(part).is_empty())
}

/// Whether an element means something here; `used` are those that transitions and conditions refer to.
fn is_read(tree: &XmiTree, node: NodeId, used: &HashSet<NodeId>) -> bool {
    let (kind, role) = (tree.kind(node), tree.node(node).role);
    // Stereotypes are read with what they are applied to; tools keep extensions for themselves.
    let is_applied = !tree.bases(node).is_empty();
    if tree.is_reference(node) || is_applied || tree.is_kept_apart(node) {
        return true;
    }
    if tree.is_old(node) && uml1::is_read(kind) {
        return true;
    }
    // Qualifiers of ends, and associations of more than two classes, have no counterpart.
    let is_many = || {
        let ends = tree.all(node, "memberEnd").into_iter().chain(tree.parts(node, "ownedEnd"));
        ends.collect::<HashSet<NodeId>>().len() > 2
    };
    if role == "qualifier" || matches!(kind, "Association" | "AssociationClass") && is_many() {
        return false;
    }
    let is_in = |kinds: &[&str]| tree.around(node).any(|around| kinds.contains(&tree.kind(around)));
    match kind {
        "" => tree.is_text(node) || PLAIN.contains(&role) || tree.is_empty(node),
        // Behaviours of states and transitions are read where they stand.
        "Activity" | "OpaqueBehavior" | "FunctionBehavior" => {
            let is_own = matches!(role, "entry" | "exit" | "doActivity" | "effect");
            is_own
                || used.contains(&node)
                || role != "packagedElement" && tree.parts(node, "node").next().is_none()
        }
        // A connector of a collaboration joins what messages join already.
        "Connector" | "ConnectorEnd" => is_in(&["Collaboration", "Interaction"]),
        "Constraint" => CONDITIONS.contains(&role) || used.contains(&node),
        _ if role == "packagedElement" && PARTS.contains(&kind) => false,
        _ if OF_MACHINES.contains(&kind) => {
            let is_used = || tree.around(node).chain([node]).any(|one| used.contains(&one));
            is_in(&["StateMachine", "ProtocolStateMachine"]) || is_used()
        }
        _ if OF_INTERACTIONS.contains(&kind) => is_in(&["Interaction"]),
        _ => READ.contains(&kind),
    }
}
