//! Step-by-step exports: a System, or a question about it, rule by rule.

use sequent::simulate;
use sequent_kernel::system::{Step, System};
use sequent_report::export::{self, Legend, Unwritten, WantedGoal};

use super::ExportResult;
use super::question::{self, ChosenQuestion};
use super::subject::{ExportSubject, NOT_OBSERVED, subject};
use crate::cli::{Export, PromelaShape};
use crate::command::Session;
use crate::command::subject::not_run;

/// The System of the subject in the format of `write`.
pub(crate) fn steps(
    session: &Session,
    options: &Export,
    write: impl FnOnce(&export::WrittenSubject<'_>) -> Result<String, Unwritten>,
) -> Result<ExportResult, String> {
    let subject = match subject(session, options, false)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(ExportResult::Nothing(not_run(session, &unsupported))),
    };
    let model = &session.reading.model;
    let legend = match &subject {
        ExportSubject::Interaction(..) => Legend::new(),
        ExportSubject::Objects(objects, _) => objects.legend(model),
    };
    let words = simulate::SimulationSubject { model, sources: &session.sources, content: subject.content() };
    let note = |step: &Step| words.step(step);
    let title = subject.name(session);
    let told =
        export::WrittenSubject { system: subject.system(), title: &title, legend: &legend, note: &note };
    write(&told).map(ExportResult::Text).map_err(unwritten)
}

/// A question of `check` in the format of `write`.
pub(crate) fn asked(
    session: &Session,
    options: &Export,
    wished: &str,
    write: impl FnOnce(&System, &WantedGoal<'_>) -> Result<String, Unwritten>,
) -> Result<ExportResult, String> {
    match options.shape {
        Some(PromelaShape::Lifelines | PromelaShape::Joint) => {
            return Err("a question is written step by step".to_owned());
        }
        Some(PromelaShape::Observer) => return Err(NOT_OBSERVED.to_owned()),
        Some(PromelaShape::Steps) | None => {}
    }
    let ChosenQuestion { title, part, .. } =
        question::with_agenda(session, options, |agenda| question::choose(agenda, wished))?;
    let refused = |reason| format!("`{title}` cannot be written so: {reason}");
    part.unbounded().map_err(refused)?;
    question::warn_of_breaks(&part.case.system);
    write(&part.case.system, &part.target.wanted())
        .map(ExportResult::Text)
        .map_err(|Unwritten(reason)| refused(reason))
}

/// Why nothing was written, in words.
pub(crate) fn unwritten(Unwritten(reason): Unwritten) -> String {
    format!("it cannot be written so: {reason}")
}
