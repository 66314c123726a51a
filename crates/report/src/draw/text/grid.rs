//! A grid of character cells.
//!
//! Shapes are written first, lifelines last and only where they find room: on an empty cell they show as a line, on a
//! horizontal line as a crossing, under text not at all. A blank that belongs to a text is therefore no empty cell.

use std::collections::BTreeMap;

use crate::draw::label::{LabelLine, MeasuredLabel};
use crate::draw::layout::surround::CaptionShape;
use crate::draw::layout::{Align, PlacedLabel, Rect};
use crate::draw::metrics::cells;
use crate::escape;

/// An empty cell.
const EMPTY: char = '\0';
/// The second cell of a wide character.
const TAIL: char = '\u{1}';

/// Characters in rows and columns.
pub(crate) struct Grid {
    width: usize,
    cells: Vec<char>,
    /// Characters without width, after the cell they belong to.
    marks: BTreeMap<usize, String>,
}

impl Grid {
    /// An empty grid.
    pub(crate) fn new(width: i32, height: i32) -> Self {
        let (width, height) = (width.max(1) as usize, height.max(1) as usize);
        Self { width, cells: vec![EMPTY; width * height], marks: BTreeMap::new() }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let index = y.checked_mul(self.width)?.checked_add(x)?;
        (x < self.width && index < self.cells.len()).then_some(index)
    }

    /// Writes one character of one cell; outside the grid nothing happens.
    pub(crate) fn put(&mut self, x: i32, y: i32, character: char) {
        if let Some(index) = self.index(x, y) {
            self.cells[index] = character;
        }
    }

    /// Writes a character and joins it with what stands there.
    pub(crate) fn merge(&mut self, x: i32, y: i32, character: char) {
        if let Some(index) = self.index(x, y) {
            self.cells[index] = joined(self.cells[index], character);
        }
    }

    /// Gives a vertical line a branch to the right or the left.
    pub(crate) fn branch(&mut self, x: i32, y: i32, right: bool) {
        if let Some(index) = self.index(x, y) {
            self.cells[index] = match (self.cells[index], right) {
                ('│', true) => '├',
                ('│', false) => '┤',
                ('┃', true) => '┠',
                ('┃', false) => '┨',
                (other, _) => other,
            };
        }
    }

    /// Lets a line pass through a vertical line.
    pub(crate) fn cross(&mut self, x: i32, y: i32) {
        if let Some(index) = self.index(x, y) {
            self.cells[index] = match self.cells[index] {
                '│' => '┼',
                '┃' => '╂',
                other => other,
            };
        }
    }

    /// Writes a horizontal line, both ends included.
    pub(crate) fn row(&mut self, from: i32, to: i32, y: i32, character: char) {
        (from..=to).for_each(|x| self.put(x, y, character));
    }

    /// Writes an outline: corners from the upper left clockwise, then the horizontal and the vertical line.
    pub(crate) fn outline(&mut self, rect: Rect, [nw, ne, se, sw, horizontal, vertical]: [char; 6]) {
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        self.row(rect.x, right, rect.y, horizontal);
        self.row(rect.x, right, bottom, horizontal);
        for y in rect.y + 1..bottom {
            self.put(rect.x, y, vertical);
            self.put(right, y, vertical);
        }
        for (x, y, corner) in
            [(rect.x, rect.y, nw), (right, rect.y, ne), (right, bottom, se), (rect.x, bottom, sw)]
        {
            self.put(x, y, corner);
        }
    }

    /// Fills the inside of an outline with blanks, so that nothing shows through.
    pub(crate) fn blank(&mut self, rect: Rect) {
        for y in rect.y + 1..rect.bottom() - 1 {
            self.row(rect.x + 1, rect.right() - 2, y, ' ');
        }
    }

    /// Writes a block of text.
    pub(crate) fn text(&mut self, text: &PlacedLabel) {
        self.label(&text.label, text.x, text.y, text.align);
    }

    /// Writes a text around the diagram, with its outline.
    pub(crate) fn caption(&mut self, shape: &CaptionShape) {
        if let Some(rect) = shape.outline {
            self.outline(rect, ['┌', '┐', '┘', '└', '─', '│']);
            self.blank(rect);
        }
        self.text(&shape.text);
    }

    /// Writes a block of text at a position.
    pub(crate) fn label(&mut self, label: &MeasuredLabel, x: i32, y: i32, align: Align) {
        for (line, y) in label.lines.iter().zip(y..) {
            let indent = match align {
                Align::Left => 0,
                Align::Centre => (label.width - line.width) / 2,
            };
            self.line(line, x + indent, y);
        }
    }

    fn line(&mut self, line: &LabelLine, x: i32, y: i32) {
        self.string(&line.text(), x, y);
    }

    /// Writes a string.
    pub(crate) fn string(&mut self, text: &str, x: i32, y: i32) {
        let mut x = x;
        for character in text.chars().filter(|character| !escape::is_hidden(*character)) {
            match cells(character) {
                0 => {
                    if let Some(index) = self.index(x - 1, y) {
                        self.marks.entry(index).or_default().push(character);
                    }
                }
                width => {
                    self.put(x, y, character);
                    (x + 1..x + width).for_each(|x| self.put(x, y, TAIL));
                    x += width;
                }
            }
        }
    }

    /// The grid as lines without trailing blanks.
    pub(crate) fn finish(&self, unicode: bool) -> String {
        let mut out = String::new();
        for (row, start) in self.cells.chunks(self.width).zip((0..).step_by(self.width)) {
            let length =
                row.iter().rposition(|cell| !matches!(*cell, EMPTY | ' ')).map_or(0, |last| last + 1);
            for (cell, index) in row[..length].iter().zip(start..) {
                match *cell {
                    EMPTY => out.push(' '),
                    TAIL => {}
                    character if unicode => out.push(character),
                    character => out.push(plain(character)),
                }
                if let Some(marks) = self.marks.get(&index) {
                    out.push_str(marks);
                }
            }
            out.push('\n');
        }
        out
    }
}

/// A vertical line where something may stand already.
fn joined(old: char, new: char) -> char {
    match (old, new) {
        (EMPTY, _) => new,
        ('─' | '╌' | '┄', '│') => '┼',
        ('━' | '╍', '│') => '┿',
        ('═', '│') => '╪',
        ('─' | '╌' | '┄', '┃') => '╂',
        ('━' | '╍', '┃') => '╋',
        ('│', '┃') => '┃',
        _ => old,
    }
}

/// The nearest ASCII character to one of our own lines and arrow heads; other text stays as it is.
fn plain(character: char) -> char {
    match character {
        '─' | '┄' => '-',
        '╌' => '.',
        '━' | '═' | '╍' => '=',
        '│' | '├' | '┤' => '|',
        '┊' => ':',
        '┃' | '┠' | '┨' | '╂' | '╋' => '#',
        '┌' | '┐' | '└' | '┘' | '┬' | '┴' | '┼' | '┿' | '╪' | '╭' | '╮' | '╯' | '╰' | '◥' => {
            '+'
        }
        '╱' => '/',
        '╲' => '\\',
        '▶' => '>',
        '◀' => '<',
        '╳' => 'X',
        '●' => '*',
        '…' => '~',
        '«' => '<',
        '»' => '>',
        other => other,
    }
}
