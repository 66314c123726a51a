//! Scenes as SVG. Shapes carry their number as `data-key`, so that pages can mark them.

use super::scene::{BoxKind, ChartScene, CrowSign, LineTip, SceneBox, SceneLine};
use crate::draw::Change;
use crate::draw::colour::Colour;
use crate::draw::layout::{Point, Rect};
use crate::draw::svg::canvas::{Brush, Canvas};
use crate::draw::svg::{caption, folded};
use crate::draw::theme::{Paint, Theme};

/// The radius of the corners of a line.
const RADIUS: i32 = 7;

/// A scene as a self-contained SVG file.
pub(crate) fn svg(scene: &ChartScene, theme: Theme) -> String {
    let mut canvas =
        Canvas::new(scene.size.width, scene.size.height, theme.palette(), &scene.name, &scene.description);
    let (outer, inner): (Vec<&SceneBox>, Vec<&SceneBox>) =
        scene.shapes.iter().partition(|shape| shape.kind.contains());
    outer.into_iter().for_each(|one| shape(&mut canvas, one));
    for [from, to] in &scene.dividers {
        let brush = Brush::line(canvas.palette.state.line).dashed("6 4");
        canvas.line(*from, *to, brush);
    }
    scene.wires.iter().for_each(|one| wire(&mut canvas, one));
    inner.into_iter().for_each(|one| shape(&mut canvas, one));
    scene.captions.iter().for_each(|shape| caption(&mut canvas, shape));
    canvas.finish()
}

fn shape(canvas: &mut Canvas, one: &SceneBox) {
    let palette = canvas.palette;
    let class = match (one.kind, one.is_marked) {
        (BoxKind::State | BoxKind::Composite, false) => "state",
        (BoxKind::State | BoxKind::Composite, true) => "state marked",
        (_, false) => "vertex",
        (_, true) => "vertex marked",
    };
    canvas.open(class, one.key);
    let own = one.colour.as_deref().and_then(|colour| Colour::parse(colour, palette.page));
    let usual = match one.kind {
        BoxKind::Note => palette.note,
        BoxKind::Class | BoxKind::Object => palette.head,
        BoxKind::State | BoxKind::Composite => palette.state,
        BoxKind::Package => palette.plate,
        BoxKind::Top
        | BoxKind::Initial
        | BoxKind::Final
        | BoxKind::Choice
        | BoxKind::Junction
        | BoxKind::Bar
        | BoxKind::History
        | BoxKind::Entry
        | BoxKind::Exit
        | BoxKind::Terminate => Paint { fill: palette.page, line: palette.arrow },
    };
    let paint = match own {
        Some(own) => Paint { fill: own, line: own.mix(palette.ink, 40) },
        None if one.kind == BoxKind::Composite => Paint { fill: palette.composite(), ..usual },
        None => usual,
    };
    let brush = match one.is_marked {
        true => Brush::shape(paint.fill, palette.marked).wide(26),
        false => Brush::shape(paint.fill, paint.line).wide(12),
    };
    outline(canvas, one, brush);
    for y in &one.rules {
        let (from, to) = (Point { x: one.rect.x, y: *y }, Point { x: one.rect.right(), y: *y });
        canvas.line(from, to, Brush::line(paint.line));
    }
    let ink = match own {
        Some(_) => paint.fill.ink(palette.dark_ink, palette.light_ink),
        None => palette.ink,
    };
    one.texts.iter().for_each(|text| canvas.text(text, ink));
    canvas.close();
}

fn outline(canvas: &mut Canvas, one: &SceneBox, brush: Brush) {
    let rect = one.rect;
    let centre = Point { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
    let ink = brush.line.unwrap_or(canvas.palette.arrow);
    match one.kind {
        BoxKind::Top => {}
        BoxKind::State => canvas.rect(rect, 10, brush),
        BoxKind::Composite => {
            canvas.rect(rect, 12, brush);
            // The name has a line below it, as in other tools; lines that enter beside it do not cross it.
            let lowest = one.texts.iter().map(|text| text.y + text.label.height).max();
            let centre = one
                .texts
                .iter()
                .all(|text| (2 * text.x + text.label.width - rect.x - rect.right()).abs() < 4);
            if let Some(y) = lowest.map(|y| y + 6).filter(|y| one.rules.is_empty() && *y < rect.bottom()) {
                let right =
                    one.texts.iter().map(|text| text.x + text.label.width).max().unwrap_or(rect.right());
                let right = if centre { rect.right() } else { right + 6 };
                canvas.line(Point { x: rect.x, y }, Point { x: right, y }, Brush::line(ink).wide(6));
            }
        }
        BoxKind::Initial => canvas.circle(centre, rect.width / 2, Brush::fill(ink)),
        BoxKind::Junction => canvas.circle(centre, rect.width / 2 - 1, Brush::fill(ink)),
        BoxKind::Final => {
            canvas.circle(centre, rect.width / 2, brush);
            canvas.circle(centre, rect.width / 2 - 4, Brush::fill(ink));
        }
        BoxKind::Choice => {
            let Rect { x, y, .. } = rect;
            let path = format!(
                "M{} {y}L{} {}L{} {}L{x} {}Z",
                centre.x,
                rect.right(),
                centre.y,
                centre.x,
                rect.bottom(),
                centre.y
            );
            canvas.path(path, brush);
        }
        BoxKind::Bar => canvas.rect(rect, 2, Brush::fill(ink)),
        BoxKind::History => canvas.circle(centre, rect.width / 2, brush),
        BoxKind::Entry => canvas.circle(centre, rect.width / 2, brush),
        BoxKind::Exit => {
            canvas.circle(centre, rect.width / 2, brush);
            cross(canvas, centre, 4, brush);
        }
        BoxKind::Terminate => cross(canvas, centre, rect.width / 2 - 1, brush.wide(24)),
        BoxKind::Note => folded(canvas, rect, brush),
        BoxKind::Package => package(canvas, one, brush),
        BoxKind::Class => canvas.rect(rect, 3, brush),
        BoxKind::Object => canvas.rect(rect, 0, brush),
    }
}

/// A folder: its name stands in a tab.
fn package(canvas: &mut Canvas, one: &SceneBox, brush: Brush) {
    let rect = one.rect;
    let right = one.texts.iter().map(|text| text.x + text.label.width).max();
    let bottom = one.texts.iter().map(|text| text.y + text.label.height).max();
    let (Some(right), Some(bottom)) = (right, bottom) else { return canvas.rect(rect, 3, brush) };
    let (tab, low) = ((right + 10).min(rect.right()), bottom + 4);
    canvas.rect(rect, 3, brush);
    let path = format!("M{} {low}L{tab} {low}L{} {}", rect.x, tab + 6, rect.y);
    canvas.path(path, Brush { fill: None, ..brush });
}

fn cross(canvas: &mut Canvas, at: Point, reach: i32, brush: Brush) {
    let (left, right, top, bottom) = (at.x - reach, at.x + reach, at.y - reach, at.y + reach);
    let path = format!("M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}");
    canvas.path(path, Brush { fill: None, ..brush });
}

fn wire(canvas: &mut Canvas, one: &SceneLine) {
    let palette = canvas.palette;
    let is_note = one.key.is_none()
        && one.is_dashed
        && one.tips == [LineTip::None; 2]
        && one.names.iter().any(String::is_empty);
    canvas.open(if one.is_marked { "transition marked" } else { "transition" }, one.key);
    let own = one.colour.as_deref().and_then(|colour| Colour::parse(colour, palette.page));
    let own = own.map(|colour| colour.legible(palette.page, palette.ink, 3.0));
    let changed = one.change.and_then(|change| Colour::parse(change.colour(), palette.page));
    let changed = changed.map(|colour| colour.legible(palette.page, palette.ink, 3.0));
    let colour = match (one.is_marked, is_note) {
        (true, _) => palette.marked,
        (false, true) => palette.note.line,
        (false, false) => changed.or(own).unwrap_or(palette.arrow),
    };
    let brush = Brush::line(colour).wide(if one.is_marked { 24 } else { 13 });
    let is_dashed = one.is_dashed || one.change == Some(Change::Deleted);
    let line = if is_dashed { brush.dashed("6 4") } else { brush };
    let points = shortened(&one.points, one.tips);
    canvas.path(rounded(&points), line);
    if let [first, second, ..] = one.points.as_slice() {
        tip(canvas, *second, *first, one.tips[0], brush);
    }
    if let [.., before, last] = one.points.as_slice() {
        tip(canvas, *before, *last, one.tips[1], brush);
    }
    for (rect, text) in &one.notes {
        folded(canvas, *rect, Brush::shape(palette.note.fill, palette.note.line));
        canvas.text(text, palette.ink);
    }
    let ink = if one.is_marked { palette.marked } else { changed.unwrap_or(palette.ink) };
    one.texts.iter().for_each(|text| canvas.text(text, ink));
    canvas.close();
}

/// One step from a point towards another along a line that is horizontal or vertical.
fn towards(from: Point, to: Point, far: i32) -> Point {
    let (x, y) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    Point { x: from.x + x * far, y: from.y + y * far }
}

/// The line without what its tips cover.
fn shortened(points: &[Point], tips: [LineTip; 2]) -> Vec<Point> {
    let length = |tip: LineTip| match tip {
        LineTip::None => 0,
        LineTip::Open => 1,
        LineTip::Filled => 6,
        LineTip::Triangle => 13,
        LineTip::Diamond | LineTip::FilledDiamond => 16,
        LineTip::Circle | LineTip::Plus => 12,
        LineTip::Square => 9,
        LineTip::Cross | LineTip::Crow(_) | LineTip::Once(_) => 0,
    };
    let mut points = points.to_vec();
    if let [first, second, ..] = points.as_mut_slice() {
        *first = towards(*first, *second, length(tips[0]));
    }
    if let [.., before, last] = points.as_mut_slice() {
        *last = towards(*last, *before, length(tips[1]));
    }
    points
}

/// A path through corners, each of which is round.
fn rounded(points: &[Point]) -> String {
    let [first, .., last] = points else { return String::new() };
    let mut path = format!("M{} {}", first.x, first.y);
    for three in points.windows(3) {
        let [before, corner, behind] = three else { continue };
        let length = |one: &Point, other: &Point| (one.x - other.x).abs() + (one.y - other.y).abs();
        let radius = RADIUS.min(length(before, corner) / 2).min(length(corner, behind) / 2);
        let (enter, leave) = (towards(*corner, *before, radius), towards(*corner, *behind, radius));
        path += &format!("L{} {}Q{} {} {} {}", enter.x, enter.y, corner.x, corner.y, leave.x, leave.y);
    }
    path + &format!("L{} {}", last.x, last.y)
}

/// What stands at the end of a line that comes from `before`.
fn tip(canvas: &mut Canvas, before: Point, end: Point, tip: LineTip, brush: Brush) {
    let Some(colour) = brush.line else { return };
    let hollow = Brush::shape(canvas.palette.page, colour).wide(brush.width);
    let (dx, dy) = ((end.x - before.x).signum(), (end.y - before.y).signum());
    // A point so far back along the line and so far beside it.
    let at = |back: i32, beside: i32| {
        format!("{} {}", end.x - dx * back - dy * beside, end.y - dy * back + dx * beside)
    };
    match tip {
        LineTip::None => {}
        LineTip::Filled => {
            canvas.path(format!("M{}L{}L{}Z", at(0, 0), at(10, 5), at(10, -5)), Brush::fill(colour))
        }
        LineTip::Open => {
            canvas.path(format!("M{}L{}L{}", at(9, 5), at(0, 0), at(9, -5)), brush.wide(brush.width.max(14)))
        }
        LineTip::Triangle => canvas.path(format!("M{}L{}L{}Z", at(0, 0), at(13, 7), at(13, -7)), hollow),
        LineTip::Diamond | LineTip::FilledDiamond => {
            let brush = if tip == LineTip::Diamond { hollow } else { Brush::fill(colour) };
            canvas.path(format!("M{}L{}L{}L{}Z", at(0, 0), at(8, 5), at(16, 0), at(8, -5)), brush);
        }
        LineTip::Circle | LineTip::Plus => {
            let centre = Point { x: end.x - dx * 6, y: end.y - dy * 6 };
            canvas.circle(centre, 6, hollow);
            if tip == LineTip::Plus {
                canvas.path(format!("M{}L{}M{}L{}", at(0, 0), at(12, 0), at(6, 6), at(6, -6)), brush);
            }
        }
        LineTip::Square => {
            canvas.path(format!("M{}L{}L{}L{}Z", at(0, 5), at(9, 5), at(9, -5), at(0, -5)), hollow)
        }
        LineTip::Cross => {
            canvas.path(format!("M{}L{}M{}L{}", at(4, 5), at(14, -5), at(4, -5), at(14, 5)), brush)
        }
        LineTip::Crow(sign) => {
            canvas.path(format!("M{}L{}L{}", at(0, 6), at(11, 0), at(0, -6)), brush);
            behind(
                canvas,
                sign,
                [&at(14, 6), &at(14, -6)],
                Point { x: end.x - dx * 15, y: end.y - dy * 15 },
                hollow,
            );
        }
        LineTip::Once(sign) => {
            canvas.path(format!("M{}L{}", at(6, 6), at(6, -6)), brush);
            behind(
                canvas,
                sign,
                [&at(10, 6), &at(10, -6)],
                Point { x: end.x - dx * 11, y: end.y - dy * 11 },
                hollow,
            );
        }
    }
}

/// The second sign of a crow's foot: a bar between two points, or a circle.
fn behind(canvas: &mut Canvas, sign: CrowSign, bar: [&str; 2], centre: Point, brush: Brush) {
    match sign {
        CrowSign::None => {}
        CrowSign::Circle => canvas.circle(centre, 4, brush),
        CrowSign::Bar => canvas.path(format!("M{}L{}", bar[0], bar[1]), Brush { fill: None, ..brush }),
    }
}
