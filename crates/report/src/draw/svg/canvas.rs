//! Writes SVG elements.
//!
//! All lines lie on whole coordinates and the whole drawing is moved by half a pixel, which makes thin lines crisp. Looks
//! are attributes, not classes: several drawings may stand in one page without changing each other.

use std::fmt::{Display, Write};

use crate::draw::colour::Colour;
use crate::draw::label::LabelLine;
use crate::draw::layout::{Align, PlacedLabel, Point, Rect};
use crate::draw::markup::{LetterPosition, StyledText};
use crate::draw::theme::Palette;
use crate::escape;

/// The fonts a viewer tries, the one texts are measured with first.
const FAMILIES: &str = "'Noto Sans','Open Sans','Segoe UI','Helvetica Neue',Arial,sans-serif";
const MONO_FAMILIES: &str = "Hack,'DejaVu Sans Mono',Menlo,Consolas,monospace";

/// An SVG file under construction.
pub(crate) struct Canvas {
    out: String,
    /// The colours of the theme.
    pub(crate) palette: Palette,
}

/// How a shape is painted.
#[derive(Clone, Copy)]
pub(crate) struct Brush {
    /// Inside.
    pub fill: Option<Colour>,
    /// Outline.
    pub line: Option<Colour>,
    /// Thickness of the outline in tenths of a pixel.
    pub width: i32,
    /// Lengths of dashes and gaps.
    pub dash: &'static str,
}

impl Brush {
    /// A line of usual thickness.
    pub(crate) fn line(colour: Colour) -> Self {
        Self { fill: None, line: Some(colour), width: 10, dash: "" }
    }

    /// An area without outline.
    pub(crate) fn fill(colour: Colour) -> Self {
        Self { fill: Some(colour), line: None, width: 10, dash: "" }
    }

    /// An area with outline.
    pub(crate) fn shape(fill: Colour, line: Colour) -> Self {
        Self { fill: Some(fill), line: Some(line), width: 10, dash: "" }
    }

    /// The same with another thickness, in tenths of a pixel.
    pub(crate) fn wide(self, width: i32) -> Self {
        Self { width, ..self }
    }

    /// The same with dashes.
    pub(crate) fn dashed(self, dash: &'static str) -> Self {
        Self { dash, ..self }
    }
}

impl Canvas {
    /// An empty drawing of the given size, with an accessible name and description.
    pub(crate) fn new(width: i32, height: i32, palette: Palette, title: &str, description: &str) -> Self {
        let (title, description) = (Escaped(title), Escaped(description));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n"
        );
        let (page, ink) = (palette.page, palette.ink);
        let _ = write!(
            out,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{page}\"/>\n\
             <g transform=\"translate(.5 .5)\" font-family=\"{FAMILIES}\" font-size=\"13\" fill=\"{ink}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
        );
        Self { out, palette }
    }

    /// The finished file.
    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</g>\n</svg>\n");
        self.out
    }

    /// Begins a group of shapes that belong together.
    pub(crate) fn open(&mut self, class: &str, key: Option<usize>) {
        self.out.push_str("<g class=\"");
        self.out.push_str(class);
        if let Some(key) = key {
            self.put(format_args!("\" data-key=\"{key}"));
        }
        self.out.push_str("\">\n");
    }

    /// Ends the innermost group.
    pub(crate) fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// A rectangle with rounded corners.
    pub(crate) fn rect(&mut self, rect: Rect, radius: i32, brush: Brush) {
        let Rect { x, y, width, height } = rect;
        self.put(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""));
        if radius > 0 {
            self.put(format_args!(" rx=\"{radius}\""));
        }
        self.brush(brush);
    }

    /// A straight line.
    pub(crate) fn line(&mut self, from: Point, to: Point, brush: Brush) {
        let (Point { x: x1, y: y1 }, Point { x: x2, y: y2 }) = (from, to);
        self.put(format_args!("<path d=\"M{x1} {y1}L{x2} {y2}\""));
        self.brush(brush);
    }

    /// Any outline, in SVG's path language.
    pub(crate) fn path(&mut self, path: impl Display, brush: Brush) {
        self.put(format_args!("<path d=\"{path}\""));
        self.brush(brush);
    }

    /// A circle.
    pub(crate) fn circle(&mut self, centre: Point, radius: i32, brush: Brush) {
        self.put(format_args!("<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"", centre.x, centre.y));
        self.brush(brush);
    }

    /// An open arrow head that points `turn` degrees clockwise from right.
    pub(crate) fn head(&mut self, at: Point, turn: i32, brush: Brush) {
        self.put(format_args!(
            "<path transform=\"translate({} {}) rotate({turn})\" d=\"M-4 -4L3 0L-4 4\"",
            at.x, at.y
        ));
        self.brush(brush);
    }

    /// A block of text.
    pub(crate) fn text(&mut self, text: &PlacedLabel, ink: Colour) {
        let size = text.label.role.size();
        for (index, line) in text.label.lines.iter().enumerate() {
            let top = text.y + index as i32 * text.label.line_height;
            // Letters without descenders are about 0.72 em high; they stand in the middle of their line.
            let baseline = top + (text.label.line_height * 100 + size * 72) / 200;
            let (x, anchor) = match text.align {
                Align::Left => (text.x, ""),
                Align::Centre => (text.x + text.label.width / 2, " text-anchor=\"middle\""),
            };
            self.put(format_args!("<text x=\"{x}\" y=\"{baseline}\"{anchor}"));
            // Another font than the one it was measured with must not make it wider.
            if line.width > 0 {
                self.put(format_args!(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", line.width));
            }
            if size != 13 {
                self.put(format_args!(" font-size=\"{size}\""));
            }
            if ink != self.palette.ink {
                self.put(format_args!(" fill=\"{ink}\""));
            }
            self.spans(line, ink);
            self.out.push_str("</text>\n");
        }
    }

    /// The rest of a text element: its content, after what all of it has in common.
    fn spans(&mut self, line: &LabelLine, ink: Colour) {
        let text = line.text();
        if text.starts_with(' ') || text.contains("  ") {
            self.out.push_str(" xml:space=\"preserve\"");
        }
        if let [only] = line.spans.as_slice()
            && only.script == LetterPosition::Normal
        {
            self.look(only, ink);
            self.put(format_args!(">{}", Escaped(&only.text)));
            return;
        }
        self.out.push('>');
        // How far below the line the last letters stood.
        let mut depth = 0;
        for span in &line.spans {
            self.out.push_str("<tspan");
            let wanted = match span.script {
                LetterPosition::Normal => 0,
                LetterPosition::Sub => 3,
                LetterPosition::Sup => -5,
            };
            if wanted != depth {
                self.put(format_args!(" dy=\"{}\"", wanted - depth));
                depth = wanted;
            }
            self.look(span, ink);
            self.put(format_args!(">{}</tspan>", Escaped(&span.text)));
        }
    }

    fn look(&mut self, span: &StyledText, ink: Colour) {
        if span.script != LetterPosition::Normal {
            self.out.push_str(" font-size=\"9\"");
        }
        if span.bold {
            self.out.push_str(" font-weight=\"bold\"");
        }
        if span.italic {
            self.out.push_str(" font-style=\"italic\"");
        }
        if span.mono {
            self.put(format_args!(" font-family=\"{MONO_FAMILIES}\""));
        }
        match (span.underlined, span.struck) {
            (true, _) => self.out.push_str(" text-decoration=\"underline\""),
            (false, true) => self.out.push_str(" text-decoration=\"line-through\""),
            (false, false) => {}
        }
        let page = self.palette.page;
        if let Some(colour) = span.colour.as_deref().and_then(|colour| Colour::parse(colour, page)) {
            self.put(format_args!(" fill=\"{}\"", colour.legible(page, ink, 3.0)));
        }
    }

    /// The rest of a shape: its paint.
    fn brush(&mut self, brush: Brush) {
        match brush.fill {
            Some(fill) => self.put(format_args!(" fill=\"{fill}\"")),
            None => self.out.push_str(" fill=\"none\""),
        }
        if let Some(line) = brush.line {
            self.put(format_args!(" stroke=\"{line}\""));
            if brush.width != 10 {
                self.put(format_args!(" stroke-width=\"{}.{}\"", brush.width / 10, brush.width % 10));
            }
            if !brush.dash.is_empty() {
                self.put(format_args!(" stroke-dasharray=\"{}\"", brush.dash));
            }
        }
        self.out.push_str("/>\n");
    }

    fn put(&mut self, what: std::fmt::Arguments<'_>) {
        self.out.write_fmt(what).expect("writing to a string does not fail");
    }
}

/// Text as XML content or attribute value; characters XML does not allow are left out.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in self.0.chars() {
            match (escape::entity(character), character) {
                (Some(entity), _) => f.write_str(entity)?,
                (None, '\t' | '\n') => f.write_char(character)?,
                (None, '\u{fffe}' | '\u{ffff}') => {}
                (None, hidden) if escape::is_hidden(hidden) => {}
                (None, other) => f.write_char(other)?,
            }
        }
        Ok(())
    }
}
