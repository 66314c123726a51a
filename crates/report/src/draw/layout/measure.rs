//! First step of the layout: the texts of every row, and the room they ask for.
//!
//! A row reaches from one column to another and somewhat beyond ([`Extent`]). A frame reaches as far as what it contains
//! and a little further, which is why one pass with a stack of open frames is enough.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    End, LifelineId, Message, Note, NotePosition, NoteShape, Operator, SeparatorKind, Side,
};

use crate::draw::caption;
use crate::draw::label::Label;
use crate::draw::layout::PlateKind;
use crate::draw::layout::columns::{ColumnId, Extent, Spacing, column};
use crate::draw::layout::measures::Measures;
use crate::draw::markup;
use crate::draw::markup::Span;
use crate::draw::metrics::Role;
use crate::draw::outline::{FrameId, MessageRow, Outline, RowId, RowKind};

/// Everything that has a size, and the distances asked for.
pub struct Measured<'a> {
    pub rows: IdVec<RowId, Content<'a>>,
    pub frames: IdVec<FrameId, FrameContent>,
    pub heads: IdVec<LifelineId, HeadContent>,
    pub boxes: Vec<BoxContent>,
    pub title: Label,
    pub spacing: Spacing,
    /// What everything together covers.
    pub extent: Option<Extent>,
}

/// The content of a row, measured.
pub enum Content<'a> {
    Message {
        label: Label,
        notes: Vec<SideNote<'a>>,
    },
    Plate(PlateContent<'a>),
    /// Rows that have no text of their own.
    Bare,
}

/// A note beside a message.
pub struct SideNote<'a> {
    pub side: Side,
    /// From the middle of the outer lifeline to the note.
    pub offset: i32,
    pub plate: PlateContent<'a>,
}

/// A text with an outline.
pub struct PlateContent<'a> {
    pub kind: PlateKind,
    pub label: Label,
    pub width: i32,
    pub height: i32,
    pub spot: Spot,
    pub extent: Extent,
    pub colour: Option<&'a str>,
}

/// How a plate stands to the columns of its extent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// It covers its extent.
    Over,
    /// At the left end of its extent.
    Left,
    /// At the right end of its extent.
    Right,
}

/// The texts of a frame.
pub struct FrameContent {
    pub tab: Label,
    /// One per operand, perhaps empty.
    pub guards: Vec<Label>,
    pub extent: Extent,
}

/// The head of a lifeline.
pub struct HeadContent {
    pub label: Label,
    pub half: i32,
    pub height: i32,
}

/// A box around lifelines.
pub struct BoxContent {
    pub caption: Label,
    pub extent: Extent,
}

/// Measures all rows.
pub fn measure<'a>(outline: &Outline<'a>, measures: &Measures) -> Measured<'a> {
    let mut pass = Pass {
        outline,
        m: measures,
        spacing: Spacing::new(outline.interaction.lifelines.len()),
        levels: levels(outline),
        heads: heads(outline, measures),
        open: vec![None],
        frames: frames(outline, measures),
    };
    pass.request_heads();
    let boxes = pass.boxes();
    let rows: IdVec<RowId, Content<'a>> = outline.rows.iter().map(|row| pass.row(&row.kind)).collect();
    let extent = pass.open.pop().flatten();
    let title = outline.interaction.title.as_deref().unwrap_or_default();
    let title = Label::new(title, Role::Title, measures.text_width * 3, measures.ruler);
    Measured { rows, frames: pass.frames, heads: pass.heads, boxes, title, spacing: pass.spacing, extent }
}

/// The highest stack of bars on each lifeline.
fn levels(outline: &Outline<'_>) -> IdVec<LifelineId, usize> {
    let mut levels: IdVec<LifelineId, usize> = outline.interaction.lifelines.iter().map(|_| 0).collect();
    for bar in &outline.bars {
        levels[bar.lifeline] = levels[bar.lifeline].max(bar.level + 1);
    }
    levels
}

fn heads(outline: &Outline<'_>, m: &Measures) -> IdVec<LifelineId, HeadContent> {
    let head = |lifeline: &sequent_kernel::model::Lifeline| {
        let label = m.label(&head_text(lifeline, m), Role::Head);
        let (width, height) = m.boxed(&label);
        let symbol = if has_symbol(lifeline.kind) { m.symbol } else { 0 };
        HeadContent { label, half: m.half(width.max(m.head_width)), height: height + symbol }
    };
    outline.interaction.lifelines.iter().map(head).collect()
}

/// Stereotypes above the name; on a terminal also the kind, which has no symbol there.
fn head_text(lifeline: &sequent_kernel::model::Lifeline, m: &Measures) -> String {
    let kind = (m.symbol == 0).then(|| keyword(lifeline.kind)).flatten();
    let words = kind.into_iter().chain(lifeline.stereotypes.iter().map(String::as_str));
    let mut lines: Vec<String> = words.map(|word| format!("«{word}»")).collect();
    lines.push(lifeline.label.clone());
    lines.join("\n")
}

use sequent_kernel::model::LifelineKind;

/// Whether the head has a symbol above its name rather than an outline around it.
pub fn has_symbol(kind: LifelineKind) -> bool {
    match kind {
        LifelineKind::Actor | LifelineKind::Boundary | LifelineKind::Control | LifelineKind::Entity => true,
        LifelineKind::Participant
        | LifelineKind::Database
        | LifelineKind::Collections
        | LifelineKind::Queue => false,
    }
}

fn keyword(kind: LifelineKind) -> Option<&'static str> {
    match kind {
        LifelineKind::Participant => None,
        LifelineKind::Actor => Some("actor"),
        LifelineKind::Boundary => Some("boundary"),
        LifelineKind::Control => Some("control"),
        LifelineKind::Entity => Some("entity"),
        LifelineKind::Database => Some("database"),
        LifelineKind::Collections => Some("collections"),
        LifelineKind::Queue => Some("queue"),
    }
}

fn frames(outline: &Outline<'_>, m: &Measures) -> IdVec<FrameId, FrameContent> {
    let nowhere = Extent::between(ColumnId::LEFT, ColumnId::LEFT);
    let frame = |combined: &&sequent_kernel::model::Combined| {
        let is_plain = caption::is_background(combined) || matches!(combined.operator, Operator::Coregion(_));
        let tab = if is_plain { String::new() } else { caption::tab(combined) };
        let guard = |operand| m.label(&caption::guard(combined, operand), Role::Frame);
        let guards = (0..combined.operands.len()).map(guard).collect();
        FrameContent { tab: bold(&tab, Role::Frame, m), guards, extent: nowhere }
    };
    outline.frames.iter().map(frame).collect()
}

fn bold(text: &str, role: Role, m: &Measures) -> Label {
    let mut lines = markup::parse(text);
    lines.iter_mut().flatten().for_each(|span| span.bold = true);
    Label::from_spans(lines, role, m.text_width, m.ruler)
}

struct Pass<'p, 'a> {
    outline: &'p Outline<'a>,
    m: &'p Measures,
    spacing: Spacing,
    levels: IdVec<LifelineId, usize>,
    heads: IdVec<LifelineId, HeadContent>,
    /// What has been seen inside each open frame; the diagram itself at the bottom.
    open: Vec<Option<Extent>>,
    frames: IdVec<FrameId, FrameContent>,
}

impl<'a> Pass<'_, 'a> {
    fn request_heads(&mut self) {
        let ids: Vec<LifelineId> = self.heads.enumerate().map(|(id, _)| id).collect();
        for pair in ids.windows(2) {
            let distance =
                self.heads[pair[0]].half + self.heads[pair[1]].half + self.m.head_gap + self.m.stroke;
            self.spacing.request(column(pair[0]), column(pair[1]), distance);
        }
        for id in ids {
            let half = self.heads[id].half;
            self.note_extent(Extent::between(column(id), column(id)).grown(half), 0);
        }
    }

    fn boxes(&mut self) -> Vec<BoxContent> {
        let mut boxes = Vec::new();
        for source in &self.outline.interaction.boxes {
            let (Some(first), Some(last)) = (source.lifelines.iter().min(), source.lifelines.iter().max())
            else {
                continue;
            };
            let caption = bold(&source.label, Role::Frame, self.m);
            let mut extent = Extent::between(column(*first), column(*last));
            extent.before = self.heads[*first].half + self.m.pad_x;
            extent.after = self.heads[*last].half + self.m.pad_x;
            self.fit(&mut extent, caption.width + 2 * self.m.pad_x, Spread::Even);
            self.keep_apart(*first, *last, extent);
            self.note_extent(extent, 0);
            boxes.push(BoxContent { caption, extent });
        }
        boxes
    }

    /// Heads beside a box stay outside; two boxes side by side leave a gap.
    fn keep_apart(&mut self, first: LifelineId, last: LifelineId, extent: Extent) {
        let gap = self.m.head_gap + self.m.pad_x;
        let ids: Vec<LifelineId> = self.outline.interaction.lifelines.ids().collect();
        let around = |id: LifelineId, step: isize| {
            use sequent_kernel::id::Id;
            id.index().checked_add_signed(step).and_then(|index| ids.get(index)).copied()
        };
        if let Some(before) = around(first, -1) {
            self.spacing.request(
                column(before),
                column(first),
                self.heads[before].half + gap + extent.before,
            );
        }
        if let Some(after) = around(last, 1) {
            self.spacing.request(column(last), column(after), self.heads[after].half + gap + extent.after);
        }
    }

    fn row(&mut self, kind: &RowKind<'a>) -> Content<'a> {
        match kind {
            RowKind::Message(row) => self.message(row),
            RowKind::Stop(lifeline) => {
                self.note_extent(
                    Extent::between(column(*lifeline), column(*lifeline)).grown(self.m.bar_half),
                    self.m.frame_pad,
                );
                Content::Bare
            }
            RowKind::Action(action) => {
                self.plate(PlateKind::Action, &action.name, &[action.lifeline], NotePosition::Over, None)
            }
            RowKind::Invariant(at) => {
                let text = &at.condition.text;
                self.plate(PlateKind::Invariant, text, &at.lifelines, NotePosition::Over, None)
            }
            RowKind::Use(at) => {
                self.plate(PlateKind::Reference, &at.name, &at.lifelines, NotePosition::Over, None)
            }
            RowKind::Note(note) => {
                let kind = PlateKind::Note(note.shape);
                self.plate(kind, &note.text, &note.lifelines, note.position, note.colour.as_deref())
            }
            RowKind::Separator(separator) => match separator.kind {
                SeparatorKind::Divider => self.separator(PlateKind::Divider, &separator.text),
                SeparatorKind::Delay => self.separator(PlateKind::Delay, &separator.text),
                SeparatorKind::Page => self.separator(PlateKind::Page, &separator.text),
                SeparatorKind::Space(_) => Content::Bare,
            },
            RowKind::Open(frame) => {
                self.open.push(None);
                for lifeline in &self.outline.frames[*frame].covers {
                    let covered = Extent::between(column(*lifeline), column(*lifeline));
                    self.note_extent(covered, self.m.frame_pad);
                }
                Content::Bare
            }
            RowKind::Close(frame) => {
                self.close(*frame);
                Content::Bare
            }
            RowKind::Operand(..) | RowKind::Room => Content::Bare,
        }
    }

    /// Something reaches this far inside the innermost open frame; `pad` from there to the frame's side.
    fn note_extent(&mut self, extent: Extent, pad: i32) {
        let innermost = self.open.len() == 1;
        let extent = if innermost { extent } else { extent.grown(pad) };
        self.spacing.cover(extent);
        let around = self.open.last_mut().expect("the diagram itself is always open");
        *around = Some(around.map_or(extent, |around| around.join(extent)));
    }

    fn message(&mut self, row: &MessageRow<'a>) -> Content<'a> {
        let label = message_label(row.message, self.m);
        let mut extent = self.arrow(row, label.width);
        let note = |note: &&'a Note| self.side_note(note, extent);
        let notes: Vec<SideNote<'a>> = row.notes.iter().map(note).collect();
        for note in &notes {
            extent = extent.join(note.plate.extent);
        }
        self.spacing.clear(extent, self.m.clearance);
        self.note_extent(extent, self.m.frame_pad);
        Content::Message { label, notes }
    }

    /// Asks for the room of an arrow and its label, and says how far they reach.
    fn arrow(&mut self, row: &MessageRow<'_>, label: i32) -> Extent {
        let m = self.m;
        let padded = if label == 0 { m.stub } else { label + 2 * m.label_pad + m.tip };
        match (row.message.from, row.message.to) {
            (End::Lifeline(from), End::Lifeline(to)) if from == to => {
                let at = column(from);
                let beside = if m.loop_label_beside { m.loop_width + m.label_pad } else { m.label_pad / 2 };
                let reach = m.loop_width.max(beside + label);
                Extent {
                    after: m.right_of(row.from_level.max(row.to_level)) + reach,
                    ..Extent::between(at, at)
                }
            }
            (End::Lifeline(from), End::Lifeline(to)) => {
                let (left, right) = (from.min(to), from.max(to));
                let head = row.creates.map_or(0, |created| self.heads[created].half);
                let (left_level, right_level) =
                    if from < to { (row.from_level, row.to_level) } else { (row.to_level, row.from_level) };
                let distance = m.right_of(left_level) + padded + m.left_of(right_level).max(head);
                self.spacing.request(column(left), column(right), distance);
                let after = m.right_of(right_level).max(if row.creates == Some(right) { head } else { 0 });
                let before = m.left_of(left_level).max(if row.creates == Some(left) { head } else { 0 });
                Extent { before, after, ..Extent::between(column(left), column(right)) }
            }
            (End::Lifeline(at), End::Outside(outside)) => {
                self.stub(at, row.from_level, outside.side, outside.short, padded)
            }
            (End::Outside(outside), End::Lifeline(at)) => {
                let head = row.creates.map_or(0, |created| self.heads[created].half);
                self.stub(at, row.to_level, outside.side, outside.short, padded + head)
            }
            (End::Outside(_), End::Outside(_)) => {
                let (left, right) = (self.spacing.left_border(), self.spacing.right_border());
                self.spacing.request(left, right, padded);
                Extent::between(left, right)
            }
        }
    }

    /// A message with one end outside.
    fn stub(&mut self, at: LifelineId, level: usize, side: Side, short: bool, length: i32) -> Extent {
        let (at, length) = (column(at), length.max(self.m.stub));
        let here = Extent::between(at, at);
        match (side, short) {
            (Side::Left, true) => Extent { before: self.m.left_of(level) + length, ..here },
            (Side::Right, true) => Extent { after: self.m.right_of(level) + length, ..here },
            (Side::Left, false) => {
                let border = self.spacing.left_border();
                self.spacing.request(border, at, self.m.left_of(level) + length);
                Extent::between(border, at)
            }
            (Side::Right, false) => {
                let border = self.spacing.right_border();
                self.spacing.request(at, border, self.m.right_of(level) + length);
                Extent::between(at, border)
            }
        }
    }

    fn side_note(&self, note: &'a Note, arrow: Extent) -> SideNote<'a> {
        let label = self.m.label(&note.text, Role::Note);
        let (width, height) = self.m.boxed(&label);
        let (side, spot) = match note.position {
            NotePosition::Left => (Side::Left, Spot::Left),
            NotePosition::Right | NotePosition::Over | NotePosition::Across => (Side::Right, Spot::Right),
        };
        let mut extent = arrow;
        let offset = match side {
            Side::Left => {
                extent.before += self.m.note_gap + width;
                arrow.before + self.m.note_gap
            }
            Side::Right => {
                extent.after += self.m.note_gap + width;
                arrow.after + self.m.note_gap
            }
        };
        let colour = note.colour.as_deref();
        let kind = PlateKind::Note(note.shape);
        SideNote { side, offset, plate: PlateContent { kind, label, width, height, spot, extent, colour } }
    }

    fn plate(
        &mut self,
        kind: PlateKind,
        text: &str,
        lifelines: &[LifelineId],
        position: NotePosition,
        colour: Option<&'a str>,
    ) -> Content<'a> {
        let m = self.m;
        let label = m.label(text, Role::Note);
        let (width, height) = outline_size(kind, &label, m);
        let ends = lifelines.iter().min().zip(lifelines.iter().max());
        let (first, last) = match (ends, position) {
            (Some((first, last)), NotePosition::Left | NotePosition::Right | NotePosition::Over) => {
                (column(*first), column(*last))
            }
            (None, NotePosition::Left) => (self.spacing.first(), self.spacing.first()),
            (None, NotePosition::Right) => (self.spacing.last(), self.spacing.last()),
            (_, NotePosition::Across) | (None, NotePosition::Over) => {
                (self.spacing.first(), self.spacing.last())
            }
        };
        let mut extent = Extent::between(first, last);
        let spot = match position {
            NotePosition::Left => {
                extent =
                    Extent { before: m.left_of(1) + m.note_gap + width, ..Extent::between(first, first) };
                Spot::Left
            }
            NotePosition::Right => {
                let level = lifelines.iter().max().map_or(0, |last| self.levels[*last]);
                extent =
                    Extent { after: m.right_of(level) + m.note_gap + width, ..Extent::between(last, last) };
                Spot::Right
            }
            NotePosition::Over | NotePosition::Across => {
                if first < last {
                    extent = extent.grown(m.overhang);
                }
                self.fit(&mut extent, width, Spread::Even);
                Spot::Over
            }
        };
        self.spacing.clear(extent, m.clearance);
        self.note_extent(extent, m.frame_inset);
        Content::Plate(PlateContent { kind, label, width, height, spot, extent, colour })
    }

    /// A text across the whole diagram.
    fn separator(&mut self, kind: PlateKind, text: &str) -> Content<'a> {
        let label = bold(text, Role::Note, self.m);
        let (width, _) = self.m.boxed(&label);
        let height = if label.is_empty() { self.m.stroke } else { label.height + 2 * self.m.pad_y };
        let mut extent = Extent::between(self.spacing.first(), self.spacing.last());
        self.fit(&mut extent, width, Spread::Even);
        self.note_extent(extent, 0);
        Content::Plate(PlateContent { kind, label, width, height, spot: Spot::Over, extent, colour: None })
    }

    /// Makes room for something `width` wide: between the columns, or around the only one.
    fn fit(&mut self, extent: &mut Extent, width: i32, spread: Spread) {
        let missing = width - extent.before - extent.after - self.m.stroke;
        if extent.left < extent.right {
            self.spacing.request(extent.left, extent.right, missing.max(0));
        } else if missing > 0 {
            let before = match spread {
                Spread::Even => missing / 2,
                Spread::Right => 0,
            };
            extent.before += before;
            extent.after += missing - before;
            if spread == Spread::Even {
                let reach = extent.before.max(extent.after);
                (extent.before, extent.after) = (reach, reach);
            }
        }
    }

    fn close(&mut self, frame: FrameId) {
        let m = self.m;
        let whole = || Extent::between(self.spacing.first(), self.spacing.last()).grown(m.frame_pad);
        let inside = self.open.pop().expect("frames close after they open").unwrap_or_else(whole);
        let mut extent = inside;
        let content = &self.frames[frame];
        let guards = content.guards.iter().enumerate().map(|(operand, guard)| {
            let start = if operand == 0 { content.tab.width + m.tab_pad } else { m.pad_x };
            start + guard.width + m.pad_x + 2 * m.stroke
        });
        let width = guards.max().unwrap_or(0);
        self.fit(&mut extent, width, Spread::Right);
        self.spacing.clear(extent, m.clearance);
        self.frames[frame].extent = extent;
        self.note_extent(extent, m.frame_inset);
    }
}

/// Where room goes that is missing around a single column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spread {
    Even,
    Right,
}

/// The size of the outline around a text.
fn outline_size(kind: PlateKind, label: &Label, m: &Measures) -> (i32, i32) {
    let (width, height) = m.boxed(label);
    match kind {
        PlateKind::Note(NoteShape::Folded | NoteShape::Rectangle) => (width, height),
        PlateKind::Note(NoteShape::Hexagon) | PlateKind::Invariant => (width + m.pad_x, height),
        PlateKind::Reference => {
            let tab = m.ruler.line_height(Role::Frame) * i32::from(m.stroke == 0);
            (width.max(2 * m.tab_pad), height + tab)
        }
        PlateKind::Action | PlateKind::Divider | PlateKind::Delay | PlateKind::Page => (width, height),
    }
}

/// A message's label: its number, if it has one, and its text.
fn message_label(message: &Message, m: &Measures) -> Label {
    let mut lines = markup::parse(&message.text);
    if let Some(number) = &message.number {
        let shown = markup::parse(number).into_iter().flatten().map(|span| span.text).collect::<String>();
        let gap = if message.text.is_empty() { "" } else { " " };
        lines[0].insert(0, Span { text: format!("{shown}{gap}"), bold: true, ..Span::default() });
    }
    Label::from_spans(lines, Role::Message, m.text_width, m.ruler)
}
