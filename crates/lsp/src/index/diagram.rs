//! The names in sequence and class diagrams, and in UML models.

use std::collections::BTreeSet;

use sequent::fix::words;
use sequent_kernel::model::{Fragment, Guard, Interaction, InteractionId, LifelineId, Model};
use sequent_kernel::source::Span;
use sequent_notation::tree::names::names;
use sequent_notation::tree::{DiagramBlock, Directive, Statement, StatementKind, class, sequence};

use super::condition::ConditionOwner;
use super::question::message_name;
use super::{IndexMaker, Mention, MentionRole, Symbol};

impl IndexMaker<'_> {
    /// The names in a UML model, which has no statements: each where its element says its name.
    pub(super) fn model(&mut self, model: &Model) {
        let file = self.file;
        for (id, interaction) in model.interactions.enumerate() {
            for one in &interaction.lifelines {
                self.element(one.place.0, Symbol::Lifeline(file, id, one.name.clone()));
            }
            for one in interaction.messages.iter().filter(|one| !one.name.is_empty()) {
                self.element(one.place.0, Symbol::Message(one.name.clone()));
            }
        }
        for (id, machine) in model.machines.enumerate() {
            self.element(machine.place.0, Symbol::Class(machine.name.clone()));
            for one in &machine.vertices {
                self.element(one.place.0, Symbol::State(file, id, one.name.clone()));
            }
        }
        for class in &model.classes {
            self.element(class.place.0, Symbol::Class(class.name.clone()));
            for one in &class.operations {
                self.element(one.place.0, Symbol::Message(one.name.clone()));
            }
        }
    }

    /// Adds the name of an element of a model.
    fn element(&mut self, place: Span, symbol: Symbol) {
        // A place may be no more than the name of the tag; what the element is called stands among its attributes.
        let rest = self.sources.get(place.file).text.get(place.start as usize..).unwrap_or_default();
        let text = rest.split('>').next().unwrap_or_default();
        let quoted = |quote: char| format!("name={quote}{}{quote}", symbol.name());
        let found = ['"', '\''].iter().find_map(|quote| text.find(&quoted(*quote)));
        let Some(at) = found.filter(|_| !symbol.name().is_empty()) else { return };
        let start = place.start + (at + "name=\"".len()) as u32;
        let span = Span { file: place.file, start, end: start + symbol.name().len() as u32 };
        self.mentions.insert(Mention { span, symbol, role: MentionRole::Defines });
    }

    pub(super) fn sequence(
        &mut self,
        block: &DiagramBlock,
        statements: &[Statement<sequence::SequenceStatement>],
        model: &Model,
    ) {
        let Some((id, interaction)) = interaction_of(model, block) else { return };
        let declared: BTreeSet<Span> = statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Item(sequence::SequenceStatement::Participant(participant)) => {
                    Some(participant.name.span)
                }
                _ => None,
            })
            .collect();
        let mut met = BTreeSet::new();
        for name in names(&block.content) {
            let is_first = met.insert(&name.text)
                && !interaction.lifelines.iter().any(|one| one.name == name.text && one.declared);
            let role = if is_first || declared.contains(&name.span) {
                MentionRole::Defines
            } else {
                MentionRole::Uses
            };
            self.add(name.span, Symbol::Lifeline(self.file, id, name.text.clone()), role);
        }
        for message in interaction.messages.iter().filter(|message| !message.name.is_empty()) {
            self.add(message.label_place.0, Symbol::Message(message.name.clone()), MentionRole::Uses);
        }
        for lifeline in interaction.lifelines.iter() {
            if let Some(class) = &lifeline.class {
                let symbol = Symbol::Class(class.clone());
                if let Some(span) = words(self.sources, lifeline.place.0, class).last() {
                    self.mentions.insert(Mention { span: *span, symbol, role: MentionRole::Uses });
                }
            }
        }
        interaction.walk(&mut |fragment, _| match fragment {
            Fragment::Use(used) => {
                self.add(used.place.0, Symbol::Diagram(used.name.clone()), MentionRole::Uses);
            }
            Fragment::Invariant(invariant) => {
                let name = |line: &LifelineId| interaction.lifelines[*line].name.clone();
                let owners: Vec<String> = invariant.lifelines.iter().map(name).collect();
                self.condition(
                    &invariant.condition,
                    ConditionOwner::Lifelines(&owners),
                    Some((id, interaction)),
                );
            }
            Fragment::Combined(combined) => {
                for operand in &combined.operands {
                    if let Guard::Condition(condition) = &operand.guard {
                        self.condition(condition, ConditionOwner::Nobody, Some((id, interaction)));
                    }
                }
            }
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        });
        self.sets(id, interaction, statements);
    }

    /// Names in orders and in sets of messages, which are texts.
    fn sets(
        &mut self,
        id: InteractionId,
        interaction: &Interaction,
        statements: &[Statement<sequence::SequenceStatement>],
    ) {
        let messages: BTreeSet<&String> = interaction.messages.iter().map(|message| &message.name).collect();
        for statement in statements {
            let (place, has_messages) = match &statement.kind {
                StatementKind::Directive(Directive { name, argument_span, .. })
                    if MESSAGE_SETS.contains(&name.as_str()) =>
                {
                    (*argument_span, true)
                }
                StatementKind::Directive(Directive { name, argument_span, .. })
                    if LIFELINE_SETS.contains(&name.as_str()) =>
                {
                    (*argument_span, false)
                }
                StatementKind::Item(sequence::SequenceStatement::Open(open)) if is_set(&open.text.text) => {
                    (open.text.span, true)
                }
                _ => continue,
            };
            if has_messages {
                let drawn = messages.iter().map(|name| name.as_str()).filter(|name| !name.is_empty());
                let listed = listed(self.sources.text(place));
                let names: BTreeSet<String> = drawn.chain(listed).map(str::to_owned).collect();
                names.into_iter().for_each(|name| self.add_all(place, &Symbol::Message(name)));
            }
            for lifeline in interaction.lifelines.iter() {
                self.add_all(place, &Symbol::Lifeline(self.file, id, lifeline.name.clone()));
            }
        }
    }

    pub(super) fn class(
        &mut self,
        block: &DiagramBlock,
        statements: &[Statement<class::ClassStatement>],
        model: &Model,
    ) {
        let declared: BTreeSet<Span> = statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Item(class::ClassStatement::Class(class)) => Some(class.name.span),
                _ => None,
            })
            .collect();
        for name in names(&block.content) {
            let role = if declared.contains(&name.span) { MentionRole::Defines } else { MentionRole::Uses };
            let is_object = model.objects.iter().any(|object| object.name == name.text);
            let symbol = if is_object { Symbol::Object } else { Symbol::Class };
            self.add(name.span, symbol(name.text.clone()), role);
        }
        for class in model.classes.iter().filter(|class| block.span.encloses(class.place.0)) {
            for operation in &class.operations {
                self.add(operation.place.0, Symbol::Message(operation.name.clone()), MentionRole::Defines);
            }
        }
    }
}

/// Directives that name messages, and perhaps lifelines.
const MESSAGE_SETS: &[&str] = &["order", "ignore", "consider"];

/// Directives that name lifelines.
const LIFELINE_SETS: &[&str] = &["covers", "coregion", "stop"];

/// Whether the text of a block lists messages: `ignore {beat}`.
fn is_set(text: &str) -> bool {
    text.split_once('{').is_some_and(|(word, _)| MESSAGE_SETS.contains(&word.trim()))
}

/// The messages in a set: `{beat: a -> b, tick}`.
fn listed(text: &str) -> Vec<&str> {
    let inside =
        text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(inside, _)| inside);
    let names = inside.split([',', ';']).map(|one| message_name(one.split(':').next().unwrap_or_default()));
    names.filter(|name| !name.is_empty()).collect()
}

/// The interaction that a diagram draws.
fn interaction_of<'m>(model: &'m Model, block: &DiagramBlock) -> Option<(InteractionId, &'m Interaction)> {
    model.interactions.enumerate().find(|(_, one)| block.span.encloses(one.place.0))
}
