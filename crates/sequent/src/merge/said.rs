//! What the statements of a diagram say, as far as a merge must know: what kind of thing it is, what it is about, whom it names.

use std::collections::BTreeMap;

use sequent_kernel::model::MessageSort;
use sequent_notation::tree::{Content, Document, Kind, Name, Notation, Statement, class, sequence, state};

use super::piece::Word;

/// What a statement says, as far as it matters here.
#[derive(Default)]
pub(super) struct Said {
    /// What kind of thing it is, where that is more than the tree tells.
    pub word: Option<Word>,
    /// What it is about.
    pub subject: String,
    /// What it says about it.
    pub detail: String,
    /// Whether it answers an earlier message.
    pub is_answer: bool,
    /// Names in it, and where.
    pub names: Vec<(String, std::ops::Range<usize>)>,
}

/// What stands where, by the first byte of its lines; of several statements on one line the first.
pub(super) fn said(document: &Document) -> BTreeMap<u32, Said> {
    let mut all = BTreeMap::new();
    for block in document.blocks.iter().filter(|block| block.span.file == document.file) {
        match &block.content {
            Content::Sequence(statements) => {
                // Mermaid announces what a message is going to destroy.
                let is_ahead = block.notation == Notation::Mermaid;
                collect(statements, |item| of_sequence(item, is_ahead), &mut all);
            }
            Content::State(statements) => collect(statements, of_state, &mut all),
            Content::Class(statements) => collect(statements, of_class, &mut all),
            Content::Other(_) => {}
        }
    }
    all
}

fn collect<I>(statements: &[Statement<I>], read: impl Fn(&I) -> Said, all: &mut BTreeMap<u32, Said>) {
    for statement in statements {
        let said = match &statement.kind {
            Kind::Item(item) => read(item),
            Kind::Title(title) => Said { word: Some(Word::Title), detail: title.clone(), ..Said::default() },
            Kind::Directive(directive) if directive.name == "together" => {
                Said { word: Some(Word::Together), ..Said::default() }
            }
            Kind::Comment | Kind::Directive(_) | Kind::Preprocessor | Kind::Presentation | Kind::Unknown => {
                Said::default()
            }
        };
        all.entry(statement.lines.start).or_insert(said);
    }
}

fn named(names: &[&Name]) -> Vec<(String, std::ops::Range<usize>)> {
    names.iter().map(|name| (name.text.clone(), name.span.range())).collect()
}

fn of_sequence(item: &sequence::Item, is_ahead: bool) -> Said {
    use sequence::Item;
    let plain = |word: Word, names: &[&Name]| Said {
        word: Some(word),
        subject: names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(","),
        names: named(names),
        ..Said::default()
    };
    match item {
        Item::Participant(participant) => plain(Word::Participant, &[&participant.name]),
        Item::Create(name) => plain(Word::Create, &[name]),
        Item::Destroy(name) if is_ahead => plain(Word::Create, &[name]),
        Item::Destroy(name) | Item::Activate { name, .. } | Item::Deactivate(Some(name)) => {
            plain(Word::Life, &[name])
        }
        Item::Deactivate(None) | Item::AutoActivate(_) => plain(Word::Life, &[]),
        Item::Message(message) => {
            let ends = [&message.from, &message.to];
            let mut names: Vec<&Name> = ends.into_iter().filter_map(name_of).collect();
            names.extend(&message.others);
            let ends = ends.map(|end| name_of(end).map_or("", |name| name.text.as_str()));
            let detail = message.text.text.clone();
            let is_answer = message.sort == MessageSort::Reply;
            Said { subject: ends.join("->"), detail, is_answer, ..plain(Word::Message, &names) }
        }
        Item::Return(text) => Said { detail: text.text.clone(), is_answer: true, ..plain(Word::Return, &[]) },
        Item::Note(note) => plain(Word::Note, &note.names.iter().collect::<Vec<_>>()),
        Item::Reference(reference) => {
            let detail = reference.text.text.clone();
            Said { detail, ..plain(Word::Reference, &reference.names.iter().collect::<Vec<_>>()) }
        }
        Item::Open(open) => {
            let subject = format!("{:?}", open.keyword);
            Said { subject, detail: open.text.text.clone(), ..plain(Word::Open, &[]) }
        }
        Item::BoxStart { label, .. } => {
            Said { subject: "box".to_owned(), detail: label.clone(), ..plain(Word::Open, &[]) }
        }
        Item::Divide(divide) => Said { detail: divide.text.text.clone(), ..plain(Word::Divide, &[]) },
        Item::Close | Item::BoxEnd => plain(Word::Close, &[]),
        Item::HideUnlinked(_) | Item::AutoNumber(_) | Item::Separator(..) => plain(Word::Separator, &[]),
    }
}

fn name_of(end: &sequence::End) -> Option<&Name> {
    match end {
        sequence::End::Name(name) => Some(name),
        sequence::End::Outside(_) => None,
    }
}

fn of_state(item: &state::Item) -> Said {
    use state::{Endpoint, Item, NoteTarget};
    fn name(end: &Endpoint) -> Option<&Name> {
        match end {
            Endpoint::Name(name)
            | Endpoint::StarOf(name)
            | Endpoint::Bar(name)
            | Endpoint::HistoryOf { name, .. } => Some(name),
            Endpoint::Star | Endpoint::History { .. } => None,
        }
    }
    let end = |end: &Endpoint| match end {
        Endpoint::Name(name) | Endpoint::StarOf(name) | Endpoint::Bar(name) => name.text.clone(),
        Endpoint::HistoryOf { name, .. } => format!("{}[H]", name.text),
        Endpoint::Star => "[*]".to_owned(),
        Endpoint::History { .. } => "[H]".to_owned(),
    };
    let about = |subject: String, names: &[&Name]| Said { subject, names: named(names), ..Said::default() };
    match item {
        Item::State(state) => about(format!("state {}", state.name.text), &[&state.name]),
        Item::Transition(transition) => {
            let ends = [&transition.from, &transition.to];
            let names: Vec<&Name> = ends.into_iter().filter_map(name).collect();
            let detail = transition.text.text.clone();
            Said { detail, ..about(ends.map(end).join(" -> "), &names) }
        }
        Item::Hidden(ends) => about(String::new(), &ends.iter().filter_map(name).collect::<Vec<_>>()),
        Item::Description { name, .. } => about(format!("description {}", name.text), &[name]),
        Item::Note(note) => {
            let names = match &note.target {
                NoteTarget::Name(name) | NoteTarget::Floating(Some(name)) => vec![name],
                NoteTarget::Last | NoteTarget::LastTransition | NoteTarget::Floating(None) => Vec::new(),
            };
            Said { word: Some(Word::Note), ..about(String::new(), &names) }
        }
        Item::Close | Item::Region | Item::Separator(_) => Said::default(),
    }
}

fn of_class(item: &class::Item) -> Said {
    use class::{Item, NoteTarget};
    let about = |subject: String, names: &[&Name]| Said { subject, names: named(names), ..Said::default() };
    match item {
        Item::Class(class) => {
            let mut names = vec![&class.name];
            names.extend(class.extends.iter().chain(&class.implements));
            about(format!("class {}", class.name.text), &names)
        }
        Item::Package(package) => about(format!("package {}", package.name.text), &[&package.name]),
        Item::Relation(relation) => {
            let names: Vec<&Name> = relation.ends.iter().map(|end| &end.name).collect();
            let subject = names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" - ");
            Said { detail: relation.text.text.clone(), ..about(subject, &names) }
        }
        Item::Member { owner, text } => {
            let owner: Vec<&Name> = owner.iter().collect();
            Said { detail: text.text.clone(), ..about(String::new(), &owner) }
        }
        Item::Annotation { owner, .. } => about(String::new(), &owner.iter().collect::<Vec<_>>()),
        Item::Note(note) => {
            let names = match &note.target {
                NoteTarget::Name(name) | NoteTarget::Floating(Some(name)) => vec![name],
                NoteTarget::Last | NoteTarget::LastRelation | NoteTarget::Floating(None) => Vec::new(),
            };
            Said { word: Some(Word::Note), ..about(String::new(), &names) }
        }
        Item::Close | Item::Separator(_) => Said::default(),
    }
}
