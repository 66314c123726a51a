//! The names in state machines: states, what they take and send, and what their conditions say.

use sequent::fix::words;
use sequent_kernel::expression::Expression;
use sequent_kernel::model::{Effect, Machine, Model, Trigger, VertexKind};
use sequent_kernel::source::Span;
use sequent_notation::label;
use sequent_notation::tree::names::names;
use sequent_notation::tree::{DiagramBlock, Directive, Statement, StatementKind, Text, state};
use std::collections::BTreeSet;

use super::condition::ConditionOwner;
use super::question::message_name;
use super::{IndexMaker, Mention, MentionRole, Symbol};

impl IndexMaker<'_> {
    pub(super) fn state(
        &mut self,
        block: &DiagramBlock,
        statements: &[Statement<state::StateStatement>],
        model: &Model,
    ) {
        let found = model.machines.enumerate().find(|(_, one)| block.span.encloses(one.place.0));
        let Some((id, _)) = found else { return };
        let mut met = BTreeSet::new();
        for name in names(&block.content) {
            let role = if met.insert(&name.text) { MentionRole::Defines } else { MentionRole::Uses };
            self.add(name.span, Symbol::State(self.file, id, name.text.clone()), role);
        }
        for statement in statements {
            match &statement.kind {
                StatementKind::Item(state::StateStatement::Transition(transition)) => {
                    let label = label::transition(&transition.text.text, transition.text.span);
                    self.label(&label, transition.text.span);
                }
                StatementKind::Item(state::StateStatement::Description { text, .. }) => {
                    self.description(text)
                }
                StatementKind::Item(state::StateStatement::State(state)) => {
                    state.description.iter().for_each(|text| self.description(text));
                }
                StatementKind::Directive(Directive { name, argument, argument_span, .. })
                    if ["pre", "post"].contains(&name.as_str()) =>
                {
                    let name = message_name(argument.split(':').next().unwrap_or_default());
                    self.add(*argument_span, Symbol::Message(name.to_owned()), MentionRole::Uses);
                }
                _ => {}
            }
        }
        self.conditions(&model.machines[id]);
    }

    /// What the conditions of a machine say, of itself and of others.
    fn conditions(&mut self, machine: &Machine) {
        let owner = ConditionOwner::Lifelines(std::slice::from_ref(&machine.name));
        for transition in machine.transitions.iter() {
            let changes = transition.triggers.iter().filter_map(|trigger| match trigger {
                Trigger::When(condition) => Some(condition),
                Trigger::Event { .. } | Trigger::Any | Trigger::After(_) => None,
            });
            let guards = transition.guard.iter().chain(changes);
            guards.for_each(|condition| self.condition(condition, owner, None));
            self.values(&transition.effects, owner);
        }
        for vertex in machine.vertices.iter() {
            if let VertexKind::State(body) = &vertex.kind {
                for effects in [&body.entry, &body.exit, &body.activity] {
                    self.values(effects, owner);
                }
            }
        }
        for contract in &machine.contracts {
            self.condition(&contract.condition, owner, None);
        }
    }

    /// What the values say that effects compute.
    fn values(&mut self, effects: &[Effect], owner: ConditionOwner<'_>) {
        for effect in effects {
            let values: Vec<&Expression> = match effect {
                Effect::Assign(assign) => vec![&assign.value],
                Effect::Send(send) => {
                    let arguments = send.arguments.iter().flatten();
                    arguments.filter_map(|argument| argument.value.as_ref()).collect()
                }
                Effect::Opaque { .. } => Vec::new(),
            };
            values.into_iter().for_each(|value| self.said(value, effect.place().0, owner, None));
        }
    }

    fn label(&mut self, label: &label::TransitionLabel, place: Span) {
        self.triggers(&label.triggers, place);
        self.effects(&label.effects);
    }

    fn triggers(&mut self, triggers: &[Trigger], place: Span) {
        for trigger in triggers {
            match trigger {
                Trigger::Event { name, .. } => {
                    self.add(place, Symbol::Message(name.clone()), MentionRole::Defines)
                }
                Trigger::Any | Trigger::After(_) | Trigger::When(_) => {}
            }
        }
    }

    fn effects(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Send(send) => {
                    let symbol = Symbol::Message(send.name.clone());
                    // The target stands before the message or behind `to`: of two equal words the last is the message.
                    let found = words(self.sources, send.place.0, &send.name);
                    let found = if send.target.contains(&send.name) { found.last() } else { found.first() };
                    match found {
                        Some(span) => {
                            let one = Mention { span: *span, symbol, role: MentionRole::Uses };
                            self.mentions.insert(one);
                        }
                        None => {
                            self.hidden.insert(symbol);
                        }
                    }
                    for part in &send.target {
                        let spans = words(self.sources, send.place.0, part);
                        match spans.into_iter().find(|span| Some(span) != found) {
                            Some(span) => self.add(span, Symbol::Object(part.clone()), MentionRole::Uses),
                            None => self.add(send.place.0, Symbol::Object(part.clone()), MentionRole::Uses),
                        }
                    }
                }
                Effect::Assign(assign) => {
                    if let Expression::Call(path, _) = &assign.value
                        && let [_, .., name] = path.as_slice()
                    {
                        for part in &path[..path.len() - 1] {
                            self.add(assign.place.0, Symbol::Object(part.clone()), MentionRole::Uses);
                        }
                        let called = words(self.sources, assign.place.0, name);
                        let rest =
                            |span: &&Span| self.sources.get(span.file).text[span.end as usize..].trim_start();
                        match called.iter().find(|span| rest(span).starts_with('(')) {
                            Some(span) => {
                                let symbol = Symbol::Message(name.clone());
                                let one = Mention { span: *span, symbol, role: MentionRole::Uses };
                                self.mentions.insert(one);
                            }
                            None => {
                                self.hidden.insert(Symbol::Message(name.clone()));
                            }
                        }
                    }
                }
                Effect::Opaque { .. } => {}
            }
        }
    }

    fn description(&mut self, text: &Text) {
        match label::description(&text.text, text.span) {
            label::Description::Entry(effects)
            | label::Description::Exit(effects)
            | label::Description::Activity(effects) => self.effects(&effects),
            label::Description::Defer(triggers) => self.triggers(&triggers, text.span),
            label::Description::Internal(label) => self.label(&label, text.span),
            label::Description::Text => {}
        }
    }
}
