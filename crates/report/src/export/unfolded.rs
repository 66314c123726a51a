//! Diagrams with their loops and references written out, for exports that make a process of each lifeline.

use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::source::Place;
use sequent_kernel::templates::{Tree, unfold};

use super::question::Unwritten;

/// The tree of a diagram with at most so many occurrences; `at` says in words where something stands that cannot be said.
pub fn unfolded(
    (model, id): (&Model, InteractionId),
    assumptions: &Assumptions,
    at: &dyn Fn(Place) -> String,
    most: usize,
) -> Result<Tree, Unwritten> {
    let tree = unfold(model, id, assumptions).map_err(|unsupported| {
        let (what, at) = (unsupported.what, at(unsupported.place));
        Unwritten(format!("its lifelines as processes cannot say {what} ({at}); `--shape steps` can"))
    })?;
    match tree.occurrences.len() > most {
        true => Err(Unwritten(format!(
            "it has more than {most} occurrences once its loops and references are written out"
        ))),
        false => Ok(tree),
    }
}
