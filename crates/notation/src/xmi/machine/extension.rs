//! State machines that extend others (UML 2.5.1, 14.3.3 and 14.3.4): what an element does not redefine it inherits.
//!
//! An element names what it redefines: a machine another machine, a region the region it extends, a vertex a vertex, a transition a
//! transition. The reader asks here for the parts of an element instead of the tree; it finds its own, and those of what it redefines that none
//! of its own redefines.

use std::collections::HashSet;

use crate::xmi::reader::XmiReader;
use crate::xmi::tree::NodeId;

/// An element, what it redefines, what that redefines, and so on.
pub(super) fn lineage(reader: &XmiReader, node: NodeId) -> Vec<NodeId> {
    let mut lineage = vec![node];
    while let Some(next) = lineage.last().and_then(|last| reader.redefined(*last)) {
        if lineage.contains(&next) {
            break;
        }
        lineage.push(next);
    }
    lineage
}

/// The parts of an element in a property: its own, then those it inherits.
pub(super) fn parts(reader: &XmiReader, node: NodeId, role: &str) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut redefined: HashSet<NodeId> = HashSet::new();
    for level in lineage(reader, node) {
        for part in
            reader.tree.parts(level, role).filter(|part| !redefined.contains(part)).collect::<Vec<_>>()
        {
            redefined.extend(lineage(reader, part).into_iter().skip(1));
            found.push(part);
        }
    }
    found
}

/// The elements of a property: those of the nearest in the lineage that has some.
pub(super) fn nearest(reader: &XmiReader, node: NodeId, roles: &[&str]) -> Vec<NodeId> {
    let of = |level: NodeId| roles.iter().flat_map(|role| reader.tree.all(level, role)).collect::<Vec<_>>();
    lineage(reader, node).into_iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The name of an element, else of what it redefines.
pub(super) fn name<'d>(reader: &XmiReader<'_, 'd>, node: NodeId) -> &'d str {
    let names = lineage(reader, node).into_iter().map(|one| reader.tree.name(one));
    names.into_iter().find(|name| !name.is_empty()).unwrap_or_default()
}
