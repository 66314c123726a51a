//! What an editor asks about the name under the cursor: where it is defined, who mentions it, what it is; and its change everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sequent_kernel::diagnostic::{Edit, Fix};
use sequent_kernel::model::{End, Interaction, Lifeline, Machine, Model, Trigger};
use sequent_kernel::source::{FileId, Span};
use serde_json::{Value, json};

use crate::index::{Index, Occurrence, Role, Symbol};
use crate::{Group, System, publish, text};

/// A folder that was read, with its names.
pub struct View {
    /// What was read.
    pub group: Group,
    /// The names, system by system.
    pub indices: Vec<Index>,
}

/// A place in a view.
#[derive(Clone, Copy)]
pub struct Spot<'v> {
    view: &'v View,
    system: &'v System,
    index: &'v Index,
    file: FileId,
    offset: u32,
}

impl View {
    /// The names of what was read.
    pub fn new(group: Group) -> Self {
        let indices =
            group.systems.iter().map(|system| Index::new(&system.reading, &group.sources)).collect();
        View { group, indices }
    }

    /// The place in a file at a position.
    pub fn spot(&self, file: &Path, position: &Value) -> Option<Spot<'_>> {
        let sources = &self.group.sources;
        let (id, source) = sources.files().find(|(_, source)| Path::new(&source.name) == file)?;
        let offset = text::offset(&source.text, position) as u32;
        let mut systems = self.group.systems.iter().zip(&self.indices);
        let holds = |system: &System| system.reading.documents.iter().any(|document| document.file == id);
        let (system, index) = systems.find(|(system, _)| holds(system))?;
        Some(Spot { view: self, system, index, file: id, offset })
    }
}

impl<'v> Spot<'v> {
    fn occurrence(&self) -> Option<&'v Occurrence> {
        self.index.at(self.file, self.offset)
    }

    fn model(&self) -> &'v Model {
        &self.system.reading.model
    }

    fn location(&self, span: Span) -> Value {
        text::location(self.view.group.sources.get(span.file), span)
    }

    /// Where the thing under the cursor is defined.
    pub fn definition(&self) -> Value {
        let Some(one) = self.occurrence() else { return Value::Null };
        let mut found = match &one.symbol {
            Symbol::Lifeline(id, name) => {
                let lifeline =
                    self.model().interactions[*id].lifelines.iter().find(|line| line.name == *name);
                lifeline.map(|lifeline| self.behind(lifeline)).unwrap_or_default()
            }
            Symbol::Class(name) => self.class(name),
            Symbol::Diagram(name) => {
                let all = self.model().interactions.iter().filter(|one| one.name == *name);
                all.map(|one| first_line(one.place.0, &self.view.group)).collect()
            }
            Symbol::State(..) | Symbol::Message(_) => Vec::new(),
        };
        if found.is_empty() {
            found = self
                .index
                .of(&one.symbol)
                .filter(|one| one.role == Role::Defines)
                .map(|one| one.span)
                .collect();
        }
        if found.is_empty() {
            found = self.index.of(&one.symbol).map(|one| one.span).take(1).collect();
        }
        json!(found.into_iter().map(|span| self.location(span)).collect::<Vec<_>>())
    }

    /// The machines of a lifeline, else its class.
    fn behind(&self, lifeline: &Lifeline) -> Vec<Span> {
        let machines = machines_of(self.model(), lifeline);
        match machines.is_empty() {
            false => machines.iter().map(|one| first_line(one.place.0, &self.view.group)).collect(),
            true => self.class(lifeline.class.as_ref().unwrap_or(&lifeline.name)),
        }
    }

    fn class(&self, name: &str) -> Vec<Span> {
        let model = self.model();
        let machines = model.machines.iter().filter(|one| is_called(one, name));
        let machines = machines.map(|one| first_line(one.place.0, &self.view.group));
        let symbol = Symbol::Class(name.to_owned());
        let classes = self.index.of(&symbol).filter(|one| one.role == Role::Defines);
        classes.map(|one| one.span).chain(machines).collect()
    }

    /// All mentions of the thing under the cursor.
    pub fn references(&self) -> Value {
        let Some(one) = self.occurrence() else { return json!([]) };
        json!(self.index.of(&one.symbol).map(|one| self.location(one.span)).collect::<Vec<_>>())
    }

    /// The name under the cursor, if it can be changed.
    pub fn renamed(&self) -> Value {
        match self.occurrence().filter(|one| is_changeable(&one.symbol)) {
            Some(one) => {
                let range = text::range(self.view.group.sources.get(self.file), one.span);
                json!({ "range": range, "placeholder": one.symbol.name() })
            }
            None => Value::Null,
        }
    }

    /// The name under the cursor changed wherever it stands.
    pub fn rename(&self, new: &str) -> Result<Value, String> {
        let Some(one) = self.occurrence().filter(|one| is_changeable(&one.symbol)) else {
            return Err("no participant, state or message stands here".to_owned());
        };
        let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let old = one.symbol.name();
        if new.is_empty() || !is_word(new) && is_word(old) {
            return Err(format!("`{new}` is not a name: use letters, digits and `_`"));
        }
        if self.index.is_hidden(&one.symbol) {
            return Err(format!(
                "`{old}` also stands in text that a macro makes, or that is written in another way"
            ));
        }
        let edits =
            self.index.of(&one.symbol).map(|one| Edit { span: one.span, text: new.to_owned() }).collect();
        Ok(publish::changes(&Fix { title: String::new(), edits, is_certain: true }, &self.view.group.sources))
    }

    /// What the thing under the cursor is.
    pub fn hover(&self) -> Option<String> {
        let one = self.occurrence()?;
        Some(match &one.symbol {
            Symbol::Lifeline(id, name) => self.lifeline(&self.model().interactions[*id], name),
            Symbol::State(id, name) => state(&self.model().machines[*id], name),
            Symbol::Message(name) => self.message(name),
            Symbol::Class(name) => format!("class `{name}`"),
            Symbol::Diagram(name) => format!("sequence diagram `{name}`"),
        })
    }

    fn lifeline(&self, interaction: &Interaction, name: &str) -> String {
        let Some(lifeline) = interaction.lifelines.iter().find(|line| line.name == name) else {
            return String::new();
        };
        let class = lifeline.class.as_ref().map(|class| format!(" : `{class}`")).unwrap_or_default();
        let mut lines = vec![format!("participant `{name}`{class} of `{}`", interaction.name)];
        let is = |end: End| end.lifeline().is_some_and(|id| interaction.lifelines[id].name == name);
        let sent =
            interaction.messages.iter().filter(|message| is(message.from)).map(|one| one.name.as_str());
        let received =
            interaction.messages.iter().filter(|message| is(message.to)).map(|one| one.name.as_str());
        lines.extend(listed("sends", sent));
        lines.extend(listed("receives", received));
        match machines_of(self.model(), lifeline).first() {
            Some(machine) => lines.push(format!("behaves as the state machine `{}`", machine.name)),
            None => lines.push("has no state machine: it may do anything".to_owned()),
        }
        lines.join("\n\n")
    }

    fn message(&self, name: &str) -> String {
        let mut lines = vec![format!("message `{name}`")];
        let mut routes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for interaction in self.model().interactions.iter() {
            let end = |end: End| match end.lifeline() {
                Some(id) => format!("`{}`", interaction.lifelines[id].name),
                None => "outside".to_owned(),
            };
            for message in interaction.messages.iter().filter(|message| message.name == name) {
                let route = format!("from {} to {}", end(message.from), end(message.to));
                routes.entry(route).or_default().insert(&interaction.name);
            }
        }
        for (route, diagrams) in routes {
            let diagrams: Vec<String> = diagrams.iter().map(|name| format!("`{name}`")).collect();
            lines.push(format!("{route} in {}", diagrams.join(", ")));
        }
        for machine in self.model().machines.iter() {
            let takes = machine.transitions.iter().filter(|transition| {
                transition
                    .triggers
                    .iter()
                    .any(|one| matches!(one, Trigger::Event { name: own, .. } if own == name))
            });
            let states = takes.map(|transition| machine.vertices[transition.source].name.as_str());
            lines.extend(listed(&format!("`{}` takes it in", machine.name), states));
            if machine.sends().any(|send| send.name == name) {
                lines.push(format!("`{}` sends it", machine.name));
            }
        }
        lines.join("\n\n")
    }
}

fn state(machine: &Machine, name: &str) -> String {
    let mut lines = vec![format!("state `{name}` of `{}`", machine.name)];
    let is_own = |id| machine.vertices[id].name == name;
    let shown = |text: &str, other: &str| match text {
        "" => format!("to `{other}`"),
        text => format!("`{text}` to `{other}`"),
    };
    for transition in machine.transitions.iter().filter(|one| is_own(one.source)) {
        lines.push(shown(&transition.text.replace('\n', " "), &machine.vertices[transition.target].name));
    }
    lines.join("\n\n")
}

/// Words, each once, behind what they are.
fn listed<'a>(what: &str, words: impl Iterator<Item = &'a str>) -> Option<String> {
    let words: BTreeSet<&str> = words.filter(|word| !word.is_empty()).collect();
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    (!words.is_empty()).then(|| format!("{what} {}", words.join(", ")))
}

fn is_changeable(symbol: &Symbol) -> bool {
    match symbol {
        Symbol::Lifeline(..) | Symbol::State(..) | Symbol::Message(_) => true,
        Symbol::Class(_) | Symbol::Diagram(_) => false,
    }
}

fn is_called(machine: &Machine, name: &str) -> bool {
    let names = [Some(&machine.name), machine.class.as_ref()];
    names.into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
}

/// The machines as which a lifeline behaves.
fn machines_of<'m>(model: &'m Model, lifeline: &Lifeline) -> Vec<&'m Machine> {
    let object = model.objects.iter().find(|object| object.name == lifeline.name);
    let class = lifeline.class.as_ref().or(object.and_then(|object| object.class.as_ref()));
    let name = class.unwrap_or(&lifeline.name);
    model.machines.iter().filter(|machine| is_called(machine, name)).collect()
}

/// The first line of a diagram.
fn first_line(place: Span, group: &Group) -> Span {
    let source = group.sources.get(place.file);
    let line = source.position(place.start).line;
    let start = source.line_start(line);
    Span { start, end: start + source.line(line).len() as u32, ..place }
}
