//! What all parts of the reader share: the elements, the tool, findings, and names that are given once.

use std::collections::{BTreeSet, HashMap};

use sequent_kernel::diagnostic::Diagnostic;

use super::dialect::Tool;
use super::tree::{NodeId, Tree};

/// The elements of a file, and what was found out while reading them.
pub struct Reader<'t, 'd> {
    /// The elements.
    pub tree: &'t Tree<'d>,
    /// Which tool wrote the file.
    pub tool: Tool,
    /// Findings.
    pub diagnostics: Vec<Diagnostic>,
    /// Signals and operations by type and name.
    named: BTreeSet<(&'d str, &'d str)>,
}

impl<'t, 'd> Reader<'t, 'd> {
    /// A reader of elements.
    pub fn new(tree: &'t Tree<'d>, tool: Tool, elements: &[NodeId]) -> Self {
        let named = elements.iter().map(|node| (tree.kind(*node), tree.name(*node)));
        let named = named.filter(|(kind, _)| matches!(*kind, "Signal" | "Operation")).collect();
        Reader { tree, tool, diagnostics: Vec::new(), named }
    }

    /// Adds a finding.
    pub fn report(&mut self, finding: Diagnostic) {
        self.diagnostics.push(finding);
    }

    /// Whether an element of this type has this name.
    pub fn is_name_of(&self, kind: &str, name: &str) -> bool {
        self.named.iter().any(|(own, known)| *own == kind && *known == name)
    }
}

/// Names of one scope, each given once.
#[derive(Default)]
pub struct Names(HashMap<String, usize>);

impl Names {
    /// The name if it is free, else with a number behind it.
    pub fn unique(&mut self, name: &str, divider: &str) -> String {
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
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
