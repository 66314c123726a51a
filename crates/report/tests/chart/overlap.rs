//! What lies on what in a drawing of boxes and lines.

use sequent_report::draw::chart::scene::{BoxKind, ChartScene, SceneBox, SceneLine};
use sequent_report::draw::layout::{PlacedLabel, Point, Rect};

/// Everything that is not as it should be, in words.
pub(crate) fn problems(scene: &ChartScene) -> Vec<String> {
    let mut found = Vec::new();
    boxes(scene, &mut found);
    labels(scene, &mut found);
    lines(scene, &mut found);
    distances(scene, &mut found);
    continued(scene, &mut found);
    found
}

/// Lines beside each other are at least so far apart, in pixels.
const APART: i32 = 6;

/// A line that ends at a frame from outside right where another begins inside seems to go on as that one.
fn continued(scene: &ChartScene, found: &mut Vec<String>) {
    let mut ends: Vec<(usize, Point, &SceneLine)> = Vec::new();
    for wire in &scene.wires {
        let points = [wire.points.first(), wire.points.last()];
        ends.extend(wire.ends.iter().zip(points).filter_map(|(end, point)| Some((*end, *point?, wire))));
    }
    ends.retain(|(end, ..)| scene.shapes[*end].kind == BoxKind::Composite);
    for (number, (end, point, wire)) in ends.iter().enumerate() {
        for (other_end, other, other_wire) in &ends[number + 1..] {
            let (x, y) = ((point.x - other.x).abs(), (point.y - other.y).abs());
            if end == other_end && !std::ptr::eq(*wire, *other_wire) && x + y < APART {
                found.push(format!("{:?} goes on as {:?} at {point:?}", wire.names, other_wire.names));
            }
        }
    }
}

/// A piece of a line, with the box at which it ends.
struct Piece<'s> {
    wire: &'s SceneLine,
    is_upright: bool,
    /// Where it lies across, and from where to where it reaches.
    at: i32,
    range: [i32; 2],
    /// The boxes at its own ends.
    ends: [Option<usize>; 2],
}

/// Lines that run so close beside each other that they seem to be one. At a point all lines end in the middle.
fn distances(scene: &ChartScene, found: &mut Vec<String>) {
    let mut pieces: Vec<Piece> = Vec::new();
    for wire in &scene.wires {
        let count = wire.points.len().saturating_sub(1);
        for (number, pair) in wire.points.windows(2).enumerate() {
            let is_upright = pair[0].x == pair[1].x;
            let [at, other] = if is_upright { [pair[0].x, pair[1].x] } else { [pair[0].y, pair[1].y] };
            let [from, to] = if is_upright { [pair[0].y, pair[1].y] } else { [pair[0].x, pair[1].x] };
            let ends = [(number == 0).then_some(wire.ends[0]), (number + 1 == count).then_some(wire.ends[1])];
            if at == other {
                pieces.push(Piece { wire, is_upright, at, range: [from.min(to), from.max(to)], ends });
            }
        }
    }
    pieces.sort_by_key(|piece| (piece.is_upright, piece.at));
    let is_small = |end: usize| scene.shapes[end].rect.width.min(scene.shapes[end].rect.height) < 30;
    for (number, one) in pieces.iter().enumerate() {
        for other in &pieces[number + 1..] {
            if other.is_upright != one.is_upright || other.at - one.at >= APART {
                break;
            }
            let common = one.range[1].min(other.range[1]) - one.range[0].max(other.range[0]);
            let shared =
                one.ends.iter().flatten().any(|end| is_small(*end) && other.ends.contains(&Some(*end)));
            if common > 1 && !std::ptr::eq(one.wire, other.wire) && !shared {
                found.push(format!(
                    "{:?} and {:?} run {} apart at {}",
                    one.wire.names,
                    other.wire.names,
                    other.at - one.at,
                    one.at
                ));
            }
        }
    }
}

fn name(shape: &SceneBox) -> String {
    let text = shape.texts.first().map(|text| text.label.text()).unwrap_or_default();
    format!("{:?} {text:?} at {},{}", shape.kind, shape.rect.x, shape.rect.y)
}

fn meet(one: Rect, other: Rect) -> bool {
    one.x < other.right() && other.x < one.right() && one.y < other.bottom() && other.y < one.bottom()
}

fn area(text: &PlacedLabel) -> Rect {
    Rect { x: text.x, y: text.y, width: text.label.width, height: text.label.height }
}

/// A point may lie on the frame around it, with its name outside.
fn is_point(shape: &SceneBox) -> bool {
    matches!(shape.kind, BoxKind::Entry | BoxKind::Exit)
}

fn grown(rect: Rect, by: i32) -> Rect {
    let Rect { x, y, width, height } = rect;
    Rect { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}

/// The boxes around a box, itself first.
fn around(scene: &ChartScene, shape: usize) -> Vec<usize> {
    std::iter::successors(Some(shape), |at| scene.shapes[*at].parent).collect()
}

fn boxes(scene: &ChartScene, found: &mut Vec<String>) {
    for (number, one) in scene.shapes.iter().enumerate() {
        let whole = Rect { x: 0, y: 0, width: scene.size.width, height: scene.size.height };
        let outer = one.parent.map_or(whole, |parent| scene.shapes[parent].rect);
        let outer = if is_point(one) { grown(outer, one.rect.width.max(one.rect.height) / 2) } else { outer };
        let is_inside = one.rect.x >= outer.x
            && one.rect.y >= outer.y
            && one.rect.right() <= outer.right()
            && one.rect.bottom() <= outer.bottom();
        if !is_inside {
            found.push(format!("{} leaves what is around it", name(one)));
        }
        for (other_number, other) in scene.shapes.iter().enumerate().skip(number + 1) {
            let is_nested = around(scene, other_number).contains(&number)
                || around(scene, number).contains(&other_number);
            if !is_nested && meet(one.rect, other.rect) {
                found.push(format!("{} lies on {}", name(one), name(other)));
            }
        }
    }
}

/// Texts of lines, and of boxes that contain others.
fn texts(scene: &ChartScene) -> Vec<(Rect, String)> {
    let of_lines = scene.wires.iter().flat_map(|wire| {
        wire.texts
            .iter()
            .map(area)
            .chain(wire.notes.iter().map(|(rect, _)| *rect))
            .map(move |rect| (rect, format!("the label of {:?}", wire.names)))
    });
    let outer = scene.shapes.iter().filter(|shape| shape.kind.contains() || is_point(shape));
    let of_boxes = outer.flat_map(|shape| {
        shape.texts.iter().map(move |text| (area(text), format!("the text of {}", name(shape))))
    });
    of_lines.chain(of_boxes).collect()
}

fn labels(scene: &ChartScene, found: &mut Vec<String>) {
    let all = texts(scene);
    for (number, (rect, what)) in all.iter().enumerate() {
        for shape in scene.shapes.iter().filter(|shape| !shape.kind.contains()) {
            if meet(*rect, shape.rect) {
                found.push(format!("{what} lies on {}", name(shape)));
            }
        }
        for (other, whose) in &all[number + 1..] {
            if meet(*rect, *other) {
                found.push(format!("{what} lies on {whose}"));
            }
        }
    }
    for shape in scene.shapes.iter().filter(|shape| {
        matches!(shape.kind, BoxKind::State | BoxKind::Class | BoxKind::Object | BoxKind::Note)
    }) {
        for text in shape.texts.iter().map(area) {
            if text.x < shape.rect.x
                || text.right() > shape.rect.right()
                || text.y < shape.rect.y
                || text.bottom() > shape.rect.bottom()
            {
                found.push(format!("a text leaves {}", name(shape)));
            }
        }
    }
}

fn lines(scene: &ChartScene, found: &mut Vec<String>) {
    let texts = texts(scene);
    for wire in &scene.wires {
        let (Some(first), Some(last)) = (wire.points.first(), wire.points.last()) else {
            found.push(format!("{:?} has no line", wire.names));
            continue;
        };
        for (end, point) in wire.ends.iter().zip([first, last]) {
            if !is_on_edge(scene.shapes[*end].rect, *point) {
                found.push(format!(
                    "{:?} ends at {point:?}, not at {}",
                    wire.names,
                    name(&scene.shapes[*end])
                ));
            }
        }
        let allowed: Vec<usize> = wire.ends.iter().flat_map(|end| around(scene, *end)).collect();
        for pair in wire.points.windows(2) {
            if pair[0].x != pair[1].x && pair[0].y != pair[1].y {
                found.push(format!("{:?} has a piece that is neither horizontal nor vertical", wire.names));
            }
            let piece = stretch(pair[0], pair[1]);
            for (number, shape) in scene.shapes.iter().enumerate() {
                if meet(piece, shape.rect) && (!shape.kind.contains() || !allowed.contains(&number)) {
                    found.push(format!("{:?} runs through {}", wire.names, name(shape)));
                }
            }
            for (text, whose) in &texts {
                if meet(piece, *text) {
                    found.push(format!("{:?} runs through {whose}", wire.names));
                }
            }
        }
    }
}

/// A piece of a line as a rectangle without its ends.
fn stretch(from: Point, to: Point) -> Rect {
    let (x, y) = (from.x.min(to.x), from.y.min(to.y));
    let (width, height) = ((from.x - to.x).abs(), (from.y - to.y).abs());
    match width == 0 {
        true => Rect { x, y: y + 1, width: 1, height: (height - 2).max(0) },
        false => Rect { x: x + 1, y, width: (width - 2).max(0), height: 1 },
    }
}

fn is_on_edge(rect: Rect, point: Point) -> bool {
    let is_beside = |value: i32, low: i32, high: i32| value >= low && value <= high;
    let on_sides =
        (point.x == rect.x || point.x == rect.right()) && is_beside(point.y, rect.y, rect.bottom());
    let on_ends = (point.y == rect.y || point.y == rect.bottom()) && is_beside(point.x, rect.x, rect.right());
    on_sides || on_ends
}
