//! Differences drawn: a diagram with what was added, what is gone and what was changed, each marked.

use sequent_kernel::model::Interaction;
use sequent_kernel::source::Sources;
use sequent_notation::{Context, Loader, resolve};

use super::compare::compare;
use super::piece::{Piece, Word, Zone};

/// How a message is marked: before its text, and by its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Added,
    Deleted,
    Edited,
}

impl Mark {
    fn sign(self) -> &'static str {
        match self {
            Mark::Added => "+ ",
            Mark::Deleted => "- ",
            Mark::Edited => "~ ",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Mark::Added => "#2e7d32",
            Mark::Deleted => "#c62828",
            Mark::Edited => "#b26a00",
        }
    }
}

/// The sequence diagrams in which something changed, with messages of both versions.
pub fn both(name: &str, old: &[Piece], new: &[Piece], loader: &mut dyn Loader) -> Vec<Interaction> {
    let mut text = String::new();
    let mut marks: Vec<(std::ops::Range<usize>, Mark)> = Vec::new();
    for (piece, mark) in united(old, new) {
        let start = text.len();
        text.push_str(&piece.text);
        marks.extend(mark.map(|mark| (start..text.len(), mark)));
        text.push('\n');
    }
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let mut context = Context { sources: &mut sources, loader, diagnostics: &mut diagnostics };
    let document = sequent_notation::read(file, &mut context);
    let (model, _) = resolve::resolve(&[document], &sources);
    let mut drawn = Vec::new();
    for interaction in model.interactions.iter() {
        let mut interaction = interaction.clone();
        let mut is_changed = false;
        let ids: Vec<_> = interaction.messages.ids().collect();
        for id in ids {
            let message = &mut interaction.messages[id];
            let at = message.place.0.start as usize;
            if let Some((_, mark)) = marks.iter().find(|(range, _)| range.contains(&at)) {
                message.text = format!("{}{}", mark.sign(), message.text);
                message.arrow.colour = Some(mark.colour().to_owned());
                is_changed = true;
            }
        }
        drawn.extend(is_changed.then_some(interaction));
    }
    drawn
}

/// The pieces of the new version, and before their successors the messages and notes that are gone.
fn united<'p>(old: &'p [Piece], new: &'p [Piece]) -> Vec<(&'p Piece, Option<Mark>)> {
    let to = compare(old, new).to;
    let mut gone: Vec<Vec<&Piece>> = vec![Vec::new(); new.len() + 1];
    let mut mark: Vec<Option<Mark>> = vec![Some(Mark::Added); new.len()];
    let mut next = 0;
    for (at, piece) in old.iter().enumerate() {
        match to[at] {
            Some(place) => {
                mark[place] = (!piece.is_same(&new[place])).then_some(Mark::Edited);
                next = place + 1;
            }
            None if piece.zone == Zone::Sequence
                && matches!(piece.word, Word::Message | Word::Return | Word::Note) =>
            {
                gone[next].push(piece);
            }
            None => {}
        }
    }
    let mut all = Vec::new();
    for (at, piece) in new.iter().enumerate() {
        all.extend(gone[at].iter().map(|piece| (*piece, Some(Mark::Deleted))));
        all.push((piece, mark[at]));
    }
    all.extend(gone[new.len()].iter().map(|piece| (*piece, Some(Mark::Deleted))));
    all
}
