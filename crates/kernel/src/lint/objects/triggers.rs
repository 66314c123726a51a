//! Scenarios that the machines of their lifelines cannot follow: W608, E640 (P4, definitions D13 to D15).
//!
//! What a lifeline receives must be a trigger-based path of its machine, from any state on, with steps in between that need no message. Time
//! consistency (D8) needs no finding of its own: lines on a page do not overtake, and where a general ordering says otherwise it is E212 or H213. Nor
//! does well-formedness (D6): drawn order is total, except where `par` and coregions leave it open on purpose; then all orders count.
//!
//! Many diagrams show a part of what happens. A message that an object sends which the diagram does not show may come without being drawn, and so may those
//! that `ignore` and `consider` name. A diagram whose messages are mostly no triggers speaks another language than the machine: there only the messages that are
//! triggers count, and those that nearly are. In a closed system every message counts, and one that is no trigger of its receiver is an error (E640), unless a check asks about the diagram. What is forbidden, or expected to fail, is meant to be impossible.

use std::collections::{BTreeMap, BTreeSet};

use super::FolderObjects;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::id::Id;
use crate::model::{
    Alphabet, Check, Expectation, Interaction, InteractionId, Lifeline, LifelineId, Machine, MachineId,
    Message, MessageSort, Quantifier, Question, Scenario, Subject, VertexKind,
};
use crate::property::diagram::{DiagramRole, role};
use crate::semantics::objects::InstanceId;
use crate::source::Span;
use crate::triggers::{ActiveStates, Death, LifelineWalk, Paths, passed};

/// No more states are listed.
const MOST_STATES: usize = 4;

pub(super) fn check(system: &FolderObjects, findings: &mut Vec<Diagnostic>) {
    let mut cast =
        LifelineCast { system, paths: BTreeMap::new(), heard: BTreeMap::new(), unseen: BTreeMap::new() };
    cast.listen();
    let mut told: BTreeSet<Span> = BTreeSet::new();
    for (id, interaction) in system.interactions().filter(|(id, _)| !is_meant_to_fail(system, *id)) {
        let shown = cast.shown(id);
        for lifeline in interaction.lifelines.ids() {
            let Some(machine) = system.machine_of(&interaction.lifelines[lifeline]) else { continue };
            let Some((death, paths)) = cast.follow(id, lifeline, machine, &shown) else { continue };
            let message = &system.model.interactions[death.interaction].messages[death.message];
            if told.insert(message.place.0) {
                let code = match counts_all(system, id) && !paths.knows(&message.name) {
                    true => Code::UnknownTrigger,
                    false => Code::TriggerMismatch,
                };
                findings.push(finding(code, &interaction.lifelines[lifeline], message, &death, paths));
            }
        }
    }
}

/// Whether nothing comes from outside, so that what a machine receives must be one of its triggers. Where a check asks about the
/// scenario, its verdict tells.
fn counts_all(system: &FolderObjects, id: InteractionId) -> bool {
    system.model.system.closed == Some(true) && scenarios(system, id).next().is_none()
}

/// Whether a diagram shows what must not happen, or what its author expects not to, or a verdict tells.
fn is_meant_to_fail(system: &FolderObjects, id: InteractionId) -> bool {
    let is_unwanted = |(check, scenario): (&Check, &Scenario)| {
        scenario.quantifier == Quantifier::Forbidden || check.expected == Some(Expectation::Fails)
    };
    matches!(role(system.model, id), DiagramRole::Forbidden(_))
        || scenarios(system, id).any(is_unwanted)
        || is_asked(system, id)
}

/// Whether a check asks this very question.
fn is_asked(system: &FolderObjects, id: InteractionId) -> bool {
    let name = &system.model.interactions[id].name;
    system.model.checks.iter().any(|check| match &check.question {
        Question::Triggers(Some(named)) => named.text == *name,
        Question::Triggers(None) => check.subject == Some(Subject::Interaction(id)),
        Question::Scenario(_)
        | Question::Ltl(_)
        | Question::Reachable(_)
        | Question::Deadlock
        | Question::Safe(..)
        | Question::Consistent(_)
        | Question::Refines(_)
        | Question::Fragments => false,
    })
}

/// The scenario checks about an interaction.
fn scenarios<'a>(
    system: &FolderObjects<'a>,
    id: InteractionId,
) -> impl Iterator<Item = (&'a Check, &'a Scenario)> {
    let name = &system.model.interactions[id].name;
    let all = system.model.checks.iter().filter_map(|check| match &check.question {
        Question::Scenario(scenario) => Some((check, scenario)),
        Question::Ltl(_)
        | Question::Reachable(_)
        | Question::Deadlock
        | Question::Safe(..)
        | Question::Consistent(_)
        | Question::Refines(_)
        | Question::Triggers(_)
        | Question::Fragments => None,
    });
    all.filter(move |(check, scenario)| match &scenario.interaction {
        Some(named) => named.text == *name,
        None => check.subject == Some(Subject::Interaction(id)),
    })
}

/// The objects that play the lifelines of a folder's diagrams.
struct LifelineCast<'s, 'a> {
    system: &'s FolderObjects<'a>,
    /// The machines that have lifelines.
    paths: BTreeMap<MachineId, Paths<'a>>,
    /// What lifelines of each machine receive anywhere.
    heard: BTreeMap<MachineId, BTreeSet<&'a str>>,
    /// What is sent by objects that a diagram does not show, by what it shows.
    unseen: BTreeMap<ShownObjects, BTreeSet<&'a str>>,
}

impl<'a> LifelineCast<'_, 'a> {
    fn listen(&mut self) {
        for (_, interaction) in self.system.interactions() {
            let machines: Vec<Option<MachineId>> =
                interaction.lifelines.iter().map(|lifeline| self.system.machine_of(lifeline)).collect();
            for message in interaction.messages.iter().filter(|message| is_event(message)) {
                let receiver = message.to.lifeline().and_then(|lifeline| machines[lifeline.index()]);
                if let Some(machine) = receiver {
                    self.heard.entry(machine).or_default().insert(&message.name);
                }
            }
        }
        for machine in self.heard.keys() {
            self.paths.insert(*machine, Paths::of(&self.system.model.machines[*machine]));
        }
    }

    /// What a diagram and those that it uses show; what everything else sends is known then.
    fn shown(&mut self, id: InteractionId) -> ShownObjects {
        let (system, model) = (self.system, self.system.model);
        let family = model.family(id);
        let lifelines = family.iter().flat_map(|id| model.interactions[*id].lifelines.iter());
        let shown = ShownObjects::of(system, lifelines);
        self.unseen.entry(shown.clone()).or_insert_with(|| {
            let absent = system.machine_ids().filter(|machine| shown.is_elsewhere(system, *machine));
            absent
                .flat_map(|machine| model.machines[machine].sends())
                .map(|send| send.name.as_str())
                .collect()
        });
        shown
    }

    /// The message that a lifeline cannot receive, if there is one.
    fn follow(
        &self,
        id: InteractionId,
        lifeline: LifelineId,
        machine: MachineId,
        shown: &ShownObjects,
    ) -> Option<(Death, &Paths<'a>)> {
        let paths = self.paths.get(&machine)?;
        let heard = &self.heard[&machine];
        let known = heard.iter().filter(|name| paths.knows(name)).count();
        let is_closed = counts_all(self.system, id);
        if known == 0 && !is_closed {
            return None;
        }
        let mut walk = LifelineWalk {
            silent: self.silent(id, lifeline, paths, shown),
            is_strict: is_closed || known * 2 > heard.len(),
            ..LifelineWalk::strict(self.system.model, paths, (id, lifeline))
        };
        walk.run();
        walk.death.map(|death| (death, paths))
    }

    /// Messages that may come to a lifeline without being drawn.
    fn silent(
        &self,
        id: InteractionId,
        lifeline: LifelineId,
        paths: &Paths<'a>,
        shown: &ShownObjects,
    ) -> BTreeSet<&'a str> {
        let model = self.system.model;
        let mut silent: BTreeSet<&str> = passed(model, id, paths);
        silent.extend(&self.unseen[shown]);
        // Such a check lets messages that the diagram does not name happen in between.
        if scenarios(self.system, id).any(|(_, scenario)| scenario.alphabet != Alphabet::All) {
            let name = &model.interactions[id].lifelines[lifeline].name;
            let family = model.family(id);
            let drawn: BTreeSet<&str> =
                family.iter().flat_map(|id| received(&model.interactions[*id], name)).collect();
            silent.extend(paths.names().filter(|name| !drawn.contains(name)));
        }
        silent
    }
}

fn received<'a>(interaction: &'a Interaction, name: &str) -> impl Iterator<Item = &'a str> {
    let lifeline = interaction.lifelines.find(|one| one.name == name);
    let messages = interaction.messages.iter();
    messages
        .filter(move |one| lifeline.is_some() && one.to.lifeline() == lifeline)
        .map(|one| one.name.as_str())
}

/// Whether a message that arrives may be an event of a machine.
fn is_event(message: &Message) -> bool {
    match message.sort {
        MessageSort::Call | MessageSort::Signal => message.from != message.to,
        MessageSort::Reply | MessageSort::Create | MessageSort::Delete => false,
    }
}

/// The machines and objects that a diagram shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ShownObjects {
    machines: BTreeSet<MachineId>,
    objects: BTreeSet<InstanceId>,
}

impl ShownObjects {
    fn of<'l>(system: &FolderObjects, lifelines: impl Iterator<Item = &'l Lifeline>) -> Self {
        let mut shown = ShownObjects { machines: BTreeSet::new(), objects: BTreeSet::new() };
        for lifeline in lifelines {
            shown.machines.extend(system.machine_of(lifeline));
            shown.objects.extend(system.whole.object_of(lifeline));
        }
        shown
    }

    /// Whether an object of a machine acts that the diagram does not show.
    fn is_elsewhere(&self, system: &FolderObjects, machine: MachineId) -> bool {
        let mut objects = system.whole.objects.enumerate().filter(|(_, one)| one.machine == Some(machine));
        match system.whole.is_listed {
            true => objects.any(|(id, _)| !self.objects.contains(&id)),
            false => !self.machines.contains(&machine),
        }
    }
}

fn finding(code: Code, lifeline: &Lifeline, message: &Message, death: &Death, paths: &Paths) -> Diagnostic {
    let (who, what) = (&lifeline.name, &message.name);
    if !paths.knows(what) {
        let text = format!("`{who}` cannot receive `{what}`: its state machine has no such trigger");
        let finding = Diagnostic::new(code, message.place.0, text);
        return match nearest(what, paths.names()) {
            Some(near) => finding.meant(what, near),
            None => finding.hint("add a transition with this trigger, or draw the message to somebody else"),
        };
    }
    let places = listed(paths.machine, &death.states);
    let text = format!("`{who}` cannot receive `{what}` here: its state machine is in {places}");
    let takers = paths.takers(what);
    let finding = Diagnostic::new(code, message.place.0, text);
    let first = takers.first().map(|vertex| paths.machine.vertices[*vertex].place.0);
    let finding = match first {
        Some(first) => finding.label(first, format!("`{what}` is taken here")),
        None => finding,
    };
    finding.hint(format!("it takes `{what}` in {}", listed(paths.machine, &takers)))
}

/// States by name: `a`, `b` or `c`.
fn listed(machine: &Machine, states: &ActiveStates) -> String {
    let name = |vertex: &crate::model::VertexId| {
        let vertex = &machine.vertices[*vertex];
        match vertex.kind {
            VertexKind::Final => "a final state".to_owned(),
            VertexKind::Terminate => "a terminated state".to_owned(),
            VertexKind::State(_)
            | VertexKind::Initial
            | VertexKind::Choice
            | VertexKind::Junction
            | VertexKind::Fork
            | VertexKind::Join
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Entry
            | VertexKind::Exit => format!("`{}`", vertex.name),
        }
    };
    let mut names: Vec<String> = states.iter().map(name).collect();
    names.dedup();
    let more = names.len().saturating_sub(MOST_STATES);
    names.truncate(MOST_STATES);
    if more > 0 {
        return format!("{} or {more} more states", names.join(", "));
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "no state".to_owned(),
    }
}
