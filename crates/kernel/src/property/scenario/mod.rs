//! Scenarios: an interaction that is looked for in the runs of a system of objects (P1, P3, P4; DESIGN section 6).
//!
//! A run matches a scenario if there is a position from which on the events that matter form a complete valid
//! trace of the interaction, one after the other: an event that matters and is not the next of the trace ends
//! this attempt, all others are skipped. The anchor decides where attempts may begin, the [alphabet] which
//! events matter. Conditions of the interaction on objects (state invariants, guards over their data) are
//! evaluated on the objects at the moment when they are due; an invariant may be evaluated at any moment
//! between its neighbours ([data]). Where the system keeps apart which events are [amid a step](crate::system::Event::goes_on),
//! attempts begin and end between two steps (P4's multimessages). What is asked of every run reads the events of a step in any order that
//! the interaction draws ([`SoughtScenario::of_every_run`]); for what some run must have, the system shows them in each.
//!
//! An interaction that may go on forever is also matched by a run along which it does: P3's recurrence.
//!
//! An attempt is followed as a set of configurations of the interaction ([follow]). The observers are built
//! on it: [`FoundObserver`] accepts runs with a match, [`Near`] those where it begins within a bound, [`Forever`]
//! those along which the interaction never ends, [`Missed`] those without a finite match, [`Never`] those
//! without any, [`Whenever`] those in which the `assert` at its end does not follow.

mod alphabet;
mod beat;
mod broken;
pub mod data;
mod follow;
mod forever;
mod found;
mod kept;
mod missed;
mod near;
mod never;
mod order;
mod whenever;
mod witness;

pub use broken::{Attempt, AttemptStatus, Barrier};
pub use forever::Forever;
pub use found::{FoundObserver, Stance};
pub use missed::Missed;
pub use near::Near;
pub use never::Never;
pub use whenever::{Whenever, WheneverMemory};

use std::collections::{BTreeMap, BTreeSet};

use crate::id::{Id, IdVec};
use crate::model::{Alphabet, Anchor, Combination, Fragment, InteractionId, Message, Model};
use crate::property::pattern::PropertyPattern;
use crate::property::pattern::letter::{Given, Letter, Reader, Replies, messages};
use crate::property::{Moment, diagram};
use crate::semantics::{Assumptions, Other, PropertyDiagram, PropertyExtent, Unsupported, lower_scenario};
use crate::system::{ComponentId, Event, EventId, EventKind, System, TermId};
use data::ScenarioData;
use follow::SetMemo;

/// The system whose runs are searched for a scenario.
pub struct SearchedSystem<'s> {
    /// The system.
    pub system: &'s System,
    /// The components of which only sends are seen.
    pub environment: &'s BTreeSet<ComponentId>,
    /// The object that plays a lifeline, by name; `None` if the system has no such object.
    pub plays: &'s dyn Fn(&str) -> Option<ComponentId>,
    /// The names of the parameters of an event's message.
    pub parameters: &'s dyn Fn(&Event) -> Vec<String>,
}

/// An interaction, ready to be looked for.
#[derive(Debug)]
pub struct SoughtScenario {
    pattern: PropertyPattern,
    anchor: Anchor,
    /// For each event of the system whether it matters, apart from `ignore` and `consider`.
    alphabet: Vec<bool>,
    /// What the inputs of the pattern are in the system.
    inputs: Vec<TermId>,
    /// The same as they are written.
    texts: Vec<String>,
    /// Whether a trace may be invalid.
    has_negative: bool,
    /// Whether messages are sent and received at once.
    meets: bool,
    /// For each event of the system whether the same step shows another after it: no attempt begins or ends between them.
    goes_on: Vec<bool>,
    /// Whether the events of a step are read in any order.
    reads_sets: bool,
    /// Whether attempts end between them, too.
    reads_parts: bool,
    /// Whether attempts begin between them, too.
    begins_amid: bool,
    /// A parameter, and its message, of which a value is drawn and none is known.
    doubt: Option<(String, String)>,
    memo: SetMemo,
}

/// More conditions about objects than this are not followed.
const MOST_INPUTS: usize = 64;

impl SoughtScenario {
    /// Prepares an interaction for runs of a system; `data` tells what its conditions are there.
    pub fn new(
        model: &Model,
        interaction: InteractionId,
        stage: &SearchedSystem<'_>,
        knobs: (Anchor, Alphabet),
        data: &ScenarioData,
        assumptions: &Assumptions,
    ) -> Result<Self, Unsupported> {
        Self::to(model, (interaction, PropertyExtent::Whole), stage, knobs, data, assumptions)
    }

    /// The same up to the end of its last `assert`, which must follow once what stands above it has happened.
    pub fn conditional(
        model: &Model,
        interaction: InteractionId,
        stage: &SearchedSystem<'_>,
        knobs: (Anchor, Alphabet),
        data: &ScenarioData,
        assumptions: &Assumptions,
    ) -> Result<Self, Unsupported> {
        Self::to(model, (interaction, PropertyExtent::ToAssertion), stage, knobs, data, assumptions)
    }

    fn to(
        model: &Model,
        (interaction, extent): (InteractionId, PropertyExtent),
        stage: &SearchedSystem<'_>,
        knobs: (Anchor, Alphabet),
        data: &ScenarioData,
        assumptions: &Assumptions,
    ) -> Result<Self, Unsupported> {
        let place = model.interactions[interaction].place;
        if data.inputs.len() > MOST_INPUTS {
            let what = format!("a scenario with more than {MOST_INPUTS} conditions about objects");
            return Err(Unsupported { what, place });
        }
        let names: Vec<String> = data.inputs.iter().map(|input| input.name.clone()).collect();
        let texts = data.inputs.iter().map(|input| input.text.clone()).collect();
        let inputs: Vec<TermId> = data.inputs.iter().map(|input| input.term).collect();
        let model = data.model.as_ref().unwrap_or(model);
        let drawn = messages(model);
        let assumptions = Assumptions { without_negatives: false, ..assumptions.clone() };
        let lower =
            |others: &[Other]| lower_scenario(model, (interaction, extent), &assumptions, &names, others);
        let given = given(stage);
        let mut property = lower(&[])?;
        let replies = Replies::of(model, &given);
        let letters_of = |property: &PropertyDiagram| letters(property, (&drawn, &replies), stage, &given);
        let mut letters = letters_of(&property);
        let drawn_events = diagram::occurrences(model, interaction);
        let (anchor, alphabet) = knobs;
        let alphabet = alphabet::of(
            alphabet,
            (&model.interactions[interaction], &drawn_events),
            stage,
            &given,
            &letters,
        );
        if has_combination(model, interaction, Combination::Complement) {
            property = lower(&others(stage.system, &letters, &alphabet))?;
            letters = letters_of(&property);
        }
        let unseen = unseen(&property, stage);
        let doubt = doubt(&property, (&drawn, &replies), stage, &given);
        let letters = letters.into_iter().collect();
        Ok(SoughtScenario {
            pattern: PropertyPattern::of_letters(property, letters, unseen),
            anchor,
            alphabet,
            inputs,
            texts,
            has_negative: has_combination(model, interaction, Combination::Negation),
            meets: meets(stage),
            goes_on: stage.system.events.iter().map(|event| event.goes_on).collect(),
            reads_sets: false,
            reads_parts: false,
            begins_amid: false,
            doubt,
            memo: SetMemo::default(),
        })
    }

    /// The same for a question about every run: a run has the interaction if it has it in some order of what each step shows at once.
    pub fn of_every_run(self) -> Self {
        let reads_sets = self.goes_on.contains(&true);
        SoughtScenario { reads_sets, ..self }
    }

    /// The same where attempts end amid a step, too, and begin there unless steps are counted. `None` where attempts must be kept apart to be
    /// judged: where a trace may be invalid.
    pub fn of_every_run_by_parts(self, counts_steps: bool) -> Option<Self> {
        let whole = self.of_every_run();
        let begins_amid = whole.reads_sets && !counts_steps && whole.anchor == Anchor::Anywhere;
        (!whole.has_negative).then_some(SoughtScenario {
            reads_parts: whole.reads_sets,
            begins_amid,
            ..whole
        })
    }

    /// Whether the events of a step are read in any order.
    pub fn reads_sets(&self) -> bool {
        self.reads_sets
    }

    /// The events of the interaction that no object ever shows, as texts.
    pub fn strangers(&self) -> Vec<String> {
        self.pattern.strangers()
    }

    /// A parameter, and its message, on whose value it depends whether some event is one that is drawn, where that value is not known: then nothing is
    /// known of the scenario.
    pub fn doubt(&self) -> Option<&(String, String)> {
        self.doubt.as_ref()
    }

    /// Whether something had to wait for a loop's window: the interaction has more traces than were looked for.
    pub fn is_strained(&self) -> bool {
        self.pattern.is_strained()
    }

    /// Whether a match that was found may be none: where a loop had no room for an iteration, that could have kept something
    /// else from happening.
    pub fn is_doubtful(&self) -> bool {
        self.is_strained() && !self.pattern.property.system.reasons.is_empty()
    }

    /// Whether messages are sent and received at once, so that an event is a message.
    pub fn meets(&self) -> bool {
        self.meets
    }

    /// Whether the same step shows another event after a moment, so that no attempt begins or ends here.
    fn is_amid(&self, moment: Moment) -> bool {
        match moment {
            Moment::Event(event) => self.goes_on[event.index()],
            Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => false,
        }
    }

    /// The conditions about objects that it looks at.
    pub fn conditions(&self) -> &[TermId] {
        &self.inputs
    }

    /// A number for each event of the system: those of one number are the same to the scenario.
    pub fn numbers(&self) -> IdVec<EventId, usize> {
        let mut known = BTreeMap::new();
        let number = |at: usize| {
            let next = known.len();
            let letter = self.pattern.letter(EventId::from_index(at));
            *known.entry((letter, self.alphabet[at], self.goes_on[at])).or_insert(next)
        };
        (0..self.alphabet.len()).map(number).collect()
    }

    /// For the events of the interaction, as texts, those of the system that are one; `None` if one event of the system is two of
    /// them, or one of them is not seen.
    pub fn letters(&self) -> Option<BTreeMap<String, BTreeSet<EventId>>> {
        let own = &self.pattern.property.system.events;
        let mut found: BTreeMap<String, BTreeSet<EventId>> =
            own.iter().map(|event| (event.text.clone(), BTreeSet::new())).collect();
        for event in (0..self.alphabet.len()).map(EventId::from_index) {
            let letter = self.pattern.letter(event);
            if !letter.pairs.is_empty() {
                return None;
            }
            for one in &letter.matches {
                found.entry(own[*one].text.clone()).or_default().insert(event);
            }
        }
        self.pattern.is_seen().then_some(found)
    }

    /// Whether an event may happen while an attempt goes on: it is one of the interaction, or does not matter somewhere.
    pub fn may_read(&self, event: EventId) -> bool {
        let letter = self.pattern.letter(event);
        let is_drawn = !letter.matches.is_empty() || !letter.pairs.is_empty();
        is_drawn || !self.alphabet[event.index()] || !self.pattern.property.scopes.is_empty()
    }

    /// The events of the system that may lie in between.
    pub fn passed_over(&self) -> BTreeSet<EventId> {
        let matters = self.alphabet.iter().enumerate().filter(|(_, matters)| !**matters);
        matters.map(|(at, _)| EventId::from_index(at)).collect()
    }

    /// Whether the interaction may go on forever.
    pub fn is_endless(&self) -> bool {
        !self.pattern.property.system.recurrent.is_empty()
    }

    /// Whether nothing needs to happen for it.
    pub fn may_be_empty(&self) -> bool {
        let first = self.pattern.first(None);
        self.inputs.is_empty() && self.is_complete(&first)
    }
}

/// The messages of the system's events.
fn given(stage: &SearchedSystem<'_>) -> Vec<Option<Given>> {
    let message = |event: &Event| match event.kind {
        EventKind::Termination => None,
        EventKind::Send | EventKind::Receive | EventKind::Rendezvous => {
            Some(Given::sent(event, &(stage.parameters)(event)))
        }
    };
    stage.system.events.iter().map(message).collect()
}

fn letters(
    property: &PropertyDiagram,
    (drawn, replies): (&BTreeMap<String, &Message>, &Replies),
    stage: &SearchedSystem<'_>,
    given: &[Option<Given>],
) -> Vec<Letter> {
    let system = stage.system;
    let plays = |lifeline: &str| (stage.plays)(lifeline).map(|player| system.components[player].clone());
    let reader = Reader { property, drawn, plays: &plays, replies };
    let events = system.events.iter().zip(given);
    events.map(|(event, given)| reader.letter(system, event, given.as_ref())).collect()
}

/// An argument that is drawn where the value is not known that is really sent.
fn doubt(
    property: &PropertyDiagram,
    (drawn, replies): (&BTreeMap<String, &Message>, &Replies),
    stage: &SearchedSystem<'_>,
    given: &[Option<Given>],
) -> Option<(String, String)> {
    let system = stage.system;
    let plays = |lifeline: &str| (stage.plays)(lifeline).map(|player| system.components[player].clone());
    let reader = Reader { property, drawn, plays: &plays, replies };
    let mut events = system.events.iter().zip(given);
    events.find_map(|(event, given)| reader.doubt(system, event, given.as_ref()?))
}

/// Whether messages are sent and received at once.
fn meets(stage: &SearchedSystem<'_>) -> bool {
    stage.system.events.iter().any(|event| event.kind == EventKind::Rendezvous)
}

/// What is not seen: receipts of the environment, and those without receiver in the system (what meets is seen at both ends), and messages between two lifelines of
/// the environment, which exchange what they like. A diagram of which nothing would be seen is about nothing that runs show: then these are not taken
/// for granted.
fn unseen(property: &PropertyDiagram, stage: &SearchedSystem<'_>) -> BTreeSet<EventId> {
    let events = &property.system.events;
    let is_outside = |end: Option<ComponentId>| {
        let player = end.and_then(|end| (stage.plays)(&property.system.components[end]));
        player.is_none_or(|one| stage.environment.contains(&one))
    };
    let is_between = |event: &Event| match event.kind {
        EventKind::Send | EventKind::Receive => {
            event.from.is_some() && event.to.is_some() && is_outside(event.from) && is_outside(event.to)
        }
        EventKind::Rendezvous | EventKind::Termination => false,
    };
    let is_lone = events.iter().all(&is_between);
    let meets = meets(stage);
    let is_unseen = |event: &Event| {
        (!meets && event.kind == EventKind::Receive && is_outside(event.to))
            || (!is_lone && is_between(event))
    };
    events.enumerate().filter(|(_, event)| is_unseen(event)).map(|(id, _)| id).collect()
}

/// What matters and is nothing that is drawn.
fn others(system: &System, letters: &[Letter], alphabet: &[bool]) -> Vec<Other> {
    let is_other = |((_, letter), matters): &((&Event, &Letter), &bool)| {
        **matters && letter.matches.is_empty() && letter.pairs.is_empty()
    };
    let events = system.events.iter().zip(letters).zip(alphabet).filter(is_other);
    let mut others = Vec::new();
    for ((event, _), _) in events {
        let end = |end: Option<ComponentId>| end.map(|component| system.components[component].clone());
        let other = Other {
            text: event.text.clone(),
            kind: event.kind,
            from: end(event.from),
            to: end(event.to),
            beyond: event.beyond.clone(),
            message: event.message.clone(),
            name: event.name.clone(),
            arguments: event.arguments.clone(),
        };
        match event.kind {
            EventKind::Send | EventKind::Receive | EventKind::Termination => others.push(other),
            EventKind::Rendezvous => {
                others.push(Other {
                    text: format!("!{}", event.text),
                    kind: EventKind::Send,
                    ..other.clone()
                });
                others.push(Other { text: format!("?{}", event.text), kind: EventKind::Receive, ..other });
            }
        }
    }
    others
}

/// Whether a fragment of this kind stands in an interaction or in one it uses.
fn has_combination(model: &Model, interaction: InteractionId, kind: Combination) -> bool {
    let mut found = false;
    for diagram in model.family(interaction) {
        model.interactions[diagram].walk(&mut |fragment, _| {
            found |= matches!(fragment, Fragment::Combined(one) if one.operator.combination() == kind);
        });
    }
    found
}
