//! UML 1 (XMI 1.0 to 1.2): the names that its types and properties have in UML 2, so that readers look for one name.
//!
//! Where a property means something else (the whole of a composition is marked at its own end, UML 1.4 2.5.2.3), readers ask whether
//! the element is an old one.

/// The type, in the words of UML 2: `Property` for `Foundation.Core.Attribute`.
pub(crate) fn kind(tag: &str) -> &str {
    match tag.rsplit('.').next().unwrap_or(tag) {
        "Attribute" | "AssociationEnd" => "Property",
        "PseudoState" => "Pseudostate",
        own => own,
    }
}

/// The property of an element of a type, in the words of UML 2.
pub(crate) fn role<'d>(property: &'d str, kind: &str) -> &'d str {
    match (property, kind) {
        ("feature", "Property") => "ownedAttribute",
        ("feature", "Operation") => "ownedOperation",
        ("feature", "Reception") => "ownedReception",
        ("literal", "EnumerationLiteral") => "ownedLiteral",
        ("parameter", "Parameter") => "ownedParameter",
        ("connection", "Property") => "ownedEnd",
        ("initialValue", _) => "defaultValue",
        ("participant", _) => "type",
        ("parent" | "supertype", _) => "general",
        _ => property,
    }
}

/// The attribute of an element of a type, in the words of UML 2.
pub(crate) fn attribute<'d>(name: &'d str, kind: &str) -> &'d str {
    match (name, kind) {
        ("kind", "Parameter") => "direction",
        ("participant", "Property") => "type",
        ("parent" | "supertype", "Generalization") => "general",
        _ => name,
    }
}

/// Whether a type is read in models of UML 1, or says nothing by itself, besides those of UML 2. MDR writes the ends of
/// associations again, as `A_context_raisedSignal`.
pub(crate) fn is_read(kind: &str) -> bool {
    READ.contains(&kind) || kind.ends_with("Expression") || kind.starts_with("A_")
}

const READ: &[&str] = &[
    "ActionExpression",
    "AssociationEndRole",
    "AssociationRole",
    "BooleanExpression",
    "CallAction",
    "ClassifierRole",
    "Collaboration",
    "CompositeState",
    "CreateAction",
    "DestroyAction",
    "Guard",
    "Message",
    "Multiplicity",
    "MultiplicityRange",
    "ProcedureExpression",
    "ReturnAction",
    "SendAction",
    "SimpleState",
    "State",
    "Stereotype",
    "SubmachineState",
    "TagDefinition",
    "TaggedValue",
    "TerminateAction",
    "UninterpretedAction",
];
