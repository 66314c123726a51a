//! Differences: what changed between two versions of a file, statement by statement.
//!
//! The pieces of both versions are matched as for a merge. A new piece was added, a missing one deleted; a piece matched
//! with a similar one was edited, and one that others have passed was moved. A new block around old statements was drawn
//! around them. Indentation and empty lines are no changes.
use super::compare::compare;
use crate::merge::align::inverse;
use crate::merge::matching::adopt_renames;
use crate::merge::read::{Piece, PieceKind, SectionKind};

/// What became of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PieceFate {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// It was edited; this is the text before.
    Edited(String),
    /// It was moved.
    Moved,
    /// It is a block that was drawn around this number of old statements.
    Drawn(usize),
    /// It is a block that was taken away from around this number of statements, which stay.
    Taken(usize),
    /// It was renamed; this is the old name.
    Renamed(String),
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// What happened.
    pub fate: PieceFate,
    /// The kind of piece.
    pub kind: PieceKind,
    /// Its first line in the new version, or in the old one if it was deleted.
    pub text: String,
    /// Its line in the new version, from 1; of a deleted piece the line before which it stood.
    pub line: usize,
    /// Whether it is outside of diagrams.
    pub is_prose: bool,
}

/// Returns the changes between two versions, in the order of the new one.
pub fn changes(old: &[Piece], new: &[Piece]) -> Vec<FileChange> {
    let mut old = old.to_vec();
    let renamed = adopt_renames(&mut old, new);
    let compared = compare(&old, new);
    let from = inverse(&compared.to, new.len());
    let lines = lines(new);
    let count = |blocks: &[(usize, usize)], at: usize| {
        blocks.iter().find(|(place, _)| *place == at).map(|(_, count)| *count)
    };
    let mut found: Vec<(usize, usize, FileChange)> = Vec::new();
    for (at, piece) in new.iter().enumerate() {
        let fate = match from[at] {
            Some(before) if old[before].is_same(piece) && compared.is_moved[before] => PieceFate::Moved,
            Some(before) if old[before].is_same(piece) => continue,
            Some(before) => PieceFate::Edited(first_line(&old[before].text)),
            None => count(&compared.wrapped, at).map_or(PieceFate::Added, PieceFate::Drawn),
        };
        found.push((at, 1, change(fate, piece, lines[at])));
    }
    let mut next = 0;
    for (at, piece) in old.iter().enumerate() {
        match compared.to[at] {
            Some(place) => next = place + 1,
            None => {
                let fate = count(&compared.unwrapped, at).map_or(PieceFate::Deleted, PieceFate::Taken);
                found.push((next, 0, change(fate, piece, lines.get(next).copied().unwrap_or(1))));
            }
        }
    }
    for (before, after) in renamed {
        if let Some(at) = new.iter().position(|piece| piece.mentions(&after)) {
            let text = after.clone();
            found.push((
                at,
                0,
                FileChange { text, ..change(PieceFate::Renamed(before), &new[at], lines[at]) },
            ));
        }
    }
    // The end of a block follows from its beginning.
    let is_implied =
        |change: &FileChange| change.kind == PieceKind::Close && !matches!(change.fate, PieceFate::Edited(_));
    found.retain(|(_, _, change)| change.kind != PieceKind::Blank && !is_implied(change));
    found.sort_by_key(|(at, order, _)| (*at, *order));
    found.into_iter().map(|(_, _, change)| change).collect()
}

fn change(fate: PieceFate, piece: &Piece, line: usize) -> FileChange {
    let (kind, is_prose) = (piece.kind, piece.section == SectionKind::Prose);
    FileChange { fate, kind, text: first_line(&piece.text), line, is_prose }
}

fn statements(count: usize) -> String {
    if count == 1 { "one statement".to_owned() } else { format!("{count} statements") }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// Returns the line at which each piece begins, and the one after the last.
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

impl FileChange {
    /// Describes the change.
    pub fn words(&self) -> String {
        let what = self.kind.label();
        match &self.fate {
            PieceFate::Added => format!("{what} added: {}", self.text),
            PieceFate::Deleted => format!("{what} deleted: {}", self.text),
            PieceFate::Edited(before) => format!("{what} changed: {before} -> {}", self.text),
            PieceFate::Moved => format!("{what} moved: {}", self.text),
            PieceFate::Drawn(count) => format!("{what} drawn around {}: {}", statements(*count), self.text),
            PieceFate::Taken(count) => {
                format!("{what} taken away from around {}: {}", statements(*count), self.text)
            }
            PieceFate::Renamed(before) => format!("renamed: {before} -> {}", self.text),
        }
    }
}
