//! Facts about the statements of a diagram that matching uses: kind, topic, detail, names.

use std::collections::BTreeMap;
use std::ops::Range;

use sequent_kernel::model::MessageSort;
use sequent_notation::tree::{Content, Document, Kind, Name, Notation, Statement, class, sequence, state};

use super::kind::PieceKind;
use super::topic::Topic;

/// Facts about a statement.
#[derive(Default)]
pub(super) struct Facts {
    /// Its kind, where that is more than the lossless tree tells.
    pub(super) kind: Option<PieceKind>,
    /// What it is about.
    pub(super) topic: Topic,
    /// What it says about that.
    pub(super) detail: String,
    /// Whether it answers an earlier message.
    pub(super) is_answer: bool,
    /// The names in it, and their places in the file.
    pub(super) names: Vec<(String, Range<usize>)>,
}

/// Returns the facts about all statements of a file, by the first byte of their lines; of several statements on one line the first counts.
pub(super) fn facts(document: &Document) -> BTreeMap<u32, Facts> {
    let mut all = BTreeMap::new();
    for block in document.blocks.iter().filter(|block| block.span.file == document.file) {
        match &block.content {
            Content::Sequence(statements) => {
                // In Mermaid `destroy` precedes the message that destroys.
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

fn collect<I>(statements: &[Statement<I>], read: impl Fn(&I) -> Facts, all: &mut BTreeMap<u32, Facts>) {
    for statement in statements {
        let facts = match &statement.kind {
            Kind::Item(item) => read(item),
            Kind::Title(title) => {
                Facts { kind: Some(PieceKind::Title), detail: title.clone(), ..Facts::default() }
            }
            Kind::Directive(directive) if directive.name == "together" => {
                Facts { kind: Some(PieceKind::Together), ..Facts::default() }
            }
            Kind::Comment | Kind::Directive(_) | Kind::Preprocessor | Kind::Presentation | Kind::Unknown => {
                Facts::default()
            }
        };
        all.entry(statement.lines.start).or_insert(facts);
    }
}

fn about(words: String, names: &[&Name]) -> Facts {
    let names = names.iter().map(|name| (name.text.clone(), name.span.range())).collect();
    Facts { topic: Topic::Words(words), names, ..Facts::default() }
}

fn of_sequence(item: &sequence::Item, is_ahead: bool) -> Facts {
    use sequence::Item;
    let plain = |kind: PieceKind, names: &[&Name]| Facts {
        kind: Some(kind),
        ..about(names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(","), names)
    };
    match item {
        Item::Participant(participant) => plain(PieceKind::Participant, &[&participant.name]),
        Item::Create(name) => plain(PieceKind::Create, &[name]),
        Item::Destroy(name) if is_ahead => plain(PieceKind::Create, &[name]),
        Item::Destroy(name) | Item::Activate { name, .. } | Item::Deactivate(Some(name)) => {
            plain(PieceKind::Life, &[name])
        }
        Item::Deactivate(None) | Item::AutoActivate(_) => plain(PieceKind::Life, &[]),
        Item::Message(message) => {
            let ends = [&message.from, &message.to];
            let mut names: Vec<&Name> = ends.into_iter().filter_map(participant).collect();
            names.extend(&message.others);
            let ends = ends.map(|end| participant(end).map(|name| name.text.clone()).unwrap_or_default());
            let detail = message.text.text.clone();
            let is_answer = message.sort == MessageSort::Reply;
            Facts { topic: Topic::Ends(ends), detail, is_answer, ..plain(PieceKind::Message, &names) }
        }
        Item::Return(text) => {
            Facts { detail: text.text.clone(), is_answer: true, ..plain(PieceKind::Return, &[]) }
        }
        Item::Note(note) => plain(PieceKind::Note, &note.names.iter().collect::<Vec<_>>()),
        Item::Reference(reference) => {
            let detail = reference.text.text.clone();
            Facts { detail, ..plain(PieceKind::Reference, &reference.names.iter().collect::<Vec<_>>()) }
        }
        Item::Open(open) => {
            let topic = Topic::Words(open.keyword.word().to_owned());
            Facts { topic, detail: open.text.text.clone(), ..plain(PieceKind::Open, &[]) }
        }
        Item::BoxStart { label, .. } => {
            let topic = Topic::Words("box".to_owned());
            Facts { topic, detail: label.clone(), ..plain(PieceKind::Open, &[]) }
        }
        Item::Divide(divide) => Facts { detail: divide.text.text.clone(), ..plain(PieceKind::Divide, &[]) },
        Item::Close | Item::BoxEnd => plain(PieceKind::Close, &[]),
        Item::HideUnlinked(_) | Item::AutoNumber(_) | Item::Separator(..) => plain(PieceKind::Separator, &[]),
    }
}

fn participant(end: &sequence::End) -> Option<&Name> {
    match end {
        sequence::End::Name(name) => Some(name),
        sequence::End::Outside(_) => None,
    }
}

fn of_state(item: &state::Item) -> Facts {
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
    match item {
        Item::State(state) => about(format!("state {}", state.name.text), &[&state.name]),
        Item::Transition(transition) => {
            let ends = [&transition.from, &transition.to];
            let names: Vec<&Name> = ends.into_iter().filter_map(name).collect();
            let detail = transition.text.text.clone();
            Facts { detail, ..about(ends.map(end).join(" -> "), &names) }
        }
        Item::Hidden(ends) => about(String::new(), &ends.iter().filter_map(name).collect::<Vec<_>>()),
        Item::Description { name, .. } => about(format!("description {}", name.text), &[name]),
        Item::Note(note) => {
            let names = match &note.target {
                NoteTarget::Name(name) | NoteTarget::Floating(Some(name)) => vec![name],
                NoteTarget::Last | NoteTarget::LastTransition | NoteTarget::Floating(None) => Vec::new(),
            };
            Facts { kind: Some(PieceKind::Note), ..about(String::new(), &names) }
        }
        Item::Close | Item::Region | Item::Separator(_) => Facts::default(),
    }
}

fn of_class(item: &class::Item) -> Facts {
    use class::{Item, NoteTarget};
    match item {
        Item::Class(class) => {
            let mut names = vec![&class.name];
            names.extend(class.extends.iter().chain(&class.implements));
            about(format!("class {}", class.name.text), &names)
        }
        Item::Package(package) => about(format!("package {}", package.name.text), &[&package.name]),
        Item::Relation(relation) => {
            let names: Vec<&Name> = relation.ends.iter().map(|end| &end.name).collect();
            let ends = names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" - ");
            Facts { detail: relation.text.text.clone(), ..about(ends, &names) }
        }
        Item::Member { owner, text } => {
            let owner: Vec<&Name> = owner.iter().collect();
            Facts { detail: text.text.clone(), ..about(String::new(), &owner) }
        }
        Item::Annotation { owner, .. } => about(String::new(), &owner.iter().collect::<Vec<_>>()),
        Item::Note(note) => {
            let names = match &note.target {
                NoteTarget::Name(name) | NoteTarget::Floating(Some(name)) => vec![name],
                NoteTarget::Last | NoteTarget::LastRelation | NoteTarget::Floating(None) => Vec::new(),
            };
            Facts { kind: Some(PieceKind::Note), ..about(String::new(), &names) }
        }
        Item::Close | Item::Separator(_) => Facts::default(),
    }
}
