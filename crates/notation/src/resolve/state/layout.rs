//! The order of a machine: where each node and region of a draft goes.
//!
//! Regions and vertices are numbered depth first, so that what is inside a vertex follows it directly. Regions without a
//! vertex are left out, except that a machine has at least one.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{Region, RegionId, VertexId};

use super::draft::{DraftNodeId, DraftRegion, DraftShape, MachineDraft};

/// The order in which nodes and regions enter the machine.
pub(super) struct DraftOrder {
    /// The nodes that are vertices, in the machine's order.
    pub order: Vec<DraftNodeId>,
    /// The kept regions, in the machine's order.
    kept: Vec<DraftRegion>,
    pub(crate) vertex_ids: Vec<Option<VertexId>>,
    pub(crate) region_ids: Vec<Option<RegionId>>,
    /// The position of each region among the kept ones of its composite.
    pub position: Vec<usize>,
    /// The kept regions of each node, in order.
    owned: Vec<Vec<DraftRegion>>,
    /// The vertices of each region, in order.
    members: Vec<Vec<DraftNodeId>>,
}

impl DraftOrder {
    pub(crate) fn of(draft: &MachineDraft) -> DraftOrder {
        let members = members(draft);
        let mut layout = DraftOrder {
            order: Vec::new(),
            kept: Vec::new(),
            vertex_ids: vec![None; draft.nodes.len()],
            region_ids: vec![None; draft.regions.len()],
            position: vec![0; draft.regions.len()],
            owned: vec![Vec::new(); draft.nodes.len()],
            members,
        };
        let mut top = Vec::new();
        for (region, (owner, _)) in draft.regions.iter().enumerate() {
            let siblings = owner.map_or(&mut top, |owner| &mut layout.owned[owner]);
            if !layout.members[region].is_empty() {
                layout.position[region] = siblings.len();
                siblings.push(region);
            }
        }
        if top.is_empty() {
            top.push(0);
        }
        layout.walk(&top);
        layout
    }

    /// Numbers regions and vertices, what is inside a vertex directly after it.
    fn walk(&mut self, top: &[DraftRegion]) {
        enum Next {
            Region(DraftRegion),
            Vertex(DraftNodeId),
        }
        let mut stack: Vec<Next> = top.iter().rev().map(|region| Next::Region(*region)).collect();
        let (mut regions, mut vertices) = (IdVec::<RegionId, ()>::new(), IdVec::<VertexId, ()>::new());
        while let Some(next) = stack.pop() {
            match next {
                Next::Region(region) => {
                    self.region_ids[region] = Some(regions.push(()));
                    self.kept.push(region);
                    stack.extend(self.members[region].iter().rev().map(|node| Next::Vertex(*node)));
                }
                Next::Vertex(node) => {
                    self.vertex_ids[node] = Some(vertices.push(()));
                    self.order.push(node);
                    stack.extend(self.owned[node].iter().rev().map(|region| Next::Region(*region)));
                }
            }
        }
    }

    pub(crate) fn regions(&self, draft: &MachineDraft) -> IdVec<RegionId, Region> {
        let one = |region: &DraftRegion| {
            let (owner, span) = draft.regions[*region];
            let vertices = self.members[*region].iter().filter_map(|node| self.vertex_ids[*node]).collect();
            Region { owner: owner.and_then(|owner| self.vertex_ids[owner]), vertices, place: span.into() }
        };
        self.kept.iter().map(one).collect()
    }

    pub(crate) fn regions_of(&self, node: DraftNodeId) -> Vec<RegionId> {
        self.owned[node].iter().filter_map(|region| self.region_ids[*region]).collect()
    }
}

/// The vertices of each region in their final order.
fn members(draft: &MachineDraft) -> Vec<Vec<DraftNodeId>> {
    let mut members = vec![Vec::new(); draft.regions.len()];
    for (id, node) in draft.nodes.iter().enumerate() {
        if draft.is_vertex(id) {
            members[node.region].push(id);
        }
    }
    let rank = |id: &DraftNodeId| match draft.nodes[*id].shape {
        DraftShape::Anonymous(kind) => kind.rank(),
        DraftShape::Vertex(_) | DraftShape::Bar | DraftShape::Note => 4 - u8::from(draft.nodes[*id].declared),
    };
    members.iter_mut().for_each(|members| members.sort_by_key(rank));
    members
}
