//! Parts: a system as several that do not touch each other.
//!
//! Two rules belong together if they show the same event, or if one reads or writes a variable that the other writes.
//! What a run is worth must be told apart, too: `complete` holds if all its conjuncts do, `void` and `strained` if one of
//! their disjuncts does, and each of these belongs to the part whose variables it reads; what makes a run invalid or
//! inconclusive is kept in one part. Variables that no rule writes are constants.
//!
//! A configuration then is one of each part, a step is a step of one part, urgent ones included, and no two parts show the
//! same event. So the complete traces are exactly the interleavings of complete traces of the parts, each of them in one
//! way only, and the class of such a trace is that of its part that is judged.

use std::collections::BTreeMap;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{EventId, Join, Rule, RuleId, System, TermId, TermNode, VariableId};

use super::subsystem::{Subsystem, Worth};

/// The parts of a system.
pub(crate) struct Parts {
    /// Each is a system of its own.
    pub systems: Vec<System>,
    /// The number of the one that is judged: all complete runs of the others are valid.
    pub judged: usize,
}

/// The parts of a system; `None` if there is only one, or if rules of different components fire together.
pub(crate) fn parts(system: &System) -> Option<Parts> {
    let is_alone = |rule: &Rule| matches!(rule.join, Join::Alone);
    if !system.queues.is_empty() || !system.rules.iter().all(is_alone) {
        return None;
    }
    let mut groups = Groups::new(system);
    let conjuncts = groups.operands(system.complete, true);
    let (void, strained) = (groups.operands(system.void, false), groups.operands(system.strained, false));
    for (id, rule) in system.rules.enumerate() {
        groups.hold_together(id, rule);
    }
    for term in conjuncts.iter().chain(&void).chain(&strained) {
        groups.unite(*term);
    }
    let judged = [system.invalid, system.inconclusive];
    judged.into_iter().for_each(|term| groups.unite(term));
    let judged: Vec<usize> = judged.into_iter().filter_map(|term| groups.touched(term)).collect();
    judged.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));

    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut rules: Vec<Vec<RuleId>> = Vec::new();
    for id in system.rules.ids() {
        let root = groups.root(groups.rule(id));
        let part = *numbers.entry(root).or_insert(rules.len());
        if part == rules.len() {
            rules.push(Vec::new());
        }
        rules[part].push(id);
    }
    if rules.len() < 2 {
        return None;
    }
    let part_of = |groups: &mut Groups<'_>, node| numbers.get(&groups.root(node)).copied();
    let judged = judged.first().and_then(|node| part_of(&mut groups, *node)).unwrap_or(0);
    let mut parts: Vec<Subsystem<'_>> = rules.iter().map(|rules| Subsystem::new(system, rules)).collect();
    for (worth, terms) in [(Worth::Complete, conjuncts), (Worth::Void, void), (Worth::Strained, strained)] {
        for term in terms {
            match groups.touched(term).and_then(|node| part_of(&mut groups, node)) {
                Some(part) => parts[part].add(worth, term),
                // It is the same in all configurations.
                None => parts.iter_mut().for_each(|part| part.add(worth, term)),
            }
        }
    }
    parts[judged].judge();
    Some(Parts { systems: parts.into_iter().map(Subsystem::finish).collect(), judged })
}

/// Which variables, rules and events belong together: a forest in which the members of a group have one root.
struct Groups<'a> {
    system: &'a System,
    parents: Vec<usize>,
    /// For each term a variable that it depends on and that some rule writes.
    first: IdVec<TermId, Option<VariableId>>,
    /// Terms whose variables are in one group already.
    united: IdVec<TermId, bool>,
}

impl<'a> Groups<'a> {
    fn new(system: &'a System) -> Self {
        let mut is_written: IdVec<VariableId, bool> = system.variables.iter().map(|_| false).collect();
        for (variable, _) in system.rules.iter().flat_map(|rule| &rule.updates) {
            is_written[*variable] = true;
        }
        let mut first: IdVec<TermId, Option<VariableId>> = IdVec::new();
        for term in system.terms.ids() {
            let found = match system.terms.node(term) {
                TermNode::Variable(variable) => is_written[*variable].then_some(*variable),
                _ => system.terms.parts(term).into_iter().find_map(|part| first[part]),
            };
            first.push(found);
        }
        let size = system.variables.len() + system.rules.len() + system.events.len();
        let united = first.iter().map(|_| false).collect();
        Groups { system, parents: (0..size).collect(), first, united }
    }

    fn variable(&self, id: VariableId) -> usize {
        id.index()
    }

    fn rule(&self, id: RuleId) -> usize {
        self.system.variables.len() + id.index()
    }

    fn event(&self, id: EventId) -> usize {
        self.system.variables.len() + self.system.rules.len() + id.index()
    }

    /// A member of the group that a term belongs to; `None` if it is constant.
    fn touched(&self, term: TermId) -> Option<usize> {
        self.first[term].map(|variable| self.variable(variable))
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// Everything that a rule reads, writes and shows.
    fn hold_together(&mut self, id: RuleId, rule: &Rule) {
        let own = self.rule(id);
        if let Some(event) = rule.event {
            self.join(own, self.event(event));
        }
        let mut read = vec![rule.guard];
        for (variable, value) in &rule.updates {
            self.join(own, self.variable(*variable));
            read.push(*value);
        }
        for term in read {
            self.unite(term);
            if let Some(node) = self.touched(term) {
                self.join(own, node);
            }
        }
    }

    /// Puts all variables of a term into one group.
    fn unite(&mut self, term: TermId) {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            let Some(own) = self.touched(term) else { continue };
            if std::mem::replace(&mut self.united[term], true) {
                continue;
            }
            for part in self.system.terms.parts(term) {
                if let Some(node) = self.touched(part) {
                    self.join(own, node);
                    open.push(part);
                }
            }
        }
    }

    /// The conjuncts of a term, or its disjuncts, each once.
    fn operands(&self, term: TermId, is_and: bool) -> Vec<TermId> {
        let mut is_seen: IdVec<TermId, bool> = self.first.iter().map(|_| false).collect();
        let mut operands = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if std::mem::replace(&mut is_seen[term], true) {
                continue;
            }
            match (self.system.terms.node(term), is_and) {
                (TermNode::And(parts), true) | (TermNode::Or(parts), false) => {
                    open.extend(parts.iter().rev())
                }
                _ => operands.push(term),
            }
        }
        operands
    }
}
