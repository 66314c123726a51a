//! Accord: which actions can never be in each other's way.
//!
//! An action is a rule that acts, with all that may join it. Two are in accord if in every state where both can fire,
//! neither keeps the other from firing and their order makes no difference. This is decided once, from what they read and
//! write. Reading has a direction: setting `v` to 1 can only help a guard that wants `v = 1`, and can only hurt one that
//! wants another value. Guards whose cubes contradict each other never hold together, and so are in accord.
//!
//! Urgent rules are in accord with all others, because the system promises that they are.
//!
//! Actions that join others, or whose updates must be computed, are treated coarsely: they read every variable that any
//! rule of theirs reads, in both directions.

use std::collections::BTreeSet;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{Join, RuleId, TermId, TermNode, Terms, VariableId};

use crate::packed::{Cube, Program, support};

/// That a variable has a value, or has it not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct VariableTest {
    /// The variable.
    pub variable: VariableId,
    /// The value.
    pub value: i32,
    /// Whether it is the value, or is not.
    pub is_equal: bool,
}

impl VariableTest {
    /// Whether writing a value, or one not known before, can make it true.
    fn is_helped_by(&self, written: Option<i32>) -> bool {
        written.is_none_or(|written| (written == self.value) == self.is_equal)
    }

    /// Whether writing a value, or one not known before, can make it false.
    fn is_hurt_by(&self, written: Option<i32>) -> bool {
        written.is_none_or(|written| (written == self.value) != self.is_equal)
    }
}

/// What an action reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ActionRead {
    /// In one direction.
    Literal(VariableTest),
    /// In any way.
    Any(VariableId),
}

/// Reads and writes of all actions.
#[derive(Clone, Debug)]
pub(crate) struct Accord {
    is_plain: IdVec<RuleId, bool>,
    /// The rules that write a variable, each with the value; `None` for one that is computed.
    writers: IdVec<VariableId, Vec<(RuleId, Option<i32>)>>,
    rivals: IdVec<RuleId, Vec<RuleId>>,
    /// For actions that are not plain: the rules that write what they read.
    enablers: IdVec<RuleId, Vec<RuleId>>,
}

impl Accord {
    /// Compares all actions of a system.
    pub(crate) fn new(program: &Program<'_>) -> Self {
        let system = program.system;
        let none = || system.rules.iter().map(|_| Vec::new()).collect();
        let mut accord = Accord {
            is_plain: system.rules.ids().map(|rule| program.is_plain(rule)).collect(),
            writers: system.variables.iter().map(|_| Vec::new()).collect(),
            rivals: none(),
            enablers: none(),
        };
        let cubes: IdVec<RuleId, Option<Cube>> =
            system.rules.iter().map(|rule| deep_cube(program, rule.guard)).collect();
        let actions: Vec<RuleId> =
            program.actors().iter().copied().filter(|action| cubes[*action].is_some()).collect();
        let mut readers: IdVec<VariableId, Vec<(RuleId, ActionRead)>> =
            system.variables.iter().map(|_| Vec::new()).collect();
        for action in &actions {
            accord.enter_writes(program, *action);
            for read in reads(program, *action) {
                let variable = match read {
                    ActionRead::Literal(literal) => literal.variable,
                    ActionRead::Any(variable) => variable,
                };
                readers[variable].push((*action, read));
            }
        }
        // Urgent actions are taken before rivals matter.
        let calm = |rule: RuleId| !system.rules[rule].urgent;
        let meet = |a: RuleId, b: RuleId| calm(a) && calm(b) && meet(&cubes, a, b);
        accord.compare(&readers, meet);
        accord
    }

    fn enter_writes(&mut self, program: &Program<'_>, action: RuleId) {
        let group = group(program, action);
        let mut writes: Vec<(VariableId, Option<i32>)> = group
            .iter()
            .flat_map(|rule| &program.system.rules[*rule].updates)
            .map(|(variable, term)| (*variable, program.constant(*term)))
            .collect();
        writes.sort_unstable();
        writes.dedup();
        for (variable, value) in writes {
            self.writers[variable].push((action, value));
        }
    }

    fn compare(
        &mut self,
        readers: &IdVec<VariableId, Vec<(RuleId, ActionRead)>>,
        meet: impl Fn(RuleId, RuleId) -> bool,
    ) {
        for (variable, writers) in self.writers.enumerate() {
            for (writer, written) in writers {
                for (reader, read) in &readers[variable] {
                    let is_hurt = match read {
                        ActionRead::Literal(literal) => literal.is_hurt_by(*written),
                        ActionRead::Any(_) => true,
                    };
                    if is_hurt && meet(*writer, *reader) {
                        self.rivals[*writer].push(*reader);
                        self.rivals[*reader].push(*writer);
                    }
                    if !self.is_plain[*reader] {
                        self.enablers[*reader].push(*writer);
                    }
                }
                for (other, value) in writers {
                    let is_same = value.is_some() && value == written;
                    if !is_same && meet(*writer, *other) {
                        self.rivals[*writer].push(*other);
                    }
                }
            }
        }
        for (list, id) in self.rivals.iter_mut().zip(0..) {
            list.retain(|rival| rival.index() != id);
            list.sort_unstable();
            list.dedup();
        }
        for list in self.enablers.iter_mut() {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// Whether an action fires alone and writes constants.
    pub(crate) fn is_plain(&self, action: RuleId) -> bool {
        self.is_plain[action]
    }

    /// The actions that are not in accord with one.
    pub(crate) fn rivals(&self, action: RuleId) -> &[RuleId] {
        &self.rivals[action]
    }

    /// The actions without which one that is not plain cannot change whether and how it may fire.
    pub(crate) fn enablers(&self, action: RuleId) -> &[RuleId] {
        &self.enablers[action]
    }

    /// The actions that can make a literal true.
    pub(crate) fn makers(&self, literal: VariableTest) -> impl Iterator<Item = RuleId> + '_ {
        let writers = self.writers[literal.variable].iter();
        writers.filter(move |(_, written)| literal.is_helped_by(*written)).map(|(writer, _)| *writer)
    }

    /// The actions that write a variable.
    pub(crate) fn writers(&self, variable: VariableId) -> impl Iterator<Item = RuleId> + '_ {
        self.writers[variable].iter().map(|(writer, _)| *writer)
    }
}

/// Whether two different actions may be able to fire in the same state.
fn meet(cubes: &IdVec<RuleId, Option<Cube>>, a: RuleId, b: RuleId) -> bool {
    match (&cubes[a], &cubes[b]) {
        (Some(one), Some(other)) => a != b && !one.excludes(other),
        (None, _) | (_, None) => false,
    }
}

/// An acting rule and whatever may join it.
fn group(program: &Program<'_>, action: RuleId) -> BTreeSet<RuleId> {
    let rules = &program.system.rules;
    let mut group = BTreeSet::from([action]);
    match &rules[action].join {
        Join::Offer(labels) => group.extend(labels.iter().flat_map(|label| program.takers(*label))),
        Join::Alone | Join::Take(_) | Join::Listen(_) => {}
    }
    let mut shown: BTreeSet<_> = group.iter().filter_map(|rule| rules[*rule].event).collect();
    if let Join::Offer(labels) = &rules[action].join {
        let meets =
            |(label, offers, _): &(_, _, _)| labels.contains(label) && *offers == rules[action].component;
        let meetings = program.system.meetings.iter().filter(|(ends, _)| meets(ends));
        shown.extend(meetings.map(|(_, event)| *event));
    }
    group.extend(shown.into_iter().flat_map(|event| program.listeners(event)));
    group
}

/// What an action reads in its guard; one that is not plain reads the guards and updates of all rules that
/// may join it.
fn reads(program: &Program<'_>, action: RuleId) -> Vec<ActionRead> {
    let (rules, terms) = (&program.system.rules, &program.system.terms);
    if program.is_plain(action) {
        return guard_reads(terms, rules[action].guard);
    }
    let mut variables = BTreeSet::new();
    for rule in group(program, action) {
        let updates = rules[rule].updates.iter().map(|(_, term)| *term);
        for term in updates.chain([rules[rule].guard]) {
            variables.extend(support(terms, term));
        }
    }
    variables.into_iter().map(ActionRead::Any).collect()
}

/// What a guard reads, each part in its direction.
fn guard_reads(terms: &Terms, guard: TermId) -> Vec<ActionRead> {
    let mut reads = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![(guard, true)];
    while let Some((term, wanted)) = open.pop() {
        if !seen.insert((term, wanted)) {
            continue;
        }
        if let Some(literal) = literal(terms, term, wanted) {
            reads.push(ActionRead::Literal(literal));
            continue;
        }
        match terms.node(term) {
            TermNode::Constant(_) => {}
            TermNode::Not(part) => open.push((*part, !wanted)),
            TermNode::And(parts) | TermNode::Or(parts) => {
                open.extend(parts.iter().map(|part| (*part, wanted)))
            }
            TermNode::Variable(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..)
            | TermNode::If(..) => {
                reads.extend(support(terms, term).into_iter().map(ActionRead::Any));
            }
        }
    }
    reads
}

/// The literal that holds if and only if a term has a truth value, if there is one.
pub(crate) fn literal(terms: &Terms, term: TermId, wanted: bool) -> Option<VariableTest> {
    match terms.node(term) {
        TermNode::Variable(variable) => {
            Some(VariableTest { variable: *variable, value: 0, is_equal: !wanted })
        }
        TermNode::Equal(a, b) => match (terms.node(*a), terms.node(*b)) {
            (TermNode::Variable(variable), TermNode::Constant(value))
            | (TermNode::Constant(value), TermNode::Variable(variable)) => {
                Some(VariableTest { variable: *variable, value: *value, is_equal: wanted })
            }
            _ => None,
        },
        TermNode::Constant(_)
        | TermNode::Not(_)
        | TermNode::And(_)
        | TermNode::Or(_)
        | TermNode::Less(..)
        | TermNode::Number(..)
        | TermNode::If(..) => None,
    }
}

/// The literals that a guard implies, however deep its conjunctions are nested; `None` if it is never true.
fn deep_cube(program: &Program<'_>, guard: TermId) -> Option<Cube> {
    let mut whole = Cube::default();
    let mut seen = BTreeSet::new();
    let mut open = vec![guard];
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            let (cube, rest) = program.split(term)?;
            whole = whole.and(&cube)?;
            open.extend(
                rest.into_iter().filter(|part| matches!(program.system.terms.node(*part), TermNode::And(_))),
            );
        }
    }
    Some(whole)
}
