//! Names: where a diagram mentions its participants, states or classes.
//!
//! What renames something, or lists who mentions it, needs every such place, whatever statement it is part of.

use super::{Content, Kind, Name, Statement, class, sequence, state};

/// Every place where a diagram names one of its own participants, states or classes, in the order of the text.
pub fn names(content: &Content) -> Vec<&Name> {
    match content {
        Content::Sequence(statements) => items(statements).flat_map(of_sequence).collect(),
        Content::State(statements) => items(statements).flat_map(of_state).collect(),
        Content::Class(statements) => items(statements).flat_map(of_class).collect(),
        Content::Other(_) => Vec::new(),
    }
}

fn items<I>(statements: &[Statement<I>]) -> impl Iterator<Item = &I> {
    statements.iter().filter_map(|statement| match &statement.kind {
        Kind::Item(item) => Some(item),
        Kind::Comment
        | Kind::Directive(_)
        | Kind::Preprocessor
        | Kind::Presentation
        | Kind::Title(_)
        | Kind::Unknown => None,
    })
}

fn of_sequence(item: &sequence::Item) -> Vec<&Name> {
    match item {
        sequence::Item::Participant(participant) => vec![&participant.name],
        sequence::Item::Create(name) | sequence::Item::Destroy(name) => vec![name],
        sequence::Item::Activate { name, .. } => vec![name],
        sequence::Item::Deactivate(name) => name.iter().collect(),
        sequence::Item::Message(message) => {
            let ends = [&message.from, &message.to].into_iter().filter_map(|end| match end {
                sequence::End::Name(name) => Some(name),
                sequence::End::Outside(_) => None,
            });
            ends.chain(&message.others).collect()
        }
        sequence::Item::Note(note) => note.names.iter().collect(),
        sequence::Item::Reference(reference) => reference.names.iter().collect(),
        sequence::Item::HideUnlinked(_)
        | sequence::Item::BoxStart { .. }
        | sequence::Item::BoxEnd
        | sequence::Item::Return(_)
        | sequence::Item::AutoActivate(_)
        | sequence::Item::AutoNumber(_)
        | sequence::Item::Open(_)
        | sequence::Item::Divide(_)
        | sequence::Item::Close
        | sequence::Item::Separator(..) => Vec::new(),
    }
}

fn of_state(item: &state::Item) -> Vec<&Name> {
    match item {
        state::Item::State(state) => vec![&state.name],
        state::Item::Transition(transition) => {
            [&transition.from, &transition.to].into_iter().filter_map(end).collect()
        }
        state::Item::Hidden(ends) => ends.iter().filter_map(end).collect(),
        state::Item::Description { name, .. } => vec![name],
        state::Item::Note(note) => match &note.target {
            state::NoteTarget::Name(name) => vec![name],
            state::NoteTarget::Last | state::NoteTarget::LastTransition | state::NoteTarget::Floating(_) => {
                Vec::new()
            }
        },
        state::Item::Close | state::Item::Region | state::Item::Separator(_) => Vec::new(),
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

fn of_class(item: &class::Item) -> Vec<&Name> {
    match item {
        class::Item::Class(class) => {
            [&class.name].into_iter().chain(&class.extends).chain(&class.implements).collect()
        }
        class::Item::Member { owner, .. } | class::Item::Annotation { owner, .. } => owner.iter().collect(),
        class::Item::Relation(relation) => relation.ends.iter().map(|end| &end.name).collect(),
        class::Item::Note(note) => match &note.target {
            class::NoteTarget::Name(name) => vec![name],
            class::NoteTarget::Last | class::NoteTarget::LastRelation | class::NoteTarget::Floating(_) => {
                Vec::new()
            }
        },
        class::Item::Package(_) | class::Item::Close | class::Item::Separator(_) => Vec::new(),
    }
}
