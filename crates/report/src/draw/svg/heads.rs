//! Heads of lifelines: eight kinds, each drawn into the rectangle the layout gave it.

use sequent_kernel::model::LifelineKind;

use crate::draw::colour::Colour;
use crate::draw::layout::{Align, LifelineShape, PlacedLabel, Point, Rect};
use crate::draw::svg::canvas::{Brush, Canvas};

/// Height kept for the symbol above a name, as the layout has it.
const SYMBOL: i32 = 42;

/// Paints the heads of a lifeline.
pub(crate) fn heads(canvas: &mut Canvas, shape: &LifelineShape<'_>) {
    let palette = canvas.palette;
    let own = shape.lifeline.colour.as_deref().and_then(|colour| Colour::parse(colour, palette.page));
    let fill = own.unwrap_or(palette.head.fill);
    let brush = Brush::shape(fill, palette.head.line).wide(12);
    for (number, head) in shape.heads.iter().enumerate() {
        canvas.open(if number == 0 { "head" } else { "foot" }, None);
        let below = outline(canvas, shape.lifeline.kind, *head, brush);
        let ink = match own.filter(|_| !below.on_page) {
            Some(own) => own.ink(palette.dark_ink, palette.light_ink),
            None => palette.ink,
        };
        let y = below.rect.y + (below.rect.height - shape.label.height) / 2;
        let x = below.rect.x + (below.rect.width - shape.label.width) / 2;
        canvas.text(&PlacedLabel { label: shape.label.clone(), x, y, align: Align::Centre }, ink);
        canvas.close();
    }
}

/// Where the name goes.
struct NameSpot {
    rect: Rect,
    /// Beside the symbol rather than inside it.
    on_page: bool,
}

fn outline(canvas: &mut Canvas, kind: LifelineKind, head: Rect, brush: Brush) -> NameSpot {
    let inside = |rect| NameSpot { rect, on_page: false };
    match kind {
        LifelineKind::Participant => {
            canvas.rect(head, 4, brush);
            inside(head)
        }
        LifelineKind::Database => inside(cylinder(canvas, head, brush)),
        LifelineKind::Queue => inside(pipe(canvas, head, brush)),
        LifelineKind::Collections => inside(stack(canvas, head, brush)),
        LifelineKind::Actor | LifelineKind::Boundary | LifelineKind::Control | LifelineKind::Entity => {
            let centre = Point { x: head.x + head.width / 2, y: head.y + SYMBOL / 2 };
            symbol(canvas, kind, centre, brush);
            let rect = Rect { y: head.y + SYMBOL, height: head.height - SYMBOL, ..head };
            NameSpot { rect, on_page: true }
        }
    }
}

fn symbol(canvas: &mut Canvas, kind: LifelineKind, centre: Point, brush: Brush) {
    let Point { x, y } = centre;
    let brush = brush.wide(15);
    let line = Brush { fill: None, ..brush };
    match kind {
        LifelineKind::Actor => {
            canvas.path(
                format!(
                    "M{x} {}V{}M{} {}H{}M{} {}L{x} {}L{} {}",
                    y - 6,
                    y + 7,
                    x - 12,
                    y - 1,
                    x + 12,
                    x - 9,
                    y + 19,
                    y + 7,
                    x + 9,
                    y + 19
                ),
                line,
            );
            canvas.circle(Point { x, y: y - 13 }, 7, brush);
        }
        LifelineKind::Boundary => {
            let left = x - 20;
            canvas.path(format!("M{left} {}V{}M{left} {}H{}", y - 8, y + 16, y + 4, x - 10), line);
            canvas.circle(Point { x: x + 3, y: y + 4 }, 13, brush);
        }
        LifelineKind::Control => {
            canvas.circle(Point { x, y: y + 4 }, 13, brush);
            canvas.path(format!("M{} {}L{} {}L{} {}", x + 4, y - 14, x - 2, y - 9, x + 4, y - 4), line);
        }
        LifelineKind::Entity => {
            canvas.circle(Point { x, y: y + 4 }, 13, brush);
            canvas.path(format!("M{} {}H{}", x - 13, y + 17, x + 13), line);
        }
        LifelineKind::Participant
        | LifelineKind::Database
        | LifelineKind::Collections
        | LifelineKind::Queue => {}
    }
}

/// A database: a standing cylinder around the name.
fn cylinder(canvas: &mut Canvas, head: Rect, brush: Brush) -> Rect {
    let (left, right, radius) = (head.x, head.right(), head.width / 2);
    let (top, bottom, lid) = (head.y + 6, head.bottom() - 6, 6);
    let rim = format!("A{radius} {lid} 0 0 0 ");
    canvas.path(
        format!("M{left} {top}V{bottom}{rim}{right} {bottom}V{top}A{radius} {lid} 0 0 0 {left} {top}Z"),
        brush,
    );
    canvas.path(format!("M{left} {top}{rim}{right} {top}"), Brush { fill: None, ..brush });
    Rect { y: head.y + 8, height: head.height - 8, ..head }
}

/// A queue: a lying cylinder around the name.
fn pipe(canvas: &mut Canvas, head: Rect, brush: Brush) -> Rect {
    let (left, right, radius) = (head.x + 7, head.right() - 7, head.height / 2);
    let (top, bottom) = (head.y, head.y + 2 * radius);
    canvas.path(
        format!(
            "M{left} {top}H{right}A7 {radius} 0 0 1 {right} {bottom}H{left}A7 {radius} 0 0 1 {left} {top}Z"
        ),
        brush,
    );
    canvas.path(format!("M{right} {top}A7 {radius} 0 0 0 {right} {bottom}"), Brush { fill: None, ..brush });
    Rect { width: head.width - 12, ..head }
}

/// Collections: one sheet behind another.
fn stack(canvas: &mut Canvas, head: Rect, brush: Brush) -> Rect {
    let back = Rect { x: head.x + 5, width: head.width - 5, height: head.height - 5, ..head };
    let front = Rect { y: head.y + 5, x: head.x, ..back };
    canvas.rect(back, 3, brush);
    canvas.rect(front, 3, brush);
    front
}
