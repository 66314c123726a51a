//! Messages: the line, its two ends, its label.

use sequent_kernel::id::Id;
use sequent_kernel::model::{End, Half, Tip, TipShape};

use crate::draw::colour::Colour;
use crate::draw::layout::{ArrowShape, OrderingShape, PlacedLabel, Point, Rect, TimingShape};
use crate::draw::svg::canvas::{Brush, Canvas};

/// Length of an arrow head.
const LENGTH: i32 = 9;
/// Half its width.
const SPREAD: i32 = 4;
/// Radius of the circle at an end.
const CIRCLE: i32 = 4;

/// Paints a message.
pub(crate) fn arrow(canvas: &mut Canvas, shape: &ArrowShape<'_>, marked: bool) {
    let palette = canvas.palette;
    let own = shape.message.arrow.colour.as_deref().and_then(|colour| Colour::parse(colour, palette.page));
    let colour = match (marked, own) {
        (true, _) => palette.marked,
        (false, Some(own)) => own.legible(palette.page, palette.ink, 2.0),
        (false, None) => palette.arrow,
    };
    canvas.open(if marked { "message marked" } else { "message" }, Some(shape.id.index()));
    let brush = Brush::line(colour).wide(if marked { 22 } else { 12 });
    let line = if shape.message.arrow.dashed { brush.dashed("5 4") } else { brush };
    match shape.turn {
        None => straight(canvas, shape, brush, line),
        Some(turn) => looped(canvas, shape, turn, brush, line),
    }
    let ink = if marked { palette.marked } else { palette.ink };
    canvas.text(&shape.text, ink);
    canvas.close();
}

fn straight(canvas: &mut Canvas, shape: &ArrowShape<'_>, brush: Brush, line: Brush) {
    let direction = (shape.to.x - shape.from.x).signum();
    let arrow = &shape.message.arrow;
    let (from, to) = (stop(shape.from, arrow.tail, -direction), stop(shape.to, arrow.head, direction));
    canvas.line(from, to, line);
    tip(canvas, shape.from, arrow.tail, -direction, brush);
    tip(canvas, shape.to, arrow.head, direction, brush);
    outer_end(canvas, shape, brush);
}

fn looped(canvas: &mut Canvas, shape: &ArrowShape<'_>, turn: i32, brush: Brush, line: Brush) {
    let arrow = &shape.message.arrow;
    let (from, to) = (stop(shape.from, arrow.tail, -1), stop(shape.to, arrow.head, -1));
    let (x1, y1, x2, y2) = (from.x, from.y, to.x, to.y);
    let inner = turn - 4;
    let (upper, lower) = (y1 + 4, y2 - 4);
    let path = format!("M{x1} {y1}H{inner}Q{turn} {y1} {turn} {upper}V{lower}Q{turn} {y2} {inner} {y2}H{x2}");
    canvas.path(path, line);
    tip(canvas, shape.from, arrow.tail, -1, brush);
    tip(canvas, shape.to, arrow.head, -1, brush);
}

/// Found and lost messages end in a dot.
fn outer_end(canvas: &mut Canvas, shape: &ArrowShape<'_>, brush: Brush) {
    let Some(colour) = brush.line else { return };
    let beyond = CIRCLE * (shape.to.x - shape.from.x).signum();
    if matches!(shape.message.from, End::Outside(_)) && shape.message.arrow.tail == Tip::NONE {
        let centre = Point { x: shape.from.x - beyond, y: shape.from.y };
        canvas.circle(centre, CIRCLE, Brush::fill(colour));
    }
    if matches!(shape.message.to, End::Outside(_)) && shape.message.arrow.head.shape != TipShape::Cross {
        let centre = Point { x: shape.to.x + beyond, y: shape.to.y };
        canvas.circle(centre, CIRCLE, Brush::fill(colour));
    }
}

/// Where the line ends, given what stands at its end.
fn stop(end: Point, tip: Tip, direction: i32) -> Point {
    let circle = if tip.circle { 2 * CIRCLE } else { 0 };
    let head = match (tip.shape, tip.half) {
        (TipShape::Filled, None) => LENGTH - 2,
        (TipShape::Filled, Some(_)) | (TipShape::Open, _) => 1,
        (TipShape::None | TipShape::Cross, _) => 0,
    };
    Point { x: end.x - direction * (circle + head), y: end.y }
}

/// One end of an arrow; `direction` is where it points, 1 for right.
fn tip(canvas: &mut Canvas, end: Point, tip: Tip, direction: i32, brush: Brush) {
    let Some(colour) = brush.line else { return };
    let mut at = end;
    if tip.circle {
        let centre = Point { x: end.x - direction * CIRCLE, y: end.y };
        canvas.circle(centre, CIRCLE, Brush::shape(canvas.palette.page, colour).wide(brush.width));
        at.x -= direction * 2 * CIRCLE;
    }
    let length = if tip.half.is_some() { LENGTH + 2 } else { LENGTH };
    let (x, y, back) = (at.x, at.y, at.x - direction * length);
    let (upper, lower) = match tip.half {
        None => (y - SPREAD, y + SPREAD),
        Some(Half::Upper) => (y - SPREAD - 2, y),
        Some(Half::Lower) => (y, y + SPREAD + 2),
    };
    match (tip.shape, tip.half) {
        (TipShape::None, _) => {}
        (TipShape::Filled, _) => {
            canvas.path(format!("M{x} {y}L{back} {upper}V{lower}Z"), Brush::fill(colour))
        }
        (TipShape::Open, None) => {
            canvas.path(format!("M{back} {upper}L{x} {y}L{back} {lower}"), brush.wide(brush.width.max(14)))
        }
        (TipShape::Open, Some(Half::Upper)) => {
            canvas.path(format!("M{back} {upper}L{x} {y}"), brush.wide(14))
        }
        (TipShape::Open, Some(Half::Lower)) => {
            canvas.path(format!("M{back} {lower}L{x} {y}"), brush.wide(14))
        }
        (TipShape::Cross, _) => {
            let middle = x - direction * 8;
            let (left, right) = (middle - SPREAD, middle + SPREAD);
            let path = format!("M{left} {upper}L{right} {lower}M{left} {lower}L{right} {upper}");
            canvas.path(path, brush.wide(16));
        }
    }
}

/// Paints a general ordering: a dotted bow with an arrow head in its middle.
pub(crate) fn ordering(canvas: &mut Canvas, shape: &OrderingShape<'_>) {
    let (from, to) = (shape.before, shape.after);
    // A quadratic curve passes its middle half way between the middle of its ends and its control point.
    let bow = if (to.x - from.x).abs() < 4 * BOW { 2 * BOW } else { 0 };
    let (x, y) = ((from.x + to.x) / 2, (from.y + to.y) / 2);
    let brush = Brush::line(canvas.palette.soft_ink).wide(14);
    let path = format!("M{} {}Q{} {y} {} {}", from.x, from.y, x + bow, to.x, to.y);
    canvas.path(path, brush.dashed("1 4"));
    let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
    let turn = dy.atan2(dx).to_degrees().round();
    let middle = x + bow / 2;
    canvas.head(Point { x: middle, y }, turn as i32, brush);
}

/// Paints a time or a duration: a thin line with a bar at both ends, and its text on the colour of the page.
pub(crate) fn timing(canvas: &mut Canvas, shape: &TimingShape) {
    let (ink, page) = (canvas.palette.soft_ink, canvas.palette.page);
    if let Some((from, to)) = shape.line {
        let brush = Brush::line(ink);
        canvas.line(from, to, brush.dashed("2 3"));
        for end in [from, to] {
            let [left, right] = [-SPREAD, SPREAD].map(|by| Point { x: end.x + by, y: end.y });
            canvas.line(left, right, brush);
        }
    }
    let PlacedLabel { label, x, y, .. } = &shape.text;
    canvas.rect(
        Rect { x: *x - 1, y: *y, width: label.width + 2, height: label.height },
        0,
        Brush::fill(page),
    );
    canvas.text(&shape.text, ink);
}

/// How far the bow of an ordering stands out beside a lifeline.
const BOW: i32 = 12;
