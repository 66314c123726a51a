//! Drafts: a merged file with its choices open, and its text in an order.

use std::ops::Range;

use crate::merge::read::TextFormat;
use crate::merge::side::{Interleaving, RevisionSide};
use crate::merge::threeway::{Chunk, Conflict, MergeChoice};

/// A merged file before its choices are decided.
#[derive(Clone, Debug)]
pub struct MergeDraft {
    /// Its chunks.
    pub(in crate::merge) chunks: Vec<Chunk>,
    pub(super) format: TextFormat,
    /// Notes for the user: renamed participants, messages that stay.
    pub(in crate::merge) notes: Vec<String>,
    pub(super) layout: ChunkLayout,
}

/// How the texts of chunks are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChunkLayout {
    /// Each is lines of its own.
    Lines,
    /// They hold their line breaks themselves, and need not end with one.
    Exact,
}

/// Where a chunk, or an atom of a choice, stands in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::merge) struct PlacedChunk {
    /// The index of the chunk.
    pub chunk: usize,
    /// For an atom of a choice: the side that added it, and its index there.
    pub atom: Option<(RevisionSide, usize)>,
    /// Its bytes.
    pub range: Range<usize>,
}

/// How conflicts are marked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConflictMarks {
    /// The name of our version.
    pub ours: String,
    /// The name of their version.
    pub theirs: String,
    /// The name of the base, if its lines are shown too.
    pub base: Option<String>,
}

impl Default for ConflictMarks {
    fn default() -> Self {
        ConflictMarks { ours: "ours".to_owned(), theirs: "theirs".to_owned(), base: None }
    }
}

impl MergeDraft {
    /// Returns the choices, with the indices of their chunks.
    pub(in crate::merge) fn choices(&self) -> impl Iterator<Item = (usize, &MergeChoice)> {
        self.chunks.iter().enumerate().filter_map(|(number, chunk)| match chunk {
            Chunk::Choice(choice) => Some((number, choice)),
            Chunk::Text(_) | Chunk::Conflict(_) => None,
        })
    }

    /// Returns the conflicts.
    pub fn conflicts(&self) -> impl Iterator<Item = &Conflict> {
        self.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Conflict(conflict) => Some(conflict),
            Chunk::Text(_) | Chunk::Choice(_) => None,
        })
    }

    /// Returns the order in which each choice takes one side after the other.
    pub fn plain_order(&self, first: RevisionSide) -> Interleaving {
        self.choices().flat_map(|(_, choice)| choice.plain_order(first)).collect()
    }

    /// Returns the text with the choices in an order; a conflict shows our version.
    pub fn text(&self, order: &[RevisionSide]) -> String {
        self.arranged(order, None).0
    }

    /// Returns the text with the choices in an order, and where its parts stand. A conflict shows our version, or both between markers.
    pub(in crate::merge) fn arranged(
        &self,
        order: &[RevisionSide],
        marks: Option<&ConflictMarks>,
    ) -> (String, Vec<PlacedChunk>) {
        let mut page = MergedText { lines: None, placed: Vec::new(), layout: self.layout, is_marked: false };
        let mut order = order;
        for (number, chunk) in self.chunks.iter().enumerate() {
            match chunk {
                Chunk::Text(lines) => page.write(number, None, [lines.text.as_str()]),
                Chunk::Choice(choice) => {
                    let (own, rest) = order.split_at(choice.count().min(order.len()));
                    order = rest;
                    let mut numbers = [0, 0];
                    for (side, atom) in choice.arranged(own) {
                        let at = &mut numbers[side as usize];
                        page.write(number, Some((side, *at)), atom.lines.iter().map(|one| one.text.as_str()));
                        *at += 1;
                    }
                }
                Chunk::Conflict(conflict) => match (self.layout, marks) {
                    (ChunkLayout::Exact, Some(marks)) => page.write_marked(number, conflict, marks),
                    (ChunkLayout::Lines | ChunkLayout::Exact, _) => {
                        page.write(number, None, conflict.lines(marks).iter().map(String::as_str));
                    }
                },
            }
        }
        (page.lines.unwrap_or_default(), page.placed)
    }

    /// Returns the draft with all conflicts resolved for one side.
    pub(in crate::merge) fn resolved_for(&self, side: RevisionSide) -> MergeDraft {
        let mut resolved = self.clone();
        for chunk in &mut resolved.chunks {
            if let (Chunk::Conflict(conflict), RevisionSide::Theirs) = (chunk, side) {
                conflict.sides.swap(0, 1);
            }
        }
        resolved
    }

    /// Returns the text with all conflicts resolved for one side, and without what the other side alone added.
    pub(in crate::merge) fn taken_from(&self, side: RevisionSide) -> String {
        let mut taken = self.resolved_for(side);
        for chunk in &mut taken.chunks {
            if let Chunk::Choice(choice) = chunk {
                choice.sides[side.other() as usize].retain(|atom| atom.is_old);
            }
        }
        taken.text(&taken.plain_order(side))
    }

    /// Returns the merged file.
    pub fn bytes(&self, order: &[RevisionSide], marks: &ConflictMarks) -> Vec<u8> {
        let (lines, placed) = self.arranged(order, Some(marks));
        if placed.is_empty() { Vec::new() } else { self.format.encode(&lines) }
    }
}

impl Conflict {
    /// Returns both versions between markers; without markers our version.
    fn lines(&self, marks: Option<&ConflictMarks>) -> Vec<String> {
        let [ours, theirs] = &self.sides;
        let Some(marks) = marks else { return ours.clone() };
        let mut lines = vec![format!("<<<<<<< {} ({})", marks.ours, self.why)];
        lines.extend(ours.iter().cloned());
        if let Some(base) = &marks.base {
            lines.push(format!("||||||| {base}"));
            lines.extend(self.base.iter().cloned());
        }
        lines.push("=======".to_owned());
        lines.extend(theirs.iter().cloned());
        lines.push(format!(">>>>>>> {}", marks.theirs));
        lines
    }
}

/// A text that is being written.
struct MergedText {
    /// `None`: no line yet, not even an empty one.
    lines: Option<String>,
    placed: Vec<PlacedChunk>,
    layout: ChunkLayout,
    /// Whether a mark was written last, which ends its line.
    is_marked: bool,
}

impl MergedText {
    fn write<'t>(
        &mut self,
        chunk: usize,
        atom: Option<(RevisionSide, usize)>,
        texts: impl IntoIterator<Item = &'t str>,
    ) {
        let mut range: Option<Range<usize>> = None;
        for text in texts {
            let is_marked = std::mem::take(&mut self.is_marked);
            let lines = match &mut self.lines {
                Some(lines) => {
                    if self.layout == ChunkLayout::Lines || is_marked && !text.starts_with('\n') {
                        lines.push('\n');
                    }
                    lines
                }
                None => self.lines.insert(String::new()),
            };
            let start = lines.len();
            lines.push_str(text);
            range = Some(range.map_or(start, |range| range.start)..lines.len());
        }
        self.placed.extend(range.map(|range| PlacedChunk { chunk, atom, range }));
    }

    /// Writes both versions of a conflict between marks, each mark on a line of its own.
    fn write_marked(&mut self, chunk: usize, conflict: &Conflict, marks: &ConflictMarks) {
        let whole = |texts: &[String]| {
            let text = texts.concat();
            let text = text.strip_prefix('\n').unwrap_or(&text);
            if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
        };
        let before = self.lines.as_deref().unwrap_or_default();
        let mut text =
            if before.is_empty() || before.ends_with('\n') { String::new() } else { "\n".to_owned() };
        text += &format!("<<<<<<< {} ({})\n{}", marks.ours, conflict.why, whole(&conflict.sides[0]));
        if let Some(base) = &marks.base {
            text += &format!("||||||| {base}\n{}", whole(&conflict.base));
        }
        text += &format!("=======\n{}>>>>>>> {}", whole(&conflict.sides[1]), marks.theirs);
        self.write(chunk, None, [text.as_str()]);
        self.is_marked = true;
    }
}
