//! Diagrams with their loops and references written out, for exports that make a process of each lifeline.

use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, Unsupported};
use sequent_kernel::source::Place;
use sequent_kernel::templates::{TemplateTree, compact, unfold};

use super::question::Unwritten;

/// A sequence diagram that is written.
#[derive(Clone, Copy)]
pub struct UnfoldedDiagram<'a> {
    /// The model, with its loops cut.
    pub model: &'a Model,
    /// The diagram.
    pub id: InteractionId,
    /// Switches, and values of propositions that are fixed.
    pub assumptions: &'a Assumptions,
    /// Where something stands, in words: `line 12`.
    pub at: &'a dyn Fn(Place) -> String,
}

impl UnfoldedDiagram<'_> {
    /// What it is called.
    pub fn title(&self) -> &str {
        &self.model.interactions[self.id].name
    }
}

/// The tree of a diagram with at most `most` occurrences, under the given assumptions.
pub(crate) fn unfolded(
    diagram: &UnfoldedDiagram<'_>,
    assumptions: &Assumptions,
    most: usize,
) -> Result<TemplateTree, Unwritten> {
    checked(diagram, unfold(diagram.model, diagram.id, assumptions), most)
}

/// The same with loops that are kept where that can be, and guards that decide by themselves.
pub(crate) fn compacted(
    diagram: &UnfoldedDiagram<'_>,
    assumptions: &Assumptions,
    most: usize,
) -> Result<TemplateTree, Unwritten> {
    checked(diagram, compact(diagram.model, diagram.id, assumptions), most)
}

fn checked(
    diagram: &UnfoldedDiagram<'_>,
    tree: Result<TemplateTree, Unsupported>,
    most: usize,
) -> Result<TemplateTree, Unwritten> {
    let tree = tree.map_err(|unsupported| {
        let (what, at) = (unsupported.what, (diagram.at)(unsupported.place));
        Unwritten(format!("by its lifelines it cannot say {what} ({at}); `--shape steps` can"))
    })?;
    match tree.occurrences.len() > most {
        true => Err(Unwritten(format!(
            "it has more than {most} occurrences once its loops and references are written out"
        ))),
        false => Ok(tree),
    }
}
