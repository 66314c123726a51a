//! Questions for SPIN, and what it says about them.

use sequent_engine::search::SearchAnswer;
use sequent_kernel::system::System;
use sequent_report::export::promela::{Promela, Unwritten, WantedGoal, pan, promela, trail};

use super::{Opinion, ToolTrouble, told};

/// What SPIN printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpinReport {
    /// About the search.
    pub search: String,
    /// About the run that was found, if one was.
    pub trail: Option<String>,
}

/// A question about a system as a model.
pub fn model(system: &System, wanted: &WantedGoal<'_>) -> Result<Promela, Unwritten> {
    told(system, |subject| promela(subject, wanted))
}

/// What SPIN said about a model.
pub fn read(model: &Promela, report: &SpinReport) -> Result<Opinion, ToolTrouble> {
    let said = pan(&report.search);
    let unclear = |what: &str| ToolTrouble::Unclear(what.to_owned());
    match said.errors {
        Some(0) if said.is_complete => Ok(Opinion::of(SearchAnswer::Exhausted, said.states)),
        None | Some(0) => Err(unclear(said.complaint.as_deref().unwrap_or("it did not finish"))),
        Some(_) => {
            let told = report.trail.as_deref();
            let told = told.ok_or_else(|| unclear("it found something but left no trail"))?;
            let run = trail(told).run(&model.steps).ok_or_else(|| unclear("its trail could not be read"))?;
            Ok(Opinion::of(SearchAnswer::Found(run), said.states))
        }
    }
}
