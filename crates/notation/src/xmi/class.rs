//! Classes, their relations, objects and links.

use std::collections::HashMap;

use sequent_kernel::model::{
    Association, AssociationEnd, AssociationKind, Attribute, Class, ClassId, ClassKind, Link, Model, Object,
    ObjectId, Operation, Parameter, ParameterDirection, Visibility, has_stereotype,
};

use super::reader::{UniqueNames, XmiReader};
use super::text;
use super::tree::{NodeId, XmiTree};

/// Adds the classes and objects among the elements to the model.
pub(crate) fn classes(reader: &mut XmiReader, elements: &[NodeId], model: &mut Model) {
    let tree = reader.tree;
    let mut names = UniqueNames::default();
    let mut known: HashMap<NodeId, ClassId> = HashMap::new();
    for node in elements.iter().filter(|node| !tree.is_reference(**node)) {
        let Some(kind) = kind(tree, *node) else { continue };
        if !tree.name(*node).is_empty() {
            let name = names.unique(tree.name(*node), "#");
            known.insert(*node, model.classes.push(class(reader, *node, name, kind)));
        }
    }
    for node in elements.iter().filter(|node| !tree.is_reference(**node)) {
        let before = model.associations.len();
        relation(tree, *node, &known, model);
        if model.associations.len() > before {
            reader.read.insert(*node);
        }
    }
    // What a class is comes before what it knows, wherever it is written.
    model.associations.sort_by_key(|one| match one.kind {
        AssociationKind::Generalization | AssociationKind::Realization => (false, Some(one.ends[0].class)),
        AssociationKind::Association
        | AssociationKind::Aggregation
        | AssociationKind::Composition
        | AssociationKind::Dependency => (true, None),
    });
    objects(reader, elements, model);
}

/// What a classifier is; `None` for other elements.
fn kind(tree: &XmiTree, node: NodeId) -> Option<ClassKind> {
    Some(match tree.kind(node) {
        "Class" | "Component" | "Actor" | "AssociationClass" | "Collaboration" | "DataType"
            if tree.is(node, "isAbstract") =>
        {
            ClassKind::Abstract
        }
        "Class" | "Component" | "Actor" | "AssociationClass" | "DataType" => ClassKind::Class,
        "Interface" => ClassKind::Interface,
        "Enumeration" => ClassKind::Enumeration,
        "Signal" => ClassKind::Signal,
        _ => return None,
    })
}

/// The words that make a class a capsule or a protocol, as in other notations.
pub(super) const KINDS: &[(&str, ClassKind)] =
    &[("capsule", ClassKind::Capsule), ("protocol", ClassKind::Protocol)];

/// The word that makes the lifelines of a class actors.
pub(super) const ACTOR: &str = "actor";

fn class(reader: &XmiReader, node: NodeId, name: String, kind: ClassKind) -> Class {
    let tree = reader.tree;
    let mut stereotypes = reader.stereotypes(node);
    stereotypes.retain(|one| one != ACTOR);
    let word = KINDS.iter().find(|(word, _)| has_stereotype(&stereotypes, word));
    let kind = match (kind, word) {
        (ClassKind::Class, Some((word, kind))) => {
            stereotypes.retain(|one| !one.eq_ignore_ascii_case(word));
            *kind
        }
        (kind, _) => kind,
    };
    // An attribute at the end of an association is drawn as that.
    let is_plain = |one: &NodeId| tree.kind(*one) == "Port" || tree.first(*one, "association").is_none();
    let operations = tree.parts(node, "ownedOperation").map(|one| operation(reader, one));
    let receptions = tree.parts(node, "ownedReception").map(|one| reception(reader, one));
    Class {
        label: tree.name(node).to_owned(),
        name,
        kind,
        stereotypes,
        attributes: tree
            .parts(node, "ownedAttribute")
            .filter(is_plain)
            .map(|one| attribute(reader, one))
            .collect(),
        operations: operations.chain(receptions).filter(|one| !one.name.is_empty()).collect(),
        literals: tree.parts(node, "ownedLiteral").map(|one| tree.name(one).to_owned()).collect(),
        declared: true,
        place: tree.span(node).into(),
    }
}

pub(super) fn attribute(reader: &XmiReader, node: NodeId) -> Attribute {
    let tree = reader.tree;
    let initial = tree.first(node, "defaultValue").map(|value| text::value(tree, value));
    let initial = initial.or_else(|| tree.attribute(node, "default").map(str::to_owned));
    let is_port = tree.kind(node) == "Port";
    let words = [("port", is_port), ("conjugated", is_port && tree.is(node, "isConjugated"))];
    let mut stereotypes: Vec<String> =
        words.into_iter().filter(|(_, is_said)| *is_said).map(|(word, _)| word.to_owned()).collect();
    stereotypes.extend(reader.stereotypes(node));
    Attribute {
        name: tree.name(node).to_owned(),
        type_name: text::type_name(tree, node),
        initial: initial.filter(|text| !text.is_empty()),
        multiplicity: multiplicity(tree, node),
        visibility: visibility(tree, node),
        is_static: is_static(tree, node),
        stereotypes,
        place: tree.span(node).into(),
    }
}

/// `0..1`, `*`; `None` for one.
pub(super) fn multiplicity(tree: &XmiTree, node: NodeId) -> Option<String> {
    let bound =
        |role: &str| tree.first(node, role).map(|one| tree.attribute(one, "value").unwrap_or("0").to_owned());
    // UML 1 has ranges.
    let range = tree.first(node, "multiplicity").and_then(|one| tree.first(one, "range"));
    let of_range = |name: &str| tree.attribute(range?, name).map(str::to_owned);
    let lower = bound("lowerValue").or_else(|| of_range("lower"))?;
    let upper = bound("upperValue").or_else(|| of_range("upper"))?;
    let upper = if upper == "-1" { "*".to_owned() } else { upper };
    match (lower.as_str(), upper.as_str()) {
        ("1", "1") => None,
        ("0", "*") => Some("*".to_owned()),
        (lower, upper) if lower == upper => Some(lower.to_owned()),
        (lower, upper) => Some(format!("{lower}..{upper}")),
    }
}

fn visibility(tree: &XmiTree, node: NodeId) -> Option<Visibility> {
    match tree.attribute(node, "visibility")? {
        "public" => Some(Visibility::Public),
        "private" => Some(Visibility::Private),
        "protected" => Some(Visibility::Protected),
        "package" => Some(Visibility::Package),
        _ => None,
    }
}

/// Whether a member belongs to the class itself; UML 1 calls that its owner's scope.
fn is_static(tree: &XmiTree, node: NodeId) -> bool {
    tree.is(node, "isStatic") || tree.attribute(node, "ownerScope") == Some("classifier")
}

fn operation(reader: &XmiReader, node: NodeId) -> Operation {
    let tree = reader.tree;
    let (results, inputs): (Vec<NodeId>, Vec<NodeId>) = tree
        .parts(node, "ownedParameter")
        .partition(|one| tree.attribute(*one, "direction") == Some("return"));
    let parameter = |one: &NodeId| Parameter {
        name: tree.name(*one).to_owned(),
        type_name: text::type_name(tree, *one),
        direction: match tree.attribute(*one, "direction") {
            Some("out") => Some(ParameterDirection::Out),
            Some("inout") => Some(ParameterDirection::InOut),
            _ => None,
        },
    };
    Operation {
        name: tree.name(node).to_owned(),
        parameters: inputs.iter().map(parameter).collect(),
        result: results.first().and_then(|one| text::type_name(tree, *one)),
        is_signal: false,
        visibility: visibility(tree, node),
        is_static: is_static(tree, node),
        is_abstract: tree.is(node, "isAbstract"),
        stereotypes: reader.stereotypes(node),
        place: tree.span(node).into(),
    }
}

/// A reception takes a signal, whose attributes are its parameters unless it has its own.
fn reception(reader: &XmiReader, node: NodeId) -> Operation {
    let tree = reader.tree;
    let signal = tree.first(node, "signal");
    let own: Vec<NodeId> = tree.parts(node, "ownedParameter").collect();
    let of_signal = signal.map(|signal| tree.parts(signal, "ownedAttribute").collect()).unwrap_or_default();
    let attributes = if own.is_empty() { of_signal } else { own };
    let parameter = |one: &NodeId| Parameter {
        name: tree.name(*one).to_owned(),
        type_name: text::type_name(tree, *one),
        direction: None,
    };
    Operation {
        name: signal
            .map(|signal| tree.name(signal))
            .filter(|name| !name.is_empty())
            .unwrap_or(tree.name(node))
            .to_owned(),
        parameters: attributes.iter().map(parameter).collect(),
        result: None,
        is_signal: true,
        visibility: visibility(tree, node),
        is_static: is_static(tree, node),
        is_abstract: tree.is(node, "isAbstract"),
        stereotypes: reader.stereotypes(node),
        place: tree.span(node).into(),
    }
}

/// Relations between a client and a supplier.
const DEPENDENCIES: &[&str] = &["Abstraction", "Dependency", "Realization", "Usage"];

/// Adds the relation that an element is, if both of its ends are classes.
fn relation(tree: &XmiTree, node: NodeId, known: &HashMap<NodeId, ClassId>, model: &mut Model) {
    let class = |node: Option<NodeId>| node.and_then(|node| known.get(&node)).copied();
    let owner = tree.node(node).parent;
    let ends = match tree.kind(node) {
        "Generalization" => {
            let special = ["child", "subtype"].iter().find_map(|role| tree.first(node, role)).or(owner);
            Some((AssociationKind::Generalization, class(special), class(tree.first(node, "general"))))
        }
        "InterfaceRealization" => {
            let contract = tree.first(node, "contract").or_else(|| tree.first(node, "supplier"));
            Some((AssociationKind::Realization, class(owner), class(contract)))
        }
        kind if DEPENDENCIES.contains(&kind) => {
            let ends = ["client", "supplier"].map(|role| class(tree.first(node, role)));
            let kind = if kind == "Realization" {
                AssociationKind::Realization
            } else {
                AssociationKind::Dependency
            };
            Some((kind, ends[0], ends[1]))
        }
        "Association" | "AssociationClass" => return association(tree, node, known, model),
        _ => None,
    };
    let Some((kind, Some(from), Some(to))) = ends else { return };
    let end = |class| AssociationEnd { class, role: None, multiplicity: None, navigable: false };
    let to = AssociationEnd { navigable: true, ..end(to) };
    model.associations.push(Association {
        kind,
        name: None,
        ends: [end(from), to],
        place: tree.span(node).into(),
    });
}

fn association(tree: &XmiTree, node: NodeId, known: &HashMap<NodeId, ClassId>, model: &mut Model) {
    let is_old = tree.is_old(node);
    let mut ends = tree.all(node, "memberEnd");
    ends.extend(tree.parts(node, "ownedEnd").filter(|end| !tree.all(node, "memberEnd").contains(end)));
    let [one, other] = ends[..] else { return };
    let read = |end: NodeId| {
        let class = tree.first(end, "type").and_then(|class| known.get(&class)).copied()?;
        // An end that is an attribute of the other class can be followed.
        let is_owned =
            tree.node(end).role == "ownedEnd" && !tree.all(node, "navigableOwnedEnd").contains(&end);
        let role = Some(tree.name(end)).filter(|name| !name.is_empty()).map(str::to_owned);
        let navigable = if is_old { tree.is(end, "isNavigable") } else { !is_owned };
        Some(AssociationEnd { class, role, multiplicity: multiplicity(tree, end), navigable })
    };
    let (Some(first), Some(second)) = (read(one), read(other)) else { return };
    let aggregation = |end: NodeId| match tree.attribute(end, "aggregation") {
        Some("composite") => Some(AssociationKind::Composition),
        Some("shared" | "aggregate") => Some(AssociationKind::Aggregation),
        _ => None,
    };
    // The end that is a part says so, in UML 1 the end that is the whole; the whole comes first.
    let [of_one, of_other] = if is_old { [other, one] } else { [one, other] };
    let (kind, ends) = match (aggregation(of_one), aggregation(of_other)) {
        (_, Some(kind)) => (kind, [first, second]),
        (Some(kind), None) => (kind, [second, first]),
        (None, None) => (AssociationKind::Association, [first, second]),
    };
    let name = Some(tree.name(node)).filter(|name| !name.is_empty()).map(str::to_owned);
    model.associations.push(Association { kind, name, ends, place: tree.span(node).into() });
}

/// Adds instance specifications: objects, and links where they are instances of associations, or of nothing and join two objects.
fn objects(reader: &XmiReader, elements: &[NodeId], model: &mut Model) {
    let tree = reader.tree;
    let mut known: HashMap<NodeId, ObjectId> = HashMap::new();
    let instances: Vec<NodeId> = elements
        .iter()
        .copied()
        .filter(|node| tree.kind(*node) == "InstanceSpecification" && !tree.is_reference(*node))
        .collect();
    let classifier = |node: NodeId| tree.first(node, "classifier");
    let is_link = |node: NodeId| match classifier(node) {
        Some(classifier) => tree.kind(classifier) == "Association",
        None => {
            tree.parts(node, "slot").count() == 2
                && tree.parts(node, "slot").all(|one| holds_object(tree, one))
        }
    };
    for node in instances.iter().copied().filter(|node| !is_link(*node) && !tree.name(*node).is_empty()) {
        let class = classifier(node).map(|one| tree.name(one).to_owned()).filter(|name| !name.is_empty());
        let id = model.objects.push(Object {
            name: tree.name(node).to_owned(),
            class,
            values: values(tree, node),
            stereotypes: reader.stereotypes(node),
            place: tree.span(node).into(),
        });
        known.insert(node, id);
    }
    for node in instances.iter().copied() {
        for slot in tree.parts(node, "slot") {
            let values = tree.parts(slot, "value");
            let targets = values.filter_map(|value| known.get(&tree.first(value, "instance")?).copied());
            let role = tree
                .first(slot, "definingFeature")
                .map(|one| tree.name(one).to_owned())
                .filter(|name| !name.is_empty());
            for to in targets {
                let Some(from) = known.get(&node) else { continue };
                let (ends, roles) = ([*from, to], [None, role.clone()]);
                model.links.push(Link { ends, roles, name: None, place: tree.span(slot).into() });
            }
        }
        if is_link(node) {
            let ends: Vec<(ObjectId, Option<String>)> = link_ends(tree, node, &known);
            if let [(one, first), (other, second)] = &ends[..] {
                let roles = [first.clone(), second.clone()];
                let name = Some(tree.name(node)).filter(|name| !name.is_empty()).map(str::to_owned);
                model.links.push(Link { ends: [*one, *other], roles, name, place: tree.span(node).into() });
            }
        }
    }
}

fn link_ends(
    tree: &XmiTree,
    node: NodeId,
    known: &HashMap<NodeId, ObjectId>,
) -> Vec<(ObjectId, Option<String>)> {
    let end = |slot: NodeId| {
        let value = tree.parts(slot, "value").next()?;
        let object = known.get(&tree.first(value, "instance")?)?;
        let role = tree.first(slot, "definingFeature").map(|one| tree.name(one).to_owned());
        Some((*object, role.filter(|name| !name.is_empty())))
    };
    tree.parts(node, "slot").filter_map(end).collect()
}

/// Whether the value of a slot is an object.
fn holds_object(tree: &XmiTree, slot: NodeId) -> bool {
    let instance = tree.parts(slot, "value").next().and_then(|value| tree.first(value, "instance"));
    instance.is_some_and(|one| tree.kind(one) == "InstanceSpecification")
}

/// The values of an object's attributes.
fn values(tree: &XmiTree, node: NodeId) -> Vec<(String, String)> {
    let slot = |slot: NodeId| {
        let feature = tree.name(tree.first(slot, "definingFeature")?).to_owned();
        let values: Vec<String> = tree.parts(slot, "value").map(|one| text::value(tree, one)).collect();
        (!values.is_empty() && !holds_object(tree, slot)).then(|| (feature, values.join(", ")))
    };
    tree.parts(node, "slot").filter_map(slot).collect()
}
