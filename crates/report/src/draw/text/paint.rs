//! Painters for the pieces of a layout, in characters.

use sequent_kernel::model::{End, NoteShape, Tip, TipShape};

use crate::draw::TextStyle;
use crate::draw::layout::{
    Align, ArrowShape, BarShape, BoxShape, FrameKind, FrameShape, Layout, LifelineShape, Plate, PlateKind,
    Point, Rect,
};
use crate::draw::text::grid::Grid;

const SQUARE: [char; 6] = ['┌', '┐', '┘', '└', '─', '│'];
const ROUND: [char; 6] = ['╭', '╮', '╯', '╰', '─', '│'];
const FOLDED: [char; 6] = ['┌', '◥', '┘', '└', '─', '│'];
const SLANTED: [char; 6] = ['╱', '╲', '╱', '╲', '─', '│'];

/// Paints a layout: frames and messages first, then bars and lifelines where room is left, then what covers them.
pub(crate) fn paint(layout: &Layout<'_>, style: &TextStyle) -> String {
    let mut grid = Grid::new(layout.width, layout.height);
    layout.frames.iter().for_each(|shape| frame(&mut grid, shape));
    for shape in &layout.arrows {
        arrow(&mut grid, shape, style.marked.contains(&shape.id));
    }
    layout.lifelines.iter().for_each(|shape| heads(&mut grid, shape));
    layout.crosses.iter().for_each(|at| grid.put(at.x, at.y, '╳'));
    layout.bars.iter().for_each(|shape| bar(&mut grid, shape));
    layout.lifelines.iter().for_each(|shape| lifeline(&mut grid, shape));
    layout.arrows.iter().for_each(|shape| attach(&mut grid, shape));
    layout.plates.iter().for_each(|shape| plate(&mut grid, shape));
    layout.boxes.iter().for_each(|shape| lifeline_box(&mut grid, shape));
    layout.captions.iter().for_each(|shape| grid.caption(shape));
    grid.finish(style.unicode)
}

fn frame(grid: &mut Grid, shape: &FrameShape<'_>) {
    let rect = shape.rect;
    match shape.kind {
        FrameKind::Tabbed => {
            grid.outline(rect, SQUARE);
            for y in &shape.dividers {
                grid.row(rect.x, rect.right() - 1, *y, '╌');
                grid.put(rect.x, *y, '├');
                grid.put(rect.right() - 1, *y, '┤');
            }
            grid.string(&format!(" {} ", shape.tab.label.text()), shape.tab.x - 1, shape.tab.y);
        }
        FrameKind::Background => {}
        FrameKind::Brackets(x) => {
            for (y, [left, right]) in [(rect.y, ['┌', '┐']), (rect.bottom() - 1, ['└', '┘'])] {
                grid.row(x - 1, x + 1, y, '─');
                grid.put(x - 1, y, left);
                grid.put(x + 1, y, right);
            }
        }
    }
    for guard in &shape.guards {
        grid.text(guard);
        let end = guard.label.lines.first().map_or(0, |line| line.width);
        grid.put(guard.x + end, guard.y, ' ');
    }
}

fn plate(grid: &mut Grid, plate: &Plate<'_>) {
    let rect = plate.rect;
    match plate.kind {
        PlateKind::Note(NoteShape::Folded) => boxed(grid, rect, FOLDED),
        PlateKind::Note(NoteShape::Hexagon) => boxed(grid, rect, SLANTED),
        PlateKind::Note(NoteShape::Rectangle) | PlateKind::Action => boxed(grid, rect, SQUARE),
        PlateKind::Invariant => boxed(grid, rect, ROUND),
        PlateKind::Reference => {
            boxed(grid, rect, SQUARE);
            grid.string(" ref ", rect.x + 1, rect.y);
        }
        PlateKind::Divider => divider(grid, plate, '═'),
        PlateKind::Page => divider(grid, plate, '┄'),
        PlateKind::Delay => {}
    }
    grid.text(&plate.text);
}

fn boxed(grid: &mut Grid, rect: Rect, corners: [char; 6]) {
    grid.outline(rect, corners);
    grid.blank(rect);
}

fn divider(grid: &mut Grid, plate: &Plate<'_>, line: char) {
    let (rect, text) = (plate.rect, &plate.text);
    grid.row(rect.x, rect.right() - 1, rect.y + rect.height / 2, line);
    if !text.label.is_empty() {
        for y in rect.y..rect.bottom() {
            grid.row(text.x - 1, text.x + text.label.width, y, ' ');
        }
    }
}

fn arrow(grid: &mut Grid, shape: &ArrowShape<'_>, marked: bool) {
    let line = match (shape.message.arrow.dashed, marked) {
        (false, false) => '─',
        (true, false) => '╌',
        (false, true) => '━',
        (true, true) => '╍',
    };
    match shape.turn {
        None => straight(grid, shape, line),
        Some(turn) => looped(grid, shape, turn, line),
    }
    grid.text(&shape.text);
}

fn straight(grid: &mut Grid, shape: &ArrowShape<'_>, line: char) {
    let (from, to) = (shape.from, shape.to);
    let arrow = &shape.message.arrow;
    let direction = (to.x - from.x).signum();
    grid.row(from.x.min(to.x), from.x.max(to.x), from.y, line);
    tip(grid, to, arrow.head, direction);
    tip(grid, from, arrow.tail, -direction);
    if matches!(shape.message.from, End::Outside(_)) && arrow.tail == Tip::NONE {
        grid.put(from.x, from.y, '●');
    }
    if matches!(shape.message.to, End::Outside(_)) {
        tip(grid, Point { x: to.x - direction, y: to.y }, arrow.head, direction);
        grid.put(to.x, to.y, '●');
    }
}

fn looped(grid: &mut Grid, shape: &ArrowShape<'_>, turn: i32, line: char) {
    let (from, to) = (shape.from, shape.to);
    grid.row(from.x, turn - 1, from.y, line);
    grid.put(turn, from.y, '┐');
    (from.y + 1..to.y).for_each(|y| grid.put(turn, y, '│'));
    grid.row(to.x, turn - 1, to.y, line);
    grid.put(turn, to.y, '┘');
    tip(grid, to, shape.message.arrow.head, -1);
    tip(grid, from, shape.message.arrow.tail, -1);
}

/// Shows on the lifeline that a message leaves it, unless an arrow head there says more. An arrow whose only head is at
/// its sender leaves its receiver.
fn attach(grid: &mut Grid, shape: &ArrowShape<'_>) {
    let leaves_right = shape.turn.is_some() || shape.to.x > shape.from.x;
    let beside = |at: Point, right: bool| if right { at.x - 1 } else { at.x + 1 };
    let (message, arrow) = (shape.message, &shape.message.arrow);
    if shape.passes {
        grid.cross(beside(shape.from, leaves_right), shape.from.y);
    } else if message.from.lifeline().is_some() && arrow.tail == Tip::NONE {
        grid.branch(beside(shape.from, leaves_right), shape.from.y, leaves_right);
    } else if message.to.lifeline().is_some() && shape.turn.is_none() && arrow.head == Tip::NONE {
        grid.branch(beside(shape.to, !leaves_right), shape.to.y, !leaves_right);
    }
}

/// One end of an arrow; `direction` is where it points, 1 for right.
fn tip(grid: &mut Grid, at: Point, tip: Tip, direction: i32) {
    let mut at = at;
    if tip.circle {
        grid.put(at.x, at.y, 'o');
        at.x -= direction;
    }
    let character = match (tip.shape, direction > 0) {
        (TipShape::None, _) => return,
        (TipShape::Filled, true) => '▶',
        (TipShape::Filled, false) => '◀',
        (TipShape::Open, true) => '>',
        (TipShape::Open, false) => '<',
        (TipShape::Cross, _) => 'x',
    };
    grid.put(at.x, at.y, character);
}

fn heads(grid: &mut Grid, shape: &LifelineShape<'_>) {
    for head in &shape.heads {
        boxed(grid, *head, SQUARE);
        grid.put(shape.x, head.bottom() - 1, '┬');
        let x = head.x + (head.width - shape.label.width) / 2;
        grid.label(&shape.label, x, head.y + 1, Align::Centre);
    }
}

fn bar(grid: &mut Grid, shape: &BarShape<'_>) {
    let rows = shape.clear.iter().flat_map(|(top, bottom)| *top..*bottom);
    rows.for_each(|y| grid.merge(shape.rect.x, y, '┃'));
}

fn lifeline(grid: &mut Grid, shape: &LifelineShape<'_>) {
    for stretch in &shape.stretches {
        let line = if stretch.dotted { '┊' } else { '│' };
        (stretch.top..stretch.bottom).for_each(|y| grid.merge(shape.x, y, line));
    }
}

/// A box is a line above the heads it holds, with its caption.
fn lifeline_box(grid: &mut Grid, shape: &BoxShape<'_>) {
    let rect = shape.rect;
    let right = rect.right() - 1;
    grid.row(rect.x, right, rect.y, '╌');
    grid.put(rect.x, rect.y, '╭');
    grid.put(right, rect.y, '╮');
    if let Some(first) = shape.caption.label.lines.first() {
        let start = shape.caption.x + (shape.caption.label.width - first.width) / 2;
        grid.put(start - 1, rect.y, ' ');
        grid.put(start + first.width, rect.y, ' ');
    }
    grid.text(&shape.caption);
}
