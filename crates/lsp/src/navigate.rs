//! What an editor asks about the name under the cursor: where it is defined, who mentions it, what it is; and its change everywhere.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use sequent::pipeline::Page;
use sequent::settings::Settings;
use sequent_kernel::diagnostic::Edit;
use sequent_kernel::model::{End, Interaction, InteractionId, Lifeline, Machine, Model, Trigger, VertexKind};
use sequent_kernel::source::{FileId, Sources, Span};
use serde_json::{Value, json};

use crate::index::{Mention, MentionIndex, MentionRole, Symbol};
use crate::{FolderFiles, include, text};

/// A folder that was read, with its names.
pub(crate) struct FolderView {
    /// The files.
    pub sources: Sources,
    /// What each file says.
    pub leaves: Vec<FileView>,
    /// The settings of the folder.
    pub settings: Settings,
    /// The names in the settings.
    asked: MentionIndex,
}

/// What one file says, and its names.
#[derive(Clone)]
pub(crate) struct FileView {
    /// What it says.
    pub page: Arc<Page>,
    /// Its names.
    pub index: Arc<MentionIndex>,
}

/// The names of files as they were when they were last looked at.
#[derive(Clone, Default)]
pub(crate) struct Indices(HashMap<FileId, FileView>);

/// A place in a view.
#[derive(Clone, Copy)]
pub(crate) struct ViewPlace<'v> {
    view: &'v FolderView,
    file: FileId,
    offset: u32,
}

impl FolderView {
    /// The names of what was read; those of files that have not changed are known.
    pub(crate) fn new(folder: FolderFiles, known: &mut Indices) -> Self {
        let FolderFiles { sources, pages, settings } = folder;
        let leaf = |page: Arc<Page>| {
            let file = page.document.file;
            match known.0.get(&file).filter(|leaf| Arc::ptr_eq(&leaf.page, &page)) {
                Some(leaf) => leaf.clone(),
                None => {
                    let leaf = FileView { index: Arc::new(MentionIndex::new(&page, &sources)), page };
                    known.0.insert(file, leaf.clone());
                    leaf
                }
            }
        };
        let leaves = pages.into_iter().map(leaf).collect();
        let asked = MentionIndex::of_settings(&settings, &sources);
        FolderView { sources, leaves, settings, asked }
    }

    /// The place in a file at a position.
    pub(crate) fn spot(&self, file: &Path, position: &Value) -> Option<ViewPlace<'_>> {
        let file = self.id(file)?;
        let offset = text::offset(&self.sources.get(file).text, position) as u32;
        Some(ViewPlace { view: self, file, offset })
    }

    /// The id of a file.
    pub(crate) fn id(&self, file: &Path) -> Option<FileId> {
        self.sources.named(&file.to_string_lossy())
    }

    /// What a file says, if it was read for itself.
    pub(crate) fn leaf(&self, file: FileId) -> Option<&FileView> {
        self.leaves.iter().find(|leaf| leaf.page.document.file == file)
    }

    /// The file that a path means in a file, if it was read.
    pub(crate) fn included(&self, file: FileId, path: &str) -> Option<FileId> {
        let folder = Path::new(&self.sources.get(file).name).parent()?;
        self.sources.named(&folder.join(path).to_string_lossy())
    }

    /// What the files say that include a file.
    pub(crate) fn including(&self, file: FileId) -> impl Iterator<Item = &FileView> {
        self.leaves.iter().filter(move |leaf| leaf.page.includes().any(|one| one == file))
    }

    /// Whether a file is a UML model, which is read and never changed.
    fn is_model(&self, file: FileId) -> bool {
        let is_empty = |model: &Model| {
            model.interactions.is_empty() && model.machines.is_empty() && model.classes.is_empty()
        };
        self.leaf(file)
            .is_some_and(|leaf| leaf.page.document.blocks.is_empty() && !is_empty(&leaf.page.model))
    }

    /// All models.
    pub(crate) fn models(&self) -> impl Iterator<Item = &Model> {
        self.leaves.iter().map(|leaf| &leaf.page.model)
    }

    fn indices(&self) -> impl Iterator<Item = &MentionIndex> {
        self.leaves.iter().map(|leaf| &*leaf.index).chain([&self.asked])
    }

    /// All mentions of something.
    fn of<'a>(&'a self, symbol: &'a Symbol) -> impl Iterator<Item = &'a Mention> {
        self.indices().flat_map(move |index| index.of(symbol))
    }

    fn model(&self, file: FileId) -> Option<&Model> {
        self.leaf(file).map(|leaf| &leaf.page.model)
    }

    fn interaction(&self, file: FileId, id: InteractionId) -> Option<&Interaction> {
        self.model(file).map(|model| &model.interactions[id])
    }

    /// The classes of what is called so in some diagram or in the settings, and the name itself.
    pub(crate) fn classes_of<'a>(&'a self, name: &'a str) -> BTreeSet<&'a str> {
        let drawn = self.models().flat_map(|model| {
            let lines = model.interactions.iter().flat_map(|one| one.lifelines.iter());
            let lines = lines.filter(|line| line.name == name).filter_map(|line| line.class.as_deref());
            let objects = model.objects.iter().filter(|own| own.name == name);
            lines.chain(objects.filter_map(|own| own.class.as_deref()))
        });
        let set = self.settings.system.objects.iter().filter(|(own, ..)| own == name);
        drawn.chain(set.map(|(_, class, _)| class.as_str())).chain([name]).collect()
    }

    /// The states that a condition may mean, which says something of an object.
    fn meant(&self, owner: Option<&str>, name: &str) -> BTreeSet<Symbol> {
        let classes = owner.map(|owner| self.classes_of(owner));
        let is_owner = |machine: &Machine| {
            classes.as_ref().is_none_or(|all| all.iter().any(|class| is_called(machine, class)))
        };
        let has_state = |machine: &Machine| {
            let mut vertices = machine.vertices.iter();
            vertices.any(|one| one.name == name && matches!(one.kind, VertexKind::State(_)))
        };
        let in_leaf = |leaf: &FileView| {
            let machines = leaf.page.model.machines.enumerate();
            let found = machines.filter(|(_, machine)| is_owner(machine) && has_state(machine));
            let symbol = |(id, _)| Symbol::State(leaf.page.document.file, id, name.to_owned());
            found.map(symbol).collect::<Vec<_>>()
        };
        self.leaves.iter().flat_map(in_leaf).collect()
    }

    /// The states that a condition may mean, and the conditions that may mean a state; the participants of one name: in the diagrams
    /// of a folder they are one object.
    fn linked(&self, symbol: &Symbol) -> BTreeSet<Symbol> {
        match symbol {
            Symbol::Said(owner, name) => self.meant(owner.as_deref(), name),
            Symbol::State(_, _, name) => {
                let named = self.indices().flat_map(|index| index.named(name)).map(|one| &one.symbol);
                let said: BTreeSet<&Symbol> = named.filter(|one| matches!(one, Symbol::Said(..))).collect();
                let means = |one: &&Symbol| {
                    let Symbol::Said(owner, own) = one else { return false };
                    self.meant(owner.as_deref(), own).contains(symbol)
                };
                said.into_iter().filter(means).cloned().collect()
            }
            Symbol::Lifeline(..) | Symbol::Object(_) => {
                let named = self.indices().flat_map(|index| index.named(symbol.name()));
                let named = named.map(|one| &one.symbol);
                named.filter(|one| matches!(one, Symbol::Lifeline(..) | Symbol::Object(_))).cloned().collect()
            }
            Symbol::Message(_) | Symbol::Class(_) | Symbol::Diagram(_) => BTreeSet::new(),
        }
    }

    /// All mentions of some things.
    fn mentions<'a>(&'a self, symbols: &'a BTreeSet<Symbol>) -> impl Iterator<Item = &'a Mention> {
        let names: BTreeSet<&str> = symbols.iter().map(Symbol::name).collect();
        let named = self
            .indices()
            .flat_map(move |index| names.clone().into_iter().flat_map(|name| index.named(name)));
        named.filter(|one| symbols.contains(&one.symbol))
    }

    /// Whether some thing is mentioned where its name cannot be seen.
    fn hides(&self, symbols: &BTreeSet<Symbol>) -> bool {
        self.indices().flat_map(MentionIndex::hidden).any(|one| symbols.contains(one))
    }

    /// Whether a class has an attribute of this name, or an association an end.
    fn is_part(&self, name: &str) -> bool {
        self.models().any(|model| {
            let ends = model.associations.iter().flat_map(|one| &one.ends);
            let roles = ends.filter_map(|end| end.role.as_deref());
            let linked = model.links.iter().flat_map(|link| &link.roles);
            let linked = linked.filter_map(Option::as_deref);
            let attributes = model.classes.iter().flat_map(|class| &class.attributes);
            roles.chain(linked).chain(attributes.map(|one| one.name.as_str())).any(|own| own == name)
        })
    }
}

impl<'v> ViewPlace<'v> {
    /// The mention at the cursor: of the file's own diagrams, else of one that includes the file.
    fn occurrence(&self) -> Option<&'v Mention> {
        let own = self.view.leaf(self.file).map(|leaf| &*leaf.index);
        let others = self.view.including(self.file).map(|leaf| &*leaf.index);
        let mut all = own.into_iter().chain(others).chain([&self.view.asked]);
        all.find_map(|index| index.at(self.file, self.offset))
    }

    fn location(&self, span: Span) -> Value {
        text::location(self.view.sources.get(span.file), span)
    }

    /// Where the thing under the cursor is defined.
    pub(crate) fn definition(&self) -> Value {
        let source = self.view.sources.get(self.file);
        if let Some(path) = include::path_at(source, self.offset) {
            return self
                .view
                .included(self.file, path)
                .map_or(Value::Null, |file| json!([self.location(Span { file, start: 0, end: 0 })]));
        }
        let Some(one) = self.occurrence() else { return Value::Null };
        let mut found = match &one.symbol {
            Symbol::Lifeline(file, id, name) => {
                let drawn = self.view.interaction(*file, *id);
                let lifeline = drawn.and_then(|one| one.lifelines.iter().find(|line| line.name == *name));
                lifeline.map(|lifeline| self.behind(lifeline)).unwrap_or_default()
            }
            Symbol::Object(name) => self.drawn(name).map(|(_, line)| self.behind(line)).unwrap_or_default(),
            Symbol::Class(name) => self.class(name),
            Symbol::Diagram(name) => {
                let all = self.view.models().flat_map(|model| model.interactions.iter());
                let all = all.filter(|one| one.name == *name);
                all.map(|one| first_line(one.place.0, &self.view.sources)).collect()
            }
            Symbol::State(..) | Symbol::Message(_) | Symbol::Said(..) => Vec::new(),
        };
        if found.is_empty() {
            let symbols = match &one.symbol {
                said @ (Symbol::Said(..) | Symbol::Object(_)) => self.view.linked(said),
                symbol => BTreeSet::from([symbol.clone()]),
            };
            let all = symbols.iter().flat_map(|symbol| self.view.of(symbol));
            let defining = all.filter(|one| one.role == MentionRole::Defines);
            found = defining.map(|one| one.span).collect();
        }
        if found.is_empty() {
            found = self.view.of(&one.symbol).map(|one| one.span).take(1).collect();
        }
        found.sort();
        found.dedup();
        json!(found.into_iter().map(|span| self.location(span)).collect::<Vec<_>>())
    }

    /// The first diagram that draws a participant, and the participant.
    fn drawn(&self, name: &str) -> Option<(&'v Interaction, &'v Lifeline)> {
        let mut all = self.view.models().flat_map(|model| model.interactions.iter());
        all.find_map(|one| Some((one, one.lifelines.iter().find(|line| line.name == name)?)))
    }

    /// The machines of a lifeline, else its class.
    fn behind(&self, lifeline: &Lifeline) -> Vec<Span> {
        let machines = machines_of(self.view, lifeline);
        match machines.is_empty() {
            false => machines.iter().map(|one| first_line(one.place.0, &self.view.sources)).collect(),
            true => self.class(lifeline.class.as_ref().unwrap_or(&lifeline.name)),
        }
    }

    fn class(&self, name: &str) -> Vec<Span> {
        let machines = self.view.models().flat_map(|model| model.machines.iter());
        let machines = machines.filter(|one| is_called(one, name));
        let machines = machines.map(|one| first_line(one.place.0, &self.view.sources));
        let symbol = Symbol::Class(name.to_owned());
        let classes = self.view.of(&symbol).filter(|one| one.role == MentionRole::Defines);
        classes.map(|one| one.span).chain(machines).collect()
    }

    /// All mentions of the thing under the cursor.
    pub(crate) fn references(&self) -> Value {
        let Some(one) = self.occurrence() else { return json!([]) };
        let symbols = self.same(&one.symbol);
        let spans: BTreeSet<Span> = self.view.mentions(&symbols).map(|one| one.span).collect();
        json!(spans.into_iter().map(|span| self.location(span)).collect::<Vec<_>>())
    }

    /// What stands for the same thing: a name in an included text is a name of every diagram that includes it.
    fn same(&self, symbol: &Symbol) -> BTreeSet<Symbol> {
        let files: BTreeSet<FileId> = self.view.leaves.iter().flat_map(|leaf| leaf.page.includes()).collect();
        let indices = self.view.indices().filter(|_| !files.is_empty());
        let shared: Vec<&Mention> =
            indices.flat_map(MentionIndex::all).filter(|one| files.contains(&one.span.file)).collect();
        let mut found = BTreeSet::from([symbol.clone()]);
        let mut open = vec![symbol.clone()];
        while let Some(symbol) = open.pop() {
            let spans = shared.iter().filter(|one| one.symbol == symbol).map(|one| one.span);
            let spans: BTreeSet<Span> = spans.collect();
            let kind = std::mem::discriminant(&symbol);
            let same = shared
                .iter()
                .filter(|one| spans.contains(&one.span) && std::mem::discriminant(&one.symbol) == kind)
                .map(|one| one.symbol.clone());
            // All participants of one name are found at once.
            let is_known = matches!(symbol, Symbol::Lifeline(..) | Symbol::Object(_)) && found.len() > 1;
            let linked = if is_known { BTreeSet::new() } else { self.view.linked(&symbol) };
            for other in linked.into_iter().chain(same) {
                if found.insert(other.clone()) {
                    open.push(other);
                }
            }
        }
        found
    }

    /// The name under the cursor, if it can be changed.
    pub(crate) fn renamed(&self) -> Value {
        match self.occurrence().filter(|one| self.is_changeable(&one.symbol)) {
            Some(one) => {
                let range = text::range(self.view.sources.get(self.file), one.span);
                json!({ "range": range, "placeholder": one.symbol.name() })
            }
            None => Value::Null,
        }
    }

    fn is_changeable(&self, symbol: &Symbol) -> bool {
        match symbol {
            Symbol::Lifeline(..) | Symbol::State(..) | Symbol::Message(_) => true,
            Symbol::Said(..) => !self.view.linked(symbol).is_empty(),
            Symbol::Object(_) => {
                self.view.linked(symbol).iter().any(|one| matches!(one, Symbol::Lifeline(..)))
            }
            Symbol::Class(_) | Symbol::Diagram(_) => false,
        }
    }

    /// The changes that give the thing under the cursor another name, wherever its name stands, and the name that it has.
    pub(crate) fn rename(&self, new: &str) -> Result<(String, Vec<Edit>), String> {
        let Some(one) = self.occurrence().filter(|one| self.is_changeable(&one.symbol)) else {
            return Err("no participant, state or message stands here".to_owned());
        };
        let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let old = one.symbol.name();
        if new.is_empty() || !is_word(new) && is_word(old) {
            return Err(format!("`{new}` is not a name: use letters, digits and `_`"));
        }
        let symbols = self.same(&one.symbol);
        if self.view.hides(&symbols) {
            return Err(format!(
                "`{old}` also stands in text that a macro makes, or that is written in another way"
            ));
        }
        let others: BTreeSet<Symbol> = symbols.iter().map(|symbol| symbol.called(new)).collect();
        if new != old && (self.view.mentions(&others).next().is_some() || self.view.hides(&others)) {
            return Err(format!("`{new}` exists already: both would be one, and not be told apart again"));
        }
        if symbols.contains(&Symbol::Object(old.to_owned())) && self.view.is_part(old) {
            return Err(format!(
                "`{old}` is also a part of a class: which of both a machine means is not told apart"
            ));
        }
        if let Some(said) = symbols
            .iter()
            .find(|symbol| matches!(symbol, Symbol::Said(..)) && self.view.linked(symbol).len() > 1)
        {
            let place = self.view.of(said).next().map(|one| self.told(one.span)).unwrap_or_default();
            return Err(format!("`{old}` in {place} may mean a state of several machines"));
        }
        let spans: BTreeSet<Span> = self.view.mentions(&symbols).map(|one| one.span).collect();
        self.changeable(old, &spans)?;
        let edits = spans.into_iter().map(|span| Edit { span, text: new.to_owned() }).collect();
        Ok((old.to_owned(), edits))
    }

    /// Whether all places of a name can be changed: not those in UML models, nor in folders that were not looked at.
    fn changeable(&self, old: &str, spans: &BTreeSet<Span>) -> Result<(), String> {
        if let Some(model) = spans.iter().map(|span| span.file).find(|file| self.view.is_model(*file)) {
            let name = &self.view.sources.get(model).name;
            return Err(format!("`{old}` also stands in `{name}`: UML models are changed in their own tool"));
        }
        let folder = |file: FileId| {
            text::plain(Path::new(&self.view.sources.get(file).name)).parent().map(Path::to_owned)
        };
        let own = folder(self.file);
        let is_read = |file: &FileId| folder(*file) == own || self.view.settings.file == Some(*file);
        match spans.iter().find(|span| !is_read(&span.file)) {
            Some(span) => Err(format!(
                "`{old}` also stands in {}, in another folder, whose diagrams are not looked at",
                self.told(*span)
            )),
            None => Ok(()),
        }
    }

    /// A place in words.
    fn told(&self, span: Span) -> String {
        let source = self.view.sources.get(span.file);
        text::in_words(&source.name, u64::from(source.position(span.start).line))
    }

    /// What the thing under the cursor is.
    pub(crate) fn hover(&self) -> Option<String> {
        let one = self.occurrence()?;
        Some(match &one.symbol {
            Symbol::Lifeline(file, id, name) => self.lifeline(self.view.interaction(*file, *id)?, name),
            Symbol::Object(name) => self.lifeline(self.drawn(name)?.0, name),
            Symbol::State(file, id, name) => state(&self.view.model(*file)?.machines[*id], name),
            Symbol::Message(name) => self.message(name),
            Symbol::Class(name) => format!("class `{name}`"),
            Symbol::Diagram(name) => format!("sequence diagram `{name}`"),
            said @ Symbol::Said(..) => {
                let states = self.view.linked(said).into_iter().filter_map(|symbol| {
                    let Symbol::State(file, id, name) = symbol else { return None };
                    Some(state(&self.view.model(file)?.machines[id], &name))
                });
                let told: Vec<String> = states.collect();
                return (!told.is_empty()).then(|| told.join("\n\n"));
            }
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
        match machines_of(self.view, lifeline).first() {
            Some(machine) => lines.push(format!("behaves as the state machine `{}`", machine.name)),
            None => lines.push("has no state machine: it may do anything".to_owned()),
        }
        lines.join("\n\n")
    }

    fn message(&self, name: &str) -> String {
        let mut lines = vec![format!("message `{name}`")];
        let mut routes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for interaction in self.view.models().flat_map(|model| model.interactions.iter()) {
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
        for machine in self.view.models().flat_map(|model| model.machines.iter()) {
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

fn is_called(machine: &Machine, name: &str) -> bool {
    let names = [Some(&machine.name), machine.class.as_ref()];
    names.into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
}

/// The machines as which a lifeline behaves.
pub(crate) fn machines_of<'v>(view: &'v FolderView, lifeline: &Lifeline) -> Vec<&'v Machine> {
    let mut objects = view.models().flat_map(|model| model.objects.iter());
    let object = objects.find(|object| object.name == lifeline.name);
    let class = lifeline.class.as_ref().or(object.and_then(|object| object.class.as_ref()));
    let mut set = view.settings.system.objects.iter();
    let set = set.find(|(name, ..)| *name == lifeline.name).map(|(_, class, _)| class);
    let name = class.or(set).unwrap_or(&lifeline.name);
    let machines = view.models().flat_map(|model| model.machines.iter());
    machines.filter(|machine| is_called(machine, name)).collect()
}

/// The first line of a diagram.
fn first_line(place: Span, sources: &Sources) -> Span {
    let source = sources.get(place.file);
    let line = source.position(place.start).line;
    let start = source.line_start(line);
    Span { start, end: start + source.line(line).len() as u32, ..place }
}
