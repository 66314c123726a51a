//! What all parts of the reader share: the elements, the tool, findings, and names that are given once.

use std::collections::{HashMap, HashSet};

use sequent_kernel::diagnostic::Diagnostic;

use super::dialect::ModelingTool;
use super::tree::{NodeId, XmiTree};

/// The elements of a file, and what was found out while reading them.
pub(crate) struct XmiReader<'t, 'd> {
    /// The elements.
    pub tree: &'t XmiTree<'d>,
    /// Which tool wrote the file.
    pub tool: ModelingTool,
    /// Whether the file holds UML, rather than another metamodel.
    pub(crate) is_uml: bool,
    /// Findings.
    pub diagnostics: Vec<Diagnostic>,
    /// Elements that were read although others of their type are not.
    pub read: HashSet<NodeId>,
    /// Signals and operations by type and name.
    named: HashSet<(&'d str, &'d str)>,
    /// The stereotypes that are applied to elements.
    applied: HashMap<NodeId, Vec<&'d str>>,
}

impl<'t, 'd> XmiReader<'t, 'd> {
    /// A reader of elements.
    pub(crate) fn new(tree: &'t XmiTree<'d>, tool: ModelingTool, elements: &[NodeId]) -> Self {
        let named = elements.iter().map(|node| (tree.kind(*node), tree.name(*node)));
        let named = named.filter(|(kind, _)| matches!(*kind, "Signal" | "Operation")).collect();
        XmiReader {
            tree,
            tool,
            is_uml: true,
            diagnostics: Vec::new(),
            read: HashSet::new(),
            named,
            applied: applied(tree, elements),
        }
    }

    /// The stereotypes of an element: those applied to it, and the keywords that Eclipse UML2 writes.
    pub(crate) fn stereotypes(&self, node: NodeId) -> Vec<String> {
        let tree = self.tree;
        let notes = tree.parts(node, "eAnnotations");
        let notes = notes.filter(|note| tree.attribute(*note, "source") == Some(KEYWORDS));
        let keywords = notes.flat_map(|note| tree.parts(note, "details"));
        let keywords = keywords.filter_map(|one| tree.attribute(one, "key"));
        let applied = self.applied.get(&node).into_iter().flatten().copied();
        // UML 1 refers to the stereotype itself.
        let referred = if tree.is_old(node) { tree.all(node, "stereotype") } else { Vec::new() };
        let referred = referred.into_iter().map(|one| tree.name(one)).filter(|name| !name.is_empty());
        applied.chain(keywords).chain(referred).map(str::to_owned).collect()
    }

    /// Adds a finding.
    pub(crate) fn report(&mut self, finding: Diagnostic) {
        self.diagnostics.push(finding);
    }

    /// Whether an element of this type has this name.
    pub(crate) fn is_name_of(&self, kind: &str, name: &str) -> bool {
        self.named.contains(&(kind, name))
    }
}

/// The source of the annotation in which Eclipse UML2 keeps keywords.
pub(crate) const KEYWORDS: &str = "http://www.eclipse.org/uml2/2.0.0/UML";

/// The stereotypes (`<SysML:Block base_Class="..."/>`) by what they are applied to.
fn applied<'d>(tree: &XmiTree<'d>, elements: &[NodeId]) -> HashMap<NodeId, Vec<&'d str>> {
    let mut applied: HashMap<NodeId, Vec<&'d str>> = HashMap::new();
    for node in elements.iter().filter(|node| tree.node(**node).parent.is_none()) {
        let bases = tree.attributes(*node).iter().map(|(name, _)| *name);
        for base in bases.filter(|name| name.starts_with("base_")).flat_map(|base| tree.all(*node, base)) {
            applied.entry(base).or_default().push(tree.kind(*node));
        }
    }
    applied
}

/// Names of one scope, each given once.
#[derive(Default)]
pub(crate) struct UniqueNames(HashMap<String, usize>);

impl UniqueNames {
    /// The name if it is free, else with a number behind it.
    pub(crate) fn unique(&mut self, name: &str, divider: &str) -> String {
        let mut chosen = name.to_owned();
        while self.0.contains_key(&chosen) {
            let count = self.0.entry(name.to_owned()).or_insert(1);
            *count += 1;
            chosen = format!("{name}{divider}{count}");
        }
        self.0.insert(chosen.clone(), 1);
        chosen
    }

    /// Whether a name was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
