//! Counts that are not declared: `[n < 3] / n := n + 1` where the object has no attribute `n`.
//!
//! Such a guard is decided freely, so a run may go round more often than its author means. What such a run shows may not be so: it is a
//! hint, and the hint says what to declare.

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::{Condition, Effect, Machine};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::InstanceId;

use super::ObjectGroup;

/// A finding as certain as its run is.
pub(crate) fn doubted(group: &ObjectGroup<'_>, finding: Diagnostic, run: &Run) -> Diagnostic {
    let Some((guard, name)) = counted(group, run) else { return finding };
    finding
        .severity(Severity::Hint)
        .label(guard.place.0, format!("`{name}` is not declared, so this is decided freely"))
        .hint(format!("declare what is counted, as in `@attribute {name} : 0..7 = 0`"))
}

/// The first guard of a run that counts by an undeclared name, and the name.
fn counted<'a>(group: &ObjectGroup<'a>, run: &Run) -> Option<(&'a Condition, &'a str)> {
    let objects = group.objects;
    let rules = run.steps.iter().flat_map(|step| &step.0);
    let taken = rules.flat_map(|rule| {
        let fired = objects.fired.get(rule).into_iter().flatten();
        fired.chain(objects.chosen.get(&Some(*rule)).into_iter().flatten())
    });
    let mut guards = taken.filter_map(|(object, transition)| {
        let machine = objects.machine(group.model, *object)?;
        Some((*object, machine, machine.transitions[*transition].guard.as_ref()?))
    });
    guards.find_map(|(object, machine, guard)| {
        let mut names = guard.expression.as_ref()?.elements().into_iter();
        let name = names.find(|name| is_count(group, object, machine, name))?;
        Some((guard, name))
    })
}

/// Whether a machine assigns to a name that its object does not have.
fn is_count(group: &ObjectGroup<'_>, object: InstanceId, machine: &Machine, name: &str) -> bool {
    let mut effects = machine.effects();
    let is_assigned = effects.any(|effect| match effect {
        Effect::Assign(assign) => matches!(assign.target.as_slice(), [own] if own == name),
        Effect::Send(_) | Effect::Opaque { .. } => false,
    });
    is_assigned && group.objects.attributes(object).all(|(own, _)| own != name)
}
