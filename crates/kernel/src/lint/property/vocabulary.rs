//! What a formula about an interaction may speak of: its messages, lifelines and guards, and those of the interactions it
//! uses.

use std::collections::{BTreeMap, BTreeSet};

use crate::formula::{Direction, FormulaWord, Pattern, is_message_asked};
use crate::model::{Condition, Expression, Fragment, Guard, Interaction, InteractionId, Model};
use crate::semantics::{Exchange, Switches, extras, fresh_guards, lasting_guards};
use crate::source::Place;
use crate::system::message_text;

/// The names of an interaction.
pub(super) struct InteractionNames<'a> {
    /// The interaction.
    pub about: InteractionId,
    /// Its name.
    pub name: &'a str,
    /// Messages, as drawn, and those that may happen without being drawn (rule I8).
    pub messages: Vec<Route>,
    /// Names of lifelines with their labels.
    pub lifelines: BTreeMap<String, &'a str>,
    /// Guards with one value throughout a run.
    pub lasting: BTreeSet<String>,
    /// Guards that are asked anew in each round of a loop.
    pub fresh: BTreeSet<String>,
    /// Guards that read as expressions.
    pub conditions: Vec<&'a Condition>,
}

/// A message with its ends.
pub(super) struct Route {
    pub exchange: Exchange,
    place: Place,
}

impl<'a> InteractionNames<'a> {
    /// The names of an interaction and of those it uses.
    pub(crate) fn of(model: &'a Model, about: InteractionId) -> Self {
        let mut vocabulary = InteractionNames {
            about,
            name: &model.interactions[about].name,
            messages: Vec::new(),
            lifelines: BTreeMap::new(),
            lasting: lasting_guards(model, about, &Switches::default()),
            fresh: fresh_guards(model, about),
            conditions: Vec::new(),
        };
        let mut seen = BTreeSet::from([about]);
        let mut open = vec![about];
        let mut sets = Vec::new();
        while let Some(id) = open.pop() {
            let interaction = &model.interactions[id];
            vocabulary.add(interaction);
            interaction.walk(&mut |fragment, _| match fragment {
                Fragment::Use(use_) => {
                    open.extend(use_.target.filter(|target| seen.insert(*target)));
                }
                Fragment::Combined(combined) => {
                    sets.extend(combined.operator.types().map(|types| (types, combined.place)));
                    let guards = combined.operands.iter().map(|operand| &operand.guard);
                    vocabulary.conditions.extend(guards.filter_map(written));
                }
                Fragment::Invariant(invariant) => vocabulary.conditions.push(&invariant.condition),
                Fragment::Message(_)
                | Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            });
        }
        let diagrams: Vec<InteractionId> = seen.into_iter().collect();
        for (types, place) in sets {
            let undrawn = extras(model, &diagrams, types).into_iter();
            vocabulary.messages.extend(undrawn.map(|exchange| Route { exchange, place }));
        }
        vocabulary
    }

    fn add(&mut self, interaction: &'a Interaction) {
        for lifeline in interaction.lifelines.iter() {
            self.lifelines.entry(lifeline.name.clone()).or_insert(&lifeline.label);
        }
        let drawn = interaction.messages.iter();
        self.messages.extend(
            drawn.map(|message| Route {
                exchange: Exchange::drawn(interaction, message),
                place: message.place,
            }),
        );
    }

    /// Whether a message of this name is drawn, whatever its arguments.
    pub(crate) fn has_message(&self, text: &str) -> bool {
        self.messages.iter().any(|route| route.is_called(text))
    }

    /// Whether an event has exactly this text.
    pub(crate) fn has_event(&self, text: &str) -> bool {
        let ends = text.strip_prefix("x:").is_some_and(|name| self.lifelines.contains_key(name));
        ends || self.messages.iter().flat_map(Route::events).any(|event| event == text)
    }

    /// Whether a message is drawn whose sending or receipt fits.
    pub(crate) fn can_happen(&self, pattern: &Pattern) -> bool {
        let Pattern { direction, message, from, to, .. } = pattern;
        // The end of a lifeline is an event too, without message.
        let may_be_end = direction.is_none() && message.is_none() && from.is_none() && to.is_none();
        may_be_end || self.messages.iter().any(|route| route.fits(pattern))
    }

    /// The guard that says the same as an expression.
    pub(crate) fn condition(&self, expression: &Expression) -> Option<&'a Condition> {
        self.conditions.iter().find(|condition| condition.expression.as_ref() == Some(expression)).copied()
    }
}

/// The condition of a guard that has one.
fn written(guard: &Guard) -> Option<&Condition> {
    match guard {
        Guard::Condition(condition) => Some(condition),
        Guard::Absent | Guard::Else => None,
    }
}

impl Route {
    /// Whether the message is called so; arguments do not matter.
    pub(crate) fn is_called(&self, text: &str) -> bool {
        name(text) == name(&self.exchange.name)
    }

    /// The message with its arguments, as events name it.
    pub(crate) fn text(&self) -> String {
        message_text(&self.exchange.name, self.exchange.arguments.as_deref())
    }

    /// The texts of its sending and its receipt.
    pub(crate) fn events(&self) -> Vec<String> {
        let text = self.exchange.text();
        let sent = self.exchange.from.as_ref().map(|_| format!("!{text}"));
        sent.into_iter().chain(self.exchange.to.as_ref().map(|_| format!("?{text}"))).collect()
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    fn fits(&self, pattern: &Pattern) -> bool {
        let is = |word: &Option<FormulaWord>, end: Option<&str>| {
            word.as_ref().is_none_or(|word| end == Some(word.text.as_str()))
        };
        let Exchange { from, to, name, arguments } = &self.exchange;
        let (from, to) = (from.as_deref(), to.as_deref());
        let has_message = pattern
            .message
            .as_ref()
            .is_none_or(|word| is_message_asked(&word.text, name, arguments.as_deref()));
        let side = |direction: Direction, own: Option<&str>, other: Option<&str>| {
            own.is_some()
                && pattern.direction.is_none_or(|wanted| wanted == direction)
                && is(&pattern.actor, own)
                && is(&pattern.partner, other)
        };
        let has_side = side(Direction::Sent, from, to) || side(Direction::Received, to, from);
        has_message && is(&pattern.from, from) && is(&pattern.to, to) && has_side
    }
}

/// A message without its arguments, spaces made alike.
fn name(text: &str) -> String {
    let name = &text[..text.find('(').unwrap_or(text.len())];
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
