//! Facts about the statements of a diagram that matching uses: kind, topic, detail, names.

use std::collections::BTreeMap;
use std::ops::Range;

use sequent_kernel::model::MessageSort;
use sequent_notation::tree::{
    DiagramContent, Document, Name, Notation, Statement, StatementKind, class, sequence, state,
};

use super::kind::PieceKind;
use super::topic::Topic;

/// Facts about a statement.
#[derive(Default)]
pub(super) struct StatementFacts {
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
pub(super) fn facts(document: &Document) -> BTreeMap<u32, StatementFacts> {
    let mut all = BTreeMap::new();
    for block in document.blocks.iter().filter(|block| block.span.file == document.file) {
        match &block.content {
            DiagramContent::Sequence(statements) => {
                // In Mermaid `destroy` precedes the message that destroys.
                let is_ahead = block.notation == Notation::Mermaid;
                collect(statements, |item| of_sequence(item, is_ahead), &mut all);
            }
            DiagramContent::State(statements) => collect(statements, of_state, &mut all),
            DiagramContent::Class(statements) => collect(statements, of_class, &mut all),
            DiagramContent::Other(_) => {}
        }
    }
    all
}

fn collect<I>(
    statements: &[Statement<I>],
    read: impl Fn(&I) -> StatementFacts,
    all: &mut BTreeMap<u32, StatementFacts>,
) {
    for statement in statements {
        let facts = match &statement.kind {
            StatementKind::Item(item) => read(item),
            StatementKind::Title(title) => StatementFacts {
                kind: Some(PieceKind::Title),
                detail: title.clone(),
                ..StatementFacts::default()
            },
            StatementKind::Directive(directive) if directive.name == "together" => {
                StatementFacts { kind: Some(PieceKind::Together), ..StatementFacts::default() }
            }
            StatementKind::Comment
            | StatementKind::Directive(_)
            | StatementKind::Preprocessor
            | StatementKind::Presentation
            | StatementKind::Caption(_)
            | StatementKind::Unknown => StatementFacts::default(),
        };
        all.entry(statement.lines.start).or_insert(facts);
    }
}

fn about(words: String, names: &[&Name]) -> StatementFacts {
    let names = names.iter().map(|name| (name.text.clone(), name.span.range())).collect();
    StatementFacts { topic: Topic::Words(words), names, ..StatementFacts::default() }
}

fn of_sequence(item: &sequence::SequenceStatement, is_ahead: bool) -> StatementFacts {
    use sequence::SequenceStatement;
    let plain = |kind: PieceKind, names: &[&Name]| StatementFacts {
        kind: Some(kind),
        ..about(names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(","), names)
    };
    match item {
        SequenceStatement::Participant(participant) => plain(PieceKind::Participant, &[&participant.name]),
        SequenceStatement::Create(name) => plain(PieceKind::Create, &[name]),
        SequenceStatement::Destroy(name) if is_ahead => plain(PieceKind::Create, &[name]),
        SequenceStatement::Destroy(name)
        | SequenceStatement::Activate { name, .. }
        | SequenceStatement::Deactivate(Some(name)) => plain(PieceKind::Life, &[name]),
        SequenceStatement::Deactivate(None) | SequenceStatement::AutoActivate(_) => {
            plain(PieceKind::Life, &[])
        }
        SequenceStatement::Message(message) => {
            let ends = [&message.from, &message.to];
            let mut names: Vec<&Name> = ends.into_iter().filter_map(participant).collect();
            names.extend(&message.others);
            let ends = ends.map(|end| participant(end).map(|name| name.text.clone()).unwrap_or_default());
            let detail = message.text.text.clone();
            let is_answer = message.sort == MessageSort::Reply;
            StatementFacts {
                topic: Topic::Ends(ends),
                detail,
                is_answer,
                ..plain(PieceKind::Message, &names)
            }
        }
        SequenceStatement::Return(text) => {
            StatementFacts { detail: text.text.clone(), is_answer: true, ..plain(PieceKind::Return, &[]) }
        }
        SequenceStatement::Note(note) => plain(PieceKind::Note, &note.names.iter().collect::<Vec<_>>()),
        SequenceStatement::Reference(reference) => {
            let detail = reference.text.text.clone();
            StatementFacts {
                detail,
                ..plain(PieceKind::Reference, &reference.names.iter().collect::<Vec<_>>())
            }
        }
        SequenceStatement::Open(open) => {
            let topic = Topic::Words(open.keyword.word().to_owned());
            StatementFacts { topic, detail: open.text.text.clone(), ..plain(PieceKind::Open, &[]) }
        }
        SequenceStatement::BoxStart { label, .. } => {
            let topic = Topic::Words("box".to_owned());
            StatementFacts { topic, detail: label.clone(), ..plain(PieceKind::Open, &[]) }
        }
        SequenceStatement::Divide(divide) => {
            StatementFacts { detail: divide.text.text.clone(), ..plain(PieceKind::Divide, &[]) }
        }
        SequenceStatement::Close | SequenceStatement::BoxEnd => plain(PieceKind::Close, &[]),
        SequenceStatement::HideUnlinked(_)
        | SequenceStatement::AutoNumber(_)
        | SequenceStatement::Separator(..)
        | SequenceStatement::Duration(_) => plain(PieceKind::Separator, &[]),
    }
}

fn participant(end: &sequence::ArrowEnd) -> Option<&Name> {
    match end {
        sequence::ArrowEnd::Name(name) => Some(name),
        sequence::ArrowEnd::Outside(_) => None,
    }
}

fn of_state(item: &state::StateStatement) -> StatementFacts {
    use state::{Endpoint, StateNoteTarget, StateStatement};
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
        StateStatement::State(state) => about(format!("state {}", state.name.text), &[&state.name]),
        StateStatement::Transition(transition) => {
            let ends = [&transition.from, &transition.to];
            let names: Vec<&Name> = ends.into_iter().filter_map(name).collect();
            let detail = transition.text.text.clone();
            StatementFacts { detail, ..about(ends.map(end).join(" -> "), &names) }
        }
        StateStatement::Hidden(ends) => {
            about(String::new(), &ends.iter().filter_map(name).collect::<Vec<_>>())
        }
        StateStatement::Description { name, .. } => about(format!("description {}", name.text), &[name]),
        StateStatement::Note(note) => {
            let names = match &note.target {
                StateNoteTarget::Name(name) | StateNoteTarget::Floating(Some(name)) => vec![name],
                StateNoteTarget::Last | StateNoteTarget::LastTransition | StateNoteTarget::Floating(None) => {
                    Vec::new()
                }
            };
            StatementFacts { kind: Some(PieceKind::Note), ..about(String::new(), &names) }
        }
        StateStatement::Close | StateStatement::Region | StateStatement::Separator(_) => {
            StatementFacts::default()
        }
    }
}

fn of_class(item: &class::ClassStatement) -> StatementFacts {
    use class::{ClassNoteTarget, ClassStatement};
    match item {
        ClassStatement::Class(class) => {
            let mut names = vec![&class.name];
            names.extend(class.extends.iter().chain(&class.implements));
            about(format!("class {}", class.name.text), &names)
        }
        ClassStatement::Package(package) => about(format!("package {}", package.name.text), &[&package.name]),
        ClassStatement::Relation(relation) => {
            let names: Vec<&Name> = relation.ends.iter().map(|end| &end.name).collect();
            let ends = names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" - ");
            StatementFacts { detail: relation.text.text.clone(), ..about(ends, &names) }
        }
        ClassStatement::Member { owner, text } => {
            let owner: Vec<&Name> = owner.iter().collect();
            StatementFacts { detail: text.text.clone(), ..about(String::new(), &owner) }
        }
        ClassStatement::Annotation { owner, .. } => about(String::new(), &owner.iter().collect::<Vec<_>>()),
        ClassStatement::Note(note) => {
            let names = match &note.target {
                ClassNoteTarget::Name(name) | ClassNoteTarget::Floating(Some(name)) => vec![name],
                ClassNoteTarget::Last | ClassNoteTarget::LastRelation | ClassNoteTarget::Floating(None) => {
                    Vec::new()
                }
            };
            StatementFacts { kind: Some(PieceKind::Note), ..about(String::new(), &names) }
        }
        ClassStatement::Close | ClassStatement::Separator(_) => StatementFacts::default(),
    }
}
