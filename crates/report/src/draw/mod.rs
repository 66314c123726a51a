//! Drawing: diagrams as SVG, PNG and terminal text.
//!
//! ```text
//! Interaction --outline--> rows --layout--> positions --svg--> SVG --png--> PNG
//!                                      \----text--> terminal
//! Machine, classes --chart--> boxes and lines --layered--> positions --chart--> the same
//! ```
//! One layout serves all: it takes its sizes from a table, in pixels or in character cells. Painters turn positions into
//! elements or characters and decide nothing else. All functions are pure, and the same input gives the same bytes.

mod caption;
mod change;
pub mod chart;
mod colour;
mod fold;
pub mod label;
pub mod layered;
pub mod layout;
pub mod markup;
pub mod metrics;
mod moving;
mod origin;
mod outline;
mod png;
#[cfg(test)]
pub(crate) mod sample;
mod svg;
mod text;
mod theme;

use std::collections::BTreeSet;

use sequent_kernel::model::MessageId;

pub use change::Change;
pub use chart::{ChartWording, Highlight, classes_svg, classes_text, machine_svg, machine_text};
pub use fold::folded;
pub use layout::Footer;
pub use moving::moving_heads;
pub use origin::PictureOrigin;
pub use png::{PngError, png, png_with};
pub use svg::svg;
pub use text::text;
pub use theme::Theme;
pub(crate) use theme::dark_colours;

/// How an SVG drawing looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Style {
    /// Light or dark.
    pub theme: Theme,
    /// Texts wider than this many pixels are wrapped.
    pub text_width: i32,
    /// Whether heads are repeated below.
    pub footer: Footer,
    /// Messages to be seen at once: those of a run, or the one that fails.
    pub marked: BTreeSet<MessageId>,
}

impl Default for Style {
    fn default() -> Self {
        Self { theme: Theme::Light, text_width: 280, footer: Footer::Auto, marked: BTreeSet::new() }
    }
}

/// How a terminal drawing looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextStyle {
    /// Columns of the terminal.
    pub width: usize,
    /// Box characters rather than ASCII.
    pub unicode: bool,
    /// Messages to be seen at once.
    pub marked: BTreeSet<MessageId>,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self { width: 100, unicode: true, marked: BTreeSet::new() }
    }
}
