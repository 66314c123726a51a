//! Step-by-step exports: a System, or a question about it, rule by rule.

use sequent::simulate;
use sequent_kernel::system::{Step, System};
use sequent_report::export::{self, Legend, Unwritten, Wanted};

use super::Written;
use super::question::{self, Chosen};
use super::subject::{NOT_OBSERVED, Subject, subject};
use crate::cli::{Export, PromelaShape};
use crate::command::Session;
use crate::command::subject::not_run;

/// The System of the subject in the format of `write`.
pub fn steps(
    session: &Session,
    options: &Export,
    write: impl FnOnce(&export::Subject<'_>) -> Result<String, Unwritten>,
) -> Result<Written, String> {
    let subject = match subject(session, options, false)? {
        Ok(subject) => subject,
        Err(unsupported) => return Ok(Written::Nothing(not_run(session, &unsupported))),
    };
    let model = &session.reading.model;
    let legend = match &subject {
        Subject::Interaction(..) => Legend::new(),
        Subject::Objects(objects, _) => objects.legend(model),
    };
    let words = simulate::Subject { model, sources: &session.sources, content: subject.content() };
    let note = |step: &Step| words.step(step);
    let title = subject.name(session);
    let told = export::Subject { system: subject.system(), title: &title, legend: &legend, note: &note };
    write(&told).map(Written::Text).map_err(unwritten)
}

/// A question of `check` in the format of `write`.
pub fn asked(
    session: &Session,
    options: &Export,
    wished: &str,
    write: impl FnOnce(&System, &Wanted<'_>) -> Result<String, Unwritten>,
) -> Result<Written, String> {
    match options.shape {
        Some(PromelaShape::Lifelines | PromelaShape::Joint) => {
            return Err("a question is written step by step".to_owned());
        }
        Some(PromelaShape::Observer) => return Err(NOT_OBSERVED.to_owned()),
        Some(PromelaShape::Steps) | None => {}
    }
    let Chosen { title, part, .. } =
        question::with_agenda(session, options, |agenda| question::choose(agenda, wished))?;
    let refused = |reason| format!("`{title}` cannot be written so: {reason}");
    part.unbounded().map_err(refused)?;
    question::warn_of_breaks(&part.case.system);
    write(&part.case.system, &part.target.wanted())
        .map(Written::Text)
        .map_err(|Unwritten(reason)| refused(reason))
}

/// Why nothing was written, in words.
pub fn unwritten(Unwritten(reason): Unwritten) -> String {
    format!("it cannot be written so: {reason}")
}
