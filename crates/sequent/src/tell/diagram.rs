//! Runs that contain what a `neg` forbids, or leave an `assert`.

use std::collections::BTreeSet;

use sequent_kernel::model::{InteractionId, Mode};
use sequent_kernel::property::{Assertion, Breach, Negative, Since};
use sequent_kernel::replay::Run;
use sequent_kernel::system::EventId;
use sequent_kernel::verdict::{Reason, Refuted, Story};

use super::{of_scene, visible};
use crate::pose::{About, Scene};

/// A run that contains what a `neg` forbids.
pub fn forbidden(
    scene: &Scene<'_>,
    (property, mode): (InteractionId, Mode),
    negative: &Negative,
    run: &Run,
) -> Result<Story, Reason> {
    let system = &scene.case.system;
    let seen = visible(system, run);
    let events: Vec<EventId> = seen.iter().map(|(_, event)| *event).collect();
    let positions = negative.witness(&events).ok_or(Reason::Refuted(Refuted::Negative))?;
    let marked: BTreeSet<usize> = positions.iter().map(|position| seen[*position].0).collect();
    let texts: Vec<String> = positions.iter().map(|at| system.events[events[*at]].text.clone()).collect();
    let between = match mode {
        Mode::Strong => "in this order",
        Mode::Weak => "in one piece",
    };
    let because = format!("{} happens, {between}: {}", name(scene, property), texts.join(", "));
    Ok(of_scene(scene, run, marked, vec![because]))
}

/// A run that leaves an `assert`.
pub fn demanded(scene: &Scene<'_>, assertion: &Assertion, run: &Run) -> Result<Story, Reason> {
    let system = &scene.case.system;
    let mut seen = visible(system, run);
    if let Some(start) = run.cycle {
        // What never comes has been due for more than one round.
        let round: Vec<(usize, EventId)> = seen.iter().copied().filter(|(step, _)| *step >= start).collect();
        seen.extend(round.iter().chain(&round).copied().collect::<Vec<_>>());
    }
    let events: Vec<EventId> = seen.iter().map(|(_, event)| *event).collect();
    let breach = assertion.breach(&events).ok_or(Reason::Refuted(Refuted::Assertion))?;
    let positions =
        breach.since.position().into_iter().chain(breach.came.iter().copied()).chain(breach.wrong);
    let marked: BTreeSet<usize> = positions.map(|position| seen[position].0).collect();
    let text = |position: usize| system.events[events[position]].text.as_str();
    let because = told(&breach, &text);
    Ok(of_scene(scene, run, marked, because))
}

/// The name of a diagram that asks.
pub fn name<'a>(scene: &Scene<'a>, property: InteractionId) -> &'a str {
    match &scene.about {
        About::Interaction(model, ..) => &model.interactions[property].name,
        About::Objects(ensemble) => &ensemble.model.interactions[property].name,
    }
}

/// Where an `assert` was left, in words.
fn told<'t>(breach: &Breach, text: &dyn Fn(usize) -> &'t str) -> Vec<String> {
    let lifeline = &breach.lifeline;
    let expected = match breach.expected.as_slice() {
        [only] => only.clone(),
        several => format!("one of {}", several.join(", ")),
    };
    let came: Vec<&str> = breach.came.iter().map(|position| text(*position)).collect();
    let came = came.join(", ");
    let instead = match (breach.wrong, &breach.since) {
        (Some(position), _) => format!("{} comes instead", text(position)),
        (None, Since::Elsewhere(..)) => "it never does".to_owned(),
        (None, Since::Start | Since::Early | Since::Event(_)) => "it never comes".to_owned(),
    };
    let demand = match (&breach.since, breach.wrong, came.as_str()) {
        (Since::Event(position), _, "") => {
            format!("after {}, {lifeline} must do {expected} next", text(*position))
        }
        (Since::Event(position), _, came) => {
            format!("after {}, and {came} came, {lifeline} must do {expected} next", text(*position))
        }
        (Since::Elsewhere(position, other), None, "") => {
            format!("after {} (on {other}), {expected} must come on {lifeline}", text(*position))
        }
        (Since::Elsewhere(position, other), None, came) => {
            format!(
                "after {} (on {other}), and {came} came, {expected} must come on {lifeline}",
                text(*position)
            )
        }
        // Nothing else may come, whatever has happened elsewhere.
        (Since::Start | Since::Early | Since::Elsewhere(..), _, "") => {
            format!("{lifeline} must do {expected} before anything else")
        }
        (Since::Start | Since::Early | Since::Elsewhere(..), _, came) => {
            format!("after {came}, {lifeline} must do {expected} next")
        }
    };
    vec![format!("{demand}; {instead}")]
}
