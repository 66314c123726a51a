//! Models for SPIN: sequence diagrams by their lifelines, everything else step by step.

use sequent::tools;
use sequent_kernel::model::InteractionId;
use sequent_kernel::source::Place;
use sequent_report::export::promela::{self, UnfoldedDiagram, WantedGoal};

use super::claims::claims;
use super::question;
use super::steps::{asked, steps, unwritten};
use super::subject::{ModelForm, cut_short, shape};
use super::{ExportResult, observer};
use crate::cli::{Export, PromelaShape};
use crate::command::Session;
use crate::output;

/// What runs, as a model for SPIN that looks for runs which get stuck.
pub(crate) fn write(session: &Session, options: &Export) -> Result<ExportResult, String> {
    if options.shape == Some(PromelaShape::Observer) {
        return observer::write(session, options);
    }
    if let Some(wished) = &options.question {
        return asked(session, options, wished, |system, wanted| {
            tools::spin::model(system, wanted).map(|made| made.text)
        });
    }
    match shape(session, options)? {
        ModelForm::Steps => steps(session, options, |subject| {
            promela::promela(subject, &WantedGoal::Stuck).map(|made| made.text)
        }),
        ModelForm::Lifelines(id) => lifelines(session, options, id),
    }
}

/// A diagram with lifelines as processes.
fn lifelines(session: &Session, options: &Export, id: InteractionId) -> Result<ExportResult, String> {
    let (short, assumptions) = cut_short(session, options, id)?;
    let claims = question::for_all_guards(session, options, |agenda| {
        Ok(claims(agenda, id, &|formula| Some(formula.clone())))
    })?;
    let at = |place: Place| format!("line {}", session.sources.position(place.0).line);
    let diagram = UnfoldedDiagram { model: &short.model, id, assumptions: &assumptions, at: &at };
    let made = promela::lifelines(&diagram, &claims).map_err(unwritten)?;
    for (claim, said) in claims.iter().zip(&made.claims) {
        if let Err(reason) = said {
            output::complain(&format!(
                "`{}` is left out: {reason}; `check --engine spin` asks it",
                claim.title
            ));
        }
    }
    Ok(ExportResult::Text(short.noted(made.text, ["/* ", " */"])))
}
