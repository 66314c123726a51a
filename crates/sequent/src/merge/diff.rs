//! Differences: what changed between two versions of a file, statement by statement.
//!
//! The pieces of both versions are aligned as for a merge. What is new was added, what is missing deleted; a piece matched
//! with one that is merely alike was edited, and one that is gone here and stands, unchanged and only once, elsewhere was
//! moved. Indentation and empty lines are no changes.

use std::collections::BTreeMap;

use super::align::align;
use super::piece::{Piece, Word, Zone};

/// What became of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// It says something else; this is what it said.
    Edited(String),
    /// It stood elsewhere.
    Moved,
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What happened.
    pub fate: Fate,
    /// What kind of thing it is.
    pub word: Word,
    /// Its first line now, or as it was if it is gone.
    pub text: String,
    /// Its line in the new version, from 1; of what is gone, the line before which it stood.
    pub line: usize,
    /// Whether it is outside of diagrams.
    pub is_prose: bool,
}

/// What happened between two versions, in the order of the new one.
pub fn changes(old: &[Piece], new: &[Piece]) -> Vec<Change> {
    let to = align(old, new);
    let mut from: Vec<Option<usize>> = vec![None; new.len()];
    to.iter().enumerate().for_each(|(at, place)| {
        if let Some(place) = place {
            from[*place] = Some(at);
        }
    });
    let moved = moved(old, new, &to, &from);
    let lines = lines(new);
    let mut found: Vec<(usize, usize, Change)> = Vec::new();
    for (at, piece) in new.iter().enumerate() {
        let fate = match from[at] {
            Some(before) if old[before].is_same(piece) => continue,
            Some(before) => Fate::Edited(first_line(&old[before].text)),
            None if moved.values().any(|place| *place == at) => Fate::Moved,
            None => Fate::Added,
        };
        found.push((at, 1, change(fate, piece, lines[at])));
    }
    let mut next = 0;
    for (at, piece) in old.iter().enumerate() {
        match to[at] {
            Some(place) => next = place + 1,
            None if moved.contains_key(&at) => {}
            None => {
                found.push((next, 0, change(Fate::Deleted, piece, lines.get(next).copied().unwrap_or(1))))
            }
        }
    }
    found.retain(|(_, _, change)| change.word != Word::Blank);
    found.sort_by_key(|(at, order, _)| (*at, *order));
    found.into_iter().map(|(_, _, change)| change).collect()
}

/// Pieces that are the same, once on each side, at different places.
fn moved(
    old: &[Piece],
    new: &[Piece],
    to: &[Option<usize>],
    from: &[Option<usize>],
) -> BTreeMap<usize, usize> {
    let loose = |pieces: &[Piece], matched: &[Option<usize>]| {
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, piece) in pieces.iter().enumerate() {
            if matched[at].is_none() && piece.zone != Zone::Prose && piece.word != Word::Blank {
                places.entry(piece.key.clone()).or_default().push(at);
            }
        }
        places
    };
    let (gone, come) = (loose(old, to), loose(new, from));
    let pairs =
        gone.iter().filter_map(|(key, before)| match (before.as_slice(), come.get(key).map(Vec::as_slice)) {
            ([before], Some([after])) if old[*before].is_same(&new[*after]) => Some((*before, *after)),
            _ => None,
        });
    pairs.collect()
}

fn change(fate: Fate, piece: &Piece, line: usize) -> Change {
    Change {
        fate,
        word: piece.word,
        text: first_line(&piece.text),
        line,
        is_prose: piece.zone == Zone::Prose,
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// The line at which each piece begins, and the one after the last.
fn lines(pieces: &[Piece]) -> Vec<usize> {
    let mut line = 1;
    let mut lines = Vec::new();
    for piece in pieces {
        lines.push(line);
        line += piece.text.split('\n').count();
    }
    lines.push(line);
    lines
}

impl Change {
    /// The change in a few words.
    pub fn words(&self) -> String {
        let what = match self.word {
            Word::Line => "line",
            Word::Blank => "empty line",
            Word::Comment => "comment",
            Word::Preprocessor => "preprocessor line",
            Word::Presentation => "look",
            Word::Title => "title",
            Word::Unknown => "line that is not understood",
            Word::Participant => "participant",
            Word::Message => "message",
            Word::Return => "return",
            Word::Together => "directive",
            Word::Reference => "reference",
            Word::Note => "note",
            Word::Life => "activation",
            Word::Separator => "divider",
            Word::Statement => "statement",
            Word::Open => "block",
            Word::Divide => "operand",
            Word::Close => "end of a block",
        };
        match &self.fate {
            Fate::Added => format!("{what} added: {}", self.text),
            Fate::Deleted => format!("{what} deleted: {}", self.text),
            Fate::Edited(before) => format!("{what} changed: {before} -> {}", self.text),
            Fate::Moved => format!("{what} moved: {}", self.text),
        }
    }
}
