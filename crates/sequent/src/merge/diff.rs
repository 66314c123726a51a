//! Differences: what changed between two versions of a file, statement by statement.
//!
//! The pieces of both versions are paired as for a merge. What is new was added, what is missing deleted; a piece paired
//! with one that is merely alike was edited, and one that others have passed was moved. A new block around old statements was drawn
//! around them. Indentation and empty lines are no changes.

use super::compare::compare;
use super::piece::{Piece, Word, Zone};
use super::rename;

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
    /// It is a block that was drawn around so many statements that were there before.
    Drawn(usize),
    /// It is a block that was taken away from around so many statements that are still there.
    Taken(usize),
    /// It is called otherwise; this is what it was called.
    Renamed(String),
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
    let mut old = old.to_vec();
    let renamed = rename::adopt(&mut old, new);
    let compared = compare(&old, new);
    let to = &compared.to;
    let mut from: Vec<Option<usize>> = vec![None; new.len()];
    to.iter().enumerate().for_each(|(at, place)| {
        if let Some(place) = place {
            from[*place] = Some(at);
        }
    });
    let lines = lines(new);
    let mut found: Vec<(usize, usize, Change)> = Vec::new();
    for (at, piece) in new.iter().enumerate() {
        let fate = match from[at] {
            Some(before) if old[before].is_same(piece) && compared.is_moved[before] => Fate::Moved,
            Some(before) if old[before].is_same(piece) => continue,
            Some(before) => Fate::Edited(first_line(&old[before].text)),
            None => match compared.drawn.iter().find(|(place, _)| *place == at) {
                Some((_, count)) => Fate::Drawn(*count),
                None => Fate::Added,
            },
        };
        found.push((at, 1, change(fate, piece, lines[at])));
    }
    let mut next = 0;
    for (at, piece) in old.iter().enumerate() {
        match to[at] {
            Some(place) => next = place + 1,
            None => {
                let fate = match compared.taken.iter().find(|(place, _)| *place == at) {
                    Some((_, count)) => Fate::Taken(*count),
                    None => Fate::Deleted,
                };
                found.push((next, 0, change(fate, piece, lines.get(next).copied().unwrap_or(1))));
            }
        }
    }
    for (before, after) in renamed {
        let is_it = |piece: &Piece| piece.names.iter().any(|(name, _)| *name == after);
        if let Some(at) = new.iter().position(is_it) {
            let text = after.clone();
            found.push((at, 0, Change { text, ..change(Fate::Renamed(before), &new[at], lines[at]) }));
        }
    }
    // A block ends because it begins.
    let is_implied = |change: &Change| change.word == Word::Close && !matches!(change.fate, Fate::Edited(_));
    found.retain(|(_, _, change)| change.word != Word::Blank && !is_implied(change));
    found.sort_by_key(|(at, order, _)| (*at, *order));
    found.into_iter().map(|(_, _, change)| change).collect()
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

fn statements(count: usize) -> String {
    if count == 1 { "one statement".to_owned() } else { format!("{count} statements") }
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
            Word::Create => "creation",
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
            Fate::Drawn(count) => format!("{what} drawn around {}: {}", statements(*count), self.text),
            Fate::Taken(count) => {
                format!("{what} taken away from around {}: {}", statements(*count), self.text)
            }
            Fate::Renamed(before) => format!("renamed: {before} -> {}", self.text),
        }
    }
}
