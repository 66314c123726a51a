//! The index: every place where a name stands in a file, and what it names.
//!
//! Participants and states belong to their diagram. A message is one thing in a whole folder: what a scenario draws, what a machine takes and
//! sends, what a class offers and what a formula speaks of. A mention whose text was made by a macro, or is written in
//! another way than the name, cannot be changed; the index remembers that there is one.

mod condition;
mod diagram;
mod machine;
mod question;

use std::collections::{BTreeSet, HashMap};

use sequent::fix::words;
use sequent::pipeline::Page;
use sequent::settings::Settings;
use sequent_kernel::id::Id;
use sequent_kernel::model::{InteractionId, MachineId, Model};
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_notation::tree::DiagramContent;

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
    /// In the order of their places.
    mentions: Vec<Mention>,
    /// Which of them have a name.
    named: HashMap<String, Vec<usize>>,
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
        maker.index()
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
        maker.index()
    }

    /// The mention at a place.
    pub(crate) fn at(&self, file: FileId, offset: u32) -> Option<&Mention> {
        let is_there =
            |one: &&Mention| one.span.file == file && one.span.start <= offset && offset <= one.span.end;
        self.mentions.iter().filter(is_there).min_by_key(|one| one.span.end - one.span.start)
    }

    /// All mentions of something.
    pub(crate) fn of<'a>(&'a self, symbol: &'a Symbol) -> impl Iterator<Item = &'a Mention> {
        self.named(symbol.name()).filter(move |one| one.symbol == *symbol)
    }

    /// All mentions of what has a name.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = &Mention> {
        self.named.get(name).into_iter().flatten().map(|one| &self.mentions[*one])
    }

    /// All mentions.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Mention> {
        self.mentions.iter()
    }

    /// All mentions in a file.
    pub(crate) fn in_file(&self, file: FileId) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |one| one.span.file == file)
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
    mentions: BTreeSet<Mention>,
    hidden: BTreeSet<Symbol>,
}

impl<'a> IndexMaker<'a> {
    fn new(sources: &'a Sources, file: FileId) -> Self {
        IndexMaker { sources, file, mentions: BTreeSet::new(), hidden: BTreeSet::new() }
    }

    fn index(self) -> MentionIndex {
        let mentions: Vec<Mention> = self.mentions.into_iter().collect();
        let mut named: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, one) in mentions.iter().enumerate() {
            named.entry(one.symbol.name().to_owned()).or_default().push(number);
        }
        MentionIndex { mentions, named, hidden: self.hidden }
    }

    /// Adds every mention of a name in a place.
    fn add_all(&mut self, place: Span, symbol: &Symbol) {
        for span in words(self.sources, place, symbol.name()) {
            self.mentions.insert(Mention { span, symbol: symbol.clone(), role: MentionRole::Uses });
        }
    }

    /// Adds the first mention of a name in a place.
    fn add(&mut self, place: Span, symbol: Symbol, role: MentionRole) {
        match words(self.sources, place, symbol.name()).first() {
            Some(span) => {
                self.mentions.insert(Mention { span: *span, symbol, role });
            }
            None => {
                self.hidden.insert(symbol);
            }
        }
    }
}
