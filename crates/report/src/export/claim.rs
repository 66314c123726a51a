//! What must hold in every run of a diagram that is written by its lifelines.

use std::collections::BTreeSet;

use sequent_kernel::formula::Formula;
use sequent_kernel::templates::ForbiddenRuns;

/// Something that must hold in every run: a formula, and an observer where no formula of the language says it.
#[derive(Clone, Debug)]
pub struct LifelineClaim {
    /// What it is, in words.
    pub title: String,
    /// The formula, read from the start of a run on; `None` if it was not written as one.
    pub formula: Option<Formula>,
    /// The same as observers of runs that must not be, one for each way in which guards fall; or why there are none.
    pub observers: Result<Vec<ForbiddenRuns>, String>,
}

impl LifelineClaim {
    /// The guards, or what may be one, that it names.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let observed = self.observers.iter().flatten().flat_map(|one| one.guards.keys().cloned());
        self.formula.as_ref().map(Formula::names).into_iter().flatten().chain(observed).collect()
    }
}
