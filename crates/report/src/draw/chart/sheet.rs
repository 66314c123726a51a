//! What stands in a box: compartments with lines between them.

use crate::draw::label::MeasuredLabel;
use crate::draw::layered::Size;
use crate::draw::layout::measures::Measures;
use crate::draw::layout::{Align, PlacedLabel, Rect};

/// Texts in compartments; those of the first stand in the middle.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextSheet {
    compartments: Vec<Vec<MeasuredLabel>>,
    pad: (i32, i32),
    stroke: i32,
}

impl TextSheet {
    /// Compartments without texts are left out, unless they are the first.
    pub(crate) fn new(compartments: Vec<Vec<MeasuredLabel>>, measures: &Measures) -> Self {
        let filled = |(number, labels): &(usize, Vec<MeasuredLabel>)| *number == 0 || !labels.is_empty();
        let compartments =
            compartments.into_iter().enumerate().filter(filled).map(|(_, labels)| labels).collect();
        let pad = (measures.pad_x, if measures.stroke == 0 { measures.pad_y - 1 } else { 0 });
        Self { compartments, pad, stroke: measures.stroke }
    }

    /// The room that it takes, outline included.
    pub(crate) fn size(&self) -> Size {
        let all = || self.compartments.iter().flatten();
        let width = all().map(|label| label.width).max().unwrap_or(0);
        let height: i32 = all().map(|label| label.height).sum();
        let count = self.compartments.len() as i32;
        Size {
            width: width + 2 * self.pad.0 + 2 * self.stroke,
            height: height + 2 * count * self.pad.1 + (count + 1) * self.stroke,
        }
    }

    /// The texts in their places in a box, and the heights of the lines between compartments.
    pub(crate) fn fill(&self, rect: Rect) -> (Vec<PlacedLabel>, Vec<i32>) {
        let (mut texts, mut rules) = (Vec::new(), Vec::new());
        let slack = if self.compartments.len() == 1 { rect.height - self.size().height } else { 0 };
        let mut y = rect.y + self.stroke + slack / 2;
        for (number, labels) in self.compartments.iter().enumerate() {
            if number > 0 {
                rules.push(y);
                y += self.stroke;
            }
            y += self.pad.1;
            for label in labels {
                let (x, align) = match number {
                    0 => (rect.x + (rect.width - label.width) / 2, Align::Centre),
                    _ => (rect.x + self.stroke + self.pad.0, Align::Left),
                };
                texts.push(PlacedLabel { label: label.clone(), x, y, align });
                y += label.height;
            }
            y += self.pad.1;
        }
        (texts, rules)
    }
}
