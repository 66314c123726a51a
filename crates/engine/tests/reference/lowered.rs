//! The traces of a lowered interaction up to a length, by plain exploration.
//!
//! Sets of configurations that the same events lead to are looked at one after the other. Terms are evaluated by the
//! kernel; nothing of the engine is used.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{Config, EventId, Join, Rule, System, TermId};

use crate::naive::{ClassifiedTraces, TraceSet};

/// What is found.
pub(crate) struct Lowered {
    pub classes: ClassifiedTraces,
    /// Some configuration on the way was strained.
    pub is_strained: bool,
}

/// How invisible steps are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Urgent ones first and nothing beside them, as the System says is enough.
    UrgentFirst,
    /// In every order.
    Any,
}

/// The traces of a system up to a length; `None` if there are more than `most` configurations.
pub(crate) fn traces(system: &System, length: usize, order: Order, most: usize) -> Option<Lowered> {
    let mut explorer = Explorer { system, order, most, is_strained: false, known: HashMap::new() };
    let mut ids: HashMap<Vec<Config>, usize> = HashMap::new();
    let mut open: Vec<(Vec<Config>, usize)> = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    let first = explorer.close([system.initial()])?;
    ids.insert(first.clone(), 0);
    open.push((first, 0));
    while let Some((set, depth)) = open.get(nodes.len()).cloned() {
        let mut node = explorer.node(&set);
        if depth < length {
            for (event, configs) in explorer.next(&set) {
                let set = explorer.close(configs)?;
                let id = *ids.entry(set.clone()).or_insert_with(|| {
                    open.push((set, depth + 1));
                    open.len() - 1
                });
                node.next.push((event, id));
            }
        }
        if open.len() > most {
            return None;
        }
        nodes.push(node);
    }
    let [valid, invalid] = [|node: &Node| node.is_valid, |node: &Node| node.is_invalid]
        .map(|is_end| list(&nodes, &is_end, length, most));
    let (mut valid, invalid) = (valid?, invalid?);
    valid.retain(|trace| !invalid.contains(trace));
    Some(Lowered { classes: ClassifiedTraces { valid, invalid }, is_strained: explorer.is_strained })
}

/// One set of configurations.
struct Node {
    /// A valid run may end here.
    is_valid: bool,
    /// An invalid run may end here.
    is_invalid: bool,
    next: Vec<(Rc<str>, usize)>,
}

struct Explorer<'s> {
    system: &'s System,
    order: Order,
    most: usize,
    is_strained: bool,
    known: HashMap<Config, Rc<Look>>,
}

/// What there is to see in a configuration.
struct Look {
    is_void: bool,
    is_strained: bool,
    is_valid: bool,
    is_invalid: bool,
    /// Where invisible steps lead that need to be taken.
    silent: Vec<Config>,
    /// Nothing else may be done before those.
    is_urgent: bool,
    /// Where events lead.
    loud: Vec<(EventId, Config)>,
}

impl Explorer<'_> {
    fn node(&mut self, set: &[Config]) -> Node {
        let looks: Vec<Rc<Look>> = set.iter().map(|config| self.look(config)).collect();
        let is_valid = looks.iter().any(|look| look.is_valid);
        let is_invalid = looks.iter().any(|look| look.is_invalid);
        Node { is_valid, is_invalid, next: Vec::new() }
    }

    fn next(&mut self, set: &[Config]) -> BTreeMap<Rc<str>, BTreeSet<Config>> {
        let mut next: BTreeMap<Rc<str>, BTreeSet<Config>> = BTreeMap::new();
        for config in set {
            for (event, to) in &self.look(config).loud {
                let text = self.system.events[*event].text.as_str().into();
                next.entry(text).or_default().insert(to.clone());
            }
        }
        next
    }

    fn look(&mut self, config: &Config) -> Rc<Look> {
        if let Some(known) = self.known.get(config) {
            return Rc::clone(known);
        }
        let System { complete, invalid, inconclusive, void, strained, .. } = self.system;
        let values = self.system.terms.values(config);
        let [complete, invalid, inconclusive, is_void, is_strained] =
            [complete, invalid, inconclusive, void, strained].map(|term| values[*term] != 0);
        assert!(!invalid || !inconclusive, "a run has one class");
        let enabled: Vec<&Rule> = self.system.rules.iter().filter(|rule| values[rule.guard] != 0).collect();
        let urgent = enabled.iter().find(|rule| rule.urgent && self.order == Order::UrgentFirst);
        let silent = enabled.iter().filter(|rule| match urgent {
            Some(urgent) => rule.urgent && rule.component == urgent.component,
            None => rule.event.is_none(),
        });
        let loud = enabled.iter().filter_map(|rule| rule.event.map(|event| (event, rule)));
        let look = Rc::new(Look {
            is_void,
            is_strained,
            is_valid: complete && !invalid && !inconclusive,
            is_invalid: complete && invalid,
            silent: silent.map(|rule| self.fire(rule, config, &values)).collect(),
            is_urgent: urgent.is_some(),
            loud: loud.map(|(event, rule)| (event, self.fire(rule, config, &values))).collect(),
        });
        self.known.insert(config.clone(), Rc::clone(&look));
        look
    }

    fn fire(&self, rule: &Rule, config: &Config, values: &IdVec<TermId, i32>) -> Config {
        assert!(rule.join == Join::Alone, "the rules of an interaction fire alone");
        let mut next = config.clone();
        for (variable, term) in &rule.updates {
            let (domain, value) = (&self.system.variables[*variable], values[*term]);
            assert!((domain.min..=domain.max).contains(&value), "{} = {value}", domain.name);
            next.0[variable.index()] = value;
        }
        next
    }

    /// Takes all invisible steps; `None` if there are too many configurations.
    fn close(&mut self, configs: impl IntoIterator<Item = Config>) -> Option<Vec<Config>> {
        let mut seen: HashSet<Config> = HashSet::new();
        let mut settled: BTreeSet<Config> = BTreeSet::new();
        let mut open: Vec<Config> = configs.into_iter().collect();
        while let Some(config) = open.pop() {
            if !seen.insert(config.clone()) {
                continue;
            }
            let look = self.look(&config);
            if look.is_void {
                continue;
            }
            self.is_strained |= look.is_strained;
            open.extend(look.silent.iter().cloned());
            if !look.is_urgent {
                settled.insert(config);
            }
            if self.known.len() > self.most {
                return None;
            }
        }
        Some(settled.into_iter().collect())
    }
}

/// The traces up to a length that end where `is_end`; `None` if there are more than `most`.
fn list(nodes: &[Node], is_end: &dyn Fn(&Node) -> bool, length: usize, most: usize) -> Option<TraceSet> {
    // How far each node is from an end.
    let mut far: Vec<usize> =
        nodes.iter().map(|node| if is_end(node) { 0 } else { usize::MAX - 1 }).collect();
    loop {
        let mut is_stable = true;
        for (index, node) in nodes.iter().enumerate().rev() {
            let next = node.next.iter().map(|(_, next)| far[*next] + 1).min().unwrap_or(usize::MAX - 1);
            if next < far[index] {
                far[index] = next;
                is_stable = false;
            }
        }
        if is_stable {
            break;
        }
    }
    let mut traces = TraceSet::new();
    let mut open: Vec<(usize, Vec<Rc<str>>)> = vec![(0, Vec::new())];
    while let Some((index, trace)) = open.pop() {
        if traces.len() > most {
            return None;
        }
        for (event, next) in &nodes[index].next {
            if far[*next] < length && trace.len() + 1 + far[*next] <= length {
                open.push((*next, trace.iter().chain([event]).cloned().collect()));
            }
        }
        if is_end(&nodes[index]) {
            traces.insert(trace);
        }
    }
    Some(traces)
}
