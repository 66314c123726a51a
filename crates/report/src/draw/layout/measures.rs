//! The sizes a drawing is made of.
//!
//! One layout serves two kinds of drawing, because all its sizes come from here: in pixels for SVG, in character cells
//! for the terminal. The only real difference is that a line has no thickness in pixels but fills a cell on a terminal
//! ([`Measures::stroke`]).

use crate::draw::label::{self, MeasuredLabel};
use crate::draw::markup;
use crate::draw::markup::StyledText;
use crate::draw::metrics::{Fonts, Ruler, TerminalCells, TextRole};

/// Sizes in the unit of one kind of drawing.
#[derive(Clone, Copy)]
pub struct Measures {
    /// Measures text.
    pub(crate) ruler: &'static (dyn Ruler + Sync),
    /// Widest text between two neighbouring lifelines before it wraps.
    pub text_width: i32,
    /// Widest text over several.
    pub widest: i32,
    /// Widest line of code, and of a text that has line breaks of its own.
    pub(crate) broken_width: i32,
    /// A title may make the drawing this wide.
    pub(crate) title_width: i32,
    /// Room a line takes away from what stands beside it.
    pub stroke: i32,
    /// Around the whole drawing.
    pub(crate) margin: i32,
    /// Between a text and the outline around it, sideways.
    pub(crate) pad_x: i32,
    /// Between a text and the outline around it, above and below.
    pub(crate) pad_y: i32,
    /// Height of the symbol above the name of an actor, a boundary, ..
    pub symbol: i32,
    /// Kinds of lifelines that have no symbol are named instead.
    pub(crate) names_kinds: bool,
    /// Narrowest head.
    pub(crate) head_width: i32,
    /// Between two heads.
    pub(crate) head_gap: i32,
    /// From the heads to the first row, and from the last row to the end of the lifelines.
    pub(crate) body_gap: i32,
    /// Half the width of an execution bar.
    pub(crate) bar_half: i32,
    /// How far a bar on a bar stands to the right.
    pub(crate) bar_step: i32,
    /// Above a row of any kind.
    pub(crate) row_gap: i32,
    /// Below a row of any kind.
    pub(crate) row_after: i32,
    /// Between a message's label and its line.
    pub(crate) label_gap: i32,
    /// Between a message's label and the lifelines at its ends.
    pub(crate) label_pad: i32,
    /// Room for an arrow head.
    pub tip: i32,
    /// Width of the loop of a message to oneself.
    pub(crate) loop_width: i32,
    /// Height of that loop.
    pub(crate) loop_height: i32,
    /// The label of a message to oneself stands beside its loop rather than above it.
    pub(crate) loop_label_beside: bool,
    /// Shortest line of a found or lost message.
    pub(crate) stub: i32,
    /// From a lifeline to a note beside it.
    pub(crate) note_gap: i32,
    /// Between two notes beside one message.
    pub(crate) note_skip: i32,
    /// How far a note over several lifelines reaches beyond the outer ones.
    pub(crate) overhang: i32,
    /// From what a frame contains to its sides.
    pub(crate) frame_pad: i32,
    /// From the side of a frame to that of the frame around it.
    pub(crate) frame_inset: i32,
    /// From the last row of a frame to its lower edge.
    pub(crate) frame_bottom: i32,
    /// Height of a frame's header beyond its text.
    pub(crate) header_pad: i32,
    /// From the text in a frame's tab to where the guard may begin.
    pub(crate) tab_pad: i32,
    /// Height of the tab of a reference, above its text.
    pub(crate) reference_tab: i32,
    /// Boxes around lifelines reach down to their end, rather than being a line above the heads.
    pub(crate) boxes_enclose: bool,
    /// From anything to a lifeline it does not belong to.
    pub(crate) clearance: i32,
    /// Room for a time below its message; none where times follow in words.
    pub(crate) timing_height: i32,
    /// Height of `|||`.
    pub space: i32,
    /// Pixels per unit, for sizes that users give in pixels.
    pub(crate) pixels: i32,
}

impl Measures {
    /// For SVG.
    pub(crate) fn pixels(text_width: i32) -> Self {
        Self {
            ruler: &Fonts,
            text_width,
            widest: text_width.saturating_mul(3) / 2,
            broken_width: text_width.saturating_mul(9) / 4,
            title_width: text_width.saturating_mul(3) / 2,
            stroke: 0,
            margin: 16,
            pad_x: 12,
            pad_y: 8,
            symbol: 42,
            names_kinds: false,
            head_width: 56,
            head_gap: 28,
            body_gap: 8,
            bar_half: 5,
            bar_step: 5,
            row_gap: 10,
            row_after: 8,
            label_gap: 4,
            label_pad: 12,
            tip: 8,
            loop_width: 34,
            loop_height: 18,
            loop_label_beside: false,
            stub: 44,
            note_gap: 10,
            note_skip: 6,
            overhang: 28,
            frame_pad: 18,
            frame_inset: 10,
            frame_bottom: 8,
            header_pad: 6,
            tab_pad: 28,
            reference_tab: 16,
            boxes_enclose: true,
            clearance: 14,
            timing_height: 18,
            space: 22,
            pixels: 1,
        }
    }

    /// For terminals.
    pub fn cells(text_width: i32) -> Self {
        let (is_tight, is_tighter) = (text_width <= 10, text_width <= 9);
        Self {
            ruler: &TerminalCells,
            text_width,
            widest: 60,
            broken_width: text_width,
            title_width: 0,
            stroke: 1,
            margin: 0,
            pad_x: if is_tight { 0 } else { 1 },
            pad_y: 0,
            symbol: 0,
            names_kinds: !is_tight,
            head_width: 3,
            head_gap: 1,
            body_gap: 0,
            bar_half: 0,
            bar_step: 1,
            row_gap: 0,
            row_after: 1,
            label_gap: 0,
            label_pad: if is_tighter { 0 } else { 1 },
            tip: 1,
            loop_width: 3,
            loop_height: 1,
            loop_label_beside: true,
            stub: 5,
            note_gap: 1,
            note_skip: 0,
            overhang: 2,
            frame_pad: 2,
            frame_inset: 2,
            frame_bottom: 0,
            header_pad: 0,
            tab_pad: 3,
            reference_tab: 0,
            boxes_enclose: false,
            clearance: if is_tighter { 1 } else { 2 },
            timing_height: 0,
            space: 1,
            pixels: 20,
        }
    }

    /// The greatest width of a text that lies over `gaps` gaps between lifelines.
    pub fn limit(&self, gaps: usize) -> i32 {
        let gaps = i32::try_from(gaps).unwrap_or(i32::MAX).max(1);
        self.text_width.saturating_mul(gaps).min(self.widest.max(self.text_width))
    }

    /// A text over `gaps` gaps, wrapped.
    pub fn label(&self, text: &str, role: TextRole, gaps: usize) -> MeasuredLabel {
        let lines = label::lines(text, role);
        let limit = self.respected(&lines, self.limit(gaps));
        MeasuredLabel::from_spans(lines, role, limit, self.ruler)
    }

    /// A text, wrapped to `limit`.
    pub(crate) fn within(&self, text: &str, role: TextRole, limit: i32) -> MeasuredLabel {
        MeasuredLabel::from_spans(label::lines(text, role), role, limit, self.ruler)
    }

    /// Code, and lines with explicit breaks, stay whole: they may be wider than `limit`.
    pub(crate) fn respected(&self, lines: &[Vec<StyledText>], limit: i32) -> i32 {
        let is_meant = lines.len() > 1 || lines.iter().flatten().any(|span| span.mono);
        if is_meant { limit.max(self.broken_width) } else { limit }
    }

    /// A bold text, wrapped to `limit`.
    pub fn bold(&self, text: &str, role: TextRole, limit: i32) -> MeasuredLabel {
        let mut lines = markup::parse(text);
        lines.iter_mut().flatten().for_each(|span| span.bold = true);
        MeasuredLabel::from_spans(lines, role, limit, self.ruler)
    }

    /// A text in a style, with a piece behind it that is shown as it is.
    pub(crate) fn styled(
        &self,
        text: &str,
        behind: Option<&str>,
        style: &StyledText,
        role: TextRole,
    ) -> MeasuredLabel {
        let mut lines = markup::parse(text);
        let piece = behind.map(|text| StyledText { text: text.to_owned(), ..StyledText::default() });
        if let Some(line) = lines.last_mut() {
            line.extend(piece);
        }
        for span in lines.iter_mut().flatten() {
            span.bold |= style.bold;
            span.italic |= style.italic;
            span.underlined |= style.underlined;
        }
        let limit = self.respected(&lines, self.limit(1));
        MeasuredLabel::from_spans(lines, role, limit, self.ruler)
    }

    /// The length of an arrow that carries a label of this width.
    pub(crate) fn arrow_length(&self, label: i32) -> i32 {
        let wanted = if label == 0 { 0 } else { label + 2 * self.label_pad + self.tip };
        wanted.max(self.stub)
    }

    /// From the middle of a lifeline to where arrows on its right begin, with `bars` bars on it.
    pub(crate) fn right_of(&self, bars: usize) -> i32 {
        match bars {
            0 => self.stroke,
            bars => self.stroke + self.bar_half + self.bar_step * (bars as i32 - 1),
        }
    }

    /// From the middle of a lifeline to where arrows on its left begin, with `bars` bars on it.
    pub(crate) fn left_of(&self, bars: usize) -> i32 {
        if bars == 0 { self.stroke } else { self.stroke + self.bar_half }
    }

    /// Outline around a text, as wide and high as it must be.
    pub fn boxed(&self, label: &MeasuredLabel) -> (i32, i32) {
        let border = 2 * self.stroke;
        (label.width + 2 * self.pad_x + border, label.height + 2 * self.pad_y + border)
    }

    /// Half of a width, such that something around a lifeline is at least that wide.
    pub fn half(&self, width: i32) -> i32 {
        (width - self.stroke + 1) / 2
    }
}
