//! Pieces: a file cut into lines that belong together, each with what it says.
//!
//! A piece is a statement of a diagram with all its lines, or one line of anything else. Two pieces are the same if their
//! lines are, indentation aside (in prose it counts); they are alike if one could be an edited version of the other: a
//! message with the same ends, a participant with the same name. The pieces of a file, joined, are the file.

use sequent_kernel::source::{FileId, Sources};
use sequent_notation::tree::lossless::{self, Leaf, LeafKind, Role};
use sequent_notation::tree::{Content, Document};

use super::said::{Said, said};

/// Where a piece stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Zone {
    /// Outside of diagrams, or in one of a kind that is not read.
    Prose,
    /// In a sequence diagram.
    Sequence,
    /// In a diagram in which the order of statements says nothing.
    Set,
}

/// What kind of thing a piece says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Word {
    Line,
    Blank,
    Comment,
    Preprocessor,
    Presentation,
    Title,
    Unknown,
    Participant,
    Message,
    Return,
    Together,
    Reference,
    Note,
    Life,
    Create,
    Separator,
    Statement,
    Open,
    Divide,
    Close,
}

impl Word {
    /// What it does to the nesting of blocks.
    pub fn role(self) -> Role {
        match self {
            Word::Open => Role::Open,
            Word::Divide => Role::Divide,
            Word::Close => Role::Close,
            Word::Line
            | Word::Blank
            | Word::Comment
            | Word::Preprocessor
            | Word::Presentation
            | Word::Title
            | Word::Unknown
            | Word::Participant
            | Word::Message
            | Word::Return
            | Word::Together
            | Word::Reference
            | Word::Note
            | Word::Life
            | Word::Create
            | Word::Separator
            | Word::Statement => Role::Plain,
        }
    }

    /// Whether it is something that happens.
    pub fn is_event(self) -> bool {
        match self {
            Word::Message | Word::Return | Word::Reference | Word::Open | Word::Statement => true,
            Word::Line
            | Word::Blank
            | Word::Comment
            | Word::Preprocessor
            | Word::Presentation
            | Word::Title
            | Word::Unknown
            | Word::Participant
            | Word::Together
            | Word::Note
            | Word::Life
            | Word::Create
            | Word::Separator
            | Word::Divide
            | Word::Close => false,
        }
    }
}

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its lines, without the last line break.
    pub text: String,
    /// What makes it the same as another one.
    pub key: String,
    /// Where it stands.
    pub zone: Zone,
    /// The number of its diagram in the file.
    pub diagram: Option<usize>,
    /// What it is.
    pub word: Word,
    /// What it is about: both ends of a message, a participant's name, a block's keyword.
    pub subject: String,
    /// What it says about it.
    pub detail: String,
    /// Whether it answers an earlier message.
    pub is_answer: bool,
    /// Names of participants in it, and where they stand in its text.
    pub names: Vec<(String, std::ops::Range<usize>)>,
}

impl Piece {
    /// A line of prose.
    pub fn line(text: &str) -> Self {
        let word = if text.trim().is_empty() { Word::Blank } else { Word::Line };
        Piece {
            text: text.to_owned(),
            key: text.to_owned(),
            zone: Zone::Prose,
            diagram: None,
            word,
            subject: String::new(),
            detail: String::new(),
            is_answer: false,
            names: Vec::new(),
        }
    }

    /// Whether two pieces say the same.
    pub fn is_same(&self, other: &Piece) -> bool {
        (self.zone, self.word, &self.key) == (other.zone, other.word, &other.key)
    }

    /// The name of a message: what it says up to its arguments.
    pub fn name(&self) -> &str {
        self.detail.split('(').next().unwrap_or_default().trim()
    }
}

/// How much speaks for one piece being an edited version of the other; 0 if nothing does.
pub fn likeness(one: &Piece, other: &Piece) -> u32 {
    if (one.zone, one.word) != (other.zone, other.word) || one.zone == Zone::Prose {
        return 0;
    }
    let is_about = one.subject == other.subject;
    match one.word {
        Word::Message | Word::Return | Word::Reference | Word::Statement => {
            let is_named = !one.name().is_empty() && one.name() == other.name();
            match (is_about, one.detail == other.detail && is_named, is_named) {
                (true, true, _) => 44,
                (true, false, true) => 40,
                (false, true, _) => 32,
                (false, false, true) => 28,
                // An answer that says something else is none of the messages that go the same way.
                (true, false, false) if one.is_answer != other.is_answer => 0,
                (true, false, false) if resemble(&one.detail, &other.detail) => 24,
                (true, false, false) => 16,
                (false, false, false) => 0,
            }
        }
        Word::Participant | Word::Open => 20 * u32::from(is_about),
        Word::Title | Word::Divide => 20,
        Word::Comment
        | Word::Note
        | Word::Presentation
        | Word::Unknown
        | Word::Preprocessor
        | Word::Separator => 16 * u32::from(resemble(&one.key, &other.key)),
        Word::Line | Word::Blank | Word::Together | Word::Life | Word::Create | Word::Close => 0,
    }
}

/// Whether at least half of the words of two texts are common.
fn resemble(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let (one, mut other) = (words(one), words(other));
    let total = one.len() + other.len();
    let common = one.iter().filter(|word| {
        let at = other.iter().position(|known| known == *word);
        at.map(|at| other.swap_remove(at)).is_some()
    });
    common.count() * 4 >= total && total > 0
}

/// Cuts a file into pieces.
pub fn cut(document: &Document, file: FileId, sources: &Sources) -> Vec<Piece> {
    let text = &sources.get(file).text;
    let said = said(document);
    let blocks: Vec<(u32, u32, Zone)> = document
        .blocks
        .iter()
        .filter(|block| block.span.file == file)
        .map(|block| {
            let zone = match &block.content {
                Content::Sequence(_) => Zone::Sequence,
                Content::State(_) | Content::Class(_) => Zone::Set,
                Content::Other(_) => Zone::Prose,
            };
            (block.span.start, block.span.end, zone)
        })
        .collect();
    let mut cutter = Cutter { pieces: Vec::new() };
    for leaf in lossless::cut(document, text.len()).leaves() {
        let inside = blocks.iter().position(|(start, end, _)| (*start..*end).contains(&leaf.span.start));
        let zone = inside.map_or(Zone::Prose, |number| blocks[number].2);
        cutter.leaf(leaf, sources.text(leaf.span), (zone, inside), said.get(&leaf.span.start));
    }
    cutter.pieces
}

struct Cutter {
    pieces: Vec<Piece>,
}

impl Cutter {
    fn leaf(&mut self, leaf: Leaf, text: &str, (zone, diagram): (Zone, Option<usize>), said: Option<&Said>) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let is_alone = match leaf.kind {
            LeafKind::Prose | LeafKind::Blank => true,
            LeafKind::Comment
            | LeafKind::Directive
            | LeafKind::Preprocessor
            | LeafKind::Presentation
            | LeafKind::Unknown
            | LeafKind::Statement
            | LeafKind::Open
            | LeafKind::Divide
            | LeafKind::Close => zone == Zone::Prose,
        };
        if is_alone {
            let lines = text.split('\n').map(Piece::line);
            let in_diagram = |piece: Piece| match zone {
                Zone::Prose => Piece { diagram, ..piece },
                Zone::Sequence | Zone::Set => {
                    let key = trimmed(&piece.text);
                    let word = if key.is_empty() { Word::Blank } else { Word::Unknown };
                    Piece { zone, diagram, word, key, ..piece }
                }
            };
            return self.pieces.extend(lines.map(in_diagram));
        }
        let mut piece =
            Piece { zone, diagram, word: word(leaf.kind), key: trimmed(text), ..Piece::line(text) };
        if let Some(said) = said {
            piece.is_answer = said.is_answer;
            (piece.word, piece.subject, piece.detail) =
                (said.word.unwrap_or(piece.word), said.subject.clone(), said.detail.clone());
            let start = leaf.span.start as usize;
            let inside = |name: &&(String, std::ops::Range<usize>)| {
                let (from, to) = (name.1.start.wrapping_sub(start), name.1.end.wrapping_sub(start));
                text.get(from..to).is_some()
            };
            let names = said.names.iter().filter(inside);
            piece.names = names.map(|(name, at)| (name.clone(), at.start - start..at.end - start)).collect();
        }
        self.pieces.push(piece);
    }
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

fn word(kind: LeafKind) -> Word {
    match kind {
        LeafKind::Prose => Word::Line,
        LeafKind::Blank => Word::Blank,
        LeafKind::Comment | LeafKind::Directive => Word::Comment,
        LeafKind::Preprocessor => Word::Preprocessor,
        LeafKind::Presentation => Word::Presentation,
        LeafKind::Unknown => Word::Unknown,
        LeafKind::Statement => Word::Statement,
        LeafKind::Open => Word::Open,
        LeafKind::Divide => Word::Divide,
        LeafKind::Close => Word::Close,
    }
}
