//! Labels: texts broken into lines and measured.
//!
//! A label keeps its own line breaks and wraps what is wider than allowed: after a space if it can, else after a mark
//! that ends a part of a name (`/`, `.`, `_`, ..), before arguments, or beside a character that needs no space (CJK),
//! else anywhere. Wrapped lines are evened out: the narrowest width that needs no further line wins, so that no last
//! word stands alone.

use crate::draw::markup::{self, StyledText};
use crate::draw::metrics::{Face, Ruler, TextRole, cells};

/// A space at which no line may end.
pub(crate) const FIXED_SPACE: char = '\u{a0}';

/// A measured block of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasuredLabel {
    /// Lines from top to bottom.
    pub lines: Vec<LabelLine>,
    /// The widest line.
    pub width: i32,
    /// All lines together.
    pub height: i32,
    /// Distance from line to line.
    pub(crate) line_height: i32,
    /// What the text is.
    pub role: TextRole,
    /// Whether a line was too wide and had to be broken.
    pub wrapped: bool,
}

/// One line of a label.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LabelLine {
    /// The text in pieces of one look.
    pub spans: Vec<StyledText>,
    /// Its width.
    pub width: i32,
}

impl LabelLine {
    /// The text without its looks.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// The lines of a text with their marks; notes may hold lists.
pub fn lines(text: &str, role: TextRole) -> Vec<Vec<StyledText>> {
    match role {
        TextRole::Note => markup::parse(&markup::with_lists(text)),
        TextRole::Title | TextRole::Head | TextRole::Message | TextRole::Frame => markup::parse(text),
    }
}

impl MeasuredLabel {
    /// Lines of spans, wrapped to `limit` and measured.
    pub(crate) fn from_spans(
        source: Vec<Vec<StyledText>>,
        role: TextRole,
        limit: i32,
        ruler: &dyn Ruler,
    ) -> Self {
        let wrap = |spans: Vec<StyledText>| Glyphs::new(&spans, role, ruler).wrap(limit.max(1));
        let count = source.len();
        let lines: Vec<LabelLine> = source.into_iter().flat_map(wrap).collect();
        let wrapped = lines.len() > count;
        Self { wrapped, ..Self::from_lines(lines, role, ruler) }
    }

    /// Empty lines around a text are no part of it.
    fn from_lines(mut lines: Vec<LabelLine>, role: TextRole, ruler: &dyn Ruler) -> Self {
        let start = lines.iter().position(|line| line.width > 0).unwrap_or(lines.len());
        let end = lines.iter().rposition(|line| line.width > 0).map_or(start, |last| last + 1);
        let lines: Vec<LabelLine> = lines.drain(start..end).collect();
        let line_height = ruler.line_height(role);
        let height = lines.len() as i32 * line_height;
        let width = lines.iter().map(|line| line.width).max().unwrap_or(0);
        Self { lines, width, height, line_height, role, wrapped: false }
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether this is code, whose lines must start where the others do.
    pub fn is_code(&self) -> bool {
        self.lines.iter().filter(|line| line.spans.iter().any(|span| span.mono)).count() > 1
    }

    /// The whole text, lines separated by spaces.
    pub fn text(&self) -> String {
        self.lines.iter().map(LabelLine::text).collect::<Vec<_>>().join(" ")
    }
}

/// The characters of one source line with their widths.
struct Glyphs<'a> {
    spans: &'a [StyledText],
    glyphs: Vec<Glyph>,
    /// Spaces at the start of the text are meant: notes may hold lists. In code they always are.
    keeps_indent: bool,
}

#[derive(Clone, Copy)]
struct Glyph {
    character: char,
    /// Index of the span it comes from.
    span: usize,
    /// In thousandths of the unit.
    width: i32,
}

impl<'a> Glyphs<'a> {
    fn new(spans: &'a [StyledText], role: TextRole, ruler: &dyn Ruler) -> Self {
        let glyphs = spans.iter().enumerate().flat_map(|(index, span)| {
            let face = Face::of(span);
            let glyph = move |character| Glyph {
                character,
                span: index,
                width: ruler.advance(character, face, role),
            };
            span.text.chars().map(glyph)
        });
        Self {
            spans,
            glyphs: glyphs.collect(),
            keeps_indent: role == TextRole::Note || spans.first().is_some_and(|span| span.mono),
        }
    }

    fn wrap(&self, limit: i32) -> Vec<LabelLine> {
        let cuts = self.cuts(limit);
        let cuts = if cuts.ends.len() > 1 { self.even(limit, cuts) } else { cuts };
        let mut start = 0;
        let lines = cuts.ends.into_iter().map(|end| {
            let line = self.line(start, end);
            start = end;
            line
        });
        lines.collect()
    }

    /// The narrowest cuts that give no more lines and tear no more words.
    fn even(&self, limit: i32, cuts: Cuts) -> Cuts {
        let (mut low, mut high, mut best) = (limit / 2, limit, cuts);
        while low < high {
            let middle = low + (high - low) / 2;
            let narrower = self.cuts(middle);
            if narrower.ends.len() <= best.ends.len() && narrower.torn <= best.torn {
                (high, best) = (middle, narrower);
            } else {
                low = middle + 1;
            }
        }
        best
    }

    /// Where lines end if none may be wider than `limit`.
    fn cuts(&self, limit: i32) -> Cuts {
        let limit = i64::from(limit) * 1000;
        let mut cuts = Cuts { ends: Vec::new(), torn: 0 };
        let (mut start, mut width, mut at) = (0, 0_i64, 0);
        let mut breaks = LineBreaks::default();
        while at < self.glyphs.len() {
            let glyph = self.glyphs[at];
            width += i64::from(glyph.width);
            if width > limit && at > start && glyph.character != ' ' {
                let best = breaks.best(limit);
                let end = best.unwrap_or(at);
                cuts.ends.push(end);
                cuts.torn += usize::from(best.is_none());
                (start, width, at, breaks) = (end, 0, end, LineBreaks::default());
                continue;
            }
            at += 1;
            match self.break_after(at - 1) {
                Some(Quality::Space) => breaks.space = Some((at, width)),
                Some(Quality::Mark) => breaks.mark = Some((at, width)),
                None => {}
            }
        }
        cuts.ends.push(self.glyphs.len());
        cuts
    }

    /// How well a line may end after the glyph at `at`.
    fn break_after(&self, at: usize) -> Option<Quality> {
        let character = self.glyphs[at].character;
        let next = self.glyphs.get(at + 1).map(|glyph| glyph.character);
        if character == ' ' {
            return Some(Quality::Space);
        }
        if cells(character) == 2 && next.is_some_and(|next| !"，。、；：？！）」』】》".contains(next))
        {
            return Some(Quality::Space);
        }
        let joins = next.is_some_and(char::is_alphanumeric);
        let ends_name = character.is_alphanumeric() && next == Some('(');
        ("/._-,;:&?=|)}]>".contains(character) && joins || ends_name).then_some(Quality::Mark)
    }

    /// The glyphs `start..end` as a line, without the spaces around a wrapped part.
    fn line(&self, start: usize, end: usize) -> LabelLine {
        let mut glyphs = &self.glyphs[start..end];
        let is_meant = |glyph: &Glyph| start == 0 && (self.keeps_indent || self.spans[glyph.span].mono);
        while glyphs.first().is_some_and(|glyph| glyph.character == ' ' && !is_meant(glyph)) {
            glyphs = &glyphs[1..];
        }
        while glyphs.last().is_some_and(|glyph| glyph.character == ' ') {
            glyphs = &glyphs[..glyphs.len() - 1];
        }
        let width: i64 = glyphs.iter().map(|glyph| i64::from(glyph.width)).sum();
        let spans = glyphs.chunk_by(|a, b| a.span == b.span).map(|run| {
            let shown = |glyph: &Glyph| if glyph.character == FIXED_SPACE { ' ' } else { glyph.character };
            let text = run.iter().map(shown).collect();
            StyledText { text, ..self.spans[run[0].span].clone() }
        });
        LabelLine { spans: spans.collect(), width: ((width + 999) / 1000) as i32 }
    }
}

/// How a line is divided.
struct Cuts {
    /// Where each part ends.
    ends: Vec<usize>,
    /// How many words are torn apart.
    torn: usize,
}

/// What a line may end after.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quality {
    Mark,
    Space,
}

/// The last places where the line may end, and how wide it is up to there.
#[derive(Default)]
struct LineBreaks {
    space: Option<(usize, i64)>,
    mark: Option<(usize, i64)>,
}

impl LineBreaks {
    /// A space, unless that leaves most of the line empty and a mark does better.
    fn best(&self, limit: i64) -> Option<usize> {
        let is_short = |width: i64| width * 5 < limit * 2;
        match (self.space, self.mark) {
            (Some((_, width)), Some((mark, further))) if is_short(width) && further > width => Some(mark),
            (Some((space, _)), _) => Some(space),
            (None, mark) => mark.map(|(mark, _)| mark),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::markup;
    use crate::draw::metrics::TerminalCells;

    fn check(text: &str, limit: i32, expected: &str) {
        let label = MeasuredLabel::from_spans(markup::parse(text), TextRole::Note, limit, &TerminalCells);
        let lines: Vec<String> = label.lines.iter().map(LabelLine::text).collect();
        assert_eq!(lines.join("|"), expected);
        assert!(label.width <= limit, "{expected} is wider than {limit}");
    }

    #[test]
    fn long_texts_wrap_evenly() {
        check("one two three four", 14, "one two|three four");
        check("a/very/long/path/name", 10, "a/very/|long/|path/name");
        check("4 register(some.identity)", 18, "4 register|(some.identity)");
        check("6\u{a0}reserve(cart)", 12, "6 reserve|(cart)");
        check("abcdefghij", 4, "abcd|efgh|ij");
        check("統一建模語言", 6, "統一建|模語言");
        check("  kept indent", 40, "  kept indent");
        check("", 10, "");
    }
}
