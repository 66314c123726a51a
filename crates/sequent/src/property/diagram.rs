//! Diagrams that ask: a `neg` that must not happen, an `assert` that must follow.

use std::collections::BTreeSet;

use sequent_kernel::model::{InteractionId, Mode};
use sequent_kernel::property::assertion::{Assertion, Breach, Quest, Since};
use sequent_kernel::property::negative::Negative;
use sequent_kernel::system::EventId;

use super::ask::{Sought, run, story, unsupported, visible};
use super::{Found, Scene};

/// Looks for a run that contains what a `neg` forbids.
pub fn forbidden(property: InteractionId, mode: Mode, scene: &mut Scene<'_, '_>) -> Result<Found, String> {
    let observer = Negative::new(scene.model, property, scene.system, scene.assumptions, mode);
    let observer = observer.map_err(unsupported)?;
    let (sought, states) = run(&observer, scene, observer.is_strained())?;
    let violation = match sought {
        Sought::Run(violation) => violation,
        Sought::Doubtful => return Ok(Found::nothing(BTreeSet::new(), true, states)),
        Sought::Nothing => {
            let is_strained = observer.is_strained();
            let idle =
                observer.strangers().into_iter().map(|event| format!("`{event}` never happens")).collect();
            return Ok(Found::nothing(idle, is_strained, states));
        }
    };
    let seen = visible(scene.system, &violation);
    let events: Vec<EventId> = seen.iter().map(|(_, event)| *event).collect();
    let positions =
        observer.witness(&events).ok_or("the run that was found does not hold what is forbidden")?;
    let marked: BTreeSet<usize> = positions.iter().map(|position| seen[*position].0).collect();
    let texts: Vec<String> =
        positions.iter().map(|at| scene.system.events[events[*at]].text.clone()).collect();
    let between = match mode {
        Mode::Strong => "in this order",
        Mode::Weak => "in one piece",
    };
    let name = &scene.model.interactions[property].name;
    let because = vec![format!("{name} happens, {between}: {}", texts.join(", "))];
    let story = story(scene, &violation, marked, because);
    Ok(Found::violated(&violation, story, states))
}

/// Looks for a run that leaves an `assert`.
pub fn demanded(property: InteractionId, scene: &mut Scene<'_, '_>) -> Result<Found, String> {
    let observer = |quest, scene: &Scene<'_, '_>| {
        Assertion::new(scene.model, property, scene.system, scene.assumptions, quest).map_err(unsupported)
    };
    let asked = observer(Quest::Violation, scene)?;
    let (sought, states) = run(&asked, scene, asked.is_strained())?;
    let violation = match sought {
        Sought::Run(violation) => violation,
        Sought::Doubtful => return Ok(Found::nothing(BTreeSet::new(), true, states)),
        Sought::Nothing => {
            let (fires, more) = run(&observer(Quest::Trigger, scene)?, scene, false)?;
            let name = &scene.model.interactions[property].name;
            let above = format!("what precedes the `assert` of {name} never happens");
            let idle = matches!(fires, Sought::Nothing).then_some(above).into_iter().collect();
            return Ok(Found::nothing(idle, asked.is_strained(), states + more));
        }
    };
    let mut seen = visible(scene.system, &violation);
    if let Some(start) = violation.cycle {
        // What never comes has been due for more than one round.
        let round: Vec<(usize, EventId)> = seen.iter().copied().filter(|(step, _)| *step >= start).collect();
        seen.extend(round.iter().chain(&round).copied().collect::<Vec<_>>());
    }
    let events: Vec<EventId> = seen.iter().map(|(_, event)| *event).collect();
    let breach = asked.breach(&events);
    let breach = breach.ok_or("the run that was found leaves no `assert`")?;
    let positions =
        breach.since.position().into_iter().chain(breach.came.iter().copied()).chain(breach.wrong);
    let marked: BTreeSet<usize> = positions.map(|position| seen[position].0).collect();
    let text = |position: usize| scene.system.events[events[position]].text.as_str();
    let because = told(&breach, &text);
    let story = story(scene, &violation, marked, because);
    Ok(Found::violated(&violation, story, states))
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
