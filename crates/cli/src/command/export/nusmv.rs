//! Models for NuSMV: sequence diagrams by their lifelines, everything else step by step.

use sequent::export::told;
use sequent::tools;
use sequent_kernel::model::InteractionId;
use sequent_kernel::semantics::lower;
use sequent_kernel::source::Place;
use sequent_report::export::WantedGoal;
use sequent_report::export::nusmv::{self, UnfoldedDiagram};

use super::ExportResult;
use super::claims::claims;
use super::question;
use super::steps::{asked, steps, unwritten};
use super::subject::{ModelForm, cut_short, shape};
use crate::cli::Export;
use crate::command::Session;

/// What runs, as a model for NuSMV.
pub(crate) fn write(session: &Session, options: &Export) -> Result<ExportResult, String> {
    if let Some(wished) = &options.question {
        return asked(session, options, wished, |system, wanted| {
            tools::nusmv::model(system, wanted).map(|made| made.text)
        });
    }
    match shape(session, options)? {
        ModelForm::Steps => {
            steps(session, options, |subject| nusmv::nusmv(subject, &WantedGoal::Stuck).map(|made| made.text))
        }
        ModelForm::Lifelines(id) => lifelines(session, options, id),
    }
}

/// A diagram with a module for each lifeline, and what is asked about it.
fn lifelines(session: &Session, options: &Export, id: InteractionId) -> Result<ExportResult, String> {
    let (short, assumptions) = cut_short(session, options, id)?;
    let model = &short.model;
    let at = |place: Place| format!("line {}", session.sources.position(place.0).line);
    let system = lower(model, id, &assumptions).ok();
    let claims = question::for_all_guards(session, options, |agenda| {
        Ok(claims(agenda, id, &|formula| system.as_ref().map(|system| told(formula, system))))
    })?;
    let diagram = UnfoldedDiagram { model, id, assumptions: &assumptions, at: &at };
    let made = nusmv::lifelines(&diagram, &claims).map_err(unwritten)?;
    Ok(ExportResult::Text(short.noted(made.text, ["-- ", ""])))
}
