//! What the statements of a diagram say, as far as a merge must know: what kind of thing it is, what it is about, whom it names.

use std::collections::BTreeMap;

use sequent_notation::tree::{Content, Document, Kind, Name, Statement, class, sequence, state};

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
    /// Participants it names, and where.
    pub names: Vec<(String, std::ops::Range<usize>)>,
}

/// What stands where, by the first byte of its lines; of several statements on one line the first.
pub(super) fn said(document: &Document) -> BTreeMap<u32, Said> {
    let mut all = BTreeMap::new();
    for block in document.blocks.iter().filter(|block| block.span.file == document.file) {
        match &block.content {
            Content::Sequence(statements) => collect(statements, of_sequence, &mut all),
            Content::State(statements) => collect(statements, of_state, &mut all),
            Content::Class(statements) => collect(statements, of_class, &mut all),
            Content::Other(_) => {}
        }
    }
    all
}

fn collect<I>(statements: &[Statement<I>], read: fn(&I) -> Said, all: &mut BTreeMap<u32, Said>) {
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

fn of_sequence(item: &sequence::Item) -> Said {
    use sequence::Item;
    let plain = |word: Word, names: &[&Name]| Said {
        word: Some(word),
        subject: names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(","),
        names: named(names),
        ..Said::default()
    };
    match item {
        Item::Participant(participant) => plain(Word::Participant, &[&participant.name]),
        Item::Create(name)
        | Item::Destroy(name)
        | Item::Activate { name, .. }
        | Item::Deactivate(Some(name)) => plain(Word::Life, &[name]),
        Item::Deactivate(None) | Item::AutoActivate(_) => plain(Word::Life, &[]),
        Item::Message(message) => {
            let ends = [&message.from, &message.to];
            let mut names: Vec<&Name> = ends.into_iter().filter_map(name_of).collect();
            names.extend(&message.others);
            let ends = ends.map(|end| name_of(end).map_or("", |name| name.text.as_str()));
            let detail = message.text.text.clone();
            Said { subject: ends.join("->"), detail, ..plain(Word::Message, &names) }
        }
        Item::Return(text) => Said { detail: text.text.clone(), ..plain(Word::Return, &[]) },
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
    use state::Item;
    let end = |end: &state::Endpoint| match end {
        state::Endpoint::Name(name) | state::Endpoint::StarOf(name) | state::Endpoint::Bar(name) => {
            name.text.clone()
        }
        state::Endpoint::HistoryOf { name, .. } => format!("{}[H]", name.text),
        state::Endpoint::Star => "[*]".to_owned(),
        state::Endpoint::History { .. } => "[H]".to_owned(),
    };
    let subject = match item {
        Item::State(state) => format!("state {}", state.name.text),
        Item::Transition(transition) => format!("{} -> {}", end(&transition.from), end(&transition.to)),
        Item::Description { name, .. } => format!("description {}", name.text),
        Item::Close | Item::Region | Item::Hidden(_) | Item::Note(_) | Item::Separator(_) => {
            return Said::default();
        }
    };
    Said { subject, ..Said::default() }
}

fn of_class(item: &class::Item) -> Said {
    use class::Item;
    let subject = match item {
        Item::Class(class) => format!("class {}", class.name.text),
        Item::Package(package) => format!("package {}", package.name.text),
        Item::Relation(relation) => {
            relation.ends.iter().map(|end| end.name.text.as_str()).collect::<Vec<_>>().join(" - ")
        }
        Item::Close | Item::Member { .. } | Item::Separator(_) | Item::Annotation { .. } | Item::Note(_) => {
            return Said::default();
        }
    };
    Said { subject, ..Said::default() }
}
