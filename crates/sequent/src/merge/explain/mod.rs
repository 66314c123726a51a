//! Explanations: why no order suits the machines, and what would help.

mod proposals;
mod reasons;
mod repair;
mod trial;

pub use self::reasons::Explanation;
pub(super) use self::reasons::{Rivals, fewest_choices, reasons, rivals};
pub(super) use self::repair::explain_search;
use crate::merge::machines::{DiagramProblem, FileModel};

/// Explains why a diagram has no merge, and proposes what would help.
pub(super) fn explain(diagram: &DiagramProblem, model: &FileModel) -> Explanation {
    let trial = trial::Trial::new(diagram, model);
    Explanation { proposals: proposals::proposals(&trial), ..reasons::explain(&trial) }
}
