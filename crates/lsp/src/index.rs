//! The index: every place where a name stands in a file, and what it names.
//!
//! Participants and states belong to their diagram. A message is one thing in a whole folder: what a scenario draws, what a machine takes and
//! sends, what a class offers and what a formula speaks of. A mention whose text was made by a macro, or is written in
//! another way than the name, cannot be changed; the index remembers that there is one.

use std::collections::BTreeSet;

use sequent::fix::words;
use sequent::pipeline::Page;
use sequent::settings::Settings;
use sequent_kernel::expression::{Condition, Expression};
use sequent_kernel::formula::{Atom, Formula, FormulaNode, FormulaWord};
use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Check, Effect, Fragment, Guard, Interaction, InteractionId, LifelineId, Machine, MachineId, Model,
    Property, Question, Subject, Trigger, VertexKind,
};
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_notation::label;
use sequent_notation::tree::names::names;
use sequent_notation::tree::{
    DiagramBlock, DiagramContent, Directive, Statement, StatementKind, Text, class, sequence, state,
};

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Symbol {
    /// A participant of a diagram of a file.
    Lifeline(FileId, InteractionId, String),
    /// An object that machines, settings, or questions name which do not draw it.
    Object(String),
    /// A state of a machine of a file.
    State(FileId, MachineId, String),
    /// A message, wherever it is drawn, sent, taken or offered.
    Message(String),
    /// A class, or the machine of that name.
    Class(String),
    /// A sequence diagram that another refers to.
    Diagram(String),
    /// What a condition or a question says of an object, if it says of which: a state of it, perhaps.
    Said(Option<String>, String),
}

impl Symbol {
    /// The name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Symbol::Lifeline(_, _, name)
            | Symbol::Object(name)
            | Symbol::State(_, _, name)
            | Symbol::Message(name)
            | Symbol::Class(name)
            | Symbol::Diagram(name)
            | Symbol::Said(_, name) => name,
        }
    }
}

impl Symbol {
    /// What would be meant with another name, in the same place.
    pub(crate) fn called(&self, name: &str) -> Symbol {
        let name = name.to_owned();
        match self {
            Symbol::Lifeline(file, id, _) => Symbol::Lifeline(*file, *id, name),
            Symbol::Object(_) => Symbol::Object(name),
            Symbol::State(file, id, _) => Symbol::State(*file, *id, name),
            Symbol::Message(_) => Symbol::Message(name),
            Symbol::Class(_) => Symbol::Class(name),
            Symbol::Diagram(_) => Symbol::Diagram(name),
            Symbol::Said(owner, _) => Symbol::Said(owner.clone(), name),
        }
    }
}

/// What a mention does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum MentionRole {
    /// It brings the thing into being: a declaration, the trigger of a transition, an operation.
    Defines,
    /// It uses the thing.
    Uses,
}

/// One mention.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Mention {
    /// Where the name stands, quotes aside.
    pub span: Span,
    /// What it names.
    pub symbol: Symbol,
    /// What it does.
    pub role: MentionRole,
}

/// All mentions of names.
pub(crate) struct MentionIndex {
    occurrences: BTreeSet<Mention>,
    /// What is mentioned where the name cannot be seen.
    hidden: BTreeSet<Symbol>,
}

impl MentionIndex {
    /// All names of a file, and of what it includes.
    pub(crate) fn new(page: &Page, sources: &Sources) -> Self {
        let model = &page.model;
        let mut maker = IndexMaker::new(sources, page.document.file);
        for block in &page.document.blocks {
            match &block.content {
                DiagramContent::Sequence(statements) => maker.sequence(block, statements, model),
                DiagramContent::State(statements) => maker.state(block, statements, model),
                DiagramContent::Class(statements) => maker.class(block, statements, model),
                DiagramContent::Other(_) => {}
            }
        }
        if page.document.blocks.is_empty() {
            maker.model(model);
        }
        maker.checks(&model.checks, model);
        maker.index
    }

    /// The names in settings: in their questions, and those of objects and links.
    pub(crate) fn of_settings(settings: &Settings, sources: &Sources) -> Self {
        let file = settings.file.unwrap_or(FileId::from_index(0));
        let mut maker = IndexMaker::new(sources, file);
        maker.checks(&settings.checks, &Model::default());
        for (name, _, place) in &settings.system.objects {
            maker.add(place.0, Symbol::Object(name.clone()), MentionRole::Uses);
        }
        for (left, right, place) in &settings.system.links {
            for end in [left, right] {
                let object = end.split('.').next().unwrap_or_default();
                maker.add_all(place.0, &Symbol::Object(object.to_owned()));
            }
        }
        maker.index
    }

    /// The mention at a place.
    pub(crate) fn at(&self, file: FileId, offset: u32) -> Option<&Mention> {
        let is_there =
            |one: &&Mention| one.span.file == file && one.span.start <= offset && offset <= one.span.end;
        self.occurrences.iter().filter(is_there).min_by_key(|one| one.span.end - one.span.start)
    }

    /// All mentions of something.
    pub(crate) fn of<'a>(&'a self, symbol: &'a Symbol) -> impl Iterator<Item = &'a Mention> {
        self.occurrences.iter().filter(move |one| one.symbol == *symbol)
    }

    /// All mentions.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Mention> {
        self.occurrences.iter()
    }

    /// All mentions in a file.
    pub(crate) fn in_file(&self, file: FileId) -> impl Iterator<Item = &Mention> {
        self.occurrences.iter().filter(move |one| one.span.file == file)
    }

    /// What is mentioned where its name cannot be seen.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &Symbol> {
        self.hidden.iter()
    }
}

struct IndexMaker<'a> {
    sources: &'a Sources,
    /// The file whose diagrams they are.
    file: FileId,
    index: MentionIndex,
}

impl<'a> IndexMaker<'a> {
    fn new(sources: &'a Sources, file: FileId) -> Self {
        IndexMaker {
            sources,
            file,
            index: MentionIndex { occurrences: BTreeSet::new(), hidden: BTreeSet::new() },
        }
    }

    /// Adds every mention of a name in a place.
    fn add_all(&mut self, place: Span, symbol: &Symbol) {
        for span in words(self.sources, place, symbol.name()) {
            self.index.occurrences.insert(Mention { span, symbol: symbol.clone(), role: MentionRole::Uses });
        }
    }

    /// Adds the first mention of a name in a place.
    fn add(&mut self, place: Span, symbol: Symbol, role: MentionRole) {
        match words(self.sources, place, symbol.name()).first() {
            Some(span) => {
                self.index.occurrences.insert(Mention { span: *span, symbol, role });
            }
            None => {
                self.index.hidden.insert(symbol);
            }
        }
    }

    /// The names in a UML model, which has no statements: each where its element says its name.
    fn model(&mut self, model: &Model) {
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
        self.index.occurrences.insert(Mention { span, symbol, role: MentionRole::Defines });
    }

    fn sequence(
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
                    self.index.occurrences.insert(Mention { span: *span, symbol, role: MentionRole::Uses });
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

    fn state(
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

    /// What a condition says of objects.
    fn condition(
        &mut self,
        condition: &Condition,
        owner: ConditionOwner<'_>,
        about: Option<(InteractionId, &Interaction)>,
    ) {
        // The name of a state alone is a condition too.
        for owner in owner.names() {
            self.add_all(condition.place.0, &Symbol::Said(owner, condition.text.trim().to_owned()));
        }
        if let Some(expression) = &condition.expression {
            self.said(expression, condition.place.0, owner, about);
        }
    }

    /// What an expression in a place says of objects.
    fn said(
        &mut self,
        expression: &Expression,
        place: Span,
        owner: ConditionOwner<'_>,
        about: Option<(InteractionId, &Interaction)>,
    ) {
        let mut open = vec![expression];
        while let Some(part) = open.pop() {
            let (named, state) = match part {
                Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => continue,
                Expression::Unary(_, inner) => {
                    open.push(inner);
                    continue;
                }
                Expression::Binary(_, left, right) => {
                    open.extend([&**left, &**right]);
                    continue;
                }
                Expression::Name(parts) => (parts.iter().rev().nth(1), parts.last()),
                Expression::Call(path, arguments) => match arguments.as_slice() {
                    [Expression::Name(state)] => (path.iter().rev().nth(1), state.last()),
                    [Expression::Name(object), Expression::Name(state)] => (object.last(), state.last()),
                    arguments => {
                        open.extend(arguments);
                        continue;
                    }
                },
            };
            let Some(state) = state else { continue };
            if let Some(name) = named {
                self.add_all(place, &self.participant(name, about));
            }
            let owners = match named {
                Some(name) => vec![Some(name.clone())],
                None => owner.names(),
            };
            owners.into_iter().for_each(|owner| self.add_all(place, &Symbol::Said(owner, state.clone())));
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
                            self.index.occurrences.insert(one);
                        }
                        None => {
                            self.index.hidden.insert(symbol);
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
                                self.index.occurrences.insert(one);
                            }
                            None => {
                                self.index.hidden.insert(Symbol::Message(name.clone()));
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

    fn class(
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

    fn checks(&mut self, checks: &[Check], model: &Model) {
        for check in checks {
            let about = match check.subject {
                Some(Subject::Interaction(id)) => Some((id, &model.interactions[id])),
                Some(Subject::Machine(_)) | None => None,
            };
            match &check.question {
                Question::Ltl(property) => self.property(property, about),
                Question::Reachable(goal) => {
                    self.property(&goal.goal, about);
                    goal.from.iter().for_each(|from| self.property(from, about));
                }
                Question::Refines(refines) => {
                    for FormulaWord { text, place } in &refines.hidden {
                        self.add(place.0, Symbol::Message(message_name(text).to_owned()), MentionRole::Uses);
                    }
                }
                Question::Scenario(_)
                | Question::Deadlock
                | Question::Safe(..)
                | Question::Consistent(_)
                | Question::Fragments
                | Question::Triggers(_) => {}
            }
        }
    }

    fn property(&mut self, property: &Property, about: Option<(InteractionId, &Interaction)>) {
        let mut open: Vec<&Formula> = vec![&property.formula];
        while let Some(part) = open.pop() {
            open.extend(part.parts());
            let FormulaNode::Atom(atom) = &part.node else { continue };
            match atom {
                Atom::Event(pattern) => {
                    if let Some(FormulaWord { text, place }) = &pattern.message {
                        self.add(place.0, Symbol::Message(message_name(text).to_owned()), MentionRole::Uses);
                    }
                    let ends = [&pattern.from, &pattern.to, &pattern.actor, &pattern.partner];
                    ends.into_iter().flatten().for_each(|end| self.lifeline(end, about));
                }
                Atom::Exactly(word) => self.event(word, about),
                Atom::In(object, state) => {
                    self.lifeline(object, about);
                    let symbol = Symbol::Said(Some(object.text.clone()), state.text.clone());
                    self.add(state.place.0, symbol, MentionRole::Uses);
                }
                Atom::Name(word) if word.text.contains(':') => self.event(word, about),
                Atom::Name(FormulaWord { text, place }) => {
                    let name = Expression::Name(text.split('.').map(str::to_owned).collect());
                    self.said(&name, place.0, ConditionOwner::Nobody, about);
                }
                Atom::Data(expression) => {
                    self.said(expression, part.place.0, ConditionOwner::Nobody, about);
                }
                Atom::Start | Atom::End => {}
            }
        }
    }

    /// A participant that a question names.
    fn lifeline(&mut self, word: &FormulaWord, about: Option<(InteractionId, &Interaction)>) {
        let FormulaWord { text, place } = word;
        self.add(place.0, self.participant(text, about), MentionRole::Uses);
    }

    /// What is called so in what a question is about.
    fn participant(&self, name: &str, about: Option<(InteractionId, &Interaction)>) -> Symbol {
        match about.filter(|(_, drawn)| drawn.lifelines.iter().any(|one| one.name == name)) {
            Some((id, _)) => Symbol::Lifeline(self.file, id, name.to_owned()),
            None => Symbol::Object(name.to_owned()),
        }
    }

    /// The names in an event that is written out: `!a->b:m(1)`.
    fn event(&mut self, word: &FormulaWord, about: Option<(InteractionId, &Interaction)>) {
        let FormulaWord { text, place } = word;
        let Some((ends, message)) = text.split_once(':') else { return };
        for name in ends.trim_start_matches(['!', '?']).split("->").filter(|name| !name.is_empty()) {
            self.add_all(place.0, &self.participant(name, about));
        }
        let name = message_name(message.split('#').next().unwrap_or_default());
        self.add_all(place.0, &Symbol::Message(name.to_owned()));
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

/// The name of a message, without its arguments: `elect(1)`.
fn message_name(text: &str) -> &str {
    text.split('(').next().unwrap_or_default().trim()
}

/// Whose a condition is that names no object.
#[derive(Clone, Copy)]
enum ConditionOwner<'o> {
    /// Of one of all objects.
    Nobody,
    /// Of these lifelines, or of the object whose machine it is.
    Lifelines(&'o [String]),
}

impl ConditionOwner<'_> {
    fn names(self) -> Vec<Option<String>> {
        match self {
            ConditionOwner::Nobody => vec![None],
            ConditionOwner::Lifelines(names) => names.iter().cloned().map(Some).collect(),
        }
    }
}

/// The interaction that a diagram draws.
pub(crate) fn interaction_of<'m>(
    model: &'m Model,
    block: &DiagramBlock,
) -> Option<(InteractionId, &'m Interaction)> {
    model.interactions.enumerate().find(|(_, one)| block.span.encloses(one.place.0))
}
