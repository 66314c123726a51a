//! Trigger consistency (P4, D14): whether the machine of each lifeline can receive what a diagram shows, in this order.
//!
//! Each lifeline is asked by itself. What it receives must be the triggers of transitions that follow each other in its machine, from any state on,
//! with transitions in between that need no message. What is sent, guards and values do not matter; of a machine with composite states the
//! innermost states count. In a closed system every message must be a trigger; otherwise one that the machine does not know counts only if it looks like a
//! misspelling of one that it knows.

use std::collections::BTreeSet;

use sequent_kernel::log::Log;
use sequent_kernel::model::{
    End, Interaction, InteractionId, Lifeline, LifelineId, MachineId, Message, MessageId, VertexId,
};
use sequent_kernel::triggers::{ActiveStates, Death, LifelineWalk, Paths, passed};
use sequent_kernel::verdict::{Answer, Details, Evidence, Reason, Story, Verdict};

use crate::ask::{Agenda, Query};
use crate::scope::Scope;

/// Whether the machines of a diagram can receive what it shows.
pub(crate) fn answer(agenda: &Agenda<'_>, query: &Query<'_>, id: InteractionId) -> Answer {
    let (verdict, failing_message) =
        decide(agenda, id).unwrap_or_else(|reason| (Verdict::Unknown(reason), None));
    Answer { details: Details { failing_message, ..Details::default() }, ..query.answer(verdict) }
}

fn decide(agenda: &Agenda<'_>, id: InteractionId) -> Result<(Verdict, Option<String>), Reason> {
    let model = agenda.model;
    let diagram = &model.interactions[id];
    let scope = Scope::of(model, agenda.folders, diagram.place).ok_or(Reason::NotAskable)?;
    if agenda.is_broken(model.family(id)) || scope.has_errors(Some(id), &agenda.found) {
        return Err(Reason::BrokenDiagram);
    }
    let machines = machines(&scope, id)?;
    let (mut because, mut is_listed, mut is_vague) = (Vec::new(), true, false);
    for (lifeline, machine) in machines {
        let paths = Paths::of(&model.machines[machine]);
        let silent = passed(model, id, &paths);
        let is_strict = model.system.closed == Some(true);
        let mut walk =
            LifelineWalk { silent, is_strict, ..LifelineWalk::strict(model, &paths, (id, lifeline)) };
        walk.run();
        if let Some(death) = &walk.death {
            return Ok(stuck(diagram, (id, lifeline), death, &paths));
        }
        is_vague |= walk.is_vague || walk.is_spent();
        match walk.path() {
            Some(path) => because.extend(told(diagram, lifeline, &path, &paths)),
            None => is_listed = false,
        }
    }
    if is_vague {
        let what = "what a lifeline receives in an order that is not drawn";
        return Err(Reason::NotLookedFor(what.to_owned()));
    }
    let evidence = match is_listed {
        true => Evidence::Run(Box::new(story(diagram, Vec::new(), None, because))),
        false => Evidence::Exhaustive,
    };
    Ok((Verdict::Holds(evidence), None))
}

/// The lifelines of a diagram that have machines.
fn machines(scope: &Scope<'_>, id: InteractionId) -> Result<Vec<(LifelineId, MachineId)>, Reason> {
    let (model, structure) = (&scope.model, scope.structure(Some(id)));
    let machine = |lifeline: &Lifeline| {
        let mut players = structure.players(lifeline).into_iter();
        players.find_map(|player| structure.objects[player].machine)
    };
    let lifelines = &model.interactions[id].lifelines;
    let mut used = model.family(id).into_iter().flat_map(|used| model.interactions[used].lifelines.iter());
    let is_hidden =
        |one: &Lifeline| machine(one).is_some() && lifelines.find(|own| own.name == one.name).is_none();
    if used.any(is_hidden) {
        let what = "a lifeline with a state machine that only an interaction use shows";
        return Err(Reason::NotLookedFor(what.to_owned()));
    }
    let found: Vec<(LifelineId, MachineId)> =
        lifelines.enumerate().filter_map(|(id, one)| Some((id, machine(one)?))).collect();
    if found.is_empty() { Err(Reason::NoMachine) } else { Ok(found) }
}

/// That a lifeline cannot receive a message, and which.
fn stuck(
    diagram: &Interaction,
    (id, lifeline): (InteractionId, LifelineId),
    death: &Death,
    paths: &Paths<'_>,
) -> (Verdict, Option<String>) {
    let who = &diagram.lifelines[lifeline].name;
    let is_here = death.interaction == id;
    let message = is_here.then(|| &diagram.messages[death.message]);
    let what = message.map_or("what an interaction use shows", |message| message.name.as_str());
    let why = match message {
        Some(message) if !paths.knows(&message.name) => "its state machine has no such trigger".to_owned(),
        Some(_) | None => format!("its state machine is in {}", names(&death.states, paths)),
    };
    let because = vec![format!("`{who}` cannot receive `{what}`: {why}")];
    let before = diagram
        .messages
        .enumerate()
        .filter(|(at, one)| is_here && *at < death.message && one.to.lifeline() == Some(lifeline));
    let prefix = before.map(|(_, one)| event(diagram, one)).collect();
    let marked = is_here.then_some(death.message);
    let failing = message.map(|message| event(diagram, message));
    let story = story(diagram, prefix, marked, because);
    (Verdict::Fails(Evidence::Attempt(Box::new(story))), failing)
}

/// In which states a lifeline receives what it does.
fn told(
    diagram: &Interaction,
    lifeline: LifelineId,
    path: &[(MessageId, VertexId)],
    paths: &Paths<'_>,
) -> Option<String> {
    let step = |(message, state): &(MessageId, _)| {
        let name = &diagram.messages[*message].name;
        format!("`{name}` in {}", names(&BTreeSet::from([*state]), paths))
    };
    let steps: Vec<String> = path.iter().map(step).collect();
    (!steps.is_empty())
        .then(|| format!("`{}` receives {}", diagram.lifelines[lifeline].name, steps.join(", ")))
}

fn names(states: &ActiveStates, paths: &Paths<'_>) -> String {
    let name = |state: &_| format!("`{}`", paths.machine.vertices[*state].name);
    states.iter().map(name).collect::<Vec<_>>().join(" or ")
}

/// The receipt of a message as an event.
fn event(diagram: &Interaction, message: &Message) -> String {
    let end = |end: End| end.lifeline().map_or("", |lifeline| diagram.lifelines[lifeline].name.as_str());
    format!("?{}->{}:{}", end(message.from), end(message.to), message.name)
}

fn story(
    diagram: &Interaction,
    prefix: Vec<String>,
    marked: Option<MessageId>,
    because: Vec<String>,
) -> Story {
    Story {
        prefix,
        cycle: Vec::new(),
        drawing: diagram.clone(),
        marked: marked.into_iter().collect(),
        moments: Default::default(),
        scenario: None,
        log: Log::default(),
        because,
    }
}
