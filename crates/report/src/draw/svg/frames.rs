//! Frames of combined fragments, boxes around lifelines, and texts with an outline.

use sequent_kernel::id::Id;
use sequent_kernel::model::{Modality, NoteShape, Operator};

use crate::draw::colour::Colour;
use crate::draw::layout::measures::Measures;
use crate::draw::layout::surround::CaptionShape;
use crate::draw::layout::{
    Align, BoxShape, FrameKind, FrameShape, PlacedLabel, Plate, PlateKind, Point, Rect,
};
use crate::draw::metrics::{Fonts, Ruler, TextRole};
use crate::draw::svg::canvas::{Brush, Canvas};
use crate::draw::theme::Paint;

/// Paints a text around the diagram.
pub(crate) fn caption(canvas: &mut Canvas, shape: &CaptionShape) {
    let palette = canvas.palette;
    if let Some(outline) = shape.outline {
        canvas.rect(outline, 4, Brush::shape(palette.plate.fill, palette.plate.line));
    }
    canvas.text(&shape.text, if shape.is_faint { palette.soft_ink } else { palette.ink });
}

/// Paints a box around lifelines.
pub(crate) fn lifeline_box(canvas: &mut Canvas, shape: &BoxShape<'_>) {
    let palette = canvas.palette;
    let fill = area(canvas, shape.source.colour.as_deref()).unwrap_or(palette.area);
    canvas.rect(shape.rect, 6, Brush::shape(fill, fill.mix(palette.ink, 15)));
    let ink = palette.soft_ink.legible(fill, palette.ink, 4.5);
    canvas.text(&shape.caption, ink);
}

/// Paints what lies behind lifelines and messages: the fill of a frame.
pub(crate) fn background(canvas: &mut Canvas, shape: &FrameShape<'_>) {
    let fill = area(canvas, shape.source.frame.colour.as_deref());
    match (shape.kind, fill) {
        (FrameKind::Tabbed | FrameKind::Background, Some(fill)) => {
            canvas.rect(shape.rect, 3, Brush::fill(fill))
        }
        (FrameKind::Background, None) => canvas.rect(shape.rect, 3, Brush::fill(canvas.palette.area)),
        (FrameKind::Tabbed | FrameKind::Brackets(_), _) => {}
    }
    let bottoms = shape.dividers.iter().skip(1).copied().chain([shape.rect.bottom()]);
    let further = shape.source.operands.iter().skip(1);
    for ((operand, top), bottom) in further.zip(&shape.dividers).zip(bottoms) {
        if let Some(fill) = area(canvas, operand.colour.as_deref()) {
            let rect = Rect { y: *top, height: bottom - top, ..shape.rect };
            canvas.rect(rect, 0, Brush::fill(fill));
        }
    }
}

/// Paints the outline of a frame, its tab and its guards.
pub(crate) fn frame(canvas: &mut Canvas, shape: &FrameShape<'_>) {
    canvas.open("frame", Some(shape.source.id.index()));
    match shape.kind {
        FrameKind::Tabbed => tabbed(canvas, shape),
        FrameKind::Background => {}
        FrameKind::Brackets(x) => brackets(canvas, shape.rect, x),
    }
    let ink = canvas.palette.soft_ink;
    shape.guards.iter().for_each(|guard| canvas.text(guard, ink));
    canvas.close();
}

fn tabbed(canvas: &mut Canvas, shape: &FrameShape<'_>) {
    let paint = paint(canvas, &shape.source.operator);
    canvas.rect(shape.rect, 3, Brush::line(paint.line).wide(12));
    for y in &shape.dividers {
        let (from, to) = (Point { x: shape.rect.x, y: *y }, Point { x: shape.rect.right(), y: *y });
        canvas.line(from, to, Brush::line(paint.line).dashed("6 4"));
    }
    pentagon(canvas, shape.rect, &shape.tab, shape.tab_height, paint);
}

/// What a frame says about its content shows in its colour.
fn paint(canvas: &Canvas, operator: &Operator) -> Paint {
    match operator.modality() {
        Modality::Forbidden => canvas.palette.forbidden,
        Modality::Mandatory => canvas.palette.required,
        Modality::Valid => canvas.palette.frame,
    }
}

/// The tab in the upper left corner.
fn pentagon(canvas: &mut Canvas, rect: Rect, tab: &PlacedLabel, height: i32, paint: Paint) {
    let (x, y) = (rect.x, rect.y);
    let right = tab.x + tab.label.width + 10;
    let (bottom, bevel) = (y + height, 6);
    let path = format!("M{x} {y}H{right}V{}L{} {bottom}H{x}Z", bottom - bevel, right - bevel);
    canvas.path(path, Brush::shape(paint.fill, paint.line).wide(12));
    canvas.text(tab, canvas.palette.ink);
}

/// A coregion: square brackets on its lifeline.
fn brackets(canvas: &mut Canvas, rect: Rect, x: i32) {
    let brush = Brush::line(canvas.palette.arrow).wide(16);
    let (left, right) = (x - 9, x + 9);
    for (edge, end) in [(rect.y, rect.y + 8), (rect.bottom(), rect.bottom() - 8)] {
        canvas.path(format!("M{left} {end}V{edge}H{right}V{end}"), brush);
    }
}

/// Paints a note, a state, a reference, a divider.
pub(crate) fn plate(canvas: &mut Canvas, plate: &Plate<'_>) {
    let palette = canvas.palette;
    let own = plate.colour.and_then(|colour| Colour::parse(colour, palette.page));
    let (paint, ink) = match plate.kind {
        PlateKind::Note(_) => (palette.note, palette.ink),
        PlateKind::Invariant => (palette.state, palette.ink),
        PlateKind::Reference | PlateKind::Action => (palette.plate, palette.ink),
        PlateKind::Divider => (palette.frame, palette.ink),
        PlateKind::Delay | PlateKind::Page => (palette.plate, palette.soft_ink),
    };
    let fill = own.unwrap_or(paint.fill);
    let line = own.map_or(paint.line, |own| own.mix(palette.ink, 35));
    outline(canvas, plate, Brush::shape(fill, line));
    let ink = if own.is_some() { fill.ink(palette.dark_ink, palette.light_ink) } else { ink };
    canvas.text(&plate.text, ink);
}

fn outline(canvas: &mut Canvas, plate: &Plate<'_>, brush: Brush) {
    let rect = plate.rect;
    match plate.kind {
        PlateKind::Note(NoteShape::Folded) => folded(canvas, rect, brush),
        PlateKind::Note(NoteShape::Hexagon) => hexagon(canvas, rect, brush),
        PlateKind::Note(NoteShape::Rectangle) => canvas.rect(rect, 0, brush),
        PlateKind::Reference => reference(canvas, rect, brush),
        PlateKind::Invariant => canvas.rect(rect, (rect.height / 2).min(14), brush),
        PlateKind::Action => canvas.rect(rect, 3, brush),
        PlateKind::Divider => divider(canvas, plate, brush),
        PlateKind::Delay => {}
        PlateKind::Page => page(canvas, plate, brush),
    }
}

/// A rectangle with a folded corner.
pub(crate) fn folded(canvas: &mut Canvas, rect: Rect, brush: Brush) {
    let (x, y, right, bottom, fold) = (rect.x, rect.y, rect.right(), rect.bottom(), 8);
    let (inner, below) = (right - fold, y + fold);
    canvas.path(format!("M{x} {y}H{inner}L{right} {below}V{bottom}H{x}Z"), brush);
    canvas.path(format!("M{inner} {y}V{below}H{right}"), Brush { fill: None, ..brush });
}

fn hexagon(canvas: &mut Canvas, rect: Rect, brush: Brush) {
    let (x, y, right, bottom, slant) = (rect.x, rect.y, rect.right(), rect.bottom(), 8);
    let middle = y + rect.height / 2;
    let (left_in, right_in) = (x + slant, right - slant);
    canvas.path(
        format!("M{left_in} {y}H{right_in}L{right} {middle}L{right_in} {bottom}H{left_in}L{x} {middle}Z"),
        brush,
    );
}

fn reference(canvas: &mut Canvas, rect: Rect, brush: Brush) {
    canvas.rect(rect, 3, brush.wide(12));
    let label = Measures::pixels(rect.width).bold("ref", TextRole::Frame, rect.width);
    let height = Fonts.line_height(TextRole::Frame) + 4;
    let tab = PlacedLabel { label, x: rect.x + 10, y: rect.y + 2, align: Align::Left };
    let paint = canvas.palette.frame;
    pentagon(canvas, rect, &tab, height, paint);
}

fn divider(canvas: &mut Canvas, plate: &Plate<'_>, brush: Brush) {
    let rect = plate.rect;
    let middle = rect.y + rect.height / 2;
    let line = Brush { fill: None, ..brush };
    for y in [middle - 1, middle + 2] {
        canvas.line(Point { x: rect.x, y }, Point { x: rect.right(), y }, line);
    }
    if !plate.text.label.is_empty() {
        let x = plate.text.x - 12;
        let width = plate.text.label.width + 24;
        canvas.rect(Rect { x, width, ..rect }, 4, brush.wide(12));
    }
}

fn page(canvas: &mut Canvas, plate: &Plate<'_>, brush: Brush) {
    let rect = plate.rect;
    let y = if plate.text.label.is_empty() { rect.y } else { rect.bottom() };
    let (from, to) = (Point { x: rect.x, y }, Point { x: rect.right(), y });
    canvas.line(from, to, Brush { fill: None, ..brush }.dashed("8 6"));
}

/// A user's colour as an area behind text: mixed into the page until text on it can be read.
fn area(canvas: &Canvas, colour: Option<&str>) -> Option<Colour> {
    let palette = canvas.palette;
    let own = Colour::parse(colour?, palette.page)?;
    let strengths = (1..=palette.area_strength / 5).rev().map(|step| step * 5);
    let mixed = strengths.map(|percent| palette.page.mix(own, percent));
    mixed.into_iter().find(|area| area.contrast(palette.ink) >= 5.0)
}
