//! Orbits: whether a state is reachable, where states count once that differ in what does not matter.
//!
//! Of like components it does not matter which is which: five participants of which three have voted have ten states for one
//! that must be looked at. [`swaps`] finds components of which any two may change places, [`sorted`] makes one state of
//! all permutations of a state. A step from a state leads from any permutation of it to the same permutation of its
//! successor, so a state that is looked for is reached in as many steps, and the run to it is found by taking the steps once
//! more from the first state on, which need not be sorted.
//!
//! It does not matter either what others do between two messages that a component sends one after the other ([`sends`]).
//! Without that few systems have like components, as those that send to all of them do so in some order.
//!
//! Whether a run breaks off, as it would where a queue overflows, is looked for as well. If one does, nothing is known, and
//! all states must be searched. Which fault it is that ends a run does not matter: of those that no predicate tells apart
//! one stands for all.

mod facts;
mod sends;
mod sorted;
mod swaps;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{Join, System, TermId, TermNode, VariableId};

use crate::packed::Program;
use crate::search::expand::{Expander, ExpansionScratch};
use crate::search::space::PlainSpace;
use crate::search::{Progress, ProgressWatch, SearchAnswer, SearchGoal, SearchOptions, Visited};
use facts::SystemFacts;
use sorted::{SortedSpace, StateOrder};
use swaps::AlikeBlocks;

/// Systems with more terms than this are not looked through.
const MOST_TERMS: usize = 200_000;

/// To sort a state, and to take steps at once, costs some times as much as a plain step. With fewer permutations of the
/// components than this, of two that are alike, it does not pay.
const LEAST_ORDERS: usize = 6;

/// More steps than this are not taken at once before the first state: the search keeps states between very many of them.
const MOST_AT_ONCE: usize = 500;

/// A search of states up to what does not matter.
pub struct Orbits<'s> {
    original: &'s System,
    goal: TermId,
    /// The System with urgent sends and fewer faults, and what is looked for there.
    system: System,
    wanted: TermId,
    alike: Vec<AlikeBlocks>,
}

impl<'s> Orbits<'s> {
    /// The orbits of a System in which a goal is looked for; `None` if every state must be looked at.
    pub fn new(original: &'s System, goal: TermId) -> Option<Self> {
        // Who asks whether a run breaks off wants to see the one that does.
        let is_plain = goal != original.strained
            && original.rules.iter().all(|rule| rule.join == Join::Alone && !rule.urgent)
            && original.is_never(original.void)
            && original.terms.ids().count() <= MOST_TERMS;
        if !is_plain {
            return None;
        }
        let seen = [goal, original.strained];
        let mut system = with_fewer_faults(original, &seen);
        let facts = SystemFacts::new(&system, &seen);
        let mut terms = system.terms.clone();
        let mut breaks = |variable: VariableId, value: i32| {
            let others = HashMap::from([(terms.variable(variable), terms.constant(value))]);
            let then = terms.replace(system.strained, &others);
            terms.as_constant(then).is_some_and(|truth| truth != 0)
        };
        let prompt = sends::prompt(&facts, &mut breaks);
        let alike = swaps::alike(&facts, &seen, &prompt);
        let orders = alike.iter().flat_map(|blocks| 1..=blocks.len()).fold(1, usize::saturating_mul);
        if orders < LEAST_ORDERS {
            return None;
        }
        let urgent: BTreeSet<_> = prompt.iter().flat_map(|step| step.rules.iter().copied()).collect();
        urgent.into_iter().for_each(|rule| system.rules[rule].urgent = true);
        let wanted = system.terms.or(seen);
        Some(Orbits { original, goal, system, wanted, alike })
    }

    /// Whether steps are taken at once.
    pub fn any_prompt(&self) -> bool {
        self.system.rules.iter().any(|rule| rule.urgent)
    }

    /// Searches the states; `None` if a run breaks off, so that nothing is known.
    pub fn search(
        &self,
        options: &SearchOptions,
        watch: ProgressWatch<'_>,
    ) -> Option<(SearchAnswer, Progress)> {
        let program = Program::new(&self.system);
        let order = StateOrder::new(&program.layout, &self.alike);
        let expander = Expander { program: &program, stubborn: None, goal: Some(self.wanted) };
        let first = [expander.first(&mut ExpansionScratch::default())?];
        if first[0].1.len() > MOST_AT_ONCE {
            return None;
        }
        let plain = PlainSpace { expander, quest: SearchGoal::Goal(self.wanted) };
        let space = SortedSpace { plain, order: &order };
        let mut visited = Visited::new(program.words());
        let answer = match visited.search(space, &first, options, watch) {
            Ok(Some(found)) => SearchAnswer::Found(self.checked(visited.way_to(space, &first, found)?)?),
            Ok(None) => SearchAnswer::Exhausted,
            Err(stop) => SearchAnswer::Stopped(stop),
        };
        Some((answer, visited.progress))
    }

    /// A run, if it leads to the goal and not only to where it breaks off.
    fn checked(&self, run: Run) -> Option<Run> {
        let last = replay(self.original, &run).ok()?.pop()?;
        self.original.holds(self.goal, &last).then_some(run)
    }
}

/// The System with one fault for all that no guard, no update and no predicate tells apart: of a variable that no rule asks
/// for anything but whether it has some values, each value that it gets stands for all that are the same to the predicates.
fn with_fewer_faults(original: &System, seen: &[TermId]) -> System {
    let mut system = original.clone();
    let asked = asked(original);
    for (id, variable) in original.variables.enumerate() {
        let Some(asked) = asked.get(&id).filter(|asked| variable.max - variable.min > asked.len() as i32)
        else {
            continue;
        };
        let own = system.terms.variable(id);
        let mut stand: BTreeMap<Vec<TermId>, i32> = BTreeMap::new();
        let mut stands: BTreeMap<i32, i32> = BTreeMap::new();
        for value in (variable.min..=variable.max).filter(|value| !asked.contains(value)) {
            let others = HashMap::from([(own, system.terms.constant(value))]);
            let then = seen.iter().map(|term| system.terms.replace(*term, &others)).collect();
            stands.insert(value, *stand.entry(then).or_insert(value));
        }
        for rule in system.rules.iter_mut() {
            for (_, term) in rule.updates.iter_mut().filter(|(written, _)| *written == id) {
                let value = system.terms.as_constant(*term).and_then(|value| stands.get(&value));
                if let Some(value) = value {
                    *term = system.terms.constant(*value);
                }
            }
        }
    }
    system
}

/// The values of variables that rules ask for, of those variables for which they ask in no other way, and which get nothing but
/// constants.
fn asked(system: &System) -> BTreeMap<VariableId, BTreeSet<i32>> {
    let mut asked: BTreeMap<VariableId, BTreeSet<i32>> =
        system.variables.ids().map(|id| (id, BTreeSet::new())).collect();
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    let mut open: Vec<TermId> = Vec::new();
    for rule in &system.rules {
        open.push(rule.guard);
        for (variable, term) in &rule.updates {
            if system.terms.as_constant(*term).is_none() {
                asked.remove(variable);
                open.push(*term);
            }
        }
    }
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (system.terms.as_literal(term), system.terms.node(term)) {
            (Some((variable, value)), _) => {
                asked.entry(variable).and_modify(|values| _ = values.insert(value));
            }
            (None, TermNode::Variable(variable)) => _ = asked.remove(variable),
            (None, _) => open.extend(system.terms.parts(term)),
        }
    }
    asked
}
