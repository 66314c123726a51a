//! Traces: what can be seen of the complete runs of a system.
//!
//! Two runs that show the same events are one trace, so configurations are taken together in sets that the same events
//! lead to (the subset construction), and each set is visited once. The number of traces from a set is the sum over its
//! events, plus one if it holds a proper end: counting costs as much as there are sets, however many traces there are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigUint;
use sequent_kernel::system::{Config, EventId, Step, System};

/// Configurations that the same events lead to, with all invisible steps taken.
type Set = Vec<Config>;

/// How much may be visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Sets of configurations.
    pub sets: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { sets: 2_000_000 }
    }
}

/// The complete traces of a system, as a graph of sets.
pub struct Traces<'a> {
    system: &'a System,
    nodes: Vec<Node>,
}

/// One set of configurations.
struct Node {
    /// Whether a trace may end here.
    is_end: bool,
    /// Where each event leads, in order of the events' texts.
    next: Vec<(EventId, usize)>,
}

/// How many traces there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Finite(BigUint),
    /// Without end.
    Infinite,
}

impl<'a> Traces<'a> {
    /// Explores a system; `None` if a limit is reached.
    pub fn explore(system: &'a System, limits: Limits) -> Option<Self> {
        let mut explorer = Explorer { system, ids: HashMap::new(), open: Vec::new() };
        let first = explorer.close([system.initial()]);
        explorer.id(first);
        let mut nodes = Vec::new();
        let mut at = 0;
        while at < explorer.open.len() {
            if explorer.open.len() > limits.sets {
                return None;
            }
            let set = explorer.open[at].clone();
            nodes.push(explorer.node(&set));
            at += 1;
        }
        Some(Traces { system, nodes })
    }

    /// How many sets of configurations there are.
    pub fn sets(&self) -> usize {
        self.nodes.len()
    }

    /// The number of traces.
    pub fn count(&self) -> Count {
        let Some(order) = self.children_first() else { return Count::Infinite };
        let mut counts: Vec<BigUint> = vec![BigUint::default(); self.nodes.len()];
        for index in order {
            let node = &self.nodes[index];
            let mut count = BigUint::from(u32::from(node.is_end));
            for (_, next) in &node.next {
                count += &counts[*next];
            }
            counts[index] = count;
        }
        Count::Finite(counts.swap_remove(0))
    }

    /// The traces in lexicographic order, `max` of them at most, and whether these are all.
    pub fn list(&self, max: usize) -> (Vec<Vec<&'a str>>, bool) {
        let alive = self.alive();
        let mut traces = Vec::new();
        let mut path: Vec<EventId> = Vec::new();
        // Nodes on the path, each with the number of events already followed.
        let mut stack = vec![(0, 0)];
        while let Some((node, followed)) = stack.pop() {
            if followed == 0 && self.nodes[node].is_end {
                if traces.len() == max {
                    return (traces, false);
                }
                traces.push(path.iter().map(|event| self.system.events[*event].text.as_str()).collect());
            }
            let mut rest = self.nodes[node].next.iter().enumerate().skip(followed);
            match rest.find(|(_, (_, next))| alive[*next]) {
                Some((index, (event, next))) => {
                    stack.push((node, index + 1));
                    path.push(*event);
                    stack.push((*next, 0));
                }
                None => {
                    path.pop();
                }
            }
        }
        (traces, true)
    }

    /// Nodes in an order in which the ones behind a node come before it; `None` if there is a circle.
    fn children_first(&self) -> Option<Vec<usize>> {
        let mut waiting: Vec<usize> = vec![0; self.nodes.len()];
        for (_, next) in self.nodes.iter().flat_map(|node| &node.next) {
            waiting[*next] += 1;
        }
        let mut order: Vec<usize> = Vec::new();
        let mut ready: Vec<usize> = (0..self.nodes.len()).filter(|node| waiting[*node] == 0).collect();
        while let Some(node) = ready.pop() {
            order.push(node);
            for (_, next) in &self.nodes[node].next {
                waiting[*next] -= 1;
                if waiting[*next] == 0 {
                    ready.push(*next);
                }
            }
        }
        order.reverse();
        (order.len() == self.nodes.len()).then_some(order)
    }

    /// Nodes from which a trace can still end.
    fn alive(&self) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            node.next.iter().for_each(|(_, next)| before[*next].push(index));
        }
        let mut alive = vec![false; self.nodes.len()];
        let mut open: Vec<usize> = (0..self.nodes.len()).filter(|node| self.nodes[*node].is_end).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut alive[node], true) {
                open.extend(&before[node]);
            }
        }
        alive
    }
}

struct Explorer<'a> {
    system: &'a System,
    ids: HashMap<Set, usize>,
    open: Vec<Set>,
}

impl Explorer<'_> {
    fn id(&mut self, set: Set) -> usize {
        if let Some(known) = self.ids.get(&set) {
            return *known;
        }
        let id = self.open.len();
        self.ids.insert(set.clone(), id);
        self.open.push(set);
        id
    }

    fn node(&mut self, set: &Set) -> Node {
        let is_end = set.iter().any(|config| {
            self.system.holds(self.system.complete, config)
                && !self.system.holds(self.system.invalid, config)
                && !self.system.holds(self.system.inconclusive, config)
        });
        let mut steps: BTreeMap<&str, (EventId, BTreeSet<Config>)> = BTreeMap::new();
        for config in set {
            for step in self.system.steps(config) {
                let Some(event) = self.system.events(&step).next() else { continue };
                let Some(next) = self.system.take(&step, config) else { continue };
                let entry = steps.entry(&self.system.events[event].text).or_insert((event, BTreeSet::new()));
                entry.1.insert(next);
            }
        }
        let mut next = Vec::new();
        for (event, configs) in steps.into_values() {
            let set = self.close(configs);
            next.push((event, self.id(set)));
        }
        Node { is_end, next }
    }

    /// Takes all invisible steps. An urgent step may be taken at once, and then nothing else needs to be looked at.
    fn close(&self, configs: impl IntoIterator<Item = Config>) -> Set {
        let mut seen: BTreeSet<Config> = BTreeSet::new();
        let mut settled: BTreeSet<Config> = BTreeSet::new();
        let mut open: Vec<Config> = configs.into_iter().collect();
        while let Some(config) = open.pop() {
            if self.system.holds(self.system.void, &config) || !seen.insert(config.clone()) {
                continue;
            }
            let enabled = self.system.steps(&config);
            let rules = |step: &Step| &self.system.rules[step.0[0]];
            let urgent = enabled.iter().find(|rule| rules(rule).urgent).map(|rule| rules(rule).component);
            let steps = enabled.iter().filter(|rule| match urgent {
                Some(component) => rules(rule).urgent && rules(rule).component == component,
                None => rules(rule).event.is_none(),
            });
            open.extend(steps.filter_map(|rule| self.system.take(rule, &config)));
            if urgent.is_none() {
                settled.insert(config);
            }
        }
        settled.into_iter().collect()
    }
}
