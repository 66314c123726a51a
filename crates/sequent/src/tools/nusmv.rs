//! Questions for NuSMV, and what it says about them.

use sequent_engine::search::SearchAnswer;
use sequent_kernel::system::System;
use sequent_report::export::nusmv::{NuSmv, nusmv, said};
use sequent_report::export::{Unwritten, WantedGoal};

use super::{Opinion, ToolTrouble, told};

/// A question about a system as a model.
pub fn model(system: &System, wanted: &WantedGoal<'_>) -> Result<NuSmv, Unwritten> {
    told(system, |subject| nusmv(subject, wanted))
}

/// What NuSMV said about some specifications of a model.
pub fn read(model: &NuSmv, printed: &str) -> Result<Opinion, ToolTrouble> {
    let said = said(printed);
    let unclear = |what: &str| ToolTrouble::Unclear(what.to_owned());
    if said.verdicts.contains(&false) {
        let run = said.run(&model.steps).ok_or_else(|| unclear("its counterexample could not be read"))?;
        return Ok(Opinion::of(SearchAnswer::Found(run), said.states));
    }
    match said.verdicts.is_empty() || said.complaint.is_some() {
        true => Err(unclear(said.complaint.as_deref().unwrap_or("it did not finish"))),
        false => Ok(Opinion::of(SearchAnswer::Exhausted, said.states)),
    }
}
