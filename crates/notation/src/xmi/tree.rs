//! The elements of UML models by what they are, whatever dialect of XMI they are written in.
//!
//! A property of an element is an attribute, an element with text (canonical XMI), or elements inside; a reference is a list of ids in
//! an attribute, an element with `xmi:idref`, or an `href` into another file. XMI 1 puts the type in the tag and the property around
//! it (`<UML:State.entry>`). Here all of these are [`XmiElement`]s: a `role` (the property that holds it), a `kind` (its UML type),
//! attributes and nodes inside. Namespaces differ from version to version and are not looked at. Ids are those of `xmi:id`; files of
//! EMF without ids refer by position or by names (`//@packagedElement.0`, `//Model/Region1`).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use roxmltree::{Document, Node as Element};
use sequent_kernel::id;
use sequent_kernel::id::IdVec;
use sequent_kernel::source::{FileId, Span};

use super::container;
use super::uml1;
use super::xml::PreparedXml;

id! {
    /// An element of a UML model.
    NodeId
}

/// One element.
pub(crate) struct XmiElement<'d> {
    /// The property of its owner that holds it: `region`, `packagedElement`.
    pub role: &'d str,
    /// Its UML type without prefix: `State`; empty if neither file nor property says.
    pub kind: &'d str,
    /// Its `xmi:id`.
    pub id: Option<&'d str>,
    /// What it is part of.
    pub parent: Option<NodeId>,
    /// Its parts in order.
    pub children: Vec<NodeId>,
    /// Its attributes without those of XMI.
    attributes: Vec<(&'d str, &'d str)>,
    /// The text in it, if it holds nothing else.
    text: &'d str,
    /// What it stands for, if it is a reference.
    reference: Option<ElementReference<'d>>,
    /// All of it.
    pub whole: Span,
    /// Its first tag.
    pub span: Span,
}

/// A reference to an element.
#[derive(Clone, Copy)]
pub(crate) enum ElementReference<'d> {
    /// By its id in the same file.
    Id(&'d str),
    /// In another file: its name and the id in it.
    Elsewhere(&'d str, &'d str),
}

/// All elements of a file and of those it refers to.
#[derive(Default)]
pub(crate) struct XmiTree<'d> {
    nodes: IdVec<NodeId, XmiElement<'d>>,
    /// The roots of each file.
    roots: Vec<(FileId, Vec<NodeId>)>,
    by_id: HashMap<(FileId, &'d str), NodeId>,
    /// Files by the names that references use.
    files: HashMap<String, FileId>,
    /// Elements with an id that another of their file has before them.
    repeated: Vec<NodeId>,
    /// Files of XMI 1.
    old: Vec<FileId>,
    /// Files with a part that belongs into another, and these.
    joined: Vec<(FileId, FileId)>,
    /// The parts of elements by property, for paths by position; made for files that have such paths.
    placed: HashMap<(NodeId, &'d str), Vec<NodeId>>,
    /// The same by name.
    called: HashMap<(NodeId, &'d str), Vec<NodeId>>,
    /// Whether some reference is a path.
    has_paths: bool,
}

impl<'d> XmiTree<'d> {
    /// Adds the elements of a file; `name` is how others refer to it.
    pub(crate) fn add(
        &mut self,
        file: FileId,
        name: &str,
        prepared: &PreparedXml<'_>,
        document: &'d Document<'d>,
    ) {
        self.files.insert(name.to_owned(), file);
        self.old.extend(is_old(document).then_some(file));
        let mut builder = XmiTreeBuilder { tree: self, file, prepared, is_old: is_old(document) };
        let mut roots = Vec::new();
        let mut open = vec![document.root_element()];
        while let Some(element) = open.pop() {
            match is_shell(&element) {
                true => open.extend(element.children().filter(Element::is_element).rev()),
                false => roots.extend(builder.node(element, None)),
            }
        }
        self.roots.push((file, roots));
    }

    /// Notes the parts of all elements by property and by name, if references are paths.
    fn index(&mut self) {
        if !self.has_paths {
            return;
        }
        (self.placed, self.called) = (HashMap::new(), HashMap::new());
        for id in self.nodes.ids() {
            for child in self.nodes[id].children.iter().copied() {
                self.placed.entry((id, self.nodes[child].role)).or_default().push(child);
                let name = self.attribute(child, "name").unwrap_or_default().trim();
                self.called.entry((id, name)).or_default().push(child);
            }
        }
    }

    /// Puts elements that stand in files of their own where they are referred to as parts.
    pub(crate) fn join(&mut self) {
        self.index();
        let references = self.nodes.ids().filter(|node| self.is_reference(*node) && self.is_part(*node));
        for node in references.collect::<Vec<NodeId>>() {
            let file = self.nodes[node].span.file;
            let target = self.reference(node).and_then(|one| self.resolve(file, one));
            let (Some(target), Some(owner)) = (target, self.nodes[node].parent) else { continue };
            let is_around = target == owner || self.around(owner).any(|outer| outer == target);
            if self.nodes[target].parent.is_some() || is_around {
                continue;
            }
            let at = self.nodes[owner].children.iter().position(|child| *child == node);
            if let Some(at) = at {
                self.nodes[owner].children[at] = target;
            }
            (self.nodes[target].parent, self.nodes[target].role) = (Some(owner), self.nodes[node].role);
            let pair = (self.nodes[target].span.file, file);
            if !self.joined.contains(&pair) {
                self.joined.push(pair);
            }
        }
        self.index();
    }

    /// Whether an element, or a reference that stands for it, is a part of the one around it.
    pub(crate) fn is_part(&self, id: NodeId) -> bool {
        let node = &self.nodes[id];
        let owner = node.parent.map_or("", |owner| self.nodes[owner].kind);
        PARTS.contains(&node.role) && (node.role != "message" || owner == "Interaction")
    }

    /// The elements at the top of a file.
    pub(crate) fn roots(&self, file: FileId) -> &[NodeId] {
        self.roots.iter().find(|(other, _)| *other == file).map_or(&[], |(_, roots)| roots)
    }

    /// All elements.
    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.ids()
    }

    /// An element.
    pub(crate) fn node(&self, id: NodeId) -> &XmiElement<'d> {
        &self.nodes[id]
    }

    /// Its UML type.
    pub(crate) fn kind(&self, id: NodeId) -> &'d str {
        self.nodes[id].kind
    }

    /// Where its first tag stands.
    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.nodes[id].span
    }

    /// Its name without blanks around it; empty if it has none.
    pub(crate) fn name(&self, id: NodeId) -> &'d str {
        self.attribute(id, "name").unwrap_or_default().trim()
    }

    /// A property that is a plain value.
    pub(crate) fn attribute(&self, id: NodeId, name: &str) -> Option<&'d str> {
        let node = &self.nodes[id];
        let written = node.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        written.or_else(|| {
            let mut inside = node.children.iter().map(|child| &self.nodes[*child]);
            inside.find(|child| child.role == name && child.is_text()).map(|child| child.text)
        })
    }

    /// All texts of a property: `<body>` may come several times.
    pub(crate) fn texts(&self, id: NodeId, name: &str) -> Vec<&'d str> {
        let node = &self.nodes[id];
        let written = node.attributes.iter().filter(|(own, _)| *own == name).map(|(_, value)| *value);
        let inside = node.children.iter().map(|child| &self.nodes[*child]);
        written
            .chain(inside.filter(|child| child.role == name && child.is_text()).map(|child| child.text))
            .collect()
    }

    /// The value of a Boolean property; false where nothing is written.
    pub(crate) fn is(&self, id: NodeId, name: &str) -> bool {
        self.attribute(id, name).is_some_and(|value| value.trim() == "true")
    }

    /// The parts of an element in a property, without references.
    pub(crate) fn parts(&self, id: NodeId, role: &str) -> impl Iterator<Item = NodeId> {
        let children = self.nodes[id].children.iter().copied();
        children
            .filter(move |child| self.nodes[*child].role == role && self.nodes[*child].reference.is_none())
    }

    /// The elements of a property: its parts and those it refers to.
    pub(crate) fn all(&self, id: NodeId, role: &str) -> Vec<NodeId> {
        self.targets(id, role).into_iter().flatten().collect()
    }

    /// Whether something is written in one of these properties.
    pub(crate) fn has(&self, id: NodeId, roles: &[&str]) -> bool {
        let node = &self.nodes[id];
        node.attributes.iter().any(|(own, _)| roles.contains(own))
            || node.children.iter().any(|child| roles.contains(&self.nodes[*child].role))
    }

    /// The first element of a property.
    pub(crate) fn first(&self, id: NodeId, role: &str) -> Option<NodeId> {
        self.targets(id, role).into_iter().flatten().next()
    }

    /// The elements of a property, or what refers to none.
    pub(crate) fn targets(&self, id: NodeId, role: &str) -> Vec<Result<NodeId, ElementReference<'d>>> {
        let node = &self.nodes[id];
        let file = node.span.file;
        let mut found = Vec::new();
        for (_, value) in node.attributes.iter().filter(|(own, _)| *own == role) {
            let references = value.split_whitespace().map(reference);
            found.extend(references.map(|one| self.resolve(file, one).ok_or(one)));
        }
        for child in node.children.iter().filter(|child| self.nodes[**child].role == role) {
            let node = &self.nodes[*child];
            match node.reference {
                Some(one) => found.push(self.resolve(file, one).ok_or(one)),
                // Canonical XMI writes ids as text nowhere, other tools do.
                None if node.is_text() && node.id.is_none() => {
                    let references = node.text.split_whitespace().map(reference);
                    found.extend(references.filter_map(|one| self.resolve(file, one)).map(Ok));
                }
                None => found.push(Ok(*child)),
            }
        }
        found
    }

    /// The first reference of a property that leads nowhere, if none of its elements is there.
    pub(crate) fn missing(&self, id: NodeId, role: &str) -> Option<ElementReference<'d>> {
        let targets = self.targets(id, role);
        let is_missing = targets.iter().all(Result::is_err);
        targets.into_iter().find_map(Result::err).filter(|_| is_missing)
    }

    /// The properties of a stereotype that name what it is applied to.
    pub(crate) fn bases(&self, id: NodeId) -> Vec<&'d str> {
        let node = &self.nodes[id];
        let inside = node.children.iter().map(|child| self.nodes[*child].role);
        let names = node.attributes.iter().map(|(name, _)| *name).chain(inside);
        names.filter(|name| name.starts_with("base_")).collect()
    }

    /// The file that a reference names, if it was read.
    pub(crate) fn file(&self, name: &str) -> Option<FileId> {
        self.files.get(&unescaped(name)).copied()
    }

    fn resolve(&self, file: FileId, reference: ElementReference<'d>) -> Option<NodeId> {
        let (file, id) = match reference {
            ElementReference::Id(id) => (file, id),
            ElementReference::Elsewhere(name, id) => {
                let entry = || container::is_entry(name).then_some(file);
                (self.file(name).or_else(entry)?, id)
            }
        };
        let own = || self.by_id.get(&(file, id)).copied().or_else(|| self.by_path(file, id));
        // The files of one model may share their ids.
        let others = || {
            self.joined.iter().filter_map(move |(part, whole)| match file {
                _ if *part == file => Some(*whole),
                _ if *whole == file => Some(*part),
                _ => None,
            })
        };
        own().or_else(|| others().find_map(|other| self.by_id.get(&(other, id)).copied()))
    }

    /// The element that a path of EMF leads to.
    fn by_path(&self, file: FileId, path: &str) -> Option<NodeId> {
        let path = path.strip_prefix('/')?;
        let mut steps = path.split('/');
        let number: usize = steps.next()?.parse().unwrap_or(0);
        let mut at = *self.roots(file).get(number)?;
        for step in steps {
            at = self.step(at, step)?;
        }
        Some(at)
    }

    /// `@region.0` is the first region; `Idle` what is called so, `Idle.1` the second of them.
    fn step(&self, at: NodeId, step: &str) -> Option<NodeId> {
        if let Some(feature) = step.strip_prefix('@') {
            let (role, number) = feature.rsplit_once('.').unwrap_or((feature, "0"));
            return self.placed.get(&(at, role))?.get(number.parse::<usize>().ok()?).copied();
        }
        let name = unescaped(step);
        let named = |wanted: &str, number: usize| self.called.get(&(at, wanted))?.get(number).copied();
        named(&name, 0).or_else(|| {
            let (name, number) = name.rsplit_once('.')?;
            named(name, number.parse().ok()?)
        })
    }

    /// The element and everything inside, outer before inner.
    pub(crate) fn inside(&self, id: NodeId) -> Vec<NodeId> {
        let mut open = vec![id];
        let mut found = Vec::new();
        while let Some(next) = open.pop() {
            found.push(next);
            open.extend(self.nodes[next].children.iter().rev());
        }
        found
    }

    /// The elements around an element, inner before outer.
    pub(crate) fn around(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[id].parent, |at| self.nodes[*at].parent)
    }

    /// Whether an element is a reference rather than the element itself.
    pub(crate) fn is_reference(&self, id: NodeId) -> bool {
        self.nodes[id].reference.is_some()
    }

    /// What an element stands for, if it is a reference.
    pub(crate) fn reference(&self, id: NodeId) -> Option<ElementReference<'d>> {
        self.nodes[id].reference
    }

    /// Whether an element holds nothing but text.
    pub(crate) fn is_text(&self, id: NodeId) -> bool {
        self.nodes[id].is_text()
    }

    /// Whether an element holds what its tool keeps for itself: an extension, or a drawing in an annotation (Eclipse).
    pub(crate) fn is_kept_apart(&self, id: NodeId) -> bool {
        let node = &self.nodes[id];
        let is_drawing = || {
            node.role == "contents"
                && node.parent.is_some_and(|around| self.nodes[around].role == "eAnnotations")
        };
        matches!(node.role, "Extension" | "XMI.extension" | "XMI.extensions") || is_drawing()
    }

    /// Whether an element says nothing.
    pub(crate) fn is_empty(&self, id: NodeId) -> bool {
        let node = &self.nodes[id];
        node.children.is_empty() && node.attributes.is_empty() && node.text.is_empty()
    }

    /// The elements of a file with an id that another has before them.
    pub(crate) fn repeated(&self, file: FileId) -> impl Iterator<Item = NodeId> {
        self.repeated.iter().copied().filter(move |node| self.nodes[*node].span.file == file)
    }

    /// Whether an element is one of XMI 1, whose types are those of UML 1.
    pub(crate) fn is_old(&self, id: NodeId) -> bool {
        self.old.contains(&self.nodes[id].span.file)
    }

    /// The attributes of an element.
    pub(crate) fn attributes(&self, id: NodeId) -> &[(&'d str, &'d str)] {
        &self.nodes[id].attributes
    }
}

impl XmiElement<'_> {
    /// Whether it has a reference by a path.
    fn has_path(&self) -> bool {
        let is_path = |text: &str| text.starts_with('/') || text.contains("#/") || text.contains(" /");
        let written = self.attributes.iter().map(|(_, value)| *value).chain([self.text]);
        let referred = self.reference.map(|one| match one {
            ElementReference::Id(id) | ElementReference::Elsewhere(_, id) => id,
        });
        written.chain(referred).any(is_path)
    }

    /// Whether it holds nothing but text.
    fn is_text(&self) -> bool {
        self.children.is_empty() && self.reference.is_none() && !self.text.is_empty()
    }
}

/// The properties that hold parts of machines, interactions and their owners; parts may stand in a file of their own.
const PARTS: &[&str] = &[
    "connectionPoint",
    "fragment",
    "lifeline",
    "message",
    "nestedClassifier",
    "nestedPackage",
    "operand",
    "ownedAttribute",
    "ownedBehavior",
    "ownedOperation",
    "packagedElement",
    "region",
    "subvertex",
    "transition",
];

/// `id`, `#id` or `file#id`.
fn reference(text: &str) -> ElementReference<'_> {
    match text.rsplit_once('#') {
        Some(("", id)) => ElementReference::Id(id),
        Some((file, id)) => ElementReference::Elsewhere(file, id),
        None => ElementReference::Id(text),
    }
}

/// The text with `%20` as the characters that it stands for.
pub(crate) fn unescaped(text: &str) -> String {
    let (mut bytes, mut at) = (Vec::new(), 0);
    let source = text.as_bytes();
    while let Some(byte) = source.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                at += 3;
            }
            None => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether an element only holds models; a project of ArgoUML is one with the model and its settings.
fn is_shell(element: &Element) -> bool {
    let is_root = element.parent_element().is_none();
    match element.tag_name().name() {
        "XMI" | "XMI.content" | "xmi" => true,
        // What is put around the pieces of a model that is no document.
        "fragment" => is_root && element.attributes().len() == 0,
        "uml" => is_root,
        _ => false,
    }
}

/// Whether a document is XMI 1.
fn is_old(document: &Document) -> bool {
    let root = document.root_element();
    let inside = root.children().filter(|_| is_shell(&root));
    let has_version =
        |element: Element| element.attributes().any(|attribute| attribute.name() == "xmi.version");
    has_version(root) || inside.filter(Element::is_element).any(has_version)
}

struct XmiTreeBuilder<'t, 'd> {
    tree: &'t mut XmiTree<'d>,
    file: FileId,
    prepared: &'t PreparedXml<'t>,
    is_old: bool,
}

impl<'d> XmiTreeBuilder<'_, 'd> {
    /// Adds an element with everything inside; `None` for what other tools keep for themselves.
    fn node(&mut self, element: Element<'d, 'd>, parent: Option<NodeId>) -> Option<NodeId> {
        let tag = element.tag_name().name();
        let is_setting = parent.is_none() && matches!(tag, "argo" | "pgml" | "todo" | "profile");
        if is_setting || matches!(tag, "Documentation" | "XMI.header") {
            return None;
        }
        let id = self.tree.nodes.push(self.plain(element, parent));
        self.tree.has_paths |= self.tree.nodes[id].has_path();
        if let Some(name) = self.tree.nodes[id].id {
            match self.tree.by_id.entry((self.file, name)) {
                Entry::Occupied(_) => self.tree.repeated.push(id),
                Entry::Vacant(free) => {
                    free.insert(id);
                }
            }
        }
        // A second copy of the model may stand in an extension, with the same ids.
        if !self.tree.is_kept_apart(id) {
            self.fill(id, element);
        }
        Some(id)
    }

    fn fill(&mut self, id: NodeId, element: Element<'d, 'd>) {
        for child in element.children().filter(Element::is_element) {
            let property = self.property(child.tag_name().name());
            match property {
                None => {
                    let inside = self.node(child, Some(id));
                    self.tree.nodes[id].children.extend(inside);
                }
                Some(role) if child.children().any(|inner| inner.is_element()) => {
                    for inner in child.children().filter(Element::is_element) {
                        let inside = self.node(inner, Some(id));
                        if let Some(node) = inside {
                            self.tree.nodes[node].role = uml1::role(role, self.tree.nodes[node].kind);
                        }
                        self.tree.nodes[id].children.extend(inside);
                    }
                }
                Some(role) => {
                    let value = child.attributes().find(|attribute| attribute.name() == "xmi.value");
                    let value = value.map(|attribute| attribute.value()).or_else(|| child.text());
                    let role = uml1::attribute(role, self.tree.nodes[id].kind);
                    self.tree.nodes[id].attributes.extend(value.map(|value| (role, value)));
                }
            }
        }
    }

    /// The property that a tag of XMI 1 stands for: `entry` in `UML:State.entry`. Types begin with a capital:
    /// `Foundation.Core.Class` (XMI 1.0).
    fn property(&self, tag: &'d str) -> Option<&'d str> {
        let (owner, property) = tag.rsplit_once('.').filter(|_| self.is_old)?;
        (!owner.starts_with("XMI") && property.starts_with(|c: char| c.is_lowercase())).then_some(property)
    }

    fn plain(&self, element: Element<'d, 'd>, parent: Option<NodeId>) -> XmiElement<'d> {
        let tag = element.tag_name().name();
        let (mut kind, mut id, mut reference, mut attributes) = (None, None, None, Vec::new());
        for attribute in element.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            let is_xmi = attribute.namespace().is_some();
            match name {
                "type" if is_xmi => kind = Some(value.rsplit_once(':').map_or(value, |(_, local)| local)),
                "id" if is_xmi => id = Some(value),
                "xmi.id" => id = Some(value),
                "idref" | "xmi.idref" if is_xmi || self.is_old => {
                    reference = Some(ElementReference::Id(value))
                }
                "href" => reference = Some(self::reference(value)),
                _ if is_xmi => {}
                _ => attributes.push((name, value)),
            }
        }
        let kind = match kind {
            Some(kind) => kind,
            None if self.is_old => uml1::kind(tag),
            None if parent.is_none() && default_kind(tag).is_empty() => tag,
            None => default_kind(tag),
        };
        if self.is_old {
            attributes.iter_mut().for_each(|(name, _)| *name = uml1::attribute(name, kind));
        }
        let (start, end) = (element.range().start, element.range().end);
        let [start, end] = [start, end].map(|at| self.prepared.place(at));
        let text =
            if element.first_element_child().is_some() { "" } else { element.text().unwrap_or_default() };
        XmiElement {
            role: tag,
            kind,
            id,
            parent,
            children: Vec::new(),
            attributes,
            text: text.trim(),
            reference,
            whole: Span::new(self.file, start, end),
            span: Span::new(self.file, start, (start + 1 + tag.len()).min(end)),
        }
    }
}

/// The type of what some properties hold, where no type is written.
fn default_kind(role: &str) -> &'static str {
    match role {
        "region" => "Region",
        "subvertex" => "State",
        "transition" => "Transition",
        "connectionPoint" => "Pseudostate",
        "connection" => "ConnectionPointReference",
        "trigger" | "deferrableTrigger" => "Trigger",
        "guard" | "ownedRule" | "stateInvariant" | "invariant" => "Constraint",
        "lifeline" => "Lifeline",
        "message" => "Message",
        "operand" => "InteractionOperand",
        "generalOrdering" => "GeneralOrdering",
        "formalGate" | "actualGate" | "cfragmentGate" => "Gate",
        "ownedAttribute" => "Property",
        "ownedOperation" => "Operation",
        "ownedReception" => "Reception",
        "ownedParameter" => "Parameter",
        "ownedLiteral" => "EnumerationLiteral",
        "ownedEnd" => "Property",
        "ownedComment" => "Comment",
        "ownedConnector" => "Connector",
        "generalization" => "Generalization",
        "interfaceRealization" => "InterfaceRealization",
        "slot" => "Slot",
        "end" => "ConnectorEnd",
        "packageImport" => "PackageImport",
        "elementImport" => "ElementImport",
        "profileApplication" => "ProfileApplication",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use sequent_kernel::source::Sources;

    use super::*;

    #[test]
    fn paths_lead_to_elements() {
        let text = "<Model name='M'><packagedElement name='a b'><region name='R'/><region name='S'/>\
                    </packagedElement></Model>";
        let file = Sources::new().add("m.uml", text);
        let prepared = PreparedXml::new(text).ok().expect("well-formed");
        let document = prepared.parse().ok().expect("well-formed");
        let mut tree = XmiTree::default();
        tree.add(file, "m.uml", &prepared, &document);
        tree.has_paths = true;
        tree.join();
        let name = |path| tree.by_path(file, path).map(|id| tree.name(id));
        assert_eq!(name("//@packagedElement.0/@region.1"), Some("S"));
        assert_eq!(name("//a%20b/R"), Some("R"));
        assert_eq!(name("//a%20b/T"), None);
    }
}
