//! What a state does, line by line, as it stands in its box.

use sequent_kernel::model::{Effect, Machine, StateBody, TransitionKind, VertexId};

use super::ChartWording;

/// The lines below the name of a state.
pub(crate) fn lines(
    machine: &Machine,
    vertex: VertexId,
    body: &StateBody,
    wording: &ChartWording,
) -> Vec<String> {
    let said = |word: &str, effects: &[Effect]| {
        let texts: Vec<String> = effects.iter().map(wording.effect).collect();
        (!texts.is_empty()).then(|| format!("{word} / {}", texts.join("; ")))
    };
    let mut lines: Vec<String> = body.description.clone();
    lines.extend(said("entry", &body.entry));
    lines.extend(said("do", &body.activity));
    lines.extend(said("exit", &body.exit));
    lines.extend(body.deferred.iter().map(|trigger| format!("{} / defer", (wording.trigger)(trigger))));
    let own = machine.transitions.iter().filter(|one| one.source == vertex);
    lines.extend(own.filter(|one| one.kind == TransitionKind::Internal).map(|one| one.text.clone()));
    lines
}
