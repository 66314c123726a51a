//! Pictures of diagrams: how drawings write what the model keeps as values, in the words of the notations.

use sequent_kernel::model::Machine;
use sequent_notation::{label, plantuml};
use sequent_report::draw;

/// How drawings of machines and classes write what the model keeps as values.
pub const WORDING: draw::ChartWording = draw::ChartWording {
    effect: label::effect,
    trigger: label::trigger,
    attribute: plantuml::print::attribute,
    operation: plantuml::print::operation,
};

/// A state machine as SVG.
pub fn machine(machine: &Machine, style: &draw::Style) -> String {
    draw::machine_svg(machine, &WORDING, style, &draw::Highlight::default())
}
