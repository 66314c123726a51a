//! Names: where a diagram mentions its participants, states or classes.
//!
//! What renames something, or lists who mentions it, needs every such place, whatever statement it is part of.

use super::{DiagramContent, Name, Statement, StatementKind, class, sequence, state};

/// Every place where a diagram names one of its own participants, states or classes, in the order of the text.
pub fn names(content: &DiagramContent) -> Vec<&Name> {
    match content {
        DiagramContent::Sequence(statements) => items(statements).flat_map(of_sequence).collect(),
        DiagramContent::State(statements) => items(statements).flat_map(of_state).collect(),
        DiagramContent::Class(statements) => items(statements).flat_map(of_class).collect(),
        DiagramContent::Other(_) => Vec::new(),
    }
}

fn items<I>(statements: &[Statement<I>]) -> impl Iterator<Item = &I> {
    statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Item(item) => Some(item),
        StatementKind::Comment
        | StatementKind::Directive(_)
        | StatementKind::Preprocessor
        | StatementKind::Presentation
        | StatementKind::Title(_)
        | StatementKind::Caption(_)
        | StatementKind::Unknown => None,
    })
}

fn of_sequence(item: &sequence::SequenceStatement) -> Vec<&Name> {
    match item {
        sequence::SequenceStatement::Participant(participant) => vec![&participant.name],
        sequence::SequenceStatement::Create(name) | sequence::SequenceStatement::Destroy(name) => vec![name],
        sequence::SequenceStatement::Activate { name, .. } => vec![name],
        sequence::SequenceStatement::Deactivate(name) => name.iter().collect(),
        sequence::SequenceStatement::Message(message) => {
            let ends = [&message.from, &message.to].into_iter().filter_map(|end| match end {
                sequence::ArrowEnd::Name(name) => Some(name),
                sequence::ArrowEnd::Outside(_) => None,
            });
            ends.chain(&message.others).collect()
        }
        sequence::SequenceStatement::Note(note) => note.names.iter().collect(),
        sequence::SequenceStatement::Reference(reference) => reference.names.iter().collect(),
        sequence::SequenceStatement::HideUnlinked(_)
        | sequence::SequenceStatement::BoxStart { .. }
        | sequence::SequenceStatement::BoxEnd
        | sequence::SequenceStatement::Return(_)
        | sequence::SequenceStatement::AutoActivate(_)
        | sequence::SequenceStatement::AutoNumber(_)
        | sequence::SequenceStatement::Open(_)
        | sequence::SequenceStatement::Divide(_)
        | sequence::SequenceStatement::Close
        | sequence::SequenceStatement::Separator(..)
        | sequence::SequenceStatement::Duration(_) => Vec::new(),
    }
}

fn of_state(item: &state::StateStatement) -> Vec<&Name> {
    match item {
        state::StateStatement::State(state) => vec![&state.name],
        state::StateStatement::Transition(transition) => {
            [&transition.from, &transition.to].into_iter().filter_map(end).collect()
        }
        state::StateStatement::Hidden(ends) => ends.iter().filter_map(end).collect(),
        state::StateStatement::Description { name, .. } => vec![name],
        state::StateStatement::Note(note) => match &note.target {
            state::StateNoteTarget::Name(name) => vec![name],
            state::StateNoteTarget::Last
            | state::StateNoteTarget::LastTransition
            | state::StateNoteTarget::Floating(_) => Vec::new(),
        },
        state::StateStatement::Close
        | state::StateStatement::Region
        | state::StateStatement::Separator(_) => Vec::new(),
    }
}

fn end(end: &state::Endpoint) -> Option<&Name> {
    match end {
        state::Endpoint::Name(name)
        | state::Endpoint::StarOf(name)
        | state::Endpoint::HistoryOf { name, .. }
        | state::Endpoint::Bar(name) => Some(name),
        state::Endpoint::Star | state::Endpoint::History { .. } => None,
    }
}

fn of_class(item: &class::ClassStatement) -> Vec<&Name> {
    match item {
        class::ClassStatement::Class(class) => {
            [&class.name].into_iter().chain(&class.extends).chain(&class.implements).collect()
        }
        class::ClassStatement::Member { owner, .. } | class::ClassStatement::Annotation { owner, .. } => {
            owner.iter().collect()
        }
        class::ClassStatement::Relation(relation) => relation.ends.iter().map(|end| &end.name).collect(),
        class::ClassStatement::Note(note) => match &note.target {
            class::ClassNoteTarget::Name(name) => vec![name],
            class::ClassNoteTarget::Last
            | class::ClassNoteTarget::LastRelation
            | class::ClassNoteTarget::Floating(_) => Vec::new(),
        },
        class::ClassStatement::Package(_)
        | class::ClassStatement::Close
        | class::ClassStatement::Separator(_) => Vec::new(),
    }
}
