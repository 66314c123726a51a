//! Questions for SPIN, and what it says about them.

use sequent_engine::search::Answer;
use sequent_kernel::system::System;
use sequent_report::export::promela::{Promela, Unwritten, Wanted, pan, promela, trail};

use super::{Opinion, Trouble, told};

/// What SPIN printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// About the search.
    pub search: String,
    /// About the run that was found, if one was.
    pub trail: Option<String>,
}

/// A question about a system as a model.
pub fn model(system: &System, wanted: &Wanted<'_>) -> Result<Promela, Unwritten> {
    told(system, |subject| promela(subject, wanted))
}

/// What SPIN said about a model.
pub fn read(model: &Promela, report: &Report) -> Result<Opinion, Trouble> {
    let said = pan(&report.search);
    let unclear = |what: &str| Trouble::Unclear(what.to_owned());
    match said.errors {
        Some(0) if said.is_complete => Ok(Opinion::of(Answer::Exhausted, said.states)),
        None | Some(0) => Err(unclear(said.complaint.as_deref().unwrap_or("it did not finish"))),
        Some(_) => {
            let told = report.trail.as_deref();
            let told = told.ok_or_else(|| unclear("it found something but left no trail"))?;
            let run = trail(told).run(&model.steps).ok_or_else(|| unclear("its trail could not be read"))?;
            Ok(Opinion::of(Answer::Found(run), said.states))
        }
    }
}
