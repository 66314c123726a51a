//! Facts: who reads and writes what, and what guards ask of single variables.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{ComponentId, Rule, RuleId, System, TermId, TermNode, VariableId};

use crate::packed::support;
use crate::search::accord::{VariableTest, literal};

/// The conjuncts of a guard.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct GuardParts {
    /// Those about the value of one variable.
    pub tests: BTreeSet<VariableTest>,
    /// All others, each with whether it must be true or false.
    pub others: BTreeSet<(TermId, bool)>,
}

/// Who reads and writes the variables of a System.
pub(crate) struct SystemFacts<'s> {
    /// The System.
    pub system: &'s System,
    /// The guards of its rules.
    pub guards: IdVec<RuleId, GuardParts>,
    /// Variables of which all guards want one value: once such a variable has another, nothing happens any more.
    pub gates: BTreeMap<VariableId, i32>,
    /// The rules that write a variable, and those that read it in guards or updates.
    pub writers: IdVec<VariableId, BTreeSet<RuleId>>,
    pub readers: IdVec<VariableId, BTreeSet<RuleId>>,
    /// What is looked for depends on them.
    pub seen: BTreeSet<VariableId>,
}

impl<'s> SystemFacts<'s> {
    /// Looks through all rules; `seen` are the predicates that states are asked for.
    pub(crate) fn new(system: &'s System, seen: &[TermId]) -> Self {
        let nobody = || system.variables.iter().map(|_| BTreeSet::new()).collect();
        let facts = SystemFacts {
            system,
            guards: system.rules.iter().map(|rule| parts(system, rule.guard)).collect(),
            gates: BTreeMap::new(),
            writers: nobody(),
            readers: nobody(),
            seen: seen.iter().flat_map(|term| support(&system.terms, *term)).collect(),
        };
        let gates = facts.wanted_by_all();
        SystemFacts { gates, ..facts }.with_uses()
    }

    fn with_uses(mut self) -> Self {
        for (id, rule) in rules(self.system) {
            let terms = rule.updates.iter().map(|(_, term)| *term).chain([rule.guard]);
            let read: BTreeSet<VariableId> = terms.flat_map(|term| self.support(term)).collect();
            read.into_iter().for_each(|variable| _ = self.readers[variable].insert(id));
            rule.updates.iter().for_each(|(variable, _)| _ = self.writers[*variable].insert(id));
        }
        self
    }

    /// The rules that may fire at all, as far as can be seen at once.
    pub(crate) fn rules(&self) -> impl Iterator<Item = (RuleId, &'s Rule)> + use<'s> {
        rules(self.system)
    }

    fn wanted_by_all(&self) -> BTreeMap<VariableId, i32> {
        let equal = |guard: &GuardParts| -> BTreeSet<VariableTest> {
            guard.tests.iter().filter(|test| test.is_equal).copied().collect()
        };
        let mut guards = self.rules().map(|(id, _)| &self.guards[id]);
        let Some(first) = guards.next() else { return BTreeMap::new() };
        let common = guards.fold(equal(first), |common, guard| &common & &guard.tests);
        common.into_iter().map(|test| (test.variable, test.value)).collect()
    }

    /// Whether a component alone writes a variable.
    pub(crate) fn is_own(&self, variable: VariableId, component: ComponentId) -> bool {
        self.are_of(&self.writers[variable], component)
    }

    /// Whether only a component can notice that a variable changes.
    pub(crate) fn is_unseen(&self, variable: VariableId, component: ComponentId) -> bool {
        !self.seen.contains(&variable) && self.are_of(&self.readers[variable], component)
    }

    fn are_of(&self, rules: &BTreeSet<RuleId>, component: ComponentId) -> bool {
        rules.iter().all(|rule| self.system.rules[*rule].component == component)
    }

    /// The variables that a term depends on.
    pub(crate) fn support(&self, term: TermId) -> BTreeSet<VariableId> {
        support(&self.system.terms, term)
    }

    /// The gate that a rule shuts for good: nothing happens after it.
    pub(crate) fn shuts(&self, rule: RuleId) -> Option<(VariableId, i32)> {
        let shut = |(variable, term): &(VariableId, TermId)| {
            let value = self.system.terms.as_constant(*term)?;
            let open = self.gates.get(variable)?;
            (value != *open).then_some((*variable, value))
        };
        self.system.rules[rule].updates.iter().find_map(shut)
    }
}

fn rules(system: &System) -> impl Iterator<Item = (RuleId, &Rule)> {
    system.rules.enumerate().filter(|(_, rule)| !system.is_never(rule.guard))
}

/// The conjuncts of a guard, however deep they are nested.
fn parts(system: &System, guard: TermId) -> GuardParts {
    let mut parts = GuardParts::default();
    let mut seen = BTreeSet::new();
    let mut open = vec![(guard, true)];
    while let Some((term, wanted)) = open.pop() {
        if !seen.insert((term, wanted)) {
            continue;
        }
        if let Some(test) = literal(&system.terms, term, wanted) {
            parts.tests.insert(as_equality(system, test));
            continue;
        }
        match (system.terms.node(term), wanted) {
            (TermNode::Not(part), _) => open.push((*part, !wanted)),
            (TermNode::And(parts), true) | (TermNode::Or(parts), false) => {
                open.extend(parts.iter().map(|part| (*part, wanted)));
            }
            (TermNode::Constant(value), _) if (*value != 0) == wanted => {}
            _ => _ = parts.others.insert((term, wanted)),
        }
    }
    parts
}

/// A variable with two values has one if it does not have the other.
fn as_equality(system: &System, test: VariableTest) -> VariableTest {
    let variable = &system.variables[test.variable];
    let other = match test.value {
        value if value == variable.min => variable.max,
        _ => variable.min,
    };
    let is_other = !test.is_equal
        && i64::from(variable.max) - i64::from(variable.min) == 1
        && (variable.min..=variable.max).contains(&test.value);
    match is_other {
        true => VariableTest { value: other, is_equal: true, ..test },
        false => test,
    }
}

/// What is known of variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Knowledge(BTreeMap<VariableId, BTreeSet<VariableTest>>);

impl Knowledge {
    /// What holds where tests do.
    pub(crate) fn of<'t>(tests: impl IntoIterator<Item = &'t VariableTest>) -> Self {
        let mut known = Knowledge::default();
        tests.into_iter().for_each(|test| known.learn(*test));
        known
    }

    /// Learns that a test holds.
    pub(crate) fn learn(&mut self, test: VariableTest) {
        self.0.entry(test.variable).or_default().insert(test);
    }

    /// Whether a test cannot hold.
    pub(crate) fn excludes(&self, test: &VariableTest) -> bool {
        self.0.get(&test.variable).is_some_and(|known| known.iter().any(|known| contradict(known, test)))
    }

    /// Whether a test must hold.
    pub(crate) fn implies(&self, test: &VariableTest) -> bool {
        let implies = |known: &VariableTest| {
            known == test || known.is_equal && (known.value == test.value) == test.is_equal
        };
        self.0.get(&test.variable).is_some_and(|known| known.iter().any(implies))
    }

    /// What is known after updates.
    pub(crate) fn after(&self, system: &System, updates: &[(VariableId, TermId)]) -> Self {
        let mut after = self.clone();
        for (variable, term) in updates {
            after.0.remove(variable);
            if let Some(value) = system.terms.as_constant(*term) {
                after.learn(VariableTest { variable: *variable, value, is_equal: true });
            }
        }
        after
    }
}

/// Whether two tests of one variable never hold together.
pub(crate) fn contradict(one: &VariableTest, other: &VariableTest) -> bool {
    match (one.is_equal, other.is_equal) {
        (true, true) => one.value != other.value,
        (true, false) | (false, true) => one.value == other.value,
        (false, false) => false,
    }
}

/// Whether tests of variables that `counts` lets through keep two guards from holding together.
pub(crate) fn exclude(
    one: &BTreeSet<VariableTest>,
    other: &BTreeSet<VariableTest>,
    counts: impl Fn(VariableId) -> bool,
) -> bool {
    one.iter().filter(|test| counts(test.variable)).any(|test| {
        let least = VariableTest { value: i32::MIN, is_equal: false, ..*test };
        let rivals = other.range(least..).take_while(|rival| rival.variable == test.variable);
        rivals.into_iter().any(|rival| contradict(test, rival))
    })
}
