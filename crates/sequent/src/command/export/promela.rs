//! Models for SPIN.

use sequent::simulate;
use sequent_kernel::system::Step;
use sequent_report::export::promela::{self, Legend, Wanted};

use super::Written;
use super::subject::{Subject, subject};
use crate::cli::Export;
use crate::command::Session;
use crate::command::subject::not_run;

/// What runs, as a model for SPIN that looks for runs which get stuck.
pub fn write(session: &Session, options: &Export) -> Result<Written, String> {
    let subject = match subject(session, options)? {
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
    let written = promela::Subject { system: subject.system(), title: &title, legend: &legend, note: &note };
    match promela::promela(&written, &Wanted::Stuck) {
        Ok(made) => Ok(Written::Text(made.text)),
        Err(promela::Unwritten(reason)) => Err(format!("there is no Promela of it: {reason}")),
    }
}
