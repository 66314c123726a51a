//! Objects that are enabled all along in an infinite run, and never move.
//!
//! Without fairness an enabled object need not take a step, as long as others do (docs/objects.md). An answer
//! that fails only for that reason says so.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::Objects;
use sequent_kernel::system::Config;

/// A line about the objects that could take a step in every state of a cycle and take none; `None` if there is none.
pub(crate) fn patient(objects: &Objects, run: &Run, configs: &[Config]) -> Option<String> {
    let system = &objects.system;
    let cycle = run.steps.get(run.cycle?..)?;
    let moved: BTreeSet<usize> =
        cycle.iter().flat_map(|step| &step.0).map(|rule| system.rules[*rule].component.index()).collect();
    let machines = objects.structure.objects.enumerate().filter(|(_, object)| object.machine.is_some());
    let mut able: BTreeSet<usize> = machines.map(|(id, _)| id.index()).collect();
    able.retain(|id| !moved.contains(id));
    for config in configs.get(run.cycle?..run.steps.len())? {
        if able.is_empty() {
            return None;
        }
        let steps = system.steps(config);
        let rules = steps.iter().flat_map(|step| &step.0);
        let now: BTreeSet<usize> = rules.map(|rule| system.rules[*rule].component.index()).collect();
        able.retain(|id| now.contains(id));
    }
    let all = objects.structure.objects.enumerate().filter(|(id, _)| able.contains(&id.index()));
    let names: Vec<&str> = all.map(|(_, object)| object.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} could have moved all along: without fairness that is allowed, with weak fairness it is not",
            names.join(" and ")
        )
    })
}
