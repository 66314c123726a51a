//! Submachine states: a copy of the other machine's regions, and where its connection points lead.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{Region, RegionId, VertexId};

use super::{Copy, DEEPEST, Scope, XmiMachineBuilder, extension};
use crate::xmi::tree::NodeId;

impl XmiMachineBuilder<'_, '_, '_> {
    /// Copies the regions of a state's submachine into it; `None` if it has none.
    pub(super) fn submachine(&mut self, scope: Scope, node: NodeId, id: VertexId) -> Option<Vec<RegionId>> {
        let tree = self.reader.tree;
        let machine = extension::nearest(self.reader, node, &["submachine"]).first().copied()?;
        let mut around = std::iter::successors(Some(scope), |at| self.scopes[*at].around);
        if around.any(|scope| self.scopes[scope].machine == machine) {
            let message = format!("the state machine `{}` contains itself", tree.name(machine));
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
            return None;
        }
        if std::iter::successors(Some(scope), |at| self.scopes[*at].around).count() > DEEPEST {
            let message = format!("submachines are nested more than {DEEPEST} deep; the rest is left out");
            self.reader.report(Diagnostic::new(Code::TooDeep, tree.span(node), message));
            return None;
        }
        let copy = self.scopes.push(Copy { machine, around: Some(scope), inside: Vec::new() });
        self.scopes[scope].inside.push(copy);
        let mut regions = self.regions(copy, machine, Some(id));
        let has_points = !extension::parts(self.reader, machine, "connectionPoint").is_empty();
        if regions.is_empty() && has_points {
            regions.push(self.empty_region(machine, id));
        }
        if let Some(first) = regions.first() {
            self.points(copy, machine, *first);
        }
        self.connections(scope, copy, node);
        Some(regions)
    }

    /// Notes which entry or exit point each reference to a connection point means.
    fn connections(&mut self, scope: Scope, copy: Scope, node: NodeId) {
        let tree = self.reader.tree;
        for connection in extension::parts(self.reader, node, "connection") {
            let points = ["entry", "exit"].iter().flat_map(|role| tree.all(connection, role));
            let point = points.into_iter().find_map(|point| self.vertices.get(&(copy, point)).copied());
            match point {
                Some(vertex) => {
                    for one in extension::lineage(self.reader, connection) {
                        self.vertices.insert((scope, one), vertex);
                    }
                }
                None => {
                    let message = format!(
                        "`{}` refers to no connection point of the submachine",
                        tree.name(connection)
                    );
                    self.reader.report(Diagnostic::new(Code::MissingElement, tree.span(connection), message));
                }
            }
        }
    }

    pub(super) fn empty_region(&mut self, node: NodeId, owner: VertexId) -> RegionId {
        let place = self.reader.tree.span(node).into();
        self.machine.regions.push(Region { owner: Some(owner), vertices: Vec::new(), place })
    }
}
