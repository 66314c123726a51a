//! Explanations: why no order suits the machines, and what would help.

mod obstacle;
mod proposals;
mod reasons;
mod repair;
mod trial;

pub(super) use self::obstacle::{Obstacle, obstacle, pair_cuts, place_cuts};
pub use self::reasons::Explanation;
pub(super) use self::reasons::reasons;
pub(super) use self::repair::explain_search;
use crate::merge::machines::{DiagramProblem, FileModel};

/// Explains why a diagram has no merge, and proposes what would help.
pub(super) fn explain(diagram: &DiagramProblem, model: &FileModel) -> Explanation {
    let trial = trial::Trial::new(diagram, model);
    Explanation { proposals: proposals::proposals(&trial), ..reasons::explain(&trial) }
}
