//! Sequence diagrams as SVG.
//!
//! Painters for the pieces of a layout, called from the back of the drawing to its front: areas, lifelines, bars, frames,
//! notes, messages, heads.

mod arrows;
pub(crate) mod canvas;
mod frames;
mod heads;

pub(crate) use frames::{caption, folded};

use sequent_kernel::model::Interaction;

use crate::draw::Style;
use crate::draw::colour::Colour;
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{BarShape, Layout, LifelineShape, Point, layout};
use crate::draw::markup;
use canvas::{Brush, Canvas};

/// Draws a sequence diagram as a self-contained SVG file.
pub fn svg(interaction: &Interaction, style: &Style) -> String {
    let layout = layout(interaction, &Measures::pixels(style.text_width), style.footer);
    let title = markup::plain(interaction.title.as_deref().unwrap_or(&interaction.name));
    let mut canvas =
        Canvas::new(layout.width, layout.height, style.theme.palette(), &title, &description(interaction));
    paint(&mut canvas, &layout, style);
    canvas.finish()
}

fn description(interaction: &Interaction) -> String {
    let names: Vec<&str> = interaction.lifelines.iter().map(|lifeline| lifeline.name.as_str()).collect();
    format!("Sequence diagram with {} messages between {}.", interaction.messages.len(), names.join(", "))
}

fn paint(canvas: &mut Canvas, layout: &Layout<'_>, style: &Style) {
    layout.boxes.iter().for_each(|shape| frames::lifeline_box(canvas, shape));
    layout.frames.iter().for_each(|shape| frames::background(canvas, shape));
    layout.lifelines.iter().for_each(|shape| lifeline(canvas, shape));
    layout.bars.iter().for_each(|shape| bar(canvas, shape));
    layout.frames.iter().for_each(|shape| frames::frame(canvas, shape));
    layout.plates.iter().for_each(|shape| frames::plate(canvas, shape));
    for shape in &layout.arrows {
        arrows::arrow(canvas, shape, style.marked.contains(&shape.id));
    }
    layout.orderings.iter().for_each(|shape| arrows::ordering(canvas, shape));
    layout.timings.iter().for_each(|shape| arrows::timing(canvas, shape));
    layout.crosses.iter().for_each(|at| cross(canvas, *at));
    layout.lifelines.iter().for_each(|shape| heads::heads(canvas, shape));
    layout.captions.iter().for_each(|shape| caption(canvas, shape));
}

fn lifeline(canvas: &mut Canvas, shape: &LifelineShape<'_>) {
    let brush = Brush::line(canvas.palette.lifeline);
    for stretch in &shape.stretches {
        let dots = Brush::line(canvas.palette.soft_ink).wide(18).dashed("0.1 6");
        let brush = if stretch.dotted { dots } else { brush };
        canvas.line(Point { x: shape.x, y: stretch.top }, Point { x: shape.x, y: stretch.bottom }, brush);
    }
}

fn bar(canvas: &mut Canvas, shape: &BarShape<'_>) {
    let palette = canvas.palette;
    let own = shape.colour.and_then(|colour| Colour::parse(colour, palette.page));
    let (fill, rect) = (own.unwrap_or(palette.bar.fill), shape.rect);
    let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
    if shape.clear == [(top, bottom)] {
        return canvas.rect(rect, 1, Brush::shape(fill, palette.bar.line));
    }
    canvas.rect(rect, 1, Brush::fill(fill));
    let sides = shape.clear.iter().map(|(from, to)| format!("M{left} {from}V{to}M{right} {from}V{to}"));
    let sides: String = sides.collect();
    canvas
        .path(format!("M{left} {top}H{right}M{left} {bottom}H{right}{sides}"), Brush::line(palette.bar.line));
}

fn cross(canvas: &mut Canvas, at: Point) {
    let (left, right, top, bottom) = (at.x - 7, at.x + 7, at.y - 7, at.y + 7);
    let path = format!("M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}");
    canvas.path(path, Brush::line(canvas.palette.marked).wide(20));
}

#[cfg(test)]
mod tests;
