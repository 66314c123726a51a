//! Scenes as text. Lines are collected as arms of cells first, so that they join where they meet.

use super::scene::{BoxKind, ChartScene, LineTip, SceneBox, SceneLine};
use crate::draw::layout::{Point, Rect};
use crate::draw::text::grid::Grid;

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// A scene whose sizes are in cells.
pub(crate) fn drawing(scene: &ChartScene, unicode: bool) -> String {
    let mut lines = TextLines::new(scene);
    scene.shapes.iter().filter(|shape| has_outline(shape.kind)).for_each(|shape| lines.outline(shape));
    scene.wires.iter().for_each(|wire| lines.wire(wire));
    let mut grid = Grid::new(scene.size.width, scene.size.height);
    for [from, to] in &scene.dividers {
        match from.x == to.x {
            true => (from.y + 1..to.y - 1).for_each(|y| grid.put(from.x, y, '┊')),
            false => (from.x + 1..to.x - 1).for_each(|x| grid.put(x, from.y, '┄')),
        }
    }
    lines.write(&mut grid);
    for shape in &scene.shapes {
        symbol(&mut grid, shape);
        shape.texts.iter().for_each(|text| grid.text(text));
    }
    for wire in &scene.wires {
        tips(&mut grid, wire);
        wire.texts.iter().for_each(|text| grid.text(text));
        wire.notes.iter().for_each(|(_, text)| grid.text(text));
    }
    scene.captions.iter().for_each(|shape| grid.caption(shape));
    grid.finish(unicode)
}

/// A scene in words, for terminals that are too narrow for it.
pub(crate) fn list(scene: &ChartScene) -> String {
    let mut out = String::new();
    scene.captions.iter().for_each(|shape| out += &(shape.text.label.text() + "\n\n"));
    for shape in scene.shapes.iter().filter(|shape| !shape.texts.is_empty()) {
        let depth = std::iter::successors(shape.parent, |parent| scene.shapes[*parent].parent).count();
        let mut texts = shape.texts.iter().map(|text| text.label.text());
        out += &format!("{}{}\n", "  ".repeat(depth), texts.next().unwrap_or_default());
        texts.for_each(|text| out += &format!("{}    {text}\n", "  ".repeat(depth)));
    }
    out.push('\n');
    for wire in scene.wires.iter().filter(|wire| !wire.names[0].is_empty()) {
        let label: Vec<String> = wire.texts.iter().map(|text| text.label.text()).collect();
        let label = if label.is_empty() { String::new() } else { format!(" : {}", label.join(" ")) };
        let mark = if wire.is_marked { "* " } else { "" };
        out += &format!("{mark}{} -> {}{label}\n", wire.names[0], wire.names[1]);
    }
    out
}

fn has_outline(kind: BoxKind) -> bool {
    matches!(
        kind,
        BoxKind::State
            | BoxKind::Composite
            | BoxKind::Note
            | BoxKind::Package
            | BoxKind::Class
            | BoxKind::Object
    )
}

struct TextLines {
    width: i32,
    height: i32,
    arms: Vec<u8>,
    heavy: Vec<bool>,
    dashed: Vec<bool>,
}

impl TextLines {
    fn new(scene: &ChartScene) -> Self {
        let (width, height) = (scene.size.width.max(1), scene.size.height.max(1));
        let count = (width * height) as usize;
        Self { width, height, arms: vec![0; count], heavy: vec![false; count], dashed: vec![false; count] }
    }

    fn at(&self, x: i32, y: i32) -> Option<usize> {
        let is_inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        is_inside.then(|| (y * self.width + x) as usize)
    }

    fn add(&mut self, x: i32, y: i32, arms: u8) {
        if let Some(at) = self.at(x, y) {
            self.arms[at] |= arms;
        }
    }

    /// A line between two cells, both included.
    fn line(&mut self, from: Point, to: Point) {
        let (left, right) = (from.x.min(to.x), from.x.max(to.x));
        for x in left..right {
            self.add(x, from.y, RIGHT);
            self.add(x + 1, from.y, LEFT);
        }
        let (top, bottom) = (from.y.min(to.y), from.y.max(to.y));
        for y in top..bottom {
            self.add(to.x, y, DOWN);
            self.add(to.x, y + 1, UP);
        }
    }

    fn outline(&mut self, shape: &SceneBox) {
        self.rect(shape.rect, shape.is_marked);
        for y in &shape.rules {
            let (x, right) = (shape.rect.x, shape.rect.right() - 1);
            self.line(Point { x, y: *y }, Point { x: right, y: *y });
        }
    }

    fn rect(&mut self, rect: Rect, is_heavy: bool) {
        let (x, y, right, bottom) = (rect.x, rect.y, rect.right() - 1, rect.bottom() - 1);
        let corners = [(x, y), (right, y), (right, bottom), (x, bottom), (x, y)].map(|(x, y)| Point { x, y });
        for pair in corners.windows(2) {
            self.line(pair[0], pair[1]);
        }
        if is_heavy {
            let border = (x..=right)
                .flat_map(|x| [(x, y), (x, bottom)])
                .chain((y..=bottom).flat_map(|y| [(x, y), (right, y)]));
            for (x, y) in border {
                if let Some(at) = self.at(x, y) {
                    self.heavy[at] = true;
                }
            }
        }
    }

    /// A line; where it leaves a box below or to the right it begins one cell further out.
    fn wire(&mut self, wire: &SceneLine) {
        for pair in wire.points.windows(2) {
            self.line(pair[0], pair[1]);
            if wire.is_dashed || wire.is_marked {
                self.mark(pair[0], pair[1], wire);
            }
        }
        wire.notes.iter().for_each(|(rect, _)| self.rect(*rect, false));
        let ends = [
            wire.points.first().zip(wire.points.get(1)),
            wire.points.last().zip(wire.points.iter().nth_back(1)),
        ];
        for (end, next) in ends.into_iter().flatten() {
            let (dx, dy) = ((next.x - end.x).signum(), (next.y - end.y).signum());
            // Moving away downwards or to the right, the end is the first cell beside the box.
            match (dx, dy) {
                (0, 1) => {
                    self.add(end.x, end.y, UP);
                    self.add(end.x, end.y - 1, DOWN);
                }
                (1, 0) => {
                    self.add(end.x, end.y, LEFT);
                    self.add(end.x - 1, end.y, RIGHT);
                }
                _ => {}
            }
        }
    }

    fn mark(&mut self, from: Point, to: Point, wire: &SceneLine) {
        for y in from.y.min(to.y)..=from.y.max(to.y) {
            for x in from.x.min(to.x)..=from.x.max(to.x) {
                if let Some(at) = self.at(x, y) {
                    self.heavy[at] |= wire.is_marked;
                    self.dashed[at] |= wire.is_dashed;
                }
            }
        }
    }

    fn write(&self, grid: &mut Grid) {
        for y in 0..self.height {
            for x in 0..self.width {
                let Some(at) = self.at(x, y).filter(|at| self.arms[*at] != 0) else { continue };
                grid.put(x, y, joined(self.arms[at], self.heavy[at], self.dashed[at]));
            }
        }
    }
}

/// The character with these arms.
fn joined(arms: u8, heavy: bool, dashed: bool) -> char {
    const THIN: [char; 16] = [' ', '│', '│', '│', '─', '┘', '┐', '┤', '─', '└', '┌', '├', '─', '┴', '┬', '┼'];
    const HEAVY: [char; 16] =
        [' ', '┃', '┃', '┃', '━', '┛', '┓', '┫', '━', '┗', '┏', '┣', '━', '┻', '┳', '╋'];
    match (heavy, dashed, arms) {
        (false, true, 3) => '┊',
        (false, true, 12) => '┄',
        (true, _, _) => HEAVY[usize::from(arms & 15)],
        (false, _, _) => THIN[usize::from(arms & 15)],
    }
}

/// Pseudostates are single characters.
fn symbol(grid: &mut Grid, shape: &SceneBox) {
    let Rect { x, y, width, height } = shape.rect;
    let single = match shape.kind {
        BoxKind::Initial => '●',
        BoxKind::Final => '◉',
        BoxKind::Choice => '◇',
        BoxKind::Junction => '•',
        BoxKind::Entry => '○',
        BoxKind::Exit => '⊗',
        BoxKind::Terminate => '╳',
        BoxKind::Bar => {
            let mark = if width >= height { '━' } else { '┃' };
            (y..y + height).for_each(|y| (x..x + width).for_each(|x| grid.put(x, y, mark)));
            return;
        }
        BoxKind::History => {
            grid.put(x, y, '(');
            grid.put(x + width - 1, y, ')');
            return;
        }
        BoxKind::State
        | BoxKind::Composite
        | BoxKind::Top
        | BoxKind::Note
        | BoxKind::Package
        | BoxKind::Class
        | BoxKind::Object => return,
    };
    grid.put(x, y, single);
}

fn tips(grid: &mut Grid, wire: &SceneLine) {
    if let [first, second, ..] = wire.points.as_slice() {
        tip(grid, *second, *first, wire.tips[0]);
    }
    if let [.., before, last] = wire.points.as_slice() {
        tip(grid, *before, *last, wire.tips[1]);
    }
}

fn tip(grid: &mut Grid, before: Point, end: Point, tip: LineTip) {
    let (dx, dy) = ((end.x - before.x).signum(), (end.y - before.y).signum());
    let arrow = match (dx, dy) {
        (_, 1) => '▼',
        (_, -1) => '▲',
        (1, _) => '▶',
        _ => '◀',
    };
    let character = match tip {
        LineTip::None => return,
        LineTip::Filled | LineTip::Open => arrow,
        LineTip::Triangle => match arrow {
            '▼' => '▽',
            '▲' => '△',
            '▶' => '▷',
            _ => '◁',
        },
        LineTip::Diamond => '◇',
        LineTip::FilledDiamond => '◆',
        LineTip::Circle => '○',
        LineTip::Cross => '×',
        LineTip::Square => '□',
        LineTip::Plus => '⊕',
        LineTip::Crow(_) => match arrow {
            '▼' | '▲' => '╫',
            _ => '╪',
        },
        LineTip::Once(_) => '┼',
    };
    // An end that comes from above or from the left lies on the outline itself.
    let (back_x, back_y) = (i32::from(dx > 0), i32::from(dy > 0));
    grid.put(end.x - back_x, end.y - back_y, character);
}
