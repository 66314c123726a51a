//! Composite structure: the parts of a class are objects, the connectors between them links (UML 2.5.1, 11.2).
//!
//! One class of the file says which objects there are: the only one with connectors that is no part of another. Where instance
//! specifications say it, or where it is not clear, nothing is read, and the connectors are told as not read. A delegation to a port of
//! the class itself links no part with another; a port without link is open to the environment already.

use std::collections::{BTreeSet, HashMap};

use sequent_kernel::model::{Link, Model, Object, ObjectId};

use super::class::multiplicity;
use super::reader::XmiReader;
use super::tree::{NodeId, XmiTree};

/// Adds the parts of the class that describes the system, if there are no other objects.
pub(crate) fn parts(reader: &mut XmiReader, elements: &[NodeId], model: &mut Model) {
    let tree = reader.tree;
    let whole: Vec<NodeId> = elements
        .iter()
        .copied()
        .filter(|node| {
            matches!(tree.kind(*node), "Class" | "Component") && connectors(tree, *node).next().is_some()
        })
        .collect();
    let inner: BTreeSet<NodeId> = whole
        .iter()
        .flat_map(|class| tree.parts(*class, "ownedAttribute"))
        .filter_map(|part| tree.first(part, "type"))
        .collect();
    let mut outer = whole.iter().filter(|class| !inner.contains(class));
    let (Some(class), None) = (outer.next(), outer.next()) else { return };
    let parts: Vec<NodeId> = tree
        .parts(*class, "ownedAttribute")
        .filter(|part| tree.kind(*part) != "Port" && is_one(tree, *part))
        .collect();
    if !model.objects.is_empty() || parts.is_empty() {
        return;
    }
    let index: HashMap<NodeId, usize> = parts.iter().enumerate().map(|(at, part)| (*part, at)).collect();
    let all: Option<Vec<Joined>> =
        connectors(tree, *class).map(|one| joins(tree, *class, one, &index)).collect();
    let Some(all) = all else { return };
    let objects: Vec<ObjectId> = parts.iter().map(|part| model.objects.push(object(reader, *part))).collect();
    for Joined { connector, link } in all {
        reader.read.insert(connector);
        reader.read.extend(tree.parts(connector, "end"));
        model.links.extend(link.map(|ends| Link {
            ends: ends.each_ref().map(|(part, _)| objects[*part]),
            roles: ends.map(|(_, port)| port),
            name: None,
            place: tree.span(connector).into(),
        }));
    }
}

/// A connector, and the parts that it joins with their ports; none if it leads to a port of the class itself.
struct Joined {
    connector: NodeId,
    link: Option<[(usize, Option<String>); 2]>,
}

/// What a connector joins; `None` if that is no part that is read.
fn joins(tree: &XmiTree, class: NodeId, connector: NodeId, parts: &HashMap<NodeId, usize>) -> Option<Joined> {
    let ends: Vec<NodeId> = tree.parts(connector, "end").collect();
    let [one, other] = ends[..] else { return None };
    let is_border = [one, other].iter().any(|end| is_border(tree, class, *end));
    let link = match [one, other].map(|end| joined(tree, end, parts)) {
        [Some(one), Some(other)] => Some([one, other]),
        [_, _] if is_border => None,
        [_, _] => return None,
    };
    Some(Joined { connector, link })
}

fn connectors<'t>(tree: &'t XmiTree, class: NodeId) -> impl Iterator<Item = NodeId> + 't {
    tree.parts(class, "ownedConnector")
}

/// Whether a part is one object of a class.
fn is_one(tree: &XmiTree, part: NodeId) -> bool {
    let is_class =
        tree.first(part, "type").is_some_and(|class| matches!(tree.kind(class), "Class" | "Component"));
    is_class && multiplicity(tree, part).is_none() && !tree.name(part).is_empty()
}

fn object(reader: &XmiReader, part: NodeId) -> Object {
    let tree = reader.tree;
    let class = tree.first(part, "type").map(|class| tree.name(class).to_owned());
    Object {
        name: tree.name(part).to_owned(),
        class: class.filter(|name| !name.is_empty()),
        values: Vec::new(),
        stereotypes: reader.stereotypes(part),
        place: tree.span(part).into(),
    }
}

/// Whether an end is a port of the class itself.
fn is_border(tree: &XmiTree, class: NodeId, end: NodeId) -> bool {
    let role = tree.first(end, "role");
    role.is_some_and(|role| tree.kind(role) == "Port" && tree.node(role).parent == Some(class))
}

/// The part that an end joins, and its port.
fn joined(tree: &XmiTree, end: NodeId, parts: &HashMap<NodeId, usize>) -> Option<(usize, Option<String>)> {
    let role = tree.first(end, "role")?;
    match tree.first(end, "partWithPort") {
        Some(part) => Some((*parts.get(&part)?, Some(tree.name(role).to_owned()))),
        None => Some((*parts.get(&role)?, None)),
    }
}
