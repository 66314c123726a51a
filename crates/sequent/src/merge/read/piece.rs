//! Pieces: a file cut into lines that belong together, the units that are compared.
//!
//! A piece is a statement of a diagram with all its lines, or one line of anything else. Two pieces are the same if their
//! lines are, indentation aside (in prose it counts); they are similar if one could be an edited version of the other: a
//! message with the same ends, a participant with the same name. The pieces of a file, joined, are the file.

use std::ops::Range;

use sequent_kernel::source::Sources;
use sequent_notation::tree::lossless::{self, LeafKind, LineGroup};
use sequent_notation::tree::{DiagramContent, Document};

use super::facts::{StatementFacts, facts};
use super::kind::PieceKind;
use super::topic::Topic;

/// The kind of section that a piece stands in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SectionKind {
    /// Text outside of diagrams, or a diagram of a kind that is not read.
    Prose,
    /// A sequence diagram.
    Sequence,
    /// A diagram in which the order of statements has no meaning.
    Unordered,
}

/// A piece of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its lines, without the last line break.
    pub text: String,
    /// What pieces that are the same have in common: the text, without indentation in diagrams.
    pub key: String,
    /// The kind of section that it stands in.
    pub section: SectionKind,
    /// The index of its diagram in the file.
    pub diagram: Option<usize>,
    /// What it is.
    pub kind: PieceKind,
    /// What it is about.
    pub topic: Topic,
    /// What it says about that.
    pub detail: String,
    /// Whether it answers an earlier message.
    pub is_answer: bool,
    /// The names of participants in it, and their places in its text.
    pub names: Vec<(String, Range<usize>)>,
}

impl Piece {
    /// Returns a line of prose.
    pub fn line(text: &str) -> Self {
        let kind = if text.trim().is_empty() { PieceKind::Blank } else { PieceKind::Line };
        Piece {
            text: text.to_owned(),
            key: text.to_owned(),
            section: SectionKind::Prose,
            diagram: None,
            kind,
            topic: Topic::default(),
            detail: String::new(),
            is_answer: false,
            names: Vec::new(),
        }
    }

    /// Whether two pieces are the same.
    pub(in crate::merge) fn is_same(&self, other: &Piece) -> bool {
        (self.section, self.kind, &self.key) == (other.section, other.kind, &other.key)
    }

    /// Returns the name of a message: its text up to the arguments.
    pub(in crate::merge) fn name(&self) -> &str {
        self.detail.split('(').next().unwrap_or_default().trim()
    }

    /// Whether a participant is named in it.
    pub(in crate::merge) fn mentions(&self, name: &str) -> bool {
        self.names.iter().any(|(known, _)| known == name)
    }
}

/// Returns how similar two different pieces are; 0 if neither can be an edited version of the other.
pub(in crate::merge) fn similarity(one: &Piece, other: &Piece) -> u32 {
    if (one.section, one.kind) != (other.section, other.kind) || one.section == SectionKind::Prose {
        return 0;
    }
    let is_about = one.topic == other.topic;
    match one.kind {
        PieceKind::Message | PieceKind::Return | PieceKind::Reference | PieceKind::Statement => {
            let is_named = !one.name().is_empty() && one.name() == other.name();
            match (is_about, one.detail == other.detail && is_named, is_named) {
                (true, true, _) => 44,
                (true, false, true) => 40,
                (false, true, _) => 32,
                (false, false, true) => 28,
                // An answer with another text is no edited version of a call in the same direction.
                (true, false, false) if one.is_answer != other.is_answer => 0,
                (true, false, false) if share_words(&one.detail, &other.detail) => 24,
                (true, false, false) => 16,
                (false, false, false) => 0,
            }
        }
        PieceKind::Participant | PieceKind::Open => 20 * u32::from(is_about),
        PieceKind::Title | PieceKind::Divide => 20,
        PieceKind::Comment
        | PieceKind::Note
        | PieceKind::Presentation
        | PieceKind::Unknown
        | PieceKind::Preprocessor
        | PieceKind::Separator => 16 * u32::from(share_words(&one.key, &other.key)),
        PieceKind::Line
        | PieceKind::Element
        | PieceKind::Blank
        | PieceKind::Together
        | PieceKind::Life
        | PieceKind::Create
        | PieceKind::Close => 0,
    }
}

/// Whether two texts have at least half of their words in common.
fn share_words(one: &str, other: &str) -> bool {
    let mut rest: Vec<&str> = other.split_whitespace().collect();
    let total = one.split_whitespace().count() + rest.len();
    let is_common = |word: &&str| {
        let at = rest.iter().position(|known| known == word);
        at.map(|at| rest.swap_remove(at)).is_some()
    };
    one.split_whitespace().filter(is_common).count() * 4 >= total && total > 0
}

/// Cuts a file into pieces.
pub(super) fn cut(document: &Document, sources: &Sources) -> Vec<Piece> {
    let facts = facts(document);
    let blocks: Vec<(Range<u32>, SectionKind)> = document
        .blocks
        .iter()
        .filter(|block| block.span.file == document.file)
        .map(|block| {
            let section = match &block.content {
                DiagramContent::Sequence(_) => SectionKind::Sequence,
                DiagramContent::State(_) | DiagramContent::Class(_) => SectionKind::Unordered,
                DiagramContent::Other(_) => SectionKind::Prose,
            };
            (block.span.start..block.span.end, section)
        })
        .collect();
    let mut pieces = Vec::new();
    for leaf in lossless::cut(document, sources.get(document.file).text.len()).leaves() {
        let diagram = blocks.iter().position(|(range, _)| range.contains(&leaf.span.start));
        let section = diagram.map_or(SectionKind::Prose, |number| blocks[number].1);
        let text = sources.text(leaf.span);
        let text = text.strip_suffix('\n').unwrap_or(text);
        if matches!(leaf.kind, LeafKind::Prose | LeafKind::Blank) || section == SectionKind::Prose {
            pieces.extend(lines(text, section, diagram));
        } else {
            pieces.push(statement(leaf, text, (section, diagram), facts.get(&leaf.span.start)));
        }
    }
    pieces
}

/// The lines of a text that is no statement, each a piece.
fn lines(text: &str, section: SectionKind, diagram: Option<usize>) -> impl Iterator<Item = Piece> {
    text.split('\n').map(Piece::line).map(move |piece| match section {
        SectionKind::Prose => Piece { diagram, ..piece },
        SectionKind::Sequence | SectionKind::Unordered => {
            let key = unindented(&piece.text);
            let kind = if key.is_empty() { PieceKind::Blank } else { PieceKind::Unknown };
            Piece { section, diagram, kind, key, ..piece }
        }
    })
}

fn statement(
    leaf: LineGroup,
    text: &str,
    (section, diagram): (SectionKind, Option<usize>),
    facts: Option<&StatementFacts>,
) -> Piece {
    let kind = PieceKind::from(leaf.kind);
    let mut piece = Piece { section, diagram, kind, key: unindented(text), ..Piece::line(text) };
    if let Some(facts) = facts {
        piece.is_answer = facts.is_answer;
        piece.kind = facts.kind.unwrap_or(piece.kind);
        (piece.topic, piece.detail) = (facts.topic.clone(), facts.detail.clone());
        let start = leaf.span.start as usize;
        let names = facts
            .names
            .iter()
            .map(|(name, at)| (name.clone(), at.start.wrapping_sub(start)..at.end.wrapping_sub(start)));
        piece.names = names.filter(|(_, at)| text.get(at.clone()).is_some()).collect();
    }
    piece
}

/// Returns a text with every line trimmed.
pub(in crate::merge) fn unindented(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}
