//! A System as a sequential circuit: registers, inputs, and next-state functions.
//!
//! The machine is kept as a System with more variables (inputs, registers of the observer), so that its
//! functions are terms like any others.

use std::collections::BTreeMap;

use sequent_kernel::system::{Step, System, TermId, VariableId};

use super::super::names::apart;
use super::super::question::{Unwritten, WantedGoal, WrittenSubject, steps};
use super::builder::{CircuitBuilder, Register};
use super::observer;

/// Registers, inputs and functions.
pub struct CircuitMachine {
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

/// What is looked for in a system, as a machine.
pub fn machine(subject: &WrittenSubject<'_>, wanted: &WantedGoal<'_>) -> Result<CircuitMachine, Unwritten> {
    let original = subject.system;
    let steps = steps(original)?;
    let mut builder = CircuitBuilder::new(original, &steps, wanted);
    let mut comment = vec![subject.title.to_owned()];
    let (bad, justice) = match wanted {
        WantedGoal::Stuck => {
            comment.push("bad: it is stuck".to_owned());
            let CircuitBuilder { any, alive, .. } = builder;
            let complete = original.complete;
            let terms = &mut builder.system.terms;
            let (no, open) = (terms.not(any), terms.not(complete));
            (terms.and([no, open, alive]), Vec::new())
        }
        WantedGoal::Goal(goal) => {
            comment.push("bad: the goal is reached".to_owned());
            let alive = builder.alive;
            (builder.system.terms.and([*goal, alive]), Vec::new())
        }
        WantedGoal::Observed(table) => {
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
    let CircuitBuilder { mut system, inputs, registers, .. } = builder;
    // Some tools take no names that are given twice.
    for (id, name) in system.variables.ids().collect::<Vec<_>>().into_iter().zip(apart(&system)) {
        system.variables[id].name = name;
    }
    let note = |step: &Step| (subject.note)(step);
    Ok(CircuitMachine {
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
