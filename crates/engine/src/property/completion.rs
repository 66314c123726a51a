//! Completion: extends a run that the observer accepts whatever follows to a complete run.

use std::collections::HashSet;

use sequent_kernel::system::Step;

use crate::graph::{NodeId, StateGraph};

/// Steps from a state to some end of the run, whatever an observer says: near if it is near, else straight ahead.
pub(crate) fn completion(graph: &mut StateGraph<'_>, from: NodeId) -> Option<Vec<Step>> {
    let path = nearest_end(graph, from).or_else(|| some_end(graph, from))?;
    Some(path.into_iter().flat_map(|(node, edge)| graph.steps(node, edge)).collect())
}

/// Breadth first, as long as that is cheap.
fn nearest_end(graph: &mut StateGraph<'_>, from: NodeId) -> Option<Vec<(NodeId, usize)>> {
    const NEAR: usize = 2_000;
    let mut reached: Vec<(NodeId, usize, usize)> = vec![(from, 0, 0)];
    let mut seen = HashSet::from([from]);
    let mut next = 0;
    while next < reached.len() && reached.len() < NEAR {
        let node = reached[next].0;
        if graph.is_end(node) {
            let mut path = Vec::new();
            while next > 0 {
                let (_, parent, edge) = reached[next];
                path.push((reached[parent].0, edge));
                next = parent;
            }
            path.reverse();
            return Some(path);
        }
        for (number, edge) in graph.edges(node).iter().enumerate() {
            if seen.insert(edge.to) {
                reached.push((edge.to, next, number));
            }
        }
        next += 1;
    }
    None
}

/// Depth first, later rules first, so that loops end before they go on.
fn some_end(graph: &mut StateGraph<'_>, from: NodeId) -> Option<Vec<(NodeId, usize)>> {
    let mut seen = HashSet::from([from]);
    let mut path: Vec<(NodeId, usize)> = vec![(from, graph.edges(from).len())];
    while let Some((node, left)) = path.last_mut() {
        if graph.is_end(*node) {
            path.pop();
            return Some(path);
        }
        if *left == 0 {
            path.pop();
            continue;
        }
        *left -= 1;
        let (node, left) = (*node, *left);
        let to = graph.edges(node)[left].to;
        if seen.insert(to) {
            path.push((to, graph.edges(to).len()));
        }
    }
    None
}
