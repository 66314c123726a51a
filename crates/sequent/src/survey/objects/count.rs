//! What a run shows that takes guards as they come: it may not be so. Then it is a hint, and the hint says what to declare.
//!
//! Counts are such that are not declared: `[n < 3] / n := n + 1` where the object has no attribute `n`, so that a run may go round more
//! often than its author means. So are arguments whose values are not known (H621); what the environment sends may have any value.

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::{Condition, Effect, Machine};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::{Doubt, InstanceId, OpenUse};

use super::ObjectGroup;

/// A finding as certain as its run is.
pub(crate) fn doubted(group: &ObjectGroup<'_>, finding: Diagnostic, run: &Run) -> Diagnostic {
    let open = group.objects.open_use(run).filter(|open| open.doubt != Doubt::Unsent);
    if let Some(OpenUse { object, transition, message, parameter, .. }) = open {
        let machine = group.objects.machine(group.model, *object);
        let text =
            format!("the value of `{parameter}` in `{message}` is not known, so this is decided freely");
        let place = machine.map(|machine| machine.transitions[*transition].place.0);
        let finding = finding
            .severity(Severity::Hint)
            .hint(format!("declare the parameter in a class, as in `{message}({parameter} : 0..7)`"));
        return place.into_iter().fold(finding, |finding, place| finding.label(place, &text));
    }
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
