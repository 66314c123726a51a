//! Building a machine: the variables of a System as registers, inputs, and the registers of an observer.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{Step, System, TermId, TermNode, Variable, VariableId};

use super::super::promela::ranges;
use super::super::question::WantedGoal;

/// A register and what it becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// The register.
    pub variable: VariableId,
    /// Its value after the next tick; within its range.
    pub next: TermId,
}

/// What a machine is made of on the way.
pub(crate) struct CircuitBuilder<'a> {
    pub system: System,
    pub inputs: Vec<VariableId>,
    pub registers: Vec<Register>,
    pub steps: &'a [Step],
    /// For each step whether it may be taken, and whether it is.
    pub can: Vec<TermId>,
    pub taken: Vec<TermId>,
    /// Whether any may be taken, and any that goes before all others.
    pub any: TermId,
    pub urgent: TermId,
    /// Whether the run counts so far.
    pub alive: TermId,
    /// What the variables of the system become.
    pub next: HashMap<TermId, TermId>,
}

impl<'a> CircuitBuilder<'a> {
    pub(crate) fn new(original: &System, steps: &'a [Step], wanted: &WantedGoal<'_>) -> Self {
        let mut system = original.clone();
        let dead = match wanted {
            WantedGoal::Stuck | WantedGoal::Goal(_) => original.void,
            WantedGoal::Observed(_) => {
                system.terms.or([original.void, original.invalid, original.inconclusive])
            }
        };
        let alive = system.terms.not(dead);
        let ranges = ranges(original);
        let enabled: Vec<TermId> =
            steps.iter().map(|step| enabled(&mut system, original, &ranges, step, alive)).collect();
        let is_urgent = |step: &Step| original.rules[step.0[0]].urgent;
        let first = enabled.iter().zip(steps).filter(|(_, step)| is_urgent(step)).map(|(term, _)| *term);
        let urgent = system.terms.or(first.collect::<Vec<_>>());
        let calm = system.terms.not(urgent);
        let can: Vec<TermId> = enabled
            .iter()
            .zip(steps)
            .map(|(term, step)| if is_urgent(step) { *term } else { system.terms.and([*term, calm]) })
            .collect();
        let any = system.terms.or(can.clone());
        let mut builder = CircuitBuilder {
            system,
            inputs: Vec::new(),
            registers: Vec::new(),
            steps,
            can,
            taken: Vec::new(),
            any,
            urgent,
            alive,
            next: HashMap::new(),
        };
        let input = builder.input("step", steps.len());
        for (number, can) in (1..).zip(builder.can.clone()) {
            let chosen = builder.system.terms.is(input, number);
            let taken = builder.system.terms.and([chosen, can]);
            builder.taken.push(taken);
        }
        builder.variables(original);
        builder
    }

    /// The variables of the system as registers.
    fn variables(&mut self, original: &System) {
        let mut writers: BTreeMap<VariableId, Vec<(TermId, TermId)>> = BTreeMap::new();
        for (step, taken) in self.steps.iter().zip(&self.taken) {
            let updates: BTreeMap<VariableId, TermId> =
                step.0.iter().flat_map(|rule| &original.rules[*rule].updates).copied().collect();
            for (variable, term) in updates {
                writers.entry(variable).or_default().push((*taken, term));
            }
        }
        for variable in original.variables.ids() {
            let terms = &mut self.system.terms;
            let now = terms.variable(variable);
            let writers = writers.remove(&variable).unwrap_or_default();
            let next = chosen(terms, &writers, now);
            self.next.insert(now, next);
            self.registers.push(Register { variable, next });
        }
    }

    /// A new input from 0 to a greatest value.
    pub(crate) fn input(&mut self, name: &str, most: usize) -> VariableId {
        let id = self.variable(name, most, 0);
        self.inputs.push(id);
        id
    }

    /// A new variable from 0 to a greatest value.
    pub(crate) fn variable(&mut self, name: &str, most: usize, initial: usize) -> VariableId {
        let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let variable = Variable::new(name, 0, number(most), number(initial));
        self.system.variables.push(variable)
    }

    /// A term as it will be after the step that is taken.
    pub(crate) fn after(&mut self, term: TermId) -> TermId {
        self.system.terms.replace(term, &self.next)
    }
}

/// The value of the one condition that holds; another if none does. The first conditions are looked at last, so the terms are not
/// deep: they are halved again and again.
pub(crate) fn chosen(
    terms: &mut sequent_kernel::system::Terms,
    ways: &[(TermId, TermId)],
    otherwise: TermId,
) -> TermId {
    match ways {
        [] => otherwise,
        [(condition, value)] => terms.choose(*condition, *value, otherwise),
        _ => {
            let (left, right) = ways.split_at(ways.len() / 2);
            let here = terms.or(left.iter().map(|(condition, _)| *condition).collect::<Vec<_>>());
            let (yes, no) = (chosen(terms, left, otherwise), chosen(terms, right, otherwise));
            terms.choose(here, yes, no)
        }
    }
}

/// Whether all rules of a step may fire together, and what they write fits.
fn enabled(
    system: &mut System,
    original: &System,
    ranges: &IdVec<TermId, (i64, i64)>,
    step: &Step,
    alive: TermId,
) -> TermId {
    let terms = &mut system.terms;
    let mut parts = vec![alive];
    parts.extend(step.0.iter().map(|rule| original.rules[*rule].guard));
    let mut written: BTreeMap<VariableId, TermId> = BTreeMap::new();
    for (variable, term) in step.0.iter().flat_map(|rule| &original.rules[*rule].updates) {
        let Variable { min, max, .. } = original.variables[*variable];
        let (low, high) = ranges[*term];
        if low < i64::from(min) {
            let least = terms.constant(min);
            let under = terms.less(*term, least);
            parts.push(terms.not(under));
        }
        if high > i64::from(max) {
            let most = terms.constant(max);
            let over = terms.less(most, *term);
            parts.push(terms.not(over));
        }
        match written.insert(*variable, *term) {
            Some(other) if other != *term => parts.push(terms.equal(other, *term)),
            Some(_) | None => {}
        }
    }
    // Guards may be numbers, of which any but 0 is true; conjunctions take them as they are.
    match parts.as_slice() {
        [only] => *only,
        _ => terms.and(parts),
    }
}

/// Whether a term is a constant of this value.
pub(crate) fn is_constant(system: &System, term: TermId, value: i32) -> bool {
    *system.terms.node(term) == TermNode::Constant(value)
}
