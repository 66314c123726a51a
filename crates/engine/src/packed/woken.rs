//! Woken: the urgent rules that a rule may enable.
//!
//! A guard that does not hold stays so unless a step writes what it reads. So after a step only the urgent rules are asked
//! whose guards read something that it wrote, and do not want another value there than the one written; most steps wake
//! none. Rules that wake the same ones share an [index](super::index) of them.

use std::collections::BTreeMap;

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{RuleId, VariableId};

use super::Program;
use super::index::{DecisionIndex, WordFields};
use super::term::support;

/// More pairs of rules than this are not written down: then all urgent rules are asked after each step.
const MOST_PAIRS: usize = 100_000;

/// The urgent rules that each rule may enable.
#[derive(Clone, Debug)]
pub(crate) struct WokenRules {
    /// For each rule the number of its index; `None` if it wakes none.
    of: IdVec<RuleId, Option<usize>>,
    indices: Vec<DecisionIndex>,
}

impl WokenRules {
    /// Looks through all rules of a program whose guards are ready; `None` if there are too many pairs.
    pub(crate) fn new(program: &Program<'_>, fields: &WordFields) -> Option<Self> {
        let readers = readers(program);
        let mut woken = WokenRules { of: IdVec::new(), indices: Vec::new() };
        let mut known: BTreeMap<Vec<RuleId>, usize> = BTreeMap::new();
        let mut pairs = 0;
        for (id, rule) in program.system.rules.enumerate() {
            let written = rule.updates.iter().flat_map(|(variable, _)| &readers[*variable]);
            let mut rules: Vec<RuleId> = written.copied().collect();
            rules.sort_unstable();
            rules.dedup();
            pairs += rules.len();
            if pairs > MOST_PAIRS {
                return None;
            }
            rules.retain(|urgent| !program.forbids(id, *urgent));
            let number = (!rules.is_empty()).then(|| match known.get(&rules) {
                Some(number) => *number,
                None => {
                    woken.indices.push(program.index(fields, &rules));
                    known.insert(rules, woken.indices.len() - 1);
                    woken.indices.len() - 1
                }
            });
            woken.of.push(number);
        }
        Some(woken)
    }

    /// The index of the urgent rules that a rule may enable.
    #[inline]
    pub(crate) fn of(&self, rule: RuleId) -> Option<&DecisionIndex> {
        self.of[rule].map(|number| &self.indices[number])
    }
}

/// For each variable the urgent rules whose guards read it.
fn readers(program: &Program<'_>) -> IdVec<VariableId, Vec<RuleId>> {
    let system = program.system;
    let mut readers: IdVec<VariableId, Vec<RuleId>> = system.variables.iter().map(|_| Vec::new()).collect();
    for urgent in &program.urgent {
        for variable in support(&system.terms, system.rules[*urgent].guard) {
            readers[variable].push(*urgent);
        }
    }
    readers
}
