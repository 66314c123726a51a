//! Strongly connected components of a directed graph, by Tarjan's algorithm with a stack of its own.

/// For each node the number of its component: two nodes share one if each can be reached from the other.
pub fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const OPEN: usize = usize::MAX;
    let mut component = vec![OPEN; edges.len()];
    let mut number = vec![0_usize; edges.len()];
    let mut low = vec![0_usize; edges.len()];
    let (mut visited, mut found) = (0, 0);
    let mut path = Vec::new();
    for root in 0..edges.len() {
        // Nodes under way, each with the number of its edges already followed.
        let mut stack = if number[root] == 0 { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, followed)) = stack.pop() {
            if followed == 0 {
                visited += 1;
                (number[node], low[node]) = (visited, visited);
                path.push(node);
            }
            if let Some(next) = edges[node].get(followed) {
                stack.push((node, followed + 1));
                if number[*next] == 0 {
                    stack.push((*next, 0));
                } else if component[*next] == OPEN {
                    low[node] = low[node].min(number[*next]);
                }
                continue;
            }
            if low[node] == number[node] {
                while let Some(member) = path.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some((parent, _)) = stack.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_on_a_circle_share_a_component() {
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]]);
        assert_eq!(found[1], found[2]);
        let others = [found[0], found[1], found[3], found[4]];
        assert!((0..4).all(|a| (a + 1..4).all(|b| others[a] != others[b])), "{found:?}");
    }
}
