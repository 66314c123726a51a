//! Units: what is one element in all versions.
//!
//! Elements with the same id are one. Elements without an id, comments and texts lie in elements that are one: what refers to the same or
//! has the same name is the same, then what is equal, then what stands at the same place between those and has the same tag.

use std::collections::{BTreeSet, HashMap};

use sequent_kernel::id;
use sequent_kernel::id::{Id, IdVec};
use sequent_notation::xmi::lossless::{NodeId, XmlDocument};

use crate::merge::align::{align_equal, number_keys};

id! {
    /// An element of some versions.
    UnitId
}

/// What an element is without blanks and the order of its attributes; equal numbers are equal elements.
type ElementDigest = u32;

/// What a shape stands for: tag, attributes, text, shapes inside.
type ShapeKey<'d> = (&'d str, Vec<(&'d str, &'d str)>, &'d str, Vec<ElementDigest>);

/// The elements of several versions of a document; the first is the base.
pub(in crate::merge) struct Units<'d> {
    /// The versions.
    pub documents: &'d [XmlDocument<'d>],
    /// The node of each version.
    pub nodes: IdVec<UnitId, Vec<Option<NodeId>>>,
    of: Vec<IdVec<NodeId, Option<UnitId>>>,
    shapes: Vec<IdVec<NodeId, ElementDigest>>,
    /// All ids of all versions.
    pub ids: BTreeSet<&'d str>,
}

impl<'d> Units<'d> {
    pub(crate) fn new(documents: &'d [XmlDocument<'d>]) -> Self {
        let mut known: HashMap<ShapeKey<'d>, ElementDigest> = HashMap::new();
        let shapes = documents.iter().map(|document| shapes(document, &mut known)).collect();
        let of = documents.iter().map(|document| document.nodes.iter().map(|_| None).collect()).collect();
        let ids =
            documents.iter().flat_map(|document| document.nodes.ids().filter_map(move |id| document.id(id)));
        let mut units = Units { documents, nodes: IdVec::new(), of, shapes, ids: ids.collect() };
        units.join(documents.iter().map(|document| Some(document.root)).collect());
        units.join_ids();
        let mut at = 0;
        while at < units.nodes.len() {
            units.join_children(UnitId::from_index(at));
            at += 1;
        }
        units
    }

    fn join(&mut self, nodes: Vec<Option<NodeId>>) {
        let unit = self.nodes.push(nodes.clone());
        for (version, node) in nodes.into_iter().enumerate() {
            if let Some(node) = node {
                self.of[version][node] = Some(unit);
            }
        }
    }

    /// Elements whose ids are there once in each version.
    fn join_ids(&mut self) {
        let mut order: Vec<&'d str> = Vec::new();
        let mut found: HashMap<&'d str, Vec<Vec<NodeId>>> = HashMap::new();
        for (version, document) in self.documents.iter().enumerate() {
            for node in document.nodes.ids() {
                let Some(id) = document.id(node) else { continue };
                let places = found.entry(id).or_insert_with(|| {
                    order.push(id);
                    vec![Vec::new(); self.documents.len()]
                });
                places[version].push(node);
            }
        }
        for id in order {
            let places = &found[id];
            if places.iter().all(|nodes| nodes.len() <= 1) {
                let is_free = |(version, node): (usize, &NodeId)| self.of[version][*node].is_none();
                let nodes: Vec<Option<NodeId>> = places
                    .iter()
                    .enumerate()
                    .map(|(version, nodes)| nodes.first().copied().filter(|node| is_free((version, node))))
                    .collect();
                if nodes.iter().any(Option::is_some) {
                    self.join(nodes);
                }
            }
        }
    }

    /// The children of an element that no unit has yet.
    fn free(&self, unit: UnitId, version: usize) -> Vec<NodeId> {
        let node = self.nodes[unit][version];
        let element = node.and_then(|node| self.documents[version].element(node));
        let children = element.map(|element| element.children.clone()).unwrap_or_default();
        children.into_iter().filter(|child| self.of[version][*child].is_none()).collect()
    }

    fn join_children(&mut self, unit: UnitId) {
        let count = self.documents.len();
        let free: Vec<Vec<NodeId>> = (0..count).map(|version| self.free(unit, version)).collect();
        let to: Vec<Vec<Option<usize>>> =
            (1..count).map(|version| self.matched((0, &free[0]), (version, &free[version]))).collect();
        for (at, node) in free[0].iter().enumerate() {
            let others = to.iter().enumerate().map(|(side, to)| to[at].map(|place| free[side + 1][place]));
            self.join(std::iter::once(Some(*node)).chain(others).collect());
        }
        let rest = |units: &Self, version: usize| -> Vec<NodeId> {
            free[version].iter().copied().filter(|node| units.of[version][*node].is_none()).collect()
        };
        // What both sides added the same is added once.
        if let [_, _, _] = self.documents {
            let (ours, theirs) = (rest(self, 1), rest(self, 2));
            let shapes = |version: usize, nodes: &[NodeId]| -> Vec<ElementDigest> {
                nodes.iter().map(|node| self.shapes[version][*node]).collect()
            };
            let same = align_equal(&shapes(1, &ours), &shapes(2, &theirs));
            for (node, place) in ours.iter().zip(same) {
                self.join(vec![None, Some(*node), place.map(|place| theirs[place])]);
            }
        }
        for version in 1..count {
            for node in rest(self, version) {
                self.join((0..count).map(|other| (other == version).then_some(node)).collect());
            }
        }
    }

    /// For each of some nodes of the base its place among those of another version.
    fn matched(&self, base: (usize, &[NodeId]), other: (usize, &[NodeId])) -> Vec<Option<usize>> {
        let mut found: Vec<Option<usize>> = vec![None; base.1.len()];
        let mut is_taken = vec![false; other.1.len()];
        // What refers to the same, or is called the same.
        let keys = |(version, nodes): (usize, &[NodeId])| -> Vec<Option<String>> {
            let mut counts: HashMap<String, usize> = HashMap::new();
            let key = |node: &NodeId| {
                let key = key(&self.documents[version], *node)?;
                let count = counts.entry(key.clone()).or_default();
                *count += 1;
                Some(format!("{count} {key}"))
            };
            nodes.iter().map(key).collect()
        };
        let (before, after) = (keys(base), keys(other));
        let places: HashMap<&String, usize> =
            after.iter().enumerate().filter_map(|(at, key)| Some((key.as_ref()?, at))).collect();
        for (at, key) in before.iter().enumerate() {
            if let Some(place) = key.as_ref().and_then(|key| places.get(key)) {
                found[at] = Some(*place);
                is_taken[*place] = true;
            }
        }
        // What is equal among the others.
        let left: Vec<usize> = (0..base.1.len()).filter(|at| found[*at].is_none()).collect();
        let right: Vec<usize> = (0..other.1.len()).filter(|at| !is_taken[*at]).collect();
        let [old, new] = number_keys([
            left.iter().map(|at| self.shapes[base.0][base.1[*at]]).collect::<Vec<ElementDigest>>(),
            right.iter().map(|at| self.shapes[other.0][other.1[*at]]).collect(),
        ]);
        let mut equal: Vec<Option<usize>> = align_equal(&old, &new);
        // Between those, what has the same tag, in order; texts are only the same if they are equal.
        let mut from = 0;
        for at in 0..equal.len() {
            if let Some(place) = equal[at] {
                from = place + 1;
                continue;
            }
            let tag = self.documents[base.0].tag(base.1[left[at]]);
            let end = equal[at..].iter().flatten().next().copied().unwrap_or(right.len());
            let is_same = |place: &usize| self.documents[other.0].tag(other.1[right[*place]]) == tag;
            if let Some(place) = (from..end).find(is_same).filter(|_| !tag.is_empty()) {
                equal[at] = Some(place);
                from = place + 1;
            }
        }
        for (at, place) in equal.into_iter().enumerate() {
            found[left[at]] = place.map(|place| right[place]);
        }
        found
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> UnitId {
        UnitId::from_index(0)
    }

    /// The unit of a node.
    pub(crate) fn of(&self, version: usize, node: NodeId) -> Option<UnitId> {
        self.of[version][node]
    }

    /// The node of a unit in a version.
    pub(crate) fn node(&self, unit: UnitId, version: usize) -> Option<NodeId> {
        self.nodes[unit][version]
    }

    /// What a unit is part of in a version.
    pub(crate) fn parent(&self, unit: UnitId, version: usize) -> Option<UnitId> {
        let node = self.node(unit, version)?;
        self.of(version, self.documents[version].nodes[node].parent?)
    }

    /// What a unit and everything in it is in a version.
    pub(crate) fn shape(&self, unit: UnitId, version: usize) -> Option<u32> {
        Some(self.shapes[version][self.node(unit, version)?])
    }

    /// The unit and what is around it in a version, inner before outer.
    pub(crate) fn around(&self, unit: UnitId, version: usize) -> Vec<UnitId> {
        let around = std::iter::successors(Some(unit), |at| self.parent(*at, version));
        around.take(self.nodes.len()).collect()
    }

    /// Some version of a unit that has it, ours first.
    pub(crate) fn some(&self, unit: UnitId) -> Option<(usize, NodeId)> {
        let versions = (1..self.documents.len()).chain([0]);
        versions.into_iter().find_map(|version| Some((version, self.node(unit, version)?)))
    }

    /// The interactions that a side changed.
    pub(crate) fn changed_interactions(&self) -> Vec<UnitId> {
        let is_interaction = |unit: &UnitId| {
            self.some(*unit)
                .is_some_and(|(version, node)| self.documents[version].kind(node) == "Interaction")
        };
        let is_changed =
            |unit: &UnitId| [1, 2].iter().any(|side| self.shape(*unit, *side) != self.shape(*unit, 0));
        self.nodes.ids().filter(|unit| is_interaction(unit) && is_changed(unit)).collect()
    }

    /// Whether both sides changed something.
    pub(crate) fn is_changed_by_both(&self) -> bool {
        [1, 2].iter().all(|side| self.shape(self.root(), *side) != self.shape(self.root(), 0))
    }

    /// Whether elements are referred to by where they stand (`//@packagedElement.0`).
    pub(crate) fn has_paths(&self) -> bool {
        self.documents.iter().any(|document| {
            let mut values =
                document.nodes.iter().filter_map(|node| node.element.as_ref()).flat_map(|element| {
                    element.attributes.iter().map(|attribute| document.part(&attribute.value))
                });
            values.any(|value| value.starts_with("//") || value.contains("#//"))
        })
    }
}

/// What tells an element without id from its siblings.
fn key(document: &XmlDocument<'_>, node: NodeId) -> Option<String> {
    let element = document.element(node)?;
    let value = |name: &str| document.attribute(node, name);
    let reference = ["idref", "xmi.idref", "href"].iter().find_map(|name| value(name));
    let base = || {
        let mut all = element.attributes.iter();
        all.find(|one| document.part(&one.name).starts_with("base_")).map(|one| document.part(&one.value))
    };
    let written = document.id(node).or(reference).or_else(base).or_else(|| value("name"))?;
    Some(format!("{} {written}", document.tag(node)))
}

fn shapes<'d>(
    document: &'d XmlDocument<'d>,
    known: &mut HashMap<ShapeKey<'d>, ElementDigest>,
) -> IdVec<NodeId, ElementDigest> {
    let mut shapes: IdVec<NodeId, ElementDigest> = document.nodes.iter().map(|_| 0).collect();
    let all: Vec<NodeId> = document.nodes.ids().collect();
    // Inner nodes come after outer ones.
    for id in all.into_iter().rev() {
        let node = &document.nodes[id];
        let key = match &node.element {
            None => ("", Vec::new(), document.part(&node.whole), Vec::new()),
            Some(element) => {
                let mut attributes: Vec<(&str, &str)> = element
                    .attributes
                    .iter()
                    .map(|one| (document.part(&one.name), document.part(&one.value)))
                    .collect();
                attributes.sort_unstable();
                let is_leaf = is_leaf(document, id);
                let text = leaf_text(document, id).unwrap_or_default();
                let inside = element.children.iter().filter(|_| !is_leaf).map(|child| shapes[*child]);
                (document.part(&element.tag), attributes, text, inside.collect())
            }
        };
        let fresh = known.len() as ElementDigest;
        shapes[id] = *known.entry(key).or_insert(fresh);
    }
    shapes
}

/// Whether an element holds no other.
pub(in crate::merge) fn is_leaf(document: &XmlDocument<'_>, node: NodeId) -> bool {
    let element = document.element(node);
    element.is_some_and(|element| element.children.iter().all(|child| document.element(*child).is_none()))
}

/// The text of an element that holds no other; blanks alone are none.
pub(in crate::merge) fn leaf_text<'d>(document: &XmlDocument<'d>, node: NodeId) -> Option<&'d str> {
    let element = document.element(node).filter(|_| is_leaf(document, node))?;
    let content = element.content.as_ref().filter(|_| !element.children.is_empty())?;
    Some(document.part(content))
}
