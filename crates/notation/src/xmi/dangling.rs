//! References that lead nowhere, ids that are there twice, parts of the model that are not there, and values that contain themselves.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::source::FileId;

use super::reader::XmiReader;
use super::text;
use super::tree::{ElementReference, NodeId, XmiTree};

/// The properties that are read as references, by types of elements. The ends of transitions and general orderings are told where they are
/// read; what a lifeline says of fragments and an occurrence of its message is said on the other side too.
const REFERENCES: &[(&[&str], &[&str])] = &[
    (&["Trigger"], &["event", "port"]),
    (&["SignalEvent", "SendSignalEvent", "ReceiveSignalEvent", "Reception", "SendAction"], &["signal"]),
    (&["CallEvent", "SendOperationEvent", "ReceiveOperationEvent", "CallAction"], &["operation"]),
    (&["TimeEvent"], &["when"]),
    (&["ChangeEvent"], &["changeExpression"]),
    (
        &["State", "CompositeState", "SimpleState", "SubmachineState"],
        &[
            "connection",
            "connectionPoint",
            "deferrableEvent",
            "deferrableTrigger",
            "doActivity",
            "entry",
            "exit",
            "redefinedState",
            "redefinedVertex",
            "stateInvariant",
            "submachine",
        ],
    ),
    (&["ConnectionPointReference"], &["entry", "exit"]),
    (
        &["StateMachine", "ProtocolStateMachine"],
        &["connectionPoint", "context", "extendedStateMachine", "redefinedBehavior", "redefinedClassifier"],
    ),
    (&["Region"], &["extendedRegion"]),
    (
        &["Transition", "ProtocolTransition"],
        &["effect", "guard", "postCondition", "preCondition", "redefinedTransition", "trigger"],
    ),
    (&["Constraint", "InteractionConstraint"], &["specification"]),
    (&["DurationInterval", "Interval", "TimeInterval"], &["max", "min"]),
    (&["Expression"], &["operand"]),
    (&["OpaqueExpression"], &["behavior"]),
    (&["InstanceValue"], &["instance"]),
    (
        &["Message"],
        &[
            "action",
            "activator",
            "argument",
            "predecessor",
            "receiveEvent",
            "receiver",
            "sendEvent",
            "sender",
            "signature",
        ],
    ),
    (
        &["MessageOccurrenceSpecification", "OccurrenceSpecification", "EventOccurrence"],
        &["covered", "event"],
    ),
    (&["ExecutionOccurrenceSpecification"], &["covered", "execution"]),
    (
        &["ActionExecutionSpecification", "BehaviorExecutionSpecification", "ExecutionSpecification"],
        &["covered", "finish", "start"],
    ),
    (&["DestructionOccurrenceSpecification", "Continuation"], &["covered"]),
    (&["CombinedFragment", "ConsiderIgnoreFragment"], &["covered", "message"]),
    (&["InteractionOperand"], &["covered", "guard"]),
    (&["StateInvariant"], &["covered", "invariant"]),
    (&["InteractionUse", "PartDecomposition"], &["covered", "refersTo"]),
    (&["Lifeline"], &["decomposedAs", "represents", "selector"]),
    (&["ClassifierRole"], &["base"]),
    (&["DurationConstraint", "TimeConstraint"], &["constrainedElement"]),
    (&["DurationObservation", "TimeObservation"], &["event"]),
    (&["Property", "Port"], &["association", "defaultValue", "type"]),
    (&["Parameter"], &["type"]),
    (&["Operation"], &["postcondition", "precondition"]),
    (&["InstanceSpecification"], &["classifier"]),
    (&["Slot"], &["definingFeature"]),
    (&["Association", "AssociationClass"], &["memberEnd", "navigableOwnedEnd"]),
    (&["Class", "Component", "Actor", "Interface", "Collaboration"], &["classifierBehavior"]),
    (&["Generalization"], &["child", "general", "subtype"]),
    (&["InterfaceRealization"], &["contract", "supplier"]),
    (&["Abstraction", "Dependency", "Realization", "Usage"], &["client", "supplier"]),
    (&["Connector"], &["type"]),
    (&["ConnectorEnd"], &["partWithPort", "role"]),
    (&["Comment"], &["annotatedElement"]),
];

/// Properties whose targets often lie in libraries and profiles of tools, which say nothing but names.
const OF_LIBRARIES: &[&str] = &[
    "annotatedElement",
    "association",
    "classifier",
    "client",
    "contract",
    "definingFeature",
    "general",
    "supplier",
    "type",
];

/// Properties that hold values; a value that refers to another may contain itself.
const VALUES: &[&str] =
    &["behavior", "bodyCondition", "expr", "expression", "operand", "script", "specification", "when"];

/// Reports an id that several elements of a file have: references to it mean the first of them.
pub(crate) fn ambiguous(reader: &mut XmiReader, file: FileId) {
    let tree = reader.tree;
    let mut repeated = tree.repeated(file);
    let Some(first) = repeated.next() else { return };
    let others = repeated.count();
    let id = tree.node(first).id.unwrap_or_default();
    let what = described(tree.kind(first), tree.name(first));
    let more = if others > 0 { format!(", and {others} more ids are there twice") } else { String::new() };
    let message = format!("{what} has the id `{id}` of an element before it{more}");
    let finding = Diagnostic::new(Code::TwoNames, tree.span(first), message);
    reader.report(finding.hint("references mean the first element of an id"));
}

/// Reports references to elements that are not there, and values that contain themselves.
pub(crate) fn references(reader: &mut XmiReader, elements: &[NodeId]) {
    let tree = reader.tree;
    let mut roles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (kinds, own) in REFERENCES {
        kinds.iter().for_each(|kind| roles.entry(*kind).or_default().extend(*own));
    }
    for node in elements.iter().copied() {
        contained(reader, node);
        if tree.is_reference(node) {
            continue;
        }
        for role in roles.get(tree.kind(node)).into_iter().flatten() {
            for reference in tree.targets(node, role).into_iter().filter_map(Result::err) {
                missing(reader, node, role, reference);
            }
        }
        if refers_to_value(tree, node) && text::is_endless(tree, node) {
            let what = described(tree.kind(node), tree.name(node));
            let message = format!("the value of {what} contains itself: what it says is not known");
            reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
        }
    }
}

/// Whether a property of elements of a type is read as a reference.
pub(crate) fn is_reference(kind: &str, role: &str) -> bool {
    REFERENCES.iter().any(|(kinds, roles)| kinds.contains(&kind) && roles.contains(&role))
}

/// Whether an element refers to what should be a part of it.
fn refers_to_value(tree: &XmiTree, node: NodeId) -> bool {
    let mut attributes = tree.attributes(node).iter().map(|(name, _)| *name);
    let mut children = tree.node(node).children.iter().copied();
    let is_value = |role: &str| VALUES.contains(&role);
    attributes.any(is_value) || children.any(|one| tree.is_reference(one) && is_value(tree.node(one).role))
}

/// Reports a reference that leads nowhere.
fn missing(reader: &mut XmiReader, node: NodeId, role: &str, reference: ElementReference) {
    let tree = reader.tree;
    let reason = match reference {
        // Enterprise Architect names types of languages so.
        ElementReference::Id(_) if role == "type" && text::type_name(tree, node).is_some() => return,
        ElementReference::Id(id) => format!("no element has the id `{id}`"),
        ElementReference::Elsewhere(file, _) if file.contains("://") || file.contains("pathmap:") => return,
        ElementReference::Elsewhere(file, id) => match tree.file(file) {
            Some(_) => format!("no element of `{file}` has the id `{id}`"),
            None if OF_LIBRARIES.contains(&role) => return,
            None => format!("`{file}` does not lie beside the file"),
        },
    };
    let message =
        format!("`{role}` of {} leads nowhere: {reason}", described(tree.kind(node), tree.name(node)));
    reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
}

/// Reports a part of the model that stands in another file, which is not there.
fn contained(reader: &mut XmiReader, node: NodeId) {
    let tree = reader.tree;
    let Some(ElementReference::Elsewhere(file, _)) = tree.reference(node) else { return };
    if tree.is_part(node) && !file.contains(':') && tree.file(file).is_none() {
        let message = format!("a part of the model is missing: `{file}` does not lie beside the file");
        reader.report(Diagnostic::new(Code::MissingElement, tree.span(node), message));
    }
}

/// An element in words.
pub(crate) fn described(kind: &str, name: &str) -> String {
    if name.is_empty() { format!("the {kind}") } else { format!("the {kind} `{name}`") }
}
