//! The layout of a sequence diagram: where everything stands, in whole units.
//!
//! Three steps. `measure` gives every row its texts and asks for room between columns; [`columns`] turns
//! those requests into positions; `place` goes down the rows once, stacks them and writes down what stands where. Each
//! step is linear in the number of rows. Painters (`svg`, `text`) only look things up here; they decide nothing about
//! positions, and no piece of one row reaches into another.
//!
//! In pixels a [`Rect`] is bounded by lines without thickness; in cells its border fills its outermost cells.

pub mod columns;
mod measure;
pub mod measures;
mod place;
pub mod surround;

use sequent_kernel::model::{
    Combined, GeneralOrdering, Interaction, Lifeline, LifelineBox, Message, MessageId, NoteShape,
};

use crate::draw::label::MeasuredLabel;
use crate::draw::layout::surround::CaptionShape;
use crate::draw::outline::outline;
use measures::Measures;

/// A drawing, ready to be painted.
#[derive(Debug, Default)]
pub struct Layout<'a> {
    /// Width of everything.
    pub width: i32,
    /// Height of everything.
    pub height: i32,
    /// Title, header, footer, legend, caption.
    pub captions: Vec<CaptionShape>,
    /// Boxes around neighbouring lifelines.
    pub boxes: Vec<BoxShape<'a>>,
    /// Lifelines from left to right.
    pub lifelines: Vec<LifelineShape<'a>>,
    /// Execution bars, lower before upper.
    pub bars: Vec<BarShape<'a>>,
    /// Frames of combined fragments, outer before inner.
    pub frames: Vec<FrameShape<'a>>,
    /// Messages from top to bottom.
    pub arrows: Vec<ArrowShape<'a>>,
    /// Notes, states, references, dividers: texts with an outline.
    pub(crate) plates: Vec<Plate<'a>>,
    /// Crosses at the ends of lifelines.
    pub crosses: Vec<Point>,
    /// General orderings.
    pub orderings: Vec<OrderingShape<'a>>,
    /// Times and durations.
    pub timings: Vec<TimingShape>,
}

/// Whether heads are repeated below the lifelines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Footer {
    /// When the heads have long scrolled away.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Rect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Rect {
    /// One past the right edge in cells, the right edge in pixels.
    pub fn right(self) -> i32 {
        self.x + self.width
    }

    /// One past the lower edge in cells, the lower edge in pixels.
    pub fn bottom(self) -> i32 {
        self.y + self.height
    }
}

/// A label in its place.
#[derive(Clone, Debug)]
pub struct PlacedLabel {
    /// The text.
    pub label: MeasuredLabel,
    /// Left edge of the block.
    pub x: i32,
    /// Upper edge of the block.
    pub y: i32,
    /// How lines stand in the block.
    pub align: Align,
}

/// How the lines of a block of text stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Align {
    Left,
    Centre,
}

/// A box around neighbouring lifelines.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct BoxShape<'a> {
    pub source: &'a LifelineBox,
    pub rect: Rect,
    pub caption: PlacedLabel,
}

/// A lifeline: its heads and the stretches of its line.
#[derive(Debug)]
pub struct LifelineShape<'a> {
    /// The lifeline.
    pub lifeline: &'a Lifeline,
    /// The middle.
    pub x: i32,
    /// Its label.
    pub label: MeasuredLabel,
    /// Its heads: above or where it is created, and perhaps below.
    pub heads: Vec<Rect>,
    /// Stretches of the line, from top to bottom.
    pub stretches: Vec<Stretch>,
}

/// A stretch of a lifeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Upper end.
    pub top: i32,
    /// Lower end; one past it in cells.
    pub bottom: i32,
    /// Time passes unseen.
    pub dotted: bool,
}

/// An execution bar.
#[derive(Debug)]
pub struct BarShape<'a> {
    /// All of it.
    pub rect: Rect,
    /// From where to where no text stands on it.
    pub clear: Vec<(i32, i32)>,
    /// Fill colour as written.
    pub colour: Option<&'a str>,
}

/// A frame.
#[derive(Debug)]
pub struct FrameShape<'a> {
    /// The combined fragment.
    pub source: &'a Combined,
    /// How it is drawn.
    pub kind: FrameKind,
    /// Its outline.
    pub rect: Rect,
    /// The text in its tab.
    pub tab: PlacedLabel,
    /// How far the tab reaches down from the upper edge.
    pub(crate) tab_height: i32,
    /// Guards, in order of the operands that have one.
    pub guards: Vec<PlacedLabel>,
    /// Heights of the lines between operands.
    pub dividers: Vec<i32>,
}

/// The ways to draw a combined fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// Outline with a tab.
    Tabbed,
    /// A coloured background.
    Background,
    /// Brackets on one lifeline, at this position.
    Brackets(i32),
}

/// A message.
#[derive(Debug)]
pub struct ArrowShape<'a> {
    /// Which message.
    pub id: MessageId,
    /// The message.
    pub message: &'a Message,
    /// Where its line begins.
    pub from: Point,
    /// Where its line ends; on the same side of the lifeline as `from` for a message to oneself.
    pub to: Point,
    /// How far a message to oneself reaches out, `None` for any other.
    pub turn: Option<i32>,
    /// It begins at another receiver of the same message, through which it passes.
    pub passes: bool,
    /// Its label.
    pub text: PlacedLabel,
}

/// A general ordering: one end of a message before another.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct OrderingShape<'a> {
    pub source: &'a GeneralOrdering,
    pub before: Point,
    pub after: Point,
}

/// A time or a duration: its text, and a line from one end of a message to another at another height.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct TimingShape {
    pub line: Option<(Point, Point)>,
    pub text: PlacedLabel,
}

/// A text with an outline.
#[derive(Debug)]
#[allow(missing_docs)]
pub(crate) struct Plate<'a> {
    pub kind: PlateKind,
    pub rect: Rect,
    pub text: PlacedLabel,
    pub colour: Option<&'a str>,
}

/// The kinds of outlines around texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlateKind {
    /// A note.
    Note(NoteShape),
    /// A reference to another interaction.
    Reference,
    /// A state invariant.
    Invariant,
    /// A local action.
    Action,
    /// `== text ==`
    Divider,
    /// Text between two stretches of time.
    Delay,
    /// The end of a page.
    Page,
}

/// Lays out a diagram.
pub fn layout<'a>(interaction: &'a Interaction, measures: &Measures, footer: Footer) -> Layout<'a> {
    let outline = outline(interaction);
    let measured = measure::measure(&outline, measures);
    place::place(&outline, measured, measures, footer)
}

/// Lays out a diagram with the first measures that make it no wider than `width`; they are ordered from wide to narrow.
pub fn fit<'a>(interaction: &'a Interaction, choices: &[Measures], width: i32) -> Option<Layout<'a>> {
    let outline = outline(interaction);
    let is_wider =
        |measures: &Measures| place::width(&mut measure::measure(&outline, measures), measures) > width;
    let measures = choices.get(choices.partition_point(is_wider))?;
    let measured = measure::measure(&outline, measures);
    Some(place::place(&outline, measured, measures, Footer::Never))
}

#[cfg(test)]
mod tests;
