//! Sources: files, spans in them, lines and columns.
//!
//! A [`Span`] is three numbers; [`Sources`] turns it back into a file name, a line and a column for a report.
//! Nothing in the kernel parses the text.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::id;
use crate::id::IdVec;

id! {
    /// One file, or one text given on standard input.
    FileId
}

/// The folder of each file. A repository holds many systems; what lies in one folder is taken to belong together where an
/// answer depends on what is *not* there.
pub type Folders = BTreeMap<FileId, String>;

/// A range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a span runs forwards");
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that holds both; `self` if they stand in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the start of this one.
    pub fn at_start(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// The bytes as a range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether all of another span lies inside.
    pub fn encloses(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Whether the byte at `offset` lies inside.
    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }
}

/// The place of a model element. Two elements that say the same are equal wherever they stand, so all places compare
/// equal; use the [`Span`] inside to tell places apart.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub Span);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Place {}
impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Place {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}
impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}
impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Place(span)
    }
}

/// One file: its name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user would write it, `<stdin>` for standard input.
    pub name: String,
    /// The whole text, unchanged.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
}

/// A position in a file, line and column from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Source {
    fn new(name: String, text: Arc<str>) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        Self { name, text, line_starts }
    }

    /// Line and column of a byte offset; offsets past the end count as the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let before = self.text.get(start..offset as usize).unwrap_or_default();
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// Where a line (from 1) begins; the end of the text past the last one.
    pub fn line_start(&self, line: u32) -> u32 {
        let start = (line as usize).checked_sub(1).and_then(|line| self.line_starts.get(line));
        start.copied().unwrap_or(self.text.len() as u32)
    }

    /// The text of a line (from 1) without its line break; empty past the end.
    pub fn line(&self, line: u32) -> &str {
        let Some(start) = self.line_starts.get(line as usize - 1) else {
            return "";
        };
        let end = self.line_starts.get(line as usize).map_or(self.text.len(), |next| *next as usize);
        self.text[*start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

/// All files of one invocation.
///
/// A server reads the same files again and again. After [`age`](Sources::age) a file that is added under a name that was there before
/// keeps its id, so that what was made of an unchanged text stays true.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: IdVec<FileId, Arc<Source>>,
    /// The first file of each name.
    names: HashMap<Arc<str>, FileId>,
    /// Files of an earlier reading, by name.
    aged: HashMap<Arc<str>, FileId>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let (name, text) = (name.into(), text.into());
        if let Some((key, file)) = self.aged.remove_entry(name.as_str()) {
            if self.files[file].text != text {
                self.files[file] = Arc::new(Source::new(name, text));
            }
            self.names.insert(key, file);
            return file;
        }
        let key: Arc<str> = name.as_str().into();
        let file = self.files.push(Arc::new(Source::new(name, text)));
        self.names.entry(key).or_insert(file);
        file
    }

    /// Takes all files for those of an earlier reading.
    pub fn age(&mut self) {
        self.aged.extend(self.names.drain());
    }

    /// The file of this name of an earlier reading, which is taken to be unchanged from now on.
    pub fn keep(&mut self, name: &str) -> Option<FileId> {
        let (key, file) = self.aged.remove_entry(name)?;
        self.names.insert(key, file);
        Some(file)
    }

    /// The first file of this name.
    pub fn named(&self, name: &str) -> Option<FileId> {
        self.names.get(name).copied()
    }

    /// Gives a file another text.
    pub fn replace(&mut self, file: FileId, text: impl Into<Arc<str>>) {
        let name = self.files[file].name.clone();
        self.files[file] = Arc::new(Source::new(name, text.into()));
    }

    /// The file behind an id.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file]
    }

    /// All files in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.enumerate().map(|(file, source)| (file, &**source))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.files[span.file].text.get(span.range()).unwrap_or_default()
    }

    /// Where a span begins.
    pub fn position(&self, span: Span) -> Position {
        self.files[span.file].position(span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", "één\r\nb -> c\n");
        let at = |start| sources.position(Span::new(file, start, start));
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(5), Position { line: 1, column: 4 });
        assert_eq!(at(7), Position { line: 2, column: 1 });
        assert_eq!(at(99), Position { line: 3, column: 1 });
        assert_eq!(sources.get(file).line(1), "één");
        assert_eq!(sources.get(file).line(9), "");
    }

    #[test]
    fn files_keep_their_ids_when_they_are_read_again() {
        let mut sources = Sources::new();
        let (a, b) = (sources.add("a", "1"), sources.add("b", "2"));
        assert_ne!(sources.add("a", "1"), a, "a file that is given twice is two files");
        sources.age();
        assert_eq!((sources.named("a"), sources.add("b", "3"), sources.keep("a")), (None, b, Some(a)));
        assert_eq!((&*sources.get(b).text, sources.named("a")), ("3", Some(a)));
        assert_eq!(sources.keep("a"), None);
        assert!(sources.add("c", "4") > b);
    }
}
