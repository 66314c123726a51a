//! A System as a machine: registers, inputs, and what the registers become.
//!
//! The machine is kept as a System with more variables (inputs, registers of whoever reads the runs), so that its functions are
//! terms like any others.

use std::collections::{BTreeMap, HashMap};

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{Node, Step, System, TermId, Variable, VariableId};

use super::super::names::apart;
use super::super::promela::ranges;
use super::super::question::{Subject, Unwritten, Wanted, steps};
use super::observer;

/// Registers, inputs and functions.
pub struct Machine {
    /// All functions are terms of it; its variables are registers and inputs.
    pub system: System,
    /// Inputs; any of their values may come at any time.
    pub inputs: Vec<VariableId>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Holds where a run is that was looked for.
    pub bad: TermId,
    /// Each list holds again and again in a run that was looked for and goes on forever; any of the lists will do.
    pub justice: Vec<(String, Vec<TermId>)>,
    /// Holds where the system has fewer runs than what it was made from: then it is not proved that there is none.
    pub strained: Option<TermId>,
    /// What the values of the input `step` mean, from 1 on.
    pub steps: Vec<String>,
    /// What it is, in words.
    pub comment: Vec<String>,
    /// Names for values.
    pub legend: BTreeMap<VariableId, BTreeMap<i32, String>>,
}

/// A register and what it becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// The register.
    pub variable: VariableId,
    /// Its value after the next tick; within its range.
    pub next: TermId,
}

/// What a machine is made of on the way.
pub(super) struct Builder<'a> {
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

/// What is looked for in a system, as a machine.
pub fn machine(subject: &Subject<'_>, wanted: &Wanted<'_>) -> Result<Machine, Unwritten> {
    let original = subject.system;
    let steps = steps(original)?;
    let mut builder = Builder::new(original, &steps, wanted);
    let mut comment = vec![subject.title.to_owned()];
    let (bad, justice) = match wanted {
        Wanted::Stuck => {
            comment.push("bad: it is stuck".to_owned());
            let Builder { any, alive, .. } = builder;
            let complete = original.complete;
            let terms = &mut builder.system.terms;
            let (no, open) = (terms.not(any), terms.not(complete));
            (terms.and([no, open, alive]), Vec::new())
        }
        Wanted::Goal(goal) => {
            comment.push("bad: the goal is reached".to_owned());
            let alive = builder.alive;
            (builder.system.terms.and([*goal, alive]), Vec::new())
        }
        Wanted::Observed(table) => {
            comment.push("bad: the observer accepts a run that has come here".to_owned());
            observer::add(&mut builder, original, table)
        }
    };
    if !justice.is_empty() {
        comment.push("justice: the observer accepts a run that goes on forever".to_owned());
    }
    let strained = (!original.is_never(original.strained)).then(|| {
        let alive = builder.alive;
        builder.system.terms.and([original.strained, alive])
    });
    if strained.is_some() {
        comment.push("strained: a run breaks off here, or had more ways to go on in the diagram".to_owned());
    }
    let Builder { mut system, inputs, registers, .. } = builder;
    // Some tools take no names that are given twice.
    for (id, name) in system.variables.ids().collect::<Vec<_>>().into_iter().zip(apart(&system)) {
        system.variables[id].name = name;
    }
    let note = |step: &Step| (subject.note)(step);
    Ok(Machine {
        system,
        inputs,
        registers,
        bad,
        justice,
        strained,
        steps: steps.iter().map(note).collect(),
        comment,
        legend: subject.legend.clone(),
    })
}

impl<'a> Builder<'a> {
    fn new(original: &System, steps: &'a [Step], wanted: &Wanted<'_>) -> Self {
        let mut system = original.clone();
        let dead = match wanted {
            Wanted::Stuck | Wanted::Goal(_) => original.void,
            Wanted::Observed(_) => system.terms.or([original.void, original.invalid, original.inconclusive]),
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
        let mut builder = Builder {
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
    pub fn input(&mut self, name: &str, most: usize) -> VariableId {
        let id = self.variable(name, most, 0);
        self.inputs.push(id);
        id
    }

    /// A new variable from 0 to a greatest value.
    pub fn variable(&mut self, name: &str, most: usize, initial: usize) -> VariableId {
        let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let variable = Variable::new(name, 0, number(most), number(initial));
        self.system.variables.push(variable)
    }

    /// A term as it will be after the step that is taken.
    pub fn after(&mut self, term: TermId) -> TermId {
        self.system.terms.replace(term, &self.next)
    }
}

/// The value of the one condition that holds; another if none does. The first conditions are looked at last, so the terms are not
/// deep: they are halved again and again.
pub(super) fn chosen(
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
pub(super) fn is_constant(system: &System, term: TermId, value: i32) -> bool {
    *system.terms.node(term) == Node::Constant(value)
}
