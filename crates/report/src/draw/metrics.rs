//! How much room a character takes.
//!
//! A drawing measures text through a [`Ruler`], in thousandths of its own unit. SVG and PNG use the advance
//! widths of the bundled fonts ([`Fonts`]); the terminal counts cells ([`TerminalCells`]). Kerning is left out: it
//! nearly always makes text narrower, and a box that is a pixel too wide does no harm.
//!
//! Noto Sans is wider than the usual fallbacks (Segoe UI, Helvetica, Arial), so a viewer without it still sees text
//! that fits. Characters no bundled font has are taken as wide as a terminal would show them: one em for CJK and emoji.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use miniz_oxide::inflate::decompress_to_vec;
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider};
use unicode_width::UnicodeWidthChar;

use crate::draw::markup::StyledText;

/// What a text is in the drawing; decides its size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextRole {
    /// The diagram's title.
    Title,
    /// The name in the head of a lifeline.
    Head,
    /// Everything that is said along an arrow.
    Message,
    /// The text of a note, a state, a reference, a divider.
    Note,
    /// Operators, guards, captions of boxes.
    Frame,
}

impl TextRole {
    /// Height of the letters in pixels (the em).
    pub fn size(self) -> i32 {
        match self {
            TextRole::Title => 18,
            TextRole::Head => 14,
            TextRole::Message | TextRole::Note => 13,
            TextRole::Frame => 12,
        }
    }
}

/// The shape of the letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Face {
    Regular,
    Bold,
    Italic,
    Mono,
}

impl Face {
    /// The face a span is set in.
    pub fn of(span: &StyledText) -> Face {
        match (span.mono, span.bold, span.italic) {
            (true, _, _) => Face::Mono,
            (_, true, _) => Face::Bold,
            (_, _, true) => Face::Italic,
            (false, false, false) => Face::Regular,
        }
    }
}

/// Measures text in the unit of one kind of drawing.
pub(crate) trait Ruler {
    /// Width of a character, in thousandths of the unit.
    fn advance(&self, character: char, face: Face, role: TextRole) -> i32;
    /// Distance between two lines of text, in units.
    fn line_height(&self, role: TextRole) -> i32;
}

/// Pixels, by the bundled fonts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fonts;

impl Ruler for Fonts {
    fn advance(&self, character: char, face: Face, role: TextRole) -> i32 {
        per_mille(character, face) * role.size()
    }

    fn line_height(&self, role: TextRole) -> i32 {
        match role {
            TextRole::Title => 25,
            TextRole::Head => 19,
            TextRole::Message | TextRole::Note => 17,
            TextRole::Frame => 16,
        }
    }
}

/// Character cells of a terminal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TerminalCells;

impl Ruler for TerminalCells {
    fn advance(&self, character: char, _: Face, _: TextRole) -> i32 {
        cells(character) * 1000
    }

    fn line_height(&self, _: TextRole) -> i32 {
        1
    }
}

/// How many terminal cells a character takes.
pub fn cells(character: char) -> i32 {
    character.width().unwrap_or(0) as i32
}

/// The bytes of the bundled fonts: one for each [`Face`] in order, then emoji.
pub fn bundled() -> [&'static [u8]; 5] {
    FONTS.each_ref().map(|font| font.bytes)
}

/// The characters of a text that are seen and that no bundled font has.
pub fn missing(text: &str) -> BTreeSet<char> {
    let is_known = |c: char| FONTS.iter().any(|font| font.characters.map(c).is_some());
    text.chars().filter(|c| !c.is_ascii() && cells(*c) > 0 && !is_known(*c)).collect()
}

/// Those of some characters that a font has; none if the bytes are no font.
pub fn covered(font: &[u8], characters: &BTreeSet<char>) -> BTreeSet<char> {
    let Ok(font) = FontRef::from_index(font, 0) else { return BTreeSet::new() };
    let charmap = font.charmap();
    characters.iter().copied().filter(|c| charmap.map(*c).is_some()).collect()
}

/// The bundled fonts, as the build script packed them. Each is unpacked when something is measured or drawn with it: that takes
/// a millisecond, and packed they are two fifths smaller.
static FONTS: [LazyLock<Font>; 5] = [
    LazyLock::new(|| Font::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/regular")))),
    LazyLock::new(|| Font::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/bold")))),
    LazyLock::new(|| Font::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/italic")))),
    LazyLock::new(|| Font::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/mono")))),
    LazyLock::new(|| Font::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/emoji")))),
];

const ASCII: usize = 128;

/// A font, and what is needed of it to measure.
struct Font {
    bytes: &'static [u8],
    characters: Charmap<'static>,
    glyphs: GlyphMetrics<'static>,
    units_per_em: i32,
    /// The widths of ASCII, which are asked for most.
    ascii: [Option<i32>; ASCII],
}

impl Font {
    fn unpack(packed: &[u8]) -> Self {
        let bytes = decompress_to_vec(packed).expect("the build script packed it").leak();
        let font = FontRef::new(bytes).expect("the bundled fonts are valid");
        let (size, location) = (Size::unscaled(), LocationRef::default());
        let mut font = Font {
            bytes,
            characters: font.charmap(),
            glyphs: font.glyph_metrics(size, location),
            units_per_em: i32::from(font.metrics(size, location).units_per_em),
            ascii: [None; ASCII],
        };
        font.ascii = std::array::from_fn(|code| font.look_up(char::from(code as u8)));
        font
    }

    /// The width of a character in thousandths of an em, if the font has it.
    fn per_mille(&self, character: char) -> Option<i32> {
        match self.ascii.get(character as usize) {
            Some(width) => *width,
            None => self.look_up(character),
        }
    }

    fn look_up(&self, character: char) -> Option<i32> {
        let width = self.glyphs.advance_width(self.characters.map(character)?)?;
        // Unscaled widths are whole numbers of units.
        Some(width as i32 * 1000 / self.units_per_em)
    }
}

/// The width of a character in thousandths of an em: in its own face, or in the font that has it.
fn per_mille(character: char, face: Face) -> i32 {
    let [.., mono, emoji] = &FONTS;
    let own = &FONTS[face as usize];
    [own, mono, emoji]
        .into_iter()
        .find_map(|font| font.per_mille(character))
        .unwrap_or_else(|| estimate(character))
}

fn estimate(character: char) -> i32 {
    match cells(character) {
        0 => 0,
        1 => 600,
        _ => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_follow_the_font() {
        let width = |c| Fonts.advance(c, Face::Regular, TextRole::Message);
        assert!(width('i') < width('m'));
        assert_eq!(width('語'), 13_000);
        assert_eq!(width('\u{301}'), 0);
        assert!(width('→') > 0);
        assert_eq!(
            Fonts.advance('i', Face::Mono, TextRole::Note),
            Fonts.advance('W', Face::Mono, TextRole::Note)
        );
    }

    #[test]
    fn what_no_font_has_is_missing() {
        assert_eq!(missing("pay → ä 😀 \u{301}"), BTreeSet::new());
        assert_eq!(missing("a漢b語"), BTreeSet::from(['漢', '語']));
        assert_eq!(covered(bundled()[0], &BTreeSet::from(['a', '漢'])), BTreeSet::from(['a']));
        assert_eq!(covered(b"no font", &BTreeSet::from(['a'])), BTreeSet::new());
    }

    #[test]
    fn terminals_count_cells() {
        assert_eq!([cells('a'), cells('語'), cells('\u{301}'), cells('\u{7}')], [1, 2, 0, 0]);
    }
}
