//! Lifelines in their place: heads, the stretches of the line, execution bars, crosses.
//!
//! A line runs from its head to the end of the diagram, with gaps where text stands on it and dots where time passes
//! unseen. A bar goes on behind a text, of which its outline keeps clear. A lifeline that is created begins at that message; one that ends in one operand and is used in the next goes
//! on there.

use sequent_kernel::model::LifelineId;

use crate::draw::layout::columns::column;
use crate::draw::layout::place::Placer;
use crate::draw::layout::{BarShape, Footer, LifelineShape, Point, Rect, Stretch};
use crate::draw::outline::{HeightAnchor, LifeTurn, RowKind};

/// Heads are repeated below when a diagram is taller than this many units times the pixels in one.
const TALL: i32 = 900;

impl<'a> Placer<'_, 'a> {
    /// Places all bars and lifelines, and moves below them.
    pub(super) fn lifelines(&mut self, footer: Footer) {
        let bottom = self.y;
        self.layout.bars = self.bars(bottom);
        let repeats = match footer {
            Footer::Auto => (bottom - self.head_bottom) * self.m.pixels > TALL,
            Footer::Always => true,
            Footer::Never => false,
        };
        for id in self.outline.interaction.lifelines.ids() {
            let shape = self.lifeline(id, bottom, repeats);
            self.y = shape.heads.iter().map(|head| head.bottom()).fold(self.y, i32::max);
            self.layout.lifelines.push(shape);
        }
    }

    fn bars(&self, bottom: i32) -> Vec<BarShape<'a>> {
        let m = self.m;
        let mut shapes = Vec::new();
        for bar in &self.outline.bars {
            let x = self.xs[column(bar.lifeline)] + m.bar_step * bar.level as i32 - m.bar_half;
            let top = self.height(bar.start) + self.head_below(bar.start, bar.lifeline);
            let end = match bar.finish {
                Some(anchor) => self.height(anchor) + line_cell(anchor, m.stroke),
                None => bottom - m.row_after.min(m.body_gap),
            };
            let end = end.max(top + 2 * m.bar_half.max(m.stroke));
            let pieces = stretches(top, end, &self.cuts[bar.lifeline], &[]);
            let clear = pieces.iter().map(|piece| (piece.top, piece.bottom)).collect();
            let rect = Rect { x, y: top, width: 2 * m.bar_half + m.stroke, height: end - top };
            shapes.push(BarShape { rect, clear, colour: bar.colour });
        }
        shapes
    }

    /// How far the head of a lifeline that is created at this height reaches down from there.
    fn head_below(&self, anchor: HeightAnchor, lifeline: LifelineId) -> i32 {
        let HeightAnchor::Line(row) = anchor else { return 0 };
        let row = &self.outline.rows[row].kind;
        let is_created = matches!(row, RowKind::Message(at) if at.creates == Some(lifeline));
        let height = self.measured.heads[lifeline].height;
        if is_created { height - height / 2 } else { 0 }
    }

    fn lifeline(&mut self, id: LifelineId, bottom: i32, repeats: bool) -> LifelineShape<'a> {
        let x = self.xs[column(id)];
        let head = &self.measured.heads[id];
        let label = head.label.clone();
        let (half, width, height) = (head.half, 2 * head.half + self.m.stroke, head.height);
        let life = self.life(id, height, bottom);
        let lives_on = life.alive.last().is_some_and(|(_, end)| *end == bottom);
        let tops = life.heads.into_iter().chain((repeats && lives_on).then_some(bottom));
        let heads = tops.map(|y| Rect { x: x - half, y, width, height }).collect();
        let (cuts, delays) = (&self.cuts[id], &self.delays);
        let stretches =
            life.alive.into_iter().flat_map(|(top, bottom)| stretches(top, bottom, cuts, delays)).collect();
        LifelineShape { lifeline: &self.outline.interaction.lifelines[id], x, label, heads, stretches }
    }

    /// When a lifeline exists and where its heads stand; its ends get their crosses.
    fn life(&mut self, id: LifelineId, head: i32, bottom: i32) -> LifeSpan {
        let x = self.xs[column(id)];
        let turns = &self.outline.lives[id].turns;
        let is_created = turns.first().is_some_and(|(_, turn)| *turn == LifeTurn::Create);
        let mut from = (!is_created).then_some(self.head_bottom);
        let mut span = LifeSpan { alive: Vec::new(), heads: Vec::new() };
        span.heads.extend(from.map(|from| from - head));
        for (anchor, turn) in turns {
            let y = self.height(*anchor);
            match turn {
                LifeTurn::Create => {
                    span.heads.push(y - head / 2);
                    from = Some(y - head / 2 + head);
                }
                LifeTurn::Stop => {
                    self.layout.crosses.push(Point { x, y });
                    span.alive.extend(from.take().map(|from| (from, y)));
                }
                LifeTurn::Resume => from = Some(y),
            }
        }
        span.alive.extend(from.map(|from| (from, bottom)));
        span
    }
}

/// When a lifeline exists.
struct LifeSpan {
    /// From where to where.
    alive: Vec<(i32, i32)>,
    /// The upper edges of its heads.
    heads: Vec<i32>,
}

/// In cells a bar includes the row of the arrow it ends at.
fn line_cell(anchor: HeightAnchor, stroke: i32) -> i32 {
    match anchor {
        HeightAnchor::Line(_) => stroke,
        HeightAnchor::Top | HeightAnchor::Below(_) => 0,
    }
}

/// Cuts `top..bottom` where text stands, and marks what lies inside a delay; both lists run from top to bottom.
fn stretches(top: i32, bottom: i32, cuts: &[(i32, i32)], delays: &[(i32, i32)]) -> Vec<Stretch> {
    if top >= bottom {
        return Vec::new();
    }
    let mut marks: Vec<(i32, LifelineMark)> = Vec::new();
    for (list, open, close) in
        [(cuts, LifelineMark::Cut, LifelineMark::Mend), (delays, LifelineMark::Dot, LifelineMark::Solid)]
    {
        let first = list.partition_point(|(_, to)| *to <= top);
        let touching =
            list[first..].iter().take_while(|(from, _)| *from < bottom).filter(|(from, to)| from < to);
        marks.extend(touching.flat_map(|(from, to)| [(*from, open), (*to, close)]));
    }
    marks.sort_by_key(|(y, mark)| (*y, *mark));
    let (mut pieces, mut from, mut hidden, mut dotted) = (Vec::new(), top, 0, false);
    for (y, mark) in marks.into_iter().chain([(bottom, LifelineMark::Cut)]) {
        let y = y.clamp(top, bottom);
        if hidden == 0 && y > from {
            pieces.push(Stretch { top: from, bottom: y, dotted });
        }
        from = y;
        match mark {
            LifelineMark::Cut => hidden += 1,
            LifelineMark::Mend => hidden -= 1,
            LifelineMark::Dot => dotted = true,
            LifelineMark::Solid => dotted = false,
        }
    }
    pieces
}

/// What changes along a line; closing marks sort before opening ones at the same height.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LifelineMark {
    Mend,
    Solid,
    Cut,
    Dot,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_delays_interrupt_a_line() {
        let at = |top, bottom, dotted| Stretch { top, bottom, dotted };
        let pieces = stretches(0, 100, &[(10, 20), (15, 30)], &[(50, 60)]);
        assert_eq!(pieces, [at(0, 10, false), at(30, 50, false), at(50, 60, true), at(60, 100, false)]);
    }
}
