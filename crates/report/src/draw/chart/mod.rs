//! State machines, classes and objects as drawings.
//!
//! ```text
//! Machine, Model --machine, classes--> Graph --layered--> positions --scene--> Scene --svg, text--> SVG, terminal
//! ```
//! What a box says is measured first; then everything is given a place; then shapes, lines and texts are written down in
//! a [`scene::ChartScene`], which painters turn into elements or characters.

mod behaviour;
mod beside;
mod classes;
mod machine;
mod relations;
pub mod scene;
mod sheet;
mod svg;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{
    self, Attribute, Effect, Machine, Model, Operation, TransitionId, Trigger, VertexId,
};

use crate::draw::layered::LayoutFlow;
use crate::draw::layout::measures::Measures;
use crate::draw::{Change, Style, TextStyle};
use crate::escape;
use scene::ChartScene;

/// How what the model keeps as values is written in drawings.
#[derive(Clone, Copy)]
pub struct ChartWording {
    /// An effect of a transition or a behaviour of a state.
    pub effect: fn(&Effect) -> String,
    /// A trigger.
    pub trigger: fn(&Trigger) -> String,
    /// An attribute of a class.
    pub attribute: fn(&Attribute) -> String,
    /// An operation of a class.
    pub operation: fn(&Operation) -> String,
}

/// What is to be seen at once in the drawing of a machine: where a run stands, and what it just did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Highlight {
    /// Active states.
    pub states: BTreeSet<VertexId>,
    /// Transitions that were taken.
    pub transitions: BTreeSet<TransitionId>,
    /// Transitions that differ between two versions.
    pub changes: BTreeMap<TransitionId, Change>,
}

/// Draws a state machine as a self-contained SVG file.
pub fn machine_svg(
    machine: &Machine,
    wording: &ChartWording,
    style: &Style,
    highlight: &Highlight,
) -> String {
    let scene =
        machine::scene(machine, wording, &Measures::pixels(style.text_width), highlight, flow(machine));
    svg::svg(&scene, style.theme)
}

/// Draws a state machine for a terminal.
pub fn machine_text(
    machine: &Machine,
    wording: &ChartWording,
    style: &TextStyle,
    highlight: &Highlight,
) -> String {
    fit(style, |measures, flow| machine::scene(machine, wording, measures, highlight, flow), flow(machine))
}

/// Where everything in the drawing of a machine stands, in pixels.
pub fn machine_scene(machine: &Machine, wording: &ChartWording) -> ChartScene {
    machine::scene(
        machine,
        wording,
        &Measures::pixels(Style::default().text_width),
        &Highlight::default(),
        flow(machine),
    )
}

/// Draws the classes and objects of a model as a self-contained SVG file.
pub fn classes_svg(model: &Model, wording: &ChartWording, style: &Style) -> String {
    let measures = Measures::pixels(style.text_width);
    svg::svg(&classes::scene(model, wording, &measures, class_flow(model)), style.theme)
}

/// Draws the classes and objects of a model for a terminal.
pub fn classes_text(model: &Model, wording: &ChartWording, style: &TextStyle) -> String {
    fit(style, |measures, flow| classes::scene(model, wording, measures, flow), class_flow(model))
}

/// Where everything in the drawing of classes and objects stands, in pixels.
pub fn classes_scene(model: &Model, wording: &ChartWording) -> ChartScene {
    let measures = Measures::pixels(Style::default().text_width);
    classes::scene(model, wording, &measures, class_flow(model))
}

/// Which way a machine flows.
fn flow(machine: &Machine) -> LayoutFlow {
    layout_flow(machine.flow)
}

/// Which way a drawing of classes flows.
fn class_flow(model: &Model) -> LayoutFlow {
    layout_flow(model.picture.flow)
}

fn layout_flow(flow: Option<model::Flow>) -> LayoutFlow {
    match flow {
        Some(model::Flow::Right) => LayoutFlow::Right,
        Some(model::Flow::Down) | None => LayoutFlow::Down,
    }
}

/// Widths at which texts may wrap on a terminal.
const WIDTHS: [i32; 5] = [40, 28, 20, 14, 10];

/// The first drawing that is no wider than the terminal, or all of it in words. What is much wider than that needs no further trial: narrow
/// texts make it a quarter as wide at best.
fn fit(style: &TextStyle, scene: impl Fn(&Measures, LayoutFlow) -> ChartScene, flow: LayoutFlow) -> String {
    let limit = i32::try_from(style.width).unwrap_or(i32::MAX);
    let flows = if flow == LayoutFlow::Down { vec![flow] } else { vec![flow, LayoutFlow::Down] };
    let widest = scene(&Measures::cells(WIDTHS[0]), flow);
    let is_hopeless = widest.size.width / (WIDTHS[0] / WIDTHS[WIDTHS.len() - 1]) > limit;
    let trials = flows.iter().flat_map(|flow| WIDTHS.map(|width| (width, *flow))).skip(1);
    let trials = trials.filter(|(_, own)| !is_hopeless || *own != flow);
    let mut narrower = trials.map(|(width, flow)| scene(&Measures::cells(width), flow));
    let fits = |scene: &ChartScene| scene.size.width <= limit;
    let drawing = match fits(&widest) {
        true => text::drawing(&widest, style.unicode),
        false => match narrower.find(fits) {
            Some(scene) => text::drawing(&scene, style.unicode),
            None => text::list(&widest),
        },
    };
    escape::lines(&drawing).into_owned()
}
